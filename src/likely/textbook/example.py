"""A worked example: what a source computes, the code that computes it here, and the figures of both."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import dedent, indent
from typing import Any

from likely.textbook.outcome import Outcome, judged
from likely.textbook.step import Step


@dataclass(frozen=True, eq=False)
class Example:
    """One worked example of the sources. `code` is what is run, and nothing else is."""

    id: str  # as in the catalogue: N6; a second one of the same row is N6b
    source: str
    title: str
    data: str  # in words
    steps: tuple[Step, ...]
    notes: str  # what differs, and why
    function: Callable[[], Mapping[str, Any]]
    figure: Callable[[], Any] | None = None  # draws it: axes

    @property
    def row(self) -> str:
        """The row of the catalogue that it belongs to: N3 of N3b."""
        return self.id.rstrip("abcdefgh")

    @property
    def catalogue_order(self) -> tuple[int, int, str]:
        """Where it stands in the catalogue."""
        return "PHGNLCEIF".index(self.id[0]), int(self.row[1:]), self.id

    @property
    def book(self) -> str:
        """The source, or the first of several, by its short name."""
        return self.source.replace(";", " ").split()[0]

    @property
    def code(self) -> str:
        """The code that computes the figures: the body of the function."""
        lines = inspect.getsource(self.function).splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith("def "))
        start = next(i for i in range(start, len(lines)) if lines[i].rstrip().endswith(":")) + 1
        return dedent("\n".join(lines[start:])).strip()

    def run(self) -> Outcome:
        """Run the code and put its figures beside those of the source."""
        return judged(self.function(), self.steps)

    def __str__(self) -> str:
        """The example as it is printed: data, code, each step, and what differs."""
        notes = [indent(dedent(self.notes).strip(), "  "), ""] if self.notes else []
        return "\n".join(
            [
                f"{self.id}  {self.title} ({self.source})",
                "",
                indent(dedent(self.data).strip(), "  "),
                "",
                indent(self.code, "    "),
                "",
                indent(str(self.run()), "  "),
                "",
                *notes,
            ]
        ).rstrip()

    __repr__ = __str__


def worked(
    id: str,
    source: str,
    title: str,
    *,
    data: str,
    steps: tuple[Step, ...],
    notes: str = "",
    figure: Callable[[], Any] | None = None,
) -> Callable[[Callable[[], Mapping[str, Any]]], Example]:
    """Make an example of the function that computes its figures, by the labels of the steps."""

    def made(function: Callable[[], Mapping[str, Any]]) -> Example:
        return Example(id, source, title, data, steps, notes, function, figure)

    return made
