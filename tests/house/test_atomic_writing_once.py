"""A file is put under its name in one place: written beside it, then moved there when all is written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).parents[2] / "src" / "likely"
PLACE = SRC / "table" / "write" / "whole_file.py"
MOVES = {
    "os": {"replace", "rename", "renames"},
    "tempfile": {"NamedTemporaryFile", "mkstemp", "mktemp"},
    "shutil": {"move"},
}


def moves(tree: ast.AST) -> Iterator[str]:
    """The calls of a module that write beside a file or put one in its place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in MOVES.get(node.value.id, ()):
                yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.ImportFrom) and node.module in MOVES:
            yield from (
                f"{node.module}.{name.name}" for name in node.names if name.name in MOVES[node.module]
            )


def test_files_are_put_in_place_once() -> None:
    found = {
        str(path.relative_to(SRC)): sorted(moves(ast.parse(path.read_text())))
        for path in sorted(SRC.rglob("*.py"))
        if path != PLACE
    }
    assert {path: calls for path, calls in found.items() if calls} == {}
    assert list(moves(ast.parse(PLACE.read_text()))) == ["os.replace"]


def test_the_law_sees_a_second_writer() -> None:
    assert list(moves(ast.parse("import os\nos.replace(a, b)"))) == ["os.replace"]
    assert list(moves(ast.parse("from tempfile import mkstemp"))) == ["tempfile.mkstemp"]
