"""What columns of which nothing is known add to the scores of a pool: together, what makes the base rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.calibrate.record import CalibratedRecord
from likely.errors import LikelyError
from likely.export.form import AnyTerm, LevelTerm, NumberTerm, ScoringForm, WordsTerm
from likely.models.regression.logistic_record import LogisticRecord
from likely.page.columns import ShownColumn, text_of
from likely.table.frame import Frame

Floats = NDArray[np.float64]

SEEN = 0.005  # of a probability, that people see


def said_untold(model: Any, record: Any) -> str:
    """What the answer is where nothing is told, if that is not the base rate; "" where it is."""
    rates = record.shares if isinstance(record, CalibratedRecord) else getattr(record, "rates", None)
    if model._hidden or rates is None:
        return ""
    nothing = Frame.of({column.name: np.array([None], object) for column in record.schema.columns})
    nothing = nothing if record.schema.named else replace(nothing, named=False)
    try:
        told = model.predict_proba(nothing)[0]
    except LikelyError:
        return ""
    apart = np.abs(told - rates)
    if apart.max() < SEEN:
        return ""
    most = int(apart.argmax()) if len(told) > 2 else 1
    why = "in this model, what is unknown tells something too"
    if isinstance(record, LogisticRecord):
        why = "an unknown number counts as its mean"
    elif isinstance(record, CalibratedRecord):
        why = "it was calibrated by rows of which more is told"
    return (
        f"With nothing told it says {told[most]:.0%} {text_of(record.classes[most])}, where the base rate is "
        f"{rates[most]:.0%}: {why}."
    )


def with_base_rate(
    form: ScoringForm, words: Sequence[WordsTerm], columns: Sequence[ShownColumn], rates: Floats
) -> tuple[ScoringForm, tuple[WordsTerm, ...]]:
    """The form, and the terms of words, in which nothing told is the base rate.

    An average row is not an average answer: the mean of many probabilities is nearer to the middle than the
    probability of the mean. What lies between is shared out among the columns by how much their evidence
    varies, and is theirs for as long as they are unknown.
    """
    both = (*form.terms, *words)
    spread = np.array([_variance(term, columns[term.columns[0]]) for term in both])
    if not spread.sum() > 0:
        return form, tuple(words)
    apart = np.log(rates) - form.start  # (g,)
    apart -= apart.mean()
    shares = spread / spread.sum()
    terms = [
        replace(term, missing=share * apart) if isinstance(term, LevelTerm | NumberTerm) else term
        for term, share in zip(form.terms, shares, strict=False)
    ]
    of_words = zip(words, shares[len(terms) :], strict=True)
    return replace(form, terms=tuple(terms)), tuple(
        replace(t, missing=share * apart) for t, share in of_words
    )


def _variance(term: AnyTerm | WordsTerm, shown: ShownColumn) -> float:
    """Of what a column says, over the rows, added up over the classes."""
    if isinstance(term, LevelTerm):
        said, rows = term.table, shown.level_rows
    elif isinstance(term, NumberTerm):
        said, rows = term.pieces(shown.values), shown.rows
    elif isinstance(term, WordsTerm):  # as if each text had one of the words
        sums = term.start + term.table
        said = sum((curve(own) for curve, own in zip(term.curves, sums.T, strict=True)), np.zeros(1))
        rows = shown.rows
    else:
        return 0.0
    if rows is None or len(rows) != len(said) or not rows.sum() > 0:
        rows = np.ones(len(said))
    said = said - said.mean(axis=1, keepdims=True)
    mean = rows @ said / rows.sum()
    return float(rows @ np.square(said - mean).sum(axis=1) / rows.sum())
