"""The family that naive Bayes gives to numbers of which nobody says one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from likely.dist import Binned, Prior
from likely.dist.family import Priors
from likely.models.parts.part import suits
from likely.models.parts.plan import FamilyWord, FamilyWords
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name


def binned_numbers(frame: Frame, schema: Schema, families: FamilyWords, prior: Priors) -> FamilyWords:
    """The families with "binned" for the columns of numbers that none was given for.

    A conjugate prior is about the parameters of a normal distribution, so such columns keep that; and so do
    sparse numbers, which would have to be written out.
    """
    if families is not None and not isinstance(families, Mapping):
        return families
    if frame.matrix is not None and not isinstance(frame.matrix, np.ndarray):
        return families
    given = declared_by_name(schema.names, families, "families")
    own = declared_by_name(schema.names, prior if isinstance(prior, Mapping) else None, "prior")
    of_all = prior if isinstance(prior, Prior) else "default"
    chosen: Mapping[str, FamilyWord] = given
    for column, places in schema.runs(given, own):
        said = column.name in given or not suits(own.get(column.name, of_all), Binned)
        if column.kind is Kind.QUANTITATIVE and not said:
            more = schema.declare(places, Binned)
            chosen = {**chosen, **more} if chosen else more
    return chosen or None
