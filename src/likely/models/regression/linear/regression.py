"""Linear regression with real priors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin

from likely.dist import Gamma, MultivariateT, StudentT
from likely.engine.scan.digest import TableDigest
from likely.engine.scan.large import LargeTable
from likely.engine.scan.scan import Scan
from likely.errors import LikelyError, lacking
from likely.estimator.exported import Exportable
from likely.estimator.fitted import (
    FittedModel,
    counted_rows,
    outcomes,
    read_only,
    refuse_empty,
    refuse_no_column,
    refuse_no_rows,
    refuse_not_in_memory,
    split_target,
)
from likely.estimator.paged import Paged
from likely.estimator.scored import Scored
from likely.format.words import figures
from likely.models.groups.explain import CellValues
from likely.models.groups.intervals import check_level
from likely.models.regression.design import Design
from likely.models.regression.estimator import refuse_unknown_of, weights_of
from likely.models.regression.explain import column_terms, statuses
from likely.models.regression.linear.answers import Contributions, OutcomeIntervals
from likely.models.regression.linear.asked import AskedProducts
from likely.models.regression.linear.collect import collect, collect_large, refined_in_memory, refined_large
from likely.models.regression.linear.record import LinearRecord
from likely.models.regression.prior import CoefficientPrior
from likely.models.regression.summary import CoefficientTable, coefficient_table
from likely.stats import Scatter
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.frame import is_large, is_lazy

Floats = NDArray[np.float64]


class LinearRegression(Exportable, Paged, FittedModel, Scored, RegressorMixin, BaseEstimator):
    """Linear regression: the outcome is a sum of coefficients times values, and normal noise.

    What is learnt are centred products of the columns and the outcome, so models of two tables with the same
    columns add, and everything else is a closed form of them. Columns become numbers as in
    `LogisticRegression`.

    Parameters
    ----------
    prior : None, "default", "auto", distribution, tuple or mapping
        What is believed of the coefficients beforehand, as a multiple of the noise's sd: None is least
        squares, `Normal(0, s)` ridge regression with penalty 1 / s^2, `DoubleExponential(0, s)` the lasso, a
        tuple of both is both. Their parameters may be arrays, one number a coefficient; a mapping gives a
        prior to columns by name. "default" is Normal(0, 2.5); "auto" takes the sd with the greatest evidence.
        The intercept is always free.
    noise : Gamma or None
        The prior of 1 / variance of the noise; None is flat on the logarithm.
    standardise : bool
        Whether priors speak of the coefficients of standardised numbers (those measured in their standard
        deviations; 0/1 columns stay as they are), or of the original ones. Coefficients are always
        reported in original units.
    kinds : mapping, str or None
        The kind of each column, as in `NaiveBayes`.
    n_jobs : int or None
        Threads: None for one, -1 for all cores. The answer does not depend on it, to the last bit.

    Attributes
    ----------
    coef_ : (p,)
        Coefficients of the original columns, named by `coef_names_`.
    intercept_ : float
        The outcome where all columns are 0.
    noise_variance_ : float
        The mean squared residual, RSS / n: the maximum-likelihood estimate.
    posterior_, noise_posterior_ : MultivariateT, Gamma
        Of the intercept and the coefficients together, and of 1 / variance of the noise.
    log_evidence_ : float
        log P(outcomes given rows), under a Normal prior; what is flat has density 1.

    Examples
    --------
    >>> import likely
    >>> model = likely.LinearRegression().fit({"x": [0.0, 1.0, 2.0, 3.0]}, [1.0, 2.0, 2.0, 4.0])
    >>> model.coef_.round(3), round(model.intercept_, 3), round(model.noise_variance_, 3)
    (array([0.9]), 0.9, 0.175)
    """

    learns_from_scans = True

    def __init__(
        self,
        prior: CoefficientPrior = None,
        *,
        noise: Gamma | None = None,
        standardise: bool = True,
        kinds: Kinds = None,
        n_jobs: int | None = None,
    ) -> None:
        self.prior = prior
        self.noise = noise
        self.standardise = standardise
        self.kinds = kinds
        self.n_jobs = n_jobs

    def fit(self, X: TableLike, y: Target, sample_weight: Weights = None) -> Self:
        """Learn from a table and its outcome (values, or the name of a column of the table).

        A table that is not in memory (a lazy frame, `likely.scan`) is read block by block: three passes. Of
        columns of numbers alone DuckDB, Spark and Ibis are asked for the products.
        """
        if is_large(X) and (isinstance(y, str) or not is_lazy(X)):
            return self._fit_large(X, y, sample_weight)
        X, y, sample_weight = counted_rows(X, y, sample_weight)
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        weight, outcome = weights_of(sample_weight, frame.n), outcomes(raw)
        design = Design.learn(frame, self.kinds, self.prior is None, weight, self._engine)
        seen = collect(design, frame, outcome, weight, self._engine, whole=True)
        record = self._record(design, Column.of_numbers(raw.name, raw.type, raw.zone), seen)
        self._take(replace(record, line_=refined_in_memory(record, frame, outcome, weight, self._engine)))
        return self

    def _fit_large(self, X: object, y: object, sample_weight: object) -> Self:
        refuse_not_in_memory(y, sample_weight, type(self).__name__)
        scan, reference = Scan.of(X), self.prior is None
        asked = AskedProducts.of(scan, self.kinds, str(y), reference)
        if asked is None:
            table = LargeTable.of(scan, self.kinds, self._engine, str(y), levels=False)
            refuse_no_column(str(y), table.digest.names)
            refuse_no_rows(table.n, len(table.frame.names))
            design, told = Design.learn_large(table, self.kinds, reference), table.digest.raw(str(y))
        else:
            table = LargeTable(scan, TableDigest((), asked.queries.look.n), self._engine, str(y))
            design, told = asked.design, asked.told
        outcomes(told)  # refuses what is no number
        target = Column.of_numbers(str(y), told.type, told.zone)
        seen = collect_large(design, target, table) if asked is None else asked.scatter()
        record = self._record(design, target, seen)
        self._take(replace(record, line_=refined_large(record, table)))
        return self

    def partial_fit(self, X: TableLike, y: Target, sample_weight: Weights = None) -> Self:
        """Learn from more rows; what was learnt before stays, and the order is no matter.

        The first call fixes the columns, their levels, and the means that missing numbers are taken for.
        """
        if not hasattr(self, "record_"):
            return self.fit(X, y, sample_weight)
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        frame = self.record_.schema.align(frame, type(self).__name__)
        weight, old = weights_of(sample_weight, frame.n), self.record_
        more = collect(old.design, frame, outcomes(raw), weight, self._engine)
        self._take(self._record(old.design, old.target, old.scatter + more))
        return self

    def _record(self, design: Design, target: Column, seen: Scatter) -> LinearRecord:
        if not (self.noise is None or isinstance(self.noise, Gamma)):
            raise LikelyError(f"noise={self.noise!r}: give None, or a Gamma prior of 1 / variance.")
        return LinearRecord(design, target, seen, self.prior, self.noise, self.standardise)

    def _take(self, record: LinearRecord, estimate: bool = True) -> None:
        """Be the model of this record; what cannot be solved is refused here, not when it is asked."""
        super()._take(replace(record, line_=record.line) if estimate else record, estimate)

    def __add__(self, other: object) -> Self:
        if not isinstance(other, type(self)):
            return NotImplemented
        a, b = self._known(), other._known()
        if a.design.names != b.design.names:
            raise LikelyError(
                "the models have different columns or levels: fit them with the levels listed in kinds=, "
                f"{list(a.design.names)[:8]!r} here and {list(b.design.names)[:8]!r} there."
            )
        if a.design.gaps or b.design.gaps:
            raise LikelyError(
                "missing numbers were taken for the means of two different tables: learn the second with "
                "partial_fit, which keeps to the first."
            )
        return self._with_record(replace(a, scatter=a.scatter + b.scatter, line_=None))

    def __radd__(self, other: object) -> Self:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    @property
    def coef_names_(self) -> tuple[str, ...]:
        """What each coefficient belongs to, as "age", "sex=female" or "age missing"."""
        return tuple(self._known().design.names)

    @property
    def coef_(self) -> Floats:
        """Coefficients of the original columns, (p,)."""
        return read_only(self._known().coefficients)

    @property
    def intercept_(self) -> float:
        """The outcome where all columns are 0."""
        return float(self._known().intercept)

    @property
    def noise_variance_(self) -> float:
        """The mean squared residual, RSS / n."""
        record = self._known()
        return float(record.line.rss / record.n)

    @property
    def prior_(self) -> Any:
        """The prior that was used: with "auto", the one found."""
        return self._known().line.prior

    @property
    @lacking()
    def log_evidence_(self) -> float:
        """log P(outcomes given rows), where the intercept and, unless given, log variance have density 1."""
        log_evidence = self._known().line.log_evidence
        if log_evidence is None:
            raise LikelyError("only a Normal prior of every coefficient has an evidence: give one.")
        return float(log_evidence)

    @property
    @lacking()
    def standard_errors_(self) -> Floats:
        """Of the intercept and the coefficients, (1 + p,): the scales of their t distributions."""
        return read_only(self._known().standard_errors)

    @property
    @lacking()
    def posterior_(self) -> MultivariateT:
        """Of the intercept and the coefficients together, the noise summed out."""
        record = self._known()
        scale = record.scale()
        refuse_unknown_of([record.design.names[j] for j in record.line.unknown])
        where = np.append(record.intercept, record.coefficients)
        return MultivariateT(2 * record.line.shape, where, scale)

    @property
    @lacking()
    def noise_posterior_(self) -> Gamma:
        """Of 1 / variance of the noise."""
        record = self._known()
        record.posterior()  # refuses where there is none
        return Gamma(record.line.shape, record.line.rate)

    def predict(self, X: TableLike) -> Floats:
        """The expected outcome of each row, (n,)."""
        record, frame = self._known(), self._frame(X)
        scores = record.cells(frame, self._engine).predict(np.append(record.mean[-1], record.line.w)[None, :])
        return np.asarray(scores[:, 0])

    def predict_distribution(self, X: TableLike) -> StudentT:
        """The distribution of each row's outcome, (n,): noise, and what is not known of the coefficients."""
        record, frame = self._known(), self._frame(X)
        _, variance = record.posterior()
        offset, spread = record.offsets(frame, self._engine)
        scale = np.sqrt(variance * (1 + 1 / record.n + spread))
        scale = np.maximum(scale, np.finfo(np.float64).tiny)  # of rows that fit exactly
        return StudentT(2 * record.line.shape, record.mean[-1] + offset, scale)

    def predict_interval(self, X: TableLike, level: float = 0.9) -> OutcomeIntervals:
        """Where the outcome of each row lies with probability `level`."""
        check_level(level)
        outcome = self.predict_distribution(X)
        ends = outcome.quantile((1 - level) / 2), outcome.quantile((1 + level) / 2)
        return OutcomeIntervals(level, outcome.location, *ends, self._frame(X).library)

    def explain(self, X: TableLike) -> Contributions:
        """Each prediction as a sum: a baseline, and what each column adds.

        The baseline has every number at its mean, and no level (without a prior, the first one) and no word.
        """
        record, frame = self._known(), self._frame(X)
        theta = np.append(0.0, record.coefficients * record.design.unit)[None, :]
        terms = column_terms(record.design, frame, theta, self._engine)[:, 0]
        # Not from the intercept, where columns far from 0 have lost their digits.
        base = float(record.mean[-1] - record.coefficients @ (record.mean[:-1] - record.design.centre))
        values = CellValues(tuple(frame.raw(name) for name in record.schema.names))
        status = statuses(record.design, frame, self._engine)
        return Contributions(record.schema.names, base, terms, values, status, frame.library)

    def summary(self, level: float = 0.95) -> CoefficientTable:
        """Coefficients, standard errors, t and intervals, as a table."""
        record = self._known()
        line = record.line
        explained = 1 - line.rss / record.products.yy if record.products.yy > 0 else 0.0
        title = (
            f"linear regression of {record.target_name}, {record.n:g} rows, noise sd "
            f"{figures(float(np.sqrt(self.noise_variance_)))}, R2 {explained:.4f}"
        )
        coefficients = np.append(record.intercept, record.coefficients)
        errors = record.standard_errors if record.known else None
        names, df = ("intercept", *record.design.names), 2 * line.shape if record.known else 1.0
        return coefficient_table(title, names, None, coefficients, errors, level, df, record.design)
