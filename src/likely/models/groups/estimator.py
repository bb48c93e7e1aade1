"""Estimators of groups: what people do with a fitted one, and how generative classifiers are fitted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from likely.ask.ask import Answer
from likely.ask.empirical import BesideData, answered
from likely.ask.next_question import NextQuestion, next_question
from likely.errors import notice
from likely.estimator.exported import Exportable
from likely.estimator.fitted import (
    FittedModel,
    class_array,
    class_codes,
    counted_rows,
    learnt_target,
    read_only,
    refuse_empty,
    row_weights,
    split_target,
)
from likely.estimator.paged import Paged
from likely.estimator.scored import Scored
from likely.evidence import Importance, Intervals, Ledgers, LinearForm, Nomogram, importance
from likely.models.groups import merge
from likely.models.groups.block_rows import BlockClassRows
from likely.models.groups.describe import Summary
from likely.models.groups.explain import explain, two_classes
from likely.models.groups.independent import group_covariances, group_means
from likely.models.groups.intervals import predict_interval
from likely.models.groups.lazy_rows import LazyClassRows, large_rows
from likely.models.groups.log_prob import impossible_rows, log_prob, sample
from likely.models.groups.nomogram import linear_form, nomogram
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import HeldRows, Settings
from likely.models.parts.plan import Families, learn_schema, plan, weigh_families
from likely.stats import Groups
from likely.table.accepted import Level, RandomState, TableLike, Target, Weights
from likely.table.frame import Frame, is_large, is_lazy
from likely.table.schema import Schema

Floats = NDArray[np.float64]
LearntRows = HeldRows | LazyClassRows | BlockClassRows  # in memory, or where another engine holds them

INDEPENDENT = (
    "the columns are taken as independent given the class, so what two of them say together is counted as if "
    "each said it by itself. Trust the rows where there are many of them, and the model where there are few."
)


class GroupModel(Exportable, Paged, FittedModel):
    """A model of rows in groups, told or hidden: predicting, explaining, asking, sampling.

    Forwarded to functions over `record_`.
    """

    record_: GroupRecord
    classes_: NDArray[Any]

    def _known(self) -> GroupRecord:
        record: GroupRecord = super()._known()
        return record

    def _take(self, record: GroupRecord, estimate: bool = True) -> None:
        """Be the model of this record."""
        if estimate:
            record.core  # noqa: B018  # what cannot be estimated is refused here, not at the first prediction
        super()._take(record, estimate)
        self.classes_ = class_array(record.target)

    @property
    def base_rate_(self) -> Floats:
        """P(class), (c,), in the order of `classes_`: learnt, or given."""
        return read_only(np.asarray(self._known().rates))

    @property
    def weights_(self) -> Floats:
        """P(group), (g,): of the classes, or of the groups of which they consist."""
        return read_only(np.exp(self._known().core.log_weights))

    @property
    def means_(self) -> Floats:
        """The mean of every column in every group, (g, d), where all columns are numbers."""
        return group_means(self._known().core.parts)

    @property
    def covariances_(self) -> Floats:
        """The covariances of the columns in every group, (g, d, d), where all columns are numbers."""
        return group_covariances(self._known().core.parts)

    def describe(self) -> Summary:
        """The model in words: its classes, and the family and the parameters of each column."""
        return Summary(type(self).__name__, self._known())

    def predict_log_proba(self, X: TableLike) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""
        return self._posterior(X, log=True)

    def predict_proba(self, X: TableLike) -> Floats:
        """P(class given row), (n, g), in the order of `classes_`."""
        return self._posterior(X, log=False)

    def _posterior(self, X: TableLike, log: bool) -> Floats:
        frame = self._frame(X)
        answer, gone = self.record_.posterior(frame, self._engine, log=log)
        if gone.any():
            notice(impossible_rows(self.record_, frame, gone))
        return answer

    def predict_interval(
        self, X: TableLike, level: float = 0.9, *, draws: int = 1000, random_state: RandomState = 0
    ) -> Intervals:
        """Where each class probability lies, as far as the parameters are known from the data.

        The parameters are drawn from their posterior; at each draw every row has its class probabilities.
        Of these come the ends of the central interval that covers `level`, and the effective number of
        cases, p (1 - p) / Var(p) - 1: as many as would leave one in as much doubt, had they been
        counted. What is given (a base rate) or has no parameters (a kernel) is taken as known.

        This leaves out model error: if the model's assumptions are wrong, such as independence, the
        true probability may lie outside however many rows there are. Nor is it the uncertainty of the
        class itself, which the probability states.

        Parameters
        ----------
        X : table
            The rows to answer for.
        level : float
            The probability that an interval covers.
        draws : int
            How many parameters are drawn. An end at a share q of the posterior lies, by chance of the draws,
            at q give or take sqrt(q (1 - q) / draws): 5 % plus or minus 0.7 % by default.
        random_state : int, Generator or None
            The seed of the draws: the same answer every time, unless None.
        """
        frame = self._frame(X)
        probability = self._posterior(frame, log=False)
        return predict_interval(self.record_, frame, probability, level, draws, random_state, self._engine)

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The most probable class of each row."""
        best = self._posterior(X, log=True).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def log_prob(self, X: TableLike, y: Target | None = None) -> Floats:
        """Log P(row), summed over the classes, (n,); with y given, log P(row, class)."""
        record = self._known()
        raw = None
        if y is not None:
            X, raw = split_target(X, y, type(self).__name__)
        frame = self._frame(X)
        codes = None if raw is None else class_codes(record.target, raw)
        return log_prob(record, frame, codes, self._engine)

    def explain(
        self,
        X: TableLike,
        favoured: Level | None = None,
        against: Level | None = None,
        *,
        others: bool = False,
        order: Sequence[str] | None = None,
    ) -> Ledgers:
        """The evidence ledger of every row: base rate, then what each feature adds to the log-odds.

        By default the most probable class against the runner-up; `favoured` and `against` name any
        pair. `others=True` weighs the favoured class against all others together. That is not a sum over
        features, so they are added one after another in a stated order (`order`, or that of the table).
        """
        return explain(self._known(), self._frame(X), favoured, against, others, order, self._engine)

    def importance(self, X: TableLike) -> Importance:
        """The mean absolute evidence of each feature over the rows of X, winner against runner-up."""
        return importance(self.explain(X))

    def nomogram(self, favoured: Level | None = None, against: Level | None = None) -> Nomogram:
        """The whole model as a picture: what each value of each feature adds to the log-odds."""
        record = self._known()
        a, b = two_classes(record.classes, favoured, against)
        return nomogram(record, a, b)

    def linear_form(self, favoured: Level | None = None, against: Level | None = None) -> LinearForm:
        """Weights and bias of the log-odds, where these are linear in the features.

        They are if every column is Boolean, a count (Poisson or multinomial), a text (whose features are its
        words), or a number whose variance all classes share, as under covariance="tied".
        """
        record = self._known()
        a, b = two_classes(record.classes, favoured, against)
        return linear_form(record, a, b)

    def ask(self, question: str, data: TableLike | str | None = None) -> Answer | BesideData:
        """Answer a question such as "P(survived=yes | sex=female, age=adult)" about any variable.

        `P` and `odds` of events, `P` of whole variables, `E`, `sd`, `quantile`, `argmax`, and in bits the
        entropy `H` and the mutual information `I`. Numbers come back as floats that print with their
        question, tables as mappings from levels to probabilities. With `data`, a table with the target, the
        same is counted in its rows, and said whether the model differs from them beyond chance; with
        data="model", in the rows that the model was learnt from, where it kept what that takes (of the
        target and one column of levels at most).
        """
        world = self._known().world()
        return answered(world, question, data, INDEPENDENT)

    def next_question(
        self,
        given: Mapping[str, Any] | str | None = None,
        costs: Mapping[str, float] | None = None,
        about: str | None = None,
    ) -> NextQuestion:
        """Rank what is not known yet by how much it is expected to tell of the target, per cost.

        `given` is what is known, as text ("sex=female, age>=18") or as values by name; `costs` are prices by
        name, 1 where none is given; `about` names another variable than the target.
        """
        record = self._known()
        return next_question(record.world(), record.target.name if about is None else about, given, costs)

    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Draw n rows with their target, as a table of the library the model was fitted with."""
        return sample(self._known(), n, random_state)

    def with_base_rate(self, base_rate: Mapping[Any, float] | str) -> Self:
        """The same model under other class probabilities: a mapping, or "uniform"."""
        record = self._known()
        new = self._with_record(record.with_settings(replace(record.settings, base_rate=base_rate)))
        new.set_params(base_rate=base_rate)  # type: ignore[attr-defined]
        return new


class Generative(GroupModel, Scored, ClassifierMixin, BaseEstimator):
    """What naive Bayes and the Gaussian classifier have in common: all but the choice of families.

    Such a model is nothing but what it has seen: models add, subtract and fade as that does.
    """

    kinds: Any
    prior: Any
    estimate: str
    base_rate: Mapping[Any, float] | str | None
    missing: str
    learns_from_scans = True

    @abstractmethod
    def _plan(self, frame: Frame, schema: Schema) -> tuple[Any, Any]:
        """The families and the priors of a table's columns, as `plan` takes them."""

    def _joined(self, frame: Frame, learn: bool = False) -> Frame:
        """A table with the columns as they are described; to be learnt from, or to be answered about."""
        return frame

    @property
    def _kinds(self) -> Any:
        """What is declared of the columns that are described."""
        return self.kinds

    def _frame(self, X: TableLike) -> Frame:
        return super()._frame(self._joined(Frame.of(X)))

    def _weighed(self, record: GroupRecord, rows: LearntRows) -> GroupRecord:
        """The record with what is learnt of it once the rows have been counted."""
        return record

    def _fitted_on(self, rows: LearntRows) -> None:
        """Say what is to be said of a table that the model has just been fitted on."""

    def fit(self, X: TableLike, y: Target, sample_weight: Weights = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table).

        A table that is not in memory (a DuckDB relation, a frame of Dask or Spark, `likely.scan`, ...) stays
        where it is: its engine counts, and the counts are learnt from.
        """
        rows = self._rows(X, y, None, sample_weight, learn=True)
        self._take(self._record_of(rows))
        self._fitted_on(rows)
        return self

    def partial_fit(
        self, X: TableLike, y: Target, classes: ArrayLike | None = None, sample_weight: Weights = None
    ) -> Self:
        """Learn from more rows; what was learnt before stays. New levels and classes are taken in."""
        known = getattr(self, "record_", None)
        rows = self._rows(X, y, classes, sample_weight, learn=known is None)
        more = self._record_of(rows, known)
        self._take(more if known is None else merge.add(known, more).with_settings(more.settings))
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
        return self._known().family_rankings

    def _rows(
        self, X: TableLike, y: Target, classes: ArrayLike | None, sample_weight: Weights, learn: bool
    ) -> LearntRows:
        """The rows to learn from, with their classes; the columns as they are known, unless this is first."""
        who = type(self).__name__
        if is_large(X) and (isinstance(y, str) or not is_lazy(X)):  # else it is to be in memory, as y is
            return large_rows(X, y, classes, sample_weight, self._kinds, self._engine, who)
        X, y, sample_weight = counted_rows(X, y, sample_weight)
        frame, raw = split_target(X, y, who)
        frame = self._joined(frame, learn=learn)
        frame = frame if learn else self.record_.schema.align(frame, who)
        refuse_empty(frame)
        target = learnt_target(raw, classes)
        weight = row_weights(sample_weight, frame.n)
        return HeldRows(frame, target, Groups.hard(class_codes(target, raw), len(target.known), weight))

    def _record_of(self, rows: LearntRows, like: GroupRecord | None = None) -> GroupRecord:
        """What is learnt from a table, its columns described as they are in `like`."""
        frame = rows.frame
        if like is None:
            schema = learn_schema(frame, self._kinds, self.missing)
            families, prior = self._plan(frame, schema)
            families, weighed = weigh_families(
                frame, schema, self._kinds, families, prior, rows.groups, self._engine
            )
            parts = plan(schema, frame, self._kinds, families, prior, self.missing, self.estimate)
        else:
            schema = learn_schema(frame, like.schema.declarations, self.missing)
            parts = tuple(replace(part, schema=schema, statistic=None) for part in like.parts)
            weighed = like.weighed
        tally = rows.tally(parts, self._engine)
        settings = Settings(self.estimate, self.prior, self.base_rate)
        record = self._weighed(GroupRecord(rows.target, tally, settings, weighed), rows)
        # A row without weight is no row: what only such rows hold is not known.
        weight = None if rows.groups is None else rows.groups.weight
        return record if weight is None or weight.all() else merge.narrowed(record)
