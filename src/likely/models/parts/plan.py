"""Which family describes which columns: as stated, by their kinds, or, for "auto", in the fewest bits.

When the family is chosen the classes are given, and no row is held back: how well a family would predict the
target plays no part, so a test on other rows stays a test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from likely.dist import FAMILIES, Bernoulli, Family, Multinomial, Prior, candidates
from likely.dist.family import Priors
from likely.dist.numeric.value_grid import Grid
from likely.dist.weighed import Unit
from likely.engine import Chunk, Engine, ReduceTask
from likely.errors import LikelyError
from likely.models.parts.cells import LevelsPart, NumbersPart
from likely.models.parts.missing import MissingPart
from likely.models.parts.part import Part, refuse_unsuited, said, suits, what_suits
from likely.models.parts.words import WordsPart
from likely.score.entropy import code_length
from likely.stats import Cells, Groups
from likely.table.accepted import Kinds
from likely.table.column.block import Numbers
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS, Kind, Type
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name, each_value

# A family, or its name; for all columns, or by the column's name. None takes that of the kind.
FamilyWord = str | type[Family]
FamilyWords = Mapping[str, FamilyWord] | FamilyWord | None
DEFAULT = {
    Kind.BOOLEAN: "bernoulli",
    Kind.CATEGORICAL: "categorical",
    Kind.ORDINAL: "categorical",
    Kind.QUANTITATIVE: "normal",
    Kind.COUNT: "poisson",
}
AUTO = "auto"
TIE = 3  # decimals of a bit: the same to so many is a tie


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
    def of(cls, parts: Iterable[Part], weighed: Iterable[Ranking]) -> Families:
        """Of every column that a model's parts describe, in the order of the table."""
        ranked = {ranking.column: ranking for ranking in weighed}
        rankings = {}
        for part in parts:
            for j in part.columns if part.describes_cells else ():
                name = part.schema.columns[j].name
                rankings[j] = ranked.get(name) or Ranking(name, (part.family.name,))
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


def learn_schema(frame: Frame, kinds: Kinds, missing: str) -> Schema:
    """The schema of a table, under what the user says of kinds and of missing cells."""
    if missing not in ("ignore", "level"):
        raise LikelyError(f"missing={missing!r}: use 'ignore' (no evidence) or 'level' (a level of its own).")
    return Schema.learn(frame, kinds, missing_level=missing == "level")


def plan(
    schema: Schema,
    frame: Frame,
    kinds: Kinds,
    families: FamilyWords,
    prior: Priors,
    missing: str,
    estimate: str,
) -> tuple[Part, ...]:
    """Give every column a family; the schema of the parts has the kinds that the families ask for."""
    chosen = each_value(declared_by_name(schema.names, families, "families"), _family)
    schema = _fit_kinds(schema, frame, chosen, kinds, missing == "level")
    by_column = isinstance(prior, Mapping)
    priors = declared_by_name(schema.names, prior if by_column else None, "prior")
    together: dict[Any, tuple[type[Part], type[Family], Any, list[int]]] = {}
    for column, places in schema.runs(chosen, priors):
        family = chosen.get(column.name) or _default(column)
        own = priors.get(column.name, "default" if by_column else prior)
        if column.name in priors and not suits(own, family):
            raise LikelyError(
                f"prior={{{column.name!r}: {said(own)}}} does not suit the {family.name} family of that "
                f"column: give {what_suits(family)}."
            )
        # Every column of texts has a vocabulary of its own; other columns of a family stand side by side.
        key = (family.name, repr(own), places[0] if column.words is not None else None)
        together.setdefault(key, (_part_class(family, column), family, own, []))[3].extend(places)
    parts = [
        made(schema, family, tuple(js), own, estimate, asked=own)
        for made, family, own, js in together.values()
    ]
    if not by_column:
        refuse_unsuited(prior, ((part.first.name, part.family) for part in parts))
    if missing != "level":
        return tuple(parts)
    # Numbers have no level to spare for a missing cell: whether it is missing is a column of its own.
    numbers = tuple(j for j, column in enumerate(schema.columns) if column.levels is None)
    if numbers:
        # A conjugate prior is about what is in the cells, not about whether there is something.
        own = "default" if by_column or isinstance(prior, Prior) else prior
        parts.append(MissingPart(schema, Bernoulli, numbers, own, estimate, asked=own))
    return tuple(parts)


def _default(column: Column) -> type[Family]:
    if column.words is not None:
        return Bernoulli if column.words.bits else Multinomial
    return FAMILIES[DEFAULT[Kind.CATEGORICAL if column.has_levels else column.kind]]


def _part_class(family: type[Family], column: Column) -> type[Part]:
    if column.words is not None:
        return WordsPart
    return LevelsPart if family.kinds[0].coded else NumbersPart


def _family(word: object, column: str) -> type[Family]:
    if isinstance(word, type) and issubclass(word, Family):
        return word
    if not isinstance(word, str) or word not in FAMILIES:
        raise LikelyError(
            f"family {word!r} for column {column!r} is unknown: use one of {', '.join(FAMILIES)}."
        )
    return FAMILIES[word]


def _fit_kinds(
    schema: Schema, frame: Frame, chosen: Mapping[str, type[Family]], kinds: Kinds, missing_level: bool
) -> Schema:
    """A family that was asked for decides the kind of a column that is of none of its kinds."""
    declared = declared_by_name(schema.names, kinds, "kinds")
    moved: Mapping[str, str] = {}
    for column, places in schema.runs(chosen, declared):
        family = chosen.get(column.name)
        if family is None or (column.kind in family.kinds and column.has_levels is family.kinds[0].coded):
            continue
        if column.name in declared or column.words is not None:
            raise LikelyError(
                f"column {column.name!r} is {column.kind}, which the {family.name} family cannot "
                f"describe: it takes {', '.join(family.kinds)}."
            )
        more = schema.declare(places, str(family.kinds[0]))
        moved = {**moved, **more} if moved else more
    if not moved:
        return schema
    if frame.matrix is not None:  # whose columns are all of one type, so that they are learnt together
        return Schema.learn(frame, {**declared, **moved} if declared else moved, missing_level)
    again = {name: Column.learn(frame.raw(name), kind, missing_level) for name, kind in moved.items()}
    return replace(schema, columns=tuple(again.get(column.name, column) for column in schema.columns))


def weigh_families(
    frame: Frame,
    schema: Schema,
    kinds: Kinds,
    families: FamilyWords,
    prior: Priors,
    groups: Groups | None,
    engine: Engine,
) -> tuple[Any, tuple[Ranking, ...]]:
    """The families with a name in place of each "auto", and the rankings that the names come from.

    Only numbers have several families to choose from; other columns have that of their kind, and so have
    sparse numbers, which would have to be written out, and columns of fewer than two different values.
    """
    words = families.values() if isinstance(families, Mapping) else [families]
    if not any(isinstance(word, str) and word == AUTO for word in words):
        return families, ()
    if groups is None:
        raise LikelyError(
            "families='auto' weighs families by all values of a column, and the table is not in memory: name "
            "the family of each column, or weigh them on a sample that is."
        )
    asked = declared_by_name(frame.names, families, "families")
    named = {name: word for name, word in asked.items() if not (isinstance(word, str) and word == AUTO)}
    if frame.matrix is not None and not isinstance(frame.matrix, np.ndarray):
        return named, ()
    declared = declared_by_name(schema.names, kinds, "kinds")
    by_column = isinstance(prior, Mapping)
    priors = declared_by_name(schema.names, prior if by_column else None, "prior")
    of_all = prior if isinstance(prior, Prior) else None
    rankings = []
    for name in asked:
        column = schema.columns[frame.position[name]]
        if name in named or column.kind not in (Kind.QUANTITATIVE, Kind.COUNT):
            continue
        block = schema.numbers(frame, (frame.position[name],))
        rows = Chunk(NumbersInGroups(block, groups), frame.n, 1)
        cells = engine.reduce(rows, CollectCells())
        grid = Grid.of(cells)
        if len(grid.values) < 2:
            continue
        suited = candidates(cells, grid, _unit(column))
        if declared.get(name) is not None:
            suited = [family for family in suited if column.kind in family.kinds]
        suited = [family for family in suited if suits(priors.get(name, of_all), family)] or suited
        rankings.append(_ranked(name, suited, cells, grid))
    return named | {ranking.column: ranking.chosen for ranking in rankings}, tuple(rankings)


def _unit(column: Column) -> Unit:
    """What the numbers of a column are of."""
    if column.type not in UNITS:
        return "number"
    return "duration" if column.type is Type.DURATION else "moment"


@dataclass(frozen=True, slots=True)
class NumbersInGroups:
    """A column of numbers, and the groups of the rows."""

    block: Numbers
    groups: Groups


@dataclass(frozen=True, slots=True)
class CollectCells(ReduceTask[NumbersInGroups, Cells]):
    """The values of a column in each group."""

    def step(self, data: NumbersInGroups, start: int, stop: int) -> Cells:
        """Of some rows."""
        data.block.refuse_extremes(start, stop)
        return Cells.collect(data.block.rows(start, stop), data.groups.rows(start, stop))


def _ranked(name: str, families: list[type[Family]], cells: Cells, grid: Grid) -> Ranking:
    with np.errstate(all="ignore"):
        lengths = [(family.name, code_length(family, cells, grid)) for family in families]
    best = sorted(lengths, key=lambda pair: round(pair[1], TIE))
    return Ranking(name, tuple(f for f, _ in best), tuple(float(b) for _, b in best), grid.step)
