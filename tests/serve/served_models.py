"""Fitted models of every sort, each with a row and more rows to ask about; made once a process."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import likely

RNG = np.random.default_rng(5)
N = 120
X = {
    "size": RNG.normal(size=N).round(3),
    "colour": RNG.choice(["red", "green", "blue"], N),
    "member": RNG.random(N) < 0.5,
}
KIND = np.where(X["size"] + RNG.normal(size=N) > 0, "b", "a")
PRICE = (3 * X["size"] + (X["colour"] == "red") + RNG.normal(size=N)).round(3)
ROW = {"size": 0.4, "colour": "red", "member": True}
ROWS = [ROW, {"size": None, "colour": "blue"}, {"colour": "mauve", "member": False, "size": -2}]


@cache
def model(name: str) -> Any:
    """A fitted model by a short name."""
    table = {**X, "kind": KIND}
    classes: dict[str, Any] = {
        "naive bayes": lambda: likely.NaiveBayes(),
        "tan": lambda: likely.TreeAugmentedNaiveBayes(),
        "aode": lambda: likely.AODE(),
        "gaussian": lambda: likely.GaussianClassifier(),
        "mixture classifier": lambda: likely.MixtureClassifier(2, random_state=0),
        "logistic": lambda: likely.LogisticRegression(),
        "least squares": lambda: likely.LeastSquaresClassifier(),
        "pool": lambda: likely.Classifier(),
        "network with a target": lambda: likely.Network(),
        "calibrated": lambda: likely.Calibrated(likely.NaiveBayes()),
    }
    if name in classes:
        return classes[name]().fit(table, "kind")
    match name:
        case "linear":
            return likely.LinearRegression().fit({**X, "price": PRICE}, "price")
        case "regressor":
            return likely.Regressor().fit({**X, "price": PRICE}, "price")
        case "mixture":
            return likely.Mixture(2, random_state=0).fit(X)
        case "markov":
            return likely.HiddenMarkov(2, random_state=0).fit({"size": X["size"]})
        case "network":
            return likely.Network().fit(table)
        case "decider":
            return likely.Decider(model("naive bayes"), costs="b->a=5", abstain=0.4)
        case "without names":
            return likely.GaussianClassifier().fit(np.column_stack([X["size"], PRICE]), KIND)
    raise KeyError(name)


CLASSIFIERS = (
    "naive bayes",
    "tan",
    "aode",
    "gaussian",
    "mixture classifier",
    "logistic",
    "pool",
    "network with a target",
    "calibrated",
    "mixture",
)
NUMBERS = ("linear", "regressor")
SAVED = (*CLASSIFIERS, *NUMBERS, "least squares", "markov", "network", "without names")
