"""Where rows come from: a source yields chunks of rows, and a chunk is what fits in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

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
