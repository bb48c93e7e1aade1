"""Densities that fall with the Mahalanobis distance: what the multivariate normal and t have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import Distribution, dense
from likely.dist.numeric.conditional import GivenKnown, StandardUnits
from likely.dist.numeric.gap_patterns import GapPatterns, gap_patterns
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
        for some in gap_patterns(np.isnan(cells), len(self._centre)):
            found = self._of_patterns(some, cells)
            found[np.isnan(found)] = -np.inf  # an infinite cell lies infinitely far
            out[some.rows] = found
        return out

    def _of_patterns(self, some: GapPatterns, cells: Floats) -> Floats:
        """The log densities of the rows of these patterns, (p, r, g)."""
        known, width = some.cells(cells), some.known.shape[1]
        if len(known) == 1 or not width:  # of many rows, by the products of columns
            factor = Factor.of(some.blocks(self._matrix)[0])
            return self._log_density(self._quadratic(some.known[0], factor), known[0], factor)[None]
        given = GivenKnown.of(some, self._standard)
        with np.errstate(invalid="ignore", over="ignore"):
            # Where the missing cells are what the known ones suggest, they add nothing to the distance.
            full = np.empty((*some.rows.shape, *self._centre.shape))  # (p, r, g, d)
            apart = self._apart(some, known)
            np.put_along_axis(full, some.known[:, None, None, :], apart.swapaxes(1, 2), 3)
            np.put_along_axis(full, some.gaps[:, None, None, :], (apart @ given.slope).swapaxes(1, 2), 3)
            white = full.reshape(-1, *self._centre.shape).swapaxes(0, 1) @ self._whiten.swapaxes(1, 2)
            q = np.einsum("gnd,gnd->ng", white, white).reshape(full.shape[:3])
            sds = np.log(some.columns(self._standard.sds)).sum(axis=-1)
            height = self._log_height((given.log_det + 2 * sds)[:, None, :], width)
            return np.asarray(height + q * self._slope(q, width))

    def _apart(self, some: GapPatterns, known: Floats) -> Floats:
        """How many sds known cells (p, r, k) lie from the centres, (p, g, r, k)."""
        apart = known[:, None] - some.columns(self._centre)[:, :, None]
        apart = apart - some.columns(self._centre_rest)[:, :, None]
        return np.asarray(apart / some.columns(self._standard.sds)[:, :, None])

    @cached_property
    def _standard(self) -> StandardUnits:
        return StandardUnits.of(self._matrix, self._factor)

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
