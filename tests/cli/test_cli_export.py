"""`likely sql`, `likely export` and `likely predict --sql`."""

from __future__ import annotations

import json

import duckdb
import numpy as np
import pytest
from drive import Cli

import likely
from likely.cli.command import dialect_option
from likely.export.sql_text import DIALECTS


@pytest.fixture
def cli(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    model = likely.NaiveBayes().fit(likely.read("titanic", into="dict"), "survived")
    model.save("titanic.likely")
    return Cli(capsys, monkeypatch)


def test_sql_is_what_the_model_writes(cli, tmp_path):
    model = likely.load("titanic.likely")
    said = cli.ok("sql", "titanic.likely", "--source", "a.b", "--keep", "id", "--output", "class")
    assert said.strip() == model.to_sql(source="a.b", keep=["id"], output="class")
    cli.ok("sql", "titanic.likely", "--dialect", "postgres", "-o", "score.sql")
    assert (tmp_path / "score.sql").read_text().strip() == model.to_sql("postgres")
    assert cli("sql", "titanic.likely", "-o", "score.sql").code != 0  # it is there
    assert json.loads(cli.ok("sql", "titanic.likely", "--json"))["sql"] == model.to_sql()


def test_every_dialect_can_be_named():
    (option,) = dialect_option(lambda: None).__click_params__
    assert list(option.type.choices) == list(DIALECTS)


@pytest.mark.parametrize("language", ["json", "pmml", "sql"])
def test_export_writes_texts(cli, tmp_path, language):
    model = likely.load("titanic.likely")
    text = {"json": model.to_json, "pmml": model.to_pmml, "sql": model.to_sql}[language]()
    assert cli.ok("export", "titanic.likely", "--to", language).strip() == text
    cli.ok("export", "titanic.likely", "--to", language, "-o", "out.txt")
    assert (tmp_path / "out.txt").read_text().strip() == text


def test_export_writes_onnx(cli, tmp_path):
    onnx = pytest.importorskip("onnx")
    cli.ok("export", "titanic.likely", "--to", "onnx", "-o", "titanic.onnx")
    onnx.checker.check_model(onnx.load(str(tmp_path / "titanic.onnx")))
    done = cli("export", "titanic.likely", "--to", "onnx")
    assert done.code != 0
    assert "-o OUT" in done.err


def test_what_cannot_be_exported_is_refused_by_name(cli):
    likely.AODE().fit(likely.read("titanic", into="dict"), "survived").save("aode.likely")
    done = cli("sql", "aode.likely")
    assert done.code != 0
    assert "AODE" in done.err


def test_predict_by_duckdb_is_what_predict_says(cli, tmp_path):
    rows = "(VALUES (1, '1st', 'female', 'adult'), (2, NULL, 'male', 'child'), (3, 'x', 'male', NULL))"
    duckdb.execute(f"COPY (SELECT * FROM {rows} AS t(id, class, sex, age)) TO 'people.parquet'")
    said = cli.ok("predict", "titanic.likely", "people.parquet", "--sql", "-o", "answers.parquet")
    assert "3 rows" in said
    told = duckdb.sql("SELECT * FROM 'answers.parquet' ORDER BY id").fetchall()
    model = likely.load("titanic.likely")
    asked = {"class": ["1st", None, "x"], "sex": ["female", "male", "male"], "age": ["adult", "child", None]}
    assert np.abs(np.array([row[4:6] for row in told]) - model.predict_proba(asked)).max() <= 1e-12
    assert [row[6] for row in told] == model.predict(asked).tolist()
    cli.ok("predict", "titanic.likely", "people.parquet", "--sql", "-o", "answers.csv")
    assert (tmp_path / "answers.csv").read_text().splitlines()[0] == "id,class,sex,age,p_no,p_yes,predicted"


@pytest.mark.parametrize(
    ("file", "out", "message"),
    [
        ("titanic", ["-o", "answers.parquet"], "Parquet"),
        ("people.parquet", [], "OUT"),
        ("other.parquet", ["-o", "answers.parquet"], "'sex'"),
    ],
)
def test_what_duckdb_cannot_score_is_refused(cli, file, out, message):
    duckdb.execute("COPY (SELECT '1st' AS class, 'male' AS sex, 'adult' AS age) TO 'people.parquet'")
    duckdb.execute("COPY (SELECT '1st' AS class, 'adult' AS age) TO 'other.parquet'")
    done = cli("predict", "titanic.likely", file, "--sql", *out)
    assert done.code != 0
    assert message in done.err


def test_sql_of_a_table_without_types_names_the_way_out(cli, tmp_path):
    cli.ok("learn", "titanic", "-t", "survived", "--model", "naive-bayes", "--folds", "0", "-o", "t.likely")
    likely.write(likely.read("titanic"), tmp_path / "people.csv")
    said = cli("predict", "t.likely", "people.csv", "--sql", "-o", "answers.csv")
    assert "people.csv: leave --sql out, or write the table as Parquet first" in said.err
    assert not (tmp_path / "answers.csv").exists()
