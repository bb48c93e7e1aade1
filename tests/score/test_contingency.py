"""The contingency table against scikit-learn, its identities, and intervals that cover."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

from likely.errors import LikelyError
from likely.score import contingency


def cases(g: int, seed: int = 0, n: int = 200):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, g, n)
    return y, np.where(rng.random(n) < 0.6, y, rng.integers(0, g, n)), rng.integers(1, 4, n)


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("g", [2, 3, 6])
def test_as_in_sklearn(g, weighted):
    y, called, weight = cases(g)
    weight = weight if weighted else None
    table = contingency(y, called, weight=weight)
    assert (table.counts == metrics.confusion_matrix(y, called, sample_weight=weight)).all()
    assert table.accuracy == pytest.approx(metrics.accuracy_score(y, called, sample_weight=weight))
    each = metrics.precision_recall_fscore_support(y, called, sample_weight=weight)
    for measure, theirs in zip((table.precision, table.recall, table.f_measure), each, strict=False):
        assert [float(measure(label)) for label in range(g)] == pytest.approx(theirs)
    macro = metrics.precision_recall_fscore_support(y, called, sample_weight=weight, average="macro")[:3]
    assert (table.macro_precision, table.macro_recall, table.macro_f) == pytest.approx(macro)


def test_f_is_the_harmonic_mean():
    table = contingency(*cases(3)[:2])
    for label in range(3):
        precision, recall = table.precision(label), table.recall(label)
        assert table.f_measure(label) == pytest.approx(2 / (1 / precision + 1 / recall))


def test_intervals_are_those_of_the_posterior():
    table = contingency([1] * 10 + [0] * 10, [1] * 8 + [0] * 12, level=0.9)
    assert table.recall(1).interval == pytest.approx(stats.beta(8.5, 2.5).interval(0.9))
    assert table.precision(1).interval == (pytest.approx(stats.beta(8.5, 0.5).ppf(0.05)), 1.0)
    low, high = stats.beta(8.5, 2.5).interval(0.9)
    assert table.f_measure(1).interval == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)))


def test_intervals_cover():
    """100 tables of 120 rows: 90 % intervals cover 90 times, give or take 3; 10 are allowed."""
    rng = np.random.default_rng(3)
    cells = np.array([[0.4, 0.1, 0.02], [0.05, 0.2, 0.03], [0.02, 0.05, 0.13]])
    truth = contingency(*np.divmod(np.arange(9), 3), weight=cells.reshape(-1))
    names = ["accuracy", "macro_precision", "macro_recall", "macro_f"]
    covered = dict.fromkeys([*names, "f"], 0)
    for _ in range(100):
        y, called = np.divmod(rng.choice(9, 120, p=cells.reshape(-1)), 3)
        drawn = contingency(y, called, classes=[0, 1, 2], level=0.9)
        for name in names:
            low, high = getattr(drawn, name).interval
            covered[name] += low <= getattr(truth, name) <= high
        low, high = drawn.f_measure(2).interval
        covered["f"] += low <= truth.f_measure(2) <= high
    assert all(80 <= times <= 99 for times in covered.values()), covered


class TestOddTables:
    def test_a_class_that_is_never_called(self):
        table = contingency(["a", "a", "b"], ["a", "a", "a"])
        assert (table.precision("b"), table.precision("b").interval) == (0.0, (0.0, 1.0))
        assert (float(table.recall("b")), float(table.f_measure("b"))) == (0.0, 0.0)
        assert np.isfinite(table.to_frame()["precision_low"]).all()

    def test_one_row_and_a_class_without_rows(self):
        table = contingency(["a"], ["a"], classes=["a", "b"])
        assert (float(table.accuracy), float(table.recall("b"))) == (1.0, 0.0)

    @pytest.mark.parametrize(
        ("y", "called", "options", "match"),
        [
            (["a"], [], {}, "two labels for each row"),
            (["a"], ["b"], {"classes": ["a"]}, "none of the classes"),
            (["a"], ["a"], {"level": 1.0}, "between 0 and 1"),
        ],
    )
    def test_refused(self, y, called, options, match):
        with pytest.raises(LikelyError, match=match):
            contingency(y, called, **options)

    def test_unknown_class(self):
        with pytest.raises(LikelyError, match="there is no class 'c'"):
            contingency(["a"], ["b"]).recall("c")


def test_a_rate_survives_pickling():
    rate = contingency(*cases(2)[:2]).accuracy
    again = pickle.loads(pickle.dumps(rate))
    assert (again, again.interval, again.n, again.level) == (rate, rate.interval, rate.n, rate.level)
