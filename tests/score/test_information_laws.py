"""Laws of information, by random tables; and agreement with SciPy and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from seeds import examples
from sklearn.metrics import mutual_info_score

from likely.score import (
    conditional_entropy,
    conditional_entropy_of,
    entropy,
    entropy_of,
    kl,
    kl_of,
    mutual_information,
    mutual_information_of,
)

steady = settings(derandomize=True, deadline=None, max_examples=examples(80))
close = {"rel": 1e-12, "abs": 1e-12}


def joint_tables(axes: int):
    """Joint tables of 1 to 4 levels an axis, with zeros now and then, and very uneven at times."""

    def draw(seed: int, shape: list[int], uneven: float) -> np.ndarray:
        rng = np.random.default_rng(seed)
        cells = rng.gamma(uneven, size=shape) * (rng.random(shape) < 0.8)
        cells.flat[rng.integers(cells.size)] += 1
        return cells / cells.sum()

    sizes = st.lists(st.integers(1, 4), min_size=axes, max_size=axes)
    return st.builds(draw, st.integers(0, 2**32), sizes, st.sampled_from([0.02, 0.5, 5.0]))


@st.composite
def columns(draw):
    """Three columns of codes and a weight, the second and the third with a hint of the first."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, k = draw(st.integers(1, 60)), draw(st.integers(1, 5))
    x = rng.integers(k, size=n)
    y, z = (np.where(rng.random(n) < 0.5, x, rng.integers(k, size=n)) for _ in range(2))
    return x, y, z, rng.integers(1, 4, size=n)


@steady
@given(joint_tables(2))
def test_two_variables(p):
    rows, cols = p.sum(axis=1), p.sum(axis=0)
    told = mutual_information(p)
    assert told >= 0
    assert entropy(p) == pytest.approx(entropy(rows) + conditional_entropy(p, given=0), **close)
    assert told == pytest.approx(entropy(cols) - conditional_entropy(p, given=0), **close)
    assert told == pytest.approx(kl(p, np.outer(rows, cols)), **close)
    assert told == pytest.approx(mutual_information(p.T), **close)
    assert entropy(rows) <= np.log2(len(rows)) + 1e-12
    # H(columns | rows) is the entropy of each row, weighed.
    weighed = sum(w * entropy(row / w) for w, row in zip(rows, p, strict=True) if w > 0)
    assert conditional_entropy(p, given=0) == pytest.approx(weighed, rel=1e-9, abs=1e-12)


@steady
@given(joint_tables(3))
def test_three_variables(p):
    told = mutual_information(p, given=2)
    # I(x; y | z) is the information in each slice, weighed.
    slices = [(w, p[..., i] / w) for i, w in enumerate(p.sum(axis=(0, 1))) if w > 0]
    assert told == pytest.approx(sum(w * mutual_information(q) for w, q in slices), rel=1e-9, abs=1e-11)
    # I(x; y, z) = I(x; z) + I(x; y | z)
    together = mutual_information(p.reshape(len(p), -1))
    assert together == pytest.approx(mutual_information(p.sum(axis=1)) + told, **close)
    assert conditional_entropy(p, given=(1, 2)) <= conditional_entropy(p.sum(axis=2), given=1) + 1e-12
    assert conditional_entropy(p, given=-1) == pytest.approx(
        entropy(p) - entropy(p.sum(axis=(0, 1))), **close
    )


@steady
@given(joint_tables(2), st.integers(0, 2**32))
def test_processing_adds_no_information(p, seed):
    rng = np.random.default_rng(seed)
    channel = rng.dirichlet(np.full(3, 0.3), size=p.shape[1])  # P(z | y)
    assert mutual_information(p @ channel) <= mutual_information(p) + 1e-12


@steady
@given(joint_tables(1), st.integers(0, 2**32))
def test_divergence_against_scipy(p, seed):
    q = np.random.default_rng(seed).dirichlet(np.ones(len(p)))
    assert kl(p, q) >= 0
    assert kl(p, p) == 0
    assert kl(p, q) == pytest.approx(scipy.stats.entropy(p, q, base=2), **close)
    assert entropy(p) == pytest.approx(scipy.stats.entropy(p, base=2), **close)


@steady
@given(columns())
def test_columns_are_their_table_of_frequencies(lot):
    x, y, z, _ = lot
    k = max(map(np.max, (x, y, z))) + 1
    p = np.zeros((k, k, k))
    np.add.at(p, (x, y, z), 1 / len(x))
    pair = p.sum(axis=2)
    assert entropy_of(x) == pytest.approx(entropy(pair.sum(axis=1)), **close)
    assert entropy_of({"x": x, "y": y, "z": z}) == pytest.approx(entropy(p), **close)
    assert conditional_entropy_of(x, y) == pytest.approx(conditional_entropy(pair, given=1), **close)
    assert mutual_information_of(x, y) == pytest.approx(mutual_information(pair), **close)
    assert mutual_information_of(x, y, z) == pytest.approx(mutual_information(p, given=2), **close)
    assert mutual_information_of(x, y) == pytest.approx(mutual_info_score(x, y) / np.log(2), **close)
    if set(x) <= set(y):
        assert kl_of(x, y) == pytest.approx(kl(pair.sum(axis=1), pair.sum(axis=0)), **close)
    else:
        assert kl_of(x, y) == np.inf


@steady
@given(columns())
def test_a_row_of_weight_two_is_the_row_twice(lot):
    x, y, z, weight = lot
    rows = np.repeat(np.arange(len(x)), weight)
    for weighed, repeated in (
        (entropy_of(x, weight=weight), entropy_of(x[rows])),
        (conditional_entropy_of(x, y, weight=weight), conditional_entropy_of(x[rows], y[rows])),
        (mutual_information_of(x, y, z, weight=weight), mutual_information_of(x[rows], y[rows], z[rows])),
        (kl_of(x, x, weight=weight), kl_of(x[rows], x)),
    ):
        assert weighed == pytest.approx(repeated, **close)
        assert weighed.n == repeated.n
        assert weighed.bias == pytest.approx(repeated.bias, **close)


@steady
@given(columns())
def test_order_of_rows_and_names_of_levels_are_irrelevant(lot):
    x, y, _, weight = lot
    order = np.random.default_rng(0).permutation(len(x))
    named = [f"level {9 - code}" for code in x[order]]
    found = mutual_information_of(named, y[order], weight=weight[order])
    assert found == pytest.approx(mutual_information_of(x, y, weight=weight), **close)


def test_the_bias_is_what_repeated_samples_show():
    """Means of 2000 estimates from 60 rows are off by their standard error, and the bias of second order.

    Four standard errors are missed by chance in 1 of 16,000 cases; there are 4 cases.
    """
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.full(6, 4.0)).reshape(2, 3)
    q = p.sum(axis=1)[::-1]
    truth = np.array(
        [entropy(p), conditional_entropy(p, given=0), mutual_information(p), kl(p.sum(axis=1), q)]
    )
    found, corrected = np.empty((2, 2000, 4))
    for i in range(2000):
        x, y = np.divmod(rng.choice(6, size=60, p=p.ravel()), 3)
        bits = [
            entropy_of({"x": x, "y": y}),
            conditional_entropy_of(y, x),
            mutual_information_of(x, y),
            kl_of(x, rng.choice(2, size=60, p=q)),
        ]
        found[i], corrected[i] = bits, [b.corrected for b in bits]
    off = 4 * corrected.std(axis=0) / np.sqrt(2000) + 0.002
    assert (np.abs(corrected.mean(axis=0) - truth) < off).all()
    assert (np.abs(found.mean(axis=0) - truth) > off).all()
