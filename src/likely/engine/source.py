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

    def chunks(self) -> Iterator[Chunk[D_co]]:
        """Itself."""
        yield self


class RowSource(Protocol[D_co]):
    """Rows of a table: one in memory (`Chunk`), or the batches of a file or query (`engine.stream`)."""

    def chunks(self) -> Iterator[Chunk[D_co]]:
        """All rows in order, a chunk at a time; at least one chunk, if only of no rows."""
