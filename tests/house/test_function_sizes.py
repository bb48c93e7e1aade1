"""A function is seen at a glance: what it does fits a screen, whatever its docstring has to explain."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from limits import LONGEST_DOCUMENTED, LONGEST_FUNCTION
from source import Function, Module, modules


def lines(function: Function) -> int:
    """All lines from `def` on."""
    return (function.end_lineno or 0) - function.lineno + 1


def code_lines(function: Function) -> int:
    """The lines of a function without its docstring."""
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is None:
        return lines(function)
    return lines(function) - ((first.end_lineno or 0) - first.lineno + 1)


def too_long(sources: Iterable[Module]) -> Iterator[str]:
    for module in sources:
        for function in module.functions():
            if code_lines(function) > LONGEST_FUNCTION or lines(function) > LONGEST_DOCUMENTED:
                yield f"{module.name}.{function.name}: {code_lines(function)} of {lines(function)} lines"


def test_no_function_is_too_long():
    assert list(too_long(modules())) == []


def test_the_law_sees_a_long_function():
    body = "    x = 1\n"
    assert list(too_long([Module("a", "def f():\n" + 59 * body)])) == []
    assert list(too_long([Module("a", "def f():\n" + 60 * body)])) == ["a.f: 61 of 61 lines"]
    documented = f'def f():\n    """One.\n{20 * "    more"}\n    """\n' + 58 * body
    assert list(too_long([Module("a", documented)])) == []
    told = 'def f():\n    """One.\n' + 90 * "    more\n" + '    """\n    return 1\n'
    assert list(too_long([Module("a", told)])) == ["a.f: 2 of 94 lines"]
