"""The boosting member: gradient-boosted trees, one sequence a fold, all stopped at one common round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from likely.pool.members.tree_cells import tree_cells
from likely.pool.members.trees import Trees, joined
from likely.pool.reading.goals import mean_loss
from likely.pool.reading.reading import View
from likely.pool.reading.rows import TaughtRows

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

ROUNDS = (25, 60, 150, 300)  # that are tried
LATE = 0.8  # the best round lies beyond this share of those tried: more are worth trying
MORE = 1.3  # rounds of the other folds, in best rounds of the first
LEAST = 12
LEAVES = (4, 15)  # of a tree: of few rows and of many; small trees take larger steps


@dataclass(frozen=True)
class BoostMember:
    """The trees of all folds; what each leaf adds to the score of its class."""

    trees: Trees
    adds: Floats  # (nodes,)
    start: Floats  # (folds, t), the scores before any tree
    rounds: int
    blank: NDArray[np.bool_]  # (p,), columns that some fold knows nothing of

    @classmethod
    def fit(cls, rows: TaughtRows) -> tuple[BoostMember, Floats]:
        """The member, and scores of the rows by the folds that had not seen them."""
        leaves = int(np.clip(round(float(np.sqrt(rows.n)) / 5), *LEAVES))
        return cls._of(rows, float(np.clip(1.6 / leaves, 0.1, 0.2)), leaves)

    @classmethod
    def fit_small(cls, rows: TaughtRows) -> tuple[BoostMember, Floats]:
        """The same of smaller trees and smaller steps."""
        return cls._of(rows, 0.05, 6)

    @classmethod
    def _of(cls, rows: TaughtRows, rate: float, leaves: int) -> tuple[BoostMember, Floats]:
        cells, truth = tree_cells(rows.view), rows.goal.truth[:, 0] if rows.is_number else rows.groups
        alone = np.bincount(rows.groups, minlength=rows.n_groups)[rows.groups] == 1
        inside = [(rows.fold != f) | alone for f in range(rows.folds)]  # every fold knows every class
        outside = [rows.fold == f for f in range(rows.folds)]
        blank = np.any([np.isnan(cells[own]).all(axis=0) for own in inside], axis=0)
        cells[:, blank] = 0.0
        # With weights, scikit-learn finds its bins in far more time: alike, they need not be told.
        weight = None if np.ptp(rows.weight) == 0 else rows.weight

        def taught(model: Any, own: NDArray[np.bool_]) -> Any:
            return model.fit(cells[own], truth[own], None if weight is None else weight[own])

        first, most = _model(rows, rate, leaves), 0
        for tried in ROUNDS:  # the first fold finds out how many rounds are worth their time
            taught(first.set_params(max_iter=tried), inside[0])
            own = outside[0]
            scores, goal = _scores(first, cells[own]), rows.goal.at(own)
            best = int(np.argmin([mean_loss(goal, one, rows.weight[own]) for one in scores]))
            most = min(tried, max(LEAST, int(MORE * best)))
            if best < LATE * tried:
                break
        models = [first, *(_model(rows, rate, leaves).set_params(max_iter=most) for _ in inside[1:])]
        held = np.empty((most + 1, rows.n, rows.goal.n_scores))
        for f, (model, own, rest) in enumerate(zip(models, inside, outside, strict=True)):
            if f:
                taught(model, own)
            held[:, rest] = _scores(model, cells[rest])[: most + 1]
        rounds = max(1, int(np.argmin([rows.loss(one) for one in held])))
        kept = [tree for model in models for round_ in model._predictors[:rounds] for tree in round_]
        start = np.stack([np.ravel(model._baseline_prediction) for model in models])
        adds = np.concatenate([tree.nodes["value"] for tree in kept])
        return cls(joined([_arrays(tree) for tree in kept]), adds, start, rounds, blank), held[rounds]

    def scores(self, view: View) -> Floats:
        """Of each row, (n, t): the mean over the folds."""
        return np.asarray(self.by_fold(view).mean(axis=0))

    def by_fold(self, view: View) -> Floats:
        """By the trees of the folds, (folds, n, t)."""
        folds, t = self.start.shape
        cells = tree_cells(view)
        cells[:, self.blank] = 0.0
        leaf = self.trees.leaves(cells)
        added = self.adds[leaf].reshape(len(leaf), folds, self.rounds, t).sum(axis=2) + self.start
        return np.asarray(added.transpose(1, 0, 2))


def _model(rows: TaughtRows, rate: float, leaves: int) -> Any:
    kind = HistGradientBoostingRegressor if rows.is_number else HistGradientBoostingClassifier
    return kind(
        learning_rate=rate,
        max_leaf_nodes=leaves,
        min_samples_leaf=int(np.clip(rows.n // 50, 3, 20)),
        l2_regularization=1.0,
        max_bins=min(255, max(16, rows.n // 8)),
        early_stopping=False,
        warm_start=True,
        random_state=rows.seed,
    )


def _scores(model: Any, cells: Floats) -> Floats:
    """Scores before any round, and after each, (1 + rounds, n, t)."""
    start = np.ravel(model._baseline_prediction)
    trees = [tree for round_ in model._predictors for tree in round_]
    adds = np.concatenate([tree.nodes["value"] for tree in trees])
    added = adds[joined([_arrays(tree) for tree in trees]).leaves(cells)].reshape(len(cells), -1, len(start))
    steps = np.concatenate([np.broadcast_to(start, (len(cells), 1, len(start))), added], axis=1)
    return np.cumsum(steps, axis=1).transpose(1, 0, 2)


def _arrays(tree: Any) -> dict[str, Any]:
    nodes = tree.nodes
    return {
        "feature": nodes["feature_idx"],
        "threshold": nodes["num_threshold"],
        "left": nodes["left"],
        "right": nodes["right"],
        "leaf": nodes["is_leaf"].astype(bool),
        "gaps_left": nodes["missing_go_to_left"].astype(bool),
        "depth": int(nodes["depth"].max()),
    }
