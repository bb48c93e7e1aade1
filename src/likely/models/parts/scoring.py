"""What the columns of a part add to the score of each group, for other programs to work out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Multinomial
from likely.dist.elliptical import Elliptical
from likely.dist.numeric.pieces import Pieces, log_or_impossible
from likely.dist.quadratic_form import quadratic_forms
from likely.errors import LikelyError
from likely.export.form import AnyTerm, JointTerm, LevelTerm, SharesTerm, number_term
from likely.models.parts.cells import LevelsPart
from likely.models.parts.part import Part

Floats = NDArray[np.float64]

CLOSED = (
    "families of levels, normal, binned, histogram, poisson, geometric, binomial, exponential, uniform, "
    "multinomial and multivariate_normal can be exported"
)


def terms_of(part: Part, g: int, weights: Floats, steady: bool) -> Iterator[AnyTerm]:
    """The terms of a part of g groups, whose columns weigh so much, (d,)."""
    distribution = part.distribution
    if isinstance(distribution, Elliptical):
        forms = quadratic_forms(distribution)
        yield JointTerm(columns=part.columns, forms=forms, weight=float(weights[0]), steady=steady)
    elif isinstance(distribution, Multinomial):
        shares = np.asarray(distribution.probs.T)
        yield SharesTerm(columns=part.columns, shares=shares, weight=float(weights[0]), steady=steady)
    else:
        for place, weight in enumerate(weights.tolist()):
            yield from _column_terms(part, place, g, {"weight": weight, "steady": steady})


def _column_terms(part: Part, place: int, g: int, how: dict[str, Any]) -> Iterator[AnyTerm]:
    column, j, nothing = part.column(place), part.columns[place], np.zeros(g)
    if not part.describes_cells:
        there, gone = log_or_impossible(np.stack([1 - part.distribution.p, part.distribution.p]))[:, :, place]
        yield number_term(column, j, Pieces.steps([], there[None]), gone, **how)
    elif isinstance(part, LevelsPart):
        table = part.level_table(place)
        assert table is not None
        logs = log_or_impossible(table[1].T)
        missing = logs[-1] if column.missing_level else nothing
        known = logs[: len(column.known)]
        if len(known) or column.missing_level:
            yield LevelTerm(columns=(j,), table=known, missing=missing, unseen=nothing, **how)
    else:
        pieces = part.distribution.pieces(place)
        if pieces is None:
            raise LikelyError(
                f"column {column.name!r} is described by the {part.family.name} family, whose "
                f"{type(part.distribution).__name__} has no formula that other programs have: {CLOSED}."
            )
        yield number_term(column, j, pieces.relative(), nothing, **how)
