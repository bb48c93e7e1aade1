"""Where the bins that all groups share begin and end, and how values are spread in them, in bars."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.numeric.value_grid import common_step, least_gap
from likely.stats.bins import ROUNDING, equal_frequency_starts, midway
from likely.stats.dyadic_grid import EXACT, Packed
from likely.stats.groups import Floats, Ints

FEWEST, MOST = 4, 24  # bins
BARS = 8  # of a bin: how its values are spread, in all groups alike


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Where bars begin and end, and the bins that they are parts of."""

    at: Floats  # (m + 1,), rising; what lies at the end of a bar belongs to it
    bins: Ints  # (m,) the bin of each bar, rising from 0
    step: float  # between neighbouring points of the grid that values lie on; 0: there is none


def edges_of(column: Packed, rare: float, starts: Ints | None = None) -> tuple[Edges, Floats]:
    """Where bins begin and end, in bars; and the share of each bar in its bin, (m,).

    Bins end midway between values. One of a single value is a bar just as wide as its place on the grid; what
    else lies in it, on both sides, is as rare as a value that was never seen.
    """
    values, weight = column.centre, column.weight
    if len(values) == 1:  # a constant column: one bar, 1 wide
        half = max(0.5, 4 * float(np.spacing(abs(values[0]))))
        return Edges(np.array([values[0] - half, values[0] + half]), np.zeros(1, np.intp), 0.0), np.ones(1)
    step = _step(column)
    gap = np.maximum(step or least_gap(values), 4 * np.spacing(np.abs(values)))  # a bar of each value alone
    given = starts is not None
    starts = np.concatenate([[0], starts_of(weight) if starts is None else starts])
    in_bin = np.add.reduceat(weight, starts)
    bins = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(values)))  # of each value
    up_to = np.cumsum(weight) - weight / 2 - np.concatenate([[0.0], np.cumsum(in_bin)[:-1]])[bins]
    bars = bins * BARS + np.minimum((up_to * BARS / in_bin[bins]).astype(np.intp), BARS - 1)
    first = np.flatnonzero(np.diff(bars, prepend=-1))  # of each bar
    of_bar = bins[first]
    shares = np.add.reduceat(weight, first) / in_bin[of_bar]
    ends = values[np.append(first[1:], len(values)) - 1] + step / 2
    last = np.append(np.flatnonzero(np.diff(of_bar)), len(ends) - 1)  # bar of each bin
    own = ends[last]  # where the values of each bin end
    ends[last[:-1]] = _cuts(values, None if given else weight, starts[1:], step)
    low = values[0] + step / 2 - gap[0]
    lone = np.flatnonzero(np.diff(starts, append=len(values)) == 1)
    gap = gap[starts[lone]]
    before, after = np.append(low, ends[:-1])[last[lone]], ends[last[lone]]
    below, above = own[lone] - gap - before > gap / 4, after - own[lone] > gap / 4
    rest = below.astype(np.float64) + above
    shares[last[lone]] = np.where(rest > 0, 1.0 - rare, 1.0)
    ends[last[lone][above]] = own[lone][above]
    places = np.concatenate([last[lone][above] + 1, last[lone][below]])  # what is above a bin comes first
    at = np.concatenate([after[above], (own[lone] - gap)[below]])
    sides = np.concatenate([(rare / np.maximum(rest, 1.0))[side] for side in (above, below)])
    which = np.concatenate([lone[above], lone[below]])
    line, of_bar = np.insert(ends, places, at), np.insert(of_bar, places, which)
    return Edges(np.append(low, line), of_bar, step), np.insert(shares, places, sides)


def starts_of(weight: Floats) -> Ints:
    """Which of some values in order begin the second bin, the third, ..."""
    k = max(_cube_root(weight), FEWEST)
    full = weight * k >= weight.sum() * (1.0 - ROUNDING)
    if full.sum() in (0, len(weight)) or len(weight) <= k:
        return equal_frequency_starts(weight, k)
    rest = np.flatnonzero(~full)
    between = rest[equal_frequency_starts(weight[rest], _cube_root(weight[rest]))]
    frequent = np.flatnonzero(full)
    starts = np.unique(np.concatenate([between, frequent, frequent + 1]))
    return starts[(starts > 0) & (starts < len(weight))]


def _step(column: Packed) -> float:
    """Between neighbouring points of the grid of the values; 0 if there is none, or half of it is nothing."""
    step = common_step(column.centre)[0] if column.power == EXACT else None
    farthest = np.abs(column.centre[[0, -1]]).max()
    return float(step) if step and step >= 4 * np.spacing(farthest) else 0.0


def _cuts(values: Floats, weight: Floats | None, starts: Ints, step: float) -> Floats:
    """The last number of each bin but the last; on a grid, half a step beyond the last of its points."""
    cuts = midway(values, starts, weight)
    if not step:
        return np.nextafter(cuts, -np.inf)
    below, above = values[starts - 1], values[starts]
    points = np.rint((above - below) / step)
    up = cuts <= below / 2 + above / 2  # where the point midway, if there is one, goes
    return np.asarray(below + step / 2 * np.where(points % 2, points, points - np.where(up, 1.0, -1.0)))


def _cube_root(weight: Floats) -> int:
    return int(np.clip(np.rint(np.cbrt(weight.sum())), 1, MOST))
