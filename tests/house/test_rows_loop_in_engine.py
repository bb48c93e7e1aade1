"""Rows are looped over in `engine/` alone: models hand it tasks, and never cut rows into blocks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from source import Module, modules

# The rooms above the engine that work on rows.
ROOMS = (
    "infer",
    "score",
    "estimator",
    "models",
    "calibrate",
    "features",
    "decide",
    "compare",
    "pool",
    "codes",
)
NOT_ROWS = "likely.models.hypotheses."  # what is gone through there are the hypotheses of a space


def row_loops(module: Module) -> Iterator[int]:
    """The lines on which a range runs from 0 in steps, as over blocks of rows, or rows are cut."""
    for node in module.nodes:
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id == "range" and len(node.args) == 3:
            first, _, step = node.args
            backwards = isinstance(step, ast.UnaryOp)
            if isinstance(first, ast.Constant) and first.value == 0 and not backwards:
                yield node.lineno
        if isinstance(node.func, ast.Name) and node.func.id in ("blocks", "dense_parts"):
            yield node.lineno


def offenders(sources: list[Module]) -> set[str]:
    rooms = tuple(f"likely.{room}." for room in ROOMS)
    checked = (module for module in sources if module.name.startswith(rooms))
    return {m.name for m in checked if not m.name.startswith(NOT_ROWS) and any(row_loops(m))}


def test_rows_are_looped_over_in_the_engine_alone():
    assert not offenders(list(modules()))


def test_the_law_sees_a_loop_over_rows():
    loop = "def f(n):\n    for start in range(0, n, 4096):\n        pass\n"
    assert offenders([Module("likely.models.made_up", loop)]) == {"likely.models.made_up"}
    assert not offenders([Module("likely.engine.made_up", loop)])
    assert not offenders([Module("likely.models.made_up", "for j in range(0, 4): pass")])
