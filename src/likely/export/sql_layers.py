"""A query that is built from the inside out: each layer names what the next ones work with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from likely.errors import LikelyError
from likely.export.sql_text import Dialect

Source = str | Sequence[str]


class Layers:
    """A query, and the names of what it selects so far."""

    def __init__(self, dialect: Dialect, source: Source) -> None:
        self.dialect = dialect
        self.text = source_of(dialect, source)
        self.depth = 0

    def add(self, new: Mapping[str, str], keep: Sequence[str] = (), joins: Sequence[str] = ()) -> None:
        """Select new expressions by name, and some of what there was; `q` is the layer before."""
        columns = [*(f"q.{name}" for name in keep), *(f"{sql} AS {name}" for name, sql in new.items())]
        fence = self.dialect.fence if self.depth else ""
        inner = f"({self.text}{fence})" if self.depth else self.text
        lines = ["SELECT", "  " + ",\n  ".join(columns), f"FROM {inner} AS q", *joins]
        self.text = "\n".join(lines)
        self.depth += 1


def source_of(dialect: Dialect, source: Source) -> str:
    """What rows are read from: the name of a table (in parts, or with dots between them), or a query.

    >>> from likely.export.sql_text import DIALECTS
    >>> source_of(DIALECTS["duckdb"], "main.sales"), source_of(DIALECTS["duckdb"], ["my.table"])
    ('"main"."sales"', '"my.table"')
    """
    if isinstance(source, str) and source.strip().startswith("("):
        return source
    parts = source.split(".") if isinstance(source, str) else list(source)
    if not parts or not all(isinstance(part, str) and part for part in parts):
        raise LikelyError(f"source={source!r}: give the name of a table, or a query in brackets.")
    return ".".join(dialect.identifier(part) for part in parts)
