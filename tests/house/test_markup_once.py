"""Markup is made in `format/` alone: one place that escapes, one table, one style."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from source import Module, modules

TAG = re.compile(
    r"</?(a|b|br|div|g|h\d|i|li|line|p|path|polyline|pre|rect|span|style|svg|t[dhr]|table|text|ul)\b"
)


def markup(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The tags and calls of `html.escape` in a module; docstrings may speak of them."""
    spoken = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken:
            yield from (match[0] for match in TAG.finditer(node.value))
        elif isinstance(node, ast.ImportFrom) and node.module in ("html", "xml.sax.saxutils", "markupsafe"):
            yield f"from {node.module}"
        elif isinstance(node, ast.Import):
            yield from (f"import {name.name}" for name in node.names if name.name in ("html", "markupsafe"))


def test_markup_is_made_in_one_room() -> None:
    found = {
        module.name: sorted(set(markup(module.nodes)))
        for module in modules()
        if not module.name.startswith("likely.format")
    }
    assert {path: tags for path, tags in found.items() if tags} == {}


def test_text_is_escaped_in_one_module() -> None:
    escaping = [
        module.name
        for module in modules()
        if module.name.startswith("likely.format.") and "from html" in set(markup(module.nodes))
    ]
    assert escaping == ["likely.format.markup"]


def test_the_law_sees_markup() -> None:
    assert list(markup(Module("a", 'f"<td class={x}>{y}</td>"').nodes)) == ["<td", "</td"]
    assert list(markup(Module("a", "from html import escape").nodes)) == ["from html"]
    assert list(markup(Module("a", '"""Makes a <table>."""').nodes)) == []
