"""Dates, times and durations <-> plain state, to the last digit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from likely.errors import LikelyError

MICROSECOND = timedelta(microseconds=1)
LONGEST = 100  # characters of a time


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
