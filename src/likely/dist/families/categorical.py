"""The categorical distribution: one of k levels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lgamma
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import (
    Sizes,
    adding_to_one,
    check_sizes,
    column_sums,
    probability,
    short,
    spread_out,
    starts,
    weights,
    without_missing,
)
from likely.dist.family import Family, PriorWord
from likely.dist.numeric.logs import log, x_log_y
from likely.dist.numeric.lookup import OUTSIDE, Lookup, codes_of, encode, is_missing
from likely.dist.numeric.value_grid import Grid
from likely.dist.prior import Laplace, LevelNames, Prior, Smoothing
from likely.dist.priors.dirichlet import Dirichlet
from likely.dist.weighed import Unit
from likely.errors import LikelyError
from likely.stats.binned import Cells
from likely.stats.counts import Counts
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Floats, Groups
from likely.table.column.block import Rows
from likely.table.column.kinds import Kind

MOST_LEVELS = 64  # of whole numbers that "auto" may take for levels
ROWS_A_LEVEL = 4  # at least, on average, for that


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Categorical(Family):
    """Level i with probability probs[i]; values are codes from 0, or names if `levels` are given.

    A negative code is a missing value. With `sizes`, the last axis of `probs` holds several columns side
    by side and the batch ends with their number. The mean and the variance are those of the 0/1
    indicators of the levels.

    Default prior: Laplace's, `strength` pseudo-counts of every level: Dirichlet(1, ..., 1). Maximum
    likelihood is uniform for a group without rows.

    >>> words = Categorical.fit(list("abaccbaabc"), levels="abcd")
    >>> words.probs * 14
    array([5., 4., 4., 1.])
    >>> words.prob(["a", "z", None]).round(3)
    array([0.357, 0.   ,   nan])
    """

    name = "categorical"
    kinds = (Kind.CATEGORICAL, Kind.ORDINAL, Kind.BOOLEAN)
    statistic = Counts
    conjugate = Dirichlet
    counts_levels = True
    story = "one of its levels, by the throw of a die of the {group}"
    parameter_axes = 1

    probs: Floats  # (..., K)
    sizes: Sizes
    levels: tuple[Any, ...] | None

    def __init__(self, probs: ArrayLike, sizes: Sizes = None, levels: Iterable[Any] | None = None) -> None:
        array = probability("probs", probs)
        sizes = check_sizes(sizes, array.shape[-1])
        totals = column_sums(array, sizes)
        adding_to_one("probs", array, totals if sizes is None else totals[..., np.flatnonzero(sizes)])
        names = None if levels is None else tuple(levels)
        if names is not None and (sizes is not None or len(names) != array.shape[-1]):
            raise LikelyError(f"levels={names!r}: give one name for each of {array.shape[-1]} probabilities.")
        self._set(probs=array, sizes=sizes, levels=names)

    @property
    def batch(self) -> tuple[int, ...]:
        """The shape of the batch; it ends with the number of columns if there are `sizes`."""
        return self.probs.shape[:-1] + (() if self.sizes is None else (len(self.sizes),))

    @classmethod
    def collect(cls, rows: Rows, groups: Groups, sizes: Sizes = None) -> Counts:
        """The counts of rows (b, d) of codes, with sizes[j] levels in column j."""
        return Counts.collect(codes_of(rows), groups, sizes or ())

    @classmethod
    def empty(cls, n_groups: int, width: int, sizes: Sizes = None) -> Counts:
        """The counts of no rows."""
        return Counts.empty(n_groups, sizes or ())

    @classmethod
    def ml(cls, stat: Counts) -> Categorical:
        """The relative frequencies."""
        n = spread_out(stat.n, stat.sizes)
        uniform = np.broadcast_to(1 / np.repeat(np.asarray(stat.sizes, np.float64), stat.sizes), n.shape)
        return cls(np.divide(stat.table, n, out=uniform.copy(), where=n > 0), stat.sizes)

    @classmethod
    def fit(
        cls,
        values: Any,
        *,
        prior: PriorWord = "default",
        estimate: str = "mean",
        weight: ArrayLike | None = None,
        levels: Iterable[Any] | None = None,
    ) -> Categorical:
        """A single distribution learnt from a list; `levels` may name more. None and NaN are missing."""
        stat, names = cls._counted(values, weight, levels)
        fitted: Any = cls.estimate(stat, prior, estimate, [names])
        return cls(fitted.probs[0], levels=names)

    @classmethod
    def log_evidence(
        cls,
        values: Any,
        *,
        prior: PriorWord = "default",
        weight: ArrayLike | None = None,
        levels: Iterable[Any] | None = None,
    ) -> float:
        """The log-probability of a list, in this order, the probabilities of the levels summed out."""
        stat, names = cls._counted(values, weight, levels)
        return cls.log_marginal(stat, prior, [names])

    @classmethod
    def _counted(
        cls, values: Any, weight: ArrayLike | None, levels: Iterable[Any] | None
    ) -> tuple[Counts, tuple[Any, ...]]:
        names = tuple(sorted({v for v in values if not is_missing(v)}) if levels is None else levels)
        codes = encode(values, names)
        if (codes == OUTSIDE).any():
            stranger = list(values)[int(np.argmax(codes == OUTSIDE))]
            raise LikelyError(f"value {stranger!r} is not one of the levels {names!r}: add it to them.")
        groups = Groups.one(len(codes), weights(weight, len(codes)))
        return cls.collect(codes[:, None], groups, (len(names),)), names

    def log_prob(self, x: ArrayLike) -> Floats:
        """The log of the mass at these codes or names: NaN where missing, -inf for what is no level."""
        codes = codes_of(x) if self.levels is None else encode(x, self.levels)
        sizes, offset = (self.probs.shape[-1], 0) if self.sizes is None else (self.sizes, starts(self.sizes))
        # A last place of probability 0 takes what is no level.
        logs = log(np.concatenate([self.probs, np.zeros((*self.probs.shape[:-1], 1))], axis=-1))
        places = np.where((codes >= 0) & (codes < sizes), codes + offset, self.probs.shape[-1])
        batch = np.broadcast_shapes(codes.shape, self.batch)
        places = np.broadcast_to(places, batch)
        missing = np.broadcast_to(codes < 0, batch)
        if self.sizes is None:
            logs = np.broadcast_to(logs, (*batch, logs.shape[-1]))
            log_p = np.take_along_axis(logs, places[..., None], axis=-1)[..., 0]
        else:
            logs = np.broadcast_to(logs, (*batch[:-1], logs.shape[-1]))
            log_p = np.take_along_axis(logs, places, axis=-1)
        return np.where(missing, np.nan, log_p)[()]

    def _log_prob(self, x: Floats) -> Floats:
        return self.log_prob(x)

    @cached_property
    def _lookup(self) -> Lookup:
        assert self.sizes is not None
        columns = np.split(log(self.probs).T, starts(self.sizes)[1:])
        return Lookup.of(columns, len(self.probs))

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d) of codes -2 and above; a negative code adds 0."""
        codes = codes_of(rows)
        if rows.dtype.kind == "f" and (codes == OUTSIDE).any():
            return super().group_log_prob(rows)
        return self._lookup(codes)

    def terms(self, rows: Rows) -> Floats:
        """What each column adds to the log-probability of each row in each group, (b, g, d)."""
        return without_missing(self.log_prob(codes_of(rows)[:, None, :]))

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        uniform = rng.random(shape)
        sizes = (self.probs.shape[-1],) if self.sizes is None else self.sizes
        codes = np.empty(shape if self.sizes is not None else (*shape, 1), np.intp)
        for j, (start, k) in enumerate(zip(starts(sizes), sizes, strict=True)):
            up_to = np.cumsum(self.probs[..., start : start + k], axis=-1)
            # Divided by their last, they end with exactly 1: no draw falls beyond, or on a level of 0.
            up_to = up_to / up_to[..., -1:] if k else up_to
            point = uniform if self.sizes is None else uniform[..., j]
            codes[..., j] = (up_to <= point[..., None]).sum(axis=-1) if k else -1
        drawn = codes if self.sizes is not None else codes[..., 0]
        return drawn if self.levels is None else np.array(self.levels)[drawn]

    @cached_property
    def mean(self) -> Floats:
        """The probabilities: the means of the levels' indicators."""
        return self.probs

    @cached_property
    def variance(self) -> Floats:
        """The variances of the levels' indicators."""
        return np.asarray(self.probs * (1 - self.probs))

    def entropy(self) -> Floats:
        """In nats."""
        return -column_sums(x_log_y(self.probs, self.probs), self.sizes)

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """As "yes 0.73, no 0.27", the most probable first; at most five."""
        assert self.sizes is not None
        start = starts(self.sizes)[column]
        probs = self.probs[group, start : start + self.sizes[column]]
        first = np.argsort(-probs, kind="stable")[:5]
        named = (f"{level if levels is None else levels[level]} {short(probs[level])}" for level in first)
        return ", ".join([*named, "..."] if len(probs) > 5 else named)

    @classmethod
    def free_parameters(cls, stat: Counts) -> tuple[int, int]:
        """A probability for all levels of a column but one."""
        return sum(max(size - 1, 0) for size in stat.sizes), 0

    @classmethod
    def is_about(cls, prior: Prior) -> bool:
        """With so many words a row, a Dirichlet is that of a multinomial."""
        return super().is_about(prior) and isinstance(prior, Dirichlet) and prior.trials is None

    @classmethod
    def describes(cls, values: Floats) -> NDArray[np.bool_]:
        """Whole numbers may be levels."""
        return np.asarray(np.floor(values) == values)

    @classmethod
    def candidate(cls, cells: Cells, grid: Grid, unit: Unit) -> bool:
        """Of whole numbers, if they are few and come often."""
        k = len(grid.values)
        often = k <= MOST_LEVELS and k * ROWS_A_LEVEL <= float(cells.n.sum())
        return often and grid.whole and unit == "number"

    @classmethod
    def of_cells(cls, cells: Cells, grid: Grid) -> Counts:
        """The counts of each of the grid's values."""
        groups = Groups.hard(cells.where, cells.n_groups, cells.weight)
        return cls.collect(np.searchsorted(grid.values, cells.place)[:, None], groups, (len(grid.values),))

    @classmethod
    def naming_bits(cls, grid: Grid) -> float:
        """Which of the values that the grid has room for are levels at all."""
        room, k = grid.room, len(grid.values)
        return (lgamma(room + 1) - lgamma(k + 1) - lgamma(room - k + 1)) / float(np.log(2))

    def coded(self, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
        """The probabilities of all levels but one."""
        codes = np.searchsorted(grid.values, own.place)
        return (len(grid.values) - 1) / 2, np.log(self.probs[group, codes])

    @classmethod
    def count_keys(cls, names: Sequence[str]) -> tuple[str, ...]:
        """How often there was each level."""
        return tuple(names)

    @classmethod
    def of_counts(cls, counts: Floats) -> Counts:
        """So many of each level."""
        return Counts(counts[None, :], (len(counts),))

    @classmethod
    def at(cls, prior: Dirichlet, parameters: Floats) -> Categorical:
        """The categorical distributions of these probabilities; at the mean, the predictive ones, too."""
        return cls(parameters, prior.sizes)

    def log_natural(self, prior: Dirichlet) -> Floats:
        """On the scale of the logs."""
        return prior.log_natural(self.probs)

    def as_seen(self) -> Counts:
        """Each level as often as it is probable."""
        return Counts(self.probs, self.sizes or (self.probs.shape[-1],))

    @classmethod
    def default_prior(cls, stat: Counts, strength: float = 1.0) -> Dirichlet:
        """Dirichlet(strength, ..., strength)."""
        return cls.smoothed(stat, Laplace(strength))

    @classmethod
    def smoothed(cls, stat: Counts, smoothing: Smoothing, levels: LevelNames = None) -> Dirichlet:
        """The Dirichlet distribution of the pseudo-counts; `levels` are the names in each column."""
        names = [None] * len(stat.sizes) if levels is None else levels
        counts = [smoothing.pseudo_counts(k, own) for k, own in zip(stat.sizes, names, strict=True)]
        return Dirichlet(np.concatenate([*counts, np.empty(0)]), stat.sizes)
