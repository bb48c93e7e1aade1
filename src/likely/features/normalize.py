"""Numbers -> numbers on a common scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.export.sql_text import sql_name, sql_number, sql_value
from likely.features.counted import Counted, is_numbers
from likely.features.cuts import CutColumn, shown_by
from likely.features.partition import Partition
from likely.features.transformer import Transformer, one_of
from likely.stats.groups import Floats
from likely.table.accepted import Kinds, TableLike
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type

METHODS = ("z", "variance", "iqr", "minmax", "six_sigma")


@dataclass(frozen=True, eq=False)
class ScaleMap:
    """(value - shift) / scale + offset, cut where it is to stay in [0, 1]."""

    partition: Partition
    outputs: tuple[Column, ...]
    shift: float
    scale: float  # 0: the column does not vary, and becomes the offset
    offset: float
    cut: bool

    def values(self, cells: Any) -> Floats:
        """The new column of numbers (n,), (n, 1)."""
        x = np.asarray(cells, np.float64)
        if self.scale == 0:
            new = np.where(np.isnan(x), np.nan, self.offset)
        else:
            new = (x - self.shift) / self.scale + self.offset
        return np.asarray(np.clip(new, 0.0, 1.0) if self.cut else new)[:, None]

    def inverse(self, values: Floats) -> Floats:
        """Back to the value, (n,); of a column that does not vary, to the only one."""
        return np.asarray((values - self.offset) * self.scale + self.shift)

    def sql(self) -> list[str]:
        """Arithmetic."""
        column = self.partition.column
        number, shift = sql_number(column), sql_value(self.shift)
        told = f"({number} - {shift}) / {sql_value(self.scale)} + {sql_value(self.offset)}"
        if self.scale == 0:
            told = sql_value(self.offset)
        elif self.cut:
            # SQLite has no LEAST.
            told = f"CASE WHEN {told} < 0e0 THEN 0e0 WHEN {told} > 1e0 THEN 1e0 ELSE {told} END"
        return [f"CASE WHEN {sql_name(column.name)} IS NULL THEN NULL ELSE {told} END"]


class Normalize(Transformer):
    """Put numbers on a common scale.

    A column that does not vary becomes 0, or 1/2 on the scales from 0 to 1. Missing cells stay missing.

    Parameters
    ----------
    method : "z", "variance", "iqr", "minmax" or "six_sigma"
        (value - mean) / sd; (value - mean) / variance; (value - median) / interquartile range;
        (value - low) / (high - low), cut to [0, 1]; (value - mean) / (6 sd) + 1/2, which leaves .27 % of a
        normal distribution outside [0, 1]. Variances divide by the number of rows.
    low, high : float or None
        Of "minmax", for all columns; None takes the least and the greatest value of each.
    columns, kinds
        As in `Discretize`.

    Examples
    --------
    >>> import likely
    >>> likely.Normalize("minmax", low=0, high=10).fit_transform({"x": [-5.0, 7.0, 20.1]})
    {'x': array([0. , 0.7, 1. ])}
    """

    def __init__(
        self,
        method: str = "z",
        *,
        low: float | None = None,
        high: float | None = None,
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
    ) -> None:
        self.method = method
        self.low = low
        self.high = high
        self.columns = columns
        self.kinds = kinds

    def inverse_transform(self, X: TableLike) -> Any:
        """Back to the numbers as they were; what was cut comes back as the end where it was."""
        frame, maps = self._as_came_out(X), self._maps()
        back = [
            change.inverse(np.asarray(frame.raw(name).numbers(), np.float64))
            if isinstance(change, ScaleMap)
            else None
            for name, change in zip(frame.names, maps, strict=True)
        ]
        return self._put_back(X, frame, back)

    @property
    def _spread(self) -> bool:
        return self.method not in ("iqr", "minmax")

    def _check_options(self) -> None:
        one_of("method", self.method, METHODS)
        if self.method != "minmax" and (self.low is not None or self.high is not None):
            raise LikelyError(f"low and high are for method='minmax', not {self.method!r}: leave them out.")
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise LikelyError(f"low={self.low!r}, high={self.high!r}: low must be below high.")

    def _applies(self, column: Column) -> bool:
        return is_numbers(column)

    def _learn(self, record: Counted, j: int) -> ScaleMap:
        cells, column = record.numbers(j), record.schema.columns[j]
        seen = CutColumn(cells, record.class_moments(j).pooled() if self._spread else None)
        offset, cut = 0.0, self.method == "minmax"
        if not len(cells):
            shift, scale, why = 0.0, 0.0, "no known value"
        elif self.method == "iqr":
            shift, scale = seen.quantile(0.5), seen.quantile(0.75) - seen.quantile(0.25)
            why = f"median {shift:.6g}, interquartile range {scale:.6g}"
        elif self.method == "minmax":
            shift = float(cells.centre[0] if self.low is None else self.low)
            high = float(cells.centre[-1] if self.high is None else self.high)
            scale, why = max(high - shift, 0.0), f"from {shift:.6g} to {high:.6g}, cut there"
        else:
            shift = seen.mean
            scale = {"z": seen.sd, "variance": seen.sd**2, "six_sigma": 6 * seen.sd}[self.method]
            why = f"mean {shift:.6g}, sd {seen.sd:.6g}"
        if self.method == "six_sigma" or (cut and scale == 0):
            offset = 0.5
        if scale == 0 and len(cells):
            why += "; it does not vary"
        output = Column(column.name, Kind.QUANTITATIVE, Type.FLOAT)
        return ScaleMap(shown_by(record, j, why), (output,), float(shift), float(scale), offset, cut)
