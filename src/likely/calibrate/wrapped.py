"""The model inside a classifier that is built on top of another."""

from __future__ import annotations

from typing import Any

from likely.calibrate.classifier_scores import has_probabilities
from likely.errors import LikelyError
from likely.models.naive_bayes.classifier import NaiveBayes


def start_of(model: object) -> Any:
    """The model to begin with: naive Bayes where none is given.

    >>> start_of(None)
    NaiveBayes(evidence_weights=None)
    """
    return NaiveBayes(evidence_weights=None) if model is None else model  # calibration weighs it


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
