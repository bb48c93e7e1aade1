"""Rows are looped over in `engine/` alone: what stands above it hands it tasks, and cuts no rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from source import Module, modules

# What stands below the engine cannot hand it tasks: rows come from there, and its tasks do that with a block
# of them. All other rooms, and those to come, are under the law.
BELOW = {
    "likely.table": "it yields the rows, and makes Python's values of cells",
    "likely.archive": "numbers of a file as lines of text",
    "likely.stats": "a block is added up by as many rows as the fastest cache holds",
    "likely.dist": "the same, for densities",
    "likely.engine": "here they are looped over",
}
# Loops that are not over rows of a table, though they look so.
OTHER = {
    "likely.codes.description.choose": "beginnings of the table, each twice as long, to learn from anew",
    "likely.codes.tables.lanes": "decisions of many columns and rows, as many as there are coders",
    "likely.infer.log_contraction": "terms of a sum over states, as many as memory should hold",
    "likely.infer.rows_apart": "plans: one for each row of a block that the engine has cut",
    "likely.models.hypotheses.conjunctions": "hypotheses of a space; the belief after each example",
    "likely.models.hypotheses.version_space": "hypotheses of a space",
    "likely.serve.rows": "records of a request as they are read: blocks for the engine are made of them here",
}
ROW_NAMES = {"row", "i", "r"}
DISGUISED = {"vectorize", "frompyfunc", "apply_along_axis", "nditer", "fromiter"}
TABLES = {"rows", "frame", "table", "X", "y", "x", "raw"}


def row_loops(module: Module) -> Iterator[int]:
    """The lines on which rows are gone through one by one, or some at a time."""
    for node in module.nodes:
        match node:
            case ast.For() | ast.comprehension() if _by_row(node.target, node.iter):
                yield node.iter.lineno
            case ast.Call() if _cuts(node) or _is_loop(node):
                yield node.lineno
            case ast.While() if _counts_up(node.test):
                yield node.lineno


def _cuts(call: ast.Call) -> bool:
    """range(0, n, step), forwards, as over blocks of rows; or what is known to cut them."""
    match call:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=0), _, step]):
            return not isinstance(step, ast.UnaryOp)
        case ast.Call(func=ast.Name(id="blocks" | "dense_parts")):
            return True
        case ast.Call(func=ast.Attribute(attr="array_split"), args=[ast.Name(id=of), *_]):
            return of in TABLES
    return False


def _is_loop(call: ast.Call) -> bool:
    """Loops in disguise: np.vectorize(...), map(f, range(n)), map(f, rows)."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr=name)):
            return name in DISGUISED
        case ast.Call(func=ast.Name(id="map"), args=[_, *over]):
            return any(
                (isinstance(one, ast.Name) and one.id in TABLES - {"table", "x"})
                or _by_row(ast.Name("i"), one)
                for one in over
            )
    return False


def _counts_up(test: ast.expr) -> bool:
    """`while i < n`, `while start < len(rows)` and their like, alone or among other conditions."""
    match test:
        case ast.BoolOp(values=several):
            return any(map(_counts_up, several))
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt() | ast.NotEq()], comparators=[end]):
            return _counts_rows(end, name)
    return False


def _by_row(target: ast.expr, over: ast.expr) -> bool:
    """`for row in range(...)`, `for i in range(frame.n)`, `for row, x in enumerate(...)` and their like."""
    first = target.elts[0] if isinstance(target, ast.Tuple) else target
    name = first.id if isinstance(first, ast.Name) else ""
    match over:
        case ast.Call(func=ast.Name(id="range")):
            return name == "row" or any(_counts_rows(end, name) for end in over.args)
        case ast.Call(func=ast.Name(id="enumerate")):
            return name == "row"
        case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="tolist")):
            return of in TABLES
    return False


def _counts_rows(end: ast.expr, name: str) -> bool:
    """Whether a number is that of rows, as frame.n, len(rows), x.shape[0]; or n, where i runs so far."""
    match end:
        case ast.Attribute(attr="n" | "n_rows"):
            return True
        case ast.Name(id="n" | "n_rows"):
            return name in ROW_NAMES
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=of)]):
            return of in TABLES
        case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(attr="values" | "codes")]):
            return True
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Constant(value=0)):
            return True
    return False


def offenders(sources: list[Module]) -> set[str]:
    free = tuple(f"{room}." for room in BELOW)
    checked = (m for m in sources if not m.name.startswith(free) and m.name not in OTHER)
    return {f"{module.name}:{line}" for module in checked for line in row_loops(module)}


def test_rows_are_looped_over_in_the_engine_alone():
    assert offenders(list(modules())) == set()


def test_what_is_excused_is_there():
    """A room, or a module, that has no such loop any more needs no excuse."""
    names = {module.name for module in modules() if any(row_loops(module))}
    assert OTHER.keys() <= names
    assert all(any(name.startswith(f"{room}.") for name in names) for room in BELOW)


@pytest.mark.parametrize(
    "loop",
    [
        "for start in range(0, n, 4096): pass",
        "parts = [x[s : s + step] for s in range(0, len(x), step)]",
        "for row in range(many): pass",
        "for i in range(n): pass",
        "cells = [raw.item(i) for i in range(frame.n)]",
        "cells = [raw.item(i) for i in range(len(raw.values))]",
        "for j in range(len(rows)): pass",
        "for j in range(x.shape[0]): pass",
        "for row, cell in enumerate(cells): pass",
        "parts = [told(row) for row in rows.tolist()]",
        "for some in np.array_split(rows, 7): pass",
        "for start, stop in blocks(n, 3): pass",
        "while i < n: i += 1",
        "while start < len(rows) and busy: start += 9",
        "while at != frame.n: at += 1",
        "answers = list(map(told, range(n)))",
        "answers = [*map(told, rows)]",
        "answers = np.vectorize(told)(cells)",
        "answers = np.apply_along_axis(told, 1, cells)",
        "answers = np.fromiter(cells, float)",
    ],
)
def test_the_law_sees_a_loop_over_rows(loop):
    for room in ("models", "ask", "report", "export", "page", "serve", "cli", "evidence", "made_up"):
        assert offenders([Module(f"likely.{room}.made_up", loop)]) == {f"likely.{room}.made_up:1"}
    assert not offenders([Module("likely.engine.made_up", loop)])


@pytest.mark.parametrize(
    "loop",
    [
        "for j in range(0, 4): pass",
        "for j in range(d): pass",
        "for step in range(n): pass",
        "for k in range(n - 1, -1, -1): pass",
        "for place, column in enumerate(columns): pass",
        "while step < most: pass",
        "while not done: pass",
        "names = list(map(str, names))",
        "names = list(map(str, range(k)))",
    ],
)
def test_the_law_lets_other_loops_be(loop):
    assert not offenders([Module("likely.models.made_up", loop)])
