"""What every fitted model and transformer of this library is: its parameters, and one record."""

from __future__ import annotations

from os import PathLike
from typing import Any, Self

import numpy as np

from likely.engine import Engine, engine_for
from likely.errors import LikelyError
from likely.estimator.record import ModelRecord
from likely.estimator.saving import save
from likely.estimator.story import Story
from likely.table.accepted import TableLike
from likely.table.frame import Frame


class FittedModel:
    """An estimator whose answers depend on its parameters and on one record, `record_`, alone.

    The record has the schema of the table that it was learnt from: tables that come later must fit it.
    """

    record_: Any
    n_jobs: int | None
    _hidden = False  # whether nobody sees what is predicted: groups, or states

    @property
    def _engine(self) -> Engine:
        """Where the work on the rows of tables runs."""
        return engine_for(self.n_jobs)

    def _known(self) -> Any:
        """The record; refused, in scikit-learn's words, if there is none yet."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return self.record_

    def _take(self, record: Any, estimate: bool = True) -> None:
        """Be the model of this record; `estimate` makes of it at once what is else made when it is asked."""
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

    def _frame(self, X: TableLike) -> Frame:
        """A table to answer about, its columns as they were when the model was fitted."""
        record: ModelRecord = self._known()
        frame = Frame.of(X)
        target = record.target_name
        if frame.named and target in frame.position and target not in record.schema.names:
            frame = frame.without(target)  # who fits on a table often asks about the same one
        frame = record.schema.align(frame, type(self).__name__)
        if frame.n == 0:
            raise LikelyError(
                f"Found array with 0 sample(s) (shape=(0, {len(frame.names)})): nothing to answer."
            )
        return frame

    @property
    def n_parameters_(self) -> int:
        """How many free numbers the model has: of naive Bayes over D Booleans and two classes, 1 + 2 D."""
        return int(self._known().n_parameters)

    def story(self) -> Story:
        """How the model takes a row to come about, and where no other model does better."""
        told: Story = self._known().story(type(self).__name__, self._hidden)
        return told

    def _trained_on(self) -> dict[str, Any]:
        """What the model was trained on, in plain words, for people who look into its file."""
        described: dict[str, Any] = self._known().trained_on()
        return described

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file that `likely.load` reads: safe, whole or not at all, for people to read.

        Any name will do; `.likely` is the usual ending.
        """
        save(self, path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
