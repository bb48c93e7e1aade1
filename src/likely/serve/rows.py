"""The body of a request -> rows as the model's schema has them, some at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from likely.serve.limits import too_much, unreadable, unusable
from likely.table.batch.batches import Batch, batches, refuse_unusable
from likely.table.batch.sql_types import SHOULD_HOLD
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS, Type
from likely.table.frame import Frame
from likely.table.names import names_differ
from likely.table.records import columns_of
from likely.table.schema import Schema

ROWS = 4096  # that are answered together; between two such blocks other requests have their turn
_SPACE = " \t\r\n"
Record = dict[str, Any]


def _refuse_constant(word: str) -> None:
    raise unreadable(f"the body holds {word}, which JSON does not have: write null for a missing value.")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def json_value(body: bytes) -> Any:
    """The one value that a body of JSON holds."""
    text = _text(body)
    value, end = _decoded(text, _skip(text, 0))
    if _skip(text, end) < len(text):
        raise unreadable(f"the body holds more after its JSON value, at {_where(text, end)}.")
    return value


def json_rows(body: bytes, limit: int) -> tuple[bool, Iterator[list[Record]]]:
    """Whether a body is one record alone, and its records, some at a time.

    A body is a record, an array of records, or records one after another (JSON lines).

    >>> json_rows(b'{"sex": "female"}', 9)[0]
    True
    >>> list(json_rows(b'[{"sex": "female"}, {}]', 9)[1])
    [[{'sex': 'female'}, {}]]
    """
    text = _text(body)
    start = _skip(text, 0)
    if text[start : start + 1] != "{":
        return False, _blocks(_of_array(text, start), limit)
    _, end = _decoded(text, start)
    return _skip(text, end) >= len(text), _blocks(_one_after_another(text, start), limit)


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise unreadable(f"the body is no UTF-8, at byte {error.start}: encode it so.") from None


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return place


def _decoded(text: str, place: int) -> tuple[Any, int]:
    """The value that begins here, and where it ends."""
    try:
        return _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as error:
        raise unreadable(
            f"the body is no JSON: {error.msg.lower()} at line {error.lineno}, character {error.colno}."
        ) from None
    except RecursionError:
        raise unreadable("the body is nested too deeply: give records of single values.") from None
    except ValueError as error:  # a number of thousands of digits
        if isinstance(error, json.JSONDecodeError) or not str(error).startswith("Exceeds"):
            raise
        raise unreadable("the body holds a number of thousands of digits: give fewer.") from None


def _where(text: str, place: int) -> str:
    line = text.count("\n", 0, place) + 1
    return f"line {line}, character {place - text.rfind(chr(10), 0, place)}"


def _of_array(text: str, place: int) -> Iterator[Any]:
    """The items of an array, one by one: of a large body no more is made at once than is needed."""
    if text[place : place + 1] != "[":
        value, _ = _decoded(text, place)
        raise unusable(f"the body is {_called(value)}: give a record, or an array of records.")
    place = _skip(text, place + 1)
    more = text[place : place + 1] != "]"
    while more:
        value, place = _decoded(text, place)
        yield value
        place = _skip(text, place)
        mark = text[place : place + 1]
        if mark not in (",", "]") or not mark:
            raise unreadable(f"the body is no JSON: expecting ',' or ']' at {_where(text, place)}.")
        more = mark == ","
        place = _skip(text, place + 1) if more else place
    if _skip(text, place + 1) < len(text):
        raise unreadable(f"the body holds more after its array, at {_where(text, place + 1)}.")


def _one_after_another(text: str, place: int) -> Iterator[Any]:
    while place < len(text):
        value, place = _decoded(text, place)
        yield value
        place = _skip(text, place)


def _blocks(values: Iterator[Any], limit: int) -> Iterator[list[Record]]:
    block: list[Record] = []
    for row, value in enumerate(values):
        if row >= limit:
            raise too_much(f"the body has more than {limit} rows: send fewer at a time.")
        if not isinstance(value, dict):
            raise unusable(f"row {row} is {_called(value)}: give a record, as {{column: value}}.")
        for name, cell in value.items():
            if isinstance(cell, list | dict):
                raise unusable(f"column {name!r}: row {row} holds {_called(cell)}: give one value.")
        block.append(value)
        if len(block) == ROWS:
            yield block
            block = []
    yield block


def _called(value: object) -> str:
    names = {list: "an array", dict: "an object", str: "a text", type(None): "null", bool: "true or false"}
    return names.get(type(value), "a number")


def table_of(records: Sequence[Record], schema: Schema, start: int) -> Any:
    """Records as a table that a model of this schema takes; errors count the rows from `start`.

    What no record names is missing, and so is all of a record that is empty.
    """
    columns: dict[str, Any] = columns_of(list(records))
    if not columns or not schema.named:
        if columns and not any(name in columns for name in schema.names):
            raise unusable(names_differ(list(columns), list(schema.names)))
        gaps = [None] * len(records)
        columns = {name: columns.get(name, gaps) for name in schema.names}
    for column in schema.columns:
        if column.type in UNITS and column.name in columns:
            columns[column.name] = [
                _timed(cell, column, start + row) for row, cell in enumerate(columns[column.name])
            ]
    frame = Frame.of(columns)
    refuse_unusable(frame, schema, start)  # by the row of the whole, as in files
    return frame if schema.named else replace(frame, named=False)


_TIMES: dict[Type, tuple[Any, str]] = {
    Type.DATE: (date.fromisoformat, SHOULD_HOLD["DATE"]),
    Type.DATETIME: (datetime.fromisoformat, SHOULD_HOLD["TIMESTAMP"]),
    Type.TIME: (time.fromisoformat, "times of day such as 23:59:00"),
    Type.DURATION: (lambda seconds: timedelta(seconds=seconds), "numbers of seconds"),
}


def _timed(cell: object, column: Column, row: int) -> Any:
    """A cell of a column of times, which JSON has as text."""
    if cell is None:
        return None
    read, wanted = _TIMES[column.type]
    try:
        if isinstance(cell, bool):
            raise TypeError
        return read(cell)
    except (ValueError, TypeError, OverflowError):
        raise unusable(
            f"column {column.name!r} should hold {wanted}, but row {row} holds {cell!r}: correct the value, "
            "or give null if it is missing."
        ) from None


def csv_rows(path: Path, schema: Schema, limit: int, together: bool) -> Iterator[Batch]:
    """The rows of a file of text, some at a time; all at once where they belong `together`."""
    for batch in batches(path, schema, rows=limit + 1 if together else ROWS):
        if batch.start + batch.n > limit:
            raise too_much(f"the body has more than {limit} rows: send fewer at a time.")
        yield batch
