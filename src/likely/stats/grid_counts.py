"""The cells of a long column by counting, without sorting it: the same cells, several times sooner."""

from __future__ import annotations

import numpy as np

from likely.stats import dyadic_grid
from likely.stats.dyadic_grid import EXACT, Packed
from likely.stats.groups import Floats, Ints

LONG = 1 << 17  # values: fewer are sorted about as soon
SAMPLE = 1 << 16  # values that tell how fine the grid must be at least
MOST_COUNTED = 1 << 22  # cells of all groups: 32 MB
BLOCK = 1 << 14  # values that are placed at a time
EXACTLY = 2.0**52  # cells from 0, up to which a cell's number is exact


def counted_cells(
    values: Floats, codes: Ints | None, n_groups: int, weight: Floats | None
) -> list[Packed | None]:
    """The cells of each group's values, (n,); None for a group whose cells counting does not find.

    Whole numbers in a small range are counted one by one. Other values are counted on the grid that some of
    them need: no coarser one can do for all of them, and from a finer one the one to keep follows. Groups of
    few values, and columns that reach too far for their grid, are left to sorting.

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
    whole = high - low < MOST_COUNTED / n_groups and bool((np.floor(few) == few).all())
    power = 0 if whole else Packed.of(few).power - 1
    scale = float(np.ldexp(1.0, -power)) if power > EXACT else np.inf
    if not max(abs(low), abs(high), 1.0) * scale < EXACTLY:
        return nothing
    first = int(np.floor(low * scale))
    size = int(np.floor(high * scale)) - first + 1
    if n_groups * size > MOST_COUNTED:
        return nothing
    inside, place = _placed(values, scale, first, codes if n_groups > 1 else None, size)
    if whole and inside.any():
        return nothing
    counts = np.asarray(np.bincount(place, weight, n_groups * size), np.float64).reshape(n_groups, size)
    if whole:
        return [_whole(each, first) for each in counts]
    if weight is not None:
        inside *= weight
    beyond = np.asarray(np.bincount(place, inside, n_groups * size), np.float64).reshape(n_groups, size)
    return [_coarsened(each, more, first, power) for each, more in zip(counts, beyond, strict=True)]


def _placed(values: Floats, scale: float, first: int, codes: Ints | None, size: int) -> tuple[Floats, Ints]:
    """How far into its cell each value lies, and its cell: that of its group, of `size` each.

    Some values at a time, so that what lies between the steps stays in the cache.
    """
    inside, place = np.empty(len(values)), np.empty(len(values), np.intp)
    cell, group = np.empty(BLOCK), np.empty(BLOCK, np.intp)
    for start in range(0, len(values), BLOCK):
        some = slice(start, start + BLOCK)
        own, cells = inside[some], cell[: len(values[some])]
        np.multiply(values[some], scale, out=own)
        np.floor(own, out=cells)
        own -= cells
        cells -= first
        place[some] = cells
        if codes is not None:
            place[some] += np.multiply(codes[some], size, out=group[: len(cells)])
    return inside, place


def _whole(counts: Floats, first: int) -> Packed | None:
    """Whole numbers one by one; None if they are too many."""
    there = np.flatnonzero(counts)
    if len(there) > dyadic_grid.MOST:
        return None
    return Packed(EXACT, (there + first).astype(np.float64), counts[there], np.zeros(len(there)))


def _coarsened(counts: Floats, beyond: Floats, first: int, power: int) -> Packed | None:
    """The finest grid that keeps few enough cells; None if that may be finer than this one."""
    if np.count_nonzero(counts) <= dyadic_grid.MOST:
        return None
    while np.count_nonzero(counts) > dyadic_grid.MOST:
        before, after = first % 2, (first % 2 + len(counts)) % 2  # pairs of cells are those of the next grid
        counts, beyond = (np.pad(each, (before, after)) for each in (counts, beyond))
        beyond = (beyond[::2] + beyond[1::2] + counts[1::2]) / 2  # in cells of the new width
        counts = counts[::2] + counts[1::2]
        first, power = (first - before) // 2, power + 1
    there = np.flatnonzero(counts)
    width = float(np.ldexp(1.0, power))
    places = np.asarray((there + first) * width, np.float64)
    return Packed(power, places, counts[there], beyond[there] * width)
