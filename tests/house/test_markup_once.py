"""Markup is made in `format/` alone: one place that escapes, one table, one style."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).parents[2] / "src" / "likely"
TAG = re.compile(
    r"</?(a|b|br|div|g|h\d|i|li|line|p|path|polyline|pre|rect|span|style|svg|t[dhr]|table|text|ul)\b"
)


def markup(tree: ast.AST) -> Iterator[str]:
    """The tags and calls of `html.escape` in a module; docstrings may speak of them."""
    spoken = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken:
            yield from (match[0] for match in TAG.finditer(node.value))
        elif isinstance(node, ast.ImportFrom) and node.module in ("html", "xml.sax.saxutils", "markupsafe"):
            yield f"from {node.module}"
        elif isinstance(node, ast.Import):
            yield from (f"import {name.name}" for name in node.names if name.name in ("html", "markupsafe"))


def test_markup_is_made_in_one_room() -> None:
    found = {
        str(path.relative_to(SRC)): sorted(set(markup(ast.parse(path.read_text()))))
        for path in sorted(SRC.rglob("*.py"))
        if path.parent.name != "format"
    }
    assert {path: tags for path, tags in found.items() if tags} == {}


def test_text_is_escaped_in_one_module() -> None:
    escaping = [
        p.name for p in (SRC / "format").glob("*.py") if "from html" in set(markup(ast.parse(p.read_text())))
    ]
    assert escaping == ["markup.py"]


def test_the_law_sees_markup() -> None:
    assert list(markup(ast.parse('f"<td class={x}>{y}</td>"'))) == ["<td", "</td"]
    assert list(markup(ast.parse("from html import escape"))) == ["from html"]
    assert list(markup(ast.parse('"""Makes a <table>."""'))) == []
