"""`read`: every format into every library, the traps of text files, the bundled tables and the errors."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import json
import sqlite3
import subprocess
import sys
import zipfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
import xlsxwriter
from seeds import rarely

from likely.errors import LikelyError
from likely.table.read.read import read

LIBRARIES = ["pandas", "polars", "pyarrow", "dict"]

HEADER = ["n", "x", "né, \"odd\" 'name'", "ok", "day", "at", "none"]
ROWS: list[list[Any]] = [
    [1, 0.5, 'say "hi", it\'s', True, dt.date(2020, 2, 29), dt.datetime(2020, 2, 29, 10, 30), None],
    [None, None, "?", None, None, None, None],
    [3, -2e10, "two\nlines", False, dt.date(1999, 12, 31), dt.datetime(1999, 12, 31, 23, 59, 58), None],
    [-4, 7.0, "日本", True, dt.date(2020, 1, 1), dt.datetime(2020, 1, 1), None],
]
TABLE = {name: [row[place] for row in ROWS] for place, name in enumerate(HEADER)}
EXPECTED = {**TABLE, HEADER[2]: [None if text == "?" else text for text in TABLE[HEADER[2]]]}


def values(table: Any) -> dict[str, list[Any]]:
    """Any answer of `read` as lists of Python values, missing ones None, dates as midnights."""
    if isinstance(table, pd.DataFrame):
        lists = {name: table[name].astype(object).tolist() for name in table.columns}
    elif isinstance(table, pl.DataFrame):
        lists = table.to_dict(as_series=False)
    elif isinstance(table, pa.Table):
        lists = table.to_pydict()
    else:
        lists = {name: column.tolist() for name, column in table.items()}
    return {name: [plain(value) for value in column] for name, column in lists.items()}


def plain(value: Any) -> Any:
    if isinstance(value, dt.datetime) and value is not pd.NaT:
        return pd.Timestamp(value).to_pydatetime()
    if isinstance(value, dt.date) and value is not pd.NaT:
        return dt.datetime(value.year, value.month, value.day)
    return None if value is None or value is pd.NA or value is pd.NaT or value != value else value


def kind(table: Any, name: str) -> str:
    """The kind letter of a column's NumPy type: b, i, f, M, or O for text."""
    column = table[name]
    if isinstance(column, pd.Series):
        if isinstance(column.dtype, pd.BooleanDtype):
            return "b"
        return "O" if pd.api.types.is_string_dtype(column.dtype) else column.dtype.kind
    if isinstance(column, pl.Series):
        return (
            "O"
            if column.dtype == pl.String
            else {"I": "i", "F": "f", "B": "b"}.get(str(column.dtype)[0], "M")
        )
    if isinstance(column, pa.ChunkedArray):
        return {"int64": "i", "double": "f", "bool": "b", "string": "O"}.get(str(column.type), "M")
    return column.dtype.kind


def write_csv(path: Path, delimiter: str = ",", encoding: str = "utf-8") -> None:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", newline="", encoding=encoding) as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerows(
            [HEADER, *([str(v).lower() if isinstance(v, bool) else v for v in row] for row in ROWS)]
        )


def write_json(path: Path, *, lines: bool = True) -> None:
    objects = [{k: v for k, v in zip(HEADER, row, strict=True) if k != "x" or v is not None} for row in ROWS]
    texts = [json.dumps(row, default=str, ensure_ascii=False) for row in objects]
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(texts) if lines else "[" + ",\n".join(texts) + "]")


def write_arrow(path: Path, *, stream: bool = False) -> None:
    table = pa.table(TABLE)
    new = pa.ipc.new_stream if stream else pa.ipc.new_file
    with pa.OSFile(str(path), "wb") as file, new(file, table.schema) as writer:
        writer.write_table(table)


def write_xlsx(path: Path) -> None:
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        formats = {"day": book.add_format({"num_format": "yyyy-mm-dd"})}
        formats["at"] = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        sheet.write_row(0, 0, HEADER)
        for i, row in enumerate(ROWS, 1):
            for j, value in enumerate(row):
                if isinstance(value, dt.date):
                    sheet.write_datetime(i, j, value, formats[HEADER[j]])
                elif value is not None:
                    sheet.write(i, j, value)


def ods_cell(value: Any) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, bool):
        return f'<table:table-cell office:value-type="boolean" office:boolean-value="{str(value).lower()}"/>'
    if isinstance(value, int | float):
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'


def write_ods(path: Path, rows: list[list[Any]]) -> None:
    space = "urn:oasis:names:tc:opendocument:xmlns"
    body = "".join(f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in rows)
    content = (
        f'<?xml version="1.0"?><office:document-content xmlns:office="{space}:office:1.0" '
        f'xmlns:table="{space}:table:1.0" xmlns:text="{space}:text:1.0"><office:body><office:spreadsheet>'
        f'<table:table table:name="one">{body}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr("content.xml", content)
        book.writestr("META-INF/manifest.xml", "<manifest/>")


def write_duckdb(path: Path) -> None:
    table = pa.table(TABLE)
    with duckdb.connect(str(path)) as connection:
        connection.register("given", table)
        connection.execute('CREATE TABLE "the table" AS FROM given')


WRITERS = {
    "t.csv": write_csv,
    "t.CSV.gz": write_csv,
    "semicolon.csv": lambda path: write_csv(path, ";"),
    "bar.csv": lambda path: write_csv(path, "|"),
    "bom.csv": lambda path: write_csv(path, encoding="utf-8-sig"),
    "t.tsv": lambda path: write_csv(path, "\t"),
    "t.tsv.gz": lambda path: write_csv(path, "\t"),
    "t.jsonl": write_json,
    "t.ndjson.gz": write_json,
    "t.json": lambda path: write_json(path, lines=False),
    "t.parquet": lambda path: pq.write_table(pa.table(TABLE), path),
    "t.arrow": write_arrow,
    "t.feather": write_arrow,
    "stream.ipc": lambda path: write_arrow(path, stream=True),
    "t.xlsx": write_xlsx,
    "t.duckdb": write_duckdb,
    "t.db": write_duckdb,
}


@pytest.fixture(scope="module", params=list(WRITERS))
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("formats") / request.param
    WRITERS[request.param](path)
    return path


@pytest.mark.parametrize("into", LIBRARIES)
def test_every_format_into_every_library(file: Path, into: Any) -> None:
    table = read(file, into=into)
    assert values(table) == values(
        {name: np.array(column, dtype=object) for name, column in EXPECTED.items()}
    )
    whole = "i" if into in ("polars", "pyarrow") else "f"
    truth = "O" if into == "dict" else "b"
    assert [kind(table, name) for name in HEADER] == [whole, "f", "O", truth, "M", "M", "f"]


@pytest.mark.parametrize("into", LIBRARIES)
def test_the_answer_is_of_the_library_asked_for(tmp_path: Path, into: Any) -> None:
    (tmp_path / "t.csv").write_text("n,ok,day,at\n1,True,2020-01-01,2020-01-01T10:00:00+02:00\n")
    table = read(str(tmp_path / "t.csv"), into=into)
    assert type(table).__module__.split(".")[0] == ("builtins" if into == "dict" else into)
    assert [kind(table, name) for name in ("n", "ok", "day", "at")] == ["i", "b", "M", "M"]
    utc = dt.datetime(2020, 1, 1, 8, tzinfo=None if into == "dict" else dt.UTC)
    assert values(table)["at"] == [utc]


def test_into_none_takes_the_first_library_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for library, type_ in [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)]:
        assert isinstance(read("emails"), type_)
        monkeypatch.setitem(sys.modules, library, None)
    assert isinstance(read("emails"), dict)


# --- SQLite and spreadsheets, whose cells have types but whose columns have none ---------------------------


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    path = tmp_path / "it's a 100% base?.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (n, x, word, mixed, code)")
        rows = [(1, 1, "a", 1, 10**12), (None, 2.5, "?", "b", None), (-999, -999, "", 2.5, 3)]
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", rows)
    return path


@pytest.mark.parametrize("into", LIBRARIES)
def test_sqlite(sqlite_file: Path, into: Any) -> None:
    expected = {
        "n": [1, None, None],
        "x": [1, 2.5, None],
        "word": ["a", None, None],
        "mixed": ["1", "b", "2.5"],
        "code": [10**12, None, 3],
    }
    assert values(read(sqlite_file, missing="-999", into=into)) == expected
    answer = read(sqlite_file, query="SELECT count(*) AS rows, max(n) AS top FROM t -- all", into=into)
    assert values(answer) == {"rows": [3], "top": [1]}
    assert values(read(sqlite_file, query="SELECT n FROM t WHERE n > 5", into=into)) == {"n": []}


@pytest.mark.parametrize("into", LIBRARIES)
def test_ods(tmp_path: Path, into: Any) -> None:
    rows = [["n", "x", "word", "ok", 2020], [1, 0.5, "a", True, None], [2, 3, "NA", False, -9]]
    write_ods(tmp_path / "t.ods", rows)
    table = read(tmp_path / "t.ods", missing=-9, into=into)
    assert values(table) == {
        "n": [1, 2],
        "x": [0.5, 3],
        "word": ["a", None],
        "ok": [True, False],
        "2020": [None, None],
    }
    assert [kind(table, name) for name in ("n", "x", "word", "ok", "2020")] == ["i", "f", "O", "b", "f"]


def test_a_sheet_may_start_late_and_have_empty_rows(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "late.xlsx") as book:
        sheet = book.add_worksheet()
        sheet.write_row(3, 2, ["a", "", "c"])
        sheet.write_row(4, 2, [1, "x", "007"])
        sheet.write_row(7, 2, [2.5, "?", "1e5"])
    expected = {"a": [1, 2.5], "column2": ["x", None], "c": ["007", "1e5"]}
    assert values(read(tmp_path / "late.xlsx", into="dict")) == expected


def test_a_query_on_a_duckdb_file_leaves_it_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "t.duckdb"
    write_duckdb(path)
    before = path.read_bytes()
    answer = read(path, query='SELECT sum(n) AS total, list(n) AS l FROM "the table"; -- done', into="dict")
    assert values(answer) == {"total": [0.0], "l": ["[1, NULL, 3, -4]"]}
    with pytest.raises(LikelyError, match="does not answer query='DROP TABLE"):
        read(path, query='DROP TABLE "the table"')
    assert path.read_bytes() == before


def test_types_that_no_frame_needs_become_plain_ones(tmp_path: Path) -> None:
    table = pa.table(
        {
            "a": pa.array([1, None], pa.uint8()),
            "A": pa.array([np.float16(1.5), None], pa.float16()),
            "level": pa.array(["low", "high"]).dictionary_encode(),
            "ns": pa.array([dt.datetime(2020, 1, 1), None], pa.timestamp("ns")),
            "utc": pa.array([dt.datetime(2020, 1, 1), None], pa.timestamp("us", tz="Europe/Stockholm")),
            "list": [[1, 2], None],
            "clock": [dt.time(10, 30), None],
            "nothing": pa.nulls(2),
        }
    )
    pq.write_table(table, tmp_path / "p.parquet")
    feather.write_feather(table, tmp_path / "f.feather")
    for name in ("p.parquet", "f.feather"):
        answer = values(read(tmp_path / name, into="pyarrow"))
        assert answer.pop("utc") == [dt.datetime(2020, 1, 1, tzinfo=dt.UTC), None]
        # Old writers of Parquet say that a time of day is in UTC, and DuckDB repeats it.
        assert answer.pop("clock") in (["10:30:00", None], ["10:30:00+00", None])
        assert answer == {
            "a": [1, None],
            "A": [1.5, None],
            "level": ["low", "high"],
            "ns": [dt.datetime(2020, 1, 1), None],
            "list": ["[1, 2]", None],
            "nothing": [None, None],
        }


# --- missing marks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "missing", ["-999", -999, -999.0, "-999.0", ["none", -999], np.int64(-999), {"-999"}]
)
@pytest.mark.parametrize("name", ["m.csv", "m.jsonl", "m.parquet", "m.arrow", "m.xlsx", "m.db"])
def test_a_number_as_mark(tmp_path: Path, name: str, missing: Any) -> None:
    table = {"n": [1, -999], "x": [-999.0, 0.5], "word": ["-999", "b"]}
    frame, path = pd.DataFrame(table), tmp_path / name
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".arrow":
        frame.to_feather(path)
    elif path.suffix == ".xlsx":
        frame.to_excel(path, index=False, engine="xlsxwriter")
    else:
        with closing(sqlite3.connect(path)) as connection:
            frame.to_sql("t", connection, index=False)
    answer = read(path, missing=missing, into="polars")
    assert values(answer) == {"n": [1, None], "x": [None, 0.5], "word": [None, "b"]}
    assert [kind(answer, name) for name in table] == ["i", "f", "O"]


def test_marks_with_quotes_and_spaces(tmp_path: Path) -> None:
    path = tmp_path / "it's; DROP TABLE texts --.csv"
    path.write_text("a,b\n1,it's\n ?,  x \nNA ,'); --\n3,   \n")
    answer = read(path, missing=["it's", "'); --"], into="dict")
    assert values(answer) == {"a": [1, None, None, 3], "b": [None, "  x ", None, None]}


def test_a_mark_in_a_json_column_of_numbers_leaves_numbers(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"n": 1, "s": "1"}\n{"n": "?", "s": "02"}\n{"n": 3, "s": null}\n')
    assert values(read(path, into="dict")) == {"n": [1, None, 3], "s": ["1", "02", None]}


def test_only_three_marks_always_hold(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\nnull\nNone\nn/a\nna\n-\n")
    assert values(read(tmp_path / "t.csv", into="dict"))["a"] == ["null", "None", "n/a", "na", "-"]
    assert values(read(tmp_path / "t.csv", missing="-", into="dict"))["a"][-1] is None


def test_a_mark_is_text_or_number() -> None:
    with pytest.raises(LikelyError, match=r"missing=None is not a mark; give texts or numbers"):
        read("emails", missing=[None])  # type: ignore[list-item]


# --- the types of text columns -----------------------------------------------------------------------------

COLUMNS = [
    ("1 2 -3", "i"),
    ("+1 0 9223372036854775807", "i"),
    ("1 2.5 -3e-2", "f"),
    ("2.5 1 .5", "f"),
    ("1 nan inf", "f"),
    ("007 12 13", "O"),
    ("12 13 007", "O"),
    ("0.5 01.5 2", "O"),
    ("-07 1 2", "O"),
    ("98765432109876543210 1 2", "O"),
    ("1_000 2 3", "O"),
    ("0x1F 2 3", "O"),
    ("true false true", "b"),
    ("True FALSE true", "b"),
    ("yes no yes", "O"),
    ("t f t", "O"),
    ("true 1 0", "O"),
    ("2020-01-01 2020-02-29 1969-12-31", "M"),
    ("2020-01-01 2020-02-30 2020-01-01", "O"),
    ("2020-01-01T10:00:00 2020-01-01T10:00:00.25 2020-01-01", "M"),
    ("2020-01-01T10:00:00Z 2020-01-01T10:00:00+01:00 2020-01-01T10:00:00-0130", "M"),
    ("2020-01-01 10 2020-01-01", "O"),
    ("10:30 11:30 12:30", "O"),
    ("(1) (2) (3)", "O"),
    ("1.2.3 1 2", "O"),
    ("€007 €1 €2", "O"),
    ("? NA ?", "f"),
]


@pytest.mark.parametrize(("cells", "expected"), COLUMNS)
def test_the_type_of_a_text_column(tmp_path: Path, cells: str, expected: str) -> None:
    for order in (cells.split(), cells.split()[::-1]):
        lines = [f'{place},"{cell}"' for place, cell in enumerate(order)]
        (tmp_path / "t.csv").write_text("\n".join(["place,it", *lines]))
        table = read(tmp_path / "t.csv", into="dict")
        assert table["it"].dtype.kind == expected
        if expected == "O":
            assert table["it"].tolist() == order


def test_the_last_of_many_rows_decides_too(tmp_path: Path) -> None:
    rows = "\n".join(f"{i},{i}" for i in range(1, 200_001))
    (tmp_path / "t.csv").write_text(f"zip,n\n{rows}\n00501,?\n")
    table = read(tmp_path / "t.csv", into="dict")
    assert (table["zip"][0], table["zip"][-1], len(table["zip"])) == ("1", "00501", 200_001)
    assert np.isnan(table["n"][-1])
    assert table["n"][:-1].tolist() == list(range(1, 200_001))  # and the rows keep their order


# --- the shape of text files -------------------------------------------------------------------------------

SHAPES = {
    "crlf": (b"a,b\r\n1,x\r\n2,y\r\n", [1, 2]),
    "cr": (b"a,b\r1,x\r2,y\r", [1, 2]),
    "no last line end": (b"a,b\n1,x\n2,y", [1, 2]),
    "blank lines": (b"\n\na,b\n\n1,x\n\n\n2,y\n\n", [1, 2]),
    "blank crlf lines": (b"\r\na,b\r\n1,x\r\n\r\n2,y\r\n", [1, 2]),
    "bom and quotes": (b'\xef\xbb\xbf"a","b"\n"1","x"\n"2","y"\n', [1, 2]),
    "line break in the header": (b'a,"b\nb"\n1,x\n2,y\n', [1, 2]),
    "other line break inside quotes": (b'a,b\n1,"x\r\nx"\n2,y\n', [1, 2]),
    "quote inside a cell": (b'a,b\n1,5" nail\n2,"5"" nail"\n', [1, 2]),
    "separators too many": (b"a,b\n1,x,\n2,y,,\n", [1, 2]),
    "header only": (b"a,b\n", []),
    "spaces around numbers": (b"a,b\n 1 ,x\n2 ,y\n", [1, 2]),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_shape_of_a_text_file(tmp_path: Path, shape: str) -> None:
    content, expected = SHAPES[shape]
    for name in ("t.csv", "t.csv.gz"):
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
        table = read(tmp_path / name, into="dict")
        assert table["a"].tolist() == expected
        assert len(table) == 2


def test_one_column(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('a\n1\n\n""\n3\n\n')
    assert values(read(tmp_path / "t.csv", into="dict")) == {"a": [1, None, 3]}


@pytest.mark.parametrize("into", LIBRARIES)
def test_odd_names(tmp_path: Path, into: Any) -> None:
    names = ["a", "A", "select", 'x"y', "it's", "größe", "c0", "a b", "*", "$.a", "/~", "{}", "count"]
    with open(tmp_path / "t.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[*names, ""], range(14)])
    (tmp_path / "t.json").write_text(json.dumps([dict(zip([*names, ""], range(14), strict=True))]))
    pq.write_table(pa.table([[i] for i in range(14)], names=[*names, "column14"]), tmp_path / "t.parquet")
    for suffix in ("csv", "json", "parquet"):
        answer = values(read(tmp_path / f"t.{suffix}", into=into))
        assert answer == {name: [i] for i, name in enumerate([*names, "column14"])}


@pytest.mark.parametrize(
    "name", ["g[1]*.csv", "what?.csv", "it's.csv", "größe 1.csv", "a;b--.parquet", "q'*.json"]
)
def test_odd_paths(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "year=2020"
    folder.mkdir()
    frame = pd.DataFrame({"a": [1]})
    for other in (name, "g1x" + name[-4:], "whatx.csv", "q'x.json"):
        path = folder / other
        if path.suffix == ".parquet":
            frame.to_parquet(path)
        elif path.suffix == ".json":
            frame.to_json(path, orient="records")
        else:
            frame.to_csv(path, index=False)
    assert values(read(folder / name, into="dict")) == {"a": [1]}


def test_a_path_from_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "t.csv").write_text("a\n1\n")
    assert values(read("~/t.csv", into="dict")) == {"a": [1]}


def test_long_cells(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "x" * 5_000_000 + ",1\ny,2\n")
    assert [len(text) for text in read(tmp_path / "t.csv", into="dict")["a"]] == [5_000_000, 1]


def test_wide_tables(tmp_path: Path) -> None:
    names = [f"g{i}" for i in range(250)]
    with open(tmp_path / "t.csv", "w", newline="") as file:
        csv.writer(file).writerows([names, range(250), [i + 0.5 if i % 2 else "?" for i in range(250)]])
    table = values(read(tmp_path / "t.csv", into="dict"))
    assert table == {name: [i, i + 0.5 if i % 2 else None] for i, name in enumerate(names)}


def test_json_keys_may_be_missing_and_values_nested(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"b": 1, "n": {"x": [1]}}\n\n{"a": true, "b": 2.5}\n{"d": "2020-01-01", "e": 1, "b": null}\n'
    )
    assert values(read(path, into="dict")) == {
        "b": [1, 2.5, None],
        "n": ['{"x":[1]}', None, None],
        "a": [None, True, None],
        "d": [None, None, dt.datetime(2020, 1, 1)],
        "e": [None, None, 1],
    }
    path.write_text("\n".join(json.dumps({f"k{i}": i}) for i in range(300)))
    assert list(read(path, into="dict")) == [f"k{i}" for i in range(300)]


# --- bundled tables ----------------------------------------------------------------------------------------


def test_titanic() -> None:
    table = values(read("titanic", into="dict"))
    people = Counter(zip(*table.values(), strict=True))
    assert list(table) == ["class", "sex", "age", "survived"]
    published = {
        ("male", "child", "no"): (0, 0, 35, 0),
        ("female", "child", "no"): (0, 0, 17, 0),
        ("male", "adult", "no"): (118, 154, 387, 670),
        ("female", "adult", "no"): (4, 13, 89, 3),
        ("male", "child", "yes"): (5, 11, 13, 0),
        ("female", "child", "yes"): (1, 13, 14, 0),
        ("male", "adult", "yes"): (57, 14, 75, 192),
        ("female", "adult", "yes"): (140, 80, 76, 20),
    }
    for rest, counts in published.items():
        assert tuple(people[class_, *rest] for class_ in ("1st", "2nd", "3rd", "crew")) == counts
    assert (people.total(), table["survived"].count("yes")) == (2201, 711)


def test_play_tennis() -> None:
    table = read("play_tennis", into="dict")
    assert list(table) == ["outlook", "temperature", "humidity", "windy", "play"]
    assert table["windy"].dtype == bool
    days = Counter(zip(table["outlook"], table["play"], strict=True))
    assert days == {
        ("sunny", "no"): 3,
        ("sunny", "yes"): 2,
        ("overcast", "yes"): 4,
        ("rainy", "yes"): 3,
        ("rainy", "no"): 2,
    }
    # N6 of the mission: sunny, cool, high, windy
    scores = {}
    for play in ("yes", "no"):
        chosen = table["play"] == play
        query = [("outlook", "sunny"), ("temperature", "cool"), ("humidity", "high"), ("windy", True)]
        scores[play] = chosen.mean() * np.prod(
            [(table[name][chosen] == value).mean() for name, value in query]
        )
    assert scores["yes"] == pytest.approx(1 / 189)
    assert scores["no"] == pytest.approx(18 / 875)


def test_emails() -> None:
    assert values(read("emails", into="dict")) == {
        "message": [
            "b d e b b d e",
            "b c e b b d d e c c",
            "a d a d e a e e",
            "b a d b e d a b",
            "a b a b a b a e d",
            "a c a c a c a e d",
            "e a e d a e a",
            "d e d e d",
        ],
        "class": ["spam"] * 4 + ["ham"] * 4,
    }


def test_a_file_goes_before_a_bundled_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "titanic").mkdir()
    assert len(read("titanic", into="dict")["sex"]) == 2201
    (tmp_path / "titanic").rmdir()
    (tmp_path / "titanic").write_text("mine")
    with pytest.raises(LikelyError, match=r"titanic: suffix '' is not known"):
        read("titanic")


# --- real files, against the INDEX.md that comes with them -------------------------------------------------

REAL = [  # file, rows, columns, missing cells (the share INDEX.md gives, in per cent), columns with missing
    ("adult.csv.gz", 32561, 15, 0.87, 3),
    ("house_votes_84.csv", 435, 17, 5.30, 16),
    ("titanic.csv", 1309, 14, 21.0, 7),
    ("nycflights13.csv.gz", 336776, 19, 0.73, 6),
    ("penguins.csv", 344, 8, 0.69, 5),
    ("soybean.csv", 683, 36, 9.50, 34),
    ("mini_newsgroups.csv.gz", 2000, 3, 0.0, 0),
]


@pytest.mark.parametrize(
    ("name", "rows", "columns", "share", "gappy"), [*REAL[1:3], *REAL[4:], *rarely(REAL[0], REAL[3])]
)
def test_real_files(shared_data: Path, name: str, rows: int, columns: int, share: float, gappy: int) -> None:
    table = read(shared_data / name, into="polars")
    missing = [column.null_count() for column in table]
    assert table.shape == (rows, columns)
    assert 100 * sum(missing) / (rows * columns) == pytest.approx(
        share, abs=0.05 if name == "titanic.csv" else 0.005
    )
    assert sum(count > 0 for count in missing) == gappy


@pytest.mark.parametrize("into", ["pandas", pytest.param("polars", marks=pytest.mark.long)])
@pytest.mark.long
def test_flights(shared_data: Path, into: Any) -> None:
    table = read(shared_data / "nycflights13.csv.gz", into=into)
    whole = "i" if into == "polars" else "f"
    assert [kind(table, name) for name in ("year", "dep_time", "carrier", "time_hour")] == [
        "i",
        whole,
        "O",
        "M",
    ]
    assert (
        sum(value is None for value in values({"t": np.asarray(table["tailnum"], dtype=object)})["t"]) == 2512
    )


# --- what is imported, and what happens without it ---------------------------------------------------------


def run(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_the_module_imports_numpy_only() -> None:
    code = "import sys, likely.table.read.read; print(*{name.split('.')[0] for name in sys.modules})"
    heavy = {
        "duckdb",
        "_duckdb",
        "pandas",
        "polars",
        "pyarrow",
        "narwhals",
        "scipy",
        "sklearn",
        "python_calamine",
    }
    assert not heavy & set(run(code).split())


def test_csv_json_and_parquet_need_no_frame_library(tmp_path: Path) -> None:
    names = ["t.csv", "t.jsonl", "t.parquet", "t.duckdb"]
    for name in names:
        WRITERS[name](tmp_path / name)
    code = (
        "import sys\nfor name in ('pandas', 'polars', 'pyarrow'): sys.modules[name] = None\n"
        "from likely.table.read.read import read\n"
        f"for name in {names}: print(read({str(tmp_path)!r} + '/' + name)['n'])"
    )
    assert run(code).splitlines() == ["[ 1. nan  3. -4.]"] * 4


# --- errors ------------------------------------------------------------------------------------------------


def complaint(source: Any, **options: Any) -> str:
    """The message of the LikelyError, which is never longer than two lines."""
    with pytest.raises(LikelyError) as caught:
        read(source, **options)
    message = str(caught.value)
    assert 1 <= len(message.splitlines()) <= 2
    return message


def test_a_missing_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "people.csv").write_text("a\n1\n")
    gone = tmp_path / "poeple.csv"
    assert complaint(gone) == f"there is no file {gone}; did you mean 'people.csv'?"
    assert complaint(tmp_path / "zzz.csv") == f"there is no file {tmp_path / 'zzz.csv'}"
    assert complaint(tmp_path / "no" / "x.csv") == (
        f"there is no file {tmp_path / 'no' / 'x.csv'} (nor a folder {tmp_path / 'no'})"
    )
    assert complaint(tmp_path) == f"{tmp_path} is a folder; name one file in it"
    monkeypatch.chdir(tmp_path)
    assert complaint("play-tennis") == "there is no file play-tennis; did you mean 'play_tennis'?"
    assert complaint("wine") == (
        "there is no file wine; tables that need no file are 'customers', 'emails', 'play_tennis', 'titanic'"
    )


@pytest.mark.parametrize("name", ["e.csv", "e.parquet", "e.jsonl", "e.xlsx", "e.arrow", "e.db"])
def test_an_empty_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    assert complaint(tmp_path / name).startswith(f"{tmp_path / name} is empty; a table needs")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("e.csv", b"\n \n,,\n"),
        ("e.csv", b"\xef\xbb\xbf"),
        ("e.csv.gz", gzip.compress(b"", mtime=0)),
        ("e.json", b"[]"),
        ("e.jsonl", b"\n"),
        ("e.jsonl", b"{}"),
    ],
)
def test_a_file_with_nothing_in_it(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert complaint(tmp_path / name).startswith(f"{tmp_path / name} is empty; a table needs")


def test_an_empty_sheet(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "e.xlsx") as book:
        book.add_worksheet()
    assert "is empty; its first sheet needs a first row" in complaint(tmp_path / "e.xlsx")


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        ("a,b\n1,2\n3\n4,5\n", 3, 1),
        ("a,b\n1,2\n3,4,5\n", 3, 3),
        ('\na,b\n1,"2\n2"\n\n3,4,5\n', 6, 3),
        (" \n,\na,b\n1,2,\n3\n", 5, 1),
        ('a,b\n1,2\n"3,4\n5,6\n', 3, 1),
        ("a,b\n" + "1,2,\n" * 50_000 + "1,2,3\n" + "1,2\n" * 50_000, 50_002, 3),
    ],
)
def test_a_ragged_row(tmp_path: Path, content: str, line: int, found: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content)
    message = complaint(path)
    assert message.startswith(f"{path}, line {line}: expected 2 columns, found {found}; mend the line")


def test_doubled_names(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b,a,b,c\n1,2,3,4,5\n")
    assert complaint(tmp_path / "t.csv") == (
        f"{tmp_path / 't.csv'}: column names must differ, but 'a', 'b' stand more than once; rename them"
    )
    pq.write_table(pa.table([[1], [2]], names=["a", "a"]), tmp_path / "t.parquet")
    (tmp_path / "t.json").write_text('{"a": 1, "a": 2}')
    write_arrow_twice = pa.table([[1], [2]], names=["a", "a"])
    with (
        pa.OSFile(str(tmp_path / "t.arrow"), "wb") as file,
        pa.ipc.new_file(file, write_arrow_twice.schema) as out,
    ):
        out.write_table(write_arrow_twice)
    for suffix in ("parquet", "json", "arrow"):
        assert "but 'a' stands more than once" in complaint(tmp_path / f"t.{suffix}")


def test_rows_that_no_one_can_parse(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for content in (b"a,b\r\n1,2\n3,4\r\n", b'a,b\n"x"y,2\n'):
        path.write_bytes(content)
        message = complaint(path)
        assert message.startswith(f"{path} cannot be read as CSV: Invalid Input Error")
        assert "mixed line endings and text after a closing quote; save it with one line ending" in message


@pytest.mark.parametrize(
    ("name", "what"),
    [("t.parquet", "Parquet"), ("t.arrow", "Arrow"), ("t.xlsx", "a workbook"), ("t.json", "JSON")],
)
def test_a_file_that_is_not_what_it_says(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / name).write_bytes(b"{this is nothing of the kind")
    assert complaint(tmp_path / name).startswith(f"{tmp_path / name} cannot be read as {what}: ")


def test_a_broken_gzip_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + bytes(np.random.default_rng(1).integers(48, 58, 9999)))[:60])
    assert complaint(path).startswith(f"{path} cannot be read as CSV: ")


def test_json_rows_that_are_no_objects(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('[{"a": 1}, 2]')
    assert complaint(path) == f'{path}, row 2: 2 is not an object; write rows as {{"column": value}}'


def test_an_unknown_suffix(tmp_path: Path) -> None:
    for name, suffix in [("t.docx", ".docx"), ("t.xlsx.gz", ".xlsx.gz"), ("t", "")]:
        (tmp_path / name).write_text("a,b\n1,2\n")
        message = complaint(tmp_path / name)
        assert message.startswith(
            f"{tmp_path / name}: suffix '{suffix}' is not known\nUnderstood are .csv, .tsv, .tab, .txt, "
        )
        assert message.endswith("also with .gz")
    (tmp_path / "t.db").write_text("a,b\n1,2\n")
    assert "neither a DuckDB nor an SQLite file" in complaint(tmp_path / "t.db")


def test_queries(tmp_path: Path, sqlite_file: Path) -> None:
    database = tmp_path / "t.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute("CREATE TABLE one AS SELECT 1 AS a; CREATE TABLE two AS SELECT 2 AS a")
    with closing(sqlite3.connect(sqlite_file)) as connection:
        connection.execute("CREATE TABLE u (a)")
    for path, first, second in [(database, "one", "two"), (sqlite_file, "t", "u")]:
        assert complaint(path) == (
            f'{path} has 2 tables ("{first}", "{second}"); choose with query=\'SELECT * FROM "{first}"\''
        )
        for query in ("SELECT * FROM nowhere", "SELEC"):
            assert complaint(path, query=query).startswith(f"{path} does not answer query={query!r}: ")
    assert "column names must differ" in complaint(sqlite_file, query="SELECT 1 AS a, 2 AS a")
    assert complaint(sqlite_file, query="DROP TABLE t").endswith("attempt to write a readonly database")
    assert complaint(sqlite_file, query="") == complaint(sqlite_file)
    assert complaint("emails", query="SELECT 1") == (
        "query='SELECT 1' needs a DuckDB or SQLite file, and emails is not one; leave query out"
    )


def test_databases_without_tables(tmp_path: Path) -> None:
    duckdb.connect(str(tmp_path / "t.duckdb")).close()
    with closing(sqlite3.connect(tmp_path / "t.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("DROP TABLE t")
    for name in ("t.duckdb", "t.sqlite"):
        assert complaint(tmp_path / name) == f"{tmp_path / name} has no table to read"
    assert "gives no rows; ask with a SELECT" in complaint(tmp_path / "t.sqlite", query="BEGIN")


def test_libraries_that_are_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_arrow(tmp_path / "t.arrow")
    write_xlsx(tmp_path / "t.xlsx")
    for library in ("pandas", "polars", "pyarrow", "python_calamine"):
        monkeypatch.setitem(sys.modules, library, None)
    for library in ("pandas", "polars", "pyarrow"):
        assert complaint("emails", into=library) == (
            f"into={library!r} needs a library that is not installed: pip install {library}"
        )
    assert (
        complaint(tmp_path / "t.arrow")
        == f"reading {tmp_path / 't.arrow'} needs pyarrow: pip install 'likely[arrow]'"
    )
    assert complaint(tmp_path / "t.xlsx").endswith("needs python-calamine: pip install 'likely[excel]'")
    assert complaint("emails", into="numpy") == (
        "into='numpy' is not known; choose 'pandas', 'polars', 'pyarrow' or 'dict'"
    )


def test_the_cause_is_chained(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1\n")
    with pytest.raises(LikelyError) as caught:
        read(tmp_path / "t.csv")
    assert isinstance(caught.value.__cause__, duckdb.Error)
