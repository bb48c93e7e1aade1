"""Covariances, and the densities that fall with their Mahalanobis distance: multivariate normal and t."""

from __future__ import annotations

import weakref
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import Distribution, demand, dense
from likely.dist.numeric.conditional import MOST, FilledRows, HeldFill, StandardUnits
from likely.dist.numeric.distances import Quadratic
from likely.dist.numeric.gap_patterns import GapPatterns, gap_patterns
from likely.dist.prior import FLOOR, Spread
from likely.errors import LikelyError
from likely.stats.groups import Floats, Ints
from likely.stats.kurtosis import Fourth
from likely.stats.pooled_scatter import Within
from likely.stats.scatter import Scatter
from likely.table.column.block import Rows, has_gaps

LOOSE = 1e-3  # the least share by which correlations are drawn towards none: a few rows may agree by chance
PRINTED = 9  # cells of a matrix that an error shows: more are no help
SecondMoments = Scatter | Within | Fourth  # of joint normals, whatever else a family needs of them


@dataclass(frozen=True, slots=True)
class Factor:
    """What turns a matrix (..., p, p) into a sphere: whiten @ matrix @ whiten' = 1."""

    whiten: Floats  # (..., p, p)
    log_det: Floats  # (...)

    @classmethod
    def of(cls, matrix: Floats) -> Factor:
        """By Cholesky, of the correlations: so the units of the columns cost no digits."""
        sds = np.sqrt(np.diagonal(matrix, axis1=-2, axis2=-1))
        root = np.linalg.cholesky(matrix / (sds[..., :, None] * sds[..., None, :]))
        log_det = 2 * (np.log(np.diagonal(root, axis1=-2, axis2=-1)) + np.log(sds)).sum(axis=-1)
        # The inverse of a triangle is one: what is elsewhere is rounding.
        return cls(np.tril(np.linalg.inv(root)) / sds[..., None, :], log_det)


def definite(name: str, matrix: Floats) -> Floats:
    """The matrices, if they are symmetric and positive definite."""
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
        raise LikelyError(f"{name} of shape {matrix.shape} is not square: give d rows of d numbers.")
    uneven = np.abs(matrix - np.swapaxes(matrix, -1, -2))
    demand(name, matrix, uneven <= 1e-9 * np.abs(matrix).max(initial=0.0), "it must be symmetric")
    variances = np.diagonal(matrix, axis1=-2, axis2=-1)
    demand(f"the diagonal of {name}", variances, variances > 0, "variances must be above 0")
    try:
        Factor.of(matrix)
    except np.linalg.LinAlgError:
        small = matrix.size <= PRINTED
        given = f"{name}={matrix.tolist()!r}" if small else f"{name} of shape {matrix.shape}"
        raise LikelyError(
            f"{given} is not positive definite: leave out columns that others determine."
        ) from None
    return matrix


def around(centre: Floats, name: str, matrix: Floats) -> tuple[Floats, Floats]:
    """A centre (..., d) and a matrix (..., d, d), of one batch."""
    matrix = definite(name, matrix)
    if centre.shape[-1:] != matrix.shape[-1:]:
        raise LikelyError(f"{name} of shape {matrix.shape} does not fit {centre.shape[-1:]} columns.")
    batch = np.broadcast_shapes(centre.shape[:-1], matrix.shape[:-2])
    return (
        np.broadcast_to(centre, (*batch, centre.shape[-1])),
        np.broadcast_to(matrix, (*batch, *matrix.shape[-2:])),
    )


def floored(matrix: Floats, floor: Floats) -> Floats:
    """The matrices (g, d, d), with at least the variances `floor` (d,) in every direction.

    Of all covariances that exceed diag(floor), this one has the greatest likelihood where rows have the
    covariance `matrix`. As long as the floor stays, so does the law that EM never falls.

    >>> floored(np.ones((1, 2, 2)), np.full(2, 0.5)).round(12)
    array([[[1.25, 0.75],
            [0.75, 1.25]]])
    """
    units = np.sqrt(floor)
    values, axes = np.linalg.eigh(matrix / (units[:, None] * units))
    lacking = np.maximum(1 - values, 0.0)
    lifted = axes * lacking[:, None, :] @ np.swapaxes(axes, -1, -2)
    return np.asarray(matrix + lifted * (units[:, None] * units))


def conditioned(matrix: Floats) -> Floats:
    """The matrices, with 1e-9 of their diagonal added where collinear columns make them singular."""
    variances = np.diagonal(matrix, axis1=-2, axis2=-1)
    sds = np.sqrt(variances)
    correlations = matrix / (sds[..., :, None] * sds[..., None, :])
    singular = np.linalg.eigvalsh(correlations).min(axis=-1, initial=1.0) < FLOOR
    added = FLOOR * variances * singular[..., None]
    return np.asarray(matrix + np.eye(matrix.shape[-1]) * added[..., None, :])


def common_covariance(stat: SecondMoments, column: Spread) -> Floats:
    """The covariance within the groups, (d, d), its correlations drawn towards none where rows are few.

    They keep all but d^2 / (d^2 + f^2) of themselves, where f rows are left once each group has its mean: all
    but a thousandth where rows are many, nothing of what fewer rows than columns say. A direction in which
    columns that go together hardly vary stays one, which a diagonal would outweigh.
    """
    d, n = stat.mean.shape[1], float(stat.n.sum())
    free = max(n - float((stat.n > 0).sum()), 0.0)
    share = max(d * d / (d * d + free * free), LOOSE) if d else 1.0
    scatter = np.asarray(stat.scatter.sum(axis=0))
    sds = np.sqrt(np.diagonal(scatter))
    units = np.where(sds > 0, np.sqrt(column.within[0]) / np.where(sds > 0, sds, 1.0), 0.0)
    matrix = scatter * ((1 - share) * units[:, None] * units)
    matrix[np.diag_indices(d)] = column.within[0]
    return conditioned(matrix)


def between_over_within(stat: SecondMoments, within: Floats) -> float:
    """How many times as much as within its groups a table varies in all, where it is most: 1 or more.

    >>> from likely.stats.scatter import Scatter
    >>> stat = Scatter(np.array([5.0, 5.0]), np.array([[0.0], [20.0]]), np.array([[[5.0]], [[5.0]]]))
    >>> between_over_within(stat, np.eye(1))
    101.0
    """
    if not stat.n.any():
        return 1.0
    white = Factor.of(within).whiten
    apart = white @ stat.pooled().covariance[0] @ white.T
    if not np.isfinite(apart).all():
        raise LikelyError("columns vary more than floats can hold: rescale them to stay within 1e+150.")
    return max(float(np.linalg.eigvalsh(apart).max(initial=1.0)), 1.0)


class Elliptical(Distribution):
    """Distributions of all d columns together: parameters (..., d) and (..., d, d).

    Missing cells are integrated out exactly: the others have the same distribution with the columns
    of the missing ones taken out. The terms are the shares z_i (M z)_i of the squared distance.
    """

    parameter_axes = 1
    event_axes = 1
    rest_name = "log-determinant"

    @property
    @abstractmethod
    def _centre(self) -> Floats:
        """Where the density is highest, (..., d)."""

    @property
    @abstractmethod
    def _centre_rest(self) -> Floats:
        """What rounding took from the centre, (..., d)."""

    @property
    @abstractmethod
    def _matrix(self) -> Floats:
        """The shape of the ellipses, (..., d, d)."""

    @abstractmethod
    def _slope(self, q: Floats, width: int | Ints) -> Floats:
        """The log density, less its height at the centre, over the squared distance q."""

    @abstractmethod
    def _log_height(self, log_det: Floats, width: int | Ints) -> Floats:
        """The log density at the centre, of `width` columns."""

    @cached_property
    def _factor(self) -> Factor:
        return Factor.of(self._matrix)

    def distance(self, x: ArrayLike) -> Floats:
        """The Mahalanobis distance of x (..., d) from the centre."""
        apart = (np.asarray(x, np.float64) - self._centre) - self._centre_rest
        return np.asarray(np.linalg.norm((self._factor.whiten @ apart[..., None])[..., 0], axis=-1))[()]

    def _log_prob(self, x: Floats) -> Floats:
        q, width = self.distance(x) ** 2, x.shape[-1]
        return self._log_height(self._factor.log_det, width) + q * self._slope(q, width)

    def _patterns(self, rows: Rows) -> Iterator[tuple[Any, Ints, Floats, Factor]]:
        """For each set of columns that is known together: the rows, the columns, their cells, the factor."""
        cells = dense(rows)
        if not has_gaps(cells):
            yield slice(None), np.arange(cells.shape[1]), cells, self._factor
            return
        for some in gap_patterns(np.isnan(cells), len(self._centre)):
            blocks = Factor.of(some.blocks(self._matrix))
            for i, (inside, known) in enumerate(zip(some.rows, some.known, strict=True)):
                factor = Factor(blocks.whiten[i], blocks.log_det[i])
                yield inside, known, cells[inside[:, None], known], factor

    @cached_property
    def _whole(self) -> Quadratic:
        """What the density of complete rows depends on."""
        return self._quadratic(np.arange(self._centre.shape[1]), self._factor)

    def _quadratic(self, known: Ints, factor: Factor) -> Quadratic:
        """The squared distances of rows of which these columns are known."""
        variance = np.diagonal(self._matrix, axis1=-2, axis2=-1)[:, known]
        return Quadratic(self._centre[:, known], self._centre_rest[:, known], factor.whiten, variance)

    def _log_density(self, quadratic: Quadratic, cells: Floats, factor: Factor) -> Floats:
        """The log densities (b, g) of rows that these columns are known of."""
        fall, width = quadratic(cells), cells.shape[1]
        with np.errstate(invalid="ignore", over="ignore"):
            fall *= self._slope(fall, width)
        fall += self._log_height(factor.log_det, width)
        return fall

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d); missing cells are integrated out."""
        out = self._log_density(self._whole, dense(rows), self._factor)
        if np.isfinite(out[:, 0].sum()):  # a cell that is missing or infinite spoils every group
            return out
        cells = dense(rows)
        with np.errstate(invalid="ignore", over="ignore"):
            for filled in self._filled(cells):
                white = filled.apart @ self._whiten.swapaxes(1, 2)
                q = np.einsum("gid,gid->ig", white, white)
                width = filled.n_known[:, None]
                out[filled.rows] = self._log_height(filled.log_det, width) + q * self._slope(q, width)
        out[np.isnan(out)] = -np.inf  # an infinite cell lies infinitely far
        return out

    def _filled(self, cells: Floats) -> Iterator[FilledRows]:
        """The rows of a table (b, d) that lack a cell, as many at a time as memory allows."""
        rows = np.flatnonzero(np.isnan(cells).any(axis=1))
        last = HeldFill.last(self, cells) if len(rows) else None
        if last is not None:
            yield last
            return
        step = max(1, MOST // self._centre.size)
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            filled = FilledRows.of(cells, some, self._centre, self._centre_rest, self._standard)
            if len(some) == len(rows):
                HeldFill(weakref.ref(cells), weakref.ref(self), filled).keep()
            yield filled

    def _apart(self, some: GapPatterns, known: Floats) -> Floats:
        """How many sds known cells (p, r, k) lie from the centres, (p, g, r, k)."""
        apart = known[:, None] - some.columns(self._centre)[:, :, None]
        apart = apart - some.columns(self._centre_rest)[:, :, None]
        return np.asarray(apart / some.columns(self._standard.sds)[:, :, None])

    @cached_property
    def _standard(self) -> StandardUnits:
        return StandardUnits.of(self._matrix, self._factor.whiten, self._factor.log_det)

    @cached_property
    def _whiten(self) -> Floats:
        """What whitens rows in standard units, (g, d, d)."""
        return self._factor.whiten * self._standard.sds[:, None, :]

    def terms(self, rows: Rows) -> Floats:
        """The share of each column in how far each row lies from each group, (b, g, d)."""
        out = np.zeros((rows.shape[0], *self._centre.shape))
        for inside, known, cells, factor in self._patterns(rows):
            apart = (cells[:, None, :] - self._centre[:, known]) - self._centre_rest[:, known]  # (b, g, p)
            white = np.einsum("gij,bgj->bgi", factor.whiten, apart)
            shares = apart * np.einsum("gij,bgi->bgj", factor.whiten, white)
            slope = self._slope((white**2).sum(axis=-1), len(known))
            index = np.arange(len(out))[inside]
            out[index[:, None], :, known] = np.moveaxis(shares * slope[..., None], 2, 1)
        return out

    def rest(self, rows: Rows) -> Floats:
        """The log densities at the centres, (b, g): the volumes of the ellipses."""
        out = np.empty((rows.shape[0], len(self._centre)))
        for inside, known, _, factor in self._patterns(rows):
            out[inside] = self._log_height(factor.log_det, len(known))
        return out

    def sample_rows(self, groups: ArrayLike, rng: np.random.Generator) -> Floats:
        """Draw one row for each of these codes of groups, (n, d)."""
        codes = np.asarray(groups, np.intp)
        out = np.empty((len(codes), self._centre.shape[-1]))
        for group in np.unique(codes):
            inside = codes == group
            out[inside] = self.take(group)._draw(rng, (int(inside.sum()),))
        return out

    def _draw_apart(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        """Normal draws around 0 with the matrix as their covariance, (*shape, d)."""
        white = rng.standard_normal((*shape, self._centre.shape[-1]))
        return np.asarray((np.linalg.inv(self._factor.whiten) @ white[..., None])[..., 0])
