"""A transformer that is not in the library: numbers as how far they are from the least one that was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.estimator.model_rows import Learnt, Model
from likely.export.sql_text import sql_number, sql_value
from likely.features.counted import Counted, is_numbers
from likely.features.cuts import shown_by
from likely.features.partition import Partition
from likely.features.transformer import Transformer
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type


@dataclass(frozen=True, eq=False)
class ToyShift:
    """value - least."""

    partition: Partition
    outputs: tuple[Column, ...]
    least: float

    def values(self, cells: Any) -> np.ndarray:
        return (np.asarray(cells, np.float64) - self.least)[:, None]

    def sql(self) -> list[str]:
        return [f"({sql_number(self.partition.column)} - {sql_value(self.least)})"]


class ToyFromLeast(Transformer):
    """Numbers as how far they are from the least one."""

    def __init__(self, columns: Any = None, kinds: Any = None) -> None:
        self.columns = columns
        self.kinds = kinds

    def _applies(self, column: Column) -> bool:
        return is_numbers(column)

    def _learn(self, record: Counted, j: int) -> ToyShift:
        least = float(record.numbers(j).centre[0])
        output = Column(record.schema.columns[j].name, Kind.QUANTITATIVE, Type.FLOAT)
        return ToyShift(shown_by(record, j, f"least {least:.6g}"), (output,), least)


ROW = Model(
    name="ToyFromLeast",
    module=__name__,
    learnt=Learnt("likely.features.counted:Counted"),
    purpose="how far from the least",
    page="index.md",
)
