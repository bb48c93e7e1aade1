"""Naive Bayes with the families that are not chosen by kind, against sums written out with SciPy."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import likely
from likely import LikelyError
from likely.dist import BinomialBeta, KernelByLikelihood

N = 300
FAMILIES = ["geometric", "binomial", "uniform", "histogram", "kernel", KernelByLikelihood]
every_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda f: getattr(f, "name", f))


def table(seed: int = 0, n: int = N) -> tuple[dict[str, Any], Any]:
    """A number x and a count k, of two classes that differ in both; some cells are missing."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.4, "b", "a")
    b = y == "b"
    x = np.where(b, rng.normal(3, 0.7, n), rng.gamma(2, 1.0, n))
    k = np.where(b, rng.geometric(0.3, n), rng.geometric(0.6, n)).astype(float)
    x[::17], k[::13] = np.nan, np.nan
    return {"x": x, "k": np.minimum(k, 9)}, y


def model_of(family: Any, **options: Any) -> likely.NaiveBayes:
    counted = family in ("geometric", "binomial")
    return likely.NaiveBayes(
        families={"k": family} if counted else {"x": family}, **{"evidence_weights": None, **options}
    )


def cut(data: dict[str, Any], rows: Any) -> dict[str, Any]:
    return {name: column[rows] for name, column in data.items()}


def posterior(y: Any, logs: Any) -> Any:
    """From the log density of each row in class a and in class b, NaN where missing."""
    base = np.log([(y == "a").mean(), (y == "b").mean()])
    joint = base + np.where(np.isnan(logs), 0, logs)
    joint -= joint.max(axis=1, keepdims=True)
    return np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True)


def of_classes(data: Any, y: Any) -> list[Any]:
    return [data[(y == label) & ~np.isnan(data)] for label in "ab"]


def test_kernel_is_scipys() -> None:
    data, y = table()
    logs = []
    for own in of_classes(data["x"], y):
        low, high = np.quantile(own, [0.25, 0.75])
        bandwidth = 0.9 * min(own.std(), (high - low) / 1.34) / len(own) ** 0.2
        logs.append(np.log(stats.gaussian_kde(own, bandwidth / own.std(ddof=1))(np.nan_to_num(data["x"]))))
    logs = np.where(np.isnan(data["x"])[:, None], np.nan, np.transpose(logs))
    x = {"x": data["x"]}
    found = (
        likely.NaiveBayes(families={"x": "kernel"}, prior=None, evidence_weights=None)
        .fit(x, y)
        .predict_proba(x)
    )
    assert_allclose(found, posterior(y, logs), rtol=1e-4, atol=1e-9)


def test_histogram_is_numpys() -> None:
    data, y = table()
    x = {"x": data["x"]}
    model = likely.NaiveBayes(families={"x": "histogram"}, prior=None, evidence_weights=None).fit(x, y)
    bars = model.record_.core.parts[0].distribution.parts[:, 0]
    logs = []
    for own, found in zip(of_classes(data["x"], y), bars, strict=True):
        n = len(own)
        quarter, three = np.quantile(own, [0.25, 0.75])
        width = min(np.ptp(own) / (1 + np.log2(n)), 2 * (three - quarter) / np.cbrt(n))
        k = int(np.ceil(np.ptp(own) / width))
        assert len(found.probs) == k
        heights, edges = np.histogram(own, k, density=True)
        place = np.clip(np.searchsorted(edges, data["x"], side="right") - 1, 0, k - 1)
        inside = (data["x"] >= edges[0]) & (data["x"] <= edges[-1])
        with np.errstate(divide="ignore"):
            logs.append(np.where(inside, np.log(heights[place]), -np.inf))
    logs = np.where(np.isnan(data["x"])[:, None], np.nan, np.transpose(logs))
    assert_allclose(model.predict_proba(x), posterior(y, logs), rtol=1e-9, atol=1e-12)


def test_geometric_binomial_and_uniform_are_scipys() -> None:
    data, y = table()
    k, x = {"k": data["k"]}, {"x": data["x"]}
    own = of_classes(data["k"], y)
    logs = np.stack([stats.geom(1 / v.mean()).logpmf(data["k"]) for v in own], axis=1)
    model = likely.NaiveBayes(families={"k": "geometric"}, prior=None, evidence_weights=None).fit(k, y)
    logs[np.isnan(data["k"])] = np.nan
    assert_allclose(model.predict_proba(k), posterior(y, logs), rtol=1e-9)
    for prior, trials in ((BinomialBeta(1, 1, 12), 12), (1.0, 9)):
        logs = [stats.binom(trials, (v.sum() + 1) / (trials * len(v) + 2)).logpmf(data["k"]) for v in own]
        logs = np.where(np.isnan(data["k"])[:, None], np.nan, np.transpose(logs))
        model = likely.NaiveBayes(
            families={"k": "binomial"}, prior={"k": prior}, base_rate="uniform", evidence_weights=None
        )
        joint = np.where(np.isnan(logs), 0, logs)
        assert_allclose(
            model.fit(k, y).predict_proba(k)[:, 1], 1 / (1 + np.exp(joint[:, 0] - joint[:, 1])), rtol=1e-9
        )
    logs = np.stack(
        [stats.uniform(v.min(), np.ptp(v)).logpdf(data["x"]) for v in of_classes(data["x"], y)], axis=1
    )
    model = likely.NaiveBayes(families={"x": "uniform"}, prior=None, evidence_weights=None).fit(x, y)
    assert_allclose(model.predict_proba(x), posterior(y, logs), rtol=1e-9, atol=1e-12)


@every_family
def test_pieces_are_the_whole_and_what_is_taken_out_is_gone(family: Any) -> None:
    data, y = table()
    early, late = np.arange(N) < 170, np.arange(N) >= 170
    whole = model_of(family).fit(data, y)
    first, second = (model_of(family).fit(cut(data, part), y[part]) for part in (early, late))
    expected = whole.predict_proba(data)
    assert_allclose((first + second).predict_proba(data), expected, rtol=1e-9, atol=1e-15)
    steps = model_of(family).partial_fit(cut(data, early), y[early]).partial_fit(cut(data, late), y[late])
    assert_allclose(steps.predict_proba(data), expected, rtol=1e-9, atol=1e-15)
    rows = cut(data, early)  # of the others some are impossible under a uniform distribution of these
    assert_allclose((whole - second).predict_proba(rows), first.predict_proba(rows), rtol=1e-9, atol=1e-15)
    twice = model_of(family).fit(data, y, sample_weight=np.full(N, 2.0))
    doubled = {name: np.tile(column, 2) for name, column in data.items()}
    again = model_of(family).fit(doubled, np.tile(y, 2)).predict_proba(data)
    assert_allclose(twice.predict_proba(data), again, rtol=1e-9, atol=1e-15)


@every_family
def test_it_says_why_draws_and_is_kept(family: Any) -> None:
    data, y = table()
    model = model_of(family).fit(data, y)
    rows = cut(data, np.arange(40))
    proba = model.predict_proba(rows)
    assert_allclose(proba.sum(axis=1), 1)
    assert (model.predict(data) == y).mean() > 0.7
    ledgers = model.explain(rows, "b", "a")
    with np.errstate(divide="ignore"):
        log_odds = np.log(proba[:, 1]) - np.log(proba[:, 0])
    total = ledgers.total
    finite = np.isfinite(log_odds)
    assert finite.sum() > 20
    assert_allclose(total[finite], log_odds[finite], rtol=1e-9, atol=1e-9)
    drawn = model.sample(4000, random_state=1)
    name = "k" if family in ("geometric", "binomial") else "x"
    for label in "ab":
        own = np.asarray(drawn[name])[np.asarray(drawn["y"]) == label]
        seen = data[name][(y == label) & ~np.isnan(data[name])]
        middle = (seen.min() + seen.max()) / 2 if family == "uniform" else seen.mean()
        assert abs(own.mean() - middle) < 0.25 * seen.std()
    kept = pickle.loads(pickle.dumps(model))
    assert_allclose(kept.predict_proba(rows), proba)


@every_family
@pytest.mark.parametrize("estimate", ["ml", "map", "mean", "predictive"])
def test_every_estimate_works(family: Any, estimate: str) -> None:
    data, y = table()
    proba = model_of(family, estimate=estimate).fit(data, y).predict_proba(data)
    assert np.isfinite(proba).all()
    assert ((proba.argmax(axis=1) == 1) == (y == "b")).mean() > 0.7


def test_two_columns_of_one_family_and_many_classes() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 4, 2000)
    rows = rng.normal(size=(2000, 3)) + y[:, None] * [1.0, -2.0, 0.0]
    for family in ("kernel", "histogram"):
        model = likely.NaiveBayes(families=family, evidence_weights=None).fit(rows, y)
        plain = likely.NaiveBayes(families="classical", evidence_weights=None).fit(rows, y)
        assert abs(model.score(rows, y) - plain.score(rows, y)) < 0.05
        one = likely.NaiveBayes(families=family, n_jobs=1, evidence_weights=None).fit(rows, y)
        assert (one.predict_proba(rows) == model.predict_proba(rows)).all()


def test_the_likeliest_bandwidth_is_named_as_it_is_given() -> None:
    data, y = table()
    named, given = (
        likely.NaiveBayes(families={"x": family}, evidence_weights=None).fit(data, y).predict_proba(data)
        for family in ("kernel_by_likelihood", KernelByLikelihood)
    )
    assert (named == given).all()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"families": {"k": "geometric"}}, "column 'k': value 0 is impossible: .* add 1"),
        (
            {"families": {"k": "binomial"}, "prior": {"k": BinomialBeta(1, 1, trials=2)}},
            "column 'k': a count of 3",
        ),
        ({"families": {"k": ["normal"]}}, r"family \['normal'\] for column 'k' is unknown"),
    ],
)
def test_what_a_family_refuses_is_refused_of_a_column(options: Any, said: str) -> None:
    with pytest.raises(LikelyError, match=said):
        likely.NaiveBayes(**{"families": "classical", "evidence_weights": None, **options}).fit(
            {"x": [1.0, 2.0, 3.0, 4.0], "k": [0, 1, 2, 3]}, list("aabb")
        )


@pytest.mark.parametrize(
    ("options", "cells", "row", "said"),
    [
        ({"families": "uniform"}, [1.0, 2.0, 3.0, 5.0], [99.0], "'x' .uniform. .* another family"),
        ({"families": "binomial"}, [1, 2, 3, 5], [9], "'x' .binomial. .* another family"),
        (
            {"prior": None, "families": "uniform"},
            [1.0, 2.0, 3.0, 5.0],
            [9.0],
            "'x' .uniform. .* give a prior",
        ),
        (
            {"prior": None, "kinds": "text"},
            ["p x", "x p", "q x", "x q"],
            ["p q"],
            "'x' .multinomial. .* give a prior",
        ),
    ],
)
def test_a_row_that_no_class_allows_is_told_with_its_cell(
    options: Any, cells: Any, row: Any, said: str
) -> None:
    model = likely.NaiveBayes(**{"families": "classical", "evidence_weights": None, **options}).fit(
        {"x": cells}, list("aabb")
    )
    with pytest.warns(likely.LikelyWarning, match=f"1 row has probability 0 .* In row 1 column {said}"):
        found = model.predict_proba({"x": [*cells[:1], *row]})
    assert found[1].tolist() == [0.5, 0.5]


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_far_from_zero_a_binned_column_has_no_negative_variance():
    # Of a bar as wide as a step of the grid, 1e12 away, the difference of both squares may be below 0.
    for seed in range(20):
        rng = np.random.default_rng(seed)
        model = likely.NaiveBayes(prior=None, evidence_weights=None)
        model.fit({"x": 1e12 + rng.normal(size=2), "z": rng.normal(size=2)}, ["u", "v"])
        assert (model.record_.parts[0].distribution.variance >= 0).all()
        assert "bins" in str(model.describe())
