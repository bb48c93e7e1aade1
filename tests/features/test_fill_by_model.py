"""Gaps filled by a model of each column from the others: beside least squares, rounds, kinds, files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer
from sklearn.linear_model import LinearRegression as LeastSquares
from sklearn_checks import estimator_checks

import likely
from likely import Impute, LikelyError, LikelyWarning

RNG = np.random.default_rng(4)
N = 300
A = RNG.normal(size=N)
FULL = pd.DataFrame({"a": A, "b": 2 * A + RNG.normal(size=N) * 0.3, "c": RNG.normal(size=N) + A})
GAPS = FULL.mask(RNG.random((N, 3)) < [0.3, 0.2, 0.1])
LINEAR = Impute("model", regressor=likely.LinearRegression())


@estimator_checks(Impute("model"))
def test_estimator_checks(estimator, check):
    check(estimator)


def test_gaps_of_one_column_are_least_squares():
    table = FULL.assign(a=GAPS["a"])
    known = table["a"].notna()
    theirs = LeastSquares().fit(table.loc[known, ["b", "c"]], table.loc[known, "a"])
    filled = LINEAR.fit(table).transform(table)
    expected = theirs.predict(table.loc[~known, ["b", "c"]])
    assert filled.loc[~known, "a"].to_numpy() == pytest.approx(
        expected.clip(table["a"].min(), table["a"].max())
    )
    assert LINEAR.record_.rounds == 2  # the second changes nothing


def test_in_the_end_nothing_changes():
    filled = LINEAR.fit(GAPS).transform(GAPS)
    assert LINEAR.record_.settled
    assert LINEAR.record_.rounds < 20
    for name in GAPS:  # least squares on the filled table gives what is filled
        known, others = GAPS[name].notna(), [other for other in GAPS if other != name]
        theirs = LeastSquares().fit(filled.loc[known, others], filled.loc[known, name])
        expected = theirs.predict(filled.loc[~known, others]).clip(GAPS[name].min(), GAPS[name].max())
        assert filled.loc[~known, name].to_numpy() == pytest.approx(expected, abs=2e-3)
    pd.testing.assert_frame_equal(LINEAR.fit_transform(GAPS), filled, atol=1e-9)


def test_as_near_as_scikit_learn_comes():
    theirs = IterativeImputer(max_iter=500, tol=1e-4, random_state=0).fit_transform(GAPS)
    ours = Impute("model").fit_transform(GAPS).to_numpy()
    gaps = GAPS.isna().to_numpy()
    error = [np.sqrt(np.mean((table - FULL.to_numpy())[gaps] ** 2)) for table in (ours, theirs)]
    assert error[0] < 1.02 * error[1]


def test_all_kinds_and_their_supports(tmp_path):
    size = RNG.integers(0, 3, N)
    table = pd.DataFrame(
        {
            "size": pd.Categorical.from_codes(size, ["S", "M", "L"], ordered=True),
            "colour": np.where(size == 2, "red", RNG.choice(["red", "blue"], N)),
            "visits": RNG.poisson(1 + 2 * size),
            "member": size + RNG.normal(size=N) > 1,
            "height": size * 10.0 + RNG.normal(size=N).round(1),
            "note": "no number",
        }
    )
    gaps = table.astype({"member": object, "visits": float})
    for name in table:
        gaps.loc[RNG.random(N) < 0.15, name] = None
    kinds = {"visits": "count", "note": "text"}
    model = Impute("model", kinds=kinds).fit(gaps)
    filled = model.transform(gaps)
    for name in ("size", "colour", "visits", "member", "height"):
        assert filled[name].notna().all(), name
        assert set(filled[name].unique()) <= set(gaps[name].dropna().unique()) or name in ("height", "visits")
    assert filled["note"].isna().sum() == gaps["note"].isna().sum()  # a text is not guessed
    assert (filled["visits"] % 1 == 0).all()
    assert (filled["visits"] >= 0).all()
    assert filled["height"].between(gaps["height"].min(), gaps["height"].max()).all()
    hit = (filled["size"] == table["size"])[gaps["size"].isna()]
    assert hit.mean() > 0.8  # height all but tells it
    model.save(tmp_path / "it.likely")
    pd.testing.assert_frame_equal(likely.load(tmp_path / "it.likely").transform(gaps), filled)
    assert "colour: LogisticRegression of the others" in model.describe()
    new = gaps.assign(visits=np.nan)  # gaps where there were none
    assert model.transform(new)["visits"].notna().all()


def test_other_models_of_the_house():
    told = FULL.assign(level=np.where(FULL["a"] > 0, "up", "down").astype(object))
    gaps = told.copy()
    gaps.loc[RNG.random(N) < 0.2, "level"] = None
    model = Impute("model", classifier=likely.NaiveBayes()).fit(gaps)
    assert "level: NaiveBayes of the others" in model.describe()
    assert (model.transform(gaps)["level"] == told["level"])[gaps["level"].isna()].mean() > 0.9
    with pytest.raises(LikelyError, match=r"classifier=.*give a model of this library"):
        Impute("model", classifier=LeastSquares()).fit(gaps)


def test_odd_tables():
    assert Impute("model").fit_transform({"x": [1.0, None, 3.0]})["x"] == [1.0, 2.0, 3.0]
    assert Impute("model").fit_transform({"x": [None, 2.0], "y": ["a", None]}) == {
        "x": [2.0, 2.0],
        "y": ["a"] * 2,
    }
    with pytest.warns(LikelyWarning, match="'void' had no known value"):
        filled = Impute("model").fit_transform({"x": [1.0, None], "void": [None, None]})
    assert filled == {"x": [1.0, 1.0], "void": [None, None]}
    with pytest.raises(LikelyError, match="contains infinity: column 'x', row 1"):
        Impute("model").fit({"x": [1.0, np.inf]})
    strange = {"x": [None], "c": ["z"]}  # a level never seen is no gap
    model = Impute("model").fit({"x": [1.0, 2.0], "c": ["a", "b"]})
    assert model.transform(strange)["c"] == ["z"]
