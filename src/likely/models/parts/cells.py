"""Parts whose cells are numbers (NaN if missing) or codes of levels (-1 missing, -2 unseen in training)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likely.ask.world import Nature, Variable
from likely.dist import Bernoulli, MultivariateNormal, MultivariateT
from likely.dist.numeric.gap_patterns import gap_patterns
from likely.estimator.record import Quantities
from likely.evidence import Status
from likely.models.parts.part import Bools, Floats, Ints, Part, level_names
from likely.models.parts.time_words import mean_words, spread_words
from likely.stats import Groups, Statistic
from likely.stats.products import height
from likely.table.column.block import Block, Numbers, Rows, Support
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

FARTHEST = 10_000  # the largest count that is looked at for the most probable one
MOST_LEVELS = 50  # of a column that are told apart as axes of a space


class CellsPart(Part):
    """Columns in which each cell is known or missing by itself."""

    @abstractmethod
    def gaps(self, cells: NDArray[Any]) -> Bools:
        """Which cells are missing, (b, d)."""

    def status(self, rows: Rows) -> NDArray[np.int8] | None:
        """Whether each cell is known or missing, (b, d)."""
        return np.where(self.gaps(dense(rows)), Status.MISSING, Status.KNOWN).astype(np.int8)

    def n_told(self, rows: Rows) -> Floats:
        """The number of known cells in each row, (b,)."""
        if not isinstance(rows, np.ndarray):  # in a sparse table nothing is missing
            return np.full(rows.shape[0], float(len(self.columns)))
        return np.asarray(len(self.columns) - self.untold(rows).sum(axis=1), np.float64)

    def untold(self, cells: NDArray[Any]) -> Bools:
        """Which cells add no evidence, (b, d)."""
        return self.gaps(cells)

    def level_counts(self, place: int) -> Floats | None:
        """How often each level of a column was seen in each group, (g, k); None if it has none."""
        return None

    def known_cells(self, frame: Frame, row: int) -> tuple[NDArray[Any], Bools]:
        """The cells of a row, (d,), and which are missing."""
        # A copy, for blocks use their memory again.
        cells = np.array(dense(self.block(frame).rows(row, row + 1))[0])
        return cells, self.gaps(cells)

    def complete(self, block: Block, groups: Groups, codes: Ints, rng: np.random.Generator) -> Self:
        """The part of rows whose missing cells are drawn at random (stochastic imputation)."""
        cells = dense(block.rows(0, len(codes)))
        gaps = self.gaps(cells)
        if gaps.any():
            cells = np.where(gaps, self._draws(cells, gaps, codes, rng), cells).astype(cells.dtype)
        return self.with_statistic(self.family.collect(cells, groups, self.sizes))

    def fill(
        self, rows: Rows, shares: Floats, groups: Ints | None, rng: np.random.Generator | None
    ) -> tuple[Bools, Floats] | None:
        """Which cells are missing, and imputed values in their places, (b, d)."""
        cells = dense(rows)
        gaps = self.gaps(cells)
        if not gaps.any():
            return None
        if groups is not None and rng is not None:
            return gaps, self._draws(cells, gaps, groups, rng)
        return gaps, self._expected(cells, gaps, shares)

    def _draws(self, cells: NDArray[Any], gaps: Bools, groups: Ints, rng: np.random.Generator) -> Floats:
        """Each missing cell drawn from the distribution of the row's group, given the row's known cells."""
        distribution = self.distribution
        if not isinstance(distribution, MultivariateNormal):
            return np.asarray(distribution.sample_rows(groups, rng), np.float64)
        guess = np.array(cells, np.float64)
        for group in np.unique(groups[gaps.any(axis=1)]).tolist():
            mine = np.flatnonzero((groups == group) & gaps.any(axis=1))
            for some in gap_patterns(gaps[mine]):
                (mean,), (spread,) = distribution.take([group]).given_patterns(cells[mine], some)
                values, axes = np.linalg.eigh(spread)
                white = rng.standard_normal(mean.shape) * np.sqrt(np.maximum(values, 0.0))[:, None, :]
                drawn = mean + white @ np.swapaxes(axes, 1, 2)
                guess[mine[some.rows][:, :, None], some.gaps[:, None, :]] = drawn
        return guess

    def _expected(self, cells: NDArray[Any], gaps: Bools, shares: Floats) -> Floats:
        """Each missing cell as expected in each group, weighted by the responsibilities of the groups."""
        guess, distribution = np.array(cells, np.float64), self.distribution
        if isinstance(distribution, MultivariateNormal):
            for some in gap_patterns(gaps):
                if not some.gaps.size:
                    continue
                mean = np.einsum(
                    "prg,gprm->prm", shares[some.rows], distribution.given_patterns(cells, some)[0]
                )
                guess[some.rows[:, :, None], some.gaps[:, None, :]] = mean
            return guess
        for place in np.flatnonzero(gaps.any(axis=0)).tolist():
            missing = gaps[:, place]
            masses = self._cell_masses(place)
            if masses is None:
                mean = shares[missing] @ distribution.mean[:, place]
                whole = self.column(place).kind is Kind.COUNT
                guess[missing, place] = np.rint(mean) if whole else mean
            else:
                guess[missing, place] = (shares[missing] @ masses).argmax(axis=1) if masses.shape[1] else -1
        return guess

    def _cell_masses(self, place: int) -> Floats | None:
        """P(cell given group) of the values 0, 1, ... of a column, (g, k); None if its mean is the guess."""
        column, distribution = self.column(place), self.distribution
        if column.levels is not None or column.kind is Kind.BOOLEAN:
            k = len(column.levels or (0, 1))
        elif column.kind is Kind.COUNT and not self.family.joint:
            reach = np.max(distribution.mean[:, place] + 10 * distribution.sd[:, place])
            k = int(min(np.ceil(reach) + 2, FARTHEST))
        else:
            return None
        return np.asarray(np.exp(distribution.group_log_prob(self.alone(place, np.arange(k)))).T)


def dense(rows: Rows) -> NDArray[Any]:
    """Rows as a dense array."""
    return rows if isinstance(rows, np.ndarray) else np.asarray(rows.toarray())


class NumbersPart(CellsPart):
    """Columns of numbers under one family."""

    reads: ClassVar[str] = "numbers"

    def block(self, frame: Frame) -> Block:
        """The columns as a block of numbers that refuses values outside the family's support."""
        numbers, rule = self.schema.numbers(frame, self.columns), self.family.outside
        return replace(numbers, support=Support(self.family.inside, rule)) if rule else numbers

    def gaps(self, cells: NDArray[Any]) -> Bools:
        """Which cells are missing."""
        return np.asarray(np.isnan(cells))

    def collect(self, block: Block, groups: Groups, start: int, stop: int) -> Self:
        """The part of one block of rows; infinite and far too large numbers are refused."""
        collected = super().collect(block, groups, start, stop)
        if isinstance(block, Numbers) and not collected.statistic.in_range():
            block.refuse_extremes(start, stop)
        return collected

    def never_seen(self) -> list[int]:
        """The columns whose training cells were all missing."""
        n = self.statistic.n
        by_column = np.broadcast_to(n.T, (len(self.columns), len(n)))  # of joint distributions, of all
        return [j for j, own in zip(self.columns, by_column, strict=True) if not own.any()]

    @property
    def kept_cells(self) -> int:
        """How many cells of each row are computed at the first pass and kept for the second."""
        return height(len(self.columns), self.family.joint)

    def variable(self, column: Column, gaps: bool) -> Variable:
        """A variable for questions: a number, or true and false."""
        if column.kind is Kind.BOOLEAN:
            return Variable(column, Nature.LEVELS, (False, True, None) if gaps else (False, True))
        if isinstance(self.distribution, MultivariateNormal | MultivariateT):
            return Variable(column, Nature.REAL, gaps=gaps)
        if self.family.joint:
            return Variable(column, Nature.SHOWN, gaps=gaps)
        return Variable(column, Nature.WHOLE if self.distribution.whole else Nature.REAL, gaps=gaps)

    def counts(self, place: int) -> Quantities:
        """How often the value is true; of other numbers, how many values there are."""
        if self.family is Bernoulli:
            return Quantities(["count of true"], self.statistic.total[:, [place]])
        rows = self.family.n_rows(self.statistic)
        return Quantities(["count of known"], (rows if rows.ndim == 1 else rows[:, place])[:, None])

    def level_counts(self, place: int) -> Floats | None:
        """The counts of false and true in each group, (g, 2)."""
        if self.family is not Bernoulli:
            return None
        true = self.statistic.total[:, place]
        return np.stack(
            [np.broadcast_to(self.statistic.n.T, (len(self.columns), len(true)))[place] - true, true], 1
        )

    def parameters(self, place: int) -> Quantities:
        """P(true); or mean and standard deviation, whose changes are compared in standard deviations."""
        distribution = self.distribution
        if isinstance(distribution, Bernoulli):
            return Quantities(["P of true"], distribution.p[:, [place]])
        mean, sd = distribution.mean[:, place], distribution.sd[:, place]
        unit = np.where((sd > 0) & np.isfinite(sd), sd, 1.0)
        return Quantities(["mean", "sd"], np.stack([mean, sd], axis=1), np.stack([unit, unit], axis=1))

    def level_table(self, place: int) -> tuple[list[str], Floats] | None:
        """The levels False and True, for a Boolean column."""
        if not isinstance(self.distribution, Bernoulli):
            return None
        p = self.distribution.p[:, place]
        return ["False", "True"], np.stack([1 - p, p], axis=1)

    def describe(self, group: int, place: int) -> str:
        """The distribution of a column in one group, in words; times are shown as dates."""
        column = self.column(place)
        if column.unit is None:
            return str(self.distribution.describe(group, place, None))
        mean, sd = map(float, self.parameters(place).values[group])
        return f"mean {mean_words(column, mean)}, sd {spread_words(column, sd)}"

    def axes(self) -> Floats:
        """One axis per column."""
        return np.ones(len(self.columns))

    def points(self, rows: Rows) -> Floats:
        """The numbers themselves."""
        return np.asarray(dense(rows), np.float64)


class LevelsPart(CellsPart):
    """Columns of levels under one family."""

    reads: ClassVar[str] = "codes of levels"
    coded: ClassVar[bool] = True

    def block(self, frame: Frame) -> Block:
        """The columns as a block of codes."""
        return self.schema.codes(frame, self.columns)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of levels of each column."""
        return tuple(len(self.schema.columns[j].levels or ()) for j in self.columns)

    @property
    def _levels(self) -> list[tuple[Any, ...] | None]:
        return [self.schema.columns[j].levels for j in self.columns]

    def gaps(self, cells: NDArray[Any]) -> Bools:
        """Which cells are missing."""
        return np.asarray(cells == -1)

    def untold(self, cells: NDArray[Any]) -> Bools:
        """Which cells are missing, or of a level unseen in training."""
        return np.asarray(cells < 0)

    def status(self, rows: Rows) -> NDArray[np.int8] | None:
        """Whether each cell is known, missing or of a level unseen in training, (b, d)."""
        codes = {-1: Status.MISSING, -2: Status.UNSEEN}
        statuses = np.select([rows == code for code in codes], list(codes.values()), Status.KNOWN)
        return np.asarray(statuses, np.int8)

    def empty(self, n: int = 1) -> NDArray[Any]:
        """Rows whose cells are all missing, (n, d)."""
        return np.full((n, len(self.columns)), -1, np.intp)

    def relevel(self, schema: Schema) -> Self:
        """The part under a schema that has more levels."""
        part: Self = releveled(self, schema)
        return part

    def narrowed(self) -> tuple[Statistic, Mapping[int, Column]]:
        """The part without levels whose counts are 0, unless declared; and its columns then."""
        return without_empty_levels(self)

    def never_seen(self) -> list[int]:
        """The columns without a single known cell."""
        places = range(len(self.columns))
        return [self.columns[place] for place in places if not self.statistic.column(place).any()]

    def variable(self, column: Column, gaps: bool) -> Variable:
        """A variable for questions, with the levels of the column."""
        return Variable.of_levels(column)

    def counts(self, place: int) -> Quantities:
        """The counts of the levels."""
        named = [("count of", level) for level in self.column(place).levels or ()]
        return Quantities(named, self.statistic.column(place))

    def level_counts(self, place: int) -> Floats | None:
        """The counts of a column's levels in each group, (g, k)."""
        return np.asarray(self.statistic.column(place), np.float64)

    def parameters(self, place: int) -> Quantities:
        """The probability of each level."""
        named = [("P of", level) for level in self.column(place).levels or ()]
        return Quantities(named, self._probs(place))

    def _probs(self, place: int) -> Floats:
        start = sum(self.sizes[:place])
        return np.asarray(self.distribution.probs[:, start : start + self.sizes[place]])

    def level_table(self, place: int) -> tuple[list[str], Floats] | None:
        """The levels by name, and P(level given group), (g, k)."""
        return level_names(self.column(place)), self._probs(place)

    def describe(self, group: int, place: int) -> str:
        """The distribution of a column in one group, in words."""
        return str(self.distribution.describe(group, place, level_names(self.column(place))))

    def axes(self) -> Floats:
        """One axis per level (one-hot); of two levels both say the same, and together weigh one column."""
        return np.full(sum(min(k, MOST_LEVELS) for k in self.sizes), 1 / np.sqrt(2))

    def points(self, rows: Rows) -> Floats:
        """1 on the axis of the cell's level, 0 on the others of its column."""
        cells = dense(rows)
        out, start = np.empty((len(cells), len(self.axes()))), 0
        for j, k in enumerate(self.sizes):
            size, codes = min(k, MOST_LEVELS), cells[:, [j]]
            out[:, start : start + size] = np.where(codes < 0, np.nan, codes == np.arange(size))
            start += size
        return out


def releveled(part: Part, schema: Schema) -> Any:
    """A part that counts levels or words, extended to a schema that has more of them."""
    if part.schema.columns == schema.columns:
        return replace(part, schema=schema)
    places = []
    for j in part.columns:
        at = {level: i for i, level in enumerate(schema.columns[j].levels or ())}
        places.append(np.array([at[level] for level in part.schema.columns[j].levels or ()], np.intp))
    sizes = [len(schema.columns[j].levels or ()) for j in part.columns]
    return replace(part, schema=schema, statistic=part.statistic.relevel(places, sizes))


def without_empty_levels(part: Part) -> tuple[Statistic, Mapping[int, Column]]:
    """A statistic of levels or words without those whose counts are 0; and the columns afterwards."""
    places, columns = [], {}
    for j, total in zip(part.columns, part.statistic.level_totals(), strict=True):
        column = part.schema.columns[j]
        stays = [level is None or column.listed for level in column.levels or ()]
        keep = np.flatnonzero((total > 0) | np.array(stays, bool))
        places.append(keep)
        columns[j] = replace(column, levels=tuple((column.levels or ())[i] for i in keep))
    return part.statistic.only_levels(places), columns
