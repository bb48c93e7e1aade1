"""`likely features`: ranks, cells, tables and SQL, as Python gives them."""

from __future__ import annotations

import json

import duckdb
import numpy as np
import pytest

import likely


def test_columns_are_ranked_by_what_they_tell_on_held_out_rows(cli):
    out = cli.ok("features", "titanic", "--target", "survived")
    order = [line.split()[0] for line in out.splitlines()[3:6]]
    assert order == ["sex", "class", "age"]
    assert "bits about survived on held-out rows, of 0.9077" in out
    data = json.loads(cli.ok("features", "titanic", "-t", "survived", "--json"))
    table = likely.read("titanic", into="dict")
    ranking = likely.Evidence().rank(table, "survived")
    assert [one["bits"] for one in data["columns"]] == pytest.approx([one.bits for one in ranking.columns])
    assert data["bits"] == pytest.approx(ranking.bits)
    assert {line["cell"] for line in data["cells"] if line["column"] == "sex"} == {"female", "male"}


def test_the_table_that_is_written_is_out_of_fold(cli, folder):
    cli.ok("features", "titanic", "-t", "survived", "-o", "new.csv")
    written = likely.read(folder / "new.csv", into="dict")
    table = likely.read("titanic", into="dict")
    expected = likely.Evidence(missing="neutral").fit_transform(table, "survived")
    assert list(written) == ["class", "sex", "age", "survived"]
    for name, values in expected.items():
        assert np.asarray(written[name]) == pytest.approx(values)
    assert list(written["survived"]) == list(table["survived"])
    assert cli("features", "titanic", "-t", "survived", "-o", "new.csv").code == 1


def test_bins_and_sql(cli, folder):
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 10, 500).round(2)
    y = np.where((x > 5) ^ (rng.random(500) < 0.1), "yes", "no")
    likely.write({"x": x, "y": y}, folder / "rows.csv")
    sql = cli.ok("features", "rows.csv", "-t", "y", "--bins", "--sql", "-o", "bins.csv")
    made = duckdb.sql(sql.replace('"rows"', f"'{folder / 'rows.csv'}'")).fetchall()
    written = likely.read(folder / "bins.csv", into="dict")["x"]
    assert [row[0] for row in made] == list(written)
    assert len(set(written)) == 2


def test_a_column_alone_and_wrong_names(cli):
    out = cli.ok("features", "titanic", "-t", "survived", "--column", "age")
    assert "child" in out
    assert "female" not in out
    assert "'surviv'" in cli("features", "titanic", "-t", "surviv").err
    assert cli("features", "titanic", "-t", "survived", "--column", "agee").code == 1
    dropped = cli.ok("features", "titanic", "-t", "survived", "--drop", "sex", "--kind", "class=categorical")
    assert "female" not in dropped


@pytest.mark.parametrize("by", ["gain", "chi_squared", "cfs", "relieff"])
def test_columns_can_be_ranked_by_another_score(cli, by):
    out = cli.ok("features", "titanic", "-t", "survived", "--by", by)
    table = likely.Select(by, 1.0).fit(likely.read("titanic"), "survived").table()
    assert out.startswith(str(table))
    data = json.loads(cli.ok("features", "titanic", "-t", "survived", "--by", by, "--json"))
    scores = [line["score"] for line in table.lines]
    assert [line["score"] for line in data["scores"]] == pytest.approx(scores)
    assert "beauty" in cli("features", "titanic", "-t", "survived", "--by", "beauty").err


def test_rows_without_a_target_and_columns_that_tell_nothing(cli, folder):
    rng = np.random.default_rng(4)
    y = np.where(rng.random(300) < 0.4, "yes", "no")
    city = np.where(y == "yes", "Bonn", np.where(rng.random(300) < 0.3, "Rome ", "Rome"))
    untold = {"city": ["Bonn"] * 2, "flag": [True] * 2, "one": ["k"] * 2, "y": ["", ""]}
    told = {
        "city": city.tolist(),
        "flag": (rng.random(300) < 0.5).tolist(),
        "one": ["k"] * 300,
        "y": y.tolist(),
    }
    likely.write({name: told[name] + untold[name] for name in told}, folder / "rows.csv")
    done = cli("features", "rows.csv", "-t", "y", "-o", "new.csv")
    assert "2 rows without a value of the target 'y' left out" in done.err
    assert "-0.0000" not in done.out
    assert "-0.0 %" not in done.out
    assert list(likely.read(folder / "new.csv", into="dict")["y"]) == y.tolist()
    two = [line.split()[-1] for line in done.out.splitlines() if line.startswith("city") and "Rome" in line]
    assert len(set(two)) == 2  # of levels that are written alike each becomes something of its own
