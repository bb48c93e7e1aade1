"""The record of a fitted model, and the story it tells: what every model has learnt, under the same names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likely.ask.world import World
from likely.table.schema import Schema

OPTIMAL = "It is Bayes-optimal (no rule errs less often) where rows do come about so, with these numbers"
Floats = NDArray[np.float64]
# The column ("" for the model as a whole), and how it is described: what is described alike can be compared.
Described = tuple[Any, ...]


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


@dataclass(frozen=True, slots=True)
class Quantities:
    """Numbers of one column in every group: counts, or parameters."""

    names: Sequence[Any]  # (q,): "mean", or a pair such as ("P", level)
    values: Floats  # (g, q)
    unit: Floats | float = 1.0  # (g, q): by which changes are comparable


class ModelRecord(Protocol):
    """What a fitted model knows. What a model cannot do raises a LikelyError that says why."""

    @property
    def schema(self) -> Schema:
        """The columns that the model looks at."""

    @property
    def target_name(self) -> str:
        """What is predicted; the name of the hidden groups, where there is no target."""

    @property
    def of_rows(self) -> bool:
        """Whether whole rows are modelled, as its evidence then is of them, or the target given the rest."""

    @property
    def classes(self) -> tuple[Any, ...]:
        """The levels of the target, in order; none if it is a number."""

    @property
    def n(self) -> float:
        """The weight of the rows that were learnt from."""

    @property
    def n_parameters(self) -> int:
        """How many free numbers the model has."""

    @property
    def log_evidence(self) -> float | None:
        """The log marginal likelihood of what was learnt from; None where there is none."""

    @property
    def group_names(self) -> Sequence[Any]:
        """Whose numbers `counts` and `parameters` are, (g,): groups, classes, or the one outcome."""

    def counts(self) -> Mapping[Described, Quantities]:
        """How much was seen of each column."""

    def parameters(self) -> Mapping[Described, Quantities]:
        """What is known of each column."""

    def check(self) -> None:
        """Refuse a record of which no model could have been fitted: a file is not believed before."""

    def world(self) -> World:
        """The model as a world that can be asked."""

    def story(self, model: str, hidden: bool = False) -> Story:
        """How the model of this name takes a row to come about; `hidden` if nobody sees its target."""

    def trained_on(self) -> dict[str, Any]:
        """What the model was trained on, in plain words, for people who look into its file."""
