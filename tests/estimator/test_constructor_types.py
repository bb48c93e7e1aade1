"""A file may hold whatever a constructor takes: its annotations are read when a model is loaded."""

from __future__ import annotations

import numpy as np
import pytest

import likely
from likely.table.column.kinds import Kind

TABLE = {"n": [1, 2, 3, 1, 2, 5, 7, 4], "c": ["a", "b", "a", "b", "a", "b", "b", "a"]}
LABELS = ["x", "y"] * 4
NUMBERS = {"n": [0.5, 1.5, 2.5, 1.0, 2.0, 5.0, 7.5, 4.0]}

CASES = {
    "a kind of the enumeration": likely.NaiveBayes(kinds=Kind.CATEGORICAL),
    "levels in an array": likely.NaiveBayes(kinds={"n": np.arange(8)}),
    "a family as a class": likely.NaiveBayes(families={"n": likely.Poisson}),
    "a prior by column": likely.NaiveBayes(prior={"n": 2, "c": likely.Laplace()}),
    "a strength of NumPy": likely.NaiveBayes(prior=np.float64(2)),
    "no prior": likely.NaiveBayes(prior=None),
    "several priors": likely.LogisticRegression(
        prior=[likely.Normal(0, 1), likely.DoubleExponential(0, 1)], random_state=np.int64(3)
    ),
    "a prior by coefficient": likely.LogisticRegression(prior={"n": likely.Normal(0, 1), "c": "default"}),
    "a prior of the noise": likely.LinearRegression(noise=likely.Gamma(1, 1)),
}
HIDDEN = {
    "labels to begin with": likely.Mixture(2, init=np.array([0, 1] * 4)),
    "a record to begin with": likely.Mixture(
        2, init=likely.Mixture(2, random_state=0).fit(NUMBERS).record_, random_state=[1, 2]
    ),
    "moves of truths": likely.HiddenMarkov(2, transitions=[[True, True], [False, True]], random_state=0),
    "moves in an array": likely.HiddenMarkov(2, transitions=np.ones((2, 2)), random_state=0),
    "a model that fills": likely.Impute(likely.Mixture(2, random_state=0)),
}


@pytest.mark.parametrize("model", [pytest.param(model, id=name) for name, model in CASES.items()])
def test_a_file_holds_what_a_constructor_takes(model, tmp_path):
    target = NUMBERS["n"] if isinstance(model, likely.LinearRegression) else LABELS
    model.fit(TABLE, target).save(tmp_path / "model.likely")
    again = likely.load(tmp_path / "model.likely")
    assert np.array_equal(again.predict(TABLE), model.predict(TABLE))


@pytest.mark.parametrize("model", [pytest.param(model, id=name) for name, model in HIDDEN.items()])
def test_a_file_holds_what_a_constructor_of_hidden_groups_takes(model, tmp_path):
    model.fit(NUMBERS).save(tmp_path / "model.likely")
    assert type(likely.load(tmp_path / "model.likely")) is type(model)
