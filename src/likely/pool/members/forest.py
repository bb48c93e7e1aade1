"""The forest member: trees on resampled rows, their leaves shrunk towards what is known above them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from likely.pool.members.tree_cells import tree_cells
from likely.pool.members.trees import Trees, joined
from likely.pool.reading import View
from likely.pool.rows import TaughtRows
from likely.pool.scores import log_loss

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

TREES = 100
STRENGTHS = (1.0, 3.0, 10.0, 30.0)  # rows that a node's parent counts for


@dataclass(frozen=True)
class ForestMember:
    """Trees, and the probability of each class in every leaf."""

    trees: Trees
    leaves: Floats  # (nodes, g)
    base: Floats  # (g,), the share of each class, to a row or two of which the answer is shrunk
    n: float
    strength: float

    @classmethod
    def fit(cls, rows: TaughtRows) -> tuple[ForestMember, Floats]:
        """The member, and log-probabilities of the rows by the trees that had not seen them."""
        return cls._of(RandomForestClassifier(TREES, random_state=rows.seed), rows)

    @classmethod
    def fit_extra(cls, rows: TaughtRows) -> tuple[ForestMember, Floats]:
        """The same of trees that split at random places."""
        return cls._of(ExtraTreesClassifier(TREES, bootstrap=True, random_state=rows.seed), rows)

    @classmethod
    def _of(cls, model: Any, rows: TaughtRows) -> tuple[ForestMember, Floats]:
        cells = tree_cells(rows.view)
        model.fit(cells, rows.codes, rows.weight)
        trees = joined([_arrays(one.tree_) for one in model.estimators_])
        leaf = trees.leaves(cells)
        unseen = np.ones((rows.n, len(model.estimators_)), bool)
        for t, drawn in enumerate(model.estimators_samples_):
            unseen[drawn, t] = False
        base = rows.shares
        best: tuple[float, Floats, Floats, float] | None = None
        for strength in STRENGTHS:
            values = np.concatenate(
                [_shrunk(one.tree_, model.classes_, rows.n_classes, strength) for one in model.estimators_]
            )
            held = _log_mean(values, leaf, unseen, base, rows.n)
            loss = log_loss(held, rows.codes, rows.weight)
            if best is not None and loss > best[0]:
                break
            best = loss, held, values, strength
        assert best is not None
        return cls(trees, best[2], base, float(rows.n), best[3]), best[1]

    def log_proba(self, view: View) -> Floats:
        """Log P(class given row), (n, g)."""
        leaf = self.trees.leaves(tree_cells(view))
        return _log_mean(self.leaves, leaf, None, self.base, self.n)


def _arrays(tree: Any) -> dict[str, Any]:
    return {
        "feature": tree.feature,
        "threshold": tree.threshold,
        "left": tree.children_left,
        "right": tree.children_right,
        "leaf": tree.children_left < 0,
        "gaps_left": tree.missing_go_to_left,
        "depth": tree.max_depth,
    }


def _shrunk(tree: Any, classes: Ints, n_classes: int, strength: float) -> Floats:
    """The probability of each class in each node, drawn towards its parent's: the fewer rows, the more."""
    left, right = tree.children_left, tree.children_right
    value = tree.value[:, 0]
    count = tree.weighted_n_node_samples
    value = value / value.sum(axis=1, keepdims=True)
    out = np.zeros((len(left), n_classes))
    out[0, classes] = value[0]
    at = np.array([0]) if left[0] >= 0 else np.array([], np.intp)
    while len(at):
        for child in (left[at], right[at]):
            share = (count[child] / (count[child] + strength))[:, None]
            out[child[:, None], classes] = share * value[child]
            out[child] += (1 - share) * out[at]
        at = np.concatenate([left[at], right[at]])
        at = at[left[at] >= 0]
    return out


def _log_mean(values: Floats, leaf: Ints, use: NDArray[np.bool_] | None, base: Floats, n: float) -> Floats:
    """The log of the mean probability over trees, of which one of n parts is the base rate."""
    total = np.zeros((len(leaf), values.shape[1]))
    for t in range(leaf.shape[1]):
        own = values[leaf[:, t]]
        total += own if use is None else own * use[:, t, None]
    count = leaf.shape[1] if use is None else use.sum(axis=1, keepdims=True)
    mean = (total + 1e-3 * base) / (count + 1e-3)
    share = 1.0 / (n + 2.0)
    return np.asarray(np.log((1 - share) * mean + share * base))
