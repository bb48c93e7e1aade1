"""Scatter of soft groups that lie apart: the few rows that matter are taken, and no digit is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from likely.stats import Groups, Moments, Scatter, moments
from likely.stats.products import NEGLIGIBLE, STEP, WIDEST, FewMembers, Gathered, Products, height

EPS = float(np.finfo(float).eps)


def written_out(rows: Any, shares: Any) -> tuple[Any, Any, Any]:
    """Weights, means and scatter with 64-bit mantissas, every row in every group."""
    rows, shares = rows.astype(np.longdouble), shares.astype(np.longdouble)
    n = shares.sum(axis=0)
    mean = shares.T @ rows / n[:, None]
    own = rows[:, None] - mean  # (b, g, d)
    return n, mean, np.einsum("bg,bgi,bgj->gij", shares, own, own)


def clouds(n: int, d: int, g: int, apart: float) -> tuple[Any, Any]:
    """Rows around centres so many sds apart, and what Bayes' rule says of them."""
    rng = np.random.default_rng([n, d, g])
    centre, group = apart * rng.normal(size=(g, d)), rng.integers(0, g, n)
    rows = centre[group] + rng.normal(size=(n, d))
    logs = -0.5 * ((rows[:, None] - centre) ** 2).sum(axis=-1)
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return rows, shares / shares.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("apart", [0.5, 4.0, 40.0, 1e5])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(("d", "g"), [(2, 4), (16, 10), (WIDEST + 6, 5)])
def test_scatter_of_groups_at_any_distance(apart: float, order: str, d: int, g: int) -> None:
    rows, shares = clouds(700, d, g, apart)
    found = Scatter.collect(np.asarray(rows, order=order), Groups.softly(np.asfortranarray(shares)))
    n, mean, scatter = written_out(rows, shares)
    np.testing.assert_allclose(found.n, n.astype(float), rtol=1e-12)
    np.testing.assert_allclose(found.mean, mean.astype(float), rtol=1e-12, atol=1e-12)
    size = np.sqrt(np.einsum("gii->gi", scatter).astype(float))
    off = np.abs(found.scatter - scatter).astype(float) / (size[:, :, None] * size[:, None, :])
    assert off.max() <= 2e-12


@pytest.mark.parametrize("tiny", [1e-41, 1e-60, 1e-300])
@pytest.mark.parametrize("where", ["alone", "everywhere"])
def test_shares_that_are_next_to_nothing_count_where_they_are_all_there_is(tiny: float, where: str) -> None:
    """A group that has only tiny shares in this block, of some rows or of all."""
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(400, 16))
    shares = np.zeros((400, 10))
    shares[np.arange(400), rng.integers(0, 9, 400)] = 1.0
    shares[50:60, 9] = tiny
    if where == "everywhere":
        shares[shares == 0] = tiny
    found = Scatter.collect(rows, Groups.softly(np.asfortranarray(shares)))
    n, mean, scatter = written_out(rows, shares)
    np.testing.assert_allclose(found.n, n.astype(float), rtol=1e-12)
    np.testing.assert_allclose(found.mean, mean.astype(float), rtol=1e-12, atol=1e-14)
    size = np.sqrt(np.einsum("gii->gi", scatter).astype(float))
    off = np.abs(found.scatter - scatter).astype(float) / (size[:, :, None] * size[:, None, :])
    assert off.max() <= 1e-12


@pytest.mark.parametrize("spoil", ["far", "light", "constant"])
def test_what_was_left_out_is_missed_where_it_may_count(spoil: str) -> None:
    """A row far enough for a share of 1e-40, a group as light as that, or one that has no scatter else."""
    rows, shares = clouds(600, 16, 10, 40.0)
    group = shares.argmax(axis=1)
    if spoil == "far":
        rows[group == 1, 2] += 1e13
    elif spoil == "light":
        shares[group == 0] *= 1e-30
    else:
        rows[group == 0, 5] = 0.25
    few = FewMembers.of(rows, shares, 1.5)
    assert few is not None
    assert few.centred()[-1].tolist() == [True] + [spoil == "far"] * 9


def test_few_rows_are_taken_where_groups_lie_apart_and_none_where_they_overlap() -> None:
    rows, shares = clouds(STEP, 16, 10, 6.0)
    assert np.count_nonzero(shares) > 2 * STEP  # not by exact zeros alone
    found = FewMembers.of(rows, shares, 1.5)
    assert found is not None
    np.testing.assert_array_equal(found.n, np.where(shares > NEGLIGIBLE, shares, 0.0).T.sum(axis=1))
    assert FewMembers.of(*clouds(STEP, 16, 10, 0.5), 1.5) is None


def test_rows_with_gaps_are_left_out_of_groups_apart() -> None:
    rows, shares = clouds(600, 16, 10, 40.0)
    rows[::7, 3] = np.nan
    complete = ~np.isnan(rows).any(axis=1)
    whole = Scatter.gather(rows, Groups.softly(shares)).settled()
    part = Scatter.collect(rows[complete], Groups.softly(shares[complete]))
    for name in ("n", "mean", "scatter"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(part, name))


def seen_by_products(rows: Any, g: int) -> None:
    """What the E step leaves behind if it goes by the products of the columns."""
    Products.of(rows, np.zeros(rows.shape[1])).times(np.zeros((g, height(rows.shape[1], True))))


@pytest.mark.parametrize(("d", "g"), [(8, 10), (16, 10), (16, 30)])
def test_products_that_are_there_are_used_where_they_cost_less_than_to_pick_members(d: int, g: int) -> None:
    """Groups 4 sds apart: each row has one, but there are many groups and short blocks."""
    rows, shares = clouds(STEP, d, g, 4.0)
    seen_by_products(rows, g)
    assert isinstance(Scatter.gather(rows, Groups.softly(np.asfortranarray(shares))), Gathered)


@pytest.mark.parametrize("d", [8, 16])
def test_groups_that_lose_digits_by_products_are_taken_from_their_few_members(
    d: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One column in which groups lie far apart: no group is taken from the rows of all the others."""
    rng = np.random.default_rng(5)
    group = rng.integers(0, 10, STEP)
    rows = rng.normal(size=(STEP, d))
    rows[:, 0] += 60.0 * group
    shares = np.full((STEP, 10), 1e-60)
    shares[np.arange(STEP), group] = 1.0
    seen_by_products(rows, 10)
    alone: list[int] = []
    monkeypatch.setattr(Scatter, "take_alone", lambda self, group, mine, weight: alone.append(group))
    found = Scatter.gather(rows, Groups.softly(np.asfortranarray(shares))).settled()
    assert not alone
    n, mean, scatter = written_out(rows, shares)
    np.testing.assert_allclose(found.n, n.astype(float), rtol=1e-12)
    np.testing.assert_allclose(found.mean, mean.astype(float), rtol=1e-12, atol=1e-13)
    size = np.sqrt(np.einsum("gii->gi", scatter).astype(float))
    off = np.abs(found.scatter - scatter).astype(float) / (size[:, :, None] * size[:, None, :])
    assert off.max() <= 1e-12


@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("apart", [10.0, 1e6])
def test_moments_of_hard_groups_that_lie_apart_take_one_round(
    apart: float, gaps: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gaussian naive Bayes of classes so many sds apart: from a centre for each, no digit is lost."""
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 5, 4000)
    rows = rng.normal(size=(4000, 3)) + apart * codes[:, None]
    rows[rng.random(rows.shape) < gaps] = np.nan
    again: list[Any] = []
    monkeypatch.setattr(moments, "_again", lambda *arguments: again.append(arguments))
    found = Moments.collect(rows, Groups.hard(codes, 5))
    assert not again
    for group in range(5):
        mine = rows[codes == group].astype(np.longdouble)
        np.testing.assert_array_equal(found.n[group], (~np.isnan(mine)).sum(axis=0))
        np.testing.assert_allclose(
            found.mean[group], np.nanmean(mine, axis=0).astype(float), rtol=1e-14, atol=1e-14
        )
        squares = np.nansum((mine - np.nanmean(mine, axis=0)) ** 2, axis=0).astype(float)
        np.testing.assert_allclose(found.scatter[group], squares, rtol=1e-12)
