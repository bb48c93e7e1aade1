"""Worked examples of estimates and posteriors."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.textbook.example import Step, worked


@worked(
    "P4",
    "CIML; Flach",
    "Maximum likelihood and smoothed estimates",
    data="""
    Throws HHTH and HH; waiting times 1 2 1 4; the words a b a c c b a a b c; and, ours, the numbers 2, 4
    and 6.
    """,
    steps=(
        Step("HHTH: P(head)", 3 / 4, "3/4"),
        Step("HH: P(head)", 1.0, "1"),
        Step("1 2 1 4: geometric p", 1 / 2),
        Step("words: P(a, b, c)", (0.4, 0.3, 0.3), ".4, .3, .3"),
        Step("words, Laplace: P(a, b, c, d)", tuple(n / 14 for n in (5, 4, 4, 1)), "5/14, 4/14, 4/14, 1/14"),
        Step("numbers: normal mean and variance", (4.0, 8 / 3)),
        Step("numbers: ends of a uniform", (2.0, 6.0)),
    ),
    notes="""
    Two heads in two throws make a coin without a tail: maximum likelihood believes what it has seen.
    The variance is the sum of squares over n, not over n - 1.
    """,
)
def _estimates() -> dict[str, Any]:
    import likely

    words = list("abaccbaabc")
    normal = likely.Normal.fit([2, 4, 6], prior=None)
    uniform = likely.Uniform.fit([2, 4, 6], prior=None)
    return {
        "HHTH: P(head)": likely.Bernoulli.fit([1, 1, 0, 1], prior=None).p,
        "HH: P(head)": likely.Bernoulli.fit([1, 1], prior=None).p,
        "1 2 1 4: geometric p": likely.Geometric.fit([1, 2, 1, 4], prior=None).p,
        "words: P(a, b, c)": likely.Categorical.fit(words, prior=None).probs,
        "words, Laplace: P(a, b, c, d)": likely.Categorical.fit(
            words, levels="abcd", prior=likely.Laplace()
        ).probs,
        "numbers: normal mean and variance": (normal.mean, normal.variance),
        "numbers: ends of a uniform": (uniform.low, uniform.high),
    }


def draw_posteriors() -> Any:
    """Flach's figure 9.1."""
    import likely

    return likely.posterior(likely.Beta(1, 1)).history([0] + [1] * 9).plot()


@worked(
    "P5",
    "Flach fig. 9.1",
    "Is spam the rule? A posterior of a rate",
    data="Ten e-mails: the first is ham, nine are spam. The prior of the rate is uniform.",
    steps=(
        Step("P(theta < 1/2)", 3 / 512, "0.6 %"),
        Step("most probable after 10", 0.9, "0.9"),
        Step("most probable after 5", 0.8, "0.8"),
        Step("mean", 10 / 12),
        Step("sd", float(np.sqrt(20 / (144 * 13)))),
        Step("mode under Beta(2, 2): Laplace's estimate", 10 / 12),
        Step("one by one or at once: difference", 0.0),
    ),
    figure=draw_posteriors,
)
def _spam_rate() -> dict[str, Any]:
    import likely

    told = likely.posterior(likely.Beta(1, 1)).history([0] + [1] * 9)
    at_once = likely.posterior(likely.Beta(1, 1), counts=(9, 1))
    return {
        "P(theta < 1/2)": at_once.prob("theta < 0.5"),
        "most probable after 10": at_once.map,
        "most probable after 5": told[5].map,
        "mean": at_once.mean,
        "sd": at_once.sd,
        "mode under Beta(2, 2): Laplace's estimate": likely.posterior(likely.Beta(2, 2), counts=(9, 1)).map,
        "one by one or at once: difference": told[10].mean - at_once.mean,
    }


@worked(
    "P6",
    "Mitchell",
    "The m-estimate of a probability",
    data="Of 5 days without play the wind was strong on 3. Beforehand both winds are alike: p = 1/2.",
    steps=(Step("m = 2", 4 / 7), Step("m = 0", 3 / 5, "3/5")),
    notes="The source gives the formula; m = 2 is ours.",
)
def _m_estimate() -> dict[str, Any]:
    import likely

    return {
        "m = 2": likely.MEstimate(2, 0.5).estimate(3, 5),
        "m = 0": likely.MEstimate(0, 0.5).estimate(3, 5),
    }


@worked(
    "P7",
    "Flach; KTH",
    "The evidence: how probable the data are, the parameter summed out",
    data="The throws HHTH in this order; and three heads in four throws in any order. The prior is uniform.",
    steps=(
        Step("P(HHTH) = B(4, 2) / B(1, 1)", 1 / 20),
        Step("P(3 of 4)", 4 / 20),
        Step("P(HHTH) of a fair coin", 1 / 16),
    ),
)
def _evidence() -> dict[str, Any]:
    import numpy as np

    import likely

    ordered = likely.posterior(likely.Beta(1, 1), [1, 1, 0, 1])
    counted = likely.posterior(likely.BinomialBeta(1, 1, trials=4), [3])
    return {
        "P(HHTH) = B(4, 2) / B(1, 1)": np.exp(ordered.log_evidence),
        "P(3 of 4)": np.exp(counted.log_evidence),
        "P(HHTH) of a fair coin": np.exp(likely.Bernoulli(0.5).log_prob([1, 1, 0, 1]).sum()),
    }


EXAMPLES = (_estimates, _spam_rate, _m_estimate, _evidence)
