"""Columns of plain numbers in wide text files, read cell by cell.

DuckDB plans a query column by column, which takes seconds for thousands of columns of a few hundred rows.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import IO

import numpy as np

from likely.table.read.column import Marks, RawColumn, raw_column

WIDE = 200  # columns: fewer are DuckDB's
MOST_BYTES = 1 << 28  # of text that is held in memory at a time


def number_columns(
    lines: IO[str], separator: str, skip: int, d: int, marks: Marks, whole: str, number: str
) -> dict[int, RawColumn]:
    """By their places, the columns whose cells are all of the patterns of whole numbers or of numbers.

    None of them if the text has quotes, or rows that are not of d cells: those are read with more care.

    >>> lines, digits = io.StringIO("a,b\\n1,x\\nNA,2\\n"), "[0-9]+"
    >>> columns = number_columns(lines, ",", 1, 2, Marks.of(()), digits, digits)
    >>> {place: column.missing.tolist() for place, column in columns.items()}
    {0: [False, True]}
    """
    try:
        text = lines.read()
    except (UnicodeDecodeError, EOFError, OSError):
        return {}
    if '"' in text or "\0" in text or text.count("\r") != text.count("\r\n"):
        return {}
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))[skip:]
    if not rows or any(len(row) != d for row in rows):
        return {}
    patterns = [(re.compile(f"(?: *(?:{one}) *\n)*"), of) for one, of in ((whole, np.int64), (number, float))]
    columns = {}
    for place, cells in enumerate(zip(*rows, strict=True)):
        missing = np.zeros(len(cells), bool)
        known: Sequence[str] = cells
        if not patterns[1][0].fullmatch("\n".join([*cells, ""])):
            missing = np.array([cell.strip(" ") in marks.texts for cell in cells])
            known = [cell for cell, gone in zip(cells, missing.tolist(), strict=True) if not gone]
        written = "\n".join([*known, ""])
        for pattern, of in patterns:
            if len(known) and pattern.fullmatch(written):
                try:
                    numbers = np.array([cell.strip(" ") for cell in known], object).astype(of)
                except (OverflowError, ValueError):  # beyond 64 bits
                    continue
                values = np.zeros(len(cells), numbers.dtype)
                values[~missing] = numbers
                columns[place] = raw_column(values, missing)
                break
    return columns
