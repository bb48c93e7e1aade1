"""A local has the name of what it holds: `found` says nothing."""

from __future__ import annotations

from collections.abc import Iterable

from limits import LOCALS_CALLED_FOUND
from source import Module, modules


def called_found(sources: Iterable[Module]) -> list[str]:
    return [f"{m.name}:{line}" for m in sources for name, line in m.local_names() if name == "found"]


def test_few_locals_are_called_found():
    lines = called_found(modules())
    print(f"locals called found: {len(lines)}")
    assert len(lines) <= LOCALS_CALLED_FOUND


def test_the_law_sees_such_a_local():
    made_up = "found = 1\ndef f(rows):\n    found = rows[0]\n    return found\n"
    assert called_found([Module("made_up", made_up)]) == ["made_up:3"]
