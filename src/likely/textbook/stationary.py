"""Worked examples of mixtures: one step of EM, and where EM comes to rest."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.draw.axes import new_panels
from likely.draw.densities import DensityCurve, densities
from likely.draw.regions import COLOURS, shares
from likely.format.svg import BLUE, ORANGE
from likely.textbook.example import Step, worked

ROWS = np.array([-3.0, -2.0, 0.0, 1.0, 3.0])
BEFORE = 1 / (1 + np.exp(0.5 - ROWS))  # of the second group: means 0 and 1, half-way .5, 1 apart
MEANS = (float(ROWS @ (1 - BEFORE) / (1 - BEFORE).sum()), float(ROWS @ BEFORE / BEFORE.sum()))
AFTER = 1 / (1 + np.exp((MEANS[1] - MEANS[0]) * (sum(MEANS) / 2 - ROWS)))
TEN = (-3.0, -2.4, -2.1, -1.1, -0.6, 0.5, 1.2, 2.0, 2.5, 2.7)
ALIKE = (float(np.var(TEN)),) * 2
RESTS = (
    float(-5 * (np.log(2 * np.pi * np.var(TEN)) + 1)),  # one normal distribution, at its maximum
    -19.440692301465642,  # the others as found by other means, in the tests
    -19.308363915501957,
    -18.938960495385558,
)


def draw_one_step() -> Any:
    """The densities of two groups and their shares in five rows, before an M step and after it."""
    import likely

    places = np.linspace(-5, 5, 401)
    upper, lower = new_panels(8.6, 4.6, 2, 2, sharex=True)
    for top, bottom, means, when in zip(upper, lower, ((0.0, 1.0), MEANS), ("before", "after"), strict=True):
        model = likely.GaussianClassifier.from_parameters(dict(zip("12", means, strict=True)), 1, names=["x"])
        curves = [
            DensityCurve(
                f"group {name}, mean {mean:.2f}",
                places.tolist(),
                (likely.Normal(mean, 1).prob(places) / 2).tolist(),
                colour,
            )
            for name, mean, colour in zip("12", means, (BLUE, ORANGE), strict=True)
        ]
        densities(ROWS.tolist(), curves, title=f"{when} the M step", xlabel="x", ax=top)
        top.set_ylim(0, 0.3)
        parts = model.predict_proba({"x": ROWS}).T.tolist()
        shares(ROWS.tolist(), parts, ["group 1", "group 2"], title="", xlabel="x", ax=bottom)
    return upper[0]


@worked(
    "E3b",
    "Flach eq. 9.12; Mitchell; KTH",
    "Responsibilities before and after an M step",
    data="""
    The numbers -3, -2, 0, 1 and 3, of two groups of variance 1 that are as common as each other. Their means
    are said to be 0 and 1.
    """,
    steps=(
        Step("responsibility of the second group, before", tuple(BEFORE)),
        Step("the M step: means weighted by the responsibilities", MEANS),
        Step("responsibility of the second group, after", tuple(AFTER)),
        Step("log-likelihood: it rises by more than 1", True),
        Step("responsibilities of a row add up to 1: largest error", 0.0),
    ),
    notes="""
    The responsibility of a group for a row, E(z) of the hidden z, is the group's posterior probability given
    the row: here 1 / (1 + exp(-(m2 - m1) (x - (m1 + m2) / 2))). After one M step the groups have parted. The
    numbers are ours.
    """,
    figure=draw_one_step,
)
def _one_step() -> dict[str, Any]:
    import numpy as np

    import likely

    x = np.array([-3.0, -2.0, 0.0, 1.0, 3.0])

    def e_step(means: NDArray[Any]) -> tuple[Any, float]:
        groups = {"first": means[0], "second": means[1]}
        model = likely.GaussianClassifier.from_parameters(groups, 1, names=["x"])
        return model.predict_proba({"x": x}), float(model.log_prob({"x": x}).sum())

    def m_step(share: NDArray[Any]) -> Any:
        return share.T @ x / share.sum(axis=0)

    before, start = e_step(np.array([0.0, 1.0]))
    one = likely.em(e_step, m_step, np.array([0.0, 1.0]), max_iter=1, tol=0)
    after, _ = e_step(one.parameters)
    return {
        "responsibility of the second group, before": before[:, 1],
        "the M step: means weighted by the responsibilities": one.parameters,
        "responsibility of the second group, after": after[:, 1],
        "log-likelihood: it rises by more than 1": bool(one.objective > start + 1),
        "responsibilities of a row add up to 1: largest error": np.abs(after.sum(axis=1) - 1).max(),
    }


def draw_configurations() -> Any:
    """EM on ten numbers: from one start, and where it comes to rest from four (after figure 9.8)."""
    one, four = new_panels(9.2, 3.8, 1, 2)[0]
    greys = {0: "0.8", 2: "0.65", 5: "0.5", 20: "0.3"}
    steps = [_density(7, n, colour, f"{n} steps") for n, colour in greys.items()]
    densities(TEN, [*steps, _density(7, 500, ORANGE, "at rest")], title="from one start", xlabel="x", ax=one)
    ends = [_density(first, 500, colour) for first, colour in zip((8, 5, 2, 0), COLOURS, strict=False)]
    densities(TEN, ends, title="at rest, from four starts", xlabel="x", ax=four)
    for ax in (one, four):
        ax.set_ylim(0, 0.52)
    return one


def _density(first: int, steps: int, colour: str, label: str = "") -> DensityCurve:
    """The mixture after some steps, from a start with so many numbers of the first group."""
    import likely

    share = np.where(np.arange(10)[:, None] < first, [0.9, 0.1], [0.1, 0.9])
    model = likely.Mixture(2, prior=None, init=share, max_iter=steps, tol=0).fit({"x": TEN})
    places = np.linspace(-6, 6, 601)
    height = np.exp(model.log_prob({"x": places}))
    said = label or f"log-likelihood {model.log_prob({'x': TEN}).sum():.2f}"
    return DensityCurve(said, places.tolist(), height.tolist(), colour)


@worked(
    "E3c",
    "Flach fig. 9.8",
    "Four stationary configurations of a mixture of two Gaussians",
    data="""
    Ten numbers from -3 to 2.7; weights, means and variances of two groups are learnt. At the start the first
    0, 2, 5 or 8 numbers belong to the first group by 9/10, the others to the second.
    """,
    steps=(
        Step("log-likelihood at rest, from each start", RESTS, tolerance=1e-6),
        Step("one more step: largest change of a parameter", 0.0, tolerance=1e-6),
        Step("the lowest: both groups alike, with the variance of all numbers", ALIKE, tolerance=1e-6),
        Step("the lowest is a saddle: EM leaves it from a start nearby", True),
        Step("the highest: shares of the groups, far from even", (0.7274140, 0.2725860), tolerance=1e-6),
        Step("Mixture stays at each: largest change of the log-likelihood", 0.0, tolerance=1e-6),
    ),
    notes="""
    EM climbs to a local optimum; to which one is a matter of the start, so start it several times and take
    the highest. Without a prior the likelihood prefers a narrow group on the three numbers furthest to the
    right; on a single number it would grow without bound. The numbers are ours.
    """,
    figure=draw_configurations,
)
def _configurations() -> dict[str, Any]:
    import numpy as np

    import likely

    x = np.array([-3.0, -2.4, -2.1, -1.1, -0.6, 0.5, 1.2, 2.0, 2.5, 2.7])

    def e_step(parameters: NDArray[Any]) -> tuple[Any, float]:
        weight, mean, variance = parameters
        joint = weight * likely.Normal(mean, np.sqrt(variance)).prob(x[:, None])
        return joint / joint.sum(axis=1, keepdims=True), float(np.log(joint.sum(axis=1)).sum())

    def m_step(share: NDArray[Any]) -> Any:
        size, mean = share.sum(axis=0), share.T @ x / share.sum(axis=0)
        return size / 10, mean, (share * (x[:, None] - mean) ** 2).sum(axis=0) / size

    def rest(share: NDArray[Any]) -> Any:
        return likely.em(e_step, m_step, hidden=share, max_iter=5000, tol=1e-15)

    place = np.arange(10)[:, None]
    ends = [rest(np.where(place < first, [0.9, 0.1], [0.1, 0.9])) for first in (0, 2, 5, 8)]
    shares = [e_step(end.parameters)[0] for end in ends]
    moved = [
        np.abs(np.array(m_step(share)) - np.array(end.parameters)).max()
        for share, end in zip(shares, ends, strict=True)
    ]
    same = likely.Mixture(2, prior=None, max_iter=1)
    stays = [same.set_params(init=share).fit({"x": x}).log_prob({"x": x}).sum() for share in shares]
    nearby = rest(np.where(place < 5, [0.11, 0.89], [0.1, 0.9]))
    return {
        "log-likelihood at rest, from each start": [end.objective for end in ends],
        "one more step: largest change of a parameter": max(moved),
        "the lowest: both groups alike, with the variance of all numbers": ends[0].parameters[2],
        "the lowest is a saddle: EM leaves it from a start nearby": bool(
            nearby.objective > ends[0].objective + 1
        ),
        "the highest: shares of the groups, far from even": ends[3].parameters[0],
        "Mixture stays at each: largest change of the log-likelihood": max(
            abs(now - end.objective) for now, end in zip(stays, ends, strict=True)
        ),
    }


EXAMPLES = (_one_step, _configurations)
