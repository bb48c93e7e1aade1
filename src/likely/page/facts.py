"""What a table holds of each value: rows, and of each outcome its share with an interval."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.page.columns import ShownColumn, text_of
from likely.page.counted_shares import figures, mean_interval, share_interval
from likely.page.rare import Rarity
from likely.stats.bins import bin_codes, equal_frequency_starts
from likely.table.build import values_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

BINS = 8  # of a column of numbers


def facts_of(shown: ShownColumn, cells: Floats, outcome: Floats, classes: int, rarity: Rarity) -> list[Any]:
    """One record a value, or a bin of numbers; those that few rows have are left out, or put together.

    `outcome` is the code of each row's class, or its number; `classes` is 0 where it is a number.
    """
    known = ~np.isnan(cells) & ~np.isnan(outcome)
    cells, outcome = cells[known], outcome[known]
    if not len(cells) or shown.why:
        return []
    if shown.labels:
        codes, labels = cells.astype(np.intp), list(shown.labels)
        option = np.full(max(codes.max(), *(max(own) for own in shown.levels)) + 1, len(labels), np.intp)
        for place, own in enumerate(shown.levels):
            option[list(own)] = place
        codes = option[codes]  # the last: levels that no option stands for
    else:
        codes, labels = _bins(shown, cells, rarity)
    rows = np.bincount(codes, minlength=len(labels)).astype(np.float64)
    facts = []
    for place, label in enumerate(labels):
        if rows[place] < max(rarity.least, 1):
            continue
        own = outcome[codes == place]
        facts.append({"label": label, "rows": int(rows[place]), **_outcomes(own, classes)})
    return facts


def _bins(shown: ShownColumn, cells: Floats, rarity: Rarity) -> tuple[Ints, list[str]]:
    """Bins of about as many rows between values that are written; those with few rows go to a neighbour."""
    values, counts = np.unique(cells, return_counts=True)
    starts = equal_frequency_starts(counts, BINS)
    cuts = values[starts]
    codes = bin_codes(cuts, cells)
    runs = rarity.runs(np.bincount(codes, minlength=len(cuts) + 1).astype(np.float64))
    first = [starts[start - 1] for start, _ in runs[1:]]
    cuts = np.array([_short_cut(values[at - 1], values[at]) for at in first])
    if not len(cuts):
        return np.zeros(len(cells), np.intp), ["all"]
    shown_cuts = values_of(shown.column, cuts, "dict")
    names = [f"{cut:.15g}" if shown_cuts.dtype.kind == "f" else text_of(cut) for cut in shown_cuts]
    labels = [f"below {names[0]}"]
    labels += [f"{low} to below {high}" for low, high in pairwise(names)]
    return bin_codes(cuts, cells), [*labels, f"from {names[-1]} on"]


def _short_cut(below: float, first: float) -> float:
    """The number of fewest figures that parts two neighbouring values, as it is written.

    >>> _short_cut(0.12344, 0.12361), _short_cut(3.0, 4.0)
    (0.1236, 4.0)
    """
    for kept in range(2, 16):
        for cut in (first, (below + first) / 2):
            short = float(f"{cut:.{kept}g}")
            if below < short <= first:
                return short
    return float(first)


def _outcomes(outcome: Floats, classes: int) -> dict[str, list[float]]:
    """Shares of classes, or the mean of numbers, with intervals; nothing where nobody knows the outcome."""
    if not classes:
        low, high = mean_interval(outcome)
        named = {"share": [float(outcome.mean())], "low": [low], "high": [high]}
    elif classes > 1:
        hits = np.bincount(outcome.astype(np.intp), minlength=classes).astype(np.float64)
        lows, highs = share_interval(hits, len(outcome))
        named = {"share": (hits / len(outcome)).tolist(), "low": lows.tolist(), "high": highs.tolist()}
    else:
        return {}
    return {name: [figures(value) for value in values] for name, values in named.items()}
