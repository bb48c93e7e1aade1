"""Labels and scores -> how many rows of each class have each score, from the highest score down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import demand, numbers
from likely.errors import LikelyError
from likely.score.outcomes import distinct, refuse_missing, weights
from likely.stats.groups import Floats


@dataclass(frozen=True)
class Ranked:
    """The distinct scores, falling, and what lies at each. Rows without weight are no rows.

    >>> ranked = Ranked.of(["no", "yes", "no", "yes"], [1, 3, 2, 2])
    >>> ranked.scores, ranked.positive, ranked.negative
    (array([3., 2., 1.]), array([1., 1., 0.]), array([0., 1., 1.]))
    """

    label: Any  # of the positive class
    scores: Floats  # (k,)
    positive: Floats  # (k,), weight of the rows of the positive class
    negative: Floats  # (k,), of all others
    positive_squares: Floats  # (k,), sums of squared weights
    negative_squares: Floats  # (k,)
    rows: tuple[int, int]  # how many are positive, and negative

    @property
    def positives(self) -> float:
        """The weight of all rows of the positive class."""
        return float(self.positive.sum())

    @property
    def negatives(self) -> float:
        """The weight of all others."""
        return float(self.negative.sum())

    @classmethod
    def of(
        cls, y: ArrayLike, score: ArrayLike, positive: object = None, weight: ArrayLike | None = None
    ) -> Ranked:
        """Labels and scores as a user has them: any numbers, infinities too, the higher the more positive."""
        labels, given = np.asarray(y), numbers("score", score)
        if labels.ndim != 1 or given.shape != labels.shape or not len(labels):
            raise LikelyError(
                f"score has the shape {given.shape} for {labels.shape} labels: give one number for each row, "
                "and a row at least."
            )
        demand("score", given, ~np.isnan(given), "a score is a number; leave rows without one out")
        label, mine = positive_rows(labels, positive)
        known = None if weight is None else weights(weight, len(labels))
        return cls.grouped(label, mine, given, known)

    @classmethod
    def grouped(cls, label: object, mine: NDArray[np.bool_], score: Floats, weight: Floats | None) -> Ranked:
        """Rows whose class and score are known to be sound."""
        if weight is not None and not weight.all():
            mine, score, weight = mine[weight > 0], score[weight > 0], weight[weight > 0]
        order = np.argsort(score)[::-1]
        score, mine = score[order], mine[order]
        new = np.concatenate([[True], score[1:] != score[:-1]])
        starts = np.flatnonzero(new)
        positives = int(np.count_nonzero(mine))
        rows = positives, len(mine) - positives
        if weight is None:
            together = np.diff(starts, append=len(mine)).astype(np.float64)
            hits = np.add.reduceat(mine.astype(np.float64), starts)
            return cls(label, score[starts], hits, together - hits, hits, together - hits, rows)
        weight = weight[order]
        hit, missed = np.where(mine, weight, 0.0), np.where(mine, 0.0, weight)
        sums = (np.add.reduceat(part, starts) for part in (hit, missed, hit**2, missed**2))
        return cls(label, score[starts], next(sums), next(sums), next(sums), next(sums), rows)


def positive_rows(labels: NDArray[Any], positive: object) -> tuple[Any, NDArray[np.bool_]]:
    """The positive class and its rows; of two classes it is the second, unless named.

    >>> positive_rows(np.array(["ham", "spam", "ham"]), None)
    ('spam', array([False,  True, False]))
    """
    if positive is not None:
        refuse_missing(labels)
        mine = np.broadcast_to(np.asarray(labels == positive), labels.shape)
        if not mine.any() and not (_flags(labels) and positive in (0, 1)):
            raise LikelyError(f"positive={positive!r}: no row of y is of this class.")
        return positive, mine
    if _flags(labels):
        return (True, labels) if labels.dtype == bool else (1, np.asarray(labels == 1))
    classes = distinct(labels)[0]
    if len(classes) != 2:
        raise LikelyError(
            f"y has the classes {classes.tolist()[:10]!r}: name the one whose scores are high with positive=."
        )
    return classes.tolist()[1], np.asarray(labels == classes[1])


def _flags(labels: NDArray[Any]) -> bool:
    """Whether labels are true or false, or 0 or 1: then one of them is positive, even if no row is."""
    return labels.dtype.kind == "b" or (labels.dtype.kind in "iuf" and bool(np.isin(labels, (0, 1)).all()))
