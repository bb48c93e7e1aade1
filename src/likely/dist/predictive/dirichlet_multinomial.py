"""The Dirichlet-multinomial: what a multinomial predicts when its probabilities are not known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.counting import CountVector, is_count
from likely.dist.distribution import not_negative, positive
from likely.dist.numeric.logs import log_rising
from likely.stats.groups import Floats
from likely.table.column.block import Rows, has_gaps


@dataclass(frozen=True, init=False, eq=False, repr=False)
class DirichletMultinomial(CountVector):
    """Counts of d words whose probabilities are Dirichlet(alpha), given how many words the row has.

    >>> float(DirichletMultinomial([6, 10, 4]).prob([3, 1, 0]).round(5))
    0.06324
    """

    alpha: Floats  # (..., d)
    trials: Floats  # (...)

    def __init__(self, alpha: ArrayLike, trials: ArrayLike = 1.0) -> None:
        array = positive("alpha", alpha)
        self._set(alpha=array, trials=np.broadcast_to(not_negative("trials", trials), array.shape[:-1]))

    @property
    def _weights(self) -> Floats:
        return self.alpha

    def _cells(self, x: Floats) -> Floats:
        return log_rising(self.alpha, x)

    def _cell_sums(self, rows: Rows) -> tuple[Floats, bool]:
        from scipy.sparse import csr_array

        # A count of 0 adds exactly 0: only the others are worth the gamma functions.
        given: Any = rows
        stored: Any = csr_array(given)
        out = np.empty((stored.shape[0], len(self.alpha)))
        for group, alpha in enumerate(self.alpha):
            added = np.nan_to_num(_rising(alpha, stored.indices, stored.data))
            out[:, group] = csr_array((added, stored.indices, stored.indptr), stored.shape).sum(axis=1)
        return out, has_gaps(rows)

    def _of_total(self, words: Floats, mass: Floats) -> Floats:
        return -log_rising(mass, words)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        gammas = rng.standard_gamma(self.alpha, (*shape, self.alpha.shape[-1]))
        probs = gammas / gammas.sum(axis=-1, keepdims=True)
        return rng.multinomial(self._lengths(rng, shape), probs).astype(np.float64)

    @property
    def _clumping(self) -> Floats:
        return np.asarray(1 / (1 + self.alpha.sum(axis=-1)))

    @classmethod
    def _with_weights(cls, weights: Floats) -> DirichletMultinomial:
        return cls(weights)


def _rising(alpha: Floats, columns: Any, counts: Floats) -> Floats:
    """log_rising(alpha[columns], counts), from a table of all counts if that is smaller (4 times as fast)."""
    highest = float(np.fmax.reduce(counts, initial=0.0))
    if len(alpha) * (highest + 1) > len(counts) or not is_count(counts).all():
        return log_rising(alpha[columns], counts)
    table = log_rising(alpha[:, None], np.arange(highest + 1))
    return np.asarray(table[columns, counts.astype(np.intp)])
