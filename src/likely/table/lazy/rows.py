"""The rows of a lazy frame as each engine hands them out: a sample of them, or all, some at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from likely.table.frame import free_name

if TYPE_CHECKING:
    from narwhals.stable.v2 import LazyFrame

MANY = 3 << 23  # bytes handed out, after which memory is worth to be given back
PARTS = 1 << 20  # of which a share is taken: finer than any sample needs


def sampled(frame: LazyFrame[Any], share: float) -> LazyFrame[Any]:
    """A share of the rows, taken by chance, but the same ones each time.

    By the number of a row where the engine keeps an order, and by its own seed where it does not: chance
    by what a row holds would take all rows that are alike, or none of them.
    """
    import narwhals.stable.v2 as nw

    native: Any = frame.to_native()
    number = free_name("row_number", frame.collect_schema().names())
    below = max(1, round(share * PARTS))
    match frame.implementation.name.lower():
        case "duckdb":
            # Not by a query, for which the relation would be given a name: a view in the user's own database.
            counted = native.project(f'*, row_number() OVER () AS "{number}"')
            some = counted.filter(f'hash("{number}") % {PARTS} < {below}').project(f'* EXCLUDE ("{number}")')
        case "polars":
            import polars as pl

            chance = pl.col(number).hash(seed=0) % PARTS
            some = native.with_row_index(number).filter(chance < below).drop(number)
        case "dask":
            some = native.sample(frac=share, random_state=0)
        case "pyspark" | "pyspark_connect":
            some = native.sample(fraction=share, seed=0)
        case "ibis":
            some = native.sample(share)
        case _:  # an engine of which we know no way: whichever rows come first
            return frame.head(10_000)
    lazily: LazyFrame[Any] = nw.from_native(some)
    return lazily


def batches_of(frame: LazyFrame[Any], rows: int) -> Iterator[Any]:
    """All rows in native frames, about so many at a time."""
    native: Any = frame.to_native()
    match frame.implementation.name.lower():
        case "duckdb":
            yield from _of_duckdb(native, rows)
        case "polars":
            yield from _of_polars(native, rows)
        case "dask":
            for part in native.partitions:
                yield part.compute()
        case "pyspark" | "pyspark_connect":
            yield from _of_spark(native, rows)
        case "ibis":
            yield from _of_ibis(native, rows)
        case _:
            yield frame.collect().to_native()


def _of_polars(native: Any, rows: int) -> Iterator[Any]:
    if hasattr(native, "collect_batches"):
        yield from native.collect_batches(chunk_size=rows, maintain_order=True)
        return
    # Before 1.34 it hands out no batches: through a file, for a query asked twice may have another order.
    import polars as pl

    with TemporaryDirectory(prefix="likely-") as folder:
        path = Path(folder, "rows.parquet")
        native.sink_parquet(path)
        whole = pl.scan_parquet(path)
        n = whole.select(pl.len()).collect().item()
        for start in range(0, max(n, 1), rows):
            yield whole.slice(start, rows).collect()


def _of_duckdb(native: Any, rows: int) -> Iterator[Any]:
    import duckdb

    since = 0
    for batch in native.to_arrow_reader(rows):  # the name that both 1.5 and 2.0 have
        since += batch.nbytes
        yield batch
        if since >= MANY:
            # DuckDB 2.0 keeps hundreds of megabytes that it no longer uses. Whenever a database is closed,
            # what all databases of the process do not use is given back.
            duckdb.connect().close()
            since = 0


def _of_ibis(native: Any, rows: int) -> Iterator[Any]:
    backend = native.get_backend()
    if backend.name == "duckdb":  # Ibis 12 asks DuckDB by a name that 2.0 no longer has
        yield from _of_duckdb(backend.con.sql(backend.compile(native)), rows)
    else:
        yield from native.to_pyarrow_batches(chunk_size=rows)


def _of_spark(native: Any, rows: int) -> Iterator[Any]:
    """A partition at a time; of a partition, Arrow batches of the length that the session was told."""
    import pyarrow as pa

    names = native.columns
    some: list[Any] = []
    for row in native.toLocalIterator(prefetchPartitions=False):
        some.append(tuple(row))
        if len(some) == rows:
            yield pa.table(dict(zip(names, map(list, zip(*some, strict=True)), strict=True)))
            some = []
    if some:
        yield pa.table(dict(zip(names, map(list, zip(*some, strict=True)), strict=True)))
