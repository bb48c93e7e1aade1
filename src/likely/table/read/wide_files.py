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
# Lines of numbers as they are mostly written, a small part of those that a pattern may allow: told in a tenth
# of the time.
_DECIMALS = re.compile(r"(?:-?(?:0|[1-9][0-9]*+)[.][0-9]++\n)++")


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
    is_whole, is_number = (re.compile(f"(?: *(?:{one}) *\n)*") for one in (whole, number))
    columns = {}
    for place, cells in enumerate(zip(*rows, strict=True)):
        missing = np.zeros(len(cells), bool)
        known: Sequence[str] = cells
        written = "\n".join([*known, ""])
        if _DECIMALS.fullmatch(written):
            columns[place] = raw_column(np.fromstring(written, sep="\n"), missing)
            continue
        if not is_number.fullmatch(written):
            missing = np.array([cell.strip(" ") in marks.texts for cell in cells])
            known = [cell for cell, gone in zip(cells, missing.tolist(), strict=True) if not gone]
            written = "\n".join([*known, ""])
            if not known or not is_number.fullmatch(written):
                continue
        numbers = np.array(known, object)
        try:
            numbers = numbers.astype(np.int64 if is_whole.fullmatch(written) else np.float64)
        except OverflowError:  # beyond 64 bits
            numbers = numbers.astype(np.float64)
        values = np.zeros(len(cells), numbers.dtype)
        values[~missing] = numbers
        columns[place] = raw_column(values, missing)
    return columns
