"""What a model believes once something is known; what cannot be is refused with what could."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NoReturn

from likely.errors import LikelyError
from likely.evidence.constraint import Constraint, is_empty
from likely.evidence.resolve import constraints
from likely.evidence.world import Belief, Nature, World
from likely.language import Condition, Word
from likely.language.query import name as written

FAR = 1e-12  # the share of values beyond those that are suggested


def believe(world: World, conditions: Sequence[Condition]) -> tuple[Belief, dict[str, Constraint]]:
    """What is believed under these conditions, and what they allow each variable to be."""
    known = constraints(world.variables, conditions, known=True)
    belief = _given(world, known)
    if belief is None:
        _refuse(world, conditions)
    return belief, known


def _given(world: World, known: Mapping[str, Constraint]) -> Belief | None:
    return None if any(map(is_empty, known.values())) else world.given(known)


def _refuse(world: World, conditions: Sequence[Condition]) -> NoReturn:
    """Name the first condition that cannot be together with those before it, and what could."""
    for last in range(len(conditions)):
        if _given(world, constraints(world.variables, conditions[: last + 1], known=True)) is None:
            break
    condition = conditions[last]
    others = [other for other in conditions[:last] if other.variable != condition.variable]
    same = [str(other) for other in conditions[:last] if other.variable == condition.variable]
    beside = f" given {', '.join(map(str, others))}" if others else ""
    with_own = f" together with {', '.join(same)}" if same else ""
    belief = world.given(constraints(world.variables, others, known=True))
    hint = "" if belief is None else _possible(world, belief, condition.variable)
    raise LikelyError(
        f"the condition {condition}{with_own} is impossible{beside}: its probability is 0.{hint}"
    )


def _possible(world: World, belief: Belief, name: str) -> str:
    variable = world.variables[name]
    if variable.nature is Nature.LEVELS:
        able = [level for level, p in zip(variable.levels, belief.table((name,)), strict=True) if p > 0]
        shown = ", ".join("missing" if level is None else str(Word(str(level))) for level in able[:10])
        return f" Possible is {written(name)} in {{{shown}{', ...' if len(able) > 10 else ''}}}."
    if not variable.numeric:
        return ""
    mixture = belief.mixture(name)
    low, high = mixture.ends
    low = low if math.isfinite(low) else mixture.quantile(FAR)
    high = high if math.isfinite(high) else mixture.quantile(1 - FAR)
    return f" Values lie in {low:.6g} <= {written(name)} <= {high:.6g}."
