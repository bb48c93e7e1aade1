"""Where the work on blocks of rows runs: `engine.reduce(source, task)` and `engine.map(source, task)`.

`memory` is for tables in memory, `stream` for files and queries of any size.
"""

from likely.engine.memory import (
    Answers,
    Chunk,
    Engine,
    MapTask,
    Memory,
    ReduceTask,
    RowSource,
    by_pieces,
    engine_for,
    one_blas_thread,
    threads,
)

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
