"""ROC curves against scikit-learn, pairs counted one by one, and all thresholds tried."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.isotonic import IsotonicRegression

from likely.errors import LikelyError
from likely.score import auc, isometric, mutual_information, roc, roc_one_vs_rest, roc_pairwise
from likely.score.isometric import information_gain


def cases(seed: int = 0, n: int = 150, levels: int = 20):
    """Labels, scores with many ties, and weights that are whole numbers."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0).astype(int)
    return y, np.round(levels * (rng.normal(size=n) + y)) / levels * 3, rng.integers(1, 4, n)


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("levels", [1, 4, 1000])
class TestCurve:
    def test_as_in_sklearn(self, levels, weighted):
        y, score, weight = cases(levels=levels)
        weight = weight if weighted else None
        fpr, tpr, thresholds = metrics.roc_curve(y, score, sample_weight=weight, drop_intermediate=False)
        curve = roc(y, score, weight=weight)
        assert curve.fpr == pytest.approx(fpr, abs=1e-14)
        assert curve.tpr == pytest.approx(tpr, abs=1e-14)
        assert (curve.thresholds == thresholds).all()

    def test_area(self, levels, weighted):
        y, score, weight = cases(levels=levels)
        weight = weight if weighted else None
        p = 1 / (1 + np.exp(-score))
        ours, other = roc(y, score, weight=weight).auc, auc(y, p, weight=weight)
        assert ours == pytest.approx(metrics.roc_auc_score(y, score, sample_weight=weight), abs=1e-14)
        assert (ours, ours.standard_error, ours.n) == pytest.approx((other, other.standard_error, other.n))

    def test_a_weight_is_so_many_rows(self, levels, weighted):
        y, score, weight = cases(levels=levels)
        once, often = roc(y, score, weight=weight), roc(np.repeat(y, weight), np.repeat(score, weight))
        assert (once.true_positives == often.true_positives).all()
        assert (once.hull.thresholds == often.hull.thresholds).all()

    def test_upper_and_lower_hull_are_the_hull_of_the_points(self, levels, weighted):
        y, score, weight = cases(levels=levels)
        curve = roc(y, score, weight=weight if weighted else None)
        x, t = curve.false_positives, curve.true_positives
        for hull, sign in ((curve.hull, 1), (curve.lower_hull, -1)):
            corners = set(hull.edges.tolist())
            for k in range(len(x)):
                left, right = (x <= x[k]) & (t <= t[k]), (x >= x[k]) & (t >= t[k])
                left[k], right[k] = False, False
                # A corner lies above (below) every chord over it; in whole numbers this is exact.
                a, b = np.meshgrid(np.flatnonzero(left), np.flatnonzero(right))
                turn = (x[k] - x[a]) * (t[b] - t[a]) - (t[k] - t[a]) * (x[b] - x[a])
                assert (k in corners) == bool((sign * turn < 0).all())

    def test_the_hull_is_isotonic_calibration(self, levels, weighted):
        y, score, weight = cases(levels=levels)
        weight = weight if weighted else None
        hull = roc(y, score, weight=weight).hull
        segment = np.searchsorted(-hull.thresholds[1:], -score)
        fitted = IsotonicRegression().fit(score, y, sample_weight=weight).predict(score)
        assert hull.probability[segment] == pytest.approx(fitted, abs=1e-12)

    def test_slopes_are_likelihood_ratios_and_odds(self, levels, weighted):
        y, score, weight = cases(levels=levels)
        weight = weight if weighted else np.ones(len(y))
        hull = roc(y, score, weight=weight).hull
        for i in range(len(hull.positive)):
            here = (score >= hull.thresholds[i + 1]) & (score <= hull.highest[i])
            positive, negative = weight[here & (y == 1)].sum(), weight[here & (y == 0)].sum()
            with np.errstate(divide="ignore"):
                assert hull.odds[i] == np.divide(positive, negative)
                ratio = np.divide(positive / weight[y == 1].sum(), negative / weight[y == 0].sum())
            assert hull.likelihood_ratio[i] == pytest.approx(ratio)
        assert (np.diff(hull.likelihood_ratio) < 0).all()

    @pytest.mark.parametrize("rate", [None, 0.01, 0.5, 0.9])
    @pytest.mark.parametrize("costs", [(1, 1), (10, 1), (1, 25), (0, 1)])
    def test_the_best_point_of_all_thresholds(self, levels, weighted, rate, costs):
        y, score, weight = cases(levels=levels)
        weight = weight if weighted else np.ones(len(y))
        curve = roc(y, score, weight=weight)
        best = curve.best(rate, false_positive=costs[0], false_negative=costs[1])
        rate = weight[y == 1].sum() / weight.sum() if rate is None else rate

        def cost(threshold):
            called = score >= threshold
            missed = weight[~called & (y == 1)].sum() / weight[y == 1].sum()
            wrong = weight[called & (y == 0)].sum() / weight[y == 0].sum()
            return rate * costs[1] * missed + (1 - rate) * costs[0] * wrong

        tried = [cost(t) for t in [np.inf, *np.unique(score)[::-1]]]
        assert best.cost == pytest.approx(min(tried), abs=1e-12)
        assert cost(best.threshold) == pytest.approx(min(tried), abs=1e-12)
        assert best.threshold in curve.hull.thresholds


class TestOddScores:
    def test_two_points(self):
        curve = roc(["no", "yes"], [0.2, 0.7])
        assert (curve.tpr.tolist(), curve.fpr.tolist()) == ([0, 1, 1], [0, 0, 1])
        assert float(curve.auc) == 1.0
        assert curve.auc.standard_error == np.inf

    def test_all_scores_equal(self):
        curve = roc([0, 1, 1], [5, 5, 5])
        assert float(curve.auc) == 0.5
        assert curve.hull.probability.tolist() == [2 / 3]
        assert curve.hull.likelihood_ratio.tolist() == [1.0]
        assert curve.best().threshold == 5

    @pytest.mark.parametrize("label", [0, 1])
    def test_one_class(self, label):
        curve = roc([label] * 3, [1, 2, 3])
        assert curve.base_rate == label
        assert np.isfinite([curve.tpr, curve.fpr]).all()
        assert curve.hull.probability.tolist() == [label]
        assert curve.hull.likelihood_ratio.tolist() == [1.0]
        assert curve.best().cost == 0
        assert "one class" in repr(curve)
        with pytest.raises(LikelyError, match="compares rows of two classes"):
            curve.auc  # noqa: B018

    def test_infinities_are_scores(self):
        y, score, _ = cases()
        wide = np.where(score > 3, np.inf, np.where(score < -3, -np.inf, score))
        same = roc(y, np.where(score > 3, 9, np.where(score < -3, -9, score)))
        assert (roc(y, wide).tpr == same.tpr).all()
        assert roc(y, wide).auc == same.auc
        assert (roc(y, score * 1e300).fpr == roc(y, score).fpr).all()

    @pytest.mark.parametrize("made", [list, np.array, lambda y: np.array(y, object), pd.Series])
    def test_labels_of_any_make(self, made):
        curve = roc(made(["ham", "spam", "ham"]), [1, 3, 2])
        assert (curve.positive, float(curve.auc)) == ("spam", 1.0)

    def test_rows_without_weight_are_no_rows(self):
        y, score, weight = cases()
        weight = np.where(np.arange(len(y)) % 4, weight, 0)
        kept = weight > 0
        assert roc(y, score, weight=weight).auc == roc(y[kept], score[kept], weight=weight[kept]).auc

    @pytest.mark.parametrize(
        ("y", "score", "options", "match"),
        [
            ([0, 1], [1, np.nan], {}, "leave rows without one out"),
            ([0, 1], [1], {}, "one number for each row"),
            ([], [], {}, "a row at least"),
            (["a", "b", "c"], [1, 2, 3], {}, "positive="),
            (["a", "b"], [1, 2], {"positive": "c"}, "no row of y"),
            ([0, 1], [1, 2], {"positive": "spam"}, "no row of y"),
            (np.array(["a", None], object), [1, 2], {"positive": "a"}, "y is missing in row 1"),
            ([1.0, np.nan], [1, 2], {"positive": 1}, "y is missing in row 1"),
            ([0, 1], "p", {}, "the column itself"),
            ([0, 1], [1, 2], {"weight": [0, 0]}, "not all 0"),
        ],
    )
    def test_refused(self, y, score, options, match):
        with pytest.raises(LikelyError, match=match):
            roc(y, score, **options)

    @pytest.mark.parametrize(("name", "value"), [("false_positive", -1), ("false_negative", np.inf)])
    def test_costs_are_finite_and_not_negative(self, name, value):
        with pytest.raises(LikelyError, match=name):
            roc([0, 1], [1, 2]).best(**{name: value})


class TestInterval:
    def test_covers_the_true_area(self):
        """300 samples at 90 %: 270 covered, give or take 5.2; 4 of these are allowed (1 in 15,000)."""
        rng = np.random.default_rng(0)
        y = np.repeat([0, 1], [40, 25])
        true = stats.norm.cdf(1.5 / np.sqrt(2))
        covered = 0
        for _ in range(300):
            low, high = roc(y, rng.normal(size=65) + 1.5 * y).auc.interval(0.9)
            covered += low <= true <= high
        assert 249 <= covered <= 291

    def test_is_delongs_for_many_rows(self):
        y, score, _ = cases(n=30_000, levels=1000)
        area = roc(y, score).auc
        ends = [float(area) + side * 1.959964 * area.standard_error for side in (-1, 1)]
        assert area.interval() == pytest.approx(ends, abs=1e-4)

    def test_nothing_but_wins_losses_or_ties(self):
        y = np.repeat([0, 1], [5, 9])
        assert roc(y, y).auc.interval() == pytest.approx((0.025 ** (1 / 5), 1.0))
        assert roc(y, -y).auc.interval() == pytest.approx((0.0, 1 - 0.025 ** (1 / 5)))
        assert roc(y, 0 * y).auc.interval() == (0.5, 0.5)
        assert roc([0, 1, 1], [1, 2, 3]).auc.interval() == (0.0, 1.0)
        weights = np.random.default_rng(0).random(14)
        assert roc(y, y, weight=weights).auc.interval()[1] == 1.0

    def test_survives_a_pickle(self):
        area = roc(*cases()[:2]).auc
        again = pickle.loads(pickle.dumps(area))
        assert (again, again.interval()) == (area, area.interval())


class TestManyClasses:
    def test_one_against_the_rest(self):
        rng = np.random.default_rng(1)
        y, p = rng.integers(0, 3, 90), rng.dirichlet(np.ones(3), 90)
        curves = roc_one_vs_rest(y, p)
        assert list(curves) == [0, 1, 2]
        weighted = sum(np.mean(y == c) * curves[c].auc for c in curves)
        assert weighted == pytest.approx(auc(y, p), abs=1e-12)

    def test_two_at_a_time(self):
        rng = np.random.default_rng(1)
        y, p = rng.integers(0, 3, 90), rng.dirichlet(np.ones(3), 90)
        for (b, a), curve in roc_pairwise(y, p).items():
            ratio = p[:, b] / p[:, a]
            won = np.sign(ratio[y == b][:, None] - ratio[y == a]) / 2 + 0.5
            assert float(curve.auc) == pytest.approx(won.mean(), abs=1e-12)

    def test_rows_that_rule_both_out_tie(self):
        p = [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.1, 0.2, 0.7]]
        assert float(roc_pairwise([0, 1, 2], p)[1, 0].auc) == 0.5


class TestIsometrics:
    @pytest.mark.parametrize("rate", [0.1, 0.5, 0.8])
    def test_all_points_are_equally_good(self, rate):
        f, t = isometric("accuracy", (0.2, 0.7), rate)
        assert len(f) > 5
        assert rate * t + (1 - rate) * (1 - f) == pytest.approx(rate * 0.7 + (1 - rate) * 0.8, abs=1e-12)
        f, t = isometric("cost", (0.2, 0.7), rate, false_positive=3, false_negative=5)
        cost = rate * 5 * (1 - t) + (1 - rate) * 3 * f
        assert cost == pytest.approx(rate * 5 * 0.3 + (1 - rate) * 3 * 0.2, abs=1e-12)
        for through in ((0.2, 0.7), (0.7, 0.2)):
            f, t = isometric("information gain", through, rate)
            assert len(f) > 5
            assert ((t >= f) == (through[1] > through[0])).all()
            wanted = float(information_gain(*map(np.asarray, through), rate))
            assert information_gain(f, t, rate) == pytest.approx(wanted, abs=1e-12)

    def test_misses_that_cost_nothing(self):
        f, t = isometric("cost", (0.2, 0.7), 0.5, false_negative=0)
        assert (f.tolist(), t.tolist()) == ([0.2, 0.2], [0, 1])

    def test_unknown_measure(self):
        with pytest.raises(LikelyError, match="the measures are"):
            isometric("beauty", (0, 1), 0.5)


def test_tables_and_pictures():
    curve = roc(*cases()[:2])
    assert list(curve.to_frame().columns) == ["threshold", "true_positives", "false_positives", "tpr", "fpr"]
    assert len(curve.hull.to_frame()) == len(curve.hull.positive)
    ax = curve.plot(coverage=True)
    drawn = {line.get_label(): line.get_xydata()[-1].tolist() for line in ax.lines}
    assert drawn == {key: [100.0, 50.0] for key in ["chance", "curve", "hull"]}


@pytest.mark.parametrize("coverage", [False, True])
@pytest.mark.parametrize(
    ("measure", "costs"), [("accuracy", (1, 1)), ("cost", (3, 5)), ("information gain", (1, 1))]
)
@pytest.mark.parametrize("rate", [0.2, 0.5, 0.9])
def test_isometrics_in_the_picture(measure, costs, rate, coverage):
    """The best point beats all of the curve, and the points of every line drawn are as good as each other."""
    curve = roc(*cases()[:2])

    def worth(f, t):
        if measure == "information gain":
            parts = np.array([[rate * t, (1 - rate) * f], [rate * (1 - t), (1 - rate) * (1 - f)]])
            return mutual_information(parts)
        return -rate * costs[1] * (1 - t) - (1 - rate) * costs[0] * f

    how = {"false_positive": costs[0], "false_negative": costs[1]}
    ax = curve.plot(isometrics=measure, base_rate=rate, coverage=coverage, **how)
    across, up = (curve.false_positives[-1], curve.true_positives[-1]) if coverage else (1, 1)
    drawn = {line.get_label(): line.get_xydata() / [across, up] for line in ax.lines}
    best = worth(*drawn["best"][0])
    assert best == pytest.approx(max(map(worth, curve.fpr, curve.tpr)), abs=1e-12)
    assert np.array([worth(f, t) for f, t in drawn[f"equal {measure}"]]) == pytest.approx(best, abs=1e-9)
    faint = [line.get_xydata() / [across, up] for line in ax.lines if line.get_linestyle() == ":"]
    heights = [np.array([worth(f, t) for f, t in line]) for line in faint]
    assert len(faint) == 5
    assert max(map(np.ptp, heights)) < 1e-9
    assert (np.diff([height[0] for height in heights]) > 0).all()  # upwards to the left it gets better


def test_unknown_isometrics():
    with pytest.raises(LikelyError, match="the measures are"):
        roc(*cases()[:2]).plot(isometrics="beauty")
