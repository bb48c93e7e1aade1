"""A model of groups as a scoring form, for other programs to work out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.dist.numeric.pieces import log_or_impossible
from likely.export.form import AnyTerm, Input, ScoringForm, WordsTerm
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


def words_terms(record: GroupRecord) -> tuple[WordsTerm, ...]:
    """What the words of texts add, as far as they count; none of texts whose words are no sum."""
    core = record.predictor
    g, d = len(core.log_weights), len(record.schema.columns)
    weights = np.ones(d) if core.evidence is None else core.evidence.by_column
    terms = []
    for part in core.parts:
        made = part.distribution.sums() if isinstance(part, WordsPart) else None
        if made is None:
            continue
        j, column = part.columns[0], part.first
        assert column.words is not None
        term = WordsTerm(
            columns=(j,),
            weight=float(weights[j]),
            steady=repeats_itself(part),
            words=tuple(part.distribution.names),
            table=made[0],
            start=made[1],
            missing=np.zeros(g),
            once=column.words.bits,
        )
        terms.append(term)
    return tuple(terms)
