"""The one table of cases over which every law of distributions is run.

A new family is one row in `CASES` (the distribution against SciPy), one in `GROUPED` (many groups
and columns at once), and, if it can be learnt, one in `LEARNT` (its prior, and how to draw data).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import betaln

from likely.dist import (
    Bernoulli,
    Beta,
    BetaBinomial,
    BetaGeometric,
    BilateralPareto,
    Binned,
    Binomial,
    BinomialBeta,
    Categorical,
    Dirichlet,
    DirichletMultinomial,
    Distribution,
    DoubleExponential,
    Exponential,
    Family,
    Gamma,
    Geometric,
    GeometricBeta,
    Histogram,
    Kernel,
    KnownNormal,
    KnownVariance,
    LedoitWolfNormal,
    LedoitWolfTied,
    Lomax,
    Multinomial,
    MultivariateNormal,
    MultivariateT,
    NegativeBinomial,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    Poisson,
    Prior,
    SharedCovariance,
    SharedDiagonal,
    SharedSphere,
    SharedVariance,
    SphericalNormal,
    StudentT,
    TiedDiagonalNormal,
    TiedNormal,
    TiedSphericalNormal,
    Uniform,
    UniformPareto,
)
from likely.stats import Cells, Groups

Array = Any
COVARIANCE = np.array([[2.0, 0.6, 0.0], [0.6, 1.0, -0.3], [0.0, -0.3, 0.5]])


@dataclass(frozen=True)
class Reference:
    """What SciPy says: None where it does not say."""

    log_prob: Callable[[Array], Array]
    mean: Array = None
    variance: Array = None
    entropy: Array = None
    line: Any = None  # whose cdf, sf and ppf are to be had

    @classmethod
    def of(cls, frozen: Any, discrete: bool = False) -> Reference:
        log_prob = frozen.logpmf if discrete else frozen.logpdf
        return cls(log_prob, frozen.mean(), frozen.var(), frozen.entropy(), frozen)


@dataclass(frozen=True)
class Case:
    """A single distribution, SciPy's, and the values at which they are compared."""

    name: str
    dist: Distribution
    reference: Reference
    points: Array
    whole: Array = None  # every value that has mass, if they can be listed
    tolerance: float = 1e-10


def _shares(total: int, kinds: int) -> Array:
    """Every way of sharing out a total."""
    ways = product(range(total + 1), repeat=kinds)
    return np.array([way for way in ways if sum(way) == total], float)


def _nig(location: float, kappa: float, a: float, b: float) -> Reference:
    def log_prob(x: Array) -> Array:
        mean, variance = x[..., 0], x[..., 1]
        of_mean = stats.norm(location, np.sqrt(variance / kappa)).logpdf(mean)
        return of_mean + stats.invgamma(a, scale=b).logpdf(variance)

    expected = b / (a - 1)
    own = stats.invgamma(a, scale=b)
    return Reference(log_prob, [location, expected], [expected / kappa, own.var()])


def _shared_variance(location: Array, kappa: Array, a: float, b: float) -> Reference:
    def log_prob(x: Array) -> Array:
        means, variance = x[..., :-1], x[..., -1:]
        of_means = stats.norm(location, np.sqrt(variance / kappa)).logpdf(means).sum(axis=-1)
        return of_means + stats.invgamma(a, scale=b).logpdf(variance[..., 0])

    expected, own = b / (a - 1), stats.invgamma(a, scale=b)
    return Reference(log_prob, [*location, expected], [*(expected / np.array(kappa)), own.var()])


def _niw(location: Array, kappa: float, df: float, scale: Array) -> Reference:
    own = stats.invwishart(df, scale)

    def log_prob(x: Array) -> Array:
        flat = x.reshape(-1, *x.shape[-2:])
        logs = [
            own.logpdf(one[:, 1:]) + stats.multivariate_normal(location, one[:, 1:] / kappa).logpdf(one[:, 0])
            for one in flat
        ]
        return np.reshape(logs, x.shape[:-2])

    mean = np.concatenate([np.reshape(location, (-1, 1)), own.mean()], axis=1)
    variance = np.concatenate([np.diag(own.mean())[:, None] / kappa, own.var()], axis=1)
    return Reference(log_prob, mean, variance)


def _categorical(probs: Array) -> Reference:
    probs = np.asarray(probs)
    frozen = stats.rv_discrete(values=(np.arange(len(probs)), probs))
    return Reference(frozen.logpmf, probs, probs * (1 - probs), frozen.entropy())


def _beta_geometric(a: float, b: float) -> Callable[[Array], Array]:
    return lambda x: betaln(a + 1, b + x - 1) - betaln(a, b)


def _uniform_pareto(left: float, right: float, rows: float) -> Callable[[Array], Array]:
    """The uniform part, and SciPy's Pareto on either side."""
    tail, reach = stats.pareto(rows, scale=right - left), right - left
    middle = stats.uniform(left, reach)

    def log_prob(x: Array) -> Array:
        beyond = tail.pdf(reach + left - x) + tail.pdf(x - right + reach)
        # The Pareto densities begin, at the ends, where the uniform one ends.
        beyond = np.where((x >= left) & (x <= right), 0.0, beyond)
        return np.log((rows * middle.pdf(x) + beyond) / (rows + 2))

    return log_prob


def _bilateral_pareto(left: float, right: float, rows: float) -> Callable[[Array], Array]:
    """The low end is Pareto; given it, so is the high end, from a range that reaches to it."""

    def log_prob(x: Array) -> Array:
        down = stats.lomax(rows, scale=right - left).logpdf(left - x[..., 0])
        up = stats.lomax(rows + 1, scale=right - x[..., 0]).logpdf(x[..., 1] - right)
        return down + up

    return log_prob


_TWENTY = np.concatenate([np.random.default_rng(5).normal(2, 0.7, 12), [-3.1, -2.5, -2.5, 0.1, 6, 6.2, 7, 9]])


def _kernel(values: Array, strength: float = 0.0) -> Reference:
    """SciPy's, at the bandwidth of the rule, and a t for the imagined rows."""
    n, (low, middle, high) = len(values), np.quantile(values, [0.25, 0.5, 0.75])
    spread = min(values.std(), (high - low) / 1.34)
    bandwidth = 0.9 * spread / n**0.2
    own = stats.gaussian_kde(values, bandwidth / values.std(ddof=1))
    back = stats.t(4, middle, spread)

    def log_prob(x: Array) -> Array:
        return np.log((n * own(x) + strength * back.pdf(x)) / (n + strength))

    mean = (values.sum() + strength * middle) / (n + strength)
    squares = ((values - mean) ** 2).sum() + n * bandwidth**2
    squares += strength * ((middle - mean) ** 2 + back.var())
    return Reference(log_prob, mean, squares / (n + strength))


def _histogram(values: Array, k: int, strength: float = 0.0) -> Reference:
    counts, edges = np.histogram(values, k)
    frozen = stats.rv_histogram((counts, edges))
    if not strength:
        return Reference.of(frozen)
    reach, total = edges[-1] - edges[0], len(values) + strength * (k + 1)
    bars, tail = stats.rv_histogram((counts + strength, edges)), stats.lomax(3, scale=reach)

    def log_prob(x: Array) -> Array:
        inside = (len(values) + strength * k) / total * bars.pdf(x)
        beyond = strength / 2 / total * (tail.pdf(edges[0] - x) + tail.pdf(x - edges[-1]))
        return np.log(inside + np.where((x >= edges[0]) & (x <= edges[-1]), 0, beyond))

    return Reference(log_prob)


_ODD = np.random.default_rng(6).normal(1, 2, 20)  # all different, on no grid


def _binned(values: Array) -> Reference:
    """Twenty values in four bins of five: the smoothed share of each bin is 1/4, that of each value 1/20.

    Bins end midway between values, bars in them with one.
    """
    ordered = np.sort(values)
    edges = np.append(ordered[0] - np.diff(ordered).min(), ordered)
    for last in (5, 10, 15):
        edges[last] = (ordered[last - 1] + ordered[last]) / 2
    masses, rare = np.full(20, 1 / 20), 1 / 22
    masses[[0, -1]] -= rare / 20
    tail = stats.lomax(3, scale=edges[-1] - edges[0])

    def log_prob(x: Array) -> Array:
        place = np.clip(np.searchsorted(edges, x, "left") - 1, 0, 19)
        inside = (masses / np.diff(edges))[place]
        beyond = rare / 20 * (tail.pdf(edges[0] - x) + tail.pdf(x - edges[-1]))
        return np.log(np.where((x > edges[0]) & (x <= edges[-1]), inside, beyond))

    out = tail.mean()
    mean = masses @ (edges[1:] + edges[:-1]) / 2 + rare / 20 * (edges[0] - out + edges[-1] + out)
    return Reference(log_prob, mean)


_T = stats.multivariate_t([1, 0, -2], COVARIANCE, df=7)
_LINE = np.array([-30.0, -3.1, -1.0, 0.0, 0.2, 1.0, 2.5, 40.0])
_COUNTS = np.array([0.0, 1.0, 2.0, 5.0, 17.0, 60.0])
_UNIT = np.array([0.001, 0.2, 0.5, 0.77, 0.999])
_SIMPLEX = np.array([[0.2, 0.3, 0.5], [0.01, 0.01, 0.98], [1 / 3, 1 / 3, 1 / 3]])
_SPACE = np.random.default_rng(0).normal(0, 3, (12, 3))

CASES = [
    Case("bernoulli", Bernoulli(0.3), Reference.of(stats.bernoulli(0.3), True), [0, 1], [0, 1]),
    Case("bernoulli-sure", Bernoulli(1.0), Reference.of(stats.bernoulli(1.0), True), [0, 1], [0, 1]),
    Case(
        "categorical",
        Categorical([0.2, 0.5, 0, 0.3]),
        _categorical([0.2, 0.5, 0, 0.3]),
        [0, 1, 2, 3],
        range(4),
    ),
    Case("poisson", Poisson(3.7), Reference.of(stats.poisson(3.7), True), _COUNTS, np.arange(200)),
    Case(
        "poisson-large",
        Poisson(900.0),
        Reference.of(stats.poisson(900), True),
        [800, 900, 1010],
        np.arange(3000),
    ),
    Case(
        "negative-binomial",
        NegativeBinomial(2.5, 0.5),
        Reference.of(stats.nbinom(2.5, 1 / 3), True),
        _COUNTS,
        np.arange(400),
    ),
    Case("exponential", Exponential(0.4), Reference.of(stats.expon(scale=2.5)), [0, 0.1, 1, 2.5, 40, -1]),
    Case("lomax", Lomax(4.5, 2), Reference.of(stats.lomax(4.5, scale=2)), [0, 0.1, 1, 2.5, 400, -1]),
    Case(
        "geometric",
        Geometric(0.3),
        Reference.of(stats.geom(0.3), True),
        _COUNTS[1:],
        np.arange(1, 200),
    ),
    Case("geometric-sure", Geometric(1.0), Reference(stats.geom(1).logpmf, 1, 0, 0), [1, 2], np.arange(1, 5)),
    Case(
        "beta-geometric",
        BetaGeometric(30, 40),
        Reference(_beta_geometric(30, 40), 69 / 29, 30 * 40 * 69 / (28 * 29**2)),
        _COUNTS[1:],
        np.arange(1, 500),
    ),
    Case(
        "binomial",
        Binomial(0.3, 10),
        Reference.of(stats.binom(10, 0.3), True),
        np.arange(12),
        np.arange(11),
    ),
    Case(
        "beta-binomial",
        BetaBinomial(2.5, 4, 10),
        Reference.of(stats.betabinom(10, 2.5, 4), True),
        np.arange(12),
        np.arange(11),
    ),
    Case("uniform", Uniform(-1, 3), Reference.of(stats.uniform(-1, 4)), [-1.5, -1, 0, 2.9, 3, 4]),
    Case(
        "uniform-pareto",
        UniformPareto(-1, 3, 7),
        Reference(_uniform_pareto(-1, 3, 7), 1),
        [-30, -1.5, -1, 0, 2.9, 3, 4, 100],
    ),
    Case(
        "bilateral-pareto",
        BilateralPareto(-1, 3, 7),
        Reference(_bilateral_pareto(-1, 3, 7), [-1 - 4 / 6, 3 + 4 / 6]),
        np.array([[-1.0, 3.0], [-2.0, 3.5], [-7.0, 30.0], [-0.5, 4.0]]),
    ),
    Case("binned", Binned.fit(_ODD), _binned(_ODD), _LINE),
    Case("histogram", Histogram.fit(_TWENTY, prior=None), _histogram(_TWENTY, 10), _LINE),
    Case("histogram-smoothed", Histogram.fit(_TWENTY), _histogram(_TWENTY, 10, 1.0), _LINE),
    Case(
        "kernel",
        Kernel.fit(_TWENTY, prior=None),
        _kernel(_TWENTY),
        [-3.5, -1.5, 0.0, 0.2, 1, 2.5, 8],
        tolerance=1e-6,
    ),
    Case("kernel-smoothed", Kernel.fit(_TWENTY), _kernel(_TWENTY, 1.0), _LINE, tolerance=1e-6),
    Case("normal", Normal(1.5, 2.0), Reference.of(stats.norm(1.5, 2)), _LINE),
    Case("double-exponential", DoubleExponential(1, 2), Reference.of(stats.laplace(1, 2)), _LINE),
    Case("student-t", StudentT(5, 1, 2), Reference.of(stats.t(5, 1, 2)), _LINE),
    Case("beta", Beta(2.5, 4), Reference.of(stats.beta(2.5, 4)), _UNIT),
    Case("gamma", Gamma(2.5, 0.5), Reference.of(stats.gamma(2.5, scale=2)), [0.01, 0.5, 3.0, 40.0]),
    Case(
        "dirichlet",
        Dirichlet([1.5, 2, 4]),
        Reference(
            lambda x: np.array([stats.dirichlet([1.5, 2, 4]).logpdf(p) for p in x]),
            stats.dirichlet([1.5, 2, 4]).mean(),
            stats.dirichlet([1.5, 2, 4]).var(),
            stats.dirichlet([1.5, 2, 4]).entropy(),
        ),
        _SIMPLEX,
    ),
    Case(
        "multinomial",
        Multinomial([0.2, 0.3, 0.5], 5),
        Reference(
            lambda x: stats.multinomial(5, [0.2, 0.3, 0.5]).logpmf(x),
            [1, 1.5, 2.5],
            [0.8, 1.05, 1.25],
            stats.multinomial(5, [0.2, 0.3, 0.5]).entropy(),
        ),
        _shares(5, 3),
        _shares(5, 3),
    ),
    Case(
        "dirichlet-multinomial",
        DirichletMultinomial([1.5, 2, 4], 5),
        Reference(
            stats.dirichlet_multinomial([1.5, 2, 4], 5).logpmf,
            stats.dirichlet_multinomial([1.5, 2, 4], 5).mean(),
            stats.dirichlet_multinomial([1.5, 2, 4], 5).var(),
        ),
        _shares(5, 3),
        _shares(5, 3),
    ),
    Case(
        "multivariate-normal",
        MultivariateNormal([1, 0, -2], COVARIANCE),
        Reference(
            stats.multivariate_normal([1, 0, -2], COVARIANCE).logpdf,
            [1, 0, -2],
            np.diag(COVARIANCE),
            stats.multivariate_normal([1, 0, -2], COVARIANCE).entropy(),
        ),
        _SPACE,
    ),
    Case(
        "multivariate-t",
        MultivariateT(7, [1, 0, -2], COVARIANCE),
        Reference(_T.logpdf, [1, 0, -2], np.diag(COVARIANCE) * 7 / 5, _T.entropy()),
        _SPACE,
    ),
    Case(
        "normal-inverse-gamma",
        NormalInverseGamma(1, 2, 6, 3),
        _nig(1, 2, 6, 3),
        np.array([[0.0, 1.0], [1.0, 0.3], [2.0, 5.0]]),
    ),
    Case(
        "normal-inverse-wishart",
        NormalInverseWishart([1, 0, -2], 2, 12, COVARIANCE),
        _niw(np.array([1, 0, -2]), 2, 12, COVARIANCE),
        NormalInverseWishart([1, 0, -2], 2, 12, COVARIANCE).sample(5, 0),
    ),
    Case(
        "shared-covariance",
        SharedCovariance([1, 0, -2], 2, 12, COVARIANCE),
        _niw(np.array([1, 0, -2]), 2, 12, COVARIANCE),
        NormalInverseWishart([1, 0, -2], 2, 12, COVARIANCE).sample(5, 0),
    ),
    Case(
        "shared-variance",
        SharedVariance([1, -2], [2, 0.5], 6, 3),
        _shared_variance([1, -2], [2, 0.5], 6, 3),
        np.array([[0.0, 1.0, 0.3], [1.0, -2.0, 5.0], [3.0, 0.0, 0.9]]),
    ),
    Case(
        "known-variance",
        KnownVariance(3, 1, 0.5),
        Reference(stats.norm(1, np.sqrt(6)).logpdf, 1, 6, stats.norm(1, np.sqrt(6)).entropy()),
        _LINE,
    ),
]


@dataclass(frozen=True)
class Learnt:
    """A family, a truth in it, a conjugate prior, and the family at given parameters."""

    family: type[Family]
    truth: Any  # a single distribution
    prior: Prior | None = None  # None for a family that has no conjugate prior
    at: Any = None  # parameters as the prior draws them -> a batch of one group
    sizes: tuple[int, ...] | None = None

    @property
    def name(self) -> str:
        return self.family.name

    def rows(self, n: int, seed: int) -> Array:
        """Data (n, d) drawn from the truth."""
        drawn = np.asarray(self.truth.sample(n, seed))
        return drawn if self.family.joint else drawn[:, None]


LEARNT = [
    Learnt(Bernoulli, Bernoulli(0.3), Beta(1.5, 2.5), lambda p: Bernoulli([[p]])),
    Learnt(
        Categorical,
        Categorical([0.2, 0.45, 0.35]),
        Dirichlet([1.5, 1.0, 3.0]),
        lambda p: Categorical([p], (3,)),
        (3,),
    ),
    Learnt(Poisson, Poisson(3.7), Gamma(2.0, 0.5), lambda r: Poisson([[r]])),
    Learnt(Exponential, Exponential(0.4), Gamma(2.0, 0.5), lambda r: Exponential([[r]])),
    Learnt(Geometric, Geometric(0.3), GeometricBeta(1.5, 2.5), lambda p: Geometric([[p]])),
    Learnt(Binomial, Binomial(0.3, 4), BinomialBeta(1.5, 2.5, 4), lambda p: Binomial([[p]], 4)),
    Learnt(Uniform, Uniform(2, 5), BilateralPareto(3, 4, 2.5), lambda x: Uniform([[x[0]]], [[x[1]]])),
    Learnt(
        Normal,
        Normal(5, 2.0),
        NormalInverseGamma(4, 0.5, 3, 8),
        lambda x: Normal([[x[0]]], [[np.sqrt(x[1])]]),
    ),
    Learnt(Binned, Normal(5, 2.0)),
    Learnt(Histogram, Normal(5, 2.0)),
    Learnt(Kernel, Normal(5, 2.0)),
    Learnt(
        Multinomial, Multinomial([0.2, 0.3, 0.5], 4), Dirichlet([1.5, 1.0, 3.0]), lambda p: Multinomial([p])
    ),
    Learnt(
        MultivariateNormal,
        MultivariateNormal([1, 0, -2], COVARIANCE),
        NormalInverseWishart([1, 1, 0], 0.5, 6, np.eye(3) * 2),
        lambda x: MultivariateNormal([x[:, 0]], [x[:, 1:]]),
    ),
    Learnt(
        TiedNormal,
        MultivariateNormal([1, 0, -2], COVARIANCE),
        SharedCovariance([1, 1, 0], 0.5, 6, np.eye(3) * 2),
        lambda x: TiedNormal([x[:, 0]], [x[:, 1:]]),
    ),
    Learnt(
        LedoitWolfNormal,
        MultivariateNormal([1, 0, -2], COVARIANCE),
        NormalInverseWishart([1, 1, 0], 0.5, 6, np.eye(3) * 2),
        lambda x: MultivariateNormal([x[:, 0]], [x[:, 1:]]),
    ),
    Learnt(LedoitWolfTied, MultivariateNormal([1, 0, -2], COVARIANCE)),
    Learnt(
        SphericalNormal,
        Normal(5, 2.0),
        SharedVariance([4], 0.5, 3, 8),
        lambda x: Normal([[x[0]]], [[np.sqrt(x[1])]]),
    ),
    Learnt(
        TiedDiagonalNormal,
        Normal(5, 2.0),
        SharedDiagonal(4, 0.5, 3, 8),
        lambda x: Normal([[x[0]]], [[np.sqrt(x[1])]]),
    ),
    Learnt(
        TiedSphericalNormal,
        Normal(5, 2.0),
        SharedSphere([4], 0.5, 3, 8),
        lambda x: Normal([[x[0]]], [[np.sqrt(x[1])]]),
    ),
    Learnt(KnownNormal, Normal(5, 1.0), KnownVariance(1.0, 4, 0.5), lambda x: Normal([[x]], [[1.0]])),
]

CONJUGATE = [case for case in LEARNT if case.prior is not None]

G, D = 7, 6
SIZES = (3, 2, 0, 5, 1, 4)  # one column has no levels at all


def _spd(rng: np.random.Generator) -> Array:
    roots = rng.normal(size=(G, D, D))
    return roots @ np.swapaxes(roots, 1, 2) + 0.3 * np.eye(D)


def _levels(rng: np.random.Generator) -> Array:
    return np.concatenate([rng.dirichlet(np.ones(k), G) if k else np.empty((G, 0)) for k in SIZES], axis=1)


def _seen(rng: np.random.Generator) -> Cells:
    """Of 200 rows, whose columns lie in different places in every group."""
    codes = rng.integers(0, G, 200)
    rows = rng.normal(size=(200, D)) * rng.gamma(3, 0.5, (G, D))[codes] + rng.normal(0, 3, (G, D))[codes]
    return Cells.collect(rows, Groups.hard(codes, G))


@dataclass(frozen=True)
class Blocks:
    """A distribution over 7 groups and 6 columns, and rows that could come from it."""

    name: str
    make: Callable[[np.random.Generator], Distribution]
    missing: float = np.nan

    def rows(
        self, rng: np.random.Generator, n: int = 60, missing: float = 0.15
    ) -> tuple[Distribution, Array]:
        dist = self.make(rng)
        rows = dist.sample_rows(rng.integers(0, G, n), rng)
        if missing:
            rows = np.where(rng.random(rows.shape) < missing, self.missing, rows)
        return dist, rows.astype(np.intp) if self.name.startswith("categorical") else rows


GROUPED = [
    Blocks("bernoulli", lambda rng: Bernoulli(rng.random((G, D)))),
    Blocks("bernoulli-sure", lambda rng: Bernoulli(np.round(rng.random((G, D)), 0))),
    Blocks("categorical", lambda rng: Categorical(_levels(rng), SIZES), -1),
    Blocks("categorical-zeros", lambda rng: Categorical(np.tile(np.eye(4)[:1], (G, D)), (4,) * D), -2),
    Blocks("poisson", lambda rng: Poisson(rng.gamma(1, 3, (G, D)))),
    Blocks("poisson-zeros", lambda rng: Poisson(rng.gamma(1, 3, (G, D)) * (rng.random((G, D)) < 0.5))),
    Blocks(
        "negative-binomial", lambda rng: NegativeBinomial(rng.gamma(2, 2, (G, D)), rng.gamma(2, 1, (G, D)))
    ),
    Blocks("geometric", lambda rng: Geometric(rng.beta(1, 2, (G, D)) + 1e-3)),
    Blocks("geometric-sure", lambda rng: Geometric(np.where(rng.random((G, D)) < 0.5, 1.0, 0.4))),
    Blocks("beta-geometric", lambda rng: BetaGeometric(rng.gamma(9, 1, (G, D)) + 2, rng.gamma(2, 2, (G, D)))),
    Blocks("binomial", lambda rng: Binomial(rng.random((G, D)), rng.integers(1, 20, (G, D)))),
    Blocks("binomial-sure", lambda rng: Binomial(np.round(rng.random((G, D))), 5)),
    Blocks(
        "beta-binomial",
        lambda rng: BetaBinomial(rng.gamma(2, 2, (G, D)), rng.gamma(2, 2, (G, D)), rng.integers(1, 20, D)),
    ),
    Blocks("uniform", lambda rng: Uniform(rng.normal(0, 3, (G, D)), rng.normal(12, 1, (G, D)))),
    Blocks(
        "uniform-pareto",
        lambda rng: UniformPareto(
            rng.normal(0, 3, (G, D)), rng.normal(12, 1, (G, D)), 3 + rng.random((G, D))
        ),
    ),
    Blocks("binned", lambda rng: Binned.estimate(_seen(rng))),
    Blocks("binned-zeros", lambda rng: Binned.ml(_seen(rng))),
    Blocks("histogram", lambda rng: Histogram.estimate(_seen(rng))),
    Blocks("histogram-zeros", lambda rng: Histogram.ml(_seen(rng))),
    Blocks("kernel", lambda rng: Kernel.estimate(_seen(rng))),
    Blocks("kernel-zeros", lambda rng: Kernel.ml(_seen(rng))),
    Blocks("normal", lambda rng: Normal(rng.normal(0, 3, (G, D)), rng.gamma(3, 0.5, (G, D)))),
    Blocks("normal-shifted", lambda rng: Normal(1e7 + rng.normal(0, 3, (G, D)), rng.gamma(3, 0.5, (G, D)))),
    Blocks("normal-far-apart", lambda rng: Normal(rng.normal(0, 1e5, (G, D)), rng.gamma(3, 0.5, (G, D)))),
    Blocks(
        "normal-some-far",
        lambda rng: Normal(rng.normal(0, 3, (G, D)) * 10.0 ** np.arange(D), rng.gamma(9, 0.1, (G, D))),
    ),
    Blocks(
        "student-t",
        lambda rng: StudentT(
            rng.gamma(2, 3, (G, D)) + 0.5, rng.normal(0, 3, (G, D)), rng.gamma(3, 0.5, (G, D))
        ),
    ),
    Blocks(
        "double-exponential",
        lambda rng: DoubleExponential(rng.normal(0, 3, (G, D)), rng.gamma(3, 0.5, (G, D))),
    ),
    Blocks("multinomial", lambda rng: Multinomial(rng.dirichlet(np.ones(D), G), 9)),
    Blocks("multinomial-zeros", lambda rng: Multinomial(np.tile([0.5, 0.5, 0, 0, 0, 0], (G, 1)), 9)),
    Blocks("dirichlet-multinomial", lambda rng: DirichletMultinomial(rng.gamma(2, 3, (G, D)), 9)),
    Blocks("dirichlet-multinomial-long", lambda rng: DirichletMultinomial(rng.gamma(2, 3, (G, D)), 900)),
    Blocks(
        "negative-binomial-large",
        lambda rng: NegativeBinomial(rng.gamma(2, 2, (G, D)), np.full((G, D), 0.01)),
    ),
    Blocks("exponential", lambda rng: Exponential(rng.gamma(2, 2, (G, D)))),
    Blocks("lomax", lambda rng: Lomax(rng.gamma(2, 2, (G, D)) + 2, rng.gamma(2, 2, (G, D)))),
    Blocks("multivariate-normal", lambda rng: MultivariateNormal(rng.normal(0, 3, (G, D)), _spd(rng))),
    Blocks(
        "tied-normal",
        lambda rng: TiedNormal(rng.normal(0, 3, (G, D)), np.broadcast_to(_spd(rng)[0], (G, D, D))),
    ),
    Blocks(
        "tied-normal-far",
        lambda rng: TiedNormal(1e6 + rng.normal(0, 99, (G, D)), np.broadcast_to(_spd(rng)[0], (G, D, D))),
    ),
    Blocks(
        "multivariate-t",
        lambda rng: MultivariateT(rng.gamma(2, 3, G) + 0.5, rng.normal(0, 3, (G, D)), _spd(rng)),
    ),
]
