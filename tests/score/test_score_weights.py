"""A row of weight w is the row w times, and a row of weight 0 is no row: for every score that takes weights.
(Information of columns has the same law in test_information_laws.py.)

What is said about chance (standard errors, intervals of ranked rows, tests, bars) is another matter: weights
tell how much rows count, not how many were seen, so that only their proportions matter there.
"""

from __future__ import annotations

import numpy as np
import pytest

from likely import score

WEIGHTS = {
    "small whole numbers": lambda rng, n: rng.integers(0, 4, n),
    "one heavy row": lambda rng, n: np.where(np.arange(n) == n // 2, 9, 1),
    "all five": lambda rng, n: np.full(n, 5),
}
close = {"rel": 1e-9, "abs": 1e-11}


def rows(seed, g=2, n=60):
    """Labels, probabilities with ties, and their scores."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(g), n).round(1) + 0.01
    p /= p.sum(axis=1, keepdims=True)
    return (p.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, g - 1), p


def of_bins(found):
    bins = found.bins if hasattr(found, "bins") else found
    return [bins.lowest, bins.highest, bins.mean, bins.share, bins.weight]


def parts(found):
    return list(vars(found).values())


def of_all(curves):
    return [of_curve(one) for one in curves.values()]


# Numbers of labels, probabilities and weights: (the least number of classes, the most, the numbers)
ESTIMATES = {
    "log loss": (2, 3, lambda y, p, **w: score.log_loss(y, p, **w)),
    "log loss of logs": (2, 3, lambda y, p, **w: score.log_loss(y, np.log(p), logs=True, **w)),
    "brier": (2, 3, lambda y, p, **w: score.brier(y, p, **w)),
    "accuracy": (2, 3, lambda y, p, **w: score.accuracy(y, p, **w)),
    "auc": (2, 3, lambda y, p, **w: score.auc(y, p, **w)),
    "sharpness": (2, 3, lambda y, p, **w: score.sharpness(p, **w)),
    "calibration error": (2, 3, lambda y, p, **w: score.calibration_error(y, p, bins=5, **w)),
    "reliability": (2, 2, lambda y, p, **w: of_bins(score.reliability(y, p, bins=4, **w))),
    "reliability of the hull": (2, 2, lambda y, p, **w: of_bins(score.reliability(y, p, bins="hull", **w))),
    "decompose": (2, 3, lambda y, p, **w: parts(score.decompose(y, p, **w))),
    "decompose log loss": (2, 2, lambda y, p, **w: parts(score.decompose(y, p, measure="log loss", **w))),
    "roc": (2, 2, lambda y, p, **w: of_curve(score.roc(y, p[:, 1], **w))),
    "roc one against the rest": (
        2, 3, lambda y, p, **w: of_all(score.roc_one_vs_rest(y, p, **w))
    ),
    "roc of pairs": (3, 3, lambda y, p, **w: of_all(score.roc_pairwise(y, p, **w))),
    "contingency": (2, 3, lambda y, p, **w: of_counts(score.contingency(y, p.argmax(axis=1), **w))),
}  # fmt: skip


def of_curve(curve):
    hull = curve.hull
    return [
        curve.false_positives,
        curve.true_positives,
        curve.thresholds,
        curve.auc,
        hull.positive,
        hull.negative,
        hull.probability,
    ]


def of_counts(table):
    return [table.counts, table.accuracy, *table.accuracy.interval, *(table.recall(c) for c in table.classes)]


def flat(found):
    """All numbers in one array."""
    if isinstance(found, list | tuple):
        return np.concatenate([flat(one) for one in found])
    return np.atleast_1d(np.asarray(found, np.float64)).ravel()


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("g", [2, 3])
@pytest.mark.parametrize("name", ESTIMATES)
def test_a_row_of_weight_w_is_the_row_w_times(name, g, weights):
    least, most, measure = ESTIMATES[name]
    if not least <= g <= most:
        pytest.skip("not for so many classes")
    for seed in range(5):
        y, p = rows(seed, g)
        w = WEIGHTS[weights](np.random.default_rng(seed + 100), len(y))
        often = np.repeat(np.arange(len(y)), w)
        assert flat(measure(y, p, weight=w)) == pytest.approx(flat(measure(y[often], p[often])), **close)


CHANCE = {
    "standard errors": lambda y, p, w: [
        measure(y, p, weight=w).standard_error
        for measure in (score.log_loss, score.brier, score.accuracy, score.auc, score.calibration_error)
    ],
    "calibration error": lambda y, p, w: [
        (e := score.calibration_error(y, p, weight=w)).debiased, e.if_calibrated
    ],
    "calibration test": lambda y, p, w: list(vars(score.calibration_test(y, p, weight=w)).values()),
    "bars": lambda y, p, w: [(r := score.reliability(y, p, weight=w)).low, r.high],
}  # fmt: skip


@pytest.mark.parametrize("scale", [1e-300, 0.2, 7.0, 1e300])
@pytest.mark.parametrize("name", CHANCE)
def test_what_is_said_about_chance_depends_on_proportions_only(name, scale):
    for seed in range(5):
        y, p = rows(seed)
        w = np.random.default_rng(seed).integers(0, 4, len(y)).astype(float)
        assert flat(CHANCE[name](y, p, w * scale)) == pytest.approx(flat(CHANCE[name](y, p, w)), **close)
        one = np.ones(len(y))
        assert flat(CHANCE[name](y, p, one * scale)) == pytest.approx(flat(CHANCE[name](y, p, None)), **close)
