"""Log-odds between normals of one covariance, which are linear in the cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.numeric.layout import product
from likely.stats.groups import Floats
from likely.table.scratch import scratch_like

# Beyond so many sds from 0, differences to it lose digits that those to a middle keep.
FAR = 16.0


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
        """From centres (g, d), what rounding took from them, what whitens their covariance, its diagonal."""
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
