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
from likely.table.column.block import by_columns, scratch, scratch_like

# How much larger than the distance its terms may be when it is summed from products: 12 digits stay.
LARGEST_TERMS = 4096.0
# How many times as far from the origin as from the row a centre may lie when rows are whitened from the
# origin: the square is then off by 2 eps as many times, and 12 digits stay.
FARTHEST = 512.0
# Beyond so many sds from the middle squares may overflow on the way, and no sum is sure.
HUGE = 1e140
# Share of the distances that may be taken twice: with more of them, once from each centre costs less.
MOST_AGAIN = 0.5
# Columns that are whitened with triangular matrices in two pieces; twice as many, and more, are in four.
TWO_PIECES = 10
# Whitened cells at a time, to be squared in the cache, unless rows would be too few for long products.
WHITENED, SHORTEST = 1 << 18, 1 << 8
# How much larger than the distance its terms may be when it is summed around a middle: 12 digits stay.
LARGEST_TERM = 256.0
# Beyond these, squares overflow or vanish on the way.
LEAST_SD, LARGEST_SD = 1e-100, 1e100


def mend(distances: Floats, sure: Floats, cells: Floats, again: Callable[[int, Floats], Floats]) -> None:
    """Take squared distances (g, b) of rows (b, d) again, in place, if they are less than is sure, (g,).

    Where groups lie apart that is each row's distance from its own group. `again` takes those of some
    rows from the centre of one group; if no distance is sure, nothing needs to be there before.
    """
    if (distances.min(axis=1, initial=np.inf) >= sure).all():  # at once; of what is not a number, nothing is
        return
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
    whitened from a common origin by few products; rows that lie so much nearer to a centre than the
    origin does that this costs digits are then taken again from that centre: where groups lie
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
    def _origin(self) -> Floats:
        """Where rows are whitened from, (d,): the middle, or 0 where that is about as good."""
        near = np.maximum(2 * self._reach(self._apart), FARTHEST)
        return np.zeros_like(self._middle) if (self._reach(self.centre) <= near).all() else self._middle

    @cached_property
    def _off(self) -> Floats:
        """The centres from the origin, (g, d)."""
        return np.asarray((self.centre - self._origin) + self.rest)

    def _reach(self, apart: Floats) -> Floats:
        """How long these differences (g, d) may become on the way to being whitened, (g,)."""
        with np.errstate(over="ignore", invalid="ignore"):
            terms = (np.abs(self.whiten) @ np.abs(apart)[:, :, None])[:, :, 0]
            return np.asarray(np.sqrt(np.square(terms).sum(axis=1)))

    def _white(self, apart: Floats) -> Floats:
        """These differences (g, d), whitened, (g, d)."""
        return np.asarray((self.whiten @ apart[:, :, None])[:, :, 0])

    @cached_property
    def _sure(self) -> Floats:
        """The squared distance from which on whitening from the origin keeps the digits, (g,).

        With W for whiten, the whitened row is W (x - origin) - W (centre - origin). For a row near the centre
        both parts are rounded by eps times |W| |centre - origin|, their largest terms, and that is what
        their difference is off by. It keeps its digits if it is no shorter than 1 / FARTHEST of this length.
        Nothing needs mending if that is below one sd: what is lost is then nothing beside the log density.
        """
        reach = self._reach(self._off)
        with np.errstate(over="ignore", invalid="ignore"):
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
        constant = np.square(self._white(self._apart)).sum(axis=1)
        coefficients = self.slope * np.concatenate([constant[:, None], cells, squares], axis=1)
        coefficients[:, 0] += self.height
        return coefficients

    @cached_property
    def _stacked(self) -> list[Floats]:
        """Of some whitened columns at a time, the matrices of all groups one below the other, (g k, 1 + c).

        The shifts stand first, then what multiplies the first c cells: as the matrices are triangular,
        whitened columns need no later ones, which saves up to three products of eight. The pieces are all of
        one height; the first, which costs least, has lines of zeros where columns are too few.
        """
        g, d = self.centre.shape
        pieces = 1 if np.triu(self.whiten, 1).any() else 1 << min(d // TWO_PIECES, 2)
        high = -(-d // pieces)
        shifted = np.zeros((g, high * pieces, 1 + d))
        shifted[:, -d:] = np.concatenate([-self._white(self._off)[:, :, None], self.whiten], axis=2)
        ends = range(d - high * (pieces - 1), d + 1, high)
        parts = np.split(shifted, pieces, axis=1)
        return [part[:, :, : 1 + end].reshape(-1, 1 + end) for part, end in zip(parts, ends, strict=True)]

    def _all_at_once(self, cells: Floats, out: Floats) -> None:
        """Fill in the distances (g, b), from the origin."""
        groups, pieces, high = len(out), len(self._stacked), len(self._stacked[0])
        step = max(min(STEP, WHITENED // (pieces * high)), SHORTEST)
        for start in range(0, len(cells), step):
            part = cells[start : start + step]
            apart = self._after_ones(part)
            white = scratch("dist_white", (pieces, high, len(part)))
            for whiten, piece in zip(self._stacked, white, strict=True):
                np.matmul(whiten, apart[: whiten.shape[1]], out=piece)
            np.multiply(white, white, out=white)
            squares = white.reshape(pieces, groups, -1, len(part))
            np.add.reduce(squares, axis=(0, 2), out=out[:, start : start + len(part)])

    def _after_ones(self, part: Floats) -> Floats:
        """A line of ones, and the columns from the origin, (1 + d, b); in memory as the rows are."""
        b, d = part.shape
        apart = scratch("dist_cells", (1 + d, b)) if by_columns(part) else scratch("dist_cells", (b, 1 + d)).T
        apart[0] = 1.0
        if self._origin.any():
            np.subtract(part.T, self._origin[:, None], out=apart[1:])
        else:
            np.copyto(apart[1:], part.T)
        return apart

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
