"""Bayes' rule, against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seeds import examples

from likely.dist.numeric.logs import powers
from likely.infer import bayes_rule

EPS = float(np.finfo(float).eps)
steady = settings(derandomize=True, deadline=None, max_examples=examples(80))


@st.composite
def joints(draw):
    """A joint distribution of rows and groups in whole numbers, (n, g), some of them 0."""
    n, g = draw(st.integers(0, 5)), draw(st.integers(1, 5))
    return [[draw(st.integers(0, 10**6)) for _ in range(g)] for _ in range(n)], n, g


def log(numbers):
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(numbers, float))


@steady
@given(joints())
def test_posterior_and_evidence_are_those_of_exact_fractions(joint):
    cells, n, g = joint
    log_posterior, log_evidence = bayes_rule(log(cells).reshape(n, g))
    assert log_posterior.shape == (n, g)
    assert log_evidence.shape == (n,)
    for i, row in enumerate(cells):
        whole = sum(row)
        if whole == 0:
            assert log_evidence[i] == -np.inf
            assert np.isnan(log_posterior[i]).all()
            continue
        assert np.exp(log_evidence[i]) == pytest.approx(whole, rel=1e-13)
        exact = [float(Fraction(cell, whole)) for cell in row]
        np.testing.assert_allclose(np.exp(log_posterior[i]), exact, rtol=1e-13, atol=0)


@steady
@given(joints(), st.floats(-1e6, 1e6))
def test_a_common_factor_is_evidence_and_no_posterior(joint, shift):
    cells, n, g = joint
    log_joint = log(cells).reshape(n, g) + 0.0
    plain, moved = bayes_rule(log_joint), bayes_rule(log_joint + shift)
    tolerance = 4 * EPS * (abs(shift) + 20)  # what adding the shift rounded off the input
    np.testing.assert_allclose(moved[0], plain[0], rtol=1e-14, atol=tolerance)
    np.testing.assert_allclose(moved[1], plain[1] + shift, rtol=1e-14, atol=tolerance)


def test_a_diagnostic_test_twice():
    """Prior .008, sensitivity .98, specificity .97 (MISSION P2)."""
    prior, positive = np.array([0.008, 0.992]), np.array([0.98, 0.03])
    joint = prior * positive
    np.testing.assert_allclose(joint, [0.00784, 0.02976], rtol=1e-14)
    log_posterior, log_evidence = bayes_rule(np.log(joint)[None])
    assert np.exp(log_posterior[0, 0]) == pytest.approx(49 / 235, rel=1e-14)
    assert round(float(np.exp(log_posterior[0, 0])), 4) == 0.2085
    assert np.exp(log_evidence[0]) == pytest.approx(0.0376, rel=1e-14)
    assert log_posterior.argmax() == 1  # MAP: no disease
    assert positive.argmax() == 0  # ML: disease

    once_more, _ = bayes_rule(log_posterior + np.log(positive))
    sick, well = Fraction(8, 1000) * Fraction(98, 100) ** 2, Fraction(992, 1000) * Fraction(3, 100) ** 2
    assert np.exp(once_more[0, 0]) == pytest.approx(float(sick / (sick + well)), rel=1e-14)
    assert round(float(np.exp(once_more[0, 0])), 4) == 0.8959
    at_once, _ = bayes_rule(np.log(prior * positive**2)[None])
    np.testing.assert_allclose(once_more, at_once, rtol=1e-13)


@pytest.mark.parametrize("level", [0.0, -1e5, 1e5, -1e300])
def test_extreme_logs_keep_the_posterior(level):
    """Posteriors add up to 1 to the last bit or so, whatever digits the level has cost the input."""
    log_joint = level + np.array([[0.0, 1.0, 2.5], [0.0, 0.0, -np.inf]])
    log_posterior, log_evidence = bayes_rule(log_joint)
    np.testing.assert_allclose(np.exp(log_posterior).sum(axis=1), 1.0, rtol=4 * EPS)
    own = log_joint - log_joint.max(axis=1, keepdims=True)
    total = np.log(np.exp(own).sum(axis=1))
    np.testing.assert_allclose(log_posterior, own - total[:, None], rtol=1e-15, atol=1e-15)
    np.testing.assert_allclose(log_evidence, log_joint.max(axis=1) + total, rtol=1e-15)


def test_groups_far_apart():
    log_posterior, log_evidence = bayes_rule(np.array([[-1e5, 0.0], [-np.inf, -1e5], [-3e5, -1e5]]))
    np.testing.assert_array_equal(log_posterior, [[-1e5, 0.0], [-np.inf, 0.0], [-2e5, 0.0]])
    np.testing.assert_array_equal(log_evidence, [0.0, -1e5, -1e5])


def test_an_impossible_row_has_no_posterior_and_harms_no_other():
    log_posterior, log_evidence = bayes_rule(np.array([[-np.inf, -np.inf], np.log([0.3, 0.1])]))
    assert np.isnan(log_posterior[0]).all()
    assert log_evidence[0] == -np.inf
    np.testing.assert_allclose(np.exp(log_posterior[1]), [0.75, 0.25], rtol=1e-15)
    np.testing.assert_allclose(np.exp(log_evidence[1]), 0.4, rtol=1e-15)


def test_one_group_is_certain():
    log_posterior, log_evidence = bayes_rule(np.array([[-7.25], [3.0], [-1e5]]))
    np.testing.assert_array_equal(log_posterior, np.zeros((3, 1)))
    np.testing.assert_array_equal(log_evidence, [-7.25, 3.0, -1e5])


@pytest.mark.parametrize("g", [0, 1, 3])
def test_no_rows(g):
    log_posterior, log_evidence = bayes_rule(np.zeros((0, g)))
    assert log_posterior.shape == (0, g)
    assert log_evidence.shape == (0,)


def test_the_input_is_left_alone():
    log_joint = np.log([[0.2, 0.3]])
    kept = log_joint.copy()
    bayes_rule(log_joint)
    np.testing.assert_array_equal(log_joint, kept)


@pytest.mark.parametrize("shift", [0.0, 255.0, -255.0, 300.0, -300.0, 1e4, -1e4])
def test_what_may_be_written_over_says_the_same(shift):
    """With and without an anchor, and wherever a row has no chance or a group none at all."""
    joint = np.random.default_rng(0).normal(size=(50, 4)) * 20 + shift
    joint[3, 1:] = -np.inf
    joint[:, 2] = -np.inf
    posterior, evidence = bayes_rule(joint)
    again, same = bayes_rule(joint.copy(), log=False, spare=True)
    np.testing.assert_allclose(again, np.exp(posterior), rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(same, evidence, rtol=1e-14, atol=1e-13)


def test_powers_have_all_their_digits_or_are_nothing():
    """Numbers below 2.2e-308 have fewer digits, and take processors many times as long."""
    logs = np.concatenate([np.linspace(-2000, 700, 5000), [-np.inf, np.nan, 0.0]])
    found = powers(logs)
    np.testing.assert_array_equal(found, np.where(logs < -700, 0.0, np.exp(logs)))
    np.testing.assert_array_equal(powers(logs.copy(), out=logs), found)
    apart = np.stack([np.zeros(3000), np.linspace(-800, -600, 3000)], axis=1)
    posterior, evidence = bayes_rule(apart, log=False)
    assert ((posterior == 0) | (posterior >= np.finfo(float).tiny)).all()
    np.testing.assert_allclose(posterior, np.exp(apart), rtol=1e-13, atol=1e-304)
    np.testing.assert_array_equal(evidence, 0.0)
