"""Cartesian products: two or more columns of levels as one, with a level for each combination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from likely.errors import LikelyError, notice
from likely.estimator.check_column import check_schema, check_target, demand
from likely.estimator.fitted import (
    class_codes,
    counted_rows,
    refuse_empty,
    row_weights,
    split_target,
    target_column,
)
from likely.estimator.record import Story
from likely.export.sql_text import sql_name, sql_value
from likely.features.cell_table import CellTable
from likely.features.constructed import Constructed
from likely.features.counted import codes_of, is_levels, level_values
from likely.features.new_table import NewColumn, new_table
from likely.features.partition import Partition
from likely.features.pictures import draw_cells
from likely.format.words import different, shown
from likely.language.query import name as written
from likely.stats.groups import Floats, Ints
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class CrossRecord:
    """The columns, which of them are crossed, and how much of each class is of each combination."""

    schema: Schema
    target: Column | None
    totals: Floats  # (g,) the weight of each class
    crossed: tuple[tuple[int, ...], ...]  # the places of the columns of each product
    counts: tuple[Floats, ...]  # of each (g, levels of the first, levels of the second, ...)

    @property
    def n(self) -> float:
        """The weight of the rows that were counted."""
        return float(self.totals.sum())

    @property
    def target_name(self) -> str:
        """What the classes are of."""
        return "" if self.target is None else self.target.name

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in order; none without a target."""
        return () if self.target is None else tuple(self.target.levels or ())

    @property
    def n_parameters(self) -> int:
        """How many numbers are kept: one for each class at each combination."""
        return sum(table.size for table in self.counts)

    def levels(self, places: Sequence[int]) -> list[tuple[Any, ...]]:
        """The levels of each of some columns."""
        return [level_values(self.schema.columns[j]) for j in places]

    def __add__(self, other: CrossRecord) -> CrossRecord:
        """What was counted in both; levels and classes that only one has seen are taken in."""
        schema = self.schema.widened(other.schema)
        if (self.target is None) is not (other.target is None):
            raise LikelyError("one of the two has learnt with a target, the other without: fit them alike.")
        if self.crossed != other.crossed:
            raise LikelyError(
                "the two have crossed other columns: name them in `columns` and fit them alike."
            )
        target = None if self.target is None or other.target is None else self.target.widened(other.target)
        mine, theirs = self._in(schema, target), other._in(schema, target)
        counts = tuple(a + b for a, b in zip(mine.counts, theirs.counts, strict=True))
        return replace(mine, totals=mine.totals + theirs.totals, counts=counts)

    def _in(self, schema: Schema, target: Column | None) -> CrossRecord:
        """The same in the places that more levels and classes have."""
        new = CrossRecord(schema, target, np.empty(0), self.crossed, ())
        groups = _places(self.classes, new.classes) if target is not None else np.zeros(1, np.intp)
        g = max(len(new.classes), 1)
        totals = np.zeros(g)
        totals[groups] = self.totals
        counts = []
        for places, table in zip(self.crossed, self.counts, strict=True):
            before, now = self.levels(places), new.levels(places)
            wider = np.zeros((g, *map(len, now)))
            wider[np.ix_(groups, *(_places(a, b) for a, b in zip(before, now, strict=True)))] = table
            counts.append(wider)
        return replace(new, totals=totals, counts=tuple(counts))

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row: a transformer draws none."""
        steps = ("Take the levels that a row has in the columns that are crossed.", "Name them together.")
        return Story(model, steps, "new = (level of the first, level of the second, ...).", "", "a row")

    def trained_on(self) -> dict[str, Any]:
        """What it was trained on, in plain words."""
        said = {"weight_of_rows": self.n, "columns": list(self.schema.names)}
        return said | ({} if self.target is None else {"target": self.target.name})

    def check(self) -> None:
        """Refuse a record of which no transformer could have been fitted."""
        check_schema(self.schema)
        if self.target is not None:
            check_target(self.target)
        g, d = max(len(self.classes), 1), len(self.schema.columns)
        demand(self.totals.shape == (g,) and bool((self.totals >= 0).all()), "its classes have no weights")
        demand(0 < self.n < np.inf, "it has seen no rows")
        demand(len(self.counts) == len(self.crossed), "its products are not counted")
        for places, table in zip(self.crossed, self.counts, strict=True):
            demand(all(0 <= j < d and is_levels(self.schema.columns[j]) for j in places), "it has no levels")
            sizes = (g, *map(len, self.levels(places)))
            demand(table.shape == sizes and bool((table >= 0).all()), "its counts are of other levels")


class Cross(Constructed):
    """Cross columns of levels: one new column with a level for each combination (Cartesian product).

    A model that takes columns to be independent, or adds what they say, sees of the product what they say
    together. Levels stand in the order of the first column, then of the second; combinations that were
    never seen are levels, too. Where a cell is missing, or its level never seen, so is the combination.

    Parameters
    ----------
    columns : sequence of str, or of sequences of str, optional
        The columns to cross, each `degree` of them; or each product by itself: `[("shape", "colour")]`.
        Default: all levels and truth values.
    degree : int
        How many columns a product has, if `columns` does not say.
    max_levels : int
        The most levels of a product: one that would have more is left out with a notice, or refused if
        `columns` asks for it.
    keep : bool
        Whether the columns that are crossed come out, too.
    kinds : mapping, optional
        Kinds of columns, where their types do not tell.

    Examples
    --------
    >>> import likely
    >>> things = {"shape": ["round", "square"], "red": [True, False]}
    >>> likely.Cross(keep=False).fit_transform(things)["shape x red"].tolist()
    ['round, True', 'square, False']
    """

    record_: CrossRecord

    def __init__(
        self,
        columns: Sequence[str] | Sequence[Sequence[str]] | None = None,
        *,
        degree: int = 2,
        max_levels: int = 10_000,
        keep: bool = True,
        kinds: Kinds = None,
    ) -> None:
        self.columns = columns
        self.degree = degree
        self.max_levels = max_levels
        self.keep = keep
        self.kinds = kinds

    @property
    def deductive(self) -> bool:
        """Whether nothing is chosen."""
        return True

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Look at the levels, and count the combinations; of classes, if there is a target."""
        for option in ("degree", "max_levels"):
            value = getattr(self, option)
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 2:
                raise LikelyError(f"{option}={value!r}: give a whole number from 2.")
        self._take(self._count(X, y, sample_weight))
        return self

    def partial_fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn from more rows: levels and classes are taken in as they come."""
        if not hasattr(self, "record_"):
            return self.fit(X, y, sample_weight)
        self._take(self._known() + self._count(X, y, sample_weight, self._known()))
        return self

    def __add__(self, other: Self) -> Self:
        """The transformer of the rows of both."""
        if type(other) is not type(self) or other.get_params() != self.get_params():
            raise LikelyError(f"only two transformers made alike can be added: {self!r}, {other!r}.")
        return self._with_record(self._known() + other._known())

    def _count(
        self, X: TableLike, y: Target | None, sample_weight: Weights, known: CrossRecord | None = None
    ) -> CrossRecord:
        X, y, sample_weight = counted_rows(X, y, sample_weight)
        frame, raw = (Frame.of(X), None) if y is None else split_target(X, y, "Cross")
        if known is not None:
            frame = known.schema.align(frame, "Cross")
        refuse_empty(frame)
        schema = Schema.learn(frame, self.kinds if known is None else known.schema.declarations)
        try:
            target = None if raw is None else target_column(raw)
        except LikelyError:  # a number: pipelines hand over the targets of regressions
            target = None
        codes = np.zeros(frame.n, np.intp) if target is None or raw is None else class_codes(target, raw)
        g = 1 if target is None else len(target.levels or ())
        weight = row_weights(sample_weight, frame.n)
        weight = np.ones(frame.n) if weight is None else weight
        crossed = self._products(schema) if known is None else known.crossed
        record = CrossRecord(
            schema, target, np.asarray(np.bincount(codes, weight, g), np.float64), crossed, ()
        )
        counts = []
        for places in crossed:
            sizes = tuple(map(len, record.levels(places)))
            at = _codes(schema, frame, places)
            seen = at >= 0
            flat = codes[seen] * prod(sizes) + at[seen]
            table = np.bincount(flat, weight[seen], g * prod(sizes)) if prod(sizes) else np.zeros(0)
            counts.append(np.asarray(table, np.float64).reshape(g, *sizes))
        return replace(record, counts=tuple(counts))

    def _products(self, schema: Schema) -> tuple[tuple[int, ...], ...]:
        """The places of the columns of each product."""
        names = list(schema.names)
        listed = list(self.columns or ())
        each = bool(listed) and not isinstance(listed[0], str)
        asked = [name for group in listed for name in ([group] if isinstance(group, str) else group)]
        declared_by_name(names, dict.fromkeys(asked), "columns")
        for name in asked:
            column = schema.columns[names.index(name)]
            if not is_levels(column):
                raise LikelyError(
                    f"column {name!r} is {column.kind}, and Cross takes levels: put it into bins first with "
                    f"Discretize, or declare it with kinds={{{name!r}: 'categorical'}}."
                )
        usual = [j for j, column in enumerate(schema.columns) if is_levels(column)]
        if each:
            wanted = [tuple(names.index(name) for name in group) for group in listed]
        else:
            some = [names.index(name) for name in asked] if self.columns is not None else usual
            wanted = list(combinations(some, self.degree))
        made, large = [], []
        for places in wanted:
            said = " x ".join(names[j] for j in places)
            if len(set(places)) < max(len(places), 2):
                raise LikelyError(f"the product {said!r} in `columns`: name two columns or more, each once.")
            size = prod(len(level_values(schema.columns[j])) for j in places)
            if size <= self.max_levels:
                made.append(places)
            elif self.columns is not None:
                raise LikelyError(
                    f"{said} has {size} levels, more than max_levels={self.max_levels}: merge rare levels "
                    "first with GroupLevels, or raise max_levels."
                )
            else:
                large.append(said)
        if large:
            more = f" and {len(large) - 3} more" if len(large) > 3 else ""
            notice(
                f"{', '.join(map(repr, large[:3]))}{more} left out: more than max_levels={self.max_levels} "
                "combinations. Merge rare levels first with GroupLevels, or raise max_levels.",
            )
        return tuple(made)

    def _known(self) -> CrossRecord:
        record: CrossRecord = super()._known()
        return record

    def _kept(self) -> Sequence[int]:
        record = self._known()
        crossed = set() if self.keep else {j for places in record.crossed for j in places}
        return [j for j in range(len(record.schema.columns)) if j not in crossed]

    def _new_columns(self) -> Sequence[Column]:
        record = self._known()
        return [_column(record, places) for places in record.crossed]

    def _new_values(self, frame: Frame) -> Floats:
        record = self._known()
        columns = [_codes(record.schema, frame, places) for places in record.crossed]
        if not columns:
            return np.zeros((frame.n, 0))
        codes = np.column_stack(columns)
        return np.where(codes < 0, np.nan, codes)

    def inverse_transform(self, X: TableLike) -> Any:
        """The table as it was: each column that was crossed is read off a product that it is part of."""
        if self.keep:
            return super().inverse_transform(X)
        record, frame = self._known(), self._came_out(X)
        back: dict[int, Floats] = {}
        for name, column, places in zip(self._new_names(), self._new_columns(), record.crossed, strict=True):
            raw = frame.raw(name)
            codes = np.asarray(raw.numbers(), np.float64) if not frame.named else _level_codes(column, raw)
            known = ~np.isnan(codes)
            parts = np.unravel_index(
                np.where(known, codes, 0).astype(np.intp), [len(v) for v in record.levels(places)]
            )
            back |= {j: np.where(known, part, np.nan) for j, part in zip(places, parts, strict=True)}
        columns = [
            NewColumn(column.name, column, back.get(j), back=True)
            for j, column in enumerate(record.schema.columns)
        ]
        return new_table(X, frame, columns, self)

    def _sql(self) -> list[str]:
        record, expressions = self._known(), []
        for places, column in zip(record.crossed, self._new_columns(), strict=True):
            names = [sql_name(record.schema.columns[j].name) for j in places]
            cases = []
            for levels, label in zip(product(*record.levels(places)), column.levels or (), strict=True):
                pairs = zip(names, levels, places, strict=True)
                holds = [f"{name} = {sql_value(level, record.schema.columns[j])}" for name, level, j in pairs]
                cases.append(f" WHEN {' AND '.join(holds)} THEN {sql_value(label)}")
            expressions.append(f"CASE{''.join(cases)} END" if cases else "NULL")
        return expressions

    def table(self, columns: Sequence[str] | str | None = None) -> CellTable:
        """The combinations: rows, classes, rate, evidence with its 90 % interval, bits told."""
        wanted = None if columns is None else [columns] if isinstance(columns, str) else list(columns)
        parts = [part for part in self._partitions() if wanted is None or part.column.name in wanted]
        return CellTable.of(self._says(), parts, self._known().classes)

    def plot(self, column: str | None = None, X: TableLike | None = None, ax: Axes | None = None) -> Axes:
        """The evidence of each combination with 90 % intervals (two classes), or its rows; or those of X."""
        if X is not None:
            return super().plot(column, X, ax)
        return draw_cells(self._partitions()[self._chosen(column)], self._known().classes, ax)

    def _partitions(self) -> list[Partition]:
        record = self._known()
        parts = []
        for name, column, table in zip(self._new_names(), self._new_columns(), record.counts, strict=True):
            counts = table.reshape(len(table), -1)
            never = int((counts.sum(axis=0) == 0).sum())
            why = f"{never} of {counts.shape[1]} combinations never seen" if never else ""
            labels = tuple(column.levels or ())
            parts.append(
                Partition(replace(column, name=name), labels, counts, cell_of=np.arange(len(labels)), why=why)
            )
        return parts


def _column(record: CrossRecord, places: Sequence[int]) -> Column:
    name = " x ".join(written(record.schema.columns[j].name) for j in places)
    labels = [
        ", ".join(shown(level) or "missing" for level in levels) for levels in product(*record.levels(places))
    ]
    return Column(name, Kind.CATEGORICAL, Type.CATEGORY, tuple(different(labels)), listed=True)


def _codes(schema: Schema, frame: Frame, places: Sequence[int]) -> Ints:
    """The combination of each row, (n,); -1 where a cell is missing, or its level never seen."""
    at = np.zeros(frame.n, np.intp)
    known = np.ones(frame.n, bool)
    for j in places:
        codes = codes_of(schema, frame, j)
        known &= codes >= 0
        at = at * len(level_values(schema.columns[j])) + codes
    return np.where(known, at, -1)


def _level_codes(column: Column, raw: Any) -> Floats:
    """The level of each cell, (n,), NaN where missing."""
    codes = np.empty(len(raw.values), np.intp)
    column.coded(raw).rows(0, len(codes), codes)
    return np.where(codes < 0, np.nan, codes)


def _places(before: Sequence[Any], now: Sequence[Any]) -> Ints:
    place = {level: i for i, level in enumerate(now)}
    return np.array([place[level] for level in before], np.intp)
