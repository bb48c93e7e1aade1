"""Estimates from samples of a belief network, where no exact answer fits: likelihood weighting.

Every node is drawn given its parents, but for those that are known, which stay: a sample weighs as much as
what is known was probable in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.infer.node_tables import KnownNodes, NodeTables

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Weighted:
    """Samples of all nodes, and what each weighs."""

    sizes: tuple[int, ...]
    levels: Ints  # (d, n)
    weights: Floats  # (n,), the largest 1; all 0 if no sample was possible
    log_scale: float

    @property
    def effective_size(self) -> float:
        """As many samples of equal weight would tell as much (Kish): (sum w)**2 / sum w**2."""
        square = float(np.square(self.weights).sum())
        return float(self.weights.sum()) ** 2 / square if square > 0 else 0.0

    @property
    def log_prob(self) -> float:
        """The log-probability of what is known: the mean weight."""
        with np.errstate(divide="ignore"):
            return float(np.log(self.weights.mean())) + self.log_scale

    def table(self, nodes: Sequence[int]) -> tuple[Floats, Floats]:
        """P(levels of nodes given what is known), an axis each, and standard errors."""
        shape = tuple(self.sizes[v] for v in nodes)
        place = np.ravel_multi_index(tuple(self.levels[v] for v in nodes), shape) if shape else None
        total = float(self.weights.sum())
        if place is None or total == 0:
            return np.full(shape, np.nan), np.full(shape, np.nan)
        cells = int(np.prod(shape))
        shares = np.bincount(place, self.weights, cells) / total
        squares = np.bincount(place, np.square(self.weights), cells)
        # The spread of a ratio of two sums: of each sample its weight times how far it is from the mean.
        spread = squares * (1 - 2 * shares) + float(np.square(self.weights).sum()) * shares**2
        errors = np.sqrt(np.maximum(spread, 0.0)) / total
        return shares.reshape(shape), errors.reshape(shape)


def weigh_samples(
    factors: NodeTables, order: Sequence[int], evidence: KnownNodes, n: int, rng: np.random.Generator
) -> Weighted:
    """n samples of all nodes, drawn in an order with parents first.

    >>> coin = NodeTables((2, 2), ((), (0,)), (np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.1, 0.9]])))
    >>> samples = weigh_samples(coin, (0, 1), KnownNodes({1: 1}), 10_000, np.random.default_rng(0))
    >>> bool(abs(samples.table([0])[0][1] - 0.9) < 0.02)
    True
    """
    levels = np.zeros((len(factors.sizes), n), np.intp)
    log_weights = np.zeros(n)
    with np.errstate(divide="ignore"):
        for v in order:
            rows = factors.tables[v].reshape(-1, factors.sizes[v])
            place = np.zeros(n, np.intp)
            for parent in factors.parents[v]:
                place = place * factors.sizes[parent] + levels[parent]
            if v in evidence.levels:
                levels[v] = evidence.levels[v]
                log_weights += np.log(rows[:, evidence.levels[v]])[place]
                continue
            up_to = np.cumsum(rows, axis=1)
            up_to /= up_to[:, -1:]
            levels[v] = (up_to[place] <= rng.random((n, 1))).sum(axis=1)
        for scope, logs in evidence.log_likelihoods:
            log_weights += logs[tuple(levels[v] for v in scope)]
    highest = float(log_weights.max(initial=-np.inf))
    scale = highest if np.isfinite(highest) else 0.0
    return Weighted(factors.sizes, levels, np.exp(log_weights - scale), scale)
