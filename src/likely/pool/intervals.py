"""How far class probabilities are known: by the spread of pools without some rows, and of the members."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import special
from likely.engine import Answers, Chunk, Engine, MapTask
from likely.evidence import Intervals
from likely.models.groups.intervals import check_level
from likely.pool.pooling import WIDTH, variance_of
from likely.pool.reading.reading import TableRows, View
from likely.pool.reading.scores import log_probabilities
from likely.pool.record import PoolRecord
from likely.table.frame import Frame

Floats = NDArray[np.float64]

ALIKE = 0.75  # n to this power: about as many rows as tell of any one row what a function of it is
DEGREES = 4.0  # of freedom: the spread is that of five folds


def predict_interval(record: PoolRecord, frame: Frame, level: float, engine: Engine) -> Intervals:
    """On the log-odds of each class against the rest: by a t distribution."""
    check_level(level)
    rows = Chunk(TableRows.of(record.schema, frame), frame.n, frame.width)
    log_p, variance = engine.map(rows, LogOddsSpread(record))
    p, odds = np.exp(log_p), _log_odds(log_p)
    away = np.sqrt(variance) * special("stdtrit", DEGREES, (1 + level) / 2)
    with np.errstate(over="ignore", divide="ignore"):
        lower, upper = 1 / (1 + np.exp(away - odds)), 1 / (1 + np.exp(-away - odds))
        cases = np.maximum(1 / (p * (1 - p) * variance) - 1, 0.0)
    if len(record.classes) == 1:
        lower, upper, cases = p, p, np.full_like(p, np.inf)
    others = sum(member is not None for member in record.members)
    return Intervals(record.classes, level, others, p, lower, upper, cases, frame.library)


@dataclass(frozen=True)
class LogOddsSpread(MapTask[TableRows]):
    """log P(class given row), and the variance of the log-odds of each class against the rest."""

    record: PoolRecord

    def width(self, stored: int) -> int:
        """What members make of a row, in each fold."""
        return max(2 * WIDTH, stored)

    def answers(self, n: int) -> Answers:
        """Two arrays, (n, g)."""
        g = len(self.record.classes)
        return np.zeros((n, g)), np.zeros((n, g))

    def step(self, data: TableRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        record, n_folds, shares = self.record, 0, np.zeros(0)
        if not record.members:
            return

        def said(view: View) -> Floats:
            nonlocal n_folds, shares
            others = record.others(view)
            n_folds, shares = len(others.folds), others.shares
            return log_probabilities(others.stacked())  # (n, a, g)

        every = record.untold_cells.average(record.reading.view(data, start, stop), said, record.mixed)
        out[0][:] = every[:, 0]
        spread = variance_of(_log_odds(every).transpose(0, 2, 1), n_folds, shares)
        out[1][:] = spread + _of_base_rate(record)


def _of_base_rate(record: PoolRecord) -> Floats:
    """What is not known of log-odds even where columns say nothing, and of a function of them, (g,).

    Folds have the classes in equal shares, and members may all have missed the same.
    """
    counts = np.maximum(record.class_counts, 0.5)
    rest = np.maximum(record.n - record.class_counts, 0.5)
    rates = counts / (counts + rest)
    return np.asarray(1 / counts + 1 / rest + 1 / (rates * (1 - rates) * max(record.n, 1.0) ** ALIKE))


def _log_odds(log_p: Floats) -> Floats:
    """Of each class against the rest."""
    return np.asarray(log_p - np.log(-np.expm1(np.minimum(log_p, -1e-16))))
