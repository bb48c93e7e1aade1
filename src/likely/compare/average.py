"""The average of several classifiers, each trusted as far as the data say."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone

from likely.calibrate.classifier_scores import fit_to, log_probabilities
from likely.calibrate.wrapped import Labelled, take_names
from likely.compare.cross_validation import cross_validate
from likely.compare.weights import Weights, evidences, posterior_weights, stacked
from likely.decide import with_base_rate
from likely.decide.reweighted import rates_of
from likely.dist.numeric.logs import log
from likely.errors import LikelyError, LikelyWarning
from likely.estimator.classifier import ByProbability
from likely.estimator.fitted import features_of, read_only
from likely.estimator.scored import Scored
from likely.infer import bayes_rule

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

LOG_SCORE = "cross-validated log score"
MEASURES = {"evidence": "log evidence", "log_score": LOG_SCORE, "stack": LOG_SCORE}


class Average(ByProbability, Scored, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Several classifiers that vote with their probabilities, each with a weight (Bayesian model averaging).

    The answer is the sum of weight times probability: where the models disagree it is less sure than the best
    of them, and it can be another than the best one's: the Bayes optimal answer, if the weights are right.

    Parameters
    ----------
    estimators : list, list of (name, estimator), or mapping
        The members; they are cloned and fitted. Any classifiers with `predict_proba`.
    weights : "log_score", "evidence" or "stack"
        "log_score": in proportion to the probability that the members give to rows they have not seen, all of
        them together; with much data one member takes all. "evidence": to the probability of the data with
        the parameters summed out, for members of `likely` that describe the same columns in the same way; it
        needs no cross-validation. "stack": the weights with which the average is best on unseen rows; it
        need not choose.
    folds : int
        Of the cross-validation; fewer if there are fewer rows.
    seed : int
        Decides which rows go together.

    Attributes
    ----------
    members_ : list
        The fitted classifiers.
    weights_ : (m,)
        How much each is trusted; `describe()` prints them.

    Examples
    --------
    >>> import likely
    >>> people = likely.read("titanic")
    >>> plain = likely.NaiveBayes()
    >>> strong = likely.NaiveBayes(prior=100.0)
    >>> both = Average({"plain": plain, "strong": strong}, weights="evidence").fit(people, "survived")
    >>> both.describe()
               weight  log evidence
    plain           1       -5492.5
    strong  7.05e-168       -5877.4
    """

    def __init__(
        self, estimators: Any = None, weights: str = "log_score", folds: int = 5, seed: int = 0
    ) -> None:
        self.estimators = estimators
        self.weights = weights
        self.folds = folds
        self.seed = seed

    def fit(self, X: object, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table)."""
        if self.weights not in MEASURES:
            raise LikelyError(f"weights={self.weights!r} is unknown: use one of {', '.join(MEASURES)}.")
        named = named_members(self.estimators)
        rows = Labelled.of(X, y, sample_weight, type(self).__name__)
        self.names_ = tuple(named)
        self.members_ = [fit_to(clone(member), rows.X, rows.labels, rows.weight) for member in named.values()]
        self.classes_, self.n_features_in_, self._target = rows.classes, rows.width, rows.target.name
        take_names(self, self.members_[0])
        self.weights_, self.scores_ = self._weigh(rows.X, rows.codes, rows.weight)
        return self

    def _weigh(self, X: object, codes: Ints, weight: Floats | None) -> tuple[Floats, Floats]:
        """The weights, and what they come from."""
        if self.weights == "evidence":
            logs = evidences(self.members_, self.names_)
            return posterior_weights(logs), logs
        if len(self.members_) == 1:
            return np.ones(1), np.array([np.nan])
        told, tested = self._unseen(X, codes, weight)
        known = np.ones(len(tested)) if weight is None else weight[tested]
        with np.errstate(invalid="ignore"):
            logs = np.where(known[:, None] > 0, known[:, None] * told, 0.0).sum(axis=0)
        return (stacked(told, known) if self.weights == "stack" else posterior_weights(logs)), logs

    def _unseen(self, X: object, codes: Ints, weight: Floats | None) -> tuple[Floats, Ints]:
        """Log P(true class) of each row, (n, m), by members that have not seen it; and which rows."""
        rows = np.bincount(codes if weight is None else codes[weight > 0])
        able = int(rows[rows > 1].sum())
        if able < 2:
            raise LikelyError(
                f"n_samples={len(codes)}: weights={self.weights!r} tests the members on rows that they have "
                "not seen, and needs two rows of a class. Give more rows, or weights='evidence'."
            )
        told: list[Floats] = []
        how: dict[str, Any] = {"folds": min(self.folds, able), "seed": self.seed, "weight": weight}
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", LikelyWarning
            )  # what there is to say of members, fitting them said
            for member in named_members(self.estimators).values():
                validation = cross_validate(member, X, self.classes_[codes], **how)
                told.append(
                    log(validation.probabilities[np.arange(len(validation.rows)), codes[validation.rows]])
                )
        return np.stack(told, axis=1), validation.rows

    def _check(self) -> None:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)

    def predict_log_proba(self, X: object) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""
        self._check()
        X = features_of(X, self._target)
        pairs = zip(self.members_, log(self.weights_), strict=True)
        parts = [log_probabilities(member, X, self.classes_) + own for member, own in pairs if own > -np.inf]
        # The evidence of a class, whichever member is right: a row for each row and class, a group a member.
        log_joint = np.stack(parts, axis=-1)  # (n, g, m)
        return bayes_rule(log_joint.reshape(-1, len(parts)))[1].reshape(log_joint.shape[:2])

    @property
    def rates_(self) -> Floats:
        """The class probabilities that are in the predictions, (g,): the mean of those of the members."""
        return read_only(np.asarray(self.weights_ @ np.stack([rates_of(member) for member in self.members_])))

    def with_base_rate(self, base_rate: Mapping[Any, float] | str) -> Self:
        """The same members under other class probabilities: a mapping, or "uniform"; their weights stay."""
        self._check()
        new = copy(self)
        new.members_ = [with_base_rate(member, base_rate) for member in self.members_]
        return new

    def describe(self) -> Weights:
        """The members and their weights."""
        self._check()
        return Weights(self.names_, self.weights_, MEASURES[self.weights], self.scores_)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        try:
            inner = [get_tags(member).input_tags for member in named_members(self.estimators).values()]
        except LikelyError:  # fit says what is wrong
            return tags
        for name in ("sparse", "allow_nan", "string", "categorical"):
            setattr(tags.input_tags, name, all(getattr(own, name) for own in inner))
        return tags


def named_members(given: Iterable[Any] | None) -> dict[str, Any]:
    """The members by name; by the name of their class, if they have none.

    >>> from likely import NaiveBayes
    >>> list(named_members([NaiveBayes(), NaiveBayes(prior=2.0)]))
    ['NaiveBayes 1', 'NaiveBayes 2']
    """
    if isinstance(given, Mapping):
        pairs = [(str(name), member) for name, member in given.items()]
    else:
        pairs = _pairs(list(given or ()))
    if not pairs or len({name for name, _ in pairs}) != len(pairs):
        raise LikelyError(f"estimators={given!r}: give classifiers under different names, at least one.")
    for name, member in pairs:
        if not hasattr(member, "predict_proba"):
            raise LikelyError(
                f"estimators: {name!r} has no predict_proba: only probabilities can be averaged."
            )
    return dict(pairs)


def _pairs(given: list[Any]) -> list[tuple[str, Any]]:
    """Names and members; without names, those of their classes, with a number where one comes twice."""
    if all(isinstance(one, tuple) and len(one) == 2 for one in given):
        return [(str(name), member) for name, member in given]
    kinds = [type(member).__name__ for member in given]
    times = [f"{kind} {kinds[: i + 1].count(kind)}" for i, kind in enumerate(kinds)]
    alone = [kinds.count(kind) == 1 for kind in kinds]
    return list(
        zip([k if one else t for k, t, one in zip(kinds, times, alone, strict=True)], given, strict=True)
    )
