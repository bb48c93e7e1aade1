"""Worked examples of naive Bayes."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import worked
from likely.textbook.step import Step

E_MAILS = """
Eight e-mails of the words a to e, four of them spam; d and e are stop words.
"""


@worked(
    "N1",
    "Flach ex. 9.4, 9.5",
    "Words counted, or there or not",
    data=E_MAILS,
    steps=(
        Step("counted, a a a b: P(words | spam)", 0.054, ".054"),
        Step("counted, a a a b: P(words | ham)", 0.1728, ".1728"),
        Step("counted: likelihood ratio", 5 / 16, "5/16"),
        Step("counted: the answer", "ham", "ham"),
        Step("there or not, a b: P(words | spam)", 2 / 9, ".2222"),
        Step("there or not, a b: P(words | ham)", 4 / 27, ".1481"),
        Step("there or not: likelihood ratio", 3 / 2, "3/2"),
        Step("there or not: the answer", "spam", "spam"),
    ),
    notes="The book prints the parameters 2/3 and 1/3 of example 9.4 as .67 and .33.",
)
def _words() -> dict[str, Any]:
    import numpy as np

    import likely

    mails = likely.read("emails", into="dict")
    counted = likely.NaiveBayes({"message": likely.Words(stop=["d", "e"])}).fit(mails, "class")
    there = likely.NaiveBayes({"message": likely.Words(stop=["d", "e"], bits=True)}).fit(mails, "class")

    def likelihood(model: likely.NaiveBayes, message: str, label: str) -> float:
        row = {"message": [message]}
        return float(np.exp(model.log_prob(row, [label])).item() / 0.5)  # half of the mails are of each class

    return {
        "counted, a a a b: P(words | spam)": likelihood(counted, "a a a b", "spam"),
        "counted, a a a b: P(words | ham)": likelihood(counted, "a a a b", "ham"),
        "counted: likelihood ratio": likelihood(counted, "a a a b", "spam")
        / likelihood(counted, "a a a b", "ham"),
        "counted: the answer": counted.predict({"message": ["a a a b"]}).item(),
        "there or not, a b: P(words | spam)": likelihood(there, "a b", "spam"),
        "there or not, a b: P(words | ham)": likelihood(there, "a b", "ham"),
        "there or not: likelihood ratio": likelihood(there, "a b", "spam") / likelihood(there, "a b", "ham"),
        "there or not: the answer": there.predict({"message": ["a b"]}).item(),
    }


@worked(
    "N3",
    "Flach",
    "The likelihood says spam, the posterior says ham",
    data=E_MAILS + "An e-mail with a and b, of which ham is twice as common as spam.",
    steps=(
        Step("likelihood ratio", 3 / 2, "3/2"),
        Step("posterior odds", 3 / 4, "3/4"),
        Step("by likelihood", "spam", "spam"),
        Step("by posterior", "ham", "ham"),
    ),
)
def _prior_odds() -> dict[str, Any]:
    import numpy as np

    import likely

    mails = likely.read("emails", into="dict")
    model = likely.NaiveBayes({"message": likely.Words(stop=["d", "e"], bits=True)}).fit(mails, "class")
    even, rare = model.with_base_rate("uniform"), model.with_base_rate({"spam": 1 / 3, "ham": 2 / 3})
    mail = {"message": ["a b"]}
    return {
        "likelihood ratio": np.exp(np.diff(even.predict_log_proba(mail)[0])).item(),
        "posterior odds": np.exp(np.diff(rare.predict_log_proba(mail)[0])).item(),
        "by likelihood": even.predict(mail).item(),
        "by posterior": rare.predict(mail).item(),
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
        Step("P(sunny | yes)", 2 / 9, "2/9"),
        Step("P(sunny | no)", 3 / 5, "3/5"),
        Step("P(yes and today)", 1 / 189, ".0053"),
        Step("P(no and today)", 18 / 875, ".0206"),
        Step("P(no | today)", 18 / 875 / (18 / 875 + 1 / 189)),
        Step("the answer", "no", "no"),
    ),
)
def _play_tennis() -> dict[str, Any]:
    import numpy as np

    import likely

    days = likely.read("play_tennis", into="dict")
    model = likely.NaiveBayes(prior=None).fit(days, "play")
    today = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}
    return {
        "P(yes)": model.ask("P(play=yes)"),
        "P(sunny | yes)": model.ask("P(outlook=sunny | play=yes)"),
        "P(sunny | no)": model.ask("P(outlook=sunny | play=no)"),
        "P(yes and today)": np.exp(model.log_prob(today, ["yes"])).item(),
        "P(no and today)": np.exp(model.log_prob(today, ["no"])).item(),
        "P(no | today)": model.predict_proba(today)[0, 0],
        "the answer": model.predict(today).item(),
    }


@worked(
    "N7",
    "KTH",
    "A spam filter from raw messages",
    data="Three messages with the stop word 'the': P(w | y) = (n_yw + 1) / (n_y + |W|).",
    steps=(Step("P(cat | p): (3 + 1) / (4 + 3)", 4 / 7),),
    notes="n_y counts words of the vocabulary only.",
)
def _filter_words() -> dict[str, Any]:
    import numpy as np

    import likely

    mails = {"message": ["the cat sat", "the the dog", "cat cat"], "class": ["p", "q", "p"]}
    model = likely.NaiveBayes({"message": likely.Words(stop=["the"])}).fit(mails, "class")
    one, none = (model.log_prob({"message": [text]}, ["p"]) for text in ("cat", ""))
    return {"P(cat | p): (3 + 1) / (4 + 3)": np.exp(one - none).item()}


@worked(
    "N11",
    "Flach ex. 9.4",
    "The parameters summed out instead of plugged in",
    data=E_MAILS + "The prior of the words is uniform; the e-mail has a three times and b once.",
    steps=(
        Step("P(words | spam)", 0.06324110671936758),
        Step("P(words | ham)", 0.16442687747035573),
        Step("ratio, parameters summed out", 5 / 13),
        Step("ratio, plugged in", 5 / 16, "5/16"),
    ),
    notes="Plugged-in estimates are too sure of themselves: the ratio is further from 1.",
)
def _predictive() -> dict[str, Any]:
    import numpy as np

    import likely

    mails = likely.read("emails", into="dict")
    kinds, row = {"message": likely.Words(stop=["d", "e"])}, {"message": ["a a a b"]}
    found = {}
    for how in ("mean", "predictive"):
        model = likely.NaiveBayes(kinds, estimate=how).fit(mails, "class")
        found[how] = [np.exp(model.log_prob(row, [label])).item() / 0.5 for label in ("spam", "ham")]
    return {
        "P(words | spam)": found["predictive"][0],
        "P(words | ham)": found["predictive"][1],
        "ratio, parameters summed out": found["predictive"][0] / found["predictive"][1],
        "ratio, plugged in": found["mean"][0] / found["mean"][1],
    }


EXAMPLES = (_words, _prior_odds, _missing, _play_tennis, _filter_words, _predictive)
