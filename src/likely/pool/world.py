"""A pool as a world that can be asked about its target, given values of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Constraint, Exactly, Levels
from likely.ask.truncated_mixture import TruncatedMixture
from likely.ask.world import Nature, Variable
from likely.engine import Engine
from likely.errors import LikelyError
from likely.infer.bayes import bayes_rule
from likely.pool.pooling import Pool
from likely.pool.reading import coded
from likely.pool.record import PoolRecord
from likely.table.build import values_of
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]

AVERAGED = "columns that are not told are averaged over, as if they were independent given the class."


@dataclass(frozen=True)
class PoolWorld:
    """The target, and columns that can be told; of those that are not told the average is taken."""

    record: PoolRecord
    engine: Engine

    @property
    def library(self) -> str:
        """The frame library that tables are answered in."""
        return self.record.schema.library

    @cached_property
    def variables(self) -> Mapping[str, Variable]:
        """The target first, then the columns."""
        return variables_of(Variable.of_levels(self.record.target), self.record.schema)

    @property
    def target(self) -> Column:
        """What is predicted."""
        return self.record.target

    def counts(self, name: str | None) -> Floats | None:
        """The weight of the rows of each level of a column and each class, (k, c); of None, (1, c)."""
        record, reading = self.record, self.record.reading
        if name is None:
            return record.class_counts[None]
        j = list(record.schema.names).index(name)
        if j not in coded(record.schema):
            return None
        own = reading.owner == int(np.flatnonzero(reading.source == j)[-1])
        seen = reading.tallies[own]
        whole = np.allclose(seen.sum(axis=0), record.class_counts)  # else the bins are of a sample of rows
        return seen[: len(record.schema.columns[j].known)] if whole else None

    def given(self, known: Mapping[str, Constraint]) -> TargetBelief | None:
        """What is believed of the target in a row of which this is known; None if it is impossible."""
        record = self.record
        frame, untold = told_frame(record, self.variables, known, "Classifier")
        log_p = record.posterior(frame, self.engine, untold)[0]
        about = known.get(record.target.name)
        if isinstance(about, Levels):
            log_p = np.where(about.allowed, log_p, -np.inf)
            if not np.isfinite(log_p).any():
                return None
            log_p = bayes_rule(log_p[None])[0][0]
        return TargetBelief(record.target.name, log_p)


def variables_of(target: Variable, schema: Schema) -> Mapping[str, Variable]:
    """The target first, then the columns."""
    columns = (
        Variable.of_levels(column)
        if column.kind.coded or column.kind is Kind.BOOLEAN
        else Variable(column, Nature.SHOWN)
        for column in schema.columns
    )
    return {variable.name: variable for variable in (target, *columns)}


def told_frame(
    record: Pool, variables: Mapping[str, Variable], known: Mapping[str, Constraint], who: str
) -> tuple[Frame, tuple[int, ...]]:
    """A row of what is told, and the columns that are not."""
    untold = tuple(j for j, column in enumerate(record.schema.columns) if column.name not in known)
    cells = {}
    for column in record.schema.columns:
        told = known.get(column.name)
        value = None if told is None else _value(variables[column.name], told, who)
        if value is not None and not variables[column.name].levels and column.kind is not Kind.TEXT:
            value = values_of(column, [value], "numpy")[0]
        cells[column.name] = [value]
    return record.schema.align(Frame.of(cells), who), untold


def _value(variable: Variable, told: Constraint, who: str) -> Any:
    if isinstance(told, Exactly):
        return told.value
    if isinstance(told, Levels) and told.only is not None:
        return variable.levels[told.only]
    raise LikelyError(
        f"{variable.name!r}: a {who} knows its target given values of the columns, and not how the columns "
        "are distributed: give one value, or ask a NaiveBayes."
    )


@dataclass(frozen=True)
class TargetBelief:
    """P(class), and nothing else."""

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
                    f"a Classifier knows {self.target!r} given the columns, and not how {name!r} is "
                    f"distributed: ask for {self.target!r} with {name!r} after the bar, or ask a NaiveBayes."
                )
