"""Joining neighbours: the worked example step by step, SciPy's chi-squared, and a plain implementation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from likely.infer.chi_merge import chi_merge, neighbour_chi_squared

# The twelve rows in bins of one class each, but for the tie at 9: + above, - below.
BINS = np.array([[0.0, 1, 0, 2, 1, 0], [1.0, 0, 3, 0, 1, 3]])


def plainly(counts, threshold, most):
    """The pair with the least chi-squared, all computed anew each time."""
    parts = [counts[:, i] for i in range(counts.shape[1])]
    starts, told = list(range(len(parts))), []
    while len(parts) > 1:
        values = neighbour_chi_squared(np.array(parts).T)
        told.append(values)
        least = int(np.argmin(values))
        if values[least] >= threshold and (most is None or len(parts) <= most):
            break
        parts[least : least + 2] = [parts[least] + parts[least + 1]]
        del starts[least + 1]
    return starts, told


def test_the_worked_example_step_by_step():
    _, told = plainly(BINS, 2.7055, None)
    tie = 63 / 16  # printed as 3.938
    steps = [[2, 4, 5, 4 / 3, 1.875], [2, 4, tie, tie], [1.875, tie, tie], [2.7225, tie]]
    assert len(told) == len(steps)
    for values, wanted in zip(told, steps, strict=True):
        assert values == pytest.approx(wanted, abs=1e-12)


def test_expected_counts_of_the_last_pair_and_the_final_pair():
    last = np.array([[1.0, 0], [1, 3]])
    assert chi2_contingency(last, correction=False).expected_freq.ravel() == pytest.approx(
        [0.4, 0.6, 1.6, 2.4]
    )
    final = np.array([[4.0, 0], [5, 3]])
    assert neighbour_chi_squared(final) == pytest.approx([2.0])


def test_two_pure_bins_of_different_classes_have_as_much_as_rows():
    for a, b in ((1, 1), (3, 2), (2, 7)):
        assert neighbour_chi_squared(np.array([[a, 0.0], [0.0, b]])) == pytest.approx([a + b])
    assert neighbour_chi_squared(np.array([[3.0, 5.0], [0.0, 0.0]])) == pytest.approx([0])


def test_it_is_scipys():
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 9, (3, 6)).astype(float)
    theirs = [chi2_contingency(counts[:, i : i + 2], correction=False).statistic for i in range(5)]
    assert neighbour_chi_squared(counts) == pytest.approx(theirs)


@pytest.mark.parametrize("g", [2, 3])
@pytest.mark.parametrize("most", [None, 3])
def test_the_heap_does_what_the_plain_loop_does(g, most):
    rng = np.random.default_rng(4)
    for _ in range(30):
        counts = rng.integers(0, 5, (g, 15)) + 0.0
        counts[0] += counts.sum(axis=0) == 0
        assert chi_merge(counts, 4.0, most).starts.tolist() == plainly(counts, 4.0, most)[0]
