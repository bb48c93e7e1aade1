"""The small tables that come with `likely`, for examples and tests; `customers` is made up."""

from __future__ import annotations

from pathlib import Path

from likely.table.read.column import RawColumn
from likely.table.read.csv_file import csv_columns
from likely.table.read.missing_marks import Marks

_FOLDER = Path(__file__).parents[1] / "bundled"


def bundled_names() -> list[str]:
    """The names that `read` knows without a file.

    >>> bundled_names()
    ['customers', 'emails', 'play_tennis', 'titanic']
    """
    return sorted(path.stem for path in _FOLDER.glob("*.csv"))


def bundled_columns(name: str, marks: Marks) -> dict[str, RawColumn]:
    """A bundled table; one that was published as counts (column `count`) comes back as its rows."""
    columns = csv_columns(_FOLDER / f"{name}.csv", marks)
    counts = columns.pop("count", None)
    if counts is None:
        return columns
    return {name: column.repeated(counts.values) for name, column in columns.items()}
