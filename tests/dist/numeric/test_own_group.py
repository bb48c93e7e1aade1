"""Rows that can be of one group only: what is said of them is what all distances say."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from likely.dist import MultivariateNormal
from likely.dist.numeric.own_group import LEFT_OUT, OwnGroup

ROWS = 500


def groups_apart(d: int, g: int, apart: float, scale: float = 1.0, offset: float = 0.0) -> Any:
    """Groups of unlike covariances and weights, and rows around their centres."""
    rng = np.random.default_rng([d, g])
    mixing = (np.eye(d) + 0.3 * rng.normal(size=(g, d, d)) / np.sqrt(d)) * rng.uniform(0.5, 2, (g, 1, 1))
    centre = (rng.normal(size=(g, d)) * apart + offset) * scale
    group = rng.integers(0, g, ROWS)
    rows = centre[group] + np.einsum("bi,bij->bj", rng.normal(size=(ROWS, d)), mixing[group]) * scale
    weights = rng.dirichlet(np.full(g, 5.0))
    return MultivariateNormal(centre, np.swapaxes(mixing, 1, 2) @ mixing * scale**2), np.log(weights), rows


@pytest.mark.parametrize("apart", [5.0, 30.0, 1e4])
@pytest.mark.parametrize(("scale", "offset"), [(1.0, 0.0), (1e-70, 0.0), (1e60, 0.0), (1.0, 1e7)])
@pytest.mark.parametrize("order", "CF")
def test_rows_of_one_group_have_no_share_in_any_other(apart: float, scale: float, offset: float, order: str):
    for d, g in product((2, 9, 30), (2, 7)):
        normal, log_weights, rows = groups_apart(d, g, apart, scale, offset)
        own = OwnGroup(normal._whole, log_weights)
        owned = own(np.asarray(rows, order=order))
        joint = normal.group_log_prob(rows) + log_weights
        assert_array_equal(np.sort([*owned.places, *owned.others]), np.arange(ROWS))
        assert_array_equal(owned.rows, rows[owned.places])
        mine = joint[owned.places]
        index = np.arange(len(mine)), owned.group
        assert_allclose(owned.log_joint, mine[index], rtol=1e-11, atol=1e-9 * (1 + offset / 1e4))
        behind = owned.log_joint[:, None] - mine
        behind[index] = np.inf
        assert behind.min(initial=np.inf) >= LEFT_OUT
        if apart >= 30 and d > 2:
            assert own.lie_apart
            assert len(owned.others) < 0.01 * len(rows)


def test_groups_that_overlap_are_said_to():
    for d, g in product((2, 9, 30), (2, 7)):
        normal, log_weights, _ = groups_apart(d, g, 1.0)
        assert not OwnGroup(normal._whole, log_weights).lie_apart
        assert normal.own_group(log_weights) is None


def test_what_is_expected_of_rows_that_are_unsure_is_no_less_than_what_is():
    """Over distances from where all rows have several groups to where none has."""
    for apart in np.geomspace(2, 10, 12):
        normal, _, rows = groups_apart(9, 7, apart)
        own = OwnGroup(normal._whole, np.full(7, -np.log(7)))
        unsure = len(own(rows).others) / len(rows)
        if own.lie_apart:  # four sds of a share of the rows
            assert unsure < 0.1 + 4 * np.sqrt(0.1 * 0.9 / ROWS)


def test_cells_that_are_missing_or_infinite_and_groups_of_no_weight_make_rows_unsure():
    normal, log_weights, rows = groups_apart(9, 3, 30.0)
    rows[0, 2], rows[1, 3], rows[2, 0] = np.nan, np.inf, -1e300
    owned = OwnGroup(normal._whole, log_weights)(rows)
    assert {0, 1, 2} <= set(owned.others.tolist())
    with np.errstate(divide="ignore"):
        without = np.log([0.0, 0.4, 0.6])
    owned = OwnGroup(normal._whole, without)(rows)
    assert 0 not in owned.group
    assert np.isfinite(owned.log_joint).all()


def test_a_single_group_and_very_many_are_left_to_the_usual_way():
    normal, _, _ = groups_apart(2, 70, 1e6)
    assert normal.own_group(np.full(70, -np.log(70))) is None
    assert normal.take([0]).own_group(np.zeros(1)) is None
