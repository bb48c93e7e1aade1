"""`write`: what `read` gives back of every format, and files that are there whole or not at all."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import os
import stat
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seeds import examples

import likely
from likely.errors import LikelyError
from likely.table.read.read import read
from likely.table.write import formats as write_excel
from likely.table.write.write import Writer, write

# Neither lone surrogates, which are no text, nor the null character, which DuckDB does not read.
CHARACTERS = st.characters(blacklist_categories=("Cs",), blacklist_characters="\0")
# Cells of nothing but blanks are missing, whatever blanks Unicode has.
BLANKS = "".join(chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Zs")
WORDS = st.text(CHARACTERS, min_size=1).filter(lambda text: text.strip(BLANKS) not in ("", "?", "NA"))
# A word in the first row keeps the column text whatever the others look like.
COLUMNS: dict[str, tuple[st.SearchStrategy[Any], Any]] = {
    "text": (WORDS, "a word"),
    "whole": (st.integers(-(2**63), 2**63 - 1), 3),
    "real": (st.floats(allow_nan=False, width=64), 0.5),
    "truth": (st.booleans(), True),
    "day": (st.dates(dt.date(1, 1, 1), dt.date(9999, 12, 31)), dt.date(2024, 2, 29)),
    "moment": (st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2200, 1, 1)), dt.datetime(2024, 2, 29, 1)),
}


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[Any]]:
    n = draw(st.integers(1, 6))
    kinds = draw(st.lists(st.sampled_from(list(COLUMNS)), min_size=1, max_size=4))
    cells: dict[str, list[Any]] = {}
    for place, kind in enumerate(kinds):
        some, first = COLUMNS[kind]
        cells[f"{kind}{place}"] = [first, *draw(st.lists(st.none() | some, min_size=n, max_size=n))]
    # Floats lose the digits of whole numbers beside a gap: without one, or small.
    for name, column in cells.items():
        if name.startswith("whole") and None in column:
            cells[name] = [None if v is None else v % 2**53 for v in column]
    return cells


def values(table: Any) -> dict[str, list[Any]]:
    """The answer of read(into="pyarrow") as Python values."""
    assert isinstance(table, pa.Table)
    return {str(name): column for name, column in table.to_pydict().items()}


def same(given: dict[str, list[Any]], found: dict[str, list[Any]]) -> None:
    assert list(found) == list(given)
    for name, column in given.items():
        assert found[name] == column, name
        assert [type(v) for v in found[name]] == [type(v) for v in column], name


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".csv.gz", ".parquet"])
@settings(max_examples=examples(25), deadline=None)
@given(table=tables())
def test_what_was_written_is_read(suffix: str, table: dict[str, list[Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write(table, f"{folder}/t{suffix}")
        same(table, values(read(f"{folder}/t{suffix}", into="pyarrow")))


@pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl", ".ndjson.gz"])
def test_a_number_of_many_digits_before_its_point_is_a_number(suffix: str, tmp_path: Path) -> None:
    table = {"text": ["a", None], "real": [0.5, 1e18], "more": [-2.5e21, 3.0]}
    write(table, tmp_path / f"t{suffix}")
    same(table, values(read(tmp_path / f"t{suffix}", into="pyarrow")))


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".ndjson.gz"])
@settings(max_examples=examples(15), deadline=None)
@given(table=tables())
def test_json_is_read_back(suffix: str, table: dict[str, list[Any]]) -> None:
    finite = {n: [v if v not in (np.inf, -np.inf) else 1.5 for v in c] for n, c in table.items()}
    with tempfile.TemporaryDirectory() as folder:
        write(finite, f"{folder}/t{suffix}")
        same(finite, values(read(f"{folder}/t{suffix}", into="pyarrow")))
        opened = gzip.open if suffix.endswith(".gz") else open
        with opened(f"{folder}/t{suffix}", "rt", encoding="utf-8") as file:  # another reader agrees
            rows = json.load(file) if suffix == ".json" else [json.loads(line) for line in file]
    texts = [name for name in finite if name.startswith(("text", "whole", "truth", "real"))]
    for name in texts:
        assert [row[name] for row in rows] == finite[name]


TABLE = {
    "code": ["007", "12", None, "a,b"],
    "n": [1, 2, None, 4],
    "x": [0.1, 1e300, None, -2.0],
    "ok": [True, None, False, True],
    "day": [dt.date(2020, 2, 29), None, dt.date(1999, 12, 31), dt.date(2020, 1, 1)],
    "at": [dt.datetime(2020, 2, 29, 10, 30), None, dt.datetime(1999, 12, 31), dt.datetime(2020, 1, 1, 1)],
    "line": ["two\nlines", 'say "hi"', "  spaces ", "日本"],
}


def as_dict(table: Any) -> Any:
    return {name: np.array(column, object) for name, column in table.items()}


# pandas of its own accord would have floats for whole numbers with gaps.
LIBRARIES: dict[str, Any] = {
    "dict of lists": dict,
    "dict of objects": as_dict,
    "pandas": lambda table: pd.DataFrame(table).convert_dtypes(),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "record batch": pa.RecordBatch.from_pydict,
}


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".jsonl", ".parquet", ".xlsx"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_every_library_to_every_format(library: str, suffix: str, tmp_path: Path) -> None:
    write(LIBRARIES[library](TABLE), tmp_path / f"t{suffix}")
    same(TABLE, values(read(tmp_path / f"t{suffix}", into="pyarrow")))


def test_a_matrix_gets_names_of_places(tmp_path: Path) -> None:
    write(np.array([[1.5, 2.0], [np.nan, 4.0]]), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b"x0,x1\n1.5,2.0\n,4.0\n"


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_gaps_of_every_library_are_missing(suffix: str, tmp_path: Path) -> None:
    for place, column in enumerate(
        [np.array([1.0, np.nan]), pd.Series([1.0, pd.NA], dtype="Float64"), pl.Series([1.0, None]),
         pa.array([1.0, float("nan")]), pa.array([1.0, None])]
    ):  # fmt: skip
        table = pa.table({"x": column}) if isinstance(column, pa.Array) else {"x": column}
        write(table, tmp_path / f"{place}{suffix}")
        assert values(read(tmp_path / f"{place}{suffix}", into="pyarrow")) == {"x": [1.0, None]}


def test_categories_are_written_as_their_values(tmp_path: Path) -> None:
    table = pd.DataFrame({"c": pd.Categorical(["b", None, "a"]), "i": pd.Categorical([3, 1, None])})
    write(table, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "c,i\nb,3\n,1\na,\n"
    write(pa.Table.from_pandas(table), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "c,i\nb,3\n,1\na,\n"


def test_times_with_a_zone_are_instants(tmp_path: Path) -> None:
    at = pd.Series(pd.to_datetime(["2024-07-01 12:00", None])).dt.tz_localize("Europe/Berlin")
    for table in (pd.DataFrame({"at": at}), pa.table({"at": pa.array(at)})):
        for suffix in (".csv", ".parquet", ".jsonl"):
            write(table, tmp_path / f"t{suffix}")
            found = read(tmp_path / f"t{suffix}", into="pyarrow")["at"].to_pylist()
            assert found == [dt.datetime(2024, 7, 1, 10, tzinfo=dt.UTC), None], suffix


def test_one_column_keeps_its_missing_cells(tmp_path: Path) -> None:
    write({"x": ["a", None, "b"]}, tmp_path / "t.csv")
    assert values(read(tmp_path / "t.csv", into="pyarrow")) == {"x": ["a", None, "b"]}


def test_names_that_differ_in_case_only(tmp_path: Path) -> None:
    for suffix in (".csv", ".json", ".jsonl", ".xlsx"):
        write({"a": [1], "A": [2], 'q"': [3]}, tmp_path / f"t{suffix}")
        assert values(read(tmp_path / f"t{suffix}", into="pyarrow")) == {"a": [1], "A": [2], 'q"': [3]}


def test_parquet_refuses_names_that_differ_in_case_only(tmp_path: Path) -> None:
    with pytest.raises(LikelyError, match="columns 'a' and 'A' differ in case only"):
        write({"a": [1], "A": [2]}, tmp_path / "t.parquet")


def test_no_rows_is_a_table_too(tmp_path: Path) -> None:
    write({"a": [], "b": []}, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "a,b\n"
    write({"a": []}, tmp_path / "t.json")
    assert json.loads((tmp_path / "t.json").read_text()) == []


@pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl", ".csv.gz", ".parquet", ".xlsx"])
def test_parts_make_a_whole(suffix: str, tmp_path: Path) -> None:
    with Writer(tmp_path / f"t{suffix}") as out:
        out.write({"n": [1, 2], "text": ["a", "b"]}, {"p": np.array([0.25, np.nan])})
        out.write({"n": [3], "text": [None]}, {"p": np.array([1.0])})
        out.write(pa.table({"n": [4], "text": ["d"]}), {"p": [0.5]})
    found = values(read(tmp_path / f"t{suffix}", into="pyarrow"))
    assert found == {"n": [1, 2, 3, 4], "text": ["a", "b", None, "d"], "p": [0.25, None, 1.0, 0.5]}


def test_a_part_without_values_has_the_type_of_the_others(tmp_path: Path) -> None:
    with Writer(tmp_path / "t.parquet") as out:
        out.write({"x": [None, None]})
        out.write({"x": ["a", "b"]})
    assert values(read(tmp_path / "t.parquet", into="pyarrow")) == {"x": [None, None, "a", "b"]}


@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet", ".xlsx", ".jsonl.gz"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_error_leaves_the_old_file_and_nothing_else(
    error: type[BaseException], suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"t{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(error), Writer(path) as out:  # noqa: PT012
        out.write({"x": [1]})
        raise error
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [path.name]


def test_an_error_of_the_last_step_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write({"x": [1]}, tmp_path / "t.csv")
    assert os.listdir(tmp_path) == []


def test_the_file_appears_only_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    with Writer(path) as out:
        out.write({"x": [1]})
        assert not path.exists()
    assert path.read_text() == "x\n1\n"


def test_who_may_read_a_file_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write({"x": [1]}, path)
    usual = tmp_path / "usual"
    usual.write_text("")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    path.chmod(0o640)
    write({"x": [2]}, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    write({"x": [1]}, tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "x\n1\n"


def test_standard_output_is_csv() -> None:
    said = subprocess.run(
        [sys.executable, "-c", "import likely; likely.write({'a, b': [1, None], 'c': ['x', 'y']}, '-')"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (said.stdout, said.stderr) == ('"a, b",c\n1,x\n,y\n', "")


def test_without_any_frame_library(tmp_path: Path) -> None:
    """NumPy and DuckDB are enough."""
    code = """
import sys
for library in ("pandas", "polars", "pyarrow"):
    sys.modules[library] = None
import numpy as np, likely
likely.write({"s": ["a", None], "f": np.array([0.1, np.nan]), "n": [1, None]}, sys.argv[1])
table = likely.read(sys.argv[1], into="dict")
print(table["s"].tolist(), table["f"].tolist(), table["n"].tolist())
"""
    for suffix in (".csv", ".parquet", ".jsonl"):
        said = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / f"t{suffix}")], capture_output=True, text=True
        )
        assert said.stdout == "['a', None] [0.1, nan] [1.0, nan]\n", said.stderr


def test_parquet_keeps_what_arrow_has(tmp_path: Path) -> None:
    small, half = pa.array([1, 2], pa.int8()), pa.array(np.array([0.5, 1.5], np.float16))
    table = pa.table({"list": [[1, 2], None], "small": small, "half": half})
    write(table, tmp_path / "t.parquet")
    found = pq.read_table(tmp_path / "t.parquet")
    assert found.to_pydict() == table.to_pydict()
    assert found.schema.field("small").type == pa.int8()


@pytest.mark.parametrize(
    ("table", "path", "said"),
    [
        ({"x": [1]}, "t.txt", "suffix '.txt' is not known"),
        ({"x": [1]}, "t", "suffix '' is not known"),
        ({"x": [1]}, "t.parquet.gz", "suffix '.parquet.gz' is not known"),
        ({"x": [1]}, "nowhere/t.csv", "nowhere/t.csv cannot be written: No such file or directory"),
        ({"x": [np.inf]}, "t.json", "column 'x' holds infinity, which JSON cannot"),
        ({"x": [np.inf]}, "t.xlsx", "column 'x' holds infinity, which a sheet cannot"),
        ({"x": ["a" * 40_000]}, "t.xlsx", "column 'x', row 0 holds 40000 characters"),
        ({"x": [1, 2], "y": [1]}, "t.csv", "all columns must be of the same length"),
        ({}, "t.csv", "has no columns"),
        (pa.table([[1], [2]], names=["x", "x"]), "t.csv", "'x' stands more than once"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_written_says_why(table: Any, path: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(LikelyError, match=said):
        write(table, tmp_path / path)
    assert os.listdir(tmp_path) == []


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").mkdir()
    with pytest.raises(LikelyError, match=r"t\.csv is a folder"):
        write({"x": [1]}, tmp_path / "t.csv")


def test_parts_need_the_same_columns(tmp_path: Path) -> None:
    alike = "all parts of a file need the same columns"
    with pytest.raises(LikelyError, match=alike), Writer(tmp_path / "t.csv") as out:  # noqa: PT012
        out.write({"x": [1]})
        out.write({"y": [1]})
    with pytest.raises(LikelyError, match="'x' stands more than once"), Writer(tmp_path / "t.csv") as out:
        out.write({"x": [1]}, {"x": [2]})
    with pytest.raises(LikelyError, match="nothing to write"), Writer(tmp_path / "t.csv"):
        pass
    assert os.listdir(tmp_path) == []


def test_a_sheet_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert write_excel._ROWS == 2**20
    monkeypatch.setattr(write_excel, "_ROWS", 4)
    write({"x": [1, 2, 3]}, tmp_path / "t.xlsx")
    with pytest.raises(LikelyError, match="room for 3 rows"):
        write({"x": [1, 2, 3, 4]}, tmp_path / "t.xlsx")


def test_write_is_public() -> None:
    assert likely.write is write
