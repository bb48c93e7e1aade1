"""Conjunctive concepts: the worked figures, and brute force beside the boundaries."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest

from likely import LikelyError, hypotheses

ANY, Concept, Conjunctions = hypotheses.ANY, hypotheses.Concept, hypotheses.Conjunctions

SPORT = Conjunctions(
    {
        "sky": ["sunny", "cloudy", "rainy"],
        "air": ["warm", "cold"],
        "humidity": ["normal", "high"],
        "wind": ["strong", "weak"],
        "water": ["warm", "cool"],
        "forecast": ["same", "change"],
    }
)
DAYS = {
    "sky": ["sunny", "sunny", "rainy", "sunny"],
    "air": ["warm", "warm", "cold", "warm"],
    "humidity": ["normal", "high", "high", "high"],
    "wind": ["strong"] * 4,
    "water": ["warm", "warm", "warm", "cool"],
    "forecast": ["same", "same", "change", "change"],
}
ENJOY = [True, True, False, True]


def concept(*values):
    return Concept(SPORT.names, values)


def by_hand(space, rows, labels):
    """All concepts that agree with the rows, one by one; the empty one too."""
    wide = [[*values, ANY] for values in space.attributes.values()]
    every = [Concept(space.names, values) for values in itertools.product(*wide)]
    every.append(Concept(space.names, None))
    return [c for c in every if all(c.covers(r) == y for r, y in zip(rows, labels, strict=True))]


class TestFigures:
    """MISSION H2: EnjoySport."""

    def test_sizes(self):
        assert (SPORT.size, SPORT.syntactic_size, len(list(SPORT))) == (973, 5120, 973)

    def test_find_s(self):
        found = SPORT.find_s(DAYS, ENJOY)
        assert found == concept("sunny", "warm", ANY, "strong", ANY, ANY)
        assert str(found) == "<sunny, warm, ?, strong, ?, ?>"

    def test_boundaries(self):
        found = SPORT.version_space(DAYS, ENJOY)
        assert found.specific == (concept("sunny", "warm", ANY, "strong", ANY, ANY),)
        assert set(found.general) == {
            concept("sunny", ANY, ANY, ANY, ANY, ANY),
            concept(ANY, "warm", ANY, ANY, ANY, ANY),
        }
        assert len(found) == len(list(found)) == 6
        assert SPORT.find_s(DAYS, ENJOY) in found
        # After the third day, three general ones; the fourth takes one away.
        assert [len(general) for _, general in found.steps] == [1, 1, 1, 3, 2]

    def test_votes_of_new_days(self):
        """Six concepts: all agree on the first and the second day, half on the third, two on the fourth."""
        space = SPORT.version_space(DAYS, ENJOY)
        belief = SPORT.belief().update(DAYS, ENJOY)
        days = [
            ("sunny", "warm", "normal", "strong", "cool", "change"),
            ("rainy", "cold", "normal", "weak", "warm", "same"),
            ("sunny", "warm", "normal", "weak", "warm", "same"),
            ("sunny", "cold", "normal", "strong", "warm", "same"),
        ]
        for day, share in zip(days, (1, 0, 3 / 6, 2 / 6), strict=True):
            assert space.vote(day) == pytest.approx(share)
            assert belief.vote(day) == pytest.approx(share, abs=1e-12)
        assert [belief.classify(day) for day in days] == [True, False, True, False]

    def test_find_s_is_map(self):
        belief = SPORT.belief().update(DAYS, ENJOY)
        assert belief.prob(SPORT.find_s(DAYS, ENJOY)) == pytest.approx(1 / 6)
        assert belief.posterior.max() == pytest.approx(1 / 6)
        assert np.exp(belief.log_evidence) == pytest.approx(6 / 973)
        assert set(belief.consistent) == set(SPORT.version_space(DAYS, ENJOY))


class TestBruteForce:
    @pytest.mark.parametrize("seed", range(40))
    def test_boundaries_hold_what_agrees(self, seed):
        rng = np.random.default_rng(seed)
        sizes = rng.integers(1, 4, rng.integers(1, 5))
        space = Conjunctions({f"x{j}": list(range(k)) for j, k in enumerate(sizes)})
        n = int(rng.integers(0, 6))
        rows = [tuple(int(rng.integers(k)) for k in sizes) for _ in range(n)]
        truth = space[int(rng.integers(len(space)))]
        labels = [truth.covers(row) if seed % 4 else bool(rng.random() < 0.5) for row in rows]
        X = {f"x{j}": [row[j] for row in rows] for j in range(len(sizes))}
        found, left = space.version_space(X, np.array(labels, bool)), by_hand(space, rows, labels)
        assert len(found) == len(left)
        assert set(found) == set(left)
        assert found.empty == (not left)
        assert all(c in found for c in left)
        assert sum(c in found for c in space) == len(left)
        belief = space.belief().update(X, np.array(labels, bool))
        assert set(belief.consistent) == set(left)
        if left:
            maximal = {c for c in left if not any(d != c and d.at_least_as_general(c) for d in left)}
            assert set(found.general) == maximal
            assert found.specific == (space.find_s(X, np.array(labels, bool)),)

    def test_noise(self):
        """Each label is wrong with probability 0.1, by brute force over the concepts."""
        belief = SPORT.belief(noise=0.1).update(DAYS, ENJOY)
        rows = list(zip(*DAYS.values(), strict=True))
        weights = np.array(
            [
                np.prod([0.9 if c.covers(r) == y else 0.1 for r, y in zip(rows, ENJOY, strict=True)])
                for c in SPORT
            ]
        )
        assert belief.posterior == pytest.approx(weights / weights.sum(), abs=1e-12)

    def test_prior_by_function(self):
        """A prior that likes few constraints has the shortest consistent concepts on top."""
        belief = SPORT.belief(
            lambda c: 0.0 if c.values is None else 0.1 ** sum(v is not ANY for v in c.values)
        )
        found = belief.update(DAYS, ENJOY)
        assert sum(value is not ANY for value in found.map.values) == 1


class TestOrder:
    def test_more_general(self):
        general, specific = concept(*["sunny", *[ANY] * 5]), concept("sunny", "warm", *[ANY] * 4)
        nothing = Concept(SPORT.names, None)
        assert general.at_least_as_general(specific)
        assert not specific.at_least_as_general(general)
        assert specific.at_least_as_general(nothing)
        assert not nothing.at_least_as_general(specific)
        assert nothing.at_least_as_general(nothing)

    def test_places(self):
        assert all(SPORT.index(SPORT[i]) == i for i in (0, 17, 971, 972))
        assert SPORT[-1].values is None
        assert len(SPORT[:5]) == 5
        assert concept(*["snowy", *[ANY] * 5]) not in SPORT
        assert pickle.loads(pickle.dumps(SPORT[971])) == SPORT[971]


class TestEvolution:
    def test_concepts_die_and_the_rest_rise(self):
        told = SPORT.belief().history(DAYS, ENJOY)
        left = [(step > 0).sum() for step in told.posteriors]
        assert left[0] == 973
        assert left[-1] == 6
        assert all(a >= b for a, b in itertools.pairwise(left))
        assert told.posteriors[-1] == pytest.approx(SPORT.belief().update(DAYS, ENJOY).posterior)
        assert len(told.plot()) == 4


class TestEdges:
    def test_empty_is_reported(self):
        found = SPORT.version_space(
            {name: values[:1] * 2 for name, values in DAYS.items()}, np.array([True, False])
        )
        assert found.empty
        assert (len(found), list(found), found.general) == (0, [], ())
        assert str(found) == "the version space is empty: no concept agrees with all rows"
        with pytest.raises(LikelyError, match="none can vote"):
            found.vote(("sunny",) * 6)

    def test_no_rows_and_no_positives(self):
        none = {name: [] for name in DAYS}
        everything = SPORT.version_space(none, np.array([], bool))
        assert len(everything) == 973
        rainy = {name: [values[2]] for name, values in DAYS.items()}
        assert SPORT.find_s(rainy, [False]).values is None
        assert len(SPORT.version_space(rainy, [False])) == 973 - 64

    def test_frames_and_names_of_targets(self):
        frame = pd.DataFrame({**DAYS, "enjoy": ENJOY})
        assert len(SPORT.version_space(frame, "enjoy")) == 6
        assert SPORT.find_s(frame, "enjoy") == SPORT.find_s(DAYS, ENJOY)
        learnt = Conjunctions.of(frame.drop(columns="enjoy"))
        assert learnt.sizes == (2, 2, 2, 1, 2, 2)

    def test_gibbs(self):
        """A day on which half of the concepts vote yes: 2000 draws, 6 standard errors."""
        belief = SPORT.belief().update(DAYS, ENJOY)
        rng = np.random.default_rng(0)
        day = ("sunny", "warm", "normal", "weak", "warm", "same")
        assert np.mean([belief.gibbs(day, rng) for _ in range(2000)]) == pytest.approx(
            0.5, abs=6 / np.sqrt(8000)
        )

    def test_wide_spaces_have_boundaries(self):
        wide = Conjunctions({f"x{j}": [0, 1] for j in range(40)})
        rows = {f"x{j}": [0, 0, 1] for j in range(40)}
        found = wide.version_space(rows, [True, True, False])
        assert len(found.general) == 40
        for act in (lambda: len(found), wide.belief):
            with pytest.raises(LikelyError, match="too many"):
                act()

    @pytest.mark.parametrize(
        ("act", "said"),
        [
            (lambda: Conjunctions({}), "there are none"),
            (lambda: Conjunctions({"a": []}), "'a' has the values"),
            (lambda: Conjunctions({"a": [1, 1]}), "different ones"),
            (lambda: SPORT.find_s({"sky": ["sunny"]}, [True]), "no column 'air'"),
            (lambda: SPORT.find_s({**DAYS, "sky": ["snow"] * 4}, ENJOY), "'snow' is none of its values"),
            (lambda: SPORT.find_s({**DAYS, "sky": [None] * 4}, ENJOY), "missing in row 0"),
            (lambda: SPORT.find_s(DAYS, ["yes", "yes", "no", "yes"]), "give True and False"),
            (lambda: SPORT.find_s(DAYS, [True]), "4 rows and 1 labels"),
            (lambda: SPORT.find_s(DAYS, [True, None, True, False]), "missing in row 1"),
            (lambda: SPORT.belief().prob(Concept(("a",), (1,))), "is none of the 973"),
        ],
    )
    def test_refused(self, act, said):
        with pytest.raises(LikelyError, match=said):
            act()
