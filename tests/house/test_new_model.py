"""A model that another package brings is known everywhere by its row alone."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from toy_model import ROW, ToyShares

import likely
from likely.estimator.registry import commands, models_table, registered


@pytest.fixture(autouse=True)
def _known():
    with registered(ROW):
        yield


@pytest.fixture
def model():
    return ToyShares().fit(likely.read("titanic"), "survived")


def test_it_has_a_public_name():
    assert likely.ToyShares is ToyShares


def test_files_hold_it(model, tmp_path):
    model.save(tmp_path / "toy.likely")
    again = likely.load(tmp_path / "toy.likely")
    assert type(again) is ToyShares
    someone = {"class": ["1st"], "sex": ["female"], "age": ["adult"]}
    assert (again.predict_proba(someone) == model.predict_proba(someone)).all()


def test_two_of_them_are_compared(model):
    other = ToyShares().fit(likely.read("titanic"), "survived", sample_weight=np.linspace(0, 1, 2201))
    found = likely.diff(model, other)
    assert not found.same
    assert {change.what for change in found.probabilities} == {"share"}
    assert likely.diff(model, model).same


def test_the_command_line_learns_and_shows_it(tmp_path, monkeypatch):
    from likely.cli.app import likely as app

    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    said = run.invoke(app, ["learn", "titanic", "-t", "survived", "--model", "toy-shares", "--json"])
    assert said.exit_code == 0, said.output
    learnt = json.loads(said.stdout)
    assert learnt["model"] == "ToyShares"
    assert learnt["classes"] == {"no": 1490, "yes": 711}
    for verb in (["show", "titanic.likely"], ["diff", "titanic.likely", "titanic.likely"]):
        done = run.invoke(app, verb)
        assert done.exit_code == 0, done.output
    assert "toy-shares" in run.invoke(app, ["learn", "--help"]).output
    done = run.invoke(app, ["ask", "titanic.likely", "P(survived=yes)"])
    assert done.exit_code != 0


def test_the_docs_table_lists_it():
    assert "| [`ToyShares`](index.md) | the share of each class |" in models_table()


def test_it_is_gone_afterwards():
    assert "toy-shares" in commands()


def test_the_report_shows_it(model, tmp_path, monkeypatch):
    """`likely learn --report`, and `likely report` of its file, beside its table."""
    from likely.cli.app import likely as app

    monkeypatch.chdir(tmp_path)
    model.save("toy.likely")
    run = CliRunner()
    made = run.invoke(app, ["report", "toy.likely", "--data", "titanic", "-o", "toy.html"])
    assert made.exit_code == 0, made.output
    learnt = run.invoke(
        app, ["report", "titanic", "-t", "survived", "--model", "toy-shares", "-o", "learnt.html"]
    )
    assert learnt.exit_code == 0, learnt.output
    for page in ("toy.html", "learnt.html"):
        assert "ToyShares" in (tmp_path / page).read_text(encoding="utf-8")
