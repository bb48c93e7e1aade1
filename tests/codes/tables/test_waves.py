from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest

from likely.codes.tables.lanes import LaneDecoder, LaneEncoder
from likely.codes.tables.symbol_tree import SymbolTree
from likely.codes.tables.waves import (
    _MOST_COLUMNS,
    FEWEST,
    ColumnToCode,
    KnownCells,
    _Turns,
    _turns,
    _Wave,
    code_wave,
    columns_together,
)


def _columns(n: int, known: KnownCells) -> list[ColumnToCode]:
    """Four columns: one alone, one that hangs on it, one that repeats the value above, a sum of both."""
    i = np.arange(n)
    a = i * 2654435761 % 2**32 >> 29
    b = (3 * a + (i % 7 == 0) + (i // 50) % 3) % 17
    c = np.maximum.accumulate(np.where(i % 9 == 0, i, 0)) * 40503 % 5 if n else i
    d = (a + c) % 6
    contexts = [
        [[], [(0, 1)]],
        [[], [(0, 0)], [(0, 0), (1, 1)], [(known.repeated, 0)]],
        [[(2, 1)], [(2, 1), (2, 2)], []],
        [[], [(0, 0)], [(0, 0), (2, 0)], [(2, 0)], [(3, 1), (known.repeated, 0), (1, 0)]],
    ]
    return [
        ColumnToCode(j, symbols, SymbolTree.balanced(k, falling), own)
        for j, (symbols, k, falling, own) in enumerate(
            zip((a, b, c, d), (8, 17, 5, 6), (True, False, True, True), contexts, strict=True)
        )
    ]


def _written(n: int, lanes: int, together: int) -> tuple[list[bytes], np.ndarray]:
    known, encoder = KnownCells(n, 4), LaneEncoder(lanes)
    columns = _columns(n, known)
    bits = [
        code_wave(encoder, known, columns[start : start + together], write=True, billed=True)
        for start in range(0, 4, together)
    ]
    for one in columns:
        assert (known.of(one.column) == one.symbols + 1).all()
    return encoder.finish(), np.concatenate(bits)


@pytest.mark.parametrize("together", [1, 2, 4])
@pytest.mark.parametrize("lanes", [1, 3, 40])
@pytest.mark.parametrize("n", [0, 1, 33, 500, 9000])
def test_readers_follow_writers(n: int, lanes: int, together: int) -> None:
    data, bits = _written(n, lanes, together)
    assert sum(map(len, data)) <= bits.sum() / 8 + 4 * lanes
    known, decoder = KnownCells(n, 4), LaneDecoder(data)
    columns = _columns(n, known)
    unknown = [ColumnToCode(one.column, np.zeros(n, np.int64), one.tree, one.contexts) for one in columns]
    for start in range(0, 4, together):
        code_wave(decoder, known, unknown[start : start + together], write=False)
    for one in columns:
        assert (known.of(one.column) == one.symbols + 1).all()
    if n == 9000:  # the last column is made of two others, the third changes in every ninth row
        assert bits[3] < 0.1 * n
        assert bits[2] < 0.9 * n


def test_columns_together_cost_what_they_cost_alone() -> None:
    """Who goes with whom changes the times, and a little of what is known at the first rows of lanes."""
    (_, alone), (_, all_together) = (_written(9000, 1, together) for together in (1, 4))
    assert all_together.sum() == pytest.approx(alone.sum(), rel=0.06)


def test_bytes_of_the_format_stay() -> None:
    """Where these change, the version of the format in `file.py` must change too."""
    told = []
    for together in (1, 4):
        data = _written(9000, 40, together)[0]
        told.append((sum(map(len, data)), crc32(b"|".join(data))))
    assert told == [(2672, 1114285986), (2586, 4178220283)]


@pytest.mark.parametrize("column", range(4))
def test_rows_of_one_column_in_one_lane_are_written_in_one_way(column: int) -> None:
    """In plain numbers, in step with other lanes of which there are none, and as columns that go together."""
    told = []
    for way in ("alone", "in step", "together"):
        known, encoder = KnownCells(400, 4), LaneEncoder(1)
        columns = _columns(400, known)
        code_wave(LaneEncoder(1), known, columns, write=True)
        known.of(column)[:] = 0
        known.of(known.repeated)[:] = np.arange(400) % 3 == 1
        wave = _Wave(encoder, known, [columns[column]], True, True, None)
        if way == "alone":
            wave.alone(range(400))
        elif way == "in step":
            wave.in_step(0, 400, 1)
        else:
            wave.together(_Turns(1, [(0, 400, 1)]))
        told.append((encoder.finish(), round(wave.bits()[0], 6), known.cells.tolist()))
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("fewest", [1, FEWEST])
@pytest.mark.parametrize("n", [1, 100, 2500, 3000, 50_000, 200_000])
def test_turns_have_all_rows_once(n: int, fewest: int) -> None:
    turns = list(_turns(n, fewest))
    assert [start for start, _, _ in turns] == [0, *(stop for _, stop, _ in turns[:-1])]
    assert turns[-1][1] == n
    assert all(lanes == 1 or fewest <= lanes <= 1024 for _, _, lanes in turns)
    assert all(start >= 16 * lanes for start, _, lanes in turns[1:])  # so many were coded before
    everyone = _Turns(1, turns)
    rows = [np.arange(a, a + many) for a, many in zip(everyone.first, everyone.done[0], strict=True)]
    assert (np.concatenate(rows) == np.arange(n)).all()


def test_nobody_goes_before_the_column_before() -> None:
    turns = _Turns(3, list(_turns(300, 1)))
    lanes, rows, rng = len(turns.first), np.zeros((3, 300), np.int64), np.random.default_rng(0)
    while len(some := turns.next()):
        went = some[rng.random(len(some)) < 0.5]  # some take more than one decision
        for column, lane in zip(*np.divmod(went, lanes), strict=True):
            row = turns.first[lane] + turns.done[column + 1, lane]
            assert rows[:column, row].all()
            rows[column, row] += 1
        turns.tell(went, went // lanes)
    assert (rows == 1).all()


def test_waves_are_narrower_the_more_lanes_there_are() -> None:
    wide = [columns_together(n) for n in (0, 10, 2000, 8124, 32_561, 10**6)]
    assert wide == [_MOST_COLUMNS, _MOST_COLUMNS, 32, 23, 3, 1]
