"""The forest member: trees on resampled rows, their leaves shrunk towards what is known above them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.tree import DecisionTreeRegressor, ExtraTreeRegressor

from likely.pool.members.tree_cells import tree_cells
from likely.pool.members.trees import Trees, joined
from likely.pool.reading.reading import View
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.scores import scores_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Singles = NDArray[np.float32]

TREES = (100, 200)  # of many rows and of few
WORK = 300_000  # rows in trees, about, between; of many classes, a tenth of these times rows
STRENGTHS = (1.0, 3.0, 10.0, 30.0)  # rows that a node's parent counts for
FEW = 64  # rows whose leaves are added up by one call, not tree by tree


@dataclass(frozen=True)
class ForestMember:
    """Trees, and what every leaf says: the probability of each class, or the mean of the number."""

    trees: Trees
    leaves: Singles  # (nodes, g), or (nodes, 1) of a number: of many classes they are most of a model's file
    base: Floats  # (g,), the share of each class, to a row or two of which the answer is shrunk; or the mean
    n: float
    strength: float
    is_number: bool

    @classmethod
    def fit(cls, rows: TaughtRows) -> tuple[ForestMember, Floats]:
        """The member, and scores of the rows by the trees that had not seen them."""
        # Of numbers a third of the columns at a split, as of classes their root.
        return cls._of(DecisionTreeRegressor, 1 / 3 if rows.is_number else "sqrt", rows)

    @classmethod
    def fit_extra(cls, rows: TaughtRows) -> tuple[ForestMember, Floats]:
        """The same of trees that split at random places."""
        return cls._of(ExtraTreeRegressor, 1.0 if rows.is_number else "sqrt", rows)

    @classmethod
    def _of(cls, kind: Any, tried: float | str, rows: TaughtRows) -> tuple[ForestMember, Floats]:
        grown = _grown(kind, tried, rows)
        base = rows.goal.start(rows.weight[:, None])[0] if rows.is_number else rows.shares
        best: tuple[float, ForestMember, Floats] | None = None
        for strength in STRENGTHS:
            values = _shrunk(grown.trees, grown.values, grown.counts, strength)
            member = cls(grown.trees, values, base, float(rows.n), strength, rows.is_number)
            held = member._held_out(grown)
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

    def _held_out(self, grown: _Grown) -> Floats:
        """Of rows that trees were grown from, by the trees that had not seen them."""
        n = int(self.n)
        parts = [np.bincount(grown.row, own[grown.leaf], n) for own in self.leaves.T]
        return self._mixed(np.stack(parts, axis=1), np.bincount(grown.row, minlength=n)[:, None])

    def _mean(self, leaf: Ints) -> Floats:
        if len(leaf) <= FEW:
            # In the order of the trees, as below: the answer is the same to the last bit.
            total = np.add.accumulate(self.leaves.take(leaf, axis=0), axis=1, dtype=np.float64)[:, -1]
        else:
            total = np.zeros((len(leaf), self.leaves.shape[1]))
            for t in range(leaf.shape[1]):
                total += self.leaves[leaf[:, t]]
        return self._mixed(total, leaf.shape[1])

    def _mixed(self, total: Floats, count: Ints | int) -> Floats:
        """The mean over trees, of which one of n parts is the base rate; of probabilities their log-odds."""
        mean = (total + 1e-3 * self.base) / (count + 1e-3)
        share = 1.0 / (self.n + 2.0)
        mean = (1 - share) * mean + share * self.base
        return np.asarray(mean if self.is_number else scores_of(np.log(mean)))


@dataclass(frozen=True)
class _Grown:
    """Trees, what their nodes were told, and where they lead the rows that each had not seen."""

    trees: Trees
    values: Floats  # (nodes, g), the shares of classes, or (nodes, 1), the mean of the number
    counts: Floats  # (nodes,), weight of the rows
    row: Ints
    leaf: Ints


def _grown(kind: Any, tried: float | str, rows: TaughtRows) -> _Grown:
    """Trees on resampled rows.

    Those of classes are grown as trees of the numbers 0 and 1, one a class: the squared error is then Gini's
    impurity, so they are the same trees, without what a classifier looks up for each.
    """
    cells, n = tree_cells(rows.view).astype(np.float32), rows.n
    gaps, truth = bool(np.isnan(cells).any()), rows.goal.truth
    truth = np.ascontiguousarray(truth[:, 0] if truth.shape[1] == 1 else truth)
    rng = np.random.default_rng(rows.seed)
    trees = int(np.clip(WORK / (n * max(1.0, rows.n_groups / 10)), *TREES))
    parts, values, counts, row, leaf = [], [], [], [], []
    size = 0
    with config_context(skip_parameter_validation=True):
        for seed in rng.integers(1 << 31, size=trees).tolist():
            drawn = np.bincount(rng.integers(0, n, n), minlength=n)
            model = kind(max_features=tried, random_state=seed)
            tree = model.fit(cells, truth, rows.weight * drawn, check_input=gaps).tree_
            unseen = np.flatnonzero(drawn == 0)
            parts.append(_arrays(tree))
            values.append(tree.value[..., 0])
            counts.append(tree.weighted_n_node_samples)
            row.append(unseen)
            leaf.append(tree.apply(cells[unseen]) + size)
            size += tree.node_count
    told = np.concatenate(values)
    if not rows.is_number and told.shape[1] == 1:
        told = np.concatenate([1 - told, told], axis=1)
    return _Grown(joined(parts), told, np.concatenate(counts), np.concatenate(row), np.concatenate(leaf))


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


def _shrunk(trees: Trees, values: Floats, counts: Floats, strength: float) -> Singles:
    """What each node says of each class or of a number, drawn towards its parent: of few rows the more."""
    out = values.copy()
    share = (counts / (counts + strength))[:, None]
    at = trees.roots
    while len(at := at[trees.left[at] != at]):
        for child in (trees.left[at], trees.right[at]):
            out[child] = share[child] * values[child] + (1 - share[child]) * out[at]
        at = np.concatenate([trees.left[at], trees.right[at]])
    return out.astype(np.float32)
