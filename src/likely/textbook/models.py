"""Worked examples whose figures are identities: they must hold on any data."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.textbook.example import worked
from likely.textbook.step import Step

OUR_DATA = "The source proves it; the data are ours."


@worked(
    "G1",
    "Flach",
    "The normal density by the Mahalanobis distance",
    data="A bivariate normal distribution and the point (2, 0).",
    steps=(
        Step("density", float(np.exp(-1 / 5.12) / (3.2 * np.pi))),
        Step("exp(-distance^2 / 2) / E_d: difference", 0.0),
    ),
    notes="E_2 = 2 pi sqrt(det). " + OUR_DATA,
)
def _distance() -> dict[str, Any]:
    import numpy as np

    import likely

    covariance = np.array([[4.0, 1.2], [1.2, 1.0]])
    normal = likely.MultivariateNormal([1, 0], covariance)
    point = np.array([2.0, 0.0])
    by_distance = np.exp(-(normal.distance(point) ** 2) / 2) / (
        2 * np.pi * np.sqrt(np.linalg.det(covariance))
    )
    return {
        "density": normal.prob(point),
        "exp(-distance^2 / 2) / E_d: difference": normal.prob(point) - by_distance,
    }


@worked(
    "G4",
    "Flach",
    "Unit covariance and equal base rates: the boundary bisects the line between the means",
    data="Three rows of each of two classes.",
    steps=(
        Step("log-odds half-way between the means", 0.0),
        Step("direction of the boundary's normal less that between the means", (0.0, 0.0)),
        Step("diagonal covariances or Gaussian naive Bayes: largest difference", 0.0),
    ),
    notes=OUR_DATA,
)
def _bisects() -> dict[str, Any]:
    import numpy as np

    import likely

    X = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 1.0], [4.0, 4.0], [5.0, 7.0], [6.0, 4.0]])
    y = np.array(["-", "-", "-", "+", "+", "+"])
    model = likely.GaussianClassifier(covariance="identity", base_rate="uniform").fit(X, y)
    plus, minus = X[3:].mean(axis=0), X[:3].mean(axis=0)
    line = model.boundary("+", "-")
    diagonal = likely.GaussianClassifier(covariance="diagonal").fit(X, y)
    naive = likely.NaiveBayes(families="normal").fit(X, y)
    return {
        "log-odds half-way between the means": line.log_odds(((plus + minus) / 2)[None, :])[0],
        "direction of the boundary's normal less that between the means": line.linear - (plus - minus),
        "diagonal covariances or Gaussian naive Bayes: largest difference": np.abs(
            diagonal.predict_proba(X) - naive.predict_proba(X)
        ).max(),
    }


@worked(
    "G6",
    "Flach; CIML",
    "Least squares as maximum likelihood",
    data="x = 0, 1, 2, 3 and y = 1, 2, 2, 4.",
    steps=(
        Step("slope, covariance over variance", 0.9),
        Step("intercept", 0.9),
        Step("noise variance, RSS / n", 0.175),
        Step("ridge with penalty 5: the slope is S / (S + 5) of it", 0.45),
    ),
    notes="One minimises the negative log-likelihood (Flach p.273). The intercept is not penalised. "
    + OUR_DATA,
)
def _least_squares() -> dict[str, Any]:
    import numpy as np

    import likely

    x, y = {"x": [0.0, 1.0, 2.0, 3.0]}, [1.0, 2.0, 2.0, 4.0]
    model = likely.LinearRegression(None).fit(x, y)
    ridge = likely.LinearRegression(likely.Normal(0, np.sqrt(1 / 5)), standardise=False).fit(x, y)
    return {
        "slope, covariance over variance": model.coef_[0],
        "intercept": model.intercept_,
        "noise variance, RSS / n": model.noise_variance_,
        "ridge with penalty 5: the slope is S / (S + 5) of it": ridge.coef_[0],
    }


@worked(
    "G8",
    "Flach",
    "Decorrelate and normalise, then classify by distance: the tied Gaussian classifier",
    data="Forty rows of two classes, drawn with one covariance.",
    steps=(Step("largest difference of probabilities", 0.0),),
    notes=OUR_DATA,
)
def _whitened() -> dict[str, Any]:
    import numpy as np

    import likely

    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 2)) @ np.array([[2.0, 1.0], [0.0, 0.5]]) + y[:, None]
    white = likely.Whiten(by="within").fit(X, y).transform(X)
    plain = likely.GaussianClassifier(covariance="identity", prior=None).fit(white, y)
    tied = likely.GaussianClassifier(covariance="tied", prior=None).fit(X, y)
    found = np.abs(plain.predict_proba(white) - tied.predict_proba(X)).max()
    return {"largest difference of probabilities": found}


@worked(
    "N4",
    "CIML eq. 9.28",
    "Naive Bayes is linear in the log-odds",
    data="Eight e-mails of the words a, b and c, there or not.",
    steps=(
        Step("bias and weights less the log posterior odds: largest", 0.0),
        Step("the evidence ledger's sum less the log posterior odds: largest", 0.0),
    ),
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
    return {
        "bias and weights less the log posterior odds: largest": np.abs(
            form.bias + values @ form.weights - odds
        ).max(),
        "the evidence ledger's sum less the log posterior odds: largest": np.abs(np.array(sums) - odds).max(),
    }


@worked(
    "L1",
    "Flach eq. 9.5",
    "Logistic regression is calibrated on its own data",
    data="Twelve values of one feature, six of them positive, not separable.",
    steps=(
        Step("sum of probabilities", 6.0, tolerance=1e-6),
        Step("sum of x times probability less sum of x of the positives", 0.0, tolerance=1e-6),
    ),
    notes="With an intercept and no prior. Of separable classes there is no maximum (Flach p.286).",
)
def _calibrated() -> dict[str, Any]:
    import numpy as np

    import likely

    x = np.array([1.0, 2.0, 2.5, 3.0, 4.0, 4.5, 5.0, 5.5, 6.0, 7.0, 8.0, 9.0])
    y = np.array([0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1])
    model = likely.LogisticRegression(None).fit(x[:, None], y)
    p = model.predict_proba(x[:, None])[:, 1]
    return {
        "sum of probabilities": p.sum(),
        "sum of x times probability less sum of x of the positives": x @ p - x @ y,
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


EXAMPLES = (_distance, _bisects, _least_squares, _whitened, _linear, _calibrated, _harmonic)
