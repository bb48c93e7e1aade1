"""Calibrated classifiers: citizens of scikit-learn that agree with its own, and mend overconfident models."""

from __future__ import annotations

import json
import pickle
from hashlib import sha256
from typing import ClassVar
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn_checks import estimator_checks

import likely
from likely import Calibrated, NaiveBayes
from likely.calibrate import isotonic
from likely.calibrate.classifier_scores import scores_of
from likely.errors import LikelyError
from likely.score import log_loss

METHODS = ["means", "logistic", "beta", "isotonic", "bins", "temperature"]


@estimator_checks(
    Calibrated(NaiveBayes(families="classical", evidence_weights=None), cv=2),
    rarely=[Calibrated(cv=2), Calibrated(LogisticRegression(), "isotonic", cv=2)],
)
def test_estimator_checks(estimator, check):
    check(estimator)


def doubled(n: int, g: int = 2, seed: int = 0):
    """Rows of g classes with one true column, which is there six times."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, g, n)
    return np.repeat((rng.normal(size=n) + y)[:, None], 6, axis=1), y


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("g", [2, 3])
def test_platt_as_in_sklearn(g, weighted):
    """On a model whose scores both read alike; folds are the same."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, g, 200)
    X = rng.normal(size=(200, g)) + 1.5 * np.eye(g)[y]
    weight = rng.integers(1, 4, 200) if weighted else None
    folds = StratifiedKFold(4)
    peer = CalibratedClassifierCV(LinearSVC(), method="sigmoid", cv=folds, ensemble=False)
    peer.fit(X, y, sample_weight=weight)
    ours = Calibrated(LinearSVC(), "logistic", cv=folds).fit(X, y, sample_weight=weight)
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X), abs=2e-5)


def test_isotonic_as_in_sklearn():
    X, y = doubled(300)
    folds = StratifiedKFold(5)
    peer = CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=folds, ensemble=False).fit(X, y)
    ours = Calibrated(GaussianNB(), "isotonic", cv=folds).fit(X, y)
    # Ours smooths, and interpolates over log-odds: the same where many rows share a segment.
    assert np.abs(ours.predict_proba(X) - peer.predict_proba(X)).mean() < 0.03


def test_isotonic_without_smoothing_as_in_sklearn_to_the_last_digits():
    X, y = doubled(300)
    folds = StratifiedKFold(5)
    peer = CalibratedClassifierCV(LinearSVC(), method="isotonic", cv=folds, ensemble=False).fit(X, y)
    unseen = cross_val_predict(LinearSVC(), X, y, cv=folds, method="decision_function")
    ours = isotonic(y, unseen, smoothing=None)(LinearSVC().fit(X, y).decision_function(X))
    assert ours == pytest.approx(peer.predict_proba(X)[:, 1], abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("g", [2, 3])
def test_every_method_mends_a_model_that_counts_evidence_six_times(method, g):
    X, y = doubled(1500, g)
    new, truth = doubled(1500, g, seed=1)
    plain = log_loss(
        truth, NaiveBayes(families="classical", evidence_weights=None).fit(X, y).predict_proba(new)
    )
    mended = Calibrated(NaiveBayes(families="classical", evidence_weights=None), method).fit(X, y)
    p = mended.predict_proba(new)
    assert p.sum(axis=1) == pytest.approx(1, abs=1e-12)
    loss = log_loss(truth, p)
    assert plain - loss > 4 * (plain.standard_error + loss.standard_error)
    # The best there is: the same column once.
    best = log_loss(
        truth,
        NaiveBayes(families="classical", evidence_weights=None).fit(X[:, :1], y).predict_proba(new[:, :1]),
    )
    assert loss < best + 0.1


@pytest.mark.parametrize("method", [m for m in METHODS if m != "bins"])
@pytest.mark.parametrize(
    "model", [GaussianNB(), LinearSVC(), RandomForestClassifier(5, random_state=0)], ids=str
)
def test_no_pair_of_rows_is_reversed(model, method):
    X, y = doubled(200)
    found = Calibrated(model, method, cv=3).fit(X, y)
    before, after = scores_of(found.model_, X, np.array([0, 1])), found.predict_log_proba(X)
    order = np.argsort(before[:, 1] - before[:, 0], kind="stable")
    assert (np.diff((after[:, 1] - after[:, 0])[order]) >= -1e-12).all()


class Backwards(GaussianNB):
    """Has its classes in another order than everybody else."""

    def fit(self, X, y):
        super().fit(X, y)
        self.classes_ = self.classes_[::-1]
        return self

    def predict_log_proba(self, X):
        return super().predict_log_proba(X)[:, ::-1]


def test_classes_are_known_by_their_names_and_not_by_their_places():
    X, y = doubled(60)
    ours, peer = (Calibrated(model, "none", cv=2).fit(X, y) for model in (Backwards(), GaussianNB()))
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X), abs=1e-12)


class TestAuto:
    def test_takes_the_best_on_unseen_rows(self):
        X, y = doubled(800)
        model = Calibrated(NaiveBayes(families="classical", evidence_weights=None)).fit(X, y)
        assert set(model.log_losses_) == {"none", "logistic", "beta", "isotonic"}
        assert model.method_ == min(model.log_losses_, key=model.log_losses_.get) != "none"
        assert list(model.log_losses_) == sorted(model.log_losses_, key=model.log_losses_.get)

    def test_leaves_a_good_model_nearly_alone(self):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 4000)
        X = rng.normal(size=(4000, 2)) + y[:, None]
        plain, model = LogisticRegression().fit(X, y), Calibrated(LogisticRegression()).fit(X, y)
        assert np.abs(model.predict_proba(X) - plain.predict_proba(X)).max() < 0.03

    def test_of_scores_without_probabilities(self):
        X, y = doubled(200, 3)
        model = Calibrated(RidgeClassifier()).fit(X, y)
        assert set(model.log_losses_) == {"temperature", "logistic", "isotonic"}
        with pytest.raises(LikelyError, match="no probabilities that could stay"):
            Calibrated(RidgeClassifier(), "none").fit(X, y)

    def test_another_method_forgets_the_comparison(self):
        X, y = doubled(100)
        model = Calibrated(NaiveBayes(families="classical", evidence_weights=None)).fit(X, y)
        assert not hasattr(model.set_params(method="beta").fit(X, y), "log_losses_")


class TestTables:
    def test_any_frame_and_the_name_of_the_target(self):
        people = likely.read("titanic", into="pandas")
        by_name = Calibrated(NaiveBayes(families="classical", evidence_weights=None), "logistic").fit(
            people, "survived"
        )
        X, y = people.drop(columns="survived"), people["survived"]
        apart = Calibrated(NaiveBayes(families="classical", evidence_weights=None), "logistic").fit(X, y)
        as_dict = {name: X[name].to_numpy() for name in X}
        third = Calibrated(NaiveBayes(families="classical", evidence_weights=None), "logistic").fit(
            as_dict, y
        )
        assert (by_name.predict_proba(X) == apart.predict_proba(X)).all()
        assert third.predict_proba(as_dict) == pytest.approx(apart.predict_proba(X), abs=1e-12)
        assert by_name.feature_names_in_.tolist() == ["class", "sex", "age"]
        assert set(apart.predict(X)) == {"no", "yes"}

    def test_certain_forests(self):
        """Probabilities of exactly 0 and 1 do not make the loss infinite."""
        X, y = doubled(300)
        forest = RandomForestClassifier(5, random_state=0)
        for method in METHODS:
            model = Calibrated(forest, method, cv=2).fit(pd.DataFrame(X).set_axis(list("abcdef"), axis=1), y)
            new, truth = doubled(200, seed=2)
            p = model.predict_proba(pd.DataFrame(new, columns=list("abcdef")))
            assert np.isfinite(log_loss(truth, p))

    def test_prefit(self):
        X, y = doubled(400)
        fitted = GaussianNB().fit(X[:200], y[:200])
        model = Calibrated(fitted, "logistic", cv="prefit").fit(X[200:], y[200:])
        assert model.model_ is fitted
        assert log_loss(y, model.predict_proba(X)) < log_loss(y, fitted.predict_proba(X))

    def test_prefit_on_rows_without_some_of_the_classes(self):
        X, y = doubled(300, 3)
        model = NaiveBayes(families="classical", evidence_weights=None).fit(
            X[:200], np.array(["a", "b", "c"])[y[:200]]
        )
        new, labels = X[200:], np.array(["a", "b", "c"])[y[200:]]
        two = labels != "a"
        found = Calibrated(model, "temperature", cv="prefit").fit(new[two], labels[two])
        assert found.classes_.tolist() == ["a", "b", "c"]
        assert (found.predict(new) == model.predict(new)).all()
        with pytest.raises(LikelyError, match="'d', which is none of the classes"):
            Calibrated(model, cv="prefit").fit(new, np.where(two, labels, "d"))

    def test_prefit_of_what_is_not_fitted(self):
        with pytest.raises(NotFittedError, match="GaussianNB is not fitted"):
            Calibrated(GaussianNB(), cv="prefit").fit(*doubled(20))

    def test_pickle_and_clone(self):
        X, y = doubled(100, 3)
        model = Calibrated(NaiveBayes(prior=0.5, families="classical", evidence_weights=None)).fit(X, y)
        assert (pickle.loads(pickle.dumps(model)).predict_proba(X) == model.predict_proba(X)).all()
        assert clone(model).get_params()["model__prior"] == 0.5


class TestFiles:
    def test_a_model_of_another_library_is_refused(self, tmp_path):
        model = Calibrated(GaussianNB(), "beta").fit(*doubled(60))
        with pytest.raises(
            LikelyError, match=r"the GaussianNB inside cannot be held.*calibrate a model of likely"
        ):
            model.save(tmp_path / "a")
        with pytest.raises(NotFittedError):
            Calibrated().save(tmp_path / "a")
        assert not list(tmp_path.iterdir())

    def test_a_prefit_model_is_in_the_file_once_and_goes_on(self, tmp_path):
        X, y = doubled(200)
        fitted = NaiveBayes(families="classical", evidence_weights=None).fit(X, y)
        model = Calibrated(fitted, "beta", cv="prefit").fit(X, y)
        model.save(tmp_path / "a.likely")
        assert model.model is fitted
        again = likely.load(tmp_path / "a.likely")
        assert again.model is again.model_
        assert (again.fit(X, y).predict_proba(X) == model.predict_proba(X)).all()
        assert (
            again.with_base_rate("uniform").predict_proba(X)
            == model.with_base_rate("uniform").predict_proba(X)
        ).all()

    LIES: ClassVar = {
        "falls": lambda r: r["calibrator"]["maps"][0].update(slope=-1.0),
        "longer-than-a-float": lambda r: r["calibrator"]["maps"][0].update(lowest=10**400),
        "no-map": lambda r: r["calibrator"].update(maps=[]),
        "another-map": lambda r: r["calibrator"]["maps"].__setitem__(0, r["target"]),
        "other-classes": lambda r: r["target"]["levels"].__setitem__(0, 5),
        "other-columns": lambda r: r.update(width=5),
        "no-model": lambda r: r.update(model=None),
        "not-fitted": lambda r: r["model"].update(record=None),
        "another-record": lambda r: r.update({"is": "Record"}),
        "no-method": lambda r: r.update(method="magic"),
        "no-rows": lambda r: r["class_counts"].update({"$values": [0.0, 0.0]}),
        "not-of-scores": lambda r: r["calibrator"].update(odds=False),
    }

    @pytest.mark.parametrize("lie", LIES)
    def test_a_lie_under_right_checksums_is_refused(self, lie, tmp_path):
        path = tmp_path / "a.likely"
        Calibrated(NaiveBayes(families="classical", evidence_weights=None), "logistic").fit(
            *doubled(60)
        ).save(path)
        with ZipFile(path) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        state = json.loads(parts["model.json"])
        self.LIES[lie](state["record"])
        parts["model.json"] = json.dumps(state).encode()
        parts["model.json.sha256"] = f"{sha256(parts['model.json']).hexdigest()}  model.json\n".encode()
        with ZipFile(path, "w") as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
        with pytest.raises(LikelyError, match="cannot load"):
            likely.load(path)

    def test_in_words(self):
        model = Calibrated(NaiveBayes(families="classical", evidence_weights=None)).fit(*doubled(100))
        said = str(model.describe())
        assert said.startswith(f"Calibrated NaiveBayes of 'y': {model.method_}, from 100 rows")
        assert said.endswith(str(model.model_.describe()))
        assert list(model.describe().to_dict()["log_losses"]) == list(model.log_losses_)
        assert "GaussianNB()" in str(Calibrated(GaussianNB()).fit(*doubled(100)).describe())


class TestBaseRate:
    @pytest.mark.parametrize("g", [2, 3])
    def test_reweighs_the_probabilities(self, g):
        X, y = doubled(300, g)
        model = Calibrated(NaiveBayes(families="classical", evidence_weights=None), "isotonic").fit(X, y)
        new = dict(zip(range(g), [0.7, 0.3] if g == 2 else [0.5, 0.3, 0.2], strict=True))
        p = model.predict_proba(X) * np.array(list(new.values())) / (np.bincount(y) / len(y))
        moved = model.with_base_rate(new)
        assert moved.predict_proba(X) == pytest.approx(p / p.sum(axis=1, keepdims=True), abs=1e-12)
        assert model.base_rate is None

    def test_refused(self):
        X, y = doubled(60)
        model = Calibrated(NaiveBayes(families="classical", evidence_weights=None), "logistic").fit(X, y)
        with pytest.raises(LikelyError, match="adds up to"):
            model.with_base_rate({0: 0.9, 1: 0.9})


class TestOddTables:
    @pytest.mark.parametrize("method", ["auto", *METHODS])
    @pytest.mark.parametrize(
        "y", [[0, 0, 0, 0], [0, 1, 0, 1], [0, 1, 2, 3], [0, 0, 0, 1]], ids=["one", "two", "alone", "rare"]
    )
    def test_few_rows(self, method, y):
        X = np.array([[1.0], [2.0], [3.0], [4.0]])
        p = (
            Calibrated(NaiveBayes(families="classical", evidence_weights=None), method)
            .fit(X, y)
            .predict_proba(X)
        )
        assert np.isfinite(p).all()
        assert p.sum(axis=1) == pytest.approx(1)

    @pytest.mark.parametrize(
        ("options", "match"),
        [({"method": "magic"}, "the methods are"), ({"cv": 1}, "2 or more"), ({"cv": True}, "2 or more")],
    )
    def test_refused(self, options, match):
        with pytest.raises(LikelyError, match=match):
            Calibrated(NaiveBayes(families="classical", evidence_weights=None), **options).fit(*doubled(20))

    def test_a_model_without_scores(self):
        class Mute(NaiveBayes):
            predict_proba = property()  # type: ignore[assignment]

        with pytest.raises(LikelyError, match="neither predict_proba nor decision_function"):
            Calibrated(Mute()).fit(*doubled(20))


def test_the_story_is_that_of_the_model_inside_and_one_step_more():
    people = likely.read("titanic")
    model = likely.Calibrated(
        likely.NaiveBayes(families="classical", evidence_weights=None), method="logistic"
    ).fit(people, "survived")
    assert model.story().steps[:-1] == model.model_.story().steps
    assert "calibrated (logistic)" in model.story().steps[-1]
    foreign = likely.Calibrated(GaussianNB(), method="logistic").fit(np.arange(40.0)[:, None], [0, 1] * 20)
    with pytest.raises(likely.LikelyError, match="GaussianNB inside does not say"):
        foreign.story()
