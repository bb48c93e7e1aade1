"""A file is put under its name in one place: written beside it, then moved there when all is written.

Nobody else opens a file to write: what people get is there as a whole or not at all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from source import Module, modules

PLACE = "likely.table.write.whole_file"
MOVES = {
    "os": {"replace", "rename", "renames"},
    "tempfile": {"NamedTemporaryFile", "mkstemp", "mktemp"},
    "shutil": {"move"},
}
WRITES = {"write_text", "write_bytes", "savefig", "savetxt", "tofile", "to_csv", "to_parquet", "to_excel"}
# What is no file under the name that somebody gave.
NOT_FOR_PEOPLE = {
    "likely.archive.file": "a member of an archive, whose file `whole_file` holds",
    "likely.draw.picture": "into the file that `whole_file` holds, and into memory for notebooks",
    "likely.serve.work": "the body of a request, in a temporary folder",
    "likely.table.batch.batches": "standard input, in a temporary folder",
    "likely.table.read.encoding": "a text as UTF-8, in a temporary folder",
    "likely.table.read.csv_layout": "a text with commas for its spaces, in a temporary folder",
}


def moves(module: Module) -> Iterator[str]:
    """The calls of a module that write beside a file or put one in its place."""
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in MOVES.get(node.value.id, ()):
                yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.ImportFrom) and node.module in MOVES:
            yield from (
                f"{node.module}.{name.name}" for name in node.names if name.name in MOVES[node.module]
            )


def writes(module: Module) -> Iterator[str]:
    """The calls of a module that write to a file by its name."""
    for node in module.nodes:
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in WRITES or (name == "open" and any(map(_to_write, _arguments(node)))):
            yield f"{name}, line {node.lineno}"


def _arguments(call: ast.Call) -> list[ast.expr]:
    """Those of which one may be a mode: `open(path, "w")`, `path.open("w")`, `open(path, mode="w")`."""
    return [*call.args, *(word.value for word in call.keywords if word.arg == "mode")]


def _to_write(argument: ast.expr) -> bool:
    mode = argument.value if isinstance(argument, ast.Constant) else None
    return isinstance(mode, str) and 0 < len(mode) <= 3 and set(mode) <= set("rwaxbt+") and mode[0] in "wax+"


def test_files_are_put_in_place_once() -> None:
    calls = {module.name: sorted(moves(module)) for module in modules() if any(moves(module))}
    assert calls == {PLACE: ["os.replace"]}


def test_nobody_else_writes_to_files_by_their_names() -> None:
    calls = {module.name: list(writes(module)) for module in modules() if any(writes(module))}
    assert PLACE in calls
    assert {name: of for name, of in calls.items() if name not in {PLACE, *NOT_FOR_PEOPLE}} == {}
    assert calls.keys() >= NOT_FOR_PEOPLE.keys()  # else it needs no excuse


def test_the_law_sees_a_second_writer() -> None:
    assert list(moves(Module("a", "import os\nos.replace(a, b)"))) == ["os.replace"]
    assert list(moves(Module("a", "from tempfile import mkstemp"))) == ["tempfile.mkstemp"]


@pytest.mark.parametrize(
    "call",
    [
        'open("a.csv", "w")',
        'open(path, mode="wb")',
        'path.open("w", encoding="utf-8")',
        'path.open("a")',
        'gzip.open(path, "xb")',
        "path.write_text(words)",
        "path.write_bytes(b'')",
        "figure.savefig(path)",
        "frame.to_csv(path)",
    ],
)
def test_the_law_sees_a_file_that_is_written_to(call: str) -> None:
    assert len(list(writes(Module("a", call)))) == 1


@pytest.mark.parametrize("call", ["open(path)", 'path.open("rb")', 'zip.open(name, "r")'])
def test_the_law_lets_files_be_read(call: str) -> None:
    assert not list(writes(Module("a", call)))
