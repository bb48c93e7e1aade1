"""Rows that have a plan each, for networks where one for all rows is too dear: the same answers."""

from __future__ import annotations

import numpy as np
import pytest
from network_cases import random_tables
from test_network_rows import gappy

from likely import Conditional, Joint, LikelyError, Network
from likely.infer import rows_apart
from likely.models.network import row_plan


def mixed(rng, n=40):
    """Two numbers and a text below levels that hang on one another; a fifth of the cells missing."""
    a, b = rng.choice(["x", "y"], n), rng.choice(["u", "v", "w"], n)
    table = {"a": a, "b": np.where(rng.random(n) < 0.5, b, np.where(a == "x", "u", "w"))}
    table["size"] = rng.normal(size=n) + 2 * (a == "x")
    table["weight"] = rng.normal(size=n) + (table["b"] == "u") - (a == "y")
    table["c"] = np.where(table["weight"] > 0, "long", "short")
    columns = {name: np.asarray(values, object) for name, values in table.items()}
    for values in columns.values():
        values[rng.random(n) < 0.2] = None
    arcs = [("a", "b"), ("a", "size"), ("a", "weight"), ("b", "weight"), ("b", "c")]
    return {name: values.tolist() for name, values in columns.items()}, arcs


@pytest.fixture
def apart(monkeypatch):
    """Every row by itself, which only dear networks are else; counts how often."""
    runs = []
    made = rows_apart.RowsApart.__init__

    def counted(self, *given):
        runs.append(self)
        made(self, *given)

    def begin():
        monkeypatch.setattr(row_plan, "DEAR", -1)
        monkeypatch.setattr(rows_apart.RowsApart, "__init__", counted)
        return runs

    return begin


@pytest.mark.parametrize("seed", range(25))
def test_rows_are_as_probable_as_the_joint_table_says(seed, apart):
    runs = apart()
    rng = np.random.default_rng(7000 + seed)
    tables = random_tables(rng)
    network, joint = Network.from_tables(tables), Joint.product(*tables)
    table = gappy(rng, network, 25, 0.4)
    logs = network.log_prob(table)
    of = str(rng.choice(network.record_.names))
    shares = network.predict_proba(table, of=of)
    assert runs
    for i in range(25):
        known = {name: values[i] for name, values in table.items() if values[i] is not None}
        assert np.exp(logs[i]) == pytest.approx(joint.prob(known) if known else 1.0, rel=1e-11)
        rest = {name: value for name, value in known.items() if name != of}
        p = [joint.prob({of: level}, given=rest) for level in network.levels(of)]
        np.testing.assert_allclose(shares[i], p, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_one_plan_and_many_fill_and_learn_alike(seed, apart):
    """Gaps filled, numbers too, and five steps of EM, with rows that count for more than one and for none."""
    rng = np.random.default_rng(7100 + seed)
    table, arcs = mixed(rng)
    weight = rng.integers(0, 3, 40).astype(float)

    def run():
        network = Network(arcs, max_iter=5, tol=0).fit(table, sample_weight=weight)
        return network, network.log_prob(table), network.impute(table), network.predict_proba(table, of="b")

    together, *ours = run()
    assert not row_plan.RowPlan.of(together.record_, range(5)).apart
    runs = apart()
    alone, *theirs = run()
    assert runs
    np.testing.assert_allclose(alone.history_, together.history_, rtol=1e-11)
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-10)
    np.testing.assert_allclose(ours[2], theirs[2], rtol=0, atol=1e-11)
    for name, values in ours[1].items():
        if name in ("size", "weight"):
            np.testing.assert_allclose(
                np.asarray(values, float), np.asarray(theirs[1][name], float), rtol=1e-9
            )
        else:
            assert list(values) == list(theirs[1][name])


def test_rows_that_cannot_be_are_impossible_and_disturb_no_other(apart):
    same = {"a": {"a": 1.0, "b": 0.0}, "b": {"a": 0.0, "b": 1.0}}
    network = Network.from_tables(
        [Conditional("x", {"a": 0.25, "b": 0.75})]
        + [Conditional(name, same, given="x") for name in ("y", "z")]
    )
    apart()
    rows = {"x": [None, None, "a"], "y": ["a", "a", "b"], "z": ["b", None, None]}
    np.testing.assert_allclose(np.exp(network.log_prob(rows)), [0, 0.25, 0])
    assert network.impute(rows)["x"][1] == "a"


def test_a_row_that_does_not_fit_memory_is_refused(monkeypatch, apart):
    rng = np.random.default_rng(1)
    network = Network.from_tables(random_tables(rng))
    apart()
    monkeypatch.setattr(row_plan, "MEMORY", 1)
    with pytest.raises(LikelyError, match=r"a row of this network takes .* marginals\(row\)"):
        network.impute({name: [None] for name in network.record_.names})
