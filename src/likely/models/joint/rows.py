"""What a user may give as a table of conditional probabilities -> variables and an array, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import SUM_TOLERANCE, demand, numbers
from likely.errors import LikelyError
from likely.models.joint.cells import cells_of_table
from likely.models.joint.variables import Columns, refuse_size, variable
from likely.table.frame import Frame

Floats = NDArray[np.float64]


def conditional_cells(
    of: tuple[str, ...],
    given: tuple[str, ...],
    table: Any,
    levels: Mapping[str, Iterable[Any]] | None,
    prob: str,
) -> tuple[Columns, Floats, str]:
    """The variables given, then the others; P(of | given), one axis a variable; and the library."""
    cells = table.values() if isinstance(table, Mapping) else [None]
    nested = all(isinstance(cell, Mapping | int | float | np.number) for cell in cells)
    library = "dict"
    if nested:
        columns, probs = _from_mapping(of, given, table, levels or {})
    elif levels is not None:
        columns, probs = cells_of_array(table, {name: levels.get(name, ()) for name in (*given, *of)})
    elif isinstance(table, np.ndarray | list | tuple):
        raise LikelyError(
            f"P({', '.join(of)}) is given as an array: name the levels of each axis with levels=."
        )
    else:
        frame = Frame.of(table)
        library = frame.library
        columns, probs = _from_frame((*given, *of), frame, prob)
    return columns, _adding_to_one(columns, len(given), probs), library


def cells_of_array(array: ArrayLike, levels: Mapping[str, Any]) -> tuple[Columns, Floats]:
    """An array with the levels of each of its axes by name; checked but for its sum."""
    if not isinstance(levels, Mapping):
        raise LikelyError(
            f"levels={levels!r}: give a list of levels for each axis by name, {{'a': [...], ...}}."
        )
    columns = tuple(variable(str(name), listed) for name, listed in levels.items())
    shape = refuse_size(columns)
    probs = np.array(numbers("the array of probabilities", array))  # a copy, so that nobody changes it
    if probs.shape != shape or not columns:
        expected = ", ".join(f"{c.name} {len(c.levels or ())}" for c in columns)
        raise LikelyError(
            f"the array of probabilities has the shape {probs.shape}, and the levels are {expected or 'none'}"
            ": give one axis a variable, in that order, as long as it has levels."
        )
    return columns, demand("the array holds a probability", probs, probs >= 0, "none may be negative or NaN")


def describe(columns: Sequence[Any], combination: Sequence[Any]) -> str:
    """A combination of levels as "a=x, b=y".

    >>> describe([variable("a", "xy"), variable("b", "xy")], "xy")
    "a='x', b='y'"
    """
    return ", ".join(f"{column.name}={level!r}" for column, level in zip(columns, combination, strict=True))


def _from_mapping(
    of: tuple[str, ...], given: tuple[str, ...], table: Mapping[Any, Any], levels: Mapping[str, Any]
) -> tuple[Columns, Floats]:
    rows = {_key(key, given): row for key, row in table.items()} if given else {(): table}
    for key, row in rows.items():
        if not isinstance(row, Mapping):
            raise LikelyError(
                f"P({', '.join(of)} | {', '.join(given)}) holds {row!r} for {key!r}: give a mapping from "
                "level to probability there."
            )
    filled = {key: {_key(level, of): p for level, p in row.items()} for key, row in rows.items()}
    every = [key + level for key, row in filled.items() for level in row]
    by_axis = zip(*every, strict=True) if every else [()] * len(given + of)
    names = (*given, *of)
    columns = tuple(
        variable(name, levels.get(name, dict.fromkeys(seen)))
        for name, seen in zip(names, by_axis, strict=True)
    )
    shape, n = refuse_size(columns), len(given)
    for combination in product(*(column.levels or () for column in columns[:n])):
        if combination not in filled:
            raise LikelyError(
                f"P({', '.join(of)} | {describe(columns[:n], combination)}) is not given: give it."
            )
    probs = np.zeros(shape)
    at = [{level: i for i, level in enumerate(column.levels or ())} for column in columns]
    for key, row in filled.items():
        for level, p in row.items():
            places = [where.get(value, -1) for where, value in zip(at, key + level, strict=True)]
            if -1 in places:
                column = columns[places.index(-1)]
                raise LikelyError(
                    f"{describe(columns, key + level)}: that is not among the levels "
                    f"{list(column.levels or ())!r} listed for {column.name!r}."
                )
            probs[tuple(places)] = p
    return columns, demand(
        "the mapping holds a probability", probs, probs >= 0, "none may be negative or NaN"
    )


def _key(key: object, names: tuple[str, ...]) -> tuple[Any, ...]:
    """Levels of the named variables, which the key of a mapping is."""
    if len(names) == 1 and not isinstance(key, tuple):
        return (key,)
    if not isinstance(key, tuple) or len(key) != len(names):
        raise LikelyError(f"key {key!r}: give a tuple with a level of each of {', '.join(names)}.")
    return key


def _from_frame(names: tuple[str, ...], frame: Frame, prob: str) -> tuple[Columns, Floats]:
    columns, probs = cells_of_table(frame, prob, None)
    own = [column.name for column in columns]
    if set(own) != set(names):
        raise LikelyError(
            f"the table has the columns {own!r} beside {prob!r}, and the variables are {list(names)!r}: "
            "give one column for each of them and no other."
        )
    order = [own.index(name) for name in names]
    return tuple(columns[i] for i in order), probs.transpose(order)


def _adding_to_one(columns: Columns, n_given: int, probs: Floats) -> Floats:
    """The probabilities, if they add up to 1 for every combination given; without rounding error."""
    own = tuple(range(n_given, probs.ndim))
    totals = probs.sum(axis=own, keepdims=True)
    bad = np.abs(totals - 1) > SUM_TOLERANCE
    if bad.any():
        place = np.argwhere(bad)[0]
        known = [(column.levels or ())[i] for column, i in zip(columns[:n_given], place, strict=False)]
        of = ", ".join(column.name for column in columns[n_given:])
        given = f" | {describe(columns[:n_given], known)}" if n_given else ""
        raise LikelyError(
            f"P({of}{given}) adds up to {float(totals[bad][0]):.10g}: it must add up to 1; give the levels "
            "that are lacking, or divide by the sum."
        )
    return np.asarray(probs / totals)
