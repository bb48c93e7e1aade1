"""Rates and means of groups: closed forms, sampling, and the edges."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from scipy.special import betaln

import likely
from likely import Beta, Gamma, KnownVariance, LikelyError, LikelyWarning, NormalInverseGamma
from likely.compare import groups
from likely.compare.difference import (
    difference_cdf,
    difference_interval,
    expected_losses,
    pair_losses,
    prob_best,
)
from likely.models.posterior.quantity import Quantity

RNG = np.random.default_rng(3)
PAGES = {
    "page": ["A"] * 1000 + ["B"] * 1000,
    "bought": [i < 120 for i in range(1000)] + [i < 140 for i in range(1000)],
}


def quantity(prior, **seen):
    return likely.posterior(prior, **seen).quantities[0]


def by_sum(a1, b1, a2, b2):
    """P(second > first) of two Betas with whole a2, as a finite sum."""
    i = np.arange(a2)
    return np.exp(betaln(a1 + i, b1 + b2) - np.log(b2 + i) - betaln(1 + i, b2) - betaln(a1, b1)).sum()


class TestClosedForms:
    @pytest.mark.parametrize(
        ("a1", "b1", "a2", "b2"),
        [
            (1, 1, 1, 1),
            (121, 881, 141, 861),
            (1, 50, 9, 2),
            (2, 2, 500, 500),
            (0.5, 0.5, 3, 0.5),
            (3, 1000, 9, 2000),
        ],
    )
    def test_two_rates(self, a1, b1, a2, b2):
        expected = by_sum(a1, b1, a2, b2)
        found = prob_best([quantity(Beta(a1, b1)), quantity(Beta(a2, b2))])
        assert found == pytest.approx([1 - expected, expected], abs=1e-11)

    def test_two_known_normals(self):
        first, second = (quantity(KnownVariance(v, m, 1.0)) for m, v in ((1.0, 4.0), (0.2, 0.01)))
        apart = stats.norm(0.8, np.sqrt(4.01))
        assert prob_best([first, second])[0] == pytest.approx(apart.sf(0), abs=1e-12)
        assert difference_cdf(first, second, 2.0) == pytest.approx(apart.cdf(2.0), abs=1e-12)
        assert difference_interval(first, second, 0.8) == pytest.approx(apart.interval(0.8), abs=1e-9)
        z = 0.8 / np.sqrt(4.01)
        loss = np.sqrt(4.01) * (stats.norm.pdf(z) - z * stats.norm.sf(z))  # E max(second - first, 0)
        assert expected_losses([first, second]) == pytest.approx([loss, loss + 0.8], abs=1e-11)

    def test_two_rates_of_counts(self):
        """A ratio of gammas is an F: P(first > second)."""
        first, second = quantity(Gamma(12, 3)), quantity(Gamma(7, 2.5))
        expected = stats.f(24, 14).sf((7 / 2.5) / (12 / 3))
        assert prob_best([first, second])[0] == pytest.approx(expected, abs=1e-11)

    def test_alike_are_alike(self):
        same = [quantity(Beta(3, 5))] * 4
        assert prob_best(same) == pytest.approx([0.25] * 4, abs=1e-12)
        assert len(set(expected_losses(same).round(12))) == 1

    def test_best_of_uniforms(self):
        """The largest of g uniform shares is g / (g + 1) on average, and any of them 1/2."""
        g = 3
        expected = g / (g + 1) - 1 / 2
        assert expected_losses([quantity(Beta(1, 1))] * g) == pytest.approx([expected] * g, abs=1e-12)


class TestSampling:
    """Against two million draws, within 6 standard errors: one alarm in 10^7 runs."""

    @pytest.mark.parametrize(
        "priors",
        [
            [Beta(12, 90), Beta(15, 80), Beta(2, 3)],
            [
                NormalInverseGamma(0, 2, 3, 2),
                NormalInverseGamma(0.5, 30, 8, 20),
                NormalInverseGamma(0, 1, 2, 1),
            ],
            [Gamma(0.6, 2), Gamma(3, 10), Gamma(40, 100)],
        ],
        ids=["rates", "means", "counts"],
    )
    def test_three(self, priors):
        n, rng = 2_000_000, np.random.default_rng(1)
        own = [quantity(prior) for prior in priors]
        drawn = np.stack([q.sample(n, rng) for q in own])
        best, loss = drawn.argmax(axis=0), drawn.max(axis=0) - drawn
        for k in range(3):
            p = prob_best(own)[k]
            assert (best == k).mean() == pytest.approx(p, abs=6 * np.sqrt(p * (1 - p) / n))
            assert loss[k].mean() == pytest.approx(
                expected_losses(own)[k], abs=6 * loss[k].std() / np.sqrt(n)
            )
        assert prob_best(own).sum() == pytest.approx(1, abs=1e-11)
        low, high = difference_interval(own[0], own[1], 0.9)
        apart = drawn[0] - drawn[1]
        assert (apart < low).mean() == pytest.approx(0.05, abs=6 * np.sqrt(0.05 * 0.95 / n))
        assert (apart < high).mean() == pytest.approx(0.95, abs=6 * np.sqrt(0.05 * 0.95 / n))


class TestTables:
    def test_rates(self):
        found = groups(PAGES, "bought", "page")
        expected = by_sum(121, 881, 141, 861)
        assert found.prob("B", "A") == pytest.approx(expected, abs=1e-11)
        assert found.names == ("A", "B")
        assert found.best == "B"
        line = found.difference("B", "A")
        assert line["mean"] == pytest.approx(20 / 1002)
        assert line["lower"] < 0 < line["upper"]
        # The two losses differ by the difference of the means.
        assert line["loss of second"] - line["loss of first"] == pytest.approx(line["mean"], abs=1e-12)
        assert found.to_frame()["n"].tolist() == [1000, 1000]
        assert found.differences()["prob"][0] == pytest.approx(1 - expected, abs=1e-11)

    @pytest.mark.parametrize("library", ["pandas", "polars", "dict", "values"])
    def test_any_table(self, library):
        made = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "dict": dict, "values": dict}[library](PAGES)
        asked = (None, made["bought"], made["page"]) if library == "values" else (made, "bought", "page")
        assert groups(*asked).prob("B", "A") == pytest.approx(by_sum(121, 881, 141, 861), abs=1e-11)

    def test_named_success(self):
        people = likely.read("titanic")
        found = groups(people, "survived", "class", success="yes")
        assert found.names == ("1st", "2nd", "3rd", "crew")
        assert found.best == "1st"
        assert found.prob_best.sum() == pytest.approx(1, abs=1e-11)
        assert len(found.differences()["prob"]) == 6
        assert "survived = yes by class, 4 groups" in str(found)

    def test_means(self):
        x = np.concatenate([RNG.normal(10, 2, 40), RNG.normal(11, 5, 30)])
        g = np.repeat(["a", "b"], [40, 30])
        found = groups(None, x, g)
        flat = stats.ttest_ind(x[g == "b"], x[g == "a"], equal_var=False)
        # A weak prior: nearly one minus the one-sided p-value.
        assert found.prob("b", "a") == pytest.approx(1 - flat.pvalue / 2, abs=0.02)
        assert found.difference("b", "a")["mean"] == pytest.approx(
            x[g == "b"].mean() - x[g == "a"].mean(), abs=0.01
        )

    def test_shift_and_scale(self):
        x = RNG.normal(size=60)
        g = np.arange(60) % 3
        plain, moved = groups(None, x, g), groups(None, 1e6 + 1e-3 * x, g)
        assert moved.prob_best == pytest.approx(plain.prob_best, abs=1e-6)
        assert moved.expected_loss == pytest.approx(1e-3 * plain.expected_loss, rel=1e-5)

    def test_counts(self):
        found = groups(None, [3, 5, 4, 9, 8, 7], list("aaabbb"), prior=Gamma(1, 1))
        assert found.posteriors[1].distribution.mean == pytest.approx(25 / 4)
        assert found.best == "b"

    def test_ones_and_zeros_are_a_rate(self):
        assert isinstance(groups(None, [1, 0, 1, 1], list("aabb")).posteriors[0].prior, Beta)


class TestEdges:
    def test_missing(self):
        with pytest.warns(LikelyWarning, match="1 row without a group"):
            found = groups(None, [True, False, None, True, True], ["a", "a", "a", "b", None])
        assert [belief.n for belief in found.posteriors] == [2, 1]

    def test_a_group_without_outcomes_has_the_prior(self):
        found = groups(None, [True, True, None], ["a", "a", "b"])
        assert found.posteriors[1].mean == 0.5

    def test_certain(self):
        found = groups(None, [True] * 3000 + [False] * 3000, [1] * 3000 + [2] * 3000)
        assert found.prob(1, 2) == pytest.approx(1, abs=1e-12)
        assert "> 1 - 1e-12" in str(found)
        assert "nan" not in str(found)

    def test_one_row_a_group(self):
        found = groups(None, [1.0, 5.0], ["a", "b"])
        assert np.isfinite(found.expected_loss).all()
        assert 0.5 < found.prob("b", "a") < 1

    def test_no_mean_no_loss(self):
        vague = [quantity(NormalInverseGamma(0, 1, 0.4, 1))] * 2
        assert expected_losses(vague).tolist() == [np.inf, np.inf]
        assert prob_best(vague) == pytest.approx([0.5, 0.5], abs=1e-9)

    @pytest.mark.parametrize(
        ("act", "said"),
        [
            (lambda: groups({"a": [1]}, "b", "a"), "no column 'b'"),
            (lambda: groups(None, [True], ["a"]), "it takes two"),
            (lambda: groups(None, [True, True], ["a"]), "give one for each"),
            (lambda: groups(None, ["up", "down"], ["a", "b"]), "success="),
            (lambda: groups(None, ["up", "down"], ["a", "b"], success="yes"), "never is 'yes'"),
            (lambda: groups(None, [2.0, 2.0], ["a", "b"]), "nothing to compare"),
            (lambda: groups(None, [None, None], ["a", "b"]), "missing in every row"),
            (lambda: groups(None, [np.inf, 2.0], ["a", "b"]), "infinity"),
            (lambda: groups(None, [1e200, 2.0], ["a", "b"]), "'outcome': value 1e\\+200 is too large"),
            (lambda: groups(None, [0, 1], ["a", "b"], prior=likely.Dirichlet([1, 1])), "several parameters"),
            (lambda: groups(None, [0, 1], ["a", "b"], level=9), "level=9"),
            (lambda: groups(None, [0, 1], ["a", "b"]).prob("a", "c"), "no group 'c'"),
        ],
    )
    def test_refused(self, act, said):
        with pytest.raises(LikelyError, match=said):
            act()


class TestPairs:
    """Differences of two, against a plain sum over many nodes, and how much work they are."""

    PAIRS = (
        (Beta(0.5, 0.5), Beta(3, 40)),
        (Beta(40, 360), Beta(2, 5)),
        (Gamma(0.6, 2), Gamma(300, 100)),
        (NormalInverseGamma(0, 2, 3, 2), NormalInverseGamma(0.3, 900, 400, 20)),
        (NormalInverseGamma(5, 30, 20, 2), NormalInverseGamma(0, 20, 30, 2)),
    )

    @staticmethod
    def by_sum(first, second, d):
        """P(first - second <= d) as the mean over the middles of 20,000 equal shares."""
        u = (np.arange(20_000) + 0.5) / 20_000
        return float(first.cdf(second.quantile(u) + d).mean())

    @pytest.mark.parametrize("priors", PAIRS)
    def test_ends_leave_out_what_they_say(self, priors):
        first, second = (quantity(prior) for prior in priors)
        for a, b in ((first, second), (second, first)):
            low, high = difference_interval(a, b, 0.9)
            assert self.by_sum(a, b, low) == pytest.approx(0.05, abs=1e-4)
            assert self.by_sum(a, b, high) == pytest.approx(0.95, abs=1e-4)
            assert difference_cdf(a, b, low) == pytest.approx(0.05, abs=1e-12)
            # Either way round, from the cumulative of the one or the other.
            assert difference_cdf(b, a, -low) == pytest.approx(0.95, abs=1e-9)
            losses = pair_losses(a, b)
            assert losses == pytest.approx(expected_losses([a, b]), abs=1e-8)
            assert losses[1] - losses[0] == pytest.approx(a.mean - b.mean, abs=1e-12)

    def test_all_pairs_of_many_groups_share_their_quantiles(self, monkeypatch):
        rng = np.random.default_rng(0)
        by = np.repeat(np.arange(12), 30)
        found = groups(None, rng.normal(by * 0.1, 1.0), by)
        asked, own = [], Quantity.quantile
        monkeypatch.setattr(Quantity, "quantile", lambda self, q: asked.append(np.size(q)) or own(self, q))
        assert len(found.differences()["prob"]) == 66
        assert sum(asked) < 12 * 2_000  # nodes laid anew for every step of every pair were 3 million
