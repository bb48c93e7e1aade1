"""SQL answers as the model does, on DuckDB and SQLite; other dialects can at least be parsed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import chain
from typing import Any

import duckdb
import numpy as np
import pytest
from databases import assert_answers, definition, in_order, tuples
from form_cases import FORMS, HOSTILE, FormCase, rows
from seeds import first

import likely

pytestmark = pytest.mark.filterwarnings("ignore")
EVERY = pytest.mark.parametrize("case", FORMS, ids=lambda case: case.name)


def on_duckdb(table: dict[str, Any], query: str) -> Any:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE rows ({definition(table, 'DOUBLE')})")
    given = tuples(table, nan=True)
    marks = ", ".join("?" * (len(table) + 1))
    listed = ", ".join([f"({marks})"] * len(given))  # in one: a row at a time takes longer than the query
    connection.execute(f"INSERT INTO rows VALUES {listed}", list(chain.from_iterable(given)))
    return connection.execute(query).fetchall()


def on_sqlite(table: dict[str, Any], query: str) -> Any:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE TABLE rows ({definition(table, 'REAL')})")
        marks = ", ".join("?" * (len(table) + 1))
        connection.executemany(f"INSERT INTO rows VALUES ({marks})", tuples(table, nan=False))
        return connection.execute(query).fetchall()


RUN = {"duckdb": on_duckdb, "sqlite": on_sqlite}


@EVERY
@pytest.mark.parametrize("dialect", RUN)
def test_sql_answers_as_the_model(case: FormCase, dialect: str) -> None:
    model, asked = case.fitted()
    told = in_order(RUN[dialect](asked, model.to_sql(dialect, keep=["id"])))
    assert_answers(model, asked, told, case.open_gaps)


@pytest.mark.parametrize("dialect", RUN)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_class_is_the_most_probable(dialect: str, classes: int) -> None:
    model, asked = FormCase("", likely.NaiveBayes, classes).fitted()
    told = sorted(RUN[dialect](asked, model.to_sql(dialect, keep=["id"], output="class")))
    assert [label for _, label in told] == model.predict(asked).tolist()


@pytest.mark.parametrize("dialect", RUN)
def test_evidence_is_that_of_the_ledger(dialect: str) -> None:
    model, asked = FormCase("", likely.NaiveBayes).fitted()
    no, yes = "no", "yes"
    query = model.to_sql(dialect, keep=["id"], output="evidence", favoured=yes, against=no)
    told = in_order(RUN[dialect](asked, query))
    ledgers = model.explain(asked, yes, no)
    expected = np.column_stack([ledgers.base, ledgers.terms, ledgers.total])
    assert np.allclose(told, expected, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("dialect", RUN)
def test_a_number_is_predicted(dialect: str) -> None:
    table, _ = rows(1, 300, 3, True)
    asked, _ = rows(2, 100, 3, True)
    asked[HOSTILE][:10] = "never seen"
    model = likely.LinearRegression().fit(table, 3.0 * np.nan_to_num(table["number"]) - table["grade"])
    told = in_order(RUN[dialect](asked, model.to_sql(dialect, keep=["id"])))[:, 0]
    assert np.allclose(told, model.predict(asked), rtol=1e-12, atol=1e-12)


class TestHostile:
    """Names and levels are data, never SQL."""

    NAMES = (
        '"; DROP TABLE rows; --',
        "it's",
        "a`b",
        "back\\slash",
        "new\nline",
        "%s {0} {c}",
        "ünïcødé",
        "select",
    )

    @pytest.mark.parametrize("dialect", RUN)
    def test_names_levels_and_classes(self, dialect: str) -> None:
        rng = np.random.default_rng(5)
        levels = np.array(self.NAMES, object)
        y = rng.integers(0, 3, 200)
        table = {name: levels[(y + rng.integers(0, 3, 200)) % len(levels)] for name in self.NAMES}
        table["{0}"] = rng.normal(y, 1.0)
        model = likely.NaiveBayes().fit(table, levels[y])
        query = model.to_sql(dialect, keep=["id", *self.NAMES[:2]])
        told = sorted(RUN[dialect](table, query))
        assert [row[1:3] for row in told] == list(zip(*(table[name] for name in self.NAMES[:2]), strict=True))
        p = np.array([row[3:] for row in told])
        assert np.abs(p - model.predict_proba(table)).max() <= 1e-12
        told = sorted(RUN[dialect](table, model.to_sql(dialect, keep=["id"], output="class")))
        assert [label for _, label in told] == model.predict(table).tolist()

    @pytest.mark.parametrize("dialect", RUN)
    def test_the_source_is_quoted(self, dialect: str) -> None:
        model = likely.NaiveBayes().fit({"x": [1.0, 2.0, 3.0, 4.0]}, list("aabb"))
        evil = 'rows" ; DROP TABLE rows; --'
        with pytest.raises((duckdb.Error, sqlite3.Error), match=r"(?i)no such table|does not exist"):
            RUN[dialect]({"x": np.ones(1)}, model.to_sql(dialect, source=evil))

    def test_what_no_database_can_hold_is_refused(self) -> None:
        table = {"x\0y": np.array(["a", "b"] * 5, object)}
        with pytest.raises(likely.LikelyError, match="character 0"):
            likely.NaiveBayes().fit(table, list("ab") * 5).to_sql()


def test_more_columns_than_a_select_can_join() -> None:
    rng = np.random.default_rng(0)
    table = {f"c{j}": np.array(list("abcd"), object)[rng.integers(0, 4, 80)] for j in range(75)}
    y = rng.integers(0, 2, 80)
    for how in ({}, {"evidence_weights": None}):
        model = likely.NaiveBayes(**how).fit(table, y)
        for dialect, run in RUN.items():
            told = in_order(run(table, model.to_sql(dialect, keep=["id"])))
            assert np.abs(told - model.predict_proba(table)).max() <= 1e-12


def test_few_levels_are_listed_and_many_are_joined() -> None:
    """DuckDB finds up to 50 levels in lists, which take a third of the time; more are joined, 30 at once."""
    rng = np.random.default_rng(1)
    table = {f"c{j}": rng.integers(0, 60, 400).astype(str).astype(object) for j in range(35)}
    table["few"] = np.array(list("abcd"), object)[rng.integers(0, 4, 400)]
    y = rng.integers(0, 3, 400)
    for how in ({}, {"evidence_weights": None}):
        model = likely.NaiveBayes(**how).fit(table, y)
        query = model.to_sql(keep=["id"])
        assert query.count("JOIN") == 35
        assert query.count("list_position") == 1
        told = in_order(on_duckdb(table, query))
        assert np.abs(told - model.predict_proba(table)).max() <= 1e-12


@pytest.mark.parametrize("held", ["VARCHAR", "INTEGER", "ENUM('1', '2', '3', '7')"])
def test_texts_that_the_database_holds_otherwise(held: str) -> None:
    rng = np.random.default_rng(2)
    table = {"code": np.array(list("123"), object)[rng.integers(0, 3, 90)]}
    table["code"][:9] = None
    y = (rng.random(90) < 0.3 + 0.3 * (table["code"] == "2")).astype(int)
    asked = {"code": np.array(["1", "2", "3", "7", None], object)}
    for missing in ("ignore", "level"):  # what is missing and what was never seen is the same, or not
        model = likely.NaiveBayes(missing=missing).fit(table, y)
        for_this = f"(SELECT id, CAST(code AS {held}) AS code FROM rows)"
        told = in_order(on_duckdb(asked, model.to_sql(keep=["id"], source=for_this)))
        assert np.abs(told - model.predict_proba(asked)).max() <= 1e-12


def test_the_first_class_needs_no_formula() -> None:
    """Scores are told beside the first, so that of three classes two are worked out."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 200)
    model = likely.NaiveBayes(families="classical", evidence_weights=None).fit({"x": rng.normal(y)}, y)
    query = model.to_sql(keep=["id"])
    assert query.count("(q.x0 * q.x0)") == 2
    far = {"x": np.array([-1e9, -50.0, 0.0, 1.0, 50.0, 1e9])}
    assert np.abs(in_order(on_duckdb(far, query)) - model.predict_proba(far)).max() <= 1e-12


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_dates_are_counted_in_days(dialect: str) -> None:
    days = np.arange("2020-01-01", "2020-03-01", dtype="datetime64[D]")
    y = np.where(np.arange(len(days)) < 30, "early", "late")
    model = likely.NaiveBayes(families="classical").fit({"day": days}, y)
    query = model.to_sql(dialect, source="(SELECT * FROM days)", keep=["id"])
    opened: Any = duckdb.connect() if dialect == "duckdb" else sqlite3.connect(":memory:")
    with closing(opened) as connection:
        connection.execute("CREATE TABLE days (id BIGINT, day DATE)")
        written = [(i, str(day)) for i, day in enumerate(days)]
        connection.executemany("INSERT INTO days VALUES (?, ?)", written)
        told = in_order(connection.execute(query).fetchall())
    assert np.abs(told - model.predict_proba({"day": days})).max() <= 1e-12


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"dialect": "oracle"}, "oracle"),
        ({"output": "odds"}, "odds"),
        ({"source": ""}, "source"),
        ({"keep": ["p_yes"]}, "p_yes"),
        ({"output": "evidence", "favoured": "maybe"}, "maybe"),
    ],
)
def test_what_cannot_be_written_is_refused(how: dict[str, Any], message: str) -> None:
    model = likely.NaiveBayes().fit(*rows(1, 100, 2, False))
    with pytest.raises(likely.LikelyError, match=message):
        model.to_sql(**how)


def test_times_of_day_are_refused_by_name() -> None:
    moments = np.arange("2020-01-01T00", "2020-01-03T00", dtype="datetime64[h]")
    model = likely.NaiveBayes().fit({"at": moments}, np.arange(len(moments)) % 2)
    with pytest.raises(likely.LikelyError, match=r"'at'.*sqlite"):
        model.to_sql("sqlite")


PARSED = ("nb-missing-level-2-gaps", "logistic-3", "calibrated-beta-3", "additive-2")


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "sqlite", "spark", "snowflake", "bigquery"])
@pytest.mark.parametrize("name", first(2, PARSED))
def test_the_text_can_be_parsed(name: str, dialect: str) -> None:
    sqlglot = pytest.importorskip("sqlglot")
    model, _ = next(case for case in FORMS if case.name == name).fitted()
    for output in ("proba", "class"):
        (tree,) = sqlglot.parse(model.to_sql(dialect, keep=["id"], output=output), dialect=dialect)
        names = [one.alias_or_name for one in tree.selects]
        assert names[0] == "id"
        assert len(names) == (1 + len(model.classes_) if output == "proba" else 2)


@pytest.mark.parametrize("weights", ["learnt", None])
def test_on_duckdb_the_functions_of_all_numbers_are_one_product_a_class(weights: str | None) -> None:
    """The scores of the first class are left out, so that it has none."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 400)
    table: dict[str, Any] = {f"x{j}": rng.normal(y * (j + 1), 1.0 + y) for j in range(3)}
    table["x0"][::7] = np.nan
    model = likely.NaiveBayes(families="classical", evidence_weights=weights).fit(table, y)
    query = model.to_sql("duckdb", keep=["id"])
    assert query.count("list_dot_product") == 3
    assert "list_dot_product" not in model.to_sql("sqlite")
    told = in_order(on_duckdb(table, query))
    assert np.abs(told - model.predict_proba(table)).max() <= 1e-12
