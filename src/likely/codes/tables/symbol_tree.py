"""Symbols as ways down a tree of yes-or-no decisions."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.codes.tables.lanes import Ints

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SymbolTree:
    """Where a yes or a no leads from each node: to a node, or (as ~symbol) to a symbol."""

    no: Ints  # (k - 1,)
    yes: Ints  # (k - 1,)

    @classmethod
    def balanced(cls, k: int, falling: bool) -> SymbolTree:
        """A tree over k symbols in their order: of like depth, or with the first ones near the root.

        >>> SymbolTree.balanced(3, falling=True).no.tolist()
        [-1, -2]
        """
        return cls.of(1.0 / np.arange(1, k + 1) if falling else np.ones(k))

    @classmethod
    def of(cls, weight: Floats) -> SymbolTree:
        """A tree over symbols in their order, both sides of each decision of about the same weight."""
        k = len(weight)
        total = [0.0, *np.cumsum(weight).tolist()]
        no, yes = np.zeros(k - 1, np.int64), np.zeros(k - 1, np.int64)
        made, parts = 1, [(0, k, 0)]
        while parts:
            first, end, node = parts.pop()
            middle = (total[first] + total[end]) / 2
            cut = bisect_left(total, middle - 1e-9, first, end + 1)
            cut = min(max(cut, first + 1), end - 1)
            for side, (a, b) in ((no, (first, cut)), (yes, (cut, end))):
                if b - a == 1:
                    side[node] = ~a
                else:
                    side[node] = made
                    parts.append((a, b, made))
                    made += 1
        return cls(no, yes)

    def words(self) -> tuple[Ints, Ints]:
        """The decisions that lead to each symbol, the first in the highest bit, and how many; (k,) each."""
        k = len(self.no) + 1
        word, length = np.zeros(k, np.int64), np.zeros(k, np.int64)
        ways = [(0, 0, 0)]
        while ways:
            node, way, depth = ways.pop()
            for bit, to in ((0, int(self.no[node])), (1, int(self.yes[node]))):
                if to < 0:
                    word[~to], length[~to] = (way << 1) | bit, depth + 1
                else:
                    ways.append((to, (way << 1) | bit, depth + 1))
        return word, length
