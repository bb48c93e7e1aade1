"""Squared distances of rows from the centres of all groups: Mahalanobis', and of independent columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats
from likely.stats.moments import MANY
from likely.stats.products import STEP, WIDEST, Products, pairs
from likely.table.block import scratch, scratch_like

# How much larger than the distance its terms may be when it is summed from products: 12 digits stay.
LARGEST_TERMS = 4096.0
# How many times as far from the middle as from the row a centre may lie when rows are whitened from the
# middle: the square is then off by 2 eps as many times, and 12 digits stay.
FARTHEST = 512.0
# Beyond so many sds from the middle squares may overflow on the way, and no sum is sure.
HUGE = 1e140
# Share of the distances that may be taken twice: with more of them, once from each centre costs less.
MOST_AGAIN = 0.5
# How much larger than the distance its terms may be when it is summed around a middle: 12 digits stay.
LARGEST_TERM = 256.0
# Beyond these, squares overflow or vanish on the way.
LEAST_SD, LARGEST_SD = 1e-100, 1e100


def mend(distances: Floats, sure: Floats, cells: Floats, again: Callable[[int, Floats], Floats]) -> None:
    """Take squared distances (g, b) of rows (b, d) again, in place, if they are less than is sure, (g,).

    Where groups lie apart that is each row's distance from its own group. `again` takes those of some
    rows from the centre of one group; if no distance is sure, nothing needs to be there before.
    """
    g, b = distances.shape
    unsure = ~(distances >= sure[:, None])  # what is not a number, too
    unsure[sure == 0] = False
    unsure[np.isinf(sure)] = True
    places = np.flatnonzero(unsure)  # in all groups laid end to end
    ends = np.searchsorted(places, np.arange(g + 1) * b)
    for group in map(int, np.flatnonzero(np.diff(ends))):
        few = places[ends[group] : ends[group + 1]] - group * b
        if 2 * len(few) > b:
            distances[group] = again(group, cells)
        else:
            distances[group, few] = again(group, cells[few])


@dataclass(frozen=True)
class Quadratic:
    """height + slope * |whiten (x - centre)|^2 for every group: the squared distance, unless told otherwise.

    Three ways to the same number. Whitening from each centre by itself is the most exact. All groups are
    whitened from a common middle by one product; rows that lie so much nearer to a centre than the
    middle does that this costs digits are then taken again from that centre: where groups lie
    apart, each row from its own. Many groups of few columns go by the products of the columns, which the
    statistics of EM need too, if the terms are not much larger than their sum.
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
            if self._suits_products:
                return Products.of(cells, self._middle).times(self._of_products).T
            out = np.empty((len(self.centre), len(cells)))
            if np.isfinite(self._sure).any():
                self._all_at_once(cells, out)
            mend(out, self._sure, cells, self._from_centre)
            out = out.T
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
    def _sure(self) -> Floats:
        """The squared distance from which on whitening from the middle keeps the digits, (g,).

        With W for whiten, the whitened row is W (x - middle) - W (centre - middle). For a row near the centre
        both parts are rounded by eps times |W| |centre - middle|, their largest terms, and that is what
        their difference is off by. It keeps its digits if it is no shorter than 1 / FARTHEST of this length.
        Nothing needs mending if that is below one sd: what is lost is then nothing beside the log density.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            terms = (np.abs(self.whiten) @ np.abs(self._apart)[:, :, None])[:, :, 0]
            reach = np.sqrt(np.square(terms).sum(axis=1))
            sure = np.where(reach <= FARTHEST, 0.0, np.square(reach / FARTHEST))
            sure[~(reach < HUGE)] = np.inf
            if not sure.any():
                return sure
            # Rows as near to the centres as those of their groups: if most of their distances were taken
            # again, whitening from the centres alone would cost less.
            near = [self._from_centre(group, self.centre) for group in range(len(self.centre))]
            again = ~(np.stack(near) + self.centre.shape[1] >= sure[:, None])
        return np.full_like(sure, np.inf) if again.mean() > MOST_AGAIN else sure

    @cached_property
    def _suits_products(self) -> bool:
        groups, d = self.centre.shape
        if d > WIDEST or 2 * groups < d:
            return False
        with np.errstate(over="ignore", invalid="ignore"):
            squares = self.variance + self._apart**2  # (g, d) of the rows of each group, from the middle
            spread = np.sqrt(np.maximum(squares, squares.mean(axis=0)))
            terms = np.abs(self._precision) * spread[:, :, None] * spread[:, None, :]
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
        coefficients = self.slope * np.concatenate([constant[:, None], cells, squares], axis=1)
        coefficients[:, 0] += self.height
        return coefficients

    @cached_property
    def _stacked(self) -> Floats:
        """All whitening matrices one below the other, and the shifts beside them, (g d, d + 1)."""
        d = self.centre.shape[1]
        return np.concatenate([self.whiten.reshape(-1, d), -self._shift.reshape(-1, 1)], axis=1)

    def _all_at_once(self, cells: Floats, out: Floats) -> None:
        """Fill in the distances (g, b), from the middle."""
        groups, d = self.centre.shape
        for start in range(0, len(cells), STEP // 2):
            part = cells[start : start + STEP // 2]
            apart = scratch("dist_cells", (d + 1, len(part)))
            np.subtract(part.T, self._middle[:, None], out=apart[:d])
            apart[d] = 1.0
            white = scratch("dist_white", (groups * d, len(part)))
            np.matmul(self._stacked, apart, out=white)
            np.multiply(white, white, out=white)
            np.add.reduce(white.reshape(groups, d, len(part)), axis=1, out=out[:, start : start + len(part)])

    def _from_centre(self, group: int, cells: Floats) -> Floats:
        """The squared distances from one centre, (b,)."""
        apart, white = scratch_like("dist_cells", cells), scratch_like("dist_white", cells)
        np.subtract(cells, self.centre[group], out=apart)
        np.subtract(apart, self.rest[group], out=apart)
        np.matmul(apart, self.whiten[group].T, out=white)
        return np.asarray(np.einsum("ij,ij->i", white, white))


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
            sure = np.where(terms <= LARGEST_TERM, 0.0, terms / LARGEST_TERM)
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
