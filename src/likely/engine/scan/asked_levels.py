"""Columns of levels that are counted by queries in the engine that holds the table, not block by block."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine.query.levels import LevelCounts, level_queries, read_levels
from likely.engine.query.sums import HEAD
from likely.engine.scan.digest import ColumnDigest, TableDigest
from likely.engine.scan.scan import Scan
from likely.stats import Groups
from likely.table.column.column import Column
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.lazy.table import LazyTable
from likely.table.looked_at import looked_at

DEAR = ("dask",)  # engines in which queries cost more than to read the blocks


@dataclass(frozen=True)
class AskedLevels:
    """How often each level of some columns came with each class of a target; all of one without a target."""

    table: LazyTable
    target: str | None
    counts: Mapping[str, LevelCounts]  # at least one

    @classmethod
    def of(
        cls, scan: Scan, target: str | None, coded: Collection[str], left: Collection[str]
    ) -> AskedLevels | None:
        """Ask; None if no engine can be asked, or no column is of levels. Columns that are `left` are not."""
        table = scan.as_lazy()
        if table is None or table.engine in DEAR:
            return None
        names = [
            name
            for name, dtype in table.types.items()
            if name != target and name not in left and (name in coded or holds_levels(dtype))
        ]
        if not names:
            return None
        asked = level_queries(table, target, names, table.only(names).head(HEAD))
        # One by one: all at once they take Polars three times the memory, and no less time.
        return cls(table, target, read_levels(names, [table.answer(query) for query in asked]))

    @property
    def _first(self) -> LevelCounts:
        return next(iter(self.counts.values()))

    @property
    def n(self) -> int:
        """How many rows there are."""
        return int(self._first.n.sum())

    @property
    def gaps(self) -> set[str]:
        """The columns, and the target, that are missing in some rows."""
        seen = {name for name, counted in self.counts.items() if counted.level.missing().any()}
        missing = self.target is not None and self._first.group.missing().any()
        return seen | ({self.target} if missing and self.target is not None else set())

    def digest(self, rest: TableDigest | None, names: Collection[str]) -> TableDigest:
        """What there is to know of all columns, given that of the rest."""
        own = {name: _digest(counted.level, counted.n) for name, counted in self.counts.items()}
        if self.target is not None:
            own[self.target] = _digest(replace(self._first.group, name=self.target), self._first.n)
        if rest is not None:
            own |= dict(zip(rest.names, rest.columns, strict=True))
        return TableDigest(tuple(own[name] for name in names), self.n)

    def lines(self, name: str, target: Column | None, codes: Any) -> tuple[Frame, Groups]:
        """The levels of a column with each class, as rows of so much weight; `codes` are of a target."""
        counted = self.counts[name]
        frame = looked_at({name: counted.level}, len(counted.n), self.table.library)
        if target is None:
            return frame, Groups.one(len(counted.n), counted.n)
        return frame, Groups.hard(codes(target, counted.group), len(target.levels or ()), counted.n)


def holds_levels(dtype: Any) -> bool:
    """Whether a column has levels whatever is declared."""
    import narwhals.stable.v2 as nw

    return dtype in (nw.Boolean, nw.String, nw.Categorical, nw.Enum)


def _digest(raw: Raw, n: NDArray[np.float64]) -> ColumnDigest:
    return replace(ColumnDigest.of(raw, True), known=int(n[~raw.missing()].sum()))
