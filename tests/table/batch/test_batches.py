"""`batches`: the same values as `read`, some rows at a time; typed as a model needs them; refused by row."""

from __future__ import annotations

import datetime as dt
import io
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pytest
from numpy.testing import assert_array_equal

import likely
from likely.errors import LikelyError, LikelyWarning
from likely.table.batch import pieces as batch_stream
from likely.table.batch.batches import Batch, batches
from likely.table.frame import Frame
from likely.table.read.read import read
from likely.table.write.write import Writer, write

N = 10
TABLE = {
    "code": [f"{i:03d}" for i in range(N)],
    "n": [None if i == 4 else i for i in range(N)],
    "x": [i / 7 if i % 3 else None for i in range(N)],
    "ok": [None if i == 2 else i % 2 == 0 for i in range(N)],
    "day": [dt.date(2020, 1, 1 + i) if i else None for i in range(N)],
    "word": [['a, "b"', "line\nbreak", None, "d"][i % 4] for i in range(N)],
}


@pytest.fixture(params=["arrow", "numpy"])
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways that rows may come: with PyArrow installed, and without."""
    if request.param == "numpy":
        monkeypatch.setattr(batch_stream, "find_spec", lambda name: None)
    return str(request.param)


def lists(table: Any) -> dict[str, list[Any]]:
    """Python values; days as dates, gaps None, whole numbers that gaps have made floats whole again."""
    frame = Frame.of(table)
    return {name: [frame.raw(name).item(row) for row in range(frame.n)] for name in frame.names}


def joined(parts: list[Batch], what: str = "table") -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for part in parts:
        for name, column in lists(getattr(part, what)).items():
            found.setdefault(name, []).extend(column)
    return found


def put(path: Path) -> Path:
    match path.suffix:
        case ".feather":
            feather.write_feather(pa.table(TABLE), path)
        case ".duckdb":
            given = pa.table(TABLE)
            with duckdb.connect(str(path)) as connection:
                connection.register("given", given)
                connection.execute("CREATE TABLE t AS FROM given")
        case ".db":
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("CREATE TABLE t (code TEXT, n INTEGER, x REAL, word TEXT)")
                rows = zip(*(TABLE[name] for name in ("code", "n", "x", "word")), strict=True)
                connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
                connection.commit()
        case _:
            write(TABLE, path)
    return path


TEXTS = ["t.csv", "t.csv.gz", "t.tsv"]
FILES = [*TEXTS, "t.json", "t.jsonl.gz", "t.parquet", "t.feather", "t.xlsx", "t.duckdb", "t.db"]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("rows", [3, 1000])
def test_the_same_values_as_read(name: str, rows: int, how: str, tmp_path: Path) -> None:
    path = put(tmp_path / name)
    parts = list(batches(path, rows=rows))
    assert [part.start for part in parts] == list(range(0, N, rows))
    whole = lists(read(path, into="pyarrow"))
    assert whole["word"] == TABLE["word"]
    assert joined(parts) == whole
    if name not in TEXTS:
        assert joined(parts, "rows") == whole
    assert parts[-1].done in (None, pytest.approx(1, abs=0.1))  # by bytes, and quotes are not counted


def model_of(table: Any, **options: Any) -> Any:
    y = np.arange(len(next(iter(table.values())))) % 2
    return likely.NaiveBayes(**options).fit(table, y)


@pytest.mark.parametrize("name", FILES)
def test_a_model_says_the_same_of_batches(name: str, how: str, tmp_path: Path) -> None:
    path = put(tmp_path / name)
    whole = read(path, into="dict")
    model = model_of(whole)
    parts = [model.predict_proba(part.table) for part in batches(path, model.record_.schema, rows=4)]
    np.testing.assert_allclose(np.concatenate(parts), model.predict_proba(whole), rtol=1e-12)


def csv(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_rows_of_a_text_file_pass_as_they_are(how: str, tmp_path: Path) -> None:
    text = 'a,b,c,d\n1.50, 7 ,007,\n1e5,"x, ""y""",NA,""\n+3,?,true,0x1F\n'
    path = csv(tmp_path / "t.csv", text)
    model = model_of({"a": [1.0, 2.0, 3.0]})
    (part,) = batches(path, model.record_.schema)
    assert lists(part.table) == {"a": [1.5, 1e5, 3.0]}
    with Writer(tmp_path / "out.csv") as out:
        out.write(part.rows, {"p": np.array([0.25, 0.5, 1.0])})
    said = (tmp_path / "out.csv").read_text()
    assert said == 'a,b,c,d,p\n1.50, 7 ,007,,0.25\n1e5,"x, ""y""",NA,"",0.5\n+3,?,true,0x1F,1.0\n'


def test_text_levels_stay_text(how: str, tmp_path: Path) -> None:
    """Although every value of the new file looks like a number, a date or a truth value."""
    table = {"zip": ["007", "123", "abc"], "day": ["2020-01-01", "x", "y"], "say": ["true", "no", "no"]}
    schema = model_of(table).record_.schema
    path = csv(tmp_path / "t.csv", "say,zip,day\ntrue,123,2020-01-01\n NA,1.0,?\n")
    (part,) = batches(path, schema)
    assert list(Frame.of(part.table).names) == ["zip", "day", "say"]
    assert lists(part.table) == {"zip": ["123", "1.0"], "day": ["2020-01-01", None], "say": ["true", None]}


def test_every_type_that_a_model_may_need(how: str, tmp_path: Path) -> None:
    at = dt.datetime(2020, 1, 1, 12, tzinfo=dt.UTC)
    table = {
        "flag": [True, False, True],
        "level": [1, 2, 3],
        "big": [2**60 + 1, 2**60 + 2, 5],
        "truth": [True, False, True],
        "day": [dt.date(2020, 1, 1)] * 3,
        "at": [dt.datetime(2020, 1, 1, 12)] * 3,
        "zoned": [at] * 3,
        "size": ["small", "large", "small"],
    }
    kinds = {"level": "categorical", "big": "categorical", "truth": "categorical", "size": ["small", "large"]}
    model = model_of(table, kinds=kinds)
    text = (
        "flag,level,big,truth,day,at,zoned,size\n"
        "TRUE,2.0,1152921504606846978, false ,2020-01-02,2020-01-01T12:00:01,2020-01-01 13:00:00+01,large\n"
        "0,2,5,1,,NA,?,\n"
    )
    (part,) = batches(csv(tmp_path / "t.csv", text), model.record_.schema)
    same = {
        "flag": [True, False],
        "level": [2, 2],
        "big": [2**60 + 2, 5],
        "truth": [False, True],
        "day": [dt.date(2020, 1, 2), None],
        "at": [dt.datetime(2020, 1, 1, 12, 0, 1), None],
        "zoned": [at, None],
        "size": ["large", None],
    }
    got, wanted = (model.predict_proba(t) for t in (part.table, same))
    np.testing.assert_array_equal(got, wanted)


def test_marks_are_missing_as_in_read(how: str, tmp_path: Path) -> None:
    path = csv(tmp_path / "t.csv", "x,w\n-999.0,none\n 7, a\nnan,-999\n")
    model = model_of({"x": [1.0, 2.0, 3.0], "w": ["a", "b", " a"]})
    (part,) = batches(path, model.record_.schema, missing=[-999, "none"])
    assert lists(part.table) == {"x": [None, 7.0, None], "w": [None, " a", None]}


NUMBERS = {"x": [0.5, 1.5, 2.5], "k": [1, 2, 3], "day": [dt.date(2020, 1, 1)] * 3, "ok": [True, False, True]}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("abc,1,,true", "column 'x' should hold numbers, but row 7 holds 'abc'"),
        ("007,1,,true", "column 'x' should hold numbers, but row 7 holds '007'"),
        ("1_000,1,,true", "column 'x' should hold numbers, but row 7 holds '1_000'"),
        ("-inf,1,,true", "contains -infinity: column 'x', row 7"),
        ("1,1.5,,true", "column 'k' should hold counts .* but row 7 holds 1.5"),
        ("1,-1,,true", "column 'k' should hold counts .* but row 7 holds -1.0"),
        ("1,1,2020-02-30,true", "column 'day' should hold dates .* but row 7 holds '2020-02-30'"),
        ("1,1,,2", "column 'ok' should hold true or false .* but row 7 holds 2.0"),
        ("1,1,,perhaps", "column 'ok' should hold true or false .* but row 7 holds 'perhaps'"),
        ("1,1", "line 9: expected 4 columns, found 2"),
    ],
)  # fmt: skip
def test_a_cell_that_does_not_fit_is_named(line: str, said: str, how: str, tmp_path: Path) -> None:
    model = model_of(NUMBERS, kinds={"k": "count"})
    path = csv(tmp_path / "t.csv", "x,k,day,ok\n" + "1,1,2020-01-01,true\n" * 7 + line + "\n")
    with pytest.raises(LikelyError, match=said):
        list(batches(path, model.record_.schema, rows=3))


def test_a_column_that_is_not_there_is_named(how: str, tmp_path: Path) -> None:
    path = csv(tmp_path / "t.csv", "age,heigth\n1,2\n")
    model = model_of({"age": [1.0, 2.0], "height": [1.0, 2.0]})
    with pytest.warns(LikelyWarning, match="column 'height' is not there.* Is 'heigth' the column 'height'"):
        (batch,) = batches(path, model.record_.schema)
    assert batch.absent == ("height",)
    assert lists(batch.table) == {"age": [1.0], "height": [None]}
    with pytest.raises(LikelyError, match="yet now missing:\n- age\n- height"):
        next(batches(csv(tmp_path / "u.csv", "colour\nred\n"), model.record_.schema))


def test_a_model_without_names_takes_columns_in_order(how: str, tmp_path: Path) -> None:
    path = csv(tmp_path / "t.csv", "b,a\n1,2\n3,4\n")
    model = likely.NaiveBayes().fit(np.eye(2), [0, 1])
    schema = model.record_.schema
    (part,) = batches(path, schema)
    np.testing.assert_array_equal(
        model.predict_proba(part.table), model.predict_proba(np.array([[1.0, 2.0], [3.0, 4.0]]))
    )
    assert list(lists(part.table).values()) == [[1.0, 3.0], [2.0, 4.0]]
    path = csv(tmp_path / "u.csv", "b,a,c\n1,2,3\n")
    with pytest.raises(LikelyError, match="has 3 columns, and the model was fitted on 2 columns"):
        next(batches(path, schema))


def test_a_pattern_is_all_its_files_in_order(how: str, tmp_path: Path) -> None:
    for place in (2, 1, 10):
        csv(tmp_path / f"part-{place:02d}.csv", f"x\n{place}\n{place + 100}\n")
    parts = list(batches(str(tmp_path / "part-*.csv")))
    assert joined(parts) == {"x": [1, 101, 2, 102, 10, 110]}
    assert [part.start for part in parts] == [0, 2, 4]
    assert [part.done for part in parts] == pytest.approx([1 / 3, 2 / 3, 1], abs=0.05)
    csv(tmp_path / "part-99.csv", "y\n1\n")
    with pytest.raises(LikelyError, match="need the same columns in the same order"):
        list(batches(str(tmp_path / "part-*.csv")))
    with pytest.raises(LikelyError, match="no file matches"):
        next(batches(str(tmp_path / "none-*.csv")))


def test_a_name_with_a_star_is_that_file(tmp_path: Path) -> None:
    csv(tmp_path / "a*.csv", "x\n1\n")
    csv(tmp_path / "ab.csv", "x\n2\n")
    assert joined(list(batches(tmp_path / "a*.csv"))) == {"x": [1]}


@pytest.mark.parametrize("name", ["t.csv", "t.json", "t.jsonl", "t.parquet", "t.csv.gz"])
def test_standard_input(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    write({"x": [1, 2], "w": ["a", None]}, path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert joined(list(batches("-"))) == {"x": [1, 2], "w": ["a", None]}


def test_a_file_without_rows_has_its_columns(how: str, tmp_path: Path) -> None:
    (part,) = batches(csv(tmp_path / "t.csv", "x,y\n"), model_of({"x": [1.0, 2.0]}).record_.schema)
    assert part.n == 0
    assert list(Frame.of(part.rows).names) == ["x", "y"]


def test_a_database_answers_a_query(how: str, tmp_path: Path) -> None:
    for name in ("t.db", "t.duckdb"):
        parts = list(batches(put(tmp_path / name), query="SELECT n FROM t WHERE n > 6", rows=2))
        assert joined(parts) == {"n": [7, 8, 9]}
    with pytest.raises(LikelyError, match="does not answer query='SELECT z FROM t'"):
        list(batches(tmp_path / "t.duckdb", query="SELECT z FROM t"))
    with pytest.raises(LikelyError, match="needs a DuckDB or SQLite file"):
        list(batches(put(tmp_path / "t.csv"), query="SELECT 1"))


def test_texts_of_a_database_stay_texts_where_they_look_like_numbers(how: str, tmp_path: Path) -> None:
    """SQLite types each value for itself: the first rows are whole numbers, the last is a word."""
    with closing(sqlite3.connect(tmp_path / "t.db")) as connection:
        connection.execute("CREATE TABLE t (z)")
        connection.executemany("INSERT INTO t VALUES (?)", [(1,), (2,), ("x",)])
        connection.commit()
    schema = model_of({"z": ["1", "x"]}).record_.schema
    assert joined(list(batches(tmp_path / "t.db", schema, rows=1))) == {"z": ["1", "2", "x"]}


def test_progress_comes_near_the_end(how: str, tmp_path: Path) -> None:
    lines = [f"{i},word {i},{i / 3}" for i in range(20_000)]
    path = csv(tmp_path / "t.csv", "\n".join(["a,b,c", *lines]) + "\n")
    done = [part.done for part in batches(path, rows=2000)]
    assert done == sorted(done)
    assert done[0] == pytest.approx(0.1, abs=0.05)
    assert done[-1] == pytest.approx(1, abs=0.05)


def test_a_reader_that_stops_early_lets_go(how: str, tmp_path: Path) -> None:
    path = csv(tmp_path / "t.csv", "x\n" + "1\n" * 5000)
    some: Iterator[Batch] = batches(path, rows=10)
    assert next(some).n == 10
    some.close()  # type: ignore[attr-defined]


@pytest.mark.long
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    code = """
import re, sys
import numpy as np, likely
from likely.table.batch.batches import batches
from likely.table.write.write import Writer
schema = likely.NaiveBayes().fit({"a": [1.0, 2.0], "w": ["u", "v"]}, [0, 1]).record_.schema
with Writer(sys.argv[2]) as out:
    for batch in batches(sys.argv[1], schema):
        out.write(batch.rows, {"p": np.zeros(batch.n)})
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""  # its own peak: ru_maxrss begins with that of the process that started it
    peaks = []
    # The shorter file fills all that DuckDB reads ahead, which takes a million rows (350 MB at 300,000, from
    # there on 405 to 465, by how threads take turns): if the whole file were held, it would go on growing.
    for n in (1_000_000, 3_000_000):
        query = f"SELECT i AS a, 'word ' || i AS w, random() AS b, random() AS c FROM range({n}) t(i)"
        duckdb.connect().execute(f"COPY ({query}) TO '{tmp_path}/t.csv'")
        command = [sys.executable, "-c", code, str(tmp_path / "t.csv"), str(tmp_path / "out.csv")]
        peaks.append(int(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    assert peaks[1] < 500
    assert peaks[1] < peaks[0] + 100


def test_rows_come_in_the_order_of_the_file(tmp_path: Path, how: str) -> None:
    """Of files of more than 8 MB too, which DuckDB reads in pieces at once, and with words for truth."""
    n, path, filler = 90_000, tmp_path / "long.csv", "x" * 100
    with path.open("w") as file:
        file.write("id,member,filler\n")
        file.writelines(f"{i},{('true', 'false')[i % 3 == 0]},{filler}\n" for i in range(n))
    model = likely.NaiveBayes(evidence_weights=None).fit({"member": [True, False, True]}, [0, 0, 1])
    for schema in (model.record_.schema, None):
        places = [np.asarray(part.rows["id"]).astype(float) for part in batches(path, schema)]
        assert_array_equal(np.concatenate(places), np.arange(n))
    whole = read(path, into="dict")
    assert_array_equal(whole["id"], np.arange(n))
    assert_array_equal(whole["member"], np.arange(n) % 3 > 0)
