"""Laws of the folder `dist`: it says what it takes, and no import cycle hides in a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from source import Module, modules

DIST = Path(__file__).parents[2] / "src" / "likely" / "dist"
MOST_ANY = 0.05  # of the parameters


def functions() -> Iterator[tuple[Module, ast.FunctionDef]]:
    for module in modules():
        if module.name.startswith("likely.dist"):
            yield from ((module, node) for node in module.functions() if isinstance(node, ast.FunctionDef))


def test_few_parameters_are_of_any_type() -> None:
    hints = [
        ast.unparse(one.annotation)
        for _, function in functions()
        for one in ast.walk(function.args)
        if isinstance(one, ast.arg) and one.annotation is not None
    ]
    assert hints.count("Any") <= MOST_ANY * len(hints), f"{hints.count('Any')} of {len(hints)}"


def test_functions_import_nothing_of_the_library() -> None:
    hidden = [
        f"{module.name}: {node.module}"
        for module, function in functions()
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("likely")
    ]
    assert not hidden


def test_priors_know_no_families() -> None:
    """Families know their priors; the other way round would be a cycle."""
    for folder in ("priors", "predictive", "numeric"):
        for path in (DIST / folder).glob("*.py"):
            assert "likely.dist.families" not in path.read_text(), path.name
