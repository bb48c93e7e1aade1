"""Intervals of class probabilities: closed forms, brute force, coverage, and what must not matter.

Seeds are fixed. If they were changed, a bound of six standard errors would raise a false alarm twice in 10^9
comparisons, and the coverage's four 6 times in 10^5.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import integrate, stats

from likely import (
    Beta,
    Dirichlet,
    Laplace,
    LikelyError,
    LikelyWarning,
    MEstimate,
    NaiveBayes,
    NormalInverseGamma,
    Words,
    read,
)
from likely.dist import FAMILIES
from likely.models.groups import intervals as module
from likely.models.groups.intervals import effective_cases
from likely.stats import Groups

ERRORS = 6.0


def near(found: Any, share: float, *draws: int) -> None:
    """A share of the posterior, up to six standard errors of so many draws."""
    error = np.sqrt(share * (1 - share) * sum(1 / n for n in draws))
    assert (np.abs(np.asarray(found) - share) <= ERRORS * error).all(), (found, share, error)


def two_classes(n: int = 40, seed: int = 0) -> tuple[dict[str, Any], Any]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = {
        "number": rng.normal(y, 1.0),
        "flag": rng.random(n) < 0.3 + 0.4 * y,
        "level": np.array(list("abc"), object)[rng.integers(0, 3, n)],
    }
    return X, y


# --- closed forms -----------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers_at_a_time", [1 << 22, 2000])
@pytest.mark.parametrize("level", [0.9, 0.5])
def test_without_evidence_it_is_the_interval_of_the_base_rate(
    level: float, numbers_at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "NUMBERS", numbers_at_a_time)
    y = np.repeat(["a", "b", "c"], [12, 5, 3])
    X = np.random.default_rng(0).normal(size=(20, 1))
    model = NaiveBayes(prior=2.0, families="classical", evidence_weights=None).fit(X, y)
    found = model.predict_interval([[np.nan]], level, draws=20000)
    counts = np.array([14.0, 7.0, 5.0])
    rate = Beta(counts, 26 - counts)
    near(rate.cdf(found.lower[0]), (1 - level) / 2, 20000)
    near(rate.sf(found.upper[0]), (1 - level) / 2, 20000)
    # The rows, and the two of each class that the prior imagines. A variance is known to sqrt(2 / draws).
    assert_allclose(found.cases[0], 26, rtol=ERRORS * np.sqrt(2 / 20000))
    assert_allclose(found.probability, model.predict_proba([[np.nan]]))


def test_one_flag_by_quadrature() -> None:
    # P(class 1 given true) = p1 / (p0 + p1), with p0 and p1 from their Beta posteriors.
    y, flag = np.repeat([0, 1], [10, 14]), np.zeros(24, bool)
    flag[:3], flag[10:19] = True, True
    found = (
        NaiveBayes(base_rate="uniform", families="classical", evidence_weights=None)
        .fit({"flag": flag}, y)
        .predict_interval({"flag": [True]}, draws=20000)
    )
    p0, p1 = stats.beta(4, 8), stats.beta(10, 6)

    def below(t: float) -> float:
        return integrate.quad(lambda p: p0.pdf(p) * p1.cdf(t / (1 - t) * p), 0, 1)[0]

    near(below(found.lower[0, 1]), 0.05, 20000)
    near(below(found.upper[0, 1]), 0.95, 20000)


def test_effective_cases_of_beta_draws_are_its_counts() -> None:
    rng = np.random.default_rng(1)
    p = rng.beta(3.0, 9.0, (5, 200_000))
    found = effective_cases(np.stack([p, 1 - p]))
    assert_allclose(found, 12, rtol=ERRORS * np.sqrt(2 / 200_000))


def test_effective_cases_keep_their_digits_next_to_certainty() -> None:
    rare = 1e-30 * np.random.default_rng(2).gamma(4.0, 0.25, 100_000)
    found = effective_cases(np.stack([rare, 1 - rare])[:, None, :])
    # Var(p) is p^2 / 4, so that p / Var(p) is 4 / p.
    assert found[0, 0] == found[1, 0]
    assert found[0, 0] == pytest.approx(4e30, rel=0.05)
    assert_array_equal(effective_cases(np.array([[[0.0, 0.0]], [[1.0, 1.0]]])), [[np.inf], [np.inf]])


# --- brute force ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "family",
    ["bernoulli", "categorical", "poisson", "normal", "binomial", "geometric", "uniform"],
)
def test_one_column_by_parameters_drawn_one_by_one(family: str) -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], [9, 14, 20])
    made: dict[str, Any] = {
        "bernoulli": lambda: rng.random(43) < 0.2 + 0.25 * y,
        "categorical": lambda: np.array(["a", "b", "c"], object)[np.minimum(2, rng.poisson(0.4 + 0.4 * y))],
        "normal": lambda: rng.normal(y, 1 + 0.3 * y),
        "uniform": lambda: rng.random(43) * (1 + y),
    }
    column = made.get(family, lambda: 1 + rng.poisson(1.0 + y))()
    model = NaiveBayes(families={"x": family}, base_rate="uniform", evidence_weights=None).fit(
        {"x": column}, y
    )
    asked = {"x": column[[2, 20, 40]]}
    found = model.predict_interval(asked, draws=4000)
    kind = FAMILIES[family]
    codes = np.unique(column, return_inverse=True)[1] if family == "categorical" else column.astype(float)
    stat = kind.collect(codes[:, None], Groups.hard(y, 3), (3,) if family == "categorical" else None)
    posterior: Any = kind.posterior(stat)
    n, cells = 4000, codes[[2, 20, 40]]
    logs = np.empty((3, n, 3))
    for group in range(3):
        one = posterior.take(group) if family == "categorical" else posterior.take((group, 0))
        theta: Any = one.sample(n, 100 + group)
        for row, cell in enumerate(cells):
            logs[row, :, group] = np.ravel(kind.at(one, theta).log_prob(cell))
    joint = np.exp(logs)
    total = joint.sum(axis=-1, keepdims=True)
    # At draws of uniform distributions that all end before the value, the base rate holds.
    probs = np.where(total > 0, joint / np.where(total > 0, total, 1), 1 / 3)
    for end, share in ((found.lower, 0.05), (found.upper, 0.95)):
        # Where a probability is 0 or 1 at many draws, the end may be that number.
        below = (probs < end[:, None, :] - 1e-12).mean(axis=1)
        up_to = (probs <= end[:, None, :] + 1e-12).mean(axis=1)
        near(np.clip(share, below, up_to), share, 4000, n)


@pytest.mark.parametrize("families", ["histogram", "kernel", "multinomial", "multivariate_normal"])
def test_the_other_families_have_sound_intervals(families: str) -> None:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 60)
    X = (
        rng.poisson(2.0 + y[:, None], (60, 2))
        if families == "multinomial"
        else rng.normal(y[:, None], 1, (60, 2))
    )
    found = NaiveBayes(families=families, evidence_weights=None).fit(X, y).predict_interval(X)
    assert ((found.lower >= 0) & (found.lower <= found.upper) & (found.upper <= 1)).all()
    assert (found.cases >= 0).all()
    within = (found.lower <= found.probability) & (found.probability <= found.upper)
    assert within.mean() > 0.9
    wider = NaiveBayes(families=families, evidence_weights=None).fit(X, y).predict_interval(X, 0.99)
    assert (wider.lower <= found.lower).all()
    assert (wider.upper >= found.upper).all()


@pytest.mark.parametrize("bits", [False, True])
def test_texts(bits: bool) -> None:
    texts = ["win cash now", "cash prize win", "see you now", "lunch with you", "win lunch"] * 4
    y = np.array([1, 1, 0, 0, 1] * 4)
    model = NaiveBayes(kinds={"text": Words(bits=bits)}, families="classical", evidence_weights=None).fit(
        {"text": texts}, y
    )
    few = NaiveBayes(kinds={"text": Words(bits=bits)}, families="classical", evidence_weights=None).fit(
        {"text": texts[:5]}, y[:5]
    )
    asked = {"text": ["cash lunch", "unheard", None]}
    found, doubt = model.predict_interval(asked), few.predict_interval(asked)
    assert (found.lower <= found.upper).all()
    assert ((doubt.upper - doubt.lower)[0] > (found.upper - found.lower)[0]).all()
    rate = Beta(13.0, 9.0)  # a text that is missing says nothing
    near(rate.cdf(found.lower[2, 1]), 0.05, 1000)


# --- coverage ---------------------------------------------------------------------------------------

PRIORS = {"flag": Beta(1, 1), "level": Dirichlet([1.0, 1, 1]), "number": NormalInverseGamma(0, 0.5, 3, 2)}
KINDS = {"flag": "boolean", "level": ["a", "b", "c"], "number": "quantitative"}


def world(rng: np.random.Generator, n: int) -> tuple[dict[str, Any], Any, dict[str, Any], Any]:
    """Parameters from the prior, n rows, one row to ask about, and its true class probabilities.

    The row has nothing to do with the parameters. One drawn by them would tell of them itself, and the
    interval, which knows only the n rows, would cover a little less often.
    """
    rates, p = rng.dirichlet([1, 1]), rng.random(2)
    levels = rng.dirichlet([1, 1, 1], 2)
    variance = 2 / rng.gamma(3, 1, 2)
    mean = rng.normal(0, np.sqrt(variance / 0.5))
    y = (rng.random(n) < rates[1]).astype(int)
    names = np.array(list("abc"), object)
    X = {
        "flag": rng.random(n) < p[y],
        "level": names[[rng.choice(3, p=levels[c]) for c in y]],
        "number": rng.normal(mean[y], np.sqrt(variance[y])),
    }
    flag, code, number = rng.random() < 0.5, rng.integers(3), rng.normal()
    density = stats.norm.pdf(number, mean, np.sqrt(variance))
    joint = rates * (p if flag else 1 - p) * levels[:, code] * density
    return X, y, {"flag": [flag], "level": names[[code]], "number": [number]}, joint / joint.sum()


@pytest.mark.parametrize("worlds", [200, pytest.param(4000, marks=pytest.mark.long)])
def test_it_covers_as_often_as_it_says_when_parameters_come_from_the_prior(worlds: int) -> None:
    rng = np.random.default_rng(5)
    inside = np.zeros(2)
    for _ in range(worlds):
        X, y, row, truth = world(rng, 12)
        model = NaiveBayes(
            kinds=KINDS, prior=PRIORS, families="classical", evidence_weights=None
        ).partial_fit(X, y, classes=[0, 1])
        for i, level in enumerate((0.9, 0.5)):
            found = model.predict_interval(row, level, draws=300)
            inside[i] += found.lower[0, 1] <= truth[1] <= found.upper[0, 1]
    for covered, level in zip(inside / worlds, (0.9, 0.5), strict=True):
        assert abs(covered - level) <= 4 * np.sqrt(level * (1 - level) / worlds), (covered, level)


# --- what must not matter, and what must ------------------------------------------------------------


def test_two_classes_are_mirror_images() -> None:
    X, y = two_classes()
    found = NaiveBayes(families="classical", evidence_weights=None).fit(X, y).predict_interval(X)
    assert_allclose(found.lower[:, 0], 1 - found.upper[:, 1], atol=1e-12)
    assert_allclose(found.upper[:, 0], 1 - found.lower[:, 1], atol=1e-12)
    assert_allclose(found.cases[:, 0], found.cases[:, 1], rtol=1e-9)


def test_the_answer_is_the_same_every_time_and_in_any_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = two_classes(300)
    model = NaiveBayes(families="classical", evidence_weights=None).fit(X, y)
    found = model.predict_interval(X)
    others = [
        model.predict_interval(X),
        NaiveBayes(n_jobs=2, families="classical", evidence_weights=None).fit(X, y).predict_interval(X),
    ]
    monkeypatch.setattr(module, "ANSWERS", 50_000)
    others.append(model.predict_interval(X))
    for other in others:
        for name in ("lower", "upper", "cases"):
            assert_allclose(getattr(other, name), getattr(found, name), rtol=1e-12)
    again = model.predict_interval(X, random_state=1)
    assert not np.array_equal(again.lower, found.lower)
    assert np.abs(again.lower - found.lower).max() < 0.1
    model.predict_interval(X, random_state=np.random.RandomState(0))
    model.predict_interval(X, random_state=None)


def test_more_rows_narrow_it_and_a_known_base_rate_does_too() -> None:
    X, y = two_classes(200)
    few = {name: cells[:20] for name, cells in X.items()}
    row = {name: cells[:1] for name, cells in X.items()}
    some, many = (
        NaiveBayes(families="classical", evidence_weights=None).fit(*pair).predict_interval(row)
        for pair in ((few, y[:20]), (X, y))
    )
    assert (many.upper - many.lower < some.upper - some.lower).all()
    assert (many.cases > some.cases).all()
    nothing = {"number": [np.nan], "flag": [None], "level": [None]}
    known = (
        NaiveBayes(families="classical", evidence_weights=None)
        .fit(few, y[:20])
        .with_base_rate({0: 0.3, 1: 0.7})
        .predict_interval(nothing)
    )
    assert_allclose(known.lower, [[0.3, 0.7]])
    assert_allclose(known.upper, [[0.3, 0.7]])
    assert np.isinf(known.cases).all()


def test_a_row_that_no_draw_allows_has_the_interval_of_the_base_rate() -> None:
    X, y = two_classes()
    # Of level c nothing was seen in class 1, and nothing was imagined.
    level = np.where(y == 1, "a", X["level"])
    level[y == 0] = "b"
    prior = {"level": MEstimate(2, [0.5, 0.5, 0.0])}
    model = NaiveBayes(
        kinds={"level": ["a", "b", "c"]}, prior=prior, families="classical", evidence_weights=None
    ).fit({"level": level}, y)
    with pytest.warns(LikelyWarning, match="probability 0 in every class"):
        found = model.predict_interval({"level": ["c", None]})
    assert_array_equal(found.lower[0], found.lower[1])
    assert_array_equal(found.cases[0], found.cases[1])


@pytest.mark.parametrize("n", [1, 2])
def test_hardly_any_data(n: int) -> None:
    X, _ = two_classes()
    first = {name: cells[:n] for name, cells in X.items()}
    found = NaiveBayes(families="classical", evidence_weights=None).fit(first, [0] * n).predict_interval(X)
    assert (found.lower == 1).all()
    assert (found.upper == 1).all()
    assert np.isinf(found.cases).all()
    constant = NaiveBayes(families="classical", evidence_weights=None).fit(
        {"x": [5.0, 5.0, 5.0], "gone": [np.nan] * 3}, [0, 1, 1]
    )
    told = constant.predict_interval({"x": [5.0, 7.0, np.nan], "gone": [1.0, np.nan, 2.0]})
    assert np.isfinite(told.cases).all()
    assert_allclose(told.lower, np.tile(told.lower[2], (3, 1)))  # a constant column is never evidence


def test_a_value_that_the_tables_refuse_is_refused_here_too() -> None:
    model = NaiveBayes(families="classical", evidence_weights=None).fit(
        {"x": [1.0, 2.0, 3.0, 4.0]}, [0, 0, 1, 1]
    )
    with pytest.raises(LikelyError):
        model.predict_interval({"x": [1e300]})


# --- refusals and faces -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"prior": None}, "prior=None learns the base rate by maximum likelihood"),
        ({"prior": 0}, "prior=0 learns the base rate by maximum likelihood"),
        ({"prior": Laplace(0)}, "by maximum likelihood"),
        ({"prior": None, "base_rate": "uniform"}, "column 'number' was fitted by maximum likelihood"),
        ({"prior": {"flag": None}}, "column 'flag' was fitted by maximum likelihood"),
        ({"estimate": "ml"}, "estimate='ml' takes no prior"),
    ],
)
def test_maximum_likelihood_has_no_posterior(settings: Any, words: str) -> None:
    X, y = two_classes()
    with pytest.raises(LikelyError, match=words):
        NaiveBayes(**{"families": "classical", "evidence_weights": None, **settings}).fit(
            X, y
        ).predict_interval(X)


@pytest.mark.parametrize("level", [0, 1, 1.5, -0.1, np.nan, "90%", True])
def test_levels_that_are_none(level: Any) -> None:
    X, y = two_classes()
    with pytest.raises(LikelyError, match="the probability to cover"):
        NaiveBayes(families="classical", evidence_weights=None).fit(X, y).predict_interval(X, level)


@pytest.mark.parametrize(("level", "draws", "least"), [(0.9, 19, 20), (0.999, 1000, 2000), (0.5, 3.5, 4)])
def test_as_many_draws_as_the_level_needs(level: float, draws: Any, least: int) -> None:
    X, y = two_classes()
    model = NaiveBayes(families="classical", evidence_weights=None).fit(X, y)
    with pytest.raises(LikelyError, match=f"give a whole number from {least} on"):
        model.predict_interval(X, level, draws=draws)
    model.predict_interval(X, level, draws=least)


def test_it_prints_itself_and_comes_back_as_a_table_of_the_users_library() -> None:
    X, y = two_classes()
    y = np.where(y == 1, "yes", "no")
    found = (
        NaiveBayes(families="classical", evidence_weights=None)
        .fit(pd.DataFrame(X), y)
        .predict_interval(pd.DataFrame(X))
    )
    text = str(found)
    assert text.startswith("class probabilities of 40 rows, with 90 % intervals")
    assert text.endswith("and 70 other lines: to_frame() has all")
    assert len(found) == 40
    sure = replace(
        found, probability=np.array([[0.99982]]), lower=np.array([[0.9987]]), upper=np.array([[1 - 3e-9]])
    )
    assert "0.99982  0.9987  1 - 3e-09" in str(replace(sure, classes=("no",)))  # no end rounds to certainty
    frame = found.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame["class"][:4]) == ["no", "yes", "no", "yes"]
    assert list(frame["row"][:4]) == [0, 0, 1, 1]
    assert_array_equal(frame["upper"], found.upper.ravel())
    assert isinstance(
        NaiveBayes(families="classical", evidence_weights=None)
        .fit(pl.DataFrame(X), y)
        .predict_interval(pl.DataFrame(X))
        .to_frame(),
        pl.DataFrame,
    )


def test_tennis_is_in_doubt() -> None:
    model = NaiveBayes(families="classical", evidence_weights=None).fit(
        read("play_tennis", into="dict"), "play"
    )
    today = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}
    found = model.predict_interval(today)
    # Fourteen days cannot settle it.
    assert found.lower[0, 0] < 0.5 < found.upper[0, 0]
    assert found.cases[0, 0] < 14
