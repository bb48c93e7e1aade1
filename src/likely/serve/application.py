"""The ASGI application: which path does what, and who does the work."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from http import HTTPStatus
from io import BytesIO
from itertools import islice
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from likely.errors import LikelyError, heard
from likely.format.words import json_text
from likely.serve import work as requests
from likely.serve.asgi import Application, Message, Receive, Send
from likely.serve.front import front
from likely.serve.guard import Guard, problem
from likely.serve.limits import RefusedError, RequestLimits, fault, too_busy, too_long, too_much, unusable
from likely.serve.openapi import document
from likely.serve.served import Served
from likely.serve.work import CSV, JSON, LINES, Job, encoded

Work = Callable[[Served, RequestLimits, Job], Iterator[bytes]]
SMALL, FEW = 20_000, 50  # bytes of a body, and its rows: such requests do not wait behind large ones
HTML = "text/html"
PIECE = 1 << 16  # bytes that are sent at a time, so that a slow reader holds no more
FIRST = 3  # blocks that are made before any is sent: an answer of fewer has a length
_ROWS = {JSON: JSON, LINES: LINES, "application/jsonl": LINES, CSV: CSV}


@dataclass
class Blocks:
    """An answer in blocks, each of which is made by a thread when it is asked for."""

    made: Iterator[bytes]
    job: Job
    pool: ThreadPoolExecutor
    spent: float = 0.0  # seconds of waiting for them

    async def some(self, most: int, seconds: float) -> list[bytes]:
        """The next ones, `most` or all that are left; refused once all of them took longer than that.

        One visit to a thread for all of them: of a single prediction the way there and back is what costs.
        """
        task = asyncio.get_running_loop().run_in_executor(self.pool, self._step, most)
        began = time.perf_counter()
        done, _ = await asyncio.wait((task,), timeout=max(seconds - self.spent, 0.0))
        self.spent += time.perf_counter() - began
        if not done:
            task.add_done_callback(lambda late: late.exception())  # nobody waits for it any more
            raise too_busy(f"the answer takes longer than {seconds:g} s: send fewer rows, or ask for less.")
        try:
            return task.result()
        except RefusedError:
            raise
        except LikelyError as error:
            raise unusable(str(error)) from error

    async def rest(self, seconds: float) -> AsyncIterator[bytes]:
        """All that are left, one at a time."""
        while one := await self.some(1, seconds):
            yield one[0]

    def _step(self, most: int) -> list[bytes]:
        with heard(self.job.notes):
            return list(islice(self.made, most))


class BlockResponse(StreamingResponse):
    """An answer that is sent while it is made; whatever is held for it is let go when it is over."""

    def __init__(
        self, first: list[bytes], rest: AsyncIterator[bytes], media_type: str, held: ExitStack
    ) -> None:
        self._held = held
        super().__init__(_pieces(first, rest), media_type=media_type)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Send it."""
        with self._held:
            await super().__call__(scope, receive, send)


async def _pieces(first: list[bytes], rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    while first:
        for piece in _cut(first.pop(0)):
            yield piece
    async for block in rest:
        for piece in _cut(block):
            yield piece


def _cut(block: bytes) -> Iterator[bytes]:
    return iter(partial(BytesIO(block).read, PIECE), b"")


@dataclass
class AnswerDesk:
    """A model and the threads that answer with it.

    Small requests have a thread of their own: a prediction does not wait until ten thousand are made.
    """

    served: Served
    limits: RequestLimits
    active: int = 0  # requests that are worked on
    quick: ThreadPoolExecutor = field(init=False)
    slow: ThreadPoolExecutor = field(init=False)

    def __post_init__(self) -> None:
        # One thread: two would wait for each other's turn at the interpreter, of a pool half of the time.
        self.quick = ThreadPoolExecutor(1, "likely-quick")
        self.slow = ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1), "likely-slow")

    @cached_property
    def document(self) -> bytes:
        """What can be asked, for programs."""
        return encoded(json_text(document(self.served, self.limits)))

    @cached_property
    def front(self) -> bytes:
        """What people see."""
        return front(self.served).encode()

    async def answer(self, request: Request, work: Work, forms: dict[str, str]) -> Response:
        """Read a request, do the work in threads, and send what comes of it, block by block as it is made."""
        form = _form_of(request, forms)
        with ExitStack() as held:
            held.enter_context(self._place())
            body = await self._body(request)
            job = Job(body, form, _wanted(request, form, forms), dict(request.query_params))
            held.callback(job.stopped.set)
            held.callback(lambda: request.scope.update({"likely.rows": job.rows}))
            small = work in (requests.predict, requests.explain) and is_small(body, form)
            blocks = Blocks(work(self.served, self.limits, job), job, self.quick if small else self.slow)
            first = await blocks.some(FIRST, self.limits.seconds)
            if len(first) < FIRST:
                return Response(b"".join(first), media_type=job.wanted)
            rest = blocks.rest(self.limits.seconds)
            return BlockResponse(first, rest, job.wanted, held.pop_all())

    @contextmanager
    def _place(self) -> Iterator[None]:
        """One of the places for requests; refused if all are taken."""
        if self.active >= self.limits.requests:
            raise too_busy(f"{self.active} requests are worked on: send this one again in a second.")
        self.active += 1
        try:
            yield
        finally:
            self.active -= 1

    async def _body(self, request: Request) -> bytes:
        most = self.limits.body
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > most:
            raise too_much(f"the body has {length[:20]} bytes, and {most} are allowed: send fewer rows.")
        pieces, size = [], 0
        try:
            async with asyncio.timeout(self.limits.seconds):
                async for piece in request.stream():
                    size += len(piece)
                    if size > most:
                        raise too_much(f"the body has more than {most} bytes: send fewer rows at a time.")
                    pieces.append(piece)
        except TimeoutError:
            raise too_long(f"the body took longer than {self.limits.seconds:g} s to arrive.") from None
        except ClientDisconnect:
            raise too_long("whoever asked is gone.") from None
        return b"".join(pieces)

    def close(self) -> None:
        """Let the threads end."""
        for pool in (self.quick, self.slow):
            pool.shutdown(wait=False, cancel_futures=True)


def is_small(body: bytes, form: str) -> bool:
    """Whether a body holds a few rows: of nearly empty ones, few bytes may be thousands.

    >>> is_small(b'[{"sex": "male"}]', JSON), is_small(b"[" + b"{}," * 999 + b"{}]", JSON)
    (True, False)
    """
    return len(body) <= SMALL and body.count(b"\n" if form == CSV else b"{") <= FEW


def _form_of(request: Request, forms: dict[str, str]) -> str:
    """What a body says that it is."""
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body is compressed: send it plain.")
    said = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if said not in forms:
        known = " or ".join(sorted(set(forms.values())))
        raise RefusedError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"the body is said to be {said[:100]!r}: send {known}, and say so as Content-Type.",
        )
    return forms[said]


def _wanted(request: Request, form: str, forms: dict[str, str]) -> str:
    """The form of the answer: the first that is accepted by name, else that of the body."""
    for part in request.headers.get("accept", "").split(","):
        kind = part.partition(";")[0].strip().lower()
        if kind in forms:
            return forms[kind]
    return form


Endpoint = Callable[[Request], Awaitable[Response]]


def application(
    model: Any, about: str | None, token: str | None, hosts: tuple[str, ...], limits: RequestLimits
) -> Application:
    """The application of a model; see `likely.serve.app`."""
    desk = AnswerDesk(Served.of(model, about), limits)
    routes = _routes(desk)
    paths = [route.path for route in routes]
    routes.append(Route("/favicon.ico", _no_picture))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        desk.close()

    handlers: Any = dict.fromkeys((HTTPException, RefusedError, Exception), _refusing(paths))
    inner = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    return Guard(inner, token, hosts)


def _routes(desk: AnswerDesk) -> list[Route]:
    """The paths that a model answers at: what it cannot do has none."""
    routes = [
        Route("/", _get(desk, lambda: desk.front, HTML)),
        Route("/health", _health),
        Route("/schema", _get(desk, lambda: desk.document, JSON)),
        Route("/predict", _post(desk, requests.predict, _ROWS), methods=["POST"]),
    ]
    for path, name, work in (
        ("/explain", "explain", requests.explain),
        ("/ask", "ask", requests.ask),
        ("/next", "next_question", requests.next_question),
    ):
        if name in desk.served.able:
            routes.append(Route(path, _post(desk, work, {JSON: JSON}), methods=["POST"]))
    return routes


def _post(desk: AnswerDesk, work: Work, forms: dict[str, str]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        request.scope["likely.path"] = request.scope["path"]
        return await desk.answer(request, work, forms)

    return endpoint


def _get(desk: AnswerDesk, content: Callable[[], bytes], media_type: str) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        request.scope["likely.path"] = request.scope["path"]
        made = await asyncio.get_running_loop().run_in_executor(desk.slow, content)
        # The page says itself what it may do.
        policy = {"content-security-policy": "frame-ancestors 'none'"} if media_type == HTML else None
        return Response(made, media_type=media_type, headers=policy)

    return endpoint


async def _health(request: Request) -> Response:
    request.scope["likely.path"] = "/health"
    return Response(b'{"status": "ok"}', media_type=JSON)


async def _no_picture(request: Request) -> Response:
    request.scope["likely.path"] = "/favicon.ico"
    return Response(status_code=HTTPStatus.NO_CONTENT)  # browsers ask for one


def _refusing(paths: list[str]) -> Callable[[Request, Exception], Awaitable[Response]]:
    """What answers errors, in the words of this server."""

    async def refused(_: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            status = HTTPStatus(error.status_code)
            words = {
                HTTPStatus.NOT_FOUND: f"there is nothing here: the paths are {', '.join(paths)}.",
                HTTPStatus.METHOD_NOT_ALLOWED: "this path takes another method: see /schema.",
            }
            error = RefusedError(status, words.get(status, status.phrase), **(error.headers or {}))
        known = error if isinstance(error, RefusedError) else fault()
        body, headers = problem(known)
        return Response(
            body, known.status, {name.decode(): value.decode("latin-1") for name, value in headers}
        )

    return refused
