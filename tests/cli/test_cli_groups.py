"""`likely group`: hidden groups found, described and written, as the Python model finds them."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest
from checkout import DOCS
from drive import ANY_CODE, Terminal, piped

import likely


@pytest.fixture
def people(folder):
    """Children and adults, some cells missing, one column of names."""
    rng = np.random.default_rng(1)
    child = rng.random(200) < 0.3
    table = {
        "name": [f"n{i}" for i in range(200)],
        "height": np.where(child, rng.normal(120, 9, 200), rng.normal(174, 9, 200)).round(1),
        "group": np.where(rng.random(200) < np.where(child, 0.02, 0.8), "works", "idle"),
    }
    table["height"] = np.where(rng.random(200) < 0.1, np.nan, table["height"])
    likely.write(table, "people.csv")
    return child


PAGE = (DOCS / "command-line.md").read_text()


def shown(command: str) -> list[str]:
    """The lines that the page shows below a command on the penguins."""
    return PAGE.partition(f"likely {command} penguins.csv")[2].partition("```")[0].splitlines()[2:]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_groups_are_those_of_the_model(cli, folder, people):
    out = cli.ok("group", "people.csv", "--drop", "name", "-k", "2", "-o", "out.csv", "--seed", "3")
    table = likely.read("people.csv", into="dict")
    del table["name"]
    model = likely.Mixture(2, restarts=5, random_state=3).fit(table)
    assert out == f"{model.describe()}\n\nwrote out.csv\n"
    written = rows((folder / "out.csv").read_text())
    assert list(written[0]) == ["name", "height", "group", "p_0", "p_1", "group_"]
    p = np.array([[row["p_0"], row["p_1"]] for row in written], float)
    assert p == pytest.approx(model.predict_proba(table), abs=1e-12)
    assert [int(row["group_"]) for row in written] == model.predict(table).tolist()
    found = np.array([row["group_"] for row in written]) == "1"
    assert max((found == people).mean(), (found != people).mean()) > 0.95
    # What was there stays as it was written.
    before = rows((folder / "people.csv").read_text())
    assert [{name: row[name] for name in before[0]} for row in written] == before


def test_the_number_of_groups_is_found_and_the_curve_shown(cli, folder, people):
    said = json.loads(cli.ok("group", "people.csv", "--drop", "name", "--by", "icl", "--json"))
    best = min(said["tried"], key=lambda one: one["bits"])
    assert [one["components"] for one in said["tried"]] == [
        1,
        2,
        3,
        4,
    ]  # of which the last pays for less than half of what it costs
    assert best["components"] == 2
    assert sum(group["rows"] for group in said["groups"]) == pytest.approx(200)
    assert sum(group["share"] for group in said["groups"]) == pytest.approx(1)
    small = min(said["groups"], key=lambda group: group["rows"])
    assert "height mean 119 " in small["apart"][0]
    assert said["written"] is None
    assert not list(folder.glob("*.likely"))


def test_names_of_rows_are_told_of(cli, folder, people):
    done = cli("group", "people.csv", "-k", "1")
    assert done.code == 0
    assert "note: column 'name' is left out: 200 different values in 200 rows" in done.err
    kept = cli("group", "people.csv", "-k", "1", "--kind", "name=categorical")
    assert "name (categorical" in kept.out
    assert "name (categorical" not in done.out


@pytest.mark.parametrize(
    ("options", "says", "code"),
    [
        (["-k", "0"], "'0': give the number of groups, from 1, or 'auto'", 2),
        (["-k", "many"], "'many': give the number", 2),
        (["-k", "999"], "-k 999, but the table has 200 rows", 1),
        (["--drop", "hight"], "did you mean 'height'?", 1),
        (["--drop", "name", "--drop", "height", "--drop", "group"], "no column is left", 1),
        (["--kind", "height=tall"], "'tall'", 1),
        (["-o", "people.csv"], "people.csv exists: --force replaces it", 1),
        (["-o", "people.doc"], ".doc", 1),
    ],
)
def test_what_cannot_be_done(cli, people, options, says, code):
    done = cli("group", "people.csv", *options)
    assert (done.code, done.out) == (code, "")
    assert says in done.err


def test_odd_tables_have_an_answer(cli, folder):
    (folder / "odd.csv").write_text("const,empty,x,twice\n1,,2,4\n1,,3,6\n1,,?,\n1,,2,4\n")
    assert "2 groups" not in cli.ok("group", "odd.csv", "-o", "a.csv")
    cli.ok("group", "odd.csv", "-k", "4", "-o", "b.csv")
    for name, k in (("a.csv", None), ("b.csv", 4)):
        found = rows((folder / name).read_text())
        chances = [{key: float(row[key]) for key in row if key.startswith("p_")} for row in found]
        assert all(sum(p.values()) == pytest.approx(1) for p in chances)
        assert k is None or len(chances[0]) == k
    (folder / "none.csv").write_text("a,b\n")
    done = cli("group", "none.csv")
    assert (done.code, done.out) == (1, "")
    (folder / "one.csv").write_text("a,b\n1,x\n")
    assert "group 0: 1 row (100 %), as all rows are" in cli.ok("group", "one.csv")
    (folder / "inf.csv").write_text("a\n1\ninf\n2\n")
    done = cli("group", "inf.csv", "--kind", "a=quantitative")
    assert done.code == 1
    assert "'a'" in done.err
    (folder / "huge.csv").write_text("a\n1\n1e300\n2\n")
    done = cli("group", "huge.csv")
    assert done.code == 1
    assert "'a'" in done.err
    assert "1e+300" in done.err


@pytest.mark.long
def test_penguins_through_the_real_command(folder, shared_data):
    """Species and islands left out, the sexes of two species and a pair of species are found."""
    file = shared_data / "penguins.csv"
    options = ["--drop", "species", "--drop", "island", "--drop", "year", "-o", "out.csv"]
    done = piped("group", "-", *options, cwd=folder, stdin=file.read_bytes())
    assert (done.code, done.err) == (0, "")
    assert "\x1b" not in done.out
    assert re.search(r"^ +5 .* fewest$", done.out, re.MULTILINE)
    told = [line for line in shown("group") if re.match(r"group \d|.* fewest$", line)]
    assert len(told) == 6
    assert set(told) <= set(done.out.splitlines())
    assert done.out.endswith("\n\nwrote out.csv\n")
    written = rows((folder / "out.csv").read_text())
    assert len(written) == 344
    alone = {row["group"] for row in written if row["species"] == "Gentoo"}
    others = [row["group"] for row in written if row["species"] != "Gentoo"]
    assert sum(group in alone for group in others) <= 111  # the one group that has one Gentoo
    gentoo = [row for row in written if row["species"] == "Gentoo" and row["sex"]]
    by_sex = {sex: {row["group"] for row in gentoo if row["sex"] == sex} for sex in ("male", "female")}
    assert by_sex["male"].isdisjoint(by_sex["female"])


def test_in_a_terminal(folder, people):
    terminal = Terminal("group", "people.csv", "--drop", "name", "-k", "2", cwd=folder)
    assert terminal.end() == 0
    assert "\x1b[1m" in terminal.seen  # the title is bold
    shown = ANY_CODE.sub("", terminal.seen)
    assert re.search(r"group_ \d: \d+ rows \(\d+ %\)", shown)


@pytest.mark.long
def test_ctrl_c_ends_a_long_search_with_the_best_so_far(folder):
    rng = np.random.default_rng(0)
    likely.write({f"x{j}": rng.normal(size=30_000) for j in range(6)}, "long.csv")
    terminal = Terminal("group", "long.csv", "-k", "30", "-o", "out.csv", cwd=folder)
    terminal.until("objective")  # the bar of EM
    terminal.press("\x03")
    assert terminal.end() == 0
    shown = ANY_CODE.sub("", terminal.seen)
    assert "the best model so far is kept" in shown
    with (folder / "out.csv").open() as file:
        assert next(csv.reader(file))[-1] == "group"
