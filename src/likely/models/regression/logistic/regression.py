"""Logistic regression with real priors."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin

from likely.engine.scan.large import LargeTable
from likely.engine.scan.scan import Scan
from likely.errors import LikelyError
from likely.estimator.fitted import (
    class_codes,
    counted_rows,
    refuse_empty,
    refuse_no_column,
    refuse_no_rows,
    refuse_not_in_memory,
    split_target,
    target_column,
)
from likely.estimator.scored import Scored
from likely.infer.logistic import Logistic, mean_row, n_vectors
from likely.models.regression.design import Design
from likely.models.regression.estimator import classes_of, counts_of, refuse_one, weights_of
from likely.models.regression.logistic.answers import LogisticAnswers
from likely.models.regression.logistic.fit import Task, record_of
from likely.models.regression.logistic.large import solve_large
from likely.models.regression.logistic.online import LabelledTable, learn_online
from likely.models.regression.logistic.prior_strength import solve_logistic
from likely.models.regression.missing_model import Beside, complete_weights
from likely.models.regression.prior import CoefficientPrior, Coefficients
from likely.table.accepted import Kinds, RandomState, TableLike, Target, Weights
from likely.table.column.as_raw import as_raw
from likely.table.frame import is_large, is_lazy


class LogisticRegression(LogisticAnswers, Scored, ClassifierMixin, BaseEstimator):
    """Logistic regression: the log-odds of the classes are sums of coefficients times values.

    A discriminative model: it maximises the conditional likelihood P(y given x), with a prior for
    regularisation. Two classes have one set of coefficients, whose sum goes through the sigmoid function;
    more have one each (softmax). Numbers are used as they are, columns of levels become a 0/1 column a level
    (one-hot coding; a level never seen adds nothing), a missing number is taken for the mean and has a
    coefficient of its own ("mean plus indicator"), texts become counts of words.

    Parameters
    ----------
    prior : "default", None, "auto", "validated", "jeffreys", distribution, tuple or mapping
        What is believed of the coefficients beforehand. `Normal(0, s)` is the L2 penalty w^2 / (2 s^2),
        `DoubleExponential(0, s)` the L1 penalty |w| / s, a tuple of both is both; their parameters may be
        arrays, one number a coefficient. A mapping gives a prior to columns by name, and leaves the others
        free. A `MultivariateNormal` is of the intercept and the coefficients together, in original units,
        such as the `posterior_` of an earlier fit. "default" and "auto" take Normal(0, s) with the s that is
        most probable given the rows: by the evidence, and beforehand s ~ gamma(1.5, scale 0.6).
        "validated" takes the one with the best predictions of rows left out (5 folds). Beyond 2,000
        coefficients "default" goes by the evidence of up to 2,000 rows (of more than two classes, of each
        against the others), and is Normal(0, 2.5) for more; "auto" is "validated"; online, and for single
        columns, "default" is Normal(0, 2.5) too. "jeffreys" is Firth's correction, for two classes; None is
        maximum likelihood. The intercept is always free.
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
        The learning rate eta of the online solver; None lets it decay, which is needed for it to settle.
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
        The prior that was used: the one found, where it was to be chosen.
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

    learns_from_scans = True

    def __init__(
        self,
        prior: CoefficientPrior = "default",
        *,
        standardise: bool = True,
        kinds: Kinds = None,
        missing: str = "indicator",
        solver: str = "newton",
        tol: float = 1e-10,
        max_iter: int = 100,
        rate: float | None = None,
        warm_start: bool = False,
        random_state: RandomState = 0,
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

    def fit(self, X: TableLike, y: Target, sample_weight: Weights = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table).

        A table that is not in memory (a lazy frame, `likely.scan`) is read block by block, a pass for each
        step of Newton; how strong the default prior is, a sample of its rows decides.
        """
        if self.solver not in ("newton", "online"):
            raise LikelyError(f"solver={self.solver!r}: give 'newton' or 'online'.")
        if self.solver == "online":
            self._refuse_online()
        if is_large(X) and (isinstance(y, str) or not is_lazy(X)):
            return self._fit_large(X, y, sample_weight)
        X, y, sample_weight = counted_rows(X, y, sample_weight)
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        weight = weights_of(sample_weight, frame.n)
        if self.missing not in ("indicator", "average"):
            raise LikelyError(
                f"missing={self.missing!r}: give 'indicator' (mean plus indicator) or 'average'."
            )
        if self.missing == "average":
            weight = complete_weights(frame, self.kinds, weight, self._engine)
        target, codes = classes_of(raw, weight)
        old = getattr(self, "record_", None) if self.warm_start else None
        design = Design.learn(frame, self.kinds, self._reference(), weight, self._engine)
        if self.solver == "online":
            rows = LabelledTable(design, target, frame, codes, weight)
            self._take(learn_online(self, old, rows, max(1, self.max_iter), more=False))
            self.n_iter_ = self.max_iter
            return self
        meaning = Coefficients(design, n_vectors(len(target.known)), self.standardise)
        z = design.cells(frame, self._engine, whole=weight is None or bool(weight.all()))
        likelihood = Logistic(z, codes, len(target.known), weight)
        task = Task(likelihood, meaning, self.prior, self.tol, self.max_iter)
        solution = solve_logistic(task, None if old is None else old.start_of(meaning, target))
        self.n_iter_ = solution.run.n_iter
        counts = counts_of(codes, weight, target)
        record = record_of(design, target, solution, counts, mean_row(likelihood))
        if self.missing == "average":
            assert weight is not None
            more = Beside.learn(design, frame, codes, len(target.known), weight, self._engine)
            record = replace(record, beside=more, untold=None)
        self._take(record)
        return self

    def _fit_large(self, X: object, y: object, sample_weight: object) -> Self:
        refuse_not_in_memory(y, sample_weight, type(self).__name__)
        if self.solver == "online" or self.missing != "indicator":
            raise LikelyError(
                "a table that is not in memory is learnt from with solver='newton' and missing='indicator': "
                "give the rows to partial_fit, some at a time, or collect them first."
            )
        table = LargeTable.of(Scan.of(X).spooled(), self.kinds, self._engine, str(y))
        refuse_no_column(str(y), table.digest.names)
        refuse_no_rows(table.n, len(table.frame.names))
        target = target_column(table.digest.raw(str(y)))
        refuse_one(target)
        design = Design.learn_large(table, self.kinds, self._reference())
        solution, counts, mean = solve_large(
            design, target, table, self.prior, self.standardise, self.tol, self.max_iter
        )
        self.n_iter_ = solution.run.n_iter
        self._take(record_of(design, target, solution, counts, mean))
        return self

    def partial_fit(
        self, X: TableLike, y: Target, classes: ArrayLike | None = None, sample_weight: Weights = None
    ) -> Self:
        """Learn from more rows, one after another and once: w += eta (y - p) x.

        The first call fixes the columns, their levels and what is standard, and needs all classes. What
        comes out depends on the order of the rows, and only nears what `fit` finds.
        """
        self._refuse_online()
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        weight = weights_of(sample_weight, frame.n)
        old = getattr(self, "record_", None)
        if old is None:
            target = target_column(raw if classes is None else as_raw(raw.name, np.asarray(classes)))
            refuse_one(target)
            design = Design.learn(frame, self.kinds, self._reference(), weight, self._engine)
        else:
            frame = old.schema.align(frame, type(self).__name__)
            target, design = old.target, old.design
        codes = class_codes(target, raw)
        rows = LabelledTable(design, target, frame, codes, weight)
        self._take(learn_online(self, old, rows, 1, more=True))
        return self

    def _refuse_online(self) -> None:
        """Refuse what cannot be learnt from one example after another."""
        if self.missing == "average":
            raise LikelyError(
                "missing='average' learns a model of the columns beside: use solver='newton', and fit all "
                "rows."
            )

    def _reference(self) -> bool:
        """Whether the first level of a column is what the others are compared with: if there is no prior."""
        return self.prior is None or (isinstance(self.prior, str) and self.prior == "jeffreys")
