"""A row of weight 0 is as if it were not there: it brings in no level, no class and no number."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import likely

RNG = np.random.default_rng(5)
N = 60
LETTERS = RNG.choice(list("abc"), N)
TABLE = pd.DataFrame(
    {"number": RNG.normal(size=N).round(2), "letter": LETTERS, "flag": RNG.random(N) < 0.5, "y": "no"}
)
TABLE.loc[(TABLE.number + (TABLE.letter == "a") + RNG.normal(size=N)) > 0, "y"] = "yes"
ODD = pd.DataFrame({"number": [1e6, -7.0], "letter": ["z", "a"], "flag": [True, False], "y": ["never", "no"]})
BOTH = pd.concat([ODD.iloc[:1], TABLE, ODD.iloc[1:]], ignore_index=True)
WEIGHT = np.r_[0.0, np.ones(N), 0.0]
X, Y = TABLE.drop(columns="y"), TABLE["y"]

TRANSFORMERS = [
    likely.Binarize(),
    likely.Cross(columns=["letter", "flag"]),
    *(likely.Discretize(method) for method in ("optimal", "recursive", "equal_frequency", "kmeans")),
    *(likely.Evidence(method) for method in ("average", "isotonic", "logistic")),
    likely.GroupLevels(),
    likely.MissingLevel(),
    likely.Normalize(),
    likely.Order(),
    *(likely.Select(by, keep=2) for by in ("gain", "relieff", "cfs")),
    likely.Subgroups(),
    likely.Threshold(),
]
MODELS = [
    likely.AODE(),
    likely.LogisticRegression(),
    likely.MixtureClassifier(components=1),
    likely.NaiveBayes(),
    likely.Network(),
]


@pytest.mark.parametrize("model", TRANSFORMERS, ids=repr)
def test_transformers_learn_nothing_from_it(model):
    without = type(model)(**model.get_params()).fit(X, Y, sample_weight=np.ones(N))
    beside = type(model)(**model.get_params()).fit(BOTH.drop(columns="y"), BOTH["y"], sample_weight=WEIGHT)
    pd.testing.assert_frame_equal(beside.transform(X), without.transform(X))
    assert str(beside.table()) == str(without.table())
    assert beside.describe() == without.describe()


@pytest.mark.parametrize("method", ["average", "logistic"])
def test_evidence_by_folds_knows_it_as_a_new_row(method):
    without = likely.Evidence(method).fit_transform(X, Y)
    model = likely.Evidence(method)
    beside = model.fit_transform(BOTH, "y", sample_weight=WEIGHT)
    pd.testing.assert_frame_equal(beside.iloc[1:-1].reset_index(drop=True), without)
    pd.testing.assert_frame_equal(beside.iloc[[0, -1]], model.transform(BOTH).iloc[[0, -1]])


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_models_learn_nothing_from_it(model):
    without = type(model)(**model.get_params()).fit(X, Y, sample_weight=np.ones(N))
    beside = type(model)(**model.get_params()).fit(BOTH.drop(columns="y"), BOTH["y"], sample_weight=WEIGHT)
    assert list(beside.classes_) == list(without.classes_)
    assert beside.predict_proba(X) == pytest.approx(without.predict_proba(X), abs=1e-6)
