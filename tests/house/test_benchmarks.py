"""Benchmarks are found, and their figures are kept and compared."""

from __future__ import annotations

import runpy
import sys

import pytest
from source import ROOT

FOLDER = ROOT / "benchmarks"


@pytest.fixture
def figures(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    yield __import__("figures")
    sys.modules.pop("figures")


def test_every_benchmark_is_run(figures):
    listed = runpy.run_path(str(FOLDER / "run.py"))
    assert {"naive_bayes", "mixtures", "hidden_markov", "regression", "gaussian"} <= set(
        listed["benchmarks"]()
    )
    assert {path.stem for path in FOLDER.glob("*.py")} == {*listed["benchmarks"](), *listed["SHARED"]}


def test_all_run_in_little_time_unless_told_otherwise(figures):
    listed = runpy.run_path(str(FOLDER / "run.py"))
    assert {*listed["QUICK"], *listed["ON_TABLES"]} <= set(listed["benchmarks"]())
    assert listed["arguments"]("naive_bayes", False) == ["100000"]
    assert listed["arguments"]("naive_bayes", True) == []
    assert listed["arguments"]("accuracy", True) == [str(listed["DATA"])]


def asks_for_a_folder(text: str) -> bool:
    """Whether a benchmark does not run without the folder of the tables."""
    return any("Path(sys.argv[1])" in line and " if " not in line for line in text.splitlines())


def test_what_needs_the_tables_is_given_them(figures):
    listed = runpy.run_path(str(FOLDER / "run.py"))
    needy = {path.stem for path in FOLDER.glob("*.py") if asks_for_a_folder(path.read_text(encoding="utf-8"))}
    assert "accuracy" in needy
    assert needy <= set(listed["ON_TABLES"])
    assert asks_for_a_folder("    main(Path(sys.argv[1]))")
    assert not asks_for_a_folder("    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)")


def test_figures_are_kept_only_for_a_run_of_all(figures, monkeypatch, tmp_path):
    path = tmp_path / "figures"
    figures.keep("fit", 3, "ms")
    monkeypatch.setenv(figures.COLLECT, str(path))
    figures.keep("fit", 2, "ms")
    assert figures.collected(path) == {"fit": (2.0, "ms")}


def test_figures_are_compared_with_the_last(figures):
    lines = list(
        figures.changes({"fit": [2.0, "ms"], "old": [1.0, "s"]}, {"fit": (3.0, "ms"), "new": (1.0, "s")})
    )
    assert lines[0].split() == ["fit", "3", "ms", "was", "2", "+50.0%"]
    assert lines[1].split()[-1] == "new"
    assert lines[2].split() == ["old", "gone"]


def test_results_are_written_and_read(figures, monkeypatch, tmp_path):
    monkeypatch.setattr(figures, "RESULTS", tmp_path / "results.json")
    assert figures.last() == {}
    figures.write({"b": {"with": figures.surroundings(), "figures": {"fit": (2.0, "ms")}}})
    assert figures.last()["b"]["figures"] == {"fit": [2.0, "ms"]}


def test_one_that_fails_is_said_after_all_have_run(figures, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(figures, "RESULTS", tmp_path / "results.json")
    main = runpy.run_path(str(FOLDER / "run.py"))["main"]
    ends = {"a": ({}, 1), "b": ({"fit": (2.0, "ms")}, 0)}
    monkeypatch.setitem(main.__globals__, "run", lambda name, full: ends[name])
    with pytest.raises(SystemExit, match="failed: a"):
        main(["a", "b"], False)
    assert "a ended with 1" in capsys.readouterr().out
    assert list(figures.last()) == ["b"]
    main(["b"], False)
    assert "was" in capsys.readouterr().out
