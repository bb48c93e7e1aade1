"""What all transformers share: tables in and out, names, pieces that add, reports, files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from likely.errors import LikelyError
from likely.estimator.fitted import (
    FittedModel,
    counted_rows,
    refuse_empty,
    row_weights,
    split_target,
    target_column,
)
from likely.export.sql_text import sql_name
from likely.features.cell_table import CellTable
from likely.features.counted import Counted, class_groups, codes_of, is_numbers, numbers_of
from likely.features.counted_blocks import LargeRows
from likely.features.new_table import NewColumn, new_table
from likely.features.partition import ColumnMap, Partition
from likely.features.pictures import draw_cells
from likely.stats import Groups
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.column.raw import Raw
from likely.table.frame import Frame, free_name, is_large
from likely.table.schema import Schema, declared_by_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Transformer(FittedModel, TransformerMixin, BaseEstimator):
    """Columns -> columns, each by itself, by what was counted of it (and of the classes).

    A subclass says which columns it changes (`_applies`) and what becomes of one (`_learn`); what it learns
    is one statistic, so that pieces add. Columns that it does not change come out as they went in.
    """

    record_: Counted
    columns: Sequence[str] | None
    kinds: Kinds
    deductive = False  # whether nothing is chosen: the new columns follow from the old ones alone

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return False

    @property
    def _spread(self) -> bool:
        """Whether it needs the variance of numbers besides how much lies at each."""
        return False

    @abstractmethod
    def _applies(self, column: Column) -> bool:
        """Whether a column is one that it changes."""

    @abstractmethod
    def _learn(self, record: Counted, j: int) -> ColumnMap:
        """What becomes of a column."""

    def _check_options(self) -> None:
        """Refuse options that mean nothing."""

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn from a table; y are the classes, or the name of the column that holds them."""
        self._check_options()
        self._take(self._count(X, y, sample_weight, self.kinds))
        return self

    def fit_transform(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Any:
        """Learn from a table, and change it; a target that is a column of it does not come out."""
        return self.fit(X, y, sample_weight).transform(X)

    def partial_fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn from more rows: pieces are the whole, and levels and classes are taken in as they come."""
        if not hasattr(self, "record_"):
            return self.fit(X, y, sample_weight)
        old = self._known()
        self._take(old + self._count(X, y, sample_weight, old.schema.declarations, old.schema))
        return self

    def __add__(self, other: Self) -> Self:
        """The transformer of the rows of both."""
        if type(other) is not type(self) or other.get_params() != self.get_params():
            raise LikelyError(
                f"only two transformers made alike can be added: {self!r} and {other!r} are not."
            )
        return self._with_record(self._known() + other._known())

    def _count(
        self, X: TableLike, y: Target | None, weight: Weights, kinds: Kinds, known: Schema | None = None
    ) -> Counted:
        if is_large(X):
            name = type(self).__name__
            large = LargeRows.of(X, y, kinds, name, weight, self.supervised)
            told = large.table.frame if known is None else known.align(large.table.frame, name)
            declared_by_name(told.names, dict.fromkeys(self.columns or ()), "columns")
            return large.counted(told, kinds, self._target, self._spread)
        schema, target, frame, groups = self._looked_at(X, y, weight, kinds, known)
        return Counted.of(schema, target, frame, groups, self._spread)

    def _looked_at(
        self, X: TableLike, y: Target | None, weight: Weights, kinds: Kinds, known: Schema | None = None
    ) -> tuple[Schema, Column | None, Frame, Groups]:
        """The columns, the target, the table without it, and the class of each row."""
        name = type(self).__name__
        X, y, weight = counted_rows(X, y, weight)
        frame, raw = (Frame.of(X), None) if y is None and not self.supervised else split_target(X, y, name)
        if known is not None:
            frame = known.align(frame, name)
        refuse_empty(frame)
        declared_by_name(frame.names, dict.fromkeys(self.columns or ()), "columns")
        schema, target = Schema.learn(frame, kinds), self._target(raw)
        groups = class_groups(target, raw, frame.n, row_weights(weight, frame.n))
        return schema, target, frame, groups

    def _target(self, raw: Raw | None) -> Column | None:
        """The classes. Who does not need them takes any target: pipelines hand over those of regressions."""
        if raw is None:
            return None
        try:
            return target_column(raw)
        except LikelyError:
            if self.supervised:
                raise
            return None

    def _frame(self, X: TableLike) -> Frame:
        """A table to change; the target, if it is still there, is left out."""
        record, frame = self._known(), Frame.of(X)
        if frame.named and record.target is not None and record.target_name in frame.position:
            frame = (
                frame.without(record.target_name) if record.target_name not in record.schema.names else frame
            )
        return super()._frame(frame)

    def _known(self) -> Counted:
        record: Counted = super()._known()
        return record

    def _take(self, record: Counted, estimate: bool = True) -> None:
        """Be the transformer of this record."""
        super()._take(record, estimate)
        self._learnt: tuple[ColumnMap | None, ...] | None = None
        if estimate:
            self._maps()

    def _maps(self) -> tuple[ColumnMap | None, ...]:
        """What becomes of each column; None where it stays as it is."""
        record = self._known()
        if self._learnt is None:
            self._learnt = self._made(record)
        return self._learnt

    def _made(self, record: Counted) -> tuple[ColumnMap | None, ...]:
        """What would become of each column by another record."""
        chosen = None if self.columns is None else set(self.columns)
        made: list[ColumnMap | None] = []
        for j, column in enumerate(record.schema.columns):
            asked = chosen is None or column.name in chosen
            if chosen is not None and asked and not self._applies(column):
                self._refuse(column)
            made.append(self._learn(record, j) if asked and self._applies(column) else None)
        return tuple(made)

    def _refuse(self, column: Column) -> None:
        """Refuse a column that was asked for, and to which this does not apply."""
        raise LikelyError(
            f"column {column.name!r} is {column.kind}, which {type(self).__name__} leaves alone: "
            "leave it out of `columns`, or declare its kind with `kinds`."
        )

    def transform(self, X: TableLike) -> Any:
        """The table with its new columns, in the library that it came in."""
        return self._changed(X, self._frame(X), self._maps())

    def _changed(self, X: TableLike, frame: Frame, maps: Sequence[ColumnMap | None]) -> Any:
        schema = self._known().schema
        columns: list[NewColumn] = []
        for j, (name, change) in enumerate(zip(self._names(maps), maps, strict=True)):
            if change is None:
                columns.append(NewColumn(name[0], schema.columns[j], None))
                continue
            values = change.values(cells_of(schema, frame, j))
            outputs = zip(name, change.outputs, values.T, strict=True)
            columns += [NewColumn(one, column, cells) for one, column, cells in outputs]
        return new_table(X, frame, columns, self)

    def _put_back(self, X: TableLike, frame: Frame, back: Sequence[Any]) -> Any:
        """A table of the columns as they were, of numbers; None for one that is as it came."""
        columns = [
            NewColumn(name, column if values is not None else replace(column, name=name), values)
            for name, column, values in zip(frame.names, self._known().schema.columns, back, strict=True)
        ]
        return new_table(X, frame, columns, self)

    def _names(self, maps: Sequence[ColumnMap | None]) -> list[list[str]]:
        """What the new columns are called, for each of the old; no name twice."""
        old = self._known().schema.names
        kept = {name for name, change in zip(old, maps, strict=True) if change is None}
        names: list[list[str]] = []
        for name, change in zip(old, maps, strict=True):
            mine = []
            for column in () if change is None else change.outputs:
                mine.append(free_name(column.name, kept))
                kept.add(mine[-1])
            names.append([name] if change is None else mine)
        return names

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The names of the columns that come out."""
        from sklearn.utils.validation import _check_feature_names_in

        names = self._names(self._maps())
        _check_feature_names_in(self, input_features)
        return np.asarray([one for name in names for one in name], object)

    def table(self, columns: Sequence[str] | str | None = None) -> CellTable:
        """The cells of the columns: rows, classes, rate, evidence with its 90 % interval, bits told.

        Evidence is in nats: how much the log-odds of the second of two classes rise; of more classes, how
        much the log-probability of each does. Each cell is taken to have two rows of the base rate besides
        its own, so that it is finite. The bits of all cells add up to the mutual information.
        """
        record, wanted = self._known(), None if columns is None else _listed(columns)
        declared_by_name(record.schema.names, dict.fromkeys(wanted or ()), "columns")
        parts = [part for _, part in self._cells_shown() if wanted is None or part.column.name in wanted]
        return CellTable.of(f"{self!r}, {self._rows_said()}", parts, record.classes)

    def _cells_shown(self) -> list[tuple[int, Partition]]:
        """The columns that people are shown, each by its cells."""
        return [(j, one.partition) for j, one in enumerate(self._maps()) if one is not None]

    def explain(self, X: TableLike, row: int = 0) -> CellTable:
        """Where the values of one row lie, and what is known of these cells."""
        frame, record = self._frame(X), self._known()
        if not -frame.n <= row < frame.n:
            raise LikelyError(f"row={row}: the table has {frame.n} rows.")
        one, only, parts = frame.at(np.array([row % frame.n])), [], []
        for j, part in self._cells_shown():
            cell = int(part.place(cells_of(record.schema, one, j))[0])
            only.append((cell, one.raw(record.schema.columns[j].name).item(0)))
            parts.append(part)
        return CellTable.of(f"row {row}, {self._rows_said()}", parts, record.classes, only)

    def plot(self, column: str | None = None, ax: Axes | None = None) -> Axes:
        """The cells of a column: of two classes the evidence of each with its interval, else its rows."""
        return draw_cells(self._shown(column), self._known().classes, ax)

    def _shown(self, column: str | None) -> Partition:
        """The cells of a column that is changed; of the only one if none is named."""
        parts = {m.partition.column.name: m.partition for m in self._maps() if m is not None}
        return parts[drawn_column(self, column, list(parts))]

    def _as_came_out(self, X: TableLike) -> Frame:
        """A table with the columns that came out."""
        frame, width = Frame.of(X), sum(map(len, self._names(self._maps())))
        if len(frame.names) != width:
            raise LikelyError(f"X has {len(frame.names)} columns, and {width} came out.")
        return frame

    def to_sql(self, table: str = "rows") -> str:
        """A SELECT that makes the new columns of those of a table with these names."""
        names, lines = self._names(self._maps()), []
        for mine, change, column in zip(names, self._maps(), self._known().schema.columns, strict=True):
            expressions = [sql_name(column.name)] if change is None else change.sql()
            pairs = zip(expressions, mine, strict=True)
            lines += [f"  {expression} AS {sql_name(name)}" for expression, name in pairs]
        if not lines:
            raise LikelyError(
                f"{type(self).__name__} leaves no column of this table, and SQL has no table without any: "
                "give it more columns."
            )
        return "SELECT\n" + ",\n".join(lines) + f"\nFROM {sql_name(table)}"

    def describe(self) -> str:
        """In words: what becomes of each column, whether it looks at the target, and whether it learns."""
        learns = "deductive: nothing is chosen" if self.deductive else "informed: it learns from the rows"
        looks = "looks at the target" if self.supervised else "does not look at the target"
        lines = [f"{self!r}: {learns}, and {looks}; {self._rows_said()}."]
        for change, column in zip(self._maps(), self._known().schema.columns, strict=True):
            if change is None or not change.outputs:
                lines.append(
                    f"  {column.name} ({column.kind}): {'as it is' if change is None else 'left out'}"
                )
                continue
            new = ", ".join(f"{out.name} ({out.kind})" for out in change.outputs[:4])
            new += ", ..." if len(change.outputs) > 4 else ""
            why = f": {change.partition.why}" if change.partition.why else ""
            lines.append(f"  {column.name} ({column.kind}) -> {new}{why}")
        return "\n".join(lines)

    def _rows_said(self) -> str:
        record = self._known()
        rows = f"from {record.n:g} rows"
        return rows + (f" with target {record.target_name!r}" if record.classes else "")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.supervised
        tags.transformer_tags.preserves_dtype = []
        return tags


def cells_of(schema: Schema, frame: Frame, j: int) -> Any:
    """The numbers of a column, or the codes of its levels, (n,)."""
    return numbers_of(schema, frame, j) if is_numbers(schema.columns[j]) else codes_of(schema, frame, j)


def drawn_column(model: object, column: str | None, names: Sequence[str]) -> str:
    """The column that is asked for, or the only one that there is to draw."""
    if not names:
        raise LikelyError(
            f"{type(model).__name__} makes no new column of this table: nothing is there to draw."
        )
    if column is None and len(names) == 1:
        return names[0]
    if column is None or column not in names:
        raise LikelyError(f"column={column!r}: choose one of {list(names)[:10]!r}.")
    return column


def place_with_values(record: Counted, column: str) -> int:
    """Where a column stands, of which a value must have been seen."""
    j = list(record.schema.names).index(column)
    if not record.known(j).any():
        raise LikelyError(f"column {column!r} is missing in every row: nothing is there to draw.")
    return j


def _listed(columns: Sequence[str] | str) -> list[str]:
    return [columns] if isinstance(columns, str) else list(columns)


def one_of(option: str, given: object, known: Sequence[object]) -> None:
    """Refuse a word that an option does not know."""
    if given not in known:
        raise LikelyError(f"{option}={given!r} is unknown: use one of {', '.join(map(repr, known))}.")
