"""Imputation: against the formulas of conditional distributions, and everything else left as it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal, poisson
from seeds import sizes

import likely
from likely.engine import Memory
from likely.errors import LikelyError, LikelyWarning


def with_gaps(seed: int, n: int = 200) -> Any:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) @ [[1, 0.8, 0.2], [0, 1, -0.5], [0, 0, 0.6]] + [5, 0, -3]
    X[rng.random(X.shape) < 0.2] = np.nan
    return X


def conditional(row: Any, mean: Any, covariance: Any) -> tuple[Any, Any, float]:
    """Mean and covariance of the gaps given the rest, and the log density of the rest."""
    gap = np.isnan(row)
    known = ~gap
    inner = covariance[np.ix_(known, known)]
    slope = covariance[np.ix_(gap, known)] @ np.linalg.inv(inner)
    log_p = multivariate_normal(mean[known], inner).logpdf(row[known]) if known.any() else 0.0
    spread = covariance[np.ix_(gap, gap)] - slope @ covariance[np.ix_(known, gap)]
    return mean[gap] + slope @ (row - mean)[known], spread, float(log_p)


def test_joint_normal_fills_with_the_conditional_mean() -> None:
    X = with_gaps(0)
    X[0] = np.nan
    model = likely.Impute("gaussian").fit(X)
    part = model.record_.core.parts[0].distribution
    filled = model.transform(X)
    for row, out in zip(X, filled, strict=True):
        gap = np.isnan(row)
        np.testing.assert_array_equal(out[~gap], row[~gap])
        if gap.any():
            expected = conditional(row, part.mean[0], part.covariance[0])[0]
            np.testing.assert_allclose(out[gap], expected, rtol=1e-9, atol=1e-9)


def test_mixture_weighs_the_conditional_means_of_its_groups() -> None:
    rng = np.random.default_rng(1)
    X = np.concatenate([with_gaps(1), 4 - with_gaps(2)])
    X[rng.random(X.shape) < 0.1] = np.nan
    model = likely.Impute(likely.Mixture(2, random_state=0)).fit(X)
    core = model.record_.core
    part, filled = core.parts[0].distribution, model.transform(X)
    for row, out in zip(X, filled, strict=True):
        gap = np.isnan(row)
        if not gap.any():
            continue
        both = [conditional(row, part.mean[g], part.covariance[g]) for g in range(2)]
        log_share = core.log_weights + [one[2] for one in both]
        share = np.exp(log_share - logsumexp(log_share))
        np.testing.assert_allclose(out[gap], share @ [one[0] for one in both], rtol=1e-8, atol=1e-8)


def mixed(n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    group = rng.integers(0, 2, n)
    frame = pd.DataFrame(
        {
            "height": rng.normal(160 + 25 * group, 6).astype(np.float32),
            "visits": rng.poisson(1 + 6 * group).astype(float),
            "member": pd.array(rng.random(n) < 0.1 + 0.8 * group, dtype="boolean"),
            "colour": pd.Categorical(np.array(["red", "blue", "green"])[group + (rng.random(n) < 0.1)]),
            "year": pd.array(2000 + group * 10 + rng.integers(0, 3, n), dtype="Int64"),
            "note": rng.choice(["good day", "bad night"], n),
        },
        index=[f"row {i}" for i in range(n)],
    )
    for j, name in enumerate(frame.columns):
        frame.loc[rng.random(n) < 0.1 + 0.01 * j, name] = None
    return frame


KINDS = {"visits": "count", "note": "text"}


def test_levels_and_counts_are_the_most_probable_ones() -> None:
    frame = mixed()
    model = likely.Impute("mixture", components=2, kinds=KINDS, random_state=0).fit(frame)
    out, record = model.transform(frame), model.record_
    shares = record.posterior(likely.table.frame.Frame.of(frame), Memory(), log=False)[0]
    by_family = {part.family.name: part.distribution for part in record.core.parts}
    colours, p = list(frame["colour"].cat.categories), by_family["categorical"].probs
    rates, truth = by_family["poisson"].rate[:, 0], by_family["bernoulli"].p[:, 0]
    for i in range(len(frame)):
        if pd.isna(frame["colour"].iloc[i]):
            assert out["colour"].iloc[i] == colours[int((shares[i] @ p).argmax())]
        if pd.isna(frame["member"].iloc[i]):
            assert out["member"].iloc[i] == (shares[i] @ truth > 0.5)
        if pd.isna(frame["visits"].iloc[i]):
            masses = [shares[i] @ poisson(rates).pmf(k) for k in range(60)]
            assert out["visits"].iloc[i] == int(np.argmax(masses))


def test_everything_else_stays_as_it_was() -> None:
    frame = mixed()
    for model in (
        likely.Impute("gaussian", kinds=KINDS),
        likely.Impute(kinds=KINDS, components=2, random_state=0),
    ):
        out = model.fit_transform(frame)
        assert out.index.equals(frame.index)
        assert (out.dtypes == frame.dtypes).all()
        assert list(out.columns) == list(frame.columns)
        known = frame.notna()
        assert out["note"].isna().equals(frame["note"].isna())  # texts are left alone
        assert not out.drop(columns="note").isna().any().any()
        for name in frame.columns:
            inside = known[name]
            pd.testing.assert_series_equal(out.loc[inside, name], frame.loc[inside, name])
        assert model.get_feature_names_out().tolist() == list(frame.columns)


def test_any_library_in_and_out() -> None:
    frame = mixed().drop(columns="member")
    plain = {name: [None if pd.isna(v) else v for v in frame[name].tolist()] for name in frame.columns}
    polars = pl.DataFrame(plain).with_columns(pl.col("colour").cast(pl.Enum(["blue", "green", "red"])))
    tables = [plain, polars, polars.to_arrow()]
    fitted = [likely.Impute(components=2, kinds=KINDS, random_state=0).fit(table) for table in tables]
    outs = [model.transform(table) for model, table in zip(fitted, tables, strict=True)]
    assert isinstance(outs[0], dict)
    assert isinstance(outs[0]["height"], list)
    assert outs[1].schema == polars.schema
    assert isinstance(outs[2], pa.Table)
    assert outs[2].schema == polars.to_arrow().schema
    for name in frame.columns:
        assert outs[1][name].to_list() == outs[2][name].to_pylist() == outs[0][name]
    assert plain["height"].count(None) > 0  # the table that came in has kept its gaps


def test_columns_that_the_model_does_not_know_stay() -> None:
    frame = mixed()[["height", "visits", "colour"]]
    model = likely.Impute(components=2).fit(frame)
    wider = frame.copy()
    wider.insert(0, "extra", np.arange(len(frame)))
    with pytest.warns(LikelyWarning, match="extra"):
        out = model.transform(wider)
    assert out["extra"].equals(wider["extra"])
    pd.testing.assert_frame_equal(out[list(frame.columns)], model.transform(frame))


@pytest.mark.parametrize("n", sizes(500, 4000))
def test_draws_have_the_mean_and_the_spread_of_the_conditional(n: int) -> None:
    X = with_gaps(4)
    X[0], X[1] = [np.nan, 1.0, -2.0], [np.nan, np.nan, -2.0]
    model = likely.Impute("gaussian").fit(X)
    part = model.record_.core.parts[0].distribution
    tables = np.array(model.sample(X[:2], n, random_state=0))
    for i in range(2):
        mean, spread, _ = conditional(X[i], part.mean[0], part.covariance[0])
        drawn = tables[:, i, np.isnan(X[i])]
        # False alarms: each of these passes but for 6 in 100,000.
        assert (np.abs(drawn.mean(axis=0) - mean) < 4 * np.sqrt(np.diag(spread) / n)).all()
        assert (np.abs(drawn.var(axis=0) / np.diag(spread) - 1) < 4 * np.sqrt(2 / n)).all()
    correlation = np.corrcoef(tables[:, 1, 0], tables[:, 1, 1])[0, 1]
    assert correlation == pytest.approx(
        spread[0, 1] / np.sqrt(spread[0, 0] * spread[1, 1]), abs=3.8 / np.sqrt(n)
    )
    assert (tables[:, 0, 1:] == X[0, 1:]).all()


@pytest.mark.parametrize("n", sizes(250, 2000))
def test_draws_of_a_mixture_keep_its_groups_apart(n: int) -> None:
    rng = np.random.default_rng(5)
    x = np.concatenate([rng.normal(-10, 1, 300), rng.normal(10, 1, 100)])
    table = np.stack([x, np.where(x > 0, 1.0, 0.0) + rng.normal(0, 0.1, 400)], axis=1)
    row = np.array([[np.nan, np.nan]])
    model = likely.Impute("mixture", components=2, fill="drawn", random_state=0).fit(table)
    drawn = np.array(model.sample(row, n, random_state=1))[:, 0, 0]
    assert (np.abs(np.abs(drawn) - 10) < 5).all()
    assert (drawn > 0).mean() == pytest.approx(0.25, abs=4.5 * np.sqrt(0.25 * 0.75 / n))
    assert np.abs(model.transform(row)[0, 0]) > 5  # a draw, where the expectation is -5
    np.testing.assert_array_equal(model.transform(row), model.transform(row))


def test_threads_do_not_matter() -> None:
    X = np.tile(with_gaps(6), (100, 1))
    one, two = (
        likely.Impute("gaussian", fill="drawn", random_state=0, n_jobs=n).fit(X).transform(X) for n in (1, 2)
    )
    np.testing.assert_array_equal(one, two)


def test_a_file_brings_it_back(tmp_path: Any) -> None:
    frame = mixed()
    model = likely.Impute("mixture", components=2, kinds=KINDS, random_state=0).fit(frame)
    model.save(tmp_path / "impute.likely")
    again = likely.load(tmp_path / "impute.likely")
    pd.testing.assert_frame_equal(again.transform(frame), model.transform(frame))


def test_output_as_asked() -> None:
    X = with_gaps(7)
    out = likely.Impute(components=2).set_output(transform="pandas").fit_transform(X)
    assert list(out.columns) == ["x0", "x1", "x2"]
    assert not out.isna().any().any()


def test_nothing_known_stays_missing_and_is_said() -> None:
    table = {"x": [1.0, None, 3.0], "empty": [None, None, None]}
    with pytest.warns(LikelyWarning, match="'empty' had no known value"):
        out = likely.Impute().fit_transform(table)
    assert out["empty"] == [None, None, None]
    for model in (
        likely.Impute("gaussian"),
        likely.Impute("mixture", components=2, fill="drawn", random_state=0),
    ):
        with pytest.warns(LikelyWarning, match="'x1' had no known value"):
            numbers = model.fit_transform(np.array([[1.0, np.nan], [np.nan, np.nan], [3.0, np.nan]]))
        assert np.isnan(numbers).tolist() == [[False, True]] * 3
    listed = pd.DataFrame({"x": [1.0, 2.0], "c": pd.Categorical([None, None], categories=["a", "b"])})
    with pytest.warns(LikelyWarning, match="'c' had no known value"):
        assert likely.Impute(components=1).fit_transform(listed)["c"].isna().all()
    assert out["x"] == [1.0, 2.0, 3.0]
    with pytest.warns(LikelyWarning, match="columns 'empty', 'void' had no .*: their gaps stay"):
        likely.Impute(components=1).fit_transform({**table, "void": pd.Series([None] * 3, dtype="float64")})
    # New gaps and new rows are filled by what was learnt.
    assert likely.Impute().fit({"x": [1.0, 3.0]}).transform({"x": [None]})["x"] == [2.0]


def test_wrong_options_are_refused() -> None:
    X = with_gaps(8)
    with pytest.raises(LikelyError, match="model='forest'"):
        likely.Impute("forest").fit(X)
    with pytest.raises(LikelyError, match="fill='best' is unknown"):
        likely.Impute(fill="best").fit(X)
    with pytest.raises(LikelyError, match="missing='level'"):
        likely.Impute(likely.Mixture(2, missing="level")).fit(X)


def test_levels_are_filled_by_the_rest_of_the_row() -> None:
    """By default: the most common level of all is wrong for half of these rows."""
    rng = np.random.default_rng(9)
    kind = np.repeat(["crow", "wren"], 60)
    weight = np.where(kind == "crow", 500.0, 10.0) * np.exp(rng.normal(0, 0.1, 120))
    gaps = rng.random(120) < 0.3
    table = {"weight": weight, "kind": np.where(gaps, None, kind)}
    filled = likely.Impute(random_state=0).fit_transform(table)
    assert list(filled["kind"]) == kind.tolist()


@pytest.mark.parametrize("seed", [1, 3, 5, 6])
def test_five_rows_far_from_0_are_filled_as_near_0(seed: int) -> None:
    """Their last digit is 1e-4 of their spread, and EM's objective is off by as much: it need not rise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(5, rng.integers(2, 4)))
    X = np.column_stack([X[:, :1], 2 * X[:, :1], X[:, 1:]]) if seed % 3 == 0 else X
    X = np.round(X) if seed % 3 == 1 else X
    far = X + 1e12
    far[rng.random(X.shape) < 0.25] = np.nan
    filled = likely.Impute(random_state=0).fit_transform(far)
    known = ~np.isnan(far)
    assert (filled[known] == far[known]).all()
    assert (np.abs(filled - 1e12) < 10).all()


def test_the_table_says_what_fills_a_row_of_which_nothing_is_known() -> None:
    X = with_gaps(1)
    model = likely.Impute("gaussian").fit(X)
    told = [line["alone"] for line in model.table().lines]
    assert told == pytest.approx(model.transform(np.full((1, 3), np.nan))[0])
    assert told == pytest.approx(model.record_.core.parts[0].distribution.mean[0])
    assert [line["column"] for line in model.table("x1").lines] == ["x1"]
    with pytest.raises(LikelyError, match="does not have"):
        model.table("height")


@pytest.mark.parametrize("model", ["mixture", "class", "model"])
def test_the_picture_shows_what_fills_the_gaps(model: str) -> None:
    rng = np.random.default_rng(2)
    level = pd.Series(rng.choice(["low", "high"], 60)).where(rng.random(60) < 0.8)
    table = pd.DataFrame({"level": level, "number": with_gaps(3, 60)[:, 0], "whole": rng.normal(size=60)})
    fitted = likely.Impute(model, random_state=0).fit(table, rng.choice(list("ab"), 60))
    filled = fitted.transform(table)
    ax = fitted.plot(table, "level")
    names = [text.get_text() for text in ax.get_yticklabels()]
    shown = dict(zip(names, [bar.get_width() for bar in ax.patches], strict=True))
    counts = filled["level"][level.isna()].value_counts().to_dict()
    assert {name: n for name, n in shown.items() if n} == counts
    heights = [bar.get_height() for bar in fitted.plot(table, "number").patches]
    assert sum(heights) == table["number"].isna().sum()
    with pytest.raises(LikelyError, match="gaps"):
        fitted.plot(table, "whole")
