"""Any classifier with calibrated probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone

from likely.ask.ask import Answer
from likely.ask.empirical import BesideData, answered
from likely.calibrate.classifier_scores import has_probabilities, out_of_fold, scores_of
from likely.calibrate.inside import CalibratedWorld, explained
from likely.calibrate.methods import compare_methods, fit_method
from likely.calibrate.record import CalibratedRecord, CalibratedSummary, plain_losses
from likely.calibrate.scoring import calibrated_form
from likely.calibrate.wrapped import (
    Labelled,
    as_inside,
    fit_inside,
    fitted,
    if_inside_can,
    reweigh,
    start_of,
    take_names,
)
from likely.errors import LackingError, LikelyError
from likely.estimator.classifier import ByProbability
from likely.estimator.exported import Exportable
from likely.estimator.fitted import FittedModel, class_array, features_of, read_only, target_column
from likely.estimator.paged import Paged
from likely.estimator.registry import is_estimator
from likely.estimator.scored import Scored
from likely.evidence import Ledgers
from likely.export.form import ScoringForm
from likely.models.groups.estimator import INDEPENDENT
from likely.models.groups.tally import Settings, base_rates
from likely.score.estimate import Score
from likely.stats.groups import Floats
from likely.table.accepted import Level, TableLike
from likely.table.column.as_raw import as_raw


class Calibrated(
    Exportable,
    Paged,
    ByProbability,
    FittedModel,
    Scored,
    MetaEstimatorMixin,
    ClassifierMixin,
    BaseEstimator,
):
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
    base_rate : None, "uniform" (or "balanced") or mapping
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
    record_ : CalibratedRecord
        All that was learnt.

    Examples
    --------
    >>> import likely
    >>> people = likely.read("titanic")
    >>> model = likely.Calibrated(likely.NaiveBayes()).fit(people, "survived")
    >>> model.method_, {name: round(loss, 3) for name, loss in model.log_losses_.items()}
    ('isotonic', {'isotonic': 0.499, 'beta': 0.508, 'none': 0.516, 'logistic': 0.516})
    """

    record_: CalibratedRecord

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

    def fit(self, X: object, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table)."""
        whole = Labelled.of(X, y, sample_weight, type(self).__name__)
        base, target, rows = start_of(self.model), whole.target, whole.tested(self.cv)
        if self.cv == "prefit":
            model = fitted(base)
            classes = np.asarray(model.classes_)
            target = replace(target_column(as_raw(target.name, classes)), levels=tuple(classes.tolist()))
            codes, scores = rows.among(classes), scores_of(model, rows.X, classes)
        else:
            codes, classes = rows.codes, rows.classes
            scores = out_of_fold(base, rows.X, codes, classes, rows.weight, self.cv)
            model = fit_inside(base, X, y, whole)
        given = (scores, codes, classes, rows.weight, has_probabilities(base))
        losses = compare_methods(*given) if self.method == "auto" else {}
        method = next(iter(losses), self.method)
        counts = np.bincount(codes, rows.weight, len(classes)).astype(np.float64)
        learnt = fit_method(method, *given), target, counts, rows.width, method, plain_losses(losses)
        self._take(CalibratedRecord(model, *learnt))
        return self

    def _take(self, record: CalibratedRecord, estimate: bool = True) -> None:
        """Be the model of this record."""
        self.record_ = record
        self.model_, self.method_, self.calibrator_ = record.model, record.method, record.calibrator
        self.classes_, self.base_rate_ = class_array(record.target), read_only(record.shares)
        self.n_features_in_ = record.width
        take_names(self, self.model_)
        if self.cv == "prefit":
            self.model = record.model
        self.rates_  # noqa: B018  # what cannot be used is refused here, not at the first prediction

    @property
    def log_losses_(self) -> dict[str, Score]:
        """With "auto", the cross-validated log loss of each method, the best first."""
        if not self._known().losses:
            raise LackingError("log_losses_: only method='auto' compares methods.")
        return self.record_.log_losses

    def predict_log_proba(self, X: object) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""
        X = features_of(X, self._known().target.name)
        return self._calibrated(scores_of(self.model_, X, self.classes_))

    @if_inside_can("explain")
    def explain(self, X: TableLike, favoured: Level | None = None, against: Level | None = None) -> Ledgers:
        """The evidence ledger of every row: that of the model inside, and a last line "calibration".

        By default the most probable class against the runner-up; `favoured` and `against` name any pair.
        """
        X = features_of(X, self._known().target.name)
        return explained(self.model_, X, self.predict_log_proba(X), favoured, against)

    @if_inside_can("ask")
    def ask(self, question: str, data: TableLike | str | None = None) -> Answer | BesideData:
        """Answer a question, as the model inside does; what it says of the target is calibrated."""
        record = self._known()
        world = CalibratedWorld(record.model.record_.world(), record.target, self._calibrated)
        return answered(world, question, data, INDEPENDENT)

    def _calibrated(self, log_p: Floats) -> Floats:
        answer: Floats = self.calibrator_(log_p)
        return answer if self.base_rate is None else reweigh(answer, self.base_rate_, self.rates_)

    def with_base_rate(self, base_rate: Mapping[Any, float] | str) -> Self:
        """The same model under other class probabilities: a mapping, or "uniform"."""
        new: Self = clone(self).set_params(base_rate=base_rate)
        new._take(self._known())
        return new

    def scoring_form(self) -> ScoringForm:
        """How rows are scored, as plain records: the model inside, and the map of its probabilities."""
        return calibrated_form(self._known(), None if self.base_rate is None else self.rates_)

    def describe(self) -> CalibratedSummary:
        """The model in words: how it was calibrated, and the model inside."""
        return CalibratedSummary(self._known())

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file that `likely.load` reads: safe, whole or not at all, for people to read.

        Any name will do; `.likely` is the usual ending. The model inside must be one of `likely`.
        """
        record = self._known()
        if not is_estimator(record.model):
            raise LikelyError(
                f"the {type(record.model).__name__} inside cannot be held by a model file, which nothing in "
                "it runs: calibrate a model of likely, or pickle this one and load it only where you "
                "trust whoever could have changed the file."
            )
        kept = copy(self)
        if self.cv == "prefit":  # once is enough: it is in the record
            kept.model = clone(self.model)
        super(Calibrated, kept).save(path)

    @property
    def rates_(self) -> Floats:
        """The class probabilities that are in the predictions, (g,): those of the rows, or those given."""
        if self.base_rate is None:
            return self.base_rate_
        given = Settings(base_rate=self.base_rate)
        return read_only(base_rates(tuple(self.classes_.tolist()), self.base_rate_, given))

    def __sklearn_tags__(self) -> Any:
        return as_inside(super().__sklearn_tags__(), start_of(self.model))
