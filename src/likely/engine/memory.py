"""Work on rows: sources yield chunks of rows, tasks say what is done with blocks of them, engines do it.

A task is a small frozen dataclass of plain values (a schema, parameters, what to collect). It can be pickled,
so that an engine may send it to where the rows are. What belongs to the rows (cells, classes, weights) is in
the source's chunks, and never in the task.

The engine for tables in memory takes blocks of rows that fit the cache, over threads. The blocks depend on
the shape of the table alone, and their statistics are added in one order, run by run, so the answer is the
same to the last bit for any number of threads. BLAS is held to one thread meanwhile: our threads and its
threads must not multiply.
"""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from numbers import Integral
from threading import RLock
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError

D_co = TypeVar("D_co", covariant=True)
D = TypeVar("D")
D_contra = TypeVar("D_contra", contravariant=True)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Floats = NDArray[np.float64]
Answers = tuple[NDArray[Any], ...]  # arrays with a line for each row
S = TypeVar("S")
CELLS = 1 << 19  # cells of a block: 4 MB of numbers; smaller ones spend their time in Python
MOST_ROWS = 1 << 14
MOST_SUMMED = 1 << 15  # statistics take a few rows at a time anyway, and longer blocks are merged less often
LEAST_ROWS = 1 << 6
MOST_CELLS = 1 << 26  # of a block, half a gigabyte: where rows are so wide, it has fewer of them
SHORT_BLOCKS = CELLS // MOST_ROWS  # a width: blocks of a sum over such rows are as short as those of answers
RUN = 4  # blocks that a thread adds up by itself: to hand over a sum costs more than to add to it
PATIENCE = 1.0  # seconds before a bar is worth its line


@dataclass(frozen=True, slots=True)
class Chunk(Generic[D_co]):
    """n rows in memory, in whatever form their task reads; a source by itself, of one chunk.

    >>> import numpy as np
    >>> Chunk(np.arange(6.0).reshape(3, 2), 3, 2).n
    3
    """

    data: D_co
    n: int
    width: int  # cells that are stored of a row
    first: int = 0  # where the rows begin in the data

    def chunks(self) -> Iterator[Chunk[D_co]]:
        """Itself."""
        yield self

    def pieces(self, rows: int) -> Iterator[Chunk[D_co]]:
        """The same rows, no more than so many at a time."""
        for start in range(0, self.n, rows):
            yield Chunk(self.data, min(rows, self.n - start), self.width, self.first + start)


class RowSource(Protocol[D_co]):
    """Rows of a table: one in memory (`Chunk`), or the batches of a file or query (`engine.stream`)."""

    def chunks(self) -> Iterator[Chunk[D_co]]:
        """All rows in order, a chunk at a time; at least one chunk, if only of no rows."""


class ReduceTask(Protocol[D_contra, T_co]):
    """A sum over rows: its steps give what can be added with `+`."""

    def width(self, stored: int) -> int:
        """Cells of a row that a step works on, for blocks to fit the cache; `stored` are the source's own."""
        return stored

    def step(self, data: D_contra, start: int, stop: int) -> T_co:
        """Of rows start to stop of a chunk; of no rows, a zero."""


class MapTask(Protocol[D_contra]):
    """Answers for every row, written into arrays."""

    def width(self, stored: int) -> int:
        """Cells of a row that a step works on, for blocks to fit the cache; `stored` are the source's own."""
        return stored

    def answers(self, n: int) -> Answers:
        """Arrays for the answers of n rows."""

    def step(self, data: D_contra, start: int, stop: int, out: Answers) -> None:
        """Answer rows start to stop of a chunk: each array of `out` has a line for each of them."""


class Engine(Protocol):
    """Where the work runs. The result depends on the rows and the task alone, to the last bit."""

    def reduce(self, source: RowSource[D], task: ReduceTask[D, T]) -> T:
        """The sum of a task's steps over all rows."""

    def map(self, source: RowSource[D], task: MapTask[D]) -> Answers:
        """The answers of a task for all rows."""


def by_pieces(chunk: Chunk[D], rows: int, answer: Callable[[Chunk[D]], Answers]) -> Answers:
    """The answers for all rows, made for no more than so many at a time.

    For work whose last task reads what those before it leave, where of all rows that would not fit in memory.
    """
    parts = [answer(piece) for piece in chunk.pieces(rows)]
    return tuple(np.concatenate(arrays) for arrays in zip(*parts, strict=True))


def each_row(solve: Callable[[Floats], tuple[Floats, Any]], rows: Floats, width: int) -> Floats:
    """What a solver of one row, which gives its solution first, says of each: (n, width).

    >>> each_row(lambda row: (np.cumsum(row), "done"), np.array([[1.0, 2.0], [3.0, 4.0]]), 2).tolist()
    [[1.0, 3.0], [3.0, 7.0]]
    """
    out = np.empty((len(rows), width))
    for i, row in enumerate(rows):
        out[i], _ = solve(row)
    return out


def blocks(n: int, width: int, most: int = MOST_ROWS) -> list[tuple[int, int]]:
    """The (start, stop) of the blocks of n rows of `width` cells, of no more than `most` rows each.

    >>> blocks(20000, 20)
    [(0, 16384), (16384, 20000)]
    """
    rows = min(most, max(LEAST_ROWS, CELLS // max(width, 1)))
    rows -= rows % LEAST_ROWS  # so that what is made of them, column by column, begins where cache lines do
    if rows * width > MOST_CELLS:
        rows = max(1, MOST_CELLS // width)
    return [(start, min(start + rows, n)) for start in range(0, n, rows)]


def threads(n_jobs: int | None) -> int:
    """How many threads to use: one (None), as many as said, all cores (-1), or all but some (-2, ...).

    >>> threads(None), threads(3)
    (1, 3)
    """
    if n_jobs == 0 or not (n_jobs is None or isinstance(n_jobs, Integral)):
        raise LikelyError(f"n_jobs={n_jobs!r}: give a number of threads, -1 for all cores, or None for one.")
    if n_jobs is None or n_jobs > 0:
        return int(n_jobs or 1)
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # Workers of a process pool are told their share of the machine through this variable.
    told = os.environ.get("OMP_NUM_THREADS", "")
    if told.isdigit() and int(told) > 0:
        available = min(available, int(told))
    return max(1, available + 1 + int(n_jobs))


@dataclass(frozen=True, slots=True)
class Memory:
    """Works on blocks of rows of a single chunk, over so many threads."""

    n_threads: int = 1

    def reduce(self, source: RowSource[D], task: ReduceTask[D, T]) -> T:
        """The sum of a task's steps over all rows."""
        chunk = _held(source)
        first = chunk.first
        parts = blocks(chunk.n, task.width(chunk.width), MOST_SUMMED)

        def run_of(some: list[tuple[int, int]]) -> T | None:
            return add_up(task.step(chunk.data, first + start, first + stop) for start, stop in some)

        runs = [parts[i : i + RUN] for i in range(0, len(parts), RUN)]
        total = add_up(_run(run_of, runs, self.n_threads))
        return task.step(chunk.data, first, first) if total is None else total

    def map(self, source: RowSource[D], task: MapTask[D]) -> Answers:
        """The answers of a task for all rows."""
        chunk = _held(source)
        first, answers = chunk.first, task.answers(chunk.n)

        def fill(part: tuple[int, int]) -> None:
            start, stop = part
            task.step(chunk.data, first + start, first + stop, tuple(array[start:stop] for array in answers))

        for _ in _run(fill, blocks(chunk.n, task.width(chunk.width)), self.n_threads):
            pass
        return answers


def engine_for(n_jobs: int | None) -> Memory:
    """The engine for tables in memory, with the threads that an estimator's `n_jobs` asks for.

    >>> engine_for(2)
    Memory(n_threads=2)
    """
    return Memory(threads(n_jobs))


def _held(source: RowSource[D]) -> Chunk[D]:
    """The only chunk of a source that is in memory."""
    if isinstance(source, Chunk):
        return source
    raise LikelyError(f"{type(source).__name__} is not in memory: use the stream engine.")


def add_up(parts: Iterable[T]) -> T | None:
    """The sum in this order; None if there is nothing to add."""
    total: T | None = None
    for part in parts:
        total = part if total is None else total + part  # type: ignore[operator]
    return total


def _run(step: Callable[[S], T], parts: list[S], n_threads: int) -> Iterator[T]:
    """The results of the steps, in order; at most two a thread are kept waiting."""
    with one_blas_thread:
        if n_threads == 1 or len(parts) < 2:
            for part in parts:
                yield step(part)
            return
        waiting: deque[Future[T]] = deque()
        with ThreadPoolExecutor(n_threads) as pool:
            try:
                for part in parts:
                    waiting.append(pool.submit(step, part))
                    if len(waiting) > 2 * n_threads:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()


class _OneBlasThread:
    """BLAS held to one thread while any run lasts.

    The setting is the whole process's: of runs that overlap, the first notes what it finds and the last
    gives it back. If each gave back what it had found, BLAS would be left as another run had set it.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._runs = 0
        self._found: list[tuple[Any, int]] = []

    def __enter__(self) -> None:
        with self._lock:
            if self._runs == 0:
                self._found = [(library, library.num_threads) for library in _blas()]
            self._runs += 1
            for library, _ in self._found:
                _set_threads(library, 1)

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._runs -= 1
            if self._runs == 0:
                for library, before in self._found:
                    _set_threads(library, before)


one_blas_thread = _OneBlasThread()


def _set_threads(library: Any, n: int) -> None:
    # From 3.8 threadpoolctl lets only one thread set OpenBLAS, until that thread lets go of it: a run
    # that begins in one thread and ends last in another would set nothing, and say nothing.
    let_go = getattr(library, "clear_controlling_thread", lambda force: None)
    let_go(force=True)
    library.set_num_threads(n)
    let_go(force=True)


@cache
def _blas() -> list[Any]:
    # Looking the libraries up takes milliseconds, so once; those loaded later are SciPy's, which we
    # do not call from blocks.
    from threadpoolctl import ThreadpoolController

    return list(ThreadpoolController().select(user_api="blas").lib_controllers)


@contextmanager
def progress(what: str, total: float) -> Iterator[Callable[[float, str], None]]:
    """A function to call with how much is done, and a word about it.

    >>> with progress("counting", total=3) as done:
    ...     for i in range(3):
    ...         done(i + 1, "so far")
    """
    if not sys.stderr.isatty():
        yield lambda done, note: None
        return
    began = time.monotonic()
    bar: list[Any] = []

    def show(done: float, note: str) -> None:
        if not bar:
            if time.monotonic() - began < PATIENCE:
                return
            bar.extend(_bar(what, total))
        bar[0].update(bar[1], completed=done, note=note)

    try:
        yield show
    finally:
        if bar:
            bar[0].stop()


def _bar(what: str, total: float) -> tuple[Any, Any]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    looks = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    )
    drawn = Progress(*looks, console=Console(stderr=True), transient=True)
    drawn.start()
    return drawn, drawn.add_task(what, total=total, note="")
