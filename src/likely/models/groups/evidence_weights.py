"""How much the evidence of each column counts in a prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likely.infer.evidence_weights import counted_share, share_told

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceWeights:
    """The share of each column's evidence that counts: 1 if it tells nothing that others tell too.

    What a column repeats is what others tell, so its weight is that of a row of which all columns are told;
    told alone, a column counts in full, and in between the more, the fewer others are told.

    Unlike counts, weights of parts do not add up to those of the whole: of two models they are averaged, by
    the rows that they were learnt from.

    >>> both = EvidenceWeights(np.array([0.5, 1.0]), 100.0) + EvidenceWeights(np.array([0.8, 1.0]), 50.0)
    >>> both.by_column.round(2), both.rows
    (array([0.6, 1. ]), 150.0)
    """

    by_column: Floats  # (d,), from 0 to 1
    rows: float  # that they were learnt from

    def __add__(self, other: EvidenceWeights) -> EvidenceWeights:
        rows = self.rows + other.rows
        share = self.rows / rows if rows else 0.5
        return EvidenceWeights(share * self.by_column + (1.0 - share) * other.by_column, rows)

    def __mul__(self, factor: float) -> EvidenceWeights:
        return replace(self, rows=self.rows * factor)

    def of(self, columns: Sequence[int]) -> Floats:
        """Of some columns."""
        return np.asarray(self.by_column[list(columns)])

    def where_told(self, told: Floats) -> Floats:
        """Of rows in which so many columns are told, (b,), how much each column counts there, (b, d).

        >>> EvidenceWeights(np.array([0.5, 1.0, 0.25]), 100.0).where_told(np.array([1, 2, 3])).round(2)
        array([[1.  , 1.  , 1.  ],
               [0.67, 1.  , 0.4 ],
               [0.5 , 1.  , 0.25]])
        """
        return counted_share(self.by_column, share_told(told, len(self.by_column))[:, None])


def together(a: EvidenceWeights | None, b: EvidenceWeights | None) -> EvidenceWeights | None:
    """The weights of two models that become one; one that was learnt from too few rows has none."""
    return a + b if a is not None and b is not None else a or b
