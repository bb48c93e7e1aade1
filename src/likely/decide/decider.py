"""Decisions from the probabilities of any classifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin

from likely.calibrate.classifier_scores import log_probabilities, out_of_fold
from likely.calibrate.wrapped import (
    Labelled,
    as_inside,
    fit_inside,
    fitted,
    is_fitted,
    refuse_without_probabilities,
    start_of,
    take_names,
)
from likely.decide.recalibrate import class_weights
from likely.decide.reweighted import rates_of
from likely.decide.rules import Policy, cost_matrix, risk_at
from likely.dist.distribution import numbers, probability
from likely.errors import LikelyError
from likely.estimator.fitted import features_of, read_only
from likely.estimator.scored import Scored
from likely.score.estimate import Score, mean_score
from likely.score.outcomes import codes_of, weights
from likely.stats.groups import Floats


class Decider(Scored, MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """What to do about each row, by a rule over the probabilities of a classifier.

    A fitted model decides at once; `fit` is needed if the model is not fitted, or if the rule has something
    to learn ("recalibrated", or `coverage`). It learns on rows that the model has not seen: those it is
    given, if the model is fitted already, and else by cross-validation.

    Parameters
    ----------
    model : classifier
        One of `likely`, or any of scikit-learn's kind with `predict_proba`. None is naive Bayes.
    rule : str or None
        "map": the most probable class. "ml": the class under which the row is most probable, whatever the
        base rate. "threshold": `positive` if its probability is at least `threshold`, else the most
        probable other. "recalibrated": the highest weight times probability, with weights that are learnt
        to have the lowest cost. "cost": the lowest expected cost. None is "cost" if there are costs, else
        "map".
    costs : mapping, text or None
        The cost of a row of one class that is called another: {("ham", "spam"): 10} or "ham->spam=10". A
        mistake that is not named costs 1, and being right 0.
    threshold : float
        For "threshold".
    positive : label or None
        For "threshold"; None takes the second of two classes.
    abstain : float or None
        What it costs not to decide: a row whose decision has a higher expected cost is left alone, and
        `predict` gives None for it.
    coverage : float or None
        Instead of a cost, the share of rows that are decided: the surest ones.
    cv : int or splitter
        How `fit` cross-validates a model that is not fitted.
    trained_on : mapping or None
        For "ml", the base rate that is in the model's probabilities; None where the model knows it.

    Examples
    --------
    >>> import likely
    >>> people = likely.read("titanic")
    >>> model = likely.NaiveBayes().fit(people, "survived")
    >>> boy = {"class": ["3rd"], "sex": ["male"], "age": ["child"]}
    >>> model.predict_proba(boy).round(2)
    array([[0.71, 0.29]])
    >>> likely.Decider(model, costs="yes->no=5").predict(boy)
    array(['yes'], dtype=object)
    >>> likely.Decider(model, abstain=0.25).predict(boy)
    array([None], dtype=object)
    """

    def __init__(
        self,
        model: Any = None,
        rule: str | None = None,
        *,
        costs: Mapping[tuple[Any, Any], float] | str | None = None,
        threshold: float = 0.5,
        positive: object = None,
        abstain: float | None = None,
        coverage: float | None = None,
        cv: Any = 5,
        trained_on: Mapping[Any, float] | str | None = None,
    ) -> None:
        self.model = model
        self.rule = rule
        self.costs = costs
        self.threshold = threshold
        self.positive = positive
        self.abstain = abstain
        self.coverage = coverage
        self.cv = cv
        self.trained_on = trained_on

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes of the model, in order."""
        return read_only(np.asarray(self._fitted().classes_))

    def fit(self, X: object, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn what the rule needs, from rows whose class is known (values, or the name of a column)."""
        whole = Labelled.of(X, y, sample_weight, type(self).__name__)
        base, rows = start_of(self.model), whole.tested(self.cv)
        refuse_without_probabilities(base)
        self.n_features_in_, self._target = rows.width, rows.target.name
        if is_fitted(base):
            self.model_, log_p = base, log_probabilities(base, rows.X, base.classes_)
        else:
            log_p = out_of_fold(base, rows.X, rows.codes, rows.classes, rows.weight, self.cv)
            self.model_ = fit_inside(base, X, y, whole)
        take_names(self, self.model_)
        self._learn(rows, log_p)
        return self

    def _learn(self, rows: Labelled, log_p: Floats) -> None:
        """The weights of the classes, and the risk that is too high to decide at."""
        for name in ("log_weights_", "abstain_"):  # of an earlier fit
            if hasattr(self, name):
                delattr(self, name)
        policy = self._policy()
        codes = rows.among(self.classes_)
        if policy.rule == "recalibrated":
            self.log_weights_ = read_only(class_weights(log_p, codes, policy.costs, rows.counts))
            policy = self._policy()
        if self.coverage is not None:
            share = float(probability("coverage", self.coverage))
            self.abstain_ = risk_at(policy.risk(log_p, policy.called(log_p)), rows.counts, share)

    def predict(self, X: object) -> NDArray[Any]:
        """The decision for each row; None where there is none."""
        policy = self._ready()
        called, _, alone = policy.decided(self._log_probabilities(X))
        answer = self.classes_[called]
        if policy.limit is not None:
            answer = answer.astype(object)
            answer[alone] = None
        return np.asarray(answer)

    def expected_costs(self, X: object) -> Floats:
        """What the decision about each row is expected to cost, (n,), if the model's probabilities are right.

        A row without a decision costs `abstain`; with `coverage` it costs nothing.
        """
        return self._ready().decided(self._log_probabilities(X))[1]

    def expected_cost(self, X: object) -> Score:
        """The mean of `expected_costs`, with its standard error."""
        each = self.expected_costs(X)
        return mean_score(each, np.ones(len(each)))

    def cost(self, X: object, y: ArrayLike, *, weight: ArrayLike | None = None) -> Score:
        """What decisions about rows of known class cost on average, with the standard error."""
        policy, codes = self._ready(), codes_of(np.asarray(y), self.classes_)
        called, _, alone = policy.decided(self._log_probabilities(X))
        paid = np.where(alone, policy.price, policy.costs[codes, called])
        return mean_score(paid, weights(weight, len(paid)))

    def _log_probabilities(self, X: object) -> Floats:
        model = self._fitted()
        refuse_without_probabilities(model)
        X = features_of(X, self._target) if hasattr(self, "_target") else X
        return log_probabilities(model, X, self.classes_)

    def _policy(self) -> Policy:
        if self.abstain is not None and self.coverage is not None:
            raise LikelyError("abstain and coverage are two ways to leave rows alone: give one of them.")
        price = None if self.abstain is None else float(numbers("abstain", self.abstain))
        classes = tuple(self.classes_.tolist())
        rule = ("map" if self.costs is None else "cost") if self.rule is None else self.rule
        return Policy(
            rule,
            classes,
            cost_matrix(self.costs, classes),
            self.positive,
            self.threshold,
            rates_of(self._fitted(), self.trained_on) if rule == "ml" else None,
            getattr(self, "log_weights_", None),
            getattr(self, "abstain_", price),
            price or 0.0,
        )

    def _ready(self) -> Policy:
        """The rule, with what it has to learn."""
        policy = self._policy()
        if self.coverage is not None and policy.limit is None:
            raise LikelyError("coverage is learnt from rows: call fit with some of known class.")
        return policy

    def _fitted(self) -> Any:
        return self.model_ if hasattr(self, "model_") else fitted(self.model)

    def __sklearn_tags__(self) -> Any:
        return as_inside(super().__sklearn_tags__(), start_of(self.model))
