"""The answer of a model beside what the rows of a table show, and whether the two differ beyond chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.answer import Chances, Choice, Number, NumberAnswer
from likely.ask.ask import Answer, ask
from likely.ask.constraint import Constraint, Exactly, Levels
from likely.ask.resolve import constraint_of, find, value_text
from likely.ask.world import Counting, Nature, Variable, World
from likely.errors import LikelyError
from likely.format.words import json_ready, many, shown
from likely.language import Query, Statement, parse_query
from likely.language.query import And, Condition, conditions_of, name, truth
from likely.table.column.kinds import Kind
from likely.table.frame import Frame

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

BY_CHANCE = 1e-3  # how often rows drawn from the model itself would be called different
COUNTED = ("P", "odds", "E", "argmax", "median", "quantile")


@dataclass(frozen=True, repr=False)
class BesideData:
    """An answer, and the same counted in a table.

    `share` is the share of the rows, or their mean; `n` how many rows say something. `p_value` is how often
    rows drawn from the model would differ from it as much (two-sided binomial test, or z test of a mean).
    """

    answer: Answer
    share: float
    n: float  # a whole number, unless rows have weights
    hits: float | None  # None of a mean
    p_value: float
    why: str  # a model may differ from rows
    where: str = "data"  # what was counted
    of: str = ""  # what the hits are, where the question does not say it; or what `share` is, if no mean
    told: str = ""  # a share that is a date, as one

    @property
    def differs(self) -> bool:
        """Whether the model differs from the rows beyond chance."""
        return self.p_value < BY_CHANCE

    def __float__(self) -> float:
        return float(self.answer) if isinstance(self.answer, Number) else math.nan

    def __str__(self) -> str:
        if not self.n:
            return f"{self.answer}\nin the {self.where}: no row tells"
        rows = many(int(self.n), "row") if self.n == int(self.n) else f"{self.n:.6g} rows"
        counted = f"{self.of or 'mean'} {self.told or f'{self.share:.6g}'} of {rows}"
        if self.hits is not None:
            counted = f"{self.of and f'{self.of} in '}{self.hits:.10g} of {rows} ({self.share:.4g})"
        said = f"{self.answer}\nin the {self.where}: {counted}"
        if not self.differs:
            return f"{said}, which chance explains (p = {self.p_value:.2g})"
        return f"{said}\nModel and data differ beyond chance (p = {self.p_value:.1g}): {self.why}"

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """The answer and what was counted, ready for JSON."""
        told = "share" if self.hits is not None else self.of or "mean"
        data = {"rows": _whole(self.n), told: json_ready(self.share)}
        data |= {} if self.hits is None else {"hits": _whole(self.hits)}
        return {**self.answer.to_dict(), "data": {**data, "p value": self.p_value, "differs": self.differs}}


def answered(world: World, question: str, data: object, why: str) -> Answer | BesideData:
    """The answer to a question; beside it what the rows of a table show, or those that the model has seen."""
    if data is None:
        return ask(world, question)
    if isinstance(data, str):
        if data != "model":
            raise LikelyError(
                f"data={data!r}: give a table, or 'model' for the rows that it was learnt from."
            )
        return beside_counts(world, question, why) or ask(world, question)
    return beside_data(world, question, data, why)


def beside_data(world: World, question: str, data: object, why: str) -> BesideData:
    """The answer to a question, and what the rows of a table say to it."""
    answer, query = ask(world, question), parse_query(question)
    if query.done:
        raise LikelyError(f"{query}: rows show what was seen, not what would be done. Ask without data.")
    if query.ask not in COUNTED or (query.ask in ("P", "argmax") and len(query.variables) > 1):
        raise LikelyError(
            f"{query}: rows are counted for P, odds, argmax, E, median and quantile, of one variable or of "
            "events. Ask without the data."
        )
    frame = Frame.of(data)
    return _beside(world, query, answer, frame, np.ones(frame.n), why)


def beside_counts(world: World, question: str, why: str) -> BesideData | None:
    """The answer, and what the rows that the model has seen say to it; None if it kept too little of them.

    A model that counts levels in classes knows it of questions about the target and one column at most.
    """
    answer, query = ask(world, question), parse_query(question)
    kept = _kept_rows(world, query)
    if kept is None:
        return None
    beside = _beside(world, query, answer, *kept, why)
    return replace(beside, where="training data")


def _kept_rows(world: World, query: Query) -> tuple[Frame, Floats] | None:
    """A row of each level and class that a question is about, and how many there were of it."""
    if not isinstance(world, Counting) or world.target is None or query.averaged:
        return None
    if query.ask not in ("P", "odds", "argmax") or len(query.variables) > 1:
        return None
    conditions = [c for statement in (*query.events, *query.given) for c in conditions_of(statement)]
    named = dict.fromkeys([*query.variables, *(condition.variable for condition in conditions)])
    others = [name for name in named if name != world.target.name]
    counts = world.counts(others[0] if others else None) if len(others) < 2 else None
    if counts is None:
        return None
    classes = list(world.target.known)
    table = {world.target.name: classes * len(counts)}
    if others:
        levels = world.variables[others[0]].levels
        table[others[0]] = [level for level in levels for _ in classes]
    return Frame.of(table), np.ravel(counts)


def _beside(world: World, query: Query, answer: Answer, frame: Frame, weight: Floats, why: str) -> BesideData:
    inside, told = holds(world, query.given, frame)
    inside &= told
    if query.events:
        hit, told = holds(world, query.events, frame)
        inside &= told
        return _share(answer, hit[inside], weight[inside], _chance(answer, query), why)
    variable = find(world.variables, query.variables[0])
    if isinstance(answer, Chances | Choice):
        level = answer.value if isinstance(answer, Choice) else None
        if isinstance(answer, Chances):  # the whole table: its most probable level stands for it
            level = answer.levels[0][int(answer.probabilities.argmax())]
        chance = answer.probability if isinstance(answer, Choice) else float(answer.probabilities.max())
        codes, there = _cells(variable, frame)
        place = list(variable.levels).index(level)
        inside &= there
        beside = _share(answer, codes[inside] == place, weight[inside], chance, why)
        return replace(beside, of=f"{name(query.variables[0])} = {shown(level)}")
    values, there = _cells(variable, frame)
    if query.ask in ("median", "quantile"):
        share = 0.5 if query.share is None else query.share
        beside = _quantile(query.ask, share, answer, values[inside & there], why)
    else:
        beside = _mean(world, query, answer, values[inside & there], why)
    time = value_text(variable.column, beside.share) if beside.n else None
    return beside if time is None else replace(beside, told=time)


def holds(world: World, statements: Sequence[Statement], frame: Frame) -> tuple[Bools, Bools]:
    """In which rows all statements hold, and in which no cell that they need is missing."""
    told = np.ones(frame.n, bool)
    for statement in statements:
        for condition in conditions_of(statement):
            told &= _cells(find(world.variables, condition.variable), frame)[1]

    def of_condition(condition: Condition) -> Bools:
        variable = find(world.variables, condition.variable)
        return _meets(constraint_of(variable, condition, True), *_cells(variable, frame))

    if not statements:
        return told.copy(), told
    whole = statements[0] if len(statements) == 1 else And(tuple(statements))
    return np.asarray(truth(whole, of_condition)), told


def _cells(variable: Variable, frame: Frame) -> tuple[Floats, Bools]:
    """What a variable is in each row, as the place of a level or as a number; and whether it is known."""
    column = variable.column
    if column.name not in frame.position:
        raise LikelyError(f"the data have no column {column.name!r}, which the question names: add it.")
    raw = frame.raw(column.name)
    if variable.nature is Nature.SHOWN and column.kind is Kind.TEXT:
        raise LikelyError(
            f"column {column.name!r} is text, whose rows are not counted: ask without the data."
        )
    if column.levels is None:
        numbers = np.asarray(column.numbers(raw), np.float64)
        return numbers, ~np.isnan(numbers)
    codes = np.empty(frame.n, np.intp)
    column.coded(raw).rows(0, frame.n, codes)
    return codes.astype(np.float64), codes >= 0


def _meets(constraint: Constraint, cells: Floats, there: Bools) -> Bools:
    if isinstance(constraint, Levels):
        allowed = np.array([*constraint.allowed, False])
        return np.asarray(allowed[np.where(there, cells, -1).astype(np.intp)])
    if isinstance(constraint, Exactly):
        return np.asarray(cells == constraint.value)
    inside = ~there if constraint.missing else np.zeros(len(cells), bool)
    for low, high in constraint.pieces:
        inside |= (cells >= low) & (cells <= high)
    return inside


def _chance(answer: Answer, query: Query) -> float:
    number = float(answer) if isinstance(answer, Number) else math.nan
    return number / (1 + number) if query.ask == "odds" and math.isfinite(number) else min(number, 1.0)


def _share(answer: Answer, hit: Bools, weight: Floats, chance: float, why: str) -> BesideData:
    """Of rows; of rows with weights that add up to no whole number, the nearest whole ones are tested."""
    from scipy.stats import binomtest

    n, hits, chance = float(weight.sum()), float(weight[hit].sum()), min(max(chance, 0.0), 1.0)
    p_value = float(binomtest(round(hits), round(n), chance).pvalue) if round(n) else 1.0
    return BesideData(answer, hits / n if n else math.nan, n, hits, p_value, why)


def _whole(count: float) -> float:
    return int(count) if count == int(count) else count


def _quantile(ask: str, share: float, answer: Answer, values: Floats, why: str) -> BesideData:
    """Of numbers, their own quantile; tested by how many are up to the model's and how many below it."""
    from scipy.stats import binomtest

    n = len(values)
    if not n:
        return BesideData(answer, math.nan, 0, None, 1.0, why, of=ask)
    expected = float(answer) if isinstance(answer, Number) else math.nan
    # Where many rows have the same number, any share between the two is right.
    below, up_to = int((values < expected).sum()), int((values <= expected).sum())
    p_value = 1.0
    if not below <= share * n <= up_to:
        p_value = float(binomtest(below if below > share * n else up_to, n, share).pvalue)
    own = float(np.quantile(values, share, method="inverted_cdf"))
    return BesideData(answer, own, n, None, p_value, why, of=ask)


def _mean(world: World, query: Query, answer: Answer, values: Floats, why: str) -> BesideData:
    """Of numbers, the mean of the rows, by the standard deviation of the rows."""
    n = len(values)
    mean = float(values.mean()) if n else math.nan
    expected = float(answer) if isinstance(answer, Number) else math.nan
    if isinstance(answer, NumberAnswer):
        expected = answer.mean
    error = float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    z = 0.0 if not n or error == math.inf or mean == expected else (mean - expected) / (error or 1e-300)
    return BesideData(answer, mean, n, None, math.erfc(abs(z) / math.sqrt(2)), why)
