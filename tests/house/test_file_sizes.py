"""A file has one job and is read in one sitting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from limits import LINES_A_FILE, LONGEST_FILE, MEDIAN_FILE
from source import Module, modules


def too_long(sources: Iterable[Module]) -> list[str]:
    return [f"{m.name}: {m.n_lines} lines" for m in sources if m.n_lines > LONGEST_FILE]


def lines_a_file(sources: Sequence[Module]) -> float:
    return sum(m.n_lines for m in sources) / len(sources)


def test_no_file_is_too_long():
    assert too_long(modules()) == []


def test_a_typical_file_is_neither_a_sliver_nor_a_book():
    typical = median(m.n_lines for m in modules())
    print(f"{len(modules())} files, median {typical:.0f} lines, longest {max(m.n_lines for m in modules())}")
    low, high = MEDIAN_FILE
    assert low <= typical <= high


def test_what_tells_one_story_is_one_file():
    """However much there is to tell: a story in slivers is a walk from file to file."""
    average = lines_a_file(modules())
    print(f"{average:.0f} lines a file")
    assert average >= LINES_A_FILE


def test_the_law_sees_slivers():
    assert lines_a_file([Module("long", "x = 1\n" * 30), Module("sliver", "x = 1\n" * 10)]) == 20


def test_the_law_sees_a_long_file():
    assert too_long([Module("short", "x = 1\n"), Module("long", "x = 1\n" * 401)]) == ["long: 401 lines"]
