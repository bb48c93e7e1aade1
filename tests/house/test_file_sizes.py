"""A file has one job and is read in one sitting."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from limits import LONGEST_FILE, MEDIAN_FILE
from source import Module, modules


def too_long(sources: Iterable[Module]) -> list[str]:
    return [f"{m.name}: {m.n_lines} lines" for m in sources if m.n_lines > LONGEST_FILE]


def test_no_file_is_too_long():
    assert too_long(modules()) == []


def test_a_typical_file_is_neither_a_sliver_nor_a_book():
    typical = median(m.n_lines for m in modules())
    print(f"{len(modules())} files, median {typical:.0f} lines, longest {max(m.n_lines for m in modules())}")
    low, high = MEDIAN_FILE
    assert low <= typical <= high


def test_the_law_sees_a_long_file():
    assert too_long([Module("short", "x = 1\n"), Module("long", "x = 1\n" * 401)]) == ["long: 401 lines"]
