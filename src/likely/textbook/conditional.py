"""Worked examples of conditional models."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from likely.textbook.example import Step, worked


@worked(
    "L1",
    "Flach eq. 9.5; CIML",
    "Logistic regression is calibrated on its own data",
    data="Twelve values of one feature, six of them positive, not separable.",
    steps=(
        Step("sum of probabilities", 6.0, tolerance=1e-6),
        Step("sum of x times probability less sum of x of the positives", 0.0, tolerance=1e-6),
        Step("the derivative of s = 1 / (1 + exp(-x)) is s (1 - s): error", 0.0, tolerance=1e-6),
        Step("separable classes: said to have no finite maximum", True),
        Step("the column twice: said to have no unique one", True),
    ),
    notes="""
    With an intercept and no prior. Where a line separates the classes there is no maximum (Flach p.286 has
    one). CIML prints another derivative of the logistic function. The data are ours.
    """,
)
def _calibrated() -> dict[str, Any]:
    import warnings

    import numpy as np

    import likely

    x = np.array([1.0, 2.0, 2.5, 3.0, 4.0, 4.5, 5.0, 5.5, 6.0, 7.0, 8.0, 9.0])
    y = np.array([0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1])
    model = likely.LogisticRegression(None).fit(x[:, None], y)
    p = model.predict_proba(x[:, None])[:, 1]

    def said(X: NDArray[Any], y: NDArray[Any]) -> str:
        with warnings.catch_warnings(record=True) as notices:
            warnings.simplefilter("always")
            likely.LogisticRegression(None).fit(X, y)
        return " ".join(str(notice.message) for notice in notices)

    near = model.predict_proba([[5.0 - 1e-5], [5.0], [5.0 + 1e-5]])[:, 1]
    slope = (near[2] - near[0]) / (2e-5 * model.coef_[0, 0])
    return {
        "sum of probabilities": p.sum(),
        "sum of x times probability less sum of x of the positives": x @ p - x @ y,
        "the derivative of s = 1 / (1 + exp(-x)) is s (1 - s): error": slope - near[1] * (1 - near[1]),
        "separable classes: said to have no finite maximum": "no finite maximum" in said(x[:, None], x > 4.2),
        "the column twice: said to have no unique one": "unique" in said(np.column_stack([x, x]), y),
    }


@worked(
    "L2",
    "Flach; CIML",
    "Logistic regression with priors",
    data="Eight rows of two columns, of which the first separates the classes.",
    steps=(
        Step("Normal(0, 2): slope of the log-likelihood less w / 4", (0.0, 0.0), tolerance=1e-6),
        Step("Normal of means 1, 0 and sds 1/2, 3: the same, less (w - m) / s^2", (0.0, 0.0), tolerance=1e-6),
        Step("DoubleExponential(0, 1): slope at the coefficient that is not 0", 1.0, tolerance=1e-6),
        Step("DoubleExponential(0, 1): the other coefficient", 0.0),
        Step("posterior covariance, the inverse curvature: largest error of an sd", 0.0, tolerance=1e-6),
        Step("interval of a prediction, from draws: sds of the log-odds", (-1.0, 1.0), tolerance=0.1),
    ),
    notes="""
    The penalty is 1 / (2 s^2) for each squared weight, or 1 / s for each absolute one; the intercept is
    free. Without a prior there is no maximum here; with one everything stays finite. The data are ours.
    """,
)
def _priors() -> dict[str, Any]:
    import numpy as np

    import likely

    X = np.array([[-3, 1], [-2, -1], [-2, 1], [-1, 0], [1, 0], [1, 1], [2, -1], [3, 1.0]])
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])

    def fit(prior: likely.Normal | likely.DoubleExponential) -> likely.LogisticRegression:
        return likely.LogisticRegression(prior, standardise=False).fit(X, y)

    def slope(model: likely.LogisticRegression) -> Any:
        return X.T @ (y - model.predict_proba(X)[:, 1])

    ridge, lasso = fit(likely.Normal(0, 2)), fit(likely.DoubleExponential(0, 1))
    own = fit(likely.Normal([1, 0], [0.5, 3]))
    p, ones = ridge.predict_proba(X)[:, 1], np.column_stack([np.ones(8), X])
    curvature = (ones * (p * (1 - p))[:, None]).T @ ones + np.diag([0, 1 / 4, 1 / 4])
    covariance = np.linalg.inv(curvature)
    row = np.array([1.0, 0.5, 0.5])
    level = float(likely.Normal(0, 1).cdf(1) - likely.Normal(0, 1).cdf(-1))
    interval = ridge.predict_interval(row[None, 1:], level)
    ends = np.array([interval.lower[0, 1], interval.upper[0, 1]])
    middle = ridge.predict_proba(row[None, 1:])[0, 1]
    sds = (np.log(ends / (1 - ends)) - np.log(middle / (1 - middle))) / np.sqrt(row @ covariance @ row)
    return {
        "Normal(0, 2): slope of the log-likelihood less w / 4": slope(ridge) - ridge.coef_[0] / 4,
        "Normal of means 1, 0 and sds 1/2, 3: the same, less (w - m) / s^2": slope(own)
        - (own.coef_[0] - [1, 0]) / [0.25, 9],
        "DoubleExponential(0, 1): slope at the coefficient that is not 0": slope(lasso)[0],
        "DoubleExponential(0, 1): the other coefficient": lasso.coef_[0, 1],
        "posterior covariance, the inverse curvature: largest error of an sd": np.abs(
            ridge.standard_errors_ - np.sqrt(np.diag(covariance))
        ).max(),
        "interval of a prediction, from draws: sds of the log-odds": sds,
    }


@worked(
    "L3",
    "CIML; Flach",
    "One example at a time: w += eta (y - p) x",
    data="The values -1, 1, 2 and -2, of which 1 and -2 are positive, with eta = 1/10; then 200 rows.",
    steps=(
        Step("after four examples: largest difference from the update by hand", 0.0),
        Step("eta decays: within a tenth of a standard error of the maximum", True),
        Step("eta stays 1/5: further from it than that", True),
    ),
    notes="""
    p is the probability of y = 1, so that the update is the derivative of log P(y | x). In CIML eq. 9.42
    the second term must be that of -(w.x + b). The data are ours.
    """,
)
def _one_by_one() -> dict[str, Any]:
    import numpy as np

    import likely

    x, y = np.array([-1.0, 1.0, 2.0, -2.0]), np.array([0, 1, 0, 1])
    model = likely.LogisticRegression(None, rate=0.1, kinds="quantitative")
    model.partial_fit(x[:2, None], y[:2], classes=[0, 1]).partial_fit(x[2:, None], y[2:])
    w = np.zeros(2)
    for row, label in zip(np.column_stack([np.ones(4), x]), y, strict=True):
        w += 0.1 * (label - 1 / (1 + np.exp(-w @ row))) * row

    world = likely.compare.Known({0: {"x": likely.Normal(0, 1)}, 1: {"x": likely.Normal(1, 1)}})
    rows = world.sample(200, 0)
    X, label = {"x": np.asarray(rows["x"])}, np.asarray(rows["class"])
    exact = likely.LogisticRegression(None).fit(X, label)

    def off(**how: Any) -> float:
        online = likely.LogisticRegression(None, solver="online", **how).fit(X, label)
        apart = [online.intercept_[0] - exact.intercept_[0], online.coef_[0, 0] - exact.coef_[0, 0]]
        return float(np.abs(apart / exact.standard_errors_).max())

    decaying, constant = off(max_iter=100), off(max_iter=100, rate=0.2)
    return {
        "after four examples: largest difference from the update by hand": np.abs(
            np.array([model.intercept_[0], model.coef_[0, 0]]) - w
        ).max(),
        "eta decays: within a tenth of a standard error of the maximum": decaying < 0.1,
        "eta stays 1/5: further from it than that": constant > 0.1,
    }


@worked(
    "L6",
    "Flach",
    "Missing inputs of a conditional model, averaged over",
    data="""
    5000 rows of two columns, normal in each of two classes with one covariance; the second is missing.
    """,
    steps=(
        Step("averaged: within .03 of the generative answer in every row", True),
        Step("the mean put in its place: off by more than .1 somewhere", True),
    ),
    notes="""
    P(missing | known) is learnt beside the coefficients, and its weights are those of P(z | x), not of
    P(z). The data are ours.
    """,
)
def _averaged() -> dict[str, Any]:
    import numpy as np

    import likely

    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 5000)
    X = np.array([[0, 0], [1.5, -1]])[y] + rng.normal(size=(5000, 2)) @ np.array([[1, 0.7], [0, 0.8]])
    holed = np.column_stack([X[:, 0], np.full(5000, np.nan)])
    generative = likely.GaussianClassifier(covariance="tied", prior=None).fit(X, y).predict_proba(holed)
    averaged = likely.LogisticRegression(missing="average").fit(X, y).predict_proba(holed)
    by_mean = likely.LogisticRegression().fit(X, y).predict_proba(holed)
    return {
        "averaged: within .03 of the generative answer in every row": bool(
            np.abs(averaged - generative).max() < 0.03
        ),
        "the mean put in its place: off by more than .1 somewhere": bool(
            np.abs(by_mean - generative).max() > 0.1
        ),
    }


EXAMPLES = (_calibrated, _priors, _one_by_one, _averaged)
