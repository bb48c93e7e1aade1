"""The profile of a table: one profile a column, and what concerns the table as a whole."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.report.profile.column_profile import ColumnProfile
from likely.report.profile.plain import table_record
from likely.report.profile.render_html import table_html
from likely.report.profile.render_text import table_text
from likely.report.profile.warnings import ColumnWarning
from likely.score.entropy import Bits
from likely.table.build import to_table
from likely.table.write.whole_file import whole_file

_NUMBERS = ("min", "median", "max", "mean", "sd", "skewness")


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """What there is to know about a table before a model is fitted; made by `likely.profile`.

    Prints itself, shows itself in notebooks, and is a collection of column profiles: `profile["age"]` is
    that of a column, and iterating goes through all of them.

    >>> import likely
    >>> profile = likely.profile({"age": [22, 38, 4], "sex": ["m", "f", "f"]})
    >>> len(profile), [column.name for column in profile], profile["age"].kind
    (2, ['age', 'sex'], <Kind.QUANTITATIVE: 'quantitative'>)
    """

    columns: tuple[ColumnProfile, ...]
    n: int  # rows
    duplicates: int  # rows that are the same as an earlier one
    entropy: Bits | None  # of the target, in bins if it is measured
    library: str  # that the table came in

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[ColumnProfile]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return any(column.name == name for column in self.columns)

    def __getitem__(self, name: str | int) -> ColumnProfile:
        for column in self.columns:
            if column.name == str(name):
                return column
        names = [column.name for column in self.columns]
        near = get_close_matches(str(name), names, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the columns are {names[:10]!r}."
        raise LikelyError(f"the profile has no column {name!r}: {hint}")

    @property
    def target(self) -> ColumnProfile | None:
        """The profile of the target, if one was named or given."""
        return next((column for column in self.columns if column.is_target), None)

    @property
    def kinds(self) -> dict[str, int]:
        """How many columns there are of each kind, the most frequent first."""
        return {str(kind): count for kind, count in Counter(c.kind for c in self.columns).most_common()}

    @property
    def missing(self) -> int:
        """How many cells are missing."""
        return sum(column.missing for column in self.columns)

    @property
    def warnings(self) -> tuple[ColumnWarning, ...]:
        """All that deserves a look, column by column."""
        return tuple(warning for column in self.columns for warning in column.warnings)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain JSON types: no NaN, and what is infinite is a word."""
        return table_record(self)

    def to_json(self, path: str | Path | None = None) -> str:
        """Everything as JSON text, also written to a file if one is named.

        >>> import likely
        >>> json.loads(likely.profile({"a": [1, None]}).to_json())["missing_cells"]
        1
        """
        text = json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1)
        if path is not None:
            with whole_file(path) as file:
                file.write(f"{text}\n".encode())
        return text

    def to_frame(self) -> Any:
        """One row a column, in the library that the table came in.

        Statistics of times are numbers in the column's `unit`.

        >>> import likely
        >>> likely.profile({"age": [22, 38], "sex": ["m", "f"]}).to_frame()["mean"]
        array([30., nan])
        """
        words: dict[str, list[Any]] = {
            "column": [column.name for column in self],
            "kind": [str(column.kind) for column in self],
            "unit": [column.column.unit for column in self],
            "mode": [None if (m := column.statistics.get("mode")) is None else str(m) for column in self],
        }
        counts = {name: [getattr(column, name) for column in self] for name in ("n", "missing", "distinct")}
        told = [column.association for column in self]
        columns = {name: np.array([*cells, None], object)[:-1] for name, cells in words.items()}
        columns |= {name: np.array(cells, np.int64) for name, cells in counts.items()}
        columns |= {name: np.array([_number(c, name) for c in self], np.float64) for name in _NUMBERS}
        if self.target is not None:
            columns["bits"] = np.array([np.nan if a is None else a.bits for a in told], np.float64)
            columns["share"] = np.array([np.nan if a is None else a.share for a in told], np.float64)
        warned = ["; ".join(warning.what for warning in column.warnings) for column in self]
        return to_table(columns | {"warnings": np.array([*warned, None], object)[:-1]}, self.library)

    def page(self, *, show_rare: bool = False, title: str = "Profile of a table") -> Any:
        """The profile as one HTML file for people to open; `save("profile.html")` writes it.

        It has a card for every column, drawn when it comes into view, so that thousands open at once. It
        holds no row: values and bars of fewer than ten rows are put together, and where columns begin and
        end is not said, unless `show_rare`.

        >>> import likely
        >>> likely.profile(likely.read("titanic")).page()  # doctest: +ELLIPSIS
        <page of ... kB; in a notebook it shows itself, save('page.html') writes it>
        """
        made = import_module("likely.page.profile_page")  # pages stand above reports
        return made.profile_page(self, show_rare=show_rare, title=title)

    def __str__(self) -> str:
        return table_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return table_html(self)


def _number(column: ColumnProfile, name: str) -> float:
    value = column.numbers.get(name)
    return value if isinstance(value, float) and not column.kind.coded else float("nan")
