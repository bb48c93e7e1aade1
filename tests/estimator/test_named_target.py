"""A table that holds its target: learnt from, asked about and scored as it is."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, r2_score
from sklearn.pipeline import make_pipeline

import likely
from likely.errors import LikelyError

RNG = np.random.default_rng(5)
N = 120
X = RNG.normal(size=(N, 2))
TABLE = pd.DataFrame(
    {
        "a": X[:, 0],
        "way": np.where(X.sum(axis=1) + RNG.normal(size=N) > 0, "up", "down"),
        "b": X[:, 1],
        "z": X @ [1.0, 2.0] + RNG.normal(size=N),
    }
)
CLASSIFIERS = {
    "naive Bayes": likely.NaiveBayes(),
    "Gaussian": likely.GaussianClassifier(),
    "logistic": likely.LogisticRegression(),
    "least squares": likely.LeastSquaresClassifier(),
    "mixture": likely.MixtureClassifier(random_state=0),
    "calibrated": likely.Calibrated(likely.NaiveBayes()),
    "average": likely.Average([likely.NaiveBayes(), likely.LogisticRegression()]),
    "decider": likely.Decider(likely.NaiveBayes()),
}


@pytest.mark.parametrize("library", ["pandas", "dict"])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_scores_the_table_it_was_fitted_on(name, library):
    table = TABLE.drop(columns="z")
    table = table if library == "pandas" else {name: table[name].tolist() for name in table}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = CLASSIFIERS[name].fit(table, "way")
        features = TABLE[["a", "b"]] if library == "pandas" else {n: TABLE[n].tolist() for n in "ab"}
        answers = model.predict(table)
        score = model.score(table, "way")
    np.testing.assert_array_equal(answers, model.predict(features))
    assert score == accuracy_score(TABLE["way"], answers)
    assert model.score(features, TABLE["way"]) == score
    weights = np.arange(N)
    assert model.score(table, "way", weights) == accuracy_score(TABLE["way"], answers, sample_weight=weights)
    with pytest.raises(LikelyError, match="no column 'wy'"):
        model.score(table, "wy")


def test_a_regression_scores_the_table_it_was_fitted_on():
    table = TABLE.drop(columns="way")
    model = likely.LinearRegression().fit(table, "z")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.score(table, "z") == r2_score(table["z"], model.predict(table[["a", "b"]]))


def test_other_strangers_are_still_told():
    model = likely.NaiveBayes().fit(TABLE.drop(columns="z"), "way")
    with pytest.warns(UserWarning, match="column 'z' not seen"):
        model.predict(TABLE)


def test_a_picture_takes_the_classes_from_the_table():
    model = likely.GaussianClassifier().fit(TABLE.drop(columns="z"), "way")
    ax = model.draw(TABLE.drop(columns="z"), "way")
    marks = [len(line.get_xdata()) for line in ax.lines if len(line.get_xdata()) > 2]
    assert marks == TABLE["way"].value_counts()[list(model.classes_)].tolist()


def test_groups_found_and_used_as_features():
    table = pd.DataFrame({"x": np.r_[RNG.normal(0, 1, 40), RNG.normal(9, 1, 60)]})
    model = likely.Mixture(2, random_state=0)
    groups = model.fit_predict(table)
    np.testing.assert_array_equal(groups, model.predict(table))
    assert np.bincount(groups).tolist() == [60, 40]  # 9 sds apart
    np.testing.assert_array_equal(model.transform(table), model.predict_proba(table))
    np.testing.assert_array_equal(
        likely.Mixture(2, random_state=0).fit_transform(table), model.predict_proba(table)
    )
    assert model.get_feature_names_out().tolist() == ["mixture0", "mixture1"]
    y = np.where(np.arange(100) < 40, "left", "right")
    chain = make_pipeline(likely.Mixture(2, random_state=0), likely.LogisticRegression())
    assert chain.fit(table, y).score(table, y) == 1.0


@pytest.mark.parametrize("name", ["naive Bayes", "Gaussian"])
def test_balanced_classes_are_all_alike(name):
    kind = type(CLASSIFIERS[name])
    table = TABLE.drop(columns="z")[:70]
    balanced, uniform = (kind(base_rate=word).fit(table, "way") for word in ("balanced", "uniform"))
    np.testing.assert_array_equal(balanced.predict_proba(table), uniform.predict_proba(table))
    # As weights would do that make the classes weigh the same.
    share = table["way"].map(1 / table["way"].value_counts(normalize=True))
    # Bins are of as many rows each, which weights move: numbers as of textbooks.
    options = {"prior": None} | ({"families": "classical"} if kind is likely.NaiveBayes else {})
    plain = kind(**options).fit(table, "way", sample_weight=share)
    balanced = kind(**options, base_rate="balanced").fit(table, "way")
    np.testing.assert_allclose(balanced.predict_proba(table), plain.predict_proba(table), rtol=1e-9)
    logistic = likely.LogisticRegression().fit(table, "way")
    np.testing.assert_array_equal(
        logistic.with_base_rate("balanced").predict_proba(table),
        logistic.with_base_rate("uniform").predict_proba(table),
    )
