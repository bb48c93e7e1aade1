"""Which file a source means, which format it has, and what to say when there is none."""

from __future__ import annotations

import difflib
from pathlib import Path

from likely.errors import LikelyError
from likely.table.read.bundled_tables import bundled_names
from likely.table.read.database import database_format

_FORMATS = {
    "csv": (".csv", ".tsv"),
    "json": (".jsonl", ".ndjson", ".json"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".ipc", ".feather"),
    "sheet": (".xlsx", ".xls", ".ods"),
    "database": (".duckdb", ".sqlite", ".sqlite3", ".db"),
}
_FORMAT_OF = {suffix: name for name, suffixes in _FORMATS.items() for suffix in suffixes}
_ALSO_GZIPPED = ("csv", "json")


def bundled_name(source: str | Path) -> str | None:
    """The bundled table that a bare word means, unless a file of that name lies here."""
    name = str(source)
    return name if name in bundled_names() and not Path(name).is_file() else None


def existing_file(source: str | Path) -> Path:
    """The file a source means; it exists and has something in it."""
    path = Path(source).expanduser()
    if path.is_dir():
        raise LikelyError(f"{path} is a folder; name one file in it")
    if not path.is_file():
        raise LikelyError(f"there is no file {path}{_hint(path)}")
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise LikelyError(f"{path} cannot be read: {error.strerror}") from error
    if empty:
        raise LikelyError(f"{path} is empty; a table needs at least the names of its columns")
    return path


def _hint(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f" (nor a folder {folder})"
    bare = path.name == str(path)
    here = [entry.name for entry in folder.iterdir() if entry.is_file()]
    near = difflib.get_close_matches(path.name, here + (bundled_names() if bare else []), n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return (
        f"; tables that need no file are {', '.join(map(repr, bundled_names()))}"
        if bare and not path.suffix
        else ""
    )


def format_of(path: Path) -> str:
    """The format of a file: by its first bytes for databases, else by its suffix."""
    database = database_format(path)
    if database:
        return database
    *_, inner, outer = ["", "", *(suffix.lower() for suffix in path.suffixes)]
    form = _FORMAT_OF.get(outer)
    if outer == ".gz" and _FORMAT_OF.get(inner) in _ALSO_GZIPPED:
        form = _FORMAT_OF[inner]
    if form == "database":
        raise LikelyError(f"{path} is neither a DuckDB nor an SQLite file, whatever its suffix says")
    if form is None:
        understood = ", ".join(_FORMAT_OF)
        raise LikelyError(
            f"{path}: suffix {''.join((inner if outer == '.gz' else '', outer))!r} is not known\n"
            f"Understood are {understood}; .csv, .tsv and the JSON ones also with .gz"
        )
    return form
