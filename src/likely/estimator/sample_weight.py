"""The rows that a model is to learn from: there must be some, and their weights must be numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.table.accepted import Weights
from likely.table.frame import Frame


def refuse_empty(frame: Frame) -> None:
    """Refuse a table that has no rows, or no columns."""
    shape = (frame.n, len(frame.names))
    for n, what in zip(shape, ("sample", "feature"), strict=True):
        if n == 0:
            raise LikelyError(
                f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required: "
                "there is nothing to learn from."
            )


def row_weights(sample_weight: Weights, n: int) -> Any:
    """The weights of n rows, checked; None for none."""
    if sample_weight is None:
        return None
    from sklearn.utils.validation import _check_sample_weight

    weight = _check_sample_weight(sample_weight, np.empty((n, 1)), dtype=np.float64, ensure_non_negative=True)
    if not weight.any():
        raise LikelyError("sample_weight is 0 in every row: there is nothing to learn from.")
    return weight
