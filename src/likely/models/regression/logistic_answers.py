"""What a fitted logistic regression answers: coefficients, probabilities, intervals, ledgers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.dist import MultivariateNormal
from likely.errors import LikelyError
from likely.evidence import Importance, Intervals, Ledgers, importance
from likely.models.regression.class_summary import class_summary
from likely.models.regression.conditional import ConditionalMixin
from likely.models.regression.conditional_explain import explain
from likely.models.regression.conditional_summary import CoefficientTable
from likely.models.regression.logistic_base_rate import under_base_rate
from likely.models.regression.logistic_intervals import predict_interval
from likely.models.regression.logistic_record import LogisticRecord
from likely.models.target import class_array

Floats = NDArray[np.float64]


class LogisticAnswers(ConditionalMixin):
    """Forwarded to functions over `record_`."""

    record_: LogisticRecord
    classes_: NDArray[Any]

    def _take(self, record: LogisticRecord, estimate: bool = True) -> None:
        """Be the model of this record."""
        super()._take(record, estimate)
        self.classes_ = class_array(record.target)

    @property
    def prior_(self) -> Any:
        """The prior that was used: with "auto", the one found."""
        return self._known().prior

    @property
    def coef_(self) -> Floats:
        """Coefficients of the original columns, (1, p) for two classes, else (g, p)."""
        return np.asarray(self._known().original[:, 1:])

    @property
    def intercept_(self) -> Floats:
        """Log-odds, or scores of the classes, where all columns are 0."""
        return np.asarray(self._known().original[:, 0])

    @property
    def coef_names_(self) -> tuple[str, ...]:
        """What each coefficient belongs to, as "age", "sex=female" or "age missing"."""
        return tuple(self._known().design.names)

    @property
    def standard_errors_(self) -> Floats:
        """Of the intercept and the coefficients, (1, 1 + p) or (g, 1 + p)."""
        return np.asarray(self._known().standard_errors)

    @property
    def log_evidence_(self) -> float:
        """Laplace's approximation of log P(classes given rows), with the intercept's prior taken for 1."""
        found = self._known().log_evidence
        if found is None:
            raise LikelyError(
                "only a smooth prior of the coefficients, such as Normal(0, 1), has an evidence."
            )
        return float(found)

    @property
    def posterior_(self) -> MultivariateNormal:
        """Intercept and coefficients as a normal distribution: yesterday's posterior is today's prior."""
        record = self._known()
        if len(record.theta) > 1:
            raise LikelyError(
                "with more than two classes only differences between the classes are known: "
                "`covariance_` has them."
            )
        return MultivariateNormal(record.original[0], record.original_covariance)

    @property
    def covariance_(self) -> Floats:
        """Of the intercepts and coefficients, class after class, in original units."""
        return np.asarray(self._known().original_covariance)

    def decision_function(self, X: Any) -> Floats:
        """The log-odds of the second class, (n,); or the scores of the classes, (n, g)."""
        record, frame = self._known(), self._frame(X)
        scores = record.design.cells(frame, self.n_jobs).predict(record.theta)
        return np.asarray(scores[:, 0] if scores.shape[1] == 1 else scores)

    def predict_log_proba(self, X: Any) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""
        return np.asarray(self._known().posterior(self._frame(X), self.n_jobs))

    def predict_proba(self, X: Any) -> Floats:
        """P(class given row), (n, g), in the order of `classes_`."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        best = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def with_base_rate(self, base_rate: Mapping[Any, float] | str) -> Self:
        """The same model under other class probabilities: a mapping, or "uniform"."""
        from sklearn.base import clone

        new: Self = clone(self)
        new._take(under_base_rate(self._known(), base_rate))
        return new

    def predict_interval(
        self, X: Any, level: float = 0.9, *, draws: int = 1000, random_state: Any = 0
    ) -> Intervals:
        """Where each class probability lies, as far as the coefficients are known from the data.

        The posterior is taken for normal around the most probable coefficients (Laplace's approximation). As
        everywhere, this leaves out that the log-odds may be no sum of the columns.
        """
        record, frame = self._known(), self._frame(X)
        return predict_interval(record, frame, level, draws, random_state, self.n_jobs)

    def explain(self, X: Any, favoured: Any = None, against: Any = None) -> Ledgers:
        """The evidence ledger of every row: the log-odds of an average row, then what each column adds.

        By default the most probable class against the runner-up; `favoured` and `against` name any pair.
        """
        return explain(self._known(), self._frame(X), favoured, against, self.n_jobs)

    def importance(self, X: Any) -> Importance:
        """The mean absolute evidence of each column over the rows of X, winner against runner-up."""
        return importance(self.explain(X))

    def summary(self, level: float = 0.95) -> CoefficientTable:
        """Coefficients, standard errors, z and intervals, as a table."""
        more = f", log-likelihood {self._known().log_likelihood:.2f}"
        return class_summary(self._known(), "logistic regression", more, level)
