"""What a request may take, and what is said where it wants more: the one place of refusals."""

from __future__ import annotations

from dataclasses import dataclass, fields
from http import HTTPStatus

from likely.errors import LikelyError


@dataclass(frozen=True)
class RequestLimits:
    """How large requests may be, and how long they may take.

    >>> RequestLimits(rows=0)
    Traceback (most recent call last):
    likely.errors.LikelyError: rows=0: give a number above 0.

    Parameters
    ----------
    body : int
        Bytes of a request.
    rows : int
        Rows of a request to predict.
    explained : int
        Rows of a request to explain: a ledger is larger than a prediction.
    seconds : float
        How long a request may take to arrive, to be answered, and to be taken away, each.
    requests : int
        How many are worked on at the same time; more are told to come again.
    """

    body: int = 16_000_000
    rows: int = 100_000
    explained: int = 1_000
    seconds: float = 30.0
    requests: int = 64

    def __post_init__(self) -> None:
        for own in fields(self):
            value = getattr(self, own.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
                raise LikelyError(f"{own.name}={value!r}: give a number above 0.")


class RefusedError(LikelyError):
    """A request that is not answered: a status of HTTP, what is wrong, and what to do about it."""

    def __init__(self, status: HTTPStatus, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def fault() -> RefusedError:
    """What is said where the server itself fails: nothing of why."""
    return RefusedError(HTTPStatus.INTERNAL_SERVER_ERROR, "a fault of the server: see its log.")


def unreadable(message: str) -> RefusedError:
    """A body that is not what it says it is."""
    return RefusedError(HTTPStatus.BAD_REQUEST, message)


def unusable(message: str) -> RefusedError:
    """A body that can be read, and says what the model cannot use."""
    return RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, message)


def too_much(message: str) -> RefusedError:
    """A request that is too large."""
    return RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)


def too_long(message: str) -> RefusedError:
    """A request that took too long to arrive: the connection is closed."""
    return RefusedError(HTTPStatus.REQUEST_TIMEOUT, message, Connection="close")


def too_busy(message: str) -> RefusedError:
    """A request that comes at a bad time."""
    return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, message, Retry_After="1")
