"""What a user may call a column, or several -> raw columns, their levels and codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.stats.groups import Ints
from likely.table.column.as_raw import as_raw
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, kind_of
from likely.table.column.raw import UNITS, Raw, Type
from likely.table.frame import Frame
from likely.table.schema import declared_by_name


def columns_of(role: str, given: object, frame: Frame | None) -> list[Raw]:
    """The columns that an argument means: names if there is a table, values, or a table of its own."""
    if given is None and role == "given":
        return []
    if given is None:
        raise LikelyError(f"{role} is None: give a column, or the name of one with table=.")
    if isinstance(given, str):
        if frame is None:
            raise LikelyError(f"{role}={given!r} is a name: give the table too, as table=, or a column.")
        given = [given]
    if frame is not None and isinstance(given, list | tuple) and all(isinstance(n, str) for n in given):
        declared_by_name(frame.names, dict.fromkeys(given), role)  # refuses a name that is none
        raws = [frame.raw(name) for name in given]
    elif _is_table(given):
        own = Frame.of(given)
        raws = [own.raw(name) for name in own.names]
    else:
        name = getattr(given, "name", None)
        return [as_raw(name if isinstance(name, str) else role, given)]
    if not raws and role != "given":
        raise LikelyError(f"{role}={given!r} has no columns: give one at least.")
    return raws


def level_column(raw: Raw, declared: object = None) -> Column:
    """The levels of a column; numbers are none, unless they are whole or declared to be levels.

    >>> level_column(as_raw("rooms", [3.0, 2.0, None])).levels
    (2.0, 3.0)
    >>> level_column(as_raw("age", [31.5, 4.0]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    likely.errors.LikelyError: column 'age' holds numbers such as 31.5, and information is of levels: ...
    """
    if declared is None and raw.type is Type.MIXED:
        kind_of(raw)  # says what is wrong with it
    kind = None if declared is None or not isinstance(declared, str) else Kind.of(declared, raw.name)
    if kind is Kind.QUANTITATIVE or (declared is None and _on_a_scale(raw)):
        raise LikelyError(
            f"column {raw.name!r} holds {raw.type.value} such as {_example(raw)!r}, and information is of "
            "levels: put them into bins first (numpy.digitize, pandas.cut), or take each value as a level "
            "with kinds='categorical'."
        )
    if kind is not None and not kind.coded:
        Column.learn(raw, declared)  # refuses what is not of this kind
        declared = None
    return Column.learn(raw, Kind.CATEGORICAL.value if declared is None else declared)


def codes_of(column: Column, raw: Raw) -> Ints:
    """The place of every row's value among the levels, (n,); -1 where missing."""
    codes = np.empty(len(raw.values), np.intp)
    column.coded(raw).rows(0, len(codes), codes)
    return codes


def _is_table(given: object) -> bool:
    # Asked of the class: a lazy Polars frame warns when it is asked for its columns.
    by_class = hasattr(type(given), "columns") or hasattr(given, "tocsr")
    return by_class or isinstance(given, Mapping | Frame) or getattr(given, "ndim", 1) == 2


def _on_a_scale(raw: Raw) -> bool:
    """Whether values are times, or numbers that are not whole; gaps make floats of whole ones."""
    return raw.type in UNITS or (raw.type is Type.FLOAT and bool(_fractions(raw).any()))


def _fractions(raw: Raw) -> Any:
    numbers = raw.numbers()
    return (np.floor(numbers) != numbers) & ~np.isnan(numbers) | np.isinf(numbers)


def _example(raw: Raw) -> Any:
    if raw.type is Type.FLOAT and _fractions(raw).any():
        return raw.item(int(np.argmax(_fractions(raw))))
    return raw.example()
