"""A conjunctive concept: what must hold of each attribute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class _Any:
    """The constraint that any value meets."""

    def __repr__(self) -> str:
        return "?"

    def __reduce__(self) -> str:
        return "ANY"


ANY = _Any()
"""The wildcard of a concept: any value will do."""


@dataclass(frozen=True)
class Concept:
    """A value that each attribute must have, or ANY; with `values=None`, nothing at all is meant.

    >>> warm = Concept(("sky", "air"), (ANY, "warm"))
    >>> warm, warm.covers({"sky": "rainy", "air": "warm"}), warm.covers(("sunny", "cold"))
    (<?, warm>, True, False)
    """

    attributes: tuple[str, ...]
    values: tuple[Any, ...] | None

    def covers(self, thing: Mapping[str, Any] | Sequence[Any]) -> bool:
        """Whether a thing (values by name, or in the order of the attributes) falls under the concept."""
        if self.values is None:
            return False
        given = [thing[name] for name in self.attributes] if isinstance(thing, Mapping) else thing
        return all(v is ANY or v == own for v, own in zip(self.values, given, strict=True))

    def at_least_as_general(self, other: Concept) -> bool:
        """Whether all that falls under the other falls under this one.

        >>> Concept(("a", "b"), (ANY, 1)).at_least_as_general(Concept(("a", "b"), (2, 1)))
        True
        """
        if self.values is None or other.values is None:
            return other.values is None
        pairs = zip(self.values, other.values, strict=True)
        return all(mine is ANY or (theirs is not ANY and mine == theirs) for mine, theirs in pairs)

    def __repr__(self) -> str:
        return "<nothing>" if self.values is None else f"<{', '.join(str(value) for value in self.values)}>"
