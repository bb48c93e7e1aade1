"""Models of a table: they take any, and what they are asked about must look as what they learnt from did."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from likely.engine import Engine, engine_for
from likely.errors import LikelyError
from likely.estimator.saveable import Kept
from likely.table.frame import Frame


class TableModel(Kept):
    """An estimator whose `record_` has the schema of a table."""

    n_jobs: int | None

    @property
    def _engine(self) -> Engine:
        """Where the work on the rows of tables runs."""
        return engine_for(self.n_jobs)

    def _frame(self, X: Any) -> Frame:
        frame: Frame = self._known().schema.align(Frame.of(X), type(self).__name__)
        if frame.n == 0:
            raise LikelyError(
                f"Found array with 0 sample(s) (shape=(0, {len(frame.names)})): nothing to answer."
            )
        return frame

    def _take(self, record: Any, estimate: bool = True) -> None:
        """Be the model of this record."""
        self.record_ = record
        self.n_features_in_ = len(record.schema.columns)
        if record.schema.named:
            self.feature_names_in_ = np.asarray(record.schema.names, object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _with_record(self, record: Any) -> Self:
        """The model of another record, with the same parameters."""
        from sklearn.base import clone

        new: Self = clone(self)
        new._take(record)
        return new

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
