"""Questions -> answers, for every model that is a world."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.answer import Chances, Choice, Number, NumberAnswer, chance
from likely.ask.believe import believe, log_chance, split
from likely.ask.constraint import Constraint, Exactly
from likely.ask.resolve import constraint_of, find, value_text
from likely.ask.two_numbers import Pairing
from likely.ask.uncertainty import cells, entropy, information
from likely.ask.world import Nature, Variable, World, WorldBelief
from likely.errors import LikelyError
from likely.format import words
from likely.infer import bayes_rule
from likely.language import Condition, Query, Statement, parse_query
from likely.table.column.kinds import Kind, are_numbers, truth_of

Floats = NDArray[np.float64]
Answer = Number | Chances | NumberAnswer | Choice


def ask(world: World, question: str) -> Answer:
    """The answer to a question such as "P(survived=yes | sex=female)"."""
    query = parse_query(question)
    world = _done(world, query.done)
    belief, known = believe(world, query.given)
    asked = _asked(world, query, known)
    match query.ask:
        case "P":
            return _probability(world, query, belief, known, asked)
        case "odds":
            log_p, log_not = chances_of(world, belief, known, query.events)
            with np.errstate(over="ignore"):
                odds = float(np.exp(log_p - log_not))
            return Number(odds, str(query), f"{words.odds(log_p - log_not)} to 1")
        case "H" | "I":
            return _bits(world, query, belief)
        case "cov":
            return _covariance(query, belief, asked[0], asked[1])
        case "argmax":
            return _argmax(world, query, belief, asked)
        case "median":
            return _number(replace(query, ask="quantile", share=0.5), belief, asked[0], str(query))
    return _number(query, belief, asked[0])


def _done(world: World, actions: Sequence[Condition]) -> World:
    """The world in which variables have been set, where the model knows what follows from what."""
    if not actions:
        return world
    intervened = getattr(world, "intervened", None)
    if intervened is None:
        raise LikelyError(
            f"do({', '.join(map(str, actions))}): this model knows what goes together and not what causes "
            "what. Ask a likely.Network, whose arcs say that."
        )
    levels = {}
    for condition in actions:
        variable = find(world.variables, condition.variable, condition.words)
        if variable.nature is not Nature.LEVELS:
            raise LikelyError(
                f"do({condition}): {variable.name!r} is {variable.column.kind}, and only levels can be set."
            )
        if variable.name in levels:
            raise LikelyError(f"do sets {variable.name!r} twice: set it once.")
        chosen = constraint_of(variable, condition, known=True)
        levels[variable.name] = variable.levels[chosen.allowed.index(True)]  # type: ignore[union-attr]
    after: World = intervened(levels)
    return after


def chances_of(
    world: World, belief: WorldBelief, known: Mapping[str, Constraint], events: Sequence[Statement]
) -> tuple[float, float]:
    """log P(events | known), and the log of the probability that one of them fails."""
    log_p, log_not = (
        float(bayes_rule(np.array([[log_chance(belief, known, box) for box in boxes] or [-math.inf]]))[1][0])
        for boxes in split(world.variables, events)
    )
    if math.inf in (-log_p, -log_not):  # certain, whatever the sum of the other side rounds to
        return (-math.inf, 0.0) if log_p == -math.inf else (0.0, -math.inf)
    return min(log_p, 0.0), min(log_not, 0.0)


def _asked(world: World, query: Query, known: Mapping[str, Constraint]) -> list[Variable]:
    """The variables that are asked for, each of them once, and none that the model cannot give."""
    names = [*query.variables, *query.others, *query.averaged]
    asked = [find(world.variables, name) for name in names]
    for place, variable in enumerate(asked):
        if variable.name in names[:place]:
            raise LikelyError(f"{variable.name!r} occurs twice in {query}: name it once.")
        if isinstance(known.get(variable.name), Exactly):
            raise LikelyError(f"{variable.name!r} is asked for and given in {query}: take one away.")
        if variable.nature is Nature.SHOWN:
            raise LikelyError(
                f"{variable.name!r} is {variable.column.kind}: the model knows it only as evidence, so it "
                "can stand after the bar with a value, and not be asked for."
            )
        if variable.nature is Nature.LEVELS and not variable.levels:
            raise LikelyError(f"{variable.name!r} was missing wherever the model looked: ask for another.")
    return asked


def _probability(
    world: World,
    query: Query,
    belief: WorldBelief,
    known: Mapping[str, Constraint],
    asked: Sequence[Variable],
) -> Answer:
    if query.events:
        log_p, log_not = chances_of(world, belief, known, query.events)
        p = math.exp(log_p)
        return Number(p, str(query), chance(p, math.exp(log_not)))
    numbers = [variable for variable in asked if variable.numeric]
    if numbers and len(asked) == 1:
        return NumberAnswer(str(query), numbers[0].column, belief.mixture(numbers[0].name))
    if numbers:
        raise LikelyError(
            f"{numbers[0].name!r} is {numbers[0].column.kind} and has no table: ask for it by itself, or for "
            f"an interval of it, as in P({numbers[0].name} < 10)."
        )
    return _table(world, query, belief, asked)


def _table(world: World, query: Query, belief: WorldBelief, asked: Sequence[Variable]) -> Chances:
    names = tuple(variable.name for variable in asked)
    cells(world.variables, names)
    levels = tuple(variable.levels for variable in asked)
    return Chances(str(query), names, levels, belief.table(names), world.library)


def _bits(world: World, query: Query, belief: WorldBelief) -> Number:
    variables = world.variables
    if query.ask == "I":
        bits = information(variables, belief, query.variables, query.others, query.averaged)
    else:
        bits = entropy(variables, belief, query.variables, query.averaged)
    real = query.ask == "H" and variables[query.variables[0]].nature is Nature.REAL
    return Number(bits, str(query), f"{bits:.6g} bits{' of density' if real else ''}", "bits")


def _argmax(world: World, query: Query, belief: WorldBelief, asked: Sequence[Variable]) -> Choice:
    if len(asked) == 1 and asked[0].nature is Nature.WHOLE:
        mixture = belief.mixture(asked[0].name)
        masses = mixture.density(mixture.points)
        return Choice(str(query), int(mixture.points[masses.argmax()]), float(masses.max()))
    for variable in asked:
        if variable.numeric:
            raise LikelyError(
                f"{variable.name!r} is {variable.column.kind} and has no most probable value: ask for "
                f"quantile({variable.name}, 0.5) or E({variable.name})."
            )
    chances = _table(world, query, belief, asked)
    place = np.unravel_index(int(chances.probabilities.argmax()), chances.probabilities.shape)
    values = tuple(own[i] for own, i in zip(chances.levels, place, strict=True))
    return Choice(str(query), values if len(values) > 1 else values[0], float(chances.probabilities[place]))


def _number(query: Query, belief: WorldBelief, variable: Variable, question: str | None = None) -> Answer:
    """E, sd, var and quantile of values that are not missing; `question` if it was asked in other words."""
    question = str(query) if question is None else question
    if variable.nature is Nature.LEVELS:
        return _of_levels(query, belief, variable, question)
    mixture = belief.mixture(variable.name)
    if query.ask in ("sd", "var"):
        unit = None if variable.column.unit is None else variable.column.unit.split(" since")[0]
        unit = f"{unit}^2" if unit and query.ask == "var" else unit
        value = mixture.sd if query.ask == "sd" else mixture.sd**2
        return Number(value, question, f"{value:.6g} {unit or ''}".strip(), unit)
    number = mixture.mean if query.ask == "E" else mixture.quantile(query.share or 0.0)
    time, unit = value_text(variable.column, number), variable.column.unit
    shown = f"{number:.6g}" if time is None else f"{time} ({number:.6g} {unit})"
    return Number(number, question, shown, unit)


def _covariance(query: Query, belief: WorldBelief, first: Variable, second: Variable) -> Number:
    """Of two numbers, or levels that are numbers."""
    if first.numeric and second.numeric:
        if not isinstance(belief, Pairing):
            raise LikelyError(f"{query}: this model does not tell how two numbers go together.")
        covariance = belief.pair(first.name, second.name).covariance
    elif first.numeric or second.numeric:
        number, levels = (first, second) if first.numeric else (second, first)
        mixture, values = belief.mixture(number.name, (levels.name,)), _level_values(query, levels)
        there = ~np.isnan(values) & (mixture.weights.sum(axis=1) > 0)
        weights, values = mixture.weights[there] / mixture.weights[there].sum(), values[there]
        shares = weights.sum(axis=1)
        means = np.array([replace(mixture, weights=own / own.sum()).mean for own in weights])
        covariance = float((shares * (values - shares @ values)) @ means)
    else:
        a, b = _level_values(query, first), _level_values(query, second)
        table = belief.table((first.name, second.name))[np.ix_(~np.isnan(a), ~np.isnan(b))]
        table, a, b = table / table.sum(), a[~np.isnan(a)], b[~np.isnan(b)]
        covariance = float((a - table.sum(axis=1) @ a) @ table @ (b - table.sum(axis=0) @ b))
    each = [variable.column.unit for variable in (first, second) if variable.column.unit]
    unit = " x ".join(one.split(" since")[0] for one in each) or None
    return Number(covariance, str(query), f"{covariance:.6g} {unit or ''}".strip(), unit)


def _level_values(query: Query, variable: Variable) -> Floats:
    """Levels that are numbers as these, NaN for a missing cell; of truth values 0 and 1."""
    levels: list[Any] = list(variable.levels)
    if variable.column.kind is Kind.BOOLEAN:
        levels = [None if level is None else truth_of(level) for level in levels]
    there = [level for level in levels if level is not None]
    if variable.column.kind is Kind.CATEGORICAL or not are_numbers(there):
        raise LikelyError(
            f"{variable.name!r} is {variable.column.kind}, which has no {query.ask}: ask for "
            f"P({variable.name}), or declare its kind otherwise."
        )
    return np.array([math.nan if level is None else float(level) for level in levels])


def _of_levels(query: Query, belief: WorldBelief, variable: Variable, question: str) -> Answer:
    """Of levels that are numbers, or for quantiles at least in order."""
    column, table = variable.column, belief.table((variable.name,))
    there = np.array([level is not None for level in variable.levels])
    known = [level for level in variable.levels if level is not None]
    if column.kind is Kind.BOOLEAN:
        known = [truth_of(level) for level in known]
    shares = table[there] / table[there].sum() if table[there].sum() > 0 else table[there]
    if query.ask == "quantile" and column.kind is Kind.ORDINAL:
        enough = np.cumsum(shares) >= (query.share or 0.0) * (1 - 1e-14)
        place = int(np.argmax(enough)) if enough.any() else len(known) - 1
        return Choice(question, known[place], float(shares[place]))
    if query.ask == "quantile" or column.kind is Kind.CATEGORICAL or not are_numbers(known):
        raise LikelyError(
            f"{variable.name!r} is {column.kind}, which has no {query.ask}: ask for P({variable.name}) or "
            f"argmax({variable.name}), or declare its kind otherwise."
        )
    values = np.array(known, np.float64)
    mean = float(shares @ values)
    variance = float(shares @ (values - mean) ** 2)
    answer = {"E": mean, "sd": math.sqrt(variance), "var": variance}[query.ask]
    return Number(answer, question, f"{answer:.6g}")
