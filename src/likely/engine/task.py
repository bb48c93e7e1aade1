"""What is done with blocks of rows: tasks say it, engines do it.

A task is a small frozen dataclass of plain values (a schema, parameters, what to collect). It can be pickled,
so that an engine may send it to where the rows are. What belongs to the rows (cells, classes, weights) is in
the source's chunks, and never in the task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

D_co = TypeVar("D_co", covariant=True)


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


D = TypeVar("D")
D_contra = TypeVar("D_contra", contravariant=True)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Answers = tuple[NDArray[Any], ...]  # arrays with a line for each row


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
