"""Worked figures and identities of Gaussian classifiers and of the normal distribution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from likely import GaussianClassifier, LikelyError, MultivariateNormal, Normal

RNG = np.random.default_rng(2)


# --- the normal distribution ------------------------------------------------------------------------


def test_density_is_exp_of_half_the_squared_distance():
    covariance = np.array([[2.0, 0.6, 0], [0.6, 1, -0.3], [0, -0.3, 0.5]])
    dist = MultivariateNormal([1, 0, -2], covariance)
    x = RNG.normal(0, 2, (20, 3))
    scale = (2 * np.pi) ** 1.5 * np.sqrt(np.linalg.det(covariance))
    assert dist.prob(x) == pytest.approx(np.exp(-(dist.distance(x) ** 2) / 2) / scale, rel=1e-12)
    apart = x - dist.mean
    by_definition = np.sqrt(np.einsum("ij,jk,ik->i", apart, np.linalg.inv(covariance), apart))
    assert dist.distance(x) == pytest.approx(by_definition, rel=1e-12)
    # Of uncorrelated columns the squared distance is the sum of squared z-scores.
    z = (x - [1, 2, 3]) / [2, 5, 0.1]
    plain = MultivariateNormal([1, 2, 3], np.diag([4, 25, 0.01]))
    assert plain.distance(x) ** 2 == pytest.approx((z**2).sum(axis=1), rel=1e-12)


def test_correlation_form():
    s1, s2, rho = 1.5, 0.7, -0.4
    pair = MultivariateNormal([1, 2], [[s1**2, rho * s1 * s2], [rho * s1 * s2, s2**2]])
    x = RNG.normal(size=(30, 2))
    z1, z2 = (x[:, 0] - 1) / s1, (x[:, 1] - 2) / s2
    q = (z1**2 - 2 * rho * z1 * z2 + z2**2) / (1 - rho**2)
    assert pair.prob(x) == pytest.approx(
        np.exp(-q / 2) / (2 * np.pi * s1 * s2 * np.sqrt(1 - rho**2)), rel=1e-12
    )


@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.3, 0.7, 0.999999])
@pytest.mark.parametrize("s1", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("sds", [1.0, 2.5])
def test_the_ellipse(rho, s1, sds):
    pair = MultivariateNormal.from_sds([3, -2], [s1, 1], rho)
    one = pair.ellipse(sds)
    points = one.outline(1001)
    # Every point of it lies so many Mahalanobis distances from the mean, and it reaches so many sds.
    assert pair.distance(points) == pytest.approx(np.full(1001, sds), rel=1e-6)
    assert one.across == pytest.approx((3 - sds * s1, 3 + sds * s1), rel=1e-12)
    assert one.up == pytest.approx((-2 - sds, -2 + sds), rel=1e-12)
    assert points.min(axis=0) == pytest.approx([one.across[0], one.up[0]], abs=1e-4)
    assert points.max(axis=0) == pytest.approx([one.across[1], one.up[1]], abs=1e-4)
    values, axes = np.linalg.eigh(pair.covariance)
    assert (one.second, one.first) == pytest.approx(tuple(sds * np.sqrt(values)), rel=1e-6)
    if rho or s1 != 1:
        long = np.array([np.cos(one.angle), np.sin(one.angle)])
        assert abs(long @ axes[:, 1]) == pytest.approx(1, abs=1e-9)
    if s1 != 1:
        assert np.tan(2 * one.angle) == pytest.approx(2 * rho * s1 / (s1**2 - 1), abs=1e-12)
    assert one.share == pytest.approx(stats.chi2(2).cdf(sds**2), rel=1e-12)


def test_the_ellipse_of_two_columns_of_many():
    wide = MultivariateNormal.from_sds([1, 2, 3], [1, 2, 4], [[1, 0.1, 0.5], [0.1, 1, 0], [0.5, 0, 1]])
    one, other = wide.ellipse(columns=[2, 0]), wide.marginal([2, 0]).ellipse()
    assert one == other
    assert one.across == pytest.approx((-1, 7))
    with pytest.raises(LikelyError, match="name two columns"):
        wide.ellipse(columns=[0, 1, 2])
    with pytest.raises(LikelyError, match=r"sds=-1\.0: it must be above 0"):
        wide.ellipse(-1)


def test_z_scores_sds_and_correlation():
    """Equation 9.3 of Flach, by SciPy's density; z-scores give the distance by the correlations alone."""
    dist = MultivariateNormal.from_sds([1, -1], [2, 0.5], -0.3)
    x = RNG.normal(size=(20, 2))
    assert dist.covariance == pytest.approx(np.array([[4, -0.3], [-0.3, 0.25]]), rel=1e-15)
    assert dist.correlation == pytest.approx(np.array([[1, -0.3], [-0.3, 1]]), rel=1e-14)
    z = dist.z(x)
    assert z == pytest.approx((x - [1, -1]) / [2, 0.5], rel=1e-14)
    distance = np.sqrt(np.einsum("ni,ij,nj->n", z, np.linalg.inv(dist.correlation), z))
    assert dist.distance(x) == pytest.approx(distance, rel=1e-12)
    by_hand = np.exp(-(z[:, 0] ** 2 + 0.6 * z[:, 0] * z[:, 1] + z[:, 1] ** 2) / (2 * (1 - 0.09)))
    assert dist.prob(x) == pytest.approx(by_hand / (2 * np.pi * 2 * 0.5 * np.sqrt(1 - 0.09)), rel=1e-12)
    one = Normal([1.0, 5.0], [2.0, 3.0])
    assert one.z([2.0, 2.0]) == pytest.approx([0.5, -1.0])
    assert one.cdf(7.0) == pytest.approx(stats.norm.cdf(one.z(7.0)), rel=1e-14)
    assert isinstance(float(Normal(0, 1).z(1.5)), float)
    for given, says in {
        (2,): "give as many of both",
        (1, 2, 3): "give as many of both",
    }.items():
        with pytest.raises(LikelyError, match=says):
            MultivariateNormal.from_sds([0, 0], given, 0.0)
    for rho, says in ((1.5, "from -1 to 1"), ([[1, 0.2]], "ones on the"), (1.0, "not positive definite")):
        with pytest.raises(LikelyError, match=says):
            MultivariateNormal.from_sds([0, 0], [1, 1], rho)


def test_marginals_and_conditionals():
    root = RNG.normal(size=(4, 4))
    covariance, mean = root @ root.T + 0.1 * np.eye(4), np.array([1.0, -2, 0, 3])
    dist = MultivariateNormal(mean, covariance)
    pair = dist.marginal([3, 1])
    peer = stats.multivariate_normal(mean[[3, 1]], covariance[np.ix_([3, 1], [3, 1])])
    x = RNG.normal(size=(10, 2))
    assert pair.log_prob(x) == pytest.approx(peer.logpdf(x), rel=1e-10)
    # The slice, normalised: joint density over marginal density of what is known.
    known = [0.3, -1.0]
    others = dist.conditional([2, 0], known)
    rows = np.empty((10, 4))
    rows[:, [2, 0]], rows[:, [1, 3]] = known, x
    sliced = dist.log_prob(rows) - dist.marginal([2, 0]).log_prob(known)
    assert others.log_prob(x) == pytest.approx(sliced, rel=1e-10)


def test_conditional_by_brute_quadrature():
    pair = MultivariateNormal([1, 2], [[2.0, 0.9], [0.9, 1.0]])
    along = pair.conditional([0], [2.5])
    mass = integrate.quad(lambda y: pair.prob([2.5, y]), -np.inf, np.inf)[0]
    first = integrate.quad(lambda y: y * pair.prob([2.5, y]), -np.inf, np.inf)[0] / mass
    second = integrate.quad(lambda y: (y - first) ** 2 * pair.prob([2.5, y]), -np.inf, np.inf)[0] / mass
    assert along.mean[0] == pytest.approx(first, rel=1e-8)
    assert along.covariance[0, 0] == pytest.approx(second, rel=1e-8)
    assert pair.marginal([0]).prob([2.5]) == pytest.approx(mass, rel=1e-8)


def test_conditionals_of_a_batch_and_what_is_refused():
    two = MultivariateNormal([[0, 0], [1, 1]], [np.eye(2), [[1, 0.5], [0.5, 1]]])
    assert two.conditional([1], [3.0]).mean == pytest.approx(np.array([[0], [2]]))
    for columns in ([0, 1], [0, 0], [2]):
        with pytest.raises(LikelyError, match="columns="):
            two.conditional(columns, np.zeros(len(columns)))


@pytest.mark.parametrize("weighted", [False, True])
def test_ml_mean_has_the_least_total_squared_distance(weighted):
    rows = RNG.normal(size=(50, 3)) @ RNG.normal(size=(3, 3))
    weight = RNG.random(50) if weighted else np.ones(50)
    dist = MultivariateNormal.fit(rows, prior=None, weight=weight)

    def total(mean):
        return (weight * MultivariateNormal(mean, dist.covariance).distance(rows) ** 2).sum()

    assert dist.mean == pytest.approx(np.average(rows, axis=0, weights=weight), rel=1e-10)
    assert dist.covariance == pytest.approx(np.cov(rows.T, aweights=weight, bias=True), rel=1e-10)
    for step in RNG.normal(0, 0.3, (40, 3)):
        # By the parallel-axis theorem the total rises by n times the squared distance of the step.
        risen = weight.sum() * MultivariateNormal([0, 0, 0], dist.covariance).distance(step) ** 2
        assert total(dist.mean + step) - total(dist.mean) == pytest.approx(risen, rel=1e-9)


# --- boundaries in one column -----------------------------------------------------------------------


def test_equal_sds_have_one_boundary_in_the_middle():
    model = GaussianClassifier.from_parameters({"+": 5.0, "-": 1.0}, 4.0, names=["x"])
    found = model.boundary("+", "-")
    assert found.is_linear
    assert found.points() == pytest.approx([3.0])
    assert found.linear == pytest.approx([(5 - 1) / 4])  # gamma
    assert repr(found) == "log-odds of '+' against '-' (linear; 0 on the boundary)\n1 x - 3"


def test_flach_example_9_2():
    """Means 1 and 2, sds 1 and 2: -0.8475 and 2.1809. The book has +-1.85, where the likelihoods differ."""
    model = GaussianClassifier.from_parameters({"+": 1, "-": 2}, {"+": 1, "-": 4}, names=["x"])
    root = 2 * np.sqrt(1 + 6 * np.log(2))
    points = model.boundary("+", "-").points()
    assert points == pytest.approx([(2 - root) / 3, (2 + root) / 3], rel=1e-14)
    assert points.round(4).tolist() == [-0.8475, 2.1809]
    assert Normal(1, 1).prob(points) == pytest.approx(Normal(2, 2).prob(points), rel=1e-12)
    ratio = Normal(1, 1).prob([-1.85, 1.85]) / Normal(2, 2).prob([-1.85, 1.85])
    assert (np.abs(ratio - 1) > 0.2).all()
    assert model.predict({"x": [-1.0, 0.0, 2.0, 2.5]}).tolist() == ["-", "+", "+", "-"]


def test_no_boundary_below_prior_odds_of_0_4232():
    """The likelihood ratio of + is at most 1 / 0.4232."""
    x = np.linspace(-3, 3, 600_001)
    highest = (Normal(1, 1).prob(x) / Normal(2, 2).prob(x)).max()
    assert 1 / highest == pytest.approx(0.4232, abs=5e-5)
    for odds, n in ((0.4231, 0), (0.4233, 2), (1.0, 2), (100.0, 2)):
        base = {"+": odds / (1 + odds), "-": 1 / (1 + odds)}
        model = GaussianClassifier.from_parameters({"+": 1, "-": 2}, {"+": 1, "-": 4}, base)
        points = model.boundary("+", "-").points()
        assert len(points) == n
        p = model.predict_proba(points[:, None]) if n else np.full((1, 2), 0.5)
        assert p == pytest.approx(np.full_like(p, 0.5), abs=1e-12)
        if not n:
            assert (model.predict(x[::1000, None]) == "-").all()


def test_points_are_of_one_column_only():
    model = GaussianClassifier.from_parameters({"a": [0, 0], "b": [1, 1]}, np.eye(2))
    with pytest.raises(LikelyError, match="no list of points"):
        model.boundary().points()
    same = GaussianClassifier.from_parameters({"a": 0.0, "b": 0.0}, 1.0)
    assert len(same.boundary().points()) == 0


# --- boundaries in two columns ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plus", "minus", "equation"),
    [
        (np.eye(2), np.eye(2), (0, [1, 1], [[0, 0], [0, 0]])),
        ([[1, 1], [1, 2]], [[1, 1], [1, 2]], (0, [1, 0], [[0, 0], [0, 0]])),
        ([[1, 0.7], [0.7, 1]], [[1, -0.7], [-0.7, 1]], (0.7, [1, 1], [[0, 0.35], [0.35, 0]])),
    ],
    ids=["i", "ii", "iii"],
)
def test_flach_example_9_3(plus, minus, equation):
    """(i) x1 + x2 = 0; (ii) sds 1 and sqrt 2, rho sqrt(2)/2: x1 = 0; (iii) x1 + x2 + .7 x1 x2 + .7 = 0."""
    means, covariances = {"+": [1, 1], "-": [-1, -1]}, {"+": plus, "-": minus}
    found = GaussianClassifier.from_parameters(means, covariances).boundary("+", "-")
    constant, linear, quadratic = equation
    # Up to a positive factor, which is that of x1.
    factor = found.linear[0]
    assert factor > 0
    assert found.linear / factor == pytest.approx(linear, abs=1e-12)
    assert found.constant / factor == pytest.approx(constant, abs=1e-12)
    assert found.quadratic / factor == pytest.approx(np.array(quadratic), abs=1e-12)
    rows = RNG.normal(0, 3, (50, 2))
    model = GaussianClassifier.from_parameters(means, covariances)
    logs = model.predict_log_proba(rows)
    assert found.log_odds(rows) == pytest.approx(logs[:, 0] - logs[:, 1], rel=1e-9)


def test_regions_may_be_in_pieces():
    model = GaussianClassifier.from_parameters(
        {"+": [1, 1], "-": [-1, -1]}, {"+": [[1, 0.7], [0.7, 1]], "-": [[1, -0.7], [-0.7, 1]]}
    )
    rows = np.array([[-3.0, -3.0], [-1.0, -1.0], [1.0, 1.0]])
    assert model.predict(rows).tolist() == ["+", "-", "+"]


def test_the_identity_and_equal_base_rates_bisect_the_means():
    rows, y = RNG.normal(size=(60, 3)), np.arange(60) % 2
    model = GaussianClassifier(covariance="identity", base_rate="uniform").fit(rows + y[:, None], y)
    found = model.boundary(1, 0)
    a, b = (rows + y[:, None])[y == 1].mean(axis=0), (rows + y[:, None])[y == 0].mean(axis=0)
    assert found.linear == pytest.approx(a - b, rel=1e-10)
    assert found.log_odds(((a + b) / 2)[None]) == pytest.approx([0], abs=1e-12)


# --- decisions --------------------------------------------------------------------------------------


def test_ml_and_map_differ():
    """Gender from hair length: long hair is likelier of women, and still most who have it are men."""
    lengths = {"woman": 25.0, "man": 8.0}
    likelihood = GaussianClassifier.from_parameters(lengths, {"woman": 100.0, "man": 49.0})
    posterior = likelihood.with_base_rate({"woman": 0.05, "man": 0.95})
    for x in np.linspace(0, 40, 81):
        p = {who: Normal(mean, sd).prob(x) for who, mean, sd in (("woman", 25, 10), ("man", 8, 7))}
        by_likelihood = max(p, key=p.get)
        by_posterior = max(("woman", "man"), key=lambda who: p[who] * {"woman": 0.05, "man": 0.95}[who])
        assert likelihood.predict([[x]]) == [by_likelihood]
        assert posterior.predict([[x]]) == [by_posterior]
    assert likelihood.predict([[18.0]]) == ["woman"]
    assert posterior.predict([[18.0]]) == ["man"]
