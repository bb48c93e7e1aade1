"""A joint table that can be asked: every belief is a sum over its cells."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Constraint, Levels
from likely.ask.world import Variable
from likely.errors import LikelyError
from likely.models.joint.variables import Columns, axes_of, summed, within

Floats = NDArray[np.float64]
Chosen = dict[int, list[int]]  # places among the levels, by axis


@dataclass(frozen=True, slots=True)
class JointWorld:
    """The variables of a joint table, and what is believed of them once something is known."""

    columns: Columns
    probs: Floats
    library: str

    @property
    def variables(self) -> Mapping[str, Variable]:
        """All variables by name, in order."""
        return {column.name: Variable.of_levels(column) for column in self.columns}

    def given(self, known: Mapping[str, Constraint]) -> JointBelief | None:
        """What is believed once this is known; None if it is impossible."""
        chosen = self.chosen(known)
        mass = float(within(self.probs, chosen).sum())
        return JointBelief(self, chosen, mass) if mass > 0 else None

    def chosen(self, constraints: Mapping[str, Constraint]) -> Chosen:
        """The places that constraints of levels allow, by axis."""
        places: Chosen = {}
        for name, constraint in constraints.items():
            assert isinstance(constraint, Levels)
            (axis,) = axes_of(self.columns, name)
            places[axis] = [place for place, allowed in enumerate(constraint.allowed) if allowed]
        return places


@dataclass(frozen=True, slots=True)
class JointBelief:
    """What is believed once the levels of some variables are known to be among those chosen."""

    world: JointWorld
    known: Chosen
    mass: float  # P(known)

    def log_prob(self, event: Mapping[str, Constraint]) -> float:
        """log P(event | known), -inf if it cannot be."""
        mass = float(within(self.world.probs, self.known | self.world.chosen(event)).sum())
        return min(0.0, math.log(mass) - math.log(self.mass)) if mass > 0 else -math.inf

    def table(self, names: Sequence[str]) -> Floats:
        """P(levels | known), one axis for each of these variables."""
        axes = axes_of(self.world.columns, names)
        cells = summed(within(self.world.probs, self.known), axes) / self.mass
        table = np.zeros([len(self.world.columns[axis].levels or ()) for axis in axes])
        every = [self.known.get(axis, range(table.shape[place])) for place, axis in enumerate(axes)]
        table[np.ix_(*every)] = cells
        return table

    def mixture(self, name: str, by: Sequence[str] = ()) -> NoReturn:
        """A joint table has levels only."""
        raise LikelyError(f"variable {name!r} has levels and no distribution of numbers: ask for P({name}).")
