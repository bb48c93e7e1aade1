"""Values of levels as codes, and sums of log-probabilities looked up by them."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.stats.groups import Floats, Ints
from likely.table.column.block import by_columns, scratch

_local = threading.local()
OUTSIDE = np.iinfo(np.intp).max  # the code of a value that is no level at all
# Two columns are looked up as one if their table stays within the fastest cache: 1.3 times and more.
_PAIR_CELLS = 1 << 13


def code_columns(codes: Ints) -> Ints:
    """Codes (b, d) in column order, whose columns are gathered in half the time; not to be changed.

    EM looks at every block twice, to weigh it and to count it. The second time the same array comes by,
    its columns are still there.
    """
    if by_columns(codes) and codes.dtype == np.intp:
        return codes
    held = getattr(_local, "held", None)
    if held is not None and held[0]() is codes:
        columns: Ints = held[1]
        return columns
    columns = scratch("code_columns", codes.shape[::-1]).view(np.intp)
    np.copyto(columns, codes.T)
    _local.held = weakref.ref(codes), columns.T
    return columns.T


def codes_of(x: Any) -> Ints:
    """Codes of any type of number as integers; NaN is the missing code -1, a fraction is no code."""
    array = x.toarray() if hasattr(x, "toarray") else np.asarray(x)
    if array.dtype.kind in "iub":
        return array if array.dtype.kind == "i" else array.astype(np.intp)
    values = np.where(np.isnan(array), -1.0, array)
    whole = (values == np.floor(values)) & (np.abs(values) < 2**53)
    return np.where(whole, values, 0).astype(np.intp) + np.where(whole, 0, OUTSIDE)


def encode(values: Any, levels: Sequence[Any]) -> Ints:
    """The places of the values among the levels; -1 if missing."""
    place = {level: code for code, level in enumerate(levels)}
    if isinstance(values, str) or not isinstance(values, Iterable):
        return np.asarray(-1 if is_missing(values) else place.get(values, OUTSIDE), np.intp)
    codes = [encode(value, levels) for value in values]
    return np.array(codes, np.intp)


def is_missing(value: object) -> bool:
    """Whether a value is None or NaN."""
    return value is None or value != value


@dataclass(frozen=True, slots=True)
class Lookup:
    """Tables (k + 2, g) of one column, or of two whose codes are combined.

    The last two rows of a table are 0: the codes -1 (missing) and -2 (never seen) find them from behind.
    Larger or smaller codes than those are not checked for.
    """

    n_groups: int
    tables: tuple[tuple[Floats, int], ...]  # with the factor of the first code; 0 for a single column

    @classmethod
    def of(cls, columns: Sequence[Floats], n_groups: int) -> Lookup:
        """From each column's log-probabilities, (k, g)."""
        padded = [np.concatenate([column, np.zeros((2, n_groups))]) for column in columns]
        tables: list[tuple[Floats, int]] = []
        while padded:
            first = padded.pop(0)
            if padded and len(first) * len(padded[0]) * n_groups <= _PAIR_CELLS:
                tables.append((_pair(first, second := padded.pop(0)), len(second)))
            else:
                tables.append((first, 0))
        return cls(n_groups, tuple(tables))

    def __call__(self, codes: Ints) -> Floats:
        """The sums for codes (b, d): (b, g)."""
        b = len(codes)
        columns = code_columns(codes)
        out = np.zeros((b, self.n_groups))
        terms, place = scratch("dist_terms", out.shape), scratch("dist_place", (b,)).view(np.intp)
        j = 0
        for table, factor in self.tables:
            index = columns[:, j]
            if factor:
                index = np.add(np.multiply(index, factor, out=place), columns[:, j + 1], out=place)
            # "wrap" lets negative codes count from the end, and alone lets `take` write into `out` directly.
            np.take(table, index, axis=0, out=terms if j else out, mode="wrap")
            if j:
                out += terms
            j += 2 if factor else 1
        return out


def _pair(first: Floats, second: Floats) -> Floats:
    """The table of the codes c1 * len(second) + c2, of which negative ones wrap around."""
    c1, c2 = np.meshgrid(np.arange(-2, len(first) - 2), np.arange(-2, len(second) - 2), indexing="ij")
    table = np.empty((len(first) * len(second), first.shape[1]))
    table[(c1 * len(second) + c2) % len(table)] = first[c1] + second[c2]
    return table
