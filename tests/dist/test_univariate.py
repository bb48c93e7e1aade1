"""Laws of the distributions on the line, over the one table of cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dist_cases import CASES, GROUPED, Blocks, Case, D, G
from numpy.testing import assert_allclose
from scipy import stats

from likely import LikelyError
from likely.dist import (
    Bernoulli,
    Beta,
    BetaBinomial,
    BetaGeometric,
    Binomial,
    Gamma,
    Geometric,
    Histogram,
    Kernel,
    NegativeBinomial,
    Normal,
    Poisson,
    StudentT,
    Uniform,
    UniformPareto,
    Univariate,
)

ON_THE_LINE = [case for case in CASES if isinstance(case.dist, Univariate)]
BLOCKS = [case for case in GROUPED if isinstance(case.make(np.random.default_rng(0)), Univariate)]
SHARES = np.array([1e-12, 1e-5, 0.03, 0.25, 0.5, 0.6, 0.97, 1 - 1e-9])

every_line = pytest.mark.parametrize("case", ON_THE_LINE, ids=lambda case: case.name)
every_block = pytest.mark.parametrize("case", BLOCKS, ids=lambda case: case.name)


def points(dist: Any) -> Any:
    """Ascending, from far in one tail to far in the other; halves too, and both ends of everything."""
    inner = np.asarray(dist.quantile(SHARES))
    return np.unique([-np.inf, -1e300, -7.5, 0, 0.5, 1, 2.5, 10, 1e300, np.inf, *inner, *(inner + 1)])


def test_the_table_has_every_distribution_of_one_number() -> None:
    named = {type(case.dist).__name__ for case in ON_THE_LINE}
    assert named == {
        "Bernoulli", "Beta", "BetaBinomial", "BetaGeometric", "Binned", "Binomial", "DoubleExponential",
        "Exponential", "Gamma", "Geometric", "Histogram", "Kernel", "Lomax", "NegativeBinomial", "Normal",
        "Poisson", "StudentT", "Uniform", "UniformPareto",
    }  # fmt: skip


@every_line
def test_the_largest_number_there_is_leaves_nothing_above_and_all_below(case: Case) -> None:
    dist: Any = case.dist
    largest = np.finfo(np.float64).max
    assert_allclose(dist.cdf([-largest, largest]), [0, 1], atol=1e-300, rtol=1e-15)
    assert_allclose(dist.sf([-largest, largest]), [1, 0], atol=1e-300, rtol=1e-15)


@pytest.mark.parametrize("rate", [1e-300, 1.0, 1e6, 1e300])
def test_poisson_counts_far_beyond_the_rate(rate: float) -> None:
    found = Poisson(rate)
    far = np.array([1e301, 1e305, 1e307, 1.7e308])
    assert found.cdf(far).tolist() == [1, 1, 1, 1]
    assert found.sf(far).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("case", [c for c in ON_THE_LINE if c.reference.line], ids=lambda case: case.name)
def test_agrees_with_scipys(case: Case) -> None:
    dist: Any = case.dist
    frozen, x = case.reference.line, points(case.dist)
    assert_allclose(dist.cdf(x), frozen.cdf(x), rtol=1e-9, atol=1e-300)
    # Relative to the tail itself; of a histogram SciPy takes 1 - cdf.
    assert_allclose(dist.sf(x), frozen.sf(x), rtol=1e-9, atol=1e-15 if "histogram" in case.name else 1e-300)
    q = np.array([0.001, 0.03, 0.25, 0.6, 0.97])
    assert_allclose(dist.quantile(q), frozen.ppf(q), rtol=1e-9)


@every_line
def test_it_rises_from_0_to_1_and_the_upper_tail_is_the_rest(case: Case) -> None:
    dist: Any = case.dist
    x = points(dist)
    up, over = dist.cdf(x), dist.sf(x)
    assert up[0] == 0 == over[-1]
    assert up[-1] == 1 == over[0]
    assert (np.diff(up) >= -1e-15).all()
    assert (np.diff(over) <= 1e-15).all()
    assert_allclose(up + over, 1, rtol=1e-12)
    low, high = dist.ends()
    assert (up[x < low] == 0).all()
    assert (over[x >= high] == 0).all()
    assert np.isnan(dist.cdf(np.nan))
    assert np.isnan(dist.sf(np.nan))


@every_line
def test_the_steps_or_the_slopes_are_the_probabilities(case: Case) -> None:
    dist: Any = case.dist
    if dist.whole:
        x = np.arange(-2.0, 25)
        assert_allclose(dist.cdf(x) - dist.cdf(x - 1), dist.prob(x), atol=1e-12)
        assert_allclose(dist.below(x), dist.cdf(x) - dist.prob(x), atol=1e-12)
        assert_allclose(dist.at_least(x), dist.sf(x) + dist.prob(x), atol=1e-12)
        assert_allclose(dist.below(x + 0.5), dist.cdf(x + 0.5))
    else:
        # Simpson's rule over short steps; none crosses an edge of a density that jumps.
        inner = dist.quantile(np.linspace(0.02, 0.98, 41))
        step = 1e-4 * (inner[-1] - inner[0])
        left, right = dist.prob(inner), dist.prob(inner + step)
        simpson = step * (left + 4 * dist.prob(inner + step / 2) + right) / 6
        smooth = np.abs(left - right) < 0.01 * left
        assert smooth.sum() > 30
        found = dist.cdf(inner + step) - dist.cdf(inner)
        assert_allclose(found[smooth], simpson[smooth], rtol=1e-6)
        assert_allclose(dist.below(inner), dist.cdf(inner))
        assert_allclose(dist.at_least(inner), dist.sf(inner))


@every_line
def test_a_quantile_is_the_least_value_that_is_enough(case: Case) -> None:
    dist: Any = case.dist
    found = dist.quantile(SHARES)
    assert (np.diff(found) >= 0).all()
    if dist.whole:
        assert (found == np.floor(found)).all()
        assert (dist.cdf(found) >= SHARES * (1 - 1e-12)).all()
        assert (dist.below(found) <= SHARES * (1 + 1e-12)).all()
    else:
        # To as many digits as values near an end that is not 0 leave to the tails.
        assert_allclose(dist.cdf(found), SHARES, rtol=1e-7, atol=1e-15)
        assert_allclose(dist.sf(found), 1 - SHARES, rtol=1e-7, atol=1e-15)
    low, high = dist.ends()
    assert dist.quantile(0) == low
    assert dist.quantile(1) == high
    assert np.isnan(dist.quantile(np.nan))


@every_block
def test_blocks_are_many_single_ones(case: Blocks) -> None:
    rng = np.random.default_rng(18)
    dist, rows = case.rows(rng, n=12)
    one: Any = dist
    for function in (one.cdf, one.sf, one.below, one.at_least):
        found = function(rows[:, None, :])
        assert found.shape == (12, G, D)
        assert (np.isnan(found) == np.isnan(rows)[:, None, :]).all()
    single = np.stack([[one.take((g, j)).cdf(rows[:, j]) for j in range(D)] for g in (0, G - 1)])
    assert_allclose(one.cdf(rows[:, None, :])[:, [0, G - 1]], np.moveaxis(single, -1, 0), rtol=1e-12)
    middle = one.quantile(0.5)
    assert middle.shape == (G, D)
    assert (one.cdf(middle) >= 0.5 - 1e-12).all()
    assert (one.below(middle) <= 0.5 + 1e-9).all()


@pytest.mark.parametrize(
    ("tail", "exact"),
    [
        (Normal(1.5, 2.0).sf(81.5), stats.norm.sf(40)),
        (StudentT(5, 1, 2).sf(2e6), stats.t.sf((2e6 - 1) / 2, 5)),
        (Poisson(3.7).sf(60), stats.poisson.sf(60, 3.7)),
        (Binomial(1e-9, 10).at_least(3), 120e-27),
        (Geometric(0.3).sf(900), 0.7**900),
        (Geometric(1e-12).cdf(1), 1e-12),
        (NegativeBinomial(1, 3).sf(99), 0.25**100),
        (BetaBinomial(1, 1e9, 3).at_least(3), 6e-27),
        (BetaGeometric(1, 1).sf(1e15), 1e-15),
        (BetaGeometric(1e9, 1e9).sf(2), 0.25),
        (UniformPareto(0, 1, 2).sf(1e8), 0.25e-16),
        (Beta(2, 30).sf(0.999), stats.beta.sf(0.999, 2, 30)),
        (Gamma(1, 1).sf(700), np.exp(-700)),
        (Uniform(0, 4).sf(4 - 2.0**-40), 2.0**-42),
    ],
    ids=lambda value: f"{value:.3g}",
)
def test_far_tails_keep_their_digits(tail: float, exact: float) -> None:
    assert tail == pytest.approx(exact, rel=1e-7)


def test_tails_of_densities_without_a_formula_keep_their_digits() -> None:
    values = np.array([1.0, 2.0, 2.0, 3.0, 3.0, 5.0])
    bars: Any = Histogram.fit(values)  # 3 bars from 1 to 5 and two tails: 6 + 3 + 1 rows
    one = bars.parts.item()
    assert bars.sf(5 + 4e6) == pytest.approx(one.tails[1] * (1 + 4e6 / 4) ** -3.0, rel=1e-12)
    bumps: Any = Kernel.fit(values, prior=None)
    h = bumps.parts.item().bandwidth
    assert bumps.sf(5 + 20 * h) == pytest.approx(stats.norm.sf(20) / 6, rel=1e-9)
    assert bumps.cdf(1 - 20 * h) == pytest.approx(stats.norm.sf(20) / 6, rel=1e-9)
    wide: Any = Kernel.fit(np.random.default_rng(3).normal(size=3000))
    some = np.linspace(-3, 3, 500)  # more pairs of points and values than are compared at once
    whole = np.array([wide.cdf(x) for x in some[::50]])
    assert_allclose(wide.cdf(some)[::50], whole, rtol=1e-14)


@pytest.mark.parametrize(
    "sure", [Bernoulli(1.0), Binomial(1.0, 1), Geometric(1.0), Beta(3, 0)], ids=lambda one: type(one).__name__
)
def test_what_is_sure_is_at_one_point(sure: Any) -> None:
    assert sure.cdf([0.999, 1.0]).tolist() == [0.0, 1.0]
    assert sure.sf([0.999, 1.0]).tolist() == [1.0, 0.0]
    assert sure.quantile([0.0, 0.3, 1.0]).tolist() == [1.0, 1.0, 1.0]


def test_what_rounding_took_from_the_mean_is_given_back() -> None:
    # Between two numbers 16 apart lies a mean that no double is.
    far = 2.0**56
    assert Normal(far, 3.0, 6.0).cdf(far + 16) == pytest.approx(stats.norm.cdf(10 / 3), rel=1e-12)
    assert StudentT(4, far, 3.0, 6.0).cdf(far + 16) == pytest.approx(stats.t.cdf(10 / 3, 4), rel=1e-12)


@pytest.mark.parametrize("q", [-0.1, 1.5, np.inf])
def test_no_share_is_below_0_or_above_1(q: float) -> None:
    with pytest.raises(LikelyError, match="a share is a number from 0 to 1"):
        Poisson(3).quantile([0.5, q])


def test_too_many_trials_to_add_up_are_refused_with_the_remedy() -> None:
    with pytest.raises(LikelyError, match="ask a binomial"):
        BetaBinomial(1, 1, 1e9).cdf(5)
