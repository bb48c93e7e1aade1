"""Product features: columns that are counted together, as one column of all combinations of their levels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.table.accepted import Kinds
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.schema import declared_by_name

Products = Sequence[Sequence[str]]

TIMES = " x "  # between the names of columns that are one
AND = ", "  # between their levels


def joined(frame: Frame, products: Products | None) -> Frame:
    """The table with each group of columns as one, in the place of the first; the columns themselves go.

    >>> days = Frame.of({"sky": ["sun", "rain"], "wind": [True, None], "play": [1, 2]})
    >>> table = joined(days, [("sky", "wind")])
    >>> table.names, table.values("sky x wind")
    (('sky x wind', 'play'), ['sun, True', None])
    """
    if not products:
        return frame
    groups = [_columns(frame, group) for group in products]
    gone = {name for group in groups for name in group}
    made = {TIMES.join(group): group for group in groups}
    names: list[str] = []
    for name in frame.names:
        names += [new for new, group in made.items() if group[0] == name]
        names += [] if name in gone else [name]

    def values(name: str) -> Any:
        return _cells(frame, made[name]) if name in made else frame.values(name)

    return Frame(
        tuple(names),
        frame.n,
        frame.library,
        frame.named,
        get=values,
        position={name: place for place, name in enumerate(names)},
    )


def list_levels(frame: Frame, table: Frame, products: Products | None, kinds: Kinds) -> None:
    """Give each product of a table the levels of all combinations, seen or not, before it is learnt."""
    declared = declared_by_name(frame.names, kinds, "kinds")
    for group in products or ():
        columns = [_learnt(frame.raw(name), declared.get(name)) for name in group]
        levels = [AND.join(map(_said, combination)) for combination in product(*columns)]
        place = {level: code for code, level in enumerate(levels)}
        name = TIMES.join(group)
        codes = np.array([-1 if cell is None else place[cell] for cell in table.values(name)], np.int32)
        table.seen[name] = Raw(name, Type.CATEGORY, codes, levels, tuple(levels), False)


def _columns(frame: Frame, group: object) -> tuple[str, ...]:
    names = () if isinstance(group, str) or not isinstance(group, Sequence) else tuple(group)
    if len(names) < 2 or len(set(names)) < len(names):
        raise LikelyError(f"products: {group!r} must name two different columns or more, as ('a', 'b').")
    for name in names:
        if name not in frame.position:
            raise LikelyError(
                f"products: there is no column {name!r}; the columns are {list(frame.names)[:10]!r}."
            )
    return names


def _learnt(raw: Raw, declared: Any) -> Sequence[Any]:
    """The levels of a column."""
    column = Column.learn(raw, declared)
    if column.kind is Kind.BOOLEAN:
        return (False, True)
    if column.levels is None or column.words is not None:
        raise LikelyError(
            f"products: column {raw.name!r} is {column.kind}, and a product is of levels: put it into bins "
            f"first (likely.Discretize), or take each value as a level, kinds={{{raw.name!r}: 'ordinal'}}."
        )
    return column.known


def _cells(frame: Frame, group: Sequence[str]) -> list[str | None]:
    """The combination in each row, None where a part of it is missing."""
    parts = []
    for name in group:
        codes, values = frame.raw(name).distinct()
        said = np.array([*map(_said, values), None], object)  # the last is for -1, the missing
        parts.append(said[codes].tolist())
    return [None if None in cells else AND.join(cells) for cells in zip(*parts, strict=True)]


def _said(level: Any) -> str:
    """A level in words, the same whether a whole number came as one or as a float."""
    whole = isinstance(level, float) and level.is_integer()
    return str(int(level)) if whole else str(level)
