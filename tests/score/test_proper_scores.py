"""Scores of probabilities against scikit-learn's, pairs counted one by one, and the bootstrap."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from sklearn import metrics

from likely.errors import LikelyError
from likely.score import Score, accuracy, auc, brier, log_loss

MEASURES = [log_loss, brier, auc, accuracy]


def cases(g: int, n: int = 240, seed: int = 0):
    """Labels, probabilities with many ties, and weights."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % g)
    p = np.round(5 * rng.dirichlet(np.ones(g), n) + 2 * np.eye(g)[y]) + 0.5
    return y, p / p.sum(axis=1, keepdims=True), rng.random(n)


def by_sklearn(measure, y, p, weight):
    g = p.shape[1]
    if measure is log_loss:
        return metrics.log_loss(y, p, sample_weight=weight)
    if measure is accuracy:
        return metrics.accuracy_score(y, p.argmax(axis=1), sample_weight=weight)
    if measure is brier:
        if g == 2:
            return metrics.brier_score_loss(y, p[:, 1], sample_weight=weight)
        return np.average(((p - np.eye(g)[y]) ** 2).sum(axis=1), weights=weight)
    if g == 2:
        return metrics.roc_auc_score(y, p[:, 1], sample_weight=weight)
    return metrics.roc_auc_score(y, p, multi_class="ovr", average="weighted", sample_weight=weight)


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("g", [2, 3, 5])
@pytest.mark.parametrize("measure", MEASURES)
def test_as_in_sklearn(measure, g, weighted):
    y, p, weight = cases(g)
    weight = weight if weighted else None
    assert measure(y, p, weight=weight) == pytest.approx(by_sklearn(measure, y, p, weight), abs=1e-12)


@pytest.mark.parametrize("measure", [log_loss, brier, accuracy])
def test_the_error_is_that_of_a_mean(measure):
    y, p, _ = cases(3)
    rows = [float(measure(y[[i]], p[[i]], classes=[0, 1, 2])) for i in range(len(y))]
    assert measure(y, p).standard_error == pytest.approx(np.std(rows, ddof=1) / math.sqrt(len(y)), rel=1e-12)
    assert measure(y, p).n == len(y)


def pairs(y, score):
    """AUC and DeLong's variance from the full table of pairs."""
    mine, others = score[y == 1], score[y == 0]
    won = (mine[:, None] > others[None, :]) + 0.5 * (mine[:, None] == others[None, :])
    by_row, by_other = won.mean(axis=1), won.mean(axis=0)
    variance = by_row.var(ddof=1) / len(mine) + by_other.var(ddof=1) / len(others)
    return won.mean(), math.sqrt(variance)


@pytest.mark.parametrize("seed", range(4))
def test_delong_from_all_pairs(seed):
    y, p, _ = cases(2, n=90, seed=seed)
    area, error = pairs(y, p[:, 1])
    found = auc(y, p)
    assert found == pytest.approx(area, abs=1e-12)
    assert found.standard_error == pytest.approx(error, rel=1e-12)


def test_the_error_of_many_classes_is_what_the_bootstrap_finds():
    """600 draws know a standard deviation to 3 %: 12 % is four of these, a false alarm in 15,000."""
    y, p, _ = cases(3, n=300)
    rng = np.random.default_rng(1)
    strata = [np.flatnonzero(y == label) for label in range(3)]
    again = []
    for _ in range(600):
        rows = np.concatenate([rng.choice(rows, len(rows)) for rows in strata])
        again.append(float(auc(y[rows], p[rows])))
    assert auc(y, p).standard_error == pytest.approx(np.std(again), rel=0.12)


@pytest.mark.parametrize("measure", MEASURES)
def test_rows_without_weight_are_no_rows(measure):
    y, p, weight = cases(3)
    weight[::3] = 0
    kept = weight > 0
    whole, part = measure(y, p, weight=weight), measure(y[kept], p[kept], weight=weight[kept])
    assert (float(whole), whole.standard_error, whole.n) == pytest.approx(
        (float(part), part.standard_error, part.n), rel=1e-12
    )


@pytest.mark.parametrize("measure", MEASURES)
def test_the_scale_of_weights_is_no_matter(measure):
    y, p, weight = cases(2)
    small, large = measure(y, p, weight=weight), measure(y, p, weight=weight * 1e300)
    assert float(large) == pytest.approx(float(small), rel=1e-12)
    assert large.standard_error == pytest.approx(small.standard_error, rel=1e-12)


def test_labels_and_a_single_column():
    y, p, _ = cases(2)
    named = np.array(["no", "yes"])[y]
    for measure in MEASURES:
        assert measure(named, p[:, 1]) == measure(y, p)
        assert measure(named, p[:, ::-1], classes=["yes", "no"]) == pytest.approx(measure(y, p), abs=1e-15)


def test_a_class_that_never_came_true():
    p = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.3, 0.5, 0.2], [0.6, 0.2, 0.2]])
    y = ["a", "b", "b", "a"]
    assert log_loss(y, p, classes=["a", "b", "c"]) == pytest.approx(-np.log([0.5, 0.8, 0.5, 0.6]).mean())
    assert auc(y, p, classes=["a", "b", "c"]) == 1


def test_impossible_is_infinite_and_unlikely_is_not():
    found = log_loss([0, 1], [[0.0, 1.0], [0.5, 0.5]])
    assert found == math.inf
    assert found.standard_error == math.inf
    logs = [[-2000.0, 0.0], [math.log(0.5), math.log(0.5)]]
    assert log_loss([0, 1], logs, logs=True) == pytest.approx((2000 - math.log(0.5)) / 2)


def test_one_row_does_not_tell_its_error():
    assert accuracy([1], [[0.2, 0.8]], classes=[0, 1]).standard_error == math.inf
    found = auc([0, 1, 1], [0.1, 0.5, 0.9])
    assert (float(found), found.standard_error) == (1.0, math.inf)
    assert repr(found) == "1.000 ± unknown from 3 rows"


def test_a_score_survives_a_pickle():
    again = pickle.loads(pickle.dumps(Score(0.5, 10, 0.1)))
    assert (again, again.n, again.standard_error, type(again)) == (0.5, 10, 0.1, Score)


@pytest.mark.parametrize(
    ("y", "p", "more", "said"),
    [
        ([0, 0], [[1.0], [1.0]], {}, "of the class 0"),
        ([0, 1], [[0.5, 0.6], [0.5, 0.5]], {}, "row 0 add up to 1.1"),
        ([0, 1], [[1.5, -0.5], [0.5, 0.5]], {}, "from 0 to 1"),
        ([0, 1], [[0.5, 0.5]], {}, "one row of probabilities"),
        ([0, 3], [[0.5, 0.5], [0.5, 0.5]], {"classes": [0, 1]}, "row 1 holds 3"),
        ([0, 1], [[0.5, 0.5], [0.5, 0.5]], {"classes": [1, 1]}, "twice"),
        ([0.0, math.nan], [[0.5, 0.5], [0.5, 0.5]], {}, "missing in row 1"),
        (["a", None], [[0.5, 0.5], [0.5, 0.5]], {}, "missing in row 1"),
        (np.array(["a", 1], object), [[0.5, 0.5], [0.5, 0.5]], {}, "several types"),
        ([0, 1], [[0.5, 0.5], [0.5, 0.5]], {"weight": [1]}, "2 rows"),
        ([0, 1], [[0.5, 0.5], [0.5, 0.5]], {"weight": [-1, 1]}, "0 or more"),
    ],
    ids=[
        "one class",
        "sum",
        "range",
        "shape",
        "unknown",
        "twice",
        "nan",
        "none",
        "mixed",
        "weights",
        "negative",
    ],
)
def test_refused_with_a_reason(y, p, more, said):
    with pytest.raises(LikelyError, match=said):
        auc(y, p, **more)


@pytest.mark.parametrize("label", [0, 1, True])
def test_rows_of_one_class_that_has_a_known_other(label):
    p = np.array([0.2, 0.9])
    chance = p if label else 1 - p
    assert log_loss([label] * 2, p) == pytest.approx(-np.log(chance).mean())
    assert brier([label] * 2, p) == pytest.approx(((1 - chance) ** 2).mean())
    assert accuracy([label] * 2, p) == 0.5
    with pytest.raises(LikelyError, match="compares rows of two classes"):
        auc([label] * 2, p)
    with pytest.raises(LikelyError, match="classes="):
        log_loss(["yes"] * 2, p)
