"""Gaussian classifiers as citizens of scikit-learn, and its discriminant analyses as their peers."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn_checks import estimator_checks

from likely import GaussianClassifier, NaiveBayes, Shrinkage
from likely.models.gaussian.shapes import SHAPES

RNG = np.random.default_rng(4)
Y = RNG.integers(0, 3, 300)
X = RNG.normal(size=(300, 4)) @ RNG.normal(size=(4, 4)) + 0.5 * Y[:, None]
BASE = dict(zip(range(3), np.bincount(Y) / 300, strict=True))


@estimator_checks(
    GaussianClassifier(),
    GaussianClassifier(covariance="tied"),
    rarely=[
        *(GaussianClassifier(covariance=shape) for shape in SHAPES if shape not in ("full", "tied")),
        GaussianClassifier(estimate="predictive"),
        GaussianClassifier(covariance="tied", prior=None),
        GaussianClassifier(covariance="spherical", estimate="predictive"),
        GaussianClassifier(covariance="tied_diagonal", prior=None),
        GaussianClassifier(covariance="tied_spherical", estimate="predictive"),
        GaussianClassifier(shrinkage=0.3),
        GaussianClassifier(covariance="tied", shrinkage="ledoit_wolf"),
    ],
)
def test_gaussian_estimator_checks(estimator, check):
    check(estimator)


def part(model):
    """The distribution of the quantitative columns."""
    return model.record_.core.parts[0].distribution


@pytest.mark.parametrize("solver", ["lsqr", "eigen"])
def test_tied_is_linear_discriminant_analysis(solver):
    peer = LinearDiscriminantAnalysis(solver=solver).fit(X, Y)
    ours = GaussianClassifier(covariance="tied", prior=None).fit(X, Y)
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X), abs=1e-8)
    assert part(ours).covariance[1] == pytest.approx(peer.covariance_, rel=1e-11)
    found = ours.boundary(2, 0)
    assert found.is_linear
    assert found.linear == pytest.approx(peer.coef_[2] - peer.coef_[0], rel=1e-8)
    assert found.constant == pytest.approx(peer.intercept_[2] - peer.intercept_[0], rel=1e-8)


@pytest.mark.parametrize("amount", [0.0, 0.3, 1.0])
def test_shrinkage_of_raw_columns_is_that_of_linear_discriminant_analysis(amount):
    peer = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=amount).fit(X, Y)
    raw = Shrinkage(amount, standardise=False)
    ours = GaussianClassifier(covariance="tied", prior=raw, base_rate=BASE).fit(X, Y)
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X), abs=1e-8)


def test_full_is_quadratic_discriminant_analysis():
    peer = QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, Y)
    ours = GaussianClassifier(prior=None).fit(X, Y)
    for group in range(3):
        # Ours divide by n; scikit-learn's by n or n - 1, from version to version.
        n = (group == Y).sum()
        own = np.cov(X[group == Y].T, bias=True)
        assert part(ours).covariance[group] == pytest.approx(own, rel=1e-11)
        ratio = peer.covariance_[group] / own
        assert ratio == pytest.approx(np.full((4, 4), 1.0 if ratio[0, 0] < 1 + 0.5 / n else n / (n - 1)))
    known = GaussianClassifier.from_parameters(
        dict(enumerate(peer.means_)), dict(enumerate(peer.covariance_)), BASE
    )
    assert known.predict_proba(X) == pytest.approx(peer.predict_proba(X), abs=1e-8)


def test_diagonal_is_gaussian_naive_bayes():
    peer = GaussianNB(var_smoothing=0).fit(X, Y)
    ours = GaussianClassifier(covariance="diagonal", prior=None).fit(X, Y)
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X), abs=1e-12)
    assert (
        ours.predict_proba(X)
        == NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(X, Y).predict_proba(X)
    ).all()


def test_identity_and_equal_base_rates_choose_the_nearest_mean():
    peer = NearestCentroid().fit(X, Y)
    ours = GaussianClassifier(covariance="identity", base_rate="uniform").fit(X, Y)
    assert (ours.predict(X) == peer.predict(X)).all()


def test_pickled_and_saved(tmp_path):
    import likely

    for shape in SHAPES:
        for settings in ({}, {"shrinkage": 0.2}, {"shrinkage": "ledoit_wolf"}):
            if settings and shape not in ("full", "tied"):
                continue
            model = GaussianClassifier(covariance=shape, **settings).fit(X, Y)
            expected = model.predict_proba(X)
            assert (pickle.loads(pickle.dumps(model)).predict_proba(X) == expected).all()
            model.save(tmp_path / "model.likely")
            again = likely.load(tmp_path / "model.likely")
            assert (again.predict_proba(X) == expected).all()
            assert again.get_params() == model.get_params()
