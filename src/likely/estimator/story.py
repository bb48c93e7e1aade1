"""How a model takes a row to come about: its generative story, and where it is the best there is."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill
from typing import Any

OPTIMAL = "It is Bayes-optimal (no rule errs less often) where rows do come about so, with these numbers"


@dataclass(frozen=True, repr=False)
class Story:
    """How a model takes a row to come about, step by step; prints itself.

    >>> Story("Coins", ("Toss a coin.",), "P(row) = 1/2.", "Where coins are fair.")
    How Coins takes a row to come about
    <BLANKLINE>
    1. Toss a coin.
    <BLANKLINE>
    P(row) = 1/2.
    Where coins are fair.
    """

    model: str
    steps: tuple[str, ...]
    formula: str  # what the steps make of the probability of a row
    optimal: str  # when no other model does better
    about: str = "a row"  # what comes about

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        return {
            "model": self.model,
            "about": self.about,
            "steps": list(self.steps),
            "formula": self.formula,
            "optimal": self.optimal,
        }

    def __str__(self) -> str:
        steps = [_numbered(i + 1, step) for i, step in enumerate(self.steps)]
        end = [fill(text, 110) for text in (self.formula, self.optimal) if text]
        return "\n".join([f"How {self.model} takes {self.about} to come about", "", *steps, "", *end])

    __repr__ = __str__


def _numbered(i: int, step: str) -> str:
    first, *others = step.split("\n")
    head = fill(f"{i}. {first}", 110, subsequent_indent="   ")
    return "\n".join([head, *(f"     {line}" for line in others)])
