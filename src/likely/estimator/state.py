"""What a model is made of <-> plain state: names, numbers and arrays.

Only what has a name in `file_types` is ever written, or made again when a file is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, fields
from datetime import date, datetime, time, timedelta
from itertools import repeat
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from likely.archive.file import VERSION
from likely.dist import family_class
from likely.errors import LikelyError
from likely.estimator.file_types import (
    ONLY_IN,
    choice_class,
    decode_estimator,
    encode_estimator,
    fits,
    form_of,
    hints_of,
    record_class,
)
from likely.estimator.registry import is_estimator

MICROSECOND = timedelta(microseconds=1)
LONGEST = 100  # characters of a time
_FORMAT: ContextVar[int] = ContextVar("format of the file that is read", default=VERSION)
MANY = 8  # records alike beyond so many are written field by field: a wide table is not a wall of names


def encode_time(value: object) -> dict[str, Any] | None:
    """The plain state of a date, time or duration; None if it is none of these.

    >>> encode_time(date(2024, 2, 29))
    {'is': 'date', 'text': '2024-02-29'}
    """
    if getattr(value, "nanosecond", 0) or getattr(value, "nanoseconds", 0):
        return None  # pandas' times, where Python's would lose digits
    if isinstance(value, datetime):
        zone = {"zone": value.tzinfo.key} if isinstance(value.tzinfo, ZoneInfo) else {}
        fold = {"fold": 1} if value.fold and value.tzinfo is None else {}
        return {"is": "datetime", "text": datetime.isoformat(value)} | zone | fold
    if isinstance(value, date):
        return {"is": "date", "text": value.isoformat()}
    if isinstance(value, time):
        return {"is": "time", "text": value.isoformat()}
    if isinstance(value, timedelta):
        return {"is": "timedelta", "microseconds": value // MICROSECOND}
    return None


def decode_time(name: str, state: dict[str, Any]) -> Any:
    """The value of such a state."""
    if name not in _MAKE:
        raise LikelyError(f"{name!r} is nothing that this version of likely knows: upgrade, if it is newer")
    return _MAKE[name](state)


def _text(state: dict[str, Any], key: str = "text") -> str:
    text = state[key]
    if type(text) is not str or len(text) > LONGEST:
        raise ValueError("it is not short text")
    return text


def _datetime(state: dict[str, Any]) -> datetime:
    moment = datetime.fromisoformat(_text(state))
    if "zone" in state:
        return moment.astimezone(ZoneInfo(_text(state, "zone")))
    return moment.replace(fold=1) if state.get("fold") == 1 else moment


def _timedelta(state: dict[str, Any]) -> timedelta:
    microseconds = state["microseconds"]
    if type(microseconds) is not int:
        raise TypeError("it is no whole number")
    return microseconds * MICROSECOND


_MAKE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "date": lambda state: date.fromisoformat(_text(state)),
    "datetime": _datetime,
    "time": lambda state: time.fromisoformat(_text(state)),
    "timedelta": _timedelta,
}


@contextmanager
def reading(version: int) -> Iterator[None]:
    """While what a file of this format holds is decoded."""
    token = _FORMAT.set(version)
    try:
        yield
    finally:
        _FORMAT.reset(token)


def encode(value: Any) -> Any:
    """The plain state of a value.

    >>> from likely.table.column.kinds import Kind
    >>> encode(Kind.COUNT), encode((1, "a", None)), encode({2: True})
    ({'is': 'Kind', 'name': 'COUNT'}, [1, 'a', None], {'is': 'mapping', 'pairs': [[2, True]]})
    """
    if isinstance(value, np.generic):
        value = value.item()
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if choice_class(kind.__name__) is kind:
        return {"is": kind.__name__, "name": value.name}
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind in "biuf" else encode(value.tolist())
    if kind is tuple:
        return _encode_items(value)
    if kind is list:
        return {"is": "list", "items": _encode_items(value)}
    if isinstance(value, Mapping):
        return {"is": "mapping", "pairs": [[encode(key), encode(item)] for key, item in value.items()]}
    form = form_of(kind)
    if form is not None:
        return encode(form.of(value))
    if record_class(kind.__name__) is kind:
        return {"is": kind.__name__} | {f.name: encode(getattr(value, f.name)) for f in fields(kind)}
    name = value.__name__ if isinstance(value, type) else ""
    if name and family_class(name) is value:
        return {"is": "family", "name": name}
    if is_estimator(value):
        return {"is": "estimator"} | encode_estimator(value, encode)
    time = encode_time(value)
    if time is None:
        what = (
            f"the class {value.__name__}"
            if isinstance(value, type)
            else f"{_cut(repr(value))} ({kind.__name__})"
        )
        raise LikelyError(
            f"{what} cannot be held by a model file: use text, numbers, times, and only families and priors "
            "of this library."
        )
    return time


def decode(state: Any, inside: str | None = None) -> Any:
    """The value of a plain state; an error if it is that of nothing known. `inside` is the record around it.

    >>> from likely.table.column.kinds import Kind
    >>> decode(encode({"a": (1, 2.5), "b": [Kind.TEXT]}))
    {'a': (1, 2.5), 'b': [<Kind.TEXT: 'text'>]}
    """
    if isinstance(state, list):
        plain = {list, dict}.isdisjoint(map(type, state))
        return tuple(state) if plain else tuple(map(decode, state))
    if not isinstance(state, dict):
        return state
    name = state.get("is")
    if type(name) is not str:
        raise LikelyError("it does not say what a part of it is")
    if record_class(name) is not None:
        if ONLY_IN.get(name, inside) != inside:
            raise LikelyError(f"a {name} stands where none can be")
        return _record(name, {key: decode(item, name) for key, item in state.items() if key != "is"})
    if (choices := choice_class(name)) is not None:
        return _one_of(choices.__members__, state.get("name"), name)
    if name in _OTHERS:
        return _OTHERS[name](state)
    return decode_time(name, state)


def _encode_items(items: Sequence[Any]) -> Any:
    """One after another; or, if they are many records of one class, field by field."""
    kinds = set(map(type, items))
    if kinds <= {str, int, bool}:
        return list(items)
    if len(items) <= MANY or len(kinds) > 1 or record_class(type(items[0]).__name__) not in kinds:
        return [encode(item) for item in items]
    cls = type(items[0])
    columns = {f.name: _encode_field([getattr(item, f.name) for item in items]) for f in fields(cls)}
    if all(column.get("which", 0) is None for column in columns.values()):  # nothing would show how many
        return [encode(item) for item in items]
    return {"is": "many", "of": cls.__name__, "n": len(items), "fields": columns}


def _encode_field(values: list[Any]) -> dict[str, Any]:
    """The values of one field: the different ones and which of them each is, if they are few."""
    place: dict[Any, int] = {}
    try:
        which = [place.setdefault(_key(value), len(place)) for value in values]
    except TypeError:  # arrays, which nothing can be looked up by
        return {"each": [encode(value) for value in values]}
    if 2 * len(place) > len(values):
        return {"each": [encode(value) for value in values]}
    first = dict(zip(reversed(which), reversed(values), strict=True))
    different = [encode(first[code]) for code in range(len(place))]
    return {"values": different, "which": np.array(which, np.int32) if len(place) > 1 else None}


def _key(value: object) -> Any:
    """What tells values apart: 1, 1.0 and True are three."""
    return tuple(map(_key, value)) if type(value) is tuple else (type(value), value)


def _many(state: dict[str, Any]) -> tuple[Any, ...]:
    """Many records of one class; each different value of a field is looked at once."""
    name, n, columns = state.get("of"), state.get("n"), state.get("fields")
    if type(name) is not str or type(n) is not int or type(columns) is not dict:
        raise LikelyError("it has a list of nothing known")
    cls = record_class(name)
    if cls is None:
        raise LikelyError("it has a list of nothing known")
    _check_names(name, columns)
    values_of = {field: _field(name, field, column, n) for field, column in columns.items()}
    if all(
        isinstance(values, repeat) for values in values_of.values()
    ):  # so a small file cannot ask for millions
        raise LikelyError("a list does not show how long it is")
    rows = zip(*values_of.values(), strict=True)
    return tuple(cls(**dict(zip(values_of, row, strict=True))) for row in rows)


def _field(name: str, field: str, column: object, n: int) -> Iterable[Any]:
    """The n values of a field."""
    if type(column) is dict and type(column.get("each")) is list and len(column["each"]) == n:
        return _checked(name, field, tuple(map(decode, column["each"])))
    if type(column) is not dict or type(column.get("values")) is not list or not column["values"]:
        raise LikelyError("a list has no values")
    values, which = _checked(name, field, tuple(map(decode, column["values"]))), column.get("which")
    if which is None:
        return repeat(values[0], n)
    if not isinstance(which, np.ndarray) or which.dtype.kind != "i" or which.shape != (n,):
        raise LikelyError("a list does not say which values it has")
    if n and not (which.min() >= 0 and which.max() < len(values)):
        raise LikelyError("a list has values that are not there")
    return [values[i] for i in which.tolist()]


def _record(name: str, given: dict[str, Any]) -> Any:
    """A record of a known class, if every field is there, is known, and is of its type."""
    of_older = getattr(record_class(name), "of_older", None)
    given = given if of_older is None else of_older(given)
    _check_names(name, given)
    for field, value in given.items():
        _checked(name, field, (value,))
    made = record_class(name)(**given)
    return made.restored(_FORMAT.get()) if hasattr(made, "restored") else made


def _check_names(name: str, given: Mapping[str, Any]) -> None:
    known = {f.name: f for f in fields(record_class(name))}
    for field in given:
        if field not in known:
            raise LikelyError(f"a {name} has no {field!r}")
    for field, f in known.items():
        if field not in given and f.default is MISSING and f.default_factory is MISSING:
            raise LikelyError(f"a {name} has no {field!r}")


def _checked(name: str, field: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Values of a field, if they are of its type."""
    hint = hints_of(record_class(name))[field]
    for value in values:
        if not fits(value, hint):
            raise LikelyError(f"{field!r} of a {name} cannot be {_short(value)}")
    return values


def _list(state: dict[str, Any]) -> list[Any]:
    if type(state.get("items")) is not list:
        raise LikelyError("a list has no items")
    return list(decode(state["items"]))


def _mapping(state: dict[str, Any]) -> dict[Any, Any]:
    pairs = state.get("pairs")
    if type(pairs) is not list or not all(type(pair) is list and len(pair) == 2 for pair in pairs):
        raise LikelyError("a mapping has no pairs")
    return {decode(key): decode(item) for key, item in pairs}


def _one_of(known: Mapping[str, Any], name: object, what: str) -> Any:
    if type(name) is not str or name not in known:
        raise LikelyError(f"{name!r} is no {what} that this version of likely knows")
    return known[name]


def _family(name: object) -> Any:
    family = family_class(name) if type(name) is str else None
    if family is None:
        raise LikelyError(f"{name!r} is no family that this version of likely knows")
    return family


_OTHERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "list": _list,
    "mapping": _mapping,
    "estimator": lambda state: decode_estimator(state, decode),
    "many": _many,
    "family": lambda state: _family(state.get("name")),
}


def _short(value: object) -> str:
    return _cut(repr(value)) if isinstance(value, bool | int | float | str) else f"a {type(value).__name__}"


def _cut(said: str) -> str:
    return said if len(said) <= 60 else f"{said[:57]}..."
