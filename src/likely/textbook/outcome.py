"""The figures that an example came to, beside those of its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import LikelyError
from likely.format.words import table
from likely.textbook.step import Step


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
