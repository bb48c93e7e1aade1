"""Rows that count for more or less than one, and outcomes in words."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

import likely
from likely import LikelyError

SHOWN = {"page": ["a"] * 4 + ["b"] * 3, "bought": [1, 0, 0, 1, 0, 1, 1], "w": [2, 1, 0.5, 0.25, 1, 3, 1.5]}


def test_weights_are_counts_also_fractional_ones():
    """The posterior of a rate is Beta(1 + weight of hits, 1 + weight of misses)."""
    seen = likely.compare.groups(SHOWN, "bought", "page", weight="w")
    told = seen.to_frame()
    for place, (hits, misses) in enumerate([(2.25, 1.5), (4.5, 1.0)]):
        assert told["n"][place] == hits + misses
        assert told["mean"][place] == pytest.approx((1 + hits) / (2 + hits + misses), rel=1e-12)
        interval = told["lower"][place], told["upper"][place]
        assert interval == pytest.approx(beta(1 + hits, 1 + misses).interval(0.9), rel=1e-6)


def test_a_row_of_weight_two_is_the_row_twice():
    twice = {name: np.repeat(np.array(cells)[:,], [2, 1, 1, 3, 1, 2, 1]) for name, cells in SHOWN.items()}
    by_weight = likely.compare.groups(SHOWN, "bought", "page", weight=np.array([2, 1, 1, 3, 1, 2, 1]))
    by_rows = likely.compare.groups(twice, "bought", "page")
    np.testing.assert_allclose(by_weight.prob_best, by_rows.prob_best, rtol=1e-12)
    assert str(by_weight) == str(by_rows)


def test_weights_that_are_none_are_refused():
    with pytest.raises(LikelyError, match="weights are numbers of 0 or more"):
        likely.compare.groups(SHOWN, "bought", "page", weight=[-1.0] * 7)


def test_yes_is_the_success_of_an_outcome_in_words():
    words = {**SHOWN, "bought": ["Yes" if hit else "No" for hit in SHOWN["bought"]]}
    ours, theirs = (likely.compare.groups(table, "bought", "page") for table in (words, SHOWN))
    assert str(ours) == str(theirs)
