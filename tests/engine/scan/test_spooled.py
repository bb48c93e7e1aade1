"""Models that read a table many times ask the engine that holds it once, and learn what they did."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likely
from likely.engine.scan import parts, scan
from likely.table.lazy import rows as lazy_rows
from likely.table.lazy.table import LazyTable

N = 70_000  # more than one batch
LEVELS = ["never", "low", "high"]


@pytest.fixture(scope="module")
def held():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, N)
    return pl.DataFrame(
        {
            "far": 1e6 + rng.normal(group * 3.0),
            "gaps": np.where(rng.random(N) < 0.1, np.nan, rng.normal(group)),
            "level": pl.Series(np.array(LEVELS[1:])[rng.integers(0, 2, N)], dtype=pl.Enum(LEVELS)),
            "y": rng.random(N) < 0.3 + 0.4 * group,
        }
    )


def in_duckdb(held):
    connection = duckdb.connect()
    connection.execute(f"CREATE TYPE level AS ENUM ({', '.join(map(repr, LEVELS))})")
    connection.register("given", held.with_columns(pl.col("level").cast(pl.String)).to_arrow())
    connection.execute("CREATE TABLE held AS SELECT * REPLACE (CAST(level AS level) AS level) FROM given")
    return connection.table("held")


@pytest.fixture(params=["duckdb", "polars"])
def lazy(request, held):
    return in_duckdb(held) if request.param == "duckdb" else held.lazy()


@pytest.fixture
def passes(monkeypatch):
    """How many times all rows were handed out."""
    seen = []
    for name in ("_of_duckdb", "_of_polars"):
        handed = getattr(lazy_rows, name)

        def counted(native, rows, handed=handed):
            seen.append(rows)
            return handed(native, rows)

        monkeypatch.setattr(lazy_rows, name, counted)
    return seen


def mixture(table):
    model = likely.Mixture(2, random_state=0, max_iter=3, tol=0)
    return model.fit(table).history_


def newton(table):
    return likely.LogisticRegression(prior=likely.Normal(0, 1)).fit(table, "y").coef_


@pytest.mark.parametrize("learnt", [mixture, newton])
def test_an_engine_is_asked_once_and_the_answer_is_the_same(learnt, lazy, passes, monkeypatch):
    spooled = learnt(lazy)
    assert len(passes) == 1
    monkeypatch.setattr(LazyTable, "hands_out_arrow", False)
    np.testing.assert_array_equal(learnt(lazy), spooled)
    assert len(passes) > 4


def test_em_of_a_network_asks_once_for_the_rows_without_gaps_and_once_for_all(passes):
    level = np.array(["a", "b", None], object)
    rng = np.random.default_rng(1)
    rows = pa.table({name: pa.array(level[rng.integers(0, 3, 500)].tolist()) for name in ("u", "v")})
    model = likely.Network([("u", "v")]).fit(duckdb.from_arrow(rows))
    assert model.n_iter_ > 2
    assert len(passes) == 2


def test_columns_are_told_as_the_engine_tells_them(lazy):
    """Polars declares the levels of an Enum, and DuckDB does not."""
    asked, table = scan.Scan.of(lazy), scan.Scan.of(lazy).spooled()
    assert isinstance(table.parts[0], parts.SpooledRows)
    own, level = table.digest(()), table.digest(()).raw("level")
    assert level.levels == (tuple(LEVELS) if isinstance(lazy, pl.LazyFrame) else None)
    for told, expected in zip(own.columns, asked.digest(()).columns, strict=True):
        assert told.raw.type is expected.raw.type
        assert (told.known, told.raw.found) == (expected.known, expected.raw.found)
        assert told.raw.levels == expected.raw.levels
    assert table.names == ("far", "gaps", "level", "y")
    assert scan.Scan.of(lazy).drop("far", "y").spooled().names == ("gaps", "level")


def test_the_file_goes_with_the_scan(lazy):
    table = scan.Scan.of(lazy).spooled()
    folder = Path(table.parts[0].path).parent
    assert folder.exists()
    del table
    assert not folder.exists()


def test_without_room_for_a_file_the_engine_is_asked_each_time(lazy, passes, monkeypatch):
    expected = newton(lazy)
    asked = len(passes)

    def no_room(self, parts, names):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parts.SpooledParts, "__init__", no_room)
    np.testing.assert_array_equal(newton(lazy), expected)
    assert len(passes) > asked + 1


def test_a_table_without_rows_is_refused_as_ever(held):
    for empty in (in_duckdb(held).filter("far < 0"), held.lazy().filter(pl.col("far") < 0)):
        with pytest.raises(likely.LikelyError, match=r"0 sample"):
            likely.Mixture(2).fit(empty)


def test_parquet_is_unpacked_once_and_the_answer_is_the_same(held, tmp_path, monkeypatch):
    """Two files whose numbers are not of the same type, of several row groups."""
    half = N // 2
    first = held[:half].with_columns(pl.col("far").round().cast(pl.Int64))
    first.write_parquet(tmp_path / "1.parquet", row_group_size=20_000)
    held[half:].write_parquet(tmp_path / "2.parquet", row_group_size=20_000)
    unpacked = []
    tables = parts.RowGroup.tables

    def counted(self, names):
        unpacked.append(self)
        return tables(self, names)

    monkeypatch.setattr(parts.RowGroup, "tables", counted)
    model = likely.Mixture(2, random_state=0, max_iter=3, tol=0)
    spooled = model.fit(likely.scan(tmp_path).drop("y")).history_
    assert unpacked.count(unpacked[-1]) == 1
    monkeypatch.setattr(scan.Scan, "spooled", lambda self: self)
    np.testing.assert_array_equal(model.fit(likely.scan(tmp_path).drop("y")).history_, spooled)
    assert unpacked.count(unpacked[-1]) > 5


def test_a_file_that_cannot_be_read_is_named_as_ever(held, tmp_path):
    path = tmp_path / "broken.parquet"
    pq.write_table(held.to_arrow(), path, row_group_size=20_000, compression="zstd")
    start = pq.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset
    data = bytearray(path.read_bytes())
    data[start : start + 400] = b"\xff" * 400
    path.write_bytes(data)
    with pytest.raises(likely.LikelyError, match=r"broken\.parquet, row group 1"):
        likely.scan(path).spooled()
