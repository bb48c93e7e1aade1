"""Reliability, decomposition, calibration error and tests: against sums by hand, and by simulation."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit
from seeds import rarely
from sklearn.isotonic import IsotonicRegression

from likely.errors import LikelyError
from likely.score import (
    brier,
    calibration_error,
    calibration_test,
    decompose,
    log_loss,
    reliability,
    sharpness,
)
from likely.score.outcomes import Outcomes
from likely.score.reliability import Bins, equal_frequency


def draw(n: int, stretch: float = 1.0, seed: int = 0):
    """Outcomes of known chances, and probabilities that are as many times too bold."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n)
    return (rng.random(n) < truth).astype(int), expit(stretch * logit(truth))


def right(n, sharp, seed):
    """Outcomes that have the probabilities that are stated."""
    rng = np.random.default_rng(seed)
    p = 1 / (1 + np.exp(-rng.normal(0, sharp, n)))
    return (rng.random(n) < p).astype(int), p


def stretched(n, wrong, seed):
    """Outcomes, probabilities whose log-odds are so many times too large, and the right ones."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(0, 1.5, n)
    truth = 1 / (1 + np.exp(-odds))
    return (rng.random(n) < truth).astype(int), 1 / (1 + np.exp(-wrong * odds)), truth


class TestBins:
    def test_equal_frequency_without_ties_is_an_even_cut(self):
        y, p = draw(103)
        bins = Bins.of(Outcomes.of(y, p), 1, 10)
        order = np.argsort(p)
        cuts = np.array_split(order, len(bins.mean))
        assert {len(cut) for cut in cuts} >= set(bins.weight.astype(int).tolist())
        assert bins.weight.sum() == 103
        assert float(bins.weight @ bins.mean) == pytest.approx(p.sum())
        assert float(bins.weight @ bins.share) == pytest.approx(y.sum())

    def test_equal_values_stay_together(self):
        assert equal_frequency(np.array([1.0, 8.0, 1.0]), 5).tolist() == [0, 1, 2, 3]
        assert equal_frequency(np.array([10.0]), 5).tolist() == [0, 1]

    @pytest.mark.parametrize("bins", [0, 2.5, True, "many"])
    def test_refused(self, bins):
        with pytest.raises(LikelyError, match="bins="):
            reliability([0, 1], [0.1, 0.9], bins=bins)


class TestReliability:
    def test_bars_are_binomial(self):
        y, p = np.repeat([0, 1, 0, 1], [30, 10, 5, 15]), np.repeat([0.25, 0.6], [40, 20])
        found = reliability(y, p, bins=2, level=0.8)
        assert found.mean == pytest.approx([0.25, 0.6])
        assert found.share == pytest.approx([0.25, 0.75])
        for place, (n, chance) in enumerate([(40, 0.25), (20, 0.6)]):
            low, high = stats.binom(n, chance).ppf([0.1, 0.9]) / n
            assert (found.low[place], found.high[place]) == pytest.approx((low, high))

    def test_right_probabilities_are_within_their_bars(self):
        """400 bars at 90 %: at most 40 outside (bars of whole counts cover more), give or take 6."""
        outside = [reliability(*draw(500, seed=seed)).outside for seed in range(40)]
        assert 5 < sum(outside) < 64

    def test_bold_ones_are_not(self):
        assert reliability(*draw(5000, 2.0)).outside >= 5

    def test_hull_bins_rise(self):
        found = reliability(*draw(500), bins="hull")
        assert (np.diff(found.share) > 0).all()
        assert (np.diff(found.mean) > 0).all()

    def test_a_class_among_many(self):
        y, p = np.array([0, 1, 2, 2]), np.full((4, 3), 1 / 3)
        found = reliability(y, p, positive=2)
        assert (found.mean.tolist(), found.share.tolist()) == ([pytest.approx(1 / 3)], [0.5])
        with pytest.raises(LikelyError, match="name one of the classes"):
            reliability(y, p)

    def test_one_row_and_one_class(self):
        found = reliability([1], [1.0])
        assert (found.low.tolist(), found.high.tolist()) == ([1.0], [1.0])
        assert reliability([False, False], [0.2, 0.3]).share.tolist() == [0.0] * 2

    def test_table_and_picture(self):
        found = reliability(*draw(200))
        assert list(found.to_frame()["share"]) == found.share.tolist()
        assert np.asarray(found.plot().collections[-1].get_offsets())[:, 1] == pytest.approx(found.share)


class TestDecomposition:
    @pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
    @pytest.mark.parametrize("measure", ["brier", "log loss"])
    def test_parts_are_scores_of_isotonic_probabilities(self, measure, weighted):
        y, p = draw(300, 1.7)
        p = np.round(p, 2).clip(0.01, 0.99)
        weight = np.random.default_rng(1).integers(1, 4, 300) if weighted else None
        score = brier if measure == "brier" else log_loss
        calibrated = IsotonicRegression().fit(p, y, sample_weight=weight).predict(p)
        base = np.full(300, np.average(y, weights=weight))
        given, best, known = (float(score(y, q, weight=weight)) for q in (p, calibrated, base))
        found = decompose(y, p, measure=measure, weight=weight)
        assert found.score == pytest.approx(given, abs=1e-12)
        assert found.miscalibration == pytest.approx(given - best, abs=1e-12)
        assert found.discrimination == pytest.approx(known - best, abs=1e-12)
        assert found.uncertainty == pytest.approx(known, abs=1e-12)
        parts = found.miscalibration - found.discrimination + found.uncertainty
        assert parts == pytest.approx(found.score, abs=1e-12)

    def test_many_classes_add_up(self):
        rng = np.random.default_rng(2)
        y, p = rng.integers(0, 4, 100), rng.dirichlet(np.ones(4), 100)
        found = decompose(y, p)
        assert found.score == pytest.approx(brier(y, p), abs=1e-12)
        each = [decompose(y == c, p[:, c]) for c in range(4)]
        assert found.miscalibration == pytest.approx(sum(part.miscalibration for part in each), abs=1e-12)
        with pytest.raises(LikelyError, match="no sum over classes"):
            decompose(y, p, measure="log loss")

    def test_certain_and_wrong(self):
        found = decompose([0, 1], [1.0, 1.0], measure="log loss")
        assert (found.score, found.miscalibration) == (math.inf, math.inf)
        assert (found.discrimination, found.uncertainty) == (0.0, pytest.approx(math.log(2)))


class TestCalibrationError:
    def test_is_the_mean_gap_of_the_bins(self):
        y, p = draw(90, 1.5)
        found = calibration_error(y, p, bins=9)
        parts = np.array_split(np.argsort(p), 9)
        assert float(found) == pytest.approx(np.mean([abs(p[i].mean() - y[i].mean()) for i in parts]))

    @pytest.mark.parametrize(("stretch", "truth"), [(1.0, 0.0), (1.5, 0.0582), (2.0, 0.0955)])
    def test_sampling_error_and_bias(self, stretch, truth):
        """The truths are from 2 million rows. Means of 150 samples: within 4 of their standard errors."""
        found = [calibration_error(*draw(600, stretch, seed)) for seed in range(150)]
        plain, debiased = (np.array([get(e) for e in found]) for get in (float, lambda e: e.debiased))
        assert abs(debiased.mean() - truth) < 0.6 * abs(plain.mean() - truth)
        spread = np.mean([e.standard_error for e in found])
        assert 0.8 < spread / plain.std() < 1.6
        if stretch == 1.0:
            expected = np.mean([e.if_calibrated for e in found])
            assert abs(plain.mean() - expected) < 4 * plain.std() / math.sqrt(150)

    @pytest.mark.parametrize("sharp", [0.5, 1.0, 2.0])
    @pytest.mark.parametrize(
        ("n", "bins"), [(50, 15), (150, 5), *rarely((50, 5), (150, 15), (500, 15), (2000, 30))]
    )
    def test_no_bias_where_probabilities_are_right(self, n, bins, sharp):
        """Means of 300 samples: within 4 of their standard errors, a false alarm in 16,000 for each; and .015
        for what is not normal about 3 rows a bin. The plain errors are 20 standard errors off."""
        found = [calibration_error(*right(n, sharp, seed), bins=bins) for seed in range(300)]
        debiased, plain = np.array([e.debiased for e in found]), np.array([float(e) for e in found])
        near = 4 * debiased.std() / math.sqrt(300)
        assert abs(debiased.mean()) < near + (0.015 if n < 5 * bins else 0.0)
        assert plain.mean() > 20 * plain.std() / math.sqrt(300)
        assert (debiased < 0).mean() == pytest.approx(0.5, abs=0.15)

    @pytest.mark.parametrize("wrong", [0.5, 1.5, 2.5])
    @pytest.mark.parametrize(("n", "bins"), [(500, 10), *rarely((2000, 15), (2000, 30))])
    def test_little_bias_where_they_are_wrong(self, n, bins, wrong):
        """The mean of 200 samples is nearer to the error without chance than the plain one, or within .01."""
        off, plain = [], []
        for seed in range(200):
            y, p, truth = stretched(n, wrong, seed)
            found = calibration_error(y, p, bins=bins)
            bins_of_rows = np.array_split(np.argsort(p), bins)
            without_chance = np.mean([abs((p - truth)[i].mean()) for i in bins_of_rows])
            off.append(found.debiased - without_chance)
            plain.append(float(found) - without_chance)
        assert abs(np.mean(off)) < max(0.01, abs(np.mean(plain)))

    def test_chance_is_taken_out_by_size(self):
        """One bin of many rows: the root of a folded normal mean, by SciPy's distribution."""
        n, gap = 400, 0.03
        y = np.arange(n) < n * (0.5 + gap)
        found = calibration_error(y, np.full(n, 0.5), bins=1)
        sd = 0.5 / math.sqrt(n)
        assert found.if_calibrated == pytest.approx(stats.foldnorm(0, scale=sd).mean())
        assert float(found) == pytest.approx(gap)
        assert stats.foldnorm(found.debiased / sd, scale=sd).mean() == pytest.approx(gap)

    def test_many_classes_are_averaged(self):
        rng = np.random.default_rng(2)
        y, p = rng.integers(0, 3, 200), rng.dirichlet(np.ones(3), 200)
        each = [calibration_error(y == c, p[:, c]) for c in range(3)]
        assert float(calibration_error(y, p)) == pytest.approx(np.mean(each))

    @pytest.mark.parametrize(
        ("y", "p", "error"),
        [([1], [1.0], 0.0), ([0, 1], [0.5, 0.5], 0.0), ([0, 1], [1.0, 0.0], 1.0)],
        ids=["one row", "equal", "certain and wrong"],
    )
    def test_odd_rows(self, y, p, error):
        found = calibration_error(y, p, classes=[0, 1])
        assert float(found) == error
        assert np.isfinite([found.standard_error, found.debiased, found.if_calibrated]).all()

    def test_pickle(self):
        found = calibration_error(*draw(50))
        again = pickle.loads(pickle.dumps(found))
        assert (repr(again), again.debiased) == (repr(found), found.debiased)


class TestCalibrationTest:
    def test_statistics_by_hand(self):
        y, p = draw(80)
        found = calibration_test(y, p, bins=8)
        spread = p * (1 - p)
        assert found.in_the_large == pytest.approx((y - p).sum() / math.sqrt(spread.sum()))
        tilt = 1 - 2 * p
        bold = ((y - p) * tilt).sum() / math.sqrt((tilt**2 * spread).sum())
        assert found.spiegelhalter == pytest.approx(bold)
        assert found.spiegelhalter_p == pytest.approx(2 * stats.norm.sf(abs(bold)))
        parts = np.array_split(np.argsort(p), 8)
        chi = sum((y[i] - p[i]).sum() ** 2 / spread[i].sum() for i in parts)
        assert found.chi_squared == pytest.approx(chi)
        assert found.chi_squared_p == pytest.approx(stats.chi2(8).sf(chi))

    def test_right_probabilities_are_seldom_refused(self):
        """400 tests at 5 % each: 20 refusals, give or take 4.4; 4 of these are allowed."""
        found = [calibration_test(*draw(400, seed=seed)) for seed in range(400)]
        for name in ("in_the_large_p", "spiegelhalter_p", "chi_squared_p"):
            assert 2 < sum(getattr(test, name) < 0.05 for test in found) < 38

    def test_bold_ones_are_found_out(self):
        found = calibration_test(*draw(2000, 1.5))
        assert found.spiegelhalter_p < 1e-6
        assert found.chi_squared_p < 1e-6

    def test_certainty(self):
        assert calibration_test([0, 1], [0.0, 1.0]).chi_squared_p == 1.0
        wrong = calibration_test([0, 1, 1], [0.0, 0.0, 0.5])
        assert (wrong.in_the_large_p, wrong.spiegelhalter_p, wrong.chi_squared_p) == (0.0, 0.0, 0.0)
        assert calibration_test([0, 1], [1.0, 0.0]).chi_squared_p == 0.0


def test_sharpness_is_mean_entropy():
    p = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
    found = sharpness(p)
    assert float(found) == pytest.approx(stats.entropy([0.2, 0.3, 0.5], base=2) / 2)
    with pytest.raises(LikelyError, match="one row of probabilities"):
        sharpness([])
