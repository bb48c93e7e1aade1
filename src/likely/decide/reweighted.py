"""Any fitted classifier under another base rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.calibrate.classifier_scores import log_probabilities
from likely.calibrate.reweigh import reweigh
from likely.decide.rates import rates_of
from likely.estimator.by_probability import ByProbability
from likely.estimator.classifier import AnyClassifier
from likely.models.groups.base_rate import Settings, base_rates
from likely.stats.groups import Floats


@dataclass(frozen=True, eq=False)
class Reweighted(ByProbability):
    """A fitted classifier with the probabilities of another base rate. `with_base_rate` makes it."""

    model: AnyClassifier
    classes_: NDArray[Any]  # (g,), in order
    old: Floats  # (g,), the base rate in the model's probabilities
    new: Floats  # (g,)

    @property
    def rates_(self) -> Floats:
        """The class probabilities that are in the predictions, (g,)."""
        return self.new

    def predict_log_proba(self, X: object) -> Floats:
        """Log P(class given row), (n, g)."""
        return reweigh(log_probabilities(self.model, X, self.classes_), self.old, self.new)


def with_base_rate(
    model: AnyClassifier,
    base_rate: Mapping[Any, float] | str,
    *,
    trained_on: Mapping[Any, float] | str | None = None,
) -> Any:
    """A fitted classifier under other class probabilities.

    Models of `likely` answer by themselves; the probabilities of others are multiplied by new / old base
    rate, and brought to the sum 1.

    Parameters
    ----------
    model : fitted classifier
        Any with `predict_proba`.
    base_rate : mapping or "uniform"
        The new class probabilities.
    trained_on : mapping or None
        The base rate that is in the model's probabilities; None where the model knows it.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> model = GaussianNB().fit([[0], [1], [2], [3]], ["a", "a", "b", "b"])
    >>> with_base_rate(model, {"a": 0.9, "b": 0.1}).predict_proba([[1.5]]).round(3)
    array([[0.9, 0.1]])
    """
    if trained_on is None and hasattr(model, "with_base_rate"):
        return model.with_base_rate(base_rate)
    old, classes = rates_of(model, trained_on), tuple(model.classes_.tolist())
    new = base_rates(classes, np.ones(len(classes)), Settings(base_rate=base_rate))
    return Reweighted(model, np.asarray(model.classes_), old, new)
