"""Decisions from the probabilities of any classifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone

from likely.calibrate.out_of_fold import fit_to, out_of_fold
from likely.calibrate.scores_of import has_probabilities, log_probabilities
from likely.decide.costs import cost_matrix
from likely.decide.rates import rates_of
from likely.decide.recalibrate import class_weights
from likely.decide.rules import RULES, above_threshold, expected_costs, most_likely, risk_at
from likely.dist.parameters import numbers, probability
from likely.errors import LikelyError
from likely.models.rows import row_weights
from likely.models.target import class_array, class_codes, split_target, target_column
from likely.score.estimate import Score, mean_score
from likely.score.outcomes import codes_of, weights
from likely.stats.groups import Floats
from likely.table.rows import without


class Decider(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """What to do about each row, by a rule over the probabilities of a classifier.

    A fitted model decides at once; `fit` is needed if the model is not fitted, or if the rule has something
    to learn ("recalibrated", or `coverage`). It learns on rows that the model has not seen: those it is
    given, if the model is fitted already, and else by cross-validation.

    Parameters
    ----------
    model : classifier
        One of `likely`, or any of scikit-learn's kind with `predict_proba`.
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
    array([[0.7, 0.3]])
    >>> likely.Decider(model, costs="yes->no=5").predict(boy)
    array(['yes'], dtype=object)
    >>> likely.Decider(model, abstain=0.25).predict(boy)
    array([None], dtype=object)
    """

    def __init__(
        self,
        model: Any,
        rule: str | None = None,
        *,
        costs: Mapping[tuple[Any, Any], float] | str | None = None,
        threshold: float = 0.5,
        positive: Any = None,
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
        return np.asarray(self._fitted().classes_)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn what the rule needs, from rows whose class is known (values, or the name of a column)."""
        frame, raw = split_target(X, y, type(self).__name__)
        X = without(X, raw.name) if isinstance(y, str | int) else X
        weight = row_weights(sample_weight, frame.n)
        column = target_column(raw)
        labels = class_array(column)[class_codes(column, raw)]
        if _is_fitted(self.model):
            self.model_ = self.model
            log_p = _told(self.model, X, self.classes_)
        else:
            found = class_array(column)
            _refuse_without(self.model)
            log_p = out_of_fold(self.model, X, codes_of(labels, found), found, weight, self.cv)
            self.model_ = fit_to(clone(self.model), X, labels, weight)
        known = np.ones(len(labels)) if weight is None else weight
        if self._rule() == "recalibrated":
            self.log_weights_ = class_weights(log_p, codes_of(labels, self.classes_), self._costs(), known)
        if self.coverage is not None:
            share = float(probability("coverage", self.coverage))
            self.abstain_ = risk_at(self._risk(log_p, self._called(log_p)), known, share)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The decision for each row; None where there is none."""
        called, _, alone = self._decided(X)
        answer = self.classes_[called]
        if self._limit() is not None:
            answer = answer.astype(object)
            answer[alone] = None
        return np.asarray(answer)

    def expected_costs(self, X: Any) -> Floats:
        """What the decision about each row is expected to cost, (n,), if the model's probabilities are right.

        A row without a decision costs `abstain`; with `coverage` it costs nothing.
        """
        _, risk, alone = self._decided(X)
        return np.where(alone, self._price(), risk)

    def expected_cost(self, X: Any) -> Score:
        """The mean of `expected_costs`, with its standard error."""
        each = self.expected_costs(X)
        return mean_score(each, np.ones(len(each)))

    def cost(self, X: Any, y: Any, *, weight: Any = None) -> Score:
        """What decisions about rows of known class cost on average, with the standard error."""
        codes = codes_of(np.asarray(y), self.classes_)
        called, _, alone = self._decided(X)
        paid = np.where(alone, self._price(), self._costs()[codes, called])
        return mean_score(paid, weights(weight, len(paid)))

    def _called(self, log_p: Floats) -> NDArray[np.intp]:
        """The place of the class that the rule calls, (n,)."""
        rule = self._rule()
        if rule == "ml":
            return most_likely(log_p, rates_of(self._fitted(), self.trained_on))
        if rule == "threshold":
            return above_threshold(log_p, self.classes_.tolist(), self.positive, self.threshold)
        if rule == "cost":
            return np.asarray(expected_costs(log_p, self._costs()).argmin(axis=1))
        if rule == "recalibrated":
            if not hasattr(self, "log_weights_"):
                raise LikelyError(
                    "rule='recalibrated' learns its weights: call fit with rows of known class."
                )
            log_p = log_p + self.log_weights_
        return np.asarray(log_p.argmax(axis=1))

    def _decided(self, X: Any) -> tuple[NDArray[np.intp], Floats, NDArray[np.bool_]]:
        """What is called in each row, its expected cost, and whether the row is left alone."""
        log_p = _told(self._fitted(), X, self.classes_)
        called = self._called(log_p)
        risk = self._risk(log_p, called)
        limit = self._limit()
        return called, risk, np.zeros(len(risk), bool) if limit is None else risk > limit

    def _risk(self, log_p: Floats, called: NDArray[np.intp]) -> Floats:
        """The expected cost of what is called, (n,)."""
        return expected_costs(log_p, self._costs())[np.arange(len(called)), called]

    def _costs(self) -> Floats:
        return cost_matrix(self.costs, self.classes_.tolist())

    def _rule(self) -> str:
        rule = ("map" if self.costs is None else "cost") if self.rule is None else self.rule
        if rule not in RULES:
            raise LikelyError(f"rule={rule!r}: the rules are {', '.join(map(repr, RULES))}.")
        return rule

    def _limit(self) -> float | None:
        """The expected cost above which a row is left alone."""
        if self.abstain is not None and self.coverage is not None:
            raise LikelyError("abstain and coverage are two ways to leave rows alone: give one of them.")
        if self.coverage is None:
            return None if self.abstain is None else float(numbers("abstain", self.abstain))
        if not hasattr(self, "abstain_"):
            raise LikelyError("coverage is learnt from rows: call fit with some of known class.")
        return self.abstain_

    def _price(self) -> float:
        return 0.0 if self.abstain is None else float(self.abstain)

    def _fitted(self) -> Any:
        if hasattr(self, "model_"):
            return self.model_
        if _is_fitted(self.model):
            return self.model
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(f"the {type(self.model).__name__} is not fitted: call fit first.")


def _is_fitted(model: Any) -> bool:
    return hasattr(model, "classes_")


def _told(model: Any, X: Any, classes: NDArray[Any]) -> Floats:
    _refuse_without(model)
    return log_probabilities(model, X, classes)


def _refuse_without(model: Any) -> None:
    if not has_probabilities(model):
        raise LikelyError(
            f"{type(model).__name__} has no predict_proba: wrap it, as in Decider(Calibrated(model))."
        )
