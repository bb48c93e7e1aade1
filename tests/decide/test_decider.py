"""Rules of decision: the worked figures, brute force over thresholds and weights, and costs that are paid."""

from __future__ import annotations

from itertools import product
from typing import ClassVar

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn_checks import estimator_checks

from likely import Calibrated, Decider, NaiveBayes
from likely.decide.recalibrate import class_weights
from likely.decide.rules import cost_matrix
from likely.errors import LikelyError
from likely.score import roc

COSTS = {("ham", "spam"): 10, ("spam", "ham"): 1}


def emails():
    """Words with P(spam) = 1/2, 2/3, 1/3 and P(ham) = 2/3, 1/3, 1/3, as in Flach's figures."""
    words = {"a": (3, 4), "b": (4, 2), "c": (2, 2)}
    table = {name: [i < s for i in range(6)] + [i < h for i in range(6)] for name, (s, h) in words.items()}
    return table, ["spam"] * 6 + ["ham"] * 6


def draw(n: int = 300, g: int = 2, seed: int = 0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, g, n)
    return rng.normal(size=(n, 2)) + y[:, None], y


@estimator_checks(Decider(cv=2), rarely=[Decider(GaussianNB(), "recalibrated", cv=2)])
def test_estimator_checks(estimator, check):
    """Of deciders that decide about every row: None, where one does not, is no label to scikit-learn."""
    check(estimator)


class TestWorkedFigures:
    """The words a and b but not c: likelihood ratio 3/2, with prior odds 1/2 posterior odds 3/4."""

    MAIL: ClassVar = {"a": [True], "b": [True], "c": [False]}

    def model(self):
        return NaiveBayes(
            prior=None, base_rate={"spam": 1 / 3, "ham": 2 / 3}, families="classical", evidence_weights=None
        ).fit(*emails())

    def test_odds(self):
        model = self.model()
        ham, spam = model.predict_proba(self.MAIL)[0]
        assert spam / ham == pytest.approx(3 / 4)
        even = model.with_base_rate("uniform").predict_proba(self.MAIL)[0]
        assert even[1] / even[0] == pytest.approx(3 / 2)

    @pytest.mark.parametrize(
        ("options", "called"),
        [
            ({"rule": "map"}, "ham"),
            ({"rule": "ml"}, "spam"),
            ({"rule": "threshold", "threshold": 0.4}, "spam"),
            ({"rule": "threshold", "threshold": 0.5}, "ham"),
            ({"rule": "threshold", "threshold": 0.57, "positive": "ham"}, "ham"),
            ({"costs": "spam->ham=2"}, "spam"),
            ({"costs": COSTS}, "ham"),
            ({"abstain": 0.4}, None),
            ({"abstain": 0.45}, "ham"),
        ],
    )
    def test_decisions(self, options, called):
        assert Decider(self.model(), **options).predict(self.MAIL).tolist() == [called]

    def test_recalibrated_learns_the_better_weights(self):
        """A wrong base rate is made up for by weights: half of the rows are spam."""
        table, y = emails()
        model = self.model()
        learnt = Decider(model, "recalibrated").fit(table, y)
        wrong, best = Decider(model, "map").cost(table, y), learnt.cost(table, y)
        assert best <= wrong
        assert learnt.predict(self.MAIL).tolist() == ["spam"]


class TestRecalibrated:
    @pytest.mark.parametrize("costs", [None, {(0, 1): 10}, {(1, 0): 4}])
    def test_two_classes_have_the_best_roc_point(self, costs):
        X, y = draw()
        model = GaussianNB().fit(X[:100], y[:100])
        found = Decider(model, "recalibrated", costs=costs).fit(X[100:], y[100:])
        matrix = cost_matrix(costs, [0, 1])
        best = roc(y[100:], model.predict_proba(X[100:])[:, 1]).best(
            false_positive=matrix[0, 1], false_negative=matrix[1, 0]
        )
        assert float(found.cost(X[100:], y[100:])) == pytest.approx(best.cost)

    def test_three_classes_against_a_grid_of_weights(self):
        rng = np.random.default_rng(1)
        y = rng.integers(0, 3, 60)
        log_p = np.log(rng.dirichlet(np.ones(3), 60)) + 0.8 * np.eye(3)[y]
        costs, weight = np.array([[0, 1, 5], [2, 0, 1], [1, 3, 0.0]]), rng.integers(1, 3, 60).astype(float)

        def cost(weights):
            return weight @ costs[y, (log_p + weights).argmax(axis=1)]

        found = class_weights(log_p, y, costs, weight)
        grid = min(cost(np.array([0, a, b])) for a, b in product(np.linspace(-4, 4, 81), repeat=2))
        assert cost(found) <= 1.1 * grid
        for place, other in product(range(3), np.linspace(-6, 6, 241)):
            one = found.copy()
            one[place] = other
            assert cost(found) <= cost(one) + 1e-9

    def test_never_worse_than_the_most_probable_class(self):
        for seed in range(20):
            rng = np.random.default_rng(seed)
            y, p = rng.integers(0, 4, 40), rng.dirichlet(np.ones(4), 40)
            p[rng.random((40, 4)) < 0.1] = 0
            with np.errstate(divide="ignore"):
                log_p = np.log(p)
            found = class_weights(log_p, y, 1 - np.eye(4), np.ones(40))
            called = (log_p + found).argmax(axis=1)
            assert (called != y).sum() <= (log_p.argmax(axis=1) != y).sum()


class TestCosts:
    def test_the_lowest_expected_cost_of_all_calls(self):
        X, y = draw(g=3)
        model = NaiveBayes(families="classical", evidence_weights=None).fit(X, y)
        costs = {(0, 1): 2, (0, 2): 7, (1, 0): 0.5, (2, 0): 3}
        matrix = cost_matrix(costs, [0, 1, 2])
        expected = model.predict_proba(X) @ matrix
        decider = Decider(model, costs=costs)
        assert (decider.predict(X) == expected.argmin(axis=1)).all()
        cost = decider.expected_cost(X)
        assert float(cost) == pytest.approx(expected.min(axis=1).mean())
        assert cost.standard_error == pytest.approx(expected.min(axis=1).std(ddof=1) / np.sqrt(len(y)))
        paid = matrix[y, decider.predict(X)]
        assert float(decider.cost(X, y)) == pytest.approx(paid.mean())

    def test_texts_and_pairs_are_the_same(self):
        assert (
            cost_matrix(COSTS, ["ham", "spam"])
            == cost_matrix("spam->ham=1, ham -> spam = 10", ["ham", "spam"])
        ).all()
        assert cost_matrix("1->0=2.5", [0, 1]).tolist() == [[0, 1], [2.5, 0]]

    @pytest.mark.parametrize(
        ("costs", "match"),
        [
            ("ham->spam", "is not understood"),
            ("ham->spam=ten", "is not understood"),
            ("ham->spma=1", "did you mean 'spam'"),
            ({("ham", "spam"): float("nan")}, "finite number"),
            ({"ham": 1}, "by pairs of true and called"),
        ],
    )
    def test_refused(self, costs, match):
        with pytest.raises(LikelyError, match=match):
            cost_matrix(costs, ["ham", "spam"])


class TestAbstention:
    def test_at_a_cost(self):
        X, y = draw()
        model = NaiveBayes(families="classical", evidence_weights=None).fit(X, y)
        decider = Decider(model, abstain=0.2)
        alone = model.predict_proba(X).max(axis=1) < 0.8
        called = decider.predict(X)
        assert (np.array([c is None for c in called]) == alone).all()
        paid = np.where(alone, 0.2, model.predict(X) != y)
        assert float(decider.cost(X, y)) == pytest.approx(paid.mean())
        assert float(decider.cost(X, y)) < float(Decider(model).cost(X, y)) + 0.02
        assert decider.expected_cost(X) <= Decider(model).expected_cost(X)

    @pytest.mark.parametrize("share", [0.0, 0.5, 0.9, 1.0])
    def test_at_a_coverage(self, share):
        X, y = draw(1000)
        decider = Decider(
            NaiveBayes(families="classical", evidence_weights=None).fit(X, y), coverage=share
        ).fit(X, y)
        decided = [c is not None for c in decider.predict(X)]
        assert np.mean(decided) == pytest.approx(share, abs=0.002)

    def test_the_surest_rows_are_decided(self):
        X, y = draw(1000)
        model = NaiveBayes(families="classical", evidence_weights=None).fit(X, y)
        half = Decider(model, coverage=0.5).fit(X, y).predict(X)
        known = np.array([c is not None for c in half])
        assert (half[known] == y[known]).mean() > (model.predict(X) == y).mean()


class TestFitting:
    def test_a_model_that_is_not_fitted(self):
        X, y = draw()
        decider = Decider(LogisticRegression(), "recalibrated", costs={(0, 1): 5})
        with pytest.raises(NotFittedError, match="LogisticRegression is not fitted"):
            decider.predict(X)
        decider.fit(X, y)
        assert decider.cost(X, y) <= Decider(LogisticRegression().fit(X, y)).cost(X, y) * 5
        assert (decider.model_.coef_ == LogisticRegression().fit(X, y).coef_).all()

    def test_what_an_earlier_fit_learnt_is_forgotten(self):
        X, y = draw()
        decider = Decider(GaussianNB(), coverage=0.5).fit(X, y)
        plain = decider.set_params(coverage=None).fit(X, y)
        assert (plain.predict(X) == GaussianNB().fit(X, y).predict(X)).all()

    def test_labels_that_the_model_does_not_know(self):
        X, y = draw()
        with pytest.raises(LikelyError, match="7, which is none of the classes"):
            Decider(NaiveBayes(families="classical", evidence_weights=None).fit(X, y), coverage=0.5).fit(
                X, np.where(y == 1, 7, 0)
            )

    def test_by_the_name_of_a_column(self):
        table, y = emails()
        named = Decider(NaiveBayes(families="classical", evidence_weights=None), "map").fit(
            {**table, "kind": y}, "kind"
        )
        assert (
            named.predict(table)
            == NaiveBayes(families="classical", evidence_weights=None).fit(table, y).predict(table)
        ).all()

    def test_scores_without_probabilities(self):
        X, y = draw()
        with pytest.raises(LikelyError, match=r"Decider\(Calibrated\(model\)\)"):
            Decider(LinearSVC()).fit(X, y)
        assert Decider(Calibrated(LinearSVC()), costs={(0, 1): 3}).fit(X, y).predict(X).shape == (300,)

    def test_maximum_likelihood_needs_the_base_rate(self):
        X, y = draw()
        model = LogisticRegression().fit(X, y)
        with pytest.raises(LikelyError, match="trained_on="):
            Decider(model, "ml").predict(X)
        told = Decider(model, "ml", trained_on={0: 0.9, 1: 0.1}).predict(X)
        p = model.predict_proba(X) / [0.9, 0.1]
        assert (told == p.argmax(axis=1)).all()

    @pytest.mark.parametrize(
        ("options", "match"),
        [
            ({"rule": "magic"}, "the rules are"),
            ({"rule": "recalibrated"}, "learns its weights"),
            ({"coverage": 0.5}, "call fit"),
            ({"coverage": 0.5, "abstain": 1}, "give one of them"),
            ({"rule": "threshold", "threshold": 2}, "from 0 to 1"),
        ],
    )
    def test_refused(self, options, match):
        X, y = draw()
        with pytest.raises(LikelyError, match=match):
            Decider(NaiveBayes(families="classical", evidence_weights=None).fit(X, y), **options).predict(X)

    def test_one_class(self):
        model = NaiveBayes(families="classical", evidence_weights=None).fit([[1.0], [2.0]], ["a", "a"])
        decider = Decider(model, "recalibrated").fit([[1.0], [2.0]], ["a", "a"])
        assert decider.predict([[3.0]]).tolist() == ["a"]
        assert float(decider.expected_cost([[3.0]])) == 0.0
