"""What was fitted, under the names that people know from other libraries."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import GaussianNB

import likely

RNG = np.random.default_rng(8)
X = np.concatenate([RNG.normal(size=(60, 3)), RNG.normal(6, 2, (90, 3))])
Y = np.repeat([0, 1], [60, 90])


def test_naive_bayes_as_gaussian_nb():
    ours = likely.NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(X, Y)
    theirs = GaussianNB(var_smoothing=0).fit(X, Y)
    assert_allclose(ours.theta_, theirs.theta_, rtol=1e-12)
    assert_allclose(ours.var_, theirs.var_, rtol=1e-12)
    assert_allclose(ours.base_rate_, theirs.class_prior_, rtol=1e-12)
    assert_allclose(ours.means_, theirs.theta_, rtol=1e-12)


@pytest.mark.parametrize("covariance", ["full", "tied", "diagonal", "spherical", "identity", "tied_diagonal"])
def test_gaussian_classifiers_have_covariances(covariance):
    model = likely.GaussianClassifier(covariance, prior=None).fit(X, Y)
    rows = [X[label == Y] for label in (0, 1)]
    assert_allclose(model.means_, [own.mean(axis=0) for own in rows], rtol=1e-12)
    each = np.stack([np.cov(own.T, ddof=0) for own in rows])
    pooled = (60 * each[0] + 90 * each[1]) / 150
    wanted = {
        "full": each,
        "tied": np.stack([pooled, pooled]),
        "diagonal": each * np.eye(3),
        "spherical": np.stack([np.eye(3) * np.trace(own) / 3 for own in each]),
        "identity": np.stack([np.eye(3)] * 2),
        "tied_diagonal": np.stack([pooled * np.eye(3)] * 2),
    }
    assert_allclose(model.covariances_, wanted[covariance], rtol=1e-10, atol=1e-12)


def test_mixtures_as_gaussian_mixture():
    ours = likely.Mixture(2, prior=None, random_state=0, tol=1e-12, max_iter=2000).fit(X)
    theirs = GaussianMixture(2, random_state=0, tol=1e-12, max_iter=2000, reg_covar=0).fit(X)
    order = np.argsort(-theirs.weights_)
    assert_allclose(ours.weights_, theirs.weights_[order], atol=1e-6)
    assert_allclose(ours.means_, theirs.means_[order], atol=1e-5)
    assert_allclose(ours.covariances_, theirs.covariances_[order], atol=1e-4)


def test_markov_models_under_the_names_of_hmmlearn():
    model = likely.HiddenMarkov(2, random_state=0).fit(X)
    assert_allclose(model.startprob_.sum(), 1)
    assert_allclose(model.transmat_.sum(axis=1), 1)
    assert (model.transmat_ == model.transitions_).all()
    assert model.means_.shape == (2, 3)
    assert model.covariances_.shape == (2, 3, 3)


def test_they_cannot_be_written_to():
    model = likely.NaiveBayes(families="classical", evidence_weights=None).fit(X, Y)
    with pytest.raises(ValueError, match="read-only"):
        model.means_[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        model.base_rate_[0] = 0.0


def test_columns_that_are_no_numbers_have_no_mean():
    table = {"size": [1.0, 2.0, 3.0, 4.0], "colour": ["red", "blue", "red", "blue"]}
    model = likely.NaiveBayes(families="classical", evidence_weights=None).fit(table, [0, 0, 1, 1])
    assert not hasattr(model, "means_")
    with pytest.raises(AttributeError, match="'colour' is no number"):
        model.means_  # noqa: B018
    gaps = likely.NaiveBayes(missing="level", families="classical", evidence_weights=None).fit(
        {"size": [1.0, None, 3.0, 4.0]}, [0, 0, 1, 1]
    )
    assert gaps.means_.shape == (2, 1)
