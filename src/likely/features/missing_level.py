"""Levels with gaps -> levels of which one says that the cell is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.features.counted import Counted, is_levels, level_values
from likely.features.levels import places_of
from likely.features.new_table import NewColumn, new_table
from likely.features.partition import CellMap, ColumnMap, Partition
from likely.features.transformer import Transformer
from likely.format.words import shown
from likely.table.accepted import Kinds, TableLike
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type


class MissingLevel(Transformer):
    """Make a level of its own of missing cells (a designated value).

    That a cell is missing may tell something: who does not say what they earn, a test that nobody ordered.
    Models of this library leave missing cells out, unless they are fitted with `missing="level"`; this does
    the same for any learner. Truth values become three levels; an order is given up, for what is missing has
    no place in it. Levels never seen stay missing, and numbers as they are: cut them with `Discretize` first,
    or have a column beside them by `Impute(indicator=True)`.

    Parameters
    ----------
    label : str
        What the level is called. A column that has such a level already is refused.
    columns, kinds
        As in `Discretize`; without `columns`, all columns of levels that had gaps when it was fitted.

    Examples
    --------
    >>> import likely
    >>> jobs = {"job": ["cook", None, "nurse", None]}
    >>> likely.MissingLevel().fit_transform(jobs)["job"].tolist()
    ['cook', 'missing', 'nurse', 'missing']
    """

    deductive = True

    def __init__(
        self, label: str = "missing", *, columns: Sequence[str] | None = None, kinds: Kinds = None
    ) -> None:
        self.label = label
        self.columns = columns
        self.kinds = kinds

    def inverse_transform(self, X: TableLike) -> Any:
        """Back to levels with gaps."""
        frame, columns = self._as_came_out(X), []
        for name, column, change in zip(frame.names, self._known().schema.columns, self._maps(), strict=True):
            if change is None:
                columns.append(NewColumn(column.name, replace(column, name=name), None))
                continue
            codes = places_of(frame, name, change.outputs[0])
            known = (codes >= 0) & (codes < len(level_values(column)))
            columns.append(NewColumn(column.name, column, np.where(known, codes, np.nan), back=True))
        return new_table(X, frame, columns, self)

    def _check_options(self) -> None:
        if not isinstance(self.label, str) or not self.label.strip():
            raise LikelyError(f"label={self.label!r}: give a word for what is missing.")

    def _applies(self, column: Column) -> bool:
        return is_levels(column)

    def _made(self, record: Counted) -> tuple[ColumnMap | None, ...]:
        made = super()._made(record)
        if self.columns is not None:
            return made
        return tuple(
            one if one is not None and (record.known(j) < record.totals).any() else None
            for j, one in enumerate(made)
        )

    def _learn(self, record: Counted, j: int) -> CellMap:
        column = record.schema.columns[j]
        levels = tuple(level if isinstance(level, str) else shown(level) for level in level_values(column))
        if self.label in levels:
            raise LikelyError(
                f"column {column.name!r} has a level {self.label!r} already: give another label, or leave "
                "the column out of `columns`."
            )
        k, known = len(levels), record.level_counts(j)
        gaps = np.maximum(record.totals - record.known(j), 0.0)
        counts = np.concatenate([known, gaps[:, None]], axis=1)
        why = f"missing in {float(gaps.sum()):.6g} of {record.n:.6g} rows, which is a level"
        names = (*(shown(level) for level in levels), self.label)
        part = Partition(column, names, counts, cell_of=np.arange(k), why=why, gap=k)
        output = Column(column.name, Kind.CATEGORICAL, Type.CATEGORY, (*levels, self.label), listed=True)
        places = np.arange(k + 1, dtype=np.float64)[:, None]
        return CellMap(part, (output,), places, places[-1], np.array([np.nan]))
