"""The reliability diagram: predicted probabilities beside observed shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.families.binomial import Binomial
from likely.draw.reliability import reliability as draw_reliability
from likely.score.rate import known_level
from likely.score.reliability_bins import Bins, labels_and_class
from likely.stats.groups import Floats
from likely.table.build import to_table
from likely.table.read.into import library_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
