"""Squared distances from the centres of groups that lie apart, in columns that are independent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.mend import mend
from likely.stats.groups import Floats
from likely.stats.moments import MANY, STEP
from likely.stats.products import Products
from likely.table.scratch import scratch_like

# How much larger than the distance its terms may be when it is summed around a middle: 12 digits stay.
LARGEST_TERMS = 256.0
# Beyond these, squares overflow or vanish on the way.
LEAST_SD, LARGEST_SD = 1e-100, 1e100


@dataclass(frozen=True)
class Apart:
    """The sum over the columns of ((x - centre) / sd)^2, for every group.

    Two ways to the same number. The products of the cells and their squares around a common middle with their
    weights are all groups at once; the differences from each group's centre keep all digits. The
    rows that lie near a centre, few where groups lie apart, are taken by their differences from
    it, and all are where a cell is missing or columns are very many.
    """

    centre: Floats  # (g, d)
    rest: Floats  # (g, d) what rounding took from the centre
    sd: Floats  # (g, d)
    middle: Floats  # (d,)

    def __call__(self, cells: Floats, missing: NDArray[np.bool_] | None) -> Floats:
        """Of rows (b, d), of which missing cells add nothing: (g, b)."""
        if missing is None and cells.shape[1] <= MANY and np.isfinite(self._sure).any():
            out = Products.of(cells, self.middle, crossed=False).times(self._weights)
            mend(out, self._sure, cells, self._from_centre)
            return out
        out = np.empty((len(self.centre), len(cells)))
        for start in range(0, len(cells), STEP):
            at = slice(start, start + STEP)
            gaps = None if missing is None else missing[at]
            for group, distances in enumerate(out):
                distances[at] = self._from_centre(group, cells[at], gaps)
        return out

    @cached_property
    def _from(self) -> Floats:
        """The centres from the middle, in sds, (g, d)."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(((self.centre - self.middle) + self.rest) / self.sd)

    @cached_property
    def _sure(self) -> Floats:
        """The squared distance from which on the sum around the middle keeps the digits, (g,).

        Of a row near the centre its terms, 2 |from| |x - middle| / sd and two squares, come to no more than 4
        |from|^2, and each is rounded: for a row much farther off the distance itself is as large.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            terms = np.square(self._from).sum(axis=1)
            sure = np.where(terms <= LARGEST_TERMS, 0.0, terms / LARGEST_TERMS)
        extreme = ((self.sd < LEAST_SD) | (self.sd > LARGEST_SD)).any(axis=1)
        return np.where(extreme | ~(terms < 1e280), np.inf, sure)

    @cached_property
    def _weights(self) -> Floats:
        """What multiplies 1, the deviations from the middle and their squares, (g, 1 + 2 d)."""
        with np.errstate(over="ignore", invalid="ignore"):
            constant = np.square(self._from).sum(axis=1, keepdims=True)
            return np.concatenate([constant, -2 * self._from / self.sd, 1 / self.sd**2], axis=1)

    def _from_centre(self, group: int, cells: Floats, missing: NDArray[np.bool_] | None = None) -> Floats:
        z = np.subtract(cells, self.centre[group], out=scratch_like("dist_cells", cells))
        np.subtract(z, self.rest[group], out=z)
        np.divide(z, self.sd[group], out=z)
        if missing is not None:
            np.copyto(z, 0.0, where=missing)
        return np.asarray(np.einsum("ij,ij->i", z, z))
