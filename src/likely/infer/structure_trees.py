"""Trees of the most mutual information: Chow and Liu's, and that of tree-augmented naive Bayes."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from likely.infer.structure_score import FamilyScores
from likely.stats.configurations import Configurations
from likely.stats.level_pairs import LevelPairs

Floats = NDArray[np.float64]

NOTHING = 1e-12  # bits: no more information than rounding


def mutual_informations(rows: Configurations, given: int | None = None) -> Floats:
    """What every two columns tell of each other, once a third is given if one is, in bits, (d, d).

    >>> rows = Configurations.of(np.array([[0, 0], [1, 1]]), (2, 2))
    >>> mutual_informations(rows)
    array([[0., 1.],
           [1., 0.]])
    """
    d, scores = len(rows.levels), FamilyScores(rows, "likelihood")
    known = 0 if given is None else 1 << given
    bits = np.zeros((d, d))
    for i in range(d):
        later = [j for j in range(i + 1, d) if j != given]
        if i != given and later:
            gained = scores.additions(i, known, later) - scores.family(i, known)
            bits[i, later] = bits[later, i] = np.maximum(gained, 0.0) / rows.n / log(2)
    return bits


def class_informations(pairs: LevelPairs) -> Floats:
    """What every column tells of the group of the row, in bits, (d,)."""
    told = []
    for j in range(len(pairs.sizes)):
        counts = pairs.single(j)
        told.append(_information(counts[None])[0])
    return np.array(told)


def pair_informations(pairs: LevelPairs) -> Floats:
    """What every two columns tell of each other given the group of the row, in bits, (d, d)."""
    d = len(pairs.sizes)
    bits = np.zeros((d, d))
    for i in range(d):
        for j in range(i + 1, d):
            counts = pairs.pair(i, j)
            total = counts.sum()
            by_class = counts.sum(axis=(1, 2)) / total if total > 0 else np.zeros(len(counts))
            bits[i, j] = bits[j, i] = by_class @ _information(counts)
    return bits


def _information(counts: Floats) -> Floats:
    """Mutual information of tables (..., a, b), in bits."""
    n = counts.sum(axis=(-2, -1), keepdims=True)
    rows, columns = counts.sum(axis=-1, keepdims=True), counts.sum(axis=-2, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(counts > 0, counts * np.log(counts * n / (rows * columns)), 0.0)
        return np.asarray(np.where(n[..., 0, 0] > 0, terms.sum(axis=(-2, -1)) / n[..., 0, 0], 0.0) / log(2))


def maximum_spanning_tree(
    weights: Floats, root: int | None = None, names: Sequence[str] | None = None
) -> tuple[int, ...]:
    """The parent of each node in the tree with the largest sum of weights, -1 where there is none.

    Arcs lead away from `root`, or from the first node. Of equal weights the first pair is taken; a weight of
    nothing joins nothing, so that there may be several trees. With `names`, first is what comes first by
    name, so that the order of the columns of a table does not matter.

    >>> maximum_spanning_tree(np.array([[0, 2, 1], [2, 0, 3], [1, 3, 0]]), root=2)
    (1, 2, -1)
    """
    d = len(weights)
    if names is not None:
        order = _by_name(names)
        own = maximum_spanning_tree(
            weights[np.ix_(order, order)], None if root is None else order.index(root)
        )
        above = [-1] * d
        for node, parent in zip(order, own, strict=True):
            above[node] = -1 if parent < 0 else order[parent]
        return tuple(above)
    first, second = np.triu_indices(d, 1)
    tree = list(range(d))  # one label for each tree
    near: list[list[int]] = [[] for _ in range(d)]
    # To 12 digits: equal informations come out of different sums.
    for place in np.argsort(-np.round(weights[first, second], 12), kind="stable").tolist():
        a, b = int(first[place]), int(second[place])
        if tree[a] != tree[b] and weights[a, b] > NOTHING:
            old = tree[b]
            tree = [tree[a] if label == old else label for label in tree]
            near[a].append(b)
            near[b].append(a)
    parents, seen = [-1] * d, [False] * d
    for start in [*([] if root is None else [root]), *range(d)]:
        waiting = [] if seen[start] else [start]
        while waiting:
            node = waiting.pop()
            seen[node] = True
            for other in near[node]:
                if not seen[other]:
                    parents[other] = node
                    waiting.append(other)
    return tuple(parents)


def _by_name(names: Sequence[str]) -> list[int]:
    return sorted(range(len(names)), key=lambda i: str(names[i]))


def most_telling(told: Floats, names: Sequence[str]) -> int:
    """Which column tells most, to 12 digits; of equal ones the first by name."""
    by_name = _by_name(names)
    return by_name[int(np.round(told, 12)[by_name].argmax())]


def chow_liu_tree(
    bits: Floats, root: int | None = None, names: Sequence[str] | None = None
) -> tuple[tuple[int, ...], ...]:
    """The parents in the most likely tree (Chow and Liu), by what every two tell of each other."""
    tree = maximum_spanning_tree(bits, root, names)
    return tuple(() if parent < 0 else (parent,) for parent in tree)


def naive_structure(d: int, target: int) -> tuple[tuple[int, ...], ...]:
    """The structure of naive Bayes: every node but the target has it for its parent.

    >>> naive_structure(3, 2)
    ((2,), (2,), ())
    """
    return tuple(() if node == target else (target,) for node in range(d))


def tan_structure(
    told: Floats, given: Floats, target: int, names: Sequence[str], root: int | None = None
) -> tuple[tuple[int, ...], ...]:
    """The structure of tree-augmented naive Bayes: the target, and the most likely tree given it.

    `told` is what every column tells of the target, (d,), and `given` what every two tell of each other once
    it is known, (d, d). The root is the node that tells most of the target, if none is named.
    """
    if root is None:
        others = np.where(np.arange(len(told)) == target, -1.0, told)
        root = most_telling(others, names)
    tree = maximum_spanning_tree(given, root, names)
    naive = naive_structure(len(told), target)
    return tuple(
        of if node == target or tree[node] < 0 else (*of, tree[node]) for node, of in enumerate(naive)
    )
