"""Covariance and mutual information of two numbers, against closed forms, sums over a grid and samples."""

from __future__ import annotations

import math

import numpy as np
import pytest

import likely
from likely import LikelyError
from likely.language import parse_query

RNG = np.random.default_rng(0)
N = 400
Y = RNG.choice(["a", "b", "c"], N, p=[0.5, 0.3, 0.2])
K = np.searchsorted(["a", "b", "c"], Y)
TABLE = {
    "x": RNG.normal(K, 1.0),
    "z": RNG.normal(2.0 * K, 0.5),
    "calls": RNG.poisson(2 + K),
    "stars": RNG.integers(1, 6, N),
    "paid": np.where(RNG.random(N) < 0.2 + 0.3 * K, "Yes", "No"),
    "y": Y,
}
KINDS = {"calls": "count", "stars": [1, 2, 3, 4, 5]}


@pytest.fixture(scope="module")
def model():
    families = {"x": "normal", "z": "normal", "calls": "poisson"}
    return likely.NaiveBayes(KINDS, families=families, evidence_weights=None).fit(TABLE, "y")


def groups(model, name):
    """P(class), and the mean of a column in each class, asked one by one."""
    p = np.array([float(model.ask(f"P(y={c})")) for c in "abc"])
    return p, np.array([float(model.ask(f"E({name} | y={c})")) for c in "abc"])


@pytest.mark.parametrize(
    "pair", [("x", "z"), ("x", "calls"), ("calls", "z"), ("x", "paid"), ("paid", "stars")]
)
def test_columns_that_are_independent_in_a_class_covary_by_its_means(model, pair):
    (p, a), (_, b) = (groups(model, name) for name in pair)
    expected = p @ (a * b) - (p @ a) * (p @ b)
    assert float(model.ask(f"cov({pair[0]}, {pair[1]})")) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert float(model.ask(f"cov({pair[1]}, {pair[0]})")) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert float(model.ask(f"cov({pair[0]}, {pair[1]} | y=a)")) == pytest.approx(0.0, abs=1e-9)


def test_where_a_number_is_known_to_lie_counts(model):
    """Beside a sum over a fine grid of both numbers."""
    from scipy.stats import norm

    x, z = 0.5 + 0.007 * (np.arange(1200) + 0.5), -4 + 0.013 * (np.arange(1000) + 0.5)
    joint = np.zeros((len(x), len(z)))
    for c in "abc":
        (m, s), (n, t) = ([float(model.ask(f"{q}({v} | y={c})")) for q in ("E", "sd")] for v in "xz")
        joint += float(model.ask(f"P(y={c})")) * np.outer(norm.pdf(x, m, s), norm.pdf(z, n, t))
    joint /= joint.sum()
    ex, ez = joint.sum(axis=1) @ x, joint.sum(axis=0) @ z
    expected = (x - ex) @ joint @ (z - ez)
    assert float(model.ask("cov(x, z | x > 0.5)")) == pytest.approx(expected, rel=1e-4)
    alone = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    bits = (joint * np.log2(np.where(joint > 0, joint, 1) / np.where(alone > 0, alone, 1))).sum()
    assert float(model.ask("I(x; z | x > 0.5)")) == pytest.approx(bits, rel=1e-4)


def test_one_normal_distribution_tells_by_its_correlation():
    """I = -1/2 log(1 - rho^2), and the covariance is that of the distribution."""
    pair = RNG.multivariate_normal([1.0, -2.0], [[1.0, 0.8], [0.8, 2.0]], 300)
    model = likely.Mixture(1, covariance="full", random_state=0).fit({"u": pair[:, 0], "v": pair[:, 1]})
    covariance = model.covariances_[0]
    assert float(model.ask("cov(u, v)")) == pytest.approx(covariance[0, 1], rel=1e-9)
    rho2 = covariance[0, 1] ** 2 / (covariance[0, 0] * covariance[1, 1])
    assert float(model.ask("I(u; v)")) == pytest.approx(-0.5 * math.log2(1 - rho2), rel=1e-6)
    assert float(model.ask("cov(v, u)")) == pytest.approx(covariance[0, 1], rel=1e-9)


def test_hidden_groups_of_joint_normals():
    rows = np.concatenate(
        [RNG.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 200), RNG.normal(6, 1, (200, 2))]
    )
    model = likely.Mixture(2, covariance="full", random_state=0).fit({"u": rows[:, 0], "v": rows[:, 1]})
    w, m, s = model.weights_, model.means_, model.covariances_
    expected = w @ (s[:, 0, 1] + m[:, 0] * m[:, 1]) - (w @ m[:, 0]) * (w @ m[:, 1])
    assert float(model.ask("cov(u, v)")) == pytest.approx(expected, rel=1e-6)


def test_bins_and_samples(model):
    """The default of naive Bayes: numbers in bins. 20,000 draws, each figure within 5 standard errors."""
    binned = likely.NaiveBayes(evidence_weights=None).fit(TABLE, "y")
    drawn = binned.sample(20_000, random_state=0)
    x, z = np.asarray(drawn["x"]), np.asarray(drawn["z"])
    product = (x - x.mean()) * (z - z.mean())
    error = product.std() / math.sqrt(len(x))
    assert abs(float(binned.ask("cov(x, z)")) - product.mean()) < 5 * error
    known, told = float(binned.ask("I(x; z)")), float(binned.ask("I(x; y)"))
    assert 0 < known < told  # what z says of x it says by the class


def test_information_of_two_whole_numbers_is_that_of_their_table(model):
    other = likely.NaiveBayes({"calls": "count", "stars": "count"}, families="poisson", evidence_weights=None)
    other.fit({name: TABLE[name] for name in ("calls", "stars", "y")}, "y")
    from scipy.stats import poisson

    at = np.arange(60)
    joint = sum(
        float(other.ask(f"P(y={c})"))
        * np.outer(*(poisson.pmf(at, float(other.ask(f"E({v} | y={c})"))) for v in ("calls", "stars")))
        for c in "abc"
    )
    assert float(other.ask("cov(calls, stars)")) == pytest.approx(
        at @ joint @ at - (joint.sum(1) @ at) * (joint.sum(0) @ at), rel=1e-9
    )
    alone = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    bits = (joint * np.log2(np.where(joint > 0, joint, 1) / np.where(alone > 0, alone, 1))).sum()
    assert float(other.ask("I(calls; stars)")) == pytest.approx(bits, rel=1e-9)


def test_it_is_said_what_cannot_be_asked(model):
    with pytest.raises(LikelyError, match="cov is of two variables, as in"):
        parse_query("cov(x)")
    with pytest.raises(LikelyError, match="'y' is categorical, which has no cov"):
        model.ask("cov(x, y)")
    with pytest.raises(LikelyError, match="ask for each case"):
        model.ask("cov(x, z | paid=Yes or stars>3)")
    assert str(model.ask("cov(x, z | paid=Yes)")).startswith("cov(x, z | paid = Yes) = ")
