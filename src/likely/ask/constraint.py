"""The values that a condition allows a variable: levels or regions of the line, and their set operations."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

Piece = tuple[float, float]  # both ends belong to it

LINE: tuple[Piece, ...] = ((-math.inf, math.inf),)


@dataclass(frozen=True, slots=True)
class Levels:
    """Some of the levels of a variable."""

    allowed: tuple[bool, ...]  # (k,)

    @property
    def only(self) -> int | None:
        """The index of the level, if only one is allowed."""
        return self.allowed.index(True) if sum(self.allowed) == 1 else None


@dataclass(frozen=True, slots=True)
class Region:
    """Disjoint intervals of the line, in order; `missing` if the number may also be missing.

    The ends belong to the pieces: below 3 is up to the number before 3.
    """

    pieces: tuple[Piece, ...]
    missing: bool = False

    @property
    def only(self) -> float | None:
        """The number, if only one is allowed."""
        low, high = self.pieces[0] if len(self.pieces) == 1 else (0.0, 1.0)
        return low if low == high and not self.missing else None


@dataclass(frozen=True, slots=True)
class Exactly:
    """Exactly one value, which has a density and no probability: a real number, or a text."""

    value: Any


Constraint = Levels | Region | Exactly

NOTHING = Region(())


def both(a: Constraint | None, b: Constraint) -> Constraint:
    """The intersection of two constraints of one variable.

    >>> both(Region(((0.0, 5.0), (8.0, 9.0))), Region(((3.0, 8.0),)))
    Region(pieces=((3.0, 5.0), (8.0, 8.0)), missing=False)
    >>> both(Exactly(4.0), Region(((3.0, 8.0),)))
    Exactly(value=4.0)
    """
    if a is None:
        return b
    if isinstance(a, Levels) and isinstance(b, Levels):
        return Levels(tuple(x and y for x, y in zip(a.allowed, b.allowed, strict=True)))
    if isinstance(a, Region) and isinstance(b, Region):
        met = ((max(p[0], q[0]), min(p[1], q[1])) for p in a.pieces for q in b.pieces)
        return Region(tuple(p for p in met if p[0] <= p[1]), a.missing and b.missing)
    point, other = (a, b) if isinstance(a, Exactly) else (b, a)
    assert isinstance(point, Exactly)
    inside = other == point if isinstance(other, Exactly) else is_inside(other, point.value)
    return point if inside else NOTHING


def union(a: Constraint, b: Constraint, whole: bool) -> Constraint:
    """The union of two disjoint constraints of one variable.

    >>> union(Region(((3.0, 5.0),)), Region(((-1.0, 0.0), (6.0, 7.0))), whole=True)
    Region(pieces=((-1.0, 0.0), (3.0, 7.0)), missing=False)
    """
    if isinstance(a, Levels) and isinstance(b, Levels):
        return Levels(tuple(x or y for x, y in zip(a.allowed, b.allowed, strict=True)))
    assert isinstance(a, Region)
    assert isinstance(b, Region)
    pieces: list[Piece] = []
    for low, high in sorted([*a.pieces, *b.pieces]):
        touching = pieces and low <= after(pieces[-1][1], whole)
        start = pieces.pop()[0] if touching else low
        pieces.append((start, high))
    return Region(tuple(pieces), a.missing or b.missing)


def is_inside(constraint: Constraint, number: float) -> bool:
    """Whether a number is in a region."""
    return isinstance(constraint, Region) and any(low <= number <= high for low, high in constraint.pieces)


def is_empty(constraint: Constraint) -> bool:
    """Whether no value is allowed."""
    match constraint:
        case Levels(allowed):
            return not any(allowed)
        case Region(pieces, missing):
            return not pieces and not missing
    return False


def otherwise(constraint: Constraint, whole: bool, gaps: bool) -> Constraint:
    """The complement of a constraint, among whole numbers if `whole`, with missing cells if `gaps`.

    >>> otherwise(Region(((3.0, 5.0),)), whole=True, gaps=False)
    Region(pieces=((-inf, 2.0), (6.0, inf)), missing=False)
    """
    if isinstance(constraint, Levels):
        return Levels(tuple(not allowed for allowed in constraint.allowed))
    assert isinstance(constraint, Region)
    left, start = [], -math.inf
    for low, high in constraint.pieces:
        left.append((start, before(low, whole)))
        start = after(high, whole)
    left.append((start, math.inf))
    # The infinities themselves are no numbers.
    kept = tuple(p for p in left if p[0] <= p[1] and p[0] < math.inf and p[1] > -math.inf)
    return Region(kept, gaps and not constraint.missing)


def before(number: float, whole: bool) -> float:
    """The next number below this one; infinities stay as they are."""
    if math.isinf(number):
        return number
    return math.ceil(number) - 1.0 if whole else math.nextafter(number, -math.inf)


def after(number: float, whole: bool) -> float:
    """The next number above this one; infinities stay as they are."""
    if math.isinf(number):
        return number
    return math.floor(number) + 1.0 if whole else math.nextafter(number, math.inf)
