"""Worked examples of linear regression and linear classifiers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.textbook.example import Step, worked
from likely.textbook.pictures import draw_classifiers, draw_outlier

OUR_DATA = "The source proves it; the data are ours."


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
        Step("ridge: the line still goes through the means, error", 0.0),
        Step("lasso: n cov - n var slope - sigma / s", 0.0, tolerance=1e-6),
        Step("predictive at the mean of x: 90 % of Student's t, error", 0.0),
        Step("total least squares: slope", float((-0.25 + np.sqrt(0.25**2 + 4 * 4.5**2)) / 9)),
    ),
    notes="""
    One minimises the negative log-likelihood (Flach p.273). The intercept is not penalised. The lasso is
    known by its optimality condition. The source proves it; the data are ours.
    """,
)
def _least_squares() -> dict[str, Any]:
    import numpy as np

    import likely

    x, y = {"x": [0.0, 1.0, 2.0, 3.0]}, [1.0, 2.0, 2.0, 4.0]
    model = likely.LinearRegression(None).fit(x, y)
    ridge = likely.LinearRegression(likely.Normal(0, np.sqrt(1 / 5)), standardise=False).fit(x, y)
    lasso = likely.LinearRegression(likely.DoubleExponential(0, 1), standardise=False).fit(x, y)
    middle = model.predict_interval({"x": [1.5]}, 0.9)
    reach = likely.StudentT(2).quantile(0.95) * np.sqrt(4 * 0.175 / 2 * (1 + 1 / 4))
    return {
        "slope, covariance over variance": model.coef_[0],
        "intercept": model.intercept_,
        "noise variance, RSS / n": model.noise_variance_,
        "ridge with penalty 5: the slope is S / (S + 5) of it": ridge.coef_[0],
        "ridge: the line still goes through the means, error": ridge.predict({"x": [1.5]})[0] - np.mean(y),
        "lasso: n cov - n var slope - sigma / s": 4.5 - 5 * lasso.coef_[0] - np.sqrt(lasso.noise_variance_),
        "predictive at the mean of x: 90 % of Student's t, error": middle.upper[0] - np.mean(y) - reach,
        "total least squares: slope": likely.total_least_squares(x, y).coefficients[0],
    }


@worked(
    "G7",
    "Flach fig. 9.6",
    "The basic linear classifier and the least-squares classifier",
    data="""
    1, 2, 3, 4 are negative, 5, 6, 7, 8 positive. Then 60 is positive too: far away, on the right side of any
    boundary.
    """,
    steps=(
        Step("basic linear: boundary, half-way between the means", 4.5),
        Step("least squares: boundary", 4.5),
        Step("with 60, basic linear: boundary", (2.5 + 86 / 5) / 2),
        Step("with 60, least squares: boundary", 96 / 9 - (1 / 9) / ((76 - 96 / 9) / 2780)),
        Step("with 60, least squares: wrong rows (5)", 1),
        Step("with 60, logistic regression: wrong rows", 0),
        Step("least squares less a regression of 1 and -1: slope", 0.0),
    ),
    notes="""
    To be too right counts as an error for least squares, so the far point pulls the boundary over; logistic
    regression leaves it alone. The data are ours.
    """,
    figure=draw_classifiers,
)
def _linear_classifiers() -> dict[str, Any]:
    import numpy as np

    import likely

    x = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]])
    y = np.arange(8) > 3
    far, plus = np.vstack([x, [[60.0]]]), np.append(y, True)

    def boundary(model: likely.BasicLinearClassifier | likely.LeastSquaresClassifier) -> float:
        return float(-model.intercept_[0] / model.coef_[0, 0])

    basic, least = likely.BasicLinearClassifier(), likely.LeastSquaresClassifier()
    line = likely.LinearRegression(None).fit(far, np.where(plus, 1.0, -1.0))
    return {
        "basic linear: boundary, half-way between the means": boundary(basic.fit(x, y)),
        "least squares: boundary": boundary(least.fit(x, y)),
        "with 60, basic linear: boundary": boundary(basic.fit(far, plus)),
        "with 60, least squares: boundary": boundary(least.fit(far, plus)),
        "with 60, least squares: wrong rows (5)": int((least.predict(far) != plus).sum()),
        "with 60, logistic regression: wrong rows": int(
            (likely.LogisticRegression(likely.Normal(0, 2.5)).fit(far, plus).predict(far) != plus).sum()
        ),
        "least squares less a regression of 1 and -1: slope": least.coef_[0, 0] - line.coef_[0],
    }


@worked(
    "G7b",
    "Flach fig. 9.6",
    "One positive outlier: logistic regression loses",
    data="""
    Eight negative rows around (0, 0), eight positive ones around (3, 2), and a ninth positive one at
    (-1, -3), behind the negative ones. Without it a line parts the classes.
    """,
    steps=(
        Step("without it: wrong rows of the basic linear and the least-squares classifier", (0, 0)),
        Step("with it, basic linear: wrong rows", 1),
        Step("with it, least squares: wrong rows", 1),
        Step("with it, logistic regression: wrong rows", 3),
        Step("log-likelihood of logistic regression", -4.673466209350622, tolerance=1e-6),
        Step("the best log-likelihood along the line of least squares", -5.047057180714382, tolerance=1e-6),
    ),
    notes="""
    Logistic regression turns its line towards the outlier, whose probability counts, and pays with two rows
    in the middle; its log-likelihood, which it maximises, is the higher one all the same. The source's data
    are not given; these are ours.
    """,
    figure=draw_outlier,
)
def _outlier() -> dict[str, Any]:
    import numpy as np

    import likely

    minus = [(1, 1), (-1, 0), (-1, 2), (0, -1), (0, 0), (-1, 1), (0, 1), (1, 0)]
    plus = [(3, 2), (4, 1), (4, 3), (2, 3), (4, 2), (5, 2), (2, 2), (4, 4), (-1, -3)]
    X, y = np.array([*minus, *plus], float), np.repeat([0, 1], [8, 9])

    def wrong(model: likely.BasicLinearClassifier | likely.LeastSquaresClassifier, n: int = 17) -> int:
        return int((model.fit(X[:n], y[:n]).predict(X[:n]) != y[:n]).sum())

    def log_likelihood(rows: NDArray[Any]) -> float:
        p = likely.LogisticRegression(None).fit(rows, y).predict_proba(rows)
        return float(np.log(p[np.arange(17), y]).sum())

    basic, least = likely.BasicLinearClassifier(), likely.LeastSquaresClassifier()
    apart = wrong(basic, 16), wrong(least, 16)
    return {
        "without it: wrong rows of the basic linear and the least-squares classifier": apart,
        "with it, basic linear: wrong rows": wrong(basic),
        "with it, least squares: wrong rows": wrong(least),
        "with it, logistic regression: wrong rows": wrong(likely.LogisticRegression(None)),
        "log-likelihood of logistic regression": log_likelihood(X),
        "the best log-likelihood along the line of least squares": log_likelihood(X @ least.coef_.T),
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
    difference = np.abs(plain.predict_proba(white) - tied.predict_proba(X)).max()
    return {"largest difference of probabilities": difference}


EXAMPLES = (_least_squares, _linear_classifiers, _outlier, _whitened)
