"""The log-likelihood of logistic regression as a sum over rows, with its slope and curvature."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from math import exp
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, ReduceTask
from likely.infer.bayes import bayes_rule, posterior_of_row
from likely.infer.newton import Local
from likely.infer.standard import Matrix, Rows, Scaling, Standard
from likely.table.column.block import scratch, scratch_like

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
T = TypeVar("T")

SQUARED = 4  # how many times as wide a row counts, for a block to be in the cache beside its weighed copies


@dataclass(frozen=True, slots=True)
class LabelledRows:
    """Rows, and the class and the weight of each."""

    rows: Rows
    codes: Ints  # (n,)
    weight: Floats | None  # (n,)


@dataclass(frozen=True)
class Logistic:
    """-log P(classes given rows) at theta, to be minimised.

    Of two classes, theta is (intercept, coefficients) of the log-odds of the second. Of g > 2 classes each
    has its own, and theta is all of them, one after another: P(class) is softmax of theta . (1, z).

    >>> rows = np.array([[0.0], [1.0]])
    >>> z = Standard(Chunk(lambda a, b: rows[a:b], 2, 1), Scaling(np.zeros(1), np.ones(1)))
    >>> Logistic(z, np.array([0, 1]), 2)(np.zeros(2), True).gradient
    array([ 0. , -0.5])
    """

    z: Standard
    codes: Ints  # (n,)
    n_classes: int
    weight: Floats | None = None  # (n,)

    @property
    def total(self) -> float:
        """The weight of the rows."""
        return float(self.z.n) if self.weight is None else float(self.weight.sum())

    @property
    def n_parts(self) -> int:
        """How many vectors (intercept, coefficients) there are."""
        return n_vectors(self.n_classes)

    @cached_property
    def rows(self) -> Chunk[LabelledRows]:
        """The rows with their classes and weights."""
        return Chunk(LabelledRows(self.z.rows.data, self.codes, self.weight), self.z.n, self.z.rows.width)

    def __call__(self, theta: Floats, hessian: bool) -> Local:
        """Value, gradient and, if asked for, Hessian."""
        centre = self._centre
        plain = self.z.scale.plain(theta.reshape(self.n_parts, -1), centre)
        sums = self.sum_over_rows(LogLoss(self.z.scale, *plain, hessian))
        return self._of_theta(sums, centre)

    def gram(self) -> Floats:
        """Weighted sums of (1, z) (1, z)', (1 + d, 1 + d)."""
        return self.z.scale.hessian(self.sum_over_rows(Gram(self.z.scale)), self._centre)

    def sum_over_rows(self, task: ReduceTask[LabelledRows, T]) -> T:
        """Of a task's steps over all rows."""
        return self.z.engine.reduce(self.rows, task)

    @cached_property
    def _centre(self) -> Floats:
        """What is still in the rows of every block, (d,)."""
        return self.z.scale.block(self.z.rows.data(0, 0))[1]

    def _of_theta(self, sums: Local, centre: Floats) -> Local:
        """The sums of all rows in terms of theta."""
        scale = self.z.scale
        gradient = scale.gradient(sums.gradient[:, 0], sums.gradient[:, 1:], centre).ravel()
        if sums.hessian is None:
            return Local(sums.value, gradient)
        curvature, g = scale.hessian(sums.hessian, centre), self.n_parts
        if g == 1:
            return Local(sums.value, gradient, curvature[0])
        q = curvature.shape[-1]
        (first, second), every = _pairs(g), np.arange(g)
        whole = np.zeros((g, g, q, q))
        whole[first, second] = whole[second, first] = -curvature
        whole[every, every] = -whole.sum(axis=1)  # what one class gains the others lose
        return Local(sums.value, gradient, whole.transpose(0, 2, 1, 3).reshape(g * q, g * q))


def n_vectors(n_classes: int) -> int:
    """How many vectors (intercept, coefficients) so many classes have: two share one, of their log-odds.

    >>> n_vectors(2), n_vectors(3)
    (1, 3)
    """
    return 1 if n_classes == 2 else n_classes


def of_vectors(of_classes: Floats) -> Floats:
    """What is known of each class, (g, ...), as the vectors have it: of two, second less first.

    >>> of_vectors(np.array([1.0, 4.0])), of_vectors(np.array([1.0, 4.0, 5.0]))
    (array([3.]), array([1., 4., 5.]))
    """
    return np.asarray(of_classes[1:] - of_classes[:1]) if len(of_classes) == 2 else of_classes


def class_logs(scores: Floats) -> Floats:
    """log P(class), (n, g), from the scores of the vectors, (n, vectors): sigmoid or softmax.

    >>> np.exp(class_logs(np.array([[0.0]])))
    array([[0.5, 0.5]])
    """
    if scores.shape[1] > 1:
        return bayes_rule(scores)[0]
    return np.concatenate([-np.logaddexp(0, scores), -np.logaddexp(0, -scores)], axis=1)


def off_of_row(scores: Floats, code: int) -> Floats:
    """P(class) less what happened, of one row's scores, (vectors,).

    >>> off_of_row(np.array([0.0]), 1), off_of_row(np.zeros(4), 2)
    (array([-0.5]), array([ 0.25,  0.25, -0.75,  0.25]))
    """
    if len(scores) == 1:
        odds = float(scores[0])
        small = exp(-abs(odds))
        return np.array([(1.0 if odds >= 0 else small) / (1 + small) - code])
    p = posterior_of_row(scores)
    p[code] -= 1
    return p


@dataclass(frozen=True)
class LogLoss(ReduceTask[LabelledRows, Local]):
    """What rows add in terms of x itself: losses, gradients (g, 1 + d), and `squares` for every spread."""

    scale: Scaling
    intercept: Floats  # (g,)
    coefficients: Floats  # (g, d)
    hessian: bool

    def width(self, stored: int) -> int:
        """More for a Hessian, whose blocks are weighed."""
        return stored * (SQUARED if self.hessian else 1)

    def step(self, data: LabelledRows, start: int, stop: int) -> Local:
        """Of some rows."""
        rows, codes = self.scale.block(data.rows(start, stop))[0], data.codes[start:stop]
        scores = np.ascontiguousarray(_times(rows, self.coefficients.T).T)  # (g, b): long rows are quick
        scores += self.intercept[:, None]
        value, p, off = (_two if len(scores) == 1 else _many)(scores, codes)
        weight = None if data.weight is None else data.weight[start:stop]
        if weight is not None:
            value, off = value * weight, off * weight
        gradient = np.concatenate([off.sum(axis=1)[:, None], _times(rows.T, off.T).T], axis=1)
        if not self.hessian:
            return Local(float(value.sum()), gradient)
        spreads = _spreads(p) if weight is None else _spreads(p) * weight
        return Local(float(value.sum()), gradient, squares(rows, spreads))


@dataclass(frozen=True)
class SumOfRows(ReduceTask[LabelledRows, Floats]):
    """All rows of a design, added up by weight, (p,)."""

    def step(self, data: LabelledRows, start: int, stop: int) -> Floats:
        """Of some rows."""
        weight = np.ones(stop - start) if data.weight is None else data.weight[start:stop]
        return np.asarray(data.rows(start, stop).T @ weight)


def mean_row(likelihood: Logistic) -> Floats:
    """The mean row of a design, in original units, (p,)."""
    return likelihood.sum_over_rows(SumOfRows()) / likelihood.total


@dataclass(frozen=True)
class Gram(ReduceTask[LabelledRows, Floats]):
    """Weighted sums of (1, x) (1, x)', x as `Scaling.block` has it."""

    scale: Scaling

    def width(self, stored: int) -> int:
        """The rows, and their weighed copies."""
        return 2 * stored

    def step(self, data: LabelledRows, start: int, stop: int) -> Floats:
        """Of some rows."""
        weight = np.ones(stop - start) if data.weight is None else data.weight[start:stop]
        return np.asarray(squares(self.scale.block(data.rows(start, stop))[0], weight[None])[0])


def _times(rows: Matrix, columns: Floats) -> Floats:
    """A product with few columns; sparse rows are quicker with a single one as a vector."""
    return np.asarray((rows @ columns[:, 0])[:, None] if columns.shape[1] == 1 else rows @ columns)


def _two(scores: Floats, codes: Ints) -> tuple[Floats, Floats, Floats]:
    """Of two classes: -log P(what happened) (b,), P(second class) and by how much it is off, (1, b)."""
    hit = codes == 1
    value, p = log_loss_two(scores[0], hit)
    return value, p[None], (p - hit)[None]


def _many(scores: Floats, codes: Ints) -> tuple[Floats, Floats, Floats]:
    """Of many classes: -log P(what happened) (b,), P(class) and by how much it is off, (g, b)."""
    each = np.arange(len(codes))
    of_class = scores[codes, each]
    posterior, log_total = bayes_rule(scores.T, log=False, spare=True)
    p = posterior.T
    off = p.copy()
    off[codes, each] -= 1
    return log_total - of_class, p, off


def _spreads(p: Floats) -> Floats:
    """The variance of the class (1, b), or, of many classes, how any two vary against each other (m, b)."""
    if len(p) == 1:
        return p * (1 - p)
    first, second = _pairs(len(p))
    return p[first] * p[second]


@cache
def _pairs(g: int) -> tuple[Ints, Ints]:
    """All pairs of classes."""
    first, second = np.triu_indices(g, 1)
    return first, second


def log_loss_two(log_odds: Floats, hit: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """-log P(what happened), and P(hit), from the log-odds of a hit; both with all their digits.

    >>> value, p = log_loss_two(np.array([0.0, -800.0]), np.array([True, True]))
    >>> value.round(3).tolist(), p.tolist()
    ([0.693, 800.0], [0.5, 0.0])
    """
    small = np.exp(-np.abs(log_odds))
    value = np.log1p(small)
    value += np.maximum(log_odds * (1.0 - 2.0 * hit), 0.0)
    p = np.exp(np.minimum(log_odds, 0.0))
    p /= 1 + small
    return value, p


def squares(rows: Matrix, weights: Floats) -> Floats:
    """Sums of weight (1, x) (1, x)', (m, 1 + d, 1 + d), of rows (b, d), dense or sparse; weights (m, b).

    No weight may be negative.

    >>> squares(np.array([[2.0]]), np.array([[3.0]]))
    array([[[ 3.,  6.],
            [ 6., 12.]]])
    """
    q = rows.shape[1] + 1
    out = np.empty((len(weights), q, q))
    if not isinstance(rows, np.ndarray):
        for gram, weight in zip(out, weights, strict=True):
            gram[1:, 1:] = (rows.T.multiply(weight) @ rows).toarray()
            gram[0, 1:] = gram[1:, 0] = rows.T @ weight
            gram[0, 0] = weight.sum()
        return out
    if len(weights) == 1:  # as they lie
        weighed, root = scratch_like("weighed", rows), np.sqrt(weights[0])
        np.multiply(rows, root[:, None], out=weighed)
        out[0, 1:, 1:] = weighed.T @ weighed  # BLAS knows that it is symmetric
        out[0, 0, 1:] = out[0, 1:, 0] = root @ weighed
        out[0, 0, 0] = weights.sum()
        return out
    turned, weighed = (scratch(name, (q, len(rows))) for name in ("turned", "weighed"))
    turned[0] = 1.0
    np.copyto(turned[1:], rows.T)  # long rows are quick to weigh, again and again
    for gram, weight in zip(out, weights, strict=True):
        np.multiply(turned, np.sqrt(weight), out=weighed)
        np.matmul(weighed, weighed.T, out=gram)
    return out


@dataclass(frozen=True)
class Jeffreys:
    """-log-likelihood less log det(information) / 2, for two classes; the curvature is the information."""

    likelihood: Logistic
    used: NDArray[np.intp] | None = None  # the parameters that the rows tell of; None for all

    def __call__(self, theta: Floats, hessian: bool) -> Local:
        """Value, gradient and Hessian; the determinant needs the latter anyway."""
        local = self.likelihood(theta, True)
        assert local.hessian is not None
        used = np.arange(len(theta)) if self.used is None else self.used
        information = local.hessian[np.ix_(used, used)]
        sign, log_det = np.linalg.slogdet(information)
        if sign <= 0:
            return Local(np.inf, local.gradient, local.hessian)
        root = np.zeros((len(theta), len(used)))
        root[used] = np.linalg.cholesky(np.linalg.inv(information))
        pull = self.likelihood.sum_over_rows(Pull(self.likelihood.z.scale, theta, root))
        return Local(local.value - 0.5 * float(log_det), local.gradient - pull, local.hessian)


@dataclass(frozen=True)
class Pull(ReduceTask[LabelledRows, Floats]):
    """Sum over rows of leverage (1/2 - p) (1, z): the slope of half the log determinant."""

    scale: Scaling
    theta: Floats  # (1 + d,)
    root: Floats  # (1 + d, used): times its transpose, the inverse of the information

    def width(self, stored: int) -> int:
        """The rows, and their products with the root."""
        return 2 * stored

    def step(self, data: LabelledRows, start: int, stop: int) -> Floats:
        """Of some rows."""
        scale = self.scale
        rows, centre = scale.block(data.rows(start, stop))
        intercept, coefficients = scale.plain(self.theta[None, :], centre)
        log_odds = rows @ coefficients[0] + intercept[0]
        p = log_loss_two(log_odds, np.zeros(stop - start, bool))[1]
        first, others = scale.plain(self.root.T, centre)
        leverage = p * (1 - p) * np.square(rows @ others.T + first).sum(axis=1)
        if data.weight is not None:
            leverage *= data.weight[start:stop]
        pull = leverage * (0.5 - p)
        return scale.gradient(np.array([pull.sum()]), np.asarray(rows.T @ pull)[None, :], centre).ravel()
