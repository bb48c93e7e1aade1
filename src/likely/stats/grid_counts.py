"""The cells of a long column by counting, without sorting it: the same cells, several times sooner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.stats import dyadic_grid
from likely.stats.dyadic_grid import EXACT, Packed
from likely.stats.groups import Floats, Ints
from likely.table.column.block import scratch

LONG = 1 << 17  # values: fewer are sorted about as soon
SAMPLE = 1 << 14  # values that tell how fine the grid must be at least
DIFFERENT = 3 / 4  # of them, so that the whole likely holds more values than cells are kept
MOST_COUNTED = 1 << 22  # cells of all groups: 32 MB
BLOCK = 1 << 15  # values that are placed at a time
ALIGNED = 4  # times that the cells of a table can be joined in pairs from its first on
LEAST_POWER = -1000  # of a grid that is counted on: finer ones are for numbers next to 0
EXACTLY = 2.0**52  # cells from 0, up to which a cell's number is exact


def counted_cells(
    values: Floats, codes: Ints | None, n_groups: int, weight: Floats | None
) -> list[Packed | None]:
    """The cells of each group's values, (n,); None for a group whose cells counting does not find.

    Whole numbers in a small range are counted one by one. Other values are counted on a grid that is likely
    finer than the one to keep, which then follows. Groups of few values, or that need a much finer grid,
    and columns that reach too far for it, are left to sorting.

    >>> x = np.random.default_rng(0).normal(size=1 << 18)
    >>> (cells,) = counted_cells(x, None, 1, None)
    >>> same = Packed.of(x)
    >>> cells.power == same.power, (cells.place == same.place).all(), (cells.weight == same.weight).all()
    (True, np.True_, np.True_)
    """
    nothing: list[Packed | None] = [None] * n_groups
    if len(values) < LONG:
        return nothing
    values = np.ascontiguousarray(values)  # read several times
    low, high = float(values.min()), float(values.max())
    if np.isnan(low):
        known = ~np.isnan(values)
        mine, heavy = None if codes is None else codes[known], None if weight is None else weight[known]
        return counted_cells(values[known], mine, n_groups, heavy)
    if not np.isfinite(high / 2 - low / 2):
        return nothing
    few = values[:: -(-len(values) // SAMPLE)]
    if high - low < MOST_COUNTED / n_groups and bool((np.floor(few) == few).all()):
        tables = _tables(values, codes, n_groups, weight, (low, high), 0)
        return nothing if tables is None or tables.inside else [_whole(*each) for each in tables.each()]
    cells = nothing
    for power in _powers(np.sort(few), len(values) / n_groups / len(few)):
        tables = _tables(values, codes, n_groups, weight, (low, high), power)
        if tables is None:
            break
        cells = [_coarsened(*each, power) for each in tables.each()]
        if all(one is not None or n.sum() < LONG for one, n in zip(cells, tables.counts.T, strict=True)):
            break
    return cells


def _powers(few: Floats, times: float) -> list[int]:
    """Grids to count on: one that is likely just finer than the grid to keep, and one finer still.

    So many times as many values on a grid so many times finer occupy so many times the cells: a rising sample
    shows thus what the whole needs. No grid if it has too few different values.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        if np.count_nonzero(np.diff(few)) < DIFFERENT * min(len(few), 2 * dyadic_grid.MOST):
            return []
        finer = int(np.log2(max(times, 1.0)))
        most = max(dyadic_grid.MOST >> finer, 1)
        power = int(np.frexp(few[-1] / 2 - few[0] / 2)[1]) + 3 - int(np.log2(most))
        while power > LEAST_POWER and np.count_nonzero(np.diff(_floors(few, power - 1))) < most:
            power -= 1
    return [power - finer - 1, power - finer - 4]


def _floors(values: Floats, power: int) -> Floats:
    """The cell of each value, counted from 0."""
    return np.asarray(np.floor(values * np.ldexp(1.0, -power)))


@dataclass(frozen=True, slots=True)
class _Tables:
    """The weight in each cell of a grid from the first on, and how far beyond their edges values lie."""

    first: int
    counts: Floats  # (size, g)
    beyond: Floats  # (size, g), in cells, by weight

    @property
    def inside(self) -> bool:
        """Whether a value is not at an edge."""
        return bool(self.beyond.any())

    def each(self) -> Iterator[tuple[Floats, Floats, int]]:
        """Those of each group."""
        for counts, beyond in zip(self.counts.T, self.beyond.T, strict=True):
            yield counts, beyond, self.first


def _tables(
    values: Floats,
    codes: Ints | None,
    n_groups: int,
    weight: Floats | None,
    ends: tuple[float, float],
    power: int,
) -> _Tables | None:
    """Count values on a grid; None if it has too many cells between the ends."""
    low, high = ends
    scale = float(np.ldexp(1.0, -power)) if power > EXACT else np.inf
    if not max(abs(low), abs(high), 1.0) * scale < EXACTLY:
        return None
    first = int(np.floor(low * scale)) >> ALIGNED << ALIGNED
    size = (int(np.floor(high * scale)) - first >> ALIGNED) + 1 << ALIGNED
    if n_groups * size > MOST_COUNTED:
        return None
    # Rows are counted in half the memory, more of which is in the cache.
    counts = np.zeros((size, n_groups), np.uint32 if weight is None else np.float64)
    beyond = np.zeros((size, n_groups))
    _add_up(values, scale, first, codes, weight, counts, beyond)
    return _Tables(first, counts.astype(np.float64), beyond)


def _add_up(
    values: Floats,
    scale: float,
    first: int,
    codes: Ints | None,
    weight: Floats | None,
    counts: NDArray[Any],
    beyond: Floats,
) -> None:
    """Add to each cell of each group, (size, g), the weights of values, and how far into its cell each lies.

    Some values at a time, so that what lies between the steps stays in the cache.
    """
    g, one = counts.shape[1], counts.dtype.type(1)
    for start in range(0, len(values), BLOCK):
        some = slice(start, start + BLOCK)
        n = len(values[some])
        own, cells, work = scratch("grid_counts", (3, BLOCK))[:, :n]
        at = work.view(np.intp)
        np.multiply(values[some], scale, out=own)
        np.floor(own, out=cells)
        own -= cells
        cells -= first
        cells *= g
        at[:] = cells
        if codes is not None and g > 1:
            at += codes[some]
        if weight is not None:
            own *= weight[some]
        np.add.at(counts.reshape(-1), at, one if weight is None else weight[some])
        np.add.at(beyond.reshape(-1), at, own)


def _whole(counts: Floats, beyond: Floats, first: int) -> Packed | None:
    """Whole numbers one by one; None if they are too many."""
    there = np.flatnonzero(counts > 0)
    if len(there) > dyadic_grid.MOST:
        return None
    return Packed(EXACT, (there + first).astype(np.float64), counts[there], np.zeros(len(there)))


def _coarsened(counts: Floats, beyond: Floats, first: int, power: int) -> Packed | None:
    """The finest grid that keeps few enough cells; None if that may be finer than this one."""
    occupied = np.count_nonzero(counts > 0)
    if occupied <= dyadic_grid.MOST:
        return None
    while occupied > dyadic_grid.MOST:
        before, after = first % 2, (first % 2 + len(counts)) % 2  # pairs of cells are those of the next grid
        if before or after:
            counts, beyond = (np.pad(each, (before, after)) for each in (counts, beyond))
        beyond = (beyond[::2] + beyond[1::2] + counts[1::2]) / 2  # in cells of the new width
        counts = counts[::2] + counts[1::2]
        occupied = np.count_nonzero(counts > 0)
        first, power = (first - before) // 2, power + 1
    there = np.flatnonzero(counts > 0)
    width = float(np.ldexp(1.0, power))
    places = np.asarray((there + first) * width, np.float64)
    return Packed(power, places, counts[there], beyond[there] * width)
