"""Classes of our own stand on few others: what a method does is found in one or two files."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from limits import DEEPEST_CLASS
from source import Module, modules

Named = tuple[str, str]  # a module and a name in it


def depths(sources: Sequence[Module]) -> dict[Named, int]:
    """How many classes of our own stand above each class, on the longest way up."""
    origin = {m.name: _names(m) for m in sources}
    bases = {
        (m.name, c.name): [_resolve(origin, m.name, b) for b in c.bases] for m in sources for c in m.classes()
    }

    def depth(named: Named) -> int:
        return max((1 + depth(b) for b in bases[named] if b in bases and b != named), default=0)

    return {named: depth(named) for named in bases}


def _names(module: Module) -> dict[str, Named]:
    """Where the names of a module come from."""
    imported = {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in module.nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return imported | {c.name: (module.name, c.name) for c in module.classes()}


def _resolve(origin: dict[str, dict[str, Named]], module: str, base: ast.expr) -> Named | None:
    """The class that a base stands for, through the packages that pass it on."""
    if isinstance(base, ast.Subscript):
        base = base.value
    if not isinstance(base, ast.Name):
        return None
    named = origin[module].get(base.id)
    while named and named[0] in origin and origin[named[0]].get(named[1], named) != named:
        named = origin[named[0]][named[1]]
    return named


def test_own_classes_are_not_deep():
    deep = {f"{m}.{c}": d for (m, c), d in depths(modules()).items()}
    print(f"deepest class: {max(deep.values())} of our own above it")
    assert {name: d for name, d in deep.items() if d > DEEPEST_CLASS} == {}


def test_the_law_sees_depth_across_modules():
    one = Module("pkg.one", "class A: pass\nclass B(A): pass\n")
    package = Module("pkg", "from pkg.one import B\n")
    two = Module("pkg.two", "from pkg import B as Base\nclass C(Base[int], dict): pass\n")
    assert depths([package, one, two])[("pkg.two", "C")] == 2
