"""Rows of numbers measured from a centre in units of a scale, without a copy of the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, Engine, MapTask, Memory, ReduceTask
from likely.table.column.block import scratch_like

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Matrix: TypeAlias = Any  # dense, or a sparse matrix of SciPy, which has no types
Rows = Callable[[int, int], Matrix]  # rows start to stop, (b, d), without missing cells

NEAR = 3.0  # sds: a centre no farther off than this is taken out by algebra, and costs at most one digit
DEPENDENT = 1e-11  # share of a column's square that must be left when those before it are taken out


@dataclass(frozen=True)
class Scaling:
    """z = (x - centre) / unit, as theta = (intercept, coefficients) of z sees it.

    The unit, and a centre near 0, are taken care of in the parameters: x itself is used, dense or sparse.
    Only dense columns that lie far from 0 are shifted, block by block.

    >>> Scaling(np.array([2.0]), np.array([0.5])).plain(np.array([[1.0, 10.0]]), np.array([2.0]))
    (array([-39.]), array([[20.]]))
    """

    centre: Floats  # (d,)
    unit: Floats  # (d,)

    @cached_property
    def shifted(self) -> bool:
        """Whether dense blocks have their centre taken out."""
        return bool((np.abs(self.centre) > NEAR * self.unit).any())

    def block(self, rows: Matrix) -> tuple[Matrix, Floats]:
        """Rows (b, d), shifted where that is needed, and the centre that is still in them, (d,)."""
        if not isinstance(rows, np.ndarray) or not self.shifted:
            return rows, self.centre
        moved = np.subtract(rows, self.centre, out=scratch_like("shifted", rows))
        return moved, np.zeros_like(self.centre)

    def plain(self, theta: Floats, centre: Floats) -> tuple[Floats, Floats]:
        """Intercepts (g,) and coefficients (g, d) of x less what was taken out, of theta (g, 1 + d)."""
        coefficients = theta[:, 1:] / self.unit
        return theta[:, 0] - coefficients @ centre, coefficients

    def gradient(self, total: Floats, products: Floats, centre: Floats) -> Floats:
        """Of theta, (g, 1 + d), from the sums of residuals (g,) and of residual times x (g, d)."""
        return np.concatenate([total[:, None], (products - total[:, None] * centre) / self.unit], axis=1)

    def hessian(self, squares: Floats, centre: Floats) -> Floats:
        """Of theta, from the weighted squares of (1, x), (..., 1 + d, 1 + d)."""
        out = squares.copy()
        out[..., 1:, :] -= centre[:, None] * out[..., :1, :]
        out[..., :, 1:] -= out[..., :, :1] * centre
        out[..., 1:, :] /= self.unit[:, None]
        out[..., :, 1:] /= self.unit
        return out

    def scores(self, rows: Matrix, theta: Floats) -> Floats:
        """theta . (1, z) of rows (b, d), (b, g)."""
        x, centre = self.block(rows)
        intercept, coefficients = self.plain(theta, centre)
        scores = np.asarray(x @ coefficients.T)
        scores += intercept
        return scores


@dataclass(frozen=True)
class Standard:
    """Rows in standard units, and the engine that works on them.

    >>> rows = np.array([[1.0], [3.0]])
    >>> z = Standard(Chunk(lambda a, b: rows[a:b], 2, 1), Scaling(np.array([2.0]), np.array([0.5])))
    >>> z.predict(np.array([[1.0, 10.0]])).ravel()
    array([-19.,  21.])
    """

    rows: Chunk[Rows]
    scale: Scaling
    engine: Engine = field(default_factory=Memory)

    @property
    def n(self) -> int:
        """How many rows there are."""
        return self.rows.n

    def predict(self, theta: Floats) -> Floats:
        """theta . (1, z) of every row, (n, g)."""
        (scores,) = self.engine.map(self.rows, Scores(self.scale, theta))
        return scores

    def some(self, chosen: Ints) -> Matrix:
        """Copies of some rows, in ascending order, (m, d)."""
        parts = self.engine.reduce(self.rows, SomeRows(chosen))
        if isinstance(parts[0], np.ndarray):
            return np.concatenate(parts)
        from scipy.sparse import vstack

        return vstack(parts, format="csr")


@dataclass(frozen=True)
class Scores(MapTask[Rows]):
    """theta . (1, z)."""

    scale: Scaling
    theta: Floats  # (g, 1 + d)

    def width(self, stored: int) -> int:
        """A row's cells, and its scores."""
        return stored + len(self.theta)

    def answers(self, n: int) -> Answers:
        """Scores, (n, g)."""
        return (np.empty((n, len(self.theta))),)

    def step(self, data: Rows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        out[0][:] = self.scale.scores(data(start, stop), self.theta)


@dataclass(frozen=True)
class SomeRows(ReduceTask[Rows, list[Matrix]]):
    """Those of the rows that are chosen, by their places in ascending order."""

    chosen: Ints

    def step(self, data: Rows, start: int, stop: int) -> list[Matrix]:
        """The chosen rows of a block; copied, for the memory of a block is used again."""
        first, last = np.searchsorted(self.chosen, (start, stop))
        return [data(start, stop)[self.chosen[first:last] - start]]


def row_products(z: Standard) -> Floats:
    """The products of all rows with each other, in standard units, (n, n).

    >>> rows = np.array([[1.0], [3.0]])
    >>> row_products(Standard(Chunk(lambda a, b: rows[a:b], 2, 1), Scaling(np.array([2.0]), np.array([0.5]))))
    array([[ 4., -4.],
           [-4.,  4.]])
    """
    rows = z.some(np.arange(z.n))
    if isinstance(rows, np.ndarray):
        standard = (rows - z.scale.centre) / z.scale.unit
        return np.asarray(standard @ standard.T)
    units = rows.multiply(
        1 / z.scale.unit
    ).tocsr()  # the centre is taken out by algebra, or all cells fill up
    centre = z.scale.centre / z.scale.unit
    across = np.asarray(units @ centre)
    return np.asarray((units @ units.T).toarray() - across[:, None] - across + centre @ centre)


def dependent(gram: Floats) -> NDArray[np.bool_]:
    """For each column, from the products of all columns (p, p), whether those before it determine it.

    >>> a = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    >>> dependent(a.T @ a)
    array([False, False,  True])
    """
    p = len(gram)
    scale = np.sqrt(np.maximum(np.diagonal(gram), np.finfo(np.float64).tiny))
    unit = gram / scale / scale[:, None]
    root, dependent = np.zeros((p, p)), np.zeros(p, bool)
    for j in range(p):
        left = unit[j, j] - float(root[j, :j] @ root[j, :j])
        if not left > DEPENDENT:
            dependent[j] = True
            continue
        root[j, j] = np.sqrt(left)
        root[j + 1 :, j] = (unit[j + 1 :, j] - root[j + 1 :, :j] @ root[j, :j]) / root[j, j]
    return dependent
