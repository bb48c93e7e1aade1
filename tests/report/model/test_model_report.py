"""What is read about a fitted model: from Python, as the command line has it."""

from __future__ import annotations

import numpy as np
import pytest

import likely
from likely.errors import LikelyError
from likely.report.model.columns import column_records, strongest_coefficients
from likely.report.model.evaluation import Evaluation
from likely.report.model.strongest import ClassShares, strongest
from likely.score import auc, log_loss, roc
from likely.table.frame import Frame


@pytest.fixture(scope="module")
def people():
    return likely.read("titanic", into="dict")


def test_the_strongest_evidence_is_counted_in_the_rows(people):
    model = likely.NaiveBayes().fit(people, "survived")
    features = {name: column for name, column in people.items() if name != "survived"}
    shares = ClassShares.of(model.record_, Frame.of(features), people["survived"], None)
    signs = strongest(model.record_, shares, 3)
    first = signs["yes"][0]
    assert (first.column, first.what) == ("sex", "= female")
    survivors = people["sex"][people["survived"] == "yes"]
    assert first.share == pytest.approx(np.mean(survivors == "female"))
    assert [len(own) for own in signs.values()] == [3, 3]


def test_the_strongest_coefficients_come_first():
    rng = np.random.default_rng(0)
    table = {"weak": rng.normal(size=200), "strong": rng.normal(size=200)}
    y = 0.1 * table["weak"] + 5 * table["strong"] + rng.normal(size=200)
    model = likely.LinearRegression().fit(table, y)
    coefficients = strongest_coefficients(model, Frame.of(table), 2)
    assert [one.name for one in coefficients] == ["strong", "weak"]
    assert coefficients[0].effect == pytest.approx(coefficients[0].value * table["strong"].std())


def test_columns_say_kind_family_values_and_gaps():
    table = {"x": [1.5, None, 4.0], "c": ["a", "b", "a"]}
    model = likely.NaiveBayes().fit(table, ["n", "y", "n"])
    x, c = column_records(model.record_, Frame.of(table))
    assert (x["kind"], x["missing"], x["values"]) == ("quantitative", 1, {"from": 1.5, "to": 4.0})
    assert (c["family"], c["values"]) == ("categorical", {"levels": ["a", "b"]})


def test_an_evaluation_has_the_measures_of_score(tmp_path):
    rng = np.random.default_rng(1)
    p = rng.random(80)
    y = np.where(rng.random(80) < p, "yes", "no")
    both = np.column_stack([1 - p, p])
    judged = Evaluation.of_probabilities(y, both, np.array(["no", "yes"]))
    assert judged.measures["log loss (nats)"] == log_loss(y, both, classes=["no", "yes"])
    assert judged.measures["AUC"] == auc(y, both, classes=["no", "yes"])
    assert list(judged.curves) == list(judged.to_dict()["reliability"]) == ["yes"]
    curve = roc(y, 10 * p, positive="yes")
    assert list(Evaluation.of_scores(y, curve, 10 * p).measures) == ["AUC"]
    assert len(Evaluation.of_scores(y, roc(y, p, positive="yes"), p).measures) == 5
    with pytest.raises(LikelyError, match="a picture has the ending"):
        judged.draw(tmp_path / "curve.txt")
