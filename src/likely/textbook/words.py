"""Worked examples of naive Bayes on words."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked

E_MAILS = """
Eight e-mails of the words a to e, four of them spam; d and e are stop words.
"""


@worked(
    "N1",
    "Flach ex. 9.4, 9.5",
    "Words counted, or there or not",
    data=E_MAILS,
    steps=(
        Step("counted: P(a, b, c | spam)", (0.3, 0.5, 0.2), ".3, .5, .2"),
        Step("counted: P(a, b, c | ham)", (0.6, 0.2, 0.2), ".6, .2, .2"),
        Step("there or not: P(a, b, c | spam)", (1 / 2, 2 / 3, 1 / 3), ".5, .67, .33"),
        Step("there or not: P(a, b, c | ham)", (2 / 3, 1 / 3, 1 / 3), ".67, .33, .33"),
        Step("counted, a a a b: P(words | spam)", 0.054, ".054"),
        Step("counted, a a a b: P(words | ham)", 0.1728, ".1728"),
        Step("counted: likelihood ratio", 5 / 16, "5/16"),
        Step("counted: the answer", "ham", "ham"),
        Step("there or not, a b: P(words | spam)", 2 / 9, ".222"),
        Step("there or not, a b: P(words | ham)", 4 / 27, ".148"),
        Step("there or not: likelihood ratio", 3 / 2, "3/2"),
        Step("there or not: the answer", "spam", "spam"),
    ),
    notes="""
    The parameters 2/3 and 1/3 of example 9.4 are printed as .67 and .33; the products are those of the
    fractions. The e-mails are read as they stand, and d and e left out.
    """,
)
def _words() -> dict[str, Any]:
    import numpy as np

    import likely

    mails = likely.read("emails", into="dict")
    counted = likely.NaiveBayes({"message": likely.Words(stop=["d", "e"])}).fit(mails, "class")
    there = likely.NaiveBayes({"message": likely.Words(stop=["d", "e"], bits=True)}).fit(mails, "class")

    def parameters(model: likely.NaiveBayes, label: str) -> list[float]:
        # By how much more probable one word makes a message: of one token, or than its absence.
        row = {"message": ["", "a", "b", "c"]}
        logs = model.log_prob(row, [label] * 4)
        ratio = np.exp(logs[1:] - logs[0])
        return list(ratio if model is counted else ratio / (1 + ratio))

    def likelihood(model: likely.NaiveBayes, message: str, label: str) -> float:
        row = {"message": [message]}
        return float(np.exp(model.log_prob(row, [label])).item() / 0.5)  # half of the mails are of each class

    return {
        "counted: P(a, b, c | spam)": parameters(counted, "spam"),
        "counted: P(a, b, c | ham)": parameters(counted, "ham"),
        "there or not: P(a, b, c | spam)": parameters(there, "spam"),
        "there or not: P(a, b, c | ham)": parameters(there, "ham"),
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
        Step("recalibrated on the e-mails themselves: wrong calls, at most those of either", True),
    ),
    notes="The third rule learns a weight for each class: with two classes, the best point of the ROC curve.",
)
def _prior_odds() -> dict[str, Any]:
    import numpy as np

    import likely

    mails = likely.read("emails", into="dict")
    model = likely.NaiveBayes({"message": likely.Words(stop=["d", "e"], bits=True)}).fit(mails, "class")
    even, rare = model.with_base_rate("uniform"), model.with_base_rate({"spam": 1 / 3, "ham": 2 / 3})
    mail = {"message": ["a b"]}
    texts, kinds = {"message": mails["message"]}, np.asarray(mails["class"], object)
    wrong = {
        rule: int((likely.Decider(rare, rule).fit(texts, kinds).predict(texts) != kinds).sum())
        for rule in ("ml", "map", "recalibrated")
    }
    return {
        "likelihood ratio": np.exp(np.diff(even.predict_log_proba(mail)[0])).item(),
        "posterior odds": np.exp(np.diff(rare.predict_log_proba(mail)[0])).item(),
        "by likelihood": likely.Decider(rare, "ml").predict(mail).item(),
        "by posterior": likely.Decider(rare, "map").predict(mail).item(),
        "recalibrated on the e-mails themselves: wrong calls, at most those of either": bool(
            wrong["recalibrated"] <= min(wrong["ml"], wrong["map"])
        ),
    }


@worked(
    "N7",
    "KTH",
    "A spam filter from raw messages",
    data="""
    Three messages with the stop word 'the': P(w | y) = (n_yw + 1) / (n_y + |W|). Then one with capitals and
    an exclamation mark.
    """,
    steps=(
        Step("P(cat | p): (3 + 1) / (4 + 3)", 4 / 7),
        Step("a word never seen changes the odds by", 1.0),
        Step("CAT! is cat: P(cat | p) again", 4 / 7),
        Step("the mark kept as a word: P(! | p), (0 + 1) / (4 + 4)", 1 / 8),
    ),
    notes="""
    n_y counts words of the vocabulary only. The tokeniser folds case and, if asked to, keeps punctuation.
    The messages are ours.
    """,
)
def _filter_words() -> dict[str, Any]:
    import numpy as np

    import likely

    mails = {"message": ["the cat sat", "the the dog", "cat cat"], "class": ["p", "q", "p"]}
    model = likely.NaiveBayes({"message": likely.Words(stop=["the"])}).fit(mails, "class")
    marked = mails | {"message": ["the cat sat", "the the dog!", "cat cat"]}
    keeping = likely.Words(stop=["the"], pattern=r"\w+|[^\w\s]")
    marks = likely.NaiveBayes({"message": keeping}).fit(marked, "class")

    def chance(model: likely.NaiveBayes, text: str, label: str) -> float:
        one, none = (model.log_prob({"message": [row]}, [label]) for row in (text, ""))
        return float(np.exp(one - none).item())

    odds = [model.predict_proba({"message": [text]})[0] for text in ("cat", "cat zebra")]
    return {
        "P(cat | p): (3 + 1) / (4 + 3)": chance(model, "cat", "p"),
        "a word never seen changes the odds by": odds[1][0] / odds[1][1] / (odds[0][0] / odds[0][1]),
        "CAT! is cat: P(cat | p) again": chance(model, "CAT!", "p"),
        "the mark kept as a word: P(! | p), (0 + 1) / (4 + 4)": chance(marks, "!", "p"),
    }


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
    likelihoods = {}
    for how in ("mean", "predictive"):
        model = likely.NaiveBayes(kinds, estimate=how).fit(mails, "class")
        likelihoods[how] = [np.exp(model.log_prob(row, [label])).item() / 0.5 for label in ("spam", "ham")]
    return {
        "P(words | spam)": likelihoods["predictive"][0],
        "P(words | ham)": likelihoods["predictive"][1],
        "ratio, parameters summed out": likelihoods["predictive"][0] / likelihoods["predictive"][1],
        "ratio, plugged in": likelihoods["mean"][0] / likelihoods["mean"][1],
    }


EXAMPLES = (_words, _prior_odds, _filter_words, _predictive)
