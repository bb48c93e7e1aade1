"""The Bayes risk of known worlds, and classifiers beside it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier

from likely import Bernoulli, Categorical, Geometric, NaiveBayes, Normal, Poisson, Uniform
from likely.compare import Known, yardstick
from likely.errors import LikelyError


def two(**options):
    return Known({"a": {"x": Normal(0, 1)}, "b": {"x": Normal(2, 1)}}, **options)


class TestBayesRisk:
    def test_worked_figures(self):
        """Two unit Gaussians 2 apart."""
        assert float(two().bayes_risk()) == pytest.approx(stats.norm.cdf(-1), abs=1e-9)
        uneven = two(base_rate={"a": 0.3, "b": 0.7}).bayes_risk()
        cut = 1 + np.log(0.3 / 0.7) / 2
        wanted = 0.3 * stats.norm.sf(cut) + 0.7 * stats.norm.cdf(cut - 2)
        assert float(uneven) == pytest.approx(wanted, abs=1e-9)
        assert round(float(uneven), 4) == 0.1387

    def test_three_classes_and_edges(self):
        world = Known({0: {"x": Uniform(0, 2)}, 1: {"x": Uniform(1, 3)}, 2: {"x": Normal(50, 1)}})
        assert float(world.bayes_risk()) == pytest.approx(1 / 6, abs=1e-9)

    def test_several_columns_by_drawing(self):
        """Independent unit Gaussians 2 apart in each of two columns: sqrt(8) apart together."""
        parts = {c: {"x": Normal(m, 1), "y": Normal(m, 1)} for c, m in (("a", 0), ("b", 2))}
        risk = Known(parts).bayes_risk(40_000)
        assert abs(risk - stats.norm.cdf(-np.sqrt(2))) < 4 * risk.standard_error

    def test_counts_by_drawing(self):
        world = Known({0: {"n": Poisson(2)}, 1: {"n": Poisson(6)}})
        n = np.arange(100)
        wanted = np.minimum(stats.poisson(2).pmf(n), stats.poisson(6).pmf(n)).sum() / 2
        risk = world.bayes_risk(40_000)
        assert abs(risk - wanted) < 4 * risk.standard_error


COLOURS, SIZES = ("red", "green", "a long blue"), (1, 2, 5)


def levels(probs, names=COLOURS):
    return Categorical(probs, levels=names)


WORLDS = {  # the columns of two classes or three
    "text levels": {0: {"c": levels([0.5, 0.3, 0.2])}, 1: {"c": levels([0.1, 0.3, 0.6])}},
    "other levels a class": {"a": {"c": levels([0.5, 0.5], "xy")}, "b": {"c": levels([0.5, 0.5], "yz")}},
    "a class without rows": {c: {"c": levels([1.0], [c])} for c in ("a", "b", "never")},
    "numbers as levels": {"a": {"c": levels([0, 0.5, 0.5], SIZES)}, "b": {"c": levels([0.4, 0.6, 0], SIZES)}},
    "texts and numbers": {"a": {"c": levels([0.5, 0.5], "xy")}, "b": {"c": levels([0.5, 0.5], (1, 2))}},
    "truth values": {"a": {"c": levels([0.9, 0.1], (False, True))}, "b": {"c": Bernoulli(0.7)}},
    "codes": {"a": {"c": Categorical([0.2, 0.8])}, "b": {"c": Categorical([0.5, 0.5])}},
    "all sorts": {
        c: {"c": levels(p), "x": Normal(m, 1), "n": Poisson(m + 1), "g": Geometric(0.5), "b": Bernoulli(0.2)}
        for c, m, p in (("u", 0, [0.2, 0.2, 0.6]), ("v", 1, [0.6, 0.2, 0.2]))
    },
}


@pytest.mark.parametrize("name", WORLDS)
class TestAnyColumns:
    """Worlds of levels, numbers and truth values: rows can be drawn and have the shares that were stated."""

    def world(self, name):
        parts = WORLDS[name]
        rates = {c: 0.0 if c == "never" else 1.0 for c in parts}
        return Known(parts, {c: rate / sum(rates.values()) for c, rate in rates.items()})

    def test_rows_have_the_stated_shares(self, name):
        """Each share within 5 standard errors: some 40 of them, a false alarm in 40,000 seeds."""
        world, n = self.world(name), 4000
        rows = world.sample(n, 1)
        drawn = rows["class"].to_numpy()
        for label, rate in zip(world.classes_.tolist(), world.base_rate_, strict=True):
            mine = drawn == label
            for column, part in world.parts[label].items():
                values = rows[column][mine].tolist()
                assert all(np.isfinite(part.log_prob([value])) for value in set(values))
                if isinstance(part, Categorical):
                    named = part.levels if part.levels is not None else range(len(part.probs))
                    for level, p in zip(named, part.probs, strict=True):
                        wanted, found = rate * p, values.count(level) / n
                        assert abs(found - wanted) <= 5 * np.sqrt(wanted * (1 - wanted) / n)

    def test_bayes_risk(self, name):
        """The sum over levels of all classes but the best; 4 standard errors, a false alarm in 15,000."""
        world = self.world(name)
        risk = world.bayes_risk(4000)
        parts = [columns["c"] for columns in world.parts.values()]
        if len(world.columns) == 1:
            every = {v for p in parts for v in getattr(p, "levels", None) or range(2)}
            joint = [
                [rate * p.prob([v])[0] for rate, p in zip(world.base_rate_, parts, strict=True)]
                for v in every
            ]
            wanted = sum(sum(cell) - max(cell) for cell in joint)
            assert abs(risk - wanted) <= 4 * risk.standard_error + 1e-12
        else:
            assert 0 < risk < 0.5

    def test_a_model_learns_from_it(self, name):
        if name in ("texts and numbers", "a class without rows"):
            pytest.skip("a column of texts and numbers is refused; two classes of one level each are certain")
        found = yardstick(
            NaiveBayes(families="classical", evidence_weights=None), self.world(name), rows=2000, test=1000
        )
        assert -1e-12 <= found.excess < 0.02


class TestYardstick:
    def test_the_right_model_comes_close(self):
        far, near = (
            yardstick(NaiveBayes(families="classical", evidence_weights=None), two(), rows=rows)
            for rows in (10, 10_000)
        )
        assert 0 <= near.excess < 0.001
        assert near.excess <= far.excess
        assert near.risk - near.excess == pytest.approx(near.bayes_risk, abs=4 * near.risk.standard_error)

    def test_one_that_knows_nothing(self):
        found = yardstick(DummyClassifier(), two())
        assert found.risk == pytest.approx(0.5, abs=0.02)
        assert found.excess == pytest.approx(0.5 - 0.1587, abs=0.02)

    def test_a_fitted_model_is_a_world(self):
        drawn = two().sample(2000, 0)
        world = NaiveBayes(families="classical", evidence_weights=None).fit(drawn, "class")
        found = yardstick(NaiveBayes(families="classical", evidence_weights=None), world, rows=2000)
        assert found.bayes_risk == pytest.approx(0.1587, abs=0.02)
        assert found.excess < 0.002

    def test_repeatable_and_plain(self):
        first, again = (
            yardstick(
                NaiveBayes(families="classical", evidence_weights=None),
                two(),
                rows=50,
                test=500,
                random_state=1,
            )
            for _ in range(2)
        )
        assert first == again
        assert first.to_dict()["risk"]["estimate"] == float(first.risk)


class TestKnown:
    def test_posterior(self):
        world = Known({0: {"x": Bernoulli(0.2)}, 1: {"x": Bernoulli(0.6)}}, {0: 0.5, 1: 0.5})
        assert world.predict_proba({"x": [1, 0]}) == pytest.approx(np.array([[0.25, 0.75], [2 / 3, 1 / 3]]))

    def test_impossible_rows_have_the_base_rate(self):
        world = Known({0: {"x": Uniform(0, 1)}, 1: {"x": Uniform(0, 2)}}, {0: 0.3, 1: 0.7})
        assert world.predict_proba({"x": [9.0]}) == pytest.approx(np.array([[0.3, 0.7]]))

    def test_a_missing_value_adds_no_evidence(self):
        parts = {"a": {"c": levels([0.5, 0.3, 0.2]), "x": Normal(0, 1)}}
        parts["b"] = {"c": levels([0.1, 0.3, 0.6]), "x": Normal(1, 1)}
        alone = Known({c: {"x": columns["x"]} for c, columns in parts.items()})
        rows = {"c": [None, "red", None], "x": [0.3, np.nan, np.nan]}
        wanted = [alone.predict_proba({"x": [0.3]})[0], [5 / 6, 1 / 6], [0.5, 0.5]]
        assert Known(parts).predict_proba(rows) == pytest.approx(np.array(wanted), abs=1e-12)

    @pytest.mark.parametrize(
        ("parts", "match"),
        [
            ({}, "name a class"),
            ({"a": {"x": Normal(0, 1)}, "b": {"y": Normal(0, 1)}}, "needs the same"),
            ({"a": {"class": Normal(0, 1)}}, "none of the name 'class'"),
            ({"a": {"x": 3}}, "give one distribution"),
            ({"a": {"x": Normal([0, 1], 1)}}, "give one distribution"),
        ],
    )
    def test_refused(self, parts, match):
        with pytest.raises(LikelyError, match=match):
            Known(parts)

    def test_rows_are_needed(self):
        with pytest.raises(LikelyError, match="rows=0"):
            yardstick(NaiveBayes(families="classical", evidence_weights=None), two(), rows=0)
