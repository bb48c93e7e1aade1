"""`likely report` and `likely learn --report`: a page from a table, or from a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import likely

ARGUMENTS = ["report", "titanic", "-t", "survived", "--model", "naive-bayes", "--folds", "2"]


def test_a_table_becomes_a_page(cli):
    said = cli.ok(*ARGUMENTS)
    assert "wrote titanic.html" in said
    assert "No rows" in said
    html = Path("titanic.html").read_text(encoding="utf-8")
    assert "Predicting <bdi>survived</bdi>" in html
    assert "2-fold cross-validation" in html


def test_json_says_what_was_written(cli):
    written = json.loads(cli.ok(*ARGUMENTS, "-o", "page.html", "--json"))
    assert written["page"] == "page.html"
    assert written["page contains"][0].startswith("No rows")


def test_a_page_that_exists_is_replaced_by_force_alone(cli):
    Path("titanic.html").write_text("mine")
    assert "--force" in cli(*ARGUMENTS).err
    assert Path("titanic.html").read_text() == "mine"
    cli.ok(*ARGUMENTS, "--force")


def test_a_model_becomes_a_page_with_and_without_its_table(cli):
    likely.NaiveBayes().fit(likely.read("titanic"), "survived").save("m.likely")
    cli.ok("report", "m.likely")
    alone = Path("m.html").read_text(encoding="utf-8")
    cli.ok("report", "m.likely", "--data", "titanic", "--force")
    assert "How good it is" not in alone
    assert "How good it is" in Path("m.html").read_text(encoding="utf-8")


def test_learning_writes_the_page_beside_the_model(cli):
    said = cli.ok(*["learn", *ARGUMENTS[1:]], "--report", "page.html")
    assert "saved titanic.likely, wrote page.html" in said
    assert Path("page.html").stat().st_size > 50_000


def test_a_network_needs_no_target(cli):
    cli.ok("report", "titanic", "--model", "network", "--about", "sex")
    assert "A network of <bdi>4 nodes</bdi>" in Path("titanic.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["page.pdf", "nowhere/page.html"])
def test_a_bad_name_is_refused_before_or_after_nothing_is_written(cli, name):
    assert cli(*ARGUMENTS, "-o", name).code == 1
    assert not Path(name).exists()


def test_columns_that_name_rows_are_named_on_the_page(cli):
    rows = "".join(f"K{7919 * i % 9973:04d},{'ab'[i % 2]},{i % 5},{'xy'[i % 3 == 0]}\n" for i in range(200))
    Path("t.csv").write_text("number,letter,digit,y\n" + rows)
    cli.ok("report", "t.csv", "-t", "y", "--model", "naive-bayes", "--folds", "0", "--drop", "digit")
    html = Path("t.html").read_text(encoding="utf-8")
    assert "<dt>Not learnt from</dt><dd><bdi>number, digit</bdi></dd>" in html
