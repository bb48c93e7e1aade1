"""The beta-binomial: what a binomial distribution predicts when its probability is not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.counting import entropy_by_sum, is_count, log_ways, looked_up, pieces_of_counts
from likely.dist.distribution import not_negative, positive, short, together
from likely.dist.numeric.logs import log_rising
from likely.dist.numeric.pieces import Pieces
from likely.dist.univariate import Ends, Univariate
from likely.errors import LikelyError
from likely.stats.groups import Floats
from likely.table.column.block import Rows

MOST_TRIALS = 1 << 22  # whose probabilities are added up; there is no closed form


@dataclass(frozen=True, init=False, eq=False, repr=False)
class BetaBinomial(Univariate):
    """How many of `trials` succeed, whose probability is Beta(a, b).

    >>> BetaBinomial(1, 1, 3).prob([0, 1, 2, 3])
    array([0.25, 0.25, 0.25, 0.25])
    """

    whole = True

    a: Floats
    b: Floats
    trials: Floats

    def __init__(self, a: ArrayLike, b: ArrayLike, trials: ArrayLike) -> None:
        arrays = positive("a", a), positive("b", b), not_negative("trials", trials)
        self._set(**dict(zip(("a", "b", "trials"), together(*arrays), strict=True)))

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """0, 1, 2 and so on; more than there are trials have probability 0."""
        return is_count(x)

    def _log_prob(self, x: Floats) -> Floats:
        rest = np.maximum(self.trials - x, 0.0)
        log_one_order = (
            log_rising(self.a, x) + log_rising(self.b, rest) - log_rising(self.a + self.b, self.trials)
        )
        return log_ways(self.trials, x) + log_one_order

    def pieces(self, column: int) -> Pieces | None:
        """A step for every count."""
        return pieces_of_counts(self, column, self.trials[:, column])

    def ends(self) -> Ends:
        """From 0 to as many as there are trials."""
        return 0.0, self.trials

    def _cdf(self, x: Floats) -> Floats:
        return self._added(x, upper=False)

    def _sf(self, x: Floats) -> Floats:
        return self._added(x, upper=True)

    def _added(self, x: Floats, upper: bool) -> Floats:
        """The sum of the masses up to x, or above it, each from its own end."""
        most = float(self.trials.max(initial=0.0))
        if most > MOST_TRIALS:
            raise LikelyError(
                f"trials={most:g}: of more than {MOST_TRIALS} trials a beta-binomial's probabilities are "
                "not added up; ask a binomial (estimate='mean')."
            )
        points = np.broadcast_to(x, np.broadcast_shapes(x.shape, self.batch))
        out = np.full(points.shape, np.nan)
        for place in np.ndindex(*self.batch):
            masses = self.take(place).prob(np.arange(float(self.trials[place]) + 1))
            sums = np.cumsum(masses[::-1])[::-1] if upper else np.cumsum(masses)
            at = points[(..., *place)]
            known = ~np.isnan(at)
            out[(..., *place)][known] = sums[at[known].astype(np.intp) + upper]
        return out

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        return looked_up(self, rows)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return rng.binomial(self.trials.astype(np.int64), rng.beta(self.a, self.b, shape)).astype(np.float64)

    @cached_property
    def mean(self) -> Floats:
        """trials a / (a + b)."""
        return np.asarray(self.trials * self.a / (self.a + self.b))

    @cached_property
    def variance(self) -> Floats:
        """More than a binomial's, the more so the less is known of p."""
        both = self.a + self.b
        return np.asarray(self.mean * (self.b / both) * (both + self.trials) / (both + 1))

    def entropy(self) -> Floats:
        """In nats; there is no closed form."""
        return entropy_by_sum(self, np.full_like(self.a, 20.0))[()]

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "3.2 of 10, sd 1.1"."""
        mean, sd = self.mean[group, column], self.sd[group, column]
        return f"{short(mean)} of {short(self.trials[group, column])}, sd {short(sd)}"
