"""The forest member: trees on resampled rows, their leaves shrunk towards what is known above them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from likely.pool.members.tree_cells import tree_cells
from likely.pool.members.trees import Trees, joined
from likely.pool.reading.reading import View
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.scores import scores_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

TREES = 100
STRENGTHS = (1.0, 3.0, 10.0, 30.0)  # rows that a node's parent counts for
FEW = 64  # rows whose leaves are added up by one call, not tree by tree


@dataclass(frozen=True)
class ForestMember:
    """Trees, and what every leaf says: the probability of each class, or the mean of the number."""

    trees: Trees
    leaves: Floats  # (nodes, g), or (nodes, 1) of a number
    base: Floats  # (g,), the share of each class, to a row or two of which the answer is shrunk; or the mean
    n: float
    strength: float
    is_number: bool

    @classmethod
    def fit(cls, rows: TaughtRows) -> tuple[ForestMember, Floats]:
        """The member, and scores of the rows by the trees that had not seen them."""
        kind = RandomForestRegressor if rows.is_number else RandomForestClassifier
        # Of numbers a third of the columns at a split, as of classes their root.
        tries = {"max_features": 1 / 3} if rows.is_number else {}
        return cls._of(kind(TREES, random_state=rows.seed, **tries), rows)

    @classmethod
    def fit_extra(cls, rows: TaughtRows) -> tuple[ForestMember, Floats]:
        """The same of trees that split at random places."""
        kind = ExtraTreesRegressor if rows.is_number else ExtraTreesClassifier
        return cls._of(kind(TREES, bootstrap=True, random_state=rows.seed), rows)

    @classmethod
    def _of(cls, model: Any, rows: TaughtRows) -> tuple[ForestMember, Floats]:
        cells, number = tree_cells(rows.view), rows.is_number
        model.fit(cells, rows.goal.truth[:, 0] if number else rows.groups, rows.weight)
        trees = joined([_arrays(one.tree_) for one in model.estimators_])
        leaf = trees.leaves(cells)
        unseen = np.ones((rows.n, len(model.estimators_)), bool)
        for t, drawn in enumerate(model.estimators_samples_):
            unseen[drawn, t] = False
        base = rows.goal.start(rows.weight[:, None])[0] if number else rows.shares
        classes = np.zeros(1, np.intp) if number else model.classes_
        best: tuple[float, ForestMember, Floats] | None = None
        for strength in STRENGTHS:
            values = np.concatenate(
                [_shrunk(one.tree_, classes, len(base), strength, number) for one in model.estimators_]
            )
            member = cls(trees, values, base, float(rows.n), strength, number)
            held = member._mean(leaf, unseen)
            loss = rows.loss(held)
            if best is not None and loss > best[0]:
                break
            best = loss, member, held
        assert best is not None
        return best[1], best[2]

    def scores(self, view: View) -> Floats:
        """Of each row, (n, t)."""
        return self._mean(self.trees.leaves(tree_cells(view)))

    def by_fold(self, view: View) -> None:
        """None: trees see rows of all folds."""
        return None

    def _mean(self, leaf: Ints, use: NDArray[np.bool_] | None = None) -> Floats:
        """The mean over trees, of which one of n parts is the base rate; of probabilities their log-odds."""
        if use is None and len(leaf) <= FEW:
            # In the order of the trees, as below: the answer is the same to the last bit.
            total = np.add.accumulate(self.leaves.take(leaf, axis=0), axis=1)[:, -1]
        else:
            total = np.zeros((len(leaf), self.leaves.shape[1]))
            for t in range(leaf.shape[1]):
                own = self.leaves[leaf[:, t]]
                total += own if use is None else own * use[:, t, None]
        count = leaf.shape[1] if use is None else use.sum(axis=1, keepdims=True)
        mean = (total + 1e-3 * self.base) / (count + 1e-3)
        share = 1.0 / (self.n + 2.0)
        mean = (1 - share) * mean + share * self.base
        return np.asarray(mean if self.is_number else scores_of(np.log(mean)))


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


def _shrunk(tree: Any, classes: Ints, n_classes: int, strength: float, number: bool = False) -> Floats:
    """What each node says of each class or of a number, drawn towards its parent: of few rows the more."""
    left, right = tree.children_left, tree.children_right
    value = tree.value[:, 0]
    count = tree.weighted_n_node_samples
    if not number:
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
