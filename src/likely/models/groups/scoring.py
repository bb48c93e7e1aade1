"""A model of groups as a scoring form, for other programs to work out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.dist.numeric.pieces import log_or_impossible
from likely.export.form import AnyTerm, Input, ScoringForm
from likely.models.groups.independent import repeats_itself
from likely.models.parts.scoring import terms_of
from likely.models.parts.words import WordsPart

if TYPE_CHECKING:
    from likely.models.groups.record import GroupRecord


def scoring_form(record: GroupRecord, texts: bool = False) -> ScoringForm:
    """Base rates, and what every column adds to each group, as far as it counts.

    With `texts`, columns of texts are no refusal but silent, as where they are missing.
    """
    core = record.predictor
    g, d = len(core.log_weights), len(record.schema.columns)
    inputs = tuple(Input.of(column, texts) for column in record.schema.columns)
    weights = np.ones(d) if core.evidence is None else core.evidence.by_column
    terms: list[AnyTerm] = []
    for part in core.parts:
        if texts and isinstance(part, WordsPart):
            continue
        terms += terms_of(part, g, weights[list(part.columns)], repeats_itself(part))
    return ScoringForm(
        record.target_name,
        tuple(record.target.known),
        inputs,
        log_or_impossible(np.exp(core.log_weights)),
        tuple(terms),
        core.components,
        core.evidence is not None and all(part.describes_cells for part in core.parts),
        np.exp(core.log_rates),
    )
