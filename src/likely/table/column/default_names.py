"""Names for the columns of a matrix, made when they are asked for: a bag of words may have 100,000."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import overload

from likely.table.column.lazy_sequence import AsTuple


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Places(AsTuple[str]):  # a name that stands in model files
    """The names x0, x1, ... of d columns that have none of their own; otherwise a tuple of them.

    >>> names = Places(3)
    >>> names[-1], names[:2], names == ("x0", "x1", "x2")
    ('x2', ('x0', 'x1'), True)
    """

    d: int

    def __len__(self) -> int:
        return self.d

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        places = range(self.d)[place]
        return tuple(f"x{j}" for j in places) if isinstance(places, range) else f"x{places}"

    def __iter__(self) -> Iterator[str]:
        return (f"x{j}" for j in range(self.d))

    def __contains__(self, name: object) -> bool:
        return position_of(name) in range(self.d)

    def _same(self, other: Places) -> bool:
        return self.d == other.d


@dataclass(frozen=True, slots=True)
class DefaultPositions(Mapping[str, int]):
    """The place of each name of `Places`.

    >>> DefaultPositions(Places(3))["x2"], "x3" in DefaultPositions(Places(3))
    (2, False)
    """

    names: Places

    def __getitem__(self, name: str) -> int:
        place = position_of(name)
        if place is None or place >= self.names.d:
            raise KeyError(name)
        return place

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return self.names.d


def position_of(name: object) -> int | None:
    """The place that a name such as x12 means; None if it means none.

    >>> position_of("x12"), position_of("x012"), position_of("age")
    (12, None, None)
    """
    digits = name[1:] if isinstance(name, str) and name.startswith("x") else ""
    if not (digits.isascii() and digits.isdigit()) or (digits[0] == "0" and digits != "0"):
        return None
    return int(digits)
