"""The source tree as the laws of the house see it: modules, their classes, functions and imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file of the source tree, or a made-up one with which a law tests itself."""

    name: str  # likely.infer.bayes
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All of the tree: many laws walk through it."""
        return tuple(ast.walk(self.tree))

    @property
    def n_lines(self) -> int:
        return len(self.text.splitlines())

    def classes(self) -> Iterator[ast.ClassDef]:
        return (node for node in self.nodes if isinstance(node, ast.ClassDef))

    def functions(self) -> Iterator[Function]:
        return (node for node in self.nodes if isinstance(node, Function))

    def local_names(self) -> Iterator[tuple[str, int]]:
        """Names that functions bind, each with its line: assignments, loops, `with`, comprehensions."""
        for function in self.functions():
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id, node.lineno

    def local_imports(self) -> Iterator[tuple[str, int]]:
        """Modules imported inside functions, each with its line."""
        for function in self.functions():
            for node in ast.walk(function):
                if isinstance(node, ast.Import):
                    yield from ((alias.name, node.lineno) for alias in node.names)
                elif isinstance(node, ast.ImportFrom):
                    yield node.module or "", node.lineno


@lru_cache
def modules() -> tuple[Module, ...]:
    """Every file of `src/likely`, in the order of their names."""
    files = sorted((SRC / "likely").rglob("*.py"))
    return tuple(Module(_dotted(path), path.read_text(encoding="utf-8")) for path in files)


def folders(under: Path = SRC / "likely") -> set[str]:
    """The folders of Python code in a tree, as `models/markov`."""
    return {path.parent.relative_to(under).as_posix() for path in under.rglob("*.py")} - {"."}


def _dotted(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
