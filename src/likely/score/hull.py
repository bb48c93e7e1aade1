"""The convex hull of a ROC curve: its segments, and what a score in each of them says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from likely.infer.pav import Ints, pav_of_sums
from likely.score.ranked import Ranked
from likely.stats.groups import Floats
from likely.table.build import to_table
from likely.table.read.into import library_for


@dataclass(frozen=True, eq=False)
class Hull:
    """The segments of a convex hull, from the highest scores down; no two neighbours have the same slope.

    In ROC space the slope of a segment is the likelihood ratio of its scores, P(score given positive) /
    P(score given negative); in coverage space it is the odds. The shares of positive rows in the segments of
    the upper hull are the isotonic calibration of the scores.
    """

    edges: Ints  # (b + 1,), places among the points of the curve
    thresholds: Floats  # (b + 1,), of the corners; the first calls nothing positive
    highest: Floats  # (b,), the highest score of each segment
    positive: Floats  # (b,), weight of the positive rows in each segment
    negative: Floats  # (b,)

    @classmethod
    def of(cls, ranked: Ranked, *, lower: bool = False) -> Hull:
        """The upper hull of a curve, or the lower one.

        >>> ranked = Ranked.of([1, 0, 0, 1, 0], [5, 4, 3, 2, 1])
        >>> Hull.of(ranked).thresholds, Hull.of(ranked, lower=True).thresholds
        (array([inf,  5.,  2.,  1.]), array([inf,  3.,  1.]))
        """
        total = ranked.positive + ranked.negative
        if lower:
            edges = pav_of_sums(ranked.positive, total).edges
        else:  # slopes fall from the highest scores down
            edges = len(total) - pav_of_sums(ranked.positive[::-1], total[::-1]).edges[::-1]
        starts = edges[:-1]
        return cls(
            edges,
            np.concatenate([[np.inf], ranked.scores[edges[1:] - 1]]),
            ranked.scores[starts],
            np.add.reduceat(ranked.positive, starts),
            np.add.reduceat(ranked.negative, starts),
        )

    @cached_property
    def tpr(self) -> Floats:
        """The share of the positive rows above each corner, (b + 1,); 0 if there are none."""
        heaped = np.concatenate([[0.0], np.cumsum(self.positive)])
        return heaped / (heaped[-1] or 1.0)

    @cached_property
    def fpr(self) -> Floats:
        """The share of the other rows above each corner, (b + 1,); 0 if there are none."""
        heaped = np.concatenate([[0.0], np.cumsum(self.negative)])
        return heaped / (heaped[-1] or 1.0)

    @property
    def odds(self) -> Floats:
        """Positive to other rows in each segment, (b,): its slope in coverage space."""
        with np.errstate(divide="ignore"):
            return self.positive / self.negative

    @property
    def likelihood_ratio(self) -> Floats:
        """How many times more often positive rows score here than others, (b,): the slope in ROC space.

        Infinite where there are only positive rows. If all rows are of one class it is 1: they say nothing.
        """
        positives, negatives = self.positive.sum(), self.negative.sum()
        if not positives or not negatives:
            return np.ones(len(self.positive))
        return np.asarray(self.odds * (negatives / positives))

    @property
    def probability(self) -> Floats:
        """The share of positive rows in each segment, (b,)."""
        return self.positive / (self.positive + self.negative)

    @property
    def area(self) -> float:
        """The area under the hull in ROC space."""
        return float(np.diff(self.fpr) @ (self.tpr[1:] + self.tpr[:-1])) / 2

    def to_frame(self) -> Any:
        """A row for each segment: its scores, its rows, and what they say."""
        columns = {
            "lowest": self.thresholds[1:],
            "highest": self.highest,
            "positive": self.positive,
            "negative": self.negative,
            "likelihood_ratio": self.likelihood_ratio,
            "probability": self.probability,
        }
        return to_table(columns, library_for(None))

    def __repr__(self) -> str:
        b = len(self.positive)
        return f"hull of {b} segment{'' if b == 1 else 's'}, area {self.area:.3f}; to_frame() has them"
