"""Worked examples of linear regression and linear classifiers."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.textbook.example import worked
from likely.textbook.pictures import draw_classifiers
from likely.textbook.step import Step

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

    def boundary(model: Any) -> float:
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
            (likely.LogisticRegression().fit(far, plus).predict(far) != plus).sum()
        ),
        "least squares less a regression of 1 and -1: slope": least.coef_[0, 0] - line.coef_[0],
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


EXAMPLES = (_least_squares, _linear_classifiers, _whitened)
