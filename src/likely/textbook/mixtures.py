"""Worked examples of mixtures, hidden classes and gaps."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked


@worked(
    "N10",
    "Flach; Mitchell",
    "Naive Bayes whose class is hidden, or known in a few rows",
    data="""
    400 e-mails as 20 words that are there or not, each word in 70 % of one kind and 30 % of the other.
    """,
    steps=(
        Step("all labels known: largest difference from naive Bayes", 0.0),
        Step("no label known: the log-likelihood never falls", True),
        Step("no label known: the groups are the kinds, in 95 % of the rows at least", True),
        Step("six labels known: more rows named right than by naive Bayes of those six", True),
    ),
    notes="EM guesses the class of a row that has none, and learns from the guess. The data are ours.",
)
def _hidden_class() -> dict[str, Any]:
    import numpy as np

    import likely

    rng = np.random.default_rng(0)
    kind = np.array(["ham", "spam"])[np.arange(400) % 2]
    words = {
        f"word {i}": rng.random(400) < np.where((kind == "spam") == (i % 2 == 0), 0.7, 0.3) for i in range(20)
    }
    naive = likely.NaiveBayes(evidence_weights=None).fit(words, kind)
    told = likely.Mixture(2).fit(words, kind)
    hidden = likely.Mixture(2, random_state=0, restarts=5).fit(words)
    groups = hidden.predict(words)
    alike = (groups == groups[0]) == (kind == kind[0])
    few: list[Any] = [*kind[:6], *[None] * 394]
    some = {name: cells[:6] for name, cells in words.items()}
    alone = likely.NaiveBayes().fit(some, kind[:6]).predict(words) == kind
    helped = likely.Mixture(2).fit(words, few).predict(words) == kind
    return {
        "all labels known: largest difference from naive Bayes": np.abs(
            naive.predict_proba(words) - told.predict_proba(words)
        ).max(),
        "no label known: the log-likelihood never falls": bool((np.diff(hidden.history_) > -1e-9).all()),
        "no label known: the groups are the kinds, in 95 % of the rows at least": bool(
            max(alike.mean(), 1 - alike.mean()) > 0.95
        ),
        "six labels known: more rows named right than by naive Bayes of those six": bool(
            helped.mean() > alone.mean()
        ),
    }


@worked(
    "E4",
    "Flach",
    "Mixtures of mixed kinds, and how many groups there are",
    data="""
    150 people, children and adults: height, weight, and whether they work; a tenth of the cells missing.
    """,
    steps=(
        Step("groups by BIC, ICL and MDL", (2, 2, 2)),
        Step("a weight of 2 or the row twice: largest difference of log P(row)", 0.0, tolerance=1e-6),
        Step("a row without cells has probability 1: error of its log", 0.0),
        Step("what is missing is summed out: P(works) + P(does not) less the whole", 0.0),
    ),
    notes="The data are ours.",
)
def _mixed_kinds() -> dict[str, Any]:
    import numpy as np

    import likely

    rng = np.random.default_rng(1)
    child = rng.random(150) < 0.3
    people = {
        "height": np.where(child, rng.normal(120, 9, 150), rng.normal(174, 9, 150)),
        "weight": np.where(child, rng.normal(25, 4, 150), rng.normal(72, 11, 150)),
        "works": rng.random(150) < np.where(child, 0.01, 0.8),
    }
    for name in ("height", "weight"):
        people[name] = np.where(rng.random(150) < 0.1, np.nan, people[name])
    best = [
        likely.Mixture("auto", covariance="diagonal", criterion=name, random_state=0, tol=1e-4)
        .fit(people)
        .curve_.best
        for name in ("bic", "icl", "mdl")
    ]
    start, twice = child.astype(int), np.r_[:150, :50]
    weight = np.where(np.arange(150) < 50, 2, 1)
    weighted = likely.Mixture(2, covariance="diagonal", prior=None, init=start)
    weighted.fit(people, sample_weight=weight)
    repeated = likely.Mixture(2, covariance="diagonal", prior=None, init=start[twice])
    repeated.fit({name: cells[twice] for name, cells in people.items()})
    row = {"height": [150.0], "weight": [40.0]}
    each = [np.exp(weighted.log_prob(row | {"works": [works]})).item() for works in (True, False)]
    nothing = {"height": [None], "weight": [None], "works": [None]}
    return {
        "groups by BIC, ICL and MDL": best,
        "a weight of 2 or the row twice: largest difference of log P(row)": np.abs(
            weighted.log_prob(people) - repeated.log_prob(people)
        ).max(),
        "a row without cells has probability 1: error of its log": weighted.log_prob(nothing).item(),
        "what is missing is summed out: P(works) + P(does not) less the whole": sum(each)
        - np.exp(weighted.log_prob(row | {"works": [None]})).item(),
    }


@worked(
    "E5",
    "Flach",
    "EM for missing values",
    data="""
    x = 1 to 8, and y known for five of them: 2, 3, 3, 5, ?, ?, 8, ?. Then people of mixed kinds with gaps.
    """,
    steps=(
        Step("filled: the regression line of the complete rows, largest error", 0.0, tolerance=1e-6),
        Step(
            "mean of y by maximum likelihood, a + b times the mean of all x",
            5.320754716981132,
            tolerance=1e-6,
        ),
        Step("known cells stay as they are", True),
        Step("mixed kinds: a level is filled with the most probable one", "yes"),
    ),
    notes="""
    Where only y has gaps, maximum likelihood is known in closed form; EM comes to it. The data are ours.
    """,
)
def _gaps() -> dict[str, Any]:
    import numpy as np

    import likely

    x, y = np.arange(1.0, 9.0), np.array([2, 3, 3, 5, np.nan, np.nan, 8, np.nan])
    normal = likely.Mixture(1, prior=None, tol=1e-14, max_iter=1000)
    filled = likely.Impute(normal).fit_transform({"x": x, "y": y})
    seen = ~np.isnan(y)
    line = likely.LinearRegression(None).fit({"x": x[seen]}, y[seen]).predict({"x": x})
    people = {
        "height": [115.0, 120.0, 118.0, 175.0, 180.0, 170.0, 178.0],
        "works": ["no"] * 3 + ["yes"] * 3 + [None],
    }
    groups = likely.Impute(likely.Mixture(2, random_state=0)).fit_transform(people)
    return {
        "filled: the regression line of the complete rows, largest error": np.abs(
            np.asarray(filled["y"])[~seen] - line[~seen]
        ).max(),
        "mean of y by maximum likelihood, a + b times the mean of all x": np.mean(filled["y"]),
        "known cells stay as they are": bool((np.asarray(filled["y"])[seen] == y[seen]).all()),
        "mixed kinds: a level is filled with the most probable one": str(groups["works"][6]),
    }


EXAMPLES = (_hidden_class, _mixed_kinds, _gaps)
