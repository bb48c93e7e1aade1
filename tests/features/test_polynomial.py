"""Powers, products, ratios and differences: beside scikit-learn, names, gaps, SQL, files."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics.pairwise import polynomial_kernel
from sklearn.preprocessing import PolynomialFeatures
from sklearn_checks import estimator_checks

import likely
from likely import LikelyError, Polynomial

RNG = np.random.default_rng(8)
X = RNG.normal(size=(40, 4))
FRAME = pd.DataFrame(
    {"height": RNG.normal(2, 1, 30), "my width": RNG.integers(0, 4, 30), "colour": RNG.choice(["r", "g"], 30)}
)
FRAME.loc[3, "height"] = np.nan


@estimator_checks(Polynomial(), rarely=[Polynomial(3, ratios=True, differences=True)])
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("powers", [True, False])
def test_beside_scikit_learn(degree, powers):
    theirs = PolynomialFeatures(degree, interaction_only=not powers, include_bias=False).fit(X)
    ours = Polynomial(degree, powers=powers).fit(X)
    assert ours.transform(X) == pytest.approx(theirs.transform(X), rel=1e-14)
    names = theirs.get_feature_names_out(["a", "b", "c", "d"])
    named = Polynomial(degree, powers=powers).fit(pd.DataFrame(X, columns=list("abcd")))
    assert named.get_feature_names_out().tolist() == [name.replace(" ", " * ") for name in names]


@pytest.mark.parametrize("d", [1, 2, 5, 9])
def test_there_are_d_times_d_plus_one_halves_of_degree_two(d):
    model = Polynomial().fit(RNG.normal(size=(3, d)))
    assert len(model.get_feature_names_out()) == d + d * (d + 1) // 2


def test_degree_two_is_the_feature_map_of_the_quadratic_kernel():
    # (x . z)^2 is the sum of squares times squares, and of products twice.
    model = Polynomial(columns=None).fit(X)
    new = model.transform(X)[:, 4:]
    scale = np.where([name.endswith("^2") for name in model.get_feature_names_out()[4:]], 1.0, np.sqrt(2.0))
    assert (new * scale) @ (new * scale).T == pytest.approx(polynomial_kernel(X, degree=2, gamma=1, coef0=0))


def test_ratios_and_differences_with_gaps_and_zeros():
    model = Polynomial(1, ratios=True, differences=True).fit(FRAME)
    out = model.transform(FRAME)
    new = ["height / `my width`", "`my width` / height", "height - `my width`"]
    assert list(out) == [*FRAME, *new]
    zero, gap = FRAME["my width"] == 0, FRAME["height"].isna()
    assert zero.any()
    assert (out[new[0]].isna() == (zero | gap)).all()
    some = ~(zero | gap)
    assert (out[new[0]] == FRAME["height"] / FRAME["my width"])[some].all()
    assert (out[new[1]] == FRAME["my width"] / FRAME["height"])[~gap].all()
    assert (out[new[2]] == FRAME["height"] - FRAME["my width"])[~gap].all()
    rows = FRAME  # noqa: F841  # DuckDB reads it by its name
    theirs = duckdb.sql(Polynomial(3, ratios=True, differences=True).fit(FRAME).to_sql("rows")).df()
    ours = Polynomial(3, ratios=True, differences=True).fit_transform(FRAME)
    pd.testing.assert_frame_equal(theirs, ours, check_dtype=False, rtol=1e-14)
    pd.testing.assert_frame_equal(model.inverse_transform(out), FRAME)


def test_files_frames_and_words(tmp_path):
    model = Polynomial(ratios=True).fit(FRAME)
    model.save(tmp_path / "it.likely")
    again = likely.load(tmp_path / "it.likely")
    pd.testing.assert_frame_equal(again.transform(FRAME), model.transform(FRAME))
    assert isinstance(Polynomial().fit_transform(pl.from_pandas(FRAME)), pl.DataFrame)
    assert "deductive, and does not look at the target" in model.describe()
    line = next(one for one in model.explain(FRAME, 0).lines if one["column"] == "height^2")
    assert line["value"] == FRAME["height"][0] ** 2
    assert len(model.plot("height^2", FRAME).patches) > 1
    with pytest.raises(LikelyError, match="keeps no rows to draw"):
        model.plot("height^2")


def test_what_cannot_be_combined_is_refused():
    with pytest.raises(LikelyError, match="'colour' is categorical"):
        Polynomial(columns=["colour"]).fit(FRAME)
    with pytest.raises(LikelyError, match=r"a\^3 is beyond the range of numbers in row 1"):
        Polynomial(3).fit({"a": [1.0, 1e120]})
    small = Polynomial(3).fit({"a": [1.0, 2.0]})
    with pytest.raises(LikelyError, match=r"a\^3 is beyond the range"):
        small.transform({"a": [1e140]})
    with pytest.raises(LikelyError, match="contains infinity: column 'a', row 1"):
        Polynomial().fit({"a": [1.0, np.inf]})
    with pytest.raises(LikelyError, match="more than 10000 combinations"):
        Polynomial(4).fit(np.ones((2, 60)))
    with pytest.raises(LikelyError, match="degree=0"):
        Polynomial(0).fit(X)
