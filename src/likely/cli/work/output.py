"""The one place that prints: rich tables in a terminal, aligned text into a pipe, or JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

import click


@dataclass(frozen=True)
class Table:
    """Rows of words under heads; `align` has "<" or ">" for each column."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    align: str


def show(data: object, *parts: Table | str, as_json: bool) -> None:
    """Print `data` as JSON, or the parts for people, with a blank line between them."""
    if as_json:
        return click.echo(_json(data))
    draw = _in_terminal if sys.stdout.isatty() else _plainly
    for place, part in enumerate(parts):
        if place:
            click.echo()
        draw(part)
    return None


def _json(data: object) -> str:
    from likely.format.words import json_text

    return json_text(data, indent=2)


def _plainly(part: Table | str) -> None:
    from likely.format.words import table

    if isinstance(part, Table):
        cells = table([part.heads, *part.rows], part.align) if part.rows else ""
        part = "\n\n".join(filter(None, (part.title, cells)))
    click.echo(part)


def _in_terminal(part: Table | str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    console = Console(highlight=False)
    table = isinstance(part, Table)
    title, *text = _wrapped(part.title if isinstance(part, Table) else part, console.width).split("\n", 1)
    console.print(Text(title, "bold"), soft_wrap=True)
    for rest in text:
        console.print(Text(rest, "bold") if table else _painted(rest), soft_wrap=True)
    if isinstance(part, Table):
        drawn = Drawn(box=box.SIMPLE_HEAD, pad_edge=False)
        for head, side in zip(part.heads, part.align, strict=True):
            drawn.add_column(Text(head), justify="left" if side == "<" else "right", overflow="fold")
        for row in part.rows:
            drawn.add_row(*map(_painted, row))
        console.print(drawn)


def _wrapped(text: str, width: int) -> str:
    """Lines that are wider than the screen, broken between words; bars stay as they are.

    What follows two spaces is the last column of a line, in which its words stay.

    >>> _wrapped("no better than chance\\na  1  ██████████████", 12)
    'no better\\nthan chance\\na  1  ██████████████'
    >>> _wrapped("  Yes  one, two, three", 14)
    '  Yes  one,\\n       two,\\n       three'
    """
    return "\n".join(line if len(line) <= width else _broken(line, width) for line in text.split("\n"))


def _broken(line: str, width: int) -> str:
    start = line.rstrip().rfind("  ") + 2 if "  " in line.rstrip() else 0
    if start > width // 2 or "█" in line:
        return line
    return line[:start] + fill(line[start:], width - start, break_on_hyphens=False).replace(
        "\n", "\n" + " " * start
    )


def _painted(text: str) -> Any:
    """Evidence for in green and against in red: signed numbers that stand alone, and the bars beside them."""
    from rich.text import Text

    painted = Text(text)
    number = r"(?:^|(?<=\s\s)){}\d\S*(?=\s\s|$)"
    painted.highlight_regex(rf"(?m){number.format('[+]')}|(?<=│)[█▌▶]+", "green")
    painted.highlight_regex(rf"(?m){number.format('-')}|[◀▐█]+(?=│)", "red")
    return painted


_bars: list[Any] = []  # the progress bar that is on the screen, if one is


def say(message: str) -> None:
    """A line on standard error, above a progress bar if there is one."""
    if _bars or sys.stderr.isatty():  # under a bar, older versions of rich do not say that it is one
        message = _wrapped(message, get_terminal_size().columns)
    if _bars:
        _bars[-1].console.print(message, markup=False, highlight=False, soft_wrap=True)
    else:
        click.echo(message, err=True)


def clear_bar() -> None:
    """Take the progress bar off the screen, before something else comes there."""
    for bar in _bars:
        bar.stop()


@contextmanager
def progress(what: str) -> Iterator[Callable[[float, float | None], None]]:
    """A bar on standard error, in a terminal only: call it with how much is done, and of how much."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    looks = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*looks, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        _bars.append(bar)
        try:
            yield lambda done, total: bar.update(task, completed=done, total=total)
        finally:
            _bars.remove(bar)
