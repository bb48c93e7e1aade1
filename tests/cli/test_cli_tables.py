"""Odd files in and out: whatever a table is called and however it is written, its cells come back."""

from __future__ import annotations

import csv
import gzip
import io
import json

import numpy as np
import pytest

import likely

NB = ("--model", "naive-bayes")  # the default is slower, and tested by itself

NAMES = ["na me", "größe", "a,b", "[red]x[/red]", "a=b", ":smile:", "p_yes", "predicted", 'he "said"', "y"]
CELLS = [
    ["Ann", "1.50", "x, y", "l1", "k", "s", "1", "n", 'q "q"', "yes"],
    ["Bob", "", "line\nbreak", "l2", "", "s", "2", "m", "", "no"],
    ["Cid", "2.25", "x, y", "l1", "k", "", "?", "n", "plain", "yes"],
    ["Ann", "3", "", "l2", "j", "s", "4", "m", "NA", "no"],
    ["Dan", "-1e2", "z", "", "j", "t", "5", "", "'", "yes"],
    ["Ann", "0", "z", "l1", "k", "t", "6", "n", "ü", "no"],
]


def written(separator=",", ending="\n", bom=False, blank=False, names=NAMES, cells=CELLS) -> bytes:
    text = io.StringIO()
    lines = csv.writer(text, delimiter=separator, lineterminator=ending)
    for row in [names, *cells]:
        lines.writerow(row)
    content = text.getvalue()
    if blank:  # before the header, between rows and at the end
        head, rest = content.split(ending, 1)
        content = f"{ending}{head}{ending}{ending}{rest}{ending}{ending}"
    return content.encode("utf-8-sig" if bom else "utf-8")


LOOKS = {
    "plain": written(),
    "bom and crlf": written(bom=True, ending="\r\n"),
    "tabs and blank lines": written(separator="\t", blank=True),
    "all at once": written(separator=";", ending="\r\n", bom=True, blank=True),
}


@pytest.mark.parametrize("look", LOOKS)
def test_odd_files_from_start_to_end(cli, folder, look):
    (folder / "odd.csv").write_bytes(LOOKS[look])
    learnt = json.loads(cli.ok("learn", "odd.csv", *NB, "-t", "y", "--folds", "2", "--json"))
    assert [column["column"] for column in learnt["columns"]] == NAMES[:-1]
    assert {c["column"]: c["missing"] for c in learnt["columns"]} == {
        name: sum(row[j] in ("", "?", "NA") for row in CELLS) for j, name in enumerate(NAMES[:-1])
    }
    out = cli.ok("predict", "odd.likely", "odd.csv")
    header, *rows = csv.reader(io.StringIO(out))
    assert header == [*NAMES, "p_no", "p_yes_", "predicted_"]
    assert [row[:-3] for row in rows] == CELLS  # every cell as it was written
    table = likely.read("odd.csv", into="dict")
    del table["y"]
    p = likely.load("odd.likely").predict_proba(table)
    assert np.array([row[-3:-1] for row in rows], float) == pytest.approx(p, abs=1e-12)
    assert [row[-1] for row in rows] == [("no", "yes")[place] for place in p.argmax(axis=1)]
    for command in (["explain", "odd.likely", "odd.csv", "--row", "2"], ["show", "odd.likely"]):
        assert "[red]x[/red]" in cli.ok(*command)
    drawn = list(csv.reader(io.StringIO(cli.ok("sample", "odd.likely", "-n", "3"))))
    assert drawn[0] == NAMES
    assert len(drawn) == 4


def test_options_about_odd_names(cli, folder):
    (folder / "odd.csv").write_bytes(written())
    options = ["--kind", "a=b=j<k", "--kind", "p_yes=count", "--drop", "a,b", "--drop", "[red]x[/red]"]
    learnt = json.loads(cli.ok("learn", "odd.csv", *NB, "-t", "y", "--folds", "0", "--json", *options))
    kinds = {column["column"]: column["kind"] for column in learnt["columns"]}
    assert (kinds["a=b"], kinds["p_yes"]) == ("ordinal", "count")
    assert "a,b" not in kinds
    said = json.loads(cli.ok("next", "odd.likely", "--given", "a=b=k", "--given", "na me=Ann", "--json"))
    assert {option["name"] for option in said["options"]} | set(said["left out"]) == {*kinds} - {
        "a=b",
        "na me",
    }


def test_the_target_may_be_there_or_not_and_columns_in_any_order(cli, folder, titanic):
    (folder / "a.csv").write_text("class,sex,age\n1st,female,adult\ncrew,male,adult\n")
    (folder / "b.csv").write_text("note,age,survived,sex,class\nx,adult,?,female,1st\ny,adult,no,male,crew\n")
    a, b = (list(csv.DictReader(io.StringIO(cli.ok("predict", titanic, f)))) for f in ("a.csv", "b.csv"))
    assert [row["p_yes"] for row in a] == [row["p_yes"] for row in b]
    assert list(b[0]) == ["note", "age", "survived", "sex", "class", "p_no", "p_yes", "predicted"]


def test_standard_input_a_pattern_and_a_bundled_name_are_one(cli, folder, titanic):
    cli.ok("predict", titanic, "titanic", "-o", "all.csv")
    whole = (folder / "all.csv").read_text()
    rows = likely.read("titanic", into="dict")
    for part, kept in (("part-1.csv", slice(0, 1000)), ("part-2.csv", slice(1000, None))):
        likely.write({name: column[kept] for name, column in rows.items()}, part)
    assert cli.ok("predict", titanic, "part-*.csv") == whole
    likely.write(rows, "whole.csv")
    assert cli.ok("predict", titanic, "-", stdin=(folder / "whole.csv").read_bytes()) == whole
    models = {}
    for name, file in (("a", "titanic"), ("b", "part-*.csv"), ("c", "-")):
        cli.ok(
            "learn",
            *NB,
            file,
            "-t",
            "survived",
            "-o",
            f"{name}.likely",
            "--folds",
            "0",
            stdin=(folder / "whole.csv").read_bytes(),
        )
        models[name] = likely.load(f"{name}.likely").record_.tally.groups.tolist()
    assert models["a"] == models["b"] == models["c"] == [1490, 711]
    assert "same" in cli.ok("diff", "a.likely", "b.likely")


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json", ".parquet", ".csv.gz", ".xlsx"])
def test_formats_stay_what_they_are(cli, folder, titanic, suffix):
    rows = {"class": ["1st", None, "crew"], "sex": ["male", "female", "male"], "age": ["adult"] * 3}
    likely.write(rows, f"in{suffix}")
    cli.ok("predict", titanic, f"in{suffix}", "-o", f"out{suffix}")
    back = likely.read(f"out{suffix}", into="dict")
    assert list(back) == ["class", "sex", "age", "p_no", "p_yes", "predicted"]
    assert back["class"].tolist() == rows["class"]
    p = likely.load(titanic).predict_proba(rows)
    assert np.column_stack([back["p_no"], back["p_yes"]]) == pytest.approx(p, abs=1e-12)
    if suffix in (".csv", ".tsv", ".jsonl", ".json"):
        content = (folder / f"in{suffix}").read_bytes()
        assert cli.ok("predict", titanic, f"in{suffix}") == (folder / f"out{suffix}").read_text()
        if suffix not in (".json", ".tsv"):  # standard input has no ending; its first letter tells
            assert cli.ok("predict", titanic, "-", stdin=content) == (folder / f"out{suffix}").read_text()


def test_json_lines_for_programs(cli, titanic):
    lines = cli.ok("predict", titanic, "titanic", "--json").splitlines()
    assert len(lines) == 2201
    first = json.loads(lines[0])
    assert first["p_no"] + first["p_yes"] == pytest.approx(1)
    assert (
        len([json.loads(line) for line in cli.ok("sample", titanic, "-n", "7", "--json").splitlines()]) == 7
    )
    done = cli("sample", titanic, "--json", "-o", "x.csv")
    assert (done.code, "ending .json or .jsonl" in done.err) == (1, True)


def test_a_table_without_rows(cli, folder, titanic):
    (folder / "none.csv").write_text("class,sex,age\n")
    assert cli.ok("predict", titanic, "none.csv") == "class,sex,age,p_no,p_yes,predicted\n"
    assert cli("explain", titanic, "none.csv", "--row", "1").code == 1
    assert cli("learn", "none.csv", *NB, "-t", "age").code == 1


def test_samples_depend_on_the_seed_alone(cli, titanic):
    one, two, other = (cli.ok("sample", titanic, "-n", "50", "--seed", seed) for seed in (1, 1, 2))
    assert one == two != other
    drawn = likely.load(titanic).sample(50, random_state=1)
    assert [row["sex"] for row in csv.DictReader(io.StringIO(one))] == list(drawn["sex"])


def test_existing_files_are_safe(cli, folder, titanic):
    (folder / "out.csv").write_text("precious")
    for command in (["predict", titanic, "titanic"], ["sample", titanic]):
        done = cli(*command, "-o", "out.csv")
        assert (done.code, "--force replaces it" in done.err) == (1, True)
    assert (folder / "out.csv").read_text() == "precious"
    cli.ok("predict", titanic, "titanic", "-o", "out.csv", "--force")
    assert len((folder / "out.csv").read_text().splitlines()) == 2202


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "klass,sexx\n1st,male\n",
            "lacks what the model was fitted on: 'age', 'class', 'sex'.\nis 'klass' the",
        ),
        ("class,sex,age\n1st,male\n", "line 2: expected 3 columns, found 2"),
        ("", "is empty"),
    ],
    ids=["absent", "ragged", "empty"],
)
def test_tables_that_do_not_fit(cli, folder, titanic, content, said):
    (folder / "bad.csv").write_text(content)
    done = cli("predict", titanic, "bad.csv", "-o", "out.csv")
    assert done.code == 1
    assert said in done.err
    assert done.err.count("\n") <= 2
    assert sorted(path.name for path in folder.iterdir()) == ["bad.csv", "titanic.likely"]


def test_a_column_by_another_name_is_said(cli, folder, titanic):
    (folder / "new.csv").write_text("class,sexx,age\n1st,male,adult\n")
    done = cli("predict", titanic, "new.csv", "-o", "out.csv")
    assert done.code == 0
    assert "column 'sex' is not there: taken as missing" in done.err
    assert "Is 'sexx' the column 'sex'? Rename it." in done.err


def test_a_cell_that_is_no_number_is_named_by_its_row(cli, folder):
    (folder / "n.csv").write_text("x,y\n1,a\n2,b\n3,a\n4,b\n")
    cli.ok("learn", "n.csv", *NB, "-t", "y", "--folds", "2")
    (folder / "new.csv").write_text("x\n1\nmany\n")
    done = cli("predict", "n.likely", "new.csv")
    assert done.code == 1
    assert "column 'x' should hold numbers, but row 2 holds 'many'" in done.err


def test_files_of_a_pattern_must_be_alike(cli, folder):
    (folder / "p1.csv").write_text("x,y\n1,a\n2,b\n")
    (folder / "p2.csv").write_text("x,z\n1,a\n2,b\n")
    assert "column 'y' is in p1.csv but not in p2.csv" in cli("learn", "p*.csv", *NB, "-t", "y").err
    (folder / "p2.csv").write_text("y,x\na,seven\nb,eight\n")
    assert (
        "column 'x' holds numbers in p1.csv and text in p2.csv" in cli("learn", "p*.csv", *NB, "-t", "y").err
    )
    (folder / "p2.csv").write_text("y,x\na,\nb,\n")
    assert json.loads(cli.ok("learn", "p*.csv", *NB, "-t", "y", "--folds", "0", "--json"))["rows"] == 4
    assert "no file matches" in cli("learn", "q*.csv", *NB, "-t", "y").err


def test_gzip_by_standard_input(cli, titanic):
    content = gzip.compress(b"class,sex,age\n1st,male,adult\n")
    assert cli.ok("predict", titanic, "-", stdin=content).startswith(
        "class,sex,age,p_no,p_yes,predicted\n1st,male"
    )


def test_errors_about_standard_input_say_so(cli, titanic):
    done = cli("predict", titanic, "-", stdin=b"class,sex,age\n1st\n")
    assert done.err.startswith("error: standard input, line 2: expected 3 columns")


@pytest.mark.parametrize("name", ["titanic.csv", "mushroom.csv", "credit_approval.csv"])
def test_real_tables_with_missing_cells(cli, shared_data, name):
    target = {"titanic.csv": "survived"}.get(name, "class")
    said = json.loads(cli.ok("learn", shared_data / name, *NB, "-t", target, "-o", "m.likely", "--json"))
    assert any(column["missing"] for column in said["columns"])
    assert said["cross-validation"]["scores"]["AUC"]["estimate"] > 0.8
    rows = list(csv.DictReader(io.StringIO(cli.ok("predict", "m.likely", shared_data / name))))
    with (shared_data / name).open(newline="") as file:
        given = list(csv.DictReader(file))
    assert [{key: row[key] for key in given[0]} for row in rows] == given
    right = sum(row["predicted"] == row[target] for row in rows) / len(rows)
    assert right > 0.75
