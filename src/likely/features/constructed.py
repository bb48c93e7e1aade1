"""What transformers share that make new columns of several old ones: tables in and out, names, reports."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from likely.errors import LikelyError
from likely.estimator.check_column import check_schema, demand
from likely.estimator.fitted import FittedModel, refuse_empty, row_weights, split_target
from likely.export.sql_text import sql_name
from likely.features.cell_table import CellTable
from likely.features.new_table import NewColumn, new_table
from likely.features.pictures import draw_values
from likely.features.transformer import drawn_column
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.build import values_of
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type
from likely.table.frame import Frame, free_name
from likely.table.schema import Schema, declared_by_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class LookedAt:
    """What a transformer knows that learns nothing: the columns, and those of them that it looks at."""

    schema: Schema
    used: tuple[int, ...]
    n: float
    target_name: str = ""  # of the column that was left out

    @property
    def n_parameters(self) -> int:
        """None: nothing is learnt."""
        return 0

    def trained_on(self) -> dict[str, Any]:
        """What it was trained on, in plain words."""
        return {"weight_of_rows": self.n, "columns": list(self.schema.names)}

    def check(self) -> None:
        """Refuse a record of which no transformer could have been fitted."""
        check_schema(self.schema)
        demand(all(0 <= j < len(self.schema.columns) for j in self.used), "it has columns that are not there")


class Constructed(FittedModel, TransformerMixin, BaseEstimator):
    """Columns -> new columns, beside those that it leaves as they are.

    A subclass learns a record with a schema (`fit`), and says which of the old columns stay (`_kept`), what
    the new ones are (`_new_columns`) and what is in them (`_new_values`).
    """

    columns: Any
    kinds: Kinds

    @property
    def deductive(self) -> bool:
        """Whether nothing is chosen: the new columns follow from the old ones alone."""
        return False

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return False

    @abstractmethod
    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn from a table."""

    def _kept(self) -> Sequence[int]:
        """The places of the columns that come out as they went in."""
        return range(len(self._known().schema.columns))

    @abstractmethod
    def _new_columns(self) -> Sequence[Column]:
        """The new columns, m of them."""

    @abstractmethod
    def _new_values(self, frame: Frame) -> Any:
        """What is in them, (n, m): numbers, codes of levels, or 0 and 1, NaN where missing; or texts."""

    def _sql(self) -> Sequence[str]:
        """Each new column as an expression of SQL."""
        raise LikelyError(f"{type(self).__name__} makes columns for which there is no SQL: use transform.")

    def _features(self, X: TableLike, y: Target | None) -> tuple[Frame, str]:
        """The table without its target, and what that is called if it is a column of the table."""
        frame = split_target(X, y, type(self).__name__)[0] if isinstance(y, str) else Frame.of(X)
        refuse_empty(frame)
        return frame, y if isinstance(y, str) else ""

    def _schema(self, frame: Frame) -> Schema:
        """The columns of a table to learn from; those that are named must be there."""
        declared_by_name(frame.names, dict.fromkeys(self.columns or ()), "columns")
        return Schema.learn(frame, self.kinds)

    def _weight(self, sample_weight: Weights, n: int) -> float:
        """How much the rows count together."""
        weight = row_weights(sample_weight, n)
        return float(n if weight is None else weight.sum())

    def fit_transform(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Any:
        """Learn from a table, and change it; a target that is a column of it does not come out."""
        return self.fit(X, y, sample_weight).transform(X)

    def transform(self, X: TableLike) -> Any:
        """The table with its new columns, in the library that it came in."""
        frame = self._frame(self._without_target(X))
        schema = self._known().schema
        old = [NewColumn(schema.columns[j].name, schema.columns[j], None) for j in self._kept()]
        values = self._new_values(frame)
        new = [
            NewColumn(name, column, cells if column.kind is Kind.TEXT else cells.astype(np.float64))
            for name, column, cells in zip(self._new_names(), self._new_columns(), values.T, strict=True)
        ]
        return new_table(X, frame, [*old, *new], self)

    def _without_target(self, X: TableLike) -> Frame:
        """The table; the target, if it is still there, is left out."""
        record, frame = self._known(), Frame.of(X)
        name: str = getattr(record, "target_name", "")
        there = frame.named and name in frame.position and name not in record.schema.names
        return frame.without(name) if there else frame

    def _new_names(self) -> list[str]:
        """What the new columns are called; no name twice."""
        columns = self._known().schema.columns
        taken = {columns[j].name for j in self._kept()}
        names = []
        for column in self._new_columns():
            names.append(free_name(column.name, taken))
            taken.add(names[-1])
        return names

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The names of the columns that come out."""
        from sklearn.utils.validation import _check_feature_names_in

        columns = self._known().schema.columns
        _check_feature_names_in(self, input_features)
        return np.asarray([*(columns[j].name for j in self._kept()), *self._new_names()], object)

    def inverse_transform(self, X: TableLike) -> Any:
        """The table as it was: the new columns are left out."""
        columns = self._known().schema.columns
        kept = list(self._kept())
        if len(kept) < len(columns):
            raise LikelyError(f"{type(self).__name__} did not keep all columns: they cannot be had back.")
        frame = self._came_out(X)
        return new_table(X, frame, [NewColumn(columns[j].name, columns[j], None) for j in kept], self)

    def _came_out(self, X: TableLike) -> Frame:
        """A table with the columns that came out, under their names."""
        frame, names = Frame.of(X), self.get_feature_names_out().tolist()
        if frame.named and all(name in frame.position for name in names):
            return frame.only(names)
        if frame.named or len(frame.names) != len(names):
            lacks = next((name for name in names if name not in frame.position), names[0])
            raise LikelyError(
                f"X has {len(frame.names)} columns and not all of the {len(names)} that came out of "
                f"transform, such as {lacks!r}: give those."
            )
        return frame.renamed(names)

    def to_sql(self, table: str = "rows") -> str:
        """A SELECT that makes the new columns of those of a table with these names."""
        schema = self._known().schema
        old = [f"  {sql_name(schema.columns[j].name)}" for j in self._kept()]
        pairs = zip(self._sql(), self._new_names(), strict=True)
        new = [f"  {expression} AS {sql_name(name)}" for expression, name in pairs]
        return "SELECT\n" + ",\n".join([*old, *new]) + f"\nFROM {sql_name(table)}"

    def explain(self, X: TableLike, row: int = 0) -> CellTable:
        """What the new columns say of one row."""
        frame = self._frame(self._without_target(X))
        if not -frame.n <= row < frame.n:
            raise LikelyError(f"row={row}: the table has {frame.n} rows.")
        values = self._new_values(frame.at(np.array([row % frame.n])))[0]
        triples = zip(self._new_names(), self._new_columns(), values, strict=True)
        lines = [{"column": name, "value": _value(column, cell)} for name, column, cell in triples]
        return CellTable(f"row {row}: {self._says()}", tuple(lines))

    def plot(self, column: str | None = None, X: TableLike | None = None, ax: Axes | None = None) -> Axes:
        """A new column as it is in the rows of a table: its histogram, or how often each level occurs."""
        if X is None:
            raise LikelyError(f"{type(self).__name__} keeps no rows to draw: give a table, plot(column, X).")
        place = self._chosen(column)
        values = self._new_values(self._frame(self._without_target(X)))[:, place]
        return draw_values(self._new_columns()[place], self._new_names()[place], values, ax)

    def _chosen(self, column: str | None) -> int:
        """Which of the new columns is meant; the only one if none is named."""
        names = self._new_names()
        return names.index(drawn_column(self, column, names))

    def table(self) -> Any:
        """The new columns, and their kinds."""
        pairs = zip(self._new_names(), self._new_columns(), strict=True)
        return CellTable(self._says(), tuple({"column": n, "kind": str(c.kind)} for n, c in pairs))

    def describe(self) -> str:
        """What it is, and its new columns."""
        new = [f"  {column.name} ({column.kind})" for column in self._new_columns()]
        return "\n".join([self._says(), *(new or ["  no new columns"])])

    def _says(self) -> str:
        """What it is, in a line: whether it learns, and from what."""
        learns = "deductive" if self.deductive else "learns from the rows"
        looks = "looks at the target" if self.supervised else "does not look at the target"
        return f"{self!r}: {learns}, and {looks}; from {self._known().n:g} rows."

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.supervised
        tags.transformer_tags.preserves_dtype = []
        return tags


def of_truths(name: str) -> Column:
    """A new column of true and false."""
    return Column(name, Kind.BOOLEAN, Type.BOOLEAN)


def _value(column: Column, cell: Any) -> Any:
    """A cell of a new column as people write it; None where it is missing."""
    if column.kind is Kind.TEXT:
        return cell
    if cell is None or np.isnan(float(cell)):
        return None
    return values_of(column, [int(cell) if column.levels is not None else float(cell)], "dict")[0]
