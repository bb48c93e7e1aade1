"""The symmetric member: boosted trees that ask one question at each level, for all classes together.

A tree of depth d looks at d columns, whichever leaf a row comes to (an oblivious tree, as in CatBoost): so
few choices are hardly fitted to chance. Besides, a tree may look at some columns only, rows count for more or
less by chance (the Bayesian bootstrap), and questions are compared with some noise, less in later rounds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.pool.members.cut_cells import CutCells
from likely.pool.members.level_search import LevelSearch
from likely.pool.members.tree_cells import tree_cells
from likely.pool.reading.reading import View
from likely.pool.reading.rows import TaughtRows

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

DEPTH = 5
RATE = 0.15  # of a step
ROUNDS = 400  # at most
PATIENCE = 40  # rounds that do not help held-out rows
SHARE = 0.3  # of the columns, that a tree may look at
COLUMNS = (4, 40)  # that it may look at, at least and at most
RIDGE = 1.0  # in each leaf, of the curvature of its rows


@dataclass(frozen=True)
class SymmetricMember:
    """The trees of all folds: the question of each level, and what each leaf adds."""

    columns: NDArray[np.int32]  # (folds, rounds, depth)
    thresholds: Floats  # (folds, rounds, depth): cells at least as great go one way, all others the other
    leaves: Floats  # (folds, rounds, 2**depth, t)
    start: Floats  # (folds, t), the scores before any tree

    @classmethod
    def fit(cls, rows: TaughtRows) -> tuple[SymmetricMember, Floats]:
        """The member, and scores of the rows by the folds that had not seen them."""
        boosting = _Boosting(rows)
        held = boosting.held_out()
        best, rounds = (rows.loss(held), held), 0
        for done in range(1, ROUNDS + 1 if len(boosting.useful) else 1):
            boosting.step()
            held = boosting.held_out()
            loss = rows.loss(held)
            if loss < best[0]:
                best, rounds = (loss, held), done
            elif done - rounds == PATIENCE:
                break
        return boosting.member(rounds), best[1]

    def scores(self, view: View) -> Floats:
        """Of each row, (n, t): the mean over the folds."""
        return np.asarray(self.by_fold(view).mean(axis=0))

    def by_fold(self, view: View) -> Floats:
        """By the trees of the folds, (folds, n, t)."""
        cells = tree_cells(view)
        folds, rounds, depth = self.columns.shape
        out = np.repeat(self.start[:, None], len(cells), axis=1)
        each = np.arange(rounds)
        for f in range(folds if rounds else 0):
            leaf = np.zeros((len(cells), rounds), np.intp)
            for level in range(depth):
                above = cells[:, self.columns[f, :, level]] >= self.thresholds[f, :, level]
                leaf |= above.astype(np.intp) << level
            out[f] += self.leaves[f][each, leaf].sum(axis=1)
        return out


class _Boosting:
    """Trees of all folds, grown round by round, and what they say of all rows."""

    def __init__(self, rows: TaughtRows) -> None:
        self.rows, self.rng = rows, np.random.default_rng(rows.seed)
        self.cut = CutCells.of(tree_cells(rows.view))
        self.useful = np.flatnonzero(self.cut.n_bins > 1)
        self.start = rows.goal.start(rows.used)[: rows.folds]
        self.scores = np.repeat(self.start[:, None], rows.n, axis=1)  # (folds, n, t)
        used = np.ascontiguousarray(rows.used[:, : rows.folds].T)
        self.fold, self.row = np.nonzero(used)  # (m,), rows that the tree of a fold is fitted to
        self.weight = used[self.fold, self.row]
        self.questions: list[tuple[Ints, Floats]] = []  # of each round: columns, thresholds (folds, depth)
        self.leaves: list[Floats] = []

    def held_out(self) -> Floats:
        """Scores of each row by the fold that had not seen it, (n, t)."""
        return np.asarray(self.scores[self.rows.fold, np.arange(self.rows.n)])

    def step(self) -> None:
        """One more tree for every fold."""
        slope, curve = (part[self.fold, self.row] for part in self.rows.goal.slopes(self.scores))
        leaf = self._grow(slope)  # (folds, n)
        at = self.fold * (1 << DEPTH) + leaf[self.fold, self.row]
        shape = self.rows.folds, 1 << DEPTH, -1
        down, bend = (self._sums(at, part).reshape(shape) for part in (slope, curve))
        self.leaves.append(-RATE * down / (bend + RIDGE))
        self.scores += self.leaves[-1][np.arange(self.rows.folds)[:, None], leaf]

    def _grow(self, slope: Floats) -> Ints:
        """Choose the questions of a round; the leaf of each row in the tree of each fold, (folds, n)."""
        weight = self.weight * self.rng.standard_exponential(len(self.weight))
        counted = np.concatenate([slope * weight[:, None], weight[:, None]], axis=1)
        # Chance slopes of so many rows explain about their own spread: as much noise lets no column win by
        # luck alone. Later rounds, of which less is left to learn, have less.
        left = self.rows.n * np.exp(-RATE * len(self.leaves))
        spread = np.sqrt(float((counted[:, :-1] * slope).sum() / weight.sum())) * left / (1.0 + left)
        few = int(np.clip(np.ceil(SHARE * len(self.useful)), *COLUMNS))
        search = LevelSearch(self.cut, np.sort(self.rng.permutation(self.useful)[:few]), self.fold, self.row)
        leaf = np.zeros((self.rows.folds, self.rows.n), np.intp)
        questions = []
        for level in range(DEPTH):
            noise = spread * self.rng.standard_normal((self.rows.folds, len(search.owner)))
            column, bin_ = search.best(counted, leaf[self.fold, self.row], 1 << level, noise)
            leaf |= (self.cut.codes.T[column] > bin_[:, None]).astype(np.intp) << level
            questions.append((column, self.cut.thresholds(column, bin_)))
        columns, thresholds = zip(*questions, strict=True)
        self.questions.append((np.stack(columns, axis=1), np.stack(thresholds, axis=1)))
        return leaf

    def _sums(self, at: Ints, part: Floats) -> Floats:
        """Weighted sums of some numbers of rows, (m, t), by leaf."""
        size = self.rows.folds << DEPTH
        return np.stack([np.bincount(at, self.weight * own, size) for own in part.T], axis=1)

    def member(self, rounds: int) -> SymmetricMember:
        """Of the first rounds."""
        folds, t = self.start.shape
        columns, thresholds = np.zeros((folds, 0, DEPTH), np.int32), np.zeros((folds, 0, DEPTH))
        leaves = np.zeros((folds, 0, 1 << DEPTH, t))
        if rounds:
            columns = np.stack([own for own, _ in self.questions[:rounds]], axis=1).astype(np.int32)
            thresholds = np.stack([own for _, own in self.questions[:rounds]], axis=1)
            leaves = np.stack(self.leaves[:rounds], axis=1)
        return SymmetricMember(columns, thresholds, leaves, self.start)
