"""Mixtures: against scikit-learn, against EM written out row by row, and the laws of EM."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from seeds import first, seeds
from sklearn.mixture import GaussianMixture

import likely
from likely.errors import LikelyError

SKLEARN = {"full": "full", "diagonal": "diag", "tied": "tied", "spherical": "spherical"}


def clouds(seed: int, n: int = 600, d: int = 3, k: int = 3) -> Any:
    rng = np.random.default_rng(seed)
    parts = [
        rng.normal(size=(n // k, d)) @ rng.normal(size=(d, d)) + 4 * rng.normal(size=d) for _ in range(k)
    ]
    return np.concatenate(parts)


class Started(GaussianMixture):
    """scikit-learn's mixture from given responsibilities."""

    def __init__(self, shares: Any = None, **more: Any) -> None:
        super().__init__(**more)
        self.shares = shares

    def _initialize_parameters(self, X: Any, random_state: Any, *more: Any, **others: Any) -> None:
        self._initialize(X, self.shares)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("iterations", [1, 5, 20])
@pytest.mark.parametrize("covariance", list(SKLEARN))
def test_equal_to_scikit_learn_from_the_same_start(covariance: str, iterations: int) -> None:
    X = clouds(1)
    shares = np.random.default_rng(2).dirichlet(np.ones(3), len(X))
    ours = likely.Mixture(3, covariance=covariance, prior=None, init=shares, max_iter=iterations, tol=0).fit(
        X
    )
    theirs = Started(
        shares,
        n_components=3,
        covariance_type=SKLEARN[covariance],
        reg_covar=0,
        max_iter=iterations,
        tol=0,
    ).fit(X)
    assert ours.n_iter_ == iterations
    assert ours.score(X) == pytest.approx(theirs.score(X), rel=1e-8)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)


def test_missing_cells_of_a_joint_normal_against_em_row_by_row() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 3)) @ rng.normal(size=(3, 3)) + 1
    X[rng.random(X.shape) < 0.25] = np.nan
    X[:3] = np.nan
    shares = rng.dirichlet(np.ones(2), len(X))
    weights = np.array([0.5, 0.5])
    means, covariances = _first_m_step(X, shares)
    weights = shares.mean(axis=0)
    for _ in range(6):
        weights, means, covariances = _row_by_row(X, weights, means, covariances)
    model = likely.Mixture(2, prior=None, init=shares, max_iter=6, tol=0).fit(X)
    part = model.record_.core.parts[0].distribution
    np.testing.assert_allclose(np.exp(model.record_.core.log_weights), weights, rtol=1e-9)
    np.testing.assert_allclose(part.mean, means, rtol=1e-8)
    np.testing.assert_allclose(part.covariance, covariances, rtol=1e-8)


def _first_m_step(X: Any, shares: Any) -> Any:
    """Before there is a model, missing cells have the mean and the variance of their column."""
    gaps = np.isnan(X)
    whole, variance = np.where(gaps, np.nanmean(X, axis=0), X), np.nanvar(X, axis=0)
    means, covariances = [], []
    for share in shares.T:
        mean = share @ whole / share.sum()
        means.append(mean)
        spread = np.diag((share @ gaps) * variance)
        scatter = (share[:, None] * (whole - mean)).T @ (whole - mean) + spread
        covariances.append(scatter / share.sum())
    return np.array(means), np.array(covariances)


def _row_by_row(X: Any, weights: Any, means: Any, covariances: Any) -> Any:
    n, d = X.shape
    k = len(weights)
    log_joint, guess, rest = np.zeros((n, k)), np.zeros((n, k, d)), np.zeros((n, k, d, d))
    for i, row in enumerate(X):
        gap = np.isnan(row)
        known = ~gap
        for g in range(k):
            mean, matrix = means[g], covariances[g]
            log_joint[i, g] = np.log(weights[g])
            guess[i, g] = np.where(gap, mean, row)
            rest[i, g] = np.where(np.outer(gap, gap), matrix, 0)
            if known.any():
                inner = matrix[np.ix_(known, known)]
                apart = row[known] - mean[known]
                q = apart @ np.linalg.solve(inner, apart)
                log_joint[i, g] -= 0.5 * (q + np.linalg.slogdet(2 * np.pi * inner)[1])
                slope = matrix[np.ix_(gap, known)] @ np.linalg.inv(inner)
                guess[i, g, gap] += slope @ apart
                rest[i, g][np.ix_(gap, gap)] -= slope @ matrix[np.ix_(known, gap)]
    share = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    total = share.sum(axis=0)
    means = np.einsum("ng,ngd->gd", share, guess) / total[:, None]
    apart = guess - means
    squares = np.einsum("ng,ngi,ngj->gij", share, apart, apart) + np.einsum("ng,ngij->gij", share, rest)
    return total / n, means, squares / total[:, None, None]


def mixed(seed: int, n: int = 300) -> dict[str, Any]:
    """Two groups in a table of every kind, with gaps."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 2, n)
    table: dict[str, Any] = {
        "height": rng.normal(170 + 20 * group, 8),
        "weight": rng.normal(60 + 20 * group, 10),
        "visits": rng.poisson(2 + 5 * group).astype(float),
        "colour": np.array(["red", "green", "blue"], object)[
            (rng.random(n) < 0.7) * group + rng.integers(0, 2, n)
        ],
        "member": rng.random(n) < 0.2 + 0.6 * group,
    }
    for name in ("height", "visits"):
        table[name] = np.where(rng.random(n) < 0.1, np.nan, table[name])
    table["colour"] = np.where(rng.random(n) < 0.1, None, table["colour"])
    return table


@pytest.mark.parametrize("prior", ["default", 3.0, None], ids=["default", "strong", "ml"])
@pytest.mark.parametrize("covariance", ["full", "diagonal"])
@pytest.mark.parametrize("missing", first(1, ["ignore", "level"]))
def test_the_objective_never_falls_on_mixed_kinds(prior: Any, covariance: str, missing: str) -> None:
    model = likely.Mixture(
        3,
        kinds={"visits": "count"},
        covariance=covariance,
        prior=prior,
        missing=missing,
        init="random",
        random_state=1,
        tol=0,
        max_iter=60,
    ).fit(mixed(4))
    history = np.array(model.history_)
    assert len(history) == 61
    assert (np.diff(history) >= -1e-10 * np.abs(history[1:])).all()
    assert history[-1] > history[0]


def test_the_objective_is_the_log_likelihood_plus_the_log_prior() -> None:
    table = mixed(5)
    ml = likely.Mixture(2, prior=None, init="random", random_state=0, max_iter=5, tol=0).fit(table)
    assert ml.history_[-1] == pytest.approx(ml.log_prob(table).sum(), rel=1e-12)


def test_a_row_of_weight_2_is_the_row_twice_and_of_weight_0_none() -> None:
    X = clouds(6, n=90)
    weight = np.random.default_rng(0).integers(0, 3, len(X)).astype(float)
    labels = np.random.default_rng(1).integers(0, 2, len(X))
    index = np.repeat(np.arange(len(X)), weight.astype(int))
    weighted = likely.Mixture(2, init=labels, tol=0, max_iter=8).fit(X, sample_weight=weight)
    repeated = likely.Mixture(2, init=labels[index], tol=0, max_iter=8).fit(X[index])
    np.testing.assert_allclose(weighted.history_, repeated.history_, rtol=1e-10)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-8)


def test_labels_are_kept_and_the_rest_is_guessed() -> None:
    table = mixed(7, n=400)
    truth = np.where(np.asarray(table["weight"]) > 70, "heavy", "light").astype(object)
    told = truth.copy()
    told[40:] = None
    model = likely.Mixture(2).fit(table, told)
    assert list(model.classes_) == ["heavy", "light"]
    assert (model.predict(table) == truth).mean() > 0.8


def test_all_rows_told_is_naive_bayes() -> None:
    # The default prior of a mixture is fixed from all rows together, that of naive Bayes within classes.
    table = mixed(7, n=400)
    truth = np.where(np.asarray(table["weight"]) > 70, "heavy", "light").astype(object)
    full = likely.Mixture(2, covariance="diagonal", prior=None).fit(table, truth)
    twin = likely.NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(table, truth)
    np.testing.assert_allclose(full.predict_proba(table), twin.predict_proba(table), atol=1e-12)


def test_more_groups_than_labels_and_fewer() -> None:
    X = clouds(8)
    told = np.full(len(X), None, object)
    told[:5] = "a"
    model = likely.Mixture(3, random_state=0).fit(X, told)
    assert list(model.classes_) == ["a", "0", "1"]
    assert set(model.predict(X[:5])) == {"a"}
    fewer = likely.Mixture(1, random_state=0).fit(X, np.repeat(["a", "b", "c"], len(X) // 3))
    assert list(fewer.classes_) == ["a", "b", "c"]


@pytest.mark.parametrize("covariance", list(SKLEARN))
def test_groups_are_numbered_by_size_unless_they_are_named(covariance: str) -> None:
    rng = np.random.default_rng(16)
    X = np.concatenate([rng.normal(m, 1, (n, 2)) for m, n in ((-9, 30), (0, 90), (9, 60))])
    truth = np.repeat([2, 0, 1], [30, 90, 60])
    by_chance, named = (
        likely.Mixture(3, covariance=covariance, init=init, random_state=3).fit(X)
        for init in ("kmeans", 2 - truth)
    )
    assert (by_chance.predict(X) == truth).all()
    assert (named.predict(X) == 2 - truth).all()
    ml = likely.Mixture(3, covariance=covariance, prior=None, random_state=3).fit(X)
    assert ml.history_[-1] == pytest.approx(ml.log_prob(X).sum(), rel=1e-12)
    mine = likely.Mixture(3, base_rate={0: 0.2, 1: 0.5, 2: 0.3}, random_state=3, covariance=covariance).fit(X)
    assert np.exp(mine.record_.core.log_weights) == pytest.approx([0.2, 0.5, 0.3])


def test_the_number_of_groups_is_found() -> None:
    rng = np.random.default_rng(9)
    X = np.concatenate([rng.normal(m, 1, (150, 2)) for m in (-6, 0, 6)])
    for criterion in ("bic", "icl", "mdl"):
        model = likely.Mixture("auto", criterion=criterion, random_state=0).fit(X[::3])
        assert len(model.classes_) == 3, criterion
        assert model.curve_.best == 3
        # three more that make it no better, or two where the last pays for less than half of what it costs
        tried = [one.components for one in model.curve_.tried]
        assert tried in ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6])
    one = model.curve_.tried[2]
    assert one.parameters == 3 * (2 + 3) + 2
    assert "<- fewest" in repr(model.curve_)


def test_bic_is_that_of_scikit_learn() -> None:
    X = clouds(10)
    model = likely.Mixture("auto", prior=None, random_state=0, max_iter=5).fit(X)
    one = model.curve_.tried[0]
    theirs = GaussianMixture(1, reg_covar=0).fit(X)
    assert one.bits == pytest.approx(theirs.bic(X) / 2 / np.log(2), rel=1e-9)


@pytest.mark.parametrize(
    ("table", "k"),
    [
        ({"x": [1.0]}, 1),
        ({"x": [1.0, 1.0, 1.0]}, 2),
        ({"x": [1.0, 2.0], "y": [5.0, 5.0]}, 2),
        ({"x": [None, None], "y": [1.0, 2.0]}, 2),
        ({"x": np.full(3, np.nan), "y": np.full(3, np.nan)}, 2),
        ({"x": [1.0, 2.0], "y": [4.0, 3.0], "c": ["u", "v"]}, 2),
        ({"x": [1.0, 5.0] * 4, "y": [2.0, 2.5] * 4}, 3),
        ({"x": [1.0, 2.0, 3.0], "y": [2.0, 4.0, 6.0]}, 2),
        ({"x": [0.0, 1e140, -1e140, 1.0]}, 2),
        ({"c": ["a", "a", None]}, 2),
        ({"x": [np.nan, np.nan, 1.0], "y": [1.0, np.nan, np.nan]}, 2),
        ({"t": ["win a prize", "see you soon", None]}, 2),
    ],
    ids=[
        "row",
        "constant",
        "beside",
        "empty",
        "all-empty",
        "group-a-row",
        "copies",
        "collinear",
        "huge",
        "level",
        "gaps",
        "text",
    ],
)
def test_little_or_odd_data_have_an_answer(table: Any, k: int) -> None:
    kinds = {"t": "text"} if "t" in table else None
    model = likely.Mixture(k, kinds=kinds, random_state=0).fit(table)
    shares = model.predict_proba(table)
    assert np.isfinite(shares).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-12)
    assert np.isfinite(model.history_).all()


def test_more_groups_than_rows_are_refused() -> None:
    table, weight = {"x": [1.0, 2.0, 4.0, 8.0], "c": ["u", "v", "u", "v"]}, [1.0, 1.0, 1.0, 0.0]
    for k in (5, 99):
        with pytest.raises(LikelyError, match=f"components={k}, but the table has 4 rows .*components=4 or"):
            likely.Mixture(k, random_state=0).fit(table)
    with pytest.raises(LikelyError, match="components=4, but the table has 3 rows"):
        likely.Mixture(4, random_state=0).fit(table, sample_weight=weight)  # a row without weight is no row
    with pytest.raises(LikelyError, match="components=2, but the table has 1 row "):
        likely.Mixture(2).fit({"x": [1.0]})
    with pytest.raises(LikelyError, match="components=9, but the table has 4 rows"):
        likely.Impute("mixture", components=9, random_state=0).fit(table)
    for k, options in ((4, {}), (3, {"sample_weight": weight}), ("auto", {"sample_weight": weight})):
        model = likely.Mixture(k, random_state=0).fit(table, **options)
        assert model.predict_proba(table).sum(axis=1) == pytest.approx(1)
    told = likely.Mixture(2, random_state=0).fit(table, ["a", "a", None, "b"], sample_weight=weight)
    assert told.classes_.tolist() == ["a", "b"]  # one has no row that counts


def test_what_cannot_be_learnt_is_refused() -> None:
    X = clouds(11, n=30)
    for wrong in (0, 1.5, "many", True):
        with pytest.raises(LikelyError, match="components="):
            likely.Mixture(wrong).fit(X)
    with pytest.raises(LikelyError, match="init='best' is unknown"):
        likely.Mixture(2, init="best").fit(X)
    with pytest.raises(LikelyError, match=r"init of shape \(3,\) does not fit"):
        likely.Mixture(2, init=[0, 1, 0]).fit(X)
    with pytest.raises(LikelyError, match="criterion='aic' is unknown"):
        likely.Mixture("auto", criterion="aic").fit(X)
    for extreme, says in ((np.inf, "infinity"), (1e300, r"1e\+300")):
        rows = X.copy()
        rows[7, 1] = extreme
        with pytest.raises(LikelyError, match=rf"{says}.*column 'x1', row 7"):
            likely.Mixture(2).fit(rows)
    with pytest.raises(LikelyError, match="covariance='round' is unknown"):
        likely.Mixture(2, covariance="round").fit(X)
    for family in ("kernel", "histogram", "uniform"):
        with pytest.raises(LikelyError, match=f"column 'x0': the {family} family cannot be learnt by EM"):
            likely.Mixture(2, families=family).fit(X)


def test_any_library_in_and_out() -> None:
    import polars as pl

    table = pl.DataFrame(mixed(12))
    model = likely.Mixture(2, random_state=0).fit(table)
    drawn = model.sample(5, random_state=0)
    assert isinstance(drawn, pl.DataFrame)
    assert drawn.columns == [*table.columns, "group"]


def test_questions_and_evidence() -> None:
    table = mixed(13)
    model = likely.Mixture(2, random_state=0).fit(table)
    rows = {name: list(column[:4]) for name, column in table.items()}
    ledgers = model.explain(rows)
    log_odds = np.sort(model.predict_log_proba(rows), axis=1)
    for i in range(4):
        assert ledgers[i].total == pytest.approx(log_odds[i, -1] - log_odds[i, -2], abs=1e-9)
    assert model.ask("P(group=0) ") == pytest.approx(np.exp(model.record_.core.log_weights[0]), abs=1e-12)


@pytest.mark.parametrize(
    "covariance", ["full", "tied", "diagonal", "tied_diagonal", "spherical", "tied_spherical"]
)
def test_collapse_stops_at_a_floor_that_is_fixed(covariance: str) -> None:
    """By maximum likelihood a group shrinks onto rows that are alike: to 1e-9 of the columns' variances."""
    rng = np.random.default_rng(14)
    X = np.concatenate([np.tile([1.0, 20.0], (6, 1)), rng.normal(size=(20, 2)) * [1, 10] + [4, 0]])
    start = np.repeat([0, 1], [6, 20])
    model = likely.Mixture(2, covariance=covariance, prior=None, init=start, tol=0, max_iter=50).fit(X)
    sds = model.record_.core.parts[0].distribution.sd
    assert np.isfinite(model.history_).all()
    assert np.isfinite(model.predict_proba(X)).all()
    if covariance in ("full", "diagonal"):
        np.testing.assert_allclose(sds[0], np.sqrt(1e-9) * X.std(axis=0), rtol=1e-4)
        assert (model.predict(X) == start).all()
    smoothed = likely.Mixture(2, covariance=covariance, init=start).fit(X)
    assert (smoothed.record_.core.parts[0].distribution.sd > 0.01 * X.std(axis=0)).all()


def test_the_floor_is_the_most_likely_covariance_above_it() -> None:
    """Against a search over all covariances of two columns that exceed the floor."""
    from scipy.optimize import minimize

    from likely.dist.elliptical import floored

    seen, floor = np.array([[2.0, 1.2], [1.2, 0.73]]), np.array([0.3, 0.05])

    def minus(parameters: Any) -> float:
        root = np.array([[parameters[0], 0], parameters[1:]])
        covariance = np.diag(floor) + root @ root.T
        return float(np.linalg.slogdet(covariance)[1] + np.trace(np.linalg.solve(covariance, seen)))

    found = floored(seen[None], floor)[0]
    ours = np.linalg.slogdet(found)[1] + np.trace(np.linalg.solve(found, seen))
    best = min((minimize(minus, start, tol=1e-14) for start in np.eye(3) + 0.1), key=lambda run: run.fun)
    assert ours == pytest.approx(best.fun, abs=1e-8)
    assert np.linalg.eigvalsh(found - np.diag(floor)).min() > -1e-12
    np.testing.assert_array_equal(floored(seen[None], floor / 1e6), seen[None])  # nothing to lift


@pytest.mark.parametrize("covariance", ["full", "tied"])
@pytest.mark.parametrize("seed", seeds(2, 6))
def test_collinear_columns_and_copies_by_maximum_likelihood(covariance: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 3)) * [1e-3, 1, 1e3] + 50
    if seed % 2:
        X[:, 2] = X[:, 0] - 4 * X[:, 1]
    else:
        X = X[rng.integers(0, 8, 30)]
    model = likely.Mixture(3, covariance=covariance, prior=None, random_state=seed, tol=0, max_iter=60).fit(X)
    history = np.array(model.history_)
    # The tolerance of 1e-10 grows with how nearly the columns determine each other: 1e9 times of 1e-16.
    assert (np.diff(history) >= -1e-6 * np.maximum(1, np.abs(history[1:]))).all()
    shares = model.predict_proba(X)
    assert np.isfinite(shares).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-12)


def test_an_interrupt_ends_the_search_for_the_number_of_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    from likely.models.mixture.e_step import Hidden

    X, expect, calls = clouds(15, n=90), Hidden.expect, 0

    def stop(self: Any, record: Any) -> Any:
        nonlocal calls
        calls += len(record.classes) == 3
        if calls == 4:
            raise KeyboardInterrupt
        return expect(self, record)

    monkeypatch.setattr(Hidden, "expect", stop)
    with pytest.warns(likely.LikelyWarning, match="interrupted after 2 iterations: the best model so far"):
        model = likely.Mixture("auto", random_state=0).fit(X)
    assert [one.components for one in model.curve_.tried] == [1, 2, 3]
    assert model.curve_.best == len(model.classes_)
