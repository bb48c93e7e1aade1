"""Everything that `likely` raises or warns with, in one place.

ValueError
 └── LikelyError            the input cannot be used: column, value and remedy are in the message
      └── LackingError      what was asked for is not there: an AttributeError too, so that `hasattr` says no
UserWarning
 └── LikelyWarning          the answer stands, but the user should know something about it
FutureWarning               an old name is used, which goes with the next release
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import Any


class LikelyError(ValueError):
    """The input cannot be used. The message names the column, the value and the remedy."""


class LackingError(LikelyError, AttributeError):
    """An attribute that this fitted model does not have, others of its kind do."""


@contextmanager
def lacking() -> Iterator[None]:
    """What is refused inside is an attribute that is not there.

    Notebooks list what a model has by asking for it, and only then an error is an answer.

    >>> with lacking():
    ...     raise LikelyError("a model of two classes alone has this")
    Traceback (most recent call last):
    likely.errors.LackingError: a model of two classes alone has this
    """
    try:
        yield
    except LikelyError as error:
        raise LackingError(str(error)) from None


class LikelyWarning(UserWarning):
    """The answer stands, but something about it deserves a look."""


_WRAPPERS = ("likely", "sklearn", "contextlib", "functools")
_HEARD: ContextVar[list[str] | None] = ContextVar("heard", default=None)


@contextmanager
def heard(said: list[str] | None = None) -> Iterator[list[str]]:
    """What is noticed inside comes to a list, a new one or the one given, once each, and is no warning.

    For threads that answer at the same time: `warnings.catch_warnings` is one for all of them.

    >>> with heard() as said:
    ...     notice("column 'id' is ignored")
    ...     notice("column 'id' is ignored")
    >>> said
    ["column 'id' is ignored"]
    """
    said = [] if said is None else said
    before = _HEARD.set(said)
    try:
        yield said
    finally:
        _HEARD.reset(before)


def notice(message: str) -> None:
    """Say something once, as a warning at the line of the user's own code that called the library.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     notice("column 'id' is ignored")
    >>> said[0].category.__name__
    'LikelyWarning'
    """
    said = _HEARD.get()
    if said is None:
        warnings.warn(message, LikelyWarning, stacklevel=_levels_to_the_caller())
    elif message not in said:
        said.append(message)


def _levels_to_the_caller() -> int:
    """How far above who warns the first frame is that is neither ours nor of what wraps our methods."""
    frame, levels = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _WRAPPERS:
        frame, levels = frame.f_back, levels + 1
    return levels


def renamed(old: str, new: str) -> None:
    """Say that something has a better name now; the old one works for one release."""
    message = f"{old} is {new} now: the old name goes with release 0.4."
    warnings.warn(message, FutureWarning, stacklevel=_levels_to_the_caller())


def old_names(module: str, now: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a module of which some names have changed: they work, and warn.

    now: by old name, where the thing is and what it is called there.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     old_names("likely.errors", {"Wrong": "likely.errors.LikelyError"})("Wrong").__name__
    'LikelyError'
    >>> str(said[0].message)
    'likely.errors.Wrong is likely.errors.LikelyError now: the old name goes with release 0.4.'
    """

    def named(name: str) -> Any:
        if name not in now:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        renamed(f"{module}.{name}", now[name])
        home, _, new = now[name].rpartition(".")
        return getattr(import_module(home), new)

    return named
