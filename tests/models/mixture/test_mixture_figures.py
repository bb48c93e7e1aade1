"""Mixtures in the textbooks: K-means as the hard limit, Mitchell's k means, two Gaussians, starts, words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans

import likely
from likely.errors import LikelyError


@pytest.mark.parametrize("seed", range(3))
def test_k_means_is_the_hard_limit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = np.concatenate([rng.normal(m, 1, (60, 3)) for m in (0, 2, 4, 7)])
    labels = rng.integers(0, 4, len(X))
    centres = np.array([X[labels == k].mean(axis=0) for k in range(4)])
    theirs = KMeans(4, init=centres, n_init=1, algorithm="lloyd", tol=0, max_iter=300).fit(X)
    ours = likely.Mixture(
        4, covariance="identity", base_rate="uniform", hard=True, init=labels, prior=None, tol=1e-12
    ).fit(X)
    assert (ours.predict(X) == theirs.labels_).all()
    np.testing.assert_allclose(
        ours.record_.core.parts[0].distribution.mean, theirs.cluster_centers_, rtol=1e-12
    )
    # The objective is the sum of squares, up to a constant.
    constant = -0.5 * X.size * np.log(2 * np.pi) - len(X) * np.log(4)
    assert ours.history_[-1] == pytest.approx(constant - theirs.inertia_ / 2, rel=1e-10)


def test_means_of_k_gaussians_with_known_common_variance() -> None:
    """Mitchell 6.12.1, written out: E[z_ij] proportional to exp(-(x - mu_j)^2 / 2 sigma^2)."""
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.normal(0, 2, 80), rng.normal(9, 2, 120)])
    start = np.where(np.arange(200) % 3 == 0, 0, 1)
    means = np.array([x[start == 0].mean(), x[start == 1].mean()])
    for _ in range(25):
        expected = np.exp(-((x[:, None] - means) ** 2) / (2 * 4.0))
        expected /= expected.sum(axis=1, keepdims=True)
        means = (expected * x[:, None]).sum(axis=0) / expected.sum(axis=0)
    model = likely.Mixture(
        2,
        covariance="identity",
        prior={"x": likely.KnownVariance(4.0)},
        base_rate="uniform",
        init=start,
        max_iter=25,
        tol=0,
    ).fit({"x": x})
    np.testing.assert_allclose(model.record_.core.parts[0].distribution.mean[:, 0], means, rtol=1e-7)


def test_two_univariate_gaussians() -> None:
    """Responsibilities, weights, means and variances, written out."""
    rng = np.random.default_rng(2)
    x = np.concatenate([rng.normal(-2, 1, 100), rng.normal(3, 1.5, 150)])
    share = np.where(x > 0, 0.8, 0.2)
    share = np.stack([1 - share, share], axis=1)
    for _ in range(12):
        total = share.sum(axis=0)
        weight, mean = total / len(x), (share * x[:, None]).sum(axis=0) / total
        variance = (share * (x[:, None] - mean) ** 2).sum(axis=0) / total
        density = (
            weight * np.exp(-((x[:, None] - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
        )
        share = density / density.sum(axis=1, keepdims=True)
    start = np.where(x > 0, 0.8, 0.2)
    model = likely.Mixture(2, prior=None, init=np.stack([1 - start, start], axis=1), max_iter=11, tol=0).fit(
        {"x": x}
    )
    part = model.record_.core.parts[0].distribution
    np.testing.assert_allclose(np.exp(model.record_.core.log_weights), weight, rtol=1e-9)
    np.testing.assert_allclose(part.mean[:, 0], mean, rtol=1e-9)
    np.testing.assert_allclose(part.variance[:, 0], variance, rtol=1e-8)
    assert model.history_[-1] == pytest.approx(np.log(density.sum(axis=1)).sum(), rel=1e-10)


def test_several_stationary_points() -> None:
    """Flach, fig. 9.8: other starts come to other ends, and restarts take the best of them."""
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.normal(m, 0.6, 50) for m in (-6.0, -2.0, 2.0, 6.0)])
    ends = [
        likely.Mixture(4, init="random", random_state=seed, covariance="diagonal", tol=1e-10, max_iter=500)
        .fit({"x": x})
        .history_[-1]
        for seed in range(4)
    ]
    assert max(ends) - min(ends) > 5  # nats
    best = likely.Mixture(4, init="k-means++", restarts=5, random_state=0, covariance="diagonal").fit(
        {"x": x}
    )
    assert best.history_[-1] >= max(ends) - 1e-3


def groups_of_people(seed: int = 4) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    group = rng.random(400) < 0.25
    return {
        "height": rng.normal(np.where(group, 120, 175), 7),
        "works": rng.random(400) < np.where(group, 0.02, 0.8),
        "town": rng.choice(["a", "b"], 400),
    }


def test_each_group_is_described_by_what_sets_it_apart() -> None:
    table = groups_of_people()
    model = likely.Mixture(2, random_state=0).fit(table)
    small = int(np.argmin(model.record_.tally.groups))
    said = {
        line.split(":")[0]: line for line in str(model.describe()).splitlines() if line.startswith("group ")
    }
    line = said[f"group {small}"]
    share = model.record_.tally.groups[small]
    assert f"{share:,.0f} rows ({share / 4:.0f} %)" in line
    means = [np.average(table["height"], weights=w) for w in (model.predict_proba(table)[:, small], None)]
    assert f"mean {means[0]:.0f}" in line
    assert f"(of all {means[1]:.0f})" in line
    assert "works False" in line
    assert "town" not in line
    assert "as all rows are" in str(likely.Mixture(1).fit(table).describe())


def test_a_run_that_was_cut_short_says_so() -> None:
    table = groups_of_people()
    short = likely.Mixture(2, init="random", max_iter=2, random_state=0).fit(table)
    assert not short.converged_
    assert "EM was still climbing after 2 iterations: raise max_iter." in str(short.describe())
    whole = likely.Mixture(2, random_state=0).fit(table)
    assert whole.converged_
    assert "climbing" not in str(whole.describe())
    one = likely.Mixture(1).fit({"x": [3.0]}).describe()
    assert "learnt from 1 row\n" in str(one)


def test_a_fitted_mixture_is_a_start() -> None:
    table = groups_of_people()
    first = likely.Mixture(2, init="random", random_state=0, max_iter=3, tol=0).fit(table)
    whole = likely.Mixture(2, init="random", random_state=0, max_iter=8, tol=0).fit(table)
    for start in (first, first.record_):
        rest = likely.Mixture(2, init=start, max_iter=5, tol=0).fit(table)
        np.testing.assert_allclose(rest.history_, whole.history_[3:], rtol=1e-12)
    with pytest.raises(LikelyError, match=r"init is a model of 2 groups.*predict_proba"):
        likely.Mixture(3, init=first).fit(table)
    with pytest.raises(LikelyError, match="is not fitted"):
        likely.Mixture(2, init=likely.Mixture(2)).fit(table)


def test_families_are_shown_and_not_chosen() -> None:
    table = groups_of_people()
    model = likely.Mixture(2, families={"height": "normal"}, random_state=0).fit(table)
    assert [ranking.chosen for ranking in model.families_] == ["normal", "bernoulli", "categorical"]
    with pytest.raises(LikelyError, match="families='auto' weighs families within classes"):
        likely.Mixture(2, families="auto").fit(table)


def test_groups_of_one_column_or_two_are_drawn() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (60, 2)), rng.normal(6, 1, (60, 2))])
    model = likely.Mixture(2, init=np.repeat([0, 1], 60)).fit(X)
    plane = model.draw(X)
    assert plane.get_title(loc="left") == "where each group is the most probable"
    marks = [dots.get_xydata() for dots in plane.lines if len(dots.get_xydata()) == 60]
    np.testing.assert_array_equal(np.concatenate(marks), X)
    line = likely.Mixture(2, init=np.repeat([0, 1], 60)).fit(X[:, :1]).draw()
    between = [float(one.get_xdata()[0]) for one in line.lines if len(set(one.get_xdata())) == 1]
    assert between == pytest.approx([3], abs=0.3)
    with pytest.raises(LikelyError, match="room for one or two columns"):
        likely.Mixture(2, random_state=0).fit(rng.normal(size=(20, 3))).draw()


def test_the_curve_is_drawn() -> None:
    model = likely.Mixture("auto", random_state=0).fit({"x": groups_of_people()["height"]})
    ax = model.curve_.plot()
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [one.bits for one in model.curve_.tried])
    assert ax.lines[1].get_xdata().tolist() == [model.curve_.best]
    assert ax.get_title(loc="left") == "2 groups take the fewest bits"


def test_joint_normals_of_which_no_row_is_complete_part() -> None:
    """Three columns of which one is always missing: the start must not wait for complete rows."""
    rng = np.random.default_rng(6)
    group = rng.integers(0, 2, 300)
    X = 1e-6 * (rng.normal(size=(300, 3)) + 6 * group[:, None])
    X[np.arange(300), rng.integers(0, 3, 300)] = np.nan
    model = likely.Mixture(2, random_state=0).fit(X)
    found = model.predict(X)
    assert max((found == group).mean(), (found != group).mean()) > 0.99
    sds = model.record_.core.parts[0].distribution.sd
    np.testing.assert_allclose(sds, 1e-6, rtol=0.2)
