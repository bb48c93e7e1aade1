"""Worked examples of hypotheses."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked

ENJOY_SPORT = """
Six attributes of a day (sky of three values, five others of two). Four days: two sunny warm ones and a third
with cool water were enjoyed, a rainy cold one was not.
"""


@worked(
    "H1",
    "Mitchell",
    "Brute-force MAP learning without noise",
    data="All 16 ways to label four things; two of the things are seen, one of them positive.",
    steps=(
        Step("consistent hypotheses", 4),
        Step("posterior of each, 1 / |VS|", (0.25, 0.25, 0.25, 0.25)),
        Step("posterior of all others", 0.0),
        Step("P(D) = |VS| / |H|", 4 / 16),
        Step("a prior from a code, 2^-bits, of 1, 2, 3 and 3 bits", (1 / 2, 1 / 4, 1 / 8, 1 / 8)),
        Step("under it the most probable is the shortest description", True),
    ),
)
def _brute_force() -> dict[str, Any]:
    from itertools import product

    import numpy as np

    from likely import hypotheses

    rules = {bits: (lambda x, bits=bits: bits[x]) for bits in product([False, True], repeat=4)}
    belief = hypotheses.Rules(rules).update([0, 2], [True, False])
    heads = {f"{i}/4": {"heads": i / 4, "tails": 1 - i / 4} for i in (2, 1, 3, 4)}
    coded = hypotheses.Space(list(heads), heads, prior=hypotheses.Code([1, 2, 3, 3]))
    seen = coded.update(["heads", "heads", "heads", "tails"] * 2)
    return {
        "consistent hypotheses": len(belief.consistent),
        "posterior of each, 1 / |VS|": [belief.prob(h) for h in belief.consistent],
        "posterior of all others": 1 - sum(belief.prob(h) for h in belief.consistent),
        "P(D) = |VS| / |H|": np.exp(belief.log_evidence),
        "a prior from a code, 2^-bits, of 1, 2, 3 and 3 bits": coded.posterior,
        "under it the most probable is the shortest description": seen.map == seen.description().shortest,
    }


@worked(
    "H2",
    "Mitchell",
    "EnjoySport: version space, Find-S, Candidate-Elimination",
    data=ENJOY_SPORT,
    steps=(
        Step("concepts that differ in meaning", 973),
        Step("concepts that can be written", 5120),
        Step("Find-S", "<sunny, warm, ?, strong, ?, ?>"),
        Step("G", "<sunny, ?, ?, ?, ?, ?> <?, warm, ?, ?, ?, ?>"),
        Step("concepts in the version space", 6),
        Step("posterior of what Find-S finds", 1 / 6),
        Step("highest posterior", 1 / 6),
        Step("a day both enjoyed and not: concepts in the version space", 0),
        Step("it says so", "the version space is empty: no concept agrees with all rows"),
    ),
    notes="""
    What Find-S finds is in the version space, and so among the most probable: consistent learners are MAP.
    """,
)
def _enjoy_sport() -> dict[str, Any]:
    from likely import hypotheses

    sport = hypotheses.Conjunctions(
        {
            "sky": ["sunny", "cloudy", "rainy"],
            "air": ["warm", "cold"],
            "humidity": ["normal", "high"],
            "wind": ["strong", "weak"],
            "water": ["warm", "cool"],
            "forecast": ["same", "change"],
        }
    )
    days = {
        "sky": ["sunny", "sunny", "rainy", "sunny"],
        "air": ["warm", "warm", "cold", "warm"],
        "humidity": ["normal", "high", "high", "high"],
        "wind": ["strong", "strong", "strong", "strong"],
        "water": ["warm", "warm", "warm", "cool"],
        "forecast": ["same", "same", "change", "change"],
    }
    enjoyed = [True, True, False, True]
    space = sport.version_space(days, enjoyed)
    belief = sport.belief().update(days, enjoyed)
    most_specific = sport.find_s(days, enjoyed)
    twice = {name: values[:1] * 2 for name, values in days.items()}
    none = sport.version_space(twice, [True, False])
    return {
        "concepts that differ in meaning": sport.size,
        "concepts that can be written": sport.syntactic_size,
        "Find-S": str(most_specific),
        "G": " ".join(str(concept) for concept in space.general),
        "concepts in the version space": len(space),
        "posterior of what Find-S finds": belief.prob(most_specific),
        "highest posterior": belief.posterior.max(),
        "a day both enjoyed and not: concepts in the version space": len(none),
        "it says so": str(none),
    }


def draw_evolution() -> Any:
    """Mitchell's figure 6.1."""
    from likely import hypotheses

    above = {f"above {t}": (lambda x, t=t: x > t) for t in range(10)}
    return hypotheses.Rules(above).history([2, 7, 4], [False, True, False]).plot()[0]


@worked(
    "H3",
    "Mitchell fig. 6.1",
    "The posterior as data arrive",
    data="Ten thresholds, 0 to 9, as probable as each other; 2 is not above, 7 is above, 4 is not above.",
    steps=(
        Step("left after 0, 1, 2, 3 observations", (10, 8, 5, 3)),
        Step("posterior of those that are left", (1 / 10, 1 / 8, 1 / 5, 1 / 3)),
        Step("P(data) after each", (1.0, 8 / 10, 5 / 10, 3 / 10)),
    ),
    notes="The inconsistent fall to 0 and stay there; the others rise together. The data are ours.",
    figure=draw_evolution,
)
def _arriving() -> dict[str, Any]:
    import numpy as np

    from likely import hypotheses

    above = {f"above {t}": (lambda x, t=t: x > t) for t in range(10)}
    told = hypotheses.Rules(above).history([2, 7, 4], [False, True, False])
    return {
        "left after 0, 1, 2, 3 observations": (told.posteriors > 0).sum(axis=1),
        "posterior of those that are left": told.posteriors.max(axis=1),
        "P(data) after each": np.exp(told.log_evidence),
    }


@worked(
    "H4",
    "Mitchell; Flach p.265",
    "The vote of all hypotheses overturns the most probable one",
    data="Three hypotheses with posteriors .4, .3 and .3. The first says +, the others say -.",
    steps=(
        Step("the most probable hypothesis says", "+", "+"),
        Step("P(+)", 0.4, ".4"),
        Step("P(-)", 0.6, ".6"),
        Step("the Bayes optimal answer", "-", "-"),
        Step("they say 93 %, 20 % and 10 % instead: P(+)", 0.4 * 0.93 + 0.3 * 0.2 + 0.3 * 0.1),
        Step("fitted models that vote: P(+) less the weighted average of theirs", 0.0),
    ),
    notes="Hypotheses may predict probabilities, not only votes. The percentages and the models are ours.",
)
def _optimal() -> dict[str, Any]:
    import likely
    from likely import hypotheses

    rules = {"h1": lambda x: "+", "h2": lambda x: "-", "h3": lambda x: "-"}
    belief = hypotheses.Rules(rules, prior={"h1": 0.4, "h2": 0.3, "h3": 0.3})
    thing = None  # the rules do not look at it
    sure = {"h1": 0.93, "h2": 0.2, "h3": 0.1}
    chances = {name: (lambda x, p=p: {"+": p, "-": 1 - p}) for name, p in sure.items()}
    milder = hypotheses.Rules(chances, prior={"h1": 0.4, "h2": 0.3, "h3": 0.3})
    rows, label = {"x": [1, 2, 3, 4, 5, 6.0]}, ["-", "-", "+", "-", "+", "+"]
    models = {"naive Bayes": likely.NaiveBayes(), "wide": likely.NaiveBayes(prior=5.0)}
    both = likely.Average(models, weights="evidence").fit(rows, label)
    members = [model.fit(rows, label).predict_proba({"x": [3.5]})[0, 0] for model in models.values()]
    return {
        "the most probable hypothesis says": belief.rules[belief.map](thing),
        "P(+)": belief.vote(thing)["+"],
        "P(-)": belief.vote(thing)["-"],
        "the Bayes optimal answer": belief.classify(thing),
        "they say 93 %, 20 % and 10 % instead: P(+)": milder.vote(thing)["+"],
        "fitted models that vote: P(+) less the weighted average of theirs": both.predict_proba({"x": [3.5]})[
            0, 0
        ]
        - both.weights_ @ members,
    }


EXAMPLES = (_brute_force, _enjoy_sport, _arriving, _optimal)
