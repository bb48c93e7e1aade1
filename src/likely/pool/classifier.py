"""The default learner: a pool of models of different sorts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from likely.ask.ask import Answer
from likely.ask.empirical import BesideData, answered
from likely.estimator.classifier import ByProbability
from likely.estimator.exported import Exportable
from likely.estimator.fitted import (
    class_array,
    class_codes,
    read_only,
    refuse_empty,
    row_weights,
    split_target,
    target_column,
)
from likely.evidence import Importance, Intervals, Ledgers, importance
from likely.evidence.curves import EffectCurves
from likely.evidence.interactions import Interactions
from likely.models.groups.explain import two_classes
from likely.pool.effects import SeenEffects
from likely.pool.explain import explain
from likely.pool.face import PoolFace
from likely.pool.intervals import predict_interval
from likely.pool.learn import learn_classes
from likely.pool.reading.scores import scores_of
from likely.pool.record import PoolRecord
from likely.pool.untold import AVERAGED
from likely.table.accepted import Level, TableLike, Target, Weights

Floats = NDArray[np.float64]


class Classifier(Exportable, ByProbability, PoolFace, ClassifierMixin, BaseEstimator):
    """Classes from a table of any kinds, by several sorts of models together: the one to begin with.

    Each member is fitted so that its log-probabilities of the rows are known without it having seen them (by
    folds, or out of bag). The pool is their weighted sum, log p = sum of weight x log p_member + a constant
    of the class; weights predict these rows best, and are drawn towards members that do well alone.

    Parameters
    ----------
    budget : "additive", "fast", "default", "best" or a number of seconds
        "additive" fits one member, whose evidence is exactly a sum over columns, in milliseconds; "fast" adds
        what costs little; "best" fits more members, each three times with other folds. With seconds,
        members are added until these are over.
    members : list of str or None
        The members to fit instead: "additive", "lines", "evidence", "net", "kernel", "forest", "symmetric",
        "boost", "extra", and those of other seeds and settings, "net-2", "net-3", "boost-2".
    kinds : mapping, str or None
        The kind of each column, as in `NaiveBayes`.
    random_state : int or None
        Decides folds, and what members leave to chance. With the same number the same model comes out.
    n_jobs : int or None
        Threads: None for one, -1 for all cores.

    Attributes
    ----------
    weights_ : dict
        What each member counts for.
    losses_ : dict
        The log loss of each member, and of the pool, on rows that the members had not seen.
    left_out_ : tuple of str
        Members that could not be had, and why.

    Examples
    --------
    >>> import likely
    >>> people = likely.read("titanic")
    >>> model = likely.Classifier(budget="additive").fit(people, "survived")
    >>> model.predict_proba({"class": ["1st"], "sex": ["female"], "age": ["adult"]}).round(2)
    array([[0.12, 0.88]])
    """

    record_: PoolRecord

    def fit(self, X: TableLike, y: Target, sample_weight: Weights = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table)."""
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        weight = row_weights(sample_weight, frame.n)
        target = target_column(raw)
        codes = class_codes(target, raw)
        if weight is not None and not weight.all():  # rows that do not count are not there
            kept = np.flatnonzero(weight)
            frame, weight = frame.at(kept), weight[kept]
            seen, codes = np.unique(codes[kept], return_inverse=True)
            target = replace(target, levels=tuple(target.known[i] for i in seen))
        with self._learning() as settings:
            self._take(learn_classes(frame, target, codes, weight, settings))
        return self

    def _take(self, record: PoolRecord, estimate: bool = True) -> None:
        """Be the model of this record."""
        super()._take(record, estimate)
        self.classes_ = class_array(record.target)

    @property
    def base_rate_(self) -> Floats:
        """P(class), (g,): the shares of the rows, or those that were given."""
        return read_only(np.asarray(self._known().rates))

    def predict_log_proba(self, X: TableLike) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""
        return np.asarray(self._known().posterior(self._frame(X), self._engine))

    def predict_interval(self, X: TableLike, level: float = 0.9) -> Intervals:
        """How far each class probability is known: by the spread of pools of other rows, and of the members.

        On simulated tables, where P(class given row) is known, intervals of .9 hold it in about nine rows of
        ten; in fewer where the rows are too few for any member to find what columns say together.
        """
        return predict_interval(self._known(), self._frame(X), level, self._engine)

    def with_base_rate(self, base_rate: Mapping[Any, float] | str) -> Self:
        """The same model under other class probabilities: a mapping, or "uniform"."""
        return self._with_record(self._known().under_base_rate(base_rate))

    def explain(self, X: TableLike, favoured: Level | None = None, against: Level | None = None) -> Ledgers:
        """The evidence ledger of every row: an average row, what each column adds, and interactions.

        By default the most probable class against the runner-up; `favoured` and `against` name any pair.
        """
        return explain(self._known(), self._frame(X), favoured, against, self._engine)

    def importance(self, X: TableLike) -> Importance:
        """The mean absolute evidence of each column over the rows of X, winner against runner-up."""
        return importance(self.explain(X))

    def curves(
        self,
        X: TableLike,
        favoured: Level | None = None,
        against: Level | None = None,
        level: float = 0.9,
    ) -> EffectCurves:
        """What each value of each column adds to the log-odds, with intervals: the lines of the ledgers.

        Intervals are by the spread of pools of other rows and of members, over the rows of X: give the table
        that was learnt from, or one like it. The last class is weighed against the first, unless named.
        """
        return self._effects(X, favoured, against).curves(level)

    def interactions(
        self, X: TableLike, favoured: Level | None = None, against: Level | None = None, top: int = 10
    ) -> Interactions:
        """The pairs of columns that add most to the log-odds only together, over the rows of X."""
        return self._effects(X, favoured, against).interactions(top)

    def _effects(self, X: TableLike, favoured: Level | None, against: Level | None) -> SeenEffects:
        record = self._known()
        a, b = two_classes(record.classes, favoured, against)
        pick = scores_of(np.eye(len(record.classes))[a] - np.eye(len(record.classes))[b])
        pick = pick / 2 if len(record.classes) == 2 else pick  # scores of two classes are log-odds already
        of = f"{record.classes[a]} against {record.classes[b]}"
        return SeenEffects.at(record, self._frame(X), pick, of, "log-odds")

    def ask(self, question: str, data: TableLike | str | None = None) -> Answer | BesideData:
        """Answer a question about the target, such as "P(survived=yes | sex=female, class=1st)".

        Over columns that the question does not tell it averages, as they are in rows of the table that agree
        with what is told (in 64 ways). With `data`, a table with the target, the same is counted in its rows,
        and said whether the model differs from them beyond chance; with data="model", in the rows that it was
        learnt from, where it kept what that takes (of the target and one column of levels at most).
        """
        return answered(self._known().world(self._engine), question, data, AVERAGED)
