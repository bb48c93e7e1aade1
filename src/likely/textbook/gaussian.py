"""Worked examples of Gaussian classes, hidden values and calibration."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.textbook.example import worked
from likely.textbook.step import Step

BETA = (float(np.sqrt(57)) - 3) / 48
ROOT = 2 * float(np.sqrt(1 + 6 * np.log(2)))


def draw_line() -> Any:
    """The two densities of example 9.2."""
    import likely

    model = likely.GaussianClassifier.from_parameters({"+": 1, "-": 2}, {"+": 1, "-": 4}, names=["x"])
    return model.draw()


@worked(
    "G2",
    "Flach ex. 9.2",
    "Two Gaussians of different width have two boundaries",
    data="The positive class is Normal(1, 1), the negative Normal(2, 2); both are as common.",
    steps=(
        Step(
            "boundaries, (2 -+ 2 sqrt(1 + 6 ln 2)) / 3",
            ((2 - ROOT) / 3, (2 + ROOT) / 3),
            "-1.85, 1.85",
            "the source is wrong: there the densities differ",
        ),
        Step("density ratio at ours", (1.0, 1.0)),
        Step("density ratio at the source's is 1", False),
        Step("boundaries with prior odds .42", 0),
        Step("boundaries with prior odds .43", 2),
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
    for odds in (0.42, 0.43):
        tilted = model.with_base_rate({"+": odds / (1 + odds), "-": 1 / (1 + odds)})
        count[odds] = len(tilted.boundary("+", "-").points())
    return {
        "boundaries, (2 -+ 2 sqrt(1 + 6 ln 2)) / 3": points,
        "density ratio at ours": plus.prob(points) / minus.prob(points),
        "density ratio at the source's is 1": bool(
            np.allclose(plus.prob(book) / minus.prob(book), 1, atol=0.1)
        ),
        "boundaries with prior odds .42": count[0.42],
        "boundaries with prior odds .43": count[0.43],
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
    found = []
    for shape in shapes:
        model = likely.GaussianClassifier.from_parameters(means, shape, names=["x1", "x2"])
        curve = model.boundary("+", "-")
        parts = np.array([*curve.linear, 2 * curve.quadratic[0, 1], curve.constant])
        found.append(parts / parts[0])
    return {
        "(i) x1 + x2 = 0: coefficients": found[0],
        "(ii) x1 = 0: coefficients": found[1],
        "(iii) x1 + x2 + .7 x1 x2 + .7 = 0: coefficients": found[2],
        "(iii) the class of (-3, -3)": model.predict({"x1": [-3], "x2": [-3]}).item(),
    }


@worked(
    "E2",
    "Flach 9.4",
    "EM for a partially observed multinomial",
    data="""
    Words a, b, c, d have probabilities (1/2, beta, 2 beta, 1/2 - 3 beta). 20 are a or b, 10 are c, 10 are d.
    How many are b is hidden; the start is 5.
    """,
    steps=(
        Step("first beta", 0.1, ".1"),
        Step("second beta", 2 / 21, "2/21"),
        Step("final beta, (sqrt 57 - 3) / 48", BETA),
        Step("expected a and b", (10 / (0.5 + BETA), 20 * BETA / (0.5 + BETA))),
    ),
    notes="The objective is checked to rise in every iteration.",
)
def _hidden_words() -> dict[str, Any]:
    from math import log

    import likely

    def e_step(beta: float) -> tuple[float, float]:
        seen = 20 * log(0.5 + beta) + 10 * log(2 * beta) + 10 * log(0.5 - 3 * beta)
        return 20 * beta / (0.5 + beta), seen

    def m_step(b: float) -> float:
        return (b + 10) / (6 * (b + 20))

    first = m_step(5.0)
    found = likely.em(e_step, m_step, hidden=5.0, tol=0, max_iter=50).parameters
    b = e_step(found)[0]
    return {
        "first beta": first,
        "second beta": m_step(e_step(first)[0]),
        "final beta, (sqrt 57 - 3) / 48": found,
        "expected a and b": [20 - b, b],
    }


@worked(
    "F7",
    "Flach ch. 10",
    "Isotonic calibration of a feature",
    data="The weights of 20 people, and whether they have diabetes (130+ 127+ 111+ 106+ 103- ... 56-).",
    steps=(
        Step("130 to 106, four", 5 / 6, "5/6"),
        Step("103 to 90, three", 0.6, ".6"),
        Step("86 and 85", 0.5, ".5"),
        Step("82 to 77, five", 3 / 7, "3/7"),
        Step("73 to 67, three", 0.4, ".4"),
        Step("64 to 56, three", 0.2, ".2"),
    ),
    notes="In each segment of the hull it is (positives + 1) / (rows + 2).",
)
def _isotonic() -> dict[str, Any]:
    from likely import calibrate

    weights = [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56]
    diabetes = [sign == "+" for sign in "++++-++-+--+-+--+---"]
    feature = calibrate.isotonic(diabetes, weights)
    return {
        "130 to 106, four": feature([130])[0],
        "103 to 90, three": feature([96])[0],
        "86 and 85": feature([86])[0],
        "82 to 77, five": feature([80])[0],
        "73 to 67, three": feature([68])[0],
        "64 to 56, three": feature([61])[0],
    }


EXAMPLES = (_two_widths, _plane, _hidden_words, _isotonic)
