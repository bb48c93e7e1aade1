"""How much weight lies in each cell of a dyadic grid that only coarsens, for each group and column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from likely.stats.dyadic_grid import EXACT, Packed
from likely.stats.grid_counts import LONG, counted_cells
from likely.stats.groups import Floats, Groups, Ints, Statistic
from likely.table.column.block import Rows


@dataclass(frozen=True, slots=True)
class Cells(Statistic):
    """The values themselves while they are few, and from then on the occupied cells of a dyadic grid.

    The cells of a group and column are 2^power wide and begin at 0, so any two grids nest. The power is
    the least that leaves at most `MOST` cells occupied: a matter of the set of values alone, so parts
    added are the whole to the last cell, in any order; outliers cost a cell each and no width.
    Subtraction is exact on the grid that there is: cells never become finer again. A cell knows the sum
    of its values too, so one that holds a single value has lost nothing.

    >>> seen = Cells.collect(np.array([[1.5], [0.25], [1.5], [np.nan]]), Groups.one(4))
    >>> seen.place, seen.weight
    (array([0.25, 1.5 ]), array([1., 2.]))
    """

    power: Ints  # (g, d)
    where: Ints  # (e,) group * d + column of each occupied cell, ascending
    place: Floats  # (e,) left edge, ascending within each group and column
    weight: Floats  # (e,) above 0
    beyond: Floats  # (e,) sum of weight * (value - place)

    @classmethod
    def empty(cls, n_groups: int, width: int) -> Cells:
        """Nothing seen yet."""
        return cls._of(np.full((n_groups, width), EXACT, np.intp), (), 0)

    @classmethod
    def collect(cls, rows: Rows, groups: Groups) -> Cells:
        """Find the cells of rows (b, d), dense or sparse; NaN is missing."""
        rows = np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)
        width = rows.shape[1]
        cells = _counted(rows, groups)
        for group, inside, weight in _members(groups) if len(cells) < groups.n_groups * width else ():
            for j in range(width):
                if group * width + j in cells:
                    continue
                values = rows[:, j] if inside is None else rows[inside, j]
                cells[group * width + j] = Packed.of(values, weight)
        power = np.full((groups.n_groups, width), EXACT, np.intp)
        return cls._of(power, sorted(cells.items()), sum(len(one.place) for one in cells.values()))

    @classmethod
    def side_by_side(cls, columns: Sequence[Cells], n_groups: int) -> Cells:
        """The cells of single columns as those of one table."""
        if len(columns) == 1:
            return columns[0]
        d, power = len(columns), np.full((n_groups, len(columns)), EXACT, np.intp)
        cells = ((i * d + j, one.packed(i, 0)) for i in range(n_groups) for j, one in enumerate(columns))
        return cls._of(power, cells, sum(len(one.where) for one in columns))

    @classmethod
    def of_packed(cls, cells: dict[tuple[int, int], Packed], n_groups: int, width: int) -> Cells:
        """From the cells of some groups and columns; the others are empty."""
        nothing = np.full((n_groups, width), EXACT, np.intp)
        ordered = ((group * width + j, cells[group, j]) for group, j in sorted(cells))
        return cls._of(nothing, ordered, sum(len(one.place) for one in cells.values()))

    @classmethod
    def _of(cls, power: Ints, cells: Iterable[tuple[int, Packed]], most: int) -> Cells:
        """From the cells of some groups and columns, in order and at most so many, and the others' powers.

        There may be millions: each is written to its place as it comes, and none is held twice.
        """
        power, where = power.copy(), np.empty(most, np.intp)
        place, weight, beyond = np.empty(most), np.empty(most), np.empty(most)
        stop = 0
        for at, one in cells:
            own = slice(stop, stop := stop + len(one.place))
            power.flat[at], where[own] = one.power, at
            place[own], weight[own], beyond[own] = one.place, one.weight, one.beyond
        return cls(power, where[:stop], place[:stop], weight[:stop], beyond[:stop])

    def packed(self, group: int, column: int) -> Packed:
        """The cells of one group and column."""
        where = group * self.power.shape[1] + column
        start, stop = np.searchsorted(self.where, (where, where + 1))
        own = slice(start, stop)
        power = int(self.power[group, column])
        return Packed(power, self.place[own], self.weight[own], self.beyond[own])

    def _everywhere(self, make: Callable[[int, int], Packed], most: int) -> Cells:
        g, d = self.power.shape
        return Cells._of(self.power, ((i * d + j, make(i, j)) for i in range(g) for j in range(d)), most)

    @property
    def n(self) -> Floats:
        """How much weight is known in each group and column, (g, d)."""
        return self.sum(self.weight)

    @property
    def total(self) -> Floats:
        """The weighted total of the values, (g, d)."""
        return self.sum(self.weight * self.place + self.beyond)

    @property
    def centre(self) -> Floats:
        """The mean value of each cell, (e,)."""
        return np.asarray(self.place + self.beyond / self.weight)

    def sum(self, values: Floats) -> Floats:
        """Add up something of every cell (e,) within its group and column, (g, d)."""
        sums = np.bincount(self.where, values, self.power.size).astype(np.float64)
        return sums.reshape(self.power.shape)

    def __add__(self, other: Cells) -> Cells:
        most = len(self.where) + len(other.where)
        return self._everywhere(lambda i, j: self.packed(i, j) + other.packed(i, j), most)

    def __sub__(self, other: Cells) -> Cells:
        return self._everywhere(lambda i, j: self.packed(i, j) - other.packed(i, j), len(self.where))

    def __mul__(self, factor: float) -> Cells:
        kept = self.weight * factor > 0
        changed = {"weight": self.weight[kept] * factor, "beyond": self.beyond[kept] * factor}
        return self._with(where=self.where[kept], place=self.place[kept], **changed)

    def regroup(self, index: Ints, n_groups: int) -> Cells:
        """Move group i to place index[i] among n_groups; places nobody moves to are empty."""
        return self._chosen({int(place): i for i, place in enumerate(index)}, n_groups)

    def only(self, groups: Ints) -> Cells:
        """Some of the groups."""
        return self._chosen({place: int(i) for place, i in enumerate(groups)}, len(groups))

    def _chosen(self, groups: dict[int, int], n_groups: int) -> Cells:
        """Of n_groups, at each of some places one of the groups here."""
        d = self.power.shape[1]
        moves = [(at * d + j, self.packed(i, j)) for at, i in sorted(groups.items()) for j in range(d)]
        most = sum(len(one.place) for _, one in moves)
        return Cells._of(np.full((n_groups, d), EXACT, np.intp), moves, most)

    def pooled(self) -> Cells:
        """All groups added into one."""
        d = self.power.shape[1]
        columns = ((j, self.pooled_column(j)) for j in range(d))
        return Cells._of(np.full((1, d), EXACT, np.intp), columns, len(self.where))

    def pooled_column(self, column: int) -> Packed:
        """The cells of all groups in one column."""
        return Packed.together([self.packed(i, column) for i in range(self.n_groups)])


def _counted(rows: Floats, groups: Groups) -> dict[int, Packed]:
    """The cells of long columns that are found by counting, of all groups; soft groups are sorted."""
    if groups.soft is not None or len(rows) < LONG:
        return {}
    width = rows.shape[1]
    cells: dict[int, Packed] = {}
    for j in range(width):
        packed = counted_cells(rows[:, j], groups.codes, groups.n_groups, groups.weight)
        cells |= {group * width + j: one for group, one in enumerate(packed) if one is not None}
    return cells


def _members(groups: Groups) -> Iterator[tuple[int, Ints | None, Floats | None]]:
    """Each group with the rows in it (None for all) and their weights (None for 1)."""
    if groups.codes is None:
        for group in range(groups.n_groups):
            yield group, None, groups.column(group)
    elif groups.n_groups == 1:
        yield 0, None, groups.weight
    else:
        for group, inside in enumerate(groups.members):
            yield group, inside, None if groups.weight is None else groups.weight[inside]
