"""Work on rows goes through `reduce(source, task)` and `map(source, task)`: tasks are classes of modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from source import Module, modules

GONE = ("map_rows", "reduce_rows")  # they took functions of (start, stop), which cannot leave the process
TASKS = ("MapTask", "ReduceTask")


def adapters(module: Module) -> Iterator[str]:
    """Names of the adapters that are gone, wherever they stand."""
    for node in module.nodes:
        names = [
            getattr(node, "id", ""),
            getattr(node, "attr", ""),
            getattr(node, "name", ""),
        ]
        yield from (f"{module.name}: {name}" for name in names if name in GONE)


def local_tasks(module: Module) -> Iterator[str]:
    """Tasks inside functions, or that are no frozen dataclasses: these cannot be pickled, or may change."""
    inside = {
        id(child) for node in module.nodes if isinstance(node, ast.FunctionDef) for child in ast.walk(node)
    }
    for node in module.nodes:
        if not isinstance(node, ast.ClassDef) or module.name == "likely.engine.memory":
            continue
        if any(ast.unparse(base).split("[")[0] in TASKS for base in node.bases):
            frozen = any("frozen=True" in ast.unparse(decorator) for decorator in node.decorator_list)
            if id(node) in inside or not frozen:
                yield f"{module.name}: {node.name}"


def test_the_adapters_of_functions_are_gone():
    assert not [name for module in modules() for name in adapters(module)]


def test_tasks_are_frozen_classes_of_a_module():
    assert not [name for module in modules() for name in local_tasks(module)]


def test_the_laws_see_what_breaks_them():
    old = "from likely.engine import map_rows\nmap_rows(3, 1, print)\n"
    assert list(adapters(Module("a", old))) == ["a: map_rows", "a: map_rows"]
    local = "def f():\n    @dataclass(frozen=True)\n    class Task(MapTask[int]):\n        pass\n"
    assert list(local_tasks(Module("a", local))) == ["a: Task"]
    assert list(local_tasks(Module("a", "class Task(ReduceTask[int, int]):\n    pass\n"))) == ["a: Task"]
