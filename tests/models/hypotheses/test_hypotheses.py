"""Finite hypothesis spaces with a given likelihood, or rules with noise: the worked figures, and the laws."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import likely
from likely import LikelyError, hypotheses

Rules, Space = hypotheses.Rules, hypotheses.Space
TEST = {"ill": {"+": 0.98, "-": 0.02}, "well": {"+": 0.03, "-": 0.97}}
VIAGRA = {"spam": {1: 0.40, 0: 0.60}, "ham": {1: 0.12, 0: 0.88}}
THINGS = list(range(8))
# All 256 ways to label eight things.
ALL = {bits: (lambda x, bits=bits: bits[x]) for bits in itertools.product([False, True], repeat=8)}


class TestFigures:
    """MISSION P2, P3, H1, H4, I2."""

    def test_diagnostic_test(self):
        belief = Space({"ill": 0.008, "well": 0.992}, TEST).update(["+"])
        joint = np.exp(belief.log_prior + belief.log_likelihood)
        assert joint == pytest.approx([0.00784, 0.02976], abs=1e-15)
        assert belief.prob("ill") == pytest.approx(49 / 235, abs=1e-15)
        assert np.exp(belief.log_evidence) == pytest.approx(0.0376)
        assert (belief.map, belief.ml) == ("well", "ill")
        assert belief.update(["+"]).prob("ill") == pytest.approx(0.8959, abs=5e-5)

    @pytest.mark.parametrize("seed", range(5))
    def test_gender_from_hair(self, seed):
        """The rare class is ML beyond where its density is the higher, MAP only beyond odds of 19."""
        rng = np.random.default_rng(seed)
        short, long = likely.Normal(rng.normal(10), 4), likely.Normal(rng.normal(25), 8)
        for hair in rng.uniform(0, 50, 20):
            belief = Space({"male": 0.95, "female": 0.05}, {"male": short, "female": long}).update([hair])
            ratio = float(long.prob(hair) / short.prob(hair))
            assert belief.ml == ("female" if ratio > 1 else "male")
            assert belief.map == ("female" if ratio > 19 else "male")
            assert belief.prob("female") == pytest.approx(ratio / (ratio + 19))

    def test_noise_free_and_uniform(self):
        """Each consistent hypothesis has 1 / |VS|, the others 0, and P(data) = |VS| / |H|."""
        belief = Rules(ALL).update([0, 3, 5], [True, False, True])
        left = [bits for bits in ALL if bits[0] and not bits[3] and bits[5]]
        assert belief.consistent == left
        assert len(left) == 32
        for bits, p in zip(ALL, belief.posterior, strict=True):
            assert p == pytest.approx(1 / 32 if bits in left else 0, abs=1e-15)
        assert np.exp(belief.log_evidence) == pytest.approx(32 / 256)

    def test_vote_overturns_map(self):
        rules = {"h1": lambda x: "+", "h2": lambda x: "-", "h3": lambda x: "-"}
        belief = Rules(rules, {"h1": 0.4, "h2": 0.3, "h3": 0.3})
        assert belief.map == "h1"
        assert belief.rules["h1"](None) == "+"
        assert belief.vote(None) == pytest.approx({"-": 0.6, "+": 0.4})
        assert belief.classify(None) == "-"

    def test_votes_may_be_probabilities(self):
        rules = {"sure": lambda x: {"+": 0.93, "-": 0.07}, "fair": lambda x: {"+": 0.5, "-": 0.5}}
        belief = Rules(rules)
        assert belief.vote(None)["+"] == pytest.approx((0.93 + 0.5) / 2)
        seen = belief.update([0, 0], ["+", "-"])
        odds = 0.93 * 0.07 / 0.25
        assert seen.prob("sure") == pytest.approx(odds / (1 + odds))

    @pytest.mark.parametrize(
        ("ham", "viagra", "shortest", "bits"),
        [
            (0.5, 1, "spam", (1 + 1.3219, 1 + 3.0589)),
            (0.5, 0, "ham", (1 + 0.7370, 1 + 0.1844)),
            (0.8, 1, "ham", (2.3219 + 1.3219, 0.3219 + 3.0589)),
            (0.8, 0, "ham", (2.3219 + 0.7370, 0.3219 + 0.1844)),
        ],
    )
    def test_description_length(self, ham, viagra, shortest, bits):
        belief = Space({"spam": 1 - ham, "ham": ham}, VIAGRA).update([viagra])
        found = belief.description()
        assert found.shortest == belief.map == shortest
        assert found.total == pytest.approx(bits, abs=1e-4)  # two roundings
        assert found.to_frame()["bits"] == pytest.approx(found.of_hypothesis + found.of_data)
        assert str(found).count("shortest") == 1


class TestLaws:
    def test_sequential_is_batch(self):
        data = ["+", "-", "+", "+"]
        start = Space({"ill": 0.3, "well": 0.7}, TEST)
        parts = start.update(data[:1]).update(data[1:])
        assert parts.posterior == pytest.approx(start.update(data).posterior, abs=1e-15)
        assert parts.n == 4

    def test_three_ways_to_say_a_likelihood(self):
        values = [0.3, 1.2, -0.5]
        means = {"low": -1.0, "high": 1.0}
        by_distribution = {name: likely.Normal(mean, 2) for name, mean in means.items()}
        by_function = {name: own.prob for name, own in by_distribution.items()}
        found = [
            Space(["low", "high"], by_distribution),
            Space(["low", "high"], by_function),
            Space(["low", "high"], lambda name, x: by_distribution[name].prob(x)),
        ]
        for belief in found:
            assert belief.update(values).posterior == pytest.approx(
                found[0].update(values).posterior, abs=1e-14
            )

    def test_noise_is_a_mixture_of_right_and_wrong(self):
        """Brute force over what the labels were before the noise."""
        e, seen = 0.2, [True, True, False]
        belief = Rules(ALL, noise=e).update([0, 0, 1], seen)
        for bits, p in zip(ALL, np.exp(belief.log_likelihood), strict=True):
            says = [bits[0], bits[0], bits[1]]
            expected = np.prod([1 - e if a == b else e for a, b in zip(says, seen, strict=True)])
            assert p == pytest.approx(expected)

    def test_noise_is_shared_among_the_other_labels(self):
        belief = Rules({"a": lambda x: "a", "b": lambda x: "b"}, noise=0.3, labels="abc").update([0], ["c"])
        assert np.exp(belief.log_likelihood) == pytest.approx([0.15, 0.15])

    @pytest.mark.parametrize("noise", [0.0, 0.05, 0.3, 0.9])
    @pytest.mark.parametrize("k", [1, 2, 3, 4, 6])
    @pytest.mark.parametrize("named", [True, False], ids=["labels named", "labels not named"])
    def test_probabilities_of_labels_add_up_to_one(self, k, noise, named):
        """Over all labels of one thing, and of three things in any two parts, under every rule."""
        known = [f"l{i}" for i in range(max(k, 2))]
        rules = {i: lambda x, i=i: f"l{(i * (x + 1)) % k}" for i in range(k)}
        rules["coin"] = lambda x: dict.fromkeys(known, 1 / len(known))
        belief = Rules(rules, noise=noise, labels=known if named else None)
        one = [np.exp(belief.update([0], [label]).log_likelihood) for label in known]
        assert np.sum(one, axis=0) == pytest.approx(np.ones(k + 1))
        whole = np.zeros(k + 1)
        for seen in itertools.product(known, repeat=3):
            together = belief.update([0, 0, 0], seen)
            parts = belief.update([0], seen[:1]).update([0, 0], seen[1:])
            assert parts.log_likelihood == pytest.approx(together.log_likelihood)
            whole += np.exp(together.log_likelihood)
        assert whole == pytest.approx(np.ones(k + 1))

    def test_three_labels_without_their_names(self):
        """Once 1.3: the noise is shared out among those that the rules name."""
        belief = Rules({c: lambda x, c=c: c for c in "abc"}, noise=0.3)
        assert np.exp(belief.update([0], ["c"]).log_likelihood) == pytest.approx([0.15, 0.15, 0.7])
        assert np.exp(belief.update([0], ["c"]).log_evidence) == pytest.approx(1 / 3)

    def test_gibbs_errs_at_most_twice_as_often(self):
        """Gibbs picks + as often as the vote has it: 4000 draws, 6 standard errors."""
        belief = Rules(ALL, noise=0.1).update([0, 0, 1], [True, True, False])
        rng = np.random.default_rng(3)
        share = np.mean([belief.gibbs(0, rng) for _ in range(4000)])
        expected = belief.vote(0)[True]
        assert share == pytest.approx(expected, abs=6 * np.sqrt(0.25 / 4000))
        coin = Rules({"coin": lambda x: {"+": 0.25, "-": 0.75}})
        assert np.mean([coin.gibbs(0, rng) == "+" for _ in range(4000)]) == pytest.approx(0.25, abs=0.05)

    def test_prior_by_function(self):
        belief = Rules(ALL, prior=lambda bits: 0.5 ** sum(bits))
        assert belief.map == (False,) * 8
        assert belief.posterior.sum() == pytest.approx(1)
        assert belief.prob(lambda bits: sum(bits) == 0) == pytest.approx(1 / 1.5**8)


class TestEvolution:
    """MISSION H3: the inconsistent fall to 0, the rest rise."""

    def test_falls_and_rises(self):
        told = Rules(ALL).history(THINGS[:4], [True, False, True, True])
        assert told.posteriors.shape == (5, 256)
        assert told.posteriors.sum(axis=1) == pytest.approx(1)
        for before, after in itertools.pairwise(told.posteriors):
            left = after > 0
            assert (after[left] > before[left]).all()
            assert left.sum() * 2 == (before > 0).sum()
        assert np.exp(told.log_evidence) == pytest.approx([1, 1 / 2, 1 / 4, 1 / 8, 1 / 16])

    def test_last_step_is_the_batch(self):
        told = Space({"ill": 0.3, "well": 0.7}, TEST).history(["+", "-"])
        whole = Space({"ill": 0.3, "well": 0.7}, TEST).update(["+", "-"])
        assert told.posteriors[-1] == pytest.approx(whole.posterior)
        assert list(told.to_frame()) == ["step", "ill", "well"]

    def test_picture(self):
        told = Rules(ALL).history(THINGS[:2], [True, False])
        panels = told.plot()
        assert len(panels) == 3
        heights = [segment[1][1] for segment in panels[2].collections[0].get_segments()]
        assert heights == pytest.approx(told.posteriors[2].tolist())
        small = Space({"ill": 0.3, "well": 0.7}, TEST).history(["+"] * 9)
        assert [label.get_text() for label in small.plot([0, 9])[0].get_xticklabels()] == ["ill", "well"]

    def test_too_long(self):
        with pytest.raises(LikelyError, match="too long to keep"):
            Rules(ALL).history([0] * 200_000, [True] * 200_000)


class TestEdges:
    def test_impossible_is_said(self):
        belief = Rules(ALL).update([0, 0], [True, False])
        assert belief.posterior.tolist() == [0.0] * 256
        assert belief.log_evidence == -np.inf
        assert belief.consistent == []
        assert "impossible under each" in str(belief)
        for act in (
            lambda: belief.map,
            lambda: belief.ml,
            lambda: belief.classify(0),
            lambda: belief.gibbs(0),
        ):
            with pytest.raises(LikelyError, match="none of 256 hypotheses"):
                act()

    def test_a_prior_of_zero_can_still_be_most_likely(self):
        belief = Space({"ill": 0.0, "well": 1.0}, TEST).update(["+"])
        assert (belief.map, belief.ml, belief.prob("ill")) == ("well", "ill", 0.0)

    def test_long_data_do_not_underflow(self):
        belief = Space({"ill": 0.5, "well": 0.5}, TEST).update(["+", "-"] * 5000)
        assert belief.posterior.sum() == pytest.approx(1)

    def test_names_of_rules(self):
        def yes(x):
            return True

        def no(x):
            return False

        assert Rules([yes, no]).hypotheses == ("yes", "no")
        assert Rules([lambda x: 1, lambda x: 2]).hypotheses == ("h1", "h2")

    def test_prints_and_frames(self):
        belief = Rules(ALL).update([0], [True])
        assert "and 246 more" in str(belief)
        assert list(belief.to_frame()) == ["hypothesis", "prior", "likelihood", "posterior"]

    @pytest.mark.parametrize(
        ("act", "said"),
        [
            (lambda: Space([], TEST), "there are none"),
            (lambda: Space(["ill", "ill"], TEST), "each must be there once"),
            (lambda: Space({"ill": 0.3, "well": 0.3}, TEST), "adding up to 1"),
            (lambda: Space(["ill", "well"], TEST, prior={"ill": 0.5, "dead": 0.5}), "adding up to 1"),
            (lambda: Space({"ill": 1.0}, TEST, prior=[1.0]), "has it already"),
            (lambda: Space(["ill", "odd"], TEST), "'odd' has none"),
            (lambda: Space(["ill"], TEST).update("+"), "give a list of observations"),
            (lambda: Space(["a"], lambda h, x: -1.0).update([0]), "give 0 or more"),
            (lambda: Space(["ill"], TEST).prob("dead"), "'dead' is none of the 1"),
            (lambda: Rules(ALL, noise=1.0), "noise=1.0"),
            (lambda: Rules(ALL, prior=lambda bits: 0), "not 0 for all"),
            (lambda: Rules(ALL).update([0], [True, False]), "1 things and 2 labels"),
            (lambda: Rules({"a": lambda x: 1}, labels=[1, 2]).update([0], [3]), "label 3 is none of"),
            (lambda: Rules({"a": lambda x: 3}, labels=[1, 2]).update([0], [1]), "label 3 is none of"),
            (lambda: Rules(ALL, noise=0.1).update([0], ["odd"]), "'odd' is none of .* name it"),
            (lambda: Rules(ALL, noise=0.1).update([0], [True]).update([0], [2]), "2 is none of"),
            (lambda: Rules([lambda x: x], noise=0.1).history([1, 2, 3], [1, 1, 1]), "3 is none of"),
            (lambda: Rules(ALL, labels=[True, False, True]), "a label twice"),
            (lambda: Rules(ALL, noise=0.1, labels=[True]), "a wrong label too"),
            (lambda: Rules(ALL).history([0], [True]).plot([7]), "steps 0 to 1"),
        ],
    )
    def test_refused(self, act, said):
        with pytest.raises(LikelyError, match=said):
            act()

    def test_module_is_public(self):
        assert hypotheses is likely.hypotheses


def test_a_prior_from_a_code_makes_map_the_shortest_description():
    """P(m) = 2^-L(m) over their sum; MDL's choice is the most probable one, whatever the data."""
    rng = np.random.default_rng(0)
    chosen = set()
    for _ in range(50):
        bits = rng.uniform(0, 9, 5)
        coins = rng.uniform(0.05, 0.95, 5)
        names = [f"h{i}" for i in range(5)]
        heads = {name: {1: p, 0: 1 - p} for name, p in zip(names, coins, strict=True)}
        for code in (bits, dict(zip(names, bits, strict=True)), lambda h, bits=bits: bits[int(h[1])]):
            space = hypotheses.Space(names, heads, prior=hypotheses.Code(code))
            assert space.posterior == pytest.approx(2**-bits / (2**-bits).sum(), rel=1e-12)
        data = (rng.random(12) < rng.random()).astype(int).tolist()
        of_data = -np.array([sum(np.log2(heads[h][x]) for x in data) for h in names])
        shortest = names[int(np.argmin(bits + of_data))]
        assert space.update(data).map == shortest == space.update(data).description().shortest
        chosen.add(shortest)
    assert len(chosen) == 5


def test_codes_of_rules_and_concepts_and_what_is_no_code():
    votes = {"a": lambda x: True, "b": lambda x: False}
    belief = hypotheses.Rules(votes, prior=hypotheses.Code({"a": 1, "b": 2}))
    assert belief.posterior == pytest.approx([2 / 3, 1 / 3])
    sport = hypotheses.Conjunctions({"sky": ["sunny", "rainy"], "air": ["warm", "cold"]})
    simple = sport.belief(hypotheses.Code(lambda c: 2.0 * len(str(c).replace("?", ""))))
    assert str(simple.map) == "<?, ?>"  # the fewest letters
    assert simple.posterior.sum() == pytest.approx(1)
    impossible = hypotheses.Code([1.0, np.inf])
    assert hypotheses.Rules(votes, prior=impossible).posterior.tolist() == [1.0, 0.0]
    long = hypotheses.Code([5000.0, 5001.0])  # too rare to be numbers before they are brought to a sum of 1
    assert hypotheses.Rules(votes, prior=long).posterior == pytest.approx([2 / 3, 1 / 3])
    for bits in ([1.0], [1.0, -2.0], [np.inf, np.inf], ["x", "y"], [1.0, np.nan]):
        with pytest.raises(LikelyError, match="give 0 or more for each of 2"):
            hypotheses.Rules(votes, prior=hypotheses.Code(bits))
    with pytest.raises(LikelyError, match="hypothesis 'b' has no bits"):
        hypotheses.Rules(votes, prior=hypotheses.Code({"a": 1}))
