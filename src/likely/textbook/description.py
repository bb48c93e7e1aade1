"""Worked examples of description length, of codes by a model, and of trees of codes."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked


@worked(
    "I3c",
    "Flach",
    "Codes of a few more alphabets",
    data="Probabilities .4 .3 .3; 5, 4, 4 and 1 in 14; the words of ham (.6, .2, .2).",
    steps=(
        Step("entropies", (1.570951, 1.835238, 1.370951), tolerance=1e-6),
        Step("lengths by Shannon", (2, 2, 2, 2, 2, 2, 4, 1, 3, 3)),
        Step("mean lengths by Huffman", (1.6, 2.0, 1.4)),
        Step("mean lengths by Fano", (1.6, 2.0, 1.4)),
        Step("mean lengths by Shannon", (2.0, 15 / 7, 1.8)),
        Step("Kraft sums of Huffman's words", (1.0, 1.0, 1.0)),
    ),
    notes="The sources name the codes; the figures are ours.",
)
def _alphabets() -> dict[str, Any]:
    from likely import codes

    alphabets = [[0.4, 0.3, 0.3], [5 / 14, 4 / 14, 4 / 14, 1 / 14], [0.6, 0.2, 0.2]]
    means = {
        rule.__name__: [rule(p).mean_length for p in alphabets]
        for rule in (codes.huffman, codes.fano, codes.shannon)
    }
    return {
        "entropies": [codes.huffman(p).alphabet.entropy for p in alphabets],
        "lengths by Shannon": sum((codes.shannon(p).lengths for p in alphabets), ()),
        "mean lengths by Huffman": means["huffman"],
        "mean lengths by Fano": means["fano"],
        "mean lengths by Shannon": means["shannon"],
        "Kraft sums of Huffman's words": [float(codes.huffman(p).kraft) for p in alphabets],
    }


@worked(
    "I3d",
    "Flach",
    "Rows coded by a model, column after column",
    data="The 14 days of play tennis, by naive Bayes, by a network and by the table of all combinations.",
    steps=(
        Step("decoded, the rows are the same", True),
        Step("bits are at most two more than the information of the rows", True),
        Step("the model that finds the rows more probable makes them shorter", True),
    ),
    notes="Driven by any model: the chain rule, and arithmetic codes in whole numbers. The figures are ours.",
)
def _by_models() -> dict[str, Any]:
    import numpy as np

    import likely
    from likely import codes

    days = likely.read("play_tennis", into="dict")
    models = [
        likely.NaiveBayes().fit(days, "play"),
        likely.Network(structure="tree").fit(days),
        likely.Joint.from_data(days),
    ]
    rows = [codes.ModelCode(model) for model in models]
    bits, information = [len(code.bits(days)) for code in rows], [code.information(days) for code in rows]
    again = [code.decode(code.encode(days)) for code in rows]
    return {
        "decoded, the rows are the same": all(
            list(one[name]) == list(days[name]) for one in again for name in days
        ),
        "bits are at most two more than the information of the rows": all(
            b <= i + 2 for b, i in zip(bits, information, strict=True)
        ),
        "the model that finds the rows more probable makes them shorter": np.argsort(bits).tolist()
        == np.argsort(information).tolist(),
    }


@worked(
    "I4b",
    "Flach p.294",
    "The degree of a polynomial, and the bits of what is wrong",
    data="y at x = 0 to 11, written to .01; 10 wrong answers of 100, 3 of 14, 2 of 8.",
    steps=(
        Step("bits of degrees 0 to 2", (135.7834, 126.4412, 94.9348), tolerance=1e-4),
        Step("bits of degrees 3 to 5", (96.6931, 98.4465, 99.5725), tolerance=1e-4),
        Step("the shortest", "degree 2"),
        Step("the most probable under the prior 2^-bits", "degree 2"),
        Step("squares left by degrees 0 to 2", (301.5242, 83.3058, 1.7783), tolerance=1e-4),
        Step("squares left by degrees 3 to 5", (1.7713, 1.7634, 1.6327), tolerance=1e-4),
        Step("10 of 100: which of them, and how many", (43.976697, 6.658211), tolerance=1e-6),
        Step("10 of 100: bits of the evidence under Beta(1, 1)", 50.634908, tolerance=1e-6),
        Step("bits of the wrong ones", (50.634908, 12.414685, 7.977280), tolerance=1e-6),
        Step("at one bit each", (10.0, 3.0, 2.0)),
    ),
    notes="""
    What is sent are coefficients and a variance, half log2 n bits each. Which k of n are wrong takes log2 of
    n over k, and log2 (n + 1) for k: one bit each, as the source counts, cannot be decoded. The points are
    ours.
    """,
)
def _degrees() -> dict[str, Any]:
    import numpy as np
    from sklearn.pipeline import make_pipeline

    import likely
    from likely import hypotheses

    y = [2.30, 0.25, 0.10, 0.35, -0.20, 0.35, 2.50, 3.65, 6.20, 8.15, 12.40, 15.45]
    table = {"x": list(range(12)), "y": y}
    line = likely.LinearRegression(prior=None)
    degrees = {f"degree {d}": make_pipeline(likely.Polynomial(degree=d), line) for d in (2, 3, 4, 5)}
    choice = likely.choose({"degree 1": make_pipeline(line), **degrees}, table, "y", step=0.01)
    constant = likely.Mixture(1, prior=None).fit({"y": y})
    lengths = {"degree 0": likely.code_length(constant, {"y": y}, step=0.01)}
    squares = [12 * np.var(y)]
    for name, model in {"degree 1": make_pipeline(line), **degrees}.items():
        model.fit({"x": table["x"]}, y)
        lengths[name] = likely.code_length(model, table, "y", step=0.01)
        squares.append(12 * model[-1].noise_variance_)
    bits = [length.total for length in lengths.values()]
    likelihood = {name: {"y": 2.0**-length.data_bits} for name, length in lengths.items()}
    code = hypotheses.Code({name: length.model_bits for name, length in lengths.items()})
    wrong = ((10, 100), (3, 14), (2, 8))
    number = np.log2(100 + 1)
    evidence = likely.posterior(likely.Beta(1, 1), [1] * 10 + [0] * 90).log_evidence
    return {
        "bits of degrees 0 to 2": bits[:3],
        "bits of degrees 3 to 5": bits[3:],
        "the shortest": choice.names[0],
        "the most probable under the prior 2^-bits": hypotheses.Space(list(lengths), likelihood, code)
        .update(["y"])
        .map,
        "squares left by degrees 0 to 2": squares[:3],
        "squares left by degrees 3 to 5": squares[3:],
        "bits of the wrong ones": [likely.score.error_bits(k, n) for k, n in wrong],
        "10 of 100: which of them, and how many": [likely.score.error_bits(10, 100) - number, number],
        "10 of 100: bits of the evidence under Beta(1, 1)": -evidence / np.log(2),
        "at one bit each": [likely.score.error_bits(k, n, way="count") for k, n in wrong],
    }


@worked(
    "I5c",
    "Flach",
    "Spam by the bits of its words, and by any compressor",
    data="The eight e-mails of the words a to e (d and e are stop words), as bags of words.",
    steps=(
        Step(
            "bits of a a a b by spam and by ham, the class's own bit apart", (4.2109, 2.5328), tolerance=1e-4
        ),
        Step("the shortest code is the most probable class, in all e-mails", True),
        Step("a compressor that counts letters finds both classes alike", True),
    ),
    notes="C(texts of the class + x) - C(texts of the class), for any function C from bytes to a length.",
)
def _classes() -> dict[str, Any]:
    import numpy as np

    import likely

    mails = likely.read("emails", into="dict")
    kinds = {"message": likely.Words(stop=["d", "e"])}
    model = likely.CompressionClassifier(kinds=kinds, base_rate="uniform", evidence_weights=None)
    model.fit(mails, "class")
    rows = {"message": list(mails["message"])}
    bits = model.code_lengths({"message": ["a a a b"]})[0] - 1
    order = [model.classes_.tolist().index(label) for label in ("spam", "ham")]
    shortest = model.classes_[model.code_lengths(rows).argmin(axis=1)]
    letters = likely.CompressionClassifier(compressor=len, kinds="text", base_rate="uniform")
    alike = letters.fit(mails, "class").predict_proba(rows)
    return {
        "bits of a a a b by spam and by ham, the class's own bit apart": bits[order],
        "the shortest code is the most probable class, in all e-mails": bool(
            (model.predict(rows) == shortest).all()
        ),
        "a compressor that counts letters finds both classes alike": bool(np.allclose(alike, 0.5)),
    }


EXAMPLES = (_alphabets, _by_models, _degrees, _classes)
