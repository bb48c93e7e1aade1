"""Worked examples of features that are constructed: products, subgroups, linked tables, sequences."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked


@worked(
    "F9a",
    "Flach ch. 10",
    "A Cartesian product: shape and colour as one feature",
    data="""
    Shape: circle, triangle, square; colour: red, green, blue. Two things were seen: a red circle and a blue
    square.
    """,
    steps=(
        Step("levels of the product", 9),
        Step("the first three", "circle, red; circle, green; circle, blue"),
        Step("rows of each", (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)),
        Step("a green triangle, never seen, is", "triangle, green"),
        Step("back from the product", "circle red, square blue"),
    ),
    notes="""
    Levels stand in the order of the first feature, then of the second, and combinations that were never seen
    are levels, too.
    """,
)
def _product() -> dict[str, Any]:
    import likely

    kinds = {"shape": ["circle", "triangle", "square"], "colour": ["red", "green", "blue"]}
    things = {"shape": ["circle", "square"], "colour": ["red", "blue"]}
    model = likely.Cross(keep=False, kinds=kinds).fit(things)
    cells = model.table().lines
    new = model.transform({"shape": ["triangle"], "colour": ["green"]})
    back = model.inverse_transform(model.transform(things))
    pairs = zip(back["shape"], back["colour"], strict=True)
    return {
        "levels of the product": len(cells),
        "the first three": "; ".join(line["cell"] for line in cells[:3]),
        "rows of each": [line["rows"] for line in cells],
        "a green triangle, never seen, is": new["shape x colour"][0],
        "back from the product": ", ".join(" ".join(pair) for pair in pairs),
    }


@worked(
    "F9b",
    "Flach ch. 10",
    "Arithmetic combinations: the feature map of the quadratic kernel",
    data="Four columns of numbers a, b, c, d; two rows (1, 2, 3, 4) and (2, 0, 1, 5).",
    steps=(
        Step("columns of degree two", 10),
        Step("called", "a^2, a * b, a * c, a * d, b^2, b * c, b * d, c^2, c * d, d^2"),
        Step("of the first row", (1.0, 2.0, 3.0, 4.0, 4.0, 6.0, 8.0, 9.0, 12.0, 16.0)),
        Step("(x . z)^2, by the kernel", 625.0),
        Step("by the new columns, products counted twice", 625.0),
        Step("a ratio and a difference of the first row", (0.5, -1.0)),
        Step("a / b of the second row is missing: b is 0", True),
    ),
    notes="Of d columns there are d (d + 1) / 2 of degree two.",
)
def _arithmetic() -> dict[str, Any]:
    import numpy as np

    import likely

    rows = {"a": [1.0, 2.0], "b": [2.0, 0.0], "c": [3.0, 1.0], "d": [4.0, 5.0]}
    names = list(likely.Polynomial().fit(rows).get_feature_names_out()[4:])
    made = likely.Polynomial().fit_transform(rows)
    x, z = np.array([made[name] for name in names]).T
    twice = np.array([1.0 if name.endswith("^2") else 2.0 for name in names])
    pair = {name: rows[name] for name in ("a", "b")}
    other = likely.Polynomial(1, ratios=True, differences=True).fit_transform(pair)
    return {
        "columns of degree two": len(names),
        "called": ", ".join(names),
        "of the first row": x,
        "(x . z)^2, by the kernel": sum(values[0] * values[1] for values in rows.values()) ** 2,
        "by the new columns, products counted twice": float((twice * x) @ z),
        "a ratio and a difference of the first row": (other["a / b"][0], other["a - b"][0]),
        "a / b of the second row is missing: b is 0": bool(np.isnan(other["a / b"][1])),
    }


@worked(
    "F9c",
    "Flach ch. 10",
    "A subgroup is a feature, and its negation a disjunction",
    data="""
    Seven sea animals by length (3 4 5 3 7 4 5) and gills (no no no yes no yes no); the first three and the
    last are dolphins. The subgroup: length in [3, 5] and no gills.
    """,
    steps=(
        Step("rows in the subgroup", "1 2 3 7"),
        Step("its negation", "length < 3 or length > 5 or gills != no"),
        Step("rows of the negation", "4 5 6"),
        Step("P(dolphin) in the subgroup, and its lift", (1.0, 7 / 4)),
        Step("found by a search for them", "length < 7 and gills = no"),
        Step("a concept as a condition", "gills = no"),
    ),
    notes="""
    The source names subgroups as features; the animals are ours. The search asks for as few conditions as it
    needs: no animal is shorter than 3.
    """,
)
def _subgroups() -> dict[str, Any]:
    import numpy as np

    import likely

    animals = {"length": [3, 4, 5, 3, 7, 4, 5], "gills": ["no", "no", "no", "yes", "no", "yes", "no"]}
    dolphin = [True, True, True, False, False, False, True]
    text = "3 <= length <= 5 and gills = no"
    given = likely.Subgroups([text, f"not ({text})"]).fit(animals, dolphin)
    inside, outside = list(given.transform(animals).values())[-2:]
    line = given.table().lines[0]
    searched = likely.Subgroups(count=1, least=1).fit(animals, dolphin)
    concept = likely.hypotheses.Concept(("length", "gills"), (likely.hypotheses.ANY, "no"))
    return {
        "rows in the subgroup": " ".join(map(str, np.flatnonzero(inside) + 1)),
        "its negation": given.negations_[0],
        "rows of the negation": " ".join(map(str, np.flatnonzero(outside) + 1)),
        "P(dolphin) in the subgroup, and its lift": (line["rate"], line["lift"]),
        "found by a search for them": searched.texts_[0],
        "a concept as a condition": concept.text,
    }


@worked(
    "F9d",
    "Flach ch. 10",
    "Linked tables: what the parts of a fish say about it",
    data="""
    Three fish: a trout with fins (a pair), gills (a pair) and a tail, an eel with a tail and a fin, and a
    jellyfish with nothing. The parts are rows of a table of their own.
    """,
    steps=(
        Step("has a body part", (1.0, 1.0, 0.0)),
        Step("has a pair of body parts", (1.0, 0.0, 0.0)),
        Step("how many parts", (3.0, 2.0, 0.0)),
        Step("how many pairs", (2.0, 0.0, 0.0)),
        Step("the mean size of a part, where there is one", (4.0, 15.0)),
        Step("one that is equal to another is dropped", False),
        Step("what is general stands before what is special", True),
    ),
    notes="The source counts the parts of dolphins; the fish are ours.",
)
def _linked() -> dict[str, Any]:
    import likely

    fish = {"fish": ["trout", "eel", "jelly"]}
    parts = {
        "fish": ["trout", "trout", "trout", "eel", "eel"],
        "pair": [True, True, False, False, False],
        "part": ["fin", "gill", "tail", "tail", "fin"],
        "size": [3, 1, 8, 20, 10],
    }
    model = likely.Linked("fish", parts).fit(fish)
    out = model.transform(fish)
    return {
        "has a body part": out["exists"],
        "has a pair of body parts": out["exists(pair = true)"],
        "how many parts": out["count"],
        "how many pairs": out["count(pair = true)"],
        "the mean size of a part, where there is one": out["mean(size)"][:2],
        "one that is equal to another is dropped": "exists(part = gill)" in out,
        "what is general stands before what is special": (
            list(out).index("exists") < list(out).index("exists(pair = true)")
        ),
    }


@worked(
    "F9e",
    "Flach ch. 10",
    "Structured features: pairs of words, phrases, palindromes, passages",
    data="""
    Two sentences, "they write about machine learning" and "they are learning to write about a machine", and a
    third: "Degas, are we not drawn onward, we freer few, drawn onward to new eras aged?"
    """,
    steps=(
        Step("every word of the first is in the second", True),
        Step("pairs of words in both", "write about"),
        Step("is (machine, learning) a pair of the first, and of the second?", (1.0, 0.0)),
        Step("contain the phrase 'machine learning'", (1.0, 0.0, 0.0)),
        Step("palindromes", (0.0, 0.0, 1.0)),
        Step("letters of the third", 58),
        Step("longest passage of the first and the second", 2),
        Step("is one quoted in the other?", False),
    ),
    notes="The sentences are the source's.",
)
def _structured() -> dict[str, Any]:
    import likely

    texts = [
        "they write about machine learning",
        "they are learning to write about a machine",
        "Degas, are we not drawn onward, we freer few, drawn onward to new eras aged?",
    ]
    one, two = (set(likely.Words(ngrams=2).tokens(text)) for text in texts[:2])
    table = {"text": texts}
    out = likely.Structured(phrases=["machine learning"], columns=["text"]).fit_transform(table)
    letters = likely.Structured(["length"], unit="letters", columns=["text"]).fit_transform(table)
    sides = {"one": texts[:1], "two": texts[1:2]}
    both = likely.Structured((), pairs=[("one", "two")], run=2, columns=[]).fit_transform(sides)
    return {
        "every word of the first is in the second": {w for w in one if " " not in w} <= two,
        "pairs of words in both": ", ".join(w for w in one & two if " " in w),
        "is (machine, learning) a pair of the first, and of the second?": [
            float("machine learning" in pairs) for pairs in (one, two)
        ],
        "contain the phrase 'machine learning'": out["contains(text, machine learning)"],
        "palindromes": out["palindrome(text)"],
        "letters of the third": letters["length(text)"][2],
        "longest passage of the first and the second": both["passage(one, two)"][0],
        "is one quoted in the other?": bool(both["quoted(one, two)"][0]),
    }


EXAMPLES = (_product, _arithmetic, _subgroups, _linked, _structured)
