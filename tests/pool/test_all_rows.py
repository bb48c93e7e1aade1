"""Large tables: members learn from a sample, the additive one from all rows."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

import likely
from likely.errors import LikelyWarning
from likely.pool import learn
from likely.pool.reading.reading import TableRows
from likely.pool.reading.scores import centred
from likely.table.frame import Frame

N = 1500
RNG = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "a": RNG.normal(size=N),
        "b": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N)),
        "kind": RNG.choice(list("uvwxyz"), N),
    }
)
SCORE = X["a"] + (X["kind"] == "u") - X["b"].fillna(1.0)


@pytest.fixture(autouse=True)
def small_samples(monkeypatch):
    monkeypatch.setattr(learn, "MOST_ROWS", 400)
    monkeypatch.setattr(learn, "PORTION", 100)


def design(model):
    """The design of all rows, and the ridge, of the additive member."""
    record = model.record_
    member = record.members[0]
    view = record.reading.view(TableRows.of(record.schema, Frame.of(X)), 0, N)
    return member.design.matrix(view), member


@pytest.mark.parametrize("g", [2, 3])
def test_classes_are_learnt_from_all_rows(g):
    """As scikit-learn's logistic regression on the same design and ridge, up to the last short step."""
    y = np.digitize(SCORE + RNG.logistic(size=N), [0.0, 1.5][: g - 1])
    model = likely.Classifier("additive").fit(X, y)
    assert re.fullmatch(r"rows: all members but additive learnt from 40\d of 1500", model.left_out_[0])
    cells, member = design(model)
    peer = LogisticRegression(C=1 / member.ridge, tol=1e-8, max_iter=10_000).fit(cells, y)
    scores = centred(cells @ member.slopes[0] + member.intercepts[0])
    theirs = peer.decision_function(cells).reshape(N, -1)
    assert scores == pytest.approx(theirs, abs=0.02 if g == 2 else 0.1)


def test_numbers_are_learnt_from_all_rows():
    y = (SCORE + RNG.normal(size=N)).to_numpy()
    model = likely.Regressor("additive").fit(X, y)
    cells, member = design(model)
    record = model.record_
    peer = Ridge(member.ridge).fit(cells, (y - record.centre) / record.unit)
    assert (cells @ member.slopes[0] + member.intercepts[0])[:, 0] == pytest.approx(
        peer.predict(cells), abs=2e-3
    )


def test_levels_that_the_sample_hardly_knows_do_not_run_away():
    """Of twenty levels the sample has one row or two each: slopes ran off, and the member was dropped."""
    rng = np.random.default_rng(0)
    n = 6000
    rare = rng.choice([f"rare{i}" for i in range(20)], n)
    kind = np.where(rng.random(n) < 0.1, rare, rng.choice(list("uvw"), n))
    table = {"kind": kind, "a": rng.normal(size=n), "b": rng.choice(list("klmno"), n)}
    score = table["a"] + 2.0 * (kind == "u") + 2.0 * (table["b"] == "k") - 2.0 * (kind == rare)
    y = score + 0.5 * rng.logistic(size=n) > 0
    record = likely.Classifier("additive").fit(table, y).record_
    member = record.members[0]
    rows = TableRows.of(record.schema, Frame.of(table))
    cells = member.design.matrix(record.reading.view(rows, 0, n))
    peer = LogisticRegression(C=1 / member.ridge, tol=1e-8, max_iter=10_000).fit(cells, y)
    theirs = peer.decision_function(cells)
    scores = (cells @ member.slopes + member.intercepts[:, None])[..., 0]
    assert scores[0] == pytest.approx(theirs, abs=1.0)
    assert np.abs(scores).max() < np.abs(theirs).max() + 3


def test_held_out_rows_are_held_out():
    """Noise: the loss that the pool says of itself is no better than that of the base rate."""
    y = np.random.default_rng(1).integers(0, 2, N)
    model = likely.Classifier("additive").fit(X, y)
    assert model.losses_["pool"] > np.log(2) - 0.01


def test_levels_outside_the_sample_are_known():
    X2 = X.assign(kind=np.where(np.arange(N) < 3, "rare", X["kind"]))
    model = likely.Classifier("additive").fit(X2, np.asarray(SCORE > 0))
    assert "rare" in model.record_.schema.columns[2].known


def test_the_order_of_threads_is_no_matter():
    y = np.asarray(SCORE > 0)
    one, two = (likely.Classifier("additive", n_jobs=jobs).fit(X, y).predict_log_proba(X) for jobs in (1, 2))
    assert np.array_equal(one, two)


def test_an_interrupt_leaves_the_sample_s_member(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("likely.pool.all_rows._mended", interrupted)
    with pytest.warns(LikelyWarning, match="that of a sample"):
        model = likely.Classifier("additive").fit(X, np.asarray(SCORE > 0))
    assert np.isfinite(model.predict_log_proba(X)).all()


def test_pools_without_the_additive_member_learn_from_the_sample():
    model = likely.Classifier(members=["forest"]).fit(X, np.asarray(SCORE > 0))
    assert set(model.weights_) == {"forest"}
