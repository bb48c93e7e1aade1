"""Sequences laid side by side, so that a step in time is a step of all of them at once.

Sequences that are long beside their number are cut into chunks, and the chunks stand side by side too: what
a chunk does to any state it is entered in is worked out for all chunks at once, then chained (see `passes`).
The longest stand first, so that those that are still going on at a step are the first few: nothing is
filled up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.errors import LikelyError

Ints = NDArray[np.intp]

# What a cut costs and saves, in microseconds (measured on one thread; only their ratios matter).
STEP = 6.0  # a step of one pass, however few chunks there are
LINK = (35.0, 0.4)  # to chain one more chunk: and of every sequence
CELL = (0.002, 0.0002)  # of each row: times states squared, and times states cubed
LEAST = 16  # steps of a chunk


@dataclass(frozen=True)
class Chains:
    """Sequences of given lengths, one after the other in a table, as chunks side by side.

    >>> chains = Chains.of([2, 3], cut=10)
    >>> chains.order, chains.widths  # the first rows of both, the second rows, then what is left
    (array([2, 0, 3, 1, 4]), array([2, 2, 1]))
    """

    lengths: Ints  # (sequences,)
    order: Ints  # (n,): which row of the table stands at each place
    widths: Ints  # (steps,): how many chunks go on at each step
    sequence: Ints  # (chunks,): to which sequence each belongs
    rank: Ints  # (chunks,): which chunk of its sequence each is
    steps: Ints  # (chunks,): how long each is

    @classmethod
    def of(cls, lengths: ArrayLike, states: int = 1, costs: float = 1.0, cut: int | None = None) -> Chains:
        """Cut where that saves time with so many states, or into chunks of `cut` steps.

        `costs` is the time that an addition takes beside one of numbers as they are.
        """
        given = np.asarray(lengths, np.intp)
        if given.ndim != 1 or not len(given) or (given < 1).any():
            raise LikelyError("lengths: give the number of rows of each sequence, from 1.")
        cut = _best_cut(given, states, costs) if cut is None else cut
        pieces = -(-given // cut)
        sequence = np.repeat(np.arange(len(given)), pieces)
        rank = np.arange(len(sequence)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        steps = np.minimum(cut, given[sequence] - rank * cut)
        first = (np.cumsum(given) - given)[sequence] + rank * cut
        by_length = np.argsort(-steps, kind="stable")
        sequence, rank, steps, first = (part[by_length] for part in (sequence, rank, steps, first))
        widths = np.searchsorted(-steps, -np.arange(steps[0]), side="left")
        widths = widths.astype(np.intp)
        order = np.concatenate([first[:width] + t for t, width in enumerate(widths)])
        return cls(given, order, widths, sequence, rank, steps)

    @property
    def n(self) -> int:
        """How many rows there are."""
        return len(self.order)

    @cached_property
    def starts(self) -> Ints:
        """The place at which each step begins, and where the last ends, (steps + 1,)."""
        return np.concatenate([[0], np.cumsum(self.widths)])

    @cached_property
    def slices(self) -> list[slice]:
        """The places of each step."""
        starts = self.starts.tolist()
        return [slice(a, b) for a, b in pairwise(starts)]

    @cached_property
    def ends(self) -> Ints:
        """The place of the last row of each chunk, (chunks,); that of the first is the chunk's number."""
        return np.asarray(self.starts[self.steps - 1] + np.arange(len(self.steps)), np.intp)

    @cached_property
    def links(self) -> list[tuple[Ints, Ints]]:
        """Chunks and those that go on from them, the second of all sequences first, then the third."""
        last = int(self.rank.max())
        if last == 0:
            return []
        by_rank = np.lexsort((self.sequence, self.rank))
        where = np.full((len(self.lengths), last + 1), -1, np.intp)
        where[self.sequence[by_rank], self.rank[by_rank]] = by_rank
        links = []
        for rank in range(1, last + 1):
            into = where[where[:, rank] >= 0, rank]
            links.append((where[self.sequence[into], rank - 1], into))
        return links

    @cached_property
    def sequence_of(self) -> Ints:
        """The sequence of the row at each place, (n,)."""
        return np.concatenate([self.sequence[:width] for width in self.widths])

    def runs(self) -> Iterator[tuple[slice, slice]]:
        """Places of steps, and those of the steps before them within the chunks, in few slices."""
        starts, widths = self.starts.tolist(), self.widths.tolist()
        step, last = 1, len(widths)
        while step < last:
            width = widths[step]
            stop = step + 1
            # From the second on, the step before is as wide: one slice for all of them.
            while stop < last and widths[stop] == width and widths[step - 1] == width:
                stop += 1
            first = starts[step - 1]
            yield slice(starts[step], starts[stop]), slice(first, first + width * (stop - step))
            step = stop

    def neighbours(self) -> Iterator[tuple[Any, Any]]:
        """Places, and the places before them in their sequences, across chunks too: all pairs there are."""
        yield from self.runs()
        for before, into in self.links:
            yield into, self.ends[before]

    def backwards(self) -> Ints:
        """At which place each row of the table stands, (n,)."""
        places = np.empty(self.n, np.intp)
        places[self.order] = np.arange(self.n)
        return places

    def only(self, sequences: NDArray[np.bool_], states: int, costs: float = 1.0) -> tuple[Chains, Ints]:
        """Some of the sequences, and the place here of the row at each place there."""
        own = Chains.of(self.lengths[sequences], states, costs)
        rows = np.flatnonzero(np.repeat(sequences, self.lengths))
        return own, self.backwards()[rows[own.order]]


def _best_cut(lengths: Ints, states: int, costs: float) -> int:
    """The length of chunks that takes the least time, by what steps, links and cells cost."""
    longest, n = int(lengths.max()), int(lengths.sum())
    best, least = longest, 2 * STEP * longest
    cells = costs * n * (CELL[0] * states**2 + CELL[1] * states**3)
    cut, link = LEAST, LINK[0] + LINK[1] * len(lengths)
    while cut < longest:
        took = 3 * STEP * cut + link * -(-longest // cut) + cells
        if took < least:
            best, least = cut, took
        cut *= 2
    return best
