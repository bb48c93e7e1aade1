"""One name, one class."""

from __future__ import annotations

from collections.abc import Iterable

from limits import CLASS_NAMES_TWICE
from source import Module, modules


def used_twice(sources: Iterable[Module]) -> dict[str, list[str]]:
    """The names of several classes, with their modules; a private one is the matter of its file."""
    where: dict[str, list[str]] = {}
    for module in sources:
        for node in module.classes():
            if not node.name.startswith("_"):
                where.setdefault(node.name, []).append(module.name)
    return {name: names for name, names in where.items() if len(names) > 1}


def test_class_names_are_used_once():
    twice = used_twice(modules())
    print(f"class names used twice: {sorted(twice)}")
    assert len(twice) <= CLASS_NAMES_TWICE, twice


def test_the_law_sees_a_second_class_of_a_name():
    made_up = "class Rows: pass\nclass _Own: pass\n"
    assert used_twice([Module("a", made_up), Module("b", made_up)]) == {"Rows": ["a", "b"]}
