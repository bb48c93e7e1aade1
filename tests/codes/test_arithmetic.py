from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import gammaln

import likely
from likely import codes

MESSAGE = "abaccbaabc"


def test_worked_figures() -> None:
    code = codes.arithmetic({"a": 0.4, "b": 0.3, "c": 0.3})
    assert code.information(MESSAGE) == pytest.approx(15.709506, abs=5e-7)
    assert code.encode(MESSAGE) == "0011010010011110"
    assert codes.adaptive("abc").prob(MESSAGE) == Fraction(1, 277200)
    assert codes.adaptive("abc").information(MESSAGE) == pytest.approx(18.080568, abs=5e-7)
    half = codes.adaptive("abc", pseudo_count=0.5)
    assert half.prob(MESSAGE) == Fraction(5, 2909907)
    assert half.information(MESSAGE) == pytest.approx(19.150614, abs=5e-7)
    spam, ham = codes.arithmetic([0.3, 0.5, 0.2]), codes.arithmetic([0.6, 0.2, 0.2])
    assert spam.encode([0, 0, 0, 1]) == "00000011"
    assert ham.encode([0, 0, 0, 1]) == "001001"
    assert spam.information([0, 0, 0, 1]) == pytest.approx(6.210897, abs=5e-7)
    assert ham.information([0, 0, 0, 1]) == pytest.approx(4.532825, abs=5e-7)


def test_adaptive_bits_are_the_evidence_in_any_order() -> None:
    rng = np.random.default_rng(0)
    for pseudo in (0.25, 1, 3):
        message = rng.choice(4, 40, p=[0.6, 0.3, 0.1, 0])
        n = np.bincount(message, minlength=4)
        a = np.full(4, float(pseudo))
        nats = gammaln(a.sum()) - gammaln(a.sum() + n.sum()) + (gammaln(a + n) - gammaln(a)).sum()
        code = codes.adaptive(range(4), pseudo)
        assert code.information(message.tolist()) == pytest.approx(-nats / math.log(2), rel=1e-12)
        assert code.prob(message.tolist()) == code.prob(sorted(message.tolist()))


@pytest.mark.parametrize("seed", range(40))
def test_laws(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 8))
    p = rng.dirichlet(np.full(k, rng.choice([0.05, 1.0])))
    p[p < 1e-9] = 0
    p /= p.sum()
    code = codes.arithmetic(p) if seed % 2 else codes.adaptive(range(k), 0.5)
    message = rng.choice(k, int(rng.integers(0, 80)), p=p).tolist()
    word = code.encode(message)
    assert code.decode(word, len(message)) == message
    bits = code.information(message)
    assert len(word) <= math.ceil(bits - 1e-9) + 1
    # The shortest: the interval of no shorter row of bits lies inside the message's.
    low, width, whole = code._interval(message)
    for length in range(len(word)):
        first = -(-(low << length) // whole)
        assert (first + 1) * whole > (low + width) << length
    # Whatever bits follow, it stays the same message.
    assert code.decode(word + "".join(rng.choice(["0", "1"], 5)), len(message)) == message


def test_below_one_bit_a_symbol() -> None:
    code = codes.arithmetic({"well": 0.992, "ill": 0.008})
    message = ["well"] * 500
    assert code.information(message) == pytest.approx(-500 * math.log2(0.992))  # 5.79
    assert len(code.encode(message)) == 6
    assert len(codes.huffman({"well": 0.992, "ill": 0.008}).encode(message)) == 500


def test_probabilities_are_taken_as_written() -> None:
    assert codes.arithmetic([0.1, 0.2, 0.7]).prob([0, 1, 2]) == Fraction(14, 1000)


def test_one_symbol_takes_no_bits() -> None:
    code = codes.arithmetic({"x": 1.0})
    assert code.encode("xxx") == ""
    assert code.decode("", 3) == ["x"] * 3
    assert codes.adaptive("abc").encode("") == ""


def test_refusals() -> None:
    code = codes.arithmetic({"a": 0.5, "b": 0.5})
    with pytest.raises(likely.LikelyError, match="row of 0 and 1"):
        code.decode("0a", 1)
    with pytest.raises(likely.LikelyError, match="word of no message of 3 symbols"):
        code.decode("01", 3)
    with pytest.raises(likely.LikelyError, match="number of symbols"):
        code.decode("01", -1)
    with pytest.raises(likely.LikelyError, match="each symbol once"):
        codes.adaptive("aa")
    with pytest.raises(likely.LikelyError, match="pseudo_count=0"):
        codes.adaptive("ab", 0)
