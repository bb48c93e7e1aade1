"""Rows with any pattern of gaps: probabilities, predictions of any node, gaps filled, rows drawn."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from network_cases import random_tables, storm
from scipy import stats

import likely
from likely import Joint, LikelyError, Network
from likely.engine.memory import MOST_CELLS, blocks


def gappy(rng, network, n, share):
    """Rows drawn from a network, with gaps; as columns of objects."""
    rows = network.sample(n, int(rng.integers(2**31)))
    table = {name: np.asarray(values, object) for name, values in rows.items()}
    for values in table.values():
        values[rng.random(n) < share] = None
    return {name: values.tolist() for name, values in table.items()}


@pytest.mark.parametrize("seed", range(12))
def test_rows_are_as_probable_as_the_joint_table_says(seed):
    rng = np.random.default_rng(seed)
    tables = random_tables(rng)
    network, joint = Network.from_tables(tables), Joint.product(*tables)
    table = gappy(rng, network, 40, 0.3)
    logs = network.log_prob(table)
    of = str(rng.choice(network.record_.names))
    shares = network.predict_proba(table, of=of)
    assert shares.shape == (40, len(network.levels(of)))
    for i in range(40):
        known = {name: values[i] for name, values in table.items() if values[i] is not None}
        assert np.exp(logs[i]) == pytest.approx(joint.prob(known) if known else 1.0, rel=1e-11)
        rest = {name: value for name, value in known.items() if name != of}
        p = [joint.prob({of: level}, given=rest) for level in network.levels(of)]
        np.testing.assert_allclose(shares[i], p, atol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_gaps_are_filled_with_what_is_most_probable_and_the_rest_stays(seed):
    rng = np.random.default_rng(100 + seed)
    network = Network.from_tables(random_tables(rng, zeros=0.0))
    table = gappy(rng, network, 30, 0.3)
    filled = network.impute(table)
    for name, values in table.items():
        shares = network.predict_proba(table, of=name)
        for i, value in enumerate(values):
            if value is None:
                at = network.levels(name).index(filled[name][i])
                assert shares[i, at] == pytest.approx(shares[i].max(), rel=1e-9)
            else:
                assert filled[name][i] == value


@pytest.mark.parametrize("seed", range(6))
def test_gaps_of_a_row_are_drawn_together(seed):
    """How often each combination fills one row, beside the joint table: chi-squared, .001 each."""
    rng, n = np.random.default_rng(200 + seed), 4000
    tables = random_tables(rng, most=5)
    network, joint = Network.from_tables(tables), Joint.product(*tables)
    row = {name: values[0] for name, values in gappy(rng, network, 1, 0.4).items()}
    known = {name: value for name, value in row.items() if value is not None}
    filled = network.impute({name: [value] * n for name, value in row.items()}, "drawn", 0)
    assert all(set(filled[name]) == {value} for name, value in known.items())
    gaps = [name for name in row if name not in known]
    counts = Counter(zip(*(filled[name] for name in gaps), strict=True))
    cells = list(product(*(network.levels(name) for name in gaps)))
    assert set(counts) <= set(cells)
    expected = np.array(
        [n * joint.prob(dict(zip(gaps, cell, strict=True)), given=known) if gaps else n for cell in cells]
    )
    seen = np.array([counts[cell] for cell in cells])
    assert not seen[expected < 1e-9].any()
    some = expected >= 1e-9
    chi2 = ((seen - expected)[some] ** 2 / expected[some]).sum()
    assert chi2 <= stats.chi2.ppf(0.999, max(some.sum() - 1, 1))


def test_numbers_are_drawn_by_the_group_that_is_drawn():
    """Two numbers of one hidden column go together as in the rows: two shares within 4.5 standard errors."""
    rng, n = np.random.default_rng(0), 2000
    kind = rng.choice(["a", "b"], n)
    far = np.where(kind == "a", 0.0, 50.0)
    table = {"kind": kind.tolist(), "x": far + rng.normal(size=n), "y": far + rng.normal(size=n)}
    for target in ((), ("kind",)):  # a target is not among the columns, and is drawn all the same
        network = Network([("kind", "x"), ("kind", "y")]).fit(table, *target)
        blank = {name: [None] * n for name in table if name not in target}
        drawn = network.impute(blank, "drawn", 1)
        assert list(drawn) == list(blank)
        x, y = (np.asarray(drawn[name], float) > 25 for name in ("x", "y"))
        np.testing.assert_array_equal(x, y)
        p = float(network.ask("P(kind=b)"))
        assert abs(x.mean() - p) <= 4.5 * np.sqrt(p * (1 - p) / n)
    with pytest.raises(LikelyError, match="fill='guess' is unknown: use one of expected, drawn"):
        network.impute(blank, "guess")


@pytest.mark.parametrize("library", ["pandas", "polars", "dict"])
def test_gaps_are_filled_in_the_library_that_came(library):
    columns = {"kind": ["a", "b", "a", None, "b", "a"], "x": [1.0, 5.0, 1.2, 1.1, None, 0.9]}
    table = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "dict": dict}[library](columns)
    network = Network([("kind", "x")]).fit(table)
    filled = network.impute(table)
    assert type(filled) is type(table)
    kinds, numbers = list(filled["kind"]), list(filled["x"])
    assert kinds == ["a", "b", "a", "a", "b", "a"]
    assert numbers[4] == pytest.approx(float(network.ask("E(x | kind=b)")), rel=1e-12)
    assert numbers[:4] == columns["x"][:4]


def test_a_row_that_cannot_be_gets_the_base_rate_and_a_notice():
    table = {"a": ["x", "x", "y", "y"], "b": ["u", "u", "v", "v"], "c": ["p", "p", "q", "q"]}
    network = Network([("a", "b"), ("a", "c")], prior=None).fit(table)
    with pytest.warns(likely.LikelyWarning, match="row cannot be"):
        shares = network.predict_proba({"a": [None], "b": ["u"], "c": ["q"]}, of="a")
    np.testing.assert_allclose(shares, [[0.5, 0.5]])
    assert network.log_prob({"a": [None], "b": ["u"], "c": ["q"]})[0] == -np.inf


def test_rows_drawn_have_the_frequencies_of_the_network():
    """Each of 12 shares within 4.5 standard errors of 20,000 rows: fails once in 12,000 by chance."""
    network, n = storm(), 20_000
    rows = network.sample(n, 0)
    marginals = network.marginals()
    for name, values in rows.items():
        p = marginals[name][True]
        assert abs(np.mean(values) - p) <= 4.5 * np.sqrt(p * (1 - p) / n)
    both = np.mean(rows["Storm"] & rows["ForestFire"])
    p = float(network.ask("P(Storm=True, ForestFire=True)"))
    assert abs(both - p) <= 4.5 * np.sqrt(p * (1 - p) / n)


def test_levels_that_were_never_seen_tell_nothing():
    people = likely.read("titanic", into="pandas")
    network = Network([("survived", "class"), ("survived", "sex")]).fit(people, "survived")
    strange = {"class": ["9th"], "sex": ["male"], "age": ["adult"]}
    blank = {"class": [None], "sex": ["male"], "age": ["adult"]}
    np.testing.assert_array_equal(network.predict_proba(strange), network.predict_proba(blank))


def test_numbers_have_no_levels_to_predict():
    network = Network([("kind", "x")]).fit({"kind": ["a", "b"], "x": [1.0, 2.0]})
    with pytest.raises(LikelyError, match="impute"):
        network.predict({"kind": ["a"], "x": [1.0]}, of="x")
    with pytest.raises(LikelyError, match="about="):
        network.predict({"kind": ["a"], "x": [1.0]})


def test_threads_change_nothing():
    rng = np.random.default_rng(0)
    network = storm()
    table = gappy(rng, network, 3000, 0.2)
    one = network.log_prob(table)
    network.set_params(n_jobs=2)
    np.testing.assert_array_equal(one, network.log_prob(table))


def test_wide_networks_take_few_rows_at_a_time():
    assert blocks(10, MOST_CELLS // 3) == [(0, 3), (3, 6), (6, 9), (9, 10)]
    assert blocks(3, 10 * MOST_CELLS) == [(0, 1), (1, 2), (2, 3)]
