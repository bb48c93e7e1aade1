"""Cross-validation: every row predicted once, by a model that has not seen it."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import likely
from likely.compare import cross_validate
from likely.errors import LikelyError, LikelyWarning
from likely.infer.folds import stratified
from likely.score import log_loss


@pytest.mark.parametrize("folds", [2, 5, 7])
def test_folds_are_even_in_size_and_in_every_class(folds):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, 83)
    fold = stratified(codes, folds, rng)
    for rows in (np.ones(83, bool), *(codes == label for label in range(4))):
        sizes = np.bincount(fold[rows], minlength=folds)
        assert sizes.max() - sizes.min() <= 1


class Memory:
    """A classifier that is certain of rows it has seen, and otherwise gives the base rate."""

    def __init__(self, log=None):
        self.log = log

    def get_params(self, deep=True):
        return {"log": self.log}

    def fit(self, X, y):
        self.seen = set(map(tuple, X.tolist()))
        self.classes_, counts = np.unique(y, return_counts=True)
        self.rate = counts / counts.sum()
        return self

    def predict_proba(self, X):
        rows = set(map(tuple, X.tolist()))
        assert not rows & self.seen
        assert self.seen | rows == {(float(i),) for i in range(60)}
        self.log.append(rows)
        return np.tile(self.rate, (len(X), 1))


def test_every_row_is_predicted_once_and_unseen(monkeypatch):
    X, y = np.arange(60.0)[:, None], np.arange(60) % 3
    log: list[set[tuple[float]]] = []
    monkeypatch.setattr("sklearn.base.clone", lambda model: Memory(log))  # the log is shared
    found = cross_validate(Memory(log), X, y, folds=4)
    assert sum(map(len, log)) == 60
    assert len(set.union(*log)) == 60
    assert found.rows.tolist() == list(range(60))
    assert found.log_loss == pytest.approx(math.log(3))
    assert found.base_rate["AUC"] == 0.5


def test_the_same_as_by_hand():
    people = likely.read("titanic", into="dict")
    found = cross_validate(likely.NaiveBayes(), people, "survived", folds=3, seed=5)
    codes = (people["survived"] == "yes").astype(int)
    fold = stratified(codes, 3, np.random.default_rng(5))
    p = np.empty((len(codes), 2))
    X = {name: column for name, column in people.items() if name != "survived"}
    for place in range(3):
        train = {name: column[fold != place] for name, column in X.items()}
        test = {name: column[fold == place] for name, column in X.items()}
        p[fold == place] = likely.NaiveBayes().fit(train, codes[fold != place]).predict_proba(test)
    assert found.probabilities == pytest.approx(p, abs=1e-15)
    expected = log_loss(codes, p)
    assert (float(found.log_loss), found.log_loss.standard_error) == pytest.approx(
        (float(expected), expected.standard_error)
    )


@pytest.mark.filterwarnings("ignore:a lazy table of")
def test_any_library_gives_the_same():
    rows = likely.read("play_tennis", into="dict")
    expected = cross_validate(likely.NaiveBayes(), rows, "play").to_dict()
    lists = {name: column.tolist() for name, column in rows.items()}
    frame = pd.DataFrame(rows)
    frame.index = range(100, 114)
    for table in (lists, frame, pl.DataFrame(lists), pl.DataFrame(lists).lazy(), pa.table(lists)):
        assert cross_validate(likely.NaiveBayes(), table, "play").to_dict() == expected


@pytest.mark.parametrize(
    "make", [np.asarray, sparse.csr_array, sparse.coo_array], ids=["dense", "csr", "coo"]
)
def test_models_of_sklearn(make):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 150)
    X = np.round(rng.normal(size=(150, 4)) + y[:, None] * (1, 0, 0, 0.5), 2)
    model = LogisticRegression() if make is not np.asarray else GaussianNB()
    found = cross_validate(model, make(X), np.array(list("abc"))[y])
    assert found.classes == ("a", "b", "c")
    assert found.log_loss < found.base_rate["log loss"] - 2 * found.log_loss.standard_error
    assert not hasattr(model, "classes_")  # the model itself is left alone


def test_probabilities_too_small_for_a_float_have_a_finite_loss():
    x = np.r_[np.zeros(10), np.ones(10), 1e5][:, None] + np.linspace(0, 1e-3, 21)[:, None]
    found = cross_validate(GaussianNB(), x, [0] * 10 + [1] * 11, folds=3)
    assert found.probabilities.min() == 0
    assert 1e6 < found.log_loss < math.inf


def test_deterministic_and_by_seed():
    rows = likely.read("titanic")
    one, two, other = (cross_validate(likely.NaiveBayes(), rows, "survived", seed=s) for s in (1, 1, 2))
    assert one.to_dict() == two.to_dict()
    assert one.to_dict() != other.to_dict()


def test_repeats_are_means():
    rows = likely.read("play_tennis")
    done = []
    both = cross_validate(
        likely.NaiveBayes(), rows, "play", repeats=3, folds=2, tell=lambda *now: done.append(now)
    )
    assert done == [(i, 6) for i in range(1, 7)]
    assert both.log_loss.n == 14
    assert "2-fold cross-validation 3 times, 14 rows" in str(both)


def test_weights_count_in_learning_and_in_scoring():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    X = rng.normal(size=(60, 2)) + y[:, None]
    weight = np.where(np.arange(60) < 40, 1.0, 0.0)
    found = cross_validate(GaussianNB(), X, y, weight=weight)
    assert found.rows.tolist() == list(range(40))
    assert found.log_loss == pytest.approx(cross_validate(GaussianNB(), X[:40], y[:40]).log_loss)


def test_a_single_row_of_a_class_is_learnt_from_only():
    X, y = {"x": [1.0, 2.0, 3.0, 4.0, 9.0]}, ["a", "a", "b", "b", "c"]
    with pytest.warns(LikelyWarning, match="class 'c' has a single row"):
        found = cross_validate(likely.NaiveBayes(), X, y, folds=2)
    assert found.rows.tolist() == [0, 1, 2, 3]
    assert math.isfinite(found.log_loss)


def test_one_class():
    found = cross_validate(likely.NaiveBayes(), {"x": [1.0, 2.0, 3.0]}, ["a"] * 3, folds=3)
    assert (found.auc, found.log_loss, found.accuracy) == (None, 0, 1)
    assert "AUC" not in str(found)
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("more", "said"),
    [({"folds": 1}, "2 or more"), ({"folds": 9}, "fewer folds"), ({"repeats": 0}, "1 or more")],
    ids=["one", "many", "never"],
)
def test_refused_with_a_remedy(more, said):
    with pytest.raises(LikelyError, match=said):
        cross_validate(likely.NaiveBayes(), {"x": [1.0, 2.0, 3.0, 4.0]}, [0, 0, 1, 1], **more)


def test_a_target_by_the_wrong_name():
    with pytest.raises(LikelyError, match="did you mean 'play'"):
        cross_validate(likely.NaiveBayes(), likely.read("play_tennis"), "plays")


def test_real_data(shared_data):
    classical = likely.NaiveBayes(families="classical", evidence_weights=None)
    iris = cross_validate(classical, likely.read(shared_data / "iris.csv"), "species")
    assert iris.accuracy == pytest.approx(0.953, abs=0.02)  # naive Bayes on iris, as published everywhere
    assert 0.98 < iris.auc < 1
