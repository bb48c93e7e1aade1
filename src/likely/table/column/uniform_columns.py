"""Many columns of which the same is known, or the same is declared: kept once, not once for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from likely.table.column.column import Column
from likely.table.column.default_names import Places
from likely.table.column.lazy_sequence import AsTuple


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Alike(AsTuple[Column]):
    """Columns that differ only in their names; otherwise a tuple of them.

    >>> from likely.table.column.kinds import Kind
    >>> from likely.table.column.raw import Type
    >>> columns = Alike(Column("", Kind.COUNT, Type.INTEGER), ("a", "b"))
    >>> columns[1].name, columns == (columns[0], columns[1])
    ('b', True)
    """

    pattern: Column  # its name does not matter
    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, place: int) -> Column: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Column, ...]: ...
    def __getitem__(self, place: int | slice) -> Column | tuple[Column, ...]:
        chosen = self.names[place]
        if isinstance(chosen, str):
            return replace(self.pattern, name=chosen)
        return tuple(replace(self.pattern, name=name) for name in chosen)

    def _same(self, other: Alike) -> bool:
        theirs = replace(other.pattern, name=self.pattern.name)
        return self.names == other.names and self.pattern == theirs


@dataclass(frozen=True, slots=True)
class Everywhere(Mapping[str, Any]):
    """The same declared of every column of a matrix without names.

    >>> Everywhere(Places(2), "count")["x1"]
    'count'
    """

    names: Places
    value: Any

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            raise KeyError(name)
        return self.value

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def each_value(declared: Mapping[str, Any], meant: Callable[[Any, str], Any]) -> Mapping[str, Any]:
    """What is meant by each value, given the value and the name of its column; asked once where all are one.

    >>> each_value({"a": 1, "b": 2}, lambda value, name: f"{name}{value}")
    {'a': 'a1', 'b': 'b2'}
    """
    if isinstance(declared, Everywhere) and len(declared):
        return Everywhere(declared.names, meant(declared.value, declared.names[0]))
    return {name: meant(value, name) for name, value in declared.items()}


def runs(
    columns: Sequence[Column], chosen: Sequence[int], *declared: Mapping[str, Any]
) -> Iterator[tuple[Column, Sequence[int]]]:
    """The chosen columns, with their places: one for all of which the same is known and declared."""
    one = isinstance(columns, Alike) and len(chosen) > 0
    if one and all(isinstance(what, Everywhere) or not what for what in declared):
        yield columns[chosen[0]], chosen
        return
    for j in chosen:
        yield columns[j], (j,)
