"""Gaps filled by class: the source's figures, the average at prediction, and what is said."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn_checks import estimator_checks

import likely
from likely import Impute, LikelyError, LikelyWarning

RNG = np.random.default_rng(3)
N = 240
Y = RNG.choice(["a", "b", "c"], N)
FULL = pd.DataFrame(
    {
        "x": RNG.normal(size=N) + 3.0 * (Y == "b"),
        "level": np.where(RNG.random(N) < 0.7, np.where(Y == "c", "high", "low"), "middle"),
        "flag": RNG.random(N) < 0.3 + 0.4 * (Y == "a"),
        "told": RNG.normal(size=N) + 2.0 * (Y == "c"),
    }
)
GAPS = FULL.copy().astype({"flag": object, "level": object})
for name in ("x", "level", "flag"):
    GAPS.loc[RNG.random(N) < 0.25, name] = None


@estimator_checks(Impute("class"), rarely=[Impute("class", statistic="median", indicator=True)])
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("statistic", "low", "high"), [("mean", 65.0, 340 / 3), ("median", 65.0, 110.0)])
def test_the_means_and_medians_of_the_source(statistic, low, high):
    table = {"x": np.array([60.0, 70, np.nan, 100, 110, 130, np.nan])}
    filled = Impute("class", statistic=statistic).fit_transform(table, list("---++++"))["x"]
    assert filled == pytest.approx([60, 70, low, 100, 110, 130, high])


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_training_rows_get_what_pandas_says_of_their_class(statistic):
    filled = Impute("class", statistic=statistic).fit_transform(GAPS, Y)
    for label in "abc":
        mine = label == Y
        number = getattr(GAPS.loc[mine, "x"], statistic)()
        assert np.ptp(filled.loc[mine & GAPS["x"].isna(), "x"] - number) == pytest.approx(0, abs=1e-12)
        assert filled.loc[mine & GAPS["x"].isna(), "x"].mean() == pytest.approx(number, abs=1e-12)
        for column in ("level", "flag"):
            mode = GAPS.loc[mine, column].mode()[0]
            assert (filled.loc[mine & GAPS[column].isna(), column] == mode).all()
    known = GAPS.notna()
    assert filled.where(known).equals(GAPS.astype(filled.dtypes.to_dict()).where(known))


def test_new_rows_get_the_average_over_the_classes_by_their_probability():
    model = Impute("class").fit(GAPS, Y)
    filled = model.transform(GAPS)
    share = likely.NaiveBayes().fit(GAPS, Y).predict_proba(GAPS)
    means = np.array([GAPS.loc[label == Y, "x"].mean() for label in "abc"])
    gap = GAPS["x"].isna().to_numpy()
    assert filled["x"].to_numpy()[gap] == pytest.approx((share @ means)[gap], abs=1e-9)
    levels = ["high", "low", "middle"]
    counts = pd.crosstab(Y, GAPS["level"], normalize="index")[levels].to_numpy()
    gap = GAPS["level"].isna().to_numpy()
    best = np.array(levels)[(share @ counts).argmax(axis=1)]
    assert filled["level"].to_numpy()[gap].tolist() == best[gap].tolist()
    # The class of a row is not looked at, wherever it stands.
    named = Impute("class").fit(GAPS.assign(kind=Y), "kind")
    shuffled = GAPS.assign(kind=Y[::-1])
    pd.testing.assert_frame_equal(named.transform(shuffled).drop(columns="kind"), filled)


def test_files_words_and_frames(tmp_path):
    model = Impute("class", statistic="median", indicator=True).fit(GAPS, Y)
    model.save(tmp_path / "it.likely")
    again = likely.load(tmp_path / "it.likely")
    pd.testing.assert_frame_equal(again.transform(GAPS), model.transform(GAPS))
    assert model.supervised
    assert "looks at the target" in model.describe()
    assert "level: a low, b low, c high" in model.describe()
    assert "P(class | row)" in str(model.story())
    assert isinstance(
        Impute("class").fit(pl.from_pandas(FULL), Y).transform(pl.from_pandas(FULL)), pl.DataFrame
    )


def test_a_class_without_a_value_is_taken_for_all_and_a_column_without_one_is_left():
    table = {"x": [1.0, 3.0, None, None], "void": [None] * 4}
    with pytest.warns(LikelyWarning, match="'void' had no known value"):
        filled = Impute("class").fit_transform(table, ["a", "a", "b", "b"])
    assert filled == {"x": [1.0, 3.0, 2.0, 2.0], "void": [None] * 4}


def test_what_is_refused():
    with pytest.raises(LikelyError, match="requires y"):
        Impute("class").fit(GAPS)
    with pytest.raises(LikelyError, match="statistic='mode' is unknown"):
        Impute("class", statistic="mode").fit(GAPS, Y)
    with pytest.raises(LikelyError, match="'class' draws nothing"):
        Impute("class", fill="drawn").fit(GAPS, Y)
    with pytest.raises(LikelyError, match="'class' draws nothing"):
        Impute("class").fit(GAPS, Y).sample(GAPS, 2)


@pytest.mark.parametrize("model", ["mixture", "gaussian", "class", "model"])
@pytest.mark.parametrize("library", ["pandas", "polars", "dict", "matrix"])
def test_an_indicator_stands_beside_any(model, library):
    numbers = GAPS[["x", "told"]].astype(float)
    table = {
        "pandas": numbers,
        "polars": pl.from_pandas(numbers),
        "dict": {name: numbers[name].to_numpy() for name in numbers},
        "matrix": numbers.to_numpy(),
    }[library]
    made = Impute(model, components=1, indicator=True, random_state=0).fit(table, Y)
    plain = Impute(model, components=1, random_state=0).fit(table, Y).transform(table)
    out = made.transform(table)
    names = made.get_feature_names_out().tolist()
    if library == "matrix":
        assert names == ["x0", "x1", "x0 is missing"]
        assert (out[:, :2] == plain).all()
        assert (out[:, 2] == np.isnan(numbers["x"])).all()
    else:
        assert names == ["x", "told", "x is missing"] == list(out.columns if library != "dict" else out)
        assert np.asarray(out["x"]).tolist() == np.asarray(plain["x"]).tolist()
        assert np.asarray(out["x is missing"]).tolist() == numbers["x"].isna().tolist()


PARTS = (slice(90), slice(90, N))


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_pieces_are_the_whole(statistic):
    """What each class has adds; how probable classes are is as naive Bayes adds."""
    whole, first, second = (Impute("class", statistic=statistic) for _ in range(3))
    whole.fit(GAPS, Y)
    added = first.fit(GAPS[:90], Y[:90]) + second.fit(GAPS[90:], Y[90:])
    bayes = [likely.NaiveBayes().fit(GAPS[part], Y[part]) for part in PARTS]
    for one in (added, first.partial_fit(GAPS[90:], Y[90:])):
        for line, wanted in zip(one.table().lines, whole.table().lines, strict=True):
            for label in ("in a", "in b", "in c"):
                same = pytest.approx if isinstance(wanted[label], float) else lambda word: word
                assert line[label] == same(wanted[label])
    gap = GAPS["x"].isna()
    each = np.array([whole.table("x").lines[0][f"in {label}"] for label in "abc"])
    share = (bayes[0] + bayes[1]).predict_proba(GAPS)[gap]
    assert added.transform(GAPS).loc[gap, "x"].to_numpy() == pytest.approx(share @ each)


def test_a_level_that_only_later_rows_have():
    model = Impute("class").fit({"x": ["u", "u", None]}, list("aab"))
    model.partial_fit({"x": ["v", "v", "v"]}, list("aac"))
    line = model.table("x").lines[0]
    assert {name: line[name] for name in ("in a", "in b", "in c")} == {"in a": "u", "in b": "v", "in c": "v"}


@pytest.mark.parametrize("model", ["mixture", "gaussian", "model"])
def test_what_has_no_sum_is_refused(model):
    fitted = Impute(model, random_state=0).fit(GAPS)
    with pytest.raises(LikelyError, match="no sum"):
        fitted + fitted
    assert not hasattr(fitted, "partial_fit")
