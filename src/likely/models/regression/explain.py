"""The evidence ledger of a regression: a baseline, and coefficient x value by column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import dense
from likely.engine import Answers, Engine, MapTask
from likely.evidence import Ledgers, Status
from likely.infer.standard import Rows, Scaling
from likely.models.groups.explain import CellValues, pair
from likely.models.regression.design import Design, DesignRows
from likely.models.regression.logistic_record import LogisticRecord
from likely.table.accepted import Level
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def explain(
    record: LogisticRecord, frame: Frame, favoured: Level | None, against: Level | None, engine: Engine
) -> Ledgers:
    """One ledger a row, from the log-odds of a row with every number at its mean and 0 everywhere else."""
    log_posterior = record.posterior(frame, engine)
    mine, theirs = pair(record.classes, favoured, against, log_posterior)
    theta, names = record.theta_by_class, tuple(record.schema.names)
    terms = column_terms(record.design, frame, theta, engine)  # (n, g, d)
    status = statuses(record.design, frame, engine)
    if record.untold is not None:
        told = [*record.design.counted, *record.design.coded]
        terms[:, :, told] += (status[:, None, told] == Status.MISSING) * record.untold_by_class
    each = np.arange(frame.n)
    base, evidence = theta[mine, 0] - theta[theirs, 0], terms[each, mine] - terms[each, theirs]
    rest, rest_names = np.zeros((frame.n, 0)), tuple[str, ...]()
    if record.beside is not None:  # an average of probabilities is no sum: what it changes has a line
        odds = log_posterior[each, mine] - log_posterior[each, theirs]
        rest, rest_names = (odds - base - evidence.sum(axis=1))[:, None], ("averaging over what is missing",)
    return Ledgers(
        classes=record.classes,
        names=names,
        favoured=mine,
        against=theirs,
        base=base,
        terms=evidence,
        rest=rest,
        rest_names=rest_names,
        status=status,
        log_posterior=log_posterior,
        value=CellValues(tuple(frame.raw(name) for name in names)),
        library=frame.library,
        base_name="baseline",
    )


def column_terms(design: Design, frame: Frame, theta: Floats, engine: Engine) -> Floats:
    """What each column of the table adds, (n, g, d), for theta (g, 1 + p)."""
    z = design.cells(frame, engine)
    (terms,) = engine.map(z.rows, ColumnTerms(z.scale, theta, design.source, len(design.schema.names)))
    return terms


@dataclass(frozen=True)
class ColumnTerms(MapTask[Rows]):
    """What each column of the table adds to the score of each class."""

    scale: Scaling
    theta: Floats  # (g, 1 + p)
    source: Ints  # (p,): the column of the table that a column of the design comes from
    n_columns: int

    def width(self, stored: int) -> int:
        """A row's cells, written out."""
        return len(self.source)

    def answers(self, n: int) -> Answers:
        """One array, (n, g, d)."""
        return (np.zeros((n, len(self.theta), self.n_columns)),)

    def step(self, data: Rows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        order = np.argsort(self.source, kind="stable")
        present, first = np.unique(self.source[order], return_index=True)
        if not len(present):
            return
        cells = dense(data(start, stop)) - self.scale.centre
        for g, coefficients in enumerate(self.theta[:, 1:] / self.scale.unit):
            out[0][:, g, present] = np.add.reduceat((cells * coefficients)[:, order], first, axis=1)


def statuses(design: Design, frame: Frame, engine: Engine) -> NDArray[np.int8]:
    """What is known of each cell, (n, d)."""
    task = Statuses(tuple(design.counted), tuple(design.coded), tuple(design.texts))
    (status,) = engine.map(design.chunk(frame), task)
    return np.asarray(status, np.int8)


@dataclass(frozen=True)
class Statuses(MapTask[DesignRows]):
    """Whether each cell is known, missing, or of a level never seen."""

    counted: tuple[int, ...]  # columns of the table that are numbers
    coded: tuple[int, ...]  # levels
    texts: tuple[int, ...]

    def answers(self, n: int) -> Answers:
        """One array of Status, (n, d)."""
        d = len(self.counted) + len(self.coded) + len(self.texts)
        return (np.full((n, d), Status.KNOWN, np.int8),)

    def step(self, data: DesignRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        (status,) = out
        if self.counted:
            missing = np.isnan(dense(data.numbers.rows(start, stop)))
            status[:, self.counted] = np.where(missing, Status.MISSING, Status.KNOWN)
        if self.coded:
            codes = data.codes.rows(start, stop)
            levels = np.where(codes == -1, Status.MISSING, Status.KNOWN)
            status[:, self.coded] = np.where(codes == -2, Status.UNSEEN, levels)
        for j, bag in zip(self.texts, data.bags, strict=True):
            status[~bag.rows(start, stop).known, j] = Status.MISSING
