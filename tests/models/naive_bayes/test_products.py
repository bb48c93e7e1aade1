"""Product features: the worked figures of tennis, and what happens to combinations, gaps and frames."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import likely
from likely import NaiveBayes
from likely.errors import LikelyError

DAYS = likely.read("play_tennis", into="dict")
TODAY = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}
PLAIN = {"no": 5 / 14, "yes": 9 / 14}


@pytest.mark.parametrize(
    ("products", "figure"),
    [
        (None, 0.720067),
        ([("outlook", "humidity")], 0.781250),
        ([("temperature", "humidity")], 0.704225),
        ([("outlook", "temperature")], 0.524354),
    ],
)
def test_the_figures_of_tennis(products, figure: float):
    model = NaiveBayes(base_rate=PLAIN, products=products).fit(DAYS, "play")
    assert float(model.predict_proba(TODAY)[0, 0]) == pytest.approx(figure, abs=6e-7)


def test_exactly():
    model = NaiveBayes(base_rate=PLAIN, products=[("outlook", "humidity")]).fit(DAYS, "play")
    no, yes = 10 / 539, 2 / 385
    assert float(model.predict_proba(TODAY)[0, 0]) == pytest.approx(no / (no + yes), abs=1e-14)
    assert model.record_.schema.names == ("outlook x humidity", "temperature", "windy")
    assert model.record_.schema.columns[0].known == (
        *("overcast, high", "overcast, normal", "rainy, high"),
        *("rainy, normal", "sunny, high", "sunny, normal"),
    )


def test_it_is_a_column_of_combinations():
    """The same as joining the columns beforehand, with all combinations as categories."""
    frame = pd.DataFrame(DAYS)
    both = [f"{a}/{b}" for a in ("overcast", "rainy", "sunny") for b in (False, True)]
    made = (frame["outlook"] + "/" + frame["windy"].astype(str)).astype(pd.CategoricalDtype(both))
    beforehand = frame.drop(columns=["outlook", "windy"]).assign(both=made)
    peer = NaiveBayes().fit(beforehand, "play")
    for table in (frame, pl.DataFrame(DAYS), DAYS, frame.to_dict("records")):
        model = NaiveBayes(products=[("outlook", "windy")]).fit(table, "play")
        assert model.predict_proba(table) == pytest.approx(peer.predict_proba(beforehand), abs=1e-12)


def test_gaps_levels_never_seen_and_numbers():
    table = pd.DataFrame(
        {"a": ["p", "q", None, "p"], "b": [1, 2, 1, 2], "c": [0.5, 1, 2, 3], "y": list("stst")}
    )
    model = NaiveBayes(products=[("a", "b")], kinds={"b": "ordinal"}).fit(table, "y")
    asked = pd.DataFrame({"a": [None, "r", "p"], "b": [1.0, 1.0, 2.0], "c": [np.nan] * 3})
    p = model.predict_proba(asked)
    assert p[:2] == pytest.approx(np.tile(model.base_rate_, (2, 1)), abs=1e-12)
    assert p[2, 1] > 0.5  # ("p", 2) was seen in class t alone
    ledger = model.explain(asked)
    assert ledger.status[:, 0].tolist() == [1, 2, 0]
    assert "a x b" in str(ledger[2])
    with pytest.raises(LikelyError, match="column 'c' is quantitative, and a product is of levels"):
        NaiveBayes(products=[("a", "c")]).fit(table, "y")


def test_everything_else_a_model_does(tmp_path):
    model = NaiveBayes(products=[("outlook", "humidity")]).fit(DAYS, "play")
    model.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    assert (again.predict_proba(TODAY) == model.predict_proba(TODAY)).all()
    halves = [{name: values[rows] for name, values in DAYS.items()} for rows in (slice(0, 7), slice(7, 14))]
    steps = NaiveBayes(products=[("outlook", "humidity")], evidence_weights=None)
    for half in halves:
        steps.partial_fit(half, "play")
    assert steps.predict_proba(TODAY).shape == (1, 2)
    drawn = model.sample(5, random_state=0)
    assert "outlook x humidity" in drawn
    assert model.predict_proba({k: v for k, v in drawn.items() if k != "play"}).shape == (5, 2)
    assert 0 < float(model.ask("P(play=yes | temperature=cool)")) < 1


@pytest.mark.parametrize(
    ("products", "said"),
    [
        ([("outlook", "moon")], "no column 'moon'"),
        (["outlook"], "must name two different columns"),
        ([("outlook", "outlook")], "must name two different columns"),
        ([("outlook",)], "must name two different columns"),
    ],
)
def test_what_is_no_product_is_refused(products, said: str):
    with pytest.raises(LikelyError, match=said):
        NaiveBayes(products=products).fit(DAYS, "play")
