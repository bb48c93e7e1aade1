"""`likely choose`."""

from __future__ import annotations

import json

import pytest

import likely


def test_classes_and_rows(cli):
    said = json.loads(cli.ok("choose", "titanic", "-t", "survived", "--json"))
    by_library = likely.choose(
        {"naive-bayes": likely.NaiveBayes(), "tan": likely.TreeAugmentedNaiveBayes()},
        likely.read("titanic"),
        "survived",
    )
    told = {one["model"]: one["bits"] for one in said["models"]}
    for name, bits in by_library.bits.items():
        assert abs(told[name] - bits) < 1e-6
    rows = cli.ok("choose", "titanic")
    assert "network, searched" in rows.splitlines()[3]
    assert "4 groups" in rows


def test_named_models_and_ways(cli):
    out = cli.ok(
        "choose", "titanic", "-t", "survived", "--model", "tan", "--model", "aode", "--by", "prequential"
    )
    assert "by prequential" in out
    assert "naive-bayes" not in out
    assert "did you mean 'survived'?" in cli("choose", "titanic", "-t", "survivd").err


def test_numbers(cli, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{x},{x * x}\n" for x in range(30)))
    assert "degree 2" in cli.ok("choose", "t.csv", "-t", "y").splitlines()[3]


def test_tables_as_they_come(cli, tmp_path):
    """Names of rows are left out as `learn` leaves them out, and numbers rule a tree out, not the command."""
    rows = [f"K{i:03d},{i % 7 + i / 40},{'ab'[i % 7 > 3]},{'xyz'[i % 3]}\n" for i in range(60)]
    (tmp_path / "t.csv").write_text("id,size,kind,zone\n" + "".join(rows))
    said = cli("choose", "t.csv", "--json")
    assert said.code == 0, said.err
    assert "'id' is left out" in said.err
    assert "--kind 'id'=categorical" in said.err
    names = {one["model"] for one in json.loads(said.out)["models"]}
    assert "network without arcs" in names
    assert "network, a tree" not in names

    (tmp_path / "plain.csv").write_text("size,kind,zone\n" + "".join(row.split(",", 1)[1] for row in rows))
    with_names, without = (
        json.loads(cli.ok("choose", name, "-t", "kind", "--json")) for name in ("t.csv", "plain.csv")
    )
    assert with_names["models"] == without["models"]


def test_one_kind_for_all_columns(cli):
    every, each = (
        json.loads(cli.ok("choose", "titanic", "-t", "survived", "--json", *kinds))["models"]
        for kinds in (["--kind", "categorical"], [])
    )
    assert every == each  # they are levels anyway


def test_rows_without_a_target_are_left_out_and_told(cli, tmp_path):
    rows = [f"{x},{x * x if x % 5 else ''}\n" for x in range(40)]
    (tmp_path / "gaps.csv").write_text("x,y\n" + "".join(rows))
    (tmp_path / "whole.csv").write_text("x,y\n" + "".join(row for row in rows if row[-2] != ","))
    gaps, whole = (cli("choose", f"{name}.csv", "-t", "y", "--json") for name in ("gaps", "whole"))
    assert "8 rows without a value of the target 'y' left out" in gaps.err
    assert json.loads(gaps.out) == json.loads(whole.out)


def test_missing_targets_are_refused_by_name():
    table = {"x": [1.0, 2.0, 3.0, 4.0], "price": [1.0, None, 3.0, None]}
    with pytest.raises(likely.LikelyError, match="target 'price' is missing in row 1, and in 2 of 4 rows"):
        likely.choose([likely.LinearRegression()], table, "price")
