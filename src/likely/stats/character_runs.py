"""Texts as bytes, and how often every run of so many bytes was seen in each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likely.stats.groups import Floats, Groups, Ints

END = 255  # no byte of UTF-8: it ends every text, and stands before its beginning
LONGEST = 7  # bytes before one: with it they fill 64 bits
Keys = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Characters:
    """Texts one after another as bytes (UTF-8), each with an end; a missing text has neither.

    >>> texts = Characters.of(["ab", None, "é"])
    >>> texts.bytes.tolist(), texts.starts.tolist()
    ([97, 98, 255, 195, 169, 255], [0, 3, 3, 6])
    """

    bytes: NDArray[np.uint8]  # (b,)
    starts: Ints  # (n + 1,) where each text begins; the last is where all end

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> Self:
        """The bytes of texts."""
        end = bytes([END])
        pieces = [b"" if text is None else text.encode("utf-8", "surrogatepass") + end for text in texts]
        starts = np.cumsum([0, *map(len, pieces)])
        return cls(np.frombuffer(b"".join(pieces), np.uint8), starts)

    def rows(self, start: int, stop: int) -> Characters:
        """Some of the texts."""
        first, last = self.starts[start], self.starts[stop]
        return Characters(self.bytes[first:last], self.starts[start : stop + 1] - first)

    @property
    def lengths(self) -> Ints:
        """The bytes of each text, its end included, (n,)."""
        return np.diff(self.starts)

    @cached_property
    def text(self) -> Ints:
        """Which text each byte is of, (b,)."""
        return np.repeat(np.arange(len(self.starts) - 1), self.lengths)

    @cached_property
    def place(self) -> Ints:
        """How many bytes of its text are before each byte, (b,)."""
        return np.arange(len(self.bytes)) - self.starts[self.text]

    def runs(self, order: int) -> Keys:
        """Each byte and so many before it, as one number: the byte itself in the highest place, (b,)."""
        keys = self.bytes.astype(np.uint64) << np.uint64(56)
        for back in range(1, order + 1):
            before = np.full(len(keys), END, np.uint64)
            inside = np.flatnonzero(self.place >= back)
            before[inside] = self.bytes[inside - back]
            keys |= before << np.uint64(56 - 8 * back)
        return keys


@dataclass(frozen=True, eq=False)
class CharacterRuns:
    """How often each byte was seen after the bytes before it, in each group; adds and subtracts.

    >>> texts = Characters.of(["aab", "ab"])
    >>> seen = CharacterRuns.collect(texts, Groups.hard([0, 1], 2), order=1)
    >>> runs = texts.runs(1)
    >>> seen.counts_of(seen.rows_of(runs[1:2], 1), 1), seen.counts_of(seen.rows_of(runs[1:2], 0), 0)
    (array([[1., 0.]]), array([[2., 1.]]))
    """

    order: int
    n_groups: int
    keys: Keys  # (m,) runs, rising
    groups: NDArray[np.int32]  # (m,) whose they are; they rise within a run
    weights: Floats  # (m,) how often
    texts: Floats  # (g,) how many texts

    @classmethod
    def collect(cls, characters: Characters, groups: Groups, order: int) -> Self:
        """Count the runs of texts in groups that are hard."""
        assert groups.codes is not None
        told = characters.lengths > 0
        weight = np.ones(len(told)) if groups.weight is None else groups.weight
        texts = np.bincount(groups.codes[told], weight[told], groups.n_groups)
        codes = groups.codes[characters.text].astype(np.int32)
        counted = _summed(characters.runs(order), codes, weight[characters.text])
        return cls(order, groups.n_groups, *counted, texts.astype(np.float64))

    def __add__(self, other: Self) -> Self:
        return self._with(other, 1.0)

    def __sub__(self, other: Self) -> Self:
        return self._with(other, -1.0)

    def _with(self, other: Self, sign: float) -> Self:
        counted = _summed(
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.groups, other.groups]),
            np.concatenate([self.weights, sign * other.weights]),
        )
        return type(self)(self.order, self.n_groups, *counted, self.texts + sign * other.texts)

    @cached_property
    def _by_order(self) -> list[tuple[Keys, Any]]:
        """For 0, 1, ... bytes before: the distinct runs, and the counts of each in each group (CSR)."""
        tables = []
        for order in range(self.order + 1):
            short = self.keys >> np.uint64(56 - 8 * order)
            first = np.append(True, short[1:] != short[:-1])[: len(short)]
            rows = np.cumsum(first) - 1
            shape = (int(first.sum()), self.n_groups)
            table = sparse.csr_array((self.weights, (rows, self.groups)), shape=shape)
            table.sum_duplicates()
            tables.append((short[first], table))
        return tables

    def rows_of(self, runs: Keys, order: int) -> Ints:
        """Where the ends of runs stand among those that were seen, -1 where they never were, (b,)."""
        known = self._by_order[order][0]
        if not len(known):
            return np.full(len(runs), -1)
        wanted = runs >> np.uint64(56 - 8 * order)
        at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        return np.where(known[at] == wanted, at, -1)

    def counts_of(self, rows: Ints, order: int) -> Floats:
        """How often the runs at these places were seen in each group, (b, g)."""
        counts = np.zeros((len(rows), self.n_groups))
        seen = rows >= 0
        if seen.any():
            counts[seen] = self._by_order[order][1][rows[seen]].toarray()
        return counts

    @cached_property
    def total(self) -> Floats:
        """How many bytes were seen in each group, (g,)."""
        return np.bincount(self.groups, self.weights, self.n_groups).astype(np.float64)


def _summed(keys: Keys, groups: NDArray[np.int32], weights: Floats) -> tuple[Keys, NDArray[np.int32], Floats]:
    """Each run and group once, in order, with the sum of its weights; what sums to nothing is left out."""
    order = np.lexsort((groups, keys))
    keys, groups = keys[order], groups[order]
    first = np.append(True, (keys[1:] != keys[:-1]) | (groups[1:] != groups[:-1]))[: len(keys)]
    if not len(keys):
        return keys, groups, np.zeros(0)
    sums = np.add.reduceat(weights[order], np.flatnonzero(first))
    left = np.abs(sums) > 1e-9
    return keys[first][left], groups[first][left], sums[left]
