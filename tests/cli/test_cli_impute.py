"""`likely impute`: gaps filled as Python fills them, every other cell as it was written."""

from __future__ import annotations

import csv
import io
import json
import shutil

import numpy as np
import pytest
from checkout import DOCS
from drive import ANY_CODE, Terminal, piped
from seeds import first

import likely
from likely.cli.impute import run

TEXT = """id,size,weight,adult,stars,born,note
007,small,1.50,no,1,2001-05-01,fine
008,large,9.25,Yes,5,1971-05-01,
009,small,?,no,NA,2003-05-01,so so
010,,9.00,Yes,5,1973-05-01,fine
011,large,8.75,,4,,bad
012,small,1.75,no,1,2002-05-01,fine
013,large,9.50,Yes,,1972-05-01,
014,small,1.25,no,2,2004-05-01,bad
"""
GAPS = {("size", 3), ("weight", 2), ("adult", 4), ("stars", 2), ("stars", 6), ("born", 4)}
KINDS = ["--kind", "note=text", "--kind", "stars=count"]


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.parametrize("model", first(1, ["gaussian", "mixture", "model"]))
def test_gaps_are_filled_and_the_rest_stays_as_written(cli, folder, model):
    (folder / "in.csv").write_text(TEXT)
    options = ("--model", model, "--drop", "id", *KINDS)
    out = cli.ok("impute", "in.csv", "-o", "out.csv", *options)
    before, after = cells(TEXT), cells((folder / "out.csv").read_text())
    assert before[0] == after[0]
    changed = {
        (after[0][j], i)
        for i, (old, new) in enumerate(zip(before[1:], after[1:], strict=True))
        for j in range(len(old))
        if old[j] != new[j]
    }
    assert changed == GAPS  # the texts keep their gaps
    by_name = {name: [row[j] for row in after[1:]] for j, name in enumerate(after[0])}
    assert by_name["size"][3] in ("small", "large")
    assert by_name["adult"][4] in ("no", "Yes")  # as the file spells it
    assert by_name["stars"][6].isdigit()
    assert len(by_name["born"][4]) == len("1971-05-01")
    assert "6 missing cells filled in 8 rows, by" in out
    said = json.loads(cli.ok("impute", "in.csv", "-o", "out.csv", "--force", *options, "--json"))
    assert {about["column"]: (about["missing"], about["filled"]) for about in said["columns"]} == {
        "size": (1, 1),
        "weight": (1, 1),
        "adult": (1, 1),
        "stars": (2, 2),
        "born": (1, 1),
        "note": (2, 0),
    }
    how = {about["column"]: about["how"] for about in said["columns"]}
    assert how["weight"] == "expected, given the rest of the row"
    assert how["size"] == how["adult"] == how["stars"] == "most probable, given the rest of the row"
    assert how["note"] == "left: a text is not guessed"
    assert said["written"] == ["out.csv"]


def test_the_values_are_those_of_python(cli, folder, shared_data):
    file = shared_data / "penguins.csv"
    cli.ok("impute", file, "-o", "out.csv", "--model", "gaussian")
    table = likely.read(file, into="pandas")
    expected = likely.Impute("gaussian", random_state=0).fit_transform(table)
    found = likely.read("out.csv", into="pandas")
    assert not found.isna().any().any()
    for name in ("bill_length_mm", "bill_depth_mm"):
        assert found[name].to_numpy() == pytest.approx(expected[name].to_numpy(), rel=1e-12)
    for name in ("flipper_length_mm", "body_mass_g"):  # whole numbers stay whole
        assert found[name].to_numpy() == pytest.approx(expected[name].round().to_numpy(), rel=1e-12)
    assert found["sex"].tolist() == expected["sex"].tolist()


def test_draws_are_tables_that_differ_in_the_gaps_alone(cli, folder, shared_data):
    file = shared_data / "penguins.csv"
    out = cli.ok("impute", file, "-o", "out.csv", "--draws", "3", "--seed", "5", "--model", "gaussian")
    assert "wrote out-1.csv, out-2.csv, out-3.csv" in out
    tables = [likely.read(f"out-{i}.csv", into="pandas") for i in (1, 2, 3)]
    known = likely.read(file, into="pandas").notna().to_numpy()
    for one, other in ((0, 1), (1, 2)):
        differs = (tables[one] != tables[other]).to_numpy()
        assert differs.any()
        assert not (differs & known).any()
    first = (folder / "out-1.csv").read_bytes()
    again = ["--draws", "1", "--seed", "5", "--model", "gaussian", "--force"]
    cli.ok("impute", file, "-o", "out.csv", *again)
    assert (folder / "out-1.csv").read_bytes() == first
    done = cli("impute", file, "--draws", "2")
    assert done.code == 2
    assert "-o OUT" in done.err
    done = cli("impute", file, "-o", "out.csv", "--draws", "2")
    assert done.code == 1
    assert "out-1.csv exists" in done.err


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json", ".parquet", ".csv.gz", ".xlsx"])
def test_formats_and_types_stay_what_they_are(cli, folder, suffix):
    table = {
        "x": [1.5, None, 3.5, 4.0, 2.0, 6.0],
        "whole": [1, 2, None, 4, 2, 6],
        "truth": [True, False, True, None, False, True],
        "level": ["a", "b", "a", "a", None, "a"],
    }
    likely.write(table, f"in{suffix}")
    out = cli.ok("impute", f"in{suffix}", "-o", f"out{suffix}", "--model", "gaussian")
    assert "4 missing cells filled in 6 rows" in out
    back = likely.read(f"out{suffix}", into="dict")
    for name, values in table.items():
        found = back[name].tolist()
        assert None not in found
        assert [a for a, b in zip(found, values, strict=True) if b is not None] == [
            b for b in values if b is not None
        ]
    assert back["whole"].dtype == np.int64
    assert back["truth"].dtype == bool
    if suffix in (".csv", ".jsonl"):
        content = (folder / f"in{suffix}").read_bytes()
        done = cli("impute", "-", "--model", "gaussian", stdin=content)
        assert done.out == (folder / f"out{suffix}").read_text()
        assert "4 missing cells filled in 6 rows" in done.err
        assert "x 1, whole 1, truth 1, level 1" in done.err


def test_odd_tables(cli, folder):
    (folder / "full.csv").write_text("a,b\n1,x\n2,y\n")
    assert "0 missing cells filled in 2 rows" in cli.ok("impute", "full.csv", "-o", "same.csv")
    assert (folder / "same.csv").read_text() == "a,b\n1,x\n2,y\n"
    (folder / "empty.csv").write_text("a,b,c\n1,,5\n,,5\n3,,5\n4,,\n")
    done = cli("impute", "empty.csv", "-o", "out.csv")
    assert done.code == 0
    assert "left: no value is known" in done.out
    assert [row[1:] for row in cells((folder / "out.csv").read_text())[1:]] == [["", "5"]] * 4
    (folder / "one.csv").write_text("a,b\n1,\n")
    assert cli.ok("impute", "one.csv") == "a,b\n1,\n"
    (folder / "none.csv").write_text("a,b\n")
    assert cli("impute", "none.csv", "-o", "no.csv").code == 1
    assert not (folder / "no.csv").exists()
    for name in ("a.csv", "b.csv"):
        (folder / f"part-{name}").write_text("x,y\n1,2\n2,4\n3,6\n,8\n")
    parts = cells(cli.ok("impute", "part-*.csv"))
    assert len(parts) == 9
    assert float(parts[4][0]) == pytest.approx(float(parts[8][0]))
    assert float(parts[4][0]) == 4


def test_the_penguins_of_the_page(cli, folder, shared_data):
    shutil.copy(shared_data / "penguins.csv", folder)
    page = (DOCS / "command-line.md").read_text()
    typed, _, printed = page.partition("likely impute penguins.csv")[2].partition("```")[0].partition("\n\n")
    assert cli.ok("impute", "penguins.csv", *typed.split()) == printed


def test_piped_and_in_a_terminal(folder, shared_data):
    file = shared_data / "penguins.csv"
    done = piped("impute", file, "--json", "--model", "gaussian", cwd=folder)
    assert done.code == 0
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert len(lines) == 344
    assert lines[3]["sex"] in ("male", "female")
    assert done.err.startswith("19 missing cells filled in 344 rows, by one normal distribution")
    terminal = Terminal("impute", file, "--model", "gaussian", cwd=folder)
    assert terminal.end() == 0
    shown = ANY_CODE.sub("", terminal.seen)
    assert "The first rows; -o OUT writes them all" in shown
    assert "Torgersen" in shown
    assert "None" not in shown


def test_one_default_here_and_in_python():
    (option,) = (one for one in run.params if one.name == "model")
    assert option.default == likely.Impute().model


def test_by_class_and_by_model(cli, folder):
    text = "x,kind\n60,-\n70,-\n,-\n100,+\n110,+\n130,+\n,+\n"
    (folder / "in.csv").write_text(text)
    for statistic, value in (("mean", 113), ("median", 110)):
        options = ("--method", "class", "--target", "kind", "--statistic", statistic)
        out = cli.ok("impute", "in.csv", "-o", "out.csv", "--force", *options)
        assert f"2 missing cells filled in 7 rows, by the {statistic} or the most frequent level" in out
        assert [row[0] for row in cells((folder / "out.csv").read_text())[1:]][2::4] == ["65", str(value)]
    said = cli.ok("impute", "in.csv", "-o", "out.csv", "--force", "--method", "model")
    assert "by a model of each column from the others" in said
    assert "--target COLUMN go together" in cli("impute", "in.csv", "--method", "class").err
    assert "go together" in cli("impute", "in.csv", "--target", "kind").err
    drawn = cli("impute", "in.csv", "-o", "o.csv", "--method", "model", "--draws", "2").err
    assert "draws nothing" in drawn


def test_gaps_as_a_level_of_their_own(cli, folder):
    (folder / "in.csv").write_text(TEXT)
    out = cli.ok("impute", "in.csv", "-o", "out.csv", "--method", "level", "--drop", "id", *KINDS)
    before, after = cells(TEXT), cells((folder / "out.csv").read_text())
    changed = {
        (after[0][j], i, new[j])
        for i, (old, new) in enumerate(zip(before[1:], after[1:], strict=True))
        for j in range(len(old))
        if old[j] != new[j]
    }
    assert changed == {("size", 3, "missing"), ("adult", 4, "missing")}
    assert "2 missing cells filled in 8 rows, by the level 'missing'" in out
    said = json.loads(
        cli.ok(
            "impute",
            "in.csv",
            "-o",
            "out.csv",
            "--force",
            "--method",
            "level",
            "--drop",
            "id",
            "--json",
            *KINDS,
        )
    )
    how = {about["column"]: about["how"] for about in said["columns"]}
    assert how["size"] == "a level"
    assert how["weight"] == "left: not a column of words"
    done = cli("impute", "in.csv", "-o", "o.csv", "--method", "level", "--draws", "2")
    assert "draws nothing" in done.err


def test_draws_by_a_network(cli, folder):
    lines = ["wet,rain"] + ["yes,yes"] * 30 + ["no,no"] * 30 + ["yes,no"] * 5 + ["yes,"] * 40
    (folder / "in.csv").write_text("\n".join(lines) + "\n")
    out = cli.ok("impute", "in.csv", "-o", "out.csv", "--method", "network", "--draws", "2")
    assert "drawn, given the rest of the row" in out
    first, second = (cells((folder / f"out-{i}.csv").read_text()) for i in (1, 2))
    assert first != second
    assert {row[1] for row in first[66:]} == {"yes", "no"}
    assert first[:66] == cells("\n".join(lines))[:66]
