"""Calibration by bins with equally many rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.calibrate.calibration import Calibration, base_rate_of, logit
from likely.score.ranked import Ranked
from likely.stats.bins import bin_codes, equal_frequency
from likely.stats.groups import Floats


@dataclass(frozen=True, eq=False)
class BinnedCalibration(Calibration):
    """One probability for each bin of scores. It need not rise."""

    edges: Floats  # (b - 1,), a score at an edge belongs to the bin above
    values: Floats  # (b,), P(class) in each

    def of_scores(self, score: Floats) -> Floats:
        """The log-odds of the bin."""
        return logit(self.values[bin_codes(self.edges, score)])


def binned(
    y: ArrayLike,
    score: ArrayLike,
    *,
    positive: object = None,
    weight: ArrayLike | None = None,
    bins: int = 10,
) -> BinnedCalibration:
    """The share of the class in each of about `bins` bins, by Laplace's rule (m + 1) / (n + 2).

    Parameters
    ----------
    y, score, positive, weight
        As for `likely.score.roc`.
    bins : int
        About how many, with equally many rows; equal scores stay together.

    Examples
    --------
    >>> binned([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6], bins=2)([2, 5])
    array([0.4, 0.6])
    """
    return binned_of(Ranked.of(y, score, positive, weight), bins)


def binned_of(ranked: Ranked, bins: int = 10) -> BinnedCalibration:
    """As `binned`."""
    hits, scores = ranked.positive[::-1], ranked.scores[::-1]
    weight = hits + ranked.negative[::-1]
    starts = equal_frequency(weight, bins)[:-1]
    values = (np.add.reduceat(hits, starts) + 1) / (np.add.reduceat(weight, starts) + 2)
    return BinnedCalibration(ranked.label, base_rate_of(ranked), scores[starts[1:]], values)
