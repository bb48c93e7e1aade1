"""The coefficients of a linear model of classes as a table."""

from __future__ import annotations

from typing import Any

from likely.models.regression.logistic.record import LogisticRecord
from likely.models.regression.summary import CoefficientTable, coefficient_table


def class_summary(record: LogisticRecord, what: str, more: str, level: float) -> CoefficientTable:
    """Of every class; of two, of the second against the first. The title is `what` it is, and `more`."""
    parts, q = record.theta.shape
    labels: tuple[Any, ...] | None = None
    if parts > 1:
        labels = tuple(label for label in record.classes for _ in range(q))
    error = None if record.covariance is None else record.standard_errors.ravel()
    against = f" ({record.classes[1]} against {record.classes[0]})" if parts == 1 else ""
    title = f"{what} of {record.target.name}{against}, {record.n:g} rows{more}"
    names = ("intercept", *record.design.names) * parts
    return coefficient_table(title, names, labels, record.original.ravel(), error, level, None, record.design)
