"""What is believed where one of several cases holds, which exclude each other: a sum over the cases."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.ask.boxes import within
from likely.ask.constraint import LINE, Constraint, Region
from likely.ask.truncated_mixture import TruncatedMixture
from likely.ask.world import Variable, World, WorldBelief
from likely.errors import LikelyError
from likely.infer import bayes_rule

Floats = NDArray[np.float64]


def log_chance(belief: WorldBelief, known: Mapping[str, Constraint], box: Mapping[str, Constraint]) -> float:
    """log P(box | known), -inf if it cannot be."""
    inside = within(known, box)
    if inside is None:
        return -math.inf
    return belief.log_prob(inside) if inside else 0.0


@dataclass(frozen=True)
class Case:
    """How probable a case is, what is believed in it, and what it allows each variable to be."""

    log_p: float
    belief: WorldBelief
    known: dict[str, Constraint]


@dataclass(frozen=True)
class AnyCase:
    """What is believed where one of the cases holds."""

    variables: Mapping[str, Variable]
    cases: tuple[Case, ...]

    @classmethod
    def of(cls, world: World, cases: Sequence[Case]) -> AnyCase:
        """The same cases, their probabilities brought to a sum of 1."""
        logs = bayes_rule(np.array([[case.log_p for case in cases]]))[0][0]
        shares = (Case(float(p), case.belief, case.known) for p, case in zip(logs, cases, strict=True))
        return cls(world.variables, tuple(shares))

    def log_prob(self, event: Mapping[str, Constraint]) -> float:
        """log P(event | one of the cases), -inf if it cannot be."""
        each = [case.log_p + log_chance(case.belief, case.known, event) for case in self.cases]
        return float(bayes_rule(np.array([each]))[1][0])

    def table(self, names: Sequence[str]) -> Floats:
        """P(levels | one of the cases) of these variables, one axis for each."""
        each = [math.exp(case.log_p) * case.belief.table(names) for case in self.cases]
        return np.asarray(np.sum(each, axis=0))

    def mixture(self, name: str, by: Sequence[str] = ()) -> TruncatedMixture:
        """The distribution of a number that is not missing, jointly with the levels of other variables."""
        there = {name: Region(LINE)}
        logs = [
            case.log_p + (log_chance(case.belief, case.known, there) if self.variables[name].gaps else 0.0)
            for case in self.cases
        ]
        if max(logs) == -math.inf:
            raise LikelyError(f"{name!r} is known to be missing: there is no number to ask for.")
        shares = np.exp(bayes_rule(np.array([logs]))[0][0])
        kept = [(case, float(p)) for case, p in zip(self.cases, shares, strict=True) if p > 0]
        mixtures = [case.belief.mixture(name, by) for case, _ in kept]
        return TruncatedMixture.joined(mixtures, [share for _, share in kept])
