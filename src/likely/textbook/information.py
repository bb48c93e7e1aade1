"""Worked examples of information and description length."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.textbook.example import Step, worked


@worked(
    "I1",
    "Flach table 9.2",
    "Information content in bits",
    data="A coin, a die, and the probabilities .40, .12, .60 and .88 of a word in spam and ham.",
    steps=(
        Step("coin", 1.0, "1"),
        Step("die", float(np.log2(6)), "2.6"),
        Step(
            "-log2 of .40, .12, .60, .88", tuple(-np.log2([0.40, 0.12, 0.60, 0.88])), "1.32, 3.06, .74, .18"
        ),
    ),
)
def _bits() -> dict[str, Any]:
    from likely import score

    return {
        "coin": score.entropy([1 / 2, 1 / 2]),
        "die": score.entropy([1 / 6] * 6),
        "-log2 of .40, .12, .60, .88": score.information([0.40, 0.12, 0.60, 0.88]),
    }


@worked(
    "I2",
    "Flach",
    "The most probable class has the shortest description",
    data="P(Viagra | spam) = .40, P(Viagra | ham) = .12; spam and ham alike, or ham four times as common.",
    steps=(
        Step("alike, Viagra", "spam", "spam"),
        Step("alike, no Viagra", "ham", "ham"),
        Step("bits of spam and of ham", (np.log2(5), np.log2(5 / 4)), "2.32, .32"),
        Step("ham common, Viagra: bits of both", (-np.log2(0.2 * 0.4), -np.log2(0.8 * 0.12))),
        Step("ham common, Viagra", "ham", "ham"),
    ),
    notes="Of n messages the k errors cost log2 C(n, k) bits together, not one bit each (Flach p.294).",
)
def _shortest() -> dict[str, Any]:
    from likely import hypotheses

    word = {"spam": {1: 0.40, 0: 0.60}, "ham": {1: 0.12, 0: 0.88}}
    alike = hypotheses.Space({"spam": 0.5, "ham": 0.5}, word)
    common = hypotheses.Space({"spam": 0.2, "ham": 0.8}, word).update([1]).description()
    return {
        "alike, Viagra": alike.update([1]).description().shortest,
        "alike, no Viagra": alike.update([0]).description().shortest,
        "bits of spam and of ham": common.of_hypothesis,
        "ham common, Viagra: bits of both": common.total,
        "ham common, Viagra": common.shortest,
    }


def draw_bits() -> Any:
    """The bits of 1, 2, 3 ... groups."""
    import likely

    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(place, 1, 60) for place in (0, 6, 12)])
    return likely.Mixture("auto", criterion="mdl", random_state=0, tol=1e-4).fit({"x": x}).curve_.plot()


@worked(
    "I4",
    "Flach",
    "The model with the shortest description of itself and the data",
    data="180 numbers around 0, 6 and 12; 500 counts and 500 waiting times.",
    steps=(
        Step("groups of the numbers", 3),
        Step("more groups always fit better: log-likelihood rises", True),
        Step("bits of 1, 2, 3 groups fall", True),
        Step("family of the counts", "poisson"),
        Step("family of the waiting times is not normal", True),
        Step("bits saved by the family of the counts, more than 10", True),
    ),
    notes="""
    L(m) + L(D given m). Of n messages the k errors cost log2 C(n, k) bits together, not one bit each (Flach
    p.294). The data are ours.
    """,
    figure=draw_bits,
)
def _bargain() -> dict[str, Any]:
    import numpy as np

    import likely

    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(place, 1, 60) for place in (0, 6, 12)])
    tried = likely.Mixture("auto", criterion="mdl", random_state=0, tol=1e-4).fit({"x": x}).curve_
    first = tried.tried[:3]
    rows = {"visits": rng.poisson(3, 500), "waiting": rng.exponential(10, 500)}
    chosen = likely.NaiveBayes(families="auto").fit(rows, np.arange(500) % 2).families_
    return {
        "groups of the numbers": tried.best,
        "more groups always fit better: log-likelihood rises": bool(
            (np.diff([one.log_likelihood for one in first]) > 0).all()
        ),
        "bits of 1, 2, 3 groups fall": bool((np.diff([one.bits for one in first]) < 0).all()),
        "family of the counts": chosen["visits"].chosen,
        "family of the waiting times is not normal": chosen["waiting"].chosen != "normal",
        "bits saved by the family of the counts, more than 10": bool((chosen["visits"].margin or 0) > 10),
    }


@worked(
    "I5",
    "Flach",
    "The class whose model codes the message shortest",
    data="""
    The eight e-mails of the words a to e (d and e are stop words). A message a a a b, coded by the words of
    spam and by those of ham.
    """,
    steps=(
        Step("bits of the message, by spam and by ham", (-np.log2(0.054), -np.log2(0.1728))),
        Step("bits saved by ham, log2 of 16/5", float(np.log2(16 / 5))),
        Step("the shortest", "ham"),
        Step("the shortest is the most probable, in all eight e-mails", True),
    ),
    notes="What has probability P takes -log2 P bits; with the class's own bits it is Bayes' rule.",
)
def _shortest_code() -> dict[str, Any]:
    import numpy as np

    import likely

    mails = likely.read("emails", into="dict")
    model = likely.NaiveBayes({"message": likely.Words(stop=["d", "e"])}, base_rate="uniform").fit(
        mails, "class"
    )

    def bits(message: str) -> dict[str, float]:
        row = {"message": [message]}
        return {
            y: -model.log_prob(row, [y]).item() / np.log(2) - 1 for y in ("spam", "ham")
        }  # less the class's 1

    lengths = bits("a a a b")
    told = [bits(message) for message in mails["message"]]
    answers = model.predict({"message": mails["message"]})
    return {
        "bits of the message, by spam and by ham": list(lengths.values()),
        "bits saved by ham, log2 of 16/5": lengths["spam"] - lengths["ham"],
        "the shortest": min(lengths, key=lambda label: lengths[label]),
        "the shortest is the most probable, in all eight e-mails": all(
            one[answer] == min(one.values()) for one, answer in zip(told, answers, strict=True)
        ),
    }


@worked(
    "I3",
    "Flach",
    "Codes with a word for each symbol",
    data="""
    A die; the words of spam (.3, .5, .2); five symbols of 15, 7, 6, 6 and 5 in 39; a disease of probability
    .008.
    """,
    steps=(
        Step("entropies of the four", (2.584963, 1.485475, 2.185812, 0.067222), tolerance=1e-6),
        Step("mean lengths by Huffman", (8 / 3, 1.5, 87 / 39, 1.0)),
        Step("mean lengths by Fano", (8 / 3, 1.5, 89 / 39, 1.0)),
        Step("mean lengths by Shannon", (3.0, 1.7, 2.615385, 1.048), tolerance=1e-6),
        Step("die: lengths of Huffman's words", (2, 2, 3, 3, 3, 3)),
        Step("spam: Huffman's words", "10 0 11"),
        Step("five symbols: lengths by Huffman, then by Shannon", (1, 3, 3, 3, 3, 2, 3, 3, 3, 3)),
        Step("disease: Shannon's lengths", (7, 1)),
    ),
    notes="""
    The sources name the codes; the figures are ours. Fano's code is not always optimal, and one symbol at a
    time takes at least one bit.
    """,
)
def _words() -> dict[str, Any]:
    from likely import codes

    die, spam, five, ill = (
        [1 / 6] * 6,
        [0.3, 0.5, 0.2],
        [15 / 39, 7 / 39, 6 / 39, 6 / 39, 5 / 39],
        [0.008, 0.992],
    )
    four = (die, spam, five, ill)
    return {
        "entropies of the four": [codes.huffman(p).alphabet.entropy for p in four],
        "mean lengths by Huffman": [codes.huffman(p).mean_length for p in four],
        "mean lengths by Fano": [codes.fano(p).mean_length for p in four],
        "mean lengths by Shannon": [codes.shannon(p).mean_length for p in four],
        "die: lengths of Huffman's words": codes.huffman(die).lengths,
        "spam: Huffman's words": " ".join(codes.huffman(spam).words),
        "five symbols: lengths by Huffman, then by Shannon": codes.huffman(five).lengths
        + codes.shannon(five).lengths,
        "disease: Shannon's lengths": codes.shannon(ill).lengths,
    }


@worked(
    "I3b",
    "Flach",
    "Arithmetic coding: one word for a whole message",
    data="The message abaccbaabc, by probabilities .4, .3, .3, and learnt as it goes; aaab by spam and ham.",
    steps=(
        Step("its bits", 15.709506, tolerance=1e-6),
        Step("its word", "0011010010011110"),
        Step("learnt as it goes, by Laplace: its probability", 1 / 277200),
        Step("with pseudo-counts of one half", 5 / 2909907),
        Step("bits of both", (18.080568, 19.150614), tolerance=1e-6),
        Step("aaab by spam and by ham: bits", (6.210897, 4.532825), tolerance=1e-6),
        Step("aaab by spam and by ham: words", "00000011 001001"),
    ),
    notes="Learnt as it goes, the bits are those of the evidence (marginal likelihood), in any order.",
)
def _one_word() -> dict[str, Any]:
    from likely import codes

    message = "abaccbaabc"
    fixed = codes.arithmetic({"a": 0.4, "b": 0.3, "c": 0.3})
    spam = codes.arithmetic({"a": 0.3, "b": 0.5, "c": 0.2})
    ham = codes.arithmetic({"a": 0.6, "b": 0.2, "c": 0.2})
    return {
        "its bits": fixed.information(message),
        "its word": fixed.encode(message),
        "learnt as it goes, by Laplace: its probability": float(codes.adaptive("abc").prob(message)),
        "with pseudo-counts of one half": float(codes.adaptive("abc", 0.5).prob(message)),
        "bits of both": [codes.adaptive("abc", count).information(message) for count in (1, 0.5)],
        "aaab by spam and by ham: bits": [code.information("aaab") for code in (spam, ham)],
        "aaab by spam and by ham: words": " ".join(code.encode("aaab") for code in (spam, ham)),
    }


@worked(
    "I5b",
    "Flach",
    "The eight e-mails, coded by the words of spam and by those of ham",
    data="The eight e-mails of the words a to e (d and e are stop words), as sequences of words.",
    steps=(
        Step(
            "bits by spam",
            (3, 9.9658, 5.2109, 6.4739, 9.9479, 13.9136, 5.2109, 0),
            tolerance=1e-4,
        ),
        Step(
            "bits by ham",
            (6.9658, 13.9316, 2.2109, 8.4397, 9.9136, 9.9136, 2.2109, 0),
            tolerance=1e-4,
        ),
        Step("e-mails that the other class codes shorter", 1),
        Step("a tie, which the base rate decides", "the eighth"),
    ),
    notes="The error is the third: a spam that says only a, which ham says more often.",
)
def _eight() -> dict[str, Any]:
    import likely
    from likely import codes

    mails = likely.read("emails", into="dict")
    words = {"spam": {"a": 0.3, "b": 0.5, "c": 0.2}, "ham": {"a": 0.6, "b": 0.2, "c": 0.2}}
    bits = {
        label: [
            codes.arithmetic(own).information([word for word in message.split() if word in own])
            for message in mails["message"]
        ]
        for label, own in words.items()
    }
    pairs = list(zip(mails["class"], bits["spam"], bits["ham"], strict=True))
    wrong = sum((spam < ham) != (label == "spam") for label, spam, ham in pairs if spam != ham)
    ties = [number for number, (_, spam, ham) in enumerate(pairs, 1) if spam == ham]
    return {
        "bits by spam": bits["spam"],
        "bits by ham": bits["ham"],
        "e-mails that the other class codes shorter": wrong,
        "a tie, which the base rate decides": "the eighth" if ties == [8] else str(ties),
    }


EXAMPLES = (_bits, _shortest, _words, _one_word, _bargain, _shortest_code, _eight)
