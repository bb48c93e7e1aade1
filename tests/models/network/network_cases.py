"""Networks with a second way to know them: the network of a storm, and random ones as joint tables."""

from __future__ import annotations

from typing import Any

import numpy as np

import likely
from likely import Conditional, Joint, Network


def chance(p: float) -> dict[bool, float]:
    return {True: p, False: 1 - p}


def storm_tables() -> list[Conditional]:
    """The network of SPEC B1, with its tables."""
    t, f = True, False
    campfire = {(t, t): 0.4, (t, f): 0.1, (f, t): 0.8, (f, f): 0.2}
    fire = {
        **{(t, t, t): 0.5, (t, t, f): 0.4, (t, f, t): 0.1, (t, f, f): 0.05},
        **{(f, t, t): 0.6, (f, t, f): 0.5, (f, f, t): 0.2, (f, f, f): 0.01},
    }
    return [
        Conditional("Storm", chance(0.2)),
        Conditional("Bus", chance(0.5)),
        Conditional("Lightning", {t: chance(0.7), f: chance(0.01)}, given="Storm"),
        Conditional("Thunder", {t: chance(0.95), f: chance(0.02)}, given="Lightning"),
        Conditional("Campfire", {k: chance(p) for k, p in campfire.items()}, given=["Storm", "Bus"]),
        Conditional(
            "ForestFire", {k: chance(p) for k, p in fire.items()}, given=["Storm", "Lightning", "Campfire"]
        ),
    ]


def storm() -> Network:
    return Network.from_tables(storm_tables())


def random_tables(rng: np.random.Generator, most: int = 6, zeros: float = 0.15) -> list[Conditional]:
    """Tables of up to `most` nodes: levels that are texts, numbers or false and true; now and then a 0."""
    d = int(rng.integers(2, most + 1))
    names = [f"n {i}" if rng.random() < 0.2 else f"n{i}" for i in range(d)]
    levels: dict[str, list[Any]] = {}
    for name in names:
        k = int(rng.integers(2, 4))
        some: list[list[Any]] = [list("abc")[:k], [1, 2, 5][:k], *([[False, True]] if k == 2 else [])]
        levels[name] = some[int(rng.integers(len(some)))]
    tables = []
    for i, name in enumerate(names):
        above = [names[p] for p in rng.permutation(i)[: rng.integers(0, 4)]]
        cells = rng.random([len(levels[v]) for v in (*above, name)])
        cells *= rng.random(cells.shape) > zeros
        cells[..., 0] += 1e-3
        cells /= cells.sum(axis=-1, keepdims=True)
        own = {v: levels[v] for v in (*above, name)}
        tables.append(Conditional(name, cells, given=above, levels=own))
    return [tables[i] for i in rng.permutation(d)]


def findings(rng: np.random.Generator, joint: Joint, share: float = 0.35) -> dict[str, Any]:
    """Values, sets of values and likelihoods of some variables."""
    known: dict[str, Any] = {}
    for name, levels in joint.levels.items():
        if rng.random() > share:
            continue
        how = rng.integers(3)
        if how == 0:
            known[name] = levels[int(rng.integers(len(levels)))]
        elif how == 1:
            known[name] = [
                levels[i] for i in rng.permutation(len(levels))[: rng.integers(1, len(levels) + 1)]
            ]
        else:
            known[name] = dict(zip(levels, (rng.random(len(levels)) + 0.01).tolist(), strict=True))
    return known


def weighed(joint: Joint, known: dict[str, Any]) -> np.ndarray:
    """The cells of a joint table, each times how likely the findings are there."""
    cells = np.array(joint.probs)
    for axis, (name, levels) in enumerate(joint.levels.items()):
        if name not in known:
            continue
        value = known[name]
        if isinstance(value, dict):
            factor = np.array([value[level] for level in levels])
            factor = factor / factor.max()
        else:
            allowed = value if isinstance(value, list) else [value]
            factor = np.array([float(level in allowed) for level in levels])
        cells = cells * factor.reshape([-1 if i == axis else 1 for i in range(cells.ndim)])
    return cells


def tennis() -> Any:
    return likely.read("play_tennis", into="dict")
