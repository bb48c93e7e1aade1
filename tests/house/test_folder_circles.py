"""Folders inside a room stand in one line of descent too: none imports, by any way round, what imports it.

Between rooms, and between the folders of `models`, the layers of `pyproject.toml` say who may import whom;
this law sees what they do not, as a folder and one inside it that import each other. Imports inside
functions, and those for types alone, count. What `__init__.py` offers is a node of its own: it may name all
that stands in its folder, as long as nothing there imports the names from it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from source import SRC, Module, modules

Edge = tuple[str, str]
PACKAGES = {".".join(p.parent.relative_to(SRC).parts) for p in (SRC / "likely").rglob("__init__.py")}


def imported(module: Module, names: set[str]) -> Iterator[str]:
    """The modules of ours that a module imports, wherever it does."""
    for node in module.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom):
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            taken = (name if name in names else node.module or "" for name in inside)
            yield from (name for name in taken if name in names)


def edges(sources: Iterable[Module], packages: set[str]) -> set[Edge]:
    """Folder -> folder of the same room, for every import that leaves a folder."""
    sources = list(sources)
    names = {module.name for module in sources}

    def folder(name: str) -> str:
        return f"{name}.__init__" if name in packages else name.rpartition(".")[0]

    pairs = ((module.name, other) for module in sources for other in imported(module, names))
    inside = ((a, b) for a, b in pairs if a.split(".")[:2] == b.split(".")[:2])
    return {(folder(a), folder(b)) for a, b in inside if folder(a) != folder(b)}


def circles(graph: set[Edge]) -> set[Edge]:
    """What is left when folders that import none, or that none imports, are taken away one after another."""
    while True:
        left = {
            (a, b) for a, b in graph if a in {end for _, end in graph} and b in {begin for begin, _ in graph}
        }
        if left == graph:
            return graph
        graph = left


def test_folders_of_a_room_do_not_import_each_other():
    assert circles(edges(modules(), PACKAGES)) == set()


def test_the_law_sees_circles():
    sources = [
        Module("likely.a.top", "from likely.a.low.one import x\n"),
        Module("likely.a.low.one", "def f():\n    from likely.a import base\n"),
        Module("likely.a.base", ""),
        Module("likely.b.other", "from likely.a.top import x\n"),
    ]
    assert circles(edges(sources, set())) == {("likely.a", "likely.a.low"), ("likely.a.low", "likely.a")}
    assert circles(edges(sources[:1] + sources[2:], set())) == set()


def test_the_law_sees_names_taken_from_the_face_of_a_folder():
    face = Module("likely.a", "from likely.a.low.one import x\n")
    assert circles(edges([face, Module("likely.a.low.one", "x = 1\n")], {"likely.a"})) == set()
    back = Module("likely.a.low.one", "from likely.a import y\n")
    assert len(circles(edges([face, back], {"likely.a"}))) == 2
