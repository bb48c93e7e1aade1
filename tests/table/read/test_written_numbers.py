"""Numbers as people write them, against what they say, in whole files and in batches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import likely
from likely import LikelyError, LikelyWarning, read
from likely.table.batch.batches import batches

# The cells of a column, and what they are.
COLUMNS = {
    "dollars": (["$1,752", "$9", "-$10.50"], [1752, 9, -10.5]),
    "percent": (["16.5%", "3 %", "100%"], [16.5, 3, 100]),
    "comma": (["1.002,06", "3,5", "7"], [1002.06, 3.5, 7]),
    "fractions": (["1,5", "2,25", "-3,5"], [1.5, 2.25, -3.5]),
    "accounts": (["(1,234)", "5", "($7.5)"], [-1234, 5, -7.5]),
    "thin": (["12\u202f500", "1\u2009000", "7"], [12500, 1000, 7]),
    "spaces": (["12 500 €", "1 000 €", "7 €"], [12500, 1000, 7]),
    "apostrophes": (["1'234'567.8", "12", "0.5"], [1234567.8, 12, 0.5]),
    "minus": (["\u22125", "+7", "£3"], [-5, 7, 3]),
    "gaps": (["$1,752", "", "?"], [1752, np.nan, np.nan]),
}
TEXTS = {
    "codes": ["007", "$1", "$2"],
    "all in brackets": ["(1)", "(2)", "(3)"],
    "versions": ["1.2.3", "1", "2"],
    "words": ["$5", "five", "$6"],
    "groups of two": ["1,23,456", "1", "2"],
    "leading zeros": ["0,123,456", "1", "2"],
    "postcodes": ["123 45", "543 21", "111 11"],
    "too long": ["98765432109876543210", "1", "2"],
}


def _write(path: Path, cells: list[str]) -> Path:
    rows = "".join(f'{i},"{cell}"\n' for i, cell in enumerate(cells))
    path.write_text(f"row,it\n{rows}", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", COLUMNS)
def test_numbers_are_what_they_say(tmp_path: Path, name: str) -> None:
    cells, expected = COLUMNS[name]
    path = _write(tmp_path / "t.csv", cells)
    with pytest.warns(LikelyWarning, match="column 'it' is written as .* and read as numbers"):
        found = read(path, into="dict")["it"]
    np.testing.assert_array_equal(np.asarray(found, float), expected)
    whole = [float(x).is_integer() for x in expected if x == x]
    assert found.dtype.kind == ("i" if all(whole) and len(whole) == 3 else "f")


@pytest.mark.parametrize("name", TEXTS)
def test_codes_stay_texts(tmp_path: Path, name: str) -> None:
    path = _write(tmp_path / "t.csv", TEXTS[name])
    assert read(path, into="dict")["it"].tolist() == TEXTS[name]


@pytest.mark.parametrize("name", COLUMNS)
def test_batches_read_what_read_reads(tmp_path: Path, name: str) -> None:
    """With the schema of a model and without, two rows at a time; the rows themselves stay as they are."""
    cells, expected = COLUMNS[name]
    path = _write(tmp_path / "t.csv", cells)
    table = {"row": [0, 1, 2], "it": np.array(expected, float)}
    model = likely.NaiveBayes(kinds={"it": "quantitative"}).fit(table, ["a", "b", "a"])
    for schema in (None, model.record_.schema):
        found = [np.asarray(batch.table["it"], float) for batch in batches(path, schema, rows=2)]
        np.testing.assert_array_equal(np.concatenate(found), expected)
        rows = [cell for batch in batches(path, schema, rows=2) for cell in batch.rows["it"].to_pylist()]
        assert rows == cells


def test_decimal_says_what_columns_do_not(tmp_path: Path) -> None:
    path = _write(tmp_path / "t.csv", ["1.500", "2.250", "7"])
    assert read(path, into="dict")["it"].tolist() == [1.5, 2.25, 7]
    assert read(path, into="dict", decimal=",")["it"].tolist() == [1500, 2250, 7]
    path = _write(tmp_path / "t.csv", ["1,500", "2,250", "7"])
    with pytest.warns(LikelyWarning):
        assert read(path, into="dict")["it"].tolist() == [1500, 2250, 7]
    assert read(path, into="dict", decimal=",")["it"].tolist() == [1.5, 2.25, 7]  # and no notice
    path = _write(tmp_path / "t.csv", ["1,5", "2,5", "7"])
    assert read(path, into="dict", decimal=".")["it"].tolist() == ["1,5", "2,5", "7"]
    with pytest.raises(LikelyError, match="decimal=';'"):
        read(path, decimal=";")


def test_one_notice_for_all_columns(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n$1,2%,3\n$4,5%,6\n")
    with pytest.warns(LikelyWarning) as said:
        read(path)
    assert len(said) == 1
    assert "column 'a' is written as '$1' and read as numbers (and 1 more column)" in str(said[0].message)
