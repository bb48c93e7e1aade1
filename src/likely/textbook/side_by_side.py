"""Worked examples that set models side by side."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked
from likely.textbook.pictures import draw_one_feature


@worked(
    "L4",
    "Flach ex. 9.6",
    "One feature: logistic regression, and a calibrated linear classifier",
    data="The weights of 20 people, 10 of whom have diabetes (130+ 127+ 111+ 106+ 103- ... 56-).",
    steps=(
        Step("sum of probabilities, logistic regression", 10.0, tolerance=1e-6),
        Step("sum of probabilities, isotonic", 10.0),
        Step("sum of probabilities, by class means: 10", False),
        Step("residual along the feature, logistic regression", 0.0, tolerance=1e-6),
        Step("squared error: isotonic, 2/3 + 1/2 + 6/5 + 2/3", 91 / 30),
        Step("squared error: isotonic has the least", True),
    ),
    notes="""
    Both sums equal the number of positives, exactly: the source's printed sum is off (ex. 9.6). The
    source's sample is not given; the weights are those of its chapter 10.
    """,
    figure=draw_one_feature,
)
def _one_feature() -> dict[str, Any]:
    import numpy as np

    import likely
    from likely import calibrate

    weights = np.array(
        [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56.0]
    )
    y = np.array([float(sign == "+") for sign in "++++-++-+--+-+--+---"])
    probabilities = {
        "regression": likely.LogisticRegression(None)
        .fit({"weight": weights}, y)
        .predict_proba({"weight": weights})[:, 1],
        "isotonic": calibrate.isotonic(y, weights, smoothing=None)(weights),
        "by means": calibrate.logistic_by_means(y, weights)(weights),
    }
    error = {name: float(((y - p) ** 2).sum()) for name, p in probabilities.items()}
    return {
        "sum of probabilities, logistic regression": probabilities["regression"].sum(),
        "sum of probabilities, isotonic": probabilities["isotonic"].sum(),
        "sum of probabilities, by class means: 10": bool(abs(probabilities["by means"].sum() - 10) < 1e-3),
        "residual along the feature, logistic regression": (y - probabilities["regression"]) @ weights,
        "squared error: isotonic, 2/3 + 1/2 + 6/5 + 2/3": error["isotonic"],
        "squared error: isotonic has the least": bool(
            error["isotonic"] < min(error["regression"], error["by means"])
        ),
    }


def draw_learning_curve() -> Any:
    """Log loss of the two over the number of rows."""
    import likely

    people = likely.read("titanic")
    twins = {"naive Bayes": likely.NaiveBayes(), "logistic regression": likely.LogisticRegression()}
    return likely.compare.learning_curve(twins, people, "survived", sizes=[20, 60, 200, 600, 1500]).plot()


@worked(
    "L5",
    "Flach; CIML",
    "The generative model and its conditional twin, on growing samples",
    data="""
    Two classes of five independent unit normal columns, as the Gaussian classifier with unit covariances
    takes them to be; then the passengers of the Titanic, whose columns are not independent, as naive Bayes
    takes them to be.
    """,
    steps=(
        Step("assumptions true, 10 rows: the generative model has the lower log loss", True),
        Step("assumptions true, 1500 rows: log losses differ by less than .01", True),
        Step("Titanic, 1500 rows: logistic regression has the lower log loss", True),
    ),
    notes="The data are ours: means of five runs on rows that were left out.",
    figure=draw_learning_curve,
)
def _twins() -> dict[str, Any]:
    import likely
    from likely import compare

    columns = "abcde"
    world = compare.Known(
        {
            "-": {name: likely.Normal(0, 1) for name in columns},
            "+": {name: likely.Normal(1, 1) for name in columns},
        }
    )
    conditional = likely.LogisticRegression()
    twins = {"generative": likely.GaussianClassifier(covariance="identity"), "conditional": conditional}
    ours = compare.learning_curve(twins, world.sample(2500, 0), "class", sizes=[10, 1500], repeats=5).log_loss
    people, twins = likely.read("titanic"), twins | {"generative": likely.NaiveBayes()}
    real = compare.learning_curve(twins, people, "survived", sizes=[1500], repeats=5).log_loss
    return {
        "assumptions true, 10 rows: the generative model has the lower log loss": bool(
            ours[0, 0] < ours[1, 0]
        ),
        "assumptions true, 1500 rows: log losses differ by less than .01": bool(
            abs(ours[0, 1] - ours[1, 1]) < 0.01
        ),
        "Titanic, 1500 rows: logistic regression has the lower log loss": bool(real[1, 0] < real[0, 0]),
    }


EXAMPLES = (_one_feature, _twins)
