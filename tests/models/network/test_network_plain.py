"""Networks from files and to files: the same answers, typed data against states that are texts, pictures."""

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
    rain = Conditional("rain", {False: 0.8, True: 0.2})
    wet = Conditional("wet", {False: {"no": 0.9, "yes": 0.1}, True: {"no": 0.2, "yes": 0.8}}, given="rain")
    return Network.from_tables([rain, wet])


@pytest.mark.parametrize("ending", ["bif", "xmlbif.gz", "xdsl", "net", "dsc"])
def test_answers_stay_the_same_through_every_format(lawn: Network, tmp_path: Path, ending: str):
    """P(rain | wet) = .2 x .8 / (.2 x .8 + .8 x .1) = 2/3."""
    lawn.write(tmp_path / f"lawn.{ending}")
    assert float(likely.load(tmp_path / f"lawn.{ending}").ask("P(rain=True | wet=yes)")) == pytest.approx(
        2 / 3
    )
    again = Network.read(tmp_path / f"lawn.{ending}")
    assert float(again.ask("P(rain=True | wet=yes)")) == pytest.approx(2 / 3, abs=1e-15)
    assert again.levels("rain") == ("False", "True")


def test_tables_may_hold_values_where_files_have_their_texts(tmp_path: Path):
    """Whole numbers, also as floats because of gaps, and truth values: as the texts of the states."""
    text = """network n { }
variable a { type discrete [ 2 ] { 1, 2 }; } variable b { type discrete [ 2 ] { TRUE, FALSE }; }
probability ( a ) { table 0.25, 0.75; } probability ( b | a ) { (1) 0.9, 0.1; (2) 0.4, 0.6; }"""
    (tmp_path / "n.bif").write_text(text)
    network = Network.read(tmp_path / "n.bif")
    logs = np.log([0.25 * 0.9, 0.75 * 0.6])
    for table in (
        {"a": [1, 2], "b": [True, False]},
        {"a": ["1", "2"], "b": ["TRUE", "FALSE"]},
        pd.DataFrame({"a": [1.0, 2.0], "b": [True, False]}),
        pl.DataFrame({"a": [1, 2], "b": [True, False]}),
    ):
        assert network.log_prob(table) == pytest.approx(logs, abs=1e-12)
    gaps = pd.DataFrame({"a": [1, np.nan], "b": [None, False]})
    assert network.log_prob(gaps) == pytest.approx(np.log([0.25, 0.25 * 0.1 + 0.75 * 0.6]), abs=1e-12)
    assert float(network.ask("P(b=TRUE | a=1)")) == pytest.approx(0.9)


def test_numbers_have_no_place_in_such_files(tmp_path: Path):
    rng = np.random.default_rng(0)
    table = {"group": np.array(["a", "b"] * 20), "size": rng.normal(size=40)}
    network = Network([("group", "size")]).fit(table)
    with pytest.raises(LikelyError, match=r"the node 'size' is quantitative.*Discretize.*save\(\)"):
        network.write(tmp_path / "n.bif")
    assert list(tmp_path.iterdir()) == []


def test_a_file_without_variables_is_no_network(tmp_path: Path):
    (tmp_path / "n.bif").write_text("network n { }")
    with pytest.raises(LikelyError, match="the network has no variables"):
        Network.read(tmp_path / "n.bif")


def test_real_networks_are_read_asked_and_written_back(shared_data: Path, tmp_path: Path):
    """Asia: P(either) = 1 - (1 - P(lung)) (1 - P(tub)), with P(lung) = .055 and P(tub) = .0104."""
    network = Network.read(shared_data / "bif" / "asia.bif")
    assert float(network.ask("P(either=yes)")) == pytest.approx(0.064828, abs=1e-12)
    network.write(tmp_path / "asia.bif")
    assert float(Network.read(tmp_path / "asia.bif").ask("P(either=yes)")) == pytest.approx(
        0.064828, abs=1e-12
    )
    child = Network.read(shared_data / "bif" / "child.bif")
    assert "Asy/Patch" in child.levels("ChestXray")


def test_a_read_network_is_saved_as_any_model(lawn: Network, tmp_path: Path):
    lawn.write(tmp_path / "lawn.net")
    again = Network.read(tmp_path / "lawn.net")
    again.save(tmp_path / "lawn.likely")
    loaded = likely.load(tmp_path / "lawn.likely")
    assert float(loaded.ask("P(wet=yes)")) == pytest.approx(0.24, abs=1e-15)


def entropy(p: float) -> float:
    return float(-p * np.log2(p) - (1 - p) * np.log2(1 - p))


def test_a_picture_shows_what_is_believed_and_how_strong_arcs_are(lawn: Network):
    """I(rain; wet) = H(wet) - H(wet | rain) in bits, by hand."""
    bits = entropy(0.24) - 0.8 * entropy(0.1) - 0.2 * entropy(0.2)
    drawn = lawn.draw().svg
    assert f"rain → wet: {bits:.3g} bits" in drawn
    assert ">0.76<" in drawn
    given = lawn.draw("wet=yes").svg
    assert "wet = yes" in given
    assert ">0.67<" in given
    assert lawn._repr_html_().startswith("<div")


def test_a_network_that_is_not_fitted_has_the_picture_of_any_estimator():
    assert "Network" in Network()._repr_html_()
