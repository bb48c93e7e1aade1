"""Columns of data, by name or by value -> complete rows of codes, counted as often as asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import not_negative
from likely.errors import LikelyError
from likely.score.columns import codes_of, columns_of, level_column
from likely.stats.groups import Floats, Groups, Ints
from likely.table.column.column import Column
from likely.table.column.raw import distinct
from likely.table.frame import Frame
from likely.table.schema import declared_by_name


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows without a missing cell: codes of levels, and the role of each column.

    >>> sample = Sample.of({"x": ["a", "b", "b"], "y": [1, 1, None]})
    >>> sample.n, sample.mass(("x", "y")), sample.mass(())
    (2, array([0.5, 0.5]), array([1.]))
    """

    codes: Ints  # (n, d)
    columns: tuple[Column, ...]  # (d,)
    roles: tuple[str, ...]  # (d,)
    weight: Floats | None  # (n,)

    @classmethod
    def of(
        cls,
        variables: Mapping[str, Any],
        table: object = None,
        weight: ArrayLike | None = None,
        kinds: object = None,
    ) -> Sample:
        """The rows in which no variable is missing, and the weight is above 0."""
        frame = None if table is None else Frame.of(table)
        raws = {role: columns_of(role, given, frame) for role, given in variables.items()}
        every = [(role, raw) for role, columns in raws.items() for raw in columns]
        weigh = [] if weight is None else columns_of("weight", weight, frame)
        if len(weigh) > 1:
            raise LikelyError(f"weight has {len(weigh)} columns: give one weight for each row.")
        n = _one_length([*every, *(("weight", raw) for raw in weigh)], frame)
        names = [raw.name for _, raw in every]
        declared = declared_by_name([*names, *(frame.names if frame else ())], kinds, "kinds")
        columns = tuple(level_column(raw, declared.get(raw.name)) for _, raw in every)
        codes = np.empty((n, len(every)), np.intp, order="F")
        for j, (_, raw) in enumerate(every):
            codes[:, j] = codes_of(columns[j], raw)
        weights = not_negative("weight", weigh[0].numbers()) if weigh else None
        kept = (codes >= 0).all(axis=1) & (True if weights is None else weights > 0)
        if not kept.any():
            raise LikelyError(
                f"no row has a value in {', '.join(map(repr, names))}{' and a weight' if weigh else ''}: "
                "there is nothing to count. Give columns that have values in the same rows."
            )
        roles = tuple(role for role, _ in every)
        return cls(codes[kept], columns, roles, None if weights is None else weights[kept])

    @property
    def n(self) -> float:
        """The number of rows, or their weight."""
        return len(self.codes) if self.weight is None else float(self.weight.sum())

    def mass(self, roles: tuple[str, ...]) -> Floats:
        """The relative frequency of every combination of levels of the columns that play these roles."""
        cell, size = np.zeros(len(self.codes), np.intp), 1
        for j, (role, column) in enumerate(zip(self.roles, self.columns, strict=True)):
            if role not in roles:
                continue
            k = len(column.levels or ())
            cell, size = cell * k + self.codes[:, j], size * k
            if size > max(len(cell), k):  # more combinations than rows: keep those that occur
                codes, values = distinct(cell)
                cell, size = codes.astype(np.intp), len(values)
        return Groups.hard(cell, size, self.weight).total / self.n


def _one_length(columns: Sequence[tuple[str, Any]], frame: Frame | None) -> int:
    lengths = [("table", frame.n)] if frame is not None else []
    lengths += [(role, len(raw.values)) for role, raw in columns]
    first, n = lengths[0]
    for role, rows in lengths:
        if rows != n:
            raise LikelyError(f"{first} has {n} rows and {role} has {rows}: give columns of the same rows.")
    return n
