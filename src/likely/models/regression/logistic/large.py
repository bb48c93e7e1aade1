"""Logistic regression of a table that is not in memory: the prior and the start by a sample, then passes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from likely.engine import ReduceTask
from likely.engine.scan.large import LargeTable, with_target
from likely.estimator.fitted import class_codes
from likely.infer.logistic import LabelledRows, Logistic, mean_row, n_vectors
from likely.models.regression.design import Design
from likely.models.regression.logistic.fit import Solution, Task, solve_at
from likely.models.regression.logistic.prior_strength import solve_logistic
from likely.models.regression.prior import CoefficientPrior, Coefficients
from likely.table.column.column import Column
from likely.table.frame import Frame

T = TypeVar("T")
Floats = NDArray[np.float64]

SAMPLE = 20_000  # rows that the prior is chosen by, and that the search starts from


@dataclass(frozen=True)
class ReadLabelled:
    """A block of a table, as its classes and the columns of a design."""

    design: Design
    target: Column

    def __call__(self, frame: Frame) -> LabelledRows:
        """What the tasks of logistic regression read."""
        codes = class_codes(self.target, frame.raw(self.target.name))
        return LabelledRows(self.design.rows_of(frame.without(self.target.name)), codes, None)


@dataclass(frozen=True)
class CountClasses(ReduceTask[LabelledRows, Floats]):
    """How many rows each class has, (g,)."""

    n_classes: int

    def step(self, data: LabelledRows, start: int, stop: int) -> Floats:
        """Of some rows."""
        return np.bincount(data.codes[start:stop], minlength=self.n_classes).astype(np.float64)


@dataclass(frozen=True)
class LargeLogistic(Logistic):
    """The log-likelihood of all rows, a pass for each value; z and codes are those of a sample."""

    table: LargeTable = None  # type: ignore[assignment]
    read: ReadLabelled = None  # type: ignore[assignment]

    @property
    def total(self) -> float:
        """How many rows there are."""
        return float(self.table.n)

    def sum_over_rows(self, task: ReduceTask[LabelledRows, T]) -> T:
        """Of a task's steps over all rows: one pass over the table."""
        return self.table.reduce(with_target(self.read.design.schema, self.read.target), self.read, task)


def solve_large(
    design: Design,
    target: Column,
    table: LargeTable,
    prior: CoefficientPrior,
    standardise: bool,
    tol: float,
    max_iter: int,
) -> tuple[Solution, Floats, Floats]:
    """The most probable coefficients, how many rows each class has, and the mean row.

    How strong the prior is, where that is to be chosen, a sample decides; so it does where Newton begins. The
    optimum under that prior is that of all rows.
    """
    meaning = Coefficients(design, n_vectors(len(target.known)), standardise)
    read = ReadLabelled(design, target)
    rows = table.sample(SAMPLE, with_target(design.schema, target))
    codes = class_codes(target, rows.raw(target.name))
    z = design.cells(rows.without(target.name), table.engine)
    few = Task(Logistic(z, codes, len(target.known)), meaning, prior, tol, max_iter)
    first = solve_logistic(few)
    whole = LargeLogistic(z, codes, len(target.known), None, table, read)
    solution = solve_at(replace(few, likelihood=whole, prior=first.prior), first.run.at)
    return solution, whole.sum_over_rows(CountClasses(len(target.known))), mean_row(whole)
