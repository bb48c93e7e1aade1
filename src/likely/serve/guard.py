"""Who may ask: the host, the origin and the token of a request; what every answer carries; the log."""

from __future__ import annotations

import base64
import binascii
import hmac
import ipaddress
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from likely.format.words import json_text
from likely.serve.asgi import Application, Message, Receive, Send
from likely.serve.limits import RefusedError, fault
from likely.serve.work import encoded

LOG = logging.getLogger("likely.serve")
PROBLEM = b"application/problem+json"
OPEN = ("/health",)  # to everybody, so that whoever watches the server needs no token
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
_NOTHING = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")


def problem(error: RefusedError) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """The body and the headers of a refusal, as RFC 9457 has them."""
    status = HTTPStatus(error.status)
    said = {"type": "about:blank", "title": status.phrase, "status": int(status), "detail": str(error)}
    body = encoded(json_text(said))
    more = [(name.lower().encode(), value.encode("latin-1")) for name, value in error.headers.items()]
    return body, [(b"content-type", PROBLEM), (b"content-length", str(len(body)).encode()), *more]


@dataclass(frozen=True)
class Guard:
    """An application that lets in whom it should, and answers all others itself."""

    inner: Application
    token: str | None
    hosts: Sequence[str]

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = [(name.lower(), value) for name, value in message.get("headers", [])]
                names = {name for name, _ in own}
                policy = [] if _NOTHING[0] in names else [_NOTHING]
                message = {**message, "headers": [*own, *(h for h in _HEADERS if h[0] not in names), *policy]}
            await send(message)

        try:
            self.check(scope)
            await self.inner(scope, receive, sent)
        except RefusedError as error:
            await _refuse(error, sent)
        except Exception as error:  # a fault of ours: nothing of it is told, and nothing of the data logged
            trace = error.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            where = f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace else ""
            LOG.error(json_text({"time": _now(), "fault": type(error).__name__, "at": where}))
            if not status:
                await _refuse(fault(), sent)
        finally:
            spent = round(1000 * (time.perf_counter() - began), 2)
            said = {"time": _now(), "method": scope["method"], "path": scope.get("likely.path", "unknown")}
            LOG.info(json_text({**said, "status": status, "rows": scope.get("likely.rows", 0), "ms": spent}))

    def check(self, scope: Message) -> None:
        """Refuse a request that comes under another name, from another page, or without the token."""
        headers: dict[bytes, bytes] = dict(reversed(scope["headers"]))
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._is_ours(host):
            raise RefusedError(
                HTTPStatus.MISDIRECTED_REQUEST,
                f"this server is not called {host[:100]!r}: use its numeric address, or start it with "
                "--allow-host NAME.",
            )
        origin = headers.get(b"origin")
        if origin is not None and _netloc(origin.decode("latin-1")) != host.lower():
            raise RefusedError(
                HTTPStatus.FORBIDDEN, "requests from pages of other servers are refused: ask from no page."
            )
        if self.token is not None and scope["path"] not in OPEN:
            sent = _token(headers.get(b"authorization", b""))
            if not hmac.compare_digest(sent, self.token.encode()):
                raise RefusedError(
                    HTTPStatus.UNAUTHORIZED,
                    'the token is missing or wrong: send it as "Authorization: Bearer TOKEN", or as the '
                    "password in a browser.",
                    WWW_Authenticate='Basic realm="likely", charset="UTF-8"',
                )

    def _is_ours(self, host: str) -> bool:
        """Whether a request may name this host.

        A name can be made to lead here by whoever owns it (DNS rebinding); a number cannot.
        """
        name = (_netloc(f"//{host}", port=False) or "").strip("[]")
        if not name or "*" in self.hosts:
            return bool(name)
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name == "localhost" or name in {own.lower() for own in self.hosts}
        return True


def is_loopback(host: str) -> bool:
    """Whether only this machine can call.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("::1")
    (True, True, False, True)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def _refuse(error: RefusedError, send: Send) -> None:
    body, headers = problem(error)
    await send({"type": "http.response.start", "status": int(error.status), "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _netloc(address: str, port: bool = True) -> str | None:
    try:
        split = urlsplit(address)
        return split.netloc.lower() if port else split.hostname
    except ValueError:
        return None


def _token(header: bytes) -> bytes:
    """The token in a header: that of a bearer, or the password of anybody."""
    scheme, _, value = header.strip().partition(b" ")
    if scheme.lower() == b"bearer":
        return value.strip()
    if scheme.lower() != b"basic":
        return b""
    try:
        return base64.b64decode(value.strip(), validate=True).partition(b":")[2]
    except binascii.Error:
        return b""


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
