"""New columns -> a table of the library that the old ones came in, or of the one that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.stats.groups import Floats
from likely.table.build import to_table, values_of
from likely.table.column.column import Column
from likely.table.column.kinds import Type, are_numbers
from likely.table.frame import Frame


@dataclass(frozen=True, eq=False)
class NewColumn:
    """A column that comes out: numbers, or codes of levels; None for one that is as it came in."""

    name: str
    column: Column
    values: Floats | None  # (n,), NaN where missing
    back: bool = False  # whether it is a column that was there before: a matrix gets its levels, not codes


def new_table(X: Any, frame: Frame, columns: Sequence[NewColumn], estimator: object) -> Any:
    """The new columns side by side, in the library that `set_output` asked for, or as they came."""
    return side_by_side(X, frame, columns, _asked_for(estimator))


def side_by_side(X: Any, frame: Frame, columns: Sequence[NewColumn], asked: str | None = None) -> Any:
    """The columns as a table of the library that is asked for; None: as the old ones came."""
    library = frame.library if asked is None else asked
    if library in ("pandas", "polars", "pyarrow") or (frame.library == "dict" and asked is None):
        made = to_table({new.name: _in_library(new, frame, library) for new in columns}, library)
        if library == "pandas" and hasattr(X, "index") and hasattr(X, "iloc"):
            made.index = X.index
        return made
    cells = [_plain(new, frame) for new in columns]
    if not cells:
        return np.zeros((frame.n, 0))
    if all(one.dtype.kind in "biuf" for one in cells):
        return np.column_stack([one.astype(np.float64) for one in cells])
    table = np.empty((frame.n, len(cells)), object)
    for j, one in enumerate(cells):
        table[:, j] = one
    return table


def _in_library(new: NewColumn, frame: Frame, library: str) -> Any:
    if new.values is not None:
        return values_of(new.column, _codes(new), library)
    own = frame.values(new.column.name)
    if frame.library == library:
        return own.to_native() if hasattr(own, "to_native") else own
    raw = frame.raw(new.column.name)
    if raw.type is Type.CATEGORY:  # whose levels are more than its values, and may be in order
        column = Column.learn(raw)
        return values_of(column, column.codes(raw), library)
    if raw.zone is not None:  # an array would have lost it
        return values_of(Column.learn(raw), raw.numbers(), library)
    cells = np.asarray(own)
    if cells.dtype == object:  # pandas has NaN, NA and NaT, which others refuse
        cells = np.where(raw.missing(), np.array(None), cells)
    return cells


def _codes(new: NewColumn) -> Any:
    assert new.values is not None
    if new.column.levels is None:
        return new.values
    return np.where(np.isnan(new.values), -1, np.nan_to_num(new.values)).astype(np.intp)


def _plain(new: NewColumn, frame: Frame) -> Any:
    """A column of a matrix: numbers as they are, levels as their codes, unless the matrix holds words."""
    if new.values is not None and new.back and new.column.levels is not None:
        levels = values_of(new.column, _codes(new), "dict")
        return levels.astype(np.float64) if are_numbers(new.column.known) else levels
    if new.values is not None:
        return new.values
    return np.asarray(frame.values(new.column.name))


def _asked_for(estimator: object) -> str | None:
    """The library that `set_output` asked for."""
    from sklearn.utils._set_output import _get_output_config

    asked: str = _get_output_config("transform", estimator)["dense"]
    return None if asked == "default" else asked
