"""Directed graphs against brute force: the joint distribution, all paths, all sets."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from likely.errors import LikelyError
from likely.infer import graph

STORM = {
    "Storm": (),
    "Bus": (),
    "Lightning": ("Storm",),
    "Campfire": ("Storm", "Bus"),
    "Thunder": ("Lightning",),
    "ForestFire": ("Storm", "Lightning", "Campfire"),
}
# P(true) for every row of parents, the last of them varying fastest, true first.
TABLES = {
    "Storm": [0.2],
    "Bus": [0.5],
    "Lightning": [0.7, 0.01],
    "Campfire": [0.4, 0.1, 0.8, 0.2],
    "Thunder": [0.95, 0.02],
    "ForestFire": [0.5, 0.4, 0.1, 0.05, 0.6, 0.5, 0.2, 0.01],
}


def random_graph(rng: np.random.Generator, n: int, share: float) -> dict[int, tuple[int, ...]]:
    """Arcs from earlier to later nodes of a random order, each with the same probability."""
    order = rng.permutation(n)
    arcs = np.triu(rng.random((n, n)) < share, 1)
    return {int(order[j]): tuple(int(order[i]) for i in np.flatnonzero(arcs[:, j])) for j in range(n)}


def joint(parents: dict, tables: dict) -> np.ndarray:
    """The probability of every combination of Booleans, true first, one axis a node."""
    nodes = list(parents)
    cells = np.ones((2,) * len(nodes))
    for node, of in parents.items():
        true = np.reshape(tables[node], (2,) * len(of))
        table = np.stack([true, 1 - true], axis=-1)
        axes = [nodes.index(name) for name in (*of, node)]
        shape = [2 if i in axes else 1 for i in range(len(nodes))]
        cells = cells * table.transpose(np.argsort(axes)).reshape(shape)
    return cells


def dependence(cells: np.ndarray, a: int, b: int, given: tuple[int, ...]) -> float:
    """The largest difference between P(a, b, given) P(given) and P(a, given) P(b, given)."""
    rest = tuple(i for i in range(cells.ndim) if i not in (a, b, *given))
    ab = cells.sum(axis=rest, keepdims=True)
    apart = ab * ab.sum(axis=(a, b), keepdims=True) - ab.sum(axis=b, keepdims=True) * ab.sum(
        axis=a, keepdims=True
    )
    return float(np.abs(apart).max())


def statements(n: int) -> list[tuple[int, int, tuple[int, ...]]]:
    pairs = combinations(range(n), 2)
    return [
        (a, b, given)
        for a, b in pairs
        for size in range(n - 1)
        for given in combinations([i for i in range(n) if i not in (a, b)], size)
    ]


def test_the_58_independences_of_the_storm():
    cells, nodes = joint(STORM, TABLES), list(STORM)
    told = statements(6)
    assert len(told) == 240
    holds = [
        graph.separated(STORM, [nodes[a]], [nodes[b]], [nodes[i] for i in given]) for a, b, given in told
    ]
    assert sum(holds) == 58
    assert holds == [dependence(cells, a, b, given) < 1e-12 for a, b, given in told]


def test_what_must_hold_and_fail_in_the_storm():
    assert graph.separated(STORM, ["Campfire"], ["Lightning", "Thunder"], ["Storm", "Bus"])
    assert graph.separated(STORM, ["Thunder"], ["ForestFire"], ["Lightning"])
    assert not graph.separated(STORM, ["Campfire"], ["Lightning"], ["Storm", "Bus", "ForestFire"])
    path = graph.connecting_path(STORM, ["Storm"], ["Bus"], ["ForestFire"])
    assert graph.arrows(STORM, path) == "Storm -> Campfire <- Bus"
    assert graph.connecting_path(STORM, ["Storm"], ["Bus"]) == ()


def test_blankets_of_the_storm():
    blankets = {node: " ".join(sorted(graph.markov_blanket(STORM, node))) for node in STORM}
    assert blankets == {
        "Storm": "Bus Campfire ForestFire Lightning",
        "Bus": "Campfire Storm",
        "Lightning": "Campfire ForestFire Storm Thunder",
        "Campfire": "Bus ForestFire Lightning Storm",
        "Thunder": "Lightning",
        "ForestFire": "Campfire Lightning Storm",
    }


@pytest.mark.parametrize("seed", range(12))
def test_separation_is_independence_in_random_networks(seed: int):
    """Tables at random have no independence but those of the graph (but for a chance of about 1e-8)."""
    rng = np.random.default_rng(seed)
    parents = random_graph(rng, 6, (0.2, 0.4, 0.6)[seed % 3])
    cells = joint(parents, {node: rng.random(2 ** len(of)) for node, of in parents.items()})
    nodes = list(parents)
    for a, b, given in statements(6):
        known = [nodes[i] for i in given]
        path = graph.connecting_path(parents, [nodes[a]], [nodes[b]], known)
        assert (dependence(cells, a, b, given) < 1e-14) == (not path)
        if path:
            assert_open(parents, path, nodes[a], nodes[b], known)


def assert_open(parents: dict, path: tuple, a: int, b: int, given: list) -> None:
    """The path goes from a to b along arcs, no node twice, and is open by the definition."""
    assert (path[0], path[-1]) == (a, b)
    assert len(set(path)) == len(path)
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        collider = before in parents[node] and after in parents[node]
        below = graph.descendants(parents, [node])
        assert (below & set(given)) if collider else (node not in given)
    for before, node in pairwise(path):
        assert before in parents[node] or node in parents[before]


@pytest.mark.parametrize("seed", range(20))
def test_backdoor_sets_are_all_minimal_ones(seed: int):
    rng = np.random.default_rng(100 + seed)
    parents = random_graph(rng, 8, (0.25, 0.4)[seed % 2])
    cause, effect = (int(i) for i in rng.choice(8, 2, replace=False))
    observed = sorted({*rng.choice(8, 6, replace=False).tolist()} - {cause, effect})
    good = [
        set(some)
        for size in range(len(observed) + 1)
        for some in combinations(observed, size)
        if graph.is_backdoor_set(parents, cause, effect, some)
    ]
    minimal = {frozenset(some) for some in good if not any(other < some for other in good)}
    sets = graph.backdoor_sets(parents, cause, effect, observed)
    assert {frozenset(some) for some in sets} == minimal
    assert len(sets) == len(minimal)
    assert [len(some) for some in sets] == sorted(len(some) for some in sets)


def test_adjusting_by_a_backdoor_set_is_the_effect_of_doing():
    """Sums over the set equal the truncated product, and what merely is seen does not."""
    cells, nodes = joint(STORM, TABLES), list(STORM)
    fire, camp, storm = (nodes.index(name) for name in ("ForestFire", "Campfire", "Storm"))
    assert graph.backdoor_sets(STORM, "Campfire", "ForestFire") == [("Storm",)]
    done = {**STORM, "Campfire": ()}
    truth = joint(done, {**TABLES, "Campfire": [1.0]}).sum(axis=tuple(i for i in range(6) if i != fire))[0]
    few = cells.sum(axis=tuple(i for i in range(6) if i not in (fire, camp, storm)))  # storm, camp, fire
    adjusted = (few[:, 0, 0] / few[:, 0].sum(axis=1) * few.sum(axis=(1, 2))).sum()
    assert adjusted == pytest.approx(truth, abs=1e-14)
    assert abs(few[:, 0, 0].sum() / few[:, 0].sum() - truth) > 0.01


def test_order_ancestors_descendants_and_moral_graph():
    assert graph.topological_order(STORM) == tuple(STORM)
    backwards = dict(reversed(STORM.items()))
    order = graph.topological_order(backwards)
    assert all(order.index(of) < order.index(node) for node in STORM for of in STORM[node])
    assert graph.topological_order(((1,), (), (0,))) == (1, 0, 2)
    assert graph.ancestors(STORM, ["Thunder"]) == {"Thunder", "Lightning", "Storm"}
    assert graph.descendants(STORM, ["Lightning"]) == {"Lightning", "Thunder", "ForestFire"}
    near = graph.moral_graph(STORM)
    assert "Bus" in near["Storm"]
    assert "Thunder" not in near["Storm"]
    assert all(a in near[b] for a in near for b in near[a])


def test_circles_and_strangers_are_named():
    with pytest.raises(LikelyError, match="'a' -> 'b' -> 'c' -> 'a'"):
        graph.topological_order({"x": (), "a": ["c", "x"], "b": ["a"], "c": ["b"], "d": ["c"]})
    with pytest.raises(LikelyError, match="0 -> 0"):
        graph.topological_order(((0,),))
    with pytest.raises(LikelyError, match="'y', a parent of 'x', is no node"):
        graph.as_parents({"x": ["y"]})
    with pytest.raises(LikelyError, match="'Rain' is no node"):
        graph.separated(STORM, ["Rain"], ["Bus"])
    with pytest.raises(LikelyError, match="'Bus' stands on two sides"):
        graph.separated(STORM, ["Bus"], ["Storm"], ["Bus"])
