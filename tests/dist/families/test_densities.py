"""Histograms and kernel densities against direct sums, on data easy and hard, small and large."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from seeds import first

from likely import NaiveBayes
from likely.dist import Histogram, Kernel, KernelByLikelihood, Normal, Poisson, Uniform
from likely.errors import LikelyError
from likely.stats import Cells, Groups
from likely.stats.dyadic_grid import Packed

both = pytest.mark.parametrize("family", [Histogram, Kernel])


def values(name: str, n: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    made: dict[str, Any] = {
        "normal": lambda: rng.normal(size=n),
        "bimodal": lambda: np.where(rng.random(n) < 0.4, rng.normal(-3, 0.5, n), rng.normal(4, 2, n)),
        "uniform": lambda: rng.random(n),
        "exponential": lambda: rng.exponential(size=n),
        "lognormal": lambda: np.exp(2 * rng.normal(size=n)),
        "cauchy": lambda: rng.standard_cauchy(n),
    }
    return made[name]()


def direct(x: Any, data: Any, bandwidth: float) -> Any:
    """The sum of the bumps that are near enough to be more than 0."""
    data, out = np.sort(data), np.empty(len(x))
    for i, place in enumerate(x):
        near = slice(*np.searchsorted(data, [place - 12 * bandwidth, place + 12 * bandwidth]))
        out[i] = np.exp(-0.5 * ((data[near] - place) / bandwidth) ** 2).sum()
    return out / (len(data) * bandwidth * np.sqrt(2 * np.pi))


@pytest.mark.parametrize("n", first(2, [20, 1000, 300_000]))
@pytest.mark.parametrize(
    ("name", "tolerance"),
    [
        ("normal", 1e-4),
        ("bimodal", 1e-4),
        ("uniform", 1e-4),
        ("exponential", 1e-4),
        ("lognormal", 1e-2),
        ("cauchy", 1e-2),
    ],
)
def test_kernels_are_the_direct_sum(name: str, tolerance: float, n: int) -> None:
    data, rng = values(name, n), np.random.default_rng(1)
    found = Kernel.fit(data, prior=None)
    bandwidth = found.parts.item().bandwidth
    ordered = np.sort(data)
    edges = rng.choice(np.concatenate([ordered[:9], ordered[-9:]]), 300)
    points = np.concatenate(
        [rng.choice(data, 200), edges + rng.normal(0, 3 * bandwidth, 300), rng.uniform(-8, 8, 200)]
    )
    expected = direct(points, data, bandwidth)
    counts = expected > 1e-6 * np.exp(found.log_prob(ordered[:: max(1, n // 2000)])).max()
    assert counts.sum() > 250
    assert_allclose(found.prob(points[counts]), expected[counts], rtol=tolerance)


def test_a_million_points_fitted_and_a_million_evaluated_in_a_second() -> None:
    for name in ("normal", "cauchy"):
        data, points = values(name, 1_000_000), values(name, 1_000_000, 1)
        began = time.process_time()
        Kernel.fit(data).log_prob(points)
        assert time.process_time() - began < 1.0


def test_the_rule_is_silvermans() -> None:
    data = values("bimodal", 501)
    quarter, three = np.quantile(data, [0.25, 0.75])
    expected = 0.9 * min(data.std(), (three - quarter) / 1.34) / 501**0.2
    assert_allclose(Kernel.fit(data).parts.item().bandwidth, expected, rtol=1e-12)


def test_far_from_all_values_the_nearest_counts() -> None:
    found = Kernel.fit([0.0, 1.0, 100.0], prior=None)
    bandwidth = found.parts.item().bandwidth
    x = np.array([-12.0 * bandwidth, 100 + 13 * bandwidth])
    nearest = stats.norm([0, 100], bandwidth).logpdf(x) - np.log(3)
    assert_allclose(found.log_prob(x), nearest, rtol=1e-6)
    assert (Kernel.fit([0.0, 1.0, 100.0]).log_prob([-1e9, 1e9]) > -200).all()


@pytest.mark.parametrize("name", ["normal", "bimodal", "exponential"])
def test_the_likeliest_bandwidth(name: str) -> None:
    data = values(name, 300)
    found = KernelByLikelihood.fit(data, prior=None).parts.item().bandwidth

    def alone(bandwidth: float) -> Any:
        bumps = stats.norm.pdf((data[:, None] - data) / bandwidth) / bandwidth
        np.fill_diagonal(bumps, 0)
        return np.log(np.maximum(bumps.sum(axis=1), 1e-12)).sum()

    assert alone(found) > max(alone(found * 1.3), alone(found / 1.3)) - 1e-6
    many = values(name, 200_000)
    began = time.process_time()
    large = KernelByLikelihood.fit(many).parts.item().bandwidth
    assert time.process_time() - began < 5
    assert large < found


@pytest.mark.parametrize("name", ["normal", "exponential", "lognormal", "cauchy"])
@pytest.mark.parametrize("n", [20, 1000, 300_000])
def test_bars_count_exactly(name: str, n: int) -> None:
    data = values(name, n)
    bars = Histogram.fit(data, prior=None).parts.item()
    edges = bars.low + bars.width * np.arange(len(bars.probs) + 1)
    edges[-1] = bars.high
    counts, _ = np.histogram(data, edges)
    assert_allclose(bars.probs * n, counts, atol=1e-6)
    outside = [(data < edges[0]).sum(), (data > edges[-1]).sum()]
    assert_allclose(bars.tails * n, outside, atol=1e-6)
    width = np.histogram_bin_edges(data, "fd")
    assert bars.width <= (width[1] - width[0]) * 1.05
    if name in ("lognormal", "cauchy") and n > 1000:
        assert 500 < len(bars.probs) <= 1024


def test_the_highest_and_the_lowest_value_lie_in_bars() -> None:
    rng = np.random.default_rng(6)
    for _ in range(300):
        data = rng.normal(size=int(rng.integers(2, 60))) * 10.0 ** rng.integers(-5, 6) + rng.normal()
        assert np.isfinite(Histogram.fit(data, prior=None).log_prob(data)).all()


@pytest.mark.parametrize("prior", [None, "default"])
@pytest.mark.parametrize("weight", [1e-3, 1.0, 1e6, 1e15])
def test_any_weight_of_rows(prior: Any, weight: float) -> None:
    for data in ([0.0, 1.0], [0.0, 0.0, 1e6, 1e6], [0.0, 0.0, 0.0, 0.0, 7.0], [3.0], [0.0, 1e-9, 5.0, 5.1]):
        for family in (Histogram, Kernel, KernelByLikelihood):
            found = family.fit(data, prior=prior, weight=np.full(len(data), weight))
            assert np.isfinite(found.log_prob(data)).all()
            assert np.isfinite(found.entropy())


def test_bars_are_smoothed_as_laplace_says() -> None:
    data = values("normal", 50)
    exact, smooth = Histogram.fit(data, prior=None).parts.item(), Histogram.fit(data, prior=2.0).parts.item()
    k = len(exact.probs)
    assert_allclose(smooth.probs, (50 * exact.probs + 2) / (50 + 2 * k + 2))
    assert_allclose(smooth.tails, 1 / (50 + 2 * k + 2))
    assert np.isneginf(Histogram.fit(data, prior=None).log_prob(9.0))
    assert np.isfinite(Histogram.fit(data).log_prob([9.0, -1e100])).all()


@both
def test_pieces_are_the_whole(family: Any) -> None:
    rng = np.random.default_rng(2)
    rows, codes = rng.normal(size=(60_000, 2)), rng.integers(0, 2, 60_000)
    groups = Groups.hard(codes, 2)
    whole = Cells.collect(rows, groups)
    pieces = [Cells.collect(rows[a : a + 7000], groups.rows(a, a + 7000)) for a in range(0, 60_000, 7000)]
    added = sum(pieces[1:], pieces[0])
    points = rng.normal(size=(100, 2)) * 2
    expected = family.estimate(whole).group_log_prob(points)
    assert_allclose(family.estimate(added).group_log_prob(points), expected, rtol=1e-12)
    rest = family.estimate(added - pieces[0]).group_log_prob(points)
    alone = family.estimate(Cells.collect(rows[7000:], groups.rows(7000, 60_000))).group_log_prob(points)
    assert_allclose(rest, alone, rtol=0.02 if family is Histogram else 1e-4)


@both
@pytest.mark.parametrize("power", [-40, -3, 5, 60])
def test_units_that_are_powers_of_two_change_nothing_else(family: Any, power: int) -> None:
    rng, unit = np.random.default_rng(3), 2.0**power
    rows, codes = rng.normal(3, 2, (400, 2)), rng.integers(0, 3, 400)
    plain = family.estimate(Cells.collect(rows, Groups.hard(codes, 3))).group_log_prob(rows)
    scaled = family.estimate(Cells.collect(rows * unit, Groups.hard(codes, 3))).group_log_prob(rows * unit)
    assert_allclose(scaled, plain - 2 * power * np.log(2), rtol=1e-12, atol=1e-11)


@both
@pytest.mark.parametrize("prior", [None, "default", 3.0])
@pytest.mark.parametrize("value", [0.0, 0.1, -1e9 / 3, 1e20])
def test_a_constant_column_is_never_evidence(family: Any, prior: Any, value: float) -> None:
    rows = np.full((100, 1), value)
    stat = Cells.collect(rows, Groups.hard(np.arange(100) % 7 // 3, 4))
    terms = family.estimate(stat, prior).terms(np.array([[value], [value + 1]]))
    assert (terms == terms[:, :1]).all()
    assert np.isfinite(terms[0]).all()


@both
@pytest.mark.parametrize("prior", [None, "default"])
def test_groups_of_one_row_ties_and_no_rows(family: Any, prior: Any) -> None:
    rows = np.array([[1.0], [5.0], [5.0], [5.0], [2.0], [3.0], [3.0], [9.0]])
    found = family.estimate(Cells.collect(rows, Groups.hard([0, 1, 1, 1, 2, 2, 2, 2], 4)), prior)
    logs = found.group_log_prob(rows)
    assert not np.isnan(logs).any()
    assert_array_equal(logs[:4, :2].argmax(axis=1), [0, 1, 1, 1])
    column = family.estimate(Cells.collect(rows, Groups.one(8)), prior).group_log_prob(rows)[:, 0]
    assert_array_equal(logs[:, 3], column)
    if prior == "default":
        assert np.isfinite(found.group_log_prob(np.array([[1e6], [-1e6]]))).all()
    for array in (found.mean, found.variance, found.entropy()):
        assert np.isfinite(array).all()


@both
def test_missing_infinite_and_large(family: Any) -> None:
    found = family.estimate(Cells.collect(np.array([[0.0], [1.0], [np.nan], [3.0]]), Groups.one(4)))
    logs = found.group_log_prob(np.array([[np.nan], [np.inf], [-np.inf], [1e150]]))[:, 0]
    assert logs[0] == 0
    assert np.isneginf(logs[1:3]).all()
    assert np.isfinite(logs[3])


every_density = pytest.mark.parametrize("family", [Histogram, Kernel, KernelByLikelihood, Uniform])


@every_density
@pytest.mark.parametrize("prior", [None, "default"])
@pytest.mark.parametrize("unit", [5e-324, 1e-310, 1e-200, 1e-155])
def test_what_varies_less_than_squares_can_say_is_constant(family: Any, prior: Any, unit: float) -> None:
    tiny = family.fit(unit * np.array([1.0, 2.0, 3.0, 4.0]), prior=prior)
    constant = family.fit([0.0, 0.0, 0.0, 0.0], prior=prior)
    x = np.array([-0.4, 0.0, unit, 0.2, 3.0])
    assert_allclose(tiny.log_prob(x), constant.log_prob(x), rtol=1e-12)
    assert_allclose([tiny.sd, tiny.entropy()], [constant.sd, constant.entropy()], rtol=1e-12)


@every_density
@pytest.mark.parametrize("prior", [None, "default"])
def test_most_values_next_to_nothing_and_one_far_away(family: Any, prior: Any) -> None:
    found = family.fit([1e-310, 2e-310, 3e-310, 4e-310, 5.0], prior=prior)
    x = np.array([-1.0, 0.0, 2e-310, 1e-154, 2.5, 5.0])
    assert not np.isnan(found.log_prob(x)).any()
    assert (found.log_prob(x) < np.inf).all()
    assert_allclose(found.cdf(x) + found.sf(x), 1, rtol=1e-12)
    assert np.isfinite([found.mean, found.sd, found.entropy()]).all()


@pytest.mark.parametrize("family", [Histogram, Kernel, KernelByLikelihood, Uniform, Normal, Poisson])
def test_numbers_without_a_square_are_refused_by_name_and_remedy(family: Any) -> None:
    with pytest.raises(LikelyError, match=rf"value 1e\+200 is too large for {family.name}.* within 1e\+150"):
        family.fit([1.0, 1e200])


@both
def test_a_density_says_its_width_and_range_in_words(family: Any) -> None:
    rng = np.random.default_rng(0)
    said = repr(family.fit(rng.normal(size=100)))
    assert len(said) < 100
    assert ("wide from" if family is Histogram else "bandwidth") in said
    if family is Histogram:
        assert repr(Histogram.fit([2.0, 2.0])) == "Histogram(1 bar 1 wide from 1.5 to 2.5)"


@both
@pytest.mark.parametrize("outliers", [[1e12], [-1e12], [1e150, -1e150], [-1e150]])
@pytest.mark.parametrize("prior", [None, "default"])
def test_outliers_leave_the_others_their_density(family: Any, outliers: Any, prior: Any) -> None:
    data = values("normal", 5000)
    x = np.linspace(-2.5, 2.5, 50)
    plain, spoilt = family.fit(data, prior=prior), family.fit([*data, *outliers], prior=prior)
    assert_allclose(spoilt.prob(x), plain.prob(x), rtol=0.3 if family is Histogram else 0.02)
    assert np.isfinite(spoilt.log_prob(outliers)).all()


@both
def test_there_is_no_conjugate_prior(family: Any) -> None:
    with pytest.raises(LikelyError, match="give a strength instead"):
        family.default_prior(Cells.empty(1, 1))


def test_quantiles_are_numpys() -> None:
    rng = np.random.default_rng(4)
    data, weight = np.round(rng.normal(size=50), 1), rng.integers(0, 4, 50).astype(float)
    repeated = np.repeat(data, weight.astype(int))
    for q in (0.0, 0.1, 0.25, 0.5, 0.77, 1.0):
        assert_allclose(Packed.of(data, weight).quantile(q), np.quantile(repeated, q), atol=1e-12)


@pytest.mark.parametrize(("centres", "sd"), [([0.0], 1.5), ([-2.5, 2.5], 0.6)])
def test_three_density_estimates_of_the_same_20_points(centres: Any, sd: float) -> None:
    """Flach's figure 9.5: the normal is nearest to a normal truth, and furthest from one with two humps."""
    x, rng = np.linspace(-8, 8, 641), np.random.default_rng(9)
    data = rng.normal(np.resize(centres, 20), sd)
    truth = np.mean([stats.norm(centre, sd).pdf(x) for centre in centres], axis=0)
    off = {}
    for family in (Normal, Histogram, Kernel):
        density = family.fit(data).prob(x)
        assert abs(density.sum() * (x[1] - x[0]) - 1) < 0.1
        off[family] = np.abs(density - truth).sum()
    choose: Any = min if len(centres) == 1 else max
    assert choose(off, key=lambda family: off[family]) is Normal


def test_a_kernel_density_by_likelihood_is_a_kernel_density() -> None:
    assert isinstance(KernelByLikelihood.fit([1.0, 2.0, 4.0]), Kernel)
    assert not isinstance(Histogram.fit([1.0, 2.0, 4.0]), Kernel)


@pytest.mark.parametrize("family", ["kernel", "kernel_by_likelihood"])
@pytest.mark.parametrize("scale", [2.0**520, 2.0**900])
def test_kernels_of_numbers_whose_squares_overflow(family: str, scale: float):
    """Units are no matter; powers of 2 lose no digit."""
    x, y = np.array([[1.0, 2.0, 4.0, 3.0, 7.0, 5.0]]).T, [0, 1, 0, 1, 0, 1]
    model = NaiveBayes(families=family, evidence_weights=None)
    expected = model.fit(x, y).predict_proba(x)
    assert np.allclose(model.fit(x * scale, y).predict_proba(x * scale), expected, atol=1e-9)
