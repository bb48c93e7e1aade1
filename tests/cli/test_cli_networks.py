"""Belief networks on the command line: network files wherever a model stands, and verbs of their own."""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pytest

import likely
from likely import Conditional, Network


@pytest.fixture
def lawn(folder):
    """P(rain) = .2, P(hose) = .5; the lawn is wet with .05, .7, .8, .95 if neither, hose, rain, both."""
    rain = Conditional("rain", {"no": 0.8, "yes": 0.2})
    hose = Conditional("hose", {"off": 0.5, "on": 0.5})
    wet = {("no", "off"): 0.05, ("no", "on"): 0.7, ("yes", "off"): 0.8, ("yes", "on"): 0.95}
    given = {key: {"no": 1 - p, "yes": p} for key, p in wet.items()}
    network = Network.from_tables([rain, hose, Conditional("wet", given, given=["rain", "hose"])])
    network.write(folder / "lawn.bif")
    (folder / "days.csv").write_text("hose,wet,day\non,yes,1\noff,yes,2\n,no,3\n")
    return network


def rows_of(path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def test_a_network_file_is_asked_as_any_model(cli, lawn):
    p_wet = 0.8 * (0.5 * 0.05 + 0.5 * 0.7) + 0.2 * (0.5 * 0.8 + 0.5 * 0.95)
    assert f"P(wet = yes) = {p_wet:.4g}" in cli.ok("ask", "lawn.bif", "P(wet=yes)")
    done = cli.ok("ask", "lawn.bif", "P(wet=yes | do(hose=on))")
    assert f"= {0.8 * 0.7 + 0.2 * 0.95:.4g}" in done
    assert "Network of 3 nodes and 2 arcs" in cli.ok("show", "lawn.bif")
    assert "Draw wet (no, yes) given rain, hose." in cli.ok("show", "lawn.bif", "--story")


def test_rows_are_predicted_from_the_columns_that_are_there(cli, lawn, folder):
    cli.ok("predict", "lawn.bif", "days.csv", "--about", "rain", "-o", "out.csv")
    rows = rows_of(folder / "out.csv")
    both = 0.2 * 0.95 / (0.2 * 0.95 + 0.8 * 0.7)
    one = 0.2 * 0.8 / (0.2 * 0.8 + 0.8 * 0.05)
    dry = 0.2 * (0.5 * 0.2 + 0.5 * 0.05) / (0.2 * (0.5 * 0.2 + 0.5 * 0.05) + 0.8 * (0.5 * 0.95 + 0.5 * 0.3))
    assert [float(row["p_yes"]) for row in rows] == pytest.approx([both, one, dry], rel=1e-9)
    assert [row["predicted"] for row in rows] == ["no", "yes", "no"]
    assert [row["day"] for row in rows] == ["1", "2", "3"]


def test_evidence_and_the_next_question_are_about_a_node(cli, lawn):
    out = cli.ok("explain", "lawn.bif", "days.csv", "--row", "1", "--about", "rain", "--class", "yes")
    assert "yes against no" in out
    assert '= "on"' in out
    ledger = json.loads(cli.ok("explain", "lawn.bif", "days.csv", "--row", "1", "--about", "rain", "--json"))
    assert ledger["row"] == 1
    assert "what to ask next about rain" in cli.ok(
        "next", "lawn.bif", "--about", "rain", "--given", "wet=yes"
    )


@pytest.mark.parametrize("verb", [("next",), ("predict", "days.csv"), ("explain", "days.csv", "--row", "1")])
def test_a_network_without_a_target_needs_a_node(cli, lawn, verb):
    done = cli(verb[0], "lawn.bif", *verb[1:])
    assert done.code != 0
    assert "--about is missing: name a node, the nodes are 'rain', 'hose', 'wet'" in done.err
    done = cli(verb[0], "lawn.bif", *verb[1:], "--about", "rian")
    assert "there is no such node; did you mean 'rain'?" in done.err


def test_gaps_are_filled_by_a_network(cli, lawn, folder):
    """Not wet: the hose was off with probability above 1/2."""
    out = cli.ok("impute", "days.csv", "--model", "lawn.bif", "-o", "filled.csv")
    assert "1 missing cell filled in 3 rows, by a network of 3 nodes" in out
    assert (folder / "filled.csv").read_text() == "hose,wet,day\non,yes,1\noff,yes,2\noff,no,3\n"
    cli.ok("impute", "days.csv", "--model", "lawn.bif", "-o", "x.csv", "--draws", "2")
    for drawn in ("x-1.csv", "x-2.csv"):
        assert re.fullmatch(
            "hose,wet,day\non,yes,1\noff,yes,2\n(on|off),no,3\n", (folder / drawn).read_text()
        )


def test_rows_are_drawn_and_models_compared(cli, lawn, folder):
    cli.ok("sample", "lawn.bif", "-n", "2000", "-o", "rows.csv")
    share = np.mean([row["rain"] == "yes" for row in rows_of(folder / "rows.csv")])
    assert abs(share - 0.2) < 5 * np.sqrt(0.16 / 2000)  # once in 1.7 million times
    assert "the models are the same" in cli.ok("diff", "lawn.bif", "lawn.bif")


@pytest.mark.parametrize("ending", ["xmlbif", "xdsl", "net", "dsc", "bif.gz", "likely"])
def test_networks_are_converted(cli, lawn, ending):
    assert f"wrote it.{ending}: 3 nodes, 2 arcs" in cli.ok("convert", "lawn.bif", f"it.{ending}")
    assert cli.ok("ask", f"it.{ending}", "P(wet=yes)") == cli.ok("ask", "lawn.bif", "P(wet=yes)")
    cli.ok("convert", f"it.{ending}", "back.bif")
    assert cli("convert", f"it.{ending}", "back.bif").code != 0  # it exists


def test_converting_keeps_what_a_file_says_word_for_word(cli, folder):
    text = (
        "network n {\n}\nvariable a {\n  type discrete [ 2 ] { TRUE, FALSE };\n  property at = (1, 2);\n}\n"
    )
    text += "probability ( a ) {\n  table 0.25, 0.75;\n}\n"
    (folder / "a.bif").write_text(text)
    cli.ok("convert", "a.bif", "a.xmlbif")
    cli.ok("convert", "a.xmlbif", "b.bif")
    assert (folder / "b.bif").read_text() == text


def test_a_network_is_drawn(cli, lawn, folder):
    assert "wrote lawn.svg" in cli.ok("draw", "lawn.bif", "--given", "wet=yes")
    assert "wet = yes" in (folder / "lawn.svg").read_text(encoding="utf-8")
    assert "end the name in .svg" in cli("draw", "lawn.bif", "-o", "lawn.png").err


def test_independence_by_the_graph_and_by_rows(cli, lawn):
    assert cli.ok("independent", "lawn.bif", "rain", "hose") == "rain and hose are independent\n"
    out = cli.ok("independent", "lawn.bif", "rain", "hose", "--given", "wet")
    assert out == "rain and hose are connected given wet: rain -> wet <- hose\n"
    said = json.loads(cli.ok("independent", "titanic", "sex", "survived", "--given", "class", "--json"))
    table = likely.read("titanic", into="dict")
    for method in ("g", "pearson"):
        test = likely.score.independent_of("sex", "survived", "class", table=table, method=method)
        assert said[method]["statistic"] == pytest.approx(test.statistic)
        assert said[method]["degrees"] == 4
    words = cli.ok("independent", "titanic", "sex", "survived")
    assert words.startswith("sex and survived\nG = 434.5 with 1 degrees")
    assert "did you mean 'rain'?" in cli("independent", "lawn.bif", "rian", "hose").err
    assert "did you mean 'sex'?" in cli("independent", "titanic", "sexx", "survived").err


def test_a_network_is_learnt_with_and_without_a_target(cli, folder):
    out = cli.ok("learn", "titanic", "--model", "network", "-o", "all.likely")
    assert "Network of 4 nodes and 5 arcs, learnt from 2201 rows" in out
    assert "saved all.likely" in out
    counted = cli.ok("ask", "all.likely", "P(survived=yes | sex=female, class=1st)")
    assert float(counted.rsplit("=", 1)[1]) == pytest.approx(141 / 145, abs=0.02)
    out = cli.ok("learn", "titanic", "-t", "survived", "--model", "network", "-o", "one.likely")
    assert "log loss (nats)" in out
    assert "node      levels" in out
    assert "what to ask next about survived" in cli.ok("next", "one.likely")
    assert "base rate" in cli.ok("explain", "one.likely", "titanic", "--row", "1")
    assert "accuracy" in cli.ok("evaluate", "one.likely", "titanic")


def test_other_models_are_told_what_they_are_not(cli, saved_titanic, folder):
    done = cli("draw", saved_titanic)
    assert "holds a NaiveBayes and not a network" in done.err
    done = cli("next", saved_titanic, "--about", "sex")
    assert "--about sex: a NaiveBayes is about its target alone" in done.err
