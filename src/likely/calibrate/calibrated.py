"""Any classifier with calibrated probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone

from likely.calibrate.choose import compare_methods
from likely.calibrate.methods import Ints, fit_method
from likely.calibrate.out_of_fold import fit_to, out_of_fold
from likely.calibrate.reweigh import reweigh
from likely.calibrate.scores_of import has_probabilities, scores_of
from likely.models.record import Settings, base_rates
from likely.models.rows import refuse_empty, row_weights
from likely.models.target import class_array, class_codes, split_target, target_column
from likely.stats.groups import Floats
from likely.table.rows import without


class Calibrated(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A classifier whose probabilities, or scores, are calibrated on rows that it had not seen.

    The rows are cut into folds; each fold is scored by a copy of the model that was fitted to the others.
    From these scores the calibration is learnt, and the model that predicts is fitted to all rows.

    Parameters
    ----------
    model : classifier
        One of `likely`, or any of scikit-learn's kind with `predict_proba` or `decision_function`.
    method : str
        "logistic" (Platt), "beta", "isotonic" (the ROC hull, by Laplace's rule), "means" (logistic, from
        class means and the pooled variance), "bins", "temperature", or "none". "auto" takes the one with
        the lowest cross-validated log loss of none, logistic, beta, isotonic, and for more than two
        classes temperature.
    cv : int, splitter or "prefit"
        In how many folds the rows are cut: shuffled, every class spread evenly; or a splitter of
        scikit-learn's. "prefit": the model is fitted already, and the calibration is learnt from all rows
        that `fit` gets, which it should not have seen.
    base_rate : None, "uniform" or mapping
        The class probabilities where predictions will be made; None takes them to be those of the rows.

    Attributes
    ----------
    model_ : classifier
        The fitted model.
    method_ : str
        The method that was taken.
    log_losses_ : dict
        With "auto", the cross-validated log loss of each method, the best first.
    calibrator_ : function
        From the scores of the model to log-probabilities.

    Examples
    --------
    >>> import likely
    >>> people = likely.read("titanic")
    >>> model = likely.Calibrated(likely.NaiveBayes()).fit(people, "survived")
    >>> model.method_, {name: round(loss, 3) for name, loss in model.log_losses_.items()}
    ('isotonic', {'isotonic': 0.497, 'beta': 0.505, 'logistic': 0.517, 'none': 0.521})
    """

    def __init__(
        self,
        model: Any = None,
        method: str = "auto",
        cv: Any = 5,
        base_rate: Mapping[Any, float] | str | None = None,
    ) -> None:
        self.model = model
        self.method = method
        self.cv = cv
        self.base_rate = base_rate

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table)."""
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        column = target_column(raw)
        codes, classes = class_codes(column, raw), class_array(column)
        X = without(X, raw.name) if isinstance(y, str | int) else X
        weight = row_weights(sample_weight, frame.n)
        self.classes_, self.n_features_in_ = classes, len(frame.names)
        base = self._unfitted()
        odds = has_probabilities(base)
        if self.cv == "prefit":
            self.model_, scores = self.model, scores_of(self.model, X, classes)
        else:
            scores = out_of_fold(base, X, codes, classes, weight, self.cv)
            self.model_ = fit_to(base, X, classes[codes], weight)
        if hasattr(self.model_, "feature_names_in_"):
            self.feature_names_in_ = self.model_.feature_names_in_
        self._learn(scores, codes, weight, odds)
        return self

    def _unfitted(self) -> Any:
        if self.model is None:
            from likely.models.naive_bayes import NaiveBayes

            return NaiveBayes()
        return self.model if self.cv == "prefit" else clone(self.model)

    def _learn(self, scores: Floats, codes: Ints, weight: Floats | None, odds: bool) -> None:
        given = (codes, self.classes_, weight, odds)
        self.method_ = self.method
        if self.method == "auto":
            self.log_losses_ = compare_methods(scores, *given)
            self.method_ = next(iter(self.log_losses_))
        elif hasattr(self, "log_losses_"):
            del self.log_losses_
        self.calibrator_ = fit_method(self.method_, scores, *given)
        share = np.bincount(codes, weight, len(self.classes_)).astype(np.float64)
        self.base_rate_: Floats = share / share.sum()
        self.rates_  # noqa: B018  # what cannot be used is refused here, not at the first prediction

    def predict_log_proba(self, X: Any) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        log_p = self.calibrator_(scores_of(self.model_, X, self.classes_))
        return log_p if self.base_rate is None else reweigh(log_p, self.base_rate_, self.rates_)

    def predict_proba(self, X: Any) -> Floats:
        """P(class given row), (n, g), in the order of `classes_`."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        best = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def with_base_rate(self, base_rate: Mapping[Any, float] | str) -> Self:
        """The same model under other class probabilities: a mapping, or "uniform"."""
        new: Self = clone(self).set_params(base_rate=base_rate)
        for name, value in vars(self).items():
            if name.endswith("_"):
                setattr(new, name, value)
        new.rates_  # noqa: B018  # what cannot be used is refused here, not at the first prediction
        return new

    @property
    def rates_(self) -> Floats:
        """The class probabilities that are in the predictions, (g,): those of the rows, or those given."""
        if self.base_rate is None:
            return self.base_rate_
        return base_rates(tuple(self.classes_.tolist()), self.base_rate_, Settings(base_rate=self.base_rate))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        inner = get_tags(self._unfitted())
        tags.input_tags = inner.input_tags
        tags.classifier_tags = inner.classifier_tags
        return tags
