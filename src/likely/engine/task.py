"""What is done with blocks of rows: tasks say it, engines do it.

A task is a small frozen dataclass of plain values (a schema, parameters, what to collect). It can be pickled,
so that an engine may send it to where the rows are. What belongs to the rows (cells, classes, weights) is in
the source's chunks, and never in the task.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from numpy.typing import NDArray

from likely.engine.source import RowSource

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
