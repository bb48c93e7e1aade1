"""Models ranked by description length, and the law that the shortest is the most probable."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from seeds import first
from test_code_length import CURVE, TOTALS, polynomial

import likely
from likely import LikelyError, choose, hypotheses


def test_the_degree_of_a_polynomial():
    choice = choose({str(d): polynomial(d) for d in range(1, 6)}, CURVE, "y", step=0.01)
    assert choice.names == ("2", "3", "4", "5", "1")
    assert list(choice.bits.values()) == pytest.approx(sorted(TOTALS[1:]), abs=1e-4)
    assert choice.best is choice.models[0]


@pytest.mark.parametrize("by", first(1, ["mdl", "bic", "prequential"]))
def test_components_families_and_structures(by):
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(0, 1, 150), rng.normal(9, 1, 150)]).round(2)
    groups = {str(k): likely.Mixture(k, random_state=0) for k in (1, 2, 3)}
    assert choose(groups, {"x": x}, by=by).names[0] == "2"
    waiting = {"w": rng.exponential(5, 300).round(3)}
    families = {name: likely.Mixture(1, families=name) for name in ("normal", "exponential")}
    assert choose(families, waiting, by=by).names[0] == "exponential"
    people = likely.read("titanic")
    structures = {"none": likely.Network(structure=[]), "tree": likely.Network(structure="tree")}
    assert choose(structures, people, by=by).names == ("tree", "none")


def test_prequential_bits_are_those_of_a_plain_loop():
    """Laplace's rule, block after block: the bits of a coin by closed form."""
    rng = np.random.default_rng(5)
    table = {"c": rng.choice(["a", "b", "c"], 100, p=[0.7, 0.2, 0.1])}
    choice = choose([likely.Mixture(1)], table, by="prequential")
    order = np.random.default_rng(0).permutation(100)
    seen, bits, at = np.array(table["c"])[order], 0.0, 20
    while at < 100:
        stop = min(2 * at, 100)
        for value in seen[at:stop]:
            bits -= np.log2(((seen[:at] == value).sum() + 1) / (at + 3))
        at = stop
    assert choice.lengths[0].data_bits == pytest.approx(bits)
    assert choice.lengths[0].n == 80
    assert "by prequential (80 rows, given those before them)" in str(choice)


def test_a_rare_class_is_known_before_it_is_described():
    table = {"x": np.arange(60.0), "y": ["a"] * 57 + ["b", "c", "b"]}
    for by in ("mdl", "prequential"):
        choice = choose([likely.NaiveBayes(), likely.LogisticRegression()], table, "y", by=by)
        assert np.isfinite(list(choice.bits.values())).all()


def test_the_shortest_is_the_most_probable_model():
    """MDL is MAP under 2^-bits, whatever the bits of the models (1,000 random ones)."""
    rng = np.random.default_rng(0)
    for _ in range(1000):
        bits, of_data = rng.exponential(10, 4), rng.exponential(10, 4)
        likelihood = {i: {"data": 2.0 ** -of_data[i]} for i in range(4)}
        belief = hypotheses.Space(range(4), likelihood, hypotheses.Code(bits)).update(["data"])
        assert belief.map == int(np.argmin(bits + of_data))


def test_a_code_names_the_candidates():
    days = likely.read("play_tennis", into="dict")
    models = {"none": likely.Network(structure=[]), "tree": likely.Network(structure="tree")}
    plain = choose(models, days)
    assert plain.names[0] == "none"
    told = choose(models, days, code=hypotheses.Code({"none": 50.0, "tree": 1.0}))
    assert told.bits["none"] == pytest.approx(plain.bits["none"] + 50)
    assert told.names[0] == "tree"


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_faces(frame):
    table = frame(likely.read("play_tennis", into="dict"))
    choice = choose([likely.NaiveBayes(), likely.AODE()], table, "play")
    assert isinstance(choice.to_frame(), frame)
    assert "shortest" in str(choice)
    assert "<table" in choice._repr_html_()
    widths = [bar.get_width() for bar in choice.plot().patches]
    assert widths[0] == 0
    assert len(choice.names) == 2


@pytest.mark.parametrize(
    ("candidates", "options", "said"),
    [
        ([], {}, "at least one model"),
        ([likely.Mixture(1), likely.Mixture(1)], {}, "two are the same"),
        ({"a": 3}, {}, "candidate 'a' is 3"),
        ([likely.Mixture(1)], {"by": "aic"}, "by='aic'"),
        ({"line": likely.LinearRegression()}, {}, "candidate 'line'"),
    ],
)
def test_refused(candidates, options, said):
    with pytest.raises(LikelyError, match=said):
        choose(candidates, {"x": [1.0, 2.0, 3.0]}, **options)
