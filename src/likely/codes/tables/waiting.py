"""Columns that wait for each other, and are coded together once the next one cannot join them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.codes.tables.contexts import ALONE, BINNED, MANY, Context, KnownColumn, Relation, places
from likely.codes.tables.lanes import Ints, Lanes
from likely.codes.tables.symbol_tree import SymbolTree
from likely.codes.tables.values import Symbols
from likely.codes.tables.waves import ColumnToCode, KnownCells, code_wave, columns_together


@dataclass(frozen=True, slots=True)
class Waiting:
    """A column that waits."""

    column: int
    own: Symbols
    relation: Relation
    contexts: Sequence[Context]
    tree: SymbolTree | None  # None: there is one symbol at the most, and nothing to code


class WaitingColumns:
    """The columns of a table on their way, and what is known of those that went.

    A column waits for those before it that it looks at as a whole: at bins of their symbols, or at values
    that are made of other columns as well. Both sides see from the contexts alone who can go together.
    """

    def __init__(self, coder: Lanes, n: int, columns: int, *, write: bool, billed: bool) -> None:
        self.coder, self.write, self.billed = coder, write, billed
        self.known = KnownCells(n, columns)
        self.most = columns_together(n)
        self.waiting: list[Waiting] = []
        self.levels: list[int] = []  # of each column so far

    @property
    def full(self) -> bool:
        """Whether the next column cannot join, whatever it looks at."""
        return len(self.waiting) == self.most or (
            bool(self.waiting) and self.waiting[-1].relation.kind != ALONE
        )

    def wait_for(self, contexts: Sequence[Context]) -> bool:
        """Whether a column with these contexts needs one that waits as a whole."""
        first = len(self.levels) - len(self.waiting)
        return any(kind == BINNED and which >= first for context in contexts for kind, which in context)

    def add(
        self, own: Symbols, relation: Relation, contexts: Sequence[Context], tree: SymbolTree | None
    ) -> None:
        """One more column waits."""
        self.waiting.append(Waiting(len(self.levels), own, relation, contexts, tree))
        self.levels.append(own.k)

    def code(self) -> list[tuple[Waiting, float]]:
        """Write or read all that wait; who they were, and their bits."""
        gone, self.waiting = self.waiting, []
        coded = [
            ColumnToCode(one.column, one.own.codes, one.tree, places(one.contexts, one.column, self.known))
            for one in gone
            if one.tree is not None
        ]
        bits = dict.fromkeys((one.column for one in gone), 0.0)
        for one in gone:
            if one.tree is None:
                self.known.of(one.column)[:] = 1
        if coded:
            took = code_wave(self.coder, self.known, coded, write=self.write, billed=self.billed).tolist()
            bits.update(zip((one.column for one in coded), took, strict=True))
        return [(one, bits[one.column]) for one in gone]

    def symbols(self, column: int) -> Ints:
        """The symbols of a column that was read."""
        return self.known.of(column).astype(np.int64) - 1

    def know(self, one: Waiting, known: KnownColumn) -> None:
        """A column that was coded, as others look at it."""
        self.levels[one.column] = known.k
        if one.relation.kind != ALONE:
            self.known.tell(one.column, known.codes)
        if known.k > MANY:
            self.known.tell_bins(one.column, known.binned())
