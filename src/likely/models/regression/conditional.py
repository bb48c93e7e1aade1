"""What regressions share: a table that must look as it did, and a record of what was learnt."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.models.rows import row_weights
from likely.table.frame import Frame


class ConditionalMixin:
    """A model of a target given the columns; `record_` is what it knows."""

    record_: Any
    n_jobs: int | None

    def _known(self) -> Any:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return self.record_

    def _frame(self, X: Any) -> Frame:
        frame: Frame = self._known().schema.align(Frame.of(X), type(self).__name__)
        if frame.n == 0:
            raise LikelyError(
                f"Found array with 0 sample(s) (shape=(0, {len(frame.names)})): nothing to answer."
            )
        return frame

    def _take(self, record: Any) -> None:
        """Be the model of this record."""
        self.record_ = record
        self.n_features_in_ = len(record.schema.columns)
        if record.schema.named:
            self.feature_names_in_ = np.asarray(record.schema.names, object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def weights_of(sample_weight: Any, n: int) -> Any:
    """The weights of n rows; None if all are 1, which is quicker."""
    weight = row_weights(sample_weight, n)
    return None if weight is None or (weight == 1).all() else weight
