"""Worked examples of naive Bayes whose columns may depend on each other."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked


@worked(
    "N9",
    "Flach ch. 9",
    "Relaxed independence: products, a tree, an average",
    data="Play tennis; today is sunny, cool, humid and windy. Laplace's estimate, base rate 9 to 5.",
    steps=(
        Step("naive Bayes: P(no)", 3025 / 4201),
        Step("outlook x humidity as one column: P(no), 25/32", 25 / 32),
        Step("temperature x humidity: P(no)", 50 / 71),
        Step("outlook x temperature: P(no)", 3025 / 5769),
        Step("the tree's arcs: bits in all", 1.1509381384610493),
        Step("a tree from outlook: P(no), 50/131", 50 / 131),
        Step("from temperature: P(no)", 5 / 17),
        Step("from humidity: P(no)", 55 / 153),
        Step("from windy: P(no)", 0.3774361790),
        Step("the average over all parents: P(no)", 336372 / 536243),
    ),
    notes="""
    The source says what products do; the tree (Friedman and others, 1997) and the average (Webb and others,
    2005) are ours. With smoothing the answer depends on where the tree begins: with few rows no arc is sure.
    """,
)
def _tennis() -> dict[str, Any]:
    import likely

    days = likely.read("play_tennis", into="dict")
    today = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}
    rates = {"yes": 9 / 14, "no": 5 / 14}

    def of_no(model: Any) -> float:
        return float(model.fit(days, "play").predict_proba(today)[0, 0])

    def joined(*pair: str) -> float:
        return of_no(likely.NaiveBayes(base_rate=rates, products=[pair]))

    def tree(root: str) -> likely.TreeAugmentedNaiveBayes:
        return likely.TreeAugmentedNaiveBayes(root=root, base_rate=rates, backoff=None)

    return {
        "naive Bayes: P(no)": of_no(likely.NaiveBayes(base_rate=rates)),
        "outlook x humidity as one column: P(no), 25/32": joined("outlook", "humidity"),
        "temperature x humidity: P(no)": joined("temperature", "humidity"),
        "outlook x temperature: P(no)": joined("outlook", "temperature"),
        "the tree's arcs: bits in all": sum(tree("outlook").fit(days, "play").information_.values()),
        "a tree from outlook: P(no), 50/131": of_no(tree("outlook")),
        "from temperature: P(no)": of_no(tree("temperature")),
        "from humidity: P(no)": of_no(tree("humidity")),
        "from windy: P(no)": of_no(tree("windy")),
        "the average over all parents: P(no)": of_no(likely.AODE(backoff=None)),
    }


@worked(
    "N9b",
    "Flach ch. 9",
    "Columns that repeat each other, and columns that tell only together",
    data="Outlook of the 14 days five times over, and play; then two coins, equal in one class alone.",
    steps=(
        Step("five copies, naive Bayes: P(no) when sunny", 0.98761090562),
        Step("five copies, tree: P(no) when sunny, overcast, rainy", (0.6, 0.0, 0.4)),
        Step("five copies, average: the same", (0.6, 0.0, 0.4)),
        Step("coins, naive Bayes: P(equal)", 0.5),
        Step("coins, tree: P(equal) when equal", 1.0),
        Step("coins, average: P(equal) when equal", 1.0),
        Step("coins, their product: P(equal) when equal", 1.0),
    ),
    notes="Maximum likelihood. A copy adds nothing once the column is known: both relaxations see that.",
)
def _copies() -> dict[str, Any]:
    import likely

    days = likely.read("play_tennis", into="dict")
    five = {f"outlook {i}": days["outlook"] for i in range(5)}
    skies = {name: ["sunny", "overcast", "rainy"] for name in five}
    coins = {"a": [False, True, False, True], "b": [False, True, True, False]}
    same = ["equal", "equal", "different", "different"]

    def of_no(model: Any) -> Any:
        return model.fit(five, days["play"]).predict_proba(skies)[:, 0]

    def of_equal(model: Any) -> float:
        return float(model.fit(coins, same).predict_proba(coins)[0, 1])

    tree = likely.TreeAugmentedNaiveBayes(prior=None)
    average = likely.AODE(prior=None)
    return {
        "five copies, naive Bayes: P(no) when sunny": of_no(likely.NaiveBayes(prior=None))[0],
        "five copies, tree: P(no) when sunny, overcast, rainy": of_no(tree),
        "five copies, average: the same": of_no(average),
        "coins, naive Bayes: P(equal)": of_equal(likely.NaiveBayes(prior=None)),
        "coins, tree: P(equal) when equal": of_equal(tree),
        "coins, average: P(equal) when equal": of_equal(average),
        "coins, their product: P(equal) when equal": of_equal(
            likely.NaiveBayes(prior=None, products=[("a", "b")])
        ),
    }


EXAMPLES = (_tennis, _copies)
