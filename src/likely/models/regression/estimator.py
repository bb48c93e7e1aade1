"""What linear classifiers share: their coefficients, their scores, and the classes of their rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.estimator.fitted import (
    FittedModel,
    class_array,
    class_codes,
    read_only,
    row_weights,
    target_column,
)
from likely.estimator.paged import Paged
from likely.models.regression.logistic_record import LogisticRecord
from likely.table.accepted import TableLike, Weights
from likely.table.column.column import Column
from likely.table.column.raw import Raw

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class LinearScores(FittedModel, Paged):
    """A classifier whose scores are sums of coefficients times values; of logistic regression, log-odds."""

    record_: LogisticRecord
    classes_: NDArray[Any]

    def _take(self, record: LogisticRecord, estimate: bool = True) -> None:
        """Be the model of this record."""
        super()._take(record, estimate)
        self.classes_ = class_array(record.target)

    @property
    def coef_names_(self) -> tuple[str, ...]:
        """What each coefficient belongs to, as "age", "sex=female" or "age missing"."""
        return tuple(self._known().design.names)

    @property
    def coef_(self) -> Floats:
        """Coefficients of the original columns, (1, p) for two classes, else (g, p)."""
        return read_only(self._known().original[:, 1:])

    @property
    def intercept_(self) -> Floats:
        """The scores where all columns are 0, (1,) for two classes, else (g,)."""
        return read_only(self._known().original[:, 0])

    def decision_function(self, X: TableLike) -> Floats:
        """The score of the second class against the first, (n,); or the scores of all classes, (n, g).

        They are log-odds in `LogisticRegression` alone.
        """
        record = self._known()
        scores = record.scores(self._frame(X), self._engine)
        return np.asarray(scores[:, 0] if record.reference else scores)


def weights_of(sample_weight: Weights, n: int) -> Any:
    """The weights of n rows; None if all are 1, which is quicker."""
    weight = row_weights(sample_weight, n)
    return None if weight is None or (weight == 1).all() else weight


def refuse_unknown_of(names: list[str]) -> None:
    """Refuse a posterior of coefficients of which nothing is known."""
    if names:
        raise LikelyError(f"nothing is known of the coefficients of {names[:5]!r}: give a prior.")


def classes_of(raw: Raw, weight: Floats | None) -> tuple[Column, Ints]:
    """The classes of rows that count, and the place of each row's."""
    target = target_column(raw)
    codes = class_codes(target, raw)
    if weight is not None and not weight.all():
        levels = target.known
        stay = np.flatnonzero(np.bincount(codes, weight > 0, len(levels)))
        place = np.zeros(len(levels), np.intp)  # rows without weight go anywhere
        place[stay] = np.arange(len(stay))
        target, codes = replace(target, levels=tuple(levels[i] for i in stay)), place[codes]
    refuse_one(target)
    return target, codes


def counts_of(codes: Ints, weight: Floats | None, target: Column) -> Floats:
    """The weight of the rows of each class, (g,)."""
    return np.bincount(codes, weight, len(target.known)).astype(np.float64)


def refuse_one(target: Column) -> None:
    """Refuse a target of a single class."""
    levels = target.known
    if len(levels) < 2:
        raise LikelyError(
            f"the target {target.name!r} has one class only, {levels[0]!r}: logistic regression tells "
            "classes apart, so give rows of at least two."
        )
