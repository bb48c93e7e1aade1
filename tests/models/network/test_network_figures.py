"""The worked figures of SPEC B: the network of a storm, EM with a closed form, a number below a class."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from network_cases import chance, storm, tennis

import likely
from likely import Conditional, LikelyError, Network, Normal

EXACT = {
    "P(Campfire=True)": F(9, 20),
    "P(ForestFire=True)": F(15081, 100000),
    "P(Storm=True | ForestFire=True)": F(575, 1371),
    "P(Storm=True | ForestFire=True, Thunder=False)": F(16625, 220917),
    "P(Lightning=True | Thunder=True)": F(3515, 3941),
    "P(Campfire=True | ForestFire=True)": F(10060, 15081),
    "P(Campfire=True | ForestFire=True, Lightning=True)": F(199, 639),
    "P(Campfire=True | Lightning=True)": F(39, 148),
    "P(Campfire=True | Storm=True, Bus=True, Lightning=True, Thunder=False)": F(2, 5),
    "P(Bus=True | Storm=True)": F(1, 2),
    "P(Bus=True | Storm=True, Campfire=True)": F(4, 5),
    "P(Bus=True | Storm=True, ForestFire=True)": F(658, 1265),
    "P(Thunder=True, ForestFire=False)": F(29749, 312500),
}


@pytest.mark.parametrize("question", EXACT)
def test_the_storm(question):
    assert float(storm().ask(question)) == pytest.approx(float(EXACT[question]), rel=1e-13)


def test_all_marginals_at_once_and_the_evidence():
    marginals = storm().marginals("Thunder=True, ForestFire=False")
    figures = {
        "Storm": 0.8151534505,
        "Bus": 0.4835347407,
        "Lightning": 0.8392614037,
        "Campfire": 0.2599982352,
    }
    for name, p in figures.items():
        assert marginals[name][True] == pytest.approx(p, abs=5e-11)
    assert np.exp(marginals.log_evidence) == pytest.approx(29749 / 312500, rel=1e-13)
    assert marginals["Thunder"][True] == 1


def test_virtual_evidence():
    marginals = storm().marginals({"Thunder": {True: 0.9, False: 0.2}})
    assert marginals["Storm"][True] == pytest.approx(33485 / 77587, rel=1e-13)


def test_the_most_probable_explanation():
    best = storm().most_probable("ForestFire=True")
    true = {name for name, value in best.values.items() if value}
    assert true == {"Bus", "Campfire", "ForestFire"}
    assert best.probability == pytest.approx(4704 / 11425, rel=1e-13)
    best = storm().most_probable({"ForestFire": True, "Thunder": True})
    assert [best[name] for name in ("Storm", "Bus", "Lightning", "Campfire")] == [True, False, True, False]
    assert best.probability == pytest.approx(9975 / 26018, rel=1e-13)


def test_free_numbers_of_the_network_and_of_the_full_table():
    said = str(storm().describe())
    assert "18 free numbers" in said
    assert "63" in said
    assert storm().n_parameters_ == 18


def test_blankets_and_separation():
    network = storm()
    blankets = {
        "Storm": {"Bus", "Campfire", "ForestFire", "Lightning"},
        "Bus": {"Campfire", "Storm"},
        "Lightning": {"Campfire", "ForestFire", "Storm", "Thunder"},
        "Campfire": {"Bus", "ForestFire", "Lightning", "Storm"},
        "Thunder": {"Lightning"},
        "ForestFire": {"Campfire", "Lightning", "Storm"},
    }
    assert {name: network.blanket(name) for name in blankets} == blankets
    assert network.separated("Storm", "Bus")
    assert network.separated("Campfire", ["Lightning", "Thunder"], ["Storm", "Bus"])
    connected = network.separated("Storm", "Bus", "ForestFire")
    assert not connected
    assert "Storm -> Campfire <- Bus" in str(connected) or "ForestFire" in str(connected)


def test_expectation_maximisation_reaches_the_closed_form():
    rows = [(1, 1)] * 3 + [(1, 0)] + [(0, 1)] + [(0, 0)] * 3 + [(None, 1)] * 4 + [(None, 0)] * 2
    table = {
        "A": [None if a is None else bool(a) for a, _ in rows],
        "B": [bool(b) for _, b in rows],
    }
    network = Network([("A", "B")], prior=None, tol=0, max_iter=200).fit(table)
    assert float(network.ask("P(A=True)")) == pytest.approx(7.5 / 14, rel=1e-12)
    assert float(network.ask("P(B=True | A=True)")) == pytest.approx(0.8, rel=1e-12)
    assert float(network.ask("P(B=True | A=False)")) == pytest.approx(2 / 6.5, rel=1e-12)
    assert (np.diff(network.history_) >= -1e-12).all()


def star() -> Network:
    return Network.from_tables(
        {
            "Y": Conditional("Y", {"a": 0.5, "b": 0.5}),
            "X": (Normal([0.0, 2.0], [1.0, 1.0]), "Y"),
            "Z": Conditional("Z", {"a": chance(0.2), "b": chance(0.7)}, given="Y"),
        }
    )


def test_a_number_below_a_class():
    network = star()
    assert float(network.ask("P(Y=b | X=1.5, Z=True)")) == pytest.approx(0.9048885968, abs=5e-11)
    assert float(network.ask("P(Y=b | X=1.5, Z=True)")) == pytest.approx(
        3.5 * np.e / (1 + 3.5 * np.e), rel=1e-13
    )
    assert network.ask("P(X)").density(1.5) == pytest.approx(0.2407914612, abs=5e-11)
    given = network.ask("P(X | Z=True)")
    assert given.mean == pytest.approx(14 / 9, rel=1e-13)
    assert given.sd**2 == pytest.approx(1.6913580247, abs=5e-11)
    assert float(network.ask("P(Y=b | Z=True, X>1)")) == pytest.approx(0.9488763281, abs=5e-11)


def test_naive_bayes_of_tennis_without_smoothing():
    arcs = [("play", name) for name in ("outlook", "temperature", "humidity", "windy")]
    network = Network(arcs, prior=None).fit(tennis())
    question = "P(play=no | outlook=sunny, temperature=cool, humidity=high, windy=true)"
    assert float(network.ask(question)) == pytest.approx(0.795417, abs=5e-7)


def test_the_evidence_of_tennis_is_the_score_of_k2():
    """SPEC's column K2: Laplace's prior is that of K2."""
    arcs = {
        "no arcs": ([], -66.143348),
        "naive": ([("play", c) for c in ("outlook", "temperature", "humidity", "windy")], -65.357526),
        "one": ([("temperature", "humidity")], -64.553530),
    }
    for structure, score in arcs.values():
        network = Network(structure).fit(tennis())
        assert network.record_.log_evidence == pytest.approx(score, abs=5e-7)


def test_findings_that_cannot_be_together_are_named_and_no_others():
    sure = {True: chance(1.0), False: chance(0.0)}
    network = Network.from_tables(
        [
            Conditional("fire", chance(0.5)),
            Conditional("smoke", sure, given="fire"),
            Conditional("wind", chance(0.5)),
        ]
    )
    with pytest.raises(LikelyError, match="fire = True and smoke = False cannot be together") as caught:
        network.marginals("wind=True, fire=True, smoke=False")
    assert "wind" not in str(caught.value)
    with pytest.raises(LikelyError, match="impossible"):
        network.ask("P(wind=True | fire=True, smoke=False)")


def test_what_is_done_differs_from_what_is_seen():
    """A campfire that is lit tells nothing of storms; one that is seen does."""
    network = storm()
    lit = 0.2 * (0.7 * 0.5 + 0.3 * 0.1) + 0.8 * (0.01 * 0.6 + 0.99 * 0.2)
    assert float(network.ask("P(ForestFire=True | do(Campfire=True))")) == pytest.approx(lit, rel=1e-13)
    assert float(network.ask("P(ForestFire=True | Campfire=True)")) != pytest.approx(lit, rel=1e-3)
    assert float(network.do(Campfire=True).ask("P(Storm=True)")) == pytest.approx(0.2, rel=1e-13)
    both = "P(Storm=True | do(Campfire=True), ForestFire=True)"
    assert float(network.ask(both)) == pytest.approx(0.2 * (0.7 * 0.5 + 0.3 * 0.1) / lit, rel=1e-13)
    assert network.adjustment_sets("Campfire", "ForestFire") == [("Storm",)]
    with pytest.raises(LikelyError, match="causes"):
        likely.NaiveBayes().fit(tennis(), "play").ask("P(play=yes | do(windy=true))")
