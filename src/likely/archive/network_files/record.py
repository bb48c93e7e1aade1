"""A belief network as plain state: variables with their states, their parents and their tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from math import prod

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError

TOLERATED = 1e-3  # how far from 1 a row of a table may sum
ROUNDED = 1e-6  # nearer than this is what printing with few digits leaves: no word about it
EXACT = 1e-12  # nearer than this is a sum of floats that could not be nearer: not touched
MOST_CELLS = 1 << 24  # of all tables together, where the file does not itself list as many


@dataclass(frozen=True, slots=True, eq=False)
class PlainVariable:
    """A variable: its states, its parents, and P(state given the parents' states).

    The table has an axis for each parent, in their order, and then one for the states.
    """

    name: str
    states: tuple[str, ...]
    parents: tuple[str, ...]
    table: NDArray[np.float64]
    properties: Mapping[str, str] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """The same names in the same order, and the same numbers to the last bit."""
        if not isinstance(other, PlainVariable):
            return NotImplemented
        mine = (self.name, self.states, self.parents, dict(self.properties))
        return mine == (
            other.name,
            other.states,
            other.parents,
            dict(other.properties),
        ) and np.array_equal(self.table, other.table)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class PlainNetwork:
    """A network: variables in any order, each with the names of its parents among them.

    >>> rain = PlainVariable("rain", ("no", "yes"), (), np.array([0.8, 0.2]))
    >>> wet = PlainVariable("wet", ("no", "yes"), ("rain",), np.array([[0.9, 0.1], [0.2, 0.8]]))
    >>> PlainNetwork("lawn", (wet, rain)).arcs
    [('rain', 'wet')]
    """

    name: str
    variables: tuple[PlainVariable, ...]
    properties: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in _twice([variable.name for variable in self.variables]):
            raise LikelyError(f"two variables are called {name!r}; give each a name of its own")
        check_graph({v.name: v.states for v in self.variables}, {v.name: v.parents for v in self.variables})
        n_states = {variable.name: len(variable.states) for variable in self.variables}
        for variable in self.variables:
            shape = (*(n_states[parent] for parent in variable.parents), len(variable.states))
            if variable.table.shape != shape:
                raise LikelyError(
                    f"the table of {variable.name!r} has shape {variable.table.shape}, and its parents and "
                    f"states need {shape}"
                )
        if not are_probabilities([variable.table for variable in self.variables]):
            for variable in self.variables:
                why = wrong_number(variable.table)
                if why:
                    raise LikelyError(f"the table of {variable.name!r}: {why}")

    @property
    def arcs(self) -> list[tuple[str, str]]:
        """Every arc, from parent to child."""
        return [(parent, variable.name) for variable in self.variables for parent in variable.parents]


def check_graph(states: Mapping[str, tuple[str, ...]], parents: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse variables without states, states and parents named twice, unknown parents, and cycles."""
    for name, own in states.items():
        if not own:
            raise LikelyError(f"the variable {name!r} has no states; name at least one")
        for state in _twice(own):
            raise LikelyError(f"the variable {name!r} has the state {state!r} twice; name each once")
    for name, above in parents.items():
        for parent in _twice(above):
            raise LikelyError(f"{name!r} has the parent {parent!r} twice; name each once")
        for parent in above:
            if parent not in states:
                raise LikelyError(f"{name!r} has the parent {parent!r}, which is no variable of the network")
    if _has_circle(parents):
        try:
            TopologicalSorter(parents).prepare()
        except CycleError as cause:
            cycle = " -> ".join(reversed(cause.args[1]))
            raise LikelyError(f"the arcs run in a circle: {cycle}; leave one of them out") from None


def _has_circle(parents: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether taking away nodes whose parents are gone leaves any; faster than finding the circle."""
    children: dict[str, list[str]] = {}
    waiting = {name: len(above) for name, above in parents.items()}
    for name, above in parents.items():
        for parent in above:
            children.setdefault(parent, []).append(name)
    free = [name for name in (*children, *parents) if not waiting.get(name)]
    gone = set(free)
    while free:
        for child in children.get(free.pop(), ()):
            waiting[child] -= 1
            if not waiting[child] and child not in gone:
                gone.add(child)
                free.append(child)
    return any(name not in gone for name in parents)


def wrong_number(table: NDArray[np.float64]) -> str:
    """What is wrong with the numbers of a table, (..., states); no words if nothing is."""
    bad = ~((table >= 0) & (table <= 1 + TOLERATED))  # also NaN
    if bad.any():
        return f"{table[bad][0]:g} is no probability"
    off = np.abs(table.sum(axis=-1) - 1)
    if off.size and off.max() > TOLERATED:
        row = table.reshape(-1, table.shape[-1])[int(off.argmax())]
        return f"a row sums to {row.sum():.6g} and should sum to 1"
    return ""


def are_probabilities(tables: Collection[NDArray[np.float64]]) -> bool:
    """Whether nothing is wrong with any number of any table: in one pass, as tables are many and small."""
    flat = np.concatenate([table.ravel() for table in tables]) if tables else np.zeros(0)
    valid = bool(((flat >= 0) & (flat <= 1 + TOLERATED)).all())
    return valid and bool((np.abs(row_sums(tables) - 1) <= TOLERATED).all())


def row_sums(tables: Collection[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The sums of all rows of all tables, one after another.

    >>> row_sums([np.array([0.5, 0.5]), np.array([[0.25, 0.5], [0.5, 1.0]])])
    array([1.  , 0.75, 1.5 ])
    """
    if not tables:
        return np.zeros(0)
    flat = np.concatenate([table.ravel() for table in tables])
    lengths = np.repeat([t.shape[-1] for t in tables], [t.size // t.shape[-1] for t in tables])
    sums: NDArray[np.float64] = np.add.reduceat(flat, np.cumsum(lengths) - lengths)
    return sums


def n_cells(states: Mapping[str, tuple[str, ...]], name: str, parents: Iterable[str]) -> int:
    """How many numbers the table of a variable has."""
    return prod(len(states[parent]) for parent in parents) * len(states[name])


def _twice(names: Sequence[str]) -> list[str]:
    if len(set(names)) == len(names):  # as nearly always
        return []
    return [name for name, times in Counter(names).items() if times > 1]
