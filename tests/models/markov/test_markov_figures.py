"""Hidden Markov models on real data: what the page says of them."""

from __future__ import annotations

import time

import numpy as np
import pytest
from checkout import DOCS

import likely

PAGE = (DOCS / "hidden-markov.md").read_text()


@pytest.fixture
def quakes(shared_data):
    return {"count": likely.read(shared_data / "earthquakes.csv", into="dict")["count"]}


# Zucchini and MacDonald, Hidden Markov Models for Time Series: figures of the models by EM.
@pytest.mark.parametrize(
    ("states", "rates", "log_likelihood"),
    [(2, [15.421, 26.018], -341.8787), (3, [13.134, 19.713, 29.710], -328.5275)],
    ids=["two", "three"],
)
def test_earthquakes(quakes, states, rates, log_likelihood):
    model = likely.HiddenMarkov(
        states, kinds="count", prior=None, restarts=5, random_state=0, tol=1e-12, max_iter=2000
    ).fit(quakes)
    assert sorted(model.record_.core.parts[0].distribution.mean.ravel()) == pytest.approx(rates, abs=6e-4)
    assert model.log_prob(quakes) == pytest.approx([log_likelihood], abs=1e-4)


def test_two_states_take_the_fewest_bits(quakes):
    model = likely.HiddenMarkov("auto", kinds="count", restarts=5, random_state=0).fit(quakes)
    assert model.curve_.best == 2
    assert repr(model.curve_) in PAGE


def test_the_geyser_has_three_states(shared_data):
    table = likely.read(shared_data / "geyser_sequence.csv", into="dict")
    model = likely.HiddenMarkov("auto", random_state=0).fit(table)
    assert model.curve_.best == 3
    for line in str(model.describe()).split("\n\n")[1].splitlines():
        assert line in PAGE
    mixture = likely.Mixture(3, restarts=3, random_state=0).fit(table)
    less = (model.score(table) - mixture.score(table)) / np.log(2)
    assert f"{less:.2f}".removeprefix("0") + " bits less" in PAGE


@pytest.mark.long
def test_the_lambda_phage_in_seconds(shared_data):
    bases = list("".join((shared_data / "lambda_phage.fasta").read_text().splitlines()[1:]))
    assert len(bases) == 48502
    start = time.process_time()
    model = likely.HiddenMarkov(2, random_state=0).fit({"base": bases})
    states = model.predict({"base": bases})
    assert time.process_time() - start < 10
    changes = np.flatnonzero(np.diff(states)) + 1
    # Where others see the composition change: at 22.5, 31, 33, 38 and 46.5 kb; the first is the very end.
    assert changes == pytest.approx([176, 22500, 31220, 33190, 38370, 46490], abs=100)
    gc = model.record_.core.parts[0].distribution.probs[:, [1, 2]].sum(axis=1)
    assert sorted(gc) == pytest.approx([0.41, 0.55], abs=0.01)
