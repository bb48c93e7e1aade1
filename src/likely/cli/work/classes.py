"""A class as it is typed -> the class that a model knows: 1 is the number, not the text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from likely.cli.work.pairs import nearest
from likely.errors import LikelyError


def class_named(word: str, classes: Iterable[Any]) -> Any:
    """The class that is written like this.

    >>> class_named("1", [0, 1])
    1
    """
    by_name = {str(label): label for label in classes}
    if word not in by_name:
        hint = nearest(word, by_name).replace("columns", "classes")
        raise LikelyError(f"there is no class {word!r}: {hint}")
    return by_name[word]
