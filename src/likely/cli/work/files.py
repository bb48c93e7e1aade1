"""The files of a command: what FILE means, its table and its rows, and whether OUT may be written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likely.errors import LikelyError
from likely.table.lazy.database import is_address, table_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likely.table.schema import Schema

STDIN = "-"


def check_free(path: Path | None, force: bool) -> None:
    """Refuse a file that exists, or a folder that does not, before any work is done; None is no file."""
    if path is None:
        return
    if path.is_dir():
        raise LikelyError(f"{path} is a folder: name a file in it.")
    if not path.parent.is_dir():
        raise LikelyError(f"there is no folder {path.parent} to write {path.name} to: make it first.")
    if path.exists() and not force:
        raise LikelyError(f"{path} exists: --force replaces it, or name another file.")


def check_table(path: Path | None, force: bool) -> None:
    """Refuse a file for a table as `check_free` does, and one whose ending names no format of tables."""
    from likely.table.write.formats import form_for

    check_free(path, force)
    if path is not None:
        form_for(path)


def stem(file: str) -> str:
    """What a model learnt from FILE is called, unless told otherwise.

    >>> stem("data/people.csv.gz"), stem("titanic"), stem("-"), stem("part-*.csv"), stem("mysql://host/db#t")
    ('people', 'titanic', 'model', 'part', 't')
    """
    if is_address(file):
        return table_name(file) or "model"
    if file == STDIN:
        return "model"
    return re.sub(r"[*?[\]-]+$", "", Path(file).name.partition(".")[0]) or "model"


@dataclass(frozen=True)
class Source:
    """FILE, for as long as it is read, some rows at a time or again and again."""

    name: str  # what can be read: what came by standard input is a file by now
    like: str  # a file, whose format the rows have


@contextmanager
def opened(file: str) -> Iterator[Source]:
    """FILE, ready to be read more than once."""
    from likely.table.batch.batches import files_of

    with files_of(file) as files:
        first = str(files[0])
        yield Source(first if len(files) == 1 else file, first)


def whole_table(file: str) -> dict[str, Any]:
    """All columns of FILE, in memory."""
    from likely.table.batch.batches import files_of
    from likely.table.read.read import read

    with files_of(file) as files:
        tables: list[dict[str, Any]] = [read(one, into="dict") for one in files]
        return tables[0] if len(tables) == 1 else _joined(tables, files)


def one_row(file: str, row: int, schema: Schema) -> Any:
    """Row number `row` (the first is 1) as a table of its own; no more of the file is read than needed."""
    import numpy as np

    from likely.table.batch.batches import batches
    from likely.table.frame import take

    n = 0
    for batch in batches(file, schema):
        n = batch.start + batch.n
        if row <= n:
            return take(batch.table, np.array([row - 1 - batch.start]))
    raise LikelyError(f"--row {row}: {file} has {n} rows, and the first is 1.")


def _joined(tables: Sequence[dict[str, Any]], files: Sequence[Any]) -> dict[str, Any]:
    """The rows of several tables one after another. They have the same columns, in any order."""
    import numpy as np

    first = tables[0]
    for table, file in zip(tables, files, strict=True):
        for column in {**first, **table}:
            if (column in first) is not (column in table):
                has, lacks = (file, files[0]) if column in table else (files[0], file)
                raise LikelyError(
                    f"column {column!r} is in {has} but not in {lacks}: files that are read together need "
                    "the same columns."
                )
    for column in first:
        made_of = {
            sort: file for table, file in zip(tables, files, strict=True) if (sort := _sort(table[column]))
        }
        if len(made_of) > 1:
            held = " and ".join(f"{sort} in {file}" for sort, file in list(made_of.items())[:2])
            raise LikelyError(f"column {column!r} holds {held}: make them alike.")
    return {column: np.concatenate([table[column] for table in tables]) for column in first}


def _sort(column: NDArray[Any]) -> str:
    """What a column is made of; nothing if all of it is missing."""
    from likely.table.column.as_raw import as_raw
    from likely.table.column.kinds import Type

    made_of = as_raw("", column).type
    if made_of is Type.EMPTY or (made_of is Type.FLOAT and (column != column).all()):
        return ""
    return str(Type.FLOAT if made_of is Type.INTEGER else made_of)
