"""What the table layer may cost: processor time and memory, with room for slow machines."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from backends import learnt

from likely.table.frame import Frame
from likely.table.schema import Schema

ROWS = 13107  # the engine's blocks of 20 columns


def milliseconds(work: Callable[[], Any], times: int = 5) -> float:
    """The least processor time of a few runs: other programs on the machine do not count."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return 1000 * min(spent)


def all_codes(schema: Schema, table: Any) -> None:
    frame = Frame.of(table)
    block = schema.codes(frame, range(len(frame.names)))
    for start in range(0, frame.n, ROWS):
        block.rows(start, min(start + ROWS, frame.n))


@pytest.fixture(scope="module")
def matrix() -> Any:
    return np.random.default_rng(0).integers(0, 10, (1_000_000, 20))


def test_a_million_rows_of_integer_levels(matrix: Any) -> None:
    schema = learnt(matrix, "categorical")[1]
    assert [c.levels for c in schema.columns] == [tuple(range(10))] * 20
    assert milliseconds(lambda: learnt(matrix, "categorical")) < 80
    assert milliseconds(lambda: all_codes(schema, matrix)) < 60


def test_learning_and_coding_copy_no_table(matrix: Any) -> None:
    tracemalloc.start()
    try:
        for table in (matrix[:200_000], matrix[:200_000] + 1, np.asfortranarray(matrix[:200_000])):
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            all_codes(learnt(table, "categorical")[1], table)
            assert tracemalloc.get_traced_memory()[1] - before < table.nbytes / 4
        floats = np.ones((200_000, 20))
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        frame, schema = learnt(floats)
        schema.numbers(frame, range(20)).rows(0, ROWS)
        assert tracemalloc.get_traced_memory()[1] - before < 1_000_000
    finally:
        tracemalloc.stop()


def _seconds(table: Any) -> float:
    start = time.process_time()
    learnt(table)
    return time.process_time() - start


def test_very_many_columns() -> None:
    """Five times as many columns take five times as long, not twenty-five times: none looks at all others."""
    cells = np.random.default_rng(0).normal(size=(100, 3000))
    columns = {f"c{j}": cells[:, j] for j in range(3000)}
    few = {name: columns[name] for name in list(columns)[:600]}
    kinds: list[tuple[Any, Any]] = [(cells, cells[:, :600]), (columns, few)]
    kinds += [(make(columns), make(few)) for make in (pd.DataFrame, pl.DataFrame, pa.table)]
    for table, part in kinds:
        many, few_columns = (min(_seconds(one) for _ in range(2)) for one in (table, part))
        assert many < 15 * few_columns
        frame, schema = learnt(table)
        assert (schema.numbers(frame, range(3000)).rows(0, 100) == cells).all()
        assert schema.align(frame, "Model").names == frame.names


def test_threads_do_not_share_buffers(matrix: Any) -> None:
    small = matrix[:50_000] * 3 + 1
    frame, schema = learnt(small, "categorical")
    block = schema.codes(frame, range(20))

    def right(start: int) -> bool:
        return bool((block.rows(start, start + 1000) * 3 + 1 == small[start : start + 1000]).all())

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(right, range(0, 50_000, 1000)))
