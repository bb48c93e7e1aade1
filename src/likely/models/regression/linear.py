"""Linear regression with real priors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin

from likely.dist import Gamma, StudentT
from likely.errors import LikelyError
from likely.models.explain import _Values as Values
from likely.models.regression.conditional import ConditionalMixin, weights_of
from likely.models.regression.conditional_explain import column_terms
from likely.models.regression.conditional_summary import CoefficientTable, coefficient_table
from likely.models.regression.design import Design
from likely.models.regression.linear_answers import Contributions, OutcomeIntervals
from likely.models.regression.linear_record import LinearRecord, collect, refined
from likely.models.rows import refuse_empty
from likely.models.target import split_target
from likely.table.raw import Raw

Floats = NDArray[np.float64]

LIMIT = 1e150  # beyond this a square leaves the range of the numbers


class LinearRegression(ConditionalMixin, RegressorMixin, BaseEstimator):
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
    log_evidence_ : float
        log P(outcomes given rows), under a Normal prior; what is flat has density 1.

    Examples
    --------
    >>> import likely
    >>> model = likely.LinearRegression().fit({"x": [0.0, 1.0, 2.0, 3.0]}, [1.0, 2.0, 2.0, 4.0])
    >>> model.coef_.round(3), round(model.intercept_, 3), round(model.noise_variance_, 3)
    (array([0.9]), 0.9, 0.175)
    """

    def __init__(
        self,
        prior: Any = None,
        *,
        noise: Any = None,
        standardise: bool = True,
        kinds: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.prior = prior
        self.noise = noise
        self.standardise = standardise
        self.kinds = kinds
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a table and its outcome (values, or the name of a column of the table)."""
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        weight, outcome = weights_of(sample_weight, frame.n), outcomes(raw)
        design = Design.learn(frame, self.kinds, self.prior is None, weight, self.n_jobs)
        seen = collect(design, frame, outcome, weight, self.n_jobs, whole=True)
        record = self._record(design, raw.name, seen)
        self._be(replace(record, line_=refined(record, frame, outcome, weight, self.n_jobs)))
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from more rows; what was learnt before stays, and the order is no matter.

        The first call fixes the columns, their levels, and the means that missing numbers are taken for.
        """
        if not hasattr(self, "record_"):
            return self.fit(X, y, sample_weight)
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        frame = self.record_.schema.align(frame, type(self).__name__)
        weight, old = weights_of(sample_weight, frame.n), self.record_
        more = collect(old.design, frame, outcomes(raw), weight, self.n_jobs)
        self._be(self._record(old.design, old.target, old.scatter + more))
        return self

    def _record(self, design: Design, target: str, seen: Any) -> LinearRecord:
        if not (self.noise is None or isinstance(self.noise, Gamma)):
            raise LikelyError(f"noise={self.noise!r}: give None, or a Gamma prior of 1 / variance.")
        return LinearRecord(design, target, seen, self.prior, self.noise, self.standardise)

    def _be(self, record: LinearRecord) -> None:
        record.line  # noqa: B018  # what cannot be solved is refused here, not at the first prediction
        self._take(record)

    def __add__(self, other: Any) -> Self:
        if not isinstance(other, type(self)):
            return NotImplemented
        from sklearn.base import clone

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
        new: Self = clone(self)
        new._be(replace(a, scatter=a.scatter + b.scatter, line_=None))
        return new

    def __radd__(self, other: Any) -> Self:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    @property
    def coef_(self) -> Floats:
        """Coefficients of the original columns, (p,)."""
        return np.asarray(self._known().coefficients)

    @property
    def intercept_(self) -> float:
        """The outcome where all columns are 0."""
        return float(self._known().intercept)

    @property
    def coef_names_(self) -> tuple[str, ...]:
        """What each coefficient belongs to, as "age", "sex=female" or "age missing"."""
        return tuple(self._known().design.names)

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
    def log_evidence_(self) -> float:
        """log P(outcomes given rows), where the intercept and, unless given, log variance have density 1."""
        found = self._known().line.log_evidence
        if found is None:
            raise LikelyError("only a Normal prior of every coefficient has an evidence: give one.")
        return float(found)

    @property
    def standard_errors_(self) -> Floats:
        """Of the intercept and the coefficients, (1 + p,): the scales of their t distributions."""
        record = self._known()
        covariance, variance = self._posterior()
        moved = record.mean[:-1] / record.unit
        of_intercept = 1 / record.n + float(moved @ covariance @ moved)
        errors = np.sqrt(np.maximum(variance * np.append(of_intercept, np.diagonal(covariance)), 0.0))
        errors[1:] /= record.unit
        errors[1 + np.array(record.line.unknown, np.intp)] = np.inf
        return np.asarray(errors)

    def _posterior(self) -> tuple[Floats, float]:
        """Covariance of the coefficients in units of the noise, and the expected scale of that."""
        line = self._known().line
        if line.covariance is None:
            raise LikelyError(
                "the coefficients have no standard errors: an L1 prior has a corner at its peak. Fit with a "
                "Normal prior."
            )
        if not line.shape > 0:
            raise LikelyError(
                f"{self._known().n:g} rows leave nothing to tell the noise from {len(line.w)} coefficients: "
                "give more rows, or a prior such as Normal(0, 1)."
            )
        return line.covariance, line.rate / line.shape

    def predict(self, X: Any) -> Floats:
        """The expected outcome of each row, (n,)."""
        record, frame = self._known(), self._frame(X)
        z = replace(record.design.cells(frame, self.n_jobs), centre=record.mean[:-1], scale=record.unit)
        return np.asarray(z.predict(np.append(record.mean[-1], record.line.w)[None, :])[:, 0])

    def predict_distribution(self, X: Any) -> StudentT:
        """The distribution of each row's outcome, (n,): noise, and what is not known of the coefficients."""
        record, frame = self._known(), self._frame(X)
        _, variance = self._posterior()
        offset, spread = record.offsets(frame, self.n_jobs)
        scale = np.sqrt(variance * (1 + 1 / record.n + spread))
        scale = np.maximum(scale, np.finfo(np.float64).tiny)  # of rows that fit exactly
        return StudentT(2 * record.line.shape, record.mean[-1] + offset, scale)

    def predict_interval(self, X: Any, level: float = 0.9) -> OutcomeIntervals:
        """Where the outcome of each row lies with probability `level`."""
        if not (isinstance(level, float) and 0 < level < 1):
            raise LikelyError(f"level={level!r}: give the probability to cover, above 0 and below 1.")
        found = self.predict_distribution(X)
        ends = found.quantile((1 - level) / 2), found.quantile((1 + level) / 2)
        return OutcomeIntervals(level, found.location, *ends, self._frame(X).library)

    def explain(self, X: Any) -> Contributions:
        """Each prediction as a sum: that of an average row, and what each column adds."""
        record, frame = self._known(), self._frame(X)
        theta = np.append(0.0, record.coefficients * record.design.unit)[None, :]
        terms = column_terms(record.design, frame, theta, self.n_jobs)[:, 0]
        base = record.intercept + float(record.coefficients @ record.design.centre)
        values = Values(tuple(frame.raw(name) for name in record.schema.names))
        return Contributions(record.schema.names, base, terms, values, frame.library)

    def summary(self, level: float = 0.95) -> CoefficientTable:
        """Coefficients, standard errors, t and intervals, as a table."""
        record = self._known()
        line, known = record.line, record.line.covariance is not None and record.line.shape > 0
        explained = 1 - line.rss / record.products.yy if record.products.yy > 0 else 0.0
        title = (
            f"linear regression of {record.target}, {record.n:g} rows, noise sd "
            f"{np.sqrt(self.noise_variance_):.4g}, R2 {explained:.4f}"
        )
        coefficients = np.append(record.intercept, record.coefficients)
        errors = self.standard_errors_ if known else None
        names, df = ("intercept", *record.design.names), 2 * line.shape if known else 1.0
        return coefficient_table(title, names, None, coefficients, errors, level, df, record.schema.library)


def outcomes(raw: Raw) -> Floats:
    """The outcome as numbers; none may be missing."""
    if not raw.type.numeric:
        raise LikelyError(
            f"the outcome {raw.name!r} holds {raw.type.value}: linear regression needs numbers. For classes, "
            "use LogisticRegression."
        )
    values = np.asarray(raw.numbers(), np.float64)
    for wrong, said in ((np.isnan(values), "NaN"), (np.abs(values) > LIMIT, "infinity or a value too large")):
        if wrong.any():
            row = int(np.argmax(wrong))
            raise LikelyError(
                f"Input y contains {said}: the outcome {raw.name!r} is {values[row]} in row {row}. Leave "
                "such rows out, or correct the value."
            )
    return values
