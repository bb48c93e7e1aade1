"""The evidence ledger of a regression: a baseline, and coefficient x value by column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import map_rows
from likely.evidence import Ledgers, Status
from likely.models.groups.explain import CellValues, pair
from likely.models.regression.design.design import Design
from likely.models.regression.logistic.record import LogisticRecord
from likely.table.frame import Frame

Floats = NDArray[np.float64]


def explain(record: LogisticRecord, frame: Frame, favoured: Any, against: Any, n_jobs: int | None) -> Ledgers:
    """One ledger a row, from the log-odds of a row with every number at its mean and 0 everywhere else."""
    log_posterior = record.posterior(frame, n_jobs)
    mine, theirs = pair(record.classes, favoured, against, log_posterior)
    theta = record.theta
    if len(theta) == 1:
        theta = np.concatenate([np.zeros_like(theta), theta])
    names = tuple(record.schema.names)
    terms = column_terms(record.design, frame, theta, n_jobs)  # (n, g, d)
    each = np.arange(frame.n)
    base, found = theta[mine, 0] - theta[theirs, 0], terms[each, mine] - terms[each, theirs]
    rest, rest_names = np.zeros((frame.n, 0)), tuple[str, ...]()
    if record.beside is not None:  # an average of probabilities is no sum: what it changes has a line
        odds = log_posterior[each, mine] - log_posterior[each, theirs]
        rest, rest_names = (odds - base - found.sum(axis=1))[:, None], ("averaging over what is missing",)
    return Ledgers(
        classes=record.classes,
        names=names,
        favoured=mine,
        against=theirs,
        base=base,
        terms=found,
        rest=rest,
        rest_names=rest_names,
        status=statuses(record.design, frame),
        log_posterior=log_posterior,
        value=CellValues(tuple(frame.raw(name) for name in names)),
        library=frame.library,
        base_name="baseline",
    )


def column_terms(design: Design, frame: Frame, theta: Floats, n_jobs: int | None) -> Floats:
    """What each column of the table adds, (n, g, d), for theta (g, 1 + p)."""
    z = design.cells(frame, n_jobs)
    d, coefficients = len(design.schema.names), theta[:, 1:] / z.scale
    order = np.argsort(design.source, kind="stable")
    present, first = np.unique(design.source[order], return_index=True)
    out = np.zeros((frame.n, len(theta), d))

    def step(start: int, stop: int) -> None:
        rows = z.rows(start, stop)
        cells = (rows if isinstance(rows, np.ndarray) else rows.toarray()) - z.centre
        for g, mine in enumerate(coefficients):
            if len(present):
                out[start:stop, g, present] = np.add.reduceat((cells * mine)[:, order], first, axis=1)

    map_rows(frame.n, len(design.names), step, n_jobs=n_jobs)
    return out


def statuses(design: Design, frame: Frame) -> NDArray[np.int8]:
    """What is known of each cell, (n, d)."""
    out = np.full((frame.n, len(design.schema.names)), Status.KNOWN, np.int8)
    for j in design.counted:
        values = design.schema.numbers(frame, [j]).rows(0, frame.n)
        values = values if isinstance(values, np.ndarray) else values.toarray()
        out[np.isnan(values[:, 0]), j] = Status.MISSING
    for j in design.coded:
        codes = design.schema.codes(frame, [j]).rows(0, frame.n)[:, 0]
        out[codes == -1, j] = Status.MISSING
        out[codes == -2, j] = Status.UNSEEN
    for j in design.texts:
        out[~design.schema.bags(frame, j).rows(0, frame.n).known, j] = Status.MISSING
    return out
