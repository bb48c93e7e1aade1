"""Conjunctive concepts, and the version space: those that agree with all rows, by their boundaries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.format.words import many
from likely.language import Condition, Word

if TYPE_CHECKING:
    from likely.models.hypotheses.conjunctions import Conjunctions

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Codes = tuple[int, ...] | None  # the constraints of a concept: a value's place, or k for any; None is empty

MOST_BITS = 22  # constraints that can be dropped in every combination: four million concepts
BLOCK = 1 << 14


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

    @property
    def text(self) -> str:
        """The concept as a condition in the language of `ask`, for `Subgroups`.

        >>> Concept(("sky", "air", "sea"), ("sunny", ANY, "very warm")).text
        'sky = sunny and sea = "very warm"'
        """
        asked = [] if self.values is None else zip(self.attributes, self.values, strict=True)
        parts = [str(Condition(name, "=", (Word(str(v)),))) for name, v in asked if v is not ANY]
        if not parts:
            covers = "nothing" if self.values is None else "everything"
            raise LikelyError(f"{self!r} covers {covers}: no condition says that.")
        return " and ".join(parts)

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


@dataclass(frozen=True, eq=False, repr=False)
class VersionSpace:
    """All concepts that agree with the rows; iterating gives them one after another.

    `specific` (S) and `general` (G) are its boundaries: a concept is inside if it lies between them. If
    no concept agrees with all rows, both are empty.
    """

    conjunctions: Any
    specific: tuple[Concept, ...]
    general: tuple[Concept, ...]
    steps: tuple[tuple[tuple[Concept, ...], tuple[Concept, ...]], ...]  # (S, G) at first and after each row

    @property
    def empty(self) -> bool:
        """Whether no concept agrees with all rows."""
        return not self.specific

    def __contains__(self, concept: object) -> bool:
        if not isinstance(concept, Concept):
            return False
        above = any(concept.at_least_as_general(own) for own in self.specific)
        return above and any(own.at_least_as_general(concept) for own in self.general)

    def __len__(self) -> int:
        """How many concepts are inside."""
        return sum(len(codes) for codes in self._blocks()) + self._nothing

    def __iter__(self) -> Iterator[Concept]:
        for codes in self._blocks():
            yield from (self.conjunctions.concept(own) for own in codes)
        if self._nothing:
            yield self.conjunctions.concept(None)

    def vote(self, thing: Mapping[str, Any] | Sequence[Any]) -> float:
        """The share of the concepts inside that cover a thing: P(positive) under a uniform prior."""
        if self.empty:
            raise LikelyError(
                "the version space is empty: no concept agrees with all rows, so none can vote."
            )
        covered = [concept.covers(thing) for concept in self]
        return sum(covered) / len(covered)

    @property
    def _nothing(self) -> bool:
        """Whether the empty concept is inside: no positive row was seen."""
        return any(concept.values is None for concept in self.specific)

    def _blocks(self) -> Iterator[Ints]:
        """The constraints of the concepts inside, but the empty one, some at a time."""
        if self.empty:
            return
        space, sizes = self.conjunctions, np.array(self.conjunctions.sizes)
        bounds = [codes for own in self.general if (codes := space.constraints(own)) is not None]
        candidates = space.blocks(BLOCK) if self._nothing else _generalised(space, self.specific[0])
        for codes in candidates:
            inside = np.zeros(len(codes), bool)
            for bound in bounds:
                inside |= ((codes == bound) | (bound == sizes)).all(axis=1)
            yield codes[inside]

    def __str__(self) -> str:
        if self.empty:
            return "the version space is empty: no concept agrees with all rows"
        concepts = many(len(self), "concept")
        rows = many(len(self.steps) - 1, "row")
        return "\n".join(
            [
                f"version space of {concepts} after {rows}",
                f"S: {', '.join(map(str, self.specific))}",
                f"G: {', '.join(map(str, self.general))}",
            ]
        )

    __repr__ = __str__


def _generalised(space: Conjunctions, concept: Concept) -> Iterator[Ints]:
    """A concept with its constraints dropped in every combination, some at a time."""
    own, sizes = space.constraints(concept), np.array(space.sizes)
    assert own is not None  # the empty concept has nothing to drop
    fixed = np.flatnonzero(own < sizes)
    if len(fixed) > MOST_BITS:
        raise LikelyError(
            f"the version space may hold 2^{len(fixed)} concepts, too many to go through: "
            "`specific` and `general` are its boundaries."
        )
    for start in range(0, 2 ** len(fixed), BLOCK):
        combinations = np.arange(start, min(start + BLOCK, 2 ** len(fixed)))
        codes = np.tile(own, (len(combinations), 1))
        for bit, j in enumerate(fixed):
            codes[(combinations >> bit) & 1 == 1, j] = sizes[j]
        yield codes


def most_specific(rows: Ints, sizes: tuple[int, ...]) -> Codes:
    """Find-S: the values that all rows share; None if there are no rows."""
    if not len(rows):
        return None
    shared = (rows == rows[0]).all(axis=0)
    return tuple(np.where(shared, rows[0], sizes).tolist())


def candidate_elimination(space: Conjunctions, rows: Ints, positive: Bools) -> VersionSpace:
    """Boundaries that close in on each other row by row; both are empty once no concept agrees."""
    sizes = space.sizes
    specific: Codes = None
    general: list[Codes] = [sizes]  # any value of each attribute
    alive = True
    steps = [_step(space, specific, general, alive)]
    for row, true in zip(rows, positive, strict=True):
        thing = tuple(row.tolist())
        if alive and true:
            specific = most_specific(np.array([thing if specific is None else specific, thing]), sizes)
            general = [own for own in general if _covers(own, thing, sizes)]
        elif alive:
            kept = [own for own in general if not _covers(own, thing, sizes)]
            for own in general:
                if _covers(own, thing, sizes):
                    kept.extend(_specialised(own, thing, specific, sizes))
            general = _most_general(kept, sizes)
            if specific is None and not general:
                general = [None]  # the empty concept is all that is left
            alive = specific is None or not _covers(specific, thing, sizes)
        general = [own for own in general if _at_least(own, specific, sizes)]
        alive = alive and bool(general)
        steps.append(_step(space, specific, general, alive))
    return VersionSpace(space, *steps[-1], tuple(steps))


def _step(
    space: Conjunctions, specific: Codes, general: list[Codes], alive: bool
) -> tuple[tuple[Concept, ...], tuple[Concept, ...]]:
    if not alive:
        return (), ()
    return (space.concept(specific),), tuple(space.concept(own) for own in general)


def _covers(codes: Codes, thing: tuple[int, ...], sizes: tuple[int, ...]) -> bool:
    return codes is not None and all(c in (k, v) for c, v, k in zip(codes, thing, sizes, strict=True))


def _at_least(general: Codes, specific: Codes, sizes: tuple[int, ...]) -> bool:
    """Whether the first is at least as general as the second."""
    return specific is None or _covers(general, specific, sizes)


def _specialised(
    own: Codes, thing: tuple[int, ...], specific: Codes, sizes: tuple[int, ...]
) -> Iterator[Codes]:
    """The least specialisations that no longer cover a thing and still lie above the most specific."""
    assert own is not None
    for j, k in enumerate(sizes):
        if own[j] != k:
            continue
        values = range(k) if specific is None else [specific[j]] if specific[j] != k else []
        yield from ((*own[:j], value, *own[j + 1 :]) for value in values if value != thing[j])


def _most_general(concepts: list[Codes], sizes: tuple[int, ...]) -> list[Codes]:
    """Without doubles, and without those that lie below another."""
    distinct = list(dict.fromkeys(concepts))
    return [
        own
        for own in distinct
        if not any(other != own and _at_least(other, own, sizes) for other in distinct)
    ]
