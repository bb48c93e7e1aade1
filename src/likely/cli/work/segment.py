"""A table put in order for a hidden Markov model, and the columns of states that its rows get."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.cli.work.declared import columns_of
from likely.cli.work.pairs import known_column
from likely.errors import LikelyError
from likely.estimator.row_answers import new_name
from likely.table.batch.batches import Batch
from likely.table.column.as_raw import as_raw
from likely.table.frame import Frame

Columns = dict[str, Any]


@dataclass(frozen=True)
class Added:
    """Columns for the rows of a file."""

    columns: Columns

    def at(self, batch: Batch) -> Columns:
        """Those of some rows, under names that the table does not have."""
        taken = batch.names
        own = slice(batch.start, batch.start + batch.n)
        return {new_name(name, taken): values[own] for name, values in self.columns.items()}


@dataclass(frozen=True)
class Segments:
    """The rows of a table in order."""

    frame: Frame  # the columns that are described, in the order of the file
    table: Frame  # the same in order
    groups: Any  # the sequence of each row, in order; None if all are one
    rows: NDArray[np.intp]  # which row of the file each is
    kinds: Any

    @classmethod
    def of(
        cls,
        table: Columns,
        sequence: str | None,
        order: str | None,
        kinds: Sequence[str],
        drop: Sequence[str],
    ) -> Segments:
        """Check what was said, and put the rows in order."""
        for name, option in ((sequence, "--sequence"), (order, "--order")):
            if name is not None:
                known_column(name, list(table), option)
        told = [name for name in (sequence, order) if name is not None]
        frame, declared = columns_of(table, kinds, [*dict.fromkeys((*drop, *told))])
        rows = np.arange(frame.n) if order is None else _in_order(order, table[order])
        groups = None if sequence is None else table[sequence][rows]
        return cls(frame, frame.at(rows), groups, rows, declared)

    def answers(self, model: Any) -> Added:
        """The chances of states and the states, row by row of the file."""
        p = np.empty((self.frame.n, len(model.classes_)))
        state = np.empty(self.frame.n, model.classes_.dtype)
        p[self.rows] = model.predict_proba(self.table, groups=self.groups)
        state[self.rows] = model.predict(self.table, groups=self.groups)
        named = {f"p_{label}": own for label, own in zip(model.classes_.tolist(), p.T, strict=True)}
        return Added({**named, model.record_.states.target.name: state})


def _in_order(name: str, cells: NDArray[Any]) -> NDArray[np.intp]:
    codes, values = as_raw(name, cells).distinct()
    if (codes < 0).any():
        row = int(np.argmin(codes))
        raise LikelyError(f"--order {name!r} is missing in row {row}: leave such rows out first.")
    rank = np.empty(len(values), np.intp)
    rank[sorted(range(len(values)), key=values.__getitem__)] = np.arange(len(values))
    return np.argsort(rank[codes], kind="stable")
