"""Worked examples of naive Bayes on tables."""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Any

from likely.textbook.example import Step, worked


@worked(
    "N4",
    "CIML eq. 9.28",
    "Naive Bayes is linear in the log-odds",
    data="Eight e-mails of the words a, b and c, there or not; then the words counted.",
    steps=(
        Step("bias and weights less the log posterior odds: largest", 0.0),
        Step("the evidence ledger's sum less the log posterior odds: largest", 0.0),
        Step("counted: weights of a, b, c, ln of the words' ratios", (log(0.5), log(2.5), 0.0)),
        Step("counted, a a a b: what a and b add, 3 ln .5 and ln 2.5", (3 * log(0.5), log(2.5))),
        Step("there or not, a: what b adds by its absence, ln 1/2", log(0.5)),
    ),
    notes="""
    Counts are linear in the log-odds too: a word that comes three times adds its weight three times. A word
    that is absent adds nothing where words are counted, and does where they are there or not.
    """,
)
def _linear() -> dict[str, Any]:
    import numpy as np

    import likely

    mails = likely.read("emails", into="dict")
    X = {word: [word in text.split() for text in mails["message"]] for word in "abc"}
    model = likely.NaiveBayes().fit(X, mails["class"])
    logs = model.predict_log_proba(X)
    odds = logs[:, 1] - logs[:, 0]  # of spam against ham
    form = model.linear_form("spam", "ham")
    values = np.column_stack(list(X.values())).astype(float)
    ledgers = model.explain(X, "spam", "ham")
    sums = [ledger.base + sum(line.evidence for line in ledger.lines) for ledger in ledgers]

    def words(bits: bool) -> likely.NaiveBayes:
        return likely.NaiveBayes({"message": likely.Words(stop=["d", "e"], bits=bits)}).fit(mails, "class")

    def adds(bits: bool, message: str) -> dict[str, float]:
        ledger = words(bits).explain({"message": [message]}, "spam", "ham")[0].opened()
        return {line.name.removeprefix("message: "): line.evidence for line in ledger.lines}

    of_counts = words(False).linear_form("spam", "ham")
    counted, there = adds(False, "a a a b"), adds(True, "a")
    return {
        "bias and weights less the log posterior odds: largest": np.abs(
            form.bias + values @ form.weights - odds
        ).max(),
        "the evidence ledger's sum less the log posterior odds: largest": np.abs(np.array(sums) - odds).max(),
        "counted: weights of a, b, c, ln of the words' ratios": of_counts.weights,
        "counted, a a a b: what a and b add, 3 ln .5 and ln 2.5": (counted["a"], counted["b"]),
        "there or not, a: what b adds by its absence, ln 1/2": there["b"],
    }


@worked(
    "N5",
    "Flach p.322",
    "A missing value is summed out",
    data="Play tennis; today is sunny, cool and windy, and the humidity is not known.",
    steps=(
        Step("weighted by P(z | x): difference from the answer", 0.0),
        Step("weighted by P(z): differs from the answer", True),
    ),
    notes="""
    The completions z of a row x must be weighted by P(z | x). The source weights by P(z), which is right
    only where z and x are independent.
    """,
)
def _missing() -> dict[str, Any]:
    import numpy as np

    import likely

    days = likely.read("play_tennis", into="dict")
    model = likely.NaiveBayes().fit(days, "play")
    seen: dict[str, list[Any]] = {
        "outlook": ["sunny"],
        "temperature": ["cool"],
        "humidity": [None],
        "windy": [True],
    }
    full = [seen | {"humidity": [value]} for value in ("high", "normal")]
    answers = np.array([model.predict_proba(row)[0] for row in full])
    given = np.array([np.exp(model.log_prob(row)).item() for row in full])  # P(x, z)
    alone = np.array([list(days["humidity"]).count(value) for value in ("high", "normal")]) / 14  # P(z)
    answer = model.predict_proba(seen)[0]
    return {
        "weighted by P(z | x): difference from the answer": np.abs(
            given / given.sum() @ answers - answer
        ).max(),
        "weighted by P(z): differs from the answer": bool(np.abs(alone @ answers - answer).max() > 1e-3),
    }


@worked(
    "N6",
    "Mitchell; KTH",
    "Play tennis",
    data="""
    14 days (outlook, temperature, humidity, windy) on 9 of which tennis was played. Today is sunny, cool,
    humid and windy.
    """,
    steps=(
        Step("P(yes)", 9 / 14, "9/14"),
        Step("P(sunny, overcast, rainy | yes)", (2 / 9, 4 / 9, 3 / 9), "2/9, 4/9, 3/9"),
        Step("P(sunny, overcast, rainy | no)", (3 / 5, 0.0, 2 / 5), "3/5, 0/5, 2/5"),
        Step("P(hot, mild, cool | yes)", (2 / 9, 4 / 9, 3 / 9), "2/9, 4/9, 3/9"),
        Step("P(hot, mild, cool | no)", (2 / 5, 2 / 5, 1 / 5), "2/5, 2/5, 1/5"),
        Step("P(high, normal | yes)", (3 / 9, 6 / 9), "3/9, 6/9"),
        Step("P(high, normal | no)", (4 / 5, 1 / 5), "4/5, 1/5"),
        Step("P(windy, not | yes)", (3 / 9, 6 / 9), "3/9, 6/9"),
        Step("P(windy, not | no)", (3 / 5, 2 / 5), "3/5, 2/5"),
        Step("P(yes and today)", 1 / 189, ".0053"),
        Step("P(no and today)", 18 / 875, ".0206"),
        Step("P(no | today)", 18 / 875 / (18 / 875 + 1 / 189), ".795"),
        Step("the answer", "no", "no"),
        Step("overcast, not sunny: P(yes and that day)", 2 / 189),
        Step("overcast: P(no and that day), by a count of zero", 0.0),
        Step("m-estimate, m = 3, p = 1/k: P(no | that day)", 11 / 43),
    ),
    notes="""
    None of the 5 days without tennis was overcast: one count of zero wipes out the product, whatever the
    other columns say. The m-estimate (n + m p) / (N + m) is the cure; the base rate stays 9/14 and 5/14.
    """,
)
def _play_tennis() -> dict[str, Any]:
    import numpy as np

    import likely

    days = likely.read("play_tennis", into="dict")
    model = likely.NaiveBayes(prior=None).fit(days, "play")
    today = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}

    other_day = today | {"outlook": ["overcast"]}
    base_rate = {"yes": 9 / 14, "no": 5 / 14}
    cured = likely.NaiveBayes(prior=likely.MEstimate(3), base_rate=base_rate).fit(days, "play")

    def table(column: str, levels: str, play: str) -> list[Any]:
        return [model.ask(f"P({column}={level} | play={play})") for level in levels.split()]

    return {
        "P(yes)": model.ask("P(play=yes)"),
        "P(sunny, overcast, rainy | yes)": table("outlook", "sunny overcast rainy", "yes"),
        "P(sunny, overcast, rainy | no)": table("outlook", "sunny overcast rainy", "no"),
        "P(hot, mild, cool | yes)": table("temperature", "hot mild cool", "yes"),
        "P(hot, mild, cool | no)": table("temperature", "hot mild cool", "no"),
        "P(high, normal | yes)": table("humidity", "high normal", "yes"),
        "P(high, normal | no)": table("humidity", "high normal", "no"),
        "P(windy, not | yes)": table("windy", "true false", "yes"),
        "P(windy, not | no)": table("windy", "true false", "no"),
        "P(yes and today)": np.exp(model.log_prob(today, ["yes"])).item(),
        "P(no and today)": np.exp(model.log_prob(today, ["no"])).item(),
        "P(no | today)": model.predict_proba(today)[0, 0],
        "the answer": model.predict(today).item(),
        "overcast, not sunny: P(yes and that day)": np.exp(model.log_prob(other_day, ["yes"])).item(),
        "overcast: P(no and that day), by a count of zero": np.exp(model.log_prob(other_day, ["no"])).item(),
        "m-estimate, m = 3, p = 1/k: P(no | that day)": cured.predict_proba(other_day)[0, 0],
    }


def draw_reliability() -> Any:
    """Whether the probabilities of one column, eight times over, are calibrated."""
    import likely

    world = likely.compare.Known({"dry": {"x": likely.Normal(0, 1)}, "rain": {"x": likely.Normal(1.5, 1)}})
    rows = world.sample(2000, 0)
    eight = {f"station {i}": rows["x"] for i in range(8)}
    model = likely.NaiveBayes(families="classical", evidence_weights=None)
    p = model.fit(eight, rows["class"]).predict_proba(eight)[:, 1]
    return likely.score.reliability(rows["class"], p, positive="rain").plot()


@worked(
    "N8",
    "Flach",
    "The same evidence counted twice, and eight times",
    data="""
    A measurement that tells rain from dry days; the same column twice, and eight times over. 2000 days.
    """,
    steps=(
        Step("two copies: log likelihood ratio over that of one", 2.0),
        Step("eight copies: log likelihood ratio over that of one", 8.0),
        Step("days with a probability beyond .99, one copy: below 10 %", True),
        Step("days with a probability beyond .99, eight copies: above 50 %", True),
        Step("log loss of eight copies more than twice that of one", True),
        Step("calibrated: log loss as of one copy, to .02", True),
        Step("ranking: AUC of eight copies less that of one", 0.0),
    ),
    notes="Ranking is not harmed by it, probabilities are; calibration repairs them. The data are ours.",
    figure=draw_reliability,
)
def _copies() -> dict[str, Any]:
    import numpy as np

    import likely
    from likely import score

    world = likely.compare.Known({"dry": {"x": likely.Normal(0, 1)}, "rain": {"x": likely.Normal(1.5, 1)}})
    rows, days = world.sample(1000, 0), world.sample(2000, 1)

    def copies(table: Mapping[str, Any], stations: int) -> dict[str, Any]:
        return {f"station {i}": np.asarray(table["x"]) for i in range(stations)}

    classical: Any = {"families": "classical", "evidence_weights": None}
    models = {
        n: likely.NaiveBayes(base_rate="uniform", **classical).fit(copies(rows, n), rows["class"])
        for n in (1, 2, 8)
    }
    logs = {n: model.predict_log_proba(copies(days, n)) for n, model in models.items()}
    ratio = {n: (log[:, 1] - log[:, 0])[0] for n, log in logs.items()}
    sure = {n: np.exp(log.max(axis=1)) > 0.99 for n, log in logs.items()}
    loss = {n: score.log_loss(days["class"], np.exp(log[:, 1])) for n, log in logs.items()}
    area = {
        n: float(score.roc(days["class"], log[:, 1] - log[:, 0], positive="rain").auc)
        for n, log in logs.items()
    }
    mended = likely.Calibrated(likely.NaiveBayes(**classical)).fit(copies(rows, 8), rows["class"])
    after = score.log_loss(days["class"], mended.predict_proba(copies(days, 8))[:, 1])
    return {
        "two copies: log likelihood ratio over that of one": ratio[2] / ratio[1],
        "eight copies: log likelihood ratio over that of one": ratio[8] / ratio[1],
        "days with a probability beyond .99, one copy: below 10 %": bool(sure[1].mean() < 0.1),
        "days with a probability beyond .99, eight copies: above 50 %": bool(sure[8].mean() > 0.5),
        "log loss of eight copies more than twice that of one": bool(loss[8] > 2 * loss[1]),
        "calibrated: log loss as of one copy, to .02": bool(abs(after - loss[1]) < 0.02),
        "ranking: AUC of eight copies less that of one": area[8] - area[1],
    }


EXAMPLES = (_linear, _missing, _play_tennis, _copies)
