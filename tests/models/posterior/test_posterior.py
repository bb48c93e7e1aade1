"""Posteriors as objects: the worked figures, and the laws."""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest
from scipy import stats

import likely
from likely import (
    Beta,
    Dirichlet,
    Gamma,
    KnownVariance,
    LikelyError,
    NormalInverseGamma,
    NormalInverseWishart,
)

RNG = np.random.default_rng(7)
HEIGHTS = RNG.normal(170, 8, 40)
ROWS = RNG.normal(size=(40, 2)) @ np.array([[2.0, 0.5], [0.0, 1.0]])
NIW = NormalInverseWishart([0, 0], 0.5, 4, np.eye(2))

# prior, data, and the names of the parameters
CASES = {
    "beta": (Beta(2, 3), RNG.random(40) < 0.3, None),
    "binomial": (likely.BinomialBeta(1, 2, trials=6), RNG.integers(0, 7, 40), None),
    "geometric": (likely.GeometricBeta(1, 2), RNG.geometric(0.3, 40), None),
    "dirichlet": (Dirichlet([1, 2, 0.5]), RNG.integers(0, 3, 40), "abc"),
    "multinomial": (Dirichlet([1, 2, 0.5], trials=4), RNG.integers(0, 4, (40, 3)), "abc"),
    "gamma": (Gamma(2, 0.5), RNG.poisson(3, 40), None),
    "known variance": (KnownVariance(64, 160, 0.5), HEIGHTS, None),
    "normal": (NormalInverseGamma(160, 0.1, 2, 50), HEIGHTS, None),
    "rows": (NIW, ROWS, ["x", "y"]),
}


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


class TestFigures:
    """MISSION P5, P7."""

    spam = likely.posterior(Beta(1, 1), [1] * 9 + [0])

    def test_spam_is_the_rule(self):
        assert self.spam.prob("theta < 0.5") == 3 / 512
        assert self.spam.map == pytest.approx(0.9, abs=1e-15)
        assert self.spam.mean == pytest.approx(10 / 12)
        assert self.spam.sd == pytest.approx(np.sqrt(10 * 2 / (12**2 * 13)))
        assert likely.posterior(Beta(1, 1), [0, 1, 1, 1, 1]).map == pytest.approx(0.8)

    def test_laplace_is_a_mean_and_a_mode(self):
        seen = {"counts": (9, 1)}
        assert likely.posterior(Beta(1, 1), **seen).mean == pytest.approx(10 / 12)
        assert likely.posterior(Beta(2, 2), **seen).map == pytest.approx(10 / 12)

    def test_maximum_moves_to_the_right(self):
        told = likely.posterior(Beta(1, 1)).history([0] + [1] * 9)
        assert [step.map for step in told][1:] == pytest.approx([(n - 1) / n for n in range(1, 11)])

    def test_evidence_of_a_sequence_and_of_a_count(self):
        ordered = likely.posterior(Beta(1, 1), [1, 1, 0, 1])
        assert np.exp(ordered.log_evidence) == pytest.approx(1 / 20)  # B(4, 2) / B(1, 1)
        count = likely.posterior(likely.BinomialBeta(1, 1, trials=4), [3])
        assert np.exp(count.log_evidence) == pytest.approx(4 / 20)


class TestLaws:
    def test_one_after_another_is_all_at_once(self, case):
        prior, data, names = case
        start = likely.posterior(prior, names=names)
        whole = start.update(data)
        parts = start.update(data[:7]).update(data[7:8]).update(data[8:])
        assert parts.n == whole.n == 40
        assert parts.log_evidence == pytest.approx(whole.log_evidence, rel=1e-12)
        for a, b in zip(parts.quantities, whole.quantities, strict=True):
            assert (a.mean, a.mode, a.sd) == pytest.approx((b.mean, b.mode, b.sd), rel=1e-11)

    # The evidence of words is of their order, the predictive of their counts: no chain.
    @pytest.mark.parametrize("name", [name for name in CASES if name != "multinomial"])
    def test_evidence_is_a_chain_of_predictions(self, name):
        prior, data, names = CASES[name]
        belief, total = likely.posterior(prior, names=names), 0.0
        for value in data:
            one = names[value] if isinstance(prior, Dirichlet) else value
            total += float(belief.predictive().log_prob(one))
            belief = belief.update([value])
        assert belief.log_evidence == pytest.approx(total, rel=1e-9)

    def test_quantities_agree_with_draws(self, case):
        """Of 200,000 draws every mean, sd and share is within 6 standard errors: one alarm in 10^7 runs."""
        prior, data, names = case
        belief = likely.posterior(prior, data, names=names)
        drawn = belief.sample(200_000, 1)
        for quantity in belief.quantities:
            values = drawn[quantity.name]
            assert values.mean() == pytest.approx(quantity.mean, abs=6 * quantity.sd / np.sqrt(2e5))
            kurtosis = ((values - values.mean()) ** 4).mean() / values.var() ** 2
            assert values.std() == pytest.approx(quantity.sd, rel=6 * np.sqrt((kurtosis - 1) / 4 / 2e5))
            middle = float(quantity.quantile(0.3))
            assert float(quantity.cdf(middle)) == pytest.approx(0.3, abs=1e-9)
            assert float(quantity.sf(middle)) == pytest.approx(0.7, abs=1e-9)
            assert (values <= middle).mean() == pytest.approx(0.3, abs=6 * np.sqrt(0.21 / 2e5))

    def test_density_is_the_slope(self, case):
        prior, data, names = case
        for quantity in likely.posterior(prior, data, names=names).quantities:
            x, h = float(quantity.quantile(0.4)), 1e-5 * quantity.sd
            slope = float(quantity.cdf(x + h) - quantity.cdf(x - h)) / (2 * h)
            assert np.exp(float(quantity.log_density(x))) == pytest.approx(slope, rel=1e-4)

    def test_intervals_cover(self, case):
        prior, data, names = case
        belief = likely.posterior(prior, data, names=names)
        for quantity in belief.quantities:
            equal = belief.interval(0.8, of=quantity.name)
            dense = belief.interval(0.8, "highest", of=quantity.name)
            assert quantity.between(*equal) == pytest.approx(0.8, abs=1e-9)
            assert quantity.between(*dense) == pytest.approx(0.8, abs=1e-9)
            assert float(quantity.cdf(equal.lower)) == pytest.approx(0.1, abs=1e-9)
            # Equally dense at both ends, and nowhere narrower.
            assert float(quantity.log_density(dense.lower)) == pytest.approx(
                float(quantity.log_density(dense.upper)), abs=1e-6
            )
            shares = np.linspace(0, 0.2, 21)
            widths = quantity.quantile(shares + 0.8) - quantity.quantile(shares)
            assert dense.upper - dense.lower <= widths.min() * (1 + 1e-9)

    def test_weights_are_repetitions(self, case):
        prior, data, names = case
        weighed = likely.posterior(prior, data, weight=np.full(40, 2.0), names=names)
        twice = likely.posterior(prior, np.concatenate([data, data]), names=names)
        for a, b in zip(weighed.quantities, twice.quantities, strict=True):
            assert (a.mean, a.sd) == pytest.approx((b.mean, b.sd), rel=1e-11)


class TestScipy:
    """The marginals of a normal distribution's parameters."""

    belief = likely.posterior(NormalInverseGamma(160, 0.1, 2, 50), HEIGHTS).distribution

    def test_mean_is_student_t(self):
        seen = likely.posterior(NormalInverseGamma(160, 0.1, 2, 50), HEIGHTS)
        a, b = float(self.belief.a), float(self.belief.b)
        peer = stats.t(2 * a, self.belief.location, np.sqrt(b / a / self.belief.kappa))
        assert seen.prob("mean > 172") == pytest.approx(peer.sf(172), rel=1e-9)

    def test_variance_is_inverse_gamma(self):
        seen = likely.posterior(NormalInverseGamma(160, 0.1, 2, 50), HEIGHTS)
        peer = stats.invgamma(float(self.belief.a), scale=float(self.belief.b))
        assert seen.mean["variance"] == pytest.approx(peer.mean())
        assert seen.sd["variance"] == pytest.approx(peer.std())
        assert seen.prob("49 < variance < 64") == pytest.approx(peer.cdf(64) - peer.cdf(49), rel=1e-9)
        assert seen.prob("sd < 8") == pytest.approx(peer.cdf(64), rel=1e-12)
        assert seen.map["sd"] == pytest.approx(np.sqrt(seen.map["variance"]))

    def test_columns_of_rows(self):
        found = likely.posterior(NIW, ROWS, names=["x", "y"])
        scale, df = found.distribution.scale, float(found.distribution.df)
        peer = stats.invgamma((df - 1) / 2, scale=scale[1, 1] / 2)
        assert found.prob("variance.y < 1") == pytest.approx(peer.cdf(1), rel=1e-9)
        assert found.prob(lambda p: p["variance.y"] < 1) == pytest.approx(peer.cdf(1), abs=0.01)


class TestCounts:
    def test_true_and_false(self):
        as_data = likely.posterior(Beta(1, 1), [1] * 9 + [0])
        for counts in ((9, 1), {True: 9, False: 1}):
            found = likely.posterior(Beta(1, 1), counts=counts)
            assert found.mean == as_data.mean
            assert found.log_evidence == pytest.approx(as_data.log_evidence)

    def test_levels(self):
        words = list("abaccbaabc")
        as_data = likely.posterior(Dirichlet(np.ones(4)), words, names="abcd")
        assert as_data.mean == pytest.approx({"a": 5 / 14, "b": 4 / 14, "c": 4 / 14, "d": 1 / 14})
        assert as_data.predictive().prob(["a", "d"]) == pytest.approx([5 / 14, 1 / 14])
        for counts in ((4, 3, 3, 0), {"c": 3, "a": 4, "b": 3}):
            assert likely.posterior(Dirichlet(np.ones(4)), counts=counts, names="abcd").mean == as_data.mean

    def test_a_count_over_an_exposure(self):
        found = likely.posterior(Gamma(2, 1), counts=(12, 3.5))
        assert found.mean == pytest.approx(14 / 4.5)
        # The rate summed out of one Poisson count is negative binomial.
        peer = stats.nbinom(2, 1 / 4.5).logpmf(12)
        assert found.log_evidence == pytest.approx(peer)


class TestStatements:
    two = likely.posterior(Dirichlet([8, 3, 2]), names="abc")

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("theta < 0.5", 3 / 512),
            ("0.5 > theta", 3 / 512),
            ("theta >= 0.5", 1 - 3 / 512),
            ("0.2 < theta < 0.5, theta > 0.4", stats.beta(10, 2).cdf(0.5) - stats.beta(10, 2).cdf(0.4)),
            ("theta < 0.5, theta > 0.6", 0.0),
            ("theta < 0.5 or theta > 0.6", 1 - stats.beta(10, 2).cdf(0.6) + stats.beta(10, 2).cdf(0.5)),
            ("not 0.5 < theta < 0.6", 1 - stats.beta(10, 2).cdf(0.6) + stats.beta(10, 2).cdf(0.5)),
            ("(theta < 0.5 or theta > 0.4) and theta < 0.6", stats.beta(10, 2).cdf(0.6)),
            ("theta > -1", 1.0),
            ("theta < -1", 0.0),
        ],
    )
    def test_exact(self, text, expected):
        found = likely.posterior(Beta(10, 2)).prob(text)
        assert type(found) is float
        assert found == pytest.approx(expected, rel=1e-12)

    def test_far_tails_keep_their_digits(self):
        sure = likely.posterior(Beta(1, 1), counts=(1000, 0))
        assert sure.prob("theta < 0.5") == pytest.approx(0.5**1001, rel=1e-9)
        assert likely.posterior(Beta(1, 1), counts=(0, 1000)).prob("theta > 0.5") == pytest.approx(0.5**1001)

    def test_several_quantities_are_drawn(self):
        """Within 6 standard errors: false alarm once in 10^8."""
        found = self.two.prob("a > 0.5, b < 0.2")
        rng = np.random.default_rng(5).dirichlet([8, 3, 2], 400_000)
        expected = ((rng[:, 0] > 0.5) & (rng[:, 1] < 0.2)).mean()
        error = np.hypot(found.standard_error, np.sqrt(0.25 / 4e5))
        assert found == pytest.approx(expected, abs=6 * error)
        assert found.draws == 100_000

    def test_statements_of_several_quantities_share_their_draws(self):
        """The sum rule holds in every sample of the same seed."""
        both, either = self.two.prob("a > 0.5, b < 0.2"), self.two.prob("a > 0.5 or b < 0.2")
        alone = self.two.prob("a > 0.5, b < 2"), self.two.prob("a < 2, b < 0.2")
        assert either == pytest.approx(sum(alone) - both, abs=1e-12)
        assert self.two.prob("not (a > 0.5 or b < 0.2)") == pytest.approx(1 - either, abs=1e-12)

    def test_function(self):
        """P(a > b) of a Dirichlet is that of a Beta above 1/2."""
        found = self.two.prob(lambda p: p["a"] > p["b"], draws=50_000)
        assert found == pytest.approx(stats.beta(8, 3).sf(0.5), abs=6 * found.standard_error)
        assert "±" in repr(found)
        assert pickle.loads(pickle.dumps(found)).standard_error == found.standard_error

    def test_draws_that_agree_are_no_proof(self):
        assert likely.posterior(Beta(1, 1)).prob(lambda theta: theta >= 0).standard_error > 0


class TestEdges:
    def test_peak_at_an_end(self):
        assert likely.posterior(Beta(1, 1), counts=(0, 4)).interval(0.9, "highest").lower == 0
        assert likely.posterior(Beta(1, 1), counts=(4, 0)).interval(0.9, "highest").upper == 1
        two_peaks = likely.posterior(Beta(0.4, 0.5)).interval(0.5, "highest")
        assert two_peaks.lower == 0

    def test_flat_is_any(self):
        low, high = likely.posterior(Beta(1, 1)).interval(0.9, "highest")
        assert high - low == pytest.approx(0.9)

    def test_missing_tells_nothing(self):
        assert likely.posterior(Beta(1, 1), [True, None, False]).n == 2
        assert likely.posterior(Dirichlet([1, 1]), ["a", None, "b"], names="ab").n == 2
        assert likely.posterior(NormalInverseGamma(0, 1, 1, 1), [1.0, np.nan]).n == 1

    def test_no_data(self):
        assert likely.posterior(Beta(2, 2)).update([]).mean == 0.5
        assert likely.posterior(Beta(2, 2)).log_evidence == 0

    def test_little_known_has_infinite_moments(self):
        vague = likely.posterior(NormalInverseGamma(0, 1, 0.4, 1))
        assert vague.mean["sd"] == vague.mean["variance"] == np.inf
        assert np.isfinite(vague.interval(of="variance")).all()
        assert "inf" in str(vague)

    def test_much_data(self):
        """Ten million observations; the sd of an sd keeps its digits."""
        found = likely.posterior(NormalInverseGamma(0, 1, 5e6, 5e6))
        assert found.sd["sd"] == pytest.approx(1 / np.sqrt(4 * 5e6), rel=1e-4)
        wide = likely.posterior(Beta(1, 1), np.arange(10**7) % 4 == 0)
        assert wide.mean == pytest.approx(0.25, abs=1e-6)

    def test_prints_and_frames(self, case):
        prior, data, names = case
        belief = likely.posterior(prior, data, names=names)
        frame = belief.to_frame()
        assert list(frame) == ["quantity", "mean", "map", "sd", "lower", "upper"]
        assert all(name in str(belief) for name in frame["quantity"])
        steps = belief.history(data[:2]).to_frame()
        assert len(steps["step"]) == 3 * len(frame["mean"])

    @pytest.mark.parametrize(
        ("act", "said"),
        [
            (lambda: likely.posterior("beta"), "give a conjugate prior"),
            (lambda: likely.posterior(Beta([1, 2], 1)), "batch"),
            (lambda: likely.posterior(Beta(1, 1), [2]), "value 2.0 is impossible"),
            (lambda: likely.posterior(Beta(1, 1), ["a"]), "a"),
            (lambda: likely.posterior(Beta(1, 1), 3), "give a list of observations"),
            (lambda: likely.posterior(Beta(1, 1), counts=(1, -2)), r"counts=\(true, false\)"),
            (lambda: likely.posterior(Beta(1, 1), counts={"yes": 2}), r"counts=\(true, false\)"),
            (lambda: likely.posterior(Beta(1, 1), [1], counts=(1, 0)), "either data or counts"),
            (lambda: likely.posterior(KnownVariance(1.0), counts=(1, 2)), "more than counts"),
            (lambda: likely.posterior(Dirichlet([1, 1]), ["c"], names="ab"), "'c' is none of the levels"),
            (lambda: likely.posterior(Dirichlet([1, 1]), np.array([0, 2])), "2 is none of the levels"),
            (lambda: likely.posterior(Dirichlet([1, 1]), names="aa"), "2 different names"),
            (lambda: likely.posterior(Beta(1, 1)).prob("thta < 1"), "did you mean 'theta'"),
            (lambda: likely.posterior(Beta(1, 1)).prob("theta = 0.5"), "with probability 0"),
            (lambda: likely.posterior(Beta(1, 1)).prob("theta < high"), "is not a number"),
            (lambda: likely.posterior(Beta(1, 1)).prob(lambda t: t), "true or false"),
            (lambda: likely.posterior(Beta(1, 1)).interval(2), "level=2"),
            (lambda: likely.posterior(Beta(1, 1)).interval(kind="best"), "kind='best'"),
            (lambda: likely.posterior(NIW).interval(), "name one"),
            (lambda: likely.posterior(Beta(1, 1)).sample(0), "draws=0"),
            (lambda: likely.posterior(KnownVariance(1.0), [np.inf]), "impossible"),
            (lambda: likely.posterior(KnownVariance(1.0), [0.0, 1e200]), "value 1e\\+200 is too large"),
            (lambda: likely.posterior(NIW, [[-1e300, 0.0]]), "value -1e\\+300 is too large"),
            (lambda: likely.posterior(Beta(1, 1), counts=(1e16, 0)), r"each from 0 to 1e\+15"),
            (lambda: likely.posterior(Beta(1, 1), [1, 0], weight=[1, np.nan]), "weight: .*NaN"),
            (lambda: likely.posterior(Beta(1, 1), [1, 0], weight=[1, -1]), "weight: "),
            (lambda: likely.posterior(Dirichlet([1, 1]), ["a"], names="ab", weight=[-1]), "weight: "),
        ],
    )
    def test_refused(self, act, said):
        with pytest.raises(LikelyError, match=said):
            act()

    def test_the_largest_counts_have_an_answer(self):
        belief = likely.posterior(Dirichlet([1, 1]), counts=(1e15, 1))
        frame = belief.to_frame()
        assert all(np.isfinite(frame[name]).all() for name in ("mean", "map", "sd", "lower", "upper"))
        assert belief.interval(of="p1").lower < belief.mean["p1"] < belief.interval(of="p1").upper


@pytest.mark.long
@pytest.mark.parametrize("name", ["beta", "dirichlet", "gamma", "known variance", "normal"])
def test_ten_million_observations_in_a_second(name):
    prior, few, names = CASES[name]
    data = np.resize(few, 10**7)
    best = np.inf
    for _ in range(3):  # the machine may be busy with something else
        start = time.perf_counter()
        belief = likely.posterior(prior, data, names=names)
        assert np.isfinite(belief.log_evidence)
        best = min(best, time.perf_counter() - start)
    assert best < 1


class TestPictures:
    def test_sequence(self):
        ax = likely.posterior(Beta(1, 1)).history([0] + [1] * 9).plot()
        assert len(ax.lines) == 11
        assert [text.get_text() for text in ax.texts] == [str(i) for i in range(11)]
        assert ax.get_xlim() == (0, 1)
        last = ax.lines[-1]
        assert last.get_xdata()[np.argmax(last.get_ydata())] == pytest.approx(0.9, abs=0.01)

    def test_one(self):
        ax = likely.posterior(NormalInverseGamma(160, 0.1, 2, 50), HEIGHTS).plot(of="sd")
        assert "90 %" in ax.get_legend().get_texts()[0].get_text()
        likely.posterior(Beta(0.5, 0.5)).plot()  # infinite at both ends

    def test_many_steps_become_a_few_curves(self):
        ax = likely.posterior(Gamma(1, 1)).history([2, 3] * 20).plot()
        assert len(ax.lines) == 12
