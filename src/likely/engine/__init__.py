"""Where the work on blocks of rows runs: `engine.reduce(source, task)` and `engine.map(source, task)`.

`memory` is for tables in memory, `stream` for files and queries of any size.
"""

from likely.engine.memory import Memory, engine_for, one_blas_thread, threads
from likely.engine.task import Answers, Chunk, Engine, MapTask, ReduceTask, RowSource, by_pieces

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
