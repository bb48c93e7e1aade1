"""A column beside the target -> how often each pair of their values occurs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.report.profile.bins import bins_for, equal_bins, target_bins
from likely.report.profile.inspect import Looked
from likely.report.profile.value_counts import Tally
from likely.stats.groups import Ints


@dataclass(frozen=True, slots=True)
class Target:
    """The class of every row, or the bin of a target of numbers; -1 where it is missing."""

    name: str
    codes: Ints  # (n,)
    totals: Ints  # (g,) how often each occurs

    @classmethod
    def of(cls, looked: Looked, tally: Tally | None) -> Target:
        """The groups of rows that are to be told apart."""
        if tally is None or looked.numbers is None:
            assert looked.codes is not None
            codes = looked.codes.astype(np.intp)
        else:
            codes = _in_bins(looked.numbers, target_bins(tally))
        return cls(looked.column.name, codes, np.bincount(codes + 1, minlength=2)[1:])


@dataclass(frozen=True, slots=True)
class Joint:
    """The pairs that occur: code of the column, code of the target, and how often."""

    x: Ints  # (e,)
    y: Ints  # (e,)
    count: Ints  # (e,)

    @classmethod
    def of(cls, looked: Looked, tally: Tally | None, target: Target) -> Joint:
        """Count the rows where both are known."""
        if looked.numbers is None or tally is None:
            assert looked.codes is not None
            return _pairs(looked.codes, target.codes, len(looked.levels), len(target.totals))
        edges = equal_bins(tally, bins_for(tally.n))
        codes = _in_bins(looked.numbers, edges)
        if looked.rows is None:
            return _pairs(codes, target.codes, len(edges) + 1, len(target.totals))
        stored = target.codes[looked.rows]
        zeros = target.totals - np.bincount(stored + 1, minlength=len(target.totals) + 1)[1:]
        return _pairs(codes, stored, len(edges) + 1, len(target.totals), zeros, edges)


def _in_bins(numbers: NDArray[Any], edges: NDArray[Any]) -> Ints:
    codes: Ints = np.searchsorted(edges, numbers, "right")
    if numbers.dtype.kind == "f":
        codes[np.isnan(numbers)] = -1
    return codes


def _pairs(x: NDArray[Any], y: Ints, k: int, g: int, zeros: Ints | None = None, edges: Any = None) -> Joint:
    """Count pairs of codes; `zeros` are the classes of the cells of a sparse column that are not stored."""
    if zeros is None and k * g > max(4 * len(x), 1 << 16):  # more pairs than rows: only those that occur
        both = (x >= 0) & (y >= 0)
        cells, count = np.unique(x[both].astype(np.intp) * g + y[both], return_counts=True)
        return Joint(cells // g, cells % g, count)
    # A border of one row and one column takes what is missing.
    cell = (x.astype(np.intp) + 1) * (g + 1) + (y + 1)
    table = np.bincount(cell, minlength=(k + 1) * (g + 1)).reshape(k + 1, g + 1)[1:, 1:]
    if zeros is not None:
        table[np.searchsorted(edges, 0.0, "right")] += zeros
    at = np.nonzero(table)
    return Joint(at[0], at[1], table[at])
