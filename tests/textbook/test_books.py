"""The page for readers of the books: what it names exists, and nothing that exists is left out."""

from __future__ import annotations

import re
from functools import reduce

import pytest
from checkout import DOCS

import likely
from likely import textbook

# The rows of the catalogue.
CATALOGUE = {"P": 8, "H": 5, "G": 8, "N": 11, "L": 6, "C": 5, "E": 6, "B": 6, "I": 5, "F": 12}
ROWS = {f"{letter}{i + 1}" for letter, n in CATALOGUE.items() for i in range(n)}
ID = re.compile(r"[A-Z]\d+[a-h]?")


def lines():
    """The cells of every line of a table, by the heading that it stands under."""
    found: dict[str, list[list[str]]] = {}
    for part in (DOCS / "books.md").read_text().split("\n## ")[1:]:
        title, *rest = part.splitlines()
        table = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in rest if line.startswith("|")
        ]
        found[title] = table[2:]
    return found


BUILT = [(title, cells) for title, table in lines().items() for cells in table]


@pytest.mark.parametrize(
    ("title", "cells"), BUILT, ids=lambda value: value[1][:40] if isinstance(value, list) else ""
)
class TestLines:
    def test_functions_exist_and_are_public(self, title, cells):
        names = re.findall(r"`([^`]+)`", cells[3])
        assert names
        for name in names:
            first, public, *rest = name.split(".")
            assert first == "likely", name
            assert public in likely.__all__, name
            found = getattr(likely, public)
            if rest and hasattr(found, "__all__"):
                assert rest[0] in found.__all__, name
            assert reduce(getattr, rest, found) is not None

    def test_examples_exist_and_are_of_the_row(self, title, cells):
        rows, examples = ID.findall(cells[2]), ID.findall(cells[4])
        assert set(rows) <= ROWS
        assert {textbook.show(id).row for id in examples} <= set(rows)
        assert set(rows) - {textbook.show(id).row for id in examples} <= {"L1", "C1"}


def test_books_of_the_examples():
    """An example stands in the table of every source that it names."""
    tables = {title.replace(",", "").split()[0]: table for title, table in lines().items()}
    tables["Flach"] = [cells for title, cells in BUILT if title.startswith("Flach")]
    listed = {book: {id for cells in table for id in ID.findall(cells[-1])} for book, table in tables.items()}
    for example in textbook.examples():
        for book in (source.split()[0] for source in example.source.split(";")):
            assert example.id in listed[book], (example.id, book)


def test_every_row_and_every_example_is_there():
    examples = {id for _, cells in BUILT for id in ID.findall(cells[4])}
    assert examples == {example.id for example in textbook.examples()}
    here = {id for _, cells in BUILT for id in ID.findall(cells[2])}
    assert here == {example.row for example in textbook.examples()} == ROWS


def test_is_in_the_navigation():
    assert "books.md" in (DOCS.parent / "mkdocs.yml").read_text()
