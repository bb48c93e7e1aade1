"""`write`: a table of any library in, a file out, whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from likely.errors import LikelyError
from likely.table.duck_view import make_view
from likely.table.frame import Frame
from likely.table.read.duck import connected
from likely.table.write.formats import Desk, Form, form_for
from likely.table.write.whole_file import whole_file


def write(table: object, path: str | Path) -> None:
    """Write a table to a file: CSV, TSV or JSON (also `.gz`), JSON lines, Parquet or Excel, by the suffix.

    `table` is whatever a model takes. The file is written whole or not at all: if something goes wrong, a
    file that was there before is still there, untouched. "-" is standard output, as CSV.

    Missing cells are empty in CSV and Excel files, null in the others. `read` gives back what was written,
    with the freedom that text files leave: in a CSV file, an empty text and the words `?` and `NA` are
    missing cells, and a column of texts that all look like numbers, dates or truth values is read as such.
    Parquet keeps all types.

    >>> import tempfile
    >>> from likely.table.read.read import read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write({"name": ["Ann", "Bob, Jr."], "age": [31, None]}, f"{folder}/people.csv")
    ...     print(Path(f"{folder}/people.csv").read_text(), end="")
    ...     read(f"{folder}/people.csv", into="dict")["age"]
    name,age
    Ann,31
    "Bob, Jr.",
    array([31., nan])
    """
    with Writer(path) as out:
        out.write(table)


class Writer:
    """A file that tables are appended to, and that appears under its name when all is written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Writer(f"{folder}/rows.jsonl") as out:
    ...         out.write({"x": [1, 2]}, {"p": [0.25, 0.5]})
    ...         out.write({"x": [3]}, {"p": [0.75]})
    ...     print(Path(f"{folder}/rows.jsonl").read_text(), end="")
    {"x":1,"p":0.25}
    {"x":2,"p":0.5}
    {"x":3,"p":0.75}
    """

    def __init__(self, path: str | Path | BinaryIO, like: str | Path | None = None) -> None:
        """Write to `path` in the format of its suffix, or in that of a file called `like`.

        In place of a path it may be an open file, which then needs `like` and has what was written at once.
        """
        if not isinstance(path, str | Path) and like is None:
            raise LikelyError("like=None: an open file has no suffix; name the format, as like='rows.csv'.")
        self.path = path
        # refuses a suffix that is not known, before anything is done
        self._form = form_for(like if like is not None else path)  # type: ignore[arg-type]
        self._stack = ExitStack()
        self._names: list[str] | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:  # closes what is open if the rest cannot be opened
            to = self.path
            file = stack.enter_context(whole_file(to)) if isinstance(to, str | Path) else to
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="likely-")))
            self._connection = stack.enter_context(connected())
            self._connection.execute("SET TimeZone = 'UTC'")
            self._sheet: Form = self._form(Desk(self._connection, folder, file, stack))
            self._stack = stack.pop_all()
        return self

    def write(self, table: object, more: Mapping[str, Any] | None = None) -> None:
        """Append a table, with `more` columns to its right. All tables must have the same columns."""
        names = make_view(self._connection, "rows", _with_columns(table, more or {}))
        if self._names is None:
            self._names = names
            self._sheet.start(names)
        elif names != self._names:
            raise LikelyError(
                f"{self.path} has the columns {self._names!r}, and more rows have {names!r}: "
                "all parts of a file need the same columns in the same order."
            )
        self._sheet.add("rows", names)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._stack.__exit__(kind, error, trace)
            return
        with self._stack:  # leaves nothing behind if an error comes even now
            if self._names is None:
                raise LikelyError(f"there is nothing to write to {self.path}: not even the names of columns")
            self._sheet.finish()


def _with_columns(table: Any, more: Mapping[str, Any]) -> Any:
    """A table with columns to its right."""
    if not more:
        return table
    if type(table).__module__.startswith("pyarrow") and hasattr(table, "append_column"):
        import pyarrow as pa

        for name, values in more.items():
            table = table.append_column(name, pa.array(values, from_pandas=True))
        return table
    frame = Frame.of(table)
    columns: dict[str, Any] = {name: frame.values(name) for name in frame.names}
    for name, values in more.items():
        if name in columns:
            raise LikelyError(f"column name {name!r} stands more than once; rename one of them")
        columns[name] = values
    return columns
