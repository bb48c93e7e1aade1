"""Where EM begins: rows as points, clusters of them, and groups that some rows tell they may belong to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import threadpool_limits

from likely.engine import Answers, Chunk, Engine, MapTask, ReduceTask
from likely.errors import LikelyError
from likely.estimator.fitted import generator
from likely.models.parts.part import Part
from likely.stats import Groups
from likely.table.column.block import Block
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

CELLS = 1 << 22  # that may be written out at once: 32 MB
WORDS = ("kmeans", "k-means++", "random")
MOST = 20_000  # rows that K-means looks at; the others go to the nearest centre
Bools = NDArray[np.bool_]
LEAST = 1e-3  # share that a row with a label is given in every group that the label leaves open


class PointRows(Protocol):
    """Points as a task reads them."""

    def points(self, start: int, stop: int) -> Floats:
        """Points start to stop, (b, p), NaN where missing; to be written over."""


class Points(Protocol):
    """Points of a space, a few at a time; NaN where missing."""

    @property
    def n(self) -> int:
        """How many points there are."""

    @property
    def scale(self) -> Floats:
        """The worth of each axis, (p,)."""

    @property
    def most(self) -> int:
        """How many points may be written out at once."""

    @property
    def rows(self) -> Chunk[PointRows]:
        """All points, for an engine."""

    @property
    def engine(self) -> Engine:
        """Where the work on them runs."""

    def at(self, places: Ints) -> Floats:
        """Some points, in ascending order, (m, p)."""


@dataclass(frozen=True)
class RowPoints:
    """Numbers as they are, levels as 0/1; NaN where missing. Texts are left out."""

    parts: tuple[Part, ...]
    frame: Frame
    engine: Engine

    @cached_property
    def _used(self) -> list[tuple[Part, Floats]]:
        axes = [(part, part.axes()) for part in self.parts]
        return [(part, worth) for part, worth in axes if len(worth)]

    @cached_property
    def scale(self) -> Floats:
        """The worth of each axis, (p,)."""
        return np.concatenate([*(worth for _, worth in self._used), np.empty(0)])

    @property
    def most(self) -> int:
        """How many points may be written out at once."""
        return max(1, CELLS // max(len(self.scale), 1))

    @property
    def n(self) -> int:
        """How many points there are."""
        return self.frame.n

    @property
    def rows(self) -> Chunk[PointRows]:
        """All points, for an engine."""
        blocks = tuple((part, part.block(self.frame), len(worth)) for part, worth in self._used)
        return Chunk(BlockPoints(blocks, len(self.scale)), self.n, len(self.scale))

    def at(self, places: Ints) -> Floats:
        """The points of some rows, in ascending order, (m, p)."""
        rows = self.rows
        chosen = Chunk(ChosenRows(rows.data, places), rows.n, rows.width)
        return np.concatenate(self.engine.reduce(chosen, ChosenPoints()))


@dataclass(frozen=True, slots=True)
class BlockPoints:
    """Columns that become axes."""

    blocks: tuple[tuple[Part, Block, int], ...]  # and how many axes each becomes
    width: int

    def points(self, start: int, stop: int) -> Floats:
        """The points of some rows, (b, p)."""
        out, at = np.empty((stop - start, self.width)), 0
        for part, block, axes in self.blocks:
            out[:, at : at + axes] = part.points(block.rows(start, stop))
            at += axes
        return out


@dataclass(frozen=True, slots=True)
class ChosenRows:
    """Points, and which of them are asked for."""

    rows: PointRows
    places: Ints  # ascending


@dataclass(frozen=True, slots=True)
class ChosenPoints(ReduceTask[ChosenRows, tuple[Floats, ...]]):
    """The points that are asked for, block by block."""

    def step(self, data: ChosenRows, start: int, stop: int) -> tuple[Floats, ...]:
        """Of some rows."""
        first, last = np.searchsorted(data.places, (start, stop))
        return (data.rows.points(start, stop)[data.places[first:last] - start],)


@dataclass(frozen=True, slots=True)
class Units:
    """Where a sample of points lies, and how far it spreads: in these units all axes are worth the same."""

    mean: Floats  # (p,)
    sd: Floats  # (p,)

    @classmethod
    def of(cls, points: Floats, scale: Floats) -> Units:
        """Of points (m, p) with gaps; `scale` is the worth of each axis."""
        known = ~np.isnan(points)
        n = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, points, 0.0).sum(axis=0) / n
        sd = np.sqrt(np.square(np.where(known, points - mean, 0.0)).sum(axis=0) / n)
        return cls(mean, np.where(sd > 0, sd, 1.0) / scale)

    def __call__(self, points: Floats) -> Floats:
        """The points in these units; what is missing is in the middle."""
        points -= self.mean
        points /= self.sd
        points[np.isnan(points)] = 0.0
        return points


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
        # In one thread: on few rows others wait for each other, and sums depend on how many there are.
        with threadpool_limits(1, user_api="openmp"):
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
