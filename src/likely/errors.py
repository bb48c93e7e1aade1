"""Everything that `likely` raises or warns with, in one place.

ValueError
 └── LikelyError            the input cannot be used: column, value and remedy are in the message
UserWarning
 └── LikelyWarning          the answer stands, but the user should know something about it
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class LikelyError(ValueError):
    """The input cannot be used. The message names the column, the value and the remedy."""


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
    """How far above `notice` the first frame is that is neither ours nor of what wraps our methods."""
    frame, levels = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _WRAPPERS:
        frame, levels = frame.f_back, levels + 1
    return levels
