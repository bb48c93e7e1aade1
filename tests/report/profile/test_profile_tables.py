"""Tables as they come: targets, kinds, files, duplicates, many columns, and real data."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import likely
from likely.errors import LikelyError


def test_the_target_is_a_column_or_values():
    table = {"x": ["a", "b"] * 20, "y": [0, 1] * 20}
    named, given = likely.profile(table, "y"), likely.profile({"x": table["x"]}, table["y"])
    assert named["x"].association == given["x"].association
    assert [column.is_target for column in named] == [column.is_target for column in given] == [False, True]
    with pytest.raises(LikelyError, match="no column 'z' to be the target"):
        likely.profile(table, "z")
    with pytest.raises(LikelyError, match="inconsistent numbers of samples"):
        likely.profile(table, [1, 2, 3])


def test_kinds_are_declared_as_for_models():
    table = {"size": ["s", "l", "m"], "code": [1, 2, 1], "visits": [0, 3, 1], "y": [1, 0, 1]}
    kinds = {"size": ["s", "m", "l"], "code": "categorical", "visits": "count", "y": "boolean"}
    found = likely.profile(table, "y", kinds=kinds)
    assert [str(column.kind) for column in found] == ["ordinal", "categorical", "count", "boolean"]
    assert {column.why for column in found} == {"declared"}
    assert found["size"].max == "l"
    assert found["code"].mode == 1
    with pytest.raises(LikelyError, match="kinds names column 'sise'"):
        likely.profile(table, kinds={"sise": "count"})
    with pytest.raises(LikelyError, match="should hold counts"):
        likely.profile({"x": [0.5]}, kinds="count")
    matrix = sparse.csr_matrix([[0, 2], [1, 0], [0, 2]])
    found = likely.profile(matrix, kinds={"x1": "categorical"})
    assert [(str(c.kind), c.why) for c in found] == [
        ("quantitative", "whole numbers, taken as amounts"),
        ("categorical", "declared"),
    ]
    assert found["x1"].mode == 2


def test_a_file_or_a_bundled_table_is_read(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("age,sex\n31,m\n?,f\n")
    for source in (path, str(path)):
        assert likely.profile(source)["age"].missing == 1
    assert likely.profile("titanic").n == 2201


@pytest.mark.parametrize("seed", range(4))
def test_duplicates_are_those_of_pandas(seed):
    rng = np.random.default_rng(seed)
    n = 400
    frame = pd.DataFrame(
        {
            "a": rng.integers(0, 4, n),
            "b": rng.choice(["x", "y", None], n),
            "c": np.where(rng.random(n) < 0.3, np.nan, rng.integers(0, 3, n) / 2),
            "d": rng.random(n) < 0.5,
            "e": pd.to_datetime(rng.integers(0, 2, n), unit="D"),
        }
    )
    wanted = int(frame.duplicated().sum())
    assert 0 < wanted < n
    assert likely.profile(frame).duplicates == likely.profile(pl.from_pandas(frame)).duplicates == wanted
    assert likely.profile(frame[["a"]], frame["b"]).duplicates == int(frame[["a"]].duplicated().sum())
    dense = rng.integers(-1, 2, (n, 5)).astype(float)
    dense[rng.random((n, 5)) < 0.1] = np.nan
    wanted = int(pd.DataFrame(dense).duplicated().sum())
    assert likely.profile(dense).duplicates == likely.profile(sparse.csr_matrix(dense)).duplicates == wanted


def test_stored_zeros_and_minus_zero_are_zero():
    matrix = sparse.csr_matrix(([0.0, -0.0, 0.0], ([0, 1, 2], [0, 0, 1])), shape=(4, 2))
    assert likely.profile(matrix).duplicates == 3
    assert likely.profile(np.array([[0.0], [-0.0]])).duplicates == 1


def test_rows_are_not_columns_in_another_order():
    assert likely.profile({"a": [1, 2], "b": [2, 1]}).duplicates == 0


def test_the_table_is_left_as_it_was():
    x = np.array([3.0, np.nan, 1.0, -0.0])
    frame = pd.DataFrame({"x": x, "s": pd.Categorical(["b", "a", None, "b"])})
    before = frame.copy()
    likely.profile(frame, "s")
    likely.profile(x[:, None])
    pd.testing.assert_frame_equal(frame, before)
    assert np.signbit(x[3])


def test_thousands_of_sparse_columns_take_seconds():
    matrix = sparse.random(2000, 1000, 0.01, "csr", random_state=0)
    start = time.process_time()
    found = likely.profile(matrix, np.arange(2000) % 2)
    assert time.process_time() - start < 8  # 1 on a quiet machine
    assert len(found) == 1001
    assert found.kinds == {"quantitative": 1000, "boolean": 1}


KINDS = {
    "titanic": {"age": "quantitative", "sex": "categorical", "boat": "categorical", "fare": "quantitative"},
    "adult": {"age": "quantitative", "income": "categorical"},
    "penguins": {"species": "categorical", "bill_length_mm": "quantitative"},
    "nycflights13": {"time_hour": "quantitative", "carrier": "categorical", "distance": "quantitative"},
    "zoo": {"hair": "boolean", "animal": "categorical"},
    "sms_spam": {"text": "text", "label": "categorical"},
}
TARGETS = {
    "titanic": "survived",
    "adult": "income",
    "penguins": "species",
    "nycflights13": "arr_delay",
    "zoo": "type",
    "sms_spam": "label",
    "bank_marketing": "y",
    "pima_diabetes": "class",
    "mushroom": "class",
    "iris": "species",
    "gdp_per_capita_2020": "gdp_per_capita",
}
# What must be said of real data, and nothing else of these sorts.
SAID = {
    "titanic": {
        ("name", "identifier"),
        ("ticket", "many levels"),
        ("cabin", "many levels"),
        ("cabin", "many missing"),
        ("boat", "many missing"),
        ("boat", "gives the target away"),
        ("body", "many missing"),
        ("body", "gives the target away"),
        ("home.dest", "many levels"),
        ("home.dest", "spellings"),
    },
    "adult": {("capital-gain", "disguised missing")},
    "penguins": set(),
    "nycflights13": {("year", "constant"), ("tailnum", "many levels"), ("arr_delay", "target missing")},
    "zoo": {("animal", "identifier")},
    "sms_spam": set(),
    "bank_marketing": {
        *((name, "disguised missing") for name in ("job", "education", "contact", "pdays", "poutcome"))
    },
    "pima_diabetes": {*((name, "disguised missing") for name in ("plas", "pres", "mass"))},
    "mushroom": {("veil-type", "constant"), ("odor", "gives the target away")},
    "iris": set(),
    "gdp_per_capita_2020": {("country", "identifier"), ("iso3", "identifier")},
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name == "nycflights13")) for name in TARGETS]
)
def test_real_data(name, shared_data):
    (path,) = (p for p in shared_data.glob(f"{name}.csv*"))
    found = likely.profile(likely.read(path), TARGETS[name])
    for column, kind in KINDS.get(name, {}).items():
        assert found[column].kind == kind
    said = {(caution.column, caution.what) for caution in found.warnings if caution.what != "outliers"}
    assert said == SAID[name]
    assert max(map(len, str(found).split("\n"))) <= 100
    assert found._repr_html_()
    assert found.to_json()


def test_real_figures(shared_data):
    found = likely.profile(shared_data / "titanic.csv", "survived")
    raw = pd.read_csv(shared_data / "titanic.csv", na_values="?")
    assert (found.n, len(found), found.missing) == (1309, 14, int(raw.isna().sum().sum()))
    for name in ("age", "fare", "sibsp"):
        x = raw[name].dropna()
        assert found[name].mean == pytest.approx(x.mean())
        assert found[name].sd == pytest.approx(x.std(ddof=0))
        assert found[name].median == x.median()
        assert found[name].skewness == pytest.approx(x.skew() * (len(x) - 2) / (len(x) * (len(x) - 1)) ** 0.5)
    assert found["sex"].levels[0].count == int((raw["sex"] == "male").sum())
    assert found["sex"].association.share > found["embarked"].association.share
    assert likely.profile(shared_data / "adult.csv.gz").duplicates == 24
    assert likely.profile(shared_data / "wine_quality_red.csv").duplicates == 240


@pytest.mark.long
def test_every_real_table(shared_data):
    for path in sorted(shared_data.glob("*.csv*")):
        found = likely.profile(likely.read(path))
        assert found.to_json()
        assert found._repr_html_()
        assert max(map(len, str(found).split("\n"))) <= 100
