"""Model files as a liar would write them: a sound file, then changed in one place or several."""

from __future__ import annotations

import copy
import json
import random
import zlib
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

STATE, SEAL = "model.json", "model.json.sha256"

ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 7, 2**31, 2**63, 10**400, -(10**30), 0.5, -1.5, 1e308, 1e-320),
    *("", "a", "default", "Kind", "\ud800", "x" * 1000, [], [[]], {}, [None], [0], {"is": "Column"}),
    *(
        {"$float": "nan"},
        {"$float": "inf"},
        {"$float": "-inf"},
        {"$array": "nothing"},
        {"is": "mapping", "pairs": []},
    ),
    *({"is": "list", "items": ["a", "a"]}, {"is": "Kind", "name": "TEXT"}, {"is": "Type", "name": "MIXED"}),
    *(
        {"is": "family", "name": "Kernel"},
        {"is": "family", "name": "MultivariateNormal"},
        {"is": "Reads", "name": "WORDS"},
    ),
    {"is": "Laplace", "strength": 2.0},
    {"is": "Beta", "a": 1.0, "b": 2.0},
    {"$values": [1.0, 2.0], "dtype": "<f8", "shape": [2], "order": "C"},
    {"$values": [], "dtype": "<f8", "shape": [0, 10**15], "order": "F"},
    {"is": "many", "of": "Column", "n": 10**9, "fields": {"name": {"values": ["a"], "which": None}}},
    {"is": "Places", "d": 10**12},
    {"is": "Places", "d": 10**30},
    {"is": "date", "text": "2024-01-01"},
    {"is": "datetime", "text": "2024-01-01T00:00:00", "zone": "../../etc/passwd"},
]


def members(content: bytes) -> dict[str, bytes]:
    """What a file holds."""
    with ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: dict[str, bytes], method: int = ZIP_STORED) -> bytes:
    """A file of these parts."""
    out = BytesIO()
    with ZipFile(out, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def sealed(parts: dict[str, bytes], state: Any) -> bytes:
    """A file with another state, and checksums that are right all the same."""
    for name, entry in state["arrays"].items() if isinstance(state.get("arrays"), dict) else ():
        if isinstance(entry, dict) and f"arrays/{name}.npy" in parts:
            entry["crc32"] = f"{zlib.crc32(parts[f'arrays/{name}.npy']):08x}"
    text = json.dumps(state).encode("utf-8", "surrogatepass")
    return packed(parts | {STATE: text, SEAL: f"{sha256(text).hexdigest()}  {STATE}\n".encode()})


def places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a tree."""
    yield path
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def changed_state(state: Any, rng: random.Random) -> Any:
    """The state, changed in place: something left out, changed, swapped or said twice."""
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        *path, last = rng.choice([place for place in places(state) if len(place) > 1])
        parent = state
        for key in path:
            parent = parent[key]
        match rng.randrange(7):
            case 0:
                del parent[last]
            case 1 if isinstance(parent, list):
                parent.insert(last, copy.deepcopy(parent[last]))
            case 2 if isinstance(parent[last], (int, float)):
                number = parent[last]
                large = number * (1e200 if isinstance(number, float) else 10**200)
                parent[last] = rng.choice([number + 1, -number, large, 0, number - 1])
            case 3:
                other: Any = state
                for key in rng.choice(list(places(state))):
                    other = other[key]
                parent[last] = copy.deepcopy(other)
            case 4 if isinstance(parent, dict):
                parent["surprise"] = 1
            case 5 if isinstance(parent, list):
                rng.shuffle(parent)
            case _:
                parent[last] = copy.deepcopy(rng.choice(ODD))
    return state


def changed_bytes(content: bytes, rng: random.Random) -> bytes:
    """The content with bytes flipped, cut out, doubled or cut off."""
    found = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 8])):
        at = rng.randrange(len(found)) if found else 0
        match rng.randrange(4):
            case 0:
                found[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del found[at : at + rng.choice([1, 4, 64])]
            case 2:
                found[at:at] = found[at : at + rng.choice([1, 8, 64])]
            case _:
                if found:
                    found[at] ^= 1 << rng.randrange(8)
    return bytes(found[: rng.randrange(len(found) + 1)] if rng.random() < 0.05 else found)


@cache
def _opened(path: Path) -> tuple[bytes, dict[str, bytes]]:
    content = path.read_bytes()
    return content, members(content)


def hostile(path: Path, rng: random.Random) -> bytes:
    """One more lie about the model in a file."""
    content, parts = _opened(path)
    kind = rng.random()
    if kind < 0.15:
        return changed_bytes(content, rng)
    if kind < 0.3:  # damaged arrays under right checksums
        arrays = [name for name in parts if name.startswith("arrays/")]
        name = rng.choice(arrays or [STATE])
        parts = parts | {name: changed_bytes(parts[name], rng)}
        if arrays:
            return sealed(parts, json.loads(parts[STATE]))
        return packed(parts | {SEAL: f"{sha256(parts[STATE]).hexdigest()}  {STATE}\n".encode()})
    return sealed(parts, changed_state(json.loads(parts[STATE]), rng))
