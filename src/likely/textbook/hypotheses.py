"""Worked examples of hypotheses."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import worked
from likely.textbook.step import Step

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
    ),
)
def _brute_force() -> dict[str, Any]:
    from itertools import product

    import numpy as np

    from likely import hypotheses

    rules = {bits: (lambda x, bits=bits: bits[x]) for bits in product([False, True], repeat=4)}
    belief = hypotheses.Rules(rules).update([0, 2], [True, False])
    return {
        "consistent hypotheses": len(belief.consistent),
        "posterior of each, 1 / |VS|": [belief.prob(h) for h in belief.consistent],
        "posterior of all others": 1 - sum(belief.prob(h) for h in belief.consistent),
        "P(D) = |VS| / |H|": np.exp(belief.log_evidence),
    }


@worked(
    "H2",
    "Mitchell",
    "EnjoySport: version space, Find-S, Candidate-Elimination",
    data=ENJOY_SPORT,
    steps=(
        Step("concepts that differ in meaning", 973, "973"),
        Step("concepts that can be written", 5120, "5120"),
        Step("Find-S", "<sunny, warm, ?, strong, ?, ?>"),
        Step("G", "<sunny, ?, ?, ?, ?, ?> <?, warm, ?, ?, ?, ?>"),
        Step("concepts in the version space", 6),
        Step("posterior of what Find-S finds", 1 / 6),
        Step("highest posterior", 1 / 6),
    ),
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
    found = sport.find_s(days, enjoyed)
    return {
        "concepts that differ in meaning": sport.size,
        "concepts that can be written": sport.syntactic_size,
        "Find-S": str(found),
        "G": " ".join(str(concept) for concept in space.general),
        "concepts in the version space": len(space),
        "posterior of what Find-S finds": belief.prob(found),
        "highest posterior": belief.posterior.max(),
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
    ),
)
def _optimal() -> dict[str, Any]:
    from likely import hypotheses

    rules = {"h1": lambda x: "+", "h2": lambda x: "-", "h3": lambda x: "-"}
    belief = hypotheses.Rules(rules, prior={"h1": 0.4, "h2": 0.3, "h3": 0.3})
    thing = None  # the rules do not look at it
    return {
        "the most probable hypothesis says": belief.rules[belief.map](thing),
        "P(+)": belief.vote(thing)["+"],
        "P(-)": belief.vote(thing)["-"],
        "the Bayes optimal answer": belief.classify(thing),
    }


EXAMPLES = (_brute_force, _enjoy_sport, _arriving, _optimal)
