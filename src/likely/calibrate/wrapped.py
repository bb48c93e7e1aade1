"""What is built on top of a classifier: the model inside, the rows it learns from, another base rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.calibrate.classifier_scores import fit_to, has_probabilities
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.estimator.fitted import (
    class_array,
    class_codes,
    refuse_empty,
    row_weights,
    split_target,
    target_column,
)
from likely.estimator.registry import is_estimator
from likely.infer.bayes import bayes_rule
from likely.models.naive_bayes.classifier import NaiveBayes
from likely.score.outcomes import codes_of
from likely.stats.groups import Floats
from likely.table.column.column import Column
from likely.table.frame import take, without

Method = TypeVar("Method", bound=Callable[..., Any])


def start_of(model: object) -> Any:
    """The model to begin with: naive Bayes where none is given.

    >>> start_of(None)
    NaiveBayes(evidence_weights=None)
    """
    return NaiveBayes(evidence_weights=None) if model is None else model  # calibration weighs it


def if_inside_can(method: str) -> Callable[[Method], Method]:
    """A decorator of methods that are there only where the model inside has one of this name."""
    from sklearn.utils.metaestimators import available_if

    return cast(
        Callable[[Method], Method], available_if(lambda outer: hasattr(start_of(outer.model), method))
    )


def is_fitted(model: object) -> bool:
    """Whether a classifier has learnt: it knows its classes then.

    >>> is_fitted(start_of(None))
    False
    """
    return hasattr(model, "classes_")


def fitted(model: object) -> Any:
    """The model, if it has learnt.

    >>> fitted(None)
    Traceback (most recent call last):
    sklearn.exceptions.NotFittedError: the NaiveBayes is not fitted: call fit first.
    """
    if is_fitted(model):
        return model
    from sklearn.exceptions import NotFittedError

    raise NotFittedError(f"the {type(start_of(model)).__name__} is not fitted: call fit first.")


def refuse_without_probabilities(model: object) -> None:
    """Refuse a classifier that has only scores."""
    if not has_probabilities(model):
        raise LikelyError(
            f"{type(model).__name__} has no predict_proba: wrap it, as in Decider(Calibrated(model))."
        )


def take_names(outer: Any, model: object) -> None:
    """Let a classifier have the names of columns that the model inside has, and no others."""
    if hasattr(model, "feature_names_in_"):
        outer.feature_names_in_ = model.feature_names_in_
    elif hasattr(outer, "feature_names_in_"):
        del outer.feature_names_in_


def as_inside(tags: Any, model: object) -> Any:
    """The tags of scikit-learn, with what the model inside says about its rows and classes, if it does."""
    if isinstance(model, type) or not hasattr(model, "__sklearn_tags__"):
        return tags
    from sklearn.utils import get_tags

    inner = get_tags(model)
    tags.input_tags = inner.input_tags
    tags.classifier_tags = inner.classifier_tags
    return tags


@dataclass(frozen=True)
class Labelled:
    """A table without its target, and the classes apart.

    >>> rows = Labelled.of({"x": [1, 2, 3], "kind": ["b", "a", "b"]}, "kind", None, "me")
    >>> rows.codes, rows.classes, rows.target.name, list(rows.X)
    (array([1, 0, 1]), array(['a', 'b'], dtype=object), 'kind', ['x'])
    """

    X: Any  # the table as it came
    width: int  # how many columns it has
    target: Column
    codes: NDArray[np.intp]  # (n,)
    classes: NDArray[Any]  # (g,)
    weight: Floats | None  # (n,)

    @classmethod
    def of(cls, X: object, y: object, weight: ArrayLike | None, who: str) -> Labelled:
        """A table and its target (values, or the name of a column of the table)."""
        frame, raw = split_target(X, y, who)
        refuse_empty(frame)
        column = target_column(raw)
        codes, classes = class_codes(column, raw), class_array(column)
        features = without(X, raw.name) if isinstance(y, str | int) else X
        return cls(features, len(frame.names), column, codes, classes, row_weights(weight, frame.n))

    @property
    def labels(self) -> NDArray[Any]:
        """The class of each row, (n,)."""
        return np.asarray(self.classes[self.codes])

    @property
    def counts(self) -> Floats:
        """How much each row counts, (n,)."""
        return np.ones(len(self.codes)) if self.weight is None else self.weight

    def tested(self, cv: object) -> Labelled:
        """The rows to try a model on: those of some weight, unless `cv` names rows by their places itself.

        >>> Labelled.of({"x": [1, 2, 3]}, ["b", "a", "b"], [1, 2, 0], "me").tested(5).X
        {'x': [1, 2]}
        """
        if self.weight is None or self.weight.all() or not isinstance(cv, int | str):
            return self
        kept = np.flatnonzero(self.weight)
        return replace(self, X=take(self.X, kept), codes=self.codes[kept], weight=self.weight[kept])

    def among(self, classes: NDArray[Any]) -> NDArray[np.intp]:
        """The class of each row as its place among those that a model knows, (n,)."""
        return codes_of(self.labels, classes)


def fit_inside(model: object, X: object, y: ArrayLike, rows: Labelled) -> Any:
    """A copy of the model, fitted; one of ours takes the table as it came, and so knows the target's name."""
    from sklearn.base import clone

    own = is_estimator(model)
    return fit_to(clone(model), X if own else rows.X, y if own else rows.labels, rows.weight)


def reweigh(log_p: Floats, old: Floats, new: Floats) -> Floats:
    """Log P(class), (n, g), that was right under the base rate `old`, made right under `new`.

    The likelihood ratios stay, so that each probability is multiplied by new / old, and the row brought to
    the sum 1. A row that is impossible under the new base rate gets that base rate.

    >>> np.exp(reweigh(np.log([[0.5, 0.5]]), np.array([0.5, 0.5]), np.array([0.9, 0.1])))
    array([[0.9, 0.1]])
    """
    unknown = (old <= 0) & (new > 0)
    if unknown.any():
        place = int(np.argmax(unknown))
        raise LikelyError(
            f"class number {place} had no rows and is now to have the base rate {new[place]:g}: what was "
            "never seen cannot be told. Learn from rows of this class."
        )
    change = np.where(old > 0, log(new) - log(np.where(old > 0, old, 1.0)), -np.inf)
    log_posterior, log_evidence = bayes_rule(np.where(np.isneginf(change), -np.inf, log_p + change))
    gone = np.isneginf(log_evidence)
    log_posterior[gone] = log(new)
    return log_posterior
