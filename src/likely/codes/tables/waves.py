"""The columns of a table, some at a time, row after row: what both sides know so far, and who waits for whom.

A cell is coded by what is known of the cells before it: those of the same row, and those above. So a column
can follow the one before it at a distance of one row, and several are coded at once: a wave. Rows are cut
into lanes, the more of them the more is known, and the decisions that can be taken, of all columns in all
lanes, are taken together, in few calls of NumPy. What is not known yet, as above the first row of a lane, is
0 on both sides.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from likely.codes.tables.lanes import Ints, Lanes
from likely.codes.tables.mixing import SPREAD, Floats, Hashes, Mixer, bits_of, slot_bits_for
from likely.codes.tables.symbol_tree import SymbolTree

# Rows are coded together if so many times as many were coded before: fewer are quicker, and know less.
_STALE = ((4096, 16), (16_384, 48))  # of tables of so many rows at the most
_STALE_BEYOND = 32
FEWEST = 16  # rows of one column that are coded together: plain numbers take as long for as many
LONGEST_HISTORY = 4  # values above that a context can look at
_MOST_LANES = 1024
_MOST_THREADS = 2000  # columns times lanes of a wave
_MOST_COLUMNS = 64
_NOTED = 256  # steps whose errors are kept before their bits are counted
# What the first, second ... parent of a context is multiplied by.
_TIMES = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1, 0xD3A2646D, 0xFD7046C5, 0xB55A4F09)

Place = tuple[int, int]  # a column, and how many rows above


class KnownCells:
    """What both sides know of the cells of a table: 1 + a symbol; 0 is not known.

    Beside the columns stand their symbols in bins, whether all cells of a row so far are as those above, and
    one column of which nothing is ever known.
    """

    def __init__(self, n: int, columns: int) -> None:
        self.n, self.columns = n, columns
        self.stride = n + LONGEST_HISTORY
        self.plain = array("I", [0]) * (self.stride * (2 * columns + 2))
        self.cells = np.frombuffer(self.plain, np.uint32)  # the same
        self.repeated, self.nothing = 2 * columns, 2 * columns + 1
        self.of(self.repeated)[1:] = 1

    def first(self, column: int) -> int:
        """Where the cells of a column begin."""
        return column * self.stride + LONGEST_HISTORY

    def of(self, column: int) -> Hashes:
        """The cells of a column."""
        return self.cells[self.first(column) : self.first(column) + self.n]

    def tell(self, column: int, codes: Ints) -> None:
        """What others see of a column whose symbols are steps or rests: its values."""
        own = self.of(column)
        own[:] = codes + 1
        self.of(self.repeated)[1:] &= own[1:] == own[:-1]

    def tell_bins(self, column: int, bins: Ints) -> None:
        """The symbols of a column in bins."""
        self.of(self.columns + column)[:] = bins + 1


@dataclass(frozen=True, slots=True)
class ColumnToCode:
    """A column whose symbols are written or read."""

    column: int
    symbols: Ints  # (n,), of the writer
    tree: SymbolTree
    contexts: Sequence[Sequence[Place]]


def columns_together(n: int) -> int:
    """How many columns a wave has at the most."""
    return min(_MOST_COLUMNS, max(1, _MOST_THREADS // _most_lanes(n)))


def _most_lanes(n: int) -> int:
    return min(max(n // (2 * _stale(n)), 1), _MOST_LANES)


def _stale(n: int) -> int:
    return next((stale for most, stale in _STALE if n <= most), _STALE_BEYOND)


def _turns(n: int, fewest: int) -> Iterator[tuple[int, int, int]]:
    """Stretches of rows, and the lanes into which each is cut: one, or not fewer than these."""
    start, most, stale = 0, _most_lanes(n), _stale(n)
    while start < n:
        lanes = min(start // stale, most)
        lanes = lanes if lanes >= fewest else 1
        stop = n if lanes == most > 1 else min(n, max(2 * start, 2 * stale))
        yield start, stop, lanes
        start = stop


def steps_of(n: int, columns: int) -> int:
    """About how many steps a table takes: what its time depends on."""
    wave = min(columns, columns_together(n))
    steps = sum(-(-(stop - start) // lanes) + wave for start, stop, lanes in _turns(n, 1))
    return 4 * steps * -(-columns // max(wave, 1))


def code_wave(
    coder: Lanes,
    known: KnownCells,
    columns: Sequence[ColumnToCode],
    *,
    write: bool,
    billed: bool = False,
    mixer: Mixer | None = None,
) -> Floats:
    """Write the symbols of some columns, or read them into what is known; the bits of each, if billed.

    mixer : What was learnt before, and learns on; None begins anew.
    """
    wave = _Wave(coder, known, columns, write, billed, mixer)
    turns = list(_turns(known.n, FEWEST if len(columns) == 1 else 1))
    if len(columns) > 1 and turns:
        wave.together(_Turns(len(columns), turns))
    else:
        for start, stop, lanes in turns:
            if lanes == 1:
                wave.alone(range(start, stop))
            else:
                wave.in_step(start, stop, lanes)
    return wave.bits()


class _Turns:
    """Who can go: a column in a lane, once the column before it is a row ahead and its turn has come.

    Rows are cut into stretches, these into lanes. A column goes on to the next stretch once it is through
    with one in all lanes, whatever the others do.
    """

    def __init__(self, columns: int, turns: Sequence[tuple[int, int, int]]) -> None:
        first, rows = [], []
        for start, stop, lanes in turns:
            many = -(-(stop - start) // lanes)
            first.append(start + np.arange(lanes) * many)
            rows.append(np.clip(stop - first[-1], 0, many))
        self.first = np.concatenate(first)  # row of each lane
        self.sizes = [stop - start for start, stop, _ in turns]
        self.done = np.zeros((columns + 1, len(self.first)), np.int64)  # rows
        self.done[0] = np.concatenate(rows)  # before the first column all is done
        self.turn_of = np.repeat(np.arange(len(turns)), [lanes for _, _, lanes in turns])
        self.turn = [-1] * columns
        self.left = np.zeros(columns, np.int64)  # rows of the turn
        self.has_turn = np.zeros((columns, len(self.first)), np.bool_)

    def next(self) -> Ints:
        """Who can go, (some,): columns times lanes are counted through; nobody once all is done."""
        if not self.left.all():
            for j in np.flatnonzero(self.left == 0).tolist():
                self.turn[j] += 1
                self.has_turn[j] = self.turn_of == self.turn[j]
                self.left[j] = self.sizes[self.turn[j]] if self.turn[j] < len(self.sizes) else -1
        some: Ints = ((self.done[1:] < self.done[:-1]) & self.has_turn).ravel().nonzero()[0]
        return some

    def tell(self, some: Ints, column: Ints) -> None:
        """These are through with a row."""
        self.done.ravel()[self.done.shape[1] :][some] += 1
        self.left -= np.bincount(column, minlength=len(self.left))


class _Wave:
    """The coding of some columns."""

    def __init__(
        self,
        coder: Lanes,
        known: KnownCells,
        columns: Sequence[ColumnToCode],
        write: bool,
        billed: bool,
        mixer: Mixer | None,
    ) -> None:
        self.coder, self.known, self.columns = coder, known, columns
        self.write, self.billed = write, billed
        words = [one.tree.words() for one in columns]
        sizes = [len(one.tree.no) for one in columns]
        self.word, self.length = (np.concatenate(parts) for parts in zip(*words, strict=True))
        self.symbol = np.cumsum([0, *(size + 1 for size in sizes[:-1])])  # where the symbols of each begin
        self.tree = np.cumsum([0, *sizes[:-1]])  # and its nodes
        leads = [np.stack([one.tree.no, one.tree.yes], axis=1).ravel() for one in columns]
        self.leads = np.concatenate(leads)  # of node i: no at 2 i, yes at 2 i + 1
        self.symbols = np.stack([one.symbols for one in columns])  # (w, n)
        self.cell = np.array([known.first(one.column) for one in columns])
        counts = [len(one.contexts) for one in columns]
        self.mixer = mixer or Mixer(counts, slot_bits_for(known.n), int(self.length.max()))
        self.contexts = [sorted(one.contexts, key=len, reverse=True) for one in columns]
        self.most = max(map(len, self.contexts))
        # Of the first, second ... parents: where their cells begin, (contexts that have so many, columns).
        parents = max(len(context) for own in self.contexts for context in own)
        # Of one column alone, all but its own values above is known beforehand, (contexts, n).
        self.before = self._before() if len(columns) == 1 else None
        self.places = [self._places(k) for k in range(parents)]
        self._errors: list[tuple[Ints, Floats]] = []
        self._bits = np.zeros(len(columns))

    def _before(self) -> Hashes:
        before = np.zeros((self.most, self.known.n), np.uint32)
        for own, context in zip(before, self.contexts[0], strict=True):
            for (column, _), times in zip(context, _TIMES, strict=False):
                if column != self.columns[0].column:
                    own += self.known.of(column) * np.uint32(times)
        return before

    def _places(self, k: int) -> Ints:
        """Where the cells begin of the contexts' parents of this number that are not known beforehand."""
        known = self.known
        most = max(sum(len(context) > k for context in own) for own in self.contexts)
        places = np.full((most, len(self.columns)), known.first(known.nothing))
        for j, (one, own) in enumerate(zip(self.columns, self.contexts, strict=True)):
            for i, context in enumerate(own[:most]):
                if len(context) > k and (self.before is None or context[k][0] == one.column):
                    column, back = context[k]
                    places[i, j] = known.first(column) - back
        return places[
            : np.flatnonzero((places != known.first(known.nothing)).any(axis=1)).max(initial=-1) + 1
        ]

    def together(self, turns: _Turns) -> None:
        """Rows of some stretches, each cut into lanes: of each column, and in each lane, one at a time."""
        w, lanes = len(self.columns), len(turns.first)
        columns, row = np.repeat(np.arange(w), lanes), np.tile(turns.first, w)
        node, depth, word, left = np.zeros((4, w * lanes), np.int64)
        known = np.zeros((self.most, w * lanes), np.uint32)
        while len(some := turns.next()):
            at, column = node.take(some), columns.take(some)
            new = some[at == 0]
            if len(new):
                known[:, new] = self._known(columns.take(new), row.take(new))
                if self.write:
                    word[new], left[new] = self._ways(columns.take(new), row.take(new))
            wanted = None
            if self.write:
                ahead = left.take(some) - 1
                left[some] = ahead
                wanted = ((word.take(some) >> ahead) & 1).astype(np.bool_)
            deep = depth.take(some)
            yes, error = self.mixer.decide(self.coder, column, at, known.take(some, axis=1), deep, wanted)
            self._spend(column, error)
            at += self.tree.take(column)
            at *= 2
            at += yes
            at = self.leads.take(at)
            node[some] = np.maximum(at, 0)
            depth[some] = deep + 1
            ended = (at < 0).nonzero()[0]
            if len(ended):
                some, column = some[ended], column[ended]
                depth[some] = 0
                self._note(column, row.take(some), ~at.take(ended))
                row[some] += 1
                turns.tell(some, column)

    def in_step(self, start: int, stop: int, lanes: int) -> None:
        """Rows of a stretch of the one column, cut into lanes: one of each lane at a time."""
        rows = -(-(stop - start) // lanes)
        first = start + np.arange(lanes) * rows
        end = np.minimum(first + rows, stop)
        for step in range(rows):
            row = (first + step)[first + step < end]
            column = np.zeros(len(row), np.int64)
            known = self._known(column, row)
            word, left = self._ways(column, row) if self.write else (column, column)
            node, depth = column, 0
            while len(row):
                left = left - 1
                wanted = ((word >> left) & 1).astype(np.bool_) if self.write else None
                deep = np.full(len(row), depth)
                yes, error = self.mixer.decide(self.coder, column, node, known, deep, wanted)
                self._spend(column, error)
                node = self.leads.take(2 * node + yes)
                depth += 1
                done = node < 0
                if done.any():
                    self._note(column[done], row[done], ~node[done])
                    more = (~done).nonzero()[0]
                    row, node, word, left = (part.take(more) for part in (row, node, word, left))
                    column, known = column[: len(more)], known.take(more, axis=1)

    def _known(self, column: Ints, row: Ints) -> Hashes:
        """What each context knows of these cells, (contexts, cells)."""
        known = (
            np.zeros((self.most, len(row)), np.uint32)
            if self.before is None
            else self.before.take(row, axis=1)
        )
        for places, times in zip(self.places, _TIMES, strict=False):
            at = places.take(column, axis=1)
            at += row
            values = self.known.cells.take(at)
            values *= np.uint32(times)
            known[: len(values)] += values
        known ^= known >> np.uint32(15)
        known *= np.uint32(SPREAD)
        return known

    def _ways(self, column: Ints, row: Ints) -> tuple[Ints, Ints]:
        """The decisions that lead to the symbols of these cells, and how many."""
        symbol = self.symbols[column, row] + self.symbol.take(column)
        return self.word.take(symbol), self.length.take(symbol)

    def _note(self, column: Ints, row: Ints, symbol: Ints) -> None:
        """Know these cells."""
        cells, cell = self.known.cells, self.cell.take(column) + row
        value = (symbol + 1).astype(np.uint32)
        cells[cell] = value
        row = row + self.known.first(self.known.repeated)
        cells[row] &= cells.take(cell - 1) == value

    def alone(self, rows: range) -> None:
        """Rows of the one column, one by one in plain numbers: as `together` does it with one lane."""
        (column,) = self.columns
        words, lengths, leads = self.word.tolist(), self.length.tolist(), self.leads.tolist()
        assert self.before is not None
        before = self.before[:, rows.start : rows.stop].T.tolist()
        contexts = [
            [
                (self.known.first(at) - back, times)
                for (at, back), times in zip(context, _TIMES, strict=False)
                if at == column.column
            ]
            for context in self.contexts[0]
        ]
        cells, own = self.known.plain, self.known.first(column.column)
        repeated = self.known.first(self.known.repeated)
        symbols = column.symbols[rows.start : rows.stop].tolist() if self.write else [0] * len(rows)
        errors = []
        for row, symbol, joints in zip(rows, symbols, before, strict=True):
            known = []
            for joint, parents in zip(joints, contexts, strict=True):
                for place, times in parents:
                    joint += cells[place + row] * times
                joint &= 0xFFFFFFFF
                known.append(((joint ^ joint >> 15) * SPREAD) & 0xFFFFFFFF)
            node = depth = 0
            while node >= 0:
                wanted = (words[symbol] >> (lengths[symbol] - 1 - depth)) & 1 if self.write else 0
                yes, error = self.mixer.decide_alone(self.coder, node, known, depth, wanted)
                errors.append(error)
                node = leads[2 * node + yes]
                depth += 1
            cells[own + row] = ~node + 1
            if cells[own + row - 1] != ~node + 1:
                cells[repeated + row] = 0
        self._spend(np.zeros(len(errors), np.int64), np.array(errors, np.float64))

    def _spend(self, column: Ints, error: Floats) -> None:
        """Note what decisions cost, which their errors tell, if someone asks."""
        if not self.billed:
            return
        self._errors.append((column, error))
        if len(self._errors) == _NOTED:
            self.bits()

    def bits(self) -> Floats:
        """The bits of all decisions so far, of each column."""
        if self._errors:
            column, error = (np.concatenate(parts) for parts in zip(*self._errors, strict=True))
            self._bits += np.bincount(column, bits_of(error), len(self._bits))
            self._errors = []
        return self._bits
