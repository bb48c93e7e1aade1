"""The reliability diagram: what was foretold beside what came true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.families.binomial import Binomial
from likely.draw.roc import reliability as draw_reliability
from likely.errors import LikelyError
from likely.score.estimate import known_level
from likely.score.hull import Hull
from likely.score.outcomes import Outcomes
from likely.score.ranked import Ranked
from likely.stats.bins import equal_frequency
from likely.stats.groups import Floats
from likely.table.build import to_table
from likely.table.read.into import library_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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


@dataclass(frozen=True, eq=False)
class Reliability:
    """For each bin of probabilities their mean, and the share of rows for which the class came true.

    If the probabilities are right, a share lies within its consistency bar with the probability `level`.
    `reliability` makes it.
    """

    label: Any  # of the class that is looked at
    bins: Bins
    low: Floats  # (b,), the ends of the consistency bars
    high: Floats
    level: float

    @property
    def mean(self) -> Floats:
        """The mean probability of each bin, (b,)."""
        return self.bins.mean

    @property
    def share(self) -> Floats:
        """The share of rows of each bin for which the class came true, (b,)."""
        return self.bins.share

    @property
    def outside(self) -> int:
        """How many bins lie outside their bars; by chance about (1 - level) of them do."""
        return int(((self.share < self.low) | (self.share > self.high)).sum())

    def to_frame(self) -> Any:
        """A row for each bin."""
        columns = {
            "lowest": self.bins.lowest,
            "highest": self.bins.highest,
            "mean": self.mean,
            "share": self.share,
            "weight": self.bins.weight,
            "low": self.low,
            "high": self.high,
        }
        return to_table(columns, library_for(None))

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """The diagram: points on the diagonal are right, bars show how far off chance may put them."""
        return draw_reliability(
            self.mean.tolist(),
            self.share.tolist(),
            (self.low.tolist(), self.high.tolist()),
            self.bins.weight.tolist(),
            title=f"P({self.label})",
            ax=ax,
        )

    def __repr__(self) -> str:
        b = len(self.mean)
        return (
            f"reliability of P({self.label}) in {b} bin{'' if b == 1 else 's'}: {self.outside} outside "
            f"the {self.level:.0%} consistency bars; to_frame() has them"
        )


def reliability(
    y: ArrayLike,
    p: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    positive: object = None,
    bins: int | str = 10,
    weight: ArrayLike | None = None,
    level: float = 0.9,
) -> Reliability:
    """Predicted probabilities beside the observed shares, in bins.

    Parameters
    ----------
    y, p, classes, weight
        As for `log_loss`.
    positive : label or None
        The class that is looked at; None takes the second of two.
    bins : int or "hull"
        About so many bins with equally many rows; or those of the ROC hull, in which the shares rise. The
        hull is fitted to what came true, so that its shares keep within the bars too seldom or too often.
    level : float
        The probability of a consistency bar. Bars are those of a binomial distribution with the mean
        probability of the bin, which is never narrower than that of unequal probabilities.

    Examples
    --------
    >>> reliability([0, 0, 1, 1, 0, 1], [0.1, 0.2, 0.3, 0.8, 0.8, 0.9], bins=2)
    reliability of P(1) in 2 bins: 0 outside the 90% consistency bars; to_frame() has them
    """
    told, place = labels_and_class(y, p, classes, positive, weight)
    binned = Bins.of(told, place, bins)
    tail = (1 - known_level(level)) / 2
    trials = np.maximum(np.round(binned.rows), 1)
    chance = Binomial(np.clip(binned.mean, 0, 1), trials)
    low, high = (np.asarray(chance.quantile(q)) / trials for q in (tail, 1 - tail))
    return Reliability(told.classes[place], binned, low, high, level)
