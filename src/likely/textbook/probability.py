"""Worked examples of probability."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked


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
        Step("P(sunny or windy)", 9 / 14),
        Step("P(A or B) = P(A) + P(B) - P(A and B): error", 0.0),
        Step("free numbers of the joint table: 3 x 3 x 2 x 2 x 2 - 1", 71),
        Step("free numbers of naive Bayes: 1 + 2 (2 + 2 + 1 + 1)", 13),
        Step("free numbers of naive Bayes over 10 Booleans: 1 + 2 D", 21),
    ),
)
def _rules() -> dict[str, Any]:
    import numpy as np

    import likely

    days = likely.read("play_tennis", into="dict")
    joint, naive = likely.Joint.from_data(days), likely.NaiveBayes().fit(days, "play")
    booleans = np.random.default_rng(0).random((60, 10)) < 0.5
    wide = likely.NaiveBayes().fit(booleans, booleans[:, 0] != booleans[:, 1])
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
    either: Any = joint.ask("P(outlook=sunny or windy=true)")
    both = joint.prob(outlook="sunny", windy=True)
    by_the_rule = joint.prob(outlook="sunny") + joint.prob(windy=True) - both
    total = sum(pair.prob(outlook=o, play="yes") for o in ("sunny", "overcast", "rainy"))
    return {
        "product rule: largest error": max(map(abs, product)),
        "sum rule: largest error": abs(total - play.prob(play="yes")),
        "Bayes' rule: largest error": max(map(abs, bayes)),
        "P(play = yes | outlook = sunny)": joint.prob({"play": "yes"}, given={"outlook": "sunny"}),
        "P(sunny or windy)": either,
        "P(A or B) = P(A) + P(B) - P(A and B): error": either - by_the_rule,
        "free numbers of the joint table: 3 x 3 x 2 x 2 x 2 - 1": joint.n_parameters,
        "free numbers of naive Bayes: 1 + 2 (2 + 2 + 1 + 1)": naive.n_parameters_,
        "free numbers of naive Bayes over 10 Booleans: 1 + 2 D": wide.n_parameters_,
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
        Step("P(well | +)", 186 / 235, ".79"),
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
        "P(well | +)": after.prob("well"),
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
    "P8",
    "Flach; KTH",
    "Independent given the class, or without it; a slice through a Gaussian",
    data="""
    Two words that are both common in spam (.8) and both rare in ham (.1), e-mails half and half; and two
    words, each in half of the e-mails whether or not the other is, that make spam of every e-mail with at
    least one of them. A Gaussian of two columns with correlation 1/2, cut at x2 = 2.
    """,
    steps=(
        Step("both common: independent given the class", True, "True"),
        Step("both common: independent", False, "False"),
        Step("at least one: independent", True, "True"),
        Step("at least one: independent given the class", False, "False"),
        Step("at least one: P(both | spam)", 1 / 3),
        Step("at least one: P(first | spam) P(second | spam)", 4 / 9),
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
    rule = {(a, b): {a or b: 1.0} for a in (True, False) for b in (True, False)}
    spam = Conditional("spam", rule, given=["lottery", "meeting"])
    either = Joint.product(Conditional("lottery", half), Conditional("meeting", half), spam)
    given_spam = either.condition(spam=True)
    slice_ = likely.MultivariateNormal([0, 0], [[1, 0.5], [0.5, 1]]).conditional([1], [2.0])
    return {
        "both common: independent given the class": common.independent("lottery", "winner", given="spam"),
        "both common: independent": common.independent("lottery", "winner"),
        "at least one: independent": either.independent("lottery", "meeting"),
        "at least one: independent given the class": either.independent("lottery", "meeting", given="spam"),
        "at least one: P(both | spam)": given_spam.prob(lottery=True, meeting=True),
        "at least one: P(first | spam) P(second | spam)": given_spam.prob(lottery=True)
        * given_spam.prob(meeting=True),
        "Gaussian: mean of x1 given x2 = 2": slice_.mean[0],
        "Gaussian: variance of x1 given x2 = 2": slice_.covariance[0, 0],
    }


EXAMPLES = (_rules, _diagnosis, _hair, _independence)
