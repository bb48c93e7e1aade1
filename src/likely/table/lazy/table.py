"""A table that another engine holds (DuckDB, Polars, Dask, Spark, Ibis): queries in, small answers out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from likely.table.frame import Frame
from likely.table.lazy.rows import batches_of, sampled

if TYPE_CHECKING:
    from narwhals.stable.v2 import Expr, LazyFrame
    from narwhals.stable.v2.dtypes import DType

# What a model samples, fills in and writes comes back in: that of the engine, or Arrow's.
LIBRARIES = {"polars": "polars", "dask": "pandas"}
AT_ONCE = (
    1 << 14
)  # rows that each thread of Polars works on: its own choice takes 200 MB more, and no less time


@dataclass(frozen=True)
class LazyTable:
    """Columns by name, of which nothing is in memory but what a query answers.

    >>> import polars as pl
    >>> table = LazyTable.of(pl.LazyFrame({"a": [1, 2, 3], "b": ["x", "y", "x"]}))
    >>> table.names, table.n()
    (('a', 'b'), 3)
    """

    frame: LazyFrame[Any]
    types: Mapping[str, DType]

    @classmethod
    def of(cls, table: object) -> LazyTable:
        """A lazy frame of any library that narwhals knows."""
        import narwhals.stable.v2 as nw

        frame = nw.from_native(table)  # type: ignore[call-overload]
        return cls(frame, dict(frame.collect_schema()))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.types)

    @property
    def engine(self) -> str:
        """Who holds the table: "duckdb", "polars", "dask", "pyspark", "ibis"."""
        return str(self.frame.implementation.name).lower()

    @property
    def library(self) -> str:
        """What tables that are made of it come back in."""
        return LIBRARIES.get(self.engine, "pyarrow" if find_spec("pyarrow") else "dict")

    def only(self, names: Sequence[str]) -> LazyTable:
        """Some of the columns."""
        return LazyTable(self.frame.select(*names), {name: self.types[name] for name in names})

    def n(self) -> int:
        """How many rows there are."""
        import narwhals.stable.v2 as nw

        return int(self.answer(self.frame.select(nw.len().alias("n"))).values("n")[0])

    def head(self, rows: int) -> Frame:
        """Some of the rows, whichever come first."""
        return self.answer(self.frame.head(rows))

    def sample(self, rows: int, n: int) -> Frame:
        """About so many of the n rows, each with the same chance; the same ones if it is asked again."""
        return self.answer(self.frame if rows >= n else sampled(self.frame, rows / n))

    def batches(self, rows: int) -> Iterator[Frame]:
        """All rows, about so many at a time."""
        return map(Frame.of, batches_of(self.frame, rows))

    @property
    def hands_out_arrow(self) -> bool:
        """Whether all rows can be had in Arrow batches, all of which have the same types."""
        return self.engine in ("duckdb", "polars") and find_spec("pyarrow") is not None

    def arrow_batches(self, rows: int) -> Iterator[Any]:
        """All rows in such batches, about so many at a time."""
        for batch in batches_of(self.frame, rows):
            yield from batch.to_arrow().to_batches() if self.engine == "polars" else [batch]

    def known(self, name: str) -> Expr:
        """A column of numbers as floats, missing where it is NaN or infinite.

        Asked by `is_finite`: DuckDB 2.0 takes `isnan` for false in Parquet that PyArrow wrote. Ibis makes
        `isnan` of `is_finite`, so there it is by a difference, which is 0 of finite numbers alone.
        """
        import narwhals.stable.v2 as nw

        number = nw.col(name).cast(nw.Float64)
        if not self.types[name].is_float():
            return number
        finite = number - number == 0.0 if self.engine == "ibis" else number.is_finite()
        return nw.when(finite).then(number)

    def answer(self, query: LazyFrame[Any]) -> Frame:
        """What a query comes to, in memory."""
        return self.answers([query])[0]

    def answers(self, queries: Sequence[LazyFrame[Any]]) -> list[Frame]:
        """What queries come to, in memory: of one scan of the table where the engine can share it."""
        natives = [query.to_native() for query in queries]
        match self.engine:
            case "polars":
                import polars as pl

                with pl.Config(streaming_chunk_size=AT_ONCE):
                    return list(map(Frame.of, pl.collect_all(natives, engine="streaming")))
            case "dask":
                import dask

                return list(map(Frame.of, dask.compute(*natives)))
            case "duckdb" if not find_spec("pyarrow"):
                return [Frame.of(dict(native.fetchnumpy())) for native in natives]
        return [Frame.of(query.collect().to_native()) for query in queries]
