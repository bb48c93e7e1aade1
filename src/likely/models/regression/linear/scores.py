"""Classes by linear scores: what the classifiers with coefficients have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.estimator.target import class_array
from likely.models.regression.estimator import RegressionModel
from likely.models.regression.logistic.record import LogisticRecord

Floats = NDArray[np.float64]


class LinearScores(RegressionModel):
    """A classifier whose scores are sums of coefficients times values; of logistic regression, log-odds."""

    record_: LogisticRecord
    classes_: NDArray[Any]

    def _take(self, record: LogisticRecord, estimate: bool = True) -> None:
        """Be the model of this record."""
        super()._take(record, estimate)
        self.classes_ = class_array(record.target)

    @property
    def coef_(self) -> Floats:
        """Coefficients of the original columns, (1, p) for two classes, else (g, p)."""
        return np.asarray(self._known().original[:, 1:])

    @property
    def intercept_(self) -> Floats:
        """The scores where all columns are 0, (1,) for two classes, else (g,)."""
        return np.asarray(self._known().original[:, 0])

    def decision_function(self, X: Any) -> Floats:
        """The score of the second class against the first, (n,); or the scores of all classes, (n, g).

        They are log-odds in `LogisticRegression` alone.
        """
        record, frame = self._known(), self._frame(X)
        scores = record.design.cells(frame, self.n_jobs).predict(record.theta)
        return np.asarray(scores[:, 0] if scores.shape[1] == 1 else scores)
