"""Two numbers of one row: their covariance, and what one tells of the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import LINE
from likely.ask.truncated_mixture import TruncatedMixture
from likely.dist.numeric.logs import special
from likely.engine import Chunk, Memory, ReduceTask

Floats = NDArray[np.float64]

ENOUGH = 1e-7  # nats that finer steps may still change
FINEST = 4  # times that steps are halved
MOST_NODES = 1 << 13  # along a line


@dataclass(frozen=True, eq=False)
class NumberPair:
    """Two numbers that are not missing, of rows in groups: the same groups and weights for both.

    In each group they are independent, unless `given` tells the second from the first.
    """

    first: TruncatedMixture  # weights (m,)
    second: TruncatedMixture
    given: Callable[[Floats], Any] | None = None  # from x (n,) to distributions of the second, (n, m)

    @property
    def covariance(self) -> float:
        """E((x - E x) (y - E y)): that of the means of the groups, and that within them."""
        weights = self.first.weights
        seen = weights > 0
        x, y = (_of_groups(one, seen, lambda group: group.mean) for one in (self.first, self.second))
        weights = weights[seen]
        total = float(weights @ ((x - weights @ x) * (y - weights @ y)))
        if self.given is None:
            return total
        # What is described together is elliptical: the mean of the second is a line along the first.
        at = np.array([0.0, 1.0])
        slope = np.diff(np.asarray(self.given(at).mean), axis=0)[0][seen]
        spread = _of_groups(self.first, seen, lambda group: group.sd) ** 2
        return total + float(weights @ (slope * spread))

    @property
    def information(self) -> float:
        """I(x; y) in nats, to about 1e-6, by Gauss' rule over the plane."""
        told = math.nan
        for halved in range(FINEST + 1):
            before, told = told, self._information(halved)
            if abs(told - before) < ENOUGH or max(self._nodes_of(halved + 1)) > MOST_NODES:
                break
        return max(0.0, told)

    def _nodes_of(self, halved: int) -> tuple[int, int]:
        one, two = (len(mixture.nodes(halved)[0]) for mixture in (self.first, self.second))
        return one, two

    def _information(self, halved: int) -> float:
        (x, of_x), (y, of_y) = self.first.nodes(halved), self.second.nodes(halved)
        p_x, p_y = self.first.density(x), self.second.density(y)
        by_group = _densities(self.second, y)  # (m, ny)
        cells = len(y) * (1 if self.given is None else len(by_group))
        plane = Chunk((x, of_x, p_x), len(x), cells)
        return Memory().reduce(plane, _Information(self, y, of_y, p_y, by_group))

    def joint(self, x: Floats, y: Floats, by_group: Floats) -> Floats:
        """The density at each pair, (nx, ny)."""
        of_x = self.first.weights[:, None] * _densities(self.first, x)  # (m, nx)
        if self.given is None:
            return np.asarray(of_x.T @ by_group)
        conditional = self.given(x)
        each = np.exp(conditional.log_prob(y[:, None, None]))  # (ny, nx, m)
        return np.asarray(np.einsum("mx,yxm->xy", of_x, np.where(np.isfinite(each), each, 0.0)))


@dataclass(frozen=True, eq=False)
class _Information(ReduceTask[tuple[Floats, Floats, Floats], float]):
    """The information in the lines of a plane: at some x, along all y."""

    pair: NumberPair
    y: Floats
    of_y: Floats  # the weights of its nodes
    p_y: Floats
    by_group: Floats  # (m, ny)

    def step(self, data: tuple[Floats, Floats, Floats], start: int, stop: int) -> float:
        """Of some nodes along the first number: where they are, their weights and densities."""
        x, of_x, p_x = (along[start:stop] for along in data)
        joint = self.pair.joint(x, self.y, self.by_group)
        gain = special("xlogy", joint, joint) - special("xlogy", joint, p_x[:, None] * self.p_y)
        return float(of_x @ np.where(np.isfinite(gain), gain, 0.0) @ self.of_y)


@runtime_checkable
class Pairing(Protocol):
    """What a model believes, if it can tell how two numbers go together."""

    def pair(self, first: str, second: str) -> NumberPair:
        """Two numbers that are not missing."""


def _densities(mixture: TruncatedMixture, x: Floats) -> Floats:
    """Of each group by itself, (m, n)."""
    return replace(mixture, weights=np.eye(len(mixture.weights))).density(x)


def _of_groups(
    mixture: TruncatedMixture, seen: NDArray[np.bool_], of: Callable[[TruncatedMixture], float]
) -> Floats:
    """A number of each group that there is."""
    if mixture.pieces == LINE and mixture.own is None:
        groups = (TruncatedMixture(np.ones(1), mixture.parts.take([m])) for m in np.flatnonzero(seen))
    else:
        groups = (
            replace(mixture, weights=np.eye(len(seen))[m], own=mixture.own) for m in np.flatnonzero(seen)
        )
    return np.array([of(group) for group in groups])
