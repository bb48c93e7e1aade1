"""`n_jobs` is a parameter of estimators, which make an engine of it: further in, work is given the engine."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from source import Module, modules

ENGINE = "likely.engine."  # where the number becomes an engine


def numbers_of_jobs(module: Module) -> Iterator[int]:
    """The lines on which a function other than a constructor takes `n_jobs`, or a dataclass has it."""
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef) and node.name != "__init__":
            args = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            if any(arg.arg == "n_jobs" for arg in args):
                yield node.lineno
        if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(d) for d in node.decorator_list):
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and ast.unparse(field.target) == "n_jobs":
                    yield field.lineno


def offenders(sources: list[Module]) -> list[str]:
    checked = (module for module in sources if not f"{module.name}.".startswith(ENGINE))
    return [f"{module.name}:{line}" for module in checked for line in numbers_of_jobs(module)]


def test_no_function_is_given_a_number_of_jobs():
    assert not offenders(list(modules()))


def test_the_law_sees_a_number_of_jobs():
    function = "def count(rows, n_jobs=None):\n    pass\n"
    record = "@dataclass(frozen=True)\nclass Search:\n    n_jobs: int | None = None\n"
    estimator = "class Model:\n    def __init__(self, n_jobs=None):\n        self.n_jobs = n_jobs\n"
    assert offenders([Module("likely.models.a", function)]) == ["likely.models.a:1"]
    assert offenders([Module("likely.models.a", record)]) == ["likely.models.a:3"]
    assert not offenders([Module("likely.models.a", estimator), Module("likely.engine.memory", function)])
