"""How text files are cut into cells, and what their first row is taken for."""

from __future__ import annotations

import gzip
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import likely
from likely import LikelyError, LikelyWarning, read
from likely.table.batch.batches import batches
from likely.table.frame import Frame

ROWS = [[1.5, "a b", 3], [2.5, "c", 4], [0.5, "d", 6]]
CARS = '18.0   8\t307.   "chevrolet chevelle"\n15 8  ?  "buick, skylark" \n 16   8 1.\t\tamc\n'


def _cells(table: dict) -> list[list[object]]:
    return [list(row) for row in zip(*(column.tolist() for column in table.values()), strict=True)]


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("ending", [".csv", ".txt", ".dat", ".data", ".tab"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|", ":", "~", " "])
def test_every_separator_by_its_name(tmp_path: Path, separator: str, ending: str, zipped: bool) -> None:
    text = "\n".join(separator.join(f'"{cell}"' for cell in row) for row in [["x", "y", "z"], *ROWS]) + "\n"
    path = tmp_path / f"t{ending}{'.gz' if zipped else ''}"
    path.write_bytes(gzip.compress(text.encode()) if zipped else text.encode())
    table = read(path, into="dict", separator=separator)
    assert list(table) == ["x", "y", "z"]
    assert _cells(table) == ROWS
    (batch,) = batches(path, separator=separator)
    assert Frame.of(batch.rows).names == ("x", "y", "z")


def test_runs_of_spaces_and_tabs(tmp_path: Path) -> None:
    path = tmp_path / "cars.data"
    path.write_text(CARS)
    table = read(path, into="dict", separator=" ", header=False)
    assert list(table) == ["column1", "column2", "column3", "column4"]
    assert table["column1"].tolist() == [18, 15, 16]
    assert table["column3"][[0, 2]].tolist() == [307, 1]
    assert table["column4"].tolist() == ["chevrolet chevelle", "buick, skylark", "amc"]
    parts = list(batches(path, separator=" ", header=False))
    assert [part.n for part in parts] == [3]


def test_spaces_are_found_where_they_alone_cut_all_rows_alike(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age  name\n 31 ann\n\n 4  bob\n")
    with pytest.warns(LikelyWarning, match=r"t\.csv is cut into cells at its spaces; separator="):
        assert _cells(read(path, into="dict")) == [[31, "ann"], [4, "bob"]]
    one_column = [
        "full name\nann lee\nbob ray\n",  # no numbers
        "text\na b\nc d e\n",  # not alike
        "first order\n1 2\n",  # one row shows little
        "a word, b\n1 2,3\n4 5,6\n",  # a comma cuts too
    ]
    for text in one_column:
        path.write_text(text)
        assert next(iter(read(path, into="dict"))) == text.split("\n")[0].split(",")[0]


@pytest.mark.parametrize("wide", [5, 250])  # beyond 200 columns numbers are read another way
def test_without_a_header_no_row_is_lost(tmp_path: Path, wide: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\n" + "".join(",".join(str(i * j) for j in range(wide)) + "\n" for i in range(1, 5)))
    table = read(path, into="dict", header=False)
    assert list(table) == [f"column{j + 1}" for j in range(wide)]
    assert [table[f"column{j + 1}"].tolist() for j in range(wide)] == [
        [i * j for i in range(1, 5)] for j in range(wide)
    ]


@pytest.mark.parametrize(
    ("header", "example"), [("5.1,3.5,setosa", "5.1"), ("b,3,1,+", "3"), ("-1,x,y", None), ("0,1,2", None)]
)
def test_a_first_row_that_looks_like_data_is_named(tmp_path: Path, header: str, example: str | None) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"{header}\n{header}\n")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        read(path, into="dict")
    assert [str(one.message) for one in said] == (
        []
        if example is None
        else [
            f"t.csv: the first row is taken for the names of the columns, but {example!r} looks like data; "
            "header=False reads it as a row."
        ]
    )


def test_doubled_names_that_are_numbers_say_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("1,0,1\n1,2,3\n")
    with pytest.raises(LikelyError, match=r"'1' stands more than once.*say header=False"):
        read(path)
    path.write_text("a,a\n1,2\n")
    with pytest.raises(LikelyError, match=r"'a' stands more than once; rename them$"):
        read(path)


@pytest.mark.parametrize("separator", ["", "ab", "\n", '"', "\r"])
def test_what_is_no_separator_is_refused(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    if separator:
        with pytest.raises(LikelyError, match="is none: give the one character"):
            read(path, separator=separator)
    else:
        assert list(read(path, into="dict", separator=separator)) == ["a", "b"]  # as if it were not said


def test_errors_name_the_file_that_a_person_knows(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a;b\ncafé;1\n2\n".encode("latin-1"))
    with pytest.raises(LikelyError) as error:
        read(path, encoding="latin-1")
    assert str(error.value).startswith(f"{path}, line 3: expected 2 columns, found 1")
    path.write_text("a b c\n1 2 3\n4 5\n")
    for rows in (lambda: read(path, separator=" "), lambda: list(batches(path, separator=" "))):
        with pytest.raises(LikelyError) as error:
            rows()
        assert str(error.value).startswith(f"{path}, line 3: expected 3 columns, found 2")
        assert "a cell that holds ' ' needs" in str(error.value)


CALLER = """
import likely

likely.NaiveBayes().fit({"a": [1, 2], "b": [1, 2], "y": ["n", "y"]}, "y").predict_proba(
    {"a": [1]})
"""


def test_a_notice_points_at_the_line_that_called(tmp_path: Path) -> None:
    path = tmp_path / "caller.py"
    path.write_text(CALLER)
    run = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    assert f"{path}:4: LikelyWarning: column 'b' is not there" in run.stderr
    with pytest.warns(LikelyWarning) as said:
        likely.read(_latin(tmp_path))
    assert {one.filename for one in said} == {__file__}


def _latin(folder: Path) -> Path:
    path = folder / "latin.csv"
    path.write_bytes(b"a,b\ncaf\xe9,1\n")
    return path
