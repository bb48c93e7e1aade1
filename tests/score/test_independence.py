"""Tests of independence against SciPy, the definition, and how often they cry wolf."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

import likely
from likely.errors import LikelyError
from likely.score import independence_of_counts, independent_of, mutual_information_of

RNG = np.random.default_rng(0)
TABLE = {
    "x": RNG.choice(["a", "b", "c"], 500),
    "y": RNG.choice(["p", "q"], 500),
    "z": RNG.choice([1, 2, 3, 4], 500),
}
TABLE["y"] = np.where((TABLE["x"] == "a") & (RNG.random(500) < 0.3), "p", TABLE["y"])


@pytest.mark.parametrize("method", ["g", "pearson"])
def test_one_stratum_is_scipys(method: str):
    counts = np.array([[np.sum((TABLE["x"] == a) & (TABLE["y"] == b)) for b in "pq"] for a in "abc"])
    peer = chi2_contingency(counts, correction=False, lambda_="log-likelihood" if method == "g" else None)
    ours = independent_of("x", "y", table=TABLE, method=method)
    assert ours.statistic == pytest.approx(peer.statistic, rel=1e-12)
    assert (ours.degrees, ours.n, ours.strata) == (peer.dof, 500, 1)
    assert ours.p == pytest.approx(peer.pvalue, rel=1e-10)
    assert bool(ours) == (peer.pvalue >= 0.05)


@pytest.mark.parametrize("method", ["g", "pearson"])
def test_strata_add_up(method: str):
    ours = independent_of("x", "y", "z", table=TABLE, method=method)
    parts = [
        independent_of(TABLE["x"][TABLE["z"] == z], TABLE["y"][TABLE["z"] == z], method=method)
        for z in (1, 2, 3, 4)
    ]
    assert ours.statistic == pytest.approx(sum(part.statistic for part in parts), rel=1e-12)
    assert ours.degrees == sum(part.degrees for part in parts) == 8
    assert ours.p == pytest.approx(chi2.sf(ours.statistic, 8), rel=1e-10)
    bits = mutual_information_of("x", "y", "z", table=TABLE)
    assert ours.bits == pytest.approx(float(bits), abs=1e-12)
    if method == "g":
        assert ours.statistic == pytest.approx(2 * 500 * np.log(2) * float(bits), rel=1e-10)


def test_empty_strata_are_taken_out_and_sets_are_taken_together():
    counts = np.zeros((3, 2, 2))
    counts[0] = [[5, 1], [2, 6]]
    counts[2] = [[3, 3], [4, 2]]
    assert independence_of_counts(counts).degrees == 2
    both = independent_of(["x", "z"], "y", table=TABLE)
    assert both.degrees == (3 * 4 - 1) * 1


def test_weights_and_gaps():
    times = RNG.integers(0, 3, 500)
    weighed = independent_of("x", "y", "z", table=TABLE, weight=times)
    again = independent_of("x", "y", "z", table={k: np.repeat(v, times) for k, v in TABLE.items()})
    assert weighed.statistic == pytest.approx(again.statistic, rel=1e-12)
    assert weighed.degrees == again.degrees
    gappy = [None if i < 100 else v for i, v in enumerate(TABLE["x"].tolist())]
    assert independent_of(gappy, TABLE["y"]).n == 400


def test_copies_are_dependent_and_constants_are_not():
    assert not independent_of(TABLE["x"], TABLE["x"])
    alone = independent_of(["k"] * 500, TABLE["y"])
    assert (alone.degrees, alone.p, alone.bits, bool(alone)) == (0, 1.0, 0.0, True)
    assert "no sign of dependence" in repr(alone)


@pytest.mark.parametrize("method", ["g", "pearson"])
def test_how_often_independent_columns_are_called_dependent(method: str):
    """400 tables of independent columns: 20 expected at 5 %, sd 4.4; outside 4 sds 1 time in 16,000."""
    rng = np.random.default_rng(5)
    cried = 0
    for _ in range(400):
        z = rng.integers(0, 3, 600)
        x, y = (rng.random((2, 600)) < 0.3 + 0.2 * z).astype(int)
        counts = np.zeros((3, 2, 2))
        np.add.at(counts, (z, x, y), 1.0)
        cried += not independence_of_counts(counts, method)
    assert 3 <= cried <= 37


def test_the_answers_agree_with_the_joint_of_the_rows():
    days = likely.read("play_tennis", into="dict")
    joint = likely.Joint.from_data(days)
    for pair in (("outlook", "play"), ("humidity", "windy")):
        told = independent_of(*pair, table=days)
        assert told.bits == pytest.approx(joint.mutual_information(*pair), abs=1e-12)
    assert joint.independent("humidity", "windy")
    assert independent_of("humidity", "windy", table=days).statistic == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("option", "said"), [({"method": "t"}, "method='t'"), ({"level": 5}, "level=5")])
def test_what_cannot_be_tested_is_refused(option: dict, said: str):
    with pytest.raises(LikelyError, match=said):
        independent_of("x", "y", table=TABLE, **option)
