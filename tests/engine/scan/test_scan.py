"""Tables that are read block by block: the same models as from memory, whatever the files and their parts."""

from __future__ import annotations

import datetime
import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.base import clone
from test_lazy_fit import CLASSICAL, MODELS, assert_same, table

import likely
from likely.engine.scan.digest import DigestColumns
from likely.engine.scan.executors import LocalExecutor
from likely.engine.scan.parts import RowGroup, without_gaps_in_order
from likely.engine.scan.scan import Scan, scan
from likely.errors import LikelyError
from likely.table.frame import Frame
from likely.table.schema import Schema

ELSEWHERE = LocalExecutor(here=False)  # as on a cluster: by blocks, never by queries


@pytest.fixture(scope="module")
def rows():
    return table(5_000)


@pytest.fixture(scope="module")
def lake(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lake")
    for i in range(3):
        pq.write_table(rows.slice(1_700 * i, 1_700), folder / f"part-{i}.parquet", row_group_size=500)
    return folder


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore::likely.LikelyWarning")
def test_parquet_files_teach_what_they_teach_in_memory(lake, rows, name):
    files = scan(f"{lake}/*.parquet")
    held = clone(MODELS[name]).fit(rows, "y")
    assert_same(clone(MODELS[name]).fit(files, "y"), held)
    assert_same(clone(MODELS[name]).fit(replace(files, executor=ELSEWHERE), "y"), held)


def test_other_files_and_readers(tmp_path, rows):
    dated = rows.append_column(
        "when", pa.array([datetime.date(2020, 1, 1) + datetime.timedelta(k % 900) for k in range(len(rows))])
    )
    few = dated.select(["far", "price", "colour", "flag", "when", "visits", "y"])
    model = likely.NaiveBayes(**CLASSICAL)
    held = clone(model).fit(few, "y")
    likely.write(few, tmp_path / "few.csv")
    likely.write(few, tmp_path / "few.jsonl")
    for source in (tmp_path / "few.csv", tmp_path / "few.jsonl", few.to_reader(700)):
        mine = clone(model).fit(scan(source), "y")
        for one, other in zip(mine.record_.parts, held.record_.parts, strict=True):
            np.testing.assert_array_equal(one.statistic.n, other.statistic.n)
        some = few.drop_columns(["y"]).slice(0, 100)
        np.testing.assert_allclose(mine.predict_proba(some), held.predict_proba(some), rtol=1e-9)


def test_a_query_of_a_database_is_scanned(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE sales AS SELECT i % 7 AS x, i % 2 = 0 AS y FROM range(100) t(i)")
    files = scan(tmp_path / "shop.duckdb", query="SELECT * FROM sales WHERE x < 5")
    model = likely.NaiveBayes(**CLASSICAL).fit(files, "y")
    assert model.record_.n == sum(i % 7 < 5 for i in range(100))


def test_digests_of_pieces_add_up_to_that_of_the_whole(rows):
    """Whatever the pieces, the schema is that of the rows in memory."""
    frame = Frame.of(rows)
    expected = Schema.learn(frame, {"stars": "ordinal"})
    task = DigestColumns(("stars",))
    rng = np.random.default_rng(0)
    for _ in range(5):
        ends = np.unique([0, *rng.integers(0, len(rows), 6), len(rows)])
        pieces = [task.step(frame, int(a), int(b)) for a, b in pairwise(ends)]
        whole = pieces[0]
        for piece in pieces[1:]:
            whole = whole + piece
        assert whole.n == len(rows)
        learnt = Schema.learn(whole.frame("pyarrow"), {"stars": "ordinal"})
        assert learnt.columns == expected.columns
        assert [c.span for c in learnt.columns] == [c.span for c in expected.columns]


def test_samples_are_of_all_parts_and_the_same_each_time(lake, rows):
    files = scan(str(lake))
    schema = Schema.learn(Frame.of(rows.select(["sorted", "y"])))
    first, second = (files.sample(500, 5_000, schema) for _ in range(2))
    assert 400 < first.n < 600  # 500 +- 21: less than one in 10^5
    np.testing.assert_array_equal(first.raw("sorted").values, second.raw("sorted").values)
    middle = np.median(rows["sorted"].to_numpy())
    assert 0.4 < (first.raw("sorted").values < middle).mean() < 0.6


def test_a_corrupt_part_is_named_by_file_and_row_group(lake, tmp_path, rows):
    path = tmp_path / "bad.parquet"
    pq.write_table(rows, path, row_group_size=1_000, compression="zstd")
    meta = pq.ParquetFile(path).metadata
    start = meta.row_group(2).column(0).data_page_offset
    data = bytearray(path.read_bytes())
    data[start : start + 400] = b"\xff" * 400
    path.write_bytes(bytes(data))
    files = replace(scan(path), executor=ELSEWHERE)
    with pytest.raises(LikelyError, match=r"bad\.parquet, row group 2: cannot be read"):
        likely.NaiveBayes(**CLASSICAL).fit(files, "y")
    path.write_bytes(bytes(data[:100]))
    with pytest.raises(LikelyError, match="cannot be read as Parquet"):
        scan(path)


def test_what_cannot_be_scanned_is_said(lake, tmp_path):
    with pytest.raises(LikelyError, match="no file matches"):
        scan(f"{tmp_path}/*.parquet")
    with pytest.raises(LikelyError, match="no Parquet file"):
        scan(tmp_path)
    with pytest.raises(LikelyError, match="engine='flink' is unknown"):
        scan(str(lake), engine="flink")
    with pytest.raises(LikelyError, match="name its engine"):
        scan(str(lake), address="tcp://there:1")
    with pytest.raises(LikelyError, match="give its name as y"):
        likely.NaiveBayes().fit(scan(str(lake)), np.zeros(5_000))
    for whole in (likely.Classifier(), likely.AODE()):
        with pytest.raises(LikelyError, match="needs them all at once: give a table in memory"):
            whole.fit(scan(str(lake)), "y")
    pl = pytest.importorskip("polars")
    with pytest.raises(LikelyError, match="reads files"):
        scan(pl.LazyFrame({"a": [1]}), engine="dask")
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"a": [1.0], "y": ["a"]}), other)
    with pytest.raises(LikelyError, match="need the same columns"):
        likely.NaiveBayes().fit(replace(scan([*sorted(lake.glob("*")), other]), executor=ELSEWHERE), "y")


def test_parts_can_be_sent_and_joined(lake):
    files = scan(str(lake))
    assert pickle.loads(pickle.dumps(files)) == files
    few = without_gaps_in_order(files.parts, 4)
    assert len(few) < len(files.parts)
    opened = [(p.path, at) for p in few for at in range(p.first, p.last)]
    assert opened == [(p.path, p.first) for p in files.parts if isinstance(p, RowGroup)]
    assert isinstance(files, Scan)
    assert files.n == 5_000
