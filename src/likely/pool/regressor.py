"""The default learner of numbers: a pool of models of different sorts."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin

from likely.ask.ask import Answer, ask
from likely.ask.empirical import BesideData, beside_data
from likely.estimator.fitted import outcomes, refuse_empty, row_weights, split_target
from likely.estimator.scored import Scored
from likely.evidence import Importance
from likely.evidence.curves import EffectCurves
from likely.evidence.interactions import Interactions
from likely.models.groups.intervals import check_level
from likely.models.regression.linear.answers import Contributions, OutcomeIntervals
from likely.pool.effects import SeenEffects
from likely.pool.explain import explain_number, importance_of_number
from likely.pool.face import PoolFace
from likely.pool.learn_number import learn_number
from likely.pool.number_record import NumberPoolRecord
from likely.pool.number_world import NumberWorld
from likely.pool.outcomes import PoolOutcomes
from likely.pool.untold import AVERAGED
from likely.table.accepted import TableLike, Target, Weights
from likely.table.column.column import Column

Floats = NDArray[np.float64]


class Regressor(PoolFace, Scored, RegressorMixin, BaseEstimator):
    """A number from a table of any kinds, by several sorts of models together: the one to begin with.

    Each member is fitted so that what it expects of the rows is known without it having seen them. The pool
    is their weighted sum; weights predict these rows best. The errors that are left in them say how the
    number is distributed around that: how large they are, by the columns, and of what shape.

    Parameters
    ----------
    budget : "additive", "fast", "default", "best" or a number of seconds
        As in `Classifier`.
    members : list of str or None
        The members to fit instead: those of `Classifier` but "evidence".
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
        The root of the mean squared error of each member, and of the pool, on rows that they had not seen.
    left_out_ : tuple of str
        Members that could not be had, and why.

    Examples
    --------
    >>> import likely
    >>> x = np.arange(40.0)
    >>> model = likely.Regressor("additive").fit({"x": x}, 2 * x + 1)
    >>> model.predict({"x": [10.0]}).round(0)
    array([21.])
    """

    record_: NumberPoolRecord

    def fit(self, X: TableLike, y: Target, sample_weight: Weights = None) -> Self:
        """Learn from a table and its target (numbers, or the name of a column of the table)."""
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        weight, values = row_weights(sample_weight, frame.n), outcomes(raw)
        if weight is not None and not weight.all():  # rows that do not count are not there
            kept = np.flatnonzero(weight)
            frame, weight, values = frame.at(kept), weight[kept], values[kept]
        target = Column.of_numbers(raw.name, raw.type, raw.zone)
        with self._learning() as settings:
            self._take(learn_number(frame, target, values, weight, settings))
        return self

    @property
    def losses_(self) -> dict[str, float]:
        """The RMSE of each member, and of the pool, on rows that they had not seen."""
        record = self._known()
        every = zip((*record.names, "pool"), (*record.losses.tolist(), record.loss), strict=True)
        return {name: record.rmse(loss) for name, loss in every}

    def predict(self, X: TableLike) -> Floats:
        """What is expected of each row's number, (n,)."""
        return np.asarray(self.predict_distribution(X).location)

    def predict_distribution(self, X: TableLike) -> PoolOutcomes:
        """The distribution of each row's number, (n,): `quantile`, `cdf`, `log_prob`, `mean`, `sd`, `sample`.

        It keeps to the support of what was seen: nothing below 0 if nothing was, whole numbers if all were.
        """
        outcome: PoolOutcomes = self._known().outcomes(self._frame(X), self._engine)
        return outcome

    def predict_interval(self, X: TableLike, level: float = 0.9) -> OutcomeIntervals:
        """Where the number of each row lies with probability `level`."""
        check_level(level)
        outcome = self.predict_distribution(X)
        ends = outcome.quantile((1 - level) / 2), outcome.quantile((1 + level) / 2)
        return OutcomeIntervals(level, outcome.location, *ends, self._frame(X).library)

    def explain(self, X: TableLike) -> Contributions:
        """Each prediction as a sum: an average row, what each column adds, and interactions."""
        return explain_number(self._known(), self._frame(X), self._engine)

    def importance(self, X: TableLike) -> Importance:
        """The mean absolute contribution of each column over the rows of X, in units of the target."""
        return importance_of_number(self.explain(X), len(self._known().schema.names))

    def curves(self, X: TableLike, level: float = 0.9) -> EffectCurves:
        """What each value of each column adds, with intervals: the lines of `explain`; see `Classifier`."""
        return self._effects(X).curves(level)

    def interactions(self, X: TableLike, top: int = 10) -> Interactions:
        """The pairs of columns that add most only together, over the rows of X."""
        return self._effects(X).interactions(top)

    def _effects(self, X: TableLike) -> SeenEffects:
        record = self._known()
        name = record.target_name
        return SeenEffects.at(record, self._frame(X), np.array([record.unit]), name, f"units of {name}")

    def ask(self, question: str, data: TableLike | None = None) -> Answer | BesideData:
        """Answer a question about the target, such as "E(price | rooms=5)" or "P(price > 200 | rooms=5)".

        Over columns that the question does not tell it averages, as `Classifier` does.
        """
        world = NumberWorld(self._known(), self._engine)
        return ask(world, question) if data is None else beside_data(world, question, data, AVERAGED)
