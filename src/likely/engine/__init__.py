"""Where the work on blocks of rows runs: `engine.reduce(source, task)` and `engine.map(source, task)`.

`memory` is for tables in memory, `stream` for files and queries of any size.
"""

from likely.engine.memory import Memory, engine_for, one_blas_thread, threads
from likely.engine.pieces import by_pieces
from likely.engine.source import Chunk, RowSource
from likely.engine.task import Answers, Engine, MapTask, ReduceTask

__all__ = [
    "Answers",
    "Chunk",
    "Engine",
    "MapTask",
    "Memory",
    "ReduceTask",
    "RowSource",
    "by_pieces",
    "engine_for",
    "one_blas_thread",
    "threads",
]
