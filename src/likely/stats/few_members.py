"""Cross-products of soft groups that lie apart: most shares are next to nothing, few rows matter to each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.stats.deviations import lost_digits
from likely.stats.exact import two_sum
from likely.stats.groups import Floats
from likely.table.scratch import by_columns, scratch

# Shares up to this are left out, if they move no digit of the sums: those 13.6 sds further off.
NEGLIGIBLE = 1e-40
# What leaves a sum as it is, relative to it: far below the rounding of its last digit.
NOTHING = 2.0**-60
SAMPLE = 16  # one row of so many shows whether shares are worth counting


@dataclass(frozen=True, slots=True)
class FewMembers:
    """Sums over the rows of each group whose share in it is not negligible, from its first such row."""

    n: Floats  # (g,) weights
    first: Floats  # (g, d) that the others are measured from, 0 where there are none
    total: Floats  # (g, d) of the deviations
    squares: Floats  # (g, d, d) of their products
    ends: tuple[Floats, Floats]  # the least and the largest cells of the block, (d,)
    left_out: float  # the most that all the others can weigh in a group

    @classmethod
    def of(cls, rows: Floats, soft: Floats, most: float) -> FewMembers | None:
        """From rows (b, d) and their shares (b, g); None if a row has more than `most` on average."""
        (b, d), n_groups, shares = rows.shape, soft.shape[1], soft.T
        if np.count_nonzero(shares[:, ::SAMPLE] > NEGLIGIBLE) > most * len(soft[::SAMPLE]):
            return None
        inside = shares > NEGLIGIBLE
        # Of a group with hardly a row in this block, shares that are next to nothing may be all there is.
        thin = np.flatnonzero(inside.sum(axis=1) < 2)
        inside[thin] = shares[thin] > 0
        places = np.flatnonzero(inside)  # in all groups laid end to end
        if len(places) > most * b:
            return None
        weight = shares.reshape(-1).take(places)
        ends = np.searchsorted(places, np.arange(n_groups + 1) * b)
        np.remainder(places, b, out=places)
        mine = np.take(rows, places, axis=0, out=scratch("members", (len(places), d)), mode="clip")
        n, first, products = np.zeros(n_groups), np.zeros((n_groups, d)), np.zeros((n_groups, d + 1, d + 1))
        for group in map(int, np.flatnonzero(np.diff(ends))):
            inside_it = slice(ends[group], ends[group + 1])
            n[group], first[group] = weight[inside_it].sum(), mine[ends[group]]
            # The deviations and a 1, weighed: what they give multiplied by themselves holds both sums.
            weighed = scratch("weighed", (inside_it.stop - inside_it.start, d + 1))
            np.subtract(mine[inside_it], first[group], out=weighed[:, :d])
            weighed[:, d] = 1.0
            weighed *= np.sqrt(weight[inside_it])[:, None]
            np.matmul(weighed.T, weighed, out=products[group])
        return cls(n, first, products[:, d, :d], products[:, :d, :d], _extremes(rows), b * NEGLIGIBLE)

    def centred(self) -> tuple[Floats, Floats, Floats, NDArray[np.bool_]]:
        """Means (g, d), what rounding took from them, scatter (g, d, d), and the groups to be taken alone."""
        n = self.n[:, None]
        apart = np.divide(self.total, n, out=np.zeros_like(self.total), where=n > 0)
        mean, rest = two_sum(self.first, apart)
        scatter = self.squares - self.total[:, :, None] * apart[:, None, :]
        own, squares = (np.einsum("gii->gi", array) for array in (scatter, self.squares))
        return mean, rest, scatter, self._moved(mean, own) | lost_digits(own, squares)

    def _moved(self, mean: Floats, scatter: Floats) -> NDArray[np.bool_]:
        """Groups whose sums what was left out may have moved, given their means and scatter (g, d).

        At most `left_out` weighs a group more, and adds to its scatter no more than that weight times the
        square of the largest deviation that there is.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            reach = np.maximum(mean - self.ends[0], self.ends[1] - mean)
            kept = (np.square(reach) * self.left_out <= NOTHING * scatter).all(axis=1)
        return ~(kept & (self.left_out <= NOTHING * self.n))


def _extremes(rows: Floats) -> tuple[Floats, Floats]:
    """The least and the largest cell of each column, (d,)."""
    if by_columns(rows):
        return rows.min(axis=0), rows.max(axis=0)
    # Many rows side by side: to go through a few columns row by row takes eight times as long.
    (b, d), beside = rows.shape, 64
    whole = rows[: b - b % beside].reshape(-1, beside * d)
    parts = [extreme(whole, axis=0).reshape(beside, d) for extreme in (np.min, np.max)] if len(whole) else []
    rest = rows[b - b % beside :]
    least, largest = (np.concatenate([part, rest]) for part in parts) if parts else (rest, rest)
    return least.min(axis=0), largest.max(axis=0)
