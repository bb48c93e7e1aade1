"""Worked examples of probability and estimation."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.textbook.example import worked
from likely.textbook.step import Step


@worked(
    "P1",
    "Mitchell; KTH; CIML",
    "The rules of probability hold on a joint distribution",
    data="The 14 days of play tennis as a joint distribution of outlook, windy and play.",
    steps=(
        Step("product rule: largest error", 0.0),
        Step("sum rule: largest error", 0.0),
        Step("Bayes' rule: largest error", 0.0),
        Step("P(play = yes | outlook = sunny)", 2 / 5),
    ),
)
def _rules() -> dict[str, Any]:
    import likely

    joint = likely.Joint.from_data(likely.read("play_tennis", into="dict"))
    pair = joint.marginal("outlook", "play")
    outlook, play = joint.marginal("outlook"), joint.marginal("play")
    play_given = joint.conditional("play", given="outlook")
    outlook_given = joint.conditional("outlook", given="play")
    product, bayes = [], []
    for o in ("sunny", "overcast", "rainy"):
        for p in ("yes", "no"):
            product.append(
                pair.prob(outlook=o, play=p) - play_given.prob(outlook=o, play=p) * outlook.prob(outlook=o)
            )
            joined = outlook_given.prob(outlook=o, play=p) * play.prob(play=p)
            bayes.append(play_given.prob(outlook=o, play=p) - joined / outlook.prob(outlook=o))
    total = sum(pair.prob(outlook=o, play="yes") for o in ("sunny", "overcast", "rainy"))
    return {
        "product rule: largest error": max(map(abs, product)),
        "sum rule: largest error": abs(total - play.prob(play="yes")),
        "Bayes' rule: largest error": max(map(abs, bayes)),
        "P(play = yes | outlook = sunny)": joint.prob({"play": "yes"}, given={"outlook": "sunny"}),
    }


@worked(
    "P2",
    "Mitchell; KTH",
    "A diagnostic test",
    data="""
    0.8 % have the disease. The test is positive for 98 % of those who have it, and for 3 % of those who
    do not. Someone tests positive.
    """,
    steps=(
        Step("P(+ and ill)", 0.00784, ".0078"),
        Step("P(+ and well)", 0.02976, ".0298"),
        Step("P(ill | +)", 49 / 235, ".21"),
        Step("most probable", "well", "well"),
        Step("most likely (ML)", "ill"),
        Step("P(ill | + +)", 0.008 * 0.98**2 / (0.008 * 0.98**2 + 0.992 * 0.03**2)),
    ),
)
def _diagnosis() -> dict[str, Any]:
    from likely import hypotheses

    test = {"ill": {"+": 0.98, "-": 0.02}, "well": {"+": 0.03, "-": 0.97}}
    before = hypotheses.Space({"ill": 0.008, "well": 0.992}, test)
    after = before.update(["+"])
    joint = after.to_frame()["prior"] * after.to_frame()["likelihood"]
    return {
        "P(+ and ill)": joint[0],
        "P(+ and well)": joint[1],
        "P(ill | +)": after.prob("ill"),
        "most probable": after.map,
        "most likely (ML)": after.ml,
        "P(ill | + +)": after.update(["+"]).prob("ill"),
    }


@worked(
    "P3",
    "KTH",
    "Gender from the length of hair: ML and MAP differ",
    data="""
    95 % of the people in the room are men. The source gives no densities; here men's hair is Normal(8, 7)
    and women's Normal(25, 10) centimetres. Someone has hair of 18 cm.
    """,
    steps=(
        Step("most likely (ML)", "woman"),
        Step("most probable (MAP)", "man"),
        Step("odds of woman, by Bayes' rule: error", 0.0),
    ),
)
def _hair() -> dict[str, Any]:
    import likely
    from likely import hypotheses

    lengths = {"woman": likely.Normal(25, 10), "man": likely.Normal(8, 7)}
    belief = hypotheses.Space({"woman": 0.05, "man": 0.95}, lengths).update([18.0])
    odds = belief.prob("woman") / belief.prob("man")
    by_hand = 0.05 / 0.95 * lengths["woman"].prob(18) / lengths["man"].prob(18)
    return {
        "most likely (ML)": belief.ml,
        "most probable (MAP)": belief.map,
        "odds of woman, by Bayes' rule: error": odds - by_hand,
    }


@worked(
    "P4",
    "CIML; Flach",
    "Maximum likelihood and smoothed estimates",
    data="Throws HHTH and HH; waiting times 1 2 1 4; the words a b a c c b a a b c.",
    steps=(
        Step("HHTH: P(head)", 3 / 4, "3/4"),
        Step("HH: P(head)", 1.0, "1"),
        Step("1 2 1 4: geometric p", 1 / 2),
        Step("words: P(a, b, c)", (0.4, 0.3, 0.3), ".4, .3, .3"),
        Step("words, Laplace: P(a, b, c, d)", tuple(n / 14 for n in (5, 4, 4, 1)), "5/14, 4/14, 4/14, 1/14"),
    ),
    notes="Two heads in two throws make a coin without a tail: maximum likelihood believes what it has seen.",
)
def _estimates() -> dict[str, Any]:
    import likely

    words = list("abaccbaabc")
    return {
        "HHTH: P(head)": likely.Bernoulli.fit([1, 1, 0, 1], prior=None).p,
        "HH: P(head)": likely.Bernoulli.fit([1, 1], prior=None).p,
        "1 2 1 4: geometric p": likely.Geometric.fit([1, 2, 1, 4], prior=None).p,
        "words: P(a, b, c)": likely.Categorical.fit(words, prior=None).probs,
        "words, Laplace: P(a, b, c, d)": likely.Categorical.fit(
            words, levels="abcd", prior=likely.Laplace()
        ).probs,
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
    steps=(Step("m = 2", 4 / 7, "4/7"), Step("m = 0", 3 / 5, "3/5")),
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


@worked(
    "P8",
    "Flach; KTH",
    "Independent given the class, or without it; a slice through a Gaussian",
    data="""
    Two words that are both common in spam (.8) and both rare in ham (.1), e-mails half and half; and two
    words of which exactly one makes an e-mail spam. A Gaussian of two columns with correlation 1/2, cut at
    x2 = 2.
    """,
    steps=(
        Step("both common: independent given the class", True, "True"),
        Step("both common: independent", False, "False"),
        Step("exactly one: independent", True, "True"),
        Step("exactly one: independent given the class", False, "False"),
        Step("Gaussian: mean of x1 given x2 = 2", 1.0),
        Step("Gaussian: variance of x1 given x2 = 2", 0.75),
    ),
)
def _independence() -> dict[str, Any]:
    import likely
    from likely import Conditional, Joint

    often = {True: {True: 0.8, False: 0.2}, False: {True: 0.1, False: 0.9}}
    half = {True: 0.5, False: 0.5}
    lottery, winner = (Conditional(word, often, given="spam") for word in ("lottery", "winner"))
    common = Joint.product(Conditional("spam", half), lottery, winner)
    rule = {(a, b): {a != b: 1.0} for a in (True, False) for b in (True, False)}
    spam = Conditional("spam", rule, given=["lottery", "meeting"])
    either = Joint.product(Conditional("lottery", half), Conditional("meeting", half), spam)
    slice_ = likely.MultivariateNormal([0, 0], [[1, 0.5], [0.5, 1]]).conditional([1], [2.0])
    return {
        "both common: independent given the class": common.independent("lottery", "winner", given="spam"),
        "both common: independent": common.independent("lottery", "winner"),
        "exactly one: independent": either.independent("lottery", "meeting"),
        "exactly one: independent given the class": either.independent("lottery", "meeting", given="spam"),
        "Gaussian: mean of x1 given x2 = 2": slice_.mean[0],
        "Gaussian: variance of x1 given x2 = 2": slice_.covariance[0, 0],
    }


EXAMPLES = (_rules, _diagnosis, _hair, _estimates, _spam_rate, _m_estimate, _evidence, _independence)
