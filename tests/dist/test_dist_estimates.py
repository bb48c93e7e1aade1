"""Default priors, floors and empty groups; units and shifts; and what is refused, with its remedy."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from dist_cases import CONJUGATE, LEARNT, Learnt
from numpy.testing import assert_allclose

from likely.dist import (
    FAMILIES,
    HOW,
    Bernoulli,
    Beta,
    BilateralPareto,
    Binomial,
    BinomialBeta,
    Categorical,
    Dirichlet,
    Gamma,
    Geometric,
    Laplace,
    MEstimate,
    Multinomial,
    MultivariateNormal,
    MultivariateT,
    NegativeBinomial,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    Poisson,
    SphericalNormal,
    StudentT,
    TiedDiagonalNormal,
    TiedNormal,
    TiedSphericalNormal,
    Uniform,
    UniformPareto,
)
from likely.dist.numeric.logs import log_rising
from likely.errors import LikelyError
from likely.stats import Counts, Groups, Moments, Scatter

every_family = pytest.mark.parametrize("case", LEARNT, ids=lambda case: case.name)
every_conjugate = pytest.mark.parametrize("case", CONJUGATE, ids=lambda case: case.name)
every_how = pytest.mark.parametrize("how", HOW)
numeric = pytest.mark.parametrize(
    "family",
    [Normal, MultivariateNormal, TiedNormal, SphericalNormal, TiedDiagonalNormal, TiedSphericalNormal],
)


def collect(family: Any, rows: Any, codes: Any, n_groups: int, sizes: Any = None) -> Any:
    return family.collect(np.asarray(rows), Groups.hard(codes, n_groups), sizes)


def test_every_family_has_a_row_in_the_table_of_cases() -> None:
    alike = {"kernel_by_likelihood", "discretize"}  # as others, but for the bandwidth and the cuts
    names = {case.name for case in LEARNT} | alike
    assert set(FAMILIES) == names
    assert all(FAMILIES[name].name == name for name in names)


# --- words for priors -------------------------------------------------------------------------------


@every_conjugate
def test_priors_may_be_said_in_several_ways(case: Learnt) -> None:
    rows = case.rows(20, 1)
    stat = collect(case.family, rows, np.arange(20) % 2, 2, case.sizes)

    def same(a: Any, b: Any) -> None:
        assert type(a) is type(b)
        for name, array in a._arrays().items():
            assert_allclose(array, getattr(b, name), rtol=1e-13, atol=1e-13)

    for how in HOW:
        same(case.family.estimate(stat, None, how), case.family.ml(stat))
        same(case.family.estimate(stat, 0, how), case.family.ml(stat))
        same(case.family.estimate(stat, "default", how), case.family.estimate(stat, 1.0, how))
        own = case.family.default_prior(stat, 2.5)
        same(case.family.estimate(stat, 2.5, how), case.family.estimate(stat, own, how))
    same(case.family.estimate(stat, case.prior, "ml"), case.family.ml(stat))
    belief = case.family.updated(case.prior, stat)
    same(case.family.estimate(stat, case.prior, "map"), case.family.at_mode(belief))
    same(case.family.estimate(stat, case.prior, "mean"), case.family.at_mean(belief))
    same(case.family.estimate(stat, case.prior, "predictive"), case.family.predictive(belief))


@every_family
@pytest.mark.parametrize("prior", ["strong", -1, np.inf, np.nan, [1, 2], Normal(0, 1)])
def test_other_words_are_refused(case: Learnt, prior: Any) -> None:
    stat = case.family.empty(2, 3, case.sizes)
    with pytest.raises(LikelyError, match=f"{case.name}: give 'default', a strength"):
        case.family.estimate(stat, prior)
    with pytest.raises(LikelyError, match="estimate='best' is unknown: use one of ml, map, mean, predictive"):
        case.family.estimate(stat, how="best")


@pytest.mark.parametrize("family", [Normal, Poisson, MultivariateNormal])
def test_smoothing_is_for_counts_of_levels(family: Any) -> None:
    assert not family.counts_levels
    with pytest.raises(LikelyError, match=r"Laplace.* smooths counts of levels"):
        family.estimate(family.empty(1, 2), Laplace())


def test_smoothing_is_checked() -> None:
    with pytest.raises(LikelyError, match="m=-1"):
        MEstimate(-1)
    with pytest.raises(LikelyError, match="strength=nan"):
        Laplace(np.nan)
    with pytest.raises(LikelyError, match="give 3 shares"):
        MEstimate(1, [0.5, 0.5]).pseudo_counts(3)
    with pytest.raises(LikelyError, match="that add up to 1"):
        MEstimate(1, [0.5, 0.6]).pseudo_counts(2)
    with pytest.raises(LikelyError, match="no share for level 'c'"):
        MEstimate(1, {"a": 1.0}).pseudo_counts(2, ["a", "c"])
    assert MEstimate(4, 0.25).pseudo_counts(2).tolist() == [3, 1]  # false, true
    assert Laplace(2).pseudo_counts(3).tolist() == [2, 2, 2]


def test_a_level_that_smoothing_leaves_out_stays_at_0_until_seen() -> None:
    found = Categorical.fit(["a", "b", "b"], levels="abc", prior=MEstimate(1, [0.5, 0.5, 0]))
    assert found.probs.tolist() == [1.5 / 4, 2.5 / 4, 0]


# --- no data, constant data, too few data -----------------------------------------------------------


@every_family
@every_how
def test_nothing_seen_at_all(case: Learnt, how: str) -> None:
    stat = case.family.empty(2, 3, (2, 0, 4) if case.sizes else None)
    found = case.family.estimate(stat, how=how)
    for array in found._arrays().values():
        assert array.dtype == object or np.isfinite(array).all()
    rows = (
        np.array([[0, -1, 1], [1, -1, -1]]) if case.sizes else np.array([[0.0, 1.0, 1.0], [1.0, np.nan, 0.0]])
    )
    rows = rows + (case.name == "geometric")  # counts from 1
    logs = found.group_log_prob(rows)
    # The mode of a rate of which next to nothing is believed is 0: then a count is impossible.
    assert np.isfinite(logs).all() or (case.name, how) == ("poisson", "map")
    assert (logs[:, 0] == logs[:, 1]).all()


def test_groups_without_rows_under_maximum_likelihood() -> None:
    values = np.array([[0.0], [1.0], [1.0], [1.0]])
    one = [0, 0, 0, 0]
    assert Bernoulli.ml(collect(Bernoulli, values, one, 2)).p.tolist() == [[0.75], [0.5]]
    assert Poisson.ml(collect(Poisson, values, one, 2)).rate.tolist() == [[0.75], [0.75]]
    assert (
        Categorical.ml(collect(Categorical, values.astype(int), one, 2, (4,))).probs[1].tolist() == [0.25] * 4
    )
    normal = Normal.ml(collect(Normal, values, one, 2))
    assert normal.mean.tolist() == [[0.75], [0.75]]
    assert_allclose(normal.variance, 0.1875)
    wide = np.hstack([values, values[::-1] * 2])
    assert Multinomial.ml(collect(Multinomial, wide, one, 2)).probs.tolist() == [[1 / 3, 2 / 3], [0.5, 0.5]]
    both = MultivariateNormal.ml(collect(MultivariateNormal, wide, one, 2))
    assert_allclose(both.mean[1], both.mean[0])
    assert_allclose(both.covariance[1], np.cov(wide.T, bias=True), rtol=1e-12)


def typical_variance(rows: Any, codes: Any) -> float:
    """The geometric mean of the groups' variances, by rows, each with a row of the typical one; 3 times."""
    parts = [rows[codes == code] for code in np.unique(codes)]
    typical = sum(part.var() * len(part) for part in parts) / len(rows)
    for _ in range(3):
        own = [(part.var() * len(part) + typical) / (len(part) + 1) for part in parts]
        logs = [len(part) * np.log(variance) for part, variance in zip(parts, own, strict=True)]
        typical = min(np.exp(sum(logs) / len(rows)), sum(p.var() * len(p) for p in parts) / len(rows))
    return float(typical)


@pytest.mark.parametrize("hidden", [False, True])
def test_default_prior_of_the_normal(hidden: bool) -> None:
    rng = np.random.default_rng(0)
    rows, codes = rng.normal(5, 3, (50, 2)) * [1, 40], rng.integers(0, 3, 50)
    rows[codes == 1, 0] *= 0.01
    stat = collect(Normal, rows, codes, 3)
    within = stat.scatter.sum(axis=0) / 50
    if hidden:
        within = np.array([typical_variance(rows[:, j], codes) for j in range(2)])
    for strength in (0.5, 1.0, 4.0):
        prior = Normal.decide_prior(stat, strength) if hidden else Normal.default_prior(stat, strength)
        assert_allclose(prior.location, rows.mean(axis=0)[None])
        kappa = 0.01 * strength * within / rows.var(axis=0)
        assert_allclose(prior.kappa, kappa[None])
        found: Any = Normal.estimate(stat, prior if hidden else strength)
        shrink = kappa * stat.n / (kappa + stat.n)
        between = shrink * (stat.mean - rows.mean(axis=0)) ** 2
        assert_allclose(found.variance, (strength * within + stat.scatter + between) / (strength + stat.n))
        for j in range(2):  # of one column, the joint normal is the normal
            own = collect(MultivariateNormal, rows[:, [j]], codes, 3)
            word = MultivariateNormal.decide_prior(own, strength) if hidden else strength
            joint: Any = MultivariateNormal.estimate(own, word)
            assert_allclose(joint.mean[:, 0], found.mean[:, j])
            assert_allclose(joint.variance[:, 0], found.variance[:, j])


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("n", [4, 9, 60, 3000])
def test_default_prior_of_the_multivariate_normal(n: int, hidden: bool) -> None:
    """Strength times d rows of the common covariance, correlations drawn towards none where n is small."""
    rng = np.random.default_rng(n)
    rows, codes = rng.normal(size=(n, 3)) @ rng.normal(size=(3, 3)) + [0, 50, 0], rng.integers(0, 2, n)
    rows[codes == 1] += [9.0, 0, 1]
    stat = collect(MultivariateNormal, rows, codes, 2)
    family = MultivariateNormal
    prior = family.decide_prior(stat, 2.0) if hidden else family.default_prior(stat, 2.0)
    apart = np.concatenate([rows[codes == code] - rows[codes == code].mean(axis=0) for code in (0, 1)])
    within = apart.T @ apart / n
    share = max(9 / (9 + (n - 2) ** 2), 1e-3)
    expected = (1 - share) * within + share * np.diag(np.diag(within))
    if hidden:
        typical = np.array([typical_variance(rows[:, j], codes) for j in range(3)])
        scale = np.sqrt(typical / np.diag(within))
        expected = expected * np.outer(scale, scale)
    assert_allclose(prior.scale / 6, expected, rtol=1e-9)
    assert_allclose(prior.df, 3 + 1 + 6)
    # The mean may lie ten times as far off as the table varies, in the direction where that is most.
    most = np.linalg.eigvals(np.linalg.solve(expected, np.cov(rows.T, bias=True))).real.max()
    assert_allclose(prior.kappa, 0.02 / max(most, 1.0), rtol=1e-9)


FAMILIES_OF_NUMBERS = [Normal, SphericalNormal, MultivariateNormal, TiedNormal]


@pytest.mark.parametrize("family", FAMILIES_OF_NUMBERS)
@pytest.mark.parametrize("far", [1e2, 1e3, 1e4])  # beyond 3e4 sds the floor of variances begins
def test_a_group_is_no_wider_for_others_far_away(family: Any, far: float) -> None:
    """Moving a group moves its mean, and changes no group's variance by more than a hundredth."""
    rng = np.random.default_rng(7)
    rows, codes = rng.normal(size=(90, 2)), np.repeat([0, 1, 2], 30)

    def variances(shift: float) -> Any:
        moved = rows + np.outer(codes, [shift, 0.0])
        return family.estimate(collect(family, moved, codes, 3)).variance

    assert_allclose(variances(far), variances(3.0), rtol=0.01)


def test_directions_of_small_variance_stay_small() -> None:
    """Columns that go together cost nothing under the default prior: 200 rows, correlations above .99."""
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(200, 1)) + 0.02 * rng.normal(size=(200, 5))
    default = MultivariateNormal.fit(rows).log_prob(rows).sum()
    assert 0 <= MultivariateNormal.fit(rows, prior=None).log_prob(rows).sum() - default < 1


def test_default_prior_of_the_poisson() -> None:
    stat = collect(Poisson, [[0.0, 0.0], [4.0, 0.0], [2.0, 0.0]], [0, 0, 1], 3)
    prior = Poisson.default_prior(stat, 3.0)
    assert_allclose(prior.mean, [[2.0, 1 / 6]])
    assert_allclose(prior.rate, [[1.5, 3.0]])  # three events, or three rows
    assert (Poisson.estimate(stat).mean > 0).all()
    assert Poisson.ml(stat).rate.tolist() == [[2, 0], [2, 0], [2, 0]]


def test_a_low_rate_stays_low_beside_a_high_one() -> None:
    counts = np.array([[1.0]] * 50 + [[1e6]] * 50)
    found: Any = Poisson.estimate(collect(Poisson, counts, np.repeat([0, 1], 50), 2))
    assert_allclose(found.rate[:, 0], [1.02, 1e6], rtol=1e-4)  # one event more in 50 rows


@every_how
@pytest.mark.parametrize("value", [0.0, 0.1, -1e9 / 3, 1e-200])
def test_a_constant_column_is_never_evidence(how: str, value: float) -> None:
    # Groups of very different sizes, one of them empty; 0.1 summed many times leaves dust.
    rng = np.random.default_rng(1)
    codes = np.sort(rng.integers(0, 3, 1000) ** 3)
    rows = np.column_stack([np.full(1000, value), rng.normal(size=1000)])
    found: Any = Normal.estimate(collect(Normal, rows, codes, 10), how=how)
    terms = found.terms(np.array([[value, 0.0], [value + 1, 0.0]]))
    assert (terms[:, :, 0] == terms[:, :1, 0]).all()
    if how != "predictive":
        assert (found.sd[:, 0] == 1).all()
        assert_allclose(found.mean[:, 0], value)
    assert (found.terms(rows[:1])[0, :, 1] != found.terms(rows[:1])[0, 0, 1]).any()


@every_how
def test_dust_is_no_evidence_either(how: str) -> None:
    # Means and scatters such as adding and subtracting parts leaves behind.
    dust = np.spacing(0.1)
    n = np.array([[1000.0], [3.0], [0.0]])
    stat = Moments(n, np.array([[0.1], [0.1 + dust], [0.0]]), n * dust**2)
    terms = Normal.estimate(stat, how=how).terms(np.array([[0.1], [0.1 + dust], [7.0]]))
    assert (terms == terms[:, :1]).all()
    # Ten times as much is variation, however small.
    real = Moments(n, np.array([[0.1], [0.1 + 40 * dust], [0.0]]), n * (40 * dust) ** 2)
    found: Any = Normal.estimate(real, how=how)
    assert (found.sd < 1e-13).all()


@every_how
def test_a_constant_column_beside_others(how: str) -> None:
    rng = np.random.default_rng(2)
    rows = np.column_stack([np.full(100, 0.1), rng.normal(size=(100, 2))])
    codes = np.repeat([0, 1], [90, 10])
    found: Any = MultivariateNormal.estimate(collect(MultivariateNormal, rows, codes, 3), how=how)
    covariance = found.covariance
    assert np.isfinite(covariance).all()
    assert_allclose(found.mean[:, 0], 0.1)
    assert (covariance[:, 0, 1:] == 0).all()
    if how in ("ml", "mean"):
        assert_allclose(covariance[:, 0, 0], 1, rtol=1e-14)
    without: Any = MultivariateNormal.estimate(collect(MultivariateNormal, rows[:, 1:], codes, 3), how="ml")
    if how == "ml":
        gap = found.group_log_prob(rows) - without.group_log_prob(rows[:, 1:])
        assert_allclose(gap, -0.5 * np.log(2 * np.pi), rtol=1e-12)


def test_variances_have_a_floor() -> None:
    rows = np.array([[1.0], [1.0], [1.0], [5.0], [7.0], [9.0]])
    stat = collect(Normal, rows, [0, 0, 0, 1, 1, 2], 3)
    total = rows.var()
    assert_allclose(Normal.ml(stat).variance[[0, 2], 0], 1e-9 * total)
    # Every group constant, the column not: the prior's own variance has the floor.
    split = collect(Normal, [[1.0], [1.0], [2.0]], [0, 0, 1], 2)
    for how in HOW:
        found: Any = Normal.estimate(split, how=how)
        assert (found.variance > 1e-11).all()
        assert found.group_log_prob(np.array([[1.0], [2.0]])).argmax(axis=1).tolist() == [0, 1]


@every_how
def test_collinear_columns_and_few_rows_do_not_crash(how: str) -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(200, 1))
    rows = np.hstack([x, 2 * x, x - 1e-3, rng.normal(size=(200, 2))])
    codes = np.array([0] * 150 + [1] * 47 + [2] * 2 + [3])
    found: Any = MultivariateNormal.estimate(collect(MultivariateNormal, rows, codes, 5), how=how)
    logs = found.group_log_prob(rows)
    assert np.isfinite(logs).all()
    if how == "ml":  # no more is added than it takes
        exact = np.cov(rows[:150].T, bias=True)
        assert_allclose(found.covariance[0], exact, rtol=2e-9)
        assert np.linalg.eigvalsh(found.covariance[0])[0] > 1e-10


# --- ends of a range, trials of a count -------------------------------------------------------------


@every_how
@pytest.mark.parametrize("value", [0.0, 0.1, -1e9 / 3, 1e20])
def test_a_constant_column_is_no_evidence_about_its_range(how: str, value: float) -> None:
    rows = np.full((1000, 1), value)
    terms = Uniform.estimate(collect(Uniform, rows, np.arange(1000) % 7 // 3, 4), how=how).terms(rows[:1])
    assert (terms == terms[:, :1]).all()
    assert np.isfinite(terms).all()


def test_a_uniform_group_is_as_wide_as_its_values_and_a_little_more() -> None:
    rows = np.array([[0.0], [1.0], [10.0], [12.0], [11.0], [4.0]])
    stat = collect(Uniform, rows, [0, 0, 1, 1, 1, 2], 4)
    exact: Any = Uniform.ml(stat)
    assert_allclose(exact.low[:, 0], [0, 10, 4 - 0.006, 0])
    assert_allclose(exact.high[:, 0], [1, 12, 4 + 0.006, 12])
    wider: Any = Uniform.estimate(stat)
    assert_allclose(wider.low[:2, 0], [0 - 1 / 2, 10 - 2 / 3])
    open_ended = Uniform.estimate(stat, how="predictive")
    assert isinstance(open_ended, UniformPareto)
    assert np.isfinite(open_ended.group_log_prob(np.array([[1e9]]))).all()


def test_trials_are_the_largest_count_unless_known() -> None:
    rows = np.array([[1.0, 0.0], [4.0, 0.0], [2.0, 0.0]])
    stat = collect(Binomial, rows, [0, 0, 1], 3)
    found: Any = Binomial.ml(stat)
    assert found.trials.tolist() == [[4, 1]] * 3
    assert_allclose(found.p, [[5 / 8, 0], [2 / 4, 0], [0.5, 0.5]])
    known: Any = Binomial.estimate(stat, BinomialBeta(1, 1, 10))
    assert_allclose(known.p[:, 0], [6 / 22, 3 / 12, 1 / 2])
    same_p: Any = Binomial.estimate(stat, Beta(1, 1))
    assert_allclose(same_p.p[:, 0], [6 / 10, 3 / 6, 1 / 2])
    # What was taken out of the data is taken out of the largest count too.
    rest: Any = Binomial.ml(stat - collect(Binomial, rows[1:2], [0], 3))
    assert rest.trials.tolist() == [[2, 1]] * 3


# --- units and shifts -------------------------------------------------------------------------------


@numeric
@every_how
@pytest.mark.parametrize("power", [-40, -3, 5, 60])
def test_units_that_are_powers_of_two_change_nothing_else(family: Any, how: str, power: int) -> None:
    rng = np.random.default_rng(4)
    rows, codes = rng.normal(3, 2, (80, 4)), rng.integers(0, 3, 80)
    rows[:, 3] = rows[:, 2] * 3  # collinear
    unit = 2.0**power
    plain: Any = family.estimate(collect(family, rows, codes, 4), how=how)
    scaled: Any = family.estimate(collect(family, rows * unit, codes, 4), how=how)
    assert (scaled.mean == plain.mean * unit).all()
    assert (scaled.variance == plain.variance * unit**2).all()
    far = rows + 100 * codes[:, None]
    expected = plain.group_log_prob(far) - 4 * power * np.log(2)
    assert_allclose(scaled.group_log_prob(far * unit), expected, rtol=1e-13, atol=1e-11)


@numeric
@every_how
@pytest.mark.parametrize("shift", [-7.0, 1e4, 1e7])
def test_shifts_move_the_means_and_nothing_else(family: Any, how: str, shift: float) -> None:
    rng = np.random.default_rng(5)
    # Sixteenths, so that the shifted values are exact.
    rows, codes = np.round(rng.normal(3, 2, (80, 4)) * 16) / 16, rng.integers(0, 3, 80)
    plain: Any = family.estimate(collect(family, rows, codes, 4), how=how)
    moved: Any = family.estimate(collect(family, rows + shift, codes, 4), how=how)
    assert_allclose(moved.mean - shift, plain.mean, atol=4e-16 * abs(shift))
    assert_allclose(moved.variance, plain.variance, rtol=1e-12 + 1e-17 * abs(shift))
    logs = plain.group_log_prob(rows)
    assert_allclose(moved.group_log_prob(rows + shift), logs, atol=1e-14 * abs(shift) + 1e-12)


# --- zero probabilities, large numbers --------------------------------------------------------------


def test_zero_probabilities_are_silent() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sure = Bernoulli([[0.0, 1.0], [0.5, 0.5]])
        rows = np.array([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0], [np.nan, 1.0]])
        assert sure.group_log_prob(rows)[:, 0].tolist() == [0, -np.inf, -np.inf, 0]
        assert sure.entropy().tolist() == [[0, 0], [np.log(2), np.log(2)]]
        never = Poisson([[0.0]])
        assert never.group_log_prob(np.array([[0.0], [1.0], [np.nan]]))[:, 0].tolist() == [0, -np.inf, 0]
        words = Multinomial([[1.0, 0.0]])
        counts = np.array([[3.0, 0.0], [2.0, 1.0], [np.nan, 0.0], [np.nan, 1.0]])
        assert words.group_log_prob(counts)[:, 0].tolist() == [0, -np.inf, 0, -np.inf]
        level = Categorical([1.0, 0.0])
        assert level.log_prob([0, 1, 2]).tolist() == [0, -np.inf, -np.inf]
        assert level.entropy() == 0


def test_rising_factorials_keep_their_digits() -> None:
    from fractions import Fraction
    from math import log, prod

    for a in (Fraction(1, 3), Fraction(7), Fraction(31, 2), Fraction(33, 2), Fraction(10**9)):
        for x in (1, 3, 40):
            exact = prod((a + i for i in range(x)), start=Fraction(1))
            expected = log(exact.numerator) - log(exact.denominator)
            assert_allclose(log_rising(float(a), x), expected, rtol=2e-15, atol=2e-15)
    assert log_rising(0.0, 0.0) == 0
    assert log_rising(0.0, 2.0) == -np.inf


def test_a_t_of_many_degrees_of_freedom_is_normal() -> None:
    x = np.array([-3.0, 0.0, 2.0])
    assert_allclose(StudentT(2.0**129, 1, 2).log_prob(x), Normal(1, 2).log_prob(x), rtol=1e-14)
    assert_allclose(
        MultivariateT(1e12, [1.0], [[4.0]]).log_prob(x[:, None]), Normal(1, 2).log_prob(x), rtol=1e-9
    )


# --- named levels, ragged columns -------------------------------------------------------------------


def test_levels_have_names() -> None:
    found = Categorical.fit(["x", None, "y", "x", float("nan")], prior=None)
    assert found.levels == ("x", "y")
    assert found.probs.tolist() == [2 / 3, 1 / 3]
    assert np.isnan(found.log_prob(None))
    assert found.log_prob("z") == -np.inf
    assert set(found.sample(50, 0).tolist()) == {"x", "y"}
    with pytest.raises(LikelyError, match="value 'z' is not one of the levels"):
        Categorical.fit(["x", "z"], levels=["x", "y"])
    assert Categorical.fit(["b"], levels=["b", "a"], prior=None).levels == ("b", "a")


def test_codes_may_be_of_any_type_and_order() -> None:
    dist = Categorical([[0.2, 0.8, 0.1, 0.3, 0.6], [0.5, 0.5, 0.7, 0.2, 0.1]], (2, 3))
    codes = np.array([[0, 2], [1, -1], [-2, 0], [-1, -2]])
    expected = dist.terms(codes).sum(axis=-1)
    for dtype in (np.int8, np.int32, np.int64, np.float64):
        for order in ("C", "F"):
            given = np.asarray(codes, dtype=dtype, order=order)
            assert_allclose(dist.group_log_prob(given), expected, rtol=1e-15)
    missing = np.where(codes < 0, np.nan, codes)
    assert_allclose(dist.group_log_prob(missing), expected, rtol=1e-15)
    truth = np.array([[True, False]])
    assert_allclose(dist.group_log_prob(truth), dist.group_log_prob(truth.astype(int)))
    assert dist.group_log_prob(np.array([[0.5, 1.0]])).tolist() == [[-np.inf, -np.inf]]
    counts = Categorical.collect(missing, Groups.one(4), (2, 3))
    assert counts.table.tolist() == [[1, 1, 1, 0, 1]]


@pytest.mark.parametrize("n_groups", [1, 3, 200])
def test_lookups_of_all_sizes_of_columns(n_groups: int) -> None:
    # Small columns are looked up in pairs, large ones and odd ones alone.
    rng = np.random.default_rng(6)
    sizes = (2, 90, 90, 3, 1, 2000, 4)
    probs = np.concatenate([rng.dirichlet(np.ones(k), n_groups) for k in sizes], axis=1)
    dist = Categorical(probs, sizes)
    codes = np.column_stack([rng.integers(-2, k, 300) for k in sizes])
    assert_allclose(dist.group_log_prob(codes), dist.terms(codes).sum(axis=-1), rtol=1e-12, atol=1e-12)


def test_a_level_of_probability_0_is_never_drawn() -> None:
    class Edge:
        """A generator that draws the ends of its interval."""

        def random(self, shape: Any) -> Any:
            return np.resize([0.0, np.nextafter(1.0, 0.0)], shape)

    probs = np.array([0.0, 0.3, 0.3, 0.3, 0.1, 0.0])
    edge: Any = Edge()
    assert Categorical(probs)._draw(edge, (2,)).tolist() == [1, 4]


def test_descriptions() -> None:
    assert Normal([[38.2467]], [[13.6]]).describe(0, 0) == "mean 38.2, sd 13.6"
    assert Bernoulli([[0.73]]).describe(0, 0) == "true 0.73"
    assert Bernoulli([[0.73]]).describe(0, 0, ["no", "yes"]) == "yes 0.73, no 0.27"
    level = Categorical([[0.25, 0.75, 1.0]], (2, 1))
    assert level.describe(0, 0, ["no", "yes"]) == "yes 0.75, no 0.25"
    assert level.describe(0, 1) == "0 1"
    assert (
        Categorical([np.full(8, 0.125)], (8,)).describe(0, 0)
        == "0 0.125, 1 0.125, 2 0.125, 3 0.125, 4 0.125, ..."
    )
    assert Poisson([[3.25]]).describe(0, 0) == "rate 3.25"
    assert repr(Normal(0, 1)) == "Normal(mean=0.0, sd=1.0)"


# --- what is refused --------------------------------------------------------------------------------

BAD = [
    (lambda: Normal(0, 0), "sd=0.0: it must be above 0"),
    (lambda: Normal([0, 1], [1, -2]), "sd=-2.0"),
    (lambda: Normal(np.nan, 1), "mean=nan: it must be finite"),
    (lambda: Normal("a", 1), "mean='a' is not a number"),
    (lambda: Bernoulli(1.5), "p=1.5: a probability is a number from 0 to 1"),
    (lambda: Categorical([0.5, 0.6]), "the sum of probs=1.1: .* divide them by their sum"),
    (lambda: Categorical([1.5, -0.5]), "probs=1.5"),
    (lambda: Categorical([0.5, 0.5 - 2e-9]), "the sum of probs"),
    (lambda: Categorical([0.5, 0.5], (3,)), r"sizes=\(3,\) add up to 3"),
    (lambda: Categorical([0.5, 0.5], levels="abc"), "give one name for each of 2"),
    (lambda: Poisson(-1), "rate=-1.0: it must be 0 or above"),
    (lambda: NegativeBinomial(0, 1), "shape=0.0"),
    (lambda: StudentT(0), "df=0.0"),
    (lambda: Multinomial([0.5, 0.4]), "the sum of probs"),
    (lambda: MultivariateNormal([0, 0], [[1, 2], [2, 1]]), "not positive definite: leave out columns"),
    (lambda: MultivariateNormal([0, 0], [[1, 0], [1, 1]]), "it must be symmetric"),
    (lambda: MultivariateNormal([0, 0], [[1, 0], [0, 0]]), "variances must be above 0"),
    (lambda: MultivariateNormal([0, 0, 0], np.eye(2)), "does not fit"),
    (lambda: MultivariateNormal([0, 0], [1, 1]), "is not square"),
    (lambda: Beta(-1, 1), "a=-1.0"),
    (lambda: Beta(0, 0), "one of them must be above 0"),
    (lambda: Gamma(1, 0), "rate=0.0"),
    (lambda: Dirichlet([0, 0]), "one of them must be above 0"),
    (lambda: NormalInverseGamma(0, 0, 1, 1), "kappa=0.0"),
    (lambda: NormalInverseWishart([0, 0], 1, 1, np.eye(2)), "df=1.0: it must be above 1"),
    (lambda: Dirichlet([1, 1]).posterior(Counts(np.ones((1, 3)), (3,))), "2 places and the data 3"),
    (lambda: Geometric(0), "p=0.0: it must be above 0, for the first success to come"),
    (lambda: Geometric.fit([1, 0]), "value 0.0 is impossible for geometric"),
    (lambda: Normal.fit([1.0, 2.0], weight=[1.0, -1.0]), r"weight=-1.0: it must be 0 or above"),
    (lambda: Normal.fit([1.0, 2.0], weight=[1.0]), r"weight of shape \(1,\): give a list of 2"),
    (lambda: Categorical.fit(["a", "b"], weight=[1.0, np.nan]), "weight=nan"),
    (lambda: Categorical.fit(["a", "b"], weight=[[1.0, 1.0]]), "give a list of 2"),
    (
        lambda: collect(Geometric, [[0.0]], [0], 1),
        "value 0 is impossible: .* add 1 to counts",
    ),
    (lambda: collect(Binomial, [[-1.0]], [0], 1), "value -1 is impossible: binomial describes counts"),
    (lambda: Binomial.fit([3, 12], prior=BinomialBeta(1, 1, 10)), "12 is more than trials=10: give more"),
    (lambda: Uniform(1, 1), "high=1.0: it must be above low"),
    (lambda: BilateralPareto(2, 1, 1), "right=1.0: it must be above left"),
    (lambda: Bernoulli.fit([0, 1, 2]), "value 2.0 is impossible for bernoulli"),
    (lambda: Poisson.fit([1, -1]), "value -1.0 is impossible for poisson"),
    (lambda: Normal.fit([[1, 2]]), "normal learns from a list"),
    (lambda: MultivariateNormal.fit([1, 2]), r"learns from a table \(n, d\)"),
]


@pytest.mark.parametrize(("make", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_parameters_are_named_with_a_remedy(make: Any, message: str) -> None:
    with pytest.raises(LikelyError, match=message):
        make()


def test_distributions_are_frozen() -> None:
    with pytest.raises(AttributeError):
        Normal(0, 1).sd = 2  # type: ignore[misc,assignment]


def test_an_expected_variance_that_does_not_exist_gives_way_to_the_mode() -> None:
    vague = NormalInverseGamma(0, 1, 0.5, 2)
    assert vague.mean.tolist() == [0, np.inf]
    assert Normal.at_mean(vague).variance == pytest.approx(vague.mode[1])
    wide = NormalInverseWishart([0, 0], 1, 2.5, np.eye(2))
    assert_allclose(MultivariateNormal.at_mean(wide).variance, wide.mode[0, 1])


def test_statistics_with_missing_cells_and_weights() -> None:
    rows = np.array([[1.0, np.nan], [3.0, 4.0], [np.nan, np.nan]])
    found = Normal.ml(Moments.collect(rows, Groups.one(3, [1.0, 2.0, 5.0])))
    assert_allclose(found.mean, [[7 / 3, 4]])
    complete = MultivariateNormal.ml(Scatter.collect(rows, Groups.one(3)))
    assert_allclose(complete.mean, [[3, 4]])
