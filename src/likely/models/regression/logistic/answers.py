"""What a fitted logistic regression answers: coefficients, probabilities, intervals, ledgers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.ask.ask import Answer
from likely.ask.empirical import BesideData, answered
from likely.dist import MultivariateNormal
from likely.errors import LikelyError, lacking
from likely.estimator.classifier import ByProbability
from likely.estimator.exported import Exportable
from likely.estimator.fitted import read_only
from likely.evidence import Importance, Intervals, Ledgers, importance
from likely.models.regression.estimator import LinearScores, refuse_unknown_of
from likely.models.regression.explain import explain
from likely.models.regression.logistic.fit import predict_interval
from likely.models.regression.odds_ratios import OddsRatios, odds_ratios
from likely.models.regression.summary import CoefficientTable, class_summary
from likely.table.accepted import Level, RandomState, TableLike

Floats = NDArray[np.float64]

SUM = "the log-odds are taken as the sum of what each column adds by itself."


class LogisticAnswers(Exportable, ByProbability, LinearScores):
    """Forwarded to functions over `record_`."""

    @property
    def prior_(self) -> Any:
        """The prior that was used: the one found, where it was to be chosen."""
        return self._known().prior

    @property
    @lacking()
    def standard_errors_(self) -> Floats:
        """Of the intercept and the coefficients, (1, 1 + p) or (g, 1 + p)."""
        return read_only(self._known().standard_errors)

    @property
    @lacking()
    def log_evidence_(self) -> float:
        """Laplace's approximation of log P(classes given rows), with the intercept's prior taken for 1."""
        log_evidence = self._known().log_evidence
        if log_evidence is None:
            raise LikelyError(
                "only a smooth prior of the coefficients, such as Normal(0, 1), has an evidence."
            )
        return float(log_evidence)

    @property
    @lacking()
    def posterior_(self) -> MultivariateNormal:
        """Intercept and coefficients as a normal distribution: yesterday's posterior is today's prior.

        Of more than two classes, class after class; what is added to all of them changes no probability, and
        is as uncertain as each.
        """
        record = self._known()
        covariance = record.proper_covariance()
        refuse_unknown_of([record.design.names[j] for j in record.unknown])
        return MultivariateNormal(record.original.ravel(), covariance)

    @property
    @lacking()
    def covariance_(self) -> Floats:
        """Of the intercepts and coefficients, class after class, in original units."""
        return read_only(self._known().original_covariance)

    def predict_log_proba(self, X: TableLike) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""
        return np.asarray(self._known().posterior(self._frame(X), self._engine))

    def with_base_rate(self, base_rate: Mapping[Any, float] | str) -> Self:
        """The same model under other class probabilities: a mapping, or "uniform"."""
        return self._with_record(self._known().under_base_rate(base_rate))

    def predict_interval(
        self, X: TableLike, level: float = 0.9, *, draws: int = 1000, random_state: RandomState = 0
    ) -> Intervals:
        """Where each class probability lies, as far as the coefficients are known from the data.

        The posterior is taken for normal around the most probable coefficients (Laplace's approximation). As
        everywhere, this leaves out that the log-odds may be no sum of the columns.
        """
        record, frame = self._known(), self._frame(X)
        return predict_interval(record, frame, level, draws, random_state, self._engine)

    def explain(self, X: TableLike, favoured: Level | None = None, against: Level | None = None) -> Ledgers:
        """The evidence ledger of every row: a baseline, then what each column adds to the log-odds.

        The baseline has every number at its mean, and no level (without a prior, the first one) and no word.
        By default the most probable class against the runner-up; `favoured` and `against` name any pair.
        """
        return explain(self._known(), self._frame(X), favoured, against, self._engine)

    def importance(self, X: TableLike) -> Importance:
        """The mean absolute evidence of each column over the rows of X, winner against runner-up."""
        return importance(self.explain(X))

    def ask(self, question: str, data: TableLike | str | None = None) -> Answer | BesideData:
        """Answer a question about the target, such as "P(survived=yes | sex=female, class=1st, age=adult)".

        All columns must be told, or none (which asks for the base rate): how columns go together is not
        learnt; with missing="average", numbers may be left out. With `data`, a table with the target, the
        same is counted in its rows, and said whether the model differs from them beyond chance.
        """
        return answered(self._known().world(self._engine), question, data, SUM)

    def odds_ratios(self, level: float = 0.95) -> OddsRatios:
        """Levels against the first of their column, odds ratios with intervals, and a test of each column.

        Of two classes. The prior stands beside; standard errors are Laplace's approximation.
        """
        record = self._known()
        if not record.reference:
            raise LikelyError(
                f"odds ratios are of two classes, and there are {len(record.classes)}: summary() has the "
                "coefficients of each."
            )
        return odds_ratios(record, level)

    def summary(self, level: float = 0.95) -> CoefficientTable:
        """Coefficients, standard errors, z and intervals, as a table."""
        more = f", log-likelihood {self._known().log_likelihood:.2f}"
        return class_summary(self._known(), "logistic regression", more, level)
