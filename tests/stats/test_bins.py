"""Bins: every number is in one, equal numbers in the same, and the counts add up."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.errors import LikelyError
from likely.stats.bins import (
    bin_codes,
    counts_between,
    equal_frequency,
    equal_frequency_starts,
    equal_width_codes,
)

some_counts = st.lists(st.integers(1, 50), min_size=1, max_size=40).map(np.array)


@given(some_counts, st.integers(1, 20))
def test_bins_of_equal_weight_hold_every_value_once(counts, bins):
    ends = equal_frequency(counts.astype(float), bins)
    assert ends[0] == 0
    assert ends[-1] == len(counts)
    assert (np.diff(ends) > 0).all()
    assert len(ends) - 1 <= bins
    assert np.array_equal(ends, equal_frequency(7.0 * counts, bins))  # proportions alone count


@given(some_counts, st.integers(1, 20))
def test_a_value_that_fills_a_bin_is_alone_in_it(counts, bins):
    starts = equal_frequency_starts(counts, bins)
    edges = [0, *starts.tolist(), len(counts)]
    assert (np.diff(edges) > 0).all()
    for low, high in pairwise(edges):
        inside = counts[low:high]
        assert high - low == 1 or inside.sum() <= 2 * counts.sum() / bins


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=30))
def test_counts_between_edges_are_those_of_numpy(values):
    distinct, counts = np.unique(values, return_counts=True)
    edges = np.linspace(-5, 5, 7)
    assert counts_between(distinct, counts, edges).tolist() == np.histogram(values, edges)[0].tolist()


def test_a_number_at_an_edge_is_in_the_bin_above():
    numbers = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0])
    inner = bin_codes(np.array([0.0, 1.0, 2.0]), numbers)
    assert inner.tolist() == [0, 1, 1, 2, 3, 3]
    assert equal_width_codes(-1.0, 1.0, 4, numbers).tolist() == inner.tolist()


@pytest.mark.parametrize("bins", [0, -1, 2.5, True, "4"])
def test_the_number_of_bins_is_checked(bins):
    with pytest.raises(LikelyError, match="whole number of 1 or more"):
        equal_frequency(np.ones(3), bins)
