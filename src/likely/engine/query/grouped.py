"""Statistics of a lazy table whose rows are in groups, by queries: the same as of rows in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.engine.query.first_queries import FirstLook
from likely.engine.query.levels import LevelCounts, level_query, refuse_too_many_levels
from likely.engine.query.sums import OWN, floats, grouped, in_groups, read_sums, sums_query
from likely.stats import Cells, Counts, Groups, Moments, Scatter
from likely.stats.dyadic_grid import EXACT, Packed
from likely.stats.groups import two_sum
from likely.stats.products import CANCELLATION
from likely.table.column.column import Column
from likely.table.column.raw import Raw

if TYPE_CHECKING:
    from narwhals.stable.v2 import Expr

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

ROUNDS = 2  # of sums around a better centre, as often as the first left too few digits
CELLS_A_SPREAD = 1 << 11  # of the grid of a column: some ten thousand cells hold nearly all of its values
SHORT = 1 << 16  # rows, up to which each value has a cell of its own
FINEST = -1000  # the power of the smallest cell
WHOLE = 1 << 14  # whole numbers in such a range are counted one by one
MOST_CLASSES = 200  # that have a centre of their own in a query


@dataclass(frozen=True)
class GroupedQueries:
    """A table whose rows are in the groups of its target; of one group, if there is no target."""

    look: FirstLook
    target: Column | None

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return 1 if self.target is None else len(self.target.known)

    @property
    def totals(self) -> Floats:
        """How many rows each group has, (g,)."""
        out = np.zeros(self.n_groups)
        np.add.at(out, self.codes(self.look.sums.group), self.look.sums.rows)
        return out

    def codes(self, raw: Raw) -> Ints:
        """The group of each line of an answer."""
        return np.zeros(len(raw.values), np.intp) if self.target is None else self.target.codes(raw)

    def known(self, names: Sequence[str]) -> Floats:
        """How many cells of columns of numbers are known in each group, (g, d)."""
        n = in_groups(self.codes(self.look.sums.group), self.n_groups, self.look.sums)[0]
        return n[:, [self.look.names.index(name) for name in names]]

    def moments(self, names: Sequence[str]) -> Moments:
        """Of columns of numbers; those that lost digits are asked for again, around each group's mean."""
        places = [self.look.names.index(name) for name in names]
        whole, lost = self.look.moments(self.codes, self.n_groups)
        arrays = [
            np.array(array[:, places]) for array in (whole.n, whole.mean, whole.scatter, whole.mean_rest)
        ]
        lost = lost[:, places]
        for _ in range(ROUNDS):
            again = np.flatnonzero(lost.any(axis=0))
            if not len(again):
                break
            centre = arrays[1][:, again]
            numbers = [self.look.table.known(names[j]) for j in again.tolist()]
            n, total, squares = self._sums(numbers, centre)
            taken, still = Moments.of_sums(centre, total, squares, n)
            for array, new in zip(arrays, (taken.n, taken.mean, taken.scatter, taken.mean_rest), strict=True):
                array[:, again] = new
            lost = np.zeros_like(lost)
            lost[:, again] = still
        return Moments(*arrays)

    def _sums(self, numbers: Sequence[Expr], centre: Floats) -> tuple[Floats, Floats, Floats]:
        table, target = self.look.table, self.look.target
        own = [self._own(column) for column in centre.T]
        sums = read_sums(table.answer(sums_query(table, target, numbers, own)), len(numbers))
        return in_groups(self.codes(sums.group), self.n_groups, sums)

    def _own(self, centre: Floats) -> Any:
        """A number for each group, as the engine picks it by the row's class."""
        import narwhals.stable.v2 as nw

        if self.target is None or self.n_groups > MOST_CLASSES or (centre == centre[0]).all():
            return float(np.median(centre))
        chosen: Any = nw.lit(float(centre[0]))
        for level, value in zip(self.target.known[1:], centre[1:].tolist(), strict=True):
            chosen = nw.when(nw.col(OWN) == level).then(nw.lit(value)).otherwise(chosen)
        return chosen

    def counted(self, name: str) -> LevelCounts:
        """How often each value of a column came with each class."""
        if name in self.look.levels:
            return self.look.levels[name]
        table = self.look.table
        refuse_too_many_levels(table, [name])
        answer = table.answer(level_query(table, self.look.target, name))
        return LevelCounts(answer.raw(OWN), answer.raw("x"), floats(answer, "n"))

    def levels(self, columns: Sequence[Column]) -> Counts:
        """How often each level of columns was seen in each group."""
        tables = []
        for column in columns:
            counted = self.counted(column.name)
            groups = Groups.hard(self.codes(counted.group), self.n_groups, counted.n)
            codes = column.codes(counted.level)[:, None]
            tables.append(Counts.collect(codes, groups, (len(column.levels or ()),)).table)
        sizes = tuple(len(column.levels or ()) for column in columns)
        return Counts(np.concatenate([np.zeros((self.n_groups, 0)), *tables], axis=1), sizes)

    def values(self, columns: Sequence[Column]) -> tuple[Floats, Groups]:
        """Columns of few different numbers: a row for each that came with a group, and how often.

        The rows of one column have gaps in the others, which tell nothing.
        """
        rows, codes, n = [np.zeros((0, len(columns)))], [np.zeros(0, np.intp)], [np.zeros(0)]
        for j, column in enumerate(columns):
            counted = self.counted(column.name)
            cells = np.full((len(counted.n), len(columns)), np.nan)
            cells[:, j] = column.numbers(counted.level)
            rows.append(cells)
            codes.append(self.codes(counted.group))
            n.append(counted.n)
        return np.concatenate(rows), Groups.hard(np.concatenate(codes), self.n_groups, np.concatenate(n))

    def cells(self, names: Sequence[str], spreads: Floats) -> Cells:
        """How much lies in each cell of a grid, of columns that spread so much in each group, (g, d).

        Whole numbers of a small range, and the values of a short table, are counted one by one; of others, a
        small part of the spread is as fine as any bin needs, and the grids nest with those of rows in memory.
        """
        powers = [self._powers(name, spread) for name, spread in zip(names, spreads.T, strict=True)]
        asked = [self._cells_query(name, own) for name, own in zip(names, powers, strict=True)]
        packed: dict[tuple[int, int], Packed] = {}
        for j, (answer, own) in enumerate(zip(self.look.table.answers(asked), powers, strict=True)):
            codes, place = self.codes(answer.raw(OWN)), floats(answer, "c")
            n, beyond = floats(answer, "n"), floats(answer, "b")
            for group, power in enumerate(own.tolist()):
                mine = np.flatnonzero(codes == group)
                mine = mine[np.argsort(place[mine], kind="stable")]
                width = 1.0 if power == EXACT else float(np.ldexp(1.0, power))
                packed[group, j] = Packed(power, place[mine] * width + 0.0, n[mine], beyond[mine]).fitted()
        return Cells.of_packed(packed, self.n_groups, len(names))

    def _powers(self, name: str, spread: Floats) -> Ints:
        """How wide the cells of a column are in each group, (g,): 2 to this power, or of one value."""
        j = self.look.names.index(name)
        ends = np.append(self.look.sums.low[:, j], self.look.sums.high[:, j])
        ends = ends[~np.isnan(ends)]
        whole = self.look.table.types[name].is_integer() and np.ptp(np.append(ends[:1], ends)) < WHOLE
        if whole or self.look.n <= SHORT:
            return np.full(self.n_groups, EXACT, np.intp)
        # Beyond so many cells from 0 every number is an edge.
        finest = max(int(np.frexp(np.abs(ends).max(initial=0.0))[1]) - 53, FINEST)
        wide = np.frexp(spread / CELLS_A_SPREAD)[1].astype(np.intp) - 1
        return np.where(spread > 0, np.maximum(wide, finest), finest)

    def _cells_query(self, name: str, powers: Ints) -> Any:
        import narwhals.stable.v2 as nw

        rows = grouped(self.look.table, self.look.target, x=self.look.table.known(name))
        rows = rows.filter(~nw.col("x").is_null())
        if (powers == EXACT).all():
            rows = rows.with_columns(c=nw.col("x"), b=nw.col("x") - nw.col("x"))  # 0, and no decimal
        else:
            scale, width = (self._own(np.ldexp(1.0, sign * powers)) for sign in (-1, 1))
            rows = rows.with_columns(c=(nw.col("x") * scale).floor().cast(nw.Float64))
            rows = rows.with_columns(b=nw.col("x") - nw.col("c") * width)
        return rows.group_by(OWN, "c").agg(nw.len().alias("n"), nw.col("b").sum().alias("b"))

    def scatter(self, names: Sequence[str]) -> Scatter:
        """Products of columns of numbers, of the rows that have all of them."""
        centre = self.look.centre[[self.look.names.index(name) for name in names]]
        return self.scatter_of([self.look.table.known(name) for name in names], centre, gaps=True)

    def scatter_of(self, numbers: Sequence[Expr], centre: Floats, gaps: bool) -> Scatter:
        """The same of numbers that are made of the columns, whose means are near a centre (d,)."""
        d = len(numbers)
        centre = np.tile(centre, (self.n_groups, 1))
        for _ in range(ROUNDS + 1):
            n, total, products = self._products(numbers, centre, gaps)
            apart = np.divide(total, n[:, None], out=np.zeros((self.n_groups, d)), where=n[:, None] > 0)
            scatter = products - n[:, None, None] * apart[:, :, None] * apart[:, None, :]
            mean, rest = two_sum(np.where(n[:, None] > 0, centre, 0.0), apart)
            own, squares = (np.einsum("gii->gi", each) for each in (scatter, products))
            if not (own * CANCELLATION < squares).any():
                break
            centre = mean
        return Scatter(n, mean, scatter, rest)

    def _products(self, numbers: Sequence[Expr], centre: Floats, gaps: bool) -> tuple[Floats, Floats, Floats]:
        import narwhals.stable.v2 as nw

        table, d = self.look.table, len(numbers)
        rows = grouped(table, self.look.target, **{f"x{j}": number for j, number in enumerate(numbers)})
        for j in range(d if gaps else 0):
            rows = rows.filter(~nw.col(f"x{j}").is_null())
        own = [self._own(column) for column in centre.T]
        rows = rows.with_columns(
            **{
                f"d{j}": nw.col(f"x{j}") - (nw.lit(own[j]) if isinstance(own[j], float) else own[j])
                for j in range(d)
            }
        )
        pairs = [(i, j) for i in range(d) for j in range(i, d)]
        rows = rows.with_columns(**{f"p{i}_{j}": nw.col(f"d{i}") * nw.col(f"d{j}") for i, j in pairs})
        asked = [nw.len().alias("n"), *(nw.col(f"d{j}").sum().alias(f"d{j}") for j in range(d))]
        asked += [nw.col(f"p{i}_{j}").sum().alias(f"p{i}_{j}") for i, j in pairs]
        answer = table.answer(rows.group_by(OWN).agg(*asked))
        codes = self.codes(answer.raw(OWN))
        n, total = np.zeros(self.n_groups), np.zeros((self.n_groups, d))
        products = np.zeros((self.n_groups, d, d))
        n[codes] = floats(answer, "n")
        for j in range(d):
            total[codes, j] = floats(answer, f"d{j}")
        for i, j in pairs:
            products[codes, i, j] = products[codes, j, i] = floats(answer, f"p{i}_{j}")
        return n, total, products
