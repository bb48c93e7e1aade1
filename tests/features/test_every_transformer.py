"""What every transformer of the registry can be asked for, and what it does with odd tables."""

from __future__ import annotations

import datetime
import warnings

import duckdb
import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from seeds import first
from sklearn.base import clone

import likely
from likely import LikelyError
from likely.estimator.registry import MODELS, estimator_class

mpl.use("agg")
RNG = np.random.default_rng(21)
N = 120
Y = np.where(RNG.random(N) < 0.5, "yes", "no")
FRAME = pd.DataFrame(
    {
        "age": RNG.gamma(3, 12, N).round(1) + 20 * (Y == "yes"),
        "visits": RNG.poisson(2, N),
        "colour": RNG.choice(["red", "green", "blue"], N),
        "size": RNG.choice(["S", "L"], N),
        "member": RNG.random(N) < 0.4,
        "key": [f"k{i}" for i in range(N)],
    }
)
NUMBERS = FRAME[["age", "visits"]]
CHILDREN = {"key": ["k0", "k0", "k1", "k2"], "price": [1.0, 2.0, 3.0, 4.0]}
# How each is made, and the table to show it on.
HOW = {
    "Decompose": (likely.Decompose("pca", components=2), NUMBERS),
    "Impute": (likely.Impute("gaussian"), NUMBERS.where(RNG.random((N, 2)) < 0.9)),
    "Linked": (likely.Linked("key", CHILDREN, least=1), FRAME[["key", "age"]]),
    "MissingLevel": (
        likely.MissingLevel(),
        FRAME[["age", "colour", "size"]].assign(size=FRAME["size"].where(FRAME["member"])),
    ),
    "Order": (likely.Order(), FRAME[["colour", "size", "member"]]),
    "Structured": (likely.Structured(columns=["colour"]), FRAME[["colour", "age"]]),
    "Whiten": (likely.Whiten(), NUMBERS),
}
TRANSFORMERS = [
    name
    for name, row in MODELS.items()
    if row.module.startswith("likely.features") and hasattr(estimator_class(name), "transform")
]
# What cannot be: nothing fills cells by a formula, and what is inside texts is none.
NO_SQL = {"Impute", "Structured"}
NO_TABLE = {"Impute"}  # `describe()` has the parameters of each family
NO_PICTURE = {"Impute"}
each = pytest.mark.parametrize("name", TRANSFORMERS)


def made(name: str):
    """A fitted transformer, and the table it was fitted to."""
    model, table = HOW.get(name, (estimator_class(name)(), FRAME.drop(columns="key")))
    return clone(model).fit(table, Y), table


def test_all_are_here():
    assert {"Cross", "Polynomial", "Discretize", "Evidence", "Impute", "Whiten"} <= set(TRANSFORMERS)
    assert set(HOW) | NO_SQL <= set(TRANSFORMERS)


@each
def test_it_says_what_it_is(name):
    model, _ = made(name)
    assert isinstance(model.supervised, bool)
    assert isinstance(model.deductive, bool)
    said = str(model.describe())
    if name != "Impute":
        assert ("does not look at the target" in said) is (not model.supervised)
        assert ("deductive" in said) is model.deductive
    assert model.__sklearn_tags__().target_tags.required is model.supervised
    assert not (model.supervised and model.deductive)


@each
def test_it_does_not_look_at_the_target_if_it_says_so(name):
    model, table = made(name)
    if model.supervised:
        return
    other = clone(model).fit(table)
    pd.testing.assert_frame_equal(pd.DataFrame(other.transform(table)), pd.DataFrame(model.transform(table)))


@each
def test_words_tables_and_pictures(name):
    model, table = made(name)
    told = model.explain(table, 3)
    assert len(told.lines) > 0
    assert "<table" in told._repr_html_()
    assert "<" in model._repr_html_()  # a notebook shows it
    with pytest.raises(LikelyError, match="the table has 120 rows"):
        model.explain(table, N)
    if name not in NO_TABLE:
        assert str(model.table())
        assert "<" in model.table()._repr_html_()
    if name not in NO_PICTURE:
        options = {"X": table} if name in ("Linked", "Structured", "Polynomial") else {}
        new = [one for one in model.get_feature_names_out() if one not in table] if options else []
        column = new[0] if new else None
        if column is None and name not in ("Subgroups", "Decompose", "Cross"):
            shown = model.table().lines
            column = shown[0]["column"]
        elif name == "Cross":
            column = model.table().lines[0]["column"]
        assert model.plot(column, **options).figure is not None


def known(values: list[object]) -> list[object]:
    """Values with None where one is missing: old versions of pandas leave None where newer ones say NaN."""
    return [None if pd.isna(value) else value for value in values]


@each
def test_the_inverse_of_transform(name):
    model, table = made(name)
    if not hasattr(model, "inverse_transform"):
        assert name in ("Threshold", "GroupLevels", "Impute", "Select"), "many to one, or left out"
        return
    out = model.transform(table)
    if name == "Evidence":
        return  # only straight lines lead back: tests/features/test_evidence_features.py
    back = pd.DataFrame(np.asarray(model.inverse_transform(out)), columns=list(table)[: np.shape(out)[1]])
    if name == "Discretize":  # the same bins again
        again = model.transform(model.inverse_transform(out))
        pd.testing.assert_frame_equal(again, out)
        return
    for column in table:
        ours, theirs = back[column].tolist(), table[column].tolist()
        if table[column].dtype.kind in "iuf":
            assert np.asarray(ours, float) == pytest.approx(np.asarray(theirs, float), rel=1e-9), column
        else:
            assert known(ours) == known(theirs), column


@each
def test_sql_gives_the_same(name):
    model, table = made(name)
    if name in NO_SQL:
        if hasattr(model, "to_sql"):
            with pytest.raises(LikelyError, match="no SQL"):
                model.to_sql("rows")
        return
    rows, children = table, pd.DataFrame(CHILDREN)  # noqa: F841  # DuckDB reads them by their names
    theirs, ours = duckdb.sql(model.to_sql("rows")).df(), model.transform(table)
    ours = pd.DataFrame(ours, columns=model.get_feature_names_out())
    assert list(theirs) == list(ours)
    order = ours["key"].map({key: i for i, key in enumerate(theirs["key"])}) if name == "Linked" else None
    theirs = theirs if order is None else theirs.iloc[order.to_numpy()].reset_index(drop=True)
    for column in ours:
        a, b = ours[column], theirs[column]
        assert (a.isna() == b.isna()).all(), column
        some = a.notna()
        if a.dtype.kind in "iuf":
            assert b[some].astype(float).to_numpy() == pytest.approx(a[some].astype(float).to_numpy())
        else:
            assert [str(v) for v in a[some]] == [str(v) for v in b[some]], column


TIMED = {
    "bins": likely.Discretize("equal_frequency", 4),
    "average": likely.Evidence(),
    "isotonic": likely.Evidence("isotonic"),
    "logistic": likely.Evidence("logistic"),
    "threshold": likely.Threshold(),
    "scale": likely.Normalize(),
    "products": likely.Polynomial(differences=True),
    "subgroups": likely.Subgroups(["day >= 2021-03-01 and at < 2022-01-05"]),
    "components": likely.Decompose("pca", 1),
}


@pytest.mark.parametrize("name", TIMED)
def test_sql_of_dates_and_times(name):
    hours = RNG.integers(0, 20_000, N)
    rows = pd.DataFrame(
        {
            "day": [datetime.date(2021, 1, 1) + datetime.timedelta(int(h) // 24) for h in hours],
            "at": pd.Timestamp("2021-06-01") + pd.to_timedelta(hours * 3600.5, unit="s"),
        }
    )
    if name != "components":
        rows.loc[3, "day"], rows.loc[5, "at"] = None, pd.NaT
    model = clone(TIMED[name]).fit(rows, np.where(hours + RNG.normal(0, 5000, N) > 9000, "yes", "no"))
    theirs, ours = duckdb.sql(model.to_sql("rows")).df(), model.transform(rows)
    assert list(theirs) == list(ours)
    for column in ours:
        a, b = ours[column], theirs[column]
        assert (a.isna() == b.isna()).all(), column
        if pd.api.types.is_float_dtype(a):
            assert b.to_numpy(float) == pytest.approx(a.to_numpy(float), rel=1e-9, abs=1e-6, nan_ok=True)
        elif column not in rows:
            assert a.dropna().astype(str).tolist() == b[a.notna()].astype(str).tolist(), column


ODD = {
    "constant": {"a": [1.0] * 6, "b": ["x"] * 6, "c": [True] * 6},
    "all missing": {"a": [np.nan] * 6, "b": [None] * 6, "c": [None] * 6},
    "one row": {"a": [1.5], "b": ["x"], "c": [False]},
    "one level": {"a": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "b": ["x"] * 5 + [None], "c": [True] * 6},
    "one class": {"a": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "b": list("xyxyxy"), "c": [True, False] * 3},
    "infinite": {"a": [1.0, 2.0, np.inf, 4.0, -np.inf, 6.0], "b": list("xyxyxy"), "c": [True, False] * 3},
    "vast": {"a": [1e300, -1e300, 1.0, 2.0, 3.0, 4.0], "b": list("xyxyxy"), "c": [True, False] * 3},
    "tiny": {"a": [1e-300, -1e-300, 5e-324, 0.0, 0.0, 0.0], "b": list("xyxyxy"), "c": [True, False] * 3},
    "an unseen level": {"a": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "b": list("xyxyxy"), "c": [True, False] * 3},
}


def odd(name: str):
    if name == "Linked":
        return likely.Linked("b", {"b": ["x", "x", "y"], "price": [1.0, 2.0, 3.0]}, least=1)
    return {
        "Structured": likely.Structured(columns=["b"]),
        "Impute": likely.Impute("model"),
        "Decompose": likely.Decompose("ppca", components=1),
    }.get(name, estimator_class(name)())


@pytest.mark.parametrize("case", ODD)
@each
def test_odd_tables_have_a_defined_answer_or_an_error_that_helps(name, case):
    table = pd.DataFrame(ODD[case])
    n = len(table)
    y = ["no"] * n if case in ("one class", "one row") else (["no", "yes"] * n)[:n]
    model = odd(name)
    if name == "Whiten":
        table = table[["a"]]
    new = table.assign(b="z") if case == "an unseen level" and name != "Whiten" else table
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", likely.LikelyWarning)
            out = model.fit(table, y).transform(new)
    except LikelyError as error:
        said = str(error)
        assert any(f"'{column}'" in said for column in "abc") or "column" in said, said
        assert ": " in said, said  # what to do about it
        return
    except ValueError as error:
        pytest.fail(f"not a LikelyError: {error!r}")
    cells = np.asarray(out, object)
    assert len(cells) == n
    numbers = pd.DataFrame(cells).map(lambda v: isinstance(v, float) and np.isinf(v)).to_numpy()
    assert case == "infinite" or not numbers.any()


MANY = pd.DataFrame({"id": [f"i{i}" for i in range(100_000)], "x": np.arange(100_000) % 7.0})
REFUSED = {
    "Binarize": (likely.Binarize(), "each would be a column.*GroupLevels"),
    "Impute by models": (likely.Impute("model"), "a regression weighs each.*GroupLevels"),
    "Subgroups of any size": (likely.Subgroups(least=1), "too many: .*GroupLevels"),
}
TAKEN = {
    name: estimator_class(name)()
    for name in (
        "Evidence",
        "GroupLevels",
        "Order",
        "Cross",
        "Subgroups",
        "MissingLevel",
        "Select",
        "Discretize",
    )
} | {"Impute": likely.Impute("class"), "Impute by groups": likely.Impute()}


@pytest.mark.parametrize("name", first(2, list(TAKEN)))
def test_a_hundred_thousand_levels(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", likely.LikelyWarning)
        out = clone(TAKEN[name]).fit(MANY, np.arange(len(MANY)) % 2).transform(MANY[:100])
    assert len(out) == 100


@pytest.mark.parametrize(("model", "said"), REFUSED.values(), ids=list(REFUSED))
def test_more_levels_than_fit_are_refused_in_words(model, said):
    with pytest.raises(LikelyError, match=f"column 'id' .*100,000.*{said}"):
        clone(model).fit(MANY, np.arange(len(MANY)) % 2)


def test_three_thousand_levels_become_columns():
    out = likely.Binarize().fit(MANY[:3000]).transform(MANY[:100])
    assert out.shape == (100, 3001)
    assert (out.drop(columns="x").sum(axis=1) == 1).all()


NO_NUMBERS = {"c": np.full(12, np.nan), "d": np.full(12, np.nan)}
ONE_LEVEL = {"c": ["k"] * 12}
TWO, THREE = list("ab") * 6, list("abc") * 4
EMPTY, NONE = "column 'c' is missing in every row", "makes no new column of this table"


@pytest.mark.parametrize(
    ("model", "table", "y", "said"),
    [
        (likely.Evidence(), NO_NUMBERS, TWO, EMPTY),
        (likely.Evidence("isotonic"), NO_NUMBERS, THREE, EMPTY),
        (likely.Discretize(), NO_NUMBERS, THREE, EMPTY),
        (likely.Discretize("equal_width"), NO_NUMBERS, ["a"] * 12, EMPTY),
        (likely.Threshold(), NO_NUMBERS, TWO, EMPTY),
        (likely.Threshold(), NO_NUMBERS, THREE, r"two classes, and there are 3: `table\(\)`"),
        (likely.Threshold(), ONE_LEVEL, TWO, NONE),
        (likely.Discretize(), ONE_LEVEL, TWO, NONE),
        (likely.Binarize(), NO_NUMBERS, TWO, NONE),
        (likely.Order("frequency"), NO_NUMBERS, TWO, NONE),
    ],
)
def test_a_picture_of_nothing_is_refused_in_words(model, table, y, said):
    with pytest.raises(LikelyError, match=said):
        clone(model).fit(table, y).plot("c")


@pytest.mark.parametrize(
    "model",
    [likely.Binarize(), likely.Binarize(drop_first=True), likely.Order("frequency")],
    ids=["binarize", "without the first", "order"],
)
def test_the_inverse_of_columns_without_levels(model):
    table = pd.DataFrame({"c": np.array([None] * 4, object), "k": ["v"] * 4, "x": [1.0, 2.0, 3.0, 4.0]})
    fitted = clone(model).fit(table)
    back = fitted.inverse_transform(fitted.transform(table))
    assert back["c"].isna().all()
    assert back["k"].tolist() == ["v"] * 4
    assert back["x"].tolist() == [1.0, 2.0, 3.0, 4.0]


def test_an_order_by_evidence_of_three_classes_says_what_to_do():
    with pytest.raises(LikelyError, match=r"column 'c'.*there are 3.*by='frequency'"):
        likely.Order().fit({"c": list("uvw") * 4}, THREE)
