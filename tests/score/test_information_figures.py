"""Worked figures: MISSION I1, I2, F10, and information gains of the play-tennis table."""

from __future__ import annotations

import numpy as np
import pytest

import likely
from likely.score import (
    conditional_entropy_of,
    entropy,
    entropy_of,
    information,
    kl,
    mutual_information,
    mutual_information_of,
)


@pytest.fixture(scope="module")
def days():
    return likely.read("play_tennis", into="dict")


def test_a_coin_and_a_die():
    assert entropy([0.5, 0.5]) == 1
    assert entropy(np.full(6, 1 / 6)) == pytest.approx(2.585, abs=5e-4)
    assert entropy_of([1, 2, 3, 4, 5, 6]) == pytest.approx(np.log2(6))


def test_flach_table_9_2():
    assert information([0.40, 0.12, 0.60, 0.88]).round(2).tolist() == [1.32, 3.06, 0.74, 0.18]


@pytest.mark.parametrize(
    ("base", "seen", "missing"), [((0.5, 0.5), "spam", "ham"), ((0.2, 0.8), "ham", "ham")]
)
def test_the_most_probable_class_has_the_shortest_description(base, seen, missing):
    prior = information(base)
    if base[0] == 0.2:
        assert prior.round(2).tolist() == [2.32, 0.32]
    for word, expected in (([0.40, 0.12], seen), ([0.60, 0.88], missing)):
        bits = prior + information(word)
        assert ("spam", "ham")[int(bits.argmin())] == expected
        assert bits.argmin() == (np.array(base) * word).argmax()


def test_play_tennis(days):
    assert entropy_of("play", table=days) == pytest.approx(0.9403, abs=5e-5)
    for name, gain in {"outlook": 0.2467, "humidity": 0.1518, "windy": 0.0481, "temperature": 0.0292}.items():
        found = mutual_information_of("play", name, table=days)
        assert found == pytest.approx(gain, abs=6e-5), name
        left = conditional_entropy_of("play", name, table=days)
        assert found == pytest.approx(entropy_of("play", table=days) - left)


def test_the_repr_says_rows_and_bias(days):
    found = entropy_of("play", table=days)
    assert repr(found) == "0.94 bits from 14 rows; biased low by about 0.05"
    assert found.n == 14
    assert found.bias == pytest.approx(-1 / (28 * np.log(2)))
    assert found.corrected == pytest.approx(0.9403 + 0.0515, abs=1e-4)
    assert repr(mutual_information_of("play", "outlook", table=days)).endswith("biased high by about 0.05")


def test_two_booleans_that_tell_nothing_alone():
    a, b = np.array([False, False, True, True] * 2), np.array([False, True] * 4)
    target = np.where(a == b, "+", "-")
    assert mutual_information_of(target, a) == 0
    assert mutual_information_of(target, b) == 0
    product = (2 * a - 1) * (2 * b - 1)
    assert mutual_information_of(target, product) == 1
    assert mutual_information_of(target, {"a": a, "b": b}) == 1
    assert mutual_information_of(target, a, given=b) == 1


def test_closed_forms():
    # A binary symmetric channel with error e: 1 - H(e) bits.
    e = 0.11
    channel = np.array([[1 - e, e], [e, 1 - e]]) / 2
    assert mutual_information(channel) == pytest.approx(1 + e * np.log2(e) + (1 - e) * np.log2(1 - e))
    # k levels coded for m > k equal ones: log2(m / k).
    assert kl([0.5, 0.5, 0, 0], np.full(4, 0.25)) == 1
