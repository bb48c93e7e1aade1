"""A classifier as a world that can be asked about its target, given values of columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Constraint, Exactly, Levels
from likely.ask.truncated_mixture import TruncatedMixture
from likely.ask.world import Nature, Variable
from likely.errors import LikelyError
from likely.infer.bayes import bayes_rule
from likely.table.build import values_of
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
# log P(class given row), (n, g), of rows of which the columns at these places are not told.
Posterior = Callable[[Frame, tuple[int, ...]], Floats]


@dataclass(frozen=True)
class TargetWorld:
    """The target, and columns that can be told or not."""

    who: str  # the model, for messages
    schema: Schema
    target: Column
    posterior: Posterior

    @property
    def library(self) -> str:
        """The frame library that tables are answered in."""
        return self.schema.library

    @cached_property
    def variables(self) -> Mapping[str, Variable]:
        """The target first, then the columns."""
        target = Variable.of_levels(self.target)
        columns = (
            Variable.of_levels(column)
            if column.kind.coded or column.kind is Kind.BOOLEAN
            else Variable(column, Nature.SHOWN)
            for column in self.schema.columns
        )
        return {variable.name: variable for variable in (target, *columns)}

    def given(self, known: Mapping[str, Constraint]) -> TargetBelief | None:
        """What is believed of the target in a row of which this is known; None if it is impossible."""
        cells = {}
        untold = tuple(j for j, column in enumerate(self.schema.columns) if column.name not in known)
        for column in self.schema.columns:
            told = known.get(column.name)
            value = None if told is None else self._value(column.name, told)
            if value is not None and not self.variables[column.name].levels and column.kind is not Kind.TEXT:
                value = values_of(column, [value], "numpy")[0]
            cells[column.name] = [value]
        frame = self.schema.align(Frame.of(cells), self.who)
        log_p = self.posterior(frame, untold)[0]
        about = known.get(self.target.name)
        if isinstance(about, Levels):
            log_p = np.where(about.allowed, log_p, -np.inf)
            if not np.isfinite(log_p).any():
                return None
            log_p = bayes_rule(log_p[None])[0][0]
        return TargetBelief(self.who, self.target.name, log_p)

    def _value(self, name: str, told: Constraint) -> Any:
        if isinstance(told, Exactly):
            return told.value
        if isinstance(told, Levels) and told.only is not None:
            return self.variables[name].levels[told.only]
        raise LikelyError(
            f"{name!r}: a {self.who} knows its target given values of the columns, and not how the columns "
            "are distributed: give one value, or ask a NaiveBayes."
        )


@dataclass(frozen=True)
class TargetBelief:
    """P(class), and nothing else."""

    who: str
    target: str
    log_p: Floats  # (g,)

    def log_prob(self, event: Mapping[str, Constraint]) -> float:
        """log P(event | known), of the target alone."""
        self._refuse_others(event)
        allowed = event.get(self.target)
        if not isinstance(allowed, Levels):
            return 0.0
        kept = self.log_p[np.asarray(allowed.allowed)]
        return float(bayes_rule(kept[None])[1][0]) if len(kept) else -np.inf

    def table(self, names: Sequence[str]) -> Floats:
        """P(class | known)."""
        self._refuse_others(names)
        return np.exp(self.log_p)

    def mixture(self, name: str, by: Sequence[str] = ()) -> TruncatedMixture:
        """Refused: there is no number to ask for."""
        self._refuse_others((name, *by))
        raise LikelyError(f"{name!r} is no number.")

    def _refuse_others(self, names: Mapping[str, Any] | Sequence[str]) -> None:
        for name in names:
            if name != self.target:
                raise LikelyError(
                    f"a {self.who} knows {self.target!r} given the columns, and not how {name!r} is "
                    f"distributed: ask for {self.target!r} with {name!r} after the bar, or ask a NaiveBayes."
                )
