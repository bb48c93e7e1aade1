"""A statement, or a function of the parameters -> its probability."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from math import inf, isnan, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.language import Condition, parse_conditions
from likely.language.query import all_of, conditions_of, truth
from likely.models.posterior.quantity import Quantity

Bools = NDArray[np.bool_]
Draws = Mapping[str, NDArray[np.float64]]


class Sampled(float):
    """A probability found by drawing: a float that also knows its `draws` and its `standard_error`.

    >>> Sampled.of(np.array([True, False, False, False]))
    0.25 ± 0.24 from 4 draws
    """

    draws: int
    standard_error: float

    def __new__(cls, p: float, draws: int, standard_error: float) -> Sampled:
        """A share of so many draws."""
        made = super().__new__(cls, p)
        made.draws, made.standard_error = draws, standard_error
        return made

    @classmethod
    def of(cls, hits: Bools) -> Sampled:
        """The share of draws of which something is true."""
        n, true = len(hits), int(hits.sum())
        # Laplace's estimate in the error alone: draws that all agree are no proof.
        p = (true + 1) / (n + 2)
        return cls(true / n, n, sqrt(p * (1 - p) / n))

    def __repr__(self) -> str:
        return f"{float(self):.3g} ± {self.standard_error:.2g} from {self.draws} draws"

    def __reduce__(self) -> tuple[Any, ...]:
        return Sampled, (float(self), self.draws, self.standard_error)


def prob_of_statement(text: str, known: Sequence[Quantity], sample: Callable[[], Draws]) -> float | Sampled:
    """The probability of a text such as "0.4 < theta < 0.6": exact if it is about one quantity."""
    statement = all_of(parse_conditions(text))
    bounds: dict[str, list[float]] = {}
    for condition in conditions_of(statement):
        bounds.setdefault(find(known, condition.variable).name, []).append(_number(condition))
    if len(bounds) > 1:
        draws = sample()
        return Sampled.of(truth(statement, lambda c: _holds(c, draws[c.variable])))
    ((name, ends),) = bounds.items()
    # Between two neighbouring bounds a statement is true everywhere or nowhere.
    pieces = np.array(list(pairwise([-inf, *sorted(set(ends)), inf])))
    inside = truth(statement, lambda c: _inside(c, pieces))
    return float(sum(find(known, name).between(*run) for run in _runs(pieces[inside].tolist())))


def _holds(condition: Condition, draws: NDArray[np.float64]) -> Bools:
    bound = _number(condition)
    return draws < bound if condition.relation[0] == "<" else draws > bound


def _inside(condition: Condition, pieces: NDArray[np.float64]) -> Bools:
    """Of which pieces (n, 2) a condition is true; none has its bound within."""
    bound = _number(condition)
    return pieces[:, 1] <= bound if condition.relation[0] == "<" else pieces[:, 0] >= bound


def _runs(pieces: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Pieces in order, those that touch as one."""
    runs: list[tuple[float, float]] = []
    for low, high in pieces:
        start = runs.pop()[0] if runs and runs[-1][1] == low else low
        runs.append((start, high))
    return runs


def prob_of_function(function: Callable[[Any], Any], draws: Draws) -> Sampled:
    """The share of draws of which a function is true; of one quantity, it is given the array itself."""
    values = list(draws.values())
    truths = np.asarray(function(values[0] if len(values) == 1 else draws))
    if truths.dtype != bool or truths.shape != values[0].shape:
        raise LikelyError(
            f"the function gives {truths.dtype} of shape {truths.shape}: it must say true or false of each "
            f"of {len(values[0])} draws, as in lambda theta: theta < 0.5."
        )
    return Sampled.of(truths)


def find(known: Sequence[Quantity], name: str) -> Quantity:
    """The quantity of this name."""
    for quantity in known:
        if quantity.name == name:
            return quantity
    names = [quantity.name for quantity in known]
    near = get_close_matches(name, names, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"it is about {', '.join(names[:10])}."
    raise LikelyError(f"the posterior knows no {name!r}: {hint}")


def _number(condition: Condition) -> float:
    """What a quantity is compared with."""
    if condition.relation[0] not in "<>":
        raise LikelyError(
            f"{condition}: a continuous quantity equals any single number with probability 0. "
            f"Ask for a range, such as 0.4 < {condition.variable} < 0.6."
        )
    word = condition.words[0]
    try:
        number = float("nan" if word.quoted else word.text)
    except ValueError:
        number = nan
    if not isnan(number):
        return number
    raise LikelyError(
        f"{condition}: {word} is not a number. To compare two quantities, give a function of "
        "the draws, such as lambda p: p['a'] > p['b']."
    )
