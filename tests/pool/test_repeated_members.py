"""Members fitted with several cuts of the rows into folds."""

from __future__ import annotations

import numpy as np
import pytest

import likely
from likely.pool import recipe
from likely.pool.members.repeated import RepeatedMember
from likely.pool.reading.reading import TableRows
from likely.pool.recipe import BUDGETS, MEMBERS, MemberPlan, fit_members
from likely.table.frame import Frame
from tests.pool.test_pool_parts import table, taught


def test_rows_again_are_the_same_rows_in_other_folds():
    X, y = table()
    rows = taught(X, y)
    again = rows.again(1)
    assert rows.again(0) is rows
    assert (again.fold != rows.fold).mean() > 0.5
    assert np.bincount(again.fold).tolist() == np.bincount(rows.fold).tolist()
    assert again.view.by_fold.sum(axis=0) == pytest.approx(rows.view.by_fold.sum(axis=0))
    for f in range(5):  # what a row is told is counted in the rows of other folds
        own = rows.view.tallies(np.where(again.fold == f, y, 0), 3, (again.fold == f).astype(float))
        assert again.view.by_fold[f] == pytest.approx(own.sum(axis=0))


@pytest.mark.parametrize("name", ["additive", "net", "forest", "symmetric"])
def test_a_repeated_member_is_the_mean_of_its_repeats(name):
    X, y = table(n=120)
    rows = taught(X, y)
    fitted = fit_members(rows, MemberPlan((name,), repeats=3))
    alone = [MEMBERS[name](rows.again(r)) for r in range(3)]
    assert fitted.scores[0] == pytest.approx(np.mean([held for _, held in alone], axis=0))
    member = fitted.members[0]
    assert isinstance(member, RepeatedMember)
    assert member.scores(rows.view) == pytest.approx(
        np.mean([one.scores(rows.view) for one, _ in alone], axis=0)
    )
    folds, first = member.by_fold(rows.view), alone[0][0].by_fold(rows.view)
    assert (folds is None) if first is None else np.array_equal(folds, first)


def test_the_best_budget_repeats_its_members_of_few_rows():
    assert MemberPlan.of("best", None, 5000).repeats == 3
    assert MemberPlan.of("best", None, 5001).repeats == 1
    assert MemberPlan.of("default", None, 100).repeats == 1
    assert MemberPlan.of("best", ["net"], 100) == MemberPlan(("net",), 3)
    assert MemberPlan.of(2.5, None, 100) == MemberPlan(tuple(MEMBERS), 1, 2.5)
    assert set(BUDGETS["default"]) < set(BUDGETS["best"])


def test_a_pool_of_repeated_members_says_what_they_say(monkeypatch):
    monkeypatch.setitem(recipe.BUDGETS, "best", ("lines", "net"))
    X, y = table()
    model = likely.Classifier("best").fit(X, y)
    assert all(isinstance(one, RepeatedMember) for one, _ in model.record_.counted)
    log_p, ledgers, each = model.predict_log_proba(X), model.explain(X), np.arange(len(X))
    said = sum(weight * one.scores(view_of(model, X)) for one, weight in model.record_.counted)
    odds = log_p[:, 1:] - log_p[:, :1]
    said = said + model.record_.constants
    assert odds == pytest.approx(said[:, 1:] - said[:, :1], abs=1e-10)
    favoured = log_p[each, ledgers.favoured] - log_p[each, ledgers.against]
    assert np.abs(ledgers.total - favoured).max() < 1e-12


def view_of(model, X):
    frame = Frame.of(X)
    return model.record_.reading.view(TableRows.of(model.record_.schema, frame), 0, frame.n)
