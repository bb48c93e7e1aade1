"""Networks with numbers at their leaves: rows with gaps are what brute force over the gaps says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from seeds import seeds

import likely
from likely import Conditional, Network


def drawn(seed, n=60):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "sky": rng.choice(["sun", "rain", "snow"], n),
            "warm": (rng.random(n) < 0.5).astype(object),
            "open": rng.choice(["yes", "no"], n),
        }
    )
    far = rng.choice([1.0, 1e4])  # groups so far apart that likelihoods under the wrong one are 0 in floats
    table["degrees"] = far * (table["sky"] == "sun") + 3 * (table["warm"] == True) + rng.normal(size=n)  # noqa: E712
    table["visits"] = rng.poisson(4, n) + far * (table["open"] == "yes")
    table["noise"] = rng.normal(size=n)
    arcs = [("sky", "degrees"), ("warm", "degrees"), ("sky", "open"), ("open", "visits"), ("open", "noise")]
    arcs += [("warm", "visits")][: seed % 2]
    return table.drop(columns=["visits", "noise"][: seed % 3]), arcs, rng


@pytest.mark.parametrize("seed", seeds(8, 60))
def test_a_level_is_as_probable_as_the_rows_with_it_say(seed):
    table, arcs, rng = drawn(seed)
    arcs = [arc for arc in arcs if arc[1] in table]
    network = Network(arcs).fit(table)
    gaps = table.mask(rng.random(table.shape) < 0.4)
    total = network.log_prob(gaps)
    assert np.isfinite(total).all()
    for node in ("sky", "warm", "open"):
        logs = np.array([network.log_prob(gaps.assign(**{node: level})) for level in network.levels(node)])
        joint = np.exp(logs - logs.max(axis=0))
        posterior = (joint / joint.sum(axis=0)).T
        np.testing.assert_allclose(network.predict_proba(gaps, of=node), posterior, atol=1e-9)
        unknown = gaps[node].isna().to_numpy()
        np.testing.assert_allclose(total[unknown], np.logaddexp.reduce(logs)[unknown], rtol=1e-9, atol=1e-12)
        one_by_one = [network.predict_proba(gaps.iloc[[i]], of=node)[0] for i in range(5)]
        np.testing.assert_allclose(network.predict_proba(gaps, of=node)[:5], one_by_one, atol=1e-12)


def test_a_true_false_column_beside_numbers_does_not_write_over_them():
    table = pd.DataFrame(
        {
            "kind": ["z", "y", None, "x", "x"],
            "door": ["no", "yes", "yes", "no", "no"],
            "size": [19330.0, 14465.0, 38609.0, -57058.0, -93558.0],
            "flag": [False, True, True, None, None],
        }
    )
    arcs = [("flag", "door"), ("flag", "kind"), ("door", "kind"), ("flag", "size"), ("kind", "size")]
    network = Network(arcs).fit(table)
    alone = network.predict_proba(table.iloc[[3]], of="kind")
    np.testing.assert_allclose(network.predict_proba(table.iloc[[3, 4]], of="kind")[:1], alone, atol=1e-12)


@pytest.mark.parametrize("prior", ["default", None])
@pytest.mark.parametrize("seed", range(3))
def test_a_row_of_weight_two_is_the_row_twice_also_where_cells_are_missing(seed, prior):
    table, arcs, rng = drawn(seed)
    arcs = [arc for arc in arcs if arc[1] in table]
    gaps = table.mask(rng.random(table.shape) < 0.2)
    weight = rng.integers(0, 4, len(gaps))
    rows = gaps.loc[gaps.index.repeat(weight)].reset_index(drop=True)
    weighed = Network(arcs, prior=prior).fit(gaps, sample_weight=weight)
    np.testing.assert_allclose(
        weighed.log_prob(rows), Network(arcs, prior=prior).fit(rows).log_prob(rows), rtol=1e-8, atol=1e-8
    )


def test_a_network_of_tables_named_by_an_array_can_be_saved(tmp_path):
    first, second = np.array(["state", "test"])
    state = Conditional(first, {"sick": 0.25, "well": 0.75})
    table = {"sick": {"+": 0.98, "-": 0.02}, "well": {"+": 0.03, "-": 0.97}}
    network = Network.from_tables({first: state, second: Conditional(second, table, given=np.array([first]))})
    network.save(tmp_path / "network.likely")
    again = likely.load(tmp_path / "network.likely")
    assert float(again.ask("P(state=sick | test=+)")) == float(network.ask("P(state=sick | test=+)"))
