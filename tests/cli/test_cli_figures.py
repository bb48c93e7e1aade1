"""What `learn` and `profile` print about columns, counted again with pandas."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import likely

QUICK = ("--model", "naive-bayes", "--folds", "0", "--json", "-o", "m.likely")
BUNDLED = {"titanic": "survived", "play_tennis": "play"}
REAL = {
    "penguins.csv": "species",
    "titanic.csv": "survived",
    "hepatitis.csv": "Class",
    "credit_approval.csv": "class",
    "wine_quality_red.csv": "quality",
}


def check(cli, file, table: pd.DataFrame, target: str) -> None:
    said = json.loads(cli.ok("learn", file, "-t", target, *QUICK))
    table_known = table[table[target].notna()]
    assert said["rows"] == len(table_known)
    counts = table_known[target].value_counts()
    assert said["classes"] == {str(label): int(n) for label, n in counts.sort_index().items()}
    for record in said["columns"]:
        column, values = table_known[record["column"]], record["values"]
        assert record["missing"] == column.isna().sum()
        if "from" in values:
            assert (values["from"], values["to"]) == (column.min(), column.max())
        else:
            assert {str(level) for level in values["levels"]} == set(column.dropna().map(str))
    profile = json.loads(cli.ok("profile", file, "--json"))
    assert profile["rows"] == len(table)
    for record in profile["columns"]:
        column = table[record["name"]]
        assert record["missing"] == column.isna().sum()
        assert record["distinct"] == column.nunique()
        if "mean" in record["statistics"]:
            assert record["statistics"]["mean"] == pytest.approx(column.mean(), rel=1e-9)
        counted = column.value_counts()
        if record["kind"] == "boolean" and not isinstance(counted.index[0], str):  # words stay as they are
            counted.index = counted.index.astype(bool)
        for level in record["levels"]:
            assert level["count"] == counted[level["value"]]


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_tables(cli, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check(cli, name, likely.read(name, into="pandas"), BUNDLED[name])


@pytest.mark.parametrize("name", REAL)
def test_real_tables(cli, name, shared_data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check(cli, shared_data / name, likely.read(shared_data / name, into="pandas"), REAL[name])
