"""Rows whose class is known, as what is built on top of a classifier learns from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.estimator.fitted import (
    class_array,
    class_codes,
    refuse_empty,
    row_weights,
    split_target,
    target_column,
)
from likely.score.outcomes import codes_of
from likely.stats.groups import Floats
from likely.table.column.column import Column
from likely.table.frame import without


@dataclass(frozen=True)
class Labelled:
    """A table without its target, and the classes apart.

    >>> rows = Labelled.of({"x": [1, 2, 3], "kind": ["b", "a", "b"]}, "kind", None, "me")
    >>> rows.codes, rows.classes, rows.target.name, list(rows.X)
    (array([1, 0, 1]), array(['a', 'b'], dtype=object), 'kind', ['x'])
    """

    X: Any  # the table as it came
    width: int  # how many columns it has
    target: Column
    codes: NDArray[np.intp]  # (n,)
    classes: NDArray[Any]  # (g,)
    weight: Floats | None  # (n,)

    @classmethod
    def of(cls, X: object, y: ArrayLike, weight: ArrayLike | None, who: str) -> Labelled:
        """A table and its target (values, or the name of a column of the table)."""
        frame, raw = split_target(X, y, who)
        refuse_empty(frame)
        column = target_column(raw)
        codes, classes = class_codes(column, raw), class_array(column)
        features = without(X, raw.name) if isinstance(y, str | int) else X
        return cls(features, len(frame.names), column, codes, classes, row_weights(weight, frame.n))

    @property
    def labels(self) -> NDArray[Any]:
        """The class of each row, (n,)."""
        return np.asarray(self.classes[self.codes])

    @property
    def counts(self) -> Floats:
        """How much each row counts, (n,)."""
        return np.ones(len(self.codes)) if self.weight is None else self.weight

    def among(self, classes: NDArray[Any]) -> NDArray[np.intp]:
        """The class of each row as its place among those that a model knows, (n,)."""
        return codes_of(self.labels, classes)
