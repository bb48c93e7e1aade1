"""The answer of a model beside what the rows of a table show, and whether the two differ beyond chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.answer import Chances, Choice, Number, NumberAnswer
from likely.ask.ask import Answer, ask
from likely.ask.constraint import Constraint, Exactly, Levels
from likely.ask.resolve import constraint_of, find
from likely.ask.world import Nature, Variable, World
from likely.errors import LikelyError
from likely.format.words import json_ready, many
from likely.language import Query, Statement, parse_query
from likely.language.query import And, Condition, conditions_of, truth
from likely.table.column.kinds import Kind
from likely.table.frame import Frame

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

BY_CHANCE = 1e-3  # how often rows drawn from the model itself would be called different
COUNTED = ("P", "odds", "E", "argmax")


@dataclass(frozen=True, repr=False)
class BesideData:
    """An answer, and the same counted in a table.

    `share` is the share of the rows, or their mean; `n` how many rows say something. `p_value` is how often
    rows drawn from the model would differ from it as much (two-sided binomial test, or z test of a mean).
    """

    answer: Answer
    share: float
    n: int
    hits: int | None  # None of a mean
    p_value: float
    why: str  # a model may differ from rows

    @property
    def differs(self) -> bool:
        """Whether the model differs from the rows beyond chance."""
        return self.p_value < BY_CHANCE

    def __float__(self) -> float:
        return float(self.answer) if isinstance(self.answer, Number) else math.nan

    def __str__(self) -> str:
        if not self.n:
            return f"{self.answer}\nin the data: no row tells"
        counted = f"mean {self.share:.6g} of {many(self.n, 'row')}"
        if self.hits is not None:
            counted = f"{self.hits} of {many(self.n, 'row')} ({self.share:.4g})"
        said = f"{self.answer}\nin the data: {counted}"
        if not self.differs:
            return f"{said}, which chance explains (p = {self.p_value:.2g})"
        return f"{said}\nModel and data differ beyond chance (p = {self.p_value:.1g}): {self.why}"

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """The answer and what was counted, ready for JSON."""
        data = {"rows": self.n, "share" if self.hits is not None else "mean": json_ready(self.share)}
        data |= {} if self.hits is None else {"hits": self.hits}
        return {**self.answer.to_dict(), "data": {**data, "p value": self.p_value, "differs": self.differs}}


def beside_data(world: World, question: str, data: object, why: str) -> BesideData:
    """The answer to a question, and what the rows of a table say to it."""
    answer, query = ask(world, question), parse_query(question)
    if query.done:
        raise LikelyError(f"{query}: rows show what was seen, not what would be done. Ask without data.")
    if query.ask not in COUNTED or (query.ask in ("P", "argmax") and len(query.variables) > 1):
        raise LikelyError(
            f"{query}: rows are counted for P, odds, argmax and E of one variable or of events. Ask without "
            "the data."
        )
    frame = Frame.of(data)
    inside, told = holds(world, query.given, frame)
    inside &= told
    if query.events:
        hit, told = holds(world, query.events, frame)
        return _share(answer, hit[inside & told], _chance(answer, query), why)
    variable = find(world.variables, query.variables[0])
    if isinstance(answer, Chances | Choice):
        level = answer.value if isinstance(answer, Choice) else None
        if isinstance(answer, Chances):  # the whole table: its most probable level stands for it
            level = answer.levels[0][int(answer.probabilities.argmax())]
        chance = answer.probability if isinstance(answer, Choice) else float(answer.probabilities.max())
        codes, there = _cells(variable, frame)
        place = list(variable.levels).index(level)
        return _share(answer, codes[inside & there] == place, chance, why)
    values, there = _cells(variable, frame)
    return _mean(world, query, answer, values[inside & there], why)


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


def _share(answer: Answer, hit: Bools, chance: float, why: str) -> BesideData:
    from scipy.stats import binomtest

    n, hits = len(hit), int(hit.sum())
    p_value = float(binomtest(hits, n, min(max(chance, 0.0), 1.0)).pvalue) if n else 1.0
    return BesideData(answer, hits / n if n else math.nan, n, hits, p_value, why)


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
