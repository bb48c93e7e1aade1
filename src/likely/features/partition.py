"""A column cut into cells: numbers between edges, or levels in groups; and what a cell becomes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from likely.export.sql_text import sql_name, sql_number, sql_value
from likely.features.counted import level_values
from likely.format.words import shown
from likely.stats.bins import bin_codes
from likely.stats.class_cells import ClassCells
from likely.stats.groups import Floats, Ints
from likely.table.build import values_of
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS, Type


@dataclass(frozen=True, eq=False)
class Partition:
    """The cells of a column, in order, and how much of each class lies in each."""

    column: Column
    named: tuple[str, ...] | None  # (k,) what the cells are called; None: after their edges
    counts: Floats  # (g, k)
    edges: Floats | None = None  # (k - 1,) of numbers, rising
    cell_of: Ints | None = None  # the cell of each level
    why: str = ""  # how it came about, or why there is one cell
    gap: int = -1  # the cell of what is missing, the last, if it is one

    @classmethod
    def between(cls, column: Column, cells: ClassCells, edges: Floats, why: str) -> Partition:
        """Numbers between rising inner edges."""
        return cls(column, None, cells.between(edges), edges, why=why)

    @classmethod
    def of_levels(cls, column: Column, counts: Floats, why: str = "") -> Partition:
        """Each level a cell."""
        labels = tuple(shown(level) or "missing" for level in level_values(column))
        return cls(column, labels, counts, cell_of=np.arange(len(labels)), why=why)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What the cells are called, (k,): written when somebody reads them."""
        if self.named is not None:
            return self.named
        assert self.edges is not None
        return number_labels(self.column, self.edges)

    def place(self, values: Any) -> Ints:
        """The cell of each number or code of a level: -1 if missing, unless a cell is, -2 if never seen."""
        if self.edges is not None:
            return np.where(np.isnan(values), self.gap, bin_codes(self.edges, values))
        assert self.cell_of is not None
        if self.gap < 0 and np.array_equal(
            self.cell_of, np.arange(len(self.cell_of))
        ):  # each level is a cell
            return np.asarray(np.maximum(values, -2))
        return np.asarray(np.concatenate([self.cell_of, [-2, self.gap]])[np.maximum(values, -2)])

    def conditions(self) -> list[str]:
        """Each cell but the last, if cells are of numbers, as a condition of SQL, in order; none for gaps."""
        name = sql_name(self.column.name)
        if self.edges is not None:
            return [f"{sql_number(self.column)} < {sql_value(float(edge))}" for edge in self.edges]
        assert self.cell_of is not None
        values = level_values(self.column)
        groups = [[values[i] for i in np.flatnonzero(self.cell_of == c)] for c in range(len(self.labels))]
        told = [_is_one_of(name, self.column, group) for group in groups]
        return [condition for cell, condition in enumerate(told) if cell != self.gap]


def _is_one_of(name: str, column: Column, levels: Sequence[Any]) -> str:
    """That a column of SQL holds one of these levels."""
    if column.levels is None and column.type.numeric and column.type is not Type.BOOLEAN:
        if column.span is not None:  # of 0 and 1, as nobody said that there is no 2: what is nearest
            return " OR ".join(f"{name} {'>' if level else '<='} 0.5e0" for level in levels) or "false"
        levels = [int(level) for level in levels]
    listed = ", ".join(sql_value(level, column) for level in levels)
    return f"{name} IN ({listed})" if listed else "false"


class ColumnMap(Protocol):
    """What becomes of one column."""

    @property
    def partition(self) -> Partition:
        """The cells to show it by."""

    @property
    def outputs(self) -> tuple[Column, ...]:
        """The new columns."""

    def values(self, cells: Any) -> Floats:
        """The new columns of numbers or codes (n,), (n, m): numbers, or codes of levels; NaN is missing."""

    def sql(self) -> list[str]:
        """Each new column as an expression of SQL."""


@dataclass(frozen=True, eq=False)
class CellMap:
    """Each cell becomes what a table says."""

    cells: Partition
    outputs: tuple[Column, ...]
    table: Floats  # (k, m)
    missing: Floats  # (m,): what a missing cell becomes
    unseen: Floats  # (m,): a level never seen
    coarse: Partition | None = None  # fewer cells, to show it by

    @classmethod
    def of(cls, partition: Partition, outputs: Sequence[Column], table: Floats) -> CellMap:
        """A map in which what is missing, or was never seen, stays missing."""
        nothing = np.full(len(outputs), np.nan)
        return cls(partition, tuple(outputs), table, nothing, nothing)

    @property
    def partition(self) -> Partition:
        """The cells to show it by."""
        return self.cells if self.coarse is None else self.coarse

    def values(self, cells: Any) -> Floats:
        """The new columns of numbers or codes (n,), (n, m)."""
        return np.asarray(self.lookup[self.cells.place(cells)])

    @property
    def lookup(self) -> Floats:
        """What each cell becomes, then what was never seen, and what is missing, at -2 and -1: (k + 2, m)."""
        return np.vstack([self.table, self.unseen, self.missing])

    def sql(self) -> list[str]:
        """A CASE for each new column."""
        conditions, name = self.cells.conditions(), sql_name(self.cells.column.name)
        by_number = self.cells.edges is not None
        expressions = []
        for i, column in enumerate(self.outputs):
            words = [_result(column, value) for value in (*self.table[:, i], self.unseen[i], self.missing[i])]
            last = words[-3] if by_number else words[-2]
            # A number beyond the last edge is in the last cell; a level that is in none was never seen.
            pairs = zip(conditions, words, strict=False)
            cases = "".join(f" WHEN {condition} THEN {word}" for condition, word in pairs)
            expressions.append(f"CASE WHEN {name} IS NULL THEN {words[-1]}{cases} ELSE {last} END")
        return expressions


def number_labels(column: Column, edges: Floats) -> tuple[str, ...]:
    """What to call the cells between rising edges.

    >>> from likely.table.column.as_raw import as_raw
    >>> number_labels(Column.learn(as_raw("x", [1.5])), np.array([2.0, 3.25]))
    ('< 2', '2 to 3.25', '>= 3.25')
    """
    if not len(edges):
        return ("all",)
    words = [_said(column, edge) for edge in edges]
    if len(set(words)) < len(words):
        words = [repr(float(edge)) for edge in edges]
    between = [f"{low} to {high}" for low, high in itertools.pairwise(words)]
    return (f"< {words[0]}", *between, f">= {words[-1]}")


def _result(column: Column, value: float) -> str:
    """A new value as a literal."""
    if np.isnan(value):
        return "NULL"
    if column.levels is not None:
        return sql_value(column.levels[int(value)])
    return sql_value(bool(value)) if column.kind == "boolean" else sql_value(float(value))


def _said(column: Column, edge: float) -> str:
    if column.type in UNITS:
        return shown(values_of(column, [edge], "dict")[0])
    return shown(float(edge))
