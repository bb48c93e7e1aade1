"""Messy tables as they come, from file to answer."""

from __future__ import annotations

import numpy as np
import pytest
from seeds import first
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.preprocessing import OrdinalEncoder

import likely
from likely import NaiveBayes

FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


@pytest.mark.parametrize(
    ("name", "target", "accuracy"),
    [
        ("iris.csv", "species", 0.94),
        ("wine.csv", "class", 0.96),
        ("mushroom.csv", "class", 0.94),
        ("house_votes_84.csv", "Class", 0.89),
        ("soybean.csv", "class", 0.88),
        ("hepatitis.csv", "Class", 0.81),
        ("penguins.csv", "species", 0.95),
        ("breast_cancer_wdbc.csv", "diagnosis", 0.92),
        ("glass.csv", "Type", 0.45),
        ("credit_approval.csv", "class", 0.75),
    ],
)
@pytest.mark.parametrize("into", first(1, ["pandas", "polars"]))
def test_cross_validated(shared_data, name, target, accuracy, into):
    table = likely.read(shared_data / name, into=into)
    y = table[target].to_numpy()
    X = table.drop(columns=target) if into == "pandas" else table.drop(target)
    model = NaiveBayes(families="classical", evidence_weights=None)
    if into == "polars":  # scikit-learn's own indexing of the folds, by hand
        rows = np.arange(len(y))
        found = np.empty(len(y), object)
        for train, test in FOLDS.split(rows, y):
            found[test] = (
                NaiveBayes(families="classical", evidence_weights=None)
                .fit(X[train], y[train])
                .predict(X[test])
            )
    else:
        found = cross_val_predict(model, X, y, cv=FOLDS)
    assert (found == y).mean() >= accuracy


def test_adult(shared_data):
    """32,561 people with missing cells; the answer on the other 16,281."""
    train = likely.read(shared_data / "adult.csv.gz", into="polars")
    test = likely.read(shared_data / "adult_test.csv.gz", into="polars")
    model = NaiveBayes(families="classical", evidence_weights=None).fit(train, "income")
    found = model.predict_proba(test.drop("income"))
    assert np.isfinite(model.predict_log_proba(test.drop("income"))).all()
    y = test["income"].to_numpy()
    assert (model.classes_[found.argmax(axis=1)] == y).mean() > 0.82
    ledger = model.explain(test.drop("income").head(50))
    odds = np.sort(model.predict_log_proba(test.drop("income").head(50)), axis=1)
    size = np.abs(ledger.base) + np.abs(ledger.terms).sum(axis=1)
    assert (np.abs(ledger.total - (odds[:, 1] - odds[:, 0])) <= 1e-12 * size).all()


def test_same_as_scikit_learn_on_mushrooms(shared_data):
    table = likely.read(shared_data / "mushroom.csv", into="pandas").dropna(axis=1)
    X, y = table.drop(columns="class"), table["class"]
    codes = OrdinalEncoder().fit_transform(X)
    base = dict(y.value_counts(normalize=True))
    ours = (
        NaiveBayes(base_rate=base, families="classical", evidence_weights=None).fit(X, y).predict_log_proba(X)
    )
    theirs = CategoricalNB().fit(codes, y).predict_log_proba(codes)
    assert ours == pytest.approx(theirs, abs=1e-9)


def test_same_as_scikit_learn_on_wine(shared_data):
    table = likely.read(shared_data / "wine.csv", into="pandas")
    X, y = table.drop(columns="class"), table["class"]
    ours = NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(X, y).predict_log_proba(X)
    theirs = GaussianNB(var_smoothing=0).fit(X, y).predict_log_proba(X)
    assert ours == pytest.approx(theirs, abs=1e-8)


def test_better_calibrated_than_the_base_rate(shared_data):
    """Where independence holds badly, probabilities are still better than none on the penguins."""
    table = likely.read(shared_data / "penguins.csv", into="pandas")
    X, y = table.drop(columns="species"), table["species"]
    found = cross_val_predict(
        NaiveBayes(families="classical", evidence_weights=None), X, y, cv=FOLDS, method="predict_proba"
    )
    rates = np.tile(y.value_counts(normalize=True).sort_index().to_numpy(), (len(y), 1))
    assert log_loss(y, found) < 0.25 * log_loss(y, rates)


@pytest.mark.long
def test_flights(shared_data):
    """336,776 flights: dates, times, strings, numbers and gaps in one model."""
    table = likely.read(shared_data / "nycflights13.csv.gz", into="polars")
    late = (table["arr_delay"].fill_null(999) > 15).to_numpy()
    X = table.drop("arr_delay", "dep_delay", "dep_time", "arr_time", "air_time")
    model = NaiveBayes(families="classical", evidence_weights=None).fit(X, late)
    found = model.predict_proba(X)[:, 1]
    # The columns depend on each other, so the probabilities are too bold; the ranking holds.
    assert roc_auc_score(late, found) > 0.65
    assert model.record_.schema.columns[X.columns.index("time_hour")].unit == "seconds since 1970-01-01"
