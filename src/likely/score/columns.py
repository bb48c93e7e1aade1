"""What a user may call a column, or several -> raw columns, their levels, and complete rows of codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import not_negative
from likely.errors import LikelyError
from likely.stats.groups import Floats, Groups, Ints
from likely.table.column.as_raw import as_raw
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS, Kind, Type, kind_of
from likely.table.column.raw import Raw, distinct
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
