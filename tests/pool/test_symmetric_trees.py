"""Boosted symmetric trees against plain loops over rows, columns and thresholds."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import likely
from likely.pool.check import check_pool
from likely.pool.members import symmetric
from likely.pool.members.cut_cells import CutCells
from likely.pool.members.level_search import RIDGE, LevelSearch
from likely.pool.members.symmetric import DEPTH, RATE, SymmetricMember
from likely.pool.reading.goals import ClassGoal, NumberGoal
from tests.pool.test_pool_parts import table, taught


def cells_with_gaps(n=60, p=4, seed=0):
    rng = np.random.default_rng(seed)
    cells = np.round(rng.normal(size=(n, p)), 1)
    cells[rng.random(cells.shape) < 0.15] = np.nan
    cells[:, 2] = np.where(np.isnan(cells[:, 2]), np.nan, 1.0)  # one value, and gaps
    cells[:, 3] = rng.integers(0, 2, n)
    return cells


def test_a_threshold_parts_rows_as_bins_do():
    """Also of missing cells, which lie below all others, and of numbers that lie on an edge."""
    cells = cells_with_gaps()
    cut = CutCells.of(cells)
    for j, edges in enumerate(cut.edges):
        for b in range(len(edges)):
            threshold = cut.thresholds(np.array([[j]]), np.array([[b]]))[0, 0]
            assert ((cells[:, j] >= threshold) == (cut.codes[:, j] > b)).all()
    assert (cut.codes[np.isnan(cells)] == 0).all()
    assert cut.n_bins[2] == 2


@pytest.mark.parametrize("t", [1, 3])
def test_the_best_question_is_that_of_a_search_by_hand(t):
    rng = np.random.default_rng(t)
    cells, folds, leaves = cells_with_gaps(), 2, 4
    cut = CutCells.of(cells)
    fold, row = np.repeat([0, 1], len(cells)), np.tile(np.arange(len(cells)), folds)
    slope, weight = rng.normal(size=(len(row), t)), rng.exponential(size=len(row))
    leaf = rng.integers(0, leaves, len(row))
    columns = np.array([0, 2, 3])
    search = LevelSearch(cut, columns, fold, row)
    counted = np.concatenate([slope * weight[:, None], weight[:, None]], axis=1)
    column, bin_ = search.best(counted, leaf, leaves, np.zeros((folds, int(cut.n_bins[columns].sum()))))
    for f in range(folds):
        worth = {}
        for j in columns.tolist():
            for b in range(len(cut.edges[j])):
                total = 0.0
                for where, above in product(range(leaves), (False, True)):
                    own = (fold == f) & (leaf == where) & ((cut.codes[row, j] > b) == above)
                    sums = (slope[own] * weight[own, None]).sum(axis=0)
                    total += float(sums @ sums) / (weight[own].sum() + RIDGE)
                worth[j, b] = total
        assert (column[f], bin_[f]) == max(worth, key=lambda at: worth[at])


@pytest.mark.parametrize(("goal", "t"), [("classes", 1), ("classes", 3), ("number", 1)])
def test_slopes_are_those_of_the_loss(goal, t):
    """By differences: of the loss, and of its slope; what several classes share is of no account."""
    rng = np.random.default_rng(7)
    scores, n, step = rng.normal(size=(8, t)), 8, 1e-5
    of = (
        NumberGoal(rng.normal(size=n))
        if goal == "number"
        else ClassGoal(rng.integers(0, t + (t == 1), n), t + (t == 1))
    )
    slope, curve = of.slopes(scores)
    for k in range(t):
        up, down = scores.copy(), scores.copy()
        up[:, k] += step
        down[:, k] -= step
        assert (of.losses(up) - of.losses(down)) / (2 * step) == pytest.approx(slope[:, k], abs=1e-8)
        bend = (of.slopes(up)[0][:, k] - of.slopes(down)[0][:, k]) / (2 * step)
        assert bend * (t / (t - 1) if t > 1 else 1) == pytest.approx(curve[:, k], abs=1e-8)


@pytest.mark.parametrize("g", [2, 3])
def test_the_first_tree_takes_a_newton_step_in_each_leaf(g, monkeypatch):
    monkeypatch.setattr(symmetric, "ROUNDS", 1)
    X, y = table(n=600, g=g)
    rows = taught(X, y, np.random.default_rng(1).integers(1, 4, len(y)).astype(float))
    member, held = SymmetricMember.fit(rows)
    assert member.leaves.shape == (5, 1, 2**DEPTH, 1 if g == 2 else g)
    own = member.by_fold(rows.view)
    assert own[rows.fold, np.arange(len(y))] == pytest.approx(held, abs=1e-12)
    for f in range(5):
        inside = rows.fold != f
        said = own[f]
        for at in np.unique(said[inside], axis=0):
            leaf = inside & (said == at).all(axis=1)
            p = np.bincount(y[inside], rows.weight[inside], g) + 0.5 / g
            p = (p / p.sum())[-member.leaves.shape[-1] :]
            truth = np.eye(g)[y[leaf]][:, -len(p) :]
            down = rows.weight[leaf] @ (truth - p)
            bend = rows.weight[leaf].sum() * p * (1 - p) * (g / (g - 1) if g > 2 else 1)
            assert at - member.start[f] == pytest.approx(RATE * down / (bend + symmetric.RIDGE), abs=1e-12)


@pytest.mark.parametrize("kind", ["classes", "two", "number"])
def test_what_is_saved_says_what_was_held_out(kind):
    """Thresholds, gaps, unseen levels: predicted rows come to the leaves that they came to while learning."""
    X, y = table(n=150, g=2 if kind == "two" else 3, seed=3)
    rows = taught(X, y)
    if kind == "number":
        numbers = NumberGoal(np.random.default_rng(0).normal(size=150) + y)
        rows = type(rows)(rows.reading, rows.view, numbers, rows.groups, rows.weight, rows.fold, 0)
    member, held = SymmetricMember.fit(rows)
    assert member.columns.shape[1] > 3
    said = member.by_fold(rows.view)
    assert said[rows.fold, np.arange(150)] == pytest.approx(held, abs=1e-10)
    assert member.scores(rows.view) == pytest.approx(said.mean(axis=0))
    assert rows.loss(held) < rows.loss(rows.goal.start(rows.used)[rows.fold])


def test_columns_that_say_nothing_leave_the_base_rate():
    y = np.arange(60) % 2
    rows = taught({"x": np.ones(60)}, y)
    member, held = SymmetricMember.fit(rows)
    assert member.columns.shape == (5, 0, DEPTH)
    assert member.by_fold(rows.view)[rows.fold, np.arange(60)].tolist() == held.tolist()


def test_all_classes_share_a_tree():
    """Columns whose products part four classes; also with few rows of each."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = 2 * (X[:, 0] * X[:, 1] > 0) + (X[:, 2] > 0)
    held = SymmetricMember.fit(taught(X, y))[1]
    assert (held.argmax(axis=1) == y).mean() > 0.85


LIES = {
    "columns that are not there": lambda one: {"columns": one.columns + 99},
    "columns before the first": lambda one: {"columns": one.columns - 99},
    "fewer leaves": lambda one: {"leaves": one.leaves[:, :, :-1]},
    "leaves of nothing": lambda one: {"leaves": one.leaves * np.nan},
    "fewer thresholds": lambda one: {"thresholds": one.thresholds[:, :-1]},
    "questions in a row": lambda one: {"columns": one.columns.ravel()},
    "a start in a row": lambda one: {"start": one.start.ravel()},
    "a start that is a number": lambda one: {"start": np.float64(1.0)},
    "fewer folds": lambda one: {"columns": one.columns[:3], "thresholds": one.thresholds[:3]},
    "deep trees": lambda one: {"columns": np.zeros((5, 1, 40), np.int32), "thresholds": np.zeros((5, 1, 40))},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_file_of_trees_that_do_not_fit_together_is_refused(lie):
    X, y = table(n=80, g=2)
    record = likely.Classifier(members=["symmetric"]).fit(X, y).record_
    check_pool(record)
    one = record.members[0]
    with pytest.raises(likely.LikelyError):
        check_pool(replace(record, members=(replace(one, **LIES[lie](one)),)))
