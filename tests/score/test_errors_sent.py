"""The bits of wrong answers, by SPEC's figures and by the evidence of a coin."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betaln

from likely import LikelyError
from likely.score import error_bits


@pytest.mark.parametrize(("wrong", "n", "bits"), [(10, 100, 50.634908), (3, 14, 12.414685), (2, 8, 7.977280)])
def test_worked_figures(wrong, n, bits):
    assert error_bits(wrong, n) == pytest.approx(bits, abs=5e-7)
    assert error_bits(wrong, n) == pytest.approx(-betaln(wrong + 1, n - wrong + 1) / np.log(2), abs=1e-9)
    assert error_bits(wrong, n, way="count") == wrong


@pytest.mark.parametrize("wrong", [0, 1, 700, 5000])
def test_long_tables_and_other_classes(wrong):
    assert error_bits(wrong, 5000) == pytest.approx(-betaln(wrong + 1, 5001 - wrong) / np.log(2), rel=1e-9)
    more = error_bits(wrong, 5000, classes=5) - error_bits(wrong, 5000)
    assert more == pytest.approx(2 * wrong)


def test_refused():
    with pytest.raises(LikelyError, match="wrong=3 of n=2"):
        error_bits(3, 2)
    with pytest.raises(LikelyError, match="way='guess'"):
        error_bits(1, 2, way="guess")
