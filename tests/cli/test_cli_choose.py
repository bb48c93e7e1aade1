"""`likely choose`."""

from __future__ import annotations

import json

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
