"""Answers that take several tasks, one after another, for pieces of a table that is in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from likely.engine.source import Chunk
from likely.engine.task import Answers

D = TypeVar("D")


def by_pieces(chunk: Chunk[D], rows: int, answer: Callable[[Chunk[D]], Answers]) -> Answers:
    """The answers for all rows, made for no more than so many at a time.

    For work whose last task reads what those before it leave, where of all rows that would not fit in memory.
    """
    parts = [answer(piece) for piece in chunk.pieces(rows)]
    return tuple(np.concatenate(arrays) for arrays in zip(*parts, strict=True))
