"""Workbooks: one sheet, a header, a row for each row."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from datetime import date, datetime

from likely.errors import LikelyError
from likely.table.write.formats import Desk, refuse_infinities

_ROWS = 1_048_576  # of a sheet, the header among them
_COLUMNS = 16_384
_LONGEST = 32_767  # characters in a cell
_EXACT = 2**53  # a sheet knows only floats


class Excel:
    """An Excel workbook, written row by row."""

    def __init__(self, desk: Desk) -> None:
        try:
            import xlsxwriter
        except ImportError as error:
            raise LikelyError("writing Excel needs xlsxwriter: pip install 'likely[excel]'") from error
        self.connection, self.file, self.path = desk.connection, desk.file, desk.folder / "book.xlsx"
        options = {"constant_memory": True, "tmpdir": str(desk.folder)}
        self.book = xlsxwriter.Workbook(str(self.path), options)
        desk.later.callback(self._close)
        self.sheet = self.book.add_worksheet()
        self.day = self.book.add_format({"num_format": "yyyy-mm-dd"})
        self.moment = self.book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        self.row = 0

    def start(self, names: Sequence[str]) -> None:
        """Write the header."""
        if len(names) > _COLUMNS:
            raise LikelyError(
                f"a sheet has room for {_COLUMNS} columns, not {len(names)}: write Parquet or CSV"
            )
        for place, name in enumerate(names):
            self.sheet.write_string(0, place, name)

    def add(self, view: str, names: Sequence[str]) -> None:
        """Write the rows."""
        refuse_infinities(self.connection, view, names, "a sheet")
        answer = self.connection.execute(f"FROM {view}")
        while rows := answer.fetchmany(10_000):
            if self.row + len(rows) >= _ROWS:
                raise LikelyError(f"a sheet has room for {_ROWS - 1} rows: write Parquet or CSV")
            for row in rows:
                self.row += 1
                for place, value in enumerate(row):
                    self._cell(place, value, names[place])

    def finish(self) -> None:
        """Close the workbook."""
        self._close()
        with self.path.open("rb") as book:
            shutil.copyfileobj(book, self.file, 1 << 20)

    def _close(self) -> None:
        if not self.book.fileclosed:
            self.book.close()

    def _cell(self, place: int, value: object, name: str) -> None:
        at = (self.row, place)
        if value is None:
            return
        if isinstance(value, bool):
            self.sheet.write_boolean(*at, value)
        elif isinstance(value, float) or (isinstance(value, int) and abs(value) <= _EXACT):
            self.sheet.write_number(*at, value)
        elif isinstance(value, date) and value.year >= 1900 and getattr(value, "tzinfo", None) is None:
            self.sheet.write_datetime(*at, value, self.moment if isinstance(value, datetime) else self.day)
        elif len(text := str(value)) <= _LONGEST:
            self.sheet.write_string(*at, text)
        else:
            raise LikelyError(
                f"column {name!r}, row {self.row - 1} holds {len(text)} characters, and a cell of a sheet "
                f"has room for {_LONGEST}: write Parquet or CSV"
            )
