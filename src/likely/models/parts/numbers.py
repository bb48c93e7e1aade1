"""Columns of numbers, counts and true/false: NaN where missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likely.ask.world import Nature, Variable
from likely.dist import Bernoulli, MultivariateNormal, MultivariateT
from likely.estimator.record import Quantities
from likely.models.parts.cells import CellsPart, dense
from likely.models.parts.part import Bools, Floats
from likely.stats import Groups
from likely.stats.products import height
from likely.table.block import Block, Numbers, Support
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.sparse import Rows


class NumbersPart(CellsPart):
    """A family of numbers, and what was seen of them."""

    reads: ClassVar[str] = "numbers"

    def block(self, frame: Frame) -> Block:
        """The columns as a block of numbers, which knows what the family takes for impossible."""
        numbers, rule = self.schema.numbers(frame, self.columns), self.family.outside
        return replace(numbers, support=Support(self.family.inside, rule)) if rule else numbers

    def gaps(self, cells: NDArray[Any]) -> Bools:
        """Which cells are missing."""
        return np.asarray(np.isnan(cells))

    def collect(self, block: Block, groups: Groups, start: int, stop: int) -> Self:
        """The part of one block of rows; numbers that no model takes are refused."""
        collected = super().collect(block, groups, start, stop)
        if isinstance(block, Numbers) and not collected.statistic.in_range():
            block.refuse_extremes(start, stop)
        return collected

    def never_seen(self) -> list[int]:
        """The columns of which no value was seen."""
        n = self.statistic.n
        by_column = np.broadcast_to(n.T, (len(self.columns), len(n)))  # of joint distributions, of all
        return [j for j, own in zip(self.columns, by_column, strict=True) if not own.any()]

    @property
    def kept_cells(self) -> int:
        """Of each row, the cells that are made for a first look and kept for a second."""
        return height(len(self.columns), self.family.joint)

    def variable(self, column: Column, gaps: bool) -> Variable:
        """A number that can be asked for, or true and false."""
        if column.kind is Kind.BOOLEAN:
            return Variable(column, Nature.LEVELS, (False, True, None) if gaps else (False, True))
        if isinstance(self.distribution, MultivariateNormal | MultivariateT):
            return Variable(column, Nature.REAL, gaps=gaps)
        if self.family.joint:
            return Variable(column, Nature.SHOWN, gaps=gaps)
        return Variable(column, Nature.WHOLE if self.distribution.whole else Nature.REAL, gaps=gaps)

    def counts(self, place: int) -> Quantities:
        """How often true was seen, or how many values."""
        if self.family is Bernoulli:
            return Quantities(["count of true"], self.statistic.total[:, [place]])
        rows = self.family.n_rows(self.statistic)
        return Quantities(["count of known"], (rows if rows.ndim == 1 else rows[:, place])[:, None])

    def parameters(self, place: int) -> Quantities:
        """P of true; or mean and sd, of which changes are comparable in sds."""
        distribution = self.distribution
        if isinstance(distribution, Bernoulli):
            return Quantities(["P of true"], distribution.p[:, [place]])
        mean, sd = distribution.mean[:, place], distribution.sd[:, place]
        unit = np.where((sd > 0) & np.isfinite(sd), sd, 1.0)
        return Quantities(["mean", "sd"], np.stack([mean, sd], axis=1), np.stack([unit, unit], axis=1))

    def level_table(self, place: int) -> tuple[list[str], Floats] | None:
        """False and true, if that is what the column holds."""
        if not isinstance(self.distribution, Bernoulli):
            return None
        p = self.distribution.p[:, place]
        return ["False", "True"], np.stack([1 - p, p], axis=1)

    def describe(self, group: int, place: int) -> str:
        """The distribution of a column in one group, in words."""
        return str(self.distribution.describe(group, place, None))

    def axes(self) -> Floats:
        """One axis a column."""
        return np.ones(len(self.columns))

    def points(self, rows: Rows) -> Floats:
        """The numbers as they are."""
        return np.asarray(dense(rows), np.float64)
