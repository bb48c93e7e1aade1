"""The evidence ledger of a pool: one line a column, and one for all that columns say only together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, Engine, MapTask
from likely.evidence import Importance, Ledgers, Status
from likely.models.groups.explain import CellValues, pair
from likely.models.regression.linear.answers import Contributions
from likely.pool.number_record import NumberPoolRecord
from likely.pool.pooling import WIDTH, Pool
from likely.pool.reading.reading import TableRows, coded, counted, texts
from likely.pool.reading.scores import by_class
from likely.pool.record import PoolRecord
from likely.pool.text_lines import TextLines
from likely.table.accepted import Level
from likely.table.frame import Frame

Floats = NDArray[np.float64]

TOGETHER = "interactions, together"


def explain(
    record: PoolRecord, frame: Frame, favoured: Level | None, against: Level | None, engine: Engine
) -> Ledgers:
    """One ledger a row, from the log-odds of an average row."""
    log_p = record.posterior(frame, engine)
    mine, theirs = pair(record.classes, favoured, against, log_p)
    assert record.projection is not None  # of two classes or more
    names = tuple(record.schema.names)
    scores, status = column_lines(record, frame, engine)
    terms = by_class(scores)
    each = np.arange(frame.n)
    start = by_class(record.projection.base + record.constants)
    base = start[mine] - start[theirs]
    lines = terms[each, :, mine] - terms[each, :, theirs]
    odds = log_p[each, mine] - log_p[each, theirs]
    return Ledgers(
        classes=record.classes,
        names=names,
        favoured=mine,
        against=theirs,
        base=base,
        terms=lines,
        rest=(odds - base - lines.sum(axis=1))[:, None],
        rest_names=(TOGETHER,),
        status=status,
        log_posterior=log_p,
        value=CellValues(tuple(frame.raw(name) for name in names)),
        library=frame.library,
        base_name="an average row",
        inside=TextLines.of(record, frame, terms),
    )


def explain_number(record: NumberPoolRecord, frame: Frame, engine: Engine) -> Contributions:
    """What each column adds to the number of each row; the last line is what they say only together."""
    predicted, names = record.outcomes(frame, engine).location, tuple(record.schema.names)
    base, d = record.centre, len(names)
    lines, status = np.zeros((frame.n, d)), np.zeros((frame.n, d), np.int8)
    if record.projection is not None:
        base += record.unit * float(record.projection.base[0] + record.constants[0])
        scores, status = column_lines(record, frame, engine)
        lines = record.unit * scores[..., 0]
    rest = predicted - base - lines.sum(axis=1)
    cells = CellValues(tuple(frame.raw(name) for name in names))
    return Contributions(
        (*names, TOGETHER),
        base,
        np.column_stack([lines, rest]),
        lambda i, j: cells(i, j) if j < d else "",
        np.column_stack([status, np.full(frame.n, Status.KNOWN, np.int8)]),
        frame.library,
    )


def importance_of_number(parts: Contributions, columns: int) -> Importance:
    """The mean absolute contribution of each column."""
    mean, none = np.abs(parts.terms[:, :columns]).mean(axis=0), np.zeros(columns, np.intp)
    return Importance(parts.names[:columns], mean, none, len(parts), None, parts.library, "contribution")


def column_lines(record: Pool, frame: Frame, engine: Engine) -> tuple[Floats, NDArray[np.int8]]:
    """What each column adds to each score, (n, columns, t), and what is known of it, (n, columns)."""
    rows = Chunk(TableRows.of(record.schema, frame), frame.n, frame.width)
    terms, status = engine.map(rows, ColumnLines(record))
    return terms, np.asarray(status, np.int8)


@dataclass(frozen=True)
class ColumnLines(MapTask[TableRows]):
    """What each column adds to each score, and what is known of it."""

    record: Pool

    def width(self, stored: int) -> int:
        """What is made of a row."""
        return max(WIDTH, stored)

    def answers(self, n: int) -> Answers:
        """(n, columns, t), and Status, (n, columns)."""
        d = len(self.record.schema.columns)
        return np.zeros((n, d, len(self.record.constants))), np.full((n, d), Status.KNOWN, np.int8)

    def step(self, data: TableRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        schema = self.record.schema
        assert self.record.projection is not None
        out[0][:] = self.record.projection.terms(self.record.reading.view(data, start, stop))
        out[1][:, counted(schema)] = np.where(np.isnan(data.cells(start, stop)), Status.MISSING, Status.KNOWN)
        levels = data.levels(start, stop)
        known = np.where(levels == -1, Status.MISSING, np.where(levels < -1, Status.UNSEEN, Status.KNOWN))
        out[1][:, coded(schema)] = known
        for j, bag in zip(texts(schema), data.texts(start, stop), strict=True):
            out[1][np.asarray(bag.codes) < 0, j] = Status.MISSING
