"""A worked example: what a source computes, the code that computes it here, and the figures of both."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import dedent, indent
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import LikelyError, renamed
from likely.format.words import table

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Step:
    """A figure that must come out.

    `exact` is the true value: a number, or a word. `book` is what the source prints, if it does, as it prints
    it. Where the source is wrong, `wrong` says so. What is found by iterations may be off by a `tolerance`.

    >>> Step("P(+ and ill)", 0.00784, ".0078").agrees(0.00784)
    True
    """

    label: str
    exact: Any
    book: str = ""
    wrong: str = ""
    tolerance: float = TOLERANCE

    def right(self, ours: object) -> bool:
        """Whether our figure is the true value, to nine digits or as the tolerance says."""
        if isinstance(self.exact, str | bool):
            return bool(ours == self.exact)
        a, b = np.asarray(ours, np.float64), np.asarray(self.exact, np.float64)
        return a.shape == b.shape and bool(np.allclose(a, b, rtol=self.tolerance, atol=self.tolerance))

    def agrees(self, ours: object) -> bool | None:
        """Whether our figure, rounded as the source rounds, is the source's; None if it prints none."""
        if not self.book:
            return None
        parts = self.book.replace("(", "").replace(")", "").split(",")
        values = [ours] if isinstance(ours, str | bool) else np.asarray(ours).reshape(-1).tolist()
        return len(parts) == len(values) and all(map(_same, parts, values))


def _same(printed: str, ours: float) -> bool:
    """Whether a number is what is printed, rounded to as many decimals; or a word is."""
    text = printed.strip()
    if isinstance(ours, str | bool):
        return text == str(ours)
    percent = text.endswith("%")
    text = text.rstrip("% ")
    if "/" in text:
        above, below = text.split("/")
        return bool(abs(ours - float(above) / float(below)) < TOLERANCE)
    decimals = len(text.split(".")[1]) if "." in text else 0
    # Half a unit of the last decimal, and a little for numbers on the edge.
    return bool(abs((100 * ours if percent else ours) - float(text)) <= 0.5 * 10.0**-decimals * (1 + 1e-9))


@dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """Our figures, step by step, and whether each is right."""

    steps: tuple[Step, ...]
    ours: tuple[Any, ...]

    @property
    def ok(self) -> bool:
        """Whether every figure is right, and every difference from the source is explained."""
        return not self.failures

    @property
    def failures(self) -> list[str]:
        """What is off, in words."""
        failures = []
        for step, ours in zip(self.steps, self.ours, strict=True):
            if not step.right(ours):
                failures.append(f"{step.label}: {shown(ours)}, and should be {shown(step.exact)}")
            elif step.agrees(ours) is False and not step.wrong:
                failures.append(f"{step.label}: {shown(ours)}, and the source prints {step.book}")
            elif step.agrees(ours) and step.wrong:
                failures.append(
                    f"{step.label}: the source is said to be wrong, and prints the same: {step.book}"
                )
        return failures

    def to_frame(self) -> dict[str, Any]:
        """One line for each step."""
        texts = [(s.label, shown(o), shown(s.exact), s.book, _verdict(s, o)) for s, o in self._pairs()]
        names = ("step", "ours", "exact", "source", "verdict")
        return {
            name: np.array(column, object)
            for name, column in zip(names, zip(*texts, strict=True), strict=True)
        }

    def _pairs(self) -> list[tuple[Step, Any]]:
        return list(zip(self.steps, self.ours, strict=True))

    def __str__(self) -> str:
        lines = [["", "ours", "source", ""]]
        lines += [
            [step.label, shown(ours), step.book or "-", _verdict(step, ours)] for step, ours in self._pairs()
        ]
        return table(lines, "<>><")

    __repr__ = __str__


def judged(figures: Mapping[str, Any], steps: tuple[Step, ...]) -> Outcome:
    """The figures that code came to, in the order of the steps."""
    if set(figures) != {step.label for step in steps}:
        raise LikelyError(
            f"the code has the figures {list(figures)!r}, the steps {[s.label for s in steps]!r}."
        )
    return Outcome(steps, tuple(figures[step.label] for step in steps))


def _verdict(step: Step, ours: object) -> str:
    if not step.right(ours):
        return f"WRONG: it should be {shown(step.exact)}"
    agrees = step.agrees(ours)
    if agrees is None:
        return ""
    return "agrees" if agrees else step.wrong or "DIFFERS"


def shown(value: ArrayLike) -> str:
    """A figure as it is printed: six digits, a list in brackets."""
    if isinstance(value, str | bool | np.bool_):
        return str(value)
    array = np.asarray(value)
    if array.ndim:
        return f"({', '.join(shown(item) for item in array.reshape(-1).tolist())})"
    return f"{float(array) + 0.0:.6g}"


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
        return "PHGNLCEIBF".index(self.id[0]), int(self.row[1:]), self.id

    @property
    def place(self) -> tuple[int, int, str]:
        """`catalogue_order`, by its name of release 0.1."""
        renamed("Example.place", "Example.catalogue_order")
        return self.catalogue_order

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
