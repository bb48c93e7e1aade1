"""A transformer that another package brings is one file: known everywhere by its row, saved as models are."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.pipeline import make_pipeline
from toy_transformer import ROW, ToyFromLeast

import likely
from likely.cli.app import likely as app
from likely.estimator.registry import MODELS, models_table, registered

ROWS = {"x": [3.0, 5.0, 11.0, 4.0], "colour": ["red", "blue", "red", "red"]}
MORE = {"x": [7.0, 1.0, np.nan], "colour": ["blue", "red", "green"]}


@pytest.fixture(autouse=True)
def _known():
    with registered(ROW):
        yield
    assert "ToyFromLeast" not in MODELS


@pytest.fixture
def fitted():
    return ToyFromLeast().fit(ROWS)


@pytest.fixture
def file(fitted, tmp_path):
    fitted.save(tmp_path / "toy.likely")
    return str(tmp_path / "toy.likely")


def test_it_has_a_public_name_and_a_line_in_the_docs():
    assert likely.ToyFromLeast is ToyFromLeast
    assert "| [`ToyFromLeast`](index.md) | how far from the least |" in models_table()


def test_it_changes_columns_and_leaves_the_others(fitted):
    new = fitted.transform(MORE)
    assert new["x"] == pytest.approx([4.0, -2.0, np.nan], nan_ok=True)
    assert list(new["colour"]) == MORE["colour"]
    assert fitted.get_feature_names_out().tolist() == ["x", "colour"]


def test_files_hold_it(fitted, file):
    again = likely.load(file)
    assert type(again) is ToyFromLeast
    assert again.transform(MORE)["x"] == pytest.approx(fitted.transform(MORE)["x"], nan_ok=True)


def test_it_is_shown(fitted, file):
    assert "ToyFromLeast" in str(fitted.describe())
    said = CliRunner().invoke(app, ["show", file])
    assert said.exit_code == 0, said.output
    assert "ToyFromLeast" in said.output
    told = CliRunner().invoke(app, ["show", file, "--json"])
    assert json.loads(told.output)["model"] == "ToyFromLeast"


def test_two_of_them_are_compared(fitted, file, tmp_path):
    other = ToyFromLeast().fit({**ROWS, "x": [3.0, 5.0, 11.0, 2.0]})
    assert likely.diff(fitted, likely.load(file)).same
    assert not likely.diff(fitted, other).same
    other.save(tmp_path / "other.likely")
    said = CliRunner().invoke(app, ["diff", file, str(tmp_path / "other.likely")])
    assert said.exit_code == 0, said.output
    assert "new: x (quantitative) -> x (quantitative): least 2" in said.output
    assert "gone: x (quantitative) -> x (quantitative): least 3" in said.output


def test_it_stands_before_a_model_in_a_pipeline(tmp_path):
    """A shift of a column changes no probability: both sides are computed apart."""
    titles = ["a", "b", "a", "b"] * 5
    table = {"x": [3.0, 5.0, 11.0, 4.0] * 5}
    with_it = make_pipeline(ToyFromLeast(), likely.GaussianClassifier()).fit(table, titles)
    without = likely.GaussianClassifier().fit(table, titles)
    assert with_it.predict_proba({"x": [4.5]}) == pytest.approx(without.predict_proba({"x": [4.5]}), rel=1e-9)


def test_pieces_are_the_whole(fitted):
    first, rest = ({name: cells[part] for name, cells in ROWS.items()} for part in (slice(2), slice(2, 4)))
    pieces = ToyFromLeast().partial_fit(first).partial_fit(rest)
    assert pieces.transform(MORE)["x"] == pytest.approx(fitted.transform(MORE)["x"], nan_ok=True)


def test_a_database_does_what_it_does(fitted):
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE rows (x DOUBLE, colour VARCHAR)")
    connection.execute("INSERT INTO rows VALUES (7, 'blue'), (1, 'red')")
    said = connection.execute(fitted.to_sql("rows")).fetchall()
    assert [row[0] for row in said] == [4.0, -2.0]
