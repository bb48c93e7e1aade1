"""Worked examples of EM."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.textbook.example import Step, worked
from likely.textbook.pictures import draw_stationary

BETA = (float(np.sqrt(57)) - 3) / 48


@worked(
    "E1",
    "Flach; Mitchell",
    "EM as an engine: guess what is hidden, learn, guess again",
    data="""
    Six times ten throws, with 2, 8, 9, 3, 7 and 4 heads. Each ten are of one of two coins, as often of
    either; which one is hidden. The start is .6 and .4.
    """,
    steps=(
        Step("the likelihood never falls", True),
        Step("it converged", True),
        Step("at the end its slope in either coin", (0.0, 0.0), tolerance=1e-6),
        Step("from .4 and .6: the same coins, named the other way round", 0.0, tolerance=1e-6),
        Step("from .5 and .5: a stationary point, both the share of heads", (33 / 60, 33 / 60)),
        Step("the best of both starts: largest difference from the first", 0.0, tolerance=1e-6),
        Step("an M step that does not maximise is reported", True),
    ),
    notes="""
    You give an E step (which also says the log-likelihood) and an M step; a prior would be added to what the
    E step says. What EM climbs is the probability of what is seen, P(X given h), not of seen and
    hidden values together, as Mitchell's slide has it. The data are ours.
    """,
)
def _engine() -> dict[str, Any]:
    import numpy as np

    import likely

    heads = np.array([2, 8, 9, 3, 7, 4])

    def e_step(coins: NDArray[Any]) -> tuple[Any, float]:
        joint = 0.5 * coins ** heads[:, None] * (1 - coins) ** (10 - heads[:, None])
        seen = joint.sum(axis=1)
        return joint / seen[:, None], float(np.log(seen).sum())

    def m_step(share: NDArray[Any]) -> Any:
        return heads @ share / (10 * share.sum(axis=0))

    run = likely.em(e_step, m_step, np.array([0.6, 0.4]), tol=1e-15, max_iter=1000)
    turned = likely.em(e_step, m_step, np.array([0.4, 0.6]), tol=1e-15, max_iter=1000)
    stuck = likely.em(e_step, m_step, np.array([0.5, 0.5]), tol=1e-15, max_iter=1000)
    starts = [np.array([0.5, 0.5]), np.array([0.6, 0.4])]
    best, _ = likely.em_restarts(e_step, m_step, starts, tol=1e-15, max_iter=1000)
    coins, (share, _) = run.parameters, e_step(run.parameters)
    slope = (share * (heads[:, None] / coins - (10 - heads[:, None]) / (1 - coins))).sum(axis=0)
    try:
        likely.em(e_step, lambda share: np.array([0.1, 0.2]), coins)
        reported = False
    except likely.LikelyError as error:
        reported = "does not maximise" in str(error)
    return {
        "the likelihood never falls": bool((np.diff(run.history) > -1e-12).all()),
        "it converged": run.converged,
        "at the end its slope in either coin": slope,
        "from .4 and .6: the same coins, named the other way round": np.abs(
            turned.parameters[::-1] - coins
        ).max(),
        "from .5 and .5: a stationary point, both the share of heads": stuck.parameters,
        "the best of both starts: largest difference from the first": np.abs(best.parameters - coins).max(),
        "an M step that does not maximise is reported": reported,
    }


@worked(
    "E2",
    "Flach 9.4",
    "EM for a partially observed multinomial",
    data="""
    Classes A, B, C, D have probabilities (1/2, beta, 2 beta, 1/2 - 3 beta). Of 40 things 20 are of class A or
    B, 10 of C, 10 of D. How many are of B is hidden; the start is 5.
    """,
    steps=(
        Step("first beta", 0.1, ".1"),
        Step("second beta", 2 / 21, "2/21"),
        Step("final beta, (sqrt 57 - 3) / 48", BETA, ".0948"),
        Step("M steps until within 1e-10", 9),
        Step("expected numbers of A and B", (10 / (0.5 + BETA), 20 * BETA / (0.5 + BETA)), "16.813, 3.187"),
        Step("from beta = 1/20 instead of hidden values: final beta", BETA),
    ),
    notes="The objective is checked to rise in every iteration.",
)
def _hidden_classes() -> dict[str, Any]:
    from math import log

    import likely

    def e_step(beta: float) -> tuple[float, float]:
        seen = 20 * log(0.5 + beta) + 10 * log(2 * beta) + 10 * log(0.5 - 3 * beta)
        return 20 * beta / (0.5 + beta), seen

    def m_step(b: float) -> float:
        return (b + 10) / (6 * (b + 20))

    first = m_step(5.0)
    beta = likely.em(e_step, m_step, hidden=5.0, tol=0, max_iter=50).parameters
    b = e_step(beta)[0]
    errors = [
        abs(likely.em(e_step, m_step, hidden=5.0, tol=0, max_iter=i).parameters - beta) for i in range(20)
    ]
    return {
        "first beta": first,
        "second beta": m_step(e_step(first)[0]),
        "final beta, (sqrt 57 - 3) / 48": beta,
        "M steps until within 1e-10": 1 + next(i for i, e in enumerate(errors) if e < 1e-10),
        "expected numbers of A and B": [20 - b, b],
        "from beta = 1/20 instead of hidden values: final beta": likely.em(
            e_step, m_step, 0.05, tol=0, max_iter=50
        ).parameters,
    }


@worked(
    "E3",
    "Mitchell; KTH; Flach eq. 9.12-9.15, fig. 9.8",
    "Mixtures of Gaussians, and K-means as their hard limit",
    data="70 numbers around -2 and 30 around 2; 150 points of the plane around three places.",
    steps=(
        Step("two means, known variance: by hand and by Mixture, largest difference", 0.0, tolerance=1e-6),
        Step("weights, means, variances: eq. 9.12-9.15 hold, largest error", 0.0, tolerance=1e-6),
        Step("stationary points found from four starts", 2),
        Step("log-likelihood of the saddle below the peak, in nats", True),
        Step("hard groups: every row is nearest to the mean of its own", True),
    ),
    notes="""
    Where both means start alike they stay alike: a saddle between the two ways to name them. With unit
    variance, even odds and each row wholly in one group, EM is K-means. The data are ours.
    """,
    figure=draw_stationary,
)
def _mixtures() -> dict[str, Any]:
    import numpy as np

    import likely

    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(-2, 1, 70), rng.normal(2, 1, 30)])

    def e_step(means: NDArray[Any]) -> tuple[Any, float]:
        density = np.exp(-((x[:, None] - means) ** 2) / 2) / np.sqrt(8 * np.pi)
        return density / density.sum(axis=1, keepdims=True), float(np.log(density.sum(axis=1)).sum())

    def m_step(share: NDArray[Any]) -> Any:
        return share.T @ x / share.sum(axis=0)

    starts = [(-3.0, 0.5), (0.4, -2.5), (0.8, 0.8), (3.5, 3.0)]
    ends = [likely.em(e_step, m_step, np.array(start), tol=1e-13, max_iter=1000) for start in starts]
    heights = sorted({round(end.objective, 6) for end in ends})

    how: dict[str, Any] = {"max_iter": 1000, "tol": 1e-14}
    known = likely.Mixture(
        2, covariance="identity", base_rate="uniform", prior=None, init=(x > 0).astype(int), **how
    )
    shares = known.fit({"x": x}).predict_proba({"x": x})

    free = likely.Mixture(2, prior=None, init=(x > 0).astype(int), **how).fit({"x": x})
    share = free.predict_proba({"x": x})
    weight, mean = share.mean(axis=0), share.T @ x / share.sum(axis=0)
    variance = (share * (x[:, None] - mean) ** 2).sum(axis=0) / share.sum(axis=0)
    density = weight * np.exp(-((x[:, None] - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)

    X = np.concatenate([rng.normal(place, 1, (50, 2)) for place in ((0, 0), (4, 0), (0, 5))])
    hard = likely.Mixture(
        3, covariance="identity", base_rate="uniform", prior=None, hard=True, random_state=0
    ).fit(X)
    group = hard.predict(X)
    centres = np.array([X[group == label].mean(axis=0) for label in hard.classes_])
    nearest = ((X[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    return {
        "two means, known variance: by hand and by Mixture, largest difference": np.abs(
            e_step(ends[0].parameters)[0] - shares
        ).max(),
        "weights, means, variances: eq. 9.12-9.15 hold, largest error": np.abs(
            density / density.sum(axis=1, keepdims=True) - share
        ).max(),
        "stationary points found from four starts": len(heights),
        "log-likelihood of the saddle below the peak, in nats": heights[0] < heights[-1] - 1,
        "hard groups: every row is nearest to the mean of its own": bool(
            (hard.classes_[nearest] == group).all()
        ),
    }


EXAMPLES = (_engine, _hidden_classes, _mixtures)
