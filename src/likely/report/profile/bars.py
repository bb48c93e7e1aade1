"""Counted numbers -> the bars of a histogram between round numbers; counted levels -> the most frequent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.draw.nomogram import nice_values
from likely.report.profile.value_counts import ValueCounts
from likely.stats.bins import counts_between
from likely.stats.groups import Floats, Ints

MOST_BARS = 24
MANY_TIES = 1000
TOP = 10  # levels that a profile keeps


@dataclass(frozen=True, slots=True)
class Bar:
    """How many numbers lie from low to below high; the last bar has its high end too."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Level:
    """A value, and in how many rows it stands."""

    value: Any
    count: int


def histogram(numbers: ValueCounts, whole: bool) -> tuple[Bar, ...]:
    """Bars between round numbers; one for each of a few whole numbers, around it.

    >>> [(bar.low, bar.high, bar.count) for bar in histogram(ValueCounts.of(np.array([1, 2, 2])), True)]
    [(0.5, 1.5, 1), (1.5, 2.5, 2)]
    """
    if not len(numbers.values):
        return ()
    edges = _edges(float(numbers.values[0]), float(numbers.values[-1]), whole)
    counts = counts_between(numbers.values, numbers.counts, edges)
    bars = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    return tuple(Bar(*bar) for bar in bars)


def _edges(low: float, high: float, whole: bool) -> Floats:
    if whole and high - low < MOST_BARS and max(high, -low) < 2**52:
        return np.arange(low, high + 2) - 0.5
    if low == high:
        return np.array([low, high])
    if not 1e-290 < high - low < 1e300:  # where round numbers end
        edges = np.linspace(low / 2, high / 2, MOST_BARS + 1) * 2
        edges[0], edges[-1] = low, high
        return np.unique(edges)
    inner = nice_values(low, high, MOST_BARS - 2)
    step = inner[1] - inner[0] if len(inner) > 1 else high - low
    before = [inner[0] - step] if inner[0] > low else []
    after = [inner[-1] + step] if inner[-1] < high else []
    edges = np.unique([*before, *inner, *after])
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)
    return edges


def most_frequent(levels: Sequence[Any], counts: Ints, top: int = TOP) -> tuple[Level, ...]:
    """The levels with most rows, those with as many in the order of their names.

    >>> [level.value for level in most_frequent(["b", "a", "c", "d"], np.array([1, 1, 2, 0]))]
    ['c', 'a', 'b']
    """
    if len(counts) > top:
        least = np.partition(counts, len(counts) - top)[len(counts) - top]
        chosen = np.flatnonzero(counts >= max(least, 1))
    else:
        chosen = np.flatnonzero(counts)
    if len(chosen) > top + MANY_TIES:  # of as many ties as that, the first will do
        chosen = chosen[np.argsort(-counts[chosen], kind="stable")][: top + MANY_TIES]
    ranked = sorted((-int(counts[i]), str(levels[i]), i) for i in chosen.tolist())
    return tuple(Level(levels[i], -count) for count, _, i in ranked[:top])
