"""Naive Bayes on any table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from likely.errors import LikelyError
from likely.models import arithmetic
from likely.models.mixin import RecordMixin
from likely.models.record import Record, Settings, tally_rows
from likely.models.slots import plan
from likely.models.target import class_array, class_codes, split_target, target_column
from likely.stats import Groups
from likely.table.frame import Frame
from likely.table.raw import Raw
from likely.table.schema import Schema


class NaiveBayes(RecordMixin, ClassifierMixin, BaseEstimator):
    """Naive Bayes: the columns are independent given the class.

    Every column is described by its own family: true/false by a Bernoulli, levels by a categorical,
    numbers by a normal, counts by a Poisson distribution. Missing cells add no evidence.

    Parameters
    ----------
    kinds : mapping, str or None
        The kind of each column ("boolean", "categorical", "ordinal", "quantitative", "count", "text"), or one
        for all; a list of levels in order makes a column ordinal. None takes kinds from the types.
    families : mapping, str or None
        The family of each column ("bernoulli", "categorical", "normal", "poisson", "binomial", "geometric",
        "uniform", "histogram", "kernel", or for several columns together "multinomial" and
        "multivariate_normal"), or one for all. None takes the family of the kind.
    prior : "default", None, number, smoothing, prior or mapping
        The prior of the parameters: each family's weak default, none (maximum likelihood), the default at
        another strength, `Laplace()`, `MEstimate(m, p)`, a conjugate prior, or one of these by column.
    estimate : "mean", "map", "ml" or "predictive"
        Which parameters are taken from the posterior; "predictive" sums them out.
    base_rate : None, "uniform" or mapping
        The class probabilities; None learns them.
    missing : "ignore" or "level"
        Whether a missing cell adds no evidence, or is a level of its own.
    n_jobs : int or None
        Threads: None for one, -1 for all cores. The answer does not depend on it, to the last bit.

    Examples
    --------
    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> model = likely.NaiveBayes(prior=None).fit(days, "play")
    >>> today = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}
    >>> model.predict_proba(today).round(4)
    array([[0.7954, 0.2046]])
    """

    def __init__(
        self,
        kinds: Any = None,
        families: Any = None,
        prior: Any = "default",
        estimate: str = "mean",
        base_rate: Mapping[Any, float] | str | None = None,
        missing: str = "ignore",
        n_jobs: int | None = None,
    ) -> None:
        self.kinds = kinds
        self.families = families
        self.prior = prior
        self.estimate = estimate
        self.base_rate = base_rate
        self.missing = missing
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table)."""
        frame, raw = split_target(X, y, type(self).__name__)
        self._take(self._record_of(frame, raw, None, sample_weight))
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows; what was learnt before stays. New levels and classes are taken in."""
        frame, raw = split_target(X, y, type(self).__name__)
        if not hasattr(self, "record_"):
            self._take(self._record_of(frame, raw, classes, sample_weight))
            return self
        frame = self.record_.schema.align(frame, type(self).__name__)
        more = self._record_of(frame, raw, classes, sample_weight, self.record_)
        self._take(replace(arithmetic.add(self.record_, more), settings=more.settings))
        return self

    def _record_of(
        self, frame: Frame, raw: Raw, classes: Any, sample_weight: Any, like: Record | None = None
    ) -> Record:
        """What is learnt from a table, its columns described as they are in `like`."""
        _refuse_empty(frame)
        target = target_column(raw)
        if classes is not None:
            target = replace(target_column(Raw.of(raw.name, np.asarray(classes))), listed=True)
        weight = _weights(sample_weight, frame.n)
        groups = Groups.hard(class_codes(target, raw), len(target.levels or ()), weight)
        if like is None:
            schema, slots = plan(frame, self.kinds, self.families, self.prior, self.missing)
        else:
            kinds = {column.name: column.declaration for column in like.schema.columns}
            schema, slots = Schema.learn(frame, kinds, self.missing == "level"), like.slots
        tally = tally_rows(schema, slots, frame, groups, self.n_jobs)
        record = Record(schema, target, slots, tally, Settings(self.estimate, self.prior, self.base_rate))
        # A row without weight is no row: what only such rows hold is not known.
        return record if weight is None or weight.all() else arithmetic.narrowed(record)

    def _take(self, record: Record) -> None:
        record.core  # noqa: B018  # what cannot be estimated is refused here, not at the first prediction
        self.record_ = record
        self.classes_ = class_array(record.target)
        self.n_features_in_ = len(record.schema.columns)
        if record.schema.named:
            self.feature_names_in_ = np.asarray(record.schema.names, object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _with_record(self, record: Record) -> Self:
        new: Self = clone(self)
        new._take(record)
        return new

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _refuse_empty(frame: Frame) -> None:
    shape = (frame.n, len(frame.names))
    for n, what in zip(shape, ("sample", "feature"), strict=True):
        if n == 0:
            raise LikelyError(
                f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required: "
                "there is nothing to learn from."
            )


def _weights(sample_weight: Any, n: int) -> Any:
    if sample_weight is None:
        return None
    from sklearn.utils.validation import _check_sample_weight

    weight = _check_sample_weight(sample_weight, np.empty((n, 1)), dtype=np.float64, ensure_non_negative=True)
    if not weight.any():
        raise LikelyError("sample_weight is 0 in every row: there is nothing to learn from.")
    return weight
