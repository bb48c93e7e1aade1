"""Whether cells of numbers are missing, where that is a level of its own (missing="level")."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likely.ask.world import Variable
from likely.dist import Bernoulli
from likely.dist.distribution import StraightLine, short
from likely.errors import LikelyError
from likely.estimator.record import Quantities
from likely.format import words
from likely.models.parts.part import Floats, Ints, Part
from likely.table.column.block import Block, Rows
from likely.table.column.column import Column
from likely.table.frame import Frame


class MissingPart(Part):
    """A coin for each column of numbers: whether the cell is there. What is in it is another part's."""

    reads: ClassVar[str] = "whether cells are missing"
    describes_cells: ClassVar[bool] = False

    def block(self, frame: Frame) -> Block:
        """The columns as a block of 0 (there) and 1 (missing)."""
        return self.schema.missing(frame, self.columns)

    def status(self, rows: Rows) -> NDArray[np.int8] | None:
        """The part that describes the cells says it."""
        return None

    def suits(self, column: Column) -> bool:
        """Columns that have no level to spare for a missing cell."""
        return column.levels is None and self.family is Bernoulli

    @property
    def by_value(self) -> bool:
        """It stands beside what the cell itself adds."""
        return False

    def variable(self, column: Column, gaps: bool) -> Variable:
        """The part that describes the cells is asked."""
        raise LikelyError(f"column {column.name!r} is asked about by its cells.")

    def counts(self, place: int) -> Quantities:
        """How many cells were missing."""
        return Quantities(["count of missing"], self.statistic.total[:, [place]])

    def parameters(self, place: int) -> Quantities:
        """The probability that a cell is missing."""
        return Quantities(["P of missing"], self.distribution.p[:, [place]])

    def level_table(self, place: int) -> tuple[list[str], Floats] | None:
        """There or missing, and their probabilities."""
        p = self.distribution.p[:, place]
        return ["there", "missing"], np.stack([1 - p, p], axis=1)

    def value_names(self, place: int) -> list[str] | None:
        """Known or missing."""
        return ["known", "missing"]

    def describe(self, group: int, place: int) -> str:
        """How often a cell is missing in one group."""
        return f"missing {short(self.distribution.p[group, place])}"

    def story(self, group: str) -> list[str]:
        """A coin for each column."""
        names = [words.shown(self.schema.columns[j].name) for j in self.columns]
        return [f"{name}: whether it is missing, by the toss of a coin of the {group}" for name in names]

    def linear_odds(self, a: int, b: int) -> StraightLine | None:
        """That a cell is missing is no multiple of its value."""
        return None

    def sample(self, groups: Ints, rng: np.random.Generator, cells: list[Any]) -> None:
        """Take out cells that were drawn: this part comes after those that draw them."""
        rows = self.distribution.sample_rows(groups, rng)
        for place, j in enumerate(self.columns):
            cells[j] = np.where(rows[:, place] == 1, np.nan, cells[j])
