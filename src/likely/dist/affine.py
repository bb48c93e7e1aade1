"""Log-probabilities and log-odds that are linear in the cells: one matrix product for all groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.distribution import StraightLine, dense
from likely.stats.groups import Floats
from likely.stats.sums import split_missing
from likely.table.column.block import Rows, SparseRows, scratch_like

# Beyond so many sds from 0, differences to it lose digits that those to a middle keep.
FAR = 16.0


def product(cells: Floats, weights: Floats) -> Floats:
    """cells (b, d) times weights (g, d), (b, g), with each group in one piece.

    BLAS is no slower so, and what is done to the groups next is four times as fast.
    """
    return np.asarray((weights @ cells.T).T)


@dataclass(frozen=True, slots=True)
class Affine:
    """Sum over the known cells of x * slope + constant, and -inf where something impossible is seen.

    >>> Affine(np.array([[2.0, 3.0]]), np.array([[1.0, 1.0]]))(np.array([[1.0, 1.0], [np.nan, 1.0]]))
    array([[7.],
           [4.]])
    """

    slope: Floats  # (g, d)
    constant: Floats  # (g, d)
    impossible: Affine | None = None  # counts the cells of probability 0

    @classmethod
    def of_logs(cls, log_on: Floats, log_off: Floats) -> Affine:
        """x * log_on + (1 - x) * log_off, where 0 * log 0 = 0."""
        never_on, never_off = np.isneginf(log_on), np.isneginf(log_off)
        on, off = np.where(never_on, 0.0, log_on), np.where(never_off, 0.0, log_off)
        slope = np.asfortranarray(on - off)  # as sparse products want it: they would copy it for every block
        if not (never_on.any() or never_off.any()):
            return cls(slope, off)
        barred = cls(never_on.astype(np.float64) - never_off, never_off.astype(np.float64))
        return cls(slope, off, barred)

    def plus(self, constant: Floats) -> Affine:
        """The same with a constant added for every known cell."""
        return Affine(self.slope, self.constant + constant, self.impossible)

    def odds(self, a: int, b: int) -> StraightLine:
        """The log-odds of group a against group b."""
        slope = self.slope[a] - self.slope[b]
        if self.impossible is not None:
            barred = (self.impossible.slope != 0) | (self.impossible.constant != 0)
            slope = np.where(barred[[a, b]].any(axis=0), np.nan, slope)
        return StraightLine(slope, np.zeros_like(slope), float((self.constant[a] - self.constant[b]).sum()))

    def __call__(self, rows: Rows) -> Floats:
        """For rows (b, d), dense or sparse, the sums (b, g)."""
        return self.sums(rows)[0]

    def sums(self, rows: Rows) -> tuple[Floats, bool]:
        """The sums, and whether a cell was missing, which the sums show sooner than the cells."""
        out, gaps = self._dense(dense(rows)) if isinstance(rows, np.ndarray) else self._sparse(rows)
        if self.impossible is not None:
            out[self.impossible(rows) > 0] = -np.inf
        return out, gaps

    def _dense(self, cells: Floats) -> tuple[Floats, bool]:
        out = product(cells, self.slope)
        gaps = bool(np.isnan(out).any())
        if not gaps:
            out += self.constant.sum(axis=1)
            return out, gaps
        known = ~np.isnan(cells)
        out = product(np.where(known, cells, 0.0), self.slope)
        out += product(known.astype(np.float64), self.constant)
        return out, gaps

    def _sparse(self, rows: SparseRows) -> tuple[Floats, bool]:
        out = np.asarray(rows @ self.slope.T)
        gaps = bool(np.isnan(out).any())
        if gaps:
            missing, present = split_missing(rows)
            out = np.asarray(present @ self.slope.T - missing @ self.constant.T)
        out += self.constant.sum(axis=1)
        return out, gaps


def halfway(pair: Floats, rest: Floats) -> tuple[Floats, Floats]:
    """Of the means (2, d) of two groups, the middle, and the way from the second to the first."""
    # Halved first: the sum of the largest numbers would overflow.
    return pair[0] / 2 + pair[1] / 2, (pair[0] - pair[1]) + (rest[0] - rest[1])


@dataclass(frozen=True, slots=True)
class LinearOdds:
    """log P(row given group) - log P(row given the first group) = slope . (x - middle) + constant.

    >>> one, other = np.array([[0.0], [1.0]]), np.zeros((2, 1))
    >>> LinearOdds.of(one, other, np.eye(1), np.ones(1))(np.array([[0.5], [2.0]]))
    array([[0. , 0. ],
           [0. , 1.5]])
    """

    middle: Floats  # (d,)
    slope: Floats  # (g, d)
    constant: Floats  # (g,)

    @classmethod
    def of(cls, centre: Floats, rest: Floats, whiten: Floats, variance: Floats) -> LinearOdds:
        """From means (g, d), their rounding errors, the whitening matrix and its diagonal."""
        # Halved first: the sum of the largest numbers would overflow.
        middle = centre.min(axis=0) / 2 + centre.max(axis=0) / 2
        if (np.abs(centre) <= FAR * np.sqrt(variance)).all():  # 0 is near enough, and costs nothing
            middle = np.zeros_like(middle)
        apart = ((centre - middle) + rest) @ whiten.T  # of the centres from the middle, whitened
        steps = apart - apart[0]
        constant = -0.5 * np.einsum("gi,gi->g", steps, apart + apart[0])
        return cls(middle, steps @ whiten, constant)

    def __call__(self, cells: Floats) -> Floats:
        """For rows (b, d), (b, g); NaN for a row with an infinite cell."""
        with np.errstate(invalid="ignore", over="ignore"):
            apart = cells
            if self.middle.any():
                apart = np.subtract(cells, self.middle, out=scratch_like("dist_cells", cells))
            out = product(apart, self.slope)
            out += self.constant
            whole = np.isfinite(out.sum())  # in one go; if it is not, a cell may be the reason
        if not whole:
            out[~np.isfinite(out).all(axis=1)] = np.nan
        return out
