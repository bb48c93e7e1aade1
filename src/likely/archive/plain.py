"""Plain values <-> JSON that people can read, and the arrays that it cannot hold."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.archive.arrays import Layout
from likely.errors import LikelyError

LINE = 110  # what fits is written on one line
ROW = 16  # numbers or words on a line, where there are many

_scalar = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
Array = NDArray[Any]
DEEPEST = 60  # no honest state is nested so deeply, and Python itself gives up at about a thousand
INLINE = 64  # arrays of up to so many numbers are written in the text, where people can read them
ODD = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}  # floats that JSON has no words for


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


def pack(value: object) -> tuple[Any, dict[str, Array]]:
    """The tree of a plain value, and the arrays that it refers to by name.

    >>> pack({"rate": float("inf"), "counts": np.array([1.0, 2.0])})[0]
    {'rate': {'$float': 'inf'}, 'counts': {'$values': [1.0, 2.0], 'dtype': '<f8', 'shape': [2], 'order': 'C'}}
    >>> tree, arrays = pack({"table": np.zeros((10, 10))})
    >>> tree, list(arrays)
    ({'table': {'$array': 'table'}}, ['table'])
    """
    arrays: dict[str, Array] = {}
    return _pack(value, arrays, ()), arrays


def unpack(tree: object, arrays: Mapping[str, Array]) -> Any:
    """The plain value that a tree and its arrays stand for."""
    return _unpack(tree, arrays, 0)


def _pack(value: Any, arrays: dict[str, Array], path: tuple[str, ...]) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return value if math.isfinite(value) else {"$float": repr(value)}
    if kind is list:
        if len(value) > INLINE and set(map(type, value)) <= {str, int, bool}:
            return value
        return [_pack(item, arrays, (*path, str(i))) for i, item in enumerate(value)]
    if kind is dict:
        for key in value:
            if type(key) is not str or key.startswith("$"):
                raise TypeError(f"{key!r} cannot be a key of plain state")
        return {key: _pack(item, arrays, (*path, key)) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        if value.size <= INLINE:
            layout = Layout.of(value)
            return {"$values": _pack(value.ravel(layout.order).tolist(), arrays, path), **layout.as_dict()}
        name = ".".join(path)
        name = (
            name if re.fullmatch(r"[\w.]{1,200}", name, re.ASCII) and name not in arrays else str(len(arrays))
        )
        arrays[name] = value
        return {"$array": name}
    raise TypeError(f"a {kind.__name__} is not plain")


def _unpack(tree: object, arrays: Mapping[str, Array], depth: int) -> Any:
    if depth > DEEPEST:
        raise LikelyError(f"it is nested more than {DEEPEST} deep")
    if type(tree) is list:
        if len(tree) > INLINE and set(map(type, tree)) <= {str, int, bool}:
            return tree
        return [_unpack(item, arrays, depth + 1) for item in tree]
    if type(tree) is not dict:
        return tree
    if "$float" in tree:
        return _odd(tree)
    if "$array" in tree:
        name = tree["$array"]
        if type(name) is not str or name not in arrays:
            raise LikelyError(f"it refers to an array {name!r} that is not there")
        return arrays[name]
    if "$values" in tree:
        return _inline(tree)
    return {key: _unpack(item, arrays, depth + 1) for key, item in tree.items()}


def _odd(tree: dict[str, Any]) -> float:
    word = tree.get("$float")
    if type(word) is not str or word not in ODD:
        raise LikelyError(f"{word!r} is not a number")
    return ODD[word]


def _inline(tree: dict[str, Any]) -> Array:
    layout, values = Layout.from_dict(tree), tree["$values"]
    if type(values) is not list or len(values) != layout.size:
        raise LikelyError(f"an array of shape {layout.shape} does not have its {layout.size} values")
    return layout.shaped(np.array(_numbers(values, layout), layout.dtype))


def _numbers(values: Sequence[Any], layout: Layout) -> list[Any]:
    """The values of an array, each of a type that its dtype takes."""
    kind = np.dtype(layout.dtype).kind
    numbers = [_odd(v) if kind == "f" and type(v) is dict else v for v in values]
    wanted = {bool} if kind == "b" else {float, int} if kind == "f" else {int}
    wrong = [v for v in numbers if type(v) not in wanted]
    if not wrong and kind != "b":
        limits = np.iinfo(layout.dtype) if kind in "iu" else np.finfo(np.float64)
        low, high = int(limits.min), int(limits.max)  # as Python's own: no float can be larger
        wrong = [v for v in numbers if type(v) is int and not low <= v <= high]
    if wrong:
        raise LikelyError(f"{wrong[0]!r} stands in an array of {layout.dtype}")
    return numbers
