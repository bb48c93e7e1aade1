"""Worked examples of Gaussian classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.textbook.example import Step, worked

OUR_DATA = "The source proves it; the data are ours."
ROOT = 2 * float(np.sqrt(1 + 6 * np.log(2)))


@worked(
    "G1",
    "Flach",
    "The normal density by the Mahalanobis distance",
    data="A bivariate normal distribution of sds 2 and 1 and correlation .6, and the point (2, 0).",
    steps=(
        Step("density", float(np.exp(-1 / 5.12) / (3.2 * np.pi))),
        Step("exp(-distance^2 / 2) / E_d: difference", 0.0),
        Step("tan 2 phi of the ellipse's long axis", 2 * 0.6 * 2 * 1 / (2**2 - 1**2)),
        Step(
            "the angle depends on the correlation",
            True,
            "False",
            "the source is wrong (footnote 3): tan 2 phi = 2 rho s1 s2 / (s1^2 - s2^2)",
        ),
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

    def twice_the_angle(one: likely.MultivariateNormal) -> float:
        across, up = np.linalg.eigh(one.covariance)[1][:, 1]  # the direction of the largest variance
        return float(np.tan(2 * np.arctan2(up, across)))

    upright = likely.MultivariateNormal([1, 0], [[4, 0], [0, 1]])
    return {
        "density": normal.prob(point),
        "exp(-distance^2 / 2) / E_d: difference": normal.prob(point) - by_distance,
        "tan 2 phi of the ellipse's long axis": twice_the_angle(normal),
        "the angle depends on the correlation": abs(twice_the_angle(normal) - twice_the_angle(upright)) > 0.1,
    }


def draw_line() -> Any:
    """The two densities of example 9.2."""
    import likely

    model = likely.GaussianClassifier.from_parameters({"+": 1, "-": 2}, {"+": 1, "-": 4}, names=["x"])
    return model.draw()


@worked(
    "G2",
    "Flach ex. 9.2",
    "Two Gaussians of different width have two boundaries",
    data="""
    The positive class is Normal(1, 1), the negative Normal(2, 2); both are as common. Then both of sd 1.
    """,
    steps=(
        Step(
            "boundaries, (2 -+ 2 sqrt(1 + 6 ln 2)) / 3",
            ((2 - ROOT) / 3, (2 + ROOT) / 3),
            "-1.85, 1.85",
            "the source is wrong: there the densities differ",
        ),
        Step("density ratio at ours", (1.0, 1.0)),
        Step("density ratio at the source's is 1", False),
        Step("boundaries with prior odds .4231", 0),
        Step("boundaries with prior odds .4233", 2),
        Step("sds alike: boundary", 1.5, "1.5"),
        Step("sds alike: slope of the log-odds, (mu+ - mu-) / sigma^2", -1.0),
    ),
    figure=draw_line,
)
def _two_widths() -> dict[str, Any]:
    import numpy as np

    import likely

    model = likely.GaussianClassifier.from_parameters({"+": 1, "-": 2}, {"+": 1, "-": 4}, names=["x"])
    points = model.boundary("+", "-").points()
    plus, minus = likely.Normal(1, 1), likely.Normal(2, 2)
    book = np.array([-1.85, 1.85])
    count = {}
    for odds in (0.4231, 0.4233):
        tilted = model.with_base_rate({"+": odds / (1 + odds), "-": 1 / (1 + odds)})
        count[odds] = len(tilted.boundary("+", "-").points())
    same = likely.GaussianClassifier.from_parameters({"+": 1, "-": 2}, 1, names=["x"])
    alike = same.boundary("+", "-")
    return {
        "boundaries, (2 -+ 2 sqrt(1 + 6 ln 2)) / 3": points,
        "density ratio at ours": plus.prob(points) / minus.prob(points),
        "density ratio at the source's is 1": bool(
            np.allclose(plus.prob(book) / minus.prob(book), 1, atol=0.1)
        ),
        "boundaries with prior odds .4231": count[0.4231],
        "boundaries with prior odds .4233": count[0.4233],
        "sds alike: boundary": alike.points().item(),
        "sds alike: slope of the log-odds, (mu+ - mu-) / sigma^2": alike.linear.item(),
    }


def draw_plane() -> Any:
    """The third case of example 9.3."""
    import likely

    means = {"+": [1, 1], "-": [-1, -1]}
    shapes = {"+": [[1, 0.7], [0.7, 1]], "-": [[1, -0.7], [-0.7, 1]]}
    return likely.GaussianClassifier.from_parameters(means, shapes, names=["x1", "x2"]).draw()


@worked(
    "G3",
    "Flach ex. 9.3",
    "Boundaries in the plane",
    data="Means (1, 1) and (-1, -1); three pairs of covariances.",
    steps=(
        Step("(i) x1 + x2 = 0: coefficients", (1.0, 1.0, 0.0, 0.0), "1, 1, 0, 0"),
        Step("(ii) x1 = 0: coefficients", (1.0, 0.0, 0.0, 0.0), "1, 0, 0, 0"),
        Step("(iii) x1 + x2 + .7 x1 x2 + .7 = 0: coefficients", (1.0, 1.0, 0.7, 0.7), "1, 1, .7, .7"),
        Step("(iii) the class of (-3, -3)", "+"),
    ),
    notes="""
    Coefficients of x1, x2, x1 x2 and 1, that of x1 made 1. Unequal covariances give any conic, not only
    hyperbolas (Flach p.271), and regions need not be in one piece.
    """,
    figure=draw_plane,
)
def _plane() -> dict[str, Any]:
    import numpy as np

    import likely

    means = {"+": [1, 1], "-": [-1, -1]}
    shapes: list[Any] = [
        np.eye(2),
        [[1, 1], [1, 2]],  # sds 1 and sqrt 2, correlation sqrt(2) / 2
        {"+": [[1, 0.7], [0.7, 1]], "-": [[1, -0.7], [-0.7, 1]]},
    ]
    coefficients = []
    for shape in shapes:
        model = likely.GaussianClassifier.from_parameters(means, shape, names=["x1", "x2"])
        curve = model.boundary("+", "-")
        parts = np.array([*curve.linear, 2 * curve.quadratic[0, 1], curve.constant])
        coefficients.append(parts / parts[0])
    return {
        "(i) x1 + x2 = 0: coefficients": coefficients[0],
        "(ii) x1 = 0: coefficients": coefficients[1],
        "(iii) x1 + x2 + .7 x1 x2 + .7 = 0: coefficients": coefficients[2],
        "(iii) the class of (-3, -3)": model.predict({"x1": [-3], "x2": [-3]}).item(),
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
    naive = likely.NaiveBayes(families="normal", evidence_weights=None).fit(X, y)
    return {
        "log-odds half-way between the means": line.log_odds(((plus + minus) / 2)[None, :])[0],
        "direction of the boundary's normal less that between the means": line.linear - (plus - minus),
        "diagonal covariances or Gaussian naive Bayes: largest difference": np.abs(
            diagonal.predict_proba(X) - naive.predict_proba(X)
        ).max(),
    }


@worked(
    "G5",
    "Flach",
    "The mean that is nearest to all points",
    data="Five points of the plane; then the first of them three times over.",
    steps=(
        Step("maximum-likelihood mean", (2.0, 2.0)),
        Step("maximum-likelihood covariance, the scatter over n", (2.0, 2.0, 2.8)),
        Step("total squared distance, n times d", 10.0),
        Step("moved by (1, 0), it rises by n times the squared distance of the step: error", 0.0),
        Step("a weight of 3 or the point three times: largest difference", 0.0),
    ),
    notes="Distances are Mahalanobis distances. " + OUR_DATA,
)
def _nearest() -> dict[str, Any]:
    import numpy as np

    import likely

    X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 2.0], [4.0, 5.0]])
    fitted = likely.MultivariateNormal.fit(X, prior=None)
    step = np.array([1.0, 0.0])
    moved = likely.MultivariateNormal(fitted.mean + step, fitted.covariance)
    total, after = (float((one.distance(X) ** 2).sum()) for one in (fitted, moved))
    weighted = likely.MultivariateNormal.fit(X, prior=None, weight=[3, 1, 1, 1, 1])
    repeated = likely.MultivariateNormal.fit(np.vstack([X, X[:1], X[:1]]), prior=None)
    return {
        "maximum-likelihood mean": fitted.mean,
        "maximum-likelihood covariance, the scatter over n": fitted.covariance[np.triu_indices(2)],
        "total squared distance, n times d": total,
        "moved by (1, 0), it rises by n times the squared distance of the step: error": after
        - total
        - 5 * fitted.distance(fitted.mean + step) ** 2,
        "a weight of 3 or the point three times: largest difference": max(
            np.abs(weighted.mean - repeated.mean).max(),
            np.abs(weighted.covariance - repeated.covariance).max(),
        ),
    }


EXAMPLES = (_distance, _two_widths, _plane, _bisects, _nearest)
