"""Newton's method for a function that is a sum over rows: damped, under Gaussian and L1 penalties."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.engine import one_blas_thread

Floats = NDArray[np.float64]

ROUNDS = 1000
SLACK = 1e-11  # relative: by so much rounding may break the conditions of an optimum
STEEP = 1e-4  # share of the promised descent that a step must keep
KEEP = 0.3  # a curvature whose step left no more than this share of the gradient is good for one step more
LAST = 0.5  # share of the tolerance that a step is to come to, as steps go, for it to be taken for the last
CLOSE = 3.0  # tolerances: at so small a gradient the curvature is that of the minimum
NOISE = 1e-13  # relative: what rounding makes of the value
SHORTEST = 2.0**-30


def lasso(matrix: Floats, linear: Floats, rate: Floats, start: Floats) -> Floats:
    """The x that minimises x' matrix x / 2 - linear' x + sum of rate |x|.

    A sweep over the coordinates finds which of them are not 0, and their signs; with these fixed the rest is
    a linear system. If its solution changes a sign, x goes as far as the first change, and it begins again.

    >>> lasso(np.eye(2), np.array([3.0, 0.5]), np.array([1.0, 1.0]), np.zeros(2))
    array([2., 0.])
    """
    x = start.copy()
    diagonal = np.maximum(np.diagonal(matrix), np.finfo(np.float64).tiny)
    size = np.abs(linear) + rate + np.abs(matrix) @ np.abs(x)
    for _ in range(ROUNDS):
        slope = matrix @ x - linear
        _sweep(matrix, diagonal, rate, x, slope)
        whole = _on_face(matrix, linear, rate, x)
        slope = matrix @ x - linear
        off = (x == 0) & (rate > 0)
        if whole and (np.abs(slope[off]) <= rate[off] + SLACK * size[off]).all():
            return x
    return x  # no round makes it worse, and whoever asks looks at the slope


def _sweep(matrix: Floats, diagonal: Floats, rate: Floats, x: Floats, slope: Floats) -> None:
    """Minimise over one coordinate after another, in place, where anything is to be gained."""
    for j in np.flatnonzero((x != 0) | (np.abs(slope) > rate)):
        pull = x[j] - slope[j] / diagonal[j]
        new = np.sign(pull) * max(abs(pull) - rate[j] / diagonal[j], 0.0)
        if new != x[j]:
            slope += matrix[:, j] * (new - x[j])
            x[j] = new


def _on_face(matrix: Floats, linear: Floats, rate: Floats, x: Floats) -> bool:
    """Minimise over the coordinates that are not 0, their signs fixed, in place; whether no sign was met."""
    on = np.flatnonzero((x != 0) | (rate == 0))
    if not len(on):
        return True
    face = matrix[np.ix_(on, on)]
    face = face + np.diag(1e-14 * np.maximum(np.diagonal(face), np.finfo(np.float64).tiny))
    target = np.linalg.solve(face, linear[on] - rate[on] * np.sign(x[on]))
    turned = (target * x[on] <= 0) & (rate[on] > 0)
    if not turned.any():
        x[on] = target
        return True
    way = x[on] / np.where(turned, x[on] - target, 1.0)
    first = float(way[turned].min())
    x[on] += first * (target - x[on])
    x[on[turned & (way <= first)]] = 0.0
    return False


@dataclass(frozen=True, slots=True)
class Local:
    """A function to be minimised, near one point: parts add."""

    value: float
    gradient: Floats  # (p,)
    hessian: Floats | None = None  # (p, p)

    def __add__(self, other: Local) -> Local:
        both = None if self.hessian is None or other.hessian is None else self.hessian + other.hessian
        return Local(self.value + other.value, self.gradient + other.gradient, both)


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a prior adds: (theta - mean)' precision (theta - mean) / 2 + sum of rate |theta - centre|."""

    mean: Floats  # (p,)
    precision: Floats  # (p,), or (p, p)
    rate: Floats  # (p,)
    centre: Floats  # (p,)

    @classmethod
    def none(cls, p: int) -> Penalty:
        """A flat prior on p parameters."""
        return cls(np.zeros(p), np.zeros(p), np.zeros(p), np.zeros(p))

    def smooth(self, at: Floats) -> Local:
        """The Gaussian part at a point."""
        away = at - self.mean
        slope = self.precision * away if self.precision.ndim == 1 else self.precision @ away
        return Local(0.5 * float(away @ slope), slope)

    def sharp(self, at: Floats) -> float:
        """The L1 part at a point."""
        return float(self.rate @ np.abs(at - self.centre))

    @property
    def matrix(self) -> Floats:
        """The curvature of the Gaussian part, (p, p)."""
        return np.diag(self.precision) if self.precision.ndim == 1 else self.precision

    def slack(self, at: Floats, gradient: Floats) -> Floats:
        """The smallest of the subgradients, (p,): all 0 at the minimum."""
        away = at - self.centre
        tilted = gradient + self.rate * np.sign(away)
        at_rest = np.sign(gradient) * np.maximum(np.abs(gradient) - self.rate, 0.0)
        return np.where((away == 0) & (self.rate > 0), at_rest, tilted)


@dataclass(frozen=True, slots=True)
class Newton:
    """Where Newton's method came to."""

    at: Floats  # (p,)
    value: float  # with the penalty
    gradient: Floats  # (p,) the smallest subgradient
    hessian: Floats | None  # (p, p) of the function and the Gaussian penalty; None if it was not to be had
    n_iter: int
    converged: bool


Objective = Callable[[Floats, bool], Local]


def newton(
    objective: Objective,
    start: Floats,
    penalty: Penalty,
    *,
    tol: float,
    max_iter: int = 100,
    hessian: Floats | None = None,
    exact: bool = True,
) -> Newton:
    """Minimise a function and its penalty until no part of the gradient exceeds `tol`.

    A curvature is used again as long as its steps shrink the gradient well, which saves most of the work of
    the last steps. Under an L1 penalty each step minimises the quadratic with the absolute values in it.

    Parameters
    ----------
    objective : function
        From a point and whether the Hessian is wanted to the value, the gradient and the Hessian there.
    start : (p,)
        Where to begin.
    penalty : Penalty
        The prior.
    tol : float
        The largest part of the (smallest sub-)gradient at which to stop.
    max_iter : int
        The most steps.
    hessian : (p, p), optional
        A curvature to begin with, such as that of some of the rows, scaled up.
    exact : bool
        Whether the Hessian is wanted at the very minimum.

    Examples
    --------
    >>> def bowl(x, hessian):
    ...     return Local(float(np.cosh(x - 1).sum()), np.sinh(x - 1), np.diag(np.cosh(x - 1)))
    >>> newton(bowl, np.zeros(2), Penalty.none(2), tol=1e-9).at.round(9)
    array([1., 1.])
    """
    at, curvature = start, hessian
    learnt: list[
        tuple[Floats, Floats]
    ] = []  # steps, and the change of the gradient: what a kept curvature lacks
    here = objective(at, curvature is None)
    n_iter, stale, shrunk, close = 0, curvature is not None, 1.0, False
    while True:
        prior = penalty.smooth(at)
        gradient = here.gradient + prior.gradient
        value = here.value + prior.value + penalty.sharp(at)
        slack = penalty.slack(at, gradient)
        largest = float(np.abs(slack).max(initial=0.0))
        if here.hessian is not None:
            curvature, learnt, close = here.hessian, [], largest <= CLOSE * tol
        if largest <= tol or n_iter >= max_iter:
            break
        assert curvature is not None
        step = _step(curvature + penalty.matrix, gradient, penalty, at, learnt)
        last = exact and shrunk * largest <= LAST * tol  # its Hessian will be wanted
        walked = _walk(objective, penalty, at, step, (value, gradient, largest), stale, last)
        if walked is None and (stale or here.hessian is None):
            # An old curvature may point nowhere, and a whole step was all that was tried.
            here, stale = here if here.hessian is not None else objective(at, True), False
            continue
        if walked is None:
            break
        before, (at, here) = at, walked
        n_iter += 1
        new = here.gradient + penalty.smooth(at).gradient
        learnt.append((at - before, new - gradient))
        left = float(np.abs(penalty.slack(at, new)).max(initial=0.0))
        if left > KEEP * largest and left > tol and here.hessian is None:
            here = objective(at, True)
        shrunk = left / largest
        stale = shrunk <= KEEP
    if exact and here.hessian is None and not close:
        curvature, close = objective(at, True).hessian, True
    known = here.hessian is not None or close
    whole = curvature + penalty.matrix if known and curvature is not None else None
    return Newton(at, value, slack, whole, n_iter, largest <= tol)


def _step(
    matrix: Floats, gradient: Floats, penalty: Penalty, at: Floats, learnt: list[tuple[Floats, Floats]]
) -> Floats:
    """To the minimum of the quadratic, with the absolute values if there are any.

    Without them, what the steps since the last curvature have shown is taken in (L-BFGS's two loops).
    """
    if not penalty.rate.any():
        pairs = [(s, y, 1 / float(s @ y)) for s, y in learnt if s @ y > 0]
        q, shares = gradient.copy(), []
        for s, y, scale in reversed(pairs):
            shares.append(scale * float(s @ q))
            q -= shares[-1] * y
        q = solve(matrix, q)
        for (s, y, scale), share in zip(pairs, reversed(shares), strict=True):
            q += s * (share - scale * float(y @ q))
        return -q
    away = at - penalty.centre
    return lasso(matrix, matrix @ away - gradient, penalty.rate, away) - away


def solve(matrix: Floats, right: Floats) -> Floats:
    """The solution of a symmetric system; where it has no single one, that of one a little stiffer.

    >>> solve(np.array([[4.0, 0.0], [0.0, 2.0]]), np.array([4.0, 4.0]))
    array([1., 2.])
    """
    scale = np.sqrt(np.maximum(np.diagonal(matrix), np.finfo(np.float64).tiny))
    unit = matrix / scale / scale[:, None]  # a unit diagonal: the digits do not depend on units
    by_row = scale if right.ndim == 1 else scale[:, None]
    with one_blas_thread:  # for such matrices waking others takes longer
        return np.asarray(_solved(unit, right / by_row) / by_row)


def log_det(matrix: Floats) -> float:
    """The logarithm of a determinant, likewise on one thread.

    >>> round(log_det(np.diag([2.0, 3.0])), 6) == round(float(np.log(6)), 6)
    True
    """
    with one_blas_thread:
        return float(np.linalg.slogdet(matrix)[1])


def _solved(unit: Floats, right: Floats) -> Floats:
    stiffer = 0.0
    for _ in range(20):
        try:
            whole = unit + stiffer * np.eye(len(unit))
            np.linalg.cholesky(whole)  # refuses what is not positive definite
            return np.asarray(np.linalg.solve(whole, right), np.float64)
        except np.linalg.LinAlgError:
            stiffer = max(100 * stiffer, 1e-14)
    return np.asarray(np.linalg.lstsq(unit, right)[0])


def _walk(
    objective: Objective,
    penalty: Penalty,
    at: Floats,
    step: Floats,
    known: tuple[float, Floats, float],
    stale: bool,
    last: bool,
) -> tuple[Floats, Local] | None:
    """The whole step, or half of it, or half of that, until it goes down as promised; None if none does."""
    value, gradient, largest = known
    promised = float(gradient @ step) + penalty.sharp(at + step) - penalty.sharp(at)
    noise = NOISE * max(1.0, abs(value))
    length = 1.0
    while length > SHORTEST:
        there = at + length * step
        local = objective(there, last or not stale)
        prior = penalty.smooth(there)
        new = local.value + prior.value + penalty.sharp(there)
        if new <= value + STEEP * length * promised:
            return there, local
        if new <= value + noise:  # rounding hides the descent: the gradient does not
            slack = penalty.slack(there, local.gradient + prior.gradient)
            if np.abs(slack).max(initial=0.0) < largest:
                return there, local
        if stale:
            return None
        length /= 2
    return None
