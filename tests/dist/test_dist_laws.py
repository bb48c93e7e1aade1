"""Laws that every distribution keeps, over the one table of cases.

Laws that use drawn numbers have fixed seeds, so they either pass or fail for good. If the seeds were
changed, a bound of 6 standard errors would raise a false alarm twice in 10^9 comparisons.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dist_cases import CASES, CONJUGATE, GROUPED, LEARNT, Blocks, Case, D, G, Learnt
from numpy.testing import assert_allclose
from scipy import integrate
from scipy.sparse import csc_array, csr_array

from likely.dist import (
    Beta,
    Categorical,
    Dirichlet,
    Multinomial,
    MultivariateNormal,
    MultivariateT,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
)
from likely.dist.distribution import Distribution
from likely.stats import Groups

ERRORS = 6.0

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
every_family = pytest.mark.parametrize("case", LEARNT, ids=lambda case: case.name)
every_conjugate = pytest.mark.parametrize("case", CONJUGATE, ids=lambda case: case.name)
every_block = pytest.mark.parametrize("case", GROUPED, ids=lambda case: case.name)


def near_mean(values: Any, expected: Any, what: str) -> None:
    """The mean of values (n, ...) is within six standard errors of what is expected."""
    error = values.std(axis=0) / np.sqrt(len(values))
    off = np.abs(values.mean(axis=0) - expected)
    assert (off <= ERRORS * error + 1e-12).all(), f"{what}: {off} with standard error {error}"


# --- one distribution -------------------------------------------------------------------------------


@every_case
def test_agrees_with_scipy(case: Case) -> None:
    assert_allclose(
        case.dist.log_prob(case.points),
        case.reference.log_prob(np.asarray(case.points)),
        rtol=case.tolerance,
        atol=case.tolerance,
    )
    assert_allclose(case.dist.prob(case.points), np.exp(case.dist.log_prob(case.points)))
    for moment in ("mean", "variance"):
        expected = getattr(case.reference, moment)
        if expected is not None:
            assert_allclose(getattr(case.dist, moment), expected, rtol=1e-10, atol=1e-12)
    assert_allclose(case.dist.sd, np.sqrt(case.dist.variance))
    if case.reference.entropy is not None:
        assert_allclose(case.dist.entropy(), case.reference.entropy, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("case", [c for c in CASES if c.whole is not None], ids=lambda case: case.name)
def test_masses_add_up_to_1(case: Case) -> None:
    assert_allclose(case.dist.prob(case.whole).sum(), 1, rtol=1e-10)


@pytest.mark.parametrize("name", ["normal", "student-t", "beta", "gamma"])
def test_densities_integrate_to_1(name: str) -> None:
    dist: Any = next(case.dist for case in CASES if case.name == name)
    low, high = {"beta": (0, 1), "gamma": (0, np.inf)}.get(name, (-np.inf, np.inf))
    mass, error = integrate.quad(dist.prob, low, high, epsabs=1e-11, epsrel=1e-11)
    assert_allclose(mass, 1, atol=max(1e-10, 2 * error))
    # The distribution function is the integral, and the quantile its inverse.
    point = float(dist.mean)
    below, _ = integrate.quad(dist.prob, low, point, epsabs=1e-11, epsrel=1e-11)
    assert_allclose(dist.cdf(point), below, rtol=1e-9)
    assert_allclose(dist.quantile(dist.cdf(point)), point, rtol=1e-9)


@pytest.mark.parametrize("name", ["uniform", "uniform-pareto", "histogram", "kernel", "kernel-smoothed"])
def test_densities_in_pieces_integrate_to_1(name: str) -> None:
    dist = next(case.dist for case in CASES if case.name == name)
    x = np.linspace(-2000, 2000, 8_000_001)
    found = dist.prob(x)
    assert_allclose((found[1:] + found[:-1]).sum() / 2 * (x[1] - x[0]), 1, atol=2e-4)


@every_case
def test_sample_has_the_moments(case: Case) -> None:
    drawn = np.asarray(case.dist.sample(40000, 1), float)
    if isinstance(case.dist, Categorical):
        drawn = (drawn[:, None] == np.arange(len(case.dist.probs))).astype(float)
    near_mean(drawn, case.dist.mean, "mean")
    near_mean((drawn - case.dist.mean) ** 2, case.dist.variance, "variance")


@every_case
def test_entropy_is_the_expected_surprise(case: Case) -> None:
    if case.whole is not None:
        probs, logs = case.dist.prob(case.whole), case.dist.log_prob(case.whole)
        expected = -(probs * np.where(probs > 0, logs, 0)).sum()
        assert_allclose(case.dist.entropy(), expected, rtol=1e-10, atol=1e-12)
    near_mean(-case.dist.log_prob(case.dist.sample(20000, 2)), case.dist.entropy(), "entropy")


@every_case
def test_batches_are_many_single_ones(case: Case) -> None:
    arrays = case.dist._arrays()
    two = case.dist._with(**{name: np.stack([array, array]) for name, array in arrays.items()})
    points = np.asarray(case.points)
    assert two.batch == (2, *case.dist.batch)
    both = two.log_prob(points[:, None])
    assert_allclose(both, np.stack([case.dist.log_prob(points)] * 2, axis=1))
    assert_allclose(two.entropy(), [case.dist.entropy()] * 2)
    assert np.shape(two.sample(3, 0)) == (3, 2, *np.shape(case.dist.sample(1, 0))[1:])
    assert_allclose(two.take(1).log_prob(points), case.dist.log_prob(points))


@every_case
def test_missing_is_nan_and_outside_is_minus_infinity(case: Case) -> None:
    point = np.array(np.asarray(case.points)[0], float)
    point[...] = np.nan
    assert np.isnan(case.dist.log_prob(point))
    outside = {"bernoulli": 0.5, "categorical": 7.0, "poisson": 1.5, "negative-binomial": -1.0}
    outside |= {"bernoulli-sure": 2.0, "poisson-large": -1.0, "beta": 1.5, "gamma": -0.1}
    outside |= {"geometric": 0.0, "geometric-sure": 0.0, "beta-geometric": 0.0, "binomial": 11.0}
    outside |= {"beta-binomial": 11.0, "uniform": 3.1, "bilateral-pareto": [-2.0, -3.0]}
    outside |= {"dirichlet": [0.5, 0.5, 0.5], "multinomial": [1, 0.5, 2], "dirichlet-multinomial": [-1, 2, 2]}
    outside |= {"normal-inverse-gamma": [0, -1.0], "normal-inverse-wishart": -np.eye(4)[:3]}
    value = outside.get(case.name, np.full_like(point, np.inf))
    assert case.dist.log_prob(value) == -np.inf


# --- learning ---------------------------------------------------------------------------------------


@every_family
@pytest.mark.parametrize("how", ["ml", "map", "mean", "predictive"])
def test_the_estimate_recovers_the_truth(case: Learnt, how: str) -> None:
    rows = case.rows(40000, 3)
    stat = case.family.collect(rows, Groups.one(len(rows)), case.sizes)
    found: Any = case.family.estimate(stat, how=how).take(0 if case.family.joint else (0, ...))
    drawn = rows if case.name != "categorical" else (rows == np.arange(3)).astype(float)
    # The data are a sample of the estimate: of what it was made from, so the bound is generous.
    near_mean(drawn, np.squeeze(found.mean), "mean")
    near_mean((drawn - case.truth.mean) ** 2, np.squeeze(found.variance), "variance")
    assert_allclose(np.squeeze(found.mean), case.truth.mean, rtol=0.05, atol=0.05)


def ordered(case: Learnt, dist: Distribution, rows: Any) -> Any:
    """log P of each row in the one group; of words in their order, which is what evidence is about."""
    logs = dist.group_log_prob(rows)[:, 0]
    return logs - Multinomial([np.ones(3) / 3]).rest(rows)[:, 0] if case.name == "multinomial" else logs


@every_conjugate
def test_a_prior_scores_itself(case: Learnt) -> None:
    # Bayes' rule at several parameters: prior + likelihood - evidence = posterior.
    rows = case.rows(9, 4)
    stat = case.family.collect(rows, Groups.one(9), case.sizes)
    evidence, posterior = case.family.evidence(case.prior, stat), case.family.updated(case.prior, stat)
    for theta in case.prior.sample(5, 5):
        likelihood = ordered(case, case.at(theta), rows).sum()
        by_rule = case.prior.log_prob(theta) + likelihood - np.squeeze(evidence)
        assert_allclose(by_rule, np.squeeze(posterior.log_prob(theta)), rtol=1e-9, atol=1e-9)


@every_conjugate
def test_evidence_is_the_predictions_one_at_a_time(case: Learnt) -> None:
    rows = case.rows(25, 6)
    belief, total = case.family.updated(case.prior, case.family.empty(1, rows.shape[1], case.sizes)), 0.0
    for row in rows:
        one = row[None, :]
        total += ordered(case, case.family.predictive(belief), one).item()
        belief = case.family.updated(belief, case.family.collect(one, Groups.one(1), case.sizes))
    stat = case.family.collect(rows, Groups.one(len(rows)), case.sizes)
    assert_allclose(total, np.squeeze(case.family.evidence(case.prior, stat)), rtol=1e-10)


@every_conjugate
def test_updating_in_steps_is_updating_at_once(case: Learnt) -> None:
    rows = case.rows(40, 7)
    groups = Groups.hard(np.arange(40) % 3, 3)
    first = case.family.collect(rows[:17], groups.rows(0, 17), case.sizes)
    second = case.family.collect(rows[17:], groups.rows(17, 40), case.sizes)
    update = case.family.updated
    steps, once = update(update(case.prior, first), second), update(case.prior, first + second)
    theta = case.prior.sample(1, 8)[0]
    assert_allclose(steps.log_prob(theta), once.log_prob(theta), rtol=1e-11)


@every_conjugate
def test_drawing_parameters_and_averaging_is_predicting(case: Learnt) -> None:
    rows = case.rows(31, 20)
    stat = case.family.collect(rows[:25], Groups.hard(np.arange(25) % 5 % 3, 3), case.sizes)
    belief = case.family.updated(case.prior, stat)
    drawn = case.family.at_draws(belief, np.random.default_rng(21), 6000)
    assert drawn.batch[0] == 6000 * 3
    found = np.exp(drawn.group_log_prob(rows[25:])).reshape(6, 6000, 3)
    near_mean(
        np.moveaxis(found, 1, 0),
        np.exp(case.family.predictive(belief).group_log_prob(rows[25:])),
        "predictive",
    )


@every_family
def test_fit_is_the_estimate_of_one_group(case: Learnt) -> None:
    rows = case.rows(30, 9)
    weight = np.random.default_rng(0).integers(0, 3, 30)
    values = rows if case.family.joint else rows[:, 0]
    for prior in ("default", None, 2.5, case.prior):
        weighted: Any = case.family.fit(values, prior=prior, weight=weight)
        again: Any = case.family.fit(np.repeat(values, weight, axis=0), prior=prior)
        assert weighted.batch == ()
        for name, array in weighted._arrays().items():
            if array.dtype != object:
                assert_allclose(array, getattr(again, name), rtol=1e-12, atol=1e-14)
        assert_allclose(weighted.log_prob(values), again.log_prob(values), rtol=1e-11)


def test_normal_inverse_wishart_of_one_column_is_normal_inverse_gamma() -> None:
    one, other = NormalInverseGamma(1, 2, 3, 4), NormalInverseWishart([1], 2, 6, [[8]])
    points = np.array([[0.5, 1.0], [3.0, 0.2]])
    assert_allclose(one.log_prob(points), other.log_prob(points[:, None, :]))
    for what in ("mean", "mode", "variance"):
        assert_allclose(getattr(one, what), getattr(other, what)[0])
    assert_allclose(one.entropy(), other.entropy())


# --- many groups and columns ------------------------------------------------------------------------


@every_block
@pytest.mark.parametrize("missing", [0.0, 0.15, 1.0])
@pytest.mark.parametrize("layout", ["rows", "columns", "slice", "csr", "csc"])
def test_the_fast_path_is_the_sum_of_the_terms(case: Blocks, missing: float, layout: str) -> None:
    dist, rows = case.rows(np.random.default_rng(10), missing=missing)
    lay: dict[str, Any] = {
        "rows": np.ascontiguousarray,
        "columns": np.asfortranarray,
        "slice": lambda x: np.asfortranarray(np.vstack([x, x]))[: len(x)],
        "csr": csr_array,
        "csc": csc_array,
    }
    before = rows.copy()
    found = dist.group_log_prob(lay[layout](rows))
    terms, rest = dist.terms(rows), dist.rest(rows)
    whole = terms.sum(axis=-1) + (0 if rest is None else rest)
    scale = np.abs(terms).sum(axis=-1) + (0 if rest is None else np.abs(rest))
    assert found.shape == (60, G)
    assert terms.shape == (60, G, D)
    assert (dist.rest_name is None) == (rest is None)
    sure = np.isneginf(whole)
    assert (np.isneginf(found) == sure).all()
    assert np.isfinite(found[~sure]).all()
    assert (np.abs(found[~sure] - whole[~sure]) <= 1e-12 * scale[~sure] + 1e-300).all()
    assert np.array_equal(rows, before, equal_nan=True)
    if missing == 1.0:
        assert (found == 0).all()


@every_block
def test_terms_are_the_log_probabilities_of_single_distributions(case: Blocks) -> None:
    dist, rows = case.rows(np.random.default_rng(11), missing=0.0)
    whole = dist.terms(rows).sum(axis=-1) + (0 if dist.rest(rows) is None else dist.rest(rows))
    for group in (0, G - 1):
        single = dist.take(group).log_prob(rows)
        single = single if dist.rest_name else np.where(np.isnan(single), 0, single).sum(axis=-1)
        assert_allclose(whole[:, group], single, rtol=1e-9)


@pytest.mark.parametrize("name", ["multinomial", "dirichlet-multinomial"])
def test_a_missing_count_leaves_the_others_to_share_the_words(name: str) -> None:
    # Equal to summing over every value of the missing count, given the total of the others.
    dist: Any = next(case.make(np.random.default_rng(12)) for case in GROUPED if case.name == name)
    known = np.array([2.0, 1.0, 0.0, 3.0, 1.0])
    total = np.array([dist.take(0).prob([*known, more]) for more in range(400)])
    ways = np.array([[*shares, 0.0] for shares in _all_shares(7, 5)])
    # P(known counts | their total) = sum over the last / sum over the last and the shares.
    found = np.exp(dist.group_log_prob(np.array([[*known, np.nan]])))[0, 0]
    both = np.exp(dist.group_log_prob(np.hstack([ways[:, :5], np.full((len(ways), 1), np.nan)])))[:, 0]
    assert_allclose(both.sum(), 1, rtol=1e-10)
    ratio = dist.take(0).prob(ways)
    assert_allclose(both, ratio / ratio.sum(), rtol=1e-9)
    assert found == pytest.approx(both[(ways[:, :5] == known).all(axis=1)].item())
    assert total.sum() > 0


def _all_shares(total: int, kinds: int) -> list[tuple[int, ...]]:
    if kinds == 1:
        return [(total,)]
    return [
        (first, *others) for first in range(total + 1) for others in _all_shares(total - first, kinds - 1)
    ]


@pytest.mark.parametrize("name", ["multivariate-normal", "multivariate-t"])
def test_missing_cells_are_integrated_out(name: str) -> None:
    dist: Any = next(case.make(np.random.default_rng(13)) for case in GROUPED if case.name == name)
    keep = [0, 2]
    pair = dist.take(1)._with(
        **{
            key: a[keep] if a.ndim == 1 else a[np.ix_(keep, keep)]
            for key, a in dist.take(1)._arrays().items()
            if a.ndim
        }
    )
    row = np.full((1, D), np.nan)
    row[0, keep] = [0.5, -1.0]
    one = row.copy()
    one[0, 2] = np.nan
    inner, _ = integrate.quad(lambda y: pair.prob([0.5, y]), -np.inf, np.inf, epsabs=1e-12)
    assert_allclose(np.exp(dist.group_log_prob(one)[0, 1]), inner, rtol=1e-8)
    assert_allclose(dist.group_log_prob(row)[0, 1], pair.log_prob([0.5, -1.0]), rtol=1e-12)


@every_block
def test_rows_are_drawn_from_their_own_group(case: Blocks) -> None:
    rng = np.random.default_rng(14)
    dist = case.make(rng)
    if case.name in ("student-t", "multivariate-t"):  # few degrees of freedom: no variance to go by
        dist = dist._with(df=dist._arrays()["df"] + 5)
    groups = np.repeat([4, 1], 20000)
    rows = dist.sample_rows(groups, rng)
    assert rows.shape == (40000, D)
    for group in (4, 1):
        mine, one = rows[groups == group].astype(float), dist.take(group)
        if isinstance(one, Categorical):
            mine = np.hstack([mine[:, j : j + 1] == np.arange(k) for j, k in enumerate(one.sizes or ())])
        near_mean(mine, one.mean, "mean")


@every_block
def test_every_cell_is_described(case: Blocks) -> None:
    dist = case.make(np.random.default_rng(15))
    words = dist.describe(3, 1)
    assert words
    assert len(words) < 80
    assert "nan" not in words


@pytest.mark.parametrize("where", [0.0, 1e3, 1e8])
def test_products_and_differences_agree_across_the_threshold(where: float) -> None:
    # Groups up to, and beyond, the distance at which the normal changes its way of adding up.
    rng = np.random.default_rng(16)
    for apart in (1.0, 15.0, 17.0, 40.0, 1e4):
        dist = Normal(where + apart * np.linspace(-1, 1, G)[:, None] + np.zeros((G, D)), np.ones((G, D)))
        rows = dist.sample_rows(np.arange(70) % G, rng)
        terms = dist.terms(rows)
        error = np.abs(dist.group_log_prob(rows) - terms.sum(axis=-1))
        assert (error <= 1e-12 * np.abs(terms).sum(axis=-1)).all()


@pytest.mark.parametrize(
    "dist",
    [
        Normal([[0.0, 1.0], [5.0, 2.0]], np.ones((2, 2))),
        Normal([[0.0, 1.0], [1e6, 2.0]], np.ones((2, 2))),
        MultivariateNormal([[0.0, 1.0], [5.0, 2.0]], [[2.0, 1.0], [1.0, 2.0]]),
        MultivariateT(5, [[0.0, 1.0], [5.0, 2.0]], [[2.0, 1.0], [1.0, 2.0]]),
    ],
)
def test_infinite_and_huge_cells_are_impossible_not_nan(dist: Distribution) -> None:
    rows = np.array([[np.inf, 0.0], [1e200, np.nan], [np.nan, np.nan], [-np.inf, np.inf]])
    found = dist.group_log_prob(rows)
    assert np.isneginf(found[[0, 3]]).all()
    assert (found[1] < -1e3).all()
    assert (found[2] == 0).all()


def test_priors_prefer_their_own_modes() -> None:
    for prior in (
        Beta(3, 5),
        Dirichlet([2, 3, 4]),
        NormalInverseGamma(1, 2, 3, 4),
        NormalInverseWishart([0, 1], 2, 5, np.eye(2)),
    ):
        best = prior.log_prob(prior.mode)
        drawn: Any = prior.sample(2000, 17)
        assert (prior.log_prob(drawn) <= best).all()
        near = prior.log_prob(0.999 * np.asarray(prior.mode) + 0.001 * drawn[:20])
        assert (near > best - 0.01).all()
