"""A citizen of scikit-learn."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.metrics import get_scorer, log_loss
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn_checks import estimator_checks

import likely
from likely import NaiveBayes

RNG = np.random.default_rng(4)
Y = RNG.integers(0, 3, 300)
X = RNG.normal(size=(300, 5)) + Y[:, None]
CODES = (RNG.integers(0, 4, (300, 5)) + Y[:, None]) % 5


@estimator_checks(
    NaiveBayes(),
    NaiveBayes(families="classical", evidence_weights=None),
    rarely=[
        NaiveBayes(estimate="predictive", families="classical", evidence_weights=None),
        NaiveBayes(prior=None, families="classical", evidence_weights=None),
        NaiveBayes(families="auto", evidence_weights=None),
    ],
)
def test_estimator_checks(estimator, check):
    check(estimator)


@estimator_checks(
    likely.Mixture(2, covariance="diagonal", prior=None, random_state=0),
    likely.MixtureClassifier(2, random_state=0),
    likely.Impute("gaussian"),
    likely.Network(),
    rarely=[
        likely.Impute(components=2, random_state=0),
        likely.Mixture(2, random_state=0),
        likely.Mixture("auto", random_state=0),
        likely.Mixture(2, hard=True, random_state=0),
        likely.Mixture(2, covariance="tied", init="random", random_state=0),
        likely.MixtureClassifier("auto", random_state=0),
        likely.Impute("gaussian", fill="drawn", random_state=0),
        likely.Impute(random_state=0),
        likely.Impute(likely.Mixture(2, covariance="diagonal", random_state=0)),
    ],
)
def test_estimator_checks_of_hidden_groups(estimator, check):
    check(estimator)


class TestSameAsScikitLearn:
    def test_gaussian(self):
        peer = GaussianNB(var_smoothing=0).fit(X, Y)
        ours = NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(X, Y)
        assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X), abs=1e-12)

    def test_categorical(self):
        peer = CategoricalNB().fit(CODES, Y)
        base = dict(zip(range(3), np.bincount(Y) / 300, strict=True))
        ours = NaiveBayes(
            kinds="categorical", base_rate=base, families="classical", evidence_weights=None
        ).fit(CODES, Y)
        assert ours.predict_proba(CODES) == pytest.approx(peer.predict_proba(CODES), abs=1e-12)

    def test_bernoulli(self):
        flags = CODES > 2
        peer = BernoulliNB(fit_prior=False).fit(flags, Y)
        ours = NaiveBayes(base_rate="uniform", families="classical", evidence_weights=None).fit(flags, Y)
        assert ours.predict_proba(flags) == pytest.approx(peer.predict_proba(flags), abs=1e-12)

    def test_multinomial(self):
        peer = MultinomialNB(fit_prior=False).fit(CODES, Y)
        ours = NaiveBayes(families="multinomial", base_rate="uniform", evidence_weights=None).fit(CODES, Y)
        assert ours.predict_proba(CODES) == pytest.approx(peer.predict_proba(CODES), abs=1e-12)


class TestTools:
    def test_pipeline_and_grid_search(self):
        search = GridSearchCV(
            make_pipeline(StandardScaler(), NaiveBayes(families="classical", evidence_weights=None)),
            {"naivebayes__prior": [0.1, 1.0, 10.0], "naivebayes__estimate": ["mean", "predictive"]},
            scoring="neg_log_loss",
            cv=3,
        ).fit(X, Y)
        assert search.best_score_ > -np.log(3)
        assert set(search.best_params_) == {"naivebayes__prior", "naivebayes__estimate"}

    def test_cross_val_predict(self):
        found = cross_val_predict(
            NaiveBayes(families="classical", evidence_weights=None), X, Y, method="predict_proba", cv=5
        )
        assert log_loss(Y, found) == pytest.approx(
            log_loss(Y, cross_val_predict(GaussianNB(), X, Y, method="predict_proba", cv=5)), abs=0.02
        )

    def test_frames_with_strings(self):
        titanic = likely.read("titanic", into="pandas")
        folds = StratifiedKFold(5, shuffle=True, random_state=0)  # the table is sorted
        scores = cross_val_score(
            NaiveBayes(families="classical", evidence_weights=None),
            titanic.drop(columns="survived"),
            titanic["survived"],
            cv=folds,
        )
        assert scores.mean() == pytest.approx(0.778, abs=0.01)

    def test_weights_by_metadata_routing(self):
        weight = RNG.integers(1, 4, 300)
        with sklearn.config_context(enable_metadata_routing=True):
            model = NaiveBayes(families="classical", evidence_weights=None).set_fit_request(
                sample_weight=True
            )
            scorer = get_scorer("neg_log_loss").set_score_request(sample_weight=True)
            search = GridSearchCV(model, {"prior": [1.0]}, cv=2, scoring=scorer)
            search.fit(X, Y, sample_weight=weight)
        direct = NaiveBayes(prior=1.0, families="classical", evidence_weights=None).fit(
            X, Y, sample_weight=weight
        )
        assert search.best_estimator_.predict_proba(X) == pytest.approx(direct.predict_proba(X), abs=1e-15)

    def test_pickle_and_clone(self):
        model = NaiveBayes(
            prior=0.5, base_rate={0: 0.2, 1: 0.3, 2: 0.5}, families="classical", evidence_weights=None
        ).fit(X, Y)
        again = pickle.loads(pickle.dumps(model))
        assert (again.predict_proba(X) == model.predict_proba(X)).all()
        assert clone(model).get_params() == model.get_params()
        assert not hasattr(clone(model), "classes_")

    def test_attributes(self):
        frame = pd.DataFrame(X, columns=list("abcde"))
        model = NaiveBayes(families="classical", evidence_weights=None).fit(frame, Y)
        assert model.n_features_in_ == 5
        assert model.feature_names_in_.tolist() == list("abcde")
        assert model.classes_.tolist() == [0, 1, 2]
