"""All worked examples, run and judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.format.words import many, table
from likely.textbook.example import Example, Outcome


@dataclass(frozen=True, eq=False, repr=False)
class Check:
    """The outcome of every example."""

    examples: tuple[Example, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def ok(self) -> bool:
        """Whether every figure of every example is right."""
        return all(outcome.ok for outcome in self.outcomes)

    def to_frame(self) -> dict[str, Any]:
        """One line for each example."""
        return {
            "id": np.array([example.id for example in self.examples], object),
            "title": np.array([example.title for example in self.examples], object),
            "figures": np.array([len(outcome.steps) for outcome in self.outcomes]),
            "ok": np.array([outcome.ok for outcome in self.outcomes]),
        }

    def __str__(self) -> str:
        lines = []
        for example, outcome in zip(self.examples, self.outcomes, strict=True):
            wrong = sum(bool(step.wrong) for step in outcome.steps)
            said = f"ok; {many(wrong, 'error')} of the source shown" if wrong else "ok"
            said = said if outcome.ok else "; ".join(outcome.failures)
            lines.append([example.id, example.title, many(len(outcome.steps), "figure"), said])
        total = sum(len(outcome.steps) for outcome in self.outcomes)
        end = f"{many(len(self.examples), 'example')}, {many(total, 'figure')}: "
        return "\n".join([table(lines, "<<><"), "", end + ("all right" if self.ok else "SOME ARE OFF")])

    __repr__ = __str__


def check(examples: Sequence[Example]) -> Check:
    """Run examples."""
    return Check(tuple(examples), tuple(example.run() for example in examples))
