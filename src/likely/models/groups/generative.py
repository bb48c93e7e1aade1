"""Classifiers that learn how each class makes its rows: fitting, whatever the families are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from likely.estimator.sample_weight import refuse_empty, row_weights
from likely.estimator.target import class_codes, split_target, target_column
from likely.models.groups import merge
from likely.models.groups.base_rate import Settings
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import tally_rows
from likely.models.groups.verbs import GroupModel
from likely.models.parts.families import Families
from likely.models.parts.family_choice import weigh_families
from likely.models.parts.plan import learn_schema, plan
from likely.stats import Groups
from likely.table.accepted import TableLike, Target, Weights
from likely.table.column.as_raw import as_raw
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]


class Generative(GroupModel, ClassifierMixin, BaseEstimator):
    """What naive Bayes and the Gaussian classifier have in common: all but the choice of families.

    Such a model is nothing but what it has seen: models add, subtract and fade as that does.
    """

    kinds: Any
    prior: Any
    estimate: str
    base_rate: Mapping[Any, float] | str | None
    missing: str

    @abstractmethod
    def _plan(self, frame: Frame, schema: Schema) -> tuple[Any, Any]:
        """The families and the priors of a table's columns, as `plan` takes them."""

    def _weighed(self, record: GroupRecord, frame: Frame, groups: Groups) -> GroupRecord:
        """The record with what is learnt of it once the rows have been counted."""
        return record

    def _fitted_on(self, frame: Frame) -> None:
        """Say what is to be said of a table that the model has just been fitted on."""

    def fit(self, X: TableLike, y: Target, sample_weight: Weights = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table)."""
        frame, raw = split_target(X, y, type(self).__name__)
        self._take(self._record_of(frame, raw, None, sample_weight))
        self._fitted_on(frame)
        return self

    def partial_fit(
        self, X: TableLike, y: Target, classes: ArrayLike | None = None, sample_weight: Weights = None
    ) -> Self:
        """Learn from more rows; what was learnt before stays. New levels and classes are taken in."""
        frame, raw = split_target(X, y, type(self).__name__)
        if not hasattr(self, "record_"):
            self._take(self._record_of(frame, raw, classes, sample_weight))
            return self
        frame = self.record_.schema.align(frame, type(self).__name__)
        more = self._record_of(frame, raw, classes, sample_weight, self.record_)
        self._take(merge.add(self.record_, more).with_settings(more.settings))
        return self

    def decay(self, keep: float) -> Self:
        """The model whose past counts `keep` times as much."""
        return self._with_record(merge.decay(self._known(), keep))

    def __add__(self, other: object) -> Self:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._with_record(merge.add(self._known(), other._known()))

    def __radd__(self, other: object) -> Self:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def __sub__(self, other: object) -> Self:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._with_record(merge.subtract(self._known(), other._known()))

    @property
    def theta_(self) -> Floats:
        """`means_`, (c, d), under the name of scikit-learn's GaussianNB."""
        return self.means_

    @property
    def var_(self) -> Floats:
        """The variance of every column in every class, (c, d), under GaussianNB's name."""
        return np.diagonal(self.covariances_, axis1=1, axis2=2)

    @property
    def families_(self) -> Families:
        """The family of every column; of those that were weighed, at the first fit, the bits too."""
        return Families.of(self._known())

    def _record_of(
        self,
        frame: Frame,
        raw: Raw,
        classes: ArrayLike | None,
        sample_weight: Weights,
        like: GroupRecord | None = None,
    ) -> GroupRecord:
        """What is learnt from a table, its columns described as they are in `like`."""
        refuse_empty(frame)
        target = target_column(raw)
        if classes is not None:
            target = replace(target_column(as_raw(raw.name, np.asarray(classes))), listed=True)
        weight = row_weights(sample_weight, frame.n)
        groups = Groups.hard(class_codes(target, raw), len(target.levels or ()), weight)
        if like is None:
            schema = learn_schema(frame, self.kinds, self.missing)
            families, prior = self._plan(frame, schema)
            families, weighed = weigh_families(
                frame, schema, self.kinds, families, prior, groups, self._engine
            )
            parts = plan(schema, frame, self.kinds, families, prior, self.missing, self.estimate)
        else:
            schema = learn_schema(frame, like.schema.declarations, self.missing)
            parts = tuple(replace(part, schema=schema, statistic=None) for part in like.parts)
            weighed = like.weighed
        tally = tally_rows(parts, frame, groups, self._engine)
        settings = Settings(self.estimate, self.prior, self.base_rate)
        record = self._weighed(GroupRecord(target, tally, settings, weighed), frame, groups)
        # A row without weight is no row: what only such rows hold is not known.
        return record if weight is None or weight.all() else merge.narrowed(record)
