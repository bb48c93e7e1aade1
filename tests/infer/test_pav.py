"""Pool adjacent violators: against scikit-learn, and against what makes a projection one."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.isotonic import isotonic_regression

from likely.errors import LikelyError
from likely.infer import pav, pav_of_sums


@pytest.mark.parametrize("seed", range(20))
def test_as_in_sklearn(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    values, weight = rng.integers(0, 5, n) / 3, rng.integers(1, 4, n) / 7
    assert pav(values).fitted == pytest.approx(isotonic_regression(values), abs=1e-12)
    found = pav(values, weight)
    assert found.fitted == pytest.approx(isotonic_regression(values, sample_weight=weight), abs=1e-12)
    assert (np.diff(found.values) > 0).all()
    assert found.weight.sum() == pytest.approx(weight.sum())


def test_a_weight_is_so_many_times():
    values, times = np.array([3.0, 1.0, 2.0, 2.0, 5.0, 4.0]), np.array([1, 2, 1, 3, 1, 2])
    once, often = pav(values, times.astype(float)), pav(np.repeat(values, times))
    assert (np.repeat(once.fitted, times) == often.fitted).all()


def test_equal_slopes_are_one_pool():
    # 1/3 and 2/6 and 7/21 are equal, though sums of thirds in floats are not.
    pools = pav_of_sums(np.array([1.0, 2.0, 7.0, 1.0]), np.array([3.0, 6.0, 21.0, 1.0]))
    assert pools.edges.tolist() == [0, 3, 4]
    assert pools.values.tolist() == [1 / 3, 1.0]


def test_places_without_weight_join_the_pool_before():
    pools = pav(np.array([9.0, 1.0, -5.0, 2.0, 7.0]), np.array([0.0, 1.0, 0.0, 1.0, 0.0]))
    assert pools.fitted.tolist() == [1, 1, 1, 2, 2]


def test_a_slow_climb_after_a_peak():
    """The order in which simple pooling needs as many rounds as there are values."""
    values = np.concatenate([[1e6], np.arange(3000.0)])
    assert pav(values).fitted == pytest.approx(isotonic_regression(values), abs=1e-9)


@pytest.mark.parametrize(
    ("values", "weight"),
    [([np.nan], None), ([np.inf, 1], None), ([1], [-1.0]), ([1], [0.0]), ([1e300, 1e300], [1e10, 1e10])],
    ids=["nan", "infinite", "negative weight", "no weight", "overflow"],
)
def test_what_cannot_be_pooled_is_refused(values, weight):
    with pytest.raises(LikelyError, match="pav needs"):
        pav(np.array(values, float), None if weight is None else np.array(weight))
