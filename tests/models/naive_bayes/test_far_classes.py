"""A class that lies far away changes nothing among the others: neither their widths nor who is the best."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import likely

RNG = np.random.default_rng(11)
Y = np.repeat(["a", "b", "c"], 100)
NEAR = np.column_stack([RNG.normal(np.where(Y == "c", 4.0, 0.0), 1), RNG.normal(size=300)])


def far_away(distance: float) -> Any:
    rows = NEAR.copy()
    rows[Y == "a", 0] -= distance
    return rows


MODELS = {
    "naive Bayes": likely.NaiveBayes(),
    "predictive": likely.NaiveBayes(estimate="predictive"),
    "full": likely.GaussianClassifier("full"),
    "tied": likely.GaussianClassifier("tied"),
    "diagonal": likely.GaussianClassifier("diagonal"),
    "tied_diagonal": likely.GaussianClassifier("tied_diagonal"),
    "tied_spherical": likely.GaussianClassifier("tied_spherical"),
    "spherical": likely.GaussianClassifier("spherical"),
    "mixture": likely.MixtureClassifier(1, random_state=0),
}


@pytest.mark.parametrize("distance", [100.0, 1000.0, 10_000.0])
@pytest.mark.parametrize("name", MODELS)
def test_odds_of_the_others(name: str, distance: float) -> None:
    asked = np.array([[0.0, 0.0], [1.0, 0.5], [2.0, -1.0], [4.0, 0.0]])

    def odds(rows: Any) -> Any:
        log = MODELS[name].fit(rows, Y).predict_log_proba(asked)
        return log[:, 2] - log[:, 1]

    # The shape of class a is another when it is near: it lends the others a row or two of it.
    assert odds(far_away(distance)) == pytest.approx(odds(far_away(20.0)), rel=0.01, abs=0.01)


@pytest.mark.parametrize("distance", [100.0, 1000.0, 10_000.0])
def test_comparison_of_means(distance: float) -> None:
    x = far_away(distance)[:, 0]
    x[Y == "c"] -= 3.8  # now .2 above b: not sure at all
    chances = [
        likely.compare.groups(None, x[keep], Y[keep]).prob("c", "b")
        for keep in (Y != "a", np.ones(300, bool))
    ]
    assert chances[1] == pytest.approx(chances[0], abs=1e-3)


def test_rates_beside_a_huge_one() -> None:
    counts = np.concatenate([RNG.poisson(1.0, 100), RNG.poisson(3.0, 100), RNG.poisson(1e5, 100)])
    model = likely.NaiveBayes(kinds="count").fit(counts[:, None], np.repeat([0, 1, 2], 100))
    part = model.record_.core.parts[0].distribution
    means = [counts[:100].mean(), counts[100:200].mean(), counts[200:].mean()]
    assert part.rate[:, 0] == pytest.approx(means, rel=0.02)
