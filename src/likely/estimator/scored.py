"""Scores of a table that holds its target beside the other columns."""

from __future__ import annotations

from likely.estimator.fitted import features_of, target_values
from likely.table.accepted import TableLike, Target, Weights


class Scored:
    """Stands before scikit-learn's mixin of classifiers or regressors, whose `score` wants y as values."""

    def score(self, X: TableLike, y: Target, sample_weight: Weights = None) -> float:
        """How good the answers are: the share of right classes, or R2 of a number.

        y has the true ones, or is the name of the column of X that does.
        """
        target = target_values(X, y, type(self).__name__)
        X = features_of(X, str(y)) if isinstance(y, str | int) else X
        return float(super().score(X, target, sample_weight))  # type: ignore[misc]
