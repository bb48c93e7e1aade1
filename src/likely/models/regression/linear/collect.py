"""What linear regression adds up over rows, in memory or not: products, and what a line leaves over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import dense
from likely.engine import Chunk, Engine, ReduceTask
from likely.engine.scan.large import LargeTable, with_target
from likely.errors import LikelyError
from likely.estimator.fitted import outcomes
from likely.infer.standard import Rows, Scaling
from likely.models.regression.design import Design
from likely.models.regression.linear.record import LARGEST, LinearRecord
from likely.models.regression.linear.solve import Line
from likely.stats import Scatter
from likely.stats.products import with_weight
from likely.table.column.block import by_columns, scratch
from likely.table.column.column import Column
from likely.table.frame import Frame

Floats = NDArray[np.float64]

STEEP = 1e3  # condition number of the products beyond which a second look is worth a pass over the rows
EXACT = 1e-6  # share of the squares below which the residuals are taken directly


@dataclass(frozen=True, slots=True)
class OutcomeRows:
    """Rows, and the outcome and the weight of each."""

    rows: Rows
    outcome: Floats  # (n,)
    weight: Floats | None  # (n,)


@dataclass(frozen=True)
class ProductsOfRows(ReduceTask[OutcomeRows, Scatter]):
    """Centred products of the columns of the design and, last, the outcome."""

    n_columns: int

    def width(self, stored: int) -> int:
        """The columns and the outcome, and their copies."""
        return 2 * (self.n_columns + 1)

    def step(self, data: OutcomeRows, start: int, stop: int) -> Scatter:
        """Of some rows."""
        rows = dense(data.rows(start, stop))
        shape = (stop - start, self.n_columns + 1)
        beside = scratch("beside", shape[::-1]).T if by_columns(rows) else scratch("beside", shape)
        beside[:, :-1] = rows
        beside[:, -1] = data.outcome[start:stop]
        scatter = Scatter.empty(1, shape[1])  # no cell is missing and there is one group: nothing to sort
        weight = None if data.weight is None else data.weight[start:stop]
        scatter.take_alone(0, *((beside, None) if weight is None else with_weight(beside, weight)))
        return scatter


@dataclass(frozen=True)
class Residuals(ReduceTask[OutcomeRows, Floats]):
    """Sums of residual times (1, z), and of squared residuals, (2 + p,)."""

    scale: Scaling
    theta: Floats  # (1 + p,)

    def width(self, stored: int) -> int:
        """The rows twice: they are multiplied from both sides."""
        return 2 * stored

    def step(self, data: OutcomeRows, start: int, stop: int) -> Floats:
        """Of some rows."""
        rows, centre = self.scale.block(data.rows(start, stop))
        intercept, coefficients = self.scale.plain(self.theta[None, :], centre)
        left = data.outcome[start:stop] - (rows @ coefficients[0] + intercept[0])
        weighed = left if data.weight is None else left * data.weight[start:stop]
        products = np.asarray(rows.T @ weighed)[None, :]
        slope = self.scale.gradient(np.array([weighed.sum()]), products, centre)[0]
        return np.append(slope, left @ weighed)


@dataclass(frozen=True)
class ReadOutcomes:
    """A block of a table that is not in memory: its outcome, less an offset, and the columns of a design."""

    design: Design
    target: Column
    offset: float = 0.0

    def __call__(self, frame: Frame) -> OutcomeRows:
        """What the tasks of linear regression read."""
        rows = self.design.rows_of(frame.without(self.target.name))
        return OutcomeRows(rows, outcomes(frame.raw(self.target.name)) - self.offset, None)


def collect(
    design: Design,
    frame: Frame,
    outcome: Floats,
    weight: Floats | None,
    engine: Engine,
    whole: bool = False,
) -> Scatter:
    """Centred products of the columns of the design and the outcome; `whole` as in `Design.cells`."""
    refuse_wide(design)
    whole = whole and (weight is None or bool(weight.all()))
    rows = design.cells(frame, engine, whole).rows
    examples = Chunk(OutcomeRows(rows.data, outcome, weight), rows.n, rows.width)
    return engine.reduce(examples, ProductsOfRows(len(design.names)))


def collect_large(design: Design, target: Column, table: LargeTable) -> Scatter:
    """The same of a table that is not in memory."""
    refuse_wide(design)
    schema = with_target(design.schema, target)
    return table.reduce(schema, ReadOutcomes(design, target), ProductsOfRows(len(design.names)))


def refuse_wide(design: Design) -> None:
    """Refuse a design of more columns than all products can be kept of."""
    if len(design.names) > LARGEST:
        raise LikelyError(
            f"the table becomes {len(design.names)} columns, and linear regression keeps all their products: "
            f"leave it at {LARGEST}, for example by fewer levels or words."
        )


def refined_in_memory(
    record: LinearRecord, frame: Frame, outcome: Floats, weight: Floats | None, engine: Engine
) -> Line:
    """The line once more, from what it leaves over of rows in memory."""

    def left(task: Residuals) -> Floats:
        z = record.cells(frame, engine)
        rows = Chunk(OutcomeRows(z.rows.data, outcome - record.mean[-1], weight), z.n, z.rows.width)
        return engine.reduce(rows, task)

    record.line  # noqa: B018  # made here, so that what there is to say is said to whoever fits
    return refined(record, left)


def refined_large(record: LinearRecord, table: LargeTable) -> Line:
    """The line once more, from what it leaves over of a table that is not in memory."""
    record.line  # noqa: B018  # as above
    read = ReadOutcomes(record.design, record.target, float(record.mean[-1]))
    schema = with_target(record.schema, record.target)
    return refined(record, lambda task: table.reduce(schema, read, task))


def refined(record: LinearRecord, left_over: Callable[[Residuals], Floats]) -> Line:
    """The line once more, from what it leaves over, where the products have lost digits."""
    line, products = record.line, record.products
    if line.covariance is None or not len(line.w):
        return line
    if np.linalg.cond(products.xx) < STEEP and line.rss > EXACT * products.yy:
        return line
    residuals = left_over(Residuals(record.scaling, np.append(0.0, line.w)))
    penalty = record.meaning.penalty(line.prior)
    pull = penalty.precision[1:] * (penalty.mean[1:] - line.w)
    rss = float(residuals[-1])
    return replace(
        line,
        w=line.w + line.covariance @ (residuals[1:-1] + pull),
        rss=rss,
        rate=line.rate + (rss - line.rss) / 2,
    )
