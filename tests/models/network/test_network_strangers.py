"""What strangers do: columns that are empty or not there, wrong names, evidence that cannot be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import likely
from likely import Conditional, Network
from likely.errors import LikelyError


@pytest.fixture
def lawn() -> Network:
    """It is wet if it rains or the hose is on, and never else."""
    rain = Conditional("rain", {"no": 0.8, "yes": 0.2})
    hose = Conditional("hose", {"off": 0.5, "on": 0.5})
    wet = {("no", "off"): 0.0, ("no", "on"): 1.0, ("yes", "off"): 1.0, ("yes", "on"): 1.0}
    given = {key: {"no": 1 - p, "yes": p} for key, p in wet.items()}
    return Network.from_tables([rain, hose, Conditional("wet", given, given=["rain", "hose"])])


@pytest.mark.parametrize("structure", ["search", "tree", [("b", "c")], "naive"])
def test_a_column_without_any_value_does_no_harm(structure, tmp_path: Path):
    """Everything else is as without it."""
    table = {"a": [None] * 20, "b": ["u", "v"] * 10, "c": ["p", "q", "p", "p"] * 5}
    rest = {name: column for name, column in table.items() if name != "a"}
    y = ("b",) if structure == "naive" else ()
    with_it, without = Network(structure).fit(table, *y), Network(structure).fit(rest, *y)
    for question in ("P(b=u | c=p)", "P(c=p)"):
        if structure != "search":  # which is told that no row is complete, and fills gaps
            assert float(with_it.ask(question)) == pytest.approx(float(without.ask(question)), abs=1e-12)
    gaps = {"a": [None, None], "b": ["u", None], "c": [None, "p"]}
    assert with_it.predict_proba(gaps, of="c").sum(axis=1) == pytest.approx(1.0)
    assert with_it.impute(gaps)["a"] == [None, None]
    assert with_it.draw().svg.count("<text") > 3
    with pytest.raises(LikelyError, match="'a' was missing wherever the model looked"):
        with_it.ask("P(a)")
    with_it.save(tmp_path / "it.likely")
    assert float(likely.load(tmp_path / "it.likely").ask("P(c=p)")) == float(with_it.ask("P(c=p)"))


def test_a_network_of_given_tables_takes_any_columns_in_any_order(lawn: Network):
    """P(rain | wet) = .2 / (.2 + .8 x .5) = 1/3; with the hose off it is certain."""
    for table in (
        pd.DataFrame({"wet": ["yes", "yes"], "hose": [None, "off"]}),
        pl.DataFrame({"hose": [None, "off"], "wet": ["yes", "yes"]}),
        {"wet": ["yes", "yes"], "hose": [None, "off"]},
    ):
        assert lawn.predict_proba(table, of="rain")[:, 1] == pytest.approx([1 / 3, 1.0])
        assert lawn.predict(table, of="rain").tolist() == ["no", "yes"]
    with pytest.raises(LikelyError, match=r"no column of X is a node of the network: it has \['dry'\]"):
        lawn.predict({"dry": ["yes"]}, of="rain")


def test_a_learnt_network_does_not_need_the_column_that_is_asked_for():
    table = {"b": ["u", "v", "u", "u"] * 5, "c": ["p", "q", "p", "q"] * 5}
    network = Network([("b", "c")]).fit(table)
    with_it = network.predict_proba(table, of="b")
    assert np.array_equal(network.predict_proba({"c": table["c"]}, of="b"), with_it)
    with pytest.warns(likely.LikelyWarning, match="'c' is not there"):  # as with any model
        alone = network.predict_proba({"b": table["b"]}, of="b")
    assert np.allclose(alone, [float(network.ask("P(b=u)")), float(network.ask("P(b=v)"))])


def test_the_target_is_evidence_for_other_nodes():
    """P(c=p | b) as counted, with Laplace's prior: (8 + 1) / (12 + 2) for u, (4 + 1) / (8 + 2) for v."""
    table = {"b": ["u", "v", "u", "u", "v"] * 4, "c": ["p", "q", "p", "q", "p"] * 4}
    network = Network([("b", "c")]).fit(table, "b")
    rows = pd.DataFrame({"c": [None, None, None], "b": ["u", "v", None]})
    alone = float(network.ask("P(c=p)"))
    assert network.predict_proba(rows, of="c")[:, 0] == pytest.approx([9 / 14, 0.5, alone])
    assert network.predict_proba(rows)[0] == pytest.approx(network.predict_proba(rows)[1])  # not for itself


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (lambda n: n.ask("P(rian=yes)"), "did you mean rain"),
        (lambda n: n.ask("P(rain=maybe)"), "its levels are no, yes"),
        (lambda n: n.ask("P(hose=on | rain=no, hose=off, wet=yes)"), "probability is 0"),
        (lambda n: n.marginals("rain=no, hose=off, wet=yes"), "cannot be together"),
        (lambda n: n.draw("rain=no, hose=off, wet=yes"), "cannot be together"),
        (lambda n: n.most_probable("rain=no, hose=off, wet=yes"), "cannot be together"),
        (lambda n: n.explain("rain=no, wet=yes, hose=off", about="hose"), "."),
        (lambda n: n.marginals({"rain": {"no": 0.0, "yes": 0.0}}), "all 0"),
        (lambda n: n.marginals({"rain": {"no": float("nan"), "yes": 1.0}}), "nan"),
        (lambda n: n.do(rain="maybe"), "its levels are"),
        (lambda n: n.separated("rain", "rain"), "name it once"),
        (lambda n: n.blanket("rian"), "did you mean 'rain'"),
        (lambda n: n.predict({"wet": ["yes"]}), "no target: name a node"),
    ],
)
def test_errors_are_clear(lawn: Network, what, words: str):
    with pytest.raises(LikelyError, match=words):
        what(lawn)


@pytest.mark.parametrize("one", [1, 1.0, np.float64(1), "1.0", True, "yes"])
def test_a_column_of_0_and_1_is_asked_about_as_tables_write_it(one):
    """With gaps, a table writes 1 as 1.0."""
    table = pd.DataFrame({"sex": [1, 0, 1, None, 1, 0], "ill": ["a", "b", "a", "b", "b", "b"]})
    network = Network([("sex", "ill")]).fit(table)
    expected = float(network.ask("P(ill=a | sex=true)"))
    assert network.marginals({"sex": one})["ill"]["a"] == pytest.approx(expected, abs=1e-15)
    assert float(network.ask(f"P(ill=a | sex={one})")) == pytest.approx(expected, abs=1e-15)
    with pytest.raises(LikelyError, match="no level of variable 'sex'"):
        network.marginals({"sex": 2.0})
