"""The ledger of a one-dependence classifier: columns become known one after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, Engine, MapTask
from likely.errors import LikelyError
from likely.evidence import Ledgers, Status
from likely.models.groups.explain import CellValues, pair
from likely.models.one_dependence.cells import CellRows
from likely.models.one_dependence.record import PairRecord, weighed
from likely.table.accepted import Level
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def explain(
    record: PairRecord,
    frame: Frame,
    favoured: Level | None,
    against: Level | None,
    order: Sequence[str] | None,
    engine: Engine,
) -> Ledgers:
    """One ledger a row: what each column adds to the log-odds when those before it are known.

    In a tree the usual order has parents first, so that a line is what a column says given its parent.
    """
    names = tuple(record.schema.names)
    if order is not None and sorted(map(str, order)) != sorted(names):
        raise LikelyError(f"order={list(order)!r} must name every feature once: {list(names)!r}.")
    place = {name: j for j, name in enumerate(names)}
    steps = record.tables.order if order is None else tuple(place[name] for name in order)
    log_posterior, _ = record.posterior(frame, engine)
    mine, theirs = pair(record.classes, favoured, against, log_posterior)
    rows = Chunk(WeighedCells(record.reading.rows_of(frame), mine, theirs), frame.n, frame.width)
    base, terms, status = engine.map(rows, StepByStep(record, steps))
    return Ledgers(
        classes=record.classes,
        names=names,
        favoured=mine,
        against=theirs,
        base=base,
        terms=terms,
        rest=np.zeros((frame.n, 0)),
        rest_names=(),
        status=status,
        log_posterior=log_posterior,
        value=CellValues(tuple(frame.raw(name) for name in names)),
        order=tuple(names[j] for j in steps),
        weights=None if record.weight == 1.0 else np.full((frame.n, len(names)), record.weight),
        library=frame.library,
    )


@dataclass(frozen=True, slots=True)
class WeighedCells:
    """Rows of codes, and the classes that each weighs."""

    cells: CellRows
    mine: Ints  # (n,)
    theirs: Ints  # (n,)


@dataclass(frozen=True)
class StepByStep(MapTask[WeighedCells]):
    """The log-odds before any column is known, and by how much each column moves them."""

    record: PairRecord
    steps: tuple[int, ...]

    def width(self, stored: int) -> int:
        """What is made of a row."""
        return stored + self.record.tables.cells

    def answers(self, n: int) -> Answers:
        """Base (n,), terms (n, d) and status (n, d)."""
        d = len(self.steps)
        return np.empty(n), np.zeros((n, d)), np.empty((n, d), np.int8)

    def step(self, data: WeighedCells, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        base, terms, status = out
        codes = data.cells.rows(start, stop)
        status[:] = np.where(codes >= 0, Status.KNOWN, np.where(codes == -1, Status.MISSING, Status.UNSEEN))
        pair_of = (np.arange(stop - start), data.mine[start:stop], data.theirs[start:stop])
        known = np.full_like(codes, -1)
        before = base[:] = self._odds(known, *pair_of)
        for j in self.steps:
            known[:, j] = codes[:, j]
            after = self._odds(known, *pair_of)
            with np.errstate(invalid="ignore"):
                terms[:, j] = np.where(after == before, 0.0, after - before)
            before = after

    def _odds(self, codes: Ints, rows: Ints, mine: Ints, theirs: Ints) -> Floats:
        """The log-odds of two classes; two impossibilities say nothing of each other."""
        joint = weighed(self.record.tables, codes, self.record.weight)
        a, b = joint[rows, mine], joint[rows, theirs]
        with np.errstate(invalid="ignore"):
            return np.where(np.isneginf(a) & np.isneginf(b), 0.0, a - b)
