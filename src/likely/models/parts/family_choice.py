"""families="auto": for each column of numbers the family that describes it in the fewest bits.

The classes are given, and no row is held back: how well a family would predict the target plays no part,
so a test on other rows stays a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.dist import Categorical, Family, Geometric, Histogram, Kernel, Normal, Poisson, Prior, Uniform
from likely.models.parts.families import Ranking
from likely.models.parts.priors import suits
from likely.score.description import code_length
from likely.score.grid import Grid
from likely.stats import Cells, Groups
from likely.table.block import Numbers
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.column.raw import UNITS
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

AUTO = "auto"
MOST_LEVELS = 64  # of whole numbers that may be taken for levels
TIE = 3  # decimals of a bit: the same to so many is a tie
ROWS_A_RANGE = 50  # at least, in each class: fewer say little of ends beyond which nothing is possible
ROWS_A_LEVEL = 4  # at least, on average, for whole numbers to be taken for levels


def weigh_families(
    frame: Frame, schema: Schema, kinds: Any, families: Any, prior: Any, groups: Groups
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
        block.refuse_extremes(0, frame.n)
        cells = Cells.collect(block.rows(0, frame.n), groups)
        grid = Grid.of(cells)
        if len(grid.values) < 2:
            continue
        found = _candidates(column, cells, grid)
        if declared.get(name) is not None:
            found = [family for family in found if column.kind in family.kinds]
        found = [family for family in found if _fits(family, block, frame.n, groups)]
        found = [family for family in found if suits(priors.get(name, of_all), family)] or found
        rankings.append(_ranked(name, found, cells, grid))
    return named | {ranking.column: ranking.chosen for ranking in rankings}, tuple(rankings)


def _candidates(column: Column, cells: Cells, grid: Grid) -> list[type[Family]]:
    """The families that can describe a column of such values, the simplest first: it wins a tie."""
    found: list[type[Family]] = [Normal, Histogram, Kernel]
    if cells.n[cells.n > 0].min() >= ROWS_A_RANGE:
        found.insert(1, Uniform)
    if not grid.whole or column.type in UNITS:  # times are on a scale, even if they are whole days
        return found
    rows = float(cells.n.sum())
    if len(grid.values) <= MOST_LEVELS and len(grid.values) * ROWS_A_LEVEL <= rows:
        found.insert(-2, Categorical)
    return [*(family for family in (Poisson, Geometric) if family.inside(grid.values).all()), *found]


def _fits(family: type[Family], block: Numbers, n: int, groups: Groups) -> bool:
    """Whether also the rows without weight can be of the family: a table is read as a whole."""
    if family not in (Poisson, Geometric, Categorical) or groups.weight is None or groups.weight.all():
        return True
    rows = block.rows(0, n)
    if family is Categorical:
        return bool(((np.floor(rows) == rows) | np.isnan(rows)).all())
    return bool((family.inside(rows) | np.isnan(rows)).all())


def _ranked(name: str, families: list[type[Family]], cells: Cells, grid: Grid) -> Ranking:
    with np.errstate(all="ignore"):
        found = [(family.name, code_length(family, cells, grid)) for family in families]
    best = sorted(found, key=lambda pair: round(pair[1], TIE))
    return Ranking(name, tuple(f for f, _ in best), tuple(float(b) for _, b in best), grid.step)
