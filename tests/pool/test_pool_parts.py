"""The parts of the pool, each against something independent."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression

import likely
from likely.estimator.fitted import class_codes, target_column
from likely.infer.folds import stratified
from likely.pool.members.boost import _arrays as boosted
from likely.pool.members.forest import FEW, ForestMember, _shrunk
from likely.pool.members.forest import _arrays as grown
from likely.pool.members.trees import joined
from likely.pool.reading import descent, ridge
from likely.pool.reading.goals import ClassGoal
from likely.pool.reading.numbers import NumberScales
from likely.pool.reading.reading import Reading, TableRows
from likely.pool.reading.ridge import ridge_path
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.scores import log_probabilities
from likely.pool.reading.step_design import Directions
from likely.pool.recipe import kinship
from likely.pool.weights import pool_weights, shares_beforehand
from likely.table.column.as_raw import as_raw
from likely.table.frame import Frame
from likely.table.schema import Schema


def taught(X, y, weight=None):
    frame, raw = Frame.of(X), as_raw("y", y)
    target = target_column(raw)
    codes = class_codes(target, raw)
    g, weight = len(target.known), np.ones(frame.n) if weight is None else weight
    fold = stratified(codes, 5, np.random.default_rng(0))
    reading, view = Reading.learn(Schema.learn(frame, None), frame, codes, g, weight, fold)
    return TaughtRows(reading, view, ClassGoal(codes, g), codes, weight, fold, 0)


def table(n=200, g=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, g, n)
    X = pd.DataFrame(
        {
            "a": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n) + y),
            "b": rng.integers(0, 3, n) + y,
            "c": rng.choice(np.array(["u", "v", None], object), n),
        }
    )
    return X, y


@pytest.mark.parametrize(("g", "weighed"), list(product((2, 3), (False, True))))
def test_ridge_regressions_are_those_of_scikit_learn(g, weighed, monkeypatch):
    """Every fold, and the whole; here one ridge, C = 1 / ridge. Of two classes there is one set of slopes."""
    monkeypatch.setattr(descent, "STEPS", 10_000)
    monkeypatch.setattr(descent, "FLAT", 0.0)
    monkeypatch.setattr(ridge, "SLOPE", 1e-8)
    rng = np.random.default_rng(g)
    y = rng.integers(0, g, 150)
    X = rng.normal(size=(150, 4)) + y[:, None] * 0.5
    weight = rng.integers(1, 4, 150).astype(float) if weighed else np.ones(150)
    rows = taught(X, y, weight)
    turned = Directions.of(X, weight)
    path = ridge_path(turned, rows, np.array([2.0]))

    def peer(own):
        return LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000).fit(X[own], y[own], weight[own])

    every = peer(np.ones(150, bool))
    slopes = (turned.turn @ path.slopes[0]).T
    assert slopes - slopes.mean(axis=0) == pytest.approx(every.coef_ - every.coef_.mean(axis=0), abs=1e-5)
    for f in range(5):
        own = rows.fold == f
        theirs = peer(~own).predict_log_proba(X[own])
        assert log_probabilities(path.scores[own]) == pytest.approx(theirs, abs=1e-5)
        ours = X[own] @ turned.turn @ path.slopes[1 + f] - turned.centre @ turned.turn @ path.slopes[1 + f]
        assert log_probabilities(ours + path.intercepts[1 + f]) == pytest.approx(theirs, abs=1e-5)


def test_directions_of_wide_tables_are_those_of_tall_ones():
    rng = np.random.default_rng(1)
    X, weight = rng.normal(size=(30, 8)), rng.random(30) + 0.5
    wide = np.concatenate([X, np.zeros((30, 40))], axis=1)
    tall, flat = Directions.of(X, weight), Directions.of(wide, weight)
    assert flat.scatter == pytest.approx(tall.scatter)
    assert np.abs(flat.rows) == pytest.approx(np.abs(tall.rows), abs=1e-9)
    assert tall.rows.T @ (weight[:, None] * tall.rows) == pytest.approx(np.diag(tall.scatter), abs=1e-9)


def test_trees_as_arrays_lead_where_scikit_learn_leads():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 4)).astype(np.float32).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    y = rng.integers(0, 3, 300)
    new = rng.normal(size=(100, 4)).astype(np.float32).astype(float)
    new[rng.random(new.shape) < 0.3] = np.nan
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    leaves = joined([grown(tree.tree_) for tree in forest.estimators_]).leaves(new)
    theirs = np.stack([tree.tree_.apply(new.astype(np.float32)) for tree in forest.estimators_], axis=1)
    roots = joined([grown(tree.tree_) for tree in forest.estimators_]).roots
    assert np.array_equal(leaves - roots, theirs)
    boost = HistGradientBoostingClassifier(max_iter=15, early_stopping=False).fit(X, y)
    trees = [tree for round_ in boost._predictors for tree in round_]
    adds = np.concatenate([tree.nodes["value"] for tree in trees])
    added = adds[joined([boosted(tree) for tree in trees]).leaves(new)].reshape(100, 15, 3).sum(axis=1)
    ours = added + boost._baseline_prediction.ravel()
    assert ours == pytest.approx(boost.decision_function(new), abs=1e-10)


def test_a_few_rows_of_a_forest_are_added_up_as_many_are() -> None:
    rng = np.random.default_rng(2)
    values, leaf = rng.random((300, 3)), rng.integers(0, 300, (FEW + 1, 50))
    member = ForestMember(None, values, np.full(3, 1 / 3), 1e9, 1.0, True)  # type: ignore[arg-type]
    many = member._mean(leaf)
    np.testing.assert_allclose(many, values[leaf].mean(axis=1), atol=1e-5, rtol=0)
    for rows in (1, 7, FEW):
        assert np.array_equal(member._mean(leaf[:rows]), many[:rows])


def test_leaves_shrink_by_hand():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    tree = RandomForestClassifier(1, bootstrap=False, random_state=0).fit(X, y).estimators_[0].tree_
    trees, counts = joined([grown(tree)]), tree.weighted_n_node_samples
    values = _shrunk(trees, tree.value[:, 0], counts, 2.0)
    # Two rows of one class, drawn towards a parent of (1/2, 1/2) that counts for two rows.
    assert sorted(values[1:, 0].tolist()) == pytest.approx([0.25, 0.75])
    assert _shrunk(trees, tree.value[:, 0], counts, 0.0)[1:].tolist() in (
        [[1.0, 0.0], [0.0, 1.0]],
        [[0, 1], [1, 0]],
    )


def test_evidence_of_bins_by_hand():
    X, y = table()
    rows = taught(X, y)
    view = rows.reading.view(TableRows.of(rows.reading.schema, Frame.of(X)), 0, len(X))
    evidence = view.evidence(4.0)
    share = (np.bincount(y) + 0.5) / (len(y) + 1.5)
    for value in ("u", "v"):
        own = (X["c"] == value).to_numpy()
        count = np.bincount(y[own], minlength=3)
        expected = np.log((count + 4 * share) / (count.sum() + 4) / share)
        assert evidence[own, 2] == pytest.approx(np.tile(expected, (own.sum(), 1)), abs=2e-2)


def test_rows_do_not_see_themselves():
    """A level that each row has for itself says nothing of the row, however it is counted elsewhere."""
    y = np.arange(60) % 2
    rows = taught({"id": [f"row {i}" for i in range(60)]}, y)
    assert np.abs(rows.view.evidence(1.0)).max() < 1e-12


def test_scales_of_numbers():
    rng = np.random.default_rng(3)
    cells = np.stack([rng.normal(3, 2, 5001), rng.integers(0, 3, 5001), np.full(5001, 7.0)], axis=1)
    cells[0] = np.nan
    scales = NumberScales.learn(cells, 8)
    z, ranks, bins = scales.standard(cells), scales.rank(cells), scales.bins(cells)
    assert z[1:].mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-3)
    assert z[1:, :2].std(axis=0) == pytest.approx(np.ones(2), abs=1e-2)
    assert (z[0] == 0).all()
    assert (ranks[0] == 0).all()
    assert (bins[0] == -1).all()
    assert ranks[1:, 0].std() == pytest.approx(1, abs=0.02)
    assert np.corrcoef(ranks[1:, 0], np.argsort(np.argsort(cells[1:, 0])))[0, 1] > 0.9999
    assert np.bincount(bins[1:, 0]) / 5000 == pytest.approx(np.full(8, 1 / 8), abs=0.01)
    assert scales.n_bins.tolist() == [8, 3, 1]


def test_a_value_of_most_rows_leaves_bins_to_the_others():
    rng = np.random.default_rng(0)
    some = rng.uniform(1, 2, 160)
    cells = np.concatenate([np.zeros(1840), some])
    scales = NumberScales.learn(cells[:, None], 16)
    bins = scales.bins(cells[:, None])[:, 0]
    assert (bins[cells == 0] == 0).all()
    rest = np.bincount(bins[cells > 0], minlength=16)
    assert len(rest) == 16
    assert rest[0] == 0
    assert set(rest[1:].tolist()) == {10, 11}  # 15 bins are left, of 160 / 15 rows each
    few = NumberScales.learn(np.concatenate([np.zeros(1980), some[:20]])[:, None], 16)
    assert few.n_bins.tolist() == [4]  # one for 0, and 20 rows in bins of about 8


def test_weights_prefer_what_is_right():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 3000)
    odds = np.where(y == 1, 1.0, -1.0) + rng.normal(size=3000)  # log-odds of 2 odds are the truth
    rows = taught({"x": odds}, y)
    scores = np.stack([2 * odds, np.diff(np.log(rng.dirichlet([5, 5], 3000)))[:, 0]])[..., None]
    weights, constants = pool_weights(scores, rows)
    assert weights == pytest.approx([1, 0], abs=0.1)
    assert np.abs(constants).max() < 0.1
    each = np.ones(3000)
    assert shares_beforehand(np.array([0.1 * each, 0.2 * each]), each)[1] < 1e-8


@pytest.mark.parametrize("budget", ["additive", "fast", "default"])
def test_the_ledger_sums_to_the_log_odds(budget):
    X, y = table(g=3)
    model = likely.Classifier(budget).fit(X, y)
    ledgers, log_p = model.explain(X), model.predict_log_proba(X)
    each = np.arange(len(X))
    odds = log_p[each, ledgers.favoured] - log_p[each, ledgers.against]
    assert np.abs(ledgers.total - odds).max() < 1e-12
    share = model.record_.projection.share
    assert 0 < share <= 1
    if budget == "additive":  # all is told by single columns
        assert np.abs(ledgers.rest).max() < 1e-12
        assert share == 1
    assert model.importance(X).names == ("a", "b", "c")


def test_new_base_rates_move_log_odds_alike():
    X, y = table(g=2)
    model = likely.Classifier("fast").fit(X, y)
    new = model.with_base_rate({0: 0.9, 1: 0.1})
    before, after = (np.diff(m.predict_log_proba(X))[:, 0] for m in (model, new))
    moved = np.log(0.1 / 0.9) - np.log((y == 1).mean() / (y == 0).mean())
    assert after - before == pytest.approx(np.full(len(X), moved), abs=1e-12)
    assert new.explain(X[:5]).total == pytest.approx(np.abs(after[:5]), abs=1e-12)


def test_questions_about_the_target():
    X, y = table(g=2)
    model = likely.Classifier("fast").fit(X, np.where(y == 1, "yes", "no"))
    p = model.predict_proba({"a": [1.5], "b": [2], "c": ["u"]})[0, 1]
    assert float(model.ask("P(y=yes | a=1.5, b=2, c=u)")) == pytest.approx(p, abs=1e-12)
    assert float(model.ask("odds(y=yes | a=1.5, b=2, c=u)")) == pytest.approx(p / (1 - p), rel=1e-9)
    with pytest.raises(likely.LikelyError, match="not how 'c' is distributed"):
        model.ask("P(c=u | y=yes)")


def test_the_member_of_lines_is_straight_in_numbers_and_has_steps_for_gaps():
    """Second differences along a grid within what was seen are 0; where the additive member bends."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=300)
    y = (x**2 + rng.normal(size=300) > 1).astype(int)
    x[::7] = np.nan
    table = {"x": x, "k": rng.choice(["u", "v"], 300)}
    grid = {"x": np.linspace(-1.5, 1.5, 31), "k": ["u"] * 31}
    for name, straight in (("lines", True), ("additive", False)):
        model = likely.Classifier(members=[name]).fit(table, y)
        p = model.predict_log_proba(grid)
        bends = np.abs(np.diff(p[:, 1] - p[:, 0], 2)).max()
        assert bool(bends < 1e-9) is straight


def test_two_members_that_add_columns_up_count_beforehand_as_one():
    losses = np.full((3, 10), 0.5)
    shares = shares_beforehand(losses, np.ones(10), kinship(("additive", "lines", "net")))
    assert shares.tolist() == [0.25, 0.25, 0.5]


def test_a_difference_that_may_be_chance_costs_a_member_little():
    """Of the paired differences of rows, one by one; a row of weight 2 is the row twice."""
    rng = np.random.default_rng(5)
    losses = rng.exponential(size=(3, 40)) * np.array([[1.0], [1.3], [3.0]])
    losses = np.concatenate([losses, 1.05 * losses[:1]])
    weight = rng.integers(1, 4, 40).astype(float)
    twice = np.repeat(losses, weight.astype(int), axis=1)
    mean = twice.mean(axis=1)
    costs, by_chance = [], []
    for own, above in zip(twice, mean, strict=True):
        apart = own - twice[mean.argmin()]
        error = apart.std() / np.sqrt(len(apart))
        z = apart.mean() / error if error else 0.0
        costs.append(min(20 * (above / mean.min() - 1), z**2 / 2))
        by_chance.append(z**2 / 2 == costs[-1])
    assert by_chance == [True, True, True, False]
    expected = np.exp(-np.array(costs)) / np.exp(-np.array(costs)).sum()
    assert shares_beforehand(losses, weight) == pytest.approx(expected)
    assert shares_beforehand(twice, np.ones(twice.shape[1])) == pytest.approx(expected)
