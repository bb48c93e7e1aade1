"""Logistic regression with real priors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from likely.dist import MultivariateNormal
from likely.errors import LikelyError
from likely.evidence import Importance, Intervals, Ledgers, importance
from likely.infer.logistic import Logistic
from likely.models.regression.conditional import ConditionalMixin, weights_of
from likely.models.regression.conditional_explain import explain
from likely.models.regression.conditional_prior import Coefficients
from likely.models.regression.conditional_summary import CoefficientTable, coefficient_table
from likely.models.regression.design import Design
from likely.models.regression.logistic_fit import Task, solve_logistic
from likely.models.regression.logistic_intervals import predict_interval
from likely.models.regression.logistic_missing import Beside, complete_weights, refuse_unknown
from likely.models.regression.logistic_online import Examples, Rate
from likely.models.regression.logistic_record import LogisticRecord
from likely.models.rows import refuse_empty
from likely.models.target import class_array, class_codes, split_target, target_column
from likely.table.column import Column
from likely.table.frame import Frame
from likely.table.raw import Raw

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class LogisticRegression(ConditionalMixin, ClassifierMixin, BaseEstimator):
    """Logistic regression: the log-odds of the classes are sums of coefficients times values.

    Two classes have one set of coefficients, more have one each (softmax). Numbers are used as they are,
    columns of levels become a 0/1 column a level (a level never seen adds nothing), a missing number is taken
    for the mean and has a coefficient of its own ("mean plus indicator"), texts become counts of words.

    Parameters
    ----------
    prior : "default", None, "auto", "jeffreys", distribution, tuple or mapping
        What is believed of the coefficients beforehand. `Normal(0, s)` is the L2 penalty w^2 / (2 s^2),
        `DoubleExponential(0, s)` the L1 penalty |w| / s, a tuple of both is both; their parameters may be
        arrays, one number a coefficient. A mapping gives a prior to columns by name, and leaves the others
        free. A `MultivariateNormal` is of the intercept and the coefficients together, in original units,
        such as the `posterior_` of an earlier fit. "default" is Normal(0, 2.5); "auto" takes the sd with the
        greatest evidence; "jeffreys" is Firth's correction, for two classes; None is maximum likelihood. The
        intercept is always free.
    standardise : bool
        Whether `Normal` and `DoubleExponential` speak of the coefficients of standardised numbers (those
        measured in their standard deviations; 0/1 columns stay as they are), or of the original ones.
        Coefficients are always reported in original units.
    kinds : mapping, str or None
        The kind of each column, as in `NaiveBayes`.
    missing : "indicator" or "average"
        What is done about missing numbers: mean plus indicator; or the answer is averaged over what they may
        be, P(missing given known), by a normal distribution of the numbers in each class, with one covariance
        for all, that is learnt beside the coefficients. Then only rows without missing numbers teach.
    solver : "newton" or "online"
        Newton's method (L-BFGS beyond 2,000 coefficients), or one example after another:
        w += eta (y - p) x, `max_iter` times over the table.
    tol : float
        Newton stops when no part of the gradient exceeds so much a row, in standardised units.
    max_iter : int
        The most steps of Newton, or passes over the table.
    rate : float or None
        The eta of the online solver; None lets it decay, which is needed for it to settle.
    warm_start : bool
        Whether `fit` begins with the coefficients of the last fit.
    random_state : int or None
        The order of the examples of the online solver.
    n_jobs : int or None
        Threads: None for one, -1 for all cores. The answer does not depend on it, to the last bit.

    Attributes
    ----------
    coef_ : (1, p) or (g, p)
        Coefficients of the original columns, named by `coef_names_`.
    intercept_ : (1,) or (g,)
        The log-odds (or scores) where all columns are 0.
    prior_ : distribution
        The prior that was used: with "auto", the one found.
    log_evidence_ : float
        Laplace's approximation of log P(classes given rows), under a smooth prior.

    Examples
    --------
    >>> import likely
    >>> people = likely.read("titanic")
    >>> model = likely.LogisticRegression().fit(people, "survived")
    >>> model.predict_proba({"class": ["1st"], "sex": ["female"], "age": ["adult"]}).round(2)
    array([[0.12, 0.88]])
    """

    def __init__(
        self,
        prior: Any = "default",
        *,
        standardise: bool = True,
        kinds: Any = None,
        missing: str = "indicator",
        solver: str = "newton",
        tol: float = 1e-10,
        max_iter: int = 100,
        rate: float | None = None,
        warm_start: bool = False,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.prior = prior
        self.standardise = standardise
        self.kinds = kinds
        self.missing = missing
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.rate = rate
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table)."""
        if self.solver not in ("newton", "online"):
            raise LikelyError(f"solver={self.solver!r}: give 'newton' or 'online'.")
        if self.solver == "online" and self.missing == "average":
            raise LikelyError("missing='average' learns a model of the columns beside: use solver='newton'.")
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        weight = weights_of(sample_weight, frame.n)
        refuse_unknown(self.missing)
        if self.missing == "average":
            weight = complete_weights(frame, self.kinds, weight)
        target, codes = classes_of(raw, weight)
        old = getattr(self, "record_", None) if self.warm_start else None
        design = Design.learn(frame, self.kinds, self._reference(), weight, self.n_jobs)
        if self.solver == "online":
            record = self._online(design, target, frame, codes, weight, old, max(1, self.max_iter))
            self.n_iter_ = self.max_iter
            self._be(record, self.prior)
            return self
        parts = 1 if len(target.levels or ()) == 2 else len(target.levels or ())
        meaning = Coefficients(design, parts, self.standardise)
        z = design.cells(frame, self.n_jobs, whole=weight is None or bool(weight.all()))
        likelihood = Logistic(z, codes, len(target.levels or ()), weight)
        task = Task(likelihood, meaning, self.prior, self.tol, self.max_iter)
        found = solve_logistic(task, _start(old, meaning, target))
        self.n_iter_ = found.run.n_iter
        record = LogisticRecord(
            design,
            target,
            found.run.at.reshape(meaning.shape),
            found.covariance,
            task.total,
            found.log_likelihood,
            found.log_evidence,
            found.unknown,
        )
        if self.missing == "average":
            assert weight is not None
            more = Beside.learn(design, frame, codes, len(target.levels or ()), weight, self.n_jobs)
            record = replace(record, beside=more)
        self._be(record, found.prior)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows, one after another and once: w += eta (y - p) x.

        The first call fixes the columns, their levels and what is standard, and needs all classes. What
        comes out depends on the order of the rows, and only nears what `fit` finds.
        """
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        weight = weights_of(sample_weight, frame.n)
        old = getattr(self, "record_", None)
        if old is None:
            target = target_column(raw if classes is None else Raw.of(raw.name, np.asarray(classes)))
            _refuse_one(target)
            design = Design.learn(frame, self.kinds, self._reference(), weight, self.n_jobs)
        else:
            frame = old.schema.align(frame, type(self).__name__)
            target, design = old.target, old.design
        codes = class_codes(target, raw)
        record = self._online(design, target, frame, codes, weight, old, 1, in_order=True)
        self._be(record, self.prior)
        return self

    def _online(
        self,
        design: Design,
        target: Column,
        frame: Frame,
        codes: Ints,
        weight: Floats | None,
        old: LogisticRecord | None,
        passes: int,
        in_order: bool = False,
    ) -> LogisticRecord:
        parts = 1 if len(target.levels or ()) == 2 else len(target.levels or ())
        meaning = Coefficients(design, parts, self.standardise)
        if isinstance(self.prior, str) and self.prior in ("auto", "jeffreys"):
            raise LikelyError(f"prior={self.prior!r} needs all rows at once: use solver='newton' and fit.")
        penalty, z = meaning.penalty(self.prior), design.cells(frame, self.n_jobs)
        begun = _start(old, meaning, target)
        theta = np.zeros(meaning.shape) if begun is None else begun.reshape(meaning.shape)
        steps = old.steps if old is not None and in_order else 0
        seen = (old.n if old is not None and in_order else 0.0) + (
            frame.n if weight is None else weight.sum()
        )
        rate, rng = Rate.of(self.rate, z), np.random.default_rng(self.random_state)
        examples = Examples(z, codes, weight)
        for _ in range(passes):
            order = np.arange(frame.n) if in_order else rng.permutation(frame.n)
            theta = examples.learn(theta, penalty, rate, steps, order, 1 / float(seen))
            steps += frame.n
        said = -Logistic(z, codes, len(target.levels or ()), weight)(theta.ravel(), False).value
        return LogisticRecord(design, target, theta, None, float(seen), said, steps=steps)

    def _reference(self) -> bool:
        """Whether the first level of a column is what the others are compared with: if there is no prior."""
        return self.prior is None or (isinstance(self.prior, str) and self.prior == "jeffreys")

    def _be(self, record: LogisticRecord, prior: Any) -> None:
        self._take(record)
        self.classes_ = class_array(record.target)
        self.prior_ = prior

    @property
    def coef_(self) -> Floats:
        """Coefficients of the original columns, (1, p) for two classes, else (g, p)."""
        return np.asarray(self._known().original[:, 1:])

    @property
    def intercept_(self) -> Floats:
        """Log-odds, or scores of the classes, where all columns are 0."""
        return np.asarray(self._known().original[:, 0])

    @property
    def coef_names_(self) -> tuple[str, ...]:
        """What each coefficient belongs to, as "age", "sex=female" or "age missing"."""
        return tuple(self._known().design.names)

    @property
    def standard_errors_(self) -> Floats:
        """Of the intercept and the coefficients, (1, 1 + p) or (g, 1 + p)."""
        return np.asarray(self._known().standard_errors)

    @property
    def log_evidence_(self) -> float:
        """Laplace's approximation of log P(classes given rows), with the intercept's prior taken for 1."""
        found = self._known().log_evidence
        if found is None:
            raise LikelyError(
                "only a smooth prior of the coefficients, such as Normal(0, 1), has an evidence."
            )
        return float(found)

    @property
    def posterior_(self) -> MultivariateNormal:
        """Intercept and coefficients as a normal distribution: yesterday's posterior is today's prior."""
        record = self._known()
        if len(record.theta) > 1:
            raise LikelyError(
                "with more than two classes only differences between the classes are known: "
                "`covariance_` has them."
            )
        return MultivariateNormal(record.original[0], record.original_covariance)

    @property
    def covariance_(self) -> Floats:
        """Of the intercepts and coefficients, class after class, in original units."""
        return np.asarray(self._known().original_covariance)

    def decision_function(self, X: Any) -> Floats:
        """The log-odds of the second class, (n,); or the scores of the classes, (n, g)."""
        record, frame = self._known(), self._frame(X)
        scores = record.design.cells(frame, self.n_jobs).predict(record.theta)
        return np.asarray(scores[:, 0] if scores.shape[1] == 1 else scores)

    def predict_log_proba(self, X: Any) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""
        return np.asarray(self._known().posterior(self._frame(X), self.n_jobs))

    def predict_proba(self, X: Any) -> Floats:
        """P(class given row), (n, g), in the order of `classes_`."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        best = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def predict_interval(
        self, X: Any, level: float = 0.9, *, draws: int = 1000, random_state: Any = 0
    ) -> Intervals:
        """Where each class probability lies, as far as the coefficients are known from the data.

        The posterior is taken for normal around the most probable coefficients (Laplace's approximation). As
        everywhere, this leaves out that the log-odds may be no sum of the columns.
        """
        record, frame = self._known(), self._frame(X)
        return predict_interval(record, frame, level, draws, random_state, self.n_jobs)

    def explain(self, X: Any, favoured: Any = None, against: Any = None) -> Ledgers:
        """The evidence ledger of every row: the log-odds of an average row, then what each column adds.

        By default the most probable class against the runner-up; `favoured` and `against` name any pair.
        """
        return explain(self._known(), self._frame(X), favoured, against, self.n_jobs)

    def importance(self, X: Any) -> Importance:
        """The mean absolute evidence of each column over the rows of X, winner against runner-up."""
        return importance(self.explain(X))

    def summary(self, level: float = 0.95) -> CoefficientTable:
        """Coefficients, standard errors, z and intervals, as a table."""
        record: LogisticRecord = self._known()
        parts, q = record.theta.shape
        labels = None if parts == 1 else tuple(np.repeat(self.classes_, q).tolist())
        error = None if record.covariance is None else record.standard_errors.ravel()
        against = f" ({record.classes[1]} against {record.classes[0]})" if parts == 1 else ""
        title = (
            f"logistic regression of {record.target.name}{against}, {record.n:g} rows, "
            f"log-likelihood {record.log_likelihood:.2f}"
        )
        names = ("intercept", *record.design.names) * parts
        return coefficient_table(
            title, names, labels, record.original.ravel(), error, level, None, record.schema.library
        )


def classes_of(raw: Raw, weight: Floats | None) -> tuple[Column, Ints]:
    """The classes of rows that count, and the place of each row's."""
    target = target_column(raw)
    codes = class_codes(target, raw)
    if weight is not None and not weight.all():
        levels = target.levels or ()
        stay = np.flatnonzero(np.bincount(codes, weight > 0, len(levels)))
        place = np.zeros(len(levels), np.intp)  # rows without weight go anywhere
        place[stay] = np.arange(len(stay))
        target, codes = replace(target, levels=tuple(levels[i] for i in stay)), place[codes]
    _refuse_one(target)
    return target, codes


def _refuse_one(target: Column) -> None:
    levels = target.levels or ()
    if len(levels) < 2:
        raise LikelyError(
            f"the target {target.name!r} has one class only, {levels[0]!r}: logistic regression tells "
            "classes apart, so give rows of at least two."
        )


def _start(old: LogisticRecord | None, meaning: Coefficients, target: Column) -> Floats | None:
    """Where an earlier fit of the same columns and classes came to, standardised as now."""
    if old is None or old.classes != (target.levels or ()) or old.design.names != meaning.design.names:
        return None
    begun = old.original.copy()
    begun[:, 0] += begun[:, 1:] @ meaning.design.centre
    begun[:, 1:] *= meaning.design.unit
    return np.asarray(begun.ravel())
