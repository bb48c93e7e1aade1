"""Figures of the catalogue (MISSION.md, P4 to P7 and N11), to the last digit where they are fractions."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special

from likely.dist import (
    Bernoulli,
    Beta,
    Binomial,
    BinomialBeta,
    Categorical,
    Dirichlet,
    DirichletMultinomial,
    Geometric,
    Laplace,
    MEstimate,
    Multinomial,
    Normal,
    Uniform,
)
from likely.errors import LikelyError
from likely.stats import Counts, Groups, Sums

WORDS = list("abaccbaabc")
# Counts of a, b, c in the e-mails of Flach's example 9.5.
SPAM = np.array([[0, 3, 0], [0, 3, 3], [3, 0, 0], [2, 3, 0]])
HAM = np.array([[4, 3, 0], [4, 0, 3], [3, 0, 0], [0, 0, 0]])
MAIL = np.vstack([SPAM, HAM])
CLASSES = Groups.hard([0] * 4 + [1] * 4, 2)


def floats(*fractions: F) -> list[float]:
    return [float(fraction) for fraction in fractions]


class TestP4:
    def test_coins(self) -> None:
        assert Bernoulli.fit([1, 1, 0, 1], prior=None).p == 0.75
        assert Bernoulli.fit([1, 1], prior=None).p == 1.0

    def test_words(self) -> None:
        found = Categorical.fit(WORDS, prior=None)
        assert found.levels == ("a", "b", "c")
        assert found.probs.tolist() == floats(F(4, 10), F(3, 10), F(3, 10))
        smoothed = Categorical.fit(WORDS, levels="abcd", prior=Laplace())
        assert smoothed.probs.tolist() == floats(F(5, 14), F(4, 14), F(4, 14), F(1, 14))
        assert Categorical.fit(WORDS, levels="abcd").probs.tolist() == smoothed.probs.tolist()

    def test_geometric_counts_from_1(self) -> None:
        assert Geometric.fit([1, 2, 1, 4], prior=None).p == 4 / 8
        assert Geometric.fit([1, 1], prior=None).p == 1.0
        assert Geometric.fit([1, 2, 1, 4]).p == float(F(1 + 4, 2 + 8))
        assert Geometric.fit([1, 2, 1, 4], prior=Beta(2, 3), estimate="map").p == pytest.approx(5 / 11)
        assert Geometric(0.25).prob([1, 2, 3]).tolist() == [0.25, 0.1875, 0.140625]

    def test_binomial(self) -> None:
        ten = BinomialBeta(1, 1, trials=10)
        assert Binomial.fit([9], prior=ten).p == pytest.approx(10 / 12, rel=1e-15)
        assert Binomial.fit([9], prior=ten, estimate="map").p == 0.9
        assert Binomial.fit([3, 4], prior=None).p == 7 / 8

    def test_uniform(self) -> None:
        found = Uniform.fit([1, 2, 3, 6], prior=None)
        assert (found.low, found.high) == (1, 6)

    def test_normal(self) -> None:
        found = Normal.fit([1, 2, 3, 6], prior=None)
        assert found.mean == 3
        assert found.variance == pytest.approx(14 / 4, rel=1e-15)


class TestP5:
    def test_nine_spam_one_ham(self) -> None:
        posterior = Beta(1, 1).posterior(Sums(np.array([10.0]), np.array([9.0])))
        assert posterior.cdf(0.5).item() == pytest.approx(3 / 512, rel=1e-13)
        assert posterior.mode.item() == 0.9
        assert posterior.mean.item() == pytest.approx(10 / 12, rel=1e-15)
        assert posterior.variance.item() == pytest.approx(10 * 2 / (144 * 13), rel=1e-14)
        five = Beta(1, 1).posterior(Sums(np.array([5.0]), np.array([4.0])))
        assert five.mode.item() == 0.8

    @pytest.mark.parametrize(("true", "n"), [(0, 0), (0, 4), (3, 3), (4, 10)])
    def test_laplace_is_a_mean_and_a_mode(self, true: int, n: int) -> None:
        values = [1] * true + [0] * (n - true)
        laplace = Bernoulli.fit(values, prior=Laplace()).p
        assert laplace == float(F(true + 1, n + 2))
        assert Bernoulli.fit(values, prior=Beta(1, 1), estimate="mean").p == laplace
        assert Bernoulli.fit(values, prior=Beta(2, 2), estimate="map").p == laplace

    def test_laplace_is_a_mean_and_a_mode_of_many_levels_too(self) -> None:
        laplace = Categorical.fit(WORDS, levels="abcd", prior=Laplace()).probs.tolist()
        for prior, how in ((Dirichlet([1] * 4), "mean"), (Dirichlet([2] * 4), "map")):
            assert Categorical.fit(WORDS, levels="abcd", prior=prior, estimate=how).probs.tolist() == laplace


class TestP6:
    def test_m_estimates(self) -> None:
        assert MEstimate(2, 0.5).estimate(3, 5) == float(F(4, 7))
        assert MEstimate(0, 0.5).estimate(3, 5) == float(F(3, 5))
        assert MEstimate(2).estimate(3, 5) == float(F(4, 7))
        assert MEstimate(4).estimate(1, 6, k=4) == float(F(2, 10))
        assert Laplace().estimate(3, 5) == float(F(4, 7))
        assert Laplace(0).estimate(3, 5) == float(F(3, 5))

    def test_they_are_priors(self) -> None:
        strong = [1, 1, 1, 0, 0]
        assert Bernoulli.fit(strong, prior=MEstimate(2, 0.5)).p == float(F(4, 7))
        assert Bernoulli.fit(strong, prior=MEstimate(0, 0.5)).p == float(F(3, 5))
        assert Bernoulli.fit(strong, prior=MEstimate(5, 0.2)).p == float(F(4, 10))
        names = ["weak", "strong", "strong", "strong", "weak"]
        by_name = MEstimate(2, {"strong": 0.25, "weak": 0.75})
        found = Categorical.fit(names, prior=by_name)
        assert dict(zip(found.levels, found.probs, strict=True)) == {"strong": 0.5, "weak": 0.5}
        in_order = Categorical.fit(names, prior=MEstimate(2, [0.25, 0.75]))  # strong, weak
        assert in_order.probs.tolist() == [0.5, 0.5]
        third = Categorical.fit([0, 0, 1], prior=MEstimate(3), levels=[0, 1, 2])
        assert third.probs.tolist() == floats(F(3, 6), F(2, 6), F(1, 6))


class TestP7:
    def test_evidence_of_plain_lists(self) -> None:
        heads = [1, 1, 0, 1]
        assert np.exp(Bernoulli.log_evidence(heads, prior=Beta(2, 3))) == pytest.approx(
            special.beta(5, 4) / special.beta(2, 3), rel=1e-13
        )
        count = np.exp(Binomial.log_evidence([3], prior=BinomialBeta(2, 3, trials=4)))
        assert count == pytest.approx(4 * special.beta(5, 4) / special.beta(2, 3), rel=1e-13)
        words = Categorical.log_evidence(list("abac"), prior="default", levels="abcd")
        assert np.exp(words) == pytest.approx(2 * 1 * 1 / (4 * 5 * 6 * 7), rel=1e-13)
        with pytest.raises(LikelyError, match="prior=None has no evidence: give a Beta"):
            Bernoulli.log_evidence(heads, prior=None)

    def test_evidence_of_an_ordered_sequence(self) -> None:
        # B(a + H, b + T) / B(a, b), a = b = 1, HHTH: 3! 1! / 5!
        stat = Sums(np.array([4.0]), np.array([3.0]))
        assert np.exp(Beta(1, 1).log_evidence(stat)).item() == pytest.approx(6 / 120, rel=1e-14)
        counts = Counts(np.array([[4.0, 3.0, 3.0, 0.0]]), (4,))
        expected = F(24 * 6 * 6 * 6, 6227020800)  # 4! 3! 3! 0! 3! / 13!
        evidence = np.exp(Dirichlet([1, 1, 1, 1]).log_evidence(counts)).item()
        assert evidence == pytest.approx(float(expected), rel=1e-12)

    def test_a_count_has_the_binomial_factor_too(self) -> None:
        # Every number of heads is as probable as any other when nothing is known of the coin.
        stat = Binomial.collect(np.array([[3.0]]), Groups.one(1))
        evidence = np.exp(Binomial.evidence(BinomialBeta(1, 1, trials=4), stat)).item()
        assert evidence == pytest.approx(1 / 5, rel=1e-13)
        assert evidence == pytest.approx(4 * 6 / 120, rel=1e-13)


class TestN11:
    def test_multinomial(self) -> None:
        found = Multinomial.estimate(Multinomial.collect(MAIL.astype(float), CLASSES))
        assert found.mean.tolist()  # the family has moments for every group
        assert_allclose(found.probs, [[0.3, 0.5, 0.2], [0.6, 0.2, 0.2]], rtol=1e-15)
        likelihoods = np.exp(found.group_log_prob(np.array([[3.0, 1.0, 0.0]])))[0]
        assert_allclose(likelihoods, floats(F(54, 1000), F(1728, 10000)), rtol=1e-13)
        assert likelihoods[0] / likelihoods[1] == pytest.approx(5 / 16, rel=1e-13)

    def test_dirichlet_multinomial(self) -> None:
        stat = Multinomial.collect(MAIL.astype(float), CLASSES)
        found = Multinomial.estimate(stat, how="predictive")
        assert isinstance(found, DirichletMultinomial)
        spam, ham = np.exp(found.group_log_prob(np.array([[3.0, 1.0, 0.0]])))[0]
        assert round(spam, 5) == 0.06324
        assert round(ham, 5) == 0.16443
        assert spam / ham == pytest.approx(5 / 13, rel=1e-12)

    def test_bernoulli(self) -> None:
        found = Bernoulli.estimate(Bernoulli.collect((MAIL > 0).astype(float), CLASSES))
        assert_allclose(found.mean, [[1 / 2, 2 / 3, 1 / 3], [2 / 3, 1 / 3, 1 / 3]], rtol=1e-15)
        spam, ham = np.exp(found.group_log_prob(np.array([[1.0, 1.0, 0.0]])))[0]
        assert_allclose([spam, ham], floats(F(2, 9), F(4, 27)), rtol=1e-14)
        assert spam / ham == pytest.approx(3 / 2, rel=1e-14)


@pytest.mark.parametrize("columns", [0, 2, [1], [3, 0], [2, 0, 1], [0, 1, 2, 3]])
def test_marginals_of_a_multinomial_add_up_all_its_outcomes(columns) -> None:
    """P8: component i is Binomial(theta_i, n), several are multinomial with a rest; by enumeration."""
    dist, n = Multinomial([0.1, 0.25, 0.4, 0.25], trials=5), 5
    every = np.array([x for x in product(range(n + 1), repeat=4) if sum(x) == n], float)
    probs = dist.prob(every)
    assert probs.sum() == pytest.approx(1, rel=1e-12)
    found = dist.marginal(columns)
    keep = np.atleast_1d(columns)
    for own in {tuple(row) for row in every[:, keep]}:
        wanted = probs[(every[:, keep] == own).all(axis=1)].sum()
        rest = [n - sum(own)] if len(keep) < 4 else []
        value = own[0] if np.ndim(columns) == 0 else [*own, *rest]
        assert found.prob(value) == pytest.approx(wanted, rel=1e-11)
    if np.ndim(columns) == 0:
        assert isinstance(found, Binomial)
        assert found.mean == pytest.approx(dist.mean[columns])
        assert found.variance == pytest.approx(dist.variance[columns])


def test_marginals_of_a_batch_and_what_has_none() -> None:
    batch = Multinomial([[0.3, 0.5, 0.2], [0.6, 0.2, 0.2]], [4, 7])
    assert_allclose(batch.marginal(1).p, [0.5, 0.2])
    assert_allclose(batch.marginal([2]).probs, [[0.2, 0.8], [0.2, 0.8]])
    with pytest.raises(LikelyError, match="a whole number of words"):
        Multinomial([0.5, 0.5], 4.25).marginal(0)
    with pytest.raises(LikelyError, match="places from 0 to 2, each once"):
        batch.marginal([0, 3])
