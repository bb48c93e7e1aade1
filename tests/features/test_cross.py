"""Cartesian products: order of levels, unseen combinations, counts, pieces, files, SQL, back again."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.feature_selection import mutual_info_classif
from sklearn.pipeline import make_pipeline
from sklearn_checks import estimator_checks

import likely
from likely import Cross, LikelyError, LikelyWarning

RNG = np.random.default_rng(5)
N = 200
FRAME = pd.DataFrame(
    {
        "shape": pd.Series(RNG.choice(["circle", "square", "triangle"], N)).where(RNG.random(N) < 0.9, None),
        "colour": pd.Categorical(RNG.choice(["red", "green", "blue"], N), ["red", "green", "blue"]),
        "size": pd.Categorical(RNG.choice(["S", "L"], N), ["S", "L"], ordered=True),
        "shiny": RNG.random(N) < 0.5,
        "weight": RNG.normal(size=N),
    }
)
# Neither shape nor colour says much alone: their combination says it.
Y = np.where((FRAME["shape"] == "circle") == (FRAME["colour"] == "red"), "a", "b")


@estimator_checks(Cross(), rarely=[Cross(keep=False)])
def test_estimator_checks(estimator, check):
    check(estimator)


def test_shape_by_colour_has_nine_levels_in_the_order_of_the_first_then_the_second():
    few = FRAME[["shape", "colour"]].dropna().drop_duplicates().iloc[:2]
    kinds = {"shape": ["circle", "square", "triangle"], "colour": ["red", "green", "blue"]}
    model = Cross(kinds=kinds).fit(few.astype({"colour": str}))
    levels = model.transform(few)["shape x colour"].cat.categories.tolist()
    assert levels == [f"{a}, {b}" for a in kinds["shape"] for b in kinds["colour"]]
    assert len(levels) == 9
    cells = model.table().to_frame("pandas")
    assert (cells["rows"] > 0).sum() <= 2  # combinations never seen are levels, too
    assert "7 of 9 combinations never seen" in str(model.table())
    unseen = pd.DataFrame({"shape": ["triangle"], "colour": ["blue"]})
    assert model.transform(unseen)["shape x colour"].tolist() == ["triangle, blue"]


def test_counts_and_bits_are_those_of_pandas_and_scikit_learn():
    model = Cross([("shape", "colour")]).fit(FRAME, Y)
    cells = model.table().to_frame("pandas")
    theirs = pd.crosstab([FRAME["shape"], FRAME["colour"]], Y, dropna=True)
    for place, line in cells.iterrows():
        shape, colour = line["cell"].split(", ")
        assert [line["n a"], line["n b"]] == theirs.loc[(shape, colour)].tolist(), place
    known = FRAME["shape"].notna()
    codes = model.transform(FRAME)["shape x colour"].cat.codes.to_numpy()
    assert ((codes == -1) == ~known).all()
    nats = mutual_info_classif(codes[known][:, None], Y[known], discrete_features=True)[0]
    assert cells["bits"].sum() == pytest.approx(nats / np.log(2), abs=1e-12)


def test_what_two_columns_say_together():
    alone = likely.NaiveBayes().fit(FRAME[["shape", "colour"]], Y)
    both = make_pipeline(Cross(keep=False), likely.NaiveBayes()).fit(FRAME[["shape", "colour"]], Y)
    assert both.score(FRAME[["shape", "colour"]], Y) > alone.score(FRAME[["shape", "colour"]], Y) + 0.1


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize(
    "columns", [None, ["shape", "shiny"], [("shape", "colour", "size"), ("size", "shiny")]]
)
def test_inverse(columns, keep):
    model = Cross(columns, keep=keep).fit(FRAME)
    back = model.inverse_transform(model.transform(FRAME))
    assert list(back) == list(FRAME)
    for name in FRAME:
        # A column whose partner is missing cannot be known from their product alone.
        whole = FRAME["shape"].notna() if not keep and name != "weight" else FRAME[name].notna()
        assert back[name][whole].astype(object).tolist() == FRAME[name][whole].astype(object).tolist()
    matrix = RNG.integers(3, 6, (20, 2)).astype(float)
    numbers = Cross(keep=False, kinds="categorical").fit(matrix)
    assert (numbers.inverse_transform(numbers.transform(matrix)) == matrix).all()


def test_pieces_are_the_whole_and_files_keep_it(tmp_path):
    whole = Cross().fit(FRAME, Y)
    parts = Cross().fit(FRAME[:70], Y[:70]) + Cross().fit(FRAME[70:], Y[70:])
    one_by_one = Cross().fit(FRAME[:1], Y[:1]).partial_fit(FRAME[1:], Y[1:])
    whole.save(tmp_path / "it.likely")
    for other in (parts, one_by_one, likely.load(tmp_path / "it.likely")):
        assert str(other.table()) == str(whole.table())
        pd.testing.assert_frame_equal(other.transform(FRAME), whole.transform(FRAME))
    weight = RNG.integers(0, 3, N)
    copies = Cross().fit(FRAME.loc[FRAME.index.repeat(weight)], np.repeat(Y, weight))
    assert str(Cross().fit(FRAME, Y, sample_weight=weight).table()) == str(copies.table())
    with pytest.raises(LikelyError, match="other columns"):
        whole._known() + Cross(["shape", "size"]).fit(FRAME, Y)._known()


def test_sql_gives_the_same():
    model = Cross(degree=3).fit(FRAME)
    rows = FRAME.astype({"colour": str, "size": str})  # noqa: F841  # DuckDB reads it by its name
    theirs, ours = duckdb.sql(model.to_sql("rows")).df(), model.transform(FRAME)
    assert list(theirs) == list(ours)
    for name in list(ours)[-4:]:
        mine = ours[name].astype(object)
        assert theirs[name].astype(object).fillna("gap").tolist() == mine.fillna("gap").tolist()


def test_any_frame_and_set_output():
    plain = {"a": ["x", "y", None], "b": [True, False, True]}
    for table, kind in ((plain, dict), (pl.DataFrame(plain), pl.DataFrame), (pa.table(plain), pa.Table)):
        out = Cross().fit_transform(table)
        assert isinstance(out, kind)
        column = out["a x b"]
        listed = column.to_pylist() if kind is pa.Table else list(column)
        assert listed == ["x, True", "y, False", None]
    assert isinstance(Cross().set_output(transform="polars").fit(plain).transform(plain), pl.DataFrame)


def test_names_and_labels_are_never_twice():
    table = {"a": ["x, y", "x"], "b": ["z", "y, z"], "a x b": ["1", "2"]}
    model = Cross([("a", "b")]).fit(table)
    assert model.get_feature_names_out().tolist()[-1] == "a x b_"
    labels = model._new_columns()[0].levels
    assert len(set(labels)) == 4
    assert labels == ("x, y, z", "x, z", "x, y, y, z", "x, y, z (2)")


def test_too_many_levels_are_left_out_or_refused():
    wide = pd.DataFrame(
        {"id": [f"i{i}" for i in range(300)], "name": [f"n{i}" for i in range(300)], "c": "x"}
    )
    with pytest.warns(LikelyWarning, match=r"'id x name' left out.*GroupLevels"):
        model = Cross().fit(wide)
    assert model.get_feature_names_out().tolist()[3:] == ["id x c", "name x c"]
    with pytest.raises(LikelyError, match=r"id x name has 90000 levels.*GroupLevels"):
        Cross(["id", "name"]).fit(wide)
    with pytest.raises(LikelyError, match=r"'weight' is quantitative.*Discretize"):
        Cross(["weight", "shape"]).fit(FRAME)
    with pytest.raises(LikelyError, match="each once"):
        Cross([("shape", "shape")]).fit(FRAME)
    with pytest.raises(LikelyError, match="degree=1"):
        Cross(degree=1).fit(FRAME)
    with pytest.raises(LikelyError, match=r"columns names column 'shap'.*did you mean 'shape'"):
        Cross(["shap", "size"]).fit(FRAME)


def test_words_and_pictures():
    model = Cross([("shape", "colour")]).fit(FRAME, Y)
    assert "deductive, and does not look at the target" in model.describe()
    assert "circle, red" in str(model.explain(FRAME.dropna(), 0)) + str(model.table())
    assert len(model.plot().get_yticklabels()) == 9
    assert len(Cross([("shape", "colour")]).fit(FRAME).plot(X=FRAME).patches) == 9
