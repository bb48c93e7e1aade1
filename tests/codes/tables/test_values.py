from __future__ import annotations

import numpy as np
import pytest

from likely.codes.tables.cells import TextCells
from likely.codes.tables.contexts import KnownColumn, Relation
from likely.codes.tables.values import FIXED, POINT, SHORT, Symbols, Values, Writing, packed, unpacked

RNG = np.random.default_rng(0)
COLUMNS = {
    "whole": [str(x) for x in RNG.integers(-50, 50, 300)],
    "wide": [str(x) for x in RNG.integers(-(10**12), 10**12, 600)],
    "beyond 53 bits": [str(10**15 + x) for x in RNG.integers(0, 10**6, 600)],
    "two decimals": [f"{x:.2f}" for x in RNG.normal(0, 100, 600)],
    "short": [f"{round(x, 2):g}" for x in RNG.normal(0, 3, 600)],
    "point": [str(round(x, 1)) for x in RNG.normal(0, 3, 600)],
    "words among numbers": [("NA" if x % 7 == 0 else str(x)) for x in RNG.integers(0, 10**6, 600)],
    "no numbers": ["-0", "007", "1e5", "+3", "", " 1", "1.", ".5", "9" * 30],
    "minus nothing": ["-0.00", "0.00", "1.25"] * 5,
}


# Where nearly every number is another one.
RANGES = {"wide", "beyond 53 bits", "two decimals", "short", "words among numbers"}


@pytest.mark.parametrize("name", COLUMNS)
def test_values_and_symbols_are_the_cells(name: str) -> None:
    cells = [cell.encode() for cell in COLUMNS[name]]
    values = Values.of(cells)
    assert values.cells() == cells
    symbols = Symbols.of(values.numbers, values.word, len(values.words))
    assert (symbols.numbers() == values.numbers).all()
    assert (symbols.word() == values.word).all()
    widths = symbols.widths()
    data = packed(symbols.rest, widths)
    assert len(data) == -(-int(widths.sum()) // 8)
    assert (unpacked(lambda n: data[:n], widths) == symbols.rest).all()
    assert symbols.ranges == (name in RANGES)


@pytest.mark.parametrize("name", [name for name in COLUMNS if name != "no numbers"])
def test_numbers_are_numbers(name: str) -> None:
    values = Values.of([cell.encode() for cell in COLUMNS[name]])
    assert values.writing is not None
    scale = 10.0**-values.writing.decimals
    for cell, number, word in zip(COLUMNS[name], values.numbers, values.word, strict=True):
        assert word >= 0 or float(cell) == pytest.approx(number * scale, rel=1e-12)


def test_writing() -> None:
    assert [Writing(style, 2).text(500) for style in (FIXED, SHORT, POINT)] == [b"5.00", b"5", b"5.0"]
    assert Writing(FIXED, 0).text(-12) == b"-12"


@pytest.mark.parametrize("kind", range(6))
def test_relations_are_undone(kind: int) -> None:
    rng = np.random.default_rng(kind)
    clocks = [(60 * h + m) for h, m in zip(rng.integers(0, 24, 50), rng.integers(0, 60, 50), strict=True)]
    written = [b"%d" % (t // 60 * 100 + t % 60) for t in clocks]
    first = Values.of([b"NA" if i % 11 == 0 else cell for i, cell in enumerate(written)])
    second = Values.of(written[::-1])
    coded = [KnownColumn(np.zeros(50, np.int64), 2, values) for values in (first, second)]
    own = Values.of([b"?" if i % 7 == 0 else b"%d" % x for i, x in enumerate(rng.integers(-99, 99, 50))])
    relation = Relation(kind, 0, 1)
    rest = relation.rest(own, coded)
    assert (relation.numbers(rest, own.word, coded) == own.numbers).all()


@pytest.mark.parametrize(
    ("text", "columns", "odd"),
    [
        (b"a;b\r\n1;2\r\n", 2, 0),
        (b'a,"b,c"\n1,"2\n3"\n', 2, 0),
        (b'5" pipe,2\n6" pipe,3\n7 pipe,4\n', 2, 0),
        (b"a,b\n1\n1,2\n3,4\n", 2, 1),
        (b"no table at all", 1, 0),
    ],
)
def test_cells(text: bytes, columns: int, odd: int) -> None:
    cells = TextCells.of(text)
    assert (len(cells.columns), len(cells.odd)) == (columns, odd)
    assert cells.text() == text
