"""Where rows come from: a source yields chunks of rows, and a chunk is what fits in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Chunk(Generic[D]):
    """n rows in memory, in whatever form their task reads; a source by itself, of one chunk.

    >>> import numpy as np
    >>> Chunk(np.arange(6.0).reshape(3, 2), 3, 2).n
    3
    """

    data: D
    n: int
    width: int  # cells that are stored of a row

    def chunks(self) -> Iterator[Chunk[D]]:
        """Itself."""
        yield self


class Source(Protocol[D]):
    """Rows of a table: one in memory (`Chunk`), or the batches of a file or query (`engine.stream`)."""

    def chunks(self) -> Iterator[Chunk[D]]:
        """All rows in order, a chunk at a time; at least one chunk, if only of no rows."""
