"""What transformers share that make new columns of several old ones: tables in and out, names, reports."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from likely.estimator.fitted import FittedModel
from likely.features.new_table import NewColumn, new_table
from likely.table.accepted import TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type
from likely.table.frame import Frame, free_name


class Constructed(FittedModel, TransformerMixin, BaseEstimator):
    """Columns -> new columns, beside those that it leaves as they are.

    A subclass learns a record with a schema (`fit`), and says which of the old columns stay (`_kept`), what
    the new ones are (`_new_columns`) and what is in them (`_new_values`).
    """

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

    @abstractmethod
    def _kept(self) -> Sequence[int]:
        """The places of the columns that come out as they went in."""

    @abstractmethod
    def _new_columns(self) -> Sequence[Column]:
        """The new columns, m of them."""

    @abstractmethod
    def _new_values(self, frame: Frame) -> Any:
        """What is in them, (n, m): numbers, codes of levels, or 0 and 1, NaN where missing; or texts."""

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
