"""What a fitted linear regression knows: products of columns and outcome, and the line made of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Gamma
from likely.engine import Answers, Engine, MapTask
from likely.errors import LikelyError
from likely.estimator.check_column import check_column, demand
from likely.estimator.fitted import OfTarget
from likely.estimator.record import Described, Quantities, Story
from likely.export.form import ScoringForm, WordsTerm
from likely.infer.standard import Rows, Scaling, Standard
from likely.models.groups.check import check_finite, check_scatter
from likely.models.regression.describe import coefficient_quantities, conditional_story, trained_on
from likely.models.regression.design import Design
from likely.models.regression.linear.solve import CentredProducts, Line, auto_sd, fit_line
from likely.models.regression.prior import CoefficientPrior, Coefficients
from likely.models.regression.scoring import design_terms, design_words
from likely.stats import Scatter
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]

LARGEST = 5000  # columns whose products are kept


@dataclass(frozen=True)
class LinearRecord(OfTarget):
    """The design, what was seen of it, and the prior."""

    design: Design
    target: Column
    scatter: Scatter  # of the columns of the design and, last, the outcome
    prior: Any
    noise: Any  # Gamma, the prior of 1 / variance; None: any is as good
    standardised: bool
    line_: Line | None = None  # made of more digits than the products have

    @staticmethod
    def of_older(given: dict[str, Any]) -> dict[str, Any]:
        """The fields of a record in a file: up to 0.2 it held the name of the target alone."""
        name = given.get("target")
        return {**given, "target": Column.of_numbers(name)} if isinstance(name, str) else given

    @property
    def schema(self) -> Schema:
        """Of the table."""
        return self.design.schema

    @property
    def n_parameters(self) -> int:
        """Intercept, coefficients and the variance of the noise."""
        return len(self.design.names) + 2

    @property
    def n(self) -> float:
        """The weight of the rows."""
        return float(self.scatter.n[0])

    @property
    def of_rows(self) -> bool:
        """The outcome is modelled, given the rest of a row."""
        return False

    @property
    def group_names(self) -> tuple[str, ...]:
        """The one outcome."""
        return ("",)

    def counts(self) -> dict[Described, Quantities]:
        """Nothing is counted of single columns."""
        return {}

    def parameters(self) -> dict[Described, Quantities]:
        """Intercept and coefficients."""
        values = np.append(self.intercept, self.coefficients)[None, :]
        errors = self.standard_errors[None, :] if self.known else None
        return {("", "coefficients"): coefficient_quantities(self.design.names, values, errors)}

    def check(self) -> None:
        """Refuse a record of which no model could have been fitted: a file is not believed before."""
        demand(self.line_ is not None, "it has no coefficients")
        assert self.line_ is not None
        demand(self.line_.w.ndim == 1, "its coefficients are no list")
        p = len(self.line_.w)
        demand(p <= LARGEST, f"it has more than {LARGEST} coefficients")
        check_column(self.target)
        demand(self.target.levels is None, "its target is no number")
        self.design.check(p)
        check_scatter(self.scatter, 1, p + 1)
        demand(self.n > 0, "it has seen no rows")
        demand(self.noise is None or isinstance(self.noise, Gamma), "the prior of its noise is none")
        _check_line(self.line_, p)

    def scoring_form(self, texts: bool = False) -> ScoringForm:
        """How outcomes are predicted, for other programs to work out; with `texts`, those are silent."""
        theta = np.concatenate([[self.mean[-1]], self.line.w])[None]
        inputs, start, terms = design_terms(
            self.design, Scaling(self.mean[:-1], self.unit), theta, texts=texts
        )
        return ScoringForm(self.target_name, (), inputs, start, terms)

    def words_terms(self) -> tuple[WordsTerm, ...]:
        """What the words of texts add, for pages to work out."""
        theta = np.concatenate([[self.mean[-1]], self.line.w])[None]
        return design_words(self.design, Scaling(self.mean[:-1], self.unit), theta)

    def story(self, model: str, hidden: bool = False) -> Story:
        """How an outcome comes about."""
        return conditional_story(self.target_name, model, classes=False)

    def trained_on(self) -> dict[str, Any]:
        """What the model was trained on, for people who look into its file."""
        return trained_on(self)

    @cached_property
    def mean(self) -> Floats:
        """Of the columns and the outcome, (p + 1,)."""
        return np.asarray(self.scatter.mean[0] + self.scatter.mean_rest[0])

    @cached_property
    def meaning(self) -> Coefficients:
        """What the prior's numbers mean: units are taken from all that was seen."""
        squares = np.diagonal(self.scatter.scatter[0])[: len(self.design.sd)]
        sd = np.sqrt(np.maximum(squares, 0) / max(self.n, np.finfo(np.float64).tiny))
        return Coefficients(replace(self.design, sd=sd), 1, self.standardised)

    @property
    def unit(self) -> Floats:
        """What columns are measured in, (p,)."""
        return self.meaning.design.unit

    @cached_property
    def products(self) -> CentredProducts:
        """In units of the columns."""
        seen, unit = self.scatter.scatter[0], self.unit
        xx, xy = seen[:-1, :-1] / unit / unit[:, None], seen[:-1, -1] / unit
        return CentredProducts(self.n, xx, xy, float(seen[-1, -1]))

    @cached_property
    def line(self) -> Line:
        """The coefficients and their posterior, in units of the columns."""
        return self.solved(self.products) if self.line_ is None else self.line_

    def solved(self, products: CentredProducts) -> Line:
        """The line of these products under the prior."""
        prior = self.prior
        if isinstance(prior, str) and prior == "auto":
            prior = auto_sd(lambda tried: self._line(products, tried).log_evidence)
        return self._line(products, prior)

    def _line(self, products: CentredProducts, prior: CoefficientPrior) -> Line:
        penalty = self.meaning.penalty(prior)
        if penalty.precision.ndim > 1:
            raise LikelyError(
                "a MultivariateNormal prior is for logistic regression: linear models simply add."
            )
        parts = (penalty.mean, penalty.precision, penalty.rate, penalty.centre)
        own = type(penalty)(*(part[1:] for part in parts))  # the intercept is free
        return fit_line(products, own, self.noise, prior, self.design.names)

    @cached_property
    def coefficients(self) -> Floats:
        """Of the original columns, (p,)."""
        return np.asarray(self.line.w / self.unit)

    @cached_property
    def intercept(self) -> float:
        """The outcome where all columns are 0."""
        return float(self.mean[-1] - self.coefficients @ self.mean[:-1])

    def posterior(self) -> tuple[Floats, float]:
        """Covariance of the coefficients in units of the noise, and the expected scale of that."""
        line = self.line
        if line.covariance is None:
            raise LikelyError(
                "the coefficients have no standard errors: an L1 prior has a corner at its peak. Fit with a "
                "Normal prior."
            )
        if not line.shape > 0:
            raise LikelyError(
                f"{self.n:g} rows leave nothing to tell the noise from {len(line.w)} coefficients: give more "
                "rows, a prior of the coefficients such as Normal(0, 1), or one of the noise, as "
                "noise=Gamma(1, 1)."
            )
        return line.covariance, line.rate / line.shape

    @property
    def known(self) -> bool:
        """Whether it is known how far the coefficients are known."""
        return self.line.covariance is not None and self.line.shape > 0

    def scale(self) -> Floats:
        """Of the t distribution of the intercept and the original coefficients, (1 + p, 1 + p)."""
        covariance, variance = self.posterior()
        own = covariance / self.unit / self.unit[:, None]
        across, p = own @ self.mean[:-1], len(own)
        out = np.empty((1 + p, 1 + p))
        out[0, 0] = 1 / self.n + float(self.mean[:-1] @ across)
        out[0, 1:] = out[1:, 0] = -across
        out[1:, 1:] = own
        return out * variance

    @cached_property
    def standard_errors(self) -> Floats:
        """Of the intercept and the original coefficients, (1 + p,); infinite where nothing is known."""
        errors = np.sqrt(np.maximum(np.diagonal(self.scale()), 0.0))
        errors[1 + np.array(self.line.unknown, np.intp)] = np.inf
        return np.asarray(errors)

    def cells(self, frame: Frame, engine: Engine) -> Standard:
        """The design of a table, measured from the means and in the units of all that was learnt from."""
        return replace(self.design.cells(frame, engine), scale=self.scaling)

    @property
    def scaling(self) -> Scaling:
        """The means and the units of all that was learnt from."""
        return Scaling(self.mean[:-1], self.unit)

    def offsets(self, frame: Frame, engine: Engine) -> tuple[Floats, Floats]:
        """The prediction less the mean outcome, (n,), and (x - mean)' covariance (x - mean), (n,)."""
        z, theta = self.cells(frame, engine), np.concatenate([[0.0], self.line.w])[None, :]
        if self.line.covariance is None:
            return z.predict(theta)[:, 0], np.zeros(frame.n)
        values, vectors = np.linalg.eigh(self.line.covariance)
        root = (vectors * np.sqrt(np.maximum(values, 0))).T
        turned = np.concatenate([theta, np.column_stack([np.zeros(len(root)), root])])
        offset, spread = engine.map(z.rows, Offsets(z.scale, turned))
        return offset, spread


@dataclass(frozen=True)
class Offsets(MapTask[Rows]):
    """A score of each row, and the sum of the squares of others."""

    scale: Scaling
    theta: Floats  # (1 + others, 1 + p)

    def width(self, stored: int) -> int:
        """A row's cells and scores."""
        return stored + len(self.theta)

    def answers(self, n: int) -> Answers:
        """Two arrays, (n,)."""
        return np.empty(n), np.empty(n)

    def step(self, data: Rows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        scores = self.scale.scores(data(start, stop), self.theta)
        out[0][:] = scores[:, 0]
        out[1][:] = np.square(scores[:, 1:]).sum(axis=1)


def _check_line(line: Line, p: int) -> None:
    check_finite("its coefficients", line.w, (p,))
    if line.covariance is not None:
        check_finite("the covariances of its coefficients", line.covariance, (p, p))
    numbers = (line.rss, line.rate, line.shape)
    demand(all(map(isfinite, numbers)) and line.rss >= 0 <= line.rate, "its noise is no number")
    demand(set(line.unknown) <= set(range(p)), "coefficients that are not there are unknown")
