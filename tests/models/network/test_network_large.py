"""Tables of a network from a table that is not in memory: those of the same rows in memory."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likely
from likely.engine.scan.executors import LocalExecutor
from likely.errors import LikelyError
from likely.table.lazy.table import LazyTable

N = 9_000
ARCS = [("y", "word"), ("y", "flag"), ("word", "flag"), ("y", "x"), ("word", "count")]


def rows(gaps: float, n: int = N, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    code = rng.integers(0, 3, n)
    word = (rng.random(n) * (2 + code)).astype(int)

    def missing() -> np.ndarray:
        return rng.random(n) < gaps

    return pa.table(
        {
            "word": pa.array(np.array(["red", "it's", "ж", "blue"])[word], mask=missing()),
            "flag": pa.array(rng.random(n) < 0.1 + 0.2 * code + 0.1 * word, mask=missing()),
            "x": pa.array(1e6 + rng.normal(code, 1.0, n), mask=missing()),
            "count": pa.array(rng.poisson(1 + word), mask=missing()),
            "y": pa.array(np.array(["a", "b", "c"])[code], mask=missing()),
        }
    )


@pytest.fixture(params=["duckdb", "polars", "parquet", "elsewhere"])
def large(request, tmp_path):
    """A function from a table to the same, not in memory."""

    def make(table):
        path = tmp_path / "rows.parquet"
        pq.write_table(table, path, row_group_size=2_500)
        match request.param:
            case "duckdb":
                return pytest.importorskip("duckdb").sql(f"FROM '{path}'")
            case "polars":
                return pytest.importorskip("polars").scan_parquet(path)
            case "parquet":
                return likely.scan(path)
        return replace(likely.scan(path), executor=LocalExecutor(here=False))

    return make


def assert_alike(mine, theirs, rtol):
    a, b = mine.record_, theirs.record_
    assert (a.names, a.parents, a.target, a.n) == (b.names, b.parents, b.target, b.n)
    assert a.nodes.columns == b.nodes.columns
    for i, (one, other) in enumerate(zip(a.parts, b.parts, strict=True)):
        p, q = one.statistic, other.statistic
        assert one.family is other.family
        np.testing.assert_allclose(p.n, q.n, rtol=rtol)
        if i not in a.leaves:
            seen = "table" if hasattr(q, "table") else "total"  # of false and true
            np.testing.assert_allclose(getattr(p, seen), getattr(q, seen), rtol=rtol, atol=rtol * N)


@pytest.mark.parametrize("y", ["y", None])
@pytest.mark.parametrize("structure", [ARCS, "naive"])
def test_counts_are_exact(large, y, structure):
    if structure == "naive" and y is None:
        structure = {}
    table = rows(0.0)
    mine = likely.Network(structure).fit(large(table), y)
    theirs = likely.Network(structure).fit(table, y)
    assert_alike(mine, theirs, 0)
    assert not hasattr(mine, "history_")
    some = rows(0.2, 100, seed=1)
    np.testing.assert_allclose(mine.log_prob(some), theirs.log_prob(some), rtol=1e-10)


@pytest.mark.parametrize("y", ["y", None])
def test_gaps_are_climbed_as_in_memory(large, y):
    table = rows(0.1)
    how = {"max_iter": 30, "tol": 1e-9}
    mine = likely.Network(ARCS, **how).fit(large(table), y)
    theirs = likely.Network(ARCS, **how).fit(table, y)
    assert mine.n_iter_ == theirs.n_iter_
    np.testing.assert_allclose(mine.history_, theirs.history_, rtol=1e-11)
    assert_alike(mine, theirs, 1e-8)


@pytest.mark.parametrize(("structure", "y"), [("tree", None), ("tree", "y"), ("tan", "y")])
def test_trees_are_those_of_memory(large, structure, y):
    """By the counts of pairs of levels; rows with gaps tell of the tables alone, as in memory."""
    for gaps in (0.0, 0.05):
        table = rows(gaps).select(["word", "flag", "y"])
        pairs = zip(table["word"].to_pylist(), table["y"].to_pylist(), strict=True)
        table = table.append_column("both", pa.array([f"{word}{y}"[:5] for word, y in pairs]))
        how = {"max_iter": 10, "tol": 1e-9}
        with likely_notices(gaps):
            mine = likely.Network(structure, **how).fit(large(table), y)
        with likely_notices(gaps):
            theirs = likely.Network(structure, **how).fit(table, y)
        assert len(mine.arcs_) == {"tree": 3, "tan": 5}[structure]
        assert_alike(mine, theirs, 1e-8 if gaps else 0)


def likely_notices(gaps):
    said = "the structure was found in the others"
    return pytest.warns(likely.LikelyWarning, match=said) if gaps else nullcontext()


def test_trees_that_cannot_be_found_are_refused(large):
    table = rows(0.0, 200)
    with pytest.raises(LikelyError, match=r"column 'x' is .* in a tree it may have to be a parent"):
        likely.Network("tree").fit(large(table))
    with pytest.raises(LikelyError, match="needs a target"):
        likely.Network("tan").fit(large(table.select(["word", "flag"])))
    no_row_is_whole = pa.table({"a": ["u", None] * 20, "b": [None, "v"] * 20})
    with pytest.raises(LikelyError, match="all 40 rows have missing cells"):
        likely.Network("tree").fit(large(no_row_is_whole))


def test_what_needs_rows_is_refused(large):
    table = rows(0.0, 200)
    with pytest.raises(LikelyError, match="in memory: learn it from a sample"):
        likely.Network("search").fit(large(table))
    with pytest.raises(LikelyError, match="neither hidden nodes"):
        likely.Network([("h", "word")], hidden={"h": 2}).fit(large(table))
    with pytest.raises(LikelyError, match="no column 'z'"):
        likely.Network(ARCS).fit(large(table), "z")
    with pytest.raises(LikelyError, match="sample_weight"):
        likely.Network(ARCS).fit(large(table), "y", sample_weight=np.ones(200))


@pytest.mark.parametrize(
    ("structure", "y"), [("tree", None), ("tree", "y"), ("tan", "y"), ("naive", "y"), ([("y", "word")], "y")]
)
@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_levels_without_gaps_are_counted_by_the_engine_alone(engine, structure, y, monkeypatch):
    def read(self, n):
        raise AssertionError(f"{self.names} are read row by row")

    monkeypatch.setattr(LazyTable, "batches", read)
    table = rows(0.0, 600).select(["word", "flag", "y"])
    held = duckdb.from_arrow(table) if engine == "duckdb" else pl.from_arrow(table).lazy()
    assert_alike(likely.Network(structure).fit(held, y), likely.Network(structure).fit(table, y), 0)


def test_gaps_in_nodes_without_children_are_counted_by_the_engine(monkeypatch):
    table = rows(0.0, 600).select(["word", "flag"]).append_column("y", rows(0.3, 600)["y"])
    seen = []
    batches = LazyTable.batches
    monkeypatch.setattr(LazyTable, "batches", lambda self, n: seen.append(n) or batches(self, n))
    for arcs in ([("word", "y")], [("y", "word")]):
        held = duckdb.from_arrow(table)
        mine = likely.Network(arcs, max_iter=3).fit(held)
        assert_alike(mine, likely.Network(arcs, max_iter=3).fit(table), 1e-8)
        assert bool(seen) == (arcs == [("y", "word")])


def test_a_tree_of_one_column(large):
    table = rows(0.0, 100).select(["word"])
    assert_alike(likely.Network("tree").fit(large(table)), likely.Network("tree").fit(table), 0)
