"""Tree-augmented naive Bayes, and averaged one-dependence estimators."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from likely.ask.ask import Answer
from likely.ask.empirical import BesideData, answered
from likely.errors import LikelyError, notice
from likely.estimator.classifier import ByProbability
from likely.estimator.fitted import (
    FittedModel,
    class_array,
    class_codes,
    read_only,
    refuse_empty,
    row_weights,
    split_target,
    target_column,
)
from likely.estimator.paged import Paged
from likely.estimator.scored import Scored
from likely.evidence import Importance, Ledgers, importance
from likely.infer.structure_trees import pair_informations
from likely.models.groups.tally import Settings
from likely.models.one_dependence.cells import CellCodes
from likely.models.one_dependence.explain import explain
from likely.models.one_dependence.learn_weight import learn_weight
from likely.models.one_dependence.record import PairRecord, count_pairs, refuse_smoothing
from likely.models.one_dependence.tables import learn_tree
from likely.stats import Groups
from likely.table.accepted import Kinds, Level, TableLike, Target, Weights
from likely.table.frame import Frame

Floats = NDArray[np.float64]

ONE = (
    "every column depends on the class and on one column more, and on nothing else. Trust the rows where "
    "there are many of them, and the model where there are few."
)


class OneDependence(ByProbability, FittedModel, Paged, Scored, ClassifierMixin, BaseEstimator):
    """What both classifiers have in common: all but which column is the parent of which."""

    record_: PairRecord
    kinds: Kinds
    prior: str | float | None
    backoff: float | None
    base_rate: Mapping[Any, float] | str | None
    missing: str
    evidence_weights: str | None

    @abstractmethod
    def _arranged(self, record: PairRecord) -> PairRecord:
        """The record with its parents."""

    def fit(self, X: TableLike, y: Target, sample_weight: Weights = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table)."""
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        smoothing = refuse_smoothing(self.prior, self.backoff)
        weight = row_weights(sample_weight, frame.n)
        target = target_column(raw)
        codes = class_codes(target, raw)
        if weight is not None and not weight.all():  # rows that do not count are not there
            kept = np.flatnonzero(weight)
            frame, weight = frame.at(kept), weight[kept]
            seen, codes = np.unique(codes[kept], return_inverse=True)
            target = replace(target, levels=tuple(target.known[i] for i in seen))
        groups = Groups.hard(codes, len(target.levels or ()), weight)
        reading = CellCodes.learn(frame, self.kinds, self.missing, weight)
        pairs = count_pairs(reading, frame, groups, self._engine)
        settings = Settings("mean", None if smoothing.each == 0 else "default", self.base_rate)
        record = PairRecord(reading, target, groups.total, pairs, None, smoothing, settings)
        self._take(self._weighed(self._arranged(record), frame, groups))
        return self

    def _weighed(self, record: PairRecord, frame: Frame, groups: Groups) -> PairRecord:
        if self.evidence_weights not in (None, "learnt"):
            raise LikelyError(
                f"evidence_weights={self.evidence_weights!r}: use 'learnt', or None to count all evidence."
            )
        if self.evidence_weights is None or record.smoothing.each == 0:
            return record
        return replace(record, weight=learn_weight(record, frame, groups))

    def _take(self, record: PairRecord, estimate: bool = True) -> None:
        """Be the model of this record."""
        if estimate:
            record.tables  # noqa: B018  # what cannot be is refused here, not at the first prediction
        super()._take(record, estimate)
        self.classes_ = class_array(record.target)

    @property
    def evidence_weight_(self) -> float:
        """How much the evidence of the columns counts in a prediction."""
        return float(self._known().weight)

    @property
    def base_rate_(self) -> Floats:
        """P(class), (g,), in the order of `classes_`: learnt, or given."""
        return read_only(np.asarray(self._known().rates))

    def predict_log_proba(self, X: TableLike) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""
        record: PairRecord = self._known()
        answer, gone = record.posterior(self._frame(X), self._engine)
        if gone.any():
            notice(
                f"{int(gone.sum())} of {len(gone)} rows have probability 0 in every class, the first of them "
                f"row {int(gone.argmax())}: they get the base rate. Fit with a prior to rule nothing out."
            )
        return answer

    def with_base_rate(self, base_rate: Mapping[Any, float] | str) -> Self:
        """The same model under other class probabilities: a mapping, or "uniform"."""
        new = self._with_record(self._known().under_base_rate(base_rate))
        new.set_params(base_rate=base_rate)
        return new

    def explain(
        self,
        X: TableLike,
        favoured: Level | None = None,
        against: Level | None = None,
        *,
        order: Sequence[str] | None = None,
    ) -> Ledgers:
        """The evidence ledger of every row: base rate, then what each column adds once others are known.

        By default the most probable class against the runner-up; `favoured` and `against` name any pair.
        Columns become known one after another, in `order` if it is given: columns that repeat others add
        little once those are known.
        """
        return explain(self._known(), self._frame(X), favoured, against, order, self._engine)

    def importance(self, X: TableLike) -> Importance:
        """The mean absolute evidence of each column over the rows of X, winner against runner-up."""
        return importance(self.explain(X))

    def ask(self, question: str, data: TableLike | str | None = None) -> Answer | BesideData:
        """Answer a question about the target, such as "P(survived=yes | sex=female, class=1st)".

        Columns that the question does not tell add no evidence. With `data`, a table with the target, the
        same is counted in its rows, and said whether the model differs from them beyond chance.
        """
        return answered(self._known().world(), question, data, ONE)


class TreeAugmentedNaiveBayes(OneDependence):
    """Naive Bayes in which every column depends on one column more: a tree of columns (TAN).

    The tree is the one under which the rows are most likely: it has the largest sum of conditional mutual
    information, I(column; parent | class). A column that repeats another adds nothing once that is known.
    Levels and true/false are counted as they are, numbers in up to 8 bins of about as many rows each. What
    is missing is summed out, exactly.

    Parameters
    ----------
    kinds : mapping, str or None
        The kind of each column, as in `NaiveBayes`. Text is refused.
    root : str or None
        The column that the tree begins with; None is the one that tells most of the class. Without smoothing
        it makes no difference.
    prior : "default", number or None
        What is added to every count of a table: 1 (Laplace) by default; None is maximum likelihood.
    backoff : number or None
        How many rows the table without the parent is worth, in the table with it: where few rows tell of a
        level of the parent, the column is as in naive Bayes. None adds `prior` to every count instead.
    base_rate : None, "uniform" (or "balanced") or mapping
        The class probabilities; None learns them.
    missing : "ignore" or "level"
        Whether a missing cell adds no evidence, or is a level of its own.
    evidence_weights : "learnt" or None
        By how much the evidence of all columns counts, from 0 to 1: by default it is learnt, from 30 rows on,
        as what predicts held-out rows best. None counts all of it, and so does maximum likelihood.
    n_jobs : int or None
        Threads: None for one, -1 for all cores.

    Attributes
    ----------
    tree_ : dict
        The parent of each column in the tree, None where it has the class alone.
    information_ : dict
        I(column; parent | class) of each column that has a parent, in bits.

    Examples
    --------
    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> model = likely.TreeAugmentedNaiveBayes(backoff=None).fit(days, "play")
    >>> model.tree_
    {'outlook': None, 'temperature': 'outlook', 'humidity': 'temperature', 'windy': 'outlook'}
    >>> today = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}
    >>> model.predict_proba(today).round(6)
    array([[0.4, 0.6]])
    """

    def __init__(
        self,
        kinds: Kinds = None,
        root: str | None = None,
        prior: str | float | None = "default",
        backoff: float | None = 10.0,
        base_rate: Mapping[Any, float] | str | None = None,
        missing: str = "ignore",
        evidence_weights: str | None = "learnt",
        n_jobs: int | None = None,
    ) -> None:
        self.kinds = kinds
        self.root = root
        self.prior = prior
        self.backoff = backoff
        self.base_rate = base_rate
        self.missing = missing
        self.evidence_weights = evidence_weights
        self.n_jobs = n_jobs

    def _arranged(self, record: PairRecord) -> PairRecord:
        names = list(record.schema.names)
        if self.root is not None and self.root not in names:
            raise LikelyError(f"root={self.root!r} is no column: use one of {names[:10]!r}.")
        root = None if self.root is None else names.index(self.root)
        return replace(record, tree=learn_tree(record.pairs, names, root))

    @property
    def tree_(self) -> dict[str, str | None]:
        """The parent of each column in the tree, None where it has the class alone."""
        names, tree = self._known().schema.names, self._known().tree
        return {name: None if p < 0 else names[p] for name, p in zip(names, tree, strict=True)}

    @property
    def information_(self) -> dict[str, float]:
        """What each column and its parent tell of each other given the class, in bits."""
        record = self._known()
        bits = pair_informations(record.pairs)
        pairs = enumerate(zip(record.schema.names, record.tree, strict=True))
        return {name: float(bits[j, parent]) for j, (name, parent) in pairs if parent >= 0}


class AODE(OneDependence):
    """Averaged one-dependence estimators: every column in its turn is the parent of all others.

    P(class, row) is the mean, over the columns, of P(class, column) times P(every other column given both).
    It chooses nothing, so that it is steadier than a tree where rows are few, at d times the work. A missing
    cell is neither parent nor child.

    Parameters
    ----------
    kinds : mapping, str or None
        The kind of each column, as in `NaiveBayes`. Text is refused.
    prior : "default", number or None
        What is added to every count of a table: 1 (Laplace) by default; None is maximum likelihood.
    backoff : number or None
        How many rows the table without the parent is worth, in the table with it. None adds `prior` to every
        count instead.
    base_rate : None, "uniform" (or "balanced") or mapping
        The class probabilities; None learns them.
    least : number
        A level that was seen in fewer rows is no parent; if none is left, it is naive Bayes.
    missing : "ignore" or "level"
        Whether a missing cell adds no evidence, or is a level of its own.
    evidence_weights : "learnt" or None
        By how much the evidence of all columns counts, from 0 to 1: by default it is learnt, from 30 rows on,
        as what predicts held-out rows best. None counts all of it, and so does maximum likelihood.
    n_jobs : int or None
        Threads: None for one, -1 for all cores.

    Examples
    --------
    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> model = likely.AODE(backoff=None).fit(days, "play")
    >>> today = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}
    >>> model.predict_proba(today).round(6)
    array([[0.627275, 0.372725]])
    """

    def __init__(
        self,
        kinds: Kinds = None,
        prior: str | float | None = "default",
        backoff: float | None = 10.0,
        base_rate: Mapping[Any, float] | str | None = None,
        least: float = 1.0,
        missing: str = "ignore",
        evidence_weights: str | None = "learnt",
        n_jobs: int | None = None,
    ) -> None:
        self.kinds = kinds
        self.prior = prior
        self.backoff = backoff
        self.base_rate = base_rate
        self.least = least
        self.missing = missing
        self.evidence_weights = evidence_weights
        self.n_jobs = n_jobs

    def _arranged(self, record: PairRecord) -> PairRecord:
        least = self.least
        if isinstance(least, bool) or not isinstance(least, int | float | np.number) or not least >= 0:
            raise LikelyError(f"least={least!r}: give a number of rows from 0 on.")
        return replace(record, least=float(least))
