"""What holds for every transformer: frames, names, pieces, weights, files, SQL, bad input."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn_checks import estimator_checks

import likely
from likely import Binarize, Discretize, Evidence, GroupLevels, LikelyError, Normalize, Order, Threshold

RNG = np.random.default_rng(11)
N = 300
SIZE = np.array(["S", "M", "L"])[RNG.integers(0, 3, N)]
FRAME = pd.DataFrame(
    {
        "age": np.where(RNG.random(N) < 0.1, np.nan, RNG.gamma(3, 12, N).round(1)),
        "visits": RNG.poisson(2, N),
        "colour": pd.Series(RNG.choice(["red", "green", "blue"], N)).where(RNG.random(N) < 0.9, None),
        "size": pd.Categorical(SIZE, ["S", "M", "L"], ordered=True),
        "member": RNG.random(N) < 0.4,
    },
    index=np.arange(N) + 1000,
)
Y = np.where(RNG.random(N) < 0.3 + 0.4 * (FRAME["visits"] > 2), "yes", "no")
CASES = [
    Discretize(),
    Discretize("equal_frequency", 4),
    Discretize("recursive", stop="equal"),
    Discretize("chi_merge", 4),
    Threshold(),
    Threshold("median"),
    Threshold("hull"),
    Evidence(),
    Evidence("isotonic", missing="neutral"),
    Evidence("logistic", space="probability"),
    GroupLevels(least=0.3),
    GroupLevels("chi_merge", groups=2),
    Order(),
    Order("frequency"),
    Order("none"),
    Binarize(),
    Binarize(drop_first=True),
    *(Normalize(method) for method in ("z", "variance", "iqr", "minmax", "six_sigma")),
]
each = pytest.mark.parametrize("case", CASES, ids=repr)


@estimator_checks(
    *(Discretize(), Threshold(), Evidence(), Normalize(), GroupLevels(), Binarize()),
    rarely=[Discretize("equal_frequency"), Threshold("median"), Evidence("logistic")],
)
def test_estimator_checks(estimator, check):
    check(estimator)


def values(column):
    """Plain values, None where missing."""
    listed = (
        column.to_list()
        if hasattr(column, "to_list")
        else column.to_pylist()
        if hasattr(column, "to_pylist")
        else list(column)
    )
    return [
        None if v is None or v is pd.NA or v != v else v.item() if hasattr(v, "item") else v for v in listed
    ]


@each
def test_any_frame_in_and_the_same_library_out(case):
    out = clone(case).fit(FRAME, Y).transform(FRAME)
    assert isinstance(out, pd.DataFrame)
    assert out.index.equals(FRAME.index)
    plain = {name: FRAME[name].astype(object).where(FRAME[name].notna(), None).tolist() for name in FRAME}
    kinds = {"size": ["S", "M", "L"]}
    polars = pl.DataFrame({**plain, "size": pl.Series(plain["size"], dtype=pl.Enum(["S", "M", "L"]))})
    arrow = pa.table({**plain, "size": pa.array(plain["size"])})
    for table, kind, more in ((polars, pl.DataFrame, {}), (arrow, pa.Table, kinds), (plain, dict, kinds)):
        other = clone(case).set_params(kinds=more or None).fit(table, Y).transform(table)
        assert isinstance(other, kind)
        assert list(getattr(other, "column_names", None) or getattr(other, "columns", other)) == list(out)
        for name in out:
            assert alike(values(other[name]), values(out[name])), name


def alike(mine, others):
    """Whether two columns hold the same, numbers but for rounding."""
    pairs = list(zip(mine, others, strict=True))
    return all(
        a == pytest.approx(b, rel=1e-11, abs=1e-13) if isinstance(a, float) and b is not None else a == b
        for a, b in pairs
    )


@each
def test_names_and_set_output(case):
    model = clone(case).set_output(transform="polars").fit(FRAME, Y)
    out = model.transform(FRAME)
    assert isinstance(out, pl.DataFrame)
    assert list(out.columns) == model.get_feature_names_out().tolist()
    matrix = FRAME[["age", "visits"]].to_numpy()
    plain = clone(case).fit(matrix, Y)
    assert plain.transform(matrix).dtype == np.float64
    assert len(plain.get_feature_names_out()) == plain.transform(matrix).shape[1]
    kept = getattr(case, "missing", "keep") == "keep"
    assert np.isnan(plain.transform(matrix)[np.isnan(matrix[:, 0])]).any() == kept


def test_a_column_left_alone_is_the_same_in_another_library():
    """Missing masked cells, declared levels and their order, and time zones."""
    times = pd.to_datetime(["2020-01-01 09:00", None, "2020-07-01 10:00"]).tz_localize("Europe/Paris")
    sizes = pd.Categorical(["low", None, "high"], categories=["low", "high", "top"], ordered=True)
    table = pd.DataFrame({"x": [1.0, 2.0, 4.0], "told": pd.array([True, None, False]), "size": sizes})
    table = table.assign(count=pd.array([3, None, 5], "Int64"), when=times, word=["a", None, "b"])
    model = likely.Normalize(columns=["x"]).set_output(transform="polars")
    there = model.fit(table).transform(table)
    known = {"told": [True, False], "count": [3, 5], "size": ["low", "high"], "word": ["a", "b"]}
    assert {name: there[name].to_list() for name in known} == {n: [a, None, b] for n, (a, b) in known.items()}
    assert there.schema["size"] == pl.Enum(["low", "high", "top"])
    back = clone(model).set_output(transform="pandas").fit(there).transform(there)
    assert back["size"].dtype == table["size"].dtype
    for frame in (there.to_pandas(), back):
        assert (frame["when"].dropna() == table["when"].dropna()).all()
        assert [moment.hour for moment in frame["when"].dropna()] == [9, 10]


@each
def test_pieces_are_the_whole(case):
    whole = clone(case).fit(FRAME, Y)
    first, second = clone(case).fit(FRAME[:120], Y[:120]), clone(case).fit(FRAME[120:], Y[120:])
    one_by_one = clone(case).fit(FRAME[:120], Y[:120]).partial_fit(FRAME[120:], Y[120:])
    for other in (first + second, one_by_one):
        pd.testing.assert_frame_equal(other.transform(FRAME), whole.transform(FRAME), rtol=1e-10)


@each
def test_weights_are_copies(case):
    weight = RNG.integers(0, 3, N)
    weighted = clone(case).fit(FRAME, Y, sample_weight=weight)
    copies = clone(case).fit(FRAME.loc[FRAME.index.repeat(weight)], np.repeat(Y, weight))
    pd.testing.assert_frame_equal(weighted.transform(FRAME), copies.transform(FRAME), rtol=1e-10)


@each
def test_saved_and_loaded(case, tmp_path):
    model = clone(case).fit(FRAME, Y)
    model.save(tmp_path / "it.likely")
    again = likely.load(tmp_path / "it.likely")
    pd.testing.assert_frame_equal(again.transform(FRAME), model.transform(FRAME))
    assert str(again.table()) == str(model.table())
    more = again.partial_fit(FRAME[:50], Y[:50])
    assert more.record_.n == N + 50
    assert "Take each column" in str(model.story())


@each
def test_sql_is_the_transformation(case):
    model = clone(case).fit(FRAME, Y)
    rows = FRAME.assign(size=FRAME["size"].astype(str))  # noqa: F841  # DuckDB finds it by its name
    theirs = duckdb.sql(model.to_sql("rows")).df()
    ours = model.transform(FRAME)
    assert list(theirs.columns) == list(ours.columns)
    for name in ours:
        assert alike(values(ours[name]), values(theirs[name])), name


@each
def test_missing_stays_missing_and_new_levels_do_not_stop_it(case):
    model = clone(case).fit(FRAME, Y)
    strange = FRAME[:3].assign(colour=["violet", None, "red"], age=[np.nan, 5.0, 1e6])
    out = model.transform(strange)
    assert len(out) == 3
    changed = [name for name in out if name.startswith("age")]
    assert changed
    assert out[changed].iloc[0].isna().all() or getattr(case, "missing", "keep") != "keep"
    assert not out[changed].iloc[2].isna().any()


@each
@pytest.mark.parametrize(
    "table",
    [
        {"x": [3.0, 3.0, 3.0, 3.0]},
        {"x": [None, None, None, None], "y": [1.0, 2.0, 3.0, 4.0]},
        {"x": [1e100, -1e100, 1e-300, 0.0]},
        {"x": [1.0, np.nextafter(1.0, 2), 1.0, np.nextafter(1.0, 2)]},
    ],
    ids=["constant", "all missing", "far apart", "close"],
)
@pytest.mark.parametrize(
    "classes", [["a", "a", "b", "b"], ["a", "a", "a", "a"]], ids=["two classes", "one class"]
)
def test_awkward_columns_have_an_answer(case, table, classes):
    model = clone(case)
    out = model.fit(table, classes).transform(table)
    for column in out.values():
        assert len(column) == 4
    assert str(model.table())
    assert str(model.describe())


@each
def test_one_row_and_infinity(case):
    model = clone(case).fit({"x": [1.0]}, ["a"])
    assert len(next(iter(model.transform({"x": [2.0]}).values()))) == 1
    with pytest.raises(LikelyError, match="infinity: column 'x', row 1"):
        clone(case).fit({"x": [1.0, np.inf, 2.0]}, ["a", "b", "a"])


@each
def test_explain_finds_the_cells_of_a_row(case):
    model = clone(case).fit(FRAME, Y)
    lines = {line["column"]: line for line in model.explain(FRAME, 4).lines}
    table = model.table()
    for name, line in lines.items():
        if line["cell"] not in ("missing", "never seen"):
            same = [one for one in table.lines if one["column"] == name and one["cell"] == line["cell"]]
            assert same[0]["rows"] == line["rows"]
    with pytest.raises(LikelyError, match="300 rows"):
        model.explain(FRAME, 300)


@each
def test_it_says_whether_it_looks_at_the_target(case):
    said = clone(case).fit(FRAME, Y).describe()
    assert ("does not look at the target" in said) is not case.supervised
    if case.supervised:
        with pytest.raises(LikelyError, match="requires y"):
            clone(case).fit(FRAME)


def test_in_a_pipeline_before_a_model():
    model = make_pipeline(Discretize("equal_frequency", 5), likely.NaiveBayes()).fit(FRAME, Y)
    assert model.predict_proba(FRAME).sum() == pytest.approx(N)
    assert "age" in str(model[-1].describe())


def test_only_alike_transformers_add():
    with pytest.raises(LikelyError, match="made alike"):
        Threshold("median").fit(FRAME) + Threshold("mean").fit(FRAME)
    with pytest.raises(LikelyError, match="with a target"):
        Threshold("median").fit(FRAME) + Threshold("median").fit(FRAME, Y)


def test_a_class_and_a_level_that_come_later():
    order = np.argsort(Y, kind="stable")
    early, late = FRAME.iloc[order[:150]], FRAME.iloc[order[150:]]
    parts = Threshold().fit(early, Y[order[:150]]).partial_fit(late, Y[order[150:]])
    whole = Threshold().fit(FRAME, Y)
    assert parts.thresholds_ == whole.thresholds_


def test_sql_of_a_column_of_which_nothing_is_known():
    rows = pd.DataFrame({"colour": pd.Series([None] * 4, dtype="object")})
    model = GroupLevels(least=0.3).fit(rows, [0, 1, 0, 1])
    assert duckdb.sql(model.to_sql("rows")).df()["colour"].isna().tolist() == [True] * 4
