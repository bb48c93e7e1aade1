"""A pool of a number as a world that can be asked about it, given values of columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import LINE, Constraint, Region
from likely.ask.target_world import told_frame, variables_of
from likely.ask.truncated_mixture import TruncatedMixture, mass
from likely.ask.world import Nature, Variable
from likely.engine import Engine
from likely.errors import LikelyError
from likely.pool.number_record import NumberPoolRecord
from likely.pool.outcomes import PoolOutcomes

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NumberWorld:
    """The number, and columns that can be told; of those that are not told the average is taken."""

    record: NumberPoolRecord
    engine: Engine

    @property
    def library(self) -> str:
        """The frame library that tables are answered in."""
        return self.record.schema.library

    @cached_property
    def variables(self) -> Mapping[str, Variable]:
        """The target first, then the columns."""
        nature = Nature.WHOLE if self.record.support.whole else Nature.REAL
        return variables_of(Variable(self.record.target, nature), self.record.schema)

    def given(self, known: Mapping[str, Constraint]) -> NumberBelief | None:
        """What is believed of the number in a row of which this is known; None if it is impossible."""
        record, about = self.record, known.get(self.record.target.name)
        frame, untold = told_frame(record.schema, self.variables, known, "Regressor")
        outcome = record.outcomes(frame, self.engine, untold)
        pieces = about.pieces if isinstance(about, Region) else LINE
        if not float(mass(outcome, pieces)[0]) > 0:
            return None
        return NumberBelief(record.target.name, outcome, pieces)


@dataclass(frozen=True)
class NumberBelief:
    """How the number is distributed, and nothing else."""

    target: str
    outcome: PoolOutcomes  # (1,)
    pieces: tuple[tuple[float, float], ...]  # in which it is known to lie

    def log_prob(self, event: Mapping[str, Constraint]) -> float:
        """log P(event | known), of the target alone."""
        self._refuse_others(event)
        allowed = event.get(self.target)
        if not isinstance(allowed, Region):
            return 0.0
        inside = float(mass(self.outcome, allowed.pieces)[0])
        return math.log(inside / float(mass(self.outcome, self.pieces)[0])) if inside > 0 else -math.inf

    def table(self, names: Sequence[str]) -> Floats:
        """Refused: there are no levels to ask for."""
        self._refuse_others(names)
        raise LikelyError(f"{self.target!r} is a number: ask for E, sd, a quantile, or P of an interval.")

    def mixture(self, name: str, by: Sequence[str] = ()) -> TruncatedMixture:
        """The number by itself."""
        self._refuse_others((name, *by))
        return TruncatedMixture(np.ones(1), self.outcome, self.pieces)

    def _refuse_others(self, names: Mapping[str, Any] | Sequence[str]) -> None:
        for name in names:
            if name != self.target:
                raise LikelyError(
                    f"a Regressor knows {self.target!r} given the columns, and not how {name!r} is "
                    f"distributed: ask for {self.target!r} with {name!r} after the bar, or ask a Mixture."
                )
