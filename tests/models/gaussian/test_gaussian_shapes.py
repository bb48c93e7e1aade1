"""Shapes of covariance: what they share between groups and columns, their priors, and shrinkage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize
from sklearn.covariance import ledoit_wolf

from likely.dist import (
    KnownNormal,
    KnownVariance,
    LedoitWolfNormal,
    LedoitWolfTied,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    SharedCovariance,
    SharedDiagonal,
    SharedSphere,
    SharedVariance,
    Shrinkage,
    SphericalNormal,
    TiedDiagonalNormal,
    TiedNormal,
    TiedSphericalNormal,
)
from likely.errors import LikelyError
from likely.stats import Fourth, Groups, Moments, Scatter, Within

RNG = np.random.default_rng(3)
CODES = np.arange(90) % 3
ROWS = RNG.normal(size=(90, 4)) @ RNG.normal(size=(4, 4)) + CODES[:, None]
GROUPS = Groups.hard(CODES, 3)


# --- one covariance of all groups -------------------------------------------------------------------


def test_tied_maximum_likelihood_is_the_pooled_covariance():
    found: Any = TiedNormal.ml(Within.collect(ROWS, GROUPS))
    own = sum(np.cov(ROWS[group == CODES].T, bias=True) for group in range(3)) / 3
    assert isinstance(found, TiedNormal)
    assert found.mean == pytest.approx(np.stack([ROWS[group == CODES].mean(axis=0) for group in range(3)]))
    assert found.covariance == pytest.approx(np.stack([own] * 3), rel=1e-12)
    assert (found.covariance == found.covariance[0]).all()


def test_shared_covariance_of_one_group_is_normal_inverse_wishart():
    prior = (np.zeros(4), 0.7, 9.0, np.eye(4) * 2)
    one, other = SharedCovariance(*prior), NormalInverseWishart(*prior)
    tied, full = Within.collect(ROWS, Groups.one(90)), Scatter.collect(ROWS, Groups.one(90))
    for name, array in other.posterior(full)._arrays().items():
        assert getattr(one.posterior(tied), name) == pytest.approx(array, rel=1e-12)
    assert one.log_evidence(tied) == pytest.approx(other.log_evidence(full), rel=1e-12)
    assert TiedNormal.ml(tied).log_natural(one.posterior(tied)) == pytest.approx(
        MultivariateNormal.ml(full).log_natural(other.posterior(full)), rel=1e-12
    )


def test_evidence_of_tied_groups_is_their_predictions_one_at_a_time():
    """Also in groups: what one says of the covariance, the next profits from."""
    prior = SharedCovariance(np.zeros(4), 0.7, 9.0, np.eye(4) * 2)
    belief, total = prior.posterior(Within.empty(3, 4)), 0.0
    for i in range(30):
        one = ROWS[i : i + 1]
        total += TiedNormal.predictive(belief).group_log_prob(one)[0, CODES[i]]
        belief = belief.posterior(Within.collect(one, GROUPS.rows(i, i + 1)))
    seen = Within.collect(ROWS[:30], GROUPS.rows(0, 30))
    assert prior.log_evidence(seen).sum() == pytest.approx(total, rel=1e-10)
    # And belief after the other belief is belief after both.
    assert belief.scale == pytest.approx(prior.posterior(seen).scale, rel=1e-12)


def test_draws_of_tied_groups_share_their_covariance():
    belief = SharedCovariance(np.zeros(4), 0.7, 9.0, np.eye(4)).posterior(Within.collect(ROWS, GROUPS))
    drawn = belief.sample(4000, 1)  # (n, g, d, 1 + d)
    assert drawn.shape == (4000, 3, 4, 5)
    assert (drawn[..., 1:] == drawn[:, :1, :, 1:]).all()
    # Six standard errors: a false alarm in 10^7 of these comparisons.
    error = drawn.std(axis=0) / np.sqrt(4000)
    assert (np.abs(drawn.mean(axis=0) - belief.mean) <= 6 * error).all()
    assert (np.abs(drawn[..., 0].var(axis=0) / belief.variance[..., 0] - 1) < 0.15).all()


@pytest.mark.parametrize("shape", ["tied", "spherical", "known"])
def test_the_mean_is_the_mode_on_the_natural_scale(shape):
    """What EM climbs: the log-likelihood with log_natural is highest at the estimate."""
    family, prior, stat = {
        "tied": (TiedNormal, SharedCovariance(np.ones(2), 3.0, 8.0, np.eye(2)), Within),
        "spherical": (SphericalNormal, SharedVariance(np.ones(2), 3.0, 4.0, 2.0), Moments),
        "known": (KnownNormal, KnownVariance(2.5, 1.0, 3.0), Moments),
    }[shape]
    rows = ROWS[:, :2]
    best: Any = family.estimate(stat.collect(rows, GROUPS), prior)

    def rebuilt(x):
        means = x[:6].reshape(3, 2)
        if shape == "known":
            return Normal(means, np.sqrt(2.5))
        if shape == "spherical":
            return Normal(means, np.exp(x[6:9])[:, None])
        root = np.array([[np.exp(x[6]), 0], [x[7], np.exp(x[8])]])
        return TiedNormal(means, np.broadcast_to(root @ root.T, (3, 2, 2)))

    def objective(dist):
        return dist.group_log_prob(rows)[np.arange(90), CODES].sum() + dist.log_natural(prior).sum()

    start = np.concatenate([best.mean.ravel(), np.zeros(3)])
    found = minimize(lambda x: -objective(rebuilt(x)), start, method="BFGS", options={"gtol": 1e-7})
    highest = rebuilt(found.x)
    assert highest.mean == pytest.approx(best.mean, abs=1e-5)
    assert highest.variance == pytest.approx(best.variance, rel=1e-5)
    assert objective(best) >= objective(highest) - 1e-9


@pytest.mark.parametrize("soft", [False, True])
def test_what_is_expected_of_missing_cells_in_tied_groups(soft):
    dist: Any = TiedNormal.estimate(Within.collect(ROWS, GROUPS))
    rows = np.where(RNG.random(ROWS.shape) < 0.2, np.nan, ROWS)
    groups = Groups.softly(RNG.dirichlet(np.ones(3), 90)) if soft else GROUPS
    found = dist.expect(rows, groups)
    full = MultivariateNormal(dist.mean, dist.covariance, dist.mean_rest).expect(rows, groups)
    assert isinstance(found, Within)
    assert found.scatter[0] == pytest.approx(full.scatter.sum(axis=0), rel=1e-10)
    assert found.mean == pytest.approx(full.mean, rel=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("where", [0.0, 1e6])
def test_straight_lines_tell_groups_of_one_covariance_apart(missing, where):
    root = RNG.normal(size=(4, 4))
    dist = TiedNormal(where + RNG.normal(0, 2, (5, 4)), np.broadcast_to(root @ root.T + np.eye(4), (5, 4, 4)))
    rows = np.asfortranarray(dist.sample_rows(np.arange(40) % 5, RNG))
    rows[RNG.random(rows.shape) < missing] = np.nan
    apart, shared = dist.relative(rows)
    whole = dist.group_log_prob(rows)
    assert apart + np.asarray(shared)[:, None] == pytest.approx(
        whole, rel=1e-11, abs=1e-9 * (1 + where / 1e3)
    )
    lean, nothing = dist.relative(rows, evidence=False)
    assert (lean == apart).all()
    assert nothing == 0
    assert (apart[:, 0] == 0).all()


def test_infinite_cells_are_told_of():
    dist = TiedNormal([[0.0, 0], [1, 0]], np.eye(2))
    apart, _ = dist.relative(np.array([[np.inf, 0], [0, -np.inf], [1, 1]]))
    assert np.isnan(apart[0]).all()
    assert np.isfinite(apart[2]).all()


# --- one variance of all columns --------------------------------------------------------------------


def test_spherical_maximum_likelihood():
    rows = np.where(RNG.random(ROWS.shape) < 0.1, np.nan, ROWS)
    found: Any = SphericalNormal.ml(Moments.collect(rows, GROUPS))
    for group in range(3):
        mine = rows[group == CODES]
        mean = np.nanmean(mine, axis=0)
        variance = np.nanmean((mine - mean) ** 2)
        assert found.mean[group] == pytest.approx(mean, rel=1e-12)
        assert found.variance[group] == pytest.approx(np.full(4, variance), rel=1e-12)


def test_shared_variance_scores_itself_over_several_columns():
    prior = SharedVariance([1, 0, -1, 0.5], [0.5, 1, 2, 3], 3, 4)
    seen = Moments.collect(ROWS, Groups.one(90))
    posterior, evidence = prior.posterior(seen), prior.log_evidence(seen)
    for theta in prior.sample(5, 5):
        likelihood = stats.norm(theta[:-1], np.sqrt(theta[-1])).logpdf(ROWS).sum()
        assert prior.log_prob(theta) + likelihood - evidence == pytest.approx(
            posterior.log_prob(theta), rel=1e-10
        )


def test_evidence_of_one_variance_is_the_predictions_one_at_a_time():
    prior = SharedVariance(np.zeros(4), 0.5, 3, 4)
    belief, total = prior.posterior(Moments.empty(1, 4)), 0.0
    for i in range(20):
        total += SphericalNormal.predictive(belief).group_log_prob(ROWS[i : i + 1]).item()
        belief = belief.posterior(Moments.collect(ROWS[i : i + 1], Groups.one(1)))
    seen = Moments.collect(ROWS[:20], Groups.one(20))
    assert prior.log_evidence(seen).item() == pytest.approx(total, rel=1e-10)


# --- variances of all groups ------------------------------------------------------------------------

UNEVEN = np.array([0] * 50 + [1] * 25 + [2] * 15)
SHARED = {
    "tied_diagonal": (TiedDiagonalNormal, SharedDiagonal(1.0, 0.7, 4.0, 3.0)),
    "tied_spherical": (TiedSphericalNormal, SharedSphere(np.ones(4), 0.7, 4.0, 3.0)),
}
every_shared = pytest.mark.parametrize("shape", SHARED)


@every_shared
@pytest.mark.parametrize("gaps", [0.0, 0.15])
def test_shared_variances_by_maximum_likelihood_are_pooled_within_the_groups_over_n(shape, gaps):
    rows = np.where(RNG.random(ROWS.shape) < gaps, np.nan, ROWS * [1, 2, 3, 4])
    found: Any = SHARED[shape][0].ml(Moments.collect(rows, Groups.hard(UNEVEN, 3)))
    means = np.stack([np.nanmean(rows[group == UNEVEN], axis=0) for group in range(3)])
    squares = (rows - means[UNEVEN]) ** 2
    wanted = np.nanmean(squares, axis=0) if shape == "tied_diagonal" else np.full(4, np.nanmean(squares))
    assert found.mean == pytest.approx(means, rel=1e-12)
    assert found.variance == pytest.approx(np.stack([wanted] * 3), rel=1e-12)
    assert (found.variance == found.variance[0]).all()


@every_shared
def test_no_other_means_and_shared_variances_are_more_likely(shape):
    """By search over all parameters."""
    rows = ROWS[:, :2] * [1, 3]
    best: Any = SHARED[shape][0].ml(Moments.collect(rows, Groups.hard(UNEVEN, 3)))

    def rebuilt(x):
        return Normal(x[:6].reshape(3, 2), np.exp(x[6:]))

    def objective(dist):
        return dist.group_log_prob(rows)[np.arange(90), UNEVEN].sum()

    n = 2 if shape == "tied_diagonal" else 1
    found = minimize(lambda x: -objective(rebuilt(x)), np.zeros(6 + n), method="BFGS", options={"gtol": 1e-7})
    assert rebuilt(found.x).variance == pytest.approx(best.variance, rel=1e-5)
    assert objective(best) >= objective(rebuilt(found.x)) - 1e-9


@every_shared
def test_priors_of_shared_variances(shape):
    """Of one group they are the plain ones; the evidence is the predictions one by one; draws are shared."""
    family, prior = SHARED[shape]
    plain: Any = NormalInverseGamma(1.0, 0.7, 4.0, 3.0)
    plain = plain if shape == "tied_diagonal" else SharedVariance(np.ones(4), 0.7, 4.0, 3.0)
    one = Moments.collect(ROWS, Groups.one(90))
    for name, array in plain.posterior(one)._arrays().items():
        assert getattr(prior.posterior(one), name) == pytest.approx(array, rel=1e-12)
    assert prior.log_evidence(one).sum() == pytest.approx(plain.log_evidence(one).sum(), rel=1e-12)
    groups = Groups.hard(UNEVEN[::-1].copy(), 3)
    belief, total = prior.posterior(Moments.empty(3, 4)), 0.0
    for i in range(90):
        row, mine = ROWS[i : i + 1], groups.rows(i, i + 1)
        total += family.predictive(belief).group_log_prob(row)[0, UNEVEN[::-1][i]]
        belief = belief.posterior(Moments.collect(row, mine))
    seen = Moments.collect(ROWS, groups)
    assert prior.log_evidence(seen).sum() == pytest.approx(total, rel=1e-10)
    assert belief.b == pytest.approx(prior.posterior(seen).b, rel=1e-12)
    drawn = belief.sample(4000, 1)
    variances = drawn[..., 1] if shape == "tied_diagonal" else drawn[..., -1]
    assert (variances == variances[:, :1]).all()
    # Six standard errors: a false alarm in 10^7 of these comparisons.
    assert (np.abs(drawn.mean(axis=0) - belief.mean) <= 6 * drawn.std(axis=0) / np.sqrt(4000)).all()


@every_shared
def test_the_mode_of_shared_variances_is_of_all_means_at_once(shape):
    """Against a search for the highest joint density of the means of three groups and their variances."""
    family, prior = SHARED[shape]
    prior = prior if shape == "tied_diagonal" else SharedSphere(np.ones(2), 0.7, 4.0, 3.0)
    rows = ROWS[:, :2]
    best: Any = family.estimate(Moments.collect(rows, GROUPS), prior, "map")

    def minus(x):
        means, variance = x[:6].reshape(3, 2), np.exp(x[6:])
        likelihood = stats.norm(means[CODES], np.sqrt(variance)).logpdf(rows).sum()
        of_variance = stats.invgamma(4.0, scale=3.0).logpdf(variance).sum()
        return -(likelihood + of_variance + stats.norm(1.0, np.sqrt(variance / 0.7)).logpdf(means).sum())

    n = 2 if shape == "tied_diagonal" else 1
    found = minimize(minus, np.zeros(6 + n), method="BFGS", options={"gtol": 1e-7})
    assert best.mean == pytest.approx(found.x[:6].reshape(3, 2), abs=1e-5)
    assert best.variance == pytest.approx(np.broadcast_to(np.exp(found.x[6:]), (3, 2)), rel=1e-5)


def test_shared_variances_are_counted_once():
    stat = Moments.collect(ROWS, GROUPS)
    assert TiedDiagonalNormal.free_parameters(stat) == (4, 4)
    assert TiedSphericalNormal.free_parameters(stat) == (4, 1)


# --- a known variance -------------------------------------------------------------------------------


def test_known_variance_leaves_the_means_to_the_data():
    rows = ROWS + 1e6
    for prior in ("default", None, KnownVariance(1.0), KnownVariance(7.0)):
        found: Any = KnownNormal.estimate(Moments.collect(rows, Groups.hard(CODES, 4)), prior)
        assert found.mean[:3] == pytest.approx(
            np.stack([rows[group == CODES].mean(axis=0) for group in range(3)]), rel=1e-15
        )
        assert found.mean[3] == pytest.approx(rows.mean(axis=0), rel=1e-15)  # a group without rows
        assert (found.variance == found.variance[0, 0]).all()
    assert found.variance[0, 0] == pytest.approx(7.0)


def test_known_variances_by_column_and_a_belief_of_the_mean():
    prior = KnownVariance([1, 4, 9, 16], location=5.0, kappa=30)
    found: Any = KnownNormal.estimate(Moments.collect(ROWS, GROUPS), prior)
    assert found.variance == pytest.approx(np.array([[1, 4, 9, 16]] * 3))
    assert found.mean[0] == pytest.approx((ROWS[CODES == 0].mean(axis=0) + 5) / 2)


# --- shrinkage --------------------------------------------------------------------------------------


@pytest.mark.parametrize("amount", [0.0, 1e-9, 0.25, 0.9, 1.0])
@pytest.mark.parametrize("standardise", [True, False])
@pytest.mark.parametrize("family", [MultivariateNormal, TiedNormal, LedoitWolfNormal, LedoitWolfTied])
def test_shrinkage_by_its_definition(family, amount, standardise):
    stat = family.collect(ROWS, GROUPS)
    found: Any = family.estimate(stat, Shrinkage(amount, standardise))
    plain: Any = family.estimate(stat, None)
    within = sum(np.cov(ROWS[group == CODES].T, bias=True) for group in range(3)) / 3
    units = np.sqrt(np.diag(within)) if standardise else np.ones(4)
    scale = units[:, None] * units
    for mine, ml in zip(found.covariance, plain.covariance, strict=True):
        ball = np.trace(ml / scale) / 4 * np.eye(4) * scale
        expected = (1 - amount) * ml + amount * ball
        assert mine == pytest.approx(expected, rel=1e-10, abs=1e-10)
    assert found.mean == pytest.approx(plain.mean, rel=1e-14)


@pytest.mark.parametrize("n", [4, 30, 500])
def test_ledoit_wolf_is_that_of_scikit_learn_on_standardised_columns(n):
    rows = RNG.normal(size=(n, 5)) @ RNG.normal(size=(5, 5)) * [1, 10, 0.1, 3, 4] + 3
    unit = rows.std(axis=0)
    expected, share = ledoit_wolf((rows - rows.mean(axis=0)) / unit)
    assert 0 < share < 1
    for family in (LedoitWolfNormal, LedoitWolfTied):
        found: Any = family.fit(rows)
        assert found.covariance / (unit[:, None] * unit) == pytest.approx(expected, abs=1e-10)
        assert found.mean == pytest.approx(rows.mean(axis=0), rel=1e-12)


def test_ledoit_wolf_of_each_group_and_of_what_groups_share():
    stat = Fourth.collect(ROWS, GROUPS)
    own = np.concatenate([ROWS[group == CODES] - ROWS[group == CODES].mean(axis=0) for group in range(3)])
    unit = own.std(axis=0)
    scale = unit[:, None] * unit
    tied: Any = LedoitWolfTied.estimate(stat)
    assert tied.covariance[0] == pytest.approx(ledoit_wolf(own / unit)[0] * scale, rel=1e-10)
    full: Any = LedoitWolfNormal.estimate(stat)
    for group in range(3):
        mine = ROWS[group == CODES] / unit
        assert full.covariance[group] == pytest.approx(ledoit_wolf(mine)[0] * scale, rel=1e-10)


def test_ledoit_wolf_of_parts_is_that_of_the_whole():
    whole = Fourth.collect(ROWS + 1e3, GROUPS)
    parts = [Fourth.collect(ROWS[a : a + 7] + 1e3, GROUPS.rows(a, a + 7)) for a in range(0, 90, 7)]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    for family in (LedoitWolfNormal, LedoitWolfTied):
        expected: Any = family.estimate(whole)
        found: Any = family.estimate(total)
        assert found.covariance == pytest.approx(expected.covariance, rel=1e-9)
        left: Any = family.estimate(total - parts[-1])
        fewer: Any = family.estimate(Fourth.collect(ROWS[:84] + 1e3, GROUPS.rows(0, 84)))
        assert left.covariance == pytest.approx(fewer.covariance, rel=1e-8)


@pytest.mark.parametrize("family", [MultivariateNormal, TiedNormal, LedoitWolfNormal, LedoitWolfTied])
@pytest.mark.parametrize("prior", ["default", None, Shrinkage(0.3), Shrinkage(1.0)], ids=str)
def test_constant_columns_and_lone_rows_are_no_evidence(family, prior):
    rows = np.column_stack([ROWS[:, 0], np.full(90, 7.0), ROWS[:, 1]])
    codes = np.where(np.arange(90) == 0, 2, np.arange(90) % 2)  # one row in the third, none in the fourth
    dist: Any = family.estimate(family.collect(rows, Groups.hard(codes, 4)), prior)
    with_it, without = rows[:5].copy(), rows[:5].copy()
    without[:, 1] = np.nan
    logs = dist.group_log_prob(with_it)
    difference = logs - dist.group_log_prob(without)
    assert np.isfinite(difference).all()
    # A lone row has the least variance, by maximum likelihood: others are a billion nats away.
    assert (np.abs(difference - difference[:, :1]) <= 1e-12 * (1 + np.abs(logs))).all()
    one: Any = family.estimate(family.collect(rows[:1], Groups.one(1)), prior)
    assert np.isfinite(one.group_log_prob(rows)).all()


def test_amounts_are_shares():
    for amount in (-0.1, 1.5, np.nan):
        with pytest.raises(LikelyError, match="share from 0 to 1"):
            Shrinkage(amount)
    with pytest.raises(LikelyError, match="cannot be used for normal"):
        Normal.fit([1.0, 2.0], prior=Shrinkage(0.1))
