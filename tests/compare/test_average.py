"""Averaging models: weights by evidence, by log score and by stacking."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import gammaln
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn_checks import estimator_checks

import likely
from likely import Average, LikelyError, NaiveBayes
from likely.compare.weights import posterior_weights, stacked

RNG = np.random.default_rng(11)
Y = RNG.integers(0, 2, 150)
X = RNG.normal(size=(150, 3)) + 0.8 * Y[:, None]
TENNIS = likely.read("play_tennis", into="dict")


@estimator_checks(
    Average([NaiveBayes(), NaiveBayes(prior=10.0)], weights="evidence"),
    rarely=[
        Average({"weak": NaiveBayes(prior=0.1), "strong": NaiveBayes(prior=10.0)}, weights="stack", folds=2),
        Average([NaiveBayes(), NaiveBayes(estimate="predictive")], weights="log_score", folds=2),
    ],
)
def test_estimator_checks(estimator, check):
    check(estimator)


class Fixed(ClassifierMixin, BaseEstimator):
    """Says + with this probability, whatever the row."""

    def __init__(self, plus=0.5, log_evidence=0.0):
        self.plus = plus
        self.log_evidence = log_evidence

    def fit(self, X, y):
        self.classes_, self.log_evidence_ = np.unique(y), self.log_evidence
        return self

    def predict_proba(self, X):
        return np.tile([self.plus, 1 - self.plus], (len(X), 1))


class TestFigures:
    def test_the_vote_overturns_the_best(self):
        """MISSION H4: .4, .3, .3 with votes +, -, -: P(-) = .6."""
        odds = np.log([0.4, 0.3, 0.3]) - 100
        members = [Fixed(float(plus), e) for plus, e in zip((1, 0, 0), odds, strict=True)]
        found = Average(members, weights="evidence").fit(np.zeros((2, 1)), ["+", "-"])
        assert found.weights_ == pytest.approx([0.4, 0.3, 0.3])
        assert found.predict_proba([[0.0]]) == pytest.approx(np.array([[0.4, 0.6]]))
        assert found.predict([[0.0]]).tolist() == ["-"]
        best = found.members_[int(np.argmax(found.weights_))]
        assert best.predict_proba([[0.0]])[0].tolist() == [1.0, 0.0]

    def test_members_may_say_93_percent(self):
        members = [Fixed(0.93, np.log(0.5)), Fixed(0.2, np.log(0.5))]
        found = Average(members, weights="evidence").fit(np.zeros((2, 1)), ["+", "-"])
        assert found.predict_proba([[0.0]])[0, 0] == pytest.approx((0.93 + 0.2) / 2)


class TestEvidence:
    def test_of_counts_by_hand(self):
        """Dirichlet(1, ..., 1) integrated out of the classes, and of every column in every class."""

        def sequence(counts):
            counts = np.asarray(counts, float)
            return gammaln(len(counts)) - gammaln(len(counts) + counts.sum()) + gammaln(counts + 1).sum()

        frame = pd.DataFrame(TENNIS)
        total = sequence(frame["play"].value_counts())
        for column in ("outlook", "temperature", "humidity", "windy"):
            levels = frame[column].unique()
            for _, part in frame.groupby("play"):
                total += sequence(part[column].value_counts().reindex(levels, fill_value=0))
        found = Average([NaiveBayes()], weights="evidence").fit(TENNIS, "play")
        assert found.scores_ == pytest.approx([total], rel=1e-12)

    def test_given_base_rate_is_a_factor(self):
        rate = {"yes": 0.75, "no": 0.25}
        learnt, given = NaiveBayes(), NaiveBayes(base_rate=rate)
        found = Average([learnt, given], weights="evidence").fit(TENNIS, "play")
        classes = gammaln(2) - gammaln(16) + gammaln(10) + gammaln(6)
        difference = 9 * np.log(0.75) + 5 * np.log(0.25) - classes
        assert found.scores_[1] - found.scores_[0] == pytest.approx(difference)
        assert found.weights_[1] / found.weights_[0] == pytest.approx(np.exp(difference))

    def test_prior_that_generated_the_data_wins(self):
        """Levels drawn from a Dirichlet(20, 20, 20) are described better by it than by Dirichlet(1, 1, 1)."""
        rng = np.random.default_rng(2)
        chances = rng.dirichlet([20, 20, 20], (2, 12))
        y = rng.integers(0, 2, 300)
        cells = np.array([[rng.choice(3, p=chances[c, j]) for j in range(12)] for c in y])
        table = {f"x{j}": [f"level {v}" for v in cells[:, j]] for j in range(12)}
        found = Average([NaiveBayes(prior=20.0), NaiveBayes()], weights="evidence").fit(table, y)
        assert found.weights_[0] > 0.99

    @pytest.mark.parametrize(
        ("members", "said"),
        [
            ([NaiveBayes(), GaussianNB()], "'GaussianNB' has no evidence"),
            ([NaiveBayes(), NaiveBayes(prior=None)], "'NaiveBayes 2' has none"),
            ([NaiveBayes(), NaiveBayes(estimate="ml")], "'NaiveBayes 2' has none"),
            ([NaiveBayes(), NaiveBayes(families="kernel")], "'NaiveBayes 2' has none"),
            ([NaiveBayes(), NaiveBayes(kinds="categorical")], "column 'x0' is"),
        ],
    )
    def test_only_of_the_same_data(self, members, said):
        with pytest.raises(LikelyError, match=said):
            Average(members, weights="evidence").fit(X.round(1), Y)


class TestWeights:
    def test_log_score_is_the_probability_of_unseen_rows(self):
        members = {"ours": NaiveBayes(), "theirs": GaussianNB(var_smoothing=0.1)}
        found = Average(members).fit(X, Y)
        logs = [-150 * likely.compare.cross_validate(m, X, Y).log_loss for m in members.values()]
        assert found.scores_ == pytest.approx(logs)
        assert found.weights_ == pytest.approx(np.exp(logs - np.logaddexp(*logs)))

    def test_stacking_is_the_best_average(self):
        rng = np.random.default_rng(5)
        logs, weight = np.log(rng.uniform(0.05, 0.95, (60, 3))), rng.uniform(0, 2, 60)
        found = stacked(logs, weight)

        def loss(free):
            shares = np.exp(free) / np.exp(free).sum()
            return -weight @ np.log(np.exp(logs) @ shares)

        peer = min((minimize(loss, start, tol=1e-12) for start in np.eye(3)), key=lambda run: run.fun)
        assert -weight @ np.log(np.exp(logs) @ found) <= peer.fun + 1e-6
        assert found.sum() == pytest.approx(1)

    def test_stacking_keeps_what_complements(self):
        """Two members that each see one of two columns: together they are better than either."""
        rng = np.random.default_rng(0)
        x = rng.normal(size=(400, 2))
        y = rng.random(400) < 1 / (1 + np.exp(-2 * x.sum(axis=1)))
        frame = pd.DataFrame(x, columns=["a", "b"])
        from sklearn.compose import make_column_transformer
        from sklearn.pipeline import make_pipeline

        members = {
            name: make_pipeline(make_column_transformer(("passthrough", [name])), LogisticRegression())
            for name in "ab"
        }
        found = Average(members, weights="stack").fit(frame, y)
        assert found.weights_.min() > 0.3
        one = Average(members, weights="log_score").fit(frame, y)
        assert one.weights_.max() > 0.9

    def test_impossible_rows(self):
        assert posterior_weights(np.array([-np.inf, -np.inf])).tolist() == [0.5, 0.5]
        assert posterior_weights(np.array([-1e6, -np.inf])).tolist() == [1.0, 0.0]
        assert stacked(np.full((3, 2), -np.inf), np.ones(3)).tolist() == [0.5, 0.5]
        assert stacked(np.array([[0.0, -np.inf], [-np.inf, 0.0]]), np.ones(2)) == pytest.approx([0.5, 0.5])

    def test_one_member_has_all(self):
        found = Average([NaiveBayes()]).fit(X, Y)
        assert found.weights_.tolist() == [1.0]
        assert found.predict_proba(X) == pytest.approx(NaiveBayes().fit(X, Y).predict_proba(X), abs=1e-15)


class TestFace:
    def test_average_of_probabilities(self):
        found = Average([("a", NaiveBayes()), ("b", GaussianNB())], weights="stack").fit(X, Y)
        parts = [member.predict_proba(X) for member in found.members_]
        expected = found.weights_[0] * parts[0] + found.weights_[1] * parts[1]
        assert found.predict_proba(X) == pytest.approx(expected, abs=1e-12)
        assert found.names_ == ("a", "b")
        assert list(found.describe().to_frame()) == ["member", "weight", "cross-validated log score"]
        assert "a" in str(found.describe())

    def test_tables_with_names(self):
        found = Average([NaiveBayes(), NaiveBayes(prior=5.0)], weights="evidence").fit(TENNIS, "play")
        assert found.n_features_in_ == 4
        assert found.names_ == ("NaiveBayes 1", "NaiveBayes 2")
        assert set(found.predict({name: TENNIS[name] for name in found.feature_names_in_})) == {"yes", "no"}

    @pytest.mark.parametrize(
        "outer",
        [Average([NaiveBayes()]), likely.Calibrated(cv=2), likely.Decider(cv=2)],
        ids=["average", "calibrated", "decider"],
    )
    def test_names_of_an_earlier_fit_are_forgotten(self, outer):
        model = clone(outer).fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
        assert model.feature_names_in_.tolist() == ["a", "b", "c"]
        assert not hasattr(model.fit(X, Y), "feature_names_in_")

    def test_pickle_and_clone(self):
        found = Average([NaiveBayes(), GaussianNB()]).fit(X, Y)
        assert (pickle.loads(pickle.dumps(found)).predict_proba(X) == found.predict_proba(X)).all()
        assert not hasattr(clone(found), "weights_")

    @pytest.mark.parametrize(
        ("model", "said"),
        [
            (Average(), "at least one"),
            (Average([NaiveBayes()], weights="best"), "weights='best'"),
            (Average([("a", NaiveBayes()), ("a", NaiveBayes())]), "different names"),
            (Average([LinearSVC()]), "no predict_proba"),
        ],
    )
    def test_refused(self, model, said):
        with pytest.raises(LikelyError, match=said):
            model.fit(X, Y)

    def test_too_few_rows(self):
        with pytest.raises(LikelyError, match="needs two rows of a class"):
            Average([NaiveBayes(), GaussianNB()]).fit(X[:2], [0, 1])
