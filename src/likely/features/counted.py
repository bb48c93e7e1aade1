"""What transformers learn: how often each value of each column was seen, in each class. It adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from likely.dist.distribution import dense
from likely.errors import LikelyError
from likely.estimator.check_column import check_schema, check_target, demand
from likely.estimator.fitted import class_codes
from likely.estimator.record import Story
from likely.stats import Cells, Counts, Groups, Moments
from likely.stats.class_cells import ClassCells
from likely.stats.counted_levels import CountedLevels
from likely.stats.groups import Floats, Ints
from likely.table.column.block import LIMIT, Numbers
from likely.table.column.column import Column
from likely.table.column.contiguous import apart
from likely.table.column.kinds import Kind
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.schema import Schema


@dataclass(frozen=True)
class Counted:
    """The columns of a table, and how much of each class lies at each number and each level.

    Texts are not counted. Without a target all rows are of one class.
    """

    schema: Schema
    target: Column | None
    totals: Floats  # (g,) the weight of each class
    cells: Cells  # of the columns of numbers
    moments: Moments  # of the same
    levels: Counts  # of the columns of levels

    @classmethod
    def of(
        cls, schema: Schema, target: Column | None, frame: Frame, groups: Groups, spread: bool = True
    ) -> Counted:
        """Count the rows of a table, a column at a time; without `spread` nobody asks for variances."""
        return cls.of_parts(schema, target, frame, groups, [slice(None)], spread)[0]

    @classmethod
    def of_parts(
        cls,
        schema: Schema,
        target: Column | None,
        frame: Frame,
        groups: Groups,
        parts: Sequence[Any],
        spread: bool = True,
    ) -> list[Counted]:
        """Count each of some parts of the rows (slices or places) by itself; a column is looked at once."""
        return cls.of_cells(schema, target, _each_column(schema, frame), groups, parts, spread)

    @classmethod
    def of_cells(
        cls,
        schema: Schema,
        target: Column | None,
        columns: Iterable[Any],
        groups: Groups,
        parts: Sequence[Any],
        spread: bool = True,
    ) -> list[Counted]:
        """The same of columns as they are counted: see `column_cells`."""
        g = groups.n_groups
        mine = [groups.where(part) for part in parts]
        cells: list[list[Cells]] = [[] for _ in parts]
        moments: list[list[Moments]] = [[] for _ in parts]
        counts = [CountedLevels(groups) for groups in mine]
        for column, values in zip(schema.columns, columns, strict=True):
            if is_numbers(column):
                for p, part in enumerate(parts):
                    cells[p].append(_cells(column, values[part], mine[p]))
                    seen = Moments.collect(values[part], mine[p]) if spread else Moments.empty(g, 1)
                    moments[p].append(seen)
            elif is_levels(column):
                for p, part in enumerate(parts):
                    counts[p].add(values[part], n_levels(column))
        return [
            cls(
                schema,
                target,
                mine[p].total,
                Cells.side_by_side(cells[p], g),
                _moments_beside(moments[p], g),
                counts[p].settled(),
            )
            for p in range(len(parts))
        ]

    @classmethod
    def beside(cls, schema: Schema, parts: Sequence[Counted]) -> Counted:
        """What was counted of some columns each, by the same rows and classes, as of one table.

        All columns of numbers are in the last part, or there are none.
        """
        at = {column.name: (one, j) for one in parts for j, column in enumerate(one.schema.columns)}
        ordered = [at[name] for name in schema.names]
        coded = [one.level_counts(j) for one, j in ordered if is_levels(one.schema.columns[j])]
        table = np.concatenate([parts[-1].levels.table[:, :0], *coded], axis=1)
        levels = Counts(table, tuple(counts.shape[1] for counts in coded))
        return replace(parts[-1], schema=schema, levels=levels)

    @cached_property
    def place(self) -> dict[int, int]:
        """Where each column stands among those of its sort."""
        at: dict[int, int] = {}
        for sort in (is_numbers, is_levels):
            mine = [j for j, column in enumerate(self.schema.columns) if sort(column)]
            at |= {j: i for i, j in enumerate(mine)}
        return at

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in order; none without a target."""
        return () if self.target is None else tuple(self.target.levels or ())

    @property
    def target_name(self) -> str:
        """What the classes are of."""
        return "" if self.target is None else self.target.name

    @property
    def n(self) -> float:
        """The weight of the rows that were counted."""
        return float(self.totals.sum())

    @property
    def n_parameters(self) -> int:
        """How many numbers are kept: one for each class at each value."""
        return int(self.cells.weight.size + self.levels.table.size)

    def numbers(self, j: int) -> ClassCells:
        """The values of a column of numbers, and how much of each class lies at each."""
        return ClassCells.of(self.cells, self.place[j])

    def level_counts(self, j: int) -> Floats:
        """How much of each class is of each level, (g, k)."""
        return self.levels.column(self.place[j])

    def ordered(self, j: int) -> ClassCells:
        """As `numbers`; of a column of levels in order, their places, as far as they were seen."""
        if is_numbers(self.schema.columns[j]):
            return self.numbers(j)
        counts = self.level_counts(j)
        seen = np.flatnonzero(counts.sum(axis=0) > 0)
        places = seen.astype(np.float64)
        return ClassCells(places, places, places, counts[:, seen], 0.0)

    def class_moments(self, j: int) -> Moments:
        """Weight, mean and scatter of a column of numbers in each class, (g, 1)."""
        if not self.moments.n.any() and self.cells.weight.size:
            raise LikelyError("the variances of the columns were not looked at: fit again with this method.")
        at = slice(self.place[j], self.place[j] + 1)
        m = self.moments
        return Moments(m.n[:, at], m.mean[:, at], m.scatter[:, at], m.mean_rest[:, at])

    @cached_property
    def _known_numbers(self) -> Floats:
        """How much of each class has a value in each column of numbers, (g, d)."""
        return self.cells.n

    def known(self, j: int) -> Floats:
        """How much of each class has a value in this column, (g,)."""
        if is_numbers(self.schema.columns[j]):
            return np.asarray(self._known_numbers[:, self.place[j]])
        return np.asarray(self.level_counts(j).sum(axis=1))

    def __add__(self, other: Counted) -> Counted:
        """What was counted in both; levels and classes that only one has seen are taken in."""
        schema = self.schema.widened(other.schema)
        if (self.target is None) is not (other.target is None):
            raise LikelyError("one of the two has learnt with a target, the other without: fit them alike.")
        target = None if self.target is None or other.target is None else self.target.widened(other.target)
        mine, theirs = self._in(schema, target), other._in(schema, target)
        return Counted(
            schema,
            target,
            mine.totals + theirs.totals,
            mine.cells + theirs.cells,
            mine.moments + theirs.moments,
            mine.levels + theirs.levels,
        )

    def __sub__(self, other: Counted) -> Counted:
        """What is left when rows that were counted are taken out again; of the same levels and classes."""
        return replace(
            self,
            totals=self.totals - other.totals,
            cells=self.cells - other.cells,
            moments=self.moments - other.moments,
            levels=self.levels - other.levels,
        )

    def _in(self, schema: Schema, target: Column | None) -> Counted:
        """The same in the places that more levels and classes have."""
        classes = self.classes if target is None else tuple(target.levels or ())
        groups = np.array([classes.index(label) for label in self.classes] or [0], np.intp)
        g = max(len(classes), 1)
        coded = [j for j, column in enumerate(self.schema.columns) if is_levels(column)]
        places, sizes = [], []
        for j in coded:
            now = {level: i for i, level in enumerate(level_values(schema.columns[j]))}
            places.append(np.array([now[level] for level in level_values(self.schema.columns[j])], np.intp))
            sizes.append(len(now))
        totals = np.zeros(g)
        totals[groups] = self.totals
        levels = self.levels.relevel(places, sizes).regroup(groups, g)
        cells, moments = self.cells.regroup(groups, g), self.moments.regroup(groups, g)
        return Counted(schema, target, totals, cells, moments, levels)

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row."""
        steps = (
            "Take each column by itself, and look where its value lies: between cuts, or at a level.",
            "Give what was learnt for that place; what is missing stays missing.",
        )
        return Story(model, steps, "new = map of the column (value).", "", "a row of new columns")

    def trained_on(self) -> dict[str, Any]:
        """What it was trained on, in plain words."""
        names = [column.name for column in self.schema.columns]
        said = {"weight_of_rows": self.n, "columns": names}
        return said | ({} if self.target is None else {"target": self.target.name})

    def check(self) -> None:
        """Refuse a record that no fit gives."""
        check_schema(self.schema)
        if self.target is not None:
            check_target(self.target)
        g, columns = max(len(self.classes), 1), self.schema.columns
        d = sum(map(is_numbers, columns))
        sizes = tuple(n_levels(column) for column in columns if is_levels(column))
        demand(self.totals.shape == (g,) and bool((self.totals >= 0).all()), "its classes have no weights")
        demand(self.n > 0 and np.isfinite(self.n), "it has seen no rows")
        cells = self.cells
        demand(cells.power.shape == (g, d) and cells.n.shape == (g, d), "its cells are of other columns")
        arrays = (cells.place, cells.weight, cells.beyond)
        sized = all(a.shape == cells.where.shape and np.isfinite(a).all() for a in arrays)
        demand(sized and bool((cells.weight > 0).all()), "its cells are no numbers")
        moments = (self.moments.n, self.moments.mean, self.moments.scatter)
        demand(all(m.shape == (g, d) and np.isfinite(m).all() for m in moments), "its moments are no numbers")
        fits = self.levels.sizes == sizes and self.levels.table.shape == (g, sum(sizes))
        demand(fits and bool((self.levels.table >= 0).all()), "its counts are of other levels")


def is_numbers(column: Column) -> bool:
    """Whether a column is counted by its numbers."""
    return column.levels is None and column.kind is not Kind.BOOLEAN


def is_levels(column: Column) -> bool:
    """Whether a column is counted by its levels; of truth values these are two."""
    return column.kind is Kind.BOOLEAN or (column.levels is not None and column.kind is not Kind.TEXT)


def n_levels(column: Column) -> int:
    """How many levels a column of levels has."""
    return len(level_values(column))


def level_values(column: Column) -> tuple[Any, ...]:
    """The levels of a column: of truth values False and True."""
    return (
        (False, True) if column.kind is Kind.BOOLEAN and column.levels is None else tuple(column.levels or ())
    )


def codes_of(schema: Schema, frame: Frame, j: int) -> Ints:
    """The level of each row, (n,): -1 where missing, -2 where never seen."""
    return np.array(_column_codes(schema, frame, j))


def _column_codes(schema: Schema, frame: Frame, j: int) -> Ints:
    """As `codes_of`, to read, until the next column is."""
    column = schema.columns[j]
    if column.levels is None:
        numbers = np.asarray(dense(schema.numbers(frame, (j,)).rows(0, frame.n)))[:, 0]
        return np.where(np.isnan(numbers), -1, numbers == 1).astype(np.intp)
    raw = frame.raw(column.name) if frame.matrix is None else None
    if raw is not None and raw.found is not None:
        return column.recoded(raw)
    return schema.codes(frame, (j,)).rows(0, frame.n)[:, 0]


def numbers_of(schema: Schema, frame: Frame, j: int) -> Floats:
    """The numbers of a column, (n,), NaN where missing."""
    return np.array(dense(schema.numbers(frame, (j,)).rows(0, frame.n))[:, 0], np.float64)


def column_cells(schema: Schema, frame: Frame, j: int) -> Any:
    """A column as it is counted, until the next is read: numbers (n, 1), or codes (n,); None of texts."""
    column = schema.columns[j]
    if is_numbers(column):
        return _column_numbers(schema, frame, j)
    return _column_codes(schema, frame, j) if is_levels(column) else None


def _each_column(schema: Schema, frame: Frame) -> Iterator[Any]:
    """All columns as they are counted; of a matrix that is stored by rows several are read together."""
    d = len(schema.columns)
    if not (isinstance(frame.matrix, np.ndarray) and d > 1 and apart(frame.matrix[:, 0])):
        yield from (column_cells(schema, frame, j) for j in range(d))
        return
    for some, own in frame.contiguous_runs():
        few = replace(schema, columns=tuple(schema.columns[some]))
        yield from (column_cells(few, own, j) for j in range(len(few.columns)))


def _column_numbers(schema: Schema, frame: Frame, j: int) -> Floats:
    """As `numbers_of`, side by side in memory, as they are read several times, (n, 1)."""
    return np.ascontiguousarray(dense(schema.numbers(frame, (j,)).rows(0, frame.n)), np.float64)


def _cells(column: Column, values: Floats, groups: Groups) -> Cells:
    """The cells of numbers (n, 1), none of which may be too large: the cells tell whether to look for one."""
    cells = Cells.collect(values, groups)
    if np.abs(cells.place).max(initial=0.0) > LIMIT / 2:
        Numbers((column.name,), values).refuse_extremes(0, len(values))
    return cells


def class_groups(target: Column | None, raw: Raw | None, n: int, weight: Floats | None) -> Groups:
    """The class of each row; all of one without a target."""
    if target is None or raw is None:
        return Groups.one(n, weight)
    codes = target.coded(raw).as_they_are(0, n) if raw.values.ndim == 1 else None
    codes = class_codes(target, raw) if codes is None else codes[:, 0]
    return Groups.hard(codes, len(target.levels or ()), weight)


def _moments_beside(parts: Sequence[Moments], n_groups: int) -> Moments:
    """The moments of several columns as of one table."""
    empty = np.zeros((n_groups, 0))
    names = ("n", "mean", "scatter", "mean_rest")
    return Moments(*(np.concatenate([empty, *(getattr(p, name) for p in parts)], axis=1) for name in names))
