"""Worked examples of information and description length."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.textbook.example import worked
from likely.textbook.step import Step


@worked(
    "I1",
    "Flach table 9.2",
    "Information content in bits",
    data="A coin, a die, and the probabilities .40, .12, .60 and .88 of a word in spam and ham.",
    steps=(
        Step("coin", 1.0, "1"),
        Step("die", float(np.log2(6)), "2.585"),
        Step(
            "-log2 of .40, .12, .60, .88", tuple(-np.log2([0.40, 0.12, 0.60, 0.88])), "1.32, 3.06, .74, .18"
        ),
    ),
)
def _bits() -> dict[str, Any]:
    from likely import score

    return {
        "coin": score.entropy([1 / 2, 1 / 2]),
        "die": score.entropy([1 / 6] * 6),
        "-log2 of .40, .12, .60, .88": score.information([0.40, 0.12, 0.60, 0.88]),
    }


@worked(
    "I2",
    "Flach",
    "The most probable class has the shortest description",
    data="P(Viagra | spam) = .40, P(Viagra | ham) = .12; spam and ham alike, or ham four times as common.",
    steps=(
        Step("alike, Viagra", "spam", "spam"),
        Step("alike, no Viagra", "ham", "ham"),
        Step("bits of spam and of ham", (np.log2(5), np.log2(5 / 4)), "2.32, .32"),
        Step("ham common, Viagra: bits of both", (-np.log2(0.2 * 0.4), -np.log2(0.8 * 0.12))),
        Step("ham common, Viagra", "ham", "ham"),
    ),
    notes="Of n messages the k errors cost log2 C(n, k) bits together, not one bit each (Flach p.294).",
)
def _shortest() -> dict[str, Any]:
    from likely import hypotheses

    word = {"spam": {1: 0.40, 0: 0.60}, "ham": {1: 0.12, 0: 0.88}}
    alike = hypotheses.Space({"spam": 0.5, "ham": 0.5}, word)
    common = hypotheses.Space({"spam": 0.2, "ham": 0.8}, word).update([1]).description()
    return {
        "alike, Viagra": alike.update([1]).description().shortest,
        "alike, no Viagra": alike.update([0]).description().shortest,
        "bits of spam and of ham": common.of_hypothesis,
        "ham common, Viagra: bits of both": common.total,
        "ham common, Viagra": common.shortest,
    }


@worked(
    "F10",
    "Flach ch. 10",
    "Two features that tell nothing alone and everything together",
    data="Two Boolean features, equal in the positive class and opposite in the negative; classes balanced.",
    steps=(Step("gain of each", (0.0, 0.0), "0, 0"), Step("gain of the product", 1.0, "1")),
)
def _product() -> dict[str, Any]:
    from likely import score

    a, b = [0, 0, 1, 1], [0, 1, 0, 1]
    y = [x == z for x, z in zip(a, b, strict=True)]
    both = [f"{x}{z}" for x, z in zip(a, b, strict=True)]
    return {
        "gain of each": [float(score.mutual_information_of(y, column)) for column in (a, b)],
        "gain of the product": float(score.mutual_information_of(y, both)),
    }


EXAMPLES = (_bits, _shortest, _product)
