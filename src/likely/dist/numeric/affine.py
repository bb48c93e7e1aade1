"""Log-probabilities that are straight lines in the cells: all groups by one product, dense or sparse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.distribution import StraightLine, dense
from likely.dist.numeric.layout import product
from likely.stats.groups import Floats
from likely.stats.sums import split_missing
from likely.table.sparse import Rows, SparseRows


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
        """With something more added for every known cell."""
        return Affine(self.slope, self.constant + constant, self.impossible)

    def odds(self, a: int, b: int) -> StraightLine:
        """What tells group a from group b."""
        slope = self.slope[a] - self.slope[b]
        if self.impossible is not None:
            barred = (self.impossible.slope != 0) | (self.impossible.constant != 0)
            slope = np.where(barred[[a, b]].any(axis=0), np.nan, slope)
        return StraightLine(slope, np.zeros_like(slope), float((self.constant[a] - self.constant[b]).sum()))

    def __call__(self, rows: Rows) -> Floats:
        """For rows (b, d), dense or sparse, the sums (b, g)."""
        return self.sums(rows)[0]

    def sums(self, rows: Rows) -> tuple[Floats, bool]:
        """The sums, and whether a cell was missing, which they tell sooner than the cells."""
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
