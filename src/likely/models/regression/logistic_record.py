"""What a fitted logistic regression knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.target_world import TargetWorld
from likely.engine import Answers, Engine, MapTask, engine_for
from likely.errors import LikelyError
from likely.estimator.check_column import check_target, demand
from likely.estimator.fitted import OfTarget
from likely.estimator.record import Described, Quantities, Story
from likely.export.form import ScoringForm, WordsTerm
from likely.infer.logistic import class_logs, n_vectors, of_vectors
from likely.infer.standard import Scaling
from likely.models.groups.check import HEAVIEST, check_finite
from likely.models.groups.tally import Settings, base_rates
from likely.models.regression.describe import coefficient_quantities, conditional_story, trained_on
from likely.models.regression.design import Design, DesignRows
from likely.models.regression.missing_model import AveragedLogs, Beside
from likely.models.regression.prior import Coefficients
from likely.models.regression.scoring import design_terms, design_words
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LogisticRecord(OfTarget):
    """The design, the classes, the coefficients of standardised columns and how far they are known."""

    design: Design
    target: Column
    # (vectors, 1 + p): one vector for two classes (the second against the first), else one a class
    theta: Floats
    # (vectors (1 + p), ...), of theta, if the prior is smooth and they are not too many
    covariance: Floats | None
    class_counts: Floats  # (g,) weight of the rows of each class
    log_likelihood: float
    prior: Any = None  # of the coefficients: the one that was used, where it was to be chosen
    log_evidence: float | None = None
    unknown: tuple[int, ...] = ()  # columns of the design that others determine: their coefficient is 0
    steps: int = 0  # examples seen one by one
    beside: Beside | None = None  # what missing numbers may be, if they are averaged over
    # (vectors, columns) what a missing cell adds, of numbers and then of levels; None for nothing
    untold: Floats | None = None

    @property
    def schema(self) -> Schema:
        """Of the table."""
        return self.design.schema

    @property
    def of_rows(self) -> bool:
        """The class is modelled, given the rest of a row."""
        return False

    @property
    def reference(self) -> tuple[Any, ...]:
        """The class that has no vector of its own, against which the only other is measured; or none."""
        return self.classes[: len(self.classes) - len(self.theta)]

    @property
    def vector_classes(self) -> tuple[Any, ...]:
        """The class that each vector speaks for."""
        return self.classes[len(self.reference) :]

    @property
    def theta_by_class(self) -> Floats:
        """theta of every class, (g, 1 + p): 0 of the one that the others are measured against."""
        return self._by_class(self.theta)

    @property
    def untold_by_class(self) -> Floats | None:
        """What a missing cell adds to the score of every class, (g, columns)."""
        return None if self.untold is None else self._by_class(self.untold)

    def _by_class(self, of_vectors: Floats) -> Floats:
        """Of every class, what is known of the vectors: 0 of the one that the others are measured against."""
        return np.concatenate([np.zeros((len(self.reference), of_vectors.shape[1])), of_vectors])

    @property
    def n_parameters(self) -> int:
        """An intercept and the coefficients, for each class but one."""
        return (len(self.classes) - 1) * (len(self.design.names) + 1)

    @property
    def n(self) -> float:
        """The weight of the rows."""
        return float(self.class_counts.sum())

    @property
    def group_names(self) -> tuple[Any, ...]:
        """The class that each vector speaks for."""
        return self.vector_classes

    def counts(self) -> dict[Described, Quantities]:
        """Nothing is counted of single columns."""
        return {}

    def parameters(self) -> dict[Described, Quantities]:
        """Intercepts and coefficients."""
        errors = None if self.covariance is None else self.standard_errors
        return {("", "coefficients"): coefficient_quantities(self.design.names, self.original, errors)}

    def check(self) -> None:
        """Refuse a record of which no model could have been fitted: a file is not believed before."""
        theta = self.theta
        demand(theta.ndim == 2 and theta.shape[1] > 0, "its coefficients are no table")
        check_target(self.target)
        g, p = len(self.classes), theta.shape[1] - 1
        demand(g > 1, "it has one class only")
        check_finite("its coefficients", theta, (n_vectors(g), 1 + p))
        self.design.check(p)
        counts = self.class_counts
        check_finite("the counts of its classes", counts, (g,))
        demand(bool(((counts >= 0) & (counts < HEAVIEST)).all()) and counts.sum() > 0, "a count is no count")
        if self.covariance is not None:
            check_finite("the covariances of its coefficients", self.covariance, (theta.size, theta.size))
        if self.untold is not None:
            columns = len(self.design.counted) + len(self.design.coded)
            check_finite("what its missing cells add", self.untold, (n_vectors(g), columns))
        demand(set(self.unknown) <= set(range(p)), "coefficients that are not there are unknown")
        demand(self.steps >= 0, "it has seen fewer than no examples")
        if self.beside is not None:
            _check_beside(self.beside, g, len(self.design.counted))

    def scoring_form(self, texts: bool = False) -> ScoringForm:
        """How rows are scored, for other programs to work out; with `texts`, those are silent."""
        scale = Scaling(self.design.centre, self.design.unit)
        averaged = self.beside is not None
        inputs, start, terms = design_terms(
            self.design, scale, self.theta_by_class, averaged, texts, self.untold_by_class
        )
        return ScoringForm(self.target_name, self.classes, inputs, start, terms)

    def words_terms(self) -> tuple[WordsTerm, ...]:
        """What the words of texts add, for pages to work out."""
        return design_words(self.design, Scaling(self.design.centre, self.design.unit), self.theta_by_class)

    def story(self, model: str, hidden: bool = False) -> Story:
        """How a class comes about."""
        return conditional_story(self.target_name, model, classes=True)

    def trained_on(self) -> dict[str, Any]:
        """What the model was trained on, for people who look into its file."""
        return trained_on(self, self.classes, self.class_counts)

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
        covariance, parts = self.original_covariance, len(self.theta)
        if self.reference:
            return covariance
        own = np.diagonal(covariance).reshape(self.theta.shape).mean(axis=0)
        return np.asarray(covariance + np.kron(np.ones((parts, parts)), np.diag(own)))

    @cached_property
    def standard_errors(self) -> Floats:
        """Of the original intercepts and coefficients, (parts, 1 + p); infinite where nothing is known."""
        variance = np.diagonal(self.original_covariance).reshape(self.theta.shape)
        errors = np.sqrt(np.maximum(variance, 0.0))
        errors[:, [1 + j for j in self.unknown]] = np.inf
        return errors

    def under_base_rate(self, base_rate: Mapping[Any, float] | str) -> LogisticRecord:
        """What would have been learnt, had the classes had these shares: other intercepts, the same evidence.

        The likelihood ratios of the classes stay, so that the log-odds move by the log of new / old odds.
        """
        new = base_rates(self.classes, self.class_counts, Settings(base_rate=base_rate))
        for label, share, had in zip(self.classes, new.tolist(), self.rates.tolist(), strict=True):
            if share <= 0 or had <= 0:
                raise LikelyError(
                    f"base_rate: class {label!r} has the share {share:g}, and had {had:g} in training: "
                    "log-odds have no intercept for a share of 0. Give each class a share, however small."
                )
        theta = self.theta.copy()
        theta[:, 0] += of_vectors(np.log(new) - np.log(self.rates))
        beside = None if self.beside is None else replace(self.beside, log_share=np.log(new))
        return replace(self, theta=theta, class_counts=new * self.n, beside=beside)

    def scores(self, frame: Frame, engine: Engine) -> Floats:
        """Of the vectors, (n, vectors)."""
        scale = Scaling(self.design.centre, self.design.unit)
        (scores,) = engine.map(self.design.chunk(frame), RowScores(scale, self.theta, Untold(self.untold)))
        return scores

    def world(self, engine: Engine | None = None) -> TargetWorld:
        """The target, where all columns are told, or none."""
        by = engine or engine_for(None)
        return TargetWorld(
            "LogisticRegression",
            self.schema,
            self.target,
            lambda frame, untold: self._posterior_if_told(frame, untold, by),
            lambda name: self.class_counts[None] if name is None else None,
        )

    def _posterior_if_told(self, frame: Frame, untold: tuple[int, ...], engine: Engine) -> Floats:
        """log P(class given row), (n, g). How columns go together was not learnt, so none may be left out."""
        names = self.schema.names
        if len(untold) == len(names):
            return np.tile(np.log(self.rates), (frame.n, 1))
        averaged = set(self.design.counted) if self.beside is not None else set()
        left = [names[j] for j in untold if j not in averaged]
        if left:
            raise LikelyError(
                f"a LogisticRegression knows {self.target_name!r} where all columns are told, and not how "
                f"columns go together: tell {', '.join(map(repr, left))} too, or ask a Classifier or a "
                "NaiveBayes, which average over what is not told."
            )
        return self.posterior(frame, engine)

    def posterior(self, frame: Frame, engine: Engine) -> Floats:
        """log P(class given row), (n, g)."""
        rows, scale = self.design.chunk(frame), Scaling(self.design.centre, self.design.unit)
        if self.beside is None:
            (log_posterior,) = engine.map(
                rows, ClassLogs(scale, self.theta, len(self.classes), Untold(self.untold))
            )
        else:
            averaged = AveragedLogs(self.beside, self.theta, scale, self.design.mean)
            (log_posterior,) = engine.map(rows, averaged)
        return log_posterior


@dataclass(frozen=True)
class Untold:
    """What missing cells add to the scores of rows."""

    scores: Floats | None  # (vectors, columns), of numbers and then of levels; None for nothing

    def __call__(self, rows: DesignRows, start: int, stop: int) -> Floats:
        """Of some rows, (b, vectors); (1, 1) for all of them if nothing is missing."""
        holes = None if self.scores is None else rows.holes(start, stop)
        return np.zeros((1, 1)) if holes is None or self.scores is None else holes @ self.scores.T


def scores_of(
    rows: DesignRows, scale: Scaling, theta: Floats, untold: Untold, start: int, stop: int
) -> Floats:
    """The scores of some rows, (b, vectors)."""
    return np.asarray(scale.scores(rows(start, stop), theta) + untold(rows, start, stop))


@dataclass(frozen=True)
class RowScores(MapTask[DesignRows]):
    """The scores of the vectors."""

    scale: Scaling
    theta: Floats  # (vectors, 1 + p)
    untold: Untold

    def width(self, stored: int) -> int:
        """A row's cells, and its scores."""
        return stored + len(self.theta)

    def answers(self, n: int) -> Answers:
        """One array, (n, vectors)."""
        return (np.empty((n, len(self.theta))),)

    def step(self, data: DesignRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        out[0][:] = scores_of(data, self.scale, self.theta, self.untold, start, stop)


@dataclass(frozen=True)
class ClassLogs(MapTask[DesignRows]):
    """log P(class given row)."""

    scale: Scaling
    theta: Floats  # (vectors, 1 + p)
    n_classes: int
    untold: Untold

    def width(self, stored: int) -> int:
        """A row's cells, and its answers."""
        return stored + self.n_classes

    def answers(self, n: int) -> Answers:
        """One array, (n, g)."""
        return (np.empty((n, self.n_classes)),)

    def step(self, data: DesignRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        out[0][:] = class_logs(scores_of(data, self.scale, self.theta, self.untold, start, stop))


def _check_beside(beside: Beside, g: int, m: int) -> None:
    check_finite("the shares of its classes", beside.log_share, (g,))
    check_finite("the means of its classes", beside.mean, (g, m))
    check_finite("the covariances of its columns", beside.covariance, (m, m))
    even = np.allclose(beside.covariance, beside.covariance.T)
    definite = even and bool((np.linalg.eigvalsh(beside.covariance) > 0).all())
    demand(definite and bool((beside.log_share <= 0).all()), "its columns have variances that no data give")
