"""Squared distances from the centres of groups that lie apart, in columns that are independent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.dist.mend import mend
from likely.stats.groups import Floats
from likely.stats.moments import STEP
from likely.table.scratch import scratch_like

# How much larger than the distance its terms may be when it is summed around a middle: 12 digits stay.
LARGEST_TERMS = 256.0
# Beyond these, squares overflow or vanish on the way.
LEAST_SD, LARGEST_SD = 1e-100, 1e100


@dataclass(frozen=True)
class Apart:
    """The sum over the columns of ((x - centre) / sd)^2, for every group.

    Two ways to the same number. The squares around a common middle, and the cells, times their weights in every
    group are two products for all groups; the differences from each group's centre keep all digits. Of
    a group the rows that lie near its centre, which are few where groups lie apart, are taken by
    differences, and all where a cell is missing.
    """

    centre: Floats  # (g, d)
    rest: Floats  # (g, d) what rounding took from the centre
    sd: Floats  # (g, d)
    middle: Floats  # (d,)

    def __call__(self, cells: Floats, missing: NDArray[np.bool_] | None) -> Floats:
        """Of rows (b, d), of which missing cells add nothing: (g, b)."""
        out = np.empty((len(self.centre), len(cells)))
        for start in range(0, len(cells), STEP):
            at = slice(start, start + STEP)
            part, found = cells[at], out[:, at]
            if missing is not None:
                for group in range(len(out)):
                    found[group] = self._from_centre(group, part, missing[at])
                continue
            if np.isfinite(self._sure).any():
                self._from_middle(part, found)
            mend(found, self._sure, part, self._from_centre)
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
    def _weights(self) -> tuple[Floats, Floats, Floats]:
        """What multiplies the squares and the cells, (g, d), and what is added, (g, 1)."""
        with np.errstate(over="ignore", invalid="ignore"):
            constant = np.square(self._from).sum(axis=1, keepdims=True)
            return 1 / self.sd**2, -2 * self._from / self.sd, constant

    def _from_middle(self, cells: Floats, out: Floats) -> None:
        of_squares, of_cells, constant = self._weights
        z = np.subtract(cells, self.middle, out=scratch_like("dist_cells", cells))
        np.matmul(of_cells, z.T, out=out)
        out += constant
        out += of_squares @ np.square(z, out=z).T

    def _from_centre(self, group: int, cells: Floats, missing: NDArray[np.bool_] | None = None) -> Floats:
        z = np.subtract(cells, self.centre[group], out=scratch_like("dist_cells", cells))
        np.subtract(z, self.rest[group], out=z)
        np.divide(z, self.sd[group], out=z)
        if missing is not None:
            np.copyto(z, 0.0, where=missing)
        return np.einsum("ij,ij->i", z, z)
