"""Trees of names and numbers <-> JSON that people can read."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any

from likely.errors import LikelyError

LINE = 110  # what fits is written on one line
ROW = 16  # numbers or words on a line, where there are many

_scalar = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def to_text(tree: object) -> str:
    """A tree as JSON: what is short on one line, the rest indented.

    >>> print(to_text({"name": "age", "levels": None}))
    {"name": "age", "levels": null}
    """
    return _rendered(tree, 0)


def from_text(text: str) -> Any:
    """The tree of a JSON text; anything that is not strict JSON is refused."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except RecursionError:
        raise LikelyError("it is nested too deeply") from None
    except LikelyError:
        raise
    except ValueError as cause:  # also a number of thousands of digits
        raise LikelyError(f"it is not JSON: {cause}") from None


def _rendered(tree: object, depth: int) -> str:
    if isinstance(tree, dict):
        parts = [f"{_scalar(key)}: {_rendered(value, depth + 1)}" for key, value in tree.items()]
        return _joined(parts, "{}", depth)
    if not isinstance(tree, list):
        return _scalar(tree)
    kinds = set(map(type, tree))
    if kinds & {dict, list}:
        return _joined([_rendered(item, depth + 1) for item in tree], "[]", depth)
    # Values without parts of their own. A vocabulary has many: one call for each would take too long.
    said = list(map(encode_basestring if kinds == {str} else _scalar, tree))
    rows = [", ".join(said[start : start + ROW]) for start in range(0, len(said), ROW)]
    return _joined(rows, "[]", depth)


def _joined(parts: list[str], brackets: str, depth: int) -> str:
    """The parts in brackets: on one line, or on a line each."""
    opens, closes = brackets[0], brackets[1]
    if sum(map(len, parts)) + 2 * len(parts) <= LINE and not any("\n" in part for part in parts):
        return opens + ", ".join(parts) + closes
    inner = "\n" + "  " * (depth + 1)
    return f"{opens}{inner}{f',{inner}'.join(parts)}\n{'  ' * depth}{closes}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise LikelyError("it gives one name two meanings")
    return mapping


def _refuse(word: str) -> Any:
    raise LikelyError(f"{word} is not a number in JSON")
