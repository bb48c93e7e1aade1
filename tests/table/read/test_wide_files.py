"""Wide text files are read as others are, only faster: every sort of cell, beside DuckDB's way."""

from __future__ import annotations

import numpy as np
import pytest
from seeds import rarely

import likely
from likely.table.read import text_files

CELLS = {
    "whole": ["1", "-20", "0"],
    "spaced": [" 1 ", "2", "+3"],
    "number": ["1.5", "-.25", "1e3"],
    "gaps": ["1", "NA", "?"],
    "empty": ["", "", ""],
    "zip": ["007", "12", "3"],
    "large": ["9223372036854775808", "1", "2"],
    "truth": ["true", "false", "true"],
    "words": ["a", "b", "1"],
    "date": ["2024-01-02", "2024-02-03", "2024-03-04"],
    "nan": ["nan", "1.5", "inf"],
    "money": ["$1,5", "2", "3"],
}


@pytest.mark.parametrize(
    ("separator", "end"), [(",", "\n"), (";", "\r\n"), *rarely((",", "\r\n"), (";", "\n"))]
)
def test_a_wide_file_is_read_as_columns_alone_are(separator, end, tmp_path, monkeypatch):
    names = [f"{name}{i}" for i in range(30) for name in CELLS if separator != "," or name != "money"]
    rows = [[CELLS[name.rstrip("0123456789")][row] for name in names] for row in range(3)]
    path = tmp_path / "wide.csv"
    path.write_bytes(end.join(separator.join(row) for row in (names, *rows)).encode() + end.encode())
    assert len(names) >= text_files.WIDE
    with pytest.warns(likely.LikelyWarning) if separator == ";" else np.errstate():
        fast = likely.read(path, into="dict")
        monkeypatch.setattr(text_files, "WIDE", 10**9)
        slow = likely.read(path, into="dict")
    assert list(fast) == list(slow) == names
    for name in names:
        assert fast[name].dtype == slow[name].dtype, name
        np.testing.assert_array_equal(fast[name], slow[name])


def test_quotes_and_ragged_rows_are_left_to_the_careful_way(tmp_path):
    names = ",".join(f"x{i}" for i in range(250))
    path = tmp_path / "wide.csv"
    path.write_text(f"{names}\n{','.join(['1'] * 249)}\n")
    with pytest.raises(likely.LikelyError, match="line 2: expected 250 columns, found 249"):
        likely.read(path)
    path.write_text(f'{names}\n"a,b",{",".join(["1"] * 249)}\n')
    assert likely.read(path, into="dict")["x0"].tolist() == ["a,b"]
