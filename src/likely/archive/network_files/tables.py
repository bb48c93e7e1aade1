"""Tables as they are read: sizes known before they are made, numbers from words, rows that sum to 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from likely.archive.network_files.record import (
    EXACT,
    MOST_CELLS,
    ROUNDED,
    PlainNetwork,
    PlainVariable,
    are_probabilities,
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
    flat: dict[str, NDArray[np.float64]] = field(default_factory=dict)  # tables whose order is not said
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

    def settle(self, *, child_first: bool) -> None:
        """Make tables of the numbers whose order is not said, whichever order makes their rows sum to 1.

        Programs differ in whether the child's states vary slowest (`child_first`) or fastest. One file was
        written by one program: its tables that fit one way only decide for those that fit both ways, and
        what the format says decides where none does.
        """
        both = {
            name: [shaped(flat, self.shape(name), child_first=first) for first in (False, True)]
            for name, flat in self.flat.items()
        }
        fits = {name: [not wrong_number(table) for table in pair] for name, pair in both.items()}
        only = [bool(ways[1]) for ways in fits.values() if ways[0] != ways[1]]
        first = only[0] if only and all(way == only[0] for way in only) else child_first
        for name, pair in both.items():
            way = first if fits[name][first] or not fits[name][not first] else not first
            self.tables[name] = pair[way]

    def check_numbers(self, fail: Mapping[str, Callable[[str], NoReturn]]) -> None:
        """Refuse the first table that is none, by what raises the error where it stands."""
        if not are_probabilities(self.tables.values()):
            for name, table in self.tables.items():
                why = wrong_number(table)
                if why:
                    fail[name](f"the table of {name!r}: {why}; correct it")

    def rename(self, names: Mapping[str, str], *, beside: str) -> None:
        """Give every variable the name that its file keeps beside it, as a property of that name."""
        for old, new in names.items():
            if old != new:
                self.of_variables[old].pop(beside, None)
        self.states = {names[name]: states for name, states in self.states.items()}
        self.parents = {
            names[name]: tuple(names[parent] for parent in parents) for name, parents in self.parents.items()
        }
        self.tables = {names[name]: table for name, table in self.tables.items()}
        self.of_variables = {names[name]: said for name, said in self.of_variables.items()}

    def network(self) -> PlainNetwork:
        """The network, with rows that sum to 1."""
        off = np.abs(row_sums(self.tables.values()) - 1)  # of all rows at once
        ends = np.cumsum([table.size // table.shape[-1] for table in self.tables.values()])
        names = list(self.tables)
        for place in np.unique(np.searchsorted(ends, np.flatnonzero(off > EXACT), side="right")).tolist():
            self.tables[names[place]] = _normalised(self.tables[names[place]])
        rows = int((off > ROUNDED).sum())
        if rows:
            notice(
                f"{rows} row{'s' * (rows > 1)} of tables did not sum to 1 (the farthest was off by "
                f"{off.max():.2g}) and {'were' if rows > 1 else 'was'} divided by the sum",
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
        return np.array(words, object).astype(np.float64)
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
    return True


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


def row_index(
    codes: Sequence[Mapping[str, int]], columns: Sequence[Sequence[str]], sizes: tuple[int, ...]
) -> NDArray[np.intp]:
    """The row of a table for each configuration of the parents' states; KeyError for a state that is none."""
    rows = np.zeros(1, np.intp)
    for code, column, size in zip(codes, columns, sizes, strict=True):
        rows = rows * size + np.array(list(map(code.__getitem__, column)))
    return rows
