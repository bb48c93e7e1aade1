"""Where EM begins: groups to start from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.engine import Answers, MapTask
from likely.errors import LikelyError
from likely.models.groups.points import PointRows, Points, Units
from likely.models.groups.sampling import generator
from likely.stats import Groups

Floats = NDArray[np.float64]

WORDS = ("kmeans", "k-means++", "random")
MOST = 20_000  # rows that K-means looks at; the others go to the nearest centre


@dataclass(frozen=True)
class Start:
    """How rows are put into groups to begin with."""

    init: Any  # a word, labels (n,), or responsibilities (n, components)
    restarts: int
    seed: Any
    points: Points
    weight: Floats  # (n,)

    def each(self, components: int) -> Iterator[Groups]:
        """The groups that each run begins with."""
        if not isinstance(self.init, str):
            yield _given(self.init, components, len(self.weight))
            return
        for rng in self.chances():
            yield self.groups(components, self.weight, rng)

    def chances(self) -> Iterator[np.random.Generator]:
        """Where the chance of each run comes from."""
        if not isinstance(self.init, str) or self.init not in WORDS:
            raise LikelyError(
                f"init={self.init!r} is unknown: use one of {', '.join(WORDS)}, or give labels (n,), the "
                "responsibility of each component for each row (n, components), or a fitted Mixture."
            )
        if not isinstance(self.restarts, int | np.integer) or self.restarts < 1:
            raise LikelyError(f"restarts={self.restarts!r}: give how many starts to try, from 1.")
        rng = generator(0, self.seed)
        for _ in range(self.restarts):
            yield rng

    def groups(self, components: int, weight: Floats, rng: np.random.Generator) -> Groups:
        """The rows in so many groups, by the points of those that have weight."""
        if self.init == "random" or not len(self.points.scale):  # texts alone are no points
            return Groups.softly(rng.dirichlet(np.ones(components), len(weight)))
        return Groups.hard(_clusters(self.points, weight, components, self.init, rng), components)


def _given(init: ArrayLike, components: int, n: int) -> Groups:
    given = np.asarray(init)
    if given.shape == (n, components):
        shares = np.asarray(given, np.float64)
        if not ((shares >= 0).all() and np.isfinite(shares).all() and (shares.sum(axis=1) > 0).all()):
            raise LikelyError("init: responsibilities must be 0 or more, and above 0 somewhere in every row.")
        return Groups.softly(shares / shares.sum(axis=1, keepdims=True))
    if given.shape == (n,) and given.dtype.kind in "iu" and given.min() >= 0 and given.max() < components:
        return Groups.hard(given, components)
    raise LikelyError(
        f"init of shape {given.shape} does not fit: give a label from 0 to {components - 1} for each of the "
        f"{n} rows, or responsibilities of shape {(n, components)}."
    )


def _clusters(
    points: Points, weight: Floats, components: int, init: str, rng: np.random.Generator
) -> NDArray[np.intp]:
    """The nearest of so many centres, found by K-means or just seeded."""
    from sklearn.cluster import KMeans, kmeans_plusplus

    seed = int(rng.integers(2**31))
    inside, most = np.flatnonzero(weight), min(MOST, points.most)
    if len(inside) > most:
        inside = np.sort(rng.choice(inside, most, replace=False))
    few = points.at(inside)
    units = Units.of(few, points.scale)
    few, weight = units(few), weight[inside]
    k = min(components, len(np.unique(few, axis=0)))
    if init == "kmeans":
        centres = KMeans(k, n_init=1, random_state=seed).fit(few, sample_weight=weight).cluster_centers_
    else:
        centres = kmeans_plusplus(few, k, sample_weight=weight, random_state=seed)[0]
    (nearest,) = points.engine.map(points.rows, NearestCentre(units, centres))
    return nearest


@dataclass(frozen=True, slots=True)
class NearestCentre(MapTask[PointRows]):
    """Which centre is the nearest to each point."""

    units: Units
    centres: Floats  # (k, p)

    def answers(self, n: int) -> Answers:
        """The number of the centre, (n,)."""
        return (np.empty(n, np.intp),)

    def step(self, data: PointRows, start: int, stop: int, out: Answers) -> None:
        """Of some points."""
        lengths = np.square(self.centres).sum(axis=1)
        points = self.units(data.points(start, stop))
        out[0][:] = (lengths - 2 * points @ self.centres.T).argmin(axis=1)
