"""families="auto": for each column of numbers the family that describes it in the fewest bits.

The classes are given, and no row is held back: how well a family would predict the target plays no part,
so a test on other rows stays a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.dist import Family, Prior, candidates
from likely.dist.family import Priors
from likely.dist.numeric.value_grid import Grid
from likely.dist.weighed import Unit
from likely.engine import Chunk, Engine, ReduceTask
from likely.models.parts.families import Ranking
from likely.models.parts.plan import FamilyWords
from likely.models.parts.priors import suits
from likely.score.description import code_length
from likely.stats import Cells, Groups
from likely.table.accepted import Kinds
from likely.table.block import Numbers
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.column.raw import UNITS, Type
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

AUTO = "auto"
TIE = 3  # decimals of a bit: the same to so many is a tie


def weigh_families(
    frame: Frame,
    schema: Schema,
    kinds: Kinds,
    families: FamilyWords,
    prior: Priors,
    groups: Groups,
    engine: Engine,
) -> tuple[Any, tuple[Ranking, ...]]:
    """The families with a name in place of each "auto", and the rankings that the names come from.

    Only numbers have several families to choose from; other columns have that of their kind, and so have
    sparse numbers, which would have to be written out, and columns of fewer than two different values.
    """
    words = families.values() if isinstance(families, Mapping) else [families]
    if not any(isinstance(word, str) and word == AUTO for word in words):
        return families, ()
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
        if groups.weight is not None and not groups.weight.all():
            # Also the rows without weight are to be of the family: a table is read as a whole.
            suited = [family for family in suited if not engine.reduce(rows, CountOutside(family))]
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


@dataclass(frozen=True, slots=True)
class CountOutside(ReduceTask[NumbersInGroups, int]):
    """How many values a family cannot describe."""

    family: type[Family]

    def step(self, data: NumbersInGroups, start: int, stop: int) -> int:
        """Of some rows."""
        rows = data.block.rows(start, stop)
        return int((~(self.family.describes(rows) | np.isnan(rows))).sum())


def _ranked(name: str, families: list[type[Family]], cells: Cells, grid: Grid) -> Ranking:
    with np.errstate(all="ignore"):
        lengths = [(family.name, code_length(family, cells, grid)) for family in families]
    best = sorted(lengths, key=lambda pair: round(pair[1], TIE))
    return Ranking(name, tuple(f for f, _ in best), tuple(float(b) for _, b in best), grid.step)
