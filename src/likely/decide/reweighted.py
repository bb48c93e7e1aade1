"""The base rate that a classifier was trained under, and any fitted classifier under another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.calibrate.classifier_scores import log_probabilities
from likely.calibrate.wrapped import reweigh
from likely.errors import LikelyError
from likely.estimator.classifier import AnyClassifier, ByProbability
from likely.estimator.fitted import read_only
from likely.models.groups.tally import Settings, base_rates
from likely.stats.groups import Floats


def rates_of(model: AnyClassifier, given: Mapping[Any, float] | str | None = None) -> Floats:
    """P(class) that is in the probabilities of a fitted classifier, (g,), in the order of its classes.

    Models of `likely` know it, and so do those of scikit-learn that have a prior. Of others it must be given.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> rates_of(GaussianNB().fit([[0], [1], [2], [3]], [0, 1, 1, 1]))
    array([0.25, 0.75])
    """
    classes = tuple(model.classes_.tolist())
    if given is not None:
        return base_rates(classes, np.ones(len(classes)), Settings(base_rate=given))
    last = _last_step(model)
    rates = _learnt(last)
    if rates is not None:
        return np.asarray(rates, np.float64)
    raise LikelyError(
        f"{type(last).__name__} does not say what base rate it was trained under: give it with "
        "trained_on={class: share, ...}."
    )


def rows_behind(model: AnyClassifier, given: Mapping[Any, float] | str | None = None) -> float:
    """How many rows (or what weight) the base rate of a classifier was learnt from.

    Infinite if it was given, or if the model does not tell: then it is taken to be known.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> rows_behind(GaussianNB().fit([[0], [1], [2], [3]], [0, 1, 1, 1]))
    4.0
    """
    last = _last_step(model)
    if given is None and hasattr(last, "members_"):  # of an average: they have learnt from the same rows
        return rows_behind(last.members_[0])
    counts = getattr(getattr(last, "record_", None), "class_counts", getattr(last, "class_count_", None))
    return float("inf") if given is not None or counts is None else float(np.sum(counts))


def _last_step(model: AnyClassifier) -> AnyClassifier:
    """The classifier at the end of a pipeline of scikit-learn, or the model itself."""
    if not hasattr(model, "named_steps"):
        return model
    last: AnyClassifier = list(model.named_steps.values())[-1]
    return last


def _learnt(model: object) -> Any:
    """What a model knows of its base rate: ours under the first names, those of scikit-learn under others."""
    record: Any = getattr(model, "record_", None)
    if hasattr(record, "rates"):
        return record.rates
    for name in ("rates_", "class_prior_", "priors_"):
        if getattr(model, name, None) is not None:
            return getattr(model, name)
    logs = getattr(model, "class_log_prior_", None)
    return None if logs is None else np.exp(logs)


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
        return read_only(self.new)

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
