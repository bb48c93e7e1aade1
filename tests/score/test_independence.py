"""Tests of independence: equal to SciPy's, stratum by stratum; the right share of false alarms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import likely
from likely.score import independence_of, mutual_information_of


def made_up(seed: int, n: int = 300) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 3, n)
    return {"x": rng.integers(0, 3, n), "y": (rng.integers(0, 4, n) + z) % 4, "z": z}


def test_without_conditions_it_is_scipys():
    data = made_up(0)
    test = independence_of("x", "y", table=data)
    counts = np.zeros((3, 4))
    np.add.at(counts, (data["x"], data["y"]), 1)
    for ours, p, name in ((test.g, test.p, "log-likelihood"), (test.pearson, test.pearson_p, "pearson")):
        theirs = stats.chi2_contingency(counts, correction=False, lambda_=name)
        assert ours == pytest.approx(theirs.statistic, rel=1e-10)
        assert p == pytest.approx(theirs.pvalue, rel=1e-10)
        assert test.degrees == theirs.dof
    assert test.bits == float(mutual_information_of("x", "y", table=data))
    assert test.n == 300


def test_with_conditions_it_is_the_sum_over_strata():
    data = made_up(1)
    test = independence_of("x", "y", "z", table=data)
    g = pearson = degrees = 0.0
    for stratum in range(3):
        rows = data["z"] == stratum
        counts = np.zeros((3, 4))
        np.add.at(counts, (data["x"][rows], data["y"][rows]), 1)
        pearson += stats.chi2_contingency(counts, correction=False).statistic
        own = stats.chi2_contingency(counts, correction=False, lambda_="log-likelihood")
        g, degrees = g + own.statistic, degrees + own.dof
    assert (test.g, test.pearson) == pytest.approx((g, pearson), rel=1e-10)
    assert test.degrees == degrees
    assert test.p == pytest.approx(stats.chi2.sf(g, degrees), rel=1e-10)


def test_weights_are_rows_and_gaps_are_left_out():
    data = made_up(2)
    weight = np.random.default_rng(0).integers(0, 3, 300)
    twice = {name: np.repeat(column, weight) for name, column in data.items()}
    weighed, counted = (
        independence_of("x", "y", "z", table=data, weight=weight.astype(float)),
        independence_of("x", "y", "z", table=twice),
    )
    for name in ("n", "bits", "degrees", "g", "p", "pearson", "pearson_p"):
        assert getattr(weighed, name) == pytest.approx(getattr(counted, name), rel=1e-10)
    gaps = {"x": [*data["x"], None], "y": [*data["y"], 1], "z": [*data["z"], 0]}
    assert independence_of("x", "y", table=gaps).n == 300


def test_false_alarms_are_as_many_as_they_should_be():
    """Of 400 independent pairs about 20 have p < .05: outside 7 to 36 once in 1000 times (binomial)."""
    alarms = sum(independence_of("x", "y", "z", table=made_up(seed)).p < 0.05 for seed in range(400))
    assert stats.binom.ppf(0.0005, 400, 0.05) <= alarms <= stats.binom.ppf(0.9995, 400, 0.05)


def test_one_level_leaves_nothing_to_test():
    test = independence_of(["a", "a"], ["b", "c"])
    assert (test.degrees, test.g, test.p, test.pearson_p) == (0, 0.0, 1.0, 1.0)


def test_words_say_what_comes_out():
    titanic = likely.read("titanic", into="dict")
    said = str(independence_of("sex", "survived", "class", table=titanic))
    assert said.startswith("sex and survived given class: hardly independent\n")
    assert "with 4 degrees of freedom" in said
