"""Tables as they are read: sizes known before they are made, numbers from words, rows that sum to 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from likely.archive.network_files.record import (
    EXACT,
    MOST_CELLS,
    ROUNDED,
    PlainNetwork,
    PlainVariable,
    check_graph,
    n_cells,
    row_sums,
    wrong_number,
)
from likely.errors import LikelyError, notice


@dataclass
class Draft:
    """A network while its file is read: every variable is known before the first table is made."""

    name: str = ""
    properties: dict[str, str] = field(default_factory=dict)
    states: dict[str, tuple[str, ...]] = field(default_factory=dict)
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tables: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    of_variables: dict[str, dict[str, str]] = field(default_factory=dict)

    def check(self, length: int) -> None:
        """Refuse what is no network, and tables that a file of so many characters cannot mean."""
        check_graph(self.states, self.parents)
        missing = [name for name in self.states if name not in self.parents]
        if missing:
            raise LikelyError(f"the variable {missing[0]!r} has no table; give it one")
        total, largest = 0, ("", 0)
        for name, above in self.parents.items():
            size = n_cells(self.states, name, above)
            total, largest = total + size, max(largest, (name, size), key=lambda pair: pair[1])
        if total > max(MOST_CELLS, length):
            raise LikelyError(
                f"the tables have {total:.3g} numbers, {largest[1]:.3g} of them that of {largest[0]!r}; "
                "give it fewer parents"
            )

    def shape(self, name: str) -> tuple[int, ...]:
        """The sizes of the parents, and the number of states."""
        return (*(len(self.states[parent]) for parent in self.parents[name]), len(self.states[name]))

    def network(self) -> PlainNetwork:
        """The network, with rows that sum to 1."""
        off = np.abs(row_sums(self.tables.values()) - 1)  # of all rows at once
        if off.max(initial=0.0) > EXACT:
            for name, table in self.tables.items():
                self.tables[name] = _normalised(table)
        rows = int((off > ROUNDED).sum())
        if rows:
            notice(
                f"{rows} row{'s' * (rows > 1)} of tables did not sum to 1 (the farthest was off by "
                f"{off.max():.2g}) and {'were' if rows > 1 else 'was'} divided by the sum",
                stacklevel=6,
            )
        variables = (
            PlainVariable(name, own, self.parents[name], self.tables[name], self.of_variables[name])
            for name, own in self.states.items()
        )
        return PlainNetwork(self.name, tuple(variables), self.properties)


def _normalised(table: NDArray[np.float64]) -> NDArray[np.float64]:
    sums = table.sum(axis=-1, keepdims=True)
    return np.where(np.abs(sums - 1) > EXACT, table / sums, table)


def numbers(words: Sequence[str]) -> NDArray[np.float64]:
    """Words as numbers; one that is none is an error.

    >>> numbers(["0.25", "3e-1"])
    array([0.25, 0.3 ])
    """
    try:
        if "_" in "".join(words):  # float() takes them
            raise ValueError
        return np.array(list(map(float, words)), np.float64)
    except ValueError:
        wrong = next(i for i, word in enumerate(words) if not _is_number(word))
        raise NotANumberError(wrong) from None


class NotANumberError(ValueError):
    """A word stands where a number should; which one, counted from 0."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return "_" not in word


def shaped(
    flat: NDArray[np.float64], shape: tuple[int, ...], *, child_first: bool = False
) -> NDArray[np.float64]:
    """Numbers one after another as a table, (parents, states); the child's axis may vary slowest in the file.

    >>> shaped(np.array([0.9, 0.2, 0.1, 0.8]), (2, 2), child_first=True)
    array([[0.9, 0.1],
           [0.2, 0.8]])
    """
    if not child_first:
        return flat.reshape(shape)
    return np.ascontiguousarray(np.moveaxis(flat.reshape(shape[-1], *shape[:-1]), 0, -1))


def either_way(flat: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Numbers as a table, whichever of the two orders in use makes its rows sum to 1.

    Files differ in whether the child's states vary fastest or slowest; where both fit, fastest is meant.
    """
    usual = shaped(flat, shape)
    if wrong_number(usual):
        other = shaped(flat, shape, child_first=True)
        if not wrong_number(other):
            return other
    return usual


def row_index(
    codes: Sequence[Mapping[str, int]], columns: Sequence[Sequence[str]], sizes: tuple[int, ...]
) -> NDArray[np.intp]:
    """The row of a table for each configuration of the parents' states; KeyError for a state that is none."""
    rows = np.zeros(1, np.intp)
    for code, column, size in zip(codes, columns, sizes, strict=True):
        rows = rows * size + np.array(list(map(code.__getitem__, column)))
    return rows
