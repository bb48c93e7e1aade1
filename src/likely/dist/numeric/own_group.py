"""Rows of groups that lie apart: each has one group that it can be of, and needs no distance from others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.distances import Quadratic
from likely.stats.groups import Floats
from likely.stats.products import NEGLIGIBLE
from likely.table.column.block import scratch, scratch_like

MOST_GROUPS = 64  # their pairs are looked at one by one
MOST_UNSURE = 0.1  # share of the rows that may have several groups: they are looked at twice
HARDLY = 6.0  # how many sds above its mean hardly a squared distance from the own centre is
LEFT_OUT = -float(np.log(NEGLIGIBLE))  # nats that a group must be behind for its share to be nothing
SURE_REST = 1e-13  # sds that rounding may have taken from a centre without anyone asking for them


@dataclass(frozen=True, slots=True)
class Owned:
    """Rows whose own group is certain, those of a group side by side, and the others."""

    rows: Floats  # (m, d)
    group: NDArray[np.uint8]  # (m,)
    log_joint: Floats  # (m,) log P(row, its group)
    places: NDArray[np.intp]  # (m,) of these rows in the block
    others: NDArray[np.intp]  # places of those that may be of several groups


@dataclass(frozen=True)
class OwnGroup:
    """Which rows can be of one normal group only: every other has a share below `NEGLIGIBLE`.

    A row is given to the group that straight lines make the likeliest, and its distance taken from there.
    How far it lies from any other centre is told by one number at first: how far along the line from that
    centre to its own group's, in units of the other group. The distance is no less. That is enough for
    nearly all rows where groups lie apart, and costs a tenth of the distances.
    """

    quadratic: Quadratic  # of slope -1/2: log densities
    log_weights: Floats  # (g,)

    @cached_property
    def lie_apart(self) -> bool:
        """Whether most rows can be expected to be of one group only."""
        if not 2 <= len(self.log_weights) <= MOST_GROUPS:
            return False
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            roots = np.linalg.inv(self.quadratic.whiten)
            sds = np.linalg.norm(self._ways @ roots, axis=2)  # of the rows of a group, along the ways
            z = self._least / sds  # what a row must deviate by to be in reach of another group, in sds
            unsure = np.where(z > 0, 0.5 * np.exp(-0.5 * z * z), 1.0).sum(axis=1)  # no less than the tails
            return bool(np.exp(self.log_weights) @ np.minimum(unsure, 1.0) <= MOST_UNSURE)

    def __call__(self, cells: Floats) -> Owned:
        """Of rows (b, d)."""
        with np.errstate(invalid="ignore", over="ignore"):
            group = self._likeliest(cells)
            order = np.argsort(group, kind="stable")
            group = group[order]
            ends = np.searchsorted(group, np.arange(len(self.log_weights) + 1))
            rows = np.take(cells, order, axis=0, out=scratch("own_rows", cells.shape), mode="clip")
            log_joint, sure = np.empty(len(rows)), np.empty(len(rows), np.bool_)
            for own in map(int, np.flatnonzero(np.diff(ends))):
                inside = slice(ends[own], ends[own + 1])
                self._from_own(own, rows[inside], log_joint[inside], sure[inside])
        if sure.all():
            return Owned(rows, group, log_joint, order, np.empty(0, np.intp))
        return Owned(rows[sure], group[sure], log_joint[sure], order[sure], order[~sure])

    def _from_own(self, own: int, mine: Floats, log_joint: Floats, sure: NDArray[np.bool_]) -> None:
        """Fill in log P(row, own group) of some rows, (n,), and whether no other has a share in them."""
        d = mine.shape[1]
        apart = np.subtract(mine, self.quadratic.centre[own], out=scratch_like("dist_cells", mine))
        if self._rest_counts:
            np.subtract(apart, self.quadratic.rest[own], out=apart)
        white = scratch("dist_white", (d + len(self.log_weights), len(mine)))
        np.matmul(self._stacked[own], apart.T, out=white)
        distance, along = white[:d], white[d:]
        along += self._least[own][:, None]
        np.multiply(distance, distance, out=distance)
        np.add.reduce(distance, axis=0, out=log_joint)
        np.less_equal(log_joint, self._farthest, out=sure)  # what is not a number is not sure
        sure &= np.minimum.reduce(along, axis=0) >= 0
        log_joint *= -0.5
        log_joint += self._level[own]

    def _likeliest(self, cells: Floats) -> NDArray[np.uint8]:
        """The group that straight lines make the likeliest, (b,): a guess, which is looked at closely."""
        middle, lines, heights = self._lines
        apart = np.subtract(cells, middle, out=scratch_like("dist_cells", cells))
        scores = scratch("dist_white", (len(lines), len(cells)))
        np.matmul(lines, apart.T, out=scores)
        scores += heights[:, None]
        return np.asarray(scores.argmax(axis=0), np.uint8)

    @cached_property
    def _lines(self) -> tuple[Floats, Floats, Floats]:
        """A middle (d,), and slopes (g, d) and heights (g,) as if groups had all the same covariance."""
        centre = self.quadratic.centre
        middle = centre.mean(axis=0)
        apart, roots = centre - middle, np.linalg.inv(self.quadratic.whiten)
        lines = np.linalg.solve((roots @ np.swapaxes(roots, 1, 2)).mean(axis=0), apart.T).T
        return middle, lines, self.log_weights - 0.5 * np.einsum("gd,gd->g", lines, apart)

    @cached_property
    def _level(self) -> Floats:
        """Log P(row, group) at the centres, (g,)."""
        return np.asarray(self.quadratic.height + self.log_weights)

    @cached_property
    def _rest_counts(self) -> bool:
        moved = self.quadratic.whiten @ self.quadratic.rest[:, :, None]
        return bool(np.abs(moved).max() > SURE_REST)

    @cached_property
    def _farthest(self) -> float:
        """The squared distance from its own centre that hardly a row exceeds."""
        d = self.quadratic.centre.shape[1]
        return float(d + HARDLY * np.sqrt(2 * d))

    @cached_property
    def _offsets(self) -> Floats:
        """From the other centre to the own, whitened as rows of the other are, (own, other, d)."""
        centre, rest = self.quadratic.centre, self.quadratic.rest
        apart = (centre[:, None] - centre) + (rest[:, None] - rest)
        return np.asarray((self.quadratic.whiten @ apart[:, :, :, None])[..., 0])

    @cached_property
    def _ways(self) -> Floats:
        """The product of a row, from its own centre, with these is how far along the offset it lies."""
        far = np.linalg.norm(self._offsets, axis=2, keepdims=True)
        ways = self._offsets / np.where(far > 0, far, 1.0)
        return np.asarray((ways[:, :, None, :] @ self.quadratic.whiten)[:, :, 0])

    @cached_property
    def _least(self) -> Floats:
        """How far each centre lies from every other beyond what leaves that other no share, (own, other)."""
        behind = self._level - (self._level[:, None] - 0.5 * self._farthest) + LEFT_OUT
        far = np.linalg.norm(self._offsets, axis=2)
        least = np.asarray(far - np.sqrt(2 * np.maximum(behind, 0.0)))
        np.fill_diagonal(least, np.inf)  # its own group is no other
        return least

    @cached_property
    def _stacked(self) -> Floats:
        """What whitens the rows of a group, and below it the ways, (g, d + g, d)."""
        return np.concatenate([self.quadratic.whiten, self._ways], axis=1)
