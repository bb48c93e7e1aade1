"""The variables of a joint table: their levels, where a value stands among them, what fits memory."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.score.columns import codes_of
from likely.table.accepted import KindWord
from likely.table.column.as_raw import as_raw
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type, is_missing
from likely.table.column.raw import Raw

Columns = tuple[Column, ...]

MOST_CELLS = 2**27  # of 8 bytes: 1 GiB
MOST_AXES = 32  # NumPy takes up to 64, though not everywhere; of two levels, 27 are the most
Floats = NDArray[np.float64]


def variable(name: str, levels: object) -> Column:
    """A variable with the levels that a user lists; numbers are in order, other levels are not.

    >>> variable("die", range(1, 7)).kind, variable("test", "+-").levels
    (<Kind.ORDINAL: 'ordinal'>, ('+', '-'))
    """
    if not isinstance(levels, Iterable):
        raise LikelyError(f"the levels of {name!r} are {levels!r}: give a list of them.")
    listed = [level.item() if isinstance(level, np.generic) else level for level in levels]
    if not listed or any(is_missing(level) for level in listed) or len(set(listed)) < len(listed):
        raise LikelyError(
            f"the levels of {name!r} are {listed!r}: list every level once, at least one, and none missing."
        )
    raw = as_raw(name, listed)
    if raw.type is Type.MIXED:
        raise LikelyError(f"the levels of {name!r}, {listed!r}: {raw.complaint}; give all of them as text.")
    kinds = {Type.BOOLEAN: Kind.BOOLEAN, Type.STRING: Kind.CATEGORICAL}
    column = Column.with_levels(raw, kinds.get(raw.type, Kind.ORDINAL), listed, False)
    return replace(column, listed=True)


def learnt(raw: Raw, declared: KindWord | None = None) -> Column:
    """A variable with the levels that a column of data has; a number is none until it is declared so."""
    column = Column.learn(raw, declared)
    if column.kind is Kind.BOOLEAN and not column.has_levels:
        return replace(column, levels=(False, True))
    if not column.has_levels:
        raise LikelyError(
            f"column {raw.name!r} is {column.kind} (such as {raw.example()!r}), and a joint table is of "
            "levels: put it into bins first, or take each value as a level with "
            f"kinds={{{raw.name!r}: {'categorical' if column.kind is Kind.TEXT else 'ordinal'!r}}}."
        )
    return column


def coded(column: Column, raw: Raw) -> NDArray[np.intp]:
    """The place of every row's value among the levels, (n,); -1 where missing."""
    if column.kind is not Kind.BOOLEAN or column.levels != (False, True):
        return codes_of(column, raw)
    truth = column.numbers(raw).astype(np.float64)
    return np.where(np.isnan(truth), -1, truth).astype(np.intp)


def several(value: object) -> bool:
    """Whether a value stands for any of several."""
    return isinstance(value, set | frozenset | list | tuple | np.ndarray)


def places(column: Column, value: Any) -> list[int]:
    """Where a value stands among the levels; or where the values of a set or list do.

    >>> places(variable("size", ["s", "m", "l"]), "m"), places(variable("size", ["s", "m", "l"]), {"l", "s"})
    ([1], [0, 2])
    """
    if not several(value):
        return [_place(column, value)]
    if not len(value):
        raise LikelyError(f"{column.name}={value!r} allows no value: name one level at least.")
    return sorted({_place(column, one) for one in value})


def narrowed(column: Column, chosen: Sequence[int]) -> Column:
    """The variable with some of its levels alone."""
    levels = tuple((column.levels or ())[place] for place in chosen)
    return replace(column, levels=levels, missing_level=None in levels)


def _place(column: Column, value: object) -> int:
    for place, level in enumerate(column.levels or ()):
        if level is value or (level == value and level is not None):
            return place
    texts = {str(level): level for level in column.levels or ()}
    near = get_close_matches(str(value), list(texts), 1)
    hint = f"did you mean {texts[near[0]]!r}?" if near else f"its levels are {list(texts.values())[:10]!r}."
    raise LikelyError(f"{column.name}={value!r} is no level of that variable: {hint}")


def known_name(name: object, names: Sequence[str]) -> str:
    """The name of a variable, if it is one."""
    if isinstance(name, str) and name in names:
        return name
    near = get_close_matches(str(name), names, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"the variables are {list(names)[:10]!r}."
    raise LikelyError(f"there is no variable {name!r}: {hint}")


def listed_names(names: str | Iterable[str] | None) -> tuple[str, ...]:
    """One name, or several, as several; those of NumPy's arrays become plain text, as files hold it."""
    several_names = (names,) if isinstance(names, str) else () if names is None else tuple(names)
    return tuple(str(name) if isinstance(name, str) else name for name in several_names)


def together(values: Mapping[str, Any] | None, named: Mapping[str, Any]) -> dict[str, Any]:
    """Values given as a mapping, and values given by name."""
    values = {} if values is None else values
    if not isinstance(values, Mapping):
        raise LikelyError(f"{values!r}: give values by name, such as test='+', or a mapping.")
    twice = [name for name in named if name in values]
    if twice:
        raise LikelyError(f"variable {twice[0]!r} is given twice: say its value once.")
    return {**values, **named}


def refuse_size(columns: Sequence[Column]) -> tuple[int, ...]:
    """The shape of a joint table of these variables, or an error that says how large it would be.

    >>> refuse_size([variable(f"v{i}", [0, 1]) for i in range(40)])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    likely.errors.LikelyError: a joint table of 40 variables has 1,099,511,627,776 cells and needs ...
    """
    shape = tuple(len(column.levels or ()) for column in columns)
    cells = math.prod(shape)
    if cells > MOST_CELLS:
        raise LikelyError(
            f"a joint table of {len(shape)} variables has {_amount(cells)} cells and needs "
            f"{_amount(cells * 8 / 2**30)} GiB; the most is {MOST_CELLS:,} cells (1 GiB): leave variables "
            "out, join levels, or use a model with fewer numbers, such as NaiveBayes."
        )
    if len(shape) > MOST_AXES:
        raise LikelyError(
            f"a joint table of {len(shape)} variables: {MOST_AXES} is the most; leave some out."
        )
    for column, k in zip(columns, shape, strict=True):
        if not k:
            raise LikelyError(f"variable {column.name!r} has no level: nothing was seen of it; leave it out.")
    return shape


def _amount(number: float) -> str:
    return f"{number:,.4g}" if number >= 1e15 else f"{number:,.{0 if number >= 100 else 1}f}"


def axes_of(columns: Columns, names: str | Sequence[str]) -> tuple[int, ...]:
    """The axes of one variable or several, each named once."""
    known = [column.name for column in columns]
    axes = tuple(known.index(known_name(name, known)) for name in listed_names(names))
    if len(set(axes)) < len(axes):
        raise LikelyError(f"{list(names)!r} names a variable twice: name each once.")
    return axes


def summed(probs: Floats, axes: Sequence[int]) -> Floats:
    """The probabilities of some variables, their axes in this order; the others are summed out.

    >>> summed(np.array([[0.1, 0.2], [0.3, 0.4]]), [1]).round(12)
    array([0.4, 0.6])
    """
    kept = sorted(axes)
    left = probs.sum(axis=tuple(axis for axis in range(probs.ndim) if axis not in kept))
    return np.array(left.transpose([kept.index(axis) for axis in axes]), order="C")


def sides(columns: Columns, probs: Floats, *asked: str | Sequence[str]) -> Floats:
    """The probabilities with one axis for each side: several variables, or on the first side none."""
    names = [listed_names(side) for side in asked]
    if not all(names[1:]):
        raise LikelyError("a side of the question names no variable: name one variable at least.")
    axes = axes_of(columns, [name for side in names for name in side])
    sizes = [math.prod(len(columns[axis].levels or ()) for axis in axes_of(columns, side)) for side in names]
    return summed(probs, axes).reshape(sizes)


def allowed(columns: Columns, *said: Mapping[str, Any]) -> dict[int, list[int]]:
    """The places among the levels that all statements allow, by the axis of their variable."""
    chosen: dict[int, list[int]] = {}
    for values in said:
        for name, value in values.items():
            (axis,) = axes_of(columns, [name])
            here = places(columns[axis], value)
            before = chosen.get(axis, here)
            chosen[axis] = [place for place in here if place in before]
    return chosen


def within(probs: Floats, chosen: Mapping[int, Sequence[int]]) -> Floats:
    """The cells at the chosen places of some axes; every axis stays.

    >>> within(np.array([[0.1, 0.2], [0.3, 0.4]]), {1: [0]})
    array([[0.1],
           [0.3]])
    """
    for axis, at in chosen.items():
        if len(at) == 1:  # a view, which is faster than taking out
            probs = probs[(slice(None),) * axis + (slice(at[0], at[0] + 1),)]
        else:
            probs = probs.take(np.asarray(at, np.intp), axis=axis)
    return probs
