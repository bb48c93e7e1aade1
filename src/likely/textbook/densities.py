"""Worked examples of families and densities."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked
from likely.textbook.pictures import draw_densities


@worked(
    "N2",
    "Flach fig. 9.5",
    "Any mixture of kinds, and three estimates of the same density",
    data="""
    20 values around -2.5 and 2.5, as a normal distribution, a histogram and a kernel density. Then 600 rows
    of columns of six kinds.
    """,
    steps=(
        Step("each density adds up to 1: largest error", 0.0),
        Step("mean and variance: those of the values, largest error of the normal", 0.0),
        Step("in bits a value from the truth: kernel and histogram nearer than the normal", True),
        Step("families by kind", "normal normal poisson categorical bernoulli"),
        Step("families by the user", "histogram kernel poisson categorical bernoulli"),
        Step("families by code length", "normal exponential poisson categorical bernoulli"),
        Step("log-odds less the sum over columns of any family: largest", 0.0),
    ),
    notes="The source's values are not given; these are ours.",
    figure=draw_densities,
)
def _any_kind() -> dict[str, Any]:
    import numpy as np

    import likely

    rng = np.random.default_rng(5)
    values = np.concatenate([rng.normal(-2.5, 0.8, 10), rng.normal(2.5, 0.8, 10)])
    places = np.linspace(-6, 6, 1201)  # where the truth is not nearly 0
    truth = (likely.Normal(-2.5, 0.8).prob(places) + likely.Normal(2.5, 0.8).prob(places)) / 2
    normal = likely.Normal.fit(values, prior=None)
    three = [normal, likely.Histogram.fit(values), likely.Kernel.fit(values)]
    bits = [0.01 * truth @ np.log2(truth / one.prob(places)) for one in three]

    b = rng.random(600) < 0.5
    rows = {
        "height": np.where(b, rng.normal(170, 8, 600), rng.normal(160, 8, 600)),
        "waiting": rng.lognormal(1 + b, 0.8),
        "visits": rng.poisson(np.where(b, 4, 2)),
        "region": rng.choice(["north", "south", "west"], 600),
        "member": rng.random(600) < np.where(b, 0.7, 0.4),
    }
    kinds = {"visits": "count"}
    own = {"height": "histogram", "waiting": "kernel"}
    models = [likely.NaiveBayes(kinds, families=how).fit(rows, b) for how in ("classical", own, "auto")]
    named = [" ".join(model.families_[column].chosen for column in rows) for model in models]
    ledgers = models[1].explain(rows, True, False)
    logs = models[1].predict_log_proba(rows)
    sums = [ledger.base + sum(line.evidence for line in ledger.lines) for ledger in ledgers]
    return {
        "each density adds up to 1: largest error": max(
            abs(one.cdf(1e9) - one.cdf(-1e9) - 1) for one in three
        ),
        "mean and variance: those of the values, largest error of the normal": max(
            abs(normal.mean - values.mean()), abs(normal.variance - values.var())
        ),
        "in bits a value from the truth: kernel and histogram nearer than the normal": bool(
            max(bits[1:]) < bits[0]
        ),
        "families by kind": named[0],
        "families by the user": named[1],
        "families by code length": named[2],
        "log-odds less the sum over columns of any family: largest": np.abs(
            np.array(sums) - (logs[:, 1] - logs[:, 0])
        ).max(),
    }


EXAMPLES = (_any_kind,)
