"""The E step of groups that lie apart: rows of one group are counted once, and the sums stay the same."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import likely
from likely.dist import MultivariateNormal
from likely.engine import Memory
from likely.models.mixture.e_step import LONG, Hidden
from likely.stats.products import STEP
from likely.table.frame import Frame

N = LONG * STEP + 3000


@cache
def apart(shape: str = "full", gaps: bool = False) -> tuple[Any, Any, Any]:
    """A mixture of groups apart after few iterations, its table, and the group of each row."""
    rng = np.random.default_rng(3)
    group = rng.integers(0, 4, N)
    X = rng.normal(size=(N, 6)) * (1 + group[:, None] / 4) + 30 * rng.normal(size=(4, 6))[group]
    X[rng.random(N) < 0.01] = rng.normal(size=6) * 20  # rows that may be of several
    if gaps:
        X[rng.random(X.shape) < 0.002] = np.nan
    model = likely.Mixture(4, covariance=shape, init=np.eye(4)[group], max_iter=2, tol=0).fit(X)
    return model.record_, Frame.of(X), group


def both(record: Any, frame: Any, **options: Any) -> list[Any]:
    """Tally and objective by single groups, and in the usual way."""
    hidden = Hidden(record.blocks(frame), frame.n, **options)
    own = record.core.own_group()
    assert own is not None
    usual = hidden._expect(record, None)
    quick = hidden._expect(record, own)
    assert hidden.expect(record)[1] != -np.inf
    return [(each.tally.settled(), each.log_likelihood) for each in (quick, usual)]


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("shape", ["full", "tied"])
def test_sums_are_those_of_all_distances(shape: str, gaps: bool, weighed: bool, hard: bool):
    record, frame, _ = apart(shape, gaps)
    weight = np.random.default_rng(0).integers(0, 3, N).astype(float) if weighed else None
    (quick, reached), (usual, level) = both(record, frame, weight=weight, hard=hard, engine=Memory(2))
    assert_allclose(reached, level, rtol=1e-13)
    assert_allclose(quick.groups, usual.groups, rtol=1e-13)
    for mine, theirs in zip(quick.parts, usual.parts, strict=True):
        for name, array in theirs.statistic._arrays().items():
            if name != "mean_rest":
                size = np.abs(array).max()
                assert_allclose(getattr(mine.statistic, name), array, rtol=1e-11, atol=1e-13 * size)


def test_a_group_that_has_lost_its_rows_keeps_what_little_it_has():
    """Its shares are all below what is left out elsewhere: then nothing is left out."""
    record, frame, _ = apart()
    part = record.parts[0]
    moved = part.distribution.mean + 0.0
    moved[3] = moved[2] + 28.0  # far from all rows: shares of 1e-100 and less
    far = part.with_distribution(MultivariateNormal(moved, part.distribution.covariance))
    core = replace(record.core, parts=(far,))
    record = replace(record)
    record.__dict__["core"] = core
    hidden = Hidden(record.blocks(frame), frame.n)
    assert core.own_group() is not None
    tally, _ = hidden.expect(record)
    usual = hidden._expect(record, None).tally.settled()
    assert 0 < usual.groups[3] < 1e-40
    assert_allclose(tally.groups, usual.groups, rtol=1e-12)
    assert_allclose(tally.parts[0].statistic.mean, usual.parts[0].statistic.mean, rtol=1e-9)


def test_labels_and_several_parts_go_the_usual_way():
    record, frame, group = apart()
    hidden = Hidden(record.blocks(frame), frame.n, label=group, allowed=np.eye(4, dtype=bool)[::-1])
    tally, level = hidden.expect(record)
    assert_allclose(tally.groups, np.bincount(group)[::-1])
    assert np.isfinite(level)
    both_kinds = likely.Mixture(2, random_state=0).fit({"x": np.arange(40.0) % 7, "s": list("ab") * 20})
    assert both_kinds.record_.core.own_group() is None


def test_the_whole_fit_is_the_same_on_any_number_of_threads():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(N, 5)) + 12 * rng.normal(size=(3, 5))[rng.integers(0, 3, N)]
    fits = [likely.Mixture(3, random_state=0, max_iter=20, n_jobs=k).fit(X) for k in (1, 2)]
    assert fits[0].record_.core.own_group() is not None
    assert fits[0].history_ == fits[1].history_
    assert_allclose(fits[0].means_, fits[1].means_, rtol=0)
