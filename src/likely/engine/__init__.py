"""Where the work on blocks of rows runs: `reduce` adds up statistics, `map_rows` fills in answers."""

from likely.engine.memory import map_rows, reduce_rows, threads

__all__ = ["map_rows", "reduce_rows", "threads"]
