"""Which family describes each column, and, where the data chose, what the others would have taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from likely.errors import LikelyError

if TYPE_CHECKING:
    from likely.models.groups.record import GroupRecord


@dataclass(frozen=True, slots=True)
class Ranking:
    """The families that were weighed for a column, the shortest description first.

    A column whose family was given, or is that of its kind, has that one and no bits.

    >>> Ranking("age", ("normal", "uniform"), (120.0, 131.5), 1.0)
    age: values 1 apart
    family    bits  worse by
    normal   120.0
    uniform  131.5      11.5
    """

    column: str
    families: tuple[str, ...]
    bits: tuple[float, ...] = ()  # of each: parameters and values together
    step: float = 0.0  # between the values that the bits tell apart

    @property
    def chosen(self) -> str:
        """The family that is used."""
        return self.families[0]

    @property
    def margin(self) -> float | None:
        """How many bits worse the runner-up is; None if there was none."""
        return self.bits[1] - self.bits[0] if len(self.bits) > 1 else None

    def __repr__(self) -> str:
        if not self.bits:
            return f"{self.column}: {self.chosen}, not weighed against others"
        lines = [
            (family, _shown(bits), _shown(bits - self.bits[0]) if place else "")
            for place, (family, bits) in enumerate(zip(self.families, self.bits, strict=True))
        ]
        head = f"{self.column}: values {self.step:g} apart"
        return "\n".join([head, *_aligned([("family", "bits", "worse by"), *lines], "<>>")])


@dataclass(frozen=True, slots=True)
class Families:
    """The families of a model's columns; by a column's name, the ranking behind the choice.

    >>> age, sex = Ranking("age", ("normal", "uniform"), (120.0, 131.5)), Ranking("sex", ("categorical",))
    >>> Families((age, sex))
    column  family        bits  next     worse by
    age     normal       120.0  uniform      11.5
    sex     categorical
    """

    rankings: tuple[Ranking, ...]

    @classmethod
    def of(cls, record: GroupRecord) -> Families:
        """Of every column that a model uses, in the order of the table."""
        weighed = {ranking.column: ranking for ranking in record.weighed}
        rankings = {}
        for part in record.parts:
            for j in part.columns if part.describes_cells else ():
                name = record.schema.columns[j].name
                rankings[j] = weighed.get(name) or Ranking(name, (part.family.name,))
        return cls(tuple(rankings[j] for j in sorted(rankings)))

    def __getitem__(self, column: str) -> Ranking:
        for ranking in self.rankings:
            if ranking.column == column:
                return ranking
        names = [ranking.column for ranking in self.rankings]
        near = get_close_matches(str(column), names, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the columns are {names[:10]!r}."
        raise LikelyError(f"the model has no column {column!r}: {hint}")

    def __iter__(self) -> Iterator[Ranking]:
        return iter(self.rankings)

    def __len__(self) -> int:
        return len(self.rankings)

    def __repr__(self) -> str:
        head = ("column", "family", "bits", "next", "worse by")
        return "\n".join(_aligned([head, *map(_line, self.rankings)], "<<><>"))


def _line(ranking: Ranking) -> tuple[str, ...]:
    if ranking.margin is None:
        bits = _shown(ranking.bits[0]) if ranking.bits else ""
        return ranking.column, ranking.chosen, bits, "", ""
    return (
        *(ranking.column, ranking.chosen, _shown(ranking.bits[0])),
        *(ranking.families[1], _shown(ranking.margin)),
    )


def _shown(bits: float) -> str:
    return f"{bits:.1f}"


def _aligned(lines: Sequence[Sequence[str]], sides: str) -> Iterable[str]:
    """Cells in columns of equal width, each to its side."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (f"{cell:{side}{width}}" for cell, side, width in zip(line, sides, widths, strict=True))
        yield "  ".join(cells).rstrip()
