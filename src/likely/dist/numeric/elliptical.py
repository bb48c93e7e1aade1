"""Densities that fall with the Mahalanobis distance: what the multivariate normal and t have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import Distribution, dense
from likely.dist.numeric.matrices import Factor
from likely.dist.numeric.quadratic import Quadratic
from likely.stats.groups import Floats, Ints
from likely.table.sparse import Rows, has_gaps


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
    def _slope(self, q: Floats, width: int) -> Floats:
        """The log density, less its height at the centre, over the squared distance q."""

    @abstractmethod
    def _log_height(self, log_det: Floats, width: int) -> Floats:
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
        every = np.arange(cells.shape[1])
        if not has_gaps(cells):
            yield slice(None), every, cells, self._factor
            return
        patterns, which = np.unique(np.isnan(cells), axis=0, return_inverse=True)
        for i, pattern in enumerate(patterns):
            known, inside = every[~pattern], np.flatnonzero(which.ravel() == i)
            factor = Factor.of(self._matrix[:, known[:, None], known])
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
        for inside, known, cells, factor in self._patterns(rows):
            found = self._log_density(self._quadratic(known, factor), cells, factor)
            found[np.isnan(found)] = -np.inf  # an infinite cell lies infinitely far
            out[inside] = found
        return out

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
