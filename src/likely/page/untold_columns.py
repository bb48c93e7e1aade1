"""What columns of which nothing is known add to the scores of a pool: together, what makes the base rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.export.form import AnyTerm, LevelTerm, NumberTerm, ScoringForm
from likely.page.columns import ShownColumn

Floats = NDArray[np.float64]


def with_base_rate(form: ScoringForm, columns: Sequence[ShownColumn], rates: Floats) -> ScoringForm:
    """The form in which nothing told is the base rate.

    An average row is not an average answer: the mean of many probabilities is nearer to the middle than the
    probability of the mean. What lies between is shared out among the columns by how much their evidence
    varies, and is theirs for as long as they are unknown.
    """
    spread = np.array([_variance(term, columns[term.columns[0]]) for term in form.terms])
    if not spread.sum() > 0:
        return form
    apart = np.log(rates) - form.start  # (g,)
    apart -= apart.mean()
    shares = spread / spread.sum()
    terms = [
        replace(term, missing=share * apart) if isinstance(term, LevelTerm | NumberTerm) else term
        for term, share in zip(form.terms, shares, strict=True)
    ]
    return replace(form, terms=tuple(terms))


def _variance(term: AnyTerm, shown: ShownColumn) -> float:
    """Of what a column says, over the rows, added up over the classes."""
    if isinstance(term, LevelTerm):
        said, rows = term.table, shown.level_rows
    elif isinstance(term, NumberTerm):
        said, rows = term.pieces(shown.values), shown.rows
    else:
        return 0.0
    if rows is None or len(rows) != len(said) or not rows.sum() > 0:
        rows = np.ones(len(said))
    said = said - said.mean(axis=1, keepdims=True)
    mean = rows @ said / rows.sum()
    return float(rows @ np.square(said - mean).sum(axis=1) / rows.sum())
