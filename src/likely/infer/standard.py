"""Rows of numbers measured from a centre in units of a scale, without a copy of the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import map_rows
from likely.table.scratch import scratch_like

Floats = NDArray[np.float64]

NEAR = 3.0  # sds: a centre no farther off than this is taken out by algebra, and costs at most one digit


@dataclass(frozen=True)
class Standard:
    """z = (x - centre) / scale, as theta = (intercept, coefficients) of z sees it.

    The scale, and a centre near 0, are taken care of in the parameters: x itself is used, dense or sparse.
    Only dense columns that lie far from 0 are shifted, block by block.

    >>> rows = np.array([[1.0], [3.0]])
    >>> z = Standard(2, 1, lambda a, b: rows[a:b], np.array([2.0]), np.array([0.5]))
    >>> z.predict(np.array([[1.0, 10.0]])).ravel()
    array([-19.,  21.])
    """

    n: int
    width: int  # cells that are stored in a row
    rows: Callable[[int, int], Any]  # (b, d), dense or sparse, without missing cells
    centre: Floats  # (d,)
    scale: Floats  # (d,)
    n_jobs: int | None = None

    def part(self, first: int, last: int) -> Standard:
        """Some of the rows."""
        return replace(self, n=last - first, rows=lambda start, stop: self.rows(first + start, first + stop))

    @cached_property
    def shifted(self) -> bool:
        """Whether dense blocks have their centre taken out."""
        return bool((np.abs(self.centre) > NEAR * self.scale).any())

    def block(self, start: int, stop: int) -> tuple[Any, Floats]:
        """Rows start to stop, (b, d), and the centre that is still in them, (d,)."""
        rows = self.rows(start, stop)
        if not isinstance(rows, np.ndarray) or not self.shifted:
            return rows, self.centre
        moved = np.subtract(rows, self.centre, out=scratch_like("shifted", rows))
        return moved, np.zeros_like(self.centre)

    def plain(self, theta: Floats, centre: Floats) -> tuple[Floats, Floats]:
        """Intercepts (g,) and coefficients (g, d) of x less what was taken out, of theta (g, 1 + d)."""
        coefficients = theta[:, 1:] / self.scale
        return theta[:, 0] - coefficients @ centre, coefficients

    def gradient(self, total: Floats, products: Floats, centre: Floats) -> Floats:
        """Of theta, (g, 1 + d), from the sums of residuals (g,) and of residual times x (g, d)."""
        return np.concatenate([total[:, None], (products - total[:, None] * centre) / self.scale], axis=1)

    def hessian(self, squares: Floats, centre: Floats) -> Floats:
        """Of theta, from the weighted squares of (1, x), (..., 1 + d, 1 + d)."""
        out = squares.copy()
        out[..., 1:, :] -= centre[:, None] * out[..., :1, :]
        out[..., :, 1:] -= out[..., :, :1] * centre
        out[..., 1:, :] /= self.scale[:, None]
        out[..., :, 1:] /= self.scale
        return out

    def predict(self, theta: Floats) -> Floats:
        """theta . (1, z) of every row, (n, g)."""
        out = np.empty((self.n, len(theta)))

        def step(start: int, stop: int) -> None:
            rows, centre = self.block(start, stop)
            intercept, coefficients = self.plain(theta, centre)
            out[start:stop] = rows @ coefficients.T
            out[start:stop] += intercept

        map_rows(self.n, self.width + len(theta), step, n_jobs=self.n_jobs)
        return out
