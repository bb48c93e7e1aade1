"""A piece of a table's text <-> bytes, column after column, each by what is known of those before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
    hashed,
    relation_of,
    telling,
)
from likely.codes.tables.lanes import LaneDecoder, LaneEncoder, Lanes
from likely.codes.tables.mixing import code_symbols, most_lanes
from likely.codes.tables.stream import StateReader, StateWriter, damaged, joined, parted, squeezed, unsqueezed
from likely.codes.tables.symbol_tree import SymbolTree
from likely.codes.tables.values import Ints, Symbols, Values, Writing, packed, unpacked

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


def compress_segment(text: bytes, tell: Tell) -> tuple[bytes, list[ColumnBill], int]:
    """The bytes of a piece of text, the bill by column, and how many rows it is for."""
    cells = TextCells.of(text)
    head, names = StateWriter(), [column[:1] for column in cells.columns]
    n = len(cells.columns[0]) - 1 if cells.columns else 0
    head.number(int(cells.end == b"\r\n"))
    head.number(int(cells.ended))
    head.text(cells.delimiter)
    head.number(len(cells.columns))
    head.number(n)
    head.texts([name for own in names for name in own])
    head.number(len(cells.odd))
    for at, _ in cells.odd:
        head.number(at)
    head.texts([line for _, line in cells.odd])
    lanes = most_lanes(n)
    encoder, plain = LaneEncoder(lanes), []
    coded: list[KnownColumn] = []
    words: tuple[bytes, ...] = ()  # the last list that was written
    bills = []
    sample = _sample(n)
    title = titles([name for own_name in names for name in own_name])
    for j, column in enumerate(cells.columns):
        values = Values.of(column[1:]).with_words(words)
        relation = relation_of(values, coded, sample)
        own = Symbols.of(relation.rest(values, coded), values.word, len(values.words))
        before = len(head.parts)
        _write_values(head, values, relation, own, words)
        words = values.words or words
        listed = sum(map(len, head.parts[before:]))
        contexts: list[Context] = []
        bits = 0.0
        if own.k > 1:
            if n > SMALL:
                contexts = contexts_chosen(own, coded, sample)
                _write_contexts(head, contexts)
            else:
                contexts = contexts_alike(coded)
            bits = _code(encoder, lanes, own, contexts, coded, write=True)
        parents = telling(own, coded, contexts, sample[:ROWS_SAID])
        widths = own.widths()
        plain.append(packed(own.rest, widths))
        coded.append(KnownColumn.of(own, relation, values))
        bills.append(
            ColumnBill(title[j], own.k, bits + float(widths.sum()), listed, _said(relation, parents, title))
        )
        tell((j + 1) / len(cells.columns))
    body = StateWriter()
    described = head.bytes()
    squeezed_head = squeezed(described)
    body.number(len(described))
    body.text(squeezed_head)
    rest = b"".join(plain)
    body.text(rest)
    return body.bytes() + joined(encoder.finish()), bills, n


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
    if d * n > size + d + 1:  # a cell has at least what ends it
        raise damaged()
    names = head.texts()
    places = [head.number(size + 1) for _ in range(head.number(size + 1))]
    odd = list(zip(places, head.texts(), strict=True))
    lanes = most_lanes(n)
    decoder = LaneDecoder(parted(body, lanes))
    coded: list[KnownColumn] = []
    words: tuple[bytes, ...] = ()
    columns = []
    for j in range(d):
        relation, writing, own_words, known, low, ranges = _read_values(head, n, coded, words)
        words = own_words or words
        codes, none = np.zeros(n, np.int64), np.zeros(n, np.int64)
        own = Symbols(known, len(own_words), codes, none, low, ranges)
        if own.k > 1:
            contexts = _read_contexts(head, coded) if n > SMALL else contexts_alike(coded)
            _code(decoder, lanes, own, contexts, coded, write=False)
        elif own.k == 0 and n:
            raise damaged()
        own = Symbols(known, len(own_words), codes, unpacked(plain.take, own.widths()), low, ranges)
        word = own.word()
        values = Values(writing, relation.numbers(own.numbers(), word, coded), word, own_words)
        coded.append(KnownColumn.of(own, relation, values))
        columns.append([names[j], *values.cells()] if names else values.cells())
        tell((j + 1) / d)
    return TextCells(delimiter, end, ended, columns, odd).text()


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
    """The rows that are looked at: all of a small table, or some by chance."""
    if n <= ROWS:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, ROWS, replace=False))


def _code(
    coder: Lanes,
    lanes: int,
    own: Symbols,
    contexts: Sequence[Context],
    coded: Sequence[KnownColumn],
    *,
    write: bool,
) -> float:
    tree = SymbolTree.balanced(own.k, falling=not own.ordered)
    return code_symbols(coder, lanes, own.codes, tree, hashed(contexts, coded, len(own.codes)), write=write)


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
    head: StateReader, n: int, coded: Sequence[KnownColumn], words: tuple[bytes, ...]
) -> tuple[Relation, Writing | None, tuple[bytes, ...], Ints, int, bool]:
    way, again = divmod(head.number(3 + 6 * 12), 2)
    if not way:
        words = words if again else tuple(head.texts())
        return Relation(), None, words, np.empty(0, np.int64), 0, False
    how, style = divmod(way - 1, 3)
    ranged, kind = divmod(how, 6)
    writing = Writing(style, head.number(20))
    a = _earlier(head, coded) if kind >= ONE_OTHER else 0
    b = _earlier(head, coded) if kind >= SUM else 0
    low = head.signed() if ranged else 0
    count = head.number(n + 1)
    known = [head.signed() if not i else head.number() + 1 for i in range(count)]
    if sum(map(abs, known)) > 1 << 62 or (ranged and (min(known) < 0 or sum(known) > 1024)):
        raise damaged()
    relation = Relation(kind, a, b)
    words = words if again else tuple(head.texts())
    return relation, writing, words, np.cumsum(known, dtype=np.int64), low, bool(ranged)


def _earlier(head: StateReader, coded: Sequence[KnownColumn]) -> int:
    which = head.number()
    if which >= len(coded):
        raise damaged()
    return which


def _write_contexts(head: StateWriter, contexts: Sequence[Context]) -> None:
    head.number(len(contexts))
    for context in contexts:
        head.number(len(context))
        for kind, which in context:
            head.number(kind + 4 * which)


def _read_contexts(head: StateReader, coded: Sequence[KnownColumn]) -> list[Context]:
    contexts: list[Context] = []
    for _ in range(head.number(64)):
        parents = []
        for _ in range(head.number(8)):
            which, kind = divmod(head.number(), 4)
            if (kind <= 1 and which >= len(coded)) or (kind >= ABOVE and which > 4):
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
