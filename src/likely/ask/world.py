"""What a kind of model must supply so that it can be asked: everything else is answered from this.

A model gives its variables, and what it believes of them once something is known: the probability of an
event, the joint probabilities of levels, the mixture that a number is. Naive Bayes, mixtures, joint tables
and networks each do this in their own way; the questions know none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Constraint
from likely.ask.truncated_mixture import TruncatedMixture
from likely.table.column.column import Column
from likely.table.column.kinds import Kind

Floats = NDArray[np.float64]


class Nature(Enum):
    """What may be asked of a variable, and how a constraint of it looks."""

    LEVELS = "levels"  # `Levels`
    WHOLE = "whole numbers"  # `Region`
    REAL = "real numbers"  # `Region`, or after the bar `Exactly`
    SHOWN = "known by its value only"  # `Exactly`, after the bar: text, and what only others give meaning


@dataclass(frozen=True, slots=True)
class Variable:
    """A column that can be asked about."""

    column: Column
    nature: Nature
    levels: tuple[Any, ...] = ()  # None among them stands for a missing cell
    gaps: bool = False  # of numbers: whether a missing cell is a possible outcome

    @classmethod
    def of_levels(cls, column: Column) -> Variable:
        """A column of levels, or of true and false."""
        boolean = column.kind is Kind.BOOLEAN and column.levels is None
        return cls(column, Nature.LEVELS, (False, True) if boolean else column.levels or ())

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers without end."""
        return self.nature in (Nature.WHOLE, Nature.REAL)


class WorldBelief(Protocol):
    """What is believed once something is known. `known` is what `World.given` was told."""

    def log_prob(self, event: Mapping[str, Constraint]) -> float:
        """log P(event | known), -inf if it cannot be.

        No constraint of the event is `Exactly` or empty, no variable is known `Exactly`, and what is known
        of a variable holds in the event too.
        """

    def table(self, names: Sequence[str]) -> Floats:
        """P(levels | known) of these variables of levels, one axis for each; adds up to 1."""

    def mixture(self, name: str, by: Sequence[str] = ()) -> TruncatedMixture:
        """The distribution of a number that is not missing, jointly with the levels of other variables."""


@runtime_checkable
class Counting(Protocol):
    """A world of a model that keeps how many rows it has seen of each level and class."""

    @property
    def target(self) -> Column | None:
        """The column whose levels are the classes."""

    def counts(self, name: str | None) -> Floats | None:
        """The weight of the rows of each level of a column and each class, (k, c); of None, (1, c).

        None where the model does not keep it.
        """


class World(Protocol):
    """A model that can be asked."""

    @property
    def variables(self) -> Mapping[str, Variable]:
        """All variables by name, in order."""

    @property
    def library(self) -> str:
        """The frame library that tables are answered in."""

    def given(self, known: Mapping[str, Constraint]) -> WorldBelief | None:
        """What is believed once this is known; None if it is impossible."""
