"""Rows that a command gives out: into a file, into a pipe, or the first of them for a look."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from likely.cli.output import Table, progress, show
from likely.cli.work.files import Source
from likely.errors import LikelyError
from likely.format.words import shown
from likely.table.batch.batches import Batch, batches
from likely.table.frame import Frame
from likely.table.schema import Schema
from likely.table.write.write import Writer

FIRST = 20  # rows that a terminal is shown

# What may stand on standard output in the format it came in; the rest becomes CSV.
_STREAMED = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".pq")


def in_terminal(out: Path | None, as_json: bool) -> bool:
    """Whether rows are for somebody to look at."""
    return out is None and not as_json and sys.stdout.isatty()


@contextmanager
def writer(out: Path | None, as_json: bool, like: str) -> Iterator[Writer]:
    """Where rows go: to OUT, or to standard output in the format of a file called `like`."""
    if out is not None:
        with Writer(out) as made:
            yield made
        return
    suffixes = [suffix.lower() for suffix in Path(like).suffixes if suffix.lower() != ".gz"]
    suffix = suffixes[-1] if suffixes and suffixes[-1] in _STREAMED else ".csv"
    with Writer("-", like="rows.jsonl" if as_json else f"rows{suffix}") as made:
        yield made


def refuse_json_file(out: Path | None, as_json: bool) -> None:
    """--json is about what is printed; a file has the format of its ending."""
    if out is not None and as_json:
        raise LikelyError(
            f"--json prints rows, and {out} is a file: give it the ending .json or .jsonl instead."
        )


def give_rows(
    source: Source,
    schema: Schema,
    change: Callable[[Batch], tuple[Any, Mapping[str, Any]]],
    out: Path | None,
    as_json: bool,
    what: str,
) -> bool:
    """The rows of FILE as `change` makes them: the rows, and more columns; some at a time.

    They go to OUT or to standard output. A terminal is shown the first ones alone, and the answer is False.
    """
    if in_terminal(out, as_json):
        show_first_rows(*change(next(iter(batches(source.name, schema, rows=FIRST)))))
        return False
    with progress(what) as tell, writer(out, as_json, source.like) as written:
        for batch in batches(source.name, schema):
            written.write(*change(batch))
            tell(batch.done or 0.0, None if batch.done is None else 1.0)
    return True


def show_first_rows(
    rows: object, more: Mapping[str, Any], title: str = "The first rows; -o OUT writes them all"
) -> None:
    """The first rows, with more columns to their right, as a table in the terminal."""
    frames = [Frame.of(rows), Frame.of(more)]
    raws = [frame.raw(name) for frame in frames for name in frame.names]
    body = [[_cell(raw.item(i)) for raw in raws] for i in range(min(frames[0].n, FIRST))]
    align = "".join(">" if raw.type.numeric else "<" for raw in raws)
    show(None, Table(title, tuple(shown(raw.name) for raw in raws), body, align), as_json=False)


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else shown(value)
