"""What a model believes once something is known; what cannot be is refused with what could."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NoReturn

from likely.ask.boxes import split, within
from likely.ask.cases import AnyCase, Case, log_chance
from likely.ask.constraint import Constraint, is_empty
from likely.ask.resolve import constraints
from likely.ask.world import Nature, World, WorldBelief
from likely.errors import LikelyError
from likely.language import Condition, Statement, Word
from likely.language.query import conditions_of
from likely.language.query import name as written

FAR = 1e-12  # the share of values beyond those that are suggested


def believe(world: World, statements: Sequence[Statement]) -> tuple[WorldBelief, dict[str, Constraint]]:
    """What is believed where all statements hold, and what they allow each variable to be."""
    belief_and_known = _given(world, statements)
    if belief_and_known is None:
        _refuse(world, statements)
    return belief_and_known


def _given(world: World, statements: Sequence[Statement]) -> tuple[WorldBelief, dict[str, Constraint]] | None:
    known = constraints(world.variables, [one for one in statements if isinstance(one, Condition)])
    belief = None if any(map(is_empty, known.values())) else world.given(known)
    others = [one for one in statements if not isinstance(one, Condition)]
    if belief is None or not others:
        return None if belief is None else (belief, known)
    cases = []
    for box in split(world.variables, others)[0]:
        log_p, narrowed = log_chance(belief, known, box), {**known, **(within(known, box) or {})}
        own = None if log_p == -math.inf else world.given(narrowed)
        if own is not None:
            cases.append(Case(log_p, own, narrowed))
    if len(cases) <= 1:
        return (cases[0].belief, cases[0].known) if cases else None
    return AnyCase.of(world, cases), known


def _refuse(world: World, statements: Sequence[Statement]) -> NoReturn:
    """Name the first statement that cannot be together with those before it, and what could."""
    for last in range(len(statements)):
        if _given(world, statements[: last + 1]) is None:
            break
    statement = statements[last]
    about = {condition.variable for condition in conditions_of(statement)}
    same = [other for other in statements[:last] if about & {c.variable for c in conditions_of(other)}]
    others = [other for other in statements[:last] if other not in same]
    beside = f" given {', '.join(map(str, others))}" if others else ""
    with_own = f" together with {', '.join(map(str, same))}" if same else ""
    without_it = _given(world, others) if len(about) == 1 else None
    hint = "" if without_it is None else _possible(world, without_it[0], *about)
    raise LikelyError(
        f"the condition {statement}{with_own} is impossible{beside}: its probability is 0.{hint}"
    )


def _possible(world: World, belief: WorldBelief, name: str) -> str:
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
