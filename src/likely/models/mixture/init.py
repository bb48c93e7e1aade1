"""Where EM begins: groups to start from, also where some rows tell which groups they may belong to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.engine import Answers, MapTask
from likely.errors import LikelyError
from likely.models.groups.log_prob import generator
from likely.models.groups.points import PointRows, Points, Units
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


Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

LEAST = 1e-3  # share that a row with a label is given in every group that the label leaves open


def told_groups(start: Start, label: Ints, allowed: Bools) -> Iterator[Groups]:
    """The groups that each run begins with; of each row `label` (-1 for nothing) tells which are `allowed`.

    Where the labels share out all groups among themselves, the rows with a label are all there is to begin
    with: those of a label that leaves several groups open are clustered on their own. Else all rows are
    clustered, and a label's group is put where its rows are.
    """
    if len(allowed) and (allowed.sum(axis=0) == 1).all():
        yield from _within_labels(start, label, allowed)
        return
    for groups in start.each(allowed.shape[1]):
        # Groups that the user gave are in the user's order.
        matched = _matched(groups, label, allowed) if isinstance(start.init, str) else groups
        yield _kept_to(matched, label, allowed)


def _within_labels(start: Start, label: Ints, allowed: Bools) -> Iterator[Groups]:
    if not isinstance(start.init, str):
        (groups,) = start.each(allowed.shape[1])
        yield _kept_to(groups, label, allowed)
        return
    chances = start.chances()
    if (allowed.sum(axis=1) == 1).all():  # no chance in it: once is enough
        chances = iter([next(chances)])
    for rng in chances:
        shares = np.zeros((len(label), allowed.shape[1]))
        for place, open_to in enumerate(allowed):
            weight = np.where(label == place, start.weight, 0.0)
            inside, own = weight > 0, np.flatnonzero(open_to)
            if inside.any():
                started = start.groups(len(own), weight, rng) if len(own) > 1 else Groups.one(len(label))
                shares[np.ix_(inside, own)] = started.matrix[inside]
        yield Groups.softly(shares)


def _matched(groups: Groups, label: Ints, allowed: Bools) -> Groups:
    """The groups in the order in which most rows with a label are in one that the label leaves open."""
    from scipy.optimize import linear_sum_assignment

    told = label >= 0
    rows = Groups.hard(label[told], len(allowed)).sum(groups.matrix[told])  # (labels, g)
    _, place = linear_sum_assignment(rows.T @ allowed, maximize=True)
    shares = np.empty_like(groups.matrix)
    shares[:, place] = groups.matrix
    return Groups.softly(shares)


def _kept_to(groups: Groups, label: Ints, allowed: Bools) -> Groups:
    """The groups, rows with a label in those alone that it leaves open."""
    shares = groups.matrix.copy()
    told = label >= 0
    inside = np.where(allowed[label[told]], shares[told] + LEAST, 0.0)
    shares[told] = inside / inside.sum(axis=1, keepdims=True)
    return Groups.softly(shares)
