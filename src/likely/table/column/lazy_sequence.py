"""Sequences that are no tuples, to save memory, and pass for the tuple of their items."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Self, TypeVar

T = TypeVar("T")


class AsTuple(Sequence[T]):
    """A sequence that is equal to the tuple of its items, and is hashed and shown as that is."""

    __slots__ = ()

    @abstractmethod
    def _same(self, other: Self) -> bool:
        """Whether another sequence of this class has the same items; cheaper than to look at each."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, type(self)):
            return self._same(other)
        return tuple(self) == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
