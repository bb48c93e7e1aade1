"""The probability of one class beside whether it came true, gathered by value and in bins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import LikelyError
from likely.score.hull import Hull
from likely.score.outcomes import Outcomes
from likely.score.ranked import Ranked
from likely.stats.bins import equal_frequency
from likely.stats.groups import Floats


def labels_and_class(
    y: ArrayLike,
    p: ArrayLike,
    classes: ArrayLike | None = None,
    positive: object = None,
    weight: ArrayLike | None = None,
) -> tuple[Outcomes, int]:
    """Labels, probabilities, and the place of the class that is looked at: of two the second, unless named.

    >>> told, place = labels_and_class(["no", "yes", "yes"], [0.1, 0.8, 0.5])
    >>> told.p[:, place], told.classes[place]
    (array([0.1, 0.8, 0.5]), 'yes')
    """
    told = Outcomes.of(y, p, classes, weight)
    if positive is None and len(told.classes) == 2:
        return told, 1
    if positive not in told.classes:
        raise LikelyError(
            f"positive={positive!r}: name one of the classes {list(told.classes)[:10]!r} to look at."
        )
    return told, told.classes.index(positive)


@dataclass(frozen=True)
class Bins:
    """Rows gathered by their probability, from the lowest up; no bin is empty."""

    lowest: Floats  # (b,), of the probabilities in each bin
    highest: Floats
    mean: Floats  # (b,), of the probabilities
    share: Floats  # (b,), of the rows for which the class came true
    weight: Floats  # (b,)
    squares: Floats  # (b,), sums of squared weights
    spread: Floats  # (b,), sums of w^2 p (1 - p): the variance of w times the outcomes, if the p are right

    @property
    def rows(self) -> Floats:
        """As many rows of equal weight would tell as much, (b,)."""
        return self.weight**2 / self.squares

    @classmethod
    def of(cls, told: Outcomes, place: int, bins: int | str) -> Bins:
        """About so many bins with equally many rows, equal probabilities together; or the bins of the hull.

        >>> told = Outcomes.of([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.9])
        >>> Bins.of(told, 1, 2).mean.round(2), Bins.of(told, 1, "hull").share
        (array([0.15, 0.6 ]), array([0., 1.]))
        """
        ranked = Ranked.grouped(told.classes[place], told.codes == place, told.p[:, place], told.weight)
        p, hits = ranked.scores[::-1], ranked.positive[::-1]
        weight = hits + ranked.negative[::-1]
        squares = (ranked.positive_squares + ranked.negative_squares)[::-1]
        if isinstance(bins, str):
            if bins != "hull":
                raise LikelyError(f"bins={bins!r}: give a number of bins, or 'hull'.")
            edges = (len(p) - Hull.of(ranked).edges)[::-1]
        else:
            edges = equal_frequency(weight, bins)
        starts, total = edges[:-1], np.add.reduceat(weight, edges[:-1])
        return cls(
            p[starts],
            p[edges[1:] - 1],
            np.add.reduceat(weight * p, starts) / total,
            np.add.reduceat(hits, starts) / total,
            total,
            np.add.reduceat(squares, starts),
            np.add.reduceat(squares * p * (1 - p), starts),
        )
