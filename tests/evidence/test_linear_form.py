"""The linear form agrees with the evidence that it was made from."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from likely.errors import LikelyError
from likely.evidence import linear_form

P1, P0 = np.array([0.8, 0.5, 0.01]), np.array([0.2, 0.25, 0.01])
FORM = linear_form(P1, P0, 0.3, ("a", "b", "c"), ("yes", "no"), "pandas")


def test_equals_the_sum_of_evidence_for_every_row():
    for x in product((0, 1), repeat=3):
        seen = np.array(x)
        likelihoods = [np.where(seen, p, 1 - p).prod() for p in (P1, P0)]
        expected = 0.3 + math.log(likelihoods[0] / likelihoods[1])
        assert FORM.decision(seen) == pytest.approx(expected, abs=1e-12)


def test_weights_and_bias():
    np.testing.assert_allclose(FORM.weights, [math.log(16), math.log(3), 0.0], atol=1e-15)
    assert FORM.bias == pytest.approx(0.3 + math.log(0.25) + math.log(2 / 3), abs=1e-15)


def test_decision_of_many_rows_dense_and_sparse():
    x = np.array([[1, 0, 1], [0, 0, 0]])
    expected = [FORM.bias + FORM.weights[0] + FORM.weights[2], FORM.bias]
    np.testing.assert_allclose(FORM.decision(x), expected, atol=1e-15)
    np.testing.assert_allclose(FORM.decision(csr_array(x)), expected, atol=1e-15)


def test_text_and_frame():
    assert str(FORM) == (
        "yes against no: log-odds = bias + the weights of what is true\n"
        "\n"
        "bias  -1.49      ▐█████│\n"
        "a     +2.77            │██████████\n"
        "b     +1.10            │████\n"
        "c      0.00            │"
    )
    frame = FORM.to_frame()
    assert frame["name"].tolist() == ["bias", "a", "b", "c"]
    assert frame["weight"].tolist() == [FORM.bias, *FORM.weights]


@pytest.mark.parametrize("p", [0.0, 1.0, math.nan, 1.5])
def test_what_is_impossible_has_no_weight(p: float):
    with pytest.raises(LikelyError, match=r"feature 'b' has P\(true\) = .* in 'no'.*prior"):
        linear_form([0.5, 0.5], [0.5, p], 0.0, ("a", "b"), ("yes", "no"))


def test_wrong_shapes_and_missing_values():
    with pytest.raises(LikelyError, match="one for each of 2 names"):
        linear_form([0.5], [0.5], 0.0, ("a", "b"), ("yes", "no"))
    with pytest.raises(LikelyError, match="give 3 columns"):
        FORM.decision([[1, 0]])
    with pytest.raises(LikelyError, match="missing"):
        FORM.decision([[1, 0, math.nan]])
