"""Maps from scores to probabilities: against scikit-learn, SciPy and worked figures, and one law for all."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from scipy import optimize
from scipy.special import expit, log_softmax, logit, softmax
from sklearn.calibration import _sigmoid_calibration
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.isotonic import IsotonicRegression

from likely.calibrate import beta, binned, isotonic, logistic, logistic_by_means, temperature
from likely.calibrate.beta import both_logs
from likely.calibrate.temperature import temperature_of
from likely.errors import LikelyError

MAPS = {
    "means": logistic_by_means,
    "logistic": logistic,
    "isotonic": isotonic,
    "isotonic neutral": lambda *a, **k: isotonic(*a, **k, smoothing="neutral"),
    "isotonic plain": lambda *a, **k: isotonic(*a, **k, smoothing=None),
    "beta": beta,
}
WEIGHTS = np.array([130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56.0])
CLASSES = np.array([c == "+" for c in "++++-++-+--+-+--+---"])


def draw(seed: int = 0, n: int = 200, levels: int = 8):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    return y, np.round(levels * (rng.normal(size=n) + 1.2 * y)) / levels, rng.integers(1, 4, n)


@pytest.mark.parametrize("name", MAPS)
class TestEveryMap:
    @pytest.mark.parametrize("sign", [1, -1], ids=["rising", "falling"])
    @pytest.mark.parametrize("seed", range(5))
    def test_no_pair_is_reversed(self, name, seed, sign):
        y, score, _ = draw(seed)
        score = sign * score
        new = np.sort(np.concatenate([score, np.linspace(-9, 9, 500), [-1e300, 1e300, -np.inf, np.inf]]))
        if name == "beta":
            score, new = expit(score), expit(new)
        log_odds = MAPS[name](y, score).log_odds(new)
        assert not np.isnan(log_odds).any()
        assert (log_odds[1:] >= log_odds[:-1]).all()

    def test_a_weight_is_so_many_rows(self, name):
        y, score, weight = draw()
        score = expit(score) if name == "beta" else score
        once = MAPS[name](y, score, weight=weight)
        often = MAPS[name](np.repeat(y, weight), np.repeat(score, weight))
        assert once(score) == pytest.approx(often(score), abs=1e-9)

    def test_another_base_rate_shifts_the_log_odds(self, name):
        y, score, _ = draw()
        score = expit(score) if name == "beta" else score
        found = MAPS[name](y, score)
        free, known = found.log_odds(score, base_rate=0.5), found.log_odds(score)
        finite = np.isfinite(known)
        assert known[finite] - free[finite] == pytest.approx(logit(y.mean()))

    @pytest.mark.parametrize("label", [0, 1])
    def test_one_class(self, name, label):
        found = MAPS[name]([label] * 4, [0.1, 0.2, 0.3, 0.9])
        p = found([0.0, 0.25, 1.0])
        assert (p == p[0]).all()
        wanted = {"isotonic plain": label, "isotonic neutral": label}.get(name, [1 / 6, 5 / 6][label])
        assert p[0] == pytest.approx(wanted)
        with pytest.raises(LikelyError, match="one class"):
            found([0.5], base_rate=0.5)

    def test_equal_scores_and_two_points(self, name):
        same = MAPS[name]([0, 1, 1], [0.5, 0.5, 0.5])([0.1, 0.5, 0.9])
        assert (same == same[0]).all()
        assert 0.55 < same[0] < 0.7
        low, high = MAPS[name]([0, 1], [0.2, 0.7])([0.2, 0.7])
        assert 0 <= low < high <= 1

    def test_missing_scores_are_refused(self, name):
        with pytest.raises(LikelyError, match=r"leave rows without one out|from 0 to 1"):
            MAPS[name]([0, 1], [0.2, 0.7])([math.nan])

    def test_pickle(self, name):
        found = MAPS[name]([0, 1, 0, 1], [0.2, 0.7, 0.3, 0.6])
        assert (pickle.loads(pickle.dumps(found))([0.4]) == found([0.4])).all()


class TestIsotonic:
    @pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
    def test_as_in_sklearn(self, weighted):
        y, score, weight = draw()
        weight = weight if weighted else None
        new = np.linspace(-5, 5, 999)
        peer = IsotonicRegression(out_of_bounds="clip").fit(score, y, sample_weight=weight)
        found = isotonic(y, score, weight=weight, smoothing=None)
        assert found(new) == pytest.approx(peer.predict(new), abs=1e-12)

    def test_worked_figure(self):
        """Flach, example 10.10."""
        wanted = np.repeat([5 / 6, 0.6, 0.5, 3 / 7, 0.4, 0.2], [4, 3, 2, 5, 3, 3])
        assert isotonic(CLASSES, WEIGHTS)(WEIGHTS) == pytest.approx(wanted, abs=1e-12)

    def test_free_of_the_base_rate_as_printed(self):
        """(m + 1) / (m + 1 + c (n - m + 1)) with prior odds c, segment by segment."""
        y = np.repeat([0, 1, 0, 1], [40, 2, 9, 5])
        score = np.repeat([1.0, 1.0, 2.0, 2.0], [40, 2, 9, 5])
        c = 7 / 49
        wanted = [(2 + 1) / (2 + 1 + c * (40 + 1)), (5 + 1) / (5 + 1 + c * (9 + 1))]
        assert isotonic(y, score)([1, 2], base_rate=0.5) == pytest.approx(wanted)

    def test_pooled_again_after_smoothing(self):
        # Shares 0/1 and 1/100 rise, but Laplace's 1/3 and 2/102 fall.
        y = np.array([0] + [0] * 99 + [1])
        score = np.array([1.0] + [2.0] * 100)
        assert isotonic(y, score, smoothing=None)([1, 2]).tolist() == pytest.approx([0, 0.01])
        assert isotonic(y, score)([1, 2]) == pytest.approx([3 / 105] * 2)

    def test_neutral_smoothing_pulls_towards_the_base_rate(self):
        y, score = [0, 0, 0, 1], [1, 1, 1, 2]
        assert isotonic(y, score, smoothing="neutral")([1, 2]) == pytest.approx([0.5 / 5, 1.5 / 3])

    def test_infinities_are_segments_of_their_own(self):
        found = isotonic([0, 0, 1, 0, 1, 1], [-np.inf, -np.inf, 0, 1, np.inf, np.inf], smoothing=None)
        assert found([-np.inf, -1e300, 0.5, 1e308, np.inf]) == pytest.approx([0, 0.5, 0.5, 0.5, 1])

    def test_unknown_smoothing(self):
        with pytest.raises(LikelyError, match="smoothing='x'"):
            isotonic([0, 1], [1, 2], smoothing="x")


class TestLogistic:
    @pytest.mark.parametrize("scale", [1.0, 1e-150, 1e200])
    @pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
    def test_platt_as_in_sklearn(self, weighted, scale):
        y, score, weight = draw(levels=1000)
        weight = weight if weighted else None
        a, b = _sigmoid_calibration(score, y, sample_weight=None if weight is None else weight.astype(float))
        found = logistic(y, score * scale, weight=weight)
        assert found(score * scale) == pytest.approx(expit(-(a * score + b)), abs=1e-6)

    def test_many_scores_as_few(self):
        """A rough start, taken with many distinct scores, leads to the same place."""
        y, score, _ = draw(n=40_000, levels=10**9)
        found = logistic(y, score)
        hit, miss = (y.sum() + 1) / (y.sum() + 2), 1 / ((1 - y).sum() + 2)
        off = found(score) - np.where(y == 1, hit, miss)
        assert np.abs([off.sum(), off @ score]).max() < 1e-4

    def test_by_means_is_linear_discriminant_analysis(self):
        y, score, _ = draw()
        peer = LinearDiscriminantAnalysis(solver="lsqr").fit(score[:, None], y)
        assert logistic_by_means(y, score)(score) == pytest.approx(
            peer.predict_proba(score[:, None])[:, 1], abs=1e-12
        )

    def test_separated_classes(self):
        for fit in (logistic, logistic_by_means):
            p = fit([0, 0, 1, 1], [1, 1, 2, 2])([1, 2])
            assert 0 < p[0] < 0.3
            assert 0.7 < p[1] < 1

    def test_scores_that_are_nearly_all_infinite_still_rank(self):
        y, far = [0, 0, 1, 1, 1, 0], np.array([-1.0, -1, -1, 1, 1, 1])
        for fit in (logistic, logistic_by_means):
            assert fit(y, far * np.inf)([-np.inf, np.inf]) == pytest.approx(fit(y, far)([-1, 1]))
            low, middle, high = fit([0, 0, 1, 1, 0], [-np.inf, -np.inf, 7, np.inf, 7])([-np.inf, 7, np.inf])
            assert low < middle < high

    def test_infinite_scores_count_as_the_nearest(self):
        y = [0, 1, 0, 1]
        for fit in (logistic, logistic_by_means):
            wide = fit(y, [-np.inf, 1, 0.5, np.inf])
            assert wide([0.7, 1, 5, np.inf]) == pytest.approx(
                np.where([True, True, False, False], fit(y, [0.5, 1, 0.5, 1])([0.7, 1, 1, 1]), wide([1])[0])
            )


class TestBeta:
    @pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
    def test_is_the_best_of_its_kind(self, weighted):
        y, score, weight = draw(3)
        weight = weight if weighted else np.ones(len(y))
        p = expit(2 * score - 1)
        found = beta(y, p, weight=weight).inner
        ones, zeros = weight[y == 1].sum(), weight[y == 0].sum()
        target = np.where(y == 1, (ones + 1) / (ones + 2), 1 / (zeros + 2))
        columns = both_logs(2 * score - 1)

        def loss(theta):
            log_odds = columns @ theta[:2] + theta[2]
            return weight @ (np.logaddexp(0, log_odds) - target * log_odds)

        peer = optimize.minimize(loss, [1, 1, 0], bounds=[(0, None), (0, None), (None, None)], tol=1e-12)
        assert loss(np.array([found.a, found.b, found.c])) <= peer.fun + 1e-7
        assert min(found.a, found.b) >= 0

    def test_right_probabilities_stay(self):
        rng = np.random.default_rng(0)
        p = rng.random(30_000)
        found = beta(rng.random(30_000) < p, p)
        assert found(p) == pytest.approx(p, abs=0.02)

    def test_zero_and_one(self):
        found = beta([0, 1, 0, 1, 1, 0], [0.0, 1.0, 0.3, 0.8, 0.0, 1.0])
        p = found([0.0, 1e-20, 0.5, 1.0])
        assert (p > 0).all()
        assert (p < 1).all()
        assert (np.diff(p) >= 0).all()


class TestBins:
    def test_shares_by_laplaces_rule(self):
        y, score, _ = draw(levels=10**6)
        found = binned(y, score, bins=10)
        for part in np.array_split(np.argsort(score), 10):
            assert found(score[part]) == pytest.approx((y[part].sum() + 1) / (len(part) + 2))

    def test_beyond_the_ends(self):
        found = binned([0, 1], [1, 2], bins=2)
        assert found([-np.inf, np.inf]) == pytest.approx([1 / 3, 2 / 3])


class TestTemperature:
    def test_is_the_best_of_all(self):
        rng = np.random.default_rng(0)
        scores, y = 3 * rng.normal(size=(300, 4)), rng.integers(0, 4, 300)
        scores[np.arange(300), y] += 2
        found = temperature(y, softmax(scores, axis=1))

        def loss(b):
            return -log_softmax(b * scores, axis=1)[np.arange(300), y].sum() + (b - 1) ** 2 / 2

        peer = optimize.minimize_scalar(loss, bounds=(0, 10), method="bounded", options={"xatol": 1e-10})
        assert found.sharpening == pytest.approx(peer.x, abs=1e-6)
        assert (found(softmax(scores, axis=1)).argmax(axis=1) == scores.argmax(axis=1)).all()

    def test_all_right_all_wrong_and_impossible(self):
        certain = np.eye(3)
        right, wrong = temperature([0, 1, 2], certain), temperature([1, 2, 0], certain)
        assert 0 < right.temperature < 1.5
        assert wrong.temperature > 20
        assert np.isfinite(right(certain)).all()
        assert temperature_of(np.full((2, 2), -np.inf), np.array([0, 1]), None).sharpening > 0


def test_temperature_takes_the_probabilities_of_the_second_class_alone():
    rng = np.random.default_rng(3)
    y, p = rng.random(50) < 0.4, rng.random(50)
    found = temperature(y, p)
    both = found(np.column_stack([1 - p, p]))
    np.testing.assert_allclose(found(p), both[:, 1], rtol=1e-12)
    with pytest.raises(LikelyError, match="shape"):
        found(0.3)
