"""A piece of a table's text <-> bytes, column after column, each by what is known of those before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from likely.codes.tables.cells import TextCells
from likely.codes.tables.contexts import (
    ABOVE,
    CLOCK,
    EXACT,
    ONE_OTHER,
    REPEATED,
    ROWS,
    SMALL,
    SUM,
    Context,
    KnownColumn,
    Parent,
    Relation,
    contexts_alike,
    contexts_chosen,
    relation_of,
    telling,
)
from likely.codes.tables.lanes import LaneDecoder, LaneEncoder, lanes_for
from likely.codes.tables.stream import StateReader, StateWriter, damaged, joined, parted, squeezed, unsqueezed
from likely.codes.tables.symbol_tree import SymbolTree
from likely.codes.tables.values import FEW, Ints, Symbols, Values, Writing, packed, unpacked
from likely.codes.tables.waiting import Waiting, WaitingColumns

FEWEST_ROWS = 3000  # that are looked at, if there are as many
HEAD_MODELLED = 1000  # bytes: of longer lists of values, LZMA saves about as many, and is quicker
ROWS_SAID = 4000  # rows from which is said what a column hangs on
Tell = Callable[[float], None]  # how much of a piece is done, from 0 to 1


@dataclass(frozen=True, slots=True)
class ColumnBill:
    """What a column costs: the bits of its cells, and of the list of its values; what it hangs on."""

    name: str
    distinct: int
    bits: float
    list_bytes: int  # of the dictionary, before it is squeezed
    hangs_on: tuple[str, ...]


def compress_segment(text: bytes, tell: Tell, billed: bool) -> tuple[bytes, list[ColumnBill], int]:
    """The bytes of a piece of text, the bill by column if one is wanted, and how many rows it is for."""
    cells = TextCells.of(text)
    head, names = StateWriter(), [name for column in cells.columns for name in column[:1]]
    n = len(cells.columns[0]) - 1 if cells.columns else 0
    head.number(int(cells.end == b"\r\n"))
    head.number(int(cells.ended))
    head.text(cells.delimiter)
    head.number(len(cells.columns))
    head.number(n)
    head.texts(names)
    head.number(len(cells.odd))
    for at, _ in cells.odd:
        head.number(at)
    head.texts([line for _, line in cells.odd])
    encoder = LaneEncoder(lanes_for(n * len(cells.columns)))
    waiting = WaitingColumns(encoder, n, len(cells.columns), write=True, billed=billed)
    columns = _Writing(head, waiting, tell)
    for column in cells.columns:
        columns.add(Values.of(column[1:]))
    columns.code()
    body = StateWriter()
    described = head.bytes()
    body.number(len(described))
    body.text(squeezed(described, modelled=HEAD_MODELLED))
    body.text(b"".join(columns.plain))
    return body.bytes() + joined(encoder.finish()), columns.bill(titles(names)) if billed else [], n


class _Writing:
    """The columns of a piece, on their way into bytes."""

    def __init__(self, head: StateWriter, waiting: WaitingColumns, tell: Tell) -> None:
        self.head, self.waiting, self.tell = head, waiting, tell
        self.n = waiting.known.n
        self.sample = _sample(self.n)
        self.coded: list[KnownColumn] = []
        self.words: tuple[bytes, ...] = ()  # the last list that was written
        self.plain: list[bytes] = []
        self.went: list[tuple[Waiting, float]] = []  # each column, and its bits
        self.listed: list[int] = []  # bytes of each one's list of values

    def add(self, values: Values) -> None:
        """One more column."""
        head, coded = self.head, self.coded
        if self.waiting.full:
            self.code()
        values = values.with_words(self.words)
        relation = relation_of(values, coded, self.sample)
        own = Symbols.of(relation.rest(values, coded), values.word, len(values.words))
        before = len(head.parts)
        _write_values(head, values, relation, own, self.words)
        self.words = values.words or self.words
        self.listed.append(sum(map(len, head.parts[before:])))
        contexts: list[Context] = []
        tree = None
        if own.k > 1 and self.n > SMALL:
            contexts = contexts_chosen(own, coded, self.sample)
            _write_contexts(head, contexts)
            tree = _tree(own, _write_weights(head, own))
        elif own.k > 1:
            contexts, tree = contexts_alike(self.waiting.levels), _tree(own)
        if self.waiting.wait_for(contexts):
            self.code()
        self.waiting.add(own, relation, contexts, tree)
        self.plain.append(packed(own.rest, own.widths()))
        coded.append(KnownColumn.of(own, relation, values))

    def code(self) -> None:
        """Write those that wait."""
        for one, bits in self.waiting.code():
            self.waiting.know(one, self.coded[one.column])
            self.went.append((one, bits + float(one.own.widths().sum())))
        self.tell(len(self.went) / max(self.waiting.known.columns, 1))

    def bill(self, title: Sequence[str]) -> list[ColumnBill]:
        """What each column cost, and hangs on."""
        bills = []
        for j, (one, bits) in enumerate(self.went):
            parents = telling(one.own, self.coded[:j], one.contexts, self.sample[:ROWS_SAID])
            said = _said(one.relation, parents, title)
            bills.append(ColumnBill(title[j], one.own.k, bits, self.listed[j], said))
        return bills


def decompress_segment(data: bytes, size: int, tell: Tell) -> bytes:
    """The text of this size again."""
    body = StateReader(data)
    described = body.number(4 * size + 1000)
    head = StateReader(unsqueezed(body.text(), described))
    plain = StateReader(body.text())
    end = (b"\n", b"\r\n")[head.number(1)]
    ended = bool(head.number(1))
    delimiter = head.text()
    d, n = head.number(size + 1), head.number(size + 1)
    # A cell has at least what ends it, and a column a byte that says how it is written.
    if d * n > size + d + 1 or d > described:
        raise damaged()
    names = head.texts()
    at = [head.number(size + 1) for _ in range(head.number(size + 1))]
    odd = list(zip(at, head.texts(), strict=True))
    decoder = LaneDecoder(parted(body, lanes_for(n * d)))
    columns = _Reading(head, plain, WaitingColumns(decoder, n, d, write=False, billed=False), tell)
    for _ in range(d):
        columns.add()
    columns.code()
    cells = [[name, *column] for name, column in zip(names, columns.cells, strict=True)]
    return TextCells(delimiter, end, ended, cells if names else columns.cells, odd).text()


class _Reading:
    """The columns of a piece, on their way out of bytes."""

    def __init__(self, head: StateReader, plain: StateReader, waiting: WaitingColumns, tell: Tell) -> None:
        self.head, self.plain, self.waiting, self.tell = head, plain, waiting, tell
        self.coded: list[KnownColumn] = []
        self.words: tuple[bytes, ...] = ()
        self.written: list[tuple[Writing | None, tuple[bytes, ...]]] = []  # how numbers are, and the words
        self.cells: list[list[bytes]] = []

    def add(self) -> None:
        """One more column."""
        if self.waiting.full:
            self.code()
        n, j = self.waiting.known.n, len(self.written)
        relation, writing, words, known, low, ranges = _read_values(self.head, n, j, self.words)
        self.words = words or self.words
        self.written.append((writing, words))
        none = np.zeros(n, np.int64)
        own = Symbols(known, len(words), none, none, low, ranges)
        contexts: list[Context] = []
        tree = None
        if own.k > 1 and n > SMALL:
            contexts = _read_contexts(self.head, j)
            tree = _tree(own, _read_weights(self.head, own))
        elif own.k > 1:
            contexts, tree = contexts_alike(self.waiting.levels), _tree(own)
        elif own.k == 0 and n:
            raise damaged()
        if self.waiting.wait_for(contexts):
            self.code()
        self.waiting.add(own, relation, contexts, tree)

    def code(self) -> None:
        """Read those that wait."""
        for one, _ in self.waiting.code():
            writing, words = self.written[one.column]
            own = replace(one.own, codes=self.waiting.symbols(one.column))
            own = replace(own, rest=unpacked(self.plain.take, own.widths()))
            word = own.word()
            values = Values(writing, one.relation.numbers(own.numbers(), word, self.coded), word, words)
            self.coded.append(KnownColumn.of(own, one.relation, values))
            self.waiting.know(one, self.coded[-1])
            self.cells.append(values.cells())
        self.tell(len(self.cells) / max(self.waiting.known.columns, 1))


def titles(names: Sequence[bytes]) -> list[str]:
    """The names of columns as people read them, whatever the encoding: without byte order mark and quotes.

    >>> titles([b'"a ""b"" c"', "größe".encode("latin-1")])
    ['a "b" c', 'größe']
    >>> line = "größe;b".encode("utf-16-le")
    >>> titles([b"\\xff\\xfe" + line[:10], line[11:]])
    ['größe', 'b']
    """
    codec = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(b"".join(names)[:2])
    said = []
    for name in names:
        if codec is not None:  # what ends a cell has two bytes, of which one is left beside it
            odd = len(name) % 2
            text = (name[odd:] if codec.endswith("le") else name[: len(name) - odd]).decode(codec, "replace")
        else:
            try:
                text = name.decode()
            except UnicodeDecodeError:
                text = name.decode("latin-1")
        text = text.removeprefix("\ufeff").rstrip("\r")
        quoted = len(text) > 1 and text[0] == text[-1] == '"'
        said.append(text[1:-1].replace('""', '"') if quoted else text)
    return said


def _sample(n: int) -> Ints:
    """The rows that are looked at: all of a small table, or a third by chance, up to 20,000."""
    most = min(ROWS, max(FEWEST_ROWS, n // 3))
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, most, replace=False))


def _write_values(
    head: StateWriter, values: Values, relation: Relation, own: Symbols, words: tuple[bytes, ...]
) -> None:
    """How a column's cells are written, and what its symbols stand for; known words are not told again."""
    writing = values.writing
    again = values.words == words
    # One byte for most columns: no numbers, or the usual whole ones.
    way = 0 if writing is None else 1 + writing.style + 3 * (relation.kind + 6 * int(own.ranges))
    head.number(2 * way + again)
    if writing is not None:
        head.number(writing.decimals)
        if relation.kind >= ONE_OTHER:
            head.number(relation.a)
        if relation.kind >= SUM:
            head.number(relation.b)
        if own.ranges:
            head.signed(own.low)
        head.number(len(own.known))
        for i, gap in enumerate(np.diff(own.known, prepend=own.known[:1] * 0).tolist()):
            head.number(gap - 1) if i else head.signed(gap)
    if not again:
        head.texts(values.words)


def _read_values(
    head: StateReader, n: int, before: int, words: tuple[bytes, ...]
) -> tuple[Relation, Writing | None, tuple[bytes, ...], Ints, int, bool]:
    way, again = divmod(head.number(3 + 6 * 12), 2)
    if not way:
        words = words if again else tuple(head.texts())
        return Relation(), None, words, np.empty(0, np.int64), 0, False
    how, style = divmod(way - 1, 3)
    ranged, kind = divmod(how, 6)
    writing = Writing(style, head.number(20))
    a = _earlier(head, before) if kind >= ONE_OTHER else 0
    b = _earlier(head, before) if kind >= SUM else 0
    low = head.signed() if ranged else 0
    count = head.number(n + 1)
    known = [head.signed() if not i else head.number() + 1 for i in range(count)]
    if sum(map(abs, known)) > 1 << 62 or (ranged and (min(known) < 0 or sum(known) > 1024)):
        raise damaged()
    relation = Relation(kind, a, b)
    words = words if again else tuple(head.texts())
    return relation, writing, words, np.cumsum(known, dtype=np.int64), low, bool(ranged)


def _earlier(head: StateReader, before: int) -> int:
    which = head.number()
    if which >= before:
        raise damaged()
    return which


def _tree(own: Symbols, weights: Sequence[int] | None = None) -> SymbolTree:
    """The decisions of a column: by how usual its symbols are, if that was told."""
    if weights is None:
        return SymbolTree.balanced(own.k, falling=not own.ordered)
    return SymbolTree.of(np.array([float(1 << weight) for weight in weights]))


def _write_weights(head: StateWriter, own: Symbols) -> list[int] | None:
    """How often each symbol comes, as the digits of the number in base 2; not of very many symbols."""
    if not 2 < own.k <= FEW:
        return None
    weights = [count.bit_length() for count in np.bincount(own.codes, minlength=own.k).tolist()]
    for last, weight in zip([0, *weights], weights, strict=False):
        head.signed(weight - last)
    return weights


def _read_weights(head: StateReader, own: Symbols) -> list[int] | None:
    if not 2 < own.k <= FEW:
        return None
    weights = list(accumulate(head.signed() for _ in range(own.k)))
    if min(weights) < 0 or max(weights) > 40:
        raise damaged()
    return weights


def _write_contexts(head: StateWriter, contexts: Sequence[Context]) -> None:
    head.number(len(contexts))
    for context in contexts:
        head.number(len(context))
        for kind, which in context:
            head.number(kind + 4 * which)


def _read_contexts(head: StateReader, before: int) -> list[Context]:
    contexts: list[Context] = []
    for _ in range(head.number(64)):
        parents = []
        for _ in range(head.number(8)):
            which, kind = divmod(head.number(), 4)
            if (kind <= 1 and which >= before) or (kind >= ABOVE and which > 4):
                raise damaged()
            parents.append((kind, which))
        contexts.append(tuple(parents))
    if not contexts:
        raise damaged()
    return contexts


_WORDS = {EXACT: "{}", 1: "{} in bins", ABOVE: "the value above", REPEATED: "whether the row repeats"}


def _said(relation: Relation, parents: Sequence[Parent], names: Sequence[str]) -> tuple[str, ...]:
    """What a column hangs on, in words, the most important first."""
    if relation.kind == ONE_OTHER:
        return (f"a step from {names[relation.a]}",)
    if relation.kind >= SUM:
        sign = "+" if relation.kind == SUM else "-"
        clock = " as times of day" if relation.kind == CLOCK else ""
        return (f"{names[relation.a]} {sign} {names[relation.b]}{clock}",)
    step = ("a step from the value above",) if relation.kind else ()
    said = [_WORDS[kind].format(names[which] if kind <= 1 else "") for kind, which in parents]
    return (*step, *dict.fromkeys(said))
