"""Decorrelating and normalising."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.pipeline import make_pipeline
from sklearn_checks import estimator_checks

import likely
from likely import GaussianClassifier, LikelyError, Whiten
from likely.table.frame import Frame

RNG = np.random.default_rng(7)
Y = RNG.integers(0, 3, 400)
UNITS = np.array([1, 50, 0.01, 3])
X = ((RNG.normal(size=(400, 4)) + 0.5 * Y[:, None]) @ RNG.normal(size=(4, 4)) + [0, 200, 500, -1]) * UNITS


@estimator_checks(Whiten(), rarely=[Whiten(by="within")])
def test_whiten_estimator_checks(estimator, check):
    check(estimator)


def test_white_columns_have_the_identity_for_their_covariance():
    white = Whiten().fit_transform(X)
    assert white.mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-10)
    assert np.cov(white.T, bias=True) == pytest.approx(np.eye(4), abs=1e-10)


def test_white_within_classes():
    white = Whiten(by="within").fit(X, Y).transform(X)
    own = sum(np.cov(white[group == Y].T, bias=True) * (group == Y).sum() for group in range(3)) / 400
    assert own == pytest.approx(np.eye(4), abs=1e-10)
    assert white.mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-10)


@pytest.mark.parametrize("base_rate", [None, "uniform"])
def test_white_within_and_then_basic_linear_is_tied(base_rate):
    """Flach's remark after the Mahalanobis distance, to the last digits."""
    tied = GaussianClassifier(covariance="tied", prior=None, base_rate=base_rate).fit(X, Y)
    basic = GaussianClassifier(covariance="identity", prior=None, base_rate=base_rate)
    white = make_pipeline(Whiten(by="within"), basic).fit(X, Y)
    assert np.abs(white.predict_proba(X) - tied.predict_proba(X)).max() <= 1e-12
    assert (tied.predict(X) != Y).any()  # no walk-over


def test_there_and_back():
    model = Whiten().fit(X)
    assert model.inverse_transform(model.transform(X)) == pytest.approx(X, rel=1e-12)
    assert model.matrix_ @ model.covariance_ @ model.matrix_.T == pytest.approx(np.eye(4), abs=1e-12)


def test_parts_are_the_whole():
    for by, y in (("total", None), ("within", Y)):
        whole = Whiten(by=by).fit(X, y)
        parts = Whiten(by=by).fit(X[:150], None if y is None else y[:150])
        parts.partial_fit(X[150:], None if y is None else y[150:])
        assert parts.transform(X) == pytest.approx(whole.transform(X), rel=1e-9, abs=1e-10)


def test_a_class_that_comes_later():
    order = np.argsort(Y, kind="stable")
    whole = Whiten(by="within").fit(X, Y)
    later = (
        Whiten(by="within").fit(X[order[:200]], Y[order[:200]]).partial_fit(X[order[200:]], Y[order[200:]])
    )
    assert later.covariance_ == pytest.approx(whole.covariance_, rel=1e-10)


def test_weights_are_copies():
    weight = RNG.integers(0, 3, 400)
    weighted = Whiten().fit(X, sample_weight=weight)
    assert weighted.matrix_ == pytest.approx(Whiten().fit(np.repeat(X, weight, axis=0)).matrix_, rel=1e-9)


def test_names_and_frames():
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = Whiten().set_output(transform="pandas").fit(frame)
    assert model.get_feature_names_out().tolist() == list("abcd")
    assert model.transform(frame).columns.tolist() == list("abcd")
    assert Whiten().fit(X).transform(X) == pytest.approx(model.transform(frame).to_numpy(), abs=1e-12)


@pytest.mark.parametrize("made", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_any_table_in_and_the_same_library_out(made):
    table = made(dict(zip("abcd", X.T, strict=True)))
    model = Whiten().fit(table)
    white = model.transform(table)
    assert type(white) is type(table)
    assert list(Frame.of(white).names) == list("abcd")
    assert np.column_stack([np.asarray(white[n]) for n in "abcd"]) == pytest.approx(Whiten().fit_transform(X))
    back = model.inverse_transform(white)
    assert type(back) is type(table)
    assert np.column_stack([np.asarray(back[n]) for n in "abcd"]) == pytest.approx(X, rel=1e-9)
    assert isinstance(Whiten().fit(X.tolist()).transform(X.tolist()), np.ndarray)


def test_the_index_of_a_frame_stays():
    frame = pd.DataFrame(X, columns=list("abcd"), index=[f"row {i}" for i in range(400)])
    assert Whiten().fit_transform(frame).index.equals(frame.index)


def test_constant_and_determined_columns_come_out_as_nothing():
    rows = np.column_stack([X[:, 0], np.full(400, 3.0), 2 * X[:, 0] + 1])
    white = Whiten().fit_transform(rows)
    assert white[:, 0].std() == pytest.approx(1)
    assert (white[:, 1] == 0).all()
    assert (white[:, 2] == 0).all()
    model = Whiten().fit(rows)
    assert model.inverse_transform(model.transform(rows)) == pytest.approx(rows, rel=1e-12)
    assert np.isfinite(Whiten().fit_transform(rows[:1])).all()


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ({"a": [1.0, None]}, "'a' is missing in row 1"),
        ({"a": ["x", "y"]}, "'a' is categorical"),
        ({"a": [1.0, np.inf]}, "infinity"),
    ],
)
def test_what_cannot_be_whitened(rows, says):
    with pytest.raises(LikelyError, match=says):
        Whiten().fit(pd.DataFrame(rows))


def test_wrong_words():
    with pytest.raises(LikelyError, match="'total'"):
        Whiten(by="all").fit(X)
    with pytest.raises(LikelyError, match="requires y"):
        Whiten(by="within").fit(X)


@pytest.mark.parametrize("by", ["total", "within"])
def test_it_is_saved_as_models_are(by, tmp_path):
    y = np.where(X[:, 0] > 0, "high", "low")
    model = Whiten(by=by).fit(pd.DataFrame(X, columns=list("abcd")[: X.shape[1]]), y)
    model.save(tmp_path / "white.likely")
    again = likely.load(tmp_path / "white.likely")
    rows = pd.DataFrame(X[:7], columns=model.feature_names_in_)
    pd.testing.assert_frame_equal(again.transform(rows), model.transform(rows), check_exact=True)
    assert again.record_.classes == model.record_.classes
    more = again.partial_fit(rows, y[:7])
    assert more.record_.n == 407


def test_it_says_what_becomes_of_a_row():
    model = Whiten().fit(X)
    assert "subtract the mean" in str(model.story())
    d = X.shape[1]
    assert model.n_parameters_ == d + d * (d + 1) // 2
