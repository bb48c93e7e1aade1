"""The coefficients of a regression side by side, to be compared with those of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.estimator.record import Quantities
from likely.models.regression.linear.record import LinearRecord
from likely.models.regression.logistic.record import LogisticRecord

Regression = LogisticRecord | LinearRecord


@dataclass(frozen=True)
class GroupCoefficients:
    """Intercept and coefficients of each group: a class, or the one group of an outcome."""

    groups: tuple[Any, ...]
    quantities: Quantities


def coefficients_of(record: Regression) -> GroupCoefficients:
    """In original units, a change of each measured in its standard error where that is known."""
    names = ["intercept", *(f"coefficient of {name}" for name in record.design.names)]
    if isinstance(record, LinearRecord):
        groups, values = ("",), np.append(record.intercept, record.coefficients)[None, :]
        error = record.standard_errors[None, :] if record.known else np.ones((1, 1))
    else:
        groups, values = record.vector_classes, record.original
        error = np.ones((1, 1)) if record.covariance is None else record.standard_errors
    return GroupCoefficients(groups, Quantities(names, values, np.where(error > 0, error, 1.0)))
