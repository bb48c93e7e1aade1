"""Transformers of tables that are not in memory: what is counted is what is counted in memory."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from seeds import first
from sklearn.base import clone

import likely
from likely.engine.scan.executors import LocalExecutor
from likely.errors import LikelyError
from likely.table.lazy.table import LazyTable

N = 9_000
TRANSFORMERS = {
    "optimal": likely.Discretize(),
    "recursive": likely.Discretize("recursive"),
    "equal frequency": likely.Discretize("equal_frequency", 7),
    "sd": likely.Discretize("sd"),
    "evidence": likely.Evidence(),
    "isotonic": likely.Evidence("isotonic", missing="level"),
    "logistic": likely.Evidence("logistic"),
}


def rows(n: int = N, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    code = rng.integers(0, 3, n)
    words = np.array(["red", "green", 'it\'s "blue"', "ж"], object)[(rng.random(n) * (2 + code)).astype(int)]
    words[rng.random(n) < 0.03] = None
    return pa.table(
        {
            "far": pa.array(1e9 + np.round(rng.normal(code, 1.0, n), 2), mask=rng.random(n) < 0.05),
            "holes": np.where(rng.random(n) < 0.1, np.nan, np.round(rng.gamma(1 + code, 9.0, n), 1)),
            "visits": rng.poisson(1 + code),
            "flag": pa.array(rng.random(n) < 0.2 + 0.2 * code, mask=rng.random(n) < 0.04),
            "same": np.full(n, 0.1),
            "nothing": pa.array([None] * n, pa.float64()),
            "word": pa.array(words.tolist(), pa.string()),
            "y": np.array(["a", "b", "c"])[code],
        }
    )


@pytest.fixture(scope="module", params=["duckdb", "polars", "parquet", "reader", "elsewhere"])
def large(request, tmp_path_factory):
    """A function from a table to the same, not in memory."""
    folder = tmp_path_factory.mktemp("large")

    def make(table):
        path = folder / f"{len(list(folder.iterdir()))}.parquet"
        pq.write_table(table, path, row_group_size=2_500)
        match request.param:
            case "duckdb":
                return pytest.importorskip("duckdb").sql(f"FROM '{path}'")
            case "polars":
                return pytest.importorskip("polars").scan_parquet(path)
            case "reader":
                return table.to_reader(1_000)
            case "parquet":
                return likely.scan(path)
        return replace(likely.scan(path), executor=LocalExecutor(here=False))

    return make


def assert_counted_alike(mine, theirs):
    a, b = mine.record_, theirs.record_
    assert a.target == b.target
    assert a.schema.columns == b.schema.columns
    np.testing.assert_array_equal(a.totals, b.totals)
    np.testing.assert_array_equal(a.levels.table, b.levels.table)
    for name in ("power", "where", "place", "weight"):
        np.testing.assert_array_equal(getattr(a.cells, name), getattr(b.cells, name))
    np.testing.assert_array_equal(a.moments.n, b.moments.n)
    np.testing.assert_allclose(a.moments.scatter, b.moments.scatter, rtol=1e-11)


@pytest.mark.parametrize("name", first(12, TRANSFORMERS))
def test_what_is_counted_is_what_is_counted_in_memory(large, name):
    table = rows()
    mine = clone(TRANSFORMERS[name]).fit(large(table), "y")
    theirs = clone(TRANSFORMERS[name]).fit(table, "y")
    assert_counted_alike(mine, theirs)
    some = rows(200, seed=1).drop_columns(["y"])
    a, b = (one.transform(some).to_pandas() for one in (mine, theirs))
    assert list(a) == list(b)
    for column in a:
        if a[column].dtype.kind == "f":
            np.testing.assert_allclose(a[column], b[column], rtol=1e-9, atol=1e-12)
        else:
            assert a[column].astype(object).equals(b[column].astype(object))


def test_without_a_target_and_in_pieces(large):
    first, second = rows(3_000, 2).drop_columns(["y"]), rows(2_000, 3).drop_columns(["y"])
    model = likely.Discretize("equal_frequency", 4)
    mine = clone(model).fit(large(first)).partial_fit(large(second))
    assert_counted_alike(mine, clone(model).fit(pa.concat_tables([first, second])))


def test_a_target_of_fractions_is_left_out(large):
    table = rows(1_000)
    mine = likely.Discretize("equal_width").fit(large(table), "holes")
    assert mine.record_.target is None
    assert "holes" not in mine.record_.schema.names
    assert_counted_alike(mine, likely.Discretize("equal_width").fit(table, "holes"))


def test_what_is_refused(large):
    table = rows(100)
    with pytest.raises(LikelyError, match="no column 'z'"):
        likely.Evidence().fit(large(table), "z")
    with pytest.raises(LikelyError, match="give its name as y"):
        likely.Evidence().fit(large(table), np.zeros(100))
    with pytest.raises(LikelyError, match="sample_weight"):
        likely.Discretize("sd").fit(large(table), sample_weight=np.ones(100))
    with pytest.raises(LikelyError, match="0 sample"):
        likely.Discretize("sd").fit(large(table.slice(0, 0)))
    missing = table.set_column(7, "y", pa.array([None, *table["y"].to_pylist()[1:]]))
    with pytest.raises(LikelyError, match="y contains NaN"):
        likely.Evidence().fit(large(missing), "y")
    bad = table.set_column(0, "far", pa.array([np.inf, *range(99)], pa.float64()))
    with pytest.raises(LikelyError, match="infinity"):
        likely.Evidence().fit(large(bad), "y")


def test_columns_that_are_declared_to_be_levels(large):
    """Whole numbers, and fractions with NaN and gaps beside each other."""
    table = rows(2_000)
    holes = pa.array(np.round(table["holes"].to_numpy() / 10), mask=np.arange(2_000) % 50 == 0)
    table = table.set_column(1, "holes", holes)
    model = likely.Evidence(kinds={"visits": "ordinal", "holes": "categorical"})
    assert_counted_alike(clone(model).fit(large(table), "y"), clone(model).fit(table, "y"))


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_levels_are_counted_by_the_engine_and_only_numbers_are_read(engine, monkeypatch):
    read = []
    batches = LazyTable.batches
    monkeypatch.setattr(LazyTable, "batches", lambda self, n: read.append(self.names) or batches(self, n))
    table = rows(500)
    held = duckdb.from_arrow(table) if engine == "duckdb" else pl.from_arrow(table).lazy()
    names = ["word", "flag", "y"]
    mine = likely.Evidence().fit(held.select(*names), "y")
    assert not read
    assert_counted_alike(mine, likely.Evidence().fit(table.select(names), "y"))
    likely.Evidence().fit(held, "y")
    assert read == [
        ("far", "holes", "visits", "same", "nothing"),
        ("far", "holes", "visits", "same", "nothing", "y"),
    ]
