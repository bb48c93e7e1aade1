"""Low-rank factors of matrices with missing cells: probabilistic PCA by EM, completion by least squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.infer.em import EM, em

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

LEAST_NOISE = 1e-9  # of the mean variance: below this the likelihood has no maximum
TINY = 1e-16  # the least variance of a table that does not vary; its cells are of the size of 1
RIDGES = np.logspace(0, -14, 57)  # of the mean square of the known cells: four steps a power of ten
ROUNDS = 8  # of alternating least squares at each ridge
LARGEST = 2500  # free numbers up to which all ways to move them at once are looked at
LOOSE = 1e-6  # of a cell: what moves it more than this, and no known cell, leaves it open


@dataclass(frozen=True, slots=True)
class NormalFactors:
    """x = mean + loadings z + noise, with z and the noise normal, of variance 1 and `noise`."""

    mean: Floats  # (d,)
    loadings: Floats  # (d, k)
    noise: float

    def axes(self) -> tuple[Floats, Floats]:
        """The variances along the principal axes, without the noise, (k,), and the axes, (k, d)."""
        left, root, _ = np.linalg.svd(self.loadings, full_matrices=False)
        return root**2, left.T


def normal_factors(
    X: Floats, weight: Floats, k: int, max_iter: int = 2000, tol: float = 1e-9
) -> EM[NormalFactors]:
    """Probabilistic PCA: maximum likelihood by EM; cells that are NaN are summed out.

    The factors of each row are what is hidden. Every column has a known cell, and cells are of the size of 1.
    """
    known = ~np.isnan(X)
    filled = np.where(known, X, 0.0)
    counts = weight @ known
    mean = weight @ filled / counts
    centred = np.where(known, X - mean, 0.0)
    floor = LEAST_NOISE * max(float(weight @ (centred**2).sum(axis=1)) / float(counts.sum()), TINY)
    _, root, axes = np.linalg.svd(centred * np.sqrt(weight / weight.sum())[:, None], full_matrices=False)
    noise = max(float((root[k:] ** 2).sum()) / max(X.shape[1] - k, 1), floor)
    start = NormalFactors(mean, axes[:k].T * np.sqrt(np.maximum(root[:k] ** 2 - noise, noise)), noise)

    def e_step(now: NormalFactors) -> tuple[tuple[Floats, Floats], float]:
        z, covariance, log_density = row_factors(X, now)
        ones = np.ones((len(X), 1))
        z1 = np.hstack([z, ones])
        products = z1[:, :, None] * z1[:, None, :]
        products[:, :k, :k] += covariance
        return (z1, products), float(weight @ log_density)

    def m_step(hidden: tuple[Floats, Floats]) -> NormalFactors:
        z1, products = hidden
        by_row = (weight[:, None, None] * products).reshape(len(X), -1)
        squares = (known.T @ by_row).reshape(-1, k + 1, k + 1)
        crossed = (weight[:, None] * filled).T @ z1
        lines = np.linalg.solve(squares + 1e-300 * np.eye(k + 1), crossed[:, :, None])[:, :, 0]
        left = weight @ (filled**2).sum(axis=1) - 2 * (lines * crossed).sum()
        left += np.einsum("da,dab,db->", lines, squares, lines)
        return NormalFactors(
            np.asarray(lines[:, k], np.float64),
            np.asarray(lines[:, :k], np.float64),
            max(float(left / counts.sum()), floor),
        )

    def rounding(now: NormalFactors) -> float:
        return 1e-10 * float(counts.sum()) * float(np.mean(now.loadings**2) / now.noise + 1.0)

    return em(e_step, m_step, start, max_iter=max_iter, tol=tol * float(weight.sum()), rounding=rounding)


def row_factors(X: Floats, now: NormalFactors) -> tuple[Floats, Floats, Floats]:
    """Of each row, given its known cells: the factors' mean (n, k) and covariance (n, k, k), log density."""
    known = ~np.isnan(X)
    k = now.loadings.shape[1]
    residual = np.where(known, X - now.mean, 0.0)
    outer = (now.loadings[:, :, None] * now.loadings[:, None, :]).reshape(-1, k * k)
    precision = (known @ outer).reshape(-1, k, k) + now.noise * np.eye(k)
    inverse: Floats = np.asarray(np.linalg.inv(precision), np.float64)
    pulled = residual @ now.loadings
    z = np.einsum("nab,nb->na", inverse, pulled)
    cells = known.sum(axis=1)
    square = ((residual**2).sum(axis=1) - (pulled * z).sum(axis=1)) / now.noise
    log_det = np.linalg.slogdet(precision)[1] + (cells - k) * np.log(now.noise)
    return z, now.noise * inverse, -0.5 * (cells * np.log(2 * np.pi) + log_det + np.maximum(square, 0))


@dataclass(frozen=True, slots=True)
class Completion:
    """The factors of a matrix by its known cells, and which of its cells they leave open."""

    left: Floats  # (n, k)
    right: Floats  # (k, d)
    error: float  # sum of squares over the known cells
    undetermined: Bools  # (n, d): missing cells that the known ones allow any value


def complete(X: Floats, weight: Floats, k: int, starts: int, rng: np.random.Generator) -> Completion:
    """Least squares on the known cells by alternating, with a ridge that goes to 0; the best of some starts.

    Cells are open where the factors can move without moving a known cell, and where starts that fit the known
    cells alike differ.
    """
    known = ~np.isnan(X)
    filled = np.where(known, X, 0.0)
    scale = float(np.sqrt((filled**2).sum() / max(int(known.sum()), 1))) or 1.0
    runs = [_alternate(filled / scale, known, weight, k, rng) for _ in range(starts)]
    errors = np.array(
        [float(weight @ (np.where(known, a @ b - filled / scale, 0) ** 2).sum(axis=1)) for a, b in runs]
    )
    best = int(errors.argmin())
    left, right = runs[best]
    product = left @ right
    loose = _open_at_any_rank(left, right, known, rng)
    for (a, b), error in zip(runs, errors, strict=True):
        if error <= errors[best] * (1 + 1e-6) + 1e-12:
            loose |= ~known & (np.abs(a @ b - product) > 1e-4 * (1 + np.abs(product)))
    return Completion(left * scale, right, float(errors[best]) * scale**2, loose)


def fit_rows(X: Floats, right: Floats, ridge: float = 1e-12) -> Floats:
    """The least squares coefficients of each row on the factors, by its known cells, (n, k)."""
    known = ~np.isnan(X)
    return _ridge_rows(np.where(known, X, 0.0), known, right, ridge)


def open_cells(left: Floats, right: Floats, known: Bools, fixed: bool = False) -> Bools:
    """The missing cells that can move while the known ones stay, at first order, (n, d).

    Moving the factors moves each cell along a line: a missing cell is determined where its line is a
    combination of those of known cells. The factors of the columns are held fixed where that is asked for;
    of large matrices those of the columns, and then those of the rows.
    """
    n, d = known.shape
    k = left.shape[1]
    if fixed:
        return _open_by_row(right, known)
    if (n + d) * k > LARGEST:
        return _open_by_row(right, known) | _open_by_row(left.T, known.T).T
    rows, columns = np.indices((n, d)).reshape(2, -1)
    moves = np.zeros((n * d, n + d, k))
    moves[np.arange(n * d), rows] = right[:, columns].T
    moves[np.arange(n * d), n + columns] = left[rows]
    flat = moves.reshape(n * d, -1)
    seen = known.reshape(-1)
    _, size, axes = np.linalg.svd(flat[seen], full_matrices=False)
    basis = axes[size > LOOSE * size.max(initial=0.0)]
    rest = flat[~seen] - (flat[~seen] @ basis.T) @ basis
    out = np.zeros(n * d, bool)
    out[~seen] = np.linalg.norm(rest, axis=1) > 10 * LOOSE * (np.linalg.norm(flat[~seen], axis=1) + 1e-300)
    return out.reshape(n, d)


def _open_at_any_rank(left: Floats, right: Floats, known: Bools, rng: np.random.Generator) -> Bools:
    """As `open_cells`, where some factors are idle: such a one may take any values on one of its sides."""
    size = np.linalg.norm(left, axis=0) * np.linalg.norm(right, axis=1)
    idle = size <= LOOSE * max(float(size.max(initial=0.0)), 1e-300)
    if not idle.any():
        return open_cells(left, right, known)
    out = np.zeros_like(known)
    for on_left in (True, False):
        a, b = left.copy(), right.copy()
        a[:, idle] = rng.normal(size=(len(a), int(idle.sum()))) * on_left
        b[idle] = rng.normal(size=(int(idle.sum()), b.shape[1])) * (not on_left)
        out |= open_cells(a, b, known)
    return out


def _open_by_row(right: Floats, known: Bools) -> Bools:
    """As `open_cells`, with the factors of the columns held fixed."""
    out = np.zeros_like(known)
    patterns, place = np.unique(known, axis=0, return_inverse=True)
    for i, pattern in enumerate(patterns):
        if not pattern.all():
            out[place.reshape(-1) == i] = open_columns(right, pattern)
    return out


def open_columns(right: Floats, known: Bools) -> Bools:
    """The missing cells of a row, (d,), that its known ones do not determine, by the factors (k, d)."""
    seen = right[:, known]
    axes, size, _ = np.linalg.svd(seen, full_matrices=False)
    basis = axes[:, size > LOOSE * max(size.max(initial=0.0), 1e-300)]
    rest = right - basis @ (basis.T @ right)
    loose = np.linalg.norm(rest, axis=0) > 10 * LOOSE * (np.linalg.norm(right, axis=0) + 1e-300)
    return np.asarray(loose & ~known)


def _alternate(
    filled: Floats, known: Bools, weight: Floats, k: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    right = rng.normal(size=(k, filled.shape[1]))
    left = np.zeros((len(filled), k))
    heavy = known.T * weight
    for ridge in RIDGES:
        for _ in range(ROUNDS):
            left = _ridge_rows(filled, known, right, ridge)
            right = _ridge_rows(filled.T, heavy, left.T, ridge).T
        # Of all factors with this product, those of equal size on both sides: rounding stays small.
        (q, r), (p, s) = np.linalg.qr(left), np.linalg.qr(right.T)
        u, size, v = np.linalg.svd(r @ s.T)
        left, right = q @ u * np.sqrt(size), np.sqrt(size)[:, None] * v @ p.T
    return left, right


def _ridge_rows(filled: Floats, heavy: Floats | Bools, right: Floats, ridge: float) -> Floats:
    """Least squares of each row on the factors (k, d) by cells of some weight, (n, k)."""
    k = len(right)
    outer = (right[:, None, :] * right[None, :, :]).reshape(k * k, -1)
    squares = (heavy @ outer.T).reshape(-1, k, k) + ridge * np.eye(k)
    return np.asarray(np.linalg.solve(squares, ((filled * heavy) @ right.T)[:, :, None])[:, :, 0])
