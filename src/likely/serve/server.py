"""A server for one application on one socket: it ends well, and no client holds it up."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from likely.errors import LikelyError
from likely.format.words import json_text
from likely.serve.asgi import Application
from likely.serve.guard import LOG
from likely.serve.limits import RequestLimits

CONNECTIONS = 512  # that are open at the same time
LONGEST_HEADERS = 1 << 15  # bytes
SWITCH = 0.001  # seconds that a thread computes before another has its turn
PATIENCE = 10  # seconds that requests have to end once the server is told to stop


class PatientProtocol(H11Protocol):
    """HTTP that waits for nobody longer than `seconds`: not for headers, and not for a reader."""

    seconds = 30.0
    _late: asyncio.TimerHandle | None = None  # what happens if headers do not come
    _stuck: asyncio.TimerHandle | None = None  # what happens if nobody reads

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody calls: a request must follow."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Something came, which may be part of the headers."""
        super().data_received(data)
        self._watch()

    def _watch(self) -> None:
        """Give headers that are not complete their time, from the first byte of them on."""
        waiting = self.conn.their_state is h11.IDLE and not self.transport.is_closing()
        if waiting and self._late is None:
            self._late = self.loop.call_later(self.seconds, self.transport.abort)
        elif not waiting and self._late is not None:
            self._late.cancel()
            self._late = None

    def pause_writing(self) -> None:
        """The reader is slow: it has its time."""
        super().pause_writing()
        self._stuck = self.loop.call_later(self.seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The reader goes on."""
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        for handle in (self._late, self._stuck):
            if handle is not None:
                handle.cancel()
        self._late = self._stuck = None
        super().connection_lost(exc)


class Server(uvicorn.Server):
    """A server that says where it is, and for which a signal to stop is no failure."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at the first SIGINT or SIGTERM when all requests are answered; at the second at once."""
        main = threading.current_thread() is threading.main_thread()  # which alone may handle signals
        stop = (signal.SIGINT, signal.SIGTERM) if main else ()
        before = {number: signal.signal(number, self.handle_exit) for number in stop}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def bound(host: str, port: int) -> socket.socket:
    """A socket at this address; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise LikelyError(
            f"port {port} of {host} cannot be had ({error.strerror or error}): name another with --port, or "
            "0 for any that is free."
        ) from error
    except OverflowError as error:
        raise LikelyError(f"--port {port}: ports go from 0 to 65535.") from error


def address(held: socket.socket) -> str:
    """The URL of what listens at a socket."""
    host, port = held.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def run(
    application: Application, held: socket.socket, limits: RequestLimits, ready: Callable[[], None]
) -> None:
    """Answer requests at a socket until SIGINT or SIGTERM; logs are lines of JSON on standard error."""
    log_to_standard_error()
    sys.setswitchinterval(SWITCH)
    with held:
        Server(config_of(application, limits), ready).run([held])


def config_of(application: Application, limits: RequestLimits) -> uvicorn.Config:
    """How an application is served."""
    protocol = type("TimedProtocol", (PatientProtocol,), {"seconds": limits.seconds})
    return uvicorn.Config(
        application,
        http=protocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=CONNECTIONS,
        h11_max_incomplete_event_size=LONGEST_HEADERS,
        timeout_graceful_shutdown=PATIENCE,
    )


class JsonLines(logging.Formatter):
    """Log records of others as lines of JSON, as ours are already."""

    def format(self, record: logging.LogRecord) -> str:
        """One line; tracebacks may hold data, and are left out."""
        if record.name == LOG.name:
            return record.getMessage()
        fault = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        return json_text({"level": record.levelname.lower(), "message": record.getMessage(), "fault": fault})


def log_to_standard_error() -> None:
    """Our log, and the complaints of the server below."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in ((LOG.name, logging.INFO), ("uvicorn.error", logging.WARNING)):
        log = logging.getLogger(name)
        log.handlers[:] = [handler]
        log.setLevel(level)
        log.propagate = False
