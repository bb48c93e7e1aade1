"""Parts whose cells are numbers or codes: missing ones can be guessed from what else is known of the row."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.dist import MultivariateNormal
from likely.dist.numeric.gap_patterns import gap_patterns
from likely.evidence import Status
from likely.models.parts.part import Bools, Floats, Ints, Part
from likely.stats import Groups
from likely.table.block import Block
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.sparse import Rows

FARTHEST = 10_000  # the largest count that is looked at for the most probable one


class CellsPart(Part):
    """Columns of cells that are known or missing one by one."""

    @abstractmethod
    def gaps(self, cells: NDArray[Any]) -> Bools:
        """Which cells are missing, (b, d)."""

    def status(self, rows: Rows) -> NDArray[np.int8] | None:
        """Whether each cell is known or missing, (b, d)."""
        return np.where(self.gaps(dense(rows)), Status.MISSING, Status.KNOWN).astype(np.int8)

    def known_cells(self, frame: Frame, row: int) -> tuple[NDArray[Any], Bools]:
        """The cells of a row, (d,), and which are missing."""
        # A copy, for blocks use their memory again.
        cells = np.array(dense(self.block(frame).rows(row, row + 1))[0])
        return cells, self.gaps(cells)

    def complete(self, block: Block, groups: Groups, codes: Ints, rng: np.random.Generator) -> Self:
        """The part of rows whose missing cells are drawn."""
        cells = dense(block.rows(0, len(codes)))
        gaps = self.gaps(cells)
        if gaps.any():
            cells = np.where(gaps, self._draws(cells, gaps, codes, rng), cells).astype(cells.dtype)
        return self.with_statistic(self.family.collect(cells, groups, self.sizes))

    def fill(
        self, rows: Rows, shares: Floats, groups: Ints | None, rng: np.random.Generator | None
    ) -> tuple[Bools, Floats] | None:
        """Which cells are missing, and guesses in their places, (b, d)."""
        cells = dense(rows)
        gaps = self.gaps(cells)
        if not gaps.any():
            return None
        if groups is not None and rng is not None:
            return gaps, self._draws(cells, gaps, groups, rng)
        return gaps, self._expected(cells, gaps, shares)

    def _draws(self, cells: NDArray[Any], gaps: Bools, groups: Ints, rng: np.random.Generator) -> Floats:
        """Every gap drawn from the distribution of the row's group, given the row's known cells."""
        distribution = self.distribution
        if not isinstance(distribution, MultivariateNormal):
            return np.asarray(distribution.sample_rows(groups, rng), np.float64)
        guess = np.array(cells, np.float64)
        for group in np.unique(groups[gaps.any(axis=1)]).tolist():
            mine = np.flatnonzero((groups == group) & gaps.any(axis=1))
            for some in gap_patterns(gaps[mine]):
                (mean,), (spread,) = distribution.take([group]).given(cells[mine], some)
                values, axes = np.linalg.eigh(spread)
                white = rng.standard_normal(mean.shape) * np.sqrt(np.maximum(values, 0.0))[:, None, :]
                drawn = mean + white @ np.swapaxes(axes, 1, 2)
                guess[mine[some.rows][:, :, None], some.gaps[:, None, :]] = drawn
        return guess

    def _expected(self, cells: NDArray[Any], gaps: Bools, shares: Floats) -> Floats:
        """Every gap as the groups expect it, each by its share in the row."""
        guess, distribution = np.array(cells, np.float64), self.distribution
        if isinstance(distribution, MultivariateNormal):
            for some in gap_patterns(gaps):
                if not some.gaps.size:
                    continue
                mean = np.einsum("prg,gprm->prm", shares[some.rows], distribution.given(cells, some)[0])
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
    """Rows written out."""
    return rows if isinstance(rows, np.ndarray) else np.asarray(rows.toarray())
