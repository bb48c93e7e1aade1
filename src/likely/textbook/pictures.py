"""Pictures of worked examples that no model draws by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.draw.axes import Margins, new_axes
from likely.draw.histogram import plain_axes
from likely.format.svg import BLUE, DARK, FAINT, ORANGE

if TYPE_CHECKING:
    from likely import LogisticRegression

GREEN = "#009E73"  # told from blue and orange by the colour-blind
SIDE = 3.6  # inches
OUTLIER = {  # of a class each; the last positive row lies behind the negative ones
    "-": [(1, 1), (-1, 0), (-1, 2), (0, -1), (0, 0), (-1, 1), (0, 1), (1, 0)],
    "+": [(3, 2), (4, 1), (4, 3), (2, 3), (4, 2), (5, 2), (2, 2), (4, 4), (-1, -3)],
}
BELOW = (200, 100, 50, 20, 10, 5, 2, 0.5)  # nats below the peak, where lines of equal height are drawn


def draw_classifiers() -> Any:
    """Three linear classifiers on two clouds, one of which has a far branch (after Flach's figure 9.6)."""
    import likely

    rng = np.random.default_rng(3)
    near, far = rng.normal([1.5, 2.5], 0.7, (30, 2)), rng.normal([10, 12], 0.7, (12, 2))
    X = np.concatenate([rng.normal([0, 0], 1, (40, 2)), near, far])
    y = np.arange(len(X)) >= 40
    ax = _three(X, y, likely.LogisticRegression(likely.Normal(0, 2.5)), (-3, 12), (-4, 14))
    ax.set_title("three linear classifiers", loc="left")
    return ax


def draw_outlier() -> Any:
    """The same three where one positive row lies behind the negative ones (after figure 9.6, right)."""
    import likely

    X = np.array([*OUTLIER["-"], *OUTLIER["+"]], float)
    y = np.arange(len(X)) >= len(OUTLIER["-"])
    ax = _three(X, y, likely.LogisticRegression(None), (-2.5, 6), (-4, 6))
    ax.set_title("one positive outlier", loc="left")
    return ax


def _three(
    X: NDArray[Any],
    y: NDArray[Any],
    logistic: LogisticRegression,
    across: tuple[float, float],
    up: tuple[float, float],
) -> Any:
    """Rows and the boundaries of three linear classifiers, with their numbers of wrong rows."""
    import likely

    ax = plain_axes("", "x1", "x2", _square())
    ax.scatter(*X[~y].T, marker="_", color=DARK)
    ax.scatter(*X[y].T, marker="+", color=DARK)
    ends = np.array(across)
    models: dict[str, tuple[Any, str, str]] = {
        "basic linear": (likely.BasicLinearClassifier(), GREEN, "-."),
        "least squares": (likely.LeastSquaresClassifier(), ORANGE, "--"),
        "logistic regression": (logistic, BLUE, "-"),
    }
    for name, (model, colour, dash) in models.items():
        (a, b), c = model.fit(X, y).coef_[0], model.intercept_[0]
        wrong = int((model.predict(X) != y).sum())
        ax.plot(ends, -(c + a * ends) / b, color=colour, linestyle=dash, label=f"{name}: {wrong} wrong")
    ax.set(xlim=across, ylim=up)
    ax.legend(frameon=True, edgecolor="none", framealpha=0.9, fontsize=8)
    return ax


def draw_stationary() -> Any:
    """The log-likelihood over two means, and the ways of four starts (after Flach's figure 9.8)."""
    import likely

    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(-2, 1, 70), rng.normal(2, 1, 30)])

    def e_step(means: NDArray[Any]) -> tuple[Any, float]:
        density = np.exp(-((x[:, None] - means) ** 2) / 2) / np.sqrt(8 * np.pi)
        return density / density.sum(axis=1, keepdims=True), float(np.log(density.sum(axis=1)).sum())

    def m_step(share: NDArray[Any]) -> Any:
        return share.T @ x / share.sum(axis=0)

    ax = plain_axes("other starts, other ends", "first mean", "second mean", _square())
    grid = np.linspace(-4, 4, 81)
    height = np.array([[e_step(np.array([first, second]))[1] for first in grid] for second in grid])
    ax.contour(grid, grid, height, height.max() - np.array(BELOW), colors=FAINT, linestyles="-")
    for start in ((-3.0, 0.5), (0.4, -2.5), (0.8, 0.8), (3.5, 3.0)):
        way = [np.array(start)]
        for _ in range(likely.em(e_step, m_step, way[0]).n_iter):
            way.append(m_step(e_step(way[-1])[0]))
        ax.plot(*np.array(way).T, color=BLUE, marker="o", markersize=3)
        ax.plot(*way[-1], color=ORANGE, marker="o", markersize=8)
    return ax


def draw_one_feature() -> Any:
    """P(diabetes) over weight, learnt in three ways (after Flach's example 9.6)."""
    import likely
    from likely import calibrate

    weights = np.array(
        [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56.0]
    )
    y = np.array([sign == "+" for sign in "++++-++-+--+-+--+---"])
    places = np.linspace(50, 135, 400)
    model = likely.LogisticRegression(None).fit({"weight": weights}, y)
    curves = {
        "logistic regression": (model.predict_proba({"weight": places})[:, 1], BLUE, "-"),
        "by class means": (calibrate.logistic_by_means(y, weights)(places), GREEN, "-."),
        "isotonic": (calibrate.isotonic(y, weights, smoothing=None)(places), ORANGE, "--"),
    }
    ax = plain_axes("P(diabetes), learnt in three ways", "weight", "probability", None)
    for name, (p, colour, dash) in curves.items():
        ax.plot(places, p, color=colour, linestyle=dash, label=name)
    ax.scatter(weights, y, marker="|", color=DARK)
    ax.legend(frameon=False, fontsize=8)
    return ax


def draw_densities() -> Any:
    """Three estimates of the density of the same 20 values (after Flach's figure 9.5)."""
    import likely
    from likely.draw import DensityCurve, densities

    rng = np.random.default_rng(5)
    values = np.concatenate([rng.normal(-2.5, 0.8, 10), rng.normal(2.5, 0.8, 10)])
    places = np.linspace(-6, 6, 1201)
    truth = (likely.Normal(-2.5, 0.8).prob(places) + likely.Normal(2.5, 0.8).prob(places)) / 2
    estimates = {
        "normal": likely.Normal.fit(values),
        "histogram": likely.Histogram.fit(values),
        "kernel": likely.Kernel.fit(values),
    }
    curves = [
        DensityCurve(name, places.tolist(), one.prob(places).tolist()) for name, one in estimates.items()
    ]
    grey = DensityCurve("truth", places.tolist(), truth.tolist())
    return densities(values.tolist(), curves, truth=grey, title="the same 20 values", xlabel="x")


def _square() -> Any:
    return new_axes(SIDE, SIDE, Margins(0.7, 0.3, 0.4, 0.6))
