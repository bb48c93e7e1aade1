"""A progress bar for long work: in a terminal only, and only when the work has taken a second already."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 1.0  # seconds before a bar is worth its line


@contextmanager
def progress(what: str, total: float) -> Iterator[Callable[[float, str], None]]:
    """A function to call with how much is done, and a word about it.

    >>> with progress("counting", total=3) as done:
    ...     for i in range(3):
    ...         done(i + 1, "so far")
    """
    if not sys.stderr.isatty():
        yield lambda done, note: None
        return
    began = time.monotonic()
    bar: list[Any] = []

    def show(done: float, note: str) -> None:
        if not bar:
            if time.monotonic() - began < PATIENCE:
                return
            bar.extend(_bar(what, total))
        bar[0].update(bar[1], completed=done, note=note)

    try:
        yield show
    finally:
        if bar:
            bar[0].stop()


def _bar(what: str, total: float) -> tuple[Any, Any]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    looks = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    )
    drawn = Progress(*looks, console=Console(stderr=True), transient=True)
    drawn.start()
    return drawn, drawn.add_task(what, total=total, note="")
