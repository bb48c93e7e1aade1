"""Missing cells as a level of their own."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from likely import LikelyError, MissingLevel, NaiveBayes, load

RNG = np.random.default_rng(8)
N = 300
Y = np.where(RNG.random(N) < 0.4, "yes", "no")
GAPS = RNG.random(N) < np.where(Y == "yes", 0.6, 0.1)  # that a cell is missing tells
FRAME = pd.DataFrame(
    {
        "job": np.where(GAPS, None, RNG.choice(["cook", "nurse", "clerk"], N)),
        "size": pd.Categorical(
            np.where(RNG.random(N) < 0.2, None, RNG.choice(["S", "M", "L"], N)), ["S", "M", "L"], ordered=True
        ),
        "member": pd.array(np.where(RNG.random(N) < 0.1, None, RNG.random(N) < 0.5), "boolean"),
        "age": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(40, 9, N)),
        "sex": RNG.choice(["f", "m"], N),
    }
)


def test_levels_truths_and_orders_have_the_level_and_others_stay():
    out = MissingLevel().fit(FRAME).transform(FRAME)
    for name in ("job", "size", "member"):
        gaps = FRAME[name].isna()
        assert (out[name][gaps] == "missing").all()
        assert (out[name][~gaps].astype(str) == FRAME[name][~gaps].astype(str)).all()
    assert list(out["size"].cat.categories) == ["S", "M", "L", "missing"]
    assert not out["size"].cat.ordered
    pd.testing.assert_series_equal(out["age"], FRAME["age"])
    pd.testing.assert_series_equal(out["sex"], FRAME["sex"])


def test_a_column_without_gaps_has_the_level_if_it_is_asked_for():
    model = MissingLevel("unknown", columns=["sex"]).fit(FRAME)
    assert list(model.transform(FRAME)["sex"].cat.categories) == ["f", "m", "unknown"]
    new = model.transform(FRAME.iloc[:1].assign(sex=[None]))
    assert new["sex"].tolist() == ["unknown"]
    assert (
        model.transform(FRAME.iloc[:1].assign(sex=["x"]))["sex"].isna().all()
    )  # never seen: nothing is said


def test_the_table_counts_the_gaps_of_each_class():
    lines = {line["cell"]: line for line in MissingLevel().fit(FRAME, Y).table("job").lines}
    for label in ("yes", "no"):
        assert lines["missing"][f"n {label}"] == (GAPS & (label == Y)).sum()
    assert lines["missing"]["evidence"] > 1  # the gap speaks for yes
    assert sum(line["rows"] for line in lines.values()) == N


def test_weights_count_rows():
    weight = RNG.integers(0, 4, N)
    weighed = MissingLevel().fit(FRAME, Y, weight).table("job").lines
    repeated = MissingLevel().fit(FRAME.loc[np.repeat(FRAME.index, weight)], np.repeat(Y, weight))
    for one, other in zip(weighed, repeated.table("job").lines, strict=True):
        assert one["rows"] == other["rows"]
        assert one["evidence"] == pytest.approx(other["evidence"], rel=1e-12)


def test_there_and_back():
    model = MissingLevel().fit(FRAME)
    back = model.inverse_transform(model.transform(FRAME))
    for name in FRAME:
        assert (back[name].isna() == FRAME[name].isna()).all()
        known = ~FRAME[name].isna()
        assert (back[name][known].astype(str) == FRAME[name][known].astype(str)).all()


def test_pieces_are_the_whole():
    whole = MissingLevel().fit(FRAME, Y)
    parts = MissingLevel().fit(FRAME[:100], Y[:100]).partial_fit(FRAME[100:], Y[100:])
    assert str(parts.table()) == str(whole.table())
    both = MissingLevel().fit(FRAME[:100], Y[:100]) + MissingLevel().fit(FRAME[100:], Y[100:])
    assert str(both.table()) == str(whole.table())


def test_it_is_what_naive_bayes_does_with_missing_as_a_level(tmp_path):
    plain = {"families": "classical", "evidence_weights": None}
    columns = FRAME[["job"]]
    model = MissingLevel().fit(columns)
    inside = NaiveBayes(missing="level", **plain).fit(columns, Y)
    behind = NaiveBayes(**plain).fit(model.transform(columns), Y)
    ours = behind.predict_proba(model.transform(columns))
    np.testing.assert_allclose(ours, inside.predict_proba(columns), rtol=1e-12)
    model.save(tmp_path / "gaps.likely")
    again = load(tmp_path / "gaps.likely").transform(columns)
    pd.testing.assert_frame_equal(again, model.transform(columns))


@pytest.mark.parametrize(
    ("model", "table", "said"),
    [
        (MissingLevel(), {"a": ["missing", None, "b"]}, r"column 'a' has a level 'missing' already.*label"),
        (MissingLevel(""), {"a": ["x", None]}, r"label=''.*word"),
        (MissingLevel(columns=["n"]), {"n": [1.5, None, 2.5]}, r"'n' is quantitative.*leave it out"),
        (MissingLevel(columns=["z"]), {"a": ["x", None]}, r"'z'"),
    ],
)
def test_what_cannot_be_is_refused(model, table, said):
    with pytest.raises(LikelyError, match=said):
        model.fit(table)


def test_one_level_one_row_and_nothing_known():
    assert MissingLevel().fit_transform({"a": ["x", None]})["a"].tolist() == ["x", "missing"]
    assert MissingLevel(columns=["a"]).fit_transform({"a": ["x"]})["a"].tolist() == ["x"]
    kinds = {"a": "categorical"}
    assert MissingLevel(kinds=kinds).fit_transform({"a": [None, None]})["a"].tolist() == ["missing"] * 2
