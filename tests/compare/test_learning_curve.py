"""Learning curves: the same rows for every model, more and more of them, and others for the scores."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import likely
from likely import LikelyError, LogisticRegression, NaiveBayes, Normal
from likely.compare import learning_curve


class Witness(ClassifierMixin, BaseEstimator):
    """Notes what it is shown, and answers by the share of the classes."""

    learnt: ClassVar[dict[str, list[list[float]]]] = {}
    asked: ClassVar[dict[str, list[list[float]]]] = {}

    def __init__(self, name="a"):
        self.name = name

    def fit(self, X, y):
        self.learnt.setdefault(self.name, []).append(X["x"].tolist())
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares_ = counts / counts.sum()
        return self

    def predict_proba(self, X):
        self.asked.setdefault(self.name, []).append(X["x"].tolist())
        return np.tile(self.shares_, (len(X), 1))


def test_every_model_sees_the_same_rows_and_none_is_scored_on_its_own():
    table = pd.DataFrame({"x": np.arange(200.0), "y": np.arange(200) % 4 == 0})
    models = {"a": Witness("a"), "b": Witness("b")}
    found = learning_curve(models, table, "y", sizes=[8, 40, 140], repeats=3, test_share=0.3)
    assert Witness.learnt["a"] == Witness.learnt["b"]
    assert Witness.asked["a"] == Witness.asked["b"]
    for run in range(3):
        rows = Witness.learnt["a"][3 * run : 3 * run + 3]
        assert [len(part) for part in rows] == [8, 40, 140]
        assert set(rows[0]) < set(rows[1]) < set(rows[2])
        for part in rows:  # every class is spread evenly
            assert np.mean(np.array(part) % 4 == 0) == pytest.approx(0.25, abs=1.5 / len(part))
        assert not set(rows[2]) & set(Witness.asked["a"][3 * run])
    truth = -np.mean(np.log(np.where(np.arange(200) % 4 == 0, 0.25, 0.75)))
    assert found.log_loss[:, -1] == pytest.approx([truth, truth], abs=0.02)
    assert found.error[:, -1] == pytest.approx([0.25, 0.25], abs=0.02)
    assert (found.log_loss[0] == found.log_loss[1]).all()


def test_generative_and_conditional_twins():
    """Where the generative model is true it needs fewer rows; where it is not, the conditional one wins."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 3000)
    x = rng.normal(size=(3000, 8)) + 0.5 * y[:, None]
    twins = {
        "generative": NaiveBayes(families="classical", evidence_weights=None),
        "conditional": LogisticRegression(Normal(0, 10)),
    }
    true = learning_curve(twins, x, y, sizes=[40, 2000], repeats=5)
    assert true.log_loss[0, 0] < true.log_loss[1, 0] - 0.02
    assert true.log_loss[0, 1] == pytest.approx(true.log_loss[1, 1], abs=0.01)
    copies = np.column_stack([x[:, :2], *[x[:, :1]] * 6])  # one column seven times
    false = learning_curve(twins, copies, y, sizes=[20, 2000], repeats=5)
    assert false.log_loss[1, 1] < false.log_loss[0, 1] - 0.1


def test_faces():
    people = likely.read("titanic", into="pandas")
    found = learning_curve(
        [NaiveBayes(families="classical", evidence_weights=None), LogisticRegression()],
        people,
        "survived",
        sizes=[50, 500],
        repeats=2,
    )
    frame = found.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["model"].tolist() == ["NaiveBayes"] * 2 + ["LogisticRegression"] * 2
    assert "NaiveBayes: log loss" in str(found)
    ax = found.plot(measure="error")
    assert [line.get_label() for line in ax.lines] == ["NaiveBayes", "LogisticRegression"]
    assert ax.lines[0].get_ydata() == pytest.approx(found.error[0])
    assert (
        len(
            learning_curve(
                [NaiveBayes(families="classical", evidence_weights=None)], people, "survived", repeats=1
            ).sizes
        )
        == 8
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"sizes": [1]}, "a row of each of 2 classes"),
        ({"sizes": [5000]}, "rows are left"),
        ({"repeats": 0}, "repeats=0"),
        ({"test_share": 1.0}, "test_share=1.0"),
    ],
    ids=["small", "large", "repeats", "share"],
)
def test_what_cannot_be_done(asked, said):
    people = likely.read("titanic", into="pandas")
    with pytest.raises(LikelyError, match=said):
        learning_curve([NaiveBayes(families="classical", evidence_weights=None)], people, "survived", **asked)
    with pytest.raises(LikelyError, match="two models are of the same class"):
        learning_curve(
            [
                NaiveBayes(families="classical", evidence_weights=None),
                NaiveBayes(families="classical", evidence_weights=None),
            ],
            people,
            "survived",
        )
