"""Rows that a command gives out: into a file, into a pipe, or the first of them for a look."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

from likely.cli.work.files import Source
from likely.cli.work.output import Table, clear_bar, progress, show
from likely.errors import LikelyError
from likely.format.words import figures, many, shown
from likely.table.batch.batches import Batch, batches
from likely.table.frame import Frame
from likely.table.read.csv_layout import TEXT_SUFFIXES
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
        for batch in _batches(source, schema, out, as_json):
            changed = change(batch)
            if out is None and _into_pipe():
                clear_bar()
            written.write(*changed)
            tell(batch.done or 0.0, None if batch.done is None else 1.0)
    return True


def _into_pipe() -> bool:
    """Whether rows go down a pipe, which may end in the terminal that has the progress bar."""
    try:
        return stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # no file stands behind it
        return False


def _batches(source: Source, schema: Schema, out: Path | None, as_json: bool) -> Iterator[Batch]:
    """The rows of FILE; where texts become JSON or Parquet, with numbers that are numbers."""
    as_texts = frozenset(TEXT_SUFFIXES)
    from_text = not as_texts.isdisjoint(Path(source.like).suffixes)
    to_text = not as_json and (out is None or not as_texts.isdisjoint(out.suffixes))
    if not from_text or to_text:
        yield from batches(source.name, schema)
        return
    for batch, typed in zip(batches(source.name, schema), batches(source.name), strict=True):
        yield replace(batch, rows=typed.table)


def show_first_rows(
    rows: object, more: Mapping[str, Any], title: str = "The first rows; -o OUT writes them all"
) -> None:
    """The first rows, with more columns to their right, as a table in the terminal."""
    frames = [Frame.of(rows), Frame.of(more)]
    raws = [frame.raw(name) for frame in frames for name in frame.names]
    body = [[_cell(raw.item(i)) for raw in raws] for i in range(min(frames[0].n, FIRST))]
    heads = [shown(raw.name) for raw in raws]
    align = "".join(">" if raw.type.numeric else "<" for raw in raws)
    keep = fitting([max(map(len, cells)) for cells in zip(heads, *body, strict=True)], len(frames[1].names))
    left_out = len(raws) - len(keep)
    if left_out:
        title += f" ({many(left_out, 'column')} not shown: … stands for them)"
        gap = len([place for place in keep if place < len(frames[0].names)])
        keep, lines = [*keep[:gap], -1, *keep[gap:]], [heads, *body]
        heads, *body = ([line[j] if j >= 0 else "…" for j in keep] for line in lines)
        align = "".join(align[j] if j >= 0 else "<" for j in keep)
    show(None, Table(title, tuple(heads), body, align), as_json=False)


def fitting(widths: Sequence[int], last: int, room: int | None = None) -> list[int]:
    """The columns that a terminal has room for: the answers, which are the last, then from the left.

    Of more answers than fit, the very last ones.

    >>> fitting([10, 10, 10, 10], 1, 40), fitting([10, 10, 10, 10], 1, 99), fitting([30, 30, 30], 2, 40)
    ([0, 1, 3], [0, 1, 2, 3], [2])
    """
    room = get_terminal_size().columns if room is None else room
    if sum(widths) + 2 * (len(widths) - 1) <= room:
        return list(range(len(widths)))
    first, left, kept = len(widths) - last, room - 3, list[int]()
    for place in [*range(len(widths) - 1, first - 1, -1), *range(first)]:
        left -= widths[place] + 2
        if left < 0 and kept:
            break
        kept.append(place)
    return sorted(kept)


def _cell(value: object) -> str:
    return figures(value) if isinstance(value, float) else shown(value)
