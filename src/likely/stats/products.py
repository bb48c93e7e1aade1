"""Products of a block's columns, and their sums over the members of groups: what joint normals need."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats, Groups, Ints, rough_centre, two_sum
from likely.table.column.block import aligned, by_columns, scratch, scratch_like

WIDEST = 24  # columns: with more, the products are so many that whitening each group costs less
STEP = 1 << 11  # rows at a time: what is made of them is still in the cache when it is used
KEPT = 1 << 19  # cells of products that are kept for a second look

_local = threading.local()
# When the squares around a common centre exceed those around a group's own mean by this factor,
# subtracting one from the other would lose three digits: the deviations are then taken directly.
CANCELLATION = 1e3
# Shares up to this are left out, if they move no digit of the sums: those 13.6 sds further off.
NEGLIGIBLE = 1e-40
# What leaves a sum as it is, relative to it: far below the rounding of its last digit.
NOTHING = 2.0**-60
SAMPLE = 16  # one row of so many shows whether shares are worth counting


@dataclass(frozen=True, slots=True)
class Products:
    """Tables: a row of ones, the deviations x_i from a centre, their squares, and all other x_i x_j.

    A quadratic form of every group is then one matrix product with it, and the statistics of every group
    one with its transpose. Columns that are independent need no more than the squares. There is a table
    (p, b) for every few rows, so that it stays in the cache, and they are made and multiplied many at
    a time (k, p, b), for Python to take no part in it.

    >>> rows = np.array([[1.0, 2.0]])
    >>> Products.of(rows, np.zeros(2)).times(np.eye(6)).ravel().tolist()
    [1.0, 1.0, 2.0, 1.0, 4.0, 2.0]
    """

    rows: weakref.ref[Floats]  # (n, d) that they are made of
    centre: Floats  # (d,)
    crossed: bool  # whether different columns are multiplied
    tables: list[Floats]  # those that are kept, in memory that the thread uses again for its next block

    @classmethod
    def of(cls, rows: Floats, centre: Floats | None = None, crossed: bool = True) -> Products:
        """The products of rows, which may not change meanwhile; around a centre near them if not told.

        EM looks at every block twice, to weigh it and to count it. The second time the same array comes
        by, its products are still there.
        """
        held = cls.held(rows, crossed)
        if held is not None and (centre is None or held.centre is centre):
            return held
        centre = rough_centre(rows) if centre is None else centre
        _local.held = made = cls(weakref.ref(rows), centre, crossed, [])
        return made

    @classmethod
    def held(cls, rows: Floats, crossed: bool) -> Products | None:
        """The products of these rows, if they were the last that this thread was asked for."""
        held: Products | None = getattr(_local, "held", None)
        return held if held is not None and held.rows() is rows and held.crossed is crossed else None

    def times(self, weights: Floats) -> Floats:
        """Sums of the products with these weights (g, p), for every row: (g, n)."""
        out = aligned((len(weights), self._n))
        for part, table in self._tables():
            np.matmul(weights, table, out=_in_steps(out[:, part], table))
        return out

    def sums(self, soft: Floats) -> Floats:
        """The products added up in each group, whose shares of the rows these are (n, g): (g, p)."""
        sums = np.zeros((self._height, soft.shape[1]))
        for part, table in self._tables():
            sums += (table @ _in_steps(soft[part].T, table).transpose(0, 2, 1)).sum(axis=0)
        return sums.T

    def _tables(self) -> Iterator[tuple[slice, Floats]]:
        """Tables (k, p, b), and the rows that they are of."""
        rows = self.rows()
        assert rows is not None
        n = len(rows)
        kept = n * self._height <= KEPT
        # Whole steps together, and what is left over; if they are not to be kept, one after the other.
        bounds = sorted({0, n - n % STEP, n}) if kept else [*range(0, n, STEP), n]
        for i, (start, stop) in enumerate(pairwise(bounds)):
            part = slice(start, stop)
            if i < len(self.tables):
                yield part, self.tables[i]
                continue
            table = self._table(rows[part], f"products {i if kept else 0}")
            if kept:
                self.tables.append(table)
            yield part, table

    @property
    def _n(self) -> int:
        rows = self.rows()
        assert rows is not None
        return len(rows)

    @property
    def _height(self) -> int:
        return height(len(self.centre), self.crossed)

    def _table(self, rows: Floats, name: str) -> Floats:
        n, d = rows.shape
        b = min(n, STEP)
        table = scratch(name, (n // b, self._height, b))
        table[:, 0] = 1.0
        cells = table[:, 1 : 1 + d]
        # Turned first, which a subtraction would take twice as long for.
        np.copyto(cells, rows.reshape(n // b, b, d).transpose(0, 2, 1))
        if self.centre.any():
            cells -= self.centre[:, None]
        at = 1 + d
        for apart in range(d if self.crossed else min(d, 1)):
            wide = d - apart
            np.multiply(cells[:, :wide], cells[:, apart:], out=table[:, at : at + wide])
            at += wide
        return table


def _in_steps(groups: Floats, table: Floats) -> Floats:
    """Rows of groups (g, n) as pieces that go with a table (k, p, b): (k, g, b)."""
    k, _, b = table.shape
    return groups.reshape(len(groups), k, b).transpose(1, 0, 2)


def height(width: int, crossed: bool) -> int:
    """How many rows the table of so many columns has."""
    return 1 + width + (width * (width + 1) // 2 if crossed else width)


@cache
def pairs(width: int) -> tuple[Ints, Ints]:
    """Which two columns each product is of, in order.

    >>> [places.tolist() for places in pairs(3)]
    [[0, 1, 2, 0, 1, 0], [0, 1, 2, 1, 2, 2]]
    """
    # By how far the two lie apart: whole runs of columns are multiplied in one go.
    first = np.array([i for s in range(width) for i in range(width - s)], np.intp)
    return first, first + np.repeat(np.arange(width), np.arange(width, 0, -1))


def unpacked(packed: Floats, width: int) -> Floats:
    """Products (..., d (d + 1) / 2) as symmetric matrices (..., d, d)."""
    first, second = pairs(width)
    out = np.empty((*packed.shape[:-1], width, width))
    out[..., first, second] = packed
    out[..., second, first] = packed
    return out


@dataclass(frozen=True, slots=True)
class Gathered:
    """Products of rows around a centre, added up in soft groups. Those of one centre simply add.

    What each block would else spend on means and their merging is spent once, at the end.
    """

    statistic: Any  # the class that is made of them at last
    centre: Floats  # (d,)
    sums: Floats  # (g, p)

    @classmethod
    def of(cls, statistic: type[Any], rows: Floats, soft: Floats, crossed: bool) -> Gathered:
        """From rows (b, d) and the weight of each in every group, (b, g)."""
        held = Products.of(rows, crossed=crossed)
        return cls(statistic, held.centre, held.sums(soft))

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Gathered) and other.centre is self.centre:
            return Gathered(self.statistic, self.centre, self.sums + other.sums)
        return self.settled() + other.settled()

    def settled(self) -> Any:
        """The finished statistic."""
        return self.statistic.of_products(self)

    @property
    def parts(self) -> tuple[Floats, Floats, Floats]:
        """Weights (g, 1), deviations (g, d) and products (g, ...), added up."""
        d = len(self.centre)
        return self.sums[:, :1], self.sums[:, 1 : 1 + d], self.sums[:, 1 + d :]

    @property
    def gaps(self) -> bool:
        """Whether a cell was missing."""
        return bool(np.isnan(self.sums).any())

    def lost(self) -> NDArray[np.bool_]:
        """Groups and columns (g, d) so far off that little is left of their squares without the mean."""
        n, total, products = self.parts
        squares = products[:, : len(self.centre)]
        return np.asarray(squares * n * (1 - 1 / CANCELLATION) < total * total)


def members(rows: Floats, groups: Groups) -> Iterator[tuple[int, Floats, Floats | None]]:
    """The rows of each group, and their weights."""
    if groups.soft is not None:
        for group in range(groups.n_groups):
            yield group, *with_weight(rows, groups.soft[:, group])
        return
    codes, weight = groups.codes, groups.weight
    assert codes is not None
    # Rows without weight are absent. Small codes are sorted by their digits, in one go.
    small = codes.astype(
        np.uint8 if groups.n_groups <= 256 else np.uint16 if groups.n_groups <= 65536 else int
    )
    order = np.argsort(small, kind="stable")
    order = order if weight is None else order[weight[order] > 0]
    together = rows[order]
    ends = np.searchsorted(small[order], np.arange(groups.n_groups + 1))
    for group in range(groups.n_groups):
        part = slice(ends[group], ends[group + 1])
        yield group, together[part], None if weight is None else weight[order[part]]


def with_weight(rows: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """The rows that count at all, and how much."""
    inside = weight > 0
    return (rows, weight) if inside.all() else (rows[inside], weight[inside])


def around(mine: Floats, centre: Floats, n: float, weight: Floats | None) -> tuple[Floats, Floats, Floats]:
    """Mean less the centre (d,), scatter around the mean and squares around the centre, (d, d)."""
    own = np.subtract(mine, centre, out=scratch_like("deviations", mine))
    return of_deviations(own, n, weight)[1:]


def of_deviations(own: Floats, n: float, weight: Floats | None) -> tuple[float, Floats, Floats, Floats]:
    """The weight n of rows given as deviations from a centre, and what `around` says of them."""
    apart = (np.ones(len(own)) if weight is None else weight) @ own / (n or 1.0)
    if weight is not None:
        own = np.multiply(own, np.sqrt(weight)[:, None], out=scratch_like("weighed", own))
    squares = own.T @ own
    return n, apart, squares - n * apart[:, None] * apart, squares


def lost_digits(scatter: Floats, squares: Floats) -> NDArray[np.bool_]:
    """Whether a group's scatter is what little is left of the squares, by columns (..., d)."""
    return np.asarray((scatter * CANCELLATION < squares).any(axis=-1))


@dataclass(frozen=True, slots=True)
class FewMembers:
    """Sums over the rows of each group whose share in it is not negligible, from its first such row."""

    n: Floats  # (g,) weights
    first: Floats  # (g, d) that the others are measured from, 0 where there are none
    total: Floats  # (g, d) of the deviations
    squares: Floats  # (g, d, d) of their products
    ends: tuple[Floats, Floats]  # the least and the largest cells of the block, (d,)
    left_out: float  # the most that all the others can weigh in a group

    @classmethod
    def of(cls, rows: Floats, soft: Floats, most: float) -> FewMembers | None:
        """From rows (b, d) and their shares (b, g); None if a row has more than `most` on average."""
        (b, d), n_groups, shares = rows.shape, soft.shape[1], soft.T
        if np.count_nonzero(shares[:, ::SAMPLE] > NEGLIGIBLE) > most * len(soft[::SAMPLE]):
            return None
        inside = shares > NEGLIGIBLE
        # Of a group with hardly a row in this block, shares that are next to nothing may be all there is.
        thin = np.flatnonzero(inside.sum(axis=1) < 2)
        inside[thin] = shares[thin] > 0
        places = np.flatnonzero(inside)  # in all groups laid end to end
        if len(places) > most * b:
            return None
        weight = shares.reshape(-1).take(places)
        ends = np.searchsorted(places, np.arange(n_groups + 1) * b)
        np.remainder(places, b, out=places)
        mine = np.take(rows, places, axis=0, out=scratch("members", (len(places), d)), mode="clip")
        n, first, products = np.zeros(n_groups), np.zeros((n_groups, d)), np.zeros((n_groups, d + 1, d + 1))
        for group in map(int, np.flatnonzero(np.diff(ends))):
            inside_it = slice(ends[group], ends[group + 1])
            n[group], first[group] = weight[inside_it].sum(), mine[ends[group]]
            # The deviations and a 1, weighed: what they give multiplied by themselves holds both sums.
            weighed = scratch("weighed", (inside_it.stop - inside_it.start, d + 1))
            np.subtract(mine[inside_it], first[group], out=weighed[:, :d])
            weighed[:, d] = 1.0
            weighed *= np.sqrt(weight[inside_it])[:, None]
            np.matmul(weighed.T, weighed, out=products[group])
        return cls(n, first, products[:, d, :d], products[:, :d, :d], _extremes(rows), b * NEGLIGIBLE)

    def centred(self) -> tuple[Floats, Floats, Floats, NDArray[np.bool_]]:
        """Means (g, d), what rounding took from them, scatter (g, d, d), and the groups to be taken alone."""
        n = self.n[:, None]
        apart = np.divide(self.total, n, out=np.zeros_like(self.total), where=n > 0)
        mean, rest = two_sum(self.first, apart)
        scatter = self.squares - self.total[:, :, None] * apart[:, None, :]
        own, squares = (np.einsum("gii->gi", array) for array in (scatter, self.squares))
        return mean, rest, scatter, self._moved(mean, own) | lost_digits(own, squares)

    def _moved(self, mean: Floats, scatter: Floats) -> NDArray[np.bool_]:
        """Groups whose sums what was left out may have moved, given their means and scatter (g, d).

        At most `left_out` weighs a group more, and adds to its scatter no more than that weight times the
        square of the largest deviation that there is.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            reach = np.maximum(mean - self.ends[0], self.ends[1] - mean)
            kept = (np.square(reach) * self.left_out <= NOTHING * scatter).all(axis=1)
        return ~(kept & (self.left_out <= NOTHING * self.n))


def _extremes(rows: Floats) -> tuple[Floats, Floats]:
    """The least and the largest cell of each column, (d,)."""
    if by_columns(rows):
        return rows.min(axis=0), rows.max(axis=0)
    # Many rows side by side: to go through a few columns row by row takes eight times as long.
    (b, d), beside = rows.shape, 64
    whole = rows[: b - b % beside].reshape(-1, beside * d)
    parts = [extreme(whole, axis=0).reshape(beside, d) for extreme in (np.min, np.max)] if len(whole) else []
    rest = rows[b - b % beside :]
    least, largest = (np.concatenate([part, rest]) for part in parts) if parts else (rest, rest)
    return least.min(axis=0), largest.max(axis=0)
