"""Worked examples of decisions and their cost."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked

OUR_DATA = "The source proves it; the data are ours."


@worked(
    "C4",
    "Flach",
    "From probabilities to decisions",
    data="""
    The e-mail with a and b of N3, of which ham is twice as common as spam: P(spam) = 3/7. Then 2000 e-mails
    without labels, a tenth of them spam, seen by a model that was taught by equally many of both.
    """,
    steps=(
        Step("maximum likelihood", "spam", "spam"),
        Step("most probable", "ham", "ham"),
        Step("spam from .4 on", "spam"),
        Step("spam called ham costs 2: expected costs of spam, ham", (4 / 7, 6 / 7)),
        Step("spam called ham costs 2", "spam"),
        Step("not to decide costs .4", "None"),
        Step("both alike as common: P(spam)", 3 / 5),
        Step("2000 e-mails: the interval of the base rate holds .1 and not .5", True),
    ),
    notes="The costs and the unlabelled e-mails are ours.",
)
def _decisions() -> dict[str, Any]:
    import warnings

    import likely

    mails = likely.read("emails", into="dict")
    even = likely.NaiveBayes({"message": likely.Words(stop=["d", "e"], bits=True)}).fit(mails, "class")
    model, mail = even.with_base_rate({"spam": 1 / 3, "ham": 2 / 3}), {"message": ["a b"]}
    ham, spam = model.predict_proba(mail)[0]
    dear = likely.Decider(model, costs="spam->ham=2")

    def decided(*rule: str, **how: Any) -> str:
        return str(likely.Decider(model, *rule, **how).predict(mail).item())

    parts = {"ham": {"x": likely.Normal(0, 1)}, "spam": {"x": likely.Normal(2, 1)}}
    taught = likely.NaiveBayes().fit(likely.compare.Known(parts).sample(2000, 0), "class")
    rare = likely.compare.Known(parts, base_rate={"ham": 0.9, "spam": 0.1})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that the base rate has drifted
        rate = likely.estimate_base_rate(taught, {"x": rare.sample(2000, 1)["x"]}).rates["spam"]
    low, high = rate.interval
    return {
        "maximum likelihood": decided("ml"),
        "most probable": decided("map"),
        "spam from .4 on": decided("threshold", threshold=0.4, positive="spam"),
        "spam called ham costs 2: expected costs of spam, ham": (ham, 2 * spam),
        "spam called ham costs 2": str(dear.predict(mail).item()),
        "not to decide costs .4": decided(abstain=0.4),
        "both alike as common: P(spam)": model.with_base_rate("uniform").predict_proba(mail)[0, 1],
        "2000 e-mails: the interval of the base rate holds .1 and not .5": bool(low < 0.1 < high < 0.5),
    }


@worked(
    "C5",
    "Flach; KTH",
    "Precision, recall and their harmonic mean",
    data="30 true positives, 10 false ones, 20 missed.",
    steps=(
        Step("precision", 0.75),
        Step("recall", 0.6),
        Step("F = TP / (TP + (FP + FN) / 2)", 30 / (30 + (10 + 20) / 2)),
        Step("F = 2 / (1 / precision + 1 / recall)", 2 / 3),
    ),
    notes=OUR_DATA,
)
def _harmonic() -> dict[str, Any]:
    from likely import score

    truth = ["+"] * 30 + ["-"] * 10 + ["+"] * 20 + ["-"] * 40
    said = ["+"] * 30 + ["+"] * 10 + ["-"] * 20 + ["-"] * 40
    table = score.contingency(truth, said)
    precision, recall = float(table.precision("+")), float(table.recall("+"))
    return {
        "precision": precision,
        "recall": recall,
        "F = TP / (TP + (FP + FN) / 2)": float(table.f_measure("+")),
        "F = 2 / (1 / precision + 1 / recall)": 2 / (1 / precision + 1 / recall),
    }


@worked(
    "H5",
    "Flach; Mitchell",
    "The Bayes risk as a yardstick",
    data="Two unit Gaussians 2 apart, as common as each other; then with base rates .3 and .7.",
    steps=(
        Step("Bayes risk, Phi(-1)", 0.15865525393145707),
        Step("Bayes risk, base rates .3 and .7", 0.13874852997086579),
        Step("naive Bayes of 50 rows is above it", True),
        Step("naive Bayes of 5000 rows is within .002 of it", True),
    ),
    notes="""
    No classifier does better on rows of a known distribution; a model is judged by what it loses beside it.
    """,
)
def _yardstick() -> dict[str, Any]:
    import likely
    from likely import compare

    parts = {"-": {"x": likely.Normal(0, 1)}, "+": {"x": likely.Normal(2, 1)}}
    world, uneven = compare.Known(parts), compare.Known(parts, base_rate={"-": 0.3, "+": 0.7})
    classical = likely.NaiveBayes(families="classical", evidence_weights=None)
    few, many = (compare.yardstick(classical, world, rows=n, test=5000) for n in (50, 5000))
    return {
        "Bayes risk, Phi(-1)": float(world.bayes_risk()),
        "Bayes risk, base rates .3 and .7": float(uneven.bayes_risk()),
        "naive Bayes of 50 rows is above it": bool(few.excess > 0),
        "naive Bayes of 5000 rows is within .002 of it": bool(0 <= many.excess < 0.002),
    }


EXAMPLES = (_decisions, _harmonic, _yardstick)
