"""Names of new columns."""

from __future__ import annotations

from collections.abc import Container


def free_name(name: str, taken: Container[str]) -> str:
    """The name, with as many "_" behind it as it takes to be none that is taken.

    >>> free_name("group", ("age", "group")), free_name("group", ())
    ('group_', 'group')
    """
    while name in taken:
        name += "_"
    return name
