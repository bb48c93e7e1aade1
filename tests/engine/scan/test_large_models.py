"""Models that go over a table many times, from a table that is not in memory: the optimum of all rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from seeds import first

import likely
from likely.engine.scan.executors import LocalExecutor
from likely.errors import LikelyError
from likely.table.lazy.table import LazyTable

N = 12_000


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 3, N)
    x = rng.normal(size=(N, 3)) * [1, 5, 0.1] + np.array([[0, 0, 0], [5, 0, 1], [0, 30, 2]])[group]
    words = rng.choice(["u", "v", "w"], N).astype(object)
    words[::40] = None
    score = x[:, 0] / 3 - (words == "v")
    return pa.table(
        {
            "gaps": np.where(rng.random(N) < 0.03, np.nan, x[:, 0]),
            "far": x[:, 1] + 1e6,
            "small": x[:, 2],
            "word": pa.array(words.tolist(), pa.string()),
            "y": np.array(["a", "b", "c"])[np.digitize(score + rng.logistic(size=N), [-1, 1])],
            "z": score * 2 + rng.normal(size=N),
        }
    )


@pytest.fixture(scope="module", params=["duckdb", "parquet", "reader", "elsewhere"])
def large(request, rows, tmp_path_factory):
    """A function from columns to a table of them that is not in memory."""
    folder = tmp_path_factory.mktemp("large")

    def make(names):
        some = rows.select(names)
        if request.param == "duckdb":
            return pytest.importorskip("duckdb").from_arrow(some)
        if request.param == "reader":
            return some.to_reader(1_000)
        path = folder / f"{'-'.join(names)}.parquet"
        pq.write_table(some, path, row_group_size=2_500)
        files = likely.scan(path)
        return files if request.param == "parquet" else replace(files, executor=LocalExecutor(here=False))

    return make


X = ["gaps", "far", "small", "word"]


@pytest.mark.parametrize("prior", first(1, [likely.Normal(0, 1), None, likely.DoubleExponential(0, 0.5)]))
def test_newton_comes_to_the_coefficients_of_memory(large, rows, prior):
    names = [*X, "y"]
    mine = likely.LogisticRegression(prior=prior).fit(large(names), "y")
    held = likely.LogisticRegression(prior=prior).fit(rows.select(names), "y")
    np.testing.assert_allclose(mine.coef_, held.coef_, rtol=0, atol=1e-8)
    assert mine.record_.log_likelihood == pytest.approx(held.record_.log_likelihood, abs=1e-6)
    np.testing.assert_array_equal(mine.record_.class_counts, held.record_.class_counts)
    assert mine.coef_names_ == held.coef_names_
    some = rows.select(X).slice(0, 50)
    np.testing.assert_allclose(mine.predict_proba(some), held.predict_proba(some), atol=1e-8)


def test_the_default_prior_is_as_strong_as_a_sample_says(large, rows):
    names = [*X, "y"]
    mine = likely.LogisticRegression().fit(large(names), "y")
    held = likely.LogisticRegression().fit(rows.select(names), "y")
    assert mine.prior_.sd == pytest.approx(held.prior_.sd, rel=0.1)
    np.testing.assert_allclose(mine.coef_, held.coef_, atol=0.01)


@pytest.mark.parametrize("prior", [None, "auto", likely.Normal(0, 1)])
def test_linear_regression_is_that_of_memory(large, rows, prior):
    names = [*X, "z"]
    mine = likely.LinearRegression(prior=prior).fit(large(names), "z")
    held = likely.LinearRegression(prior=prior).fit(rows.select(names), "z")
    np.testing.assert_allclose(mine.coef_, held.coef_, rtol=1e-9, atol=1e-11)
    assert mine.noise_variance_ == pytest.approx(held.noise_variance_, rel=1e-11)
    np.testing.assert_allclose(mine.standard_errors_, held.standard_errors_, rtol=1e-9)


@pytest.mark.parametrize("options", first(1, [{}, {"covariance": "diagonal"}, {"covariance": "tied"}]))
def test_em_climbs_what_it_climbs_in_memory(large, rows, options):
    """From another start, without a prior: as high as in memory; and memory finds it as high as it says."""
    how = {"random_state": 0, "max_iter": 40, "prior": None, **options}
    names = ["far", "small"]
    mine = likely.Mixture(3, **how).fit(large(names))
    held = likely.Mixture(3, **how).fit(rows.select(names))
    assert mine.history_[-1] > held.history_[-1] - 1e-6 * N
    gone_on = likely.Mixture(3, init=mine.record_, **how).fit(rows.select(names))
    assert gone_on.history_[0] == pytest.approx(mine.history_[-1], rel=1e-12)
    assert (np.diff(mine.history_) > -1e-8).all()


def test_em_of_rows_with_gaps(large, rows):
    how = {"random_state": 0, "tol": 1e-8}
    mine = likely.Mixture(3, **how).fit(large(X))
    held = likely.Mixture(3, **how).fit(rows.select(X))
    assert mine.history_[-1] == pytest.approx(held.history_[-1], rel=1e-6)
    assert mine.predict_proba(rows.select(X).slice(0, 10)).shape == (10, 3)


def test_an_interrupt_keeps_the_best_so_far(rows, tmp_path, monkeypatch):
    path = tmp_path / "rows.parquet"
    pq.write_table(rows.select(["far", "small"]), path, row_group_size=3_000)
    calls = []
    run = LocalExecutor.run

    def interrupted(self, work, parts):
        calls.append(work)
        if len(calls) > 7:
            raise KeyboardInterrupt
        return run(self, work, parts)

    monkeypatch.setattr(LocalExecutor, "run", interrupted)
    with pytest.warns(likely.LikelyWarning, match="best model so far is kept"):
        model = likely.Mixture(4, random_state=0, tol=0, prior=None).fit(likely.scan(path))
    assert np.isfinite(model.history_[-1])
    assert not model.converged_


def test_what_a_large_table_cannot_do_is_said(rows, tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(rows, path)
    files = likely.scan(path)
    with pytest.raises(LikelyError, match="no y"):
        likely.Mixture("auto").fit(files)
    with pytest.raises(LikelyError, match="solver='newton'"):
        likely.LogisticRegression(solver="online").fit(files, "y")
    with pytest.raises(LikelyError, match="give its name"):
        likely.LinearRegression().fit(files, np.zeros(N))
    with pytest.raises(LikelyError, match="'zz' to be the target"):
        likely.LinearRegression().fit(files, "zz")
    with pytest.raises(LikelyError, match="'zz' to be the target"):
        likely.LogisticRegression().fit(files, "zz")
    bad = tmp_path / "bad.parquet"
    numbers = rows["far"].to_numpy().copy()
    numbers[17] = np.inf
    pq.write_table(rows.set_column(1, "far", pa.array(numbers)), bad)
    with pytest.raises(LikelyError, match=r"infinity.*column 'far'"):
        likely.LogisticRegression().fit(likely.scan(bad), "y")


def test_the_products_of_numbers_are_asked_of_duckdb(rows, monkeypatch):
    def read(self, n):
        raise AssertionError(f"{self.names} are read row by row")

    monkeypatch.setattr(LazyTable, "batches", read)
    names = ["gaps", "far", "small", "z"]
    held = pytest.importorskip("duckdb").from_arrow(rows.select(names))
    mine = likely.LinearRegression().fit(held, "z")
    assert mine.coef_names_ == ("gaps", "far", "small", "gaps missing")


def test_a_line_is_refused_what_it_is_refused_in_memory(rows):
    duckdb = pytest.importorskip("duckdb")
    table = rows.select(["far", "gaps"])
    with pytest.raises(LikelyError, match="y contains NaN"):
        likely.LinearRegression().fit(duckdb.from_arrow(table), "gaps")
    with pytest.raises(LikelyError, match="0 sample"):
        likely.LinearRegression().fit(duckdb.from_arrow(table.slice(0, 0)), "far")
    numbers = pa.table({"far": [1.0, np.inf, 2.0], "z": [1.0, 2.0, 4.0]})
    with pytest.raises(LikelyError, match=r"infinity.*'far'"):
        likely.LinearRegression().fit(duckdb.from_arrow(numbers), "z")
