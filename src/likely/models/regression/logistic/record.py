"""What a fitted logistic regression knows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.infer import bayes_rule
from likely.models.regression.design.design import Design
from likely.models.regression.logistic.missing_model import Beside
from likely.models.regression.prior import Coefficients
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LogisticRecord:
    """The design, the classes, the coefficients of standardised columns and how far they are known."""

    design: Design
    target: Column
    theta: Floats  # (parts, 1 + p): one part for two classes (the second against the first), else one a class
    covariance: (
        Floats | None
    )  # (parts (1 + p), ...) of theta, if the prior is smooth and they are not too many
    class_counts: Floats  # (g,) weight of the rows of each class
    log_likelihood: float
    prior: Any = None  # of the coefficients: the one that was used, where it was to be chosen
    log_evidence: float | None = None
    unknown: tuple[int, ...] = ()  # columns of the design that others determine: their coefficient is 0
    steps: int = 0  # examples seen one by one
    beside: Beside | None = None  # what missing numbers may be, if they are averaged over

    @property
    def schema(self) -> Schema:
        """Of the table."""
        return self.design.schema

    @property
    def classes(self) -> tuple[Any, ...]:
        """The levels of the target, in order."""
        return self.target.levels or ()

    @property
    def n_parameters(self) -> int:
        """An intercept and the coefficients, for each class but one."""
        return (len(self.classes) - 1) * (len(self.design.names) + 1)

    @property
    def target_name(self) -> str:
        """What is predicted."""
        return self.target.name

    @property
    def n(self) -> float:
        """The weight of the rows."""
        return float(self.class_counts.sum())

    @property
    def rates(self) -> Floats:
        """P(class), (g,): the shares of the rows."""
        return np.asarray(self.class_counts / self.class_counts.sum())

    @property
    def coefficients(self) -> Coefficients:
        """What theta means."""
        return Coefficients(self.design, len(self.theta), True)

    @cached_property
    def original(self) -> Floats:
        """Intercepts and coefficients of the original columns, (parts, 1 + p)."""
        return self.coefficients.original(self.theta)

    def start_of(self, meaning: Coefficients, target: Column) -> Floats | None:
        """The coefficients as another design standardises them, if it has the same columns and classes."""
        if self.classes != (target.levels or ()) or self.design.names != meaning.design.names:
            return None
        return meaning.from_original(self.original).ravel()

    def known_covariance(self) -> Floats:
        """The covariance of theta, or an error that says why there is none."""
        if self.covariance is None:
            raise LikelyError(
                "the coefficients have no standard errors: an L1 prior has a corner at its peak, thousands "
                "of coefficients have too large a covariance, and an online run does not learn it. Fit with "
                "a Normal prior, or with fewer columns."
            )
        return self.covariance

    @cached_property
    def original_covariance(self) -> Floats:
        """The covariance of the original intercepts and coefficients, part after part."""
        turn = np.kron(np.eye(len(self.theta)), self.coefficients.original_matrix())
        return np.asarray(turn @ self.known_covariance() @ turn.T)

    def proper_covariance(self) -> Floats:
        """The same, with an inverse: what all of many classes share is not left at 0 where nothing is known.

        It changes no probability, so it may vary as much as each class does.
        """
        found, parts = self.original_covariance, len(self.theta)
        if parts == 1:
            return found
        own = np.diagonal(found).reshape(self.theta.shape).mean(axis=0)
        return np.asarray(found + np.kron(np.ones((parts, parts)), np.diag(own)))

    @cached_property
    def standard_errors(self) -> Floats:
        """Of the original intercepts and coefficients, (parts, 1 + p); infinite where nothing is known."""
        variance = np.diagonal(self.original_covariance).reshape(self.theta.shape)
        errors = np.sqrt(np.maximum(variance, 0.0))
        errors[:, [1 + j for j in self.unknown]] = np.inf
        return errors

    def log_joint(self, frame: Frame, n_jobs: int | None, theta: Floats | None = None) -> Floats:
        """log P(class given row) up to a constant, (n, g)."""
        scores = self.design.cells(frame, n_jobs).predict(self.theta if theta is None else theta)
        return two_sided(scores) if len(self.theta) == 1 else scores

    def posterior(self, frame: Frame, n_jobs: int | None) -> Floats:
        """log P(class given row), (n, g)."""
        found = bayes_rule(self.log_joint(frame, n_jobs))[0]
        if self.beside is not None:
            self.beside.average(self.theta, self.design, frame, found, n_jobs)
        return found


def two_sided(log_odds: Floats) -> Floats:
    """The log-odds of the second class as log-probabilities of both, (n, 2).

    >>> np.exp(two_sided(np.array([[0.0]])))
    array([[0.5, 0.5]])
    """
    return np.concatenate([-np.logaddexp(0, log_odds), -np.logaddexp(0, -log_odds)], axis=1)
