"""Squared Mahalanobis distances of rows from the centres of all groups, and what is linear in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from likely.stats.groups import Floats
from likely.stats.products import STEP, WIDEST, Products, pairs
from likely.table.scratch import scratch, scratch_like

# Beyond so many sds from a common middle, differences to it lose digits that those to a centre keep.
FAR = 16.0
# How much larger than the distance its terms may be when it is summed from products: 12 digits stay.
LARGEST_TERMS = 4096.0


@dataclass(frozen=True)
class Quadratic:
    """height + slope * |whiten (x - centre)|^2 for every group: the squared distance, unless told otherwise.

    Three ways to the same number. Whitening one group after another is the most exact. Groups that lie
    near each other are whitened by one product, and many groups of few columns go by the products
    of the columns, which the statistics of EM need too.
    """

    centre: Floats  # (g, d)
    rest: Floats  # (g, d) what rounding took from the centre
    whiten: Floats  # (g, d, d)
    variance: Floats  # (g, d)
    slope: float = 1.0
    height: Floats | float = 0.0  # (g,)

    def __call__(self, cells: Floats) -> Floats:
        """Of rows (b, d): (b, g)."""
        with np.errstate(invalid="ignore", over="ignore"):
            if self._near and self._suits_products:
                return Products.of(cells, self._middle).times(self._of_products).T
            out = self._all_at_once(cells) if self._near else self._one_by_one(cells)
            if self.slope != 1.0:
                out *= self.slope
                out += self.height
            return out

    @cached_property
    def _middle(self) -> Floats:
        """Where to measure from, (d,)."""
        # Halved first: the sum of the largest numbers would overflow.
        return np.asarray(self.centre.min(axis=0) / 2 + self.centre.max(axis=0) / 2)

    @cached_property
    def _apart(self) -> Floats:
        """The centres from the middle, (g, d)."""
        return np.asarray((self.centre - self._middle) + self.rest)

    @cached_property
    def _shift(self) -> Floats:
        """The centres from the middle, whitened, (g, d)."""
        return np.asarray((self.whiten @ self._apart[:, :, None])[:, :, 0])

    @cached_property
    def _near(self) -> bool:
        with np.errstate(invalid="ignore", over="ignore"):
            return bool((np.square(self._shift).sum(axis=1) <= FAR**2).all())

    @cached_property
    def _suits_products(self) -> bool:
        groups, d = self.centre.shape
        if d > WIDEST or 2 * groups < d:
            return False
        spread = np.sqrt((self.variance + self._apart**2).mean(axis=0))
        terms = np.abs(self._precision) * spread[:, None] * spread
        return bool(terms.sum(axis=(1, 2)).max() <= LARGEST_TERMS)

    @cached_property
    def _precision(self) -> Floats:
        """The inverses of the matrices, (g, d, d)."""
        return np.asarray(np.swapaxes(self.whiten, 1, 2) @ self.whiten)

    @cached_property
    def _of_products(self) -> Floats:
        """What multiplies 1, the deviations and their products, (g, p)."""
        first, second = pairs(self.centre.shape[1])
        squares = self._precision[:, first, second] * np.where(first == second, 1.0, 2.0)
        cells = -2 * (self._precision @ self._apart[:, :, None])[:, :, 0]
        constant = np.square(self._shift).sum(axis=1)
        found = self.slope * np.concatenate([constant[:, None], cells, squares], axis=1)
        found[:, 0] += self.height
        return found

    @cached_property
    def _stacked(self) -> Floats:
        """All whitening matrices one below the other, and the shifts beside them, (g d, d + 1)."""
        d = self.centre.shape[1]
        return np.concatenate([self.whiten.reshape(-1, d), -self._shift.reshape(-1, 1)], axis=1)

    def _all_at_once(self, cells: Floats) -> Floats:
        groups, d = self.centre.shape
        out = np.empty((groups, len(cells)))
        for start in range(0, len(cells), STEP // 2):
            part = cells[start : start + STEP // 2]
            apart = scratch("dist_cells", (d + 1, len(part)))
            np.subtract(part.T, self._middle[:, None], out=apart[:d])
            apart[d] = 1.0
            white = scratch("dist_white", (groups * d, len(part)))
            np.matmul(self._stacked, apart, out=white)
            np.multiply(white, white, out=white)
            np.add.reduce(white.reshape(groups, d, len(part)), axis=1, out=out[:, start : start + len(part)])
        return out.T

    def _one_by_one(self, cells: Floats) -> Floats:
        out = np.empty((len(self.centre), len(cells)))
        apart, white = scratch_like("dist_cells", cells), scratch_like("dist_white", cells)
        for group, centre in enumerate(self.centre):
            np.subtract(cells, centre, out=apart)
            np.subtract(apart, self.rest[group], out=apart)
            np.matmul(apart, self.whiten[group].T, out=white)
            np.einsum("ij,ij->i", white, white, out=out[group])
        return out.T
