"""Random networks of levels and numbers: rows, marginals and explanations are what brute force says.

Nodes stand in any order, tables have zeros, numbers lie where only an improbable level is possible, cells are
missing, and questions are asked again with other findings, in another order and by several threads.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from mixed_networks import log_joint, log_sum, mixed_network, shares
from seeds import seeds

from likely import LikelyError, Network
from likely.models.network import row_plan


def close(logs):
    """As near as logs of this size can tell."""
    return 1e-11 + 1e-13 * abs(logs.max())


@pytest.mark.parametrize("dear", [8_000, -1], ids=["one plan", "a plan each"])
@pytest.mark.parametrize("seed", seeds(5, 300))
@pytest.mark.filterwarnings("ignore:.*cannot be under the network")
def test_rows_with_gaps(seed, dear, monkeypatch):
    monkeypatch.setattr(row_plan, "DEAR", dear)
    rng = np.random.default_rng(seed)
    network, table = mixed_network(rng, far=seed % 2 == 0)
    n = len(next(iter(table.values())))
    share = rng.choice([0.1, 0.4, 0.8])
    rows = {
        name: [None if rng.random() < share else values[i] for i in rng.permutation(n)]
        for name, values in table.items()
    }
    joint = [log_joint(network, {name: values[i] for name, values in rows.items()}) for i in range(n)]
    said = network.log_prob(rows)
    for i, logs in enumerate(joint):
        assert said[i] == pytest.approx(log_sum(logs), rel=1e-11, abs=1e-10)
    filled = network.impute(rows)
    for at, name in enumerate(network.record_.names):
        levels = network.levels(name)
        if not levels:
            continue
        posterior = network.predict_proba(rows, of=name)
        for i in range(n):
            known = {other: values[i] for other, values in rows.items()}
            logs = log_joint(network, {**known, name: None})
            if logs.max() > -np.inf:
                np.testing.assert_allclose(posterior[i], shares(logs, at), rtol=0, atol=close(logs))
            if known[name] is not None:
                assert filled[name][i] == known[name]
            elif logs.max() > -np.inf:
                p = shares(logs, at)
                assert p[levels.index(filled[name][i])] >= p.max() - close(logs)


def asked_about(rng, network, table):
    """Findings about some nodes, again and again with other values: levels, sets, likelihoods, numbers."""
    names = [name for name in network.record_.names if rng.random() < 0.6]
    how = {name: rng.choice(["level", "level", "set", "soft"]) for name in names}
    for _ in range(5):
        known = {}
        scale = 10.0 ** rng.integers(-200, 200)
        for name in rng.permutation(names).tolist():
            levels = network.levels(name)
            if not levels:
                known[name] = float(rng.choice(table[name]))
            elif how[name] == "soft":
                weights = scale * rng.random(len(levels)) * (rng.random(len(levels)) < 0.8)
                weights[0] += scale * 1e-3
                known[name] = dict(zip(levels, weights.tolist(), strict=True))
            elif how[name] == "set":
                known[name] = [levels[0], *(level for level in levels[1:] if rng.random() < 0.5)]
            else:
                known[name] = levels[int(rng.integers(len(levels)))]
        yield known


def answered(network, known):
    """What marginals and the most probable levels say beside brute force."""
    logs = log_joint(network, known)
    if logs.max() == -np.inf:
        with pytest.raises(LikelyError, match="cannot be"):
            network.marginals(known)
        return
    marginals, best = network.marginals(known), network.most_probable(known)
    assert marginals.log_evidence == pytest.approx(log_sum(logs), rel=1e-12, abs=1e-11)
    place = [0] * logs.ndim
    for name, own in marginals.items():
        at, levels = network.record_.place[name], network.levels(name)
        np.testing.assert_allclose(list(own.values()), shares(logs, at), rtol=0, atol=close(logs))
        place[at] = levels.index(best[name])
    assert logs[tuple(place)] == pytest.approx(logs.max(), rel=1e-13, abs=1e-11)
    assert best.probability == pytest.approx(math.exp(logs.max() - log_sum(logs)), abs=close(logs))


@pytest.mark.parametrize("seed", seeds(10, 600))
def test_questions_asked_again_about_the_same_nodes(seed):
    rng = np.random.default_rng(10_000 + seed)
    network, table = mixed_network(rng, far=seed % 3 == 0)
    questions = list(asked_about(rng, network, table))
    for known in questions:
        answered(network, known)
    with ThreadPoolExecutor(4) as pool:
        for _ in pool.map(lambda known: answered(network, known), questions * 2):
            pass


def test_a_number_before_its_parent_in_the_table():
    """Its table is summed first, and may not be where the parent is read from."""
    network = Network([("a", "x")]).fit({"x": [1.0, 2.0, 3.0, 4.0], "a": ["u", "v", "v", "v"]})
    for _ in range(3):
        assert network.marginals()["a"]["v"] == pytest.approx(4 / 6, abs=1e-15)


def test_a_number_far_from_where_what_is_done_expects_it():
    """60 standard deviations: the other level would explain it e**1000 times better, but is ruled out."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 200)
    b = a ^ (rng.random(200) < 0.2)
    table = {"a": np.array(["no", "yes"])[a], "b": np.array(["no", "yes"])[b]}
    table["x"] = 100 * b + rng.normal(size=200)
    done = Network([("a", "b"), ("b", "x")]).fit(table).do(b="no")
    expected = float(done.ask("P(a=yes)"))
    assert float(done.ask("P(a=yes | x=60)")) == pytest.approx(expected, abs=1e-12)
    assert done.marginals({"x": 60})["a"]["yes"] == pytest.approx(expected, abs=1e-12)
    assert done.most_probable({"x": 60})["b"] == "no"
    row = {"a": [None], "b": [None], "x": [60.0]}
    whole = done.log_prob({**row, "a": ["yes"], "b": ["no"]})[0] - np.log(expected)
    assert done.log_prob(row)[0] == pytest.approx(whole, rel=1e-12)
    assert done.impute(row)["b"] == ["no"]
