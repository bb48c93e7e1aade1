"""Linear regression of a table whose engine adds up the products: columns of numbers alone, gaps or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.engine.query.first_queries import FirstLook
from likely.engine.query.grouped import GroupedQueries
from likely.engine.scan.parts import LazyPart
from likely.engine.scan.scan import Scan
from likely.models.regression.design import Design
from likely.stats import Scatter
from likely.table.accepted import Kinds
from likely.table.column.raw import Raw
from likely.table.schema import Schema

if TYPE_CHECKING:
    from narwhals.stable.v2 import Expr

ENGINES = ("duckdb", "pyspark", "ibis")  # of Polars, Dask and files the blocks cost less, or less memory
WIDEST = 60  # columns whose products one query adds up


@dataclass(frozen=True)
class AskedProducts:
    """A table of numbers that answers queries, and what the first of them told."""

    queries: GroupedQueries
    design: Design  # of all columns but the outcome
    told: Raw  # the outcome, as far as its type and its gaps go

    @classmethod
    def of(cls, scan: Scan, kinds: Kinds, outcome: str, reference: bool) -> AskedProducts | None:
        """Ask; None of an engine that should rather be read, of others than numbers, and of too many."""
        table = scan.as_lazy() if isinstance(scan.parts[0], LazyPart) else None
        if table is None or table.engine not in ENGINES or kinds or outcome not in table.names:
            return None
        numeric = all(dtype.is_numeric() for dtype in table.types.values())
        if not numeric or not 1 < len(table.names) <= WIDEST:
            return None
        queries = GroupedQueries(FirstLook.at(table, None, ()), None)
        frame = queries.look.frame
        schema = Schema.learn(frame.without(outcome), kinds)
        plan = Design(schema, reference, (), np.zeros(0), np.zeros(0))
        if plan.coded or plan.texts or not queries.look.n:
            return None
        moments = queries.moments([schema.columns[j].name for j in plan.counted])
        design = plan.seen(moments, np.zeros(0, bool), queries.look.n)
        return None if len(design.names) >= WIDEST else cls(queries, design, frame.raw(outcome))

    def scatter(self) -> Scatter:
        """Centred products of the columns of the design and, last, of the outcome."""
        table, look, design = self.queries.look.table, self.queries.look, self.design
        columns = [(j, table.known(design.schema.columns[j].name)) for j in design.counted]
        pairs = zip(columns, design.mean.tolist(), strict=True)
        numbers = [_filled(known, mean) if j in design.gaps else known for (j, known), mean in pairs]
        gaps = [_gap(known) for j, known in columns if j in design.gaps]
        near = look.centre[look.names.index(self.told.name)]
        centre = np.concatenate([design.mean, np.zeros(len(gaps)), [near]])
        return self.queries.scatter_of([*numbers, *gaps, table.known(self.told.name)], centre, gaps=False)


def _filled(number: Expr, mean: float) -> Any:
    import narwhals.stable.v2 as nw

    return nw.when(~number.is_null()).then(number).otherwise(nw.lit(mean))


def _gap(number: Expr) -> Any:
    import narwhals.stable.v2 as nw

    return nw.when(number.is_null()).then(nw.lit(1.0)).otherwise(number - number)  # 0, and no decimal
