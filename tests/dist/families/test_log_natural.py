"""On the natural scale of its parameters, the estimate "mean" is the mode: what EM climbs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from seeds import first

from likely.dist import (
    Bernoulli,
    Binomial,
    Categorical,
    Family,
    Geometric,
    KnownNormal,
    Multinomial,
    MultivariateNormal,
    Normal,
    Poisson,
    SphericalNormal,
    TiedDiagonalNormal,
    TiedNormal,
    TiedSphericalNormal,
)
from likely.stats import Groups

G, D, SIZES = 3, 3, (3, 2, 4)
Array = Any


def _logit(p: Array, noise: Array) -> Array:
    return 1 / (1 + np.exp(-(np.log(p / (1 - p)) + noise)))


def _softmax(p: Array, noise: Array, sizes: tuple[int, ...]) -> Array:
    parts = np.split(p * np.exp(noise), np.cumsum(sizes)[:-1], axis=-1)
    return np.concatenate([part / part.sum(axis=-1, keepdims=True) for part in parts], axis=-1)


def _moved(matrix: Array, rng: np.random.Generator, size: float, same: bool) -> Array:
    step = np.eye(D) + size * rng.normal(size=(D, D) if same else (G, D, D))
    return step @ matrix @ np.swapaxes(step, -1, -2)


# For each family: parameters near others, by noise of a size, and rows to learn from.
Near = Callable[[Any, np.random.Generator, float], Any]
CASES: dict[type[Family], tuple[Near, Callable[[np.random.Generator, int], Array]]] = {
    Bernoulli: (
        lambda f, rng, s: Bernoulli(_logit(f.p, s * rng.normal(size=f.p.shape))),
        lambda rng, n: (rng.random((n, D)) < 0.3).astype(float),
    ),
    Geometric: (
        lambda f, rng, s: Geometric(_logit(f.p, s * rng.normal(size=f.p.shape))),
        lambda rng, n: rng.geometric(0.4, (n, D)).astype(float),
    ),
    Binomial: (
        lambda f, rng, s: Binomial(_logit(f.p, s * rng.normal(size=f.p.shape)), f.trials),
        lambda rng, n: rng.binomial(6, 0.4, (n, D)).astype(float),
    ),
    Poisson: (
        lambda f, rng, s: Poisson(f.rate * np.exp(s * rng.normal(size=f.rate.shape))),
        lambda rng, n: rng.poisson(3, (n, D)).astype(float),
    ),
    Categorical: (
        lambda f, rng, s: Categorical(_softmax(f.probs, s * rng.normal(size=f.probs.shape), SIZES), SIZES),
        lambda rng, n: np.stack([rng.integers(0, k, n) for k in SIZES], axis=1),
    ),
    Multinomial: (
        lambda f, rng, s: Multinomial(_softmax(f.probs, s * rng.normal(size=f.probs.shape), (D,)), f.trials),
        lambda rng, n: rng.poisson(2, (n, D)).astype(float),
    ),
    Normal: (
        lambda f, rng, s: Normal(
            f.mean + s * f.sd * rng.normal(size=f.mean.shape), f.sd * np.exp(s * rng.normal(size=f.sd.shape))
        ),
        lambda rng, n: rng.normal([0, 5, -2], [1, 2, 3], (n, D)),
    ),
    KnownNormal: (
        lambda f, rng, s: Normal(f.mean + s * rng.normal(size=f.mean.shape), f.sd),
        lambda rng, n: rng.normal(2, 1, (n, D)),
    ),
    SphericalNormal: (
        lambda f, rng, s: Normal(
            f.mean + s * f.sd * rng.normal(size=f.mean.shape), f.sd * np.exp(s * rng.normal(size=(G, 1)))
        ),
        lambda rng, n: rng.normal([0, 5, -2], 2, (n, D)),
    ),
    TiedDiagonalNormal: (
        lambda f, rng, s: Normal(
            f.mean + s * f.sd * rng.normal(size=f.mean.shape), f.sd * np.exp(s * rng.normal(size=(1, D)))
        ),
        lambda rng, n: rng.normal([0, 5, -2], [1, 2, 3], (n, D)),
    ),
    TiedSphericalNormal: (
        lambda f, rng, s: Normal(
            f.mean + s * f.sd * rng.normal(size=f.mean.shape), f.sd * np.exp(s * rng.normal())
        ),
        lambda rng, n: rng.normal([0, 5, -2], 2, (n, D)),
    ),
    MultivariateNormal: (
        lambda f, rng, s: MultivariateNormal(
            f.mean + s * f.sd * rng.normal(size=f.mean.shape), _moved(f.covariance, rng, s, False)
        ),
        lambda rng, n: rng.normal(size=(n, D)) @ [[1, 0.5, 0], [0, 1, 0.3], [0, 0, 2]],
    ),
    TiedNormal: (
        lambda f, rng, s: MultivariateNormal(
            f.mean + s * f.sd * rng.normal(size=f.mean.shape), _moved(f.covariance, rng, s, True)
        ),
        lambda rng, n: rng.normal(size=(n, D)) @ [[1, 0.5, 0], [0, 1, 0.3], [0, 0, 2]],
    ),
}


@pytest.mark.parametrize("family", CASES, ids=lambda family: family.name)
@pytest.mark.parametrize("strength", first(1, [1.0, 0.3, 20.0]))
def test_no_parameters_near_the_estimate_are_better(family: type[Family], strength: float) -> None:
    near, draw = CASES[family]
    rng = np.random.default_rng(5)
    for n in (12, 200):
        rows, shares = draw(rng, n), rng.dirichlet(np.ones(G), n)
        stat = family.collect(rows, Groups.softly(shares), SIZES if family is Categorical else None)
        prior: Any = family.choose_prior(stat.pooled(), strength)
        estimate = family.estimate(stat, prior, "mean")

        def objective(at: Any, rows: Any = rows, shares: Any = shares, prior: Any = prior) -> float:
            return float((shares * at.group_log_prob(rows)).sum() + np.sum(at.log_natural(prior)))

        best = objective(estimate)
        for size in (1e-3, 1e-2, 0.1, 0.5):
            for _ in range(25):
                worse = objective(near(estimate, rng, size))
                assert worse <= best + 1e-9 * abs(best)
            assert worse < best  # noise does lower it: the objective is no constant
