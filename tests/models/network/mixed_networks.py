"""Random networks of levels and numbers, in any order of nodes, and every sum over them by brute force."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely import Network

Logs = np.ndarray


def mixed_table(
    rng: np.random.Generator, far: bool
) -> tuple[dict[str, list[Any]], list[Any], dict[str, str]]:
    """Columns in any order, some told by others for certain; numbers that lie far apart, if `far`."""
    n = int(rng.integers(6, 40))
    values: dict[str, Any] = {}
    codes: dict[str, Any] = {}
    kinds, arcs = {}, []
    for i in range(int(rng.integers(2, 7))):
        name = f"c{i}" if rng.random() < 0.8 else f"c {i}/x"
        above = [p for p in codes if rng.random() < 0.5][:3]
        arcs += [(p, name) for p in above]
        key = sum((3**at * codes[p] for at, p in enumerate(above)), np.zeros(n, int))
        if rng.random() < 0.35 and i > 0:
            wide = 1000.0 if far else 2.0
            values[name] = (wide * rng.normal(size=27))[key] + rng.choice([1.0, 1e-3]) * rng.normal(size=n)
            continue
        k = int(rng.integers(1, 4))
        codes[name] = key % k if above and rng.random() < 0.4 else rng.integers(0, k, n)
        how = rng.random()
        if k == 2 and how < 0.4:
            values[name] = codes[name].astype(bool)
        elif how < 0.7:
            values[name] = np.array(list("abc"))[codes[name]]
        else:
            values[name], kinds[name] = codes[name], "ordinal"
    return {name: values[name].tolist() for name in rng.permutation(list(values)).tolist()}, arcs, kinds


def mixed_network(rng: np.random.Generator, far: bool) -> tuple[Network, dict[str, list[Any]]]:
    """A network with or without zeros in its tables, and rows it was fitted to."""
    table, arcs, kinds = mixed_table(rng, far)
    how: Any = {"prior": None, "estimate": "ml"} if rng.random() < 0.5 else {}
    return Network(arcs, kinds=kinds, **how).fit(table), table


def log_joint(network: Network, known: dict[str, Any]) -> Logs:
    """The log of each combination of levels of all nodes (numbers have one), with what is known."""
    record = network.record_
    total = np.zeros(record.sizes)
    with np.errstate(divide="ignore"):
        for i, part in enumerate(record.parts):
            scope = [*record.parents[i], *([] if i in record.leaves else [i])]
            logs = np.zeros([record.sizes[v] for v in scope])
            if i not in record.leaves:
                logs = np.log(record.factors.tables[i])
            elif known.get(record.names[i]) is not None:
                row = part.with_cell(None, 0, known[record.names[i]])
                logs = np.asarray(part.distribution.group_log_prob(row)[0]).reshape(logs.shape)
            total = total + along(logs, scope, total.ndim)
        for name, value in known.items():
            i = record.place[name]
            if value is not None and i not in record.leaves:
                total = total + along(np.log(likelihood(record.levels(i), value)), [i], total.ndim)
    return total


def likelihood(levels: tuple[Any, ...], value: Any) -> np.ndarray:
    """Of the levels of a node: by level, of a set of levels, or of one."""
    if isinstance(value, dict):
        return np.array([value[level] for level in levels]) / max(value.values())
    return np.array([float(level in (value if isinstance(value, list) else [value])) for level in levels])


def along(logs: Logs, scope: list[int], d: int) -> Logs:
    """A table of some variables with an axis for each of d, in their order."""
    order = np.argsort(scope)
    shape = [1] * d
    for v, size in zip(scope, logs.shape, strict=True):
        shape[v] = size
    return logs.transpose(order).reshape(shape)


def shares(logs: Logs, axis: int) -> np.ndarray:
    """P(level) along one axis."""
    weights = np.exp(logs - logs.max())
    own = weights.sum(axis=tuple(i for i in range(logs.ndim) if i != axis))
    return np.asarray(own / own.sum())


def log_sum(logs: Logs) -> float:
    """The log of the sum of all cells."""
    highest = float(logs.max())
    return highest if highest == -np.inf else highest + float(np.log(np.exp(logs - highest).sum()))
