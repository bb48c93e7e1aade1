"""Whole numbers that do not hang on the last digits of probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from likely.codes.rows.frequencies import DIGITS, LEAST, SCALE, Exceptions, whole_frequencies


def _random(n):
    rng = np.random.default_rng(0)
    return rng.dirichlet(np.full(4, 0.3), n)


def test_they_are_the_probabilities_but_for_rounding():
    p = np.maximum(_random(20_000), LEAST)
    whole = whole_frequencies(p, Exceptions())
    assert np.abs(whole / 2.0**SCALE / p - 1).max() <= 2.0**-DIGITS
    assert (whole >= 1).all()


@pytest.mark.parametrize("error", [1e-13, 1e-12, 5e-12, 7e-12])
def test_another_machine_comes_to_the_same(error):
    rng = np.random.default_rng(1)
    p = _random(200_000)
    # Among them such as lie just where rounding turns.
    middle = (np.arange(2**16, 2**16 + 1000) + 0.5) / 2.0**DIGITS
    p.ravel()[:1000] = middle
    p.ravel()[1000:2000] = middle * (1 + 1e-12)
    written = Exceptions()
    here = whole_frequencies(p, written)
    there = whole_frequencies(
        p * (1 + error * rng.uniform(-1, 1, p.shape)), Exceptions(written.ways, written=False)
    )
    assert len(written.ways) >= 2000
    assert (here == there).all()


def test_exceptions_are_rare():
    written = Exceptions()
    whole_frequencies(_random(250_000), written)
    assert len(written.ways) <= 15  # about two in a million of a million


def test_exceptions_keep_their_places_over_several_tables():
    rng = np.random.default_rng(2)
    middle = (rng.integers(2**16, 2**17, (3, 500)) + 0.5) / 2.0**DIGITS
    # At the edge of what counts as near, so that those who read see others near than those who wrote.
    middle *= 1 + rng.uniform(-2, 2, middle.shape) * 2.0**-37
    written, read = Exceptions(), Exceptions({}, written=False)
    here = [whole_frequencies(p, written) for p in middle]
    read.ways = written.ways
    there = [whole_frequencies(p * (1 + 5e-12 * rng.uniform(-1, 1, p.shape)), read) for p in middle]
    assert 100 < len(written.ways) < 1500
    assert all((a == b).all() for a, b in zip(here, there, strict=True))
