"""Learning from one example after another: w += eta (y - p) x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import dense
from likely.engine import Answers, Engine, MapTask
from likely.errors import LikelyError
from likely.infer.logistic import Logistic, n_vectors, off_of_row
from likely.infer.newton import Penalty
from likely.infer.standard import Rows, Scaling, Standard
from likely.models.regression.design import Design
from likely.models.regression.estimator import counts_of
from likely.models.regression.logistic_record import LogisticRecord
from likely.models.regression.prior import Coefficients
from likely.table.column.column import Column
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

HELD = 1 << 24  # cells: 128 MB
STEP = 1 << 12
SETTLING = 20.0  # the rate falls as this over t in the end; columns that vary little with others ask for more


@dataclass(frozen=True, slots=True)
class LearningRate:
    """How far an example moves the coefficients: eta, or eta / (1 + t / half_life) after t examples.

    >>> LearningRate(0.5, 10.0).steps(np.ones(3), 10.0).round(3)
    array([0.25 , 0.238, 0.227])
    """

    eta: float
    half_life: float  # examples; infinite for a constant rate

    def steps(self, weight: Floats, seen: float) -> Floats:
        """Of examples with these weights, (n,), after others of the weight `seen`.

        An example of weight 5 is five of them; if the rate decays, none counts for more than the very first.
        """
        steps = weight * self.eta / (1 + (seen + np.cumsum(weight) - weight) / self.half_life)
        return np.asarray(steps if np.isinf(self.half_life) else np.minimum(steps, self.eta))

    @classmethod
    def of(cls, rate: float | None, p: int, rows: int) -> LearningRate:
        """A given rate stays as it is; without one it is safe for p columns, and decays.

        It halves within a pass over so many rows, 0 for rows that come as a stream, but no sooner than is
        needed to settle: what a stream teaches must not depend on how many rows come at a time.
        """
        if rate is None:
            safe = 1 / (2 + p)
            return cls(safe, max(float(rows), SETTLING / safe))
        if isinstance(rate, bool) or not isinstance(rate, int | float | np.number) or not 0 < rate < np.inf:
            raise LikelyError(f"rate={rate!r}: give None, which decays, or a number above 0, such as 0.1.")
        return cls(float(rate), np.inf)


@dataclass(frozen=True)
class LabelledTable:
    """A table and its classes, as a design reads them."""

    design: Design
    target: Column
    frame: Frame
    codes: Ints  # (n,)
    weight: Floats | None  # (n,)


@dataclass(frozen=True)
class Examples:
    """Rows that are learnt from one by one."""

    z: Standard
    codes: Ints  # (n,)

    @cached_property
    def _all(self) -> Floats | None:
        """(1, z) of every row, (n, 1 + p), if that is not too much."""
        if self.z.n * len(self.z.scale.unit) > HELD:
            return None
        (rows,) = self.z.engine.map(self.z.rows, Augmented(self.z.scale))
        return np.asarray(rows)

    def rows(self, chosen: Ints) -> Floats:
        """(1, z) of some rows, (b, 1 + p)."""
        if self._all is not None:
            return self._all[chosen]
        one_by_one = [dense(self.z.rows.data(int(row), int(row) + 1)).copy() for row in chosen]
        return Augmented(self.z.scale).of(np.concatenate(one_by_one))

    def learn(self, theta: Floats, penalty: Penalty, steps: Floats, order: Ints, share: float) -> Floats:
        """theta (parts, 1 + p) after steps (n,) along examples in this order, with a `share` of the prior."""
        theta = theta.copy()
        parts = (penalty.precision * share, penalty.mean, penalty.rate * share, penalty.centre)
        pull, mean, lasso, centre = (part.reshape(theta.shape) for part in parts)
        some_pull, some_lasso = bool(pull.any()), bool(lasso.any())
        for some, sizes in zip(_cut(order), _cut(steps), strict=True):
            for row, x, eta in zip(some, self.rows(some), sizes.tolist(), strict=True):
                theta -= eta * off_of_row(theta @ x, self.codes[row])[:, None] * x
                # The prior's share of the step is taken where it ends, so that it cannot overshoot.
                stiff = 1 + eta * pull if some_pull else 1.0
                if some_pull:
                    theta = (theta + eta * pull * mean) / stiff
                if some_lasso:
                    away = theta - centre
                    theta = centre + np.sign(away) * np.maximum(np.abs(away) - eta * lasso / stiff, 0.0)
        return theta


@dataclass(frozen=True)
class Augmented(MapTask[Rows]):
    """(1, z) of every row."""

    scale: Scaling

    def answers(self, n: int) -> Answers:
        """One array, (n, 1 + p)."""
        return (np.empty((n, 1 + len(self.scale.unit))),)

    def step(self, data: Rows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        out[0][:] = self.of(dense(data(start, stop)))

    def of(self, cells: Floats) -> Floats:
        """Of cells (b, p)."""
        out = np.ones((len(cells), 1 + cells.shape[1]))
        out[:, 1:] = (cells - self.scale.centre) / self.scale.unit
        return out


def _cut(values: NDArray[Any]) -> list[NDArray[Any]]:
    """In pieces of STEP."""
    return np.split(values, np.arange(STEP, len(values), STEP))


def learn_online(
    model: Online, old: LogisticRecord | None, rows: LabelledTable, passes: int, *, more: bool
) -> LogisticRecord:
    """The record after so many passes over the rows in random order; `more`: after one, in their order.

    With `more`, what the old record has seen counts as seen, whichever way it learnt, and the rate goes on
    decaying from there.
    """
    meaning = Coefficients(rows.design, n_vectors(len(rows.target.known)), model.standardise)
    if isinstance(model.prior, str) and model.prior != "default":
        raise LikelyError(f"prior={model.prior!r} needs all rows at once: use solver='newton' and fit.")
    chosen = more and old is not None and isinstance(model.prior, str)
    prior = old.prior if old is not None and chosen else model.prior  # a fit before has chosen it
    penalty, z = meaning.penalty(prior), rows.design.cells(rows.frame, model._engine)
    if penalty.precision.ndim > 1:
        raise LikelyError("a joint prior needs all rows at once: use solver='newton' and fit.")
    begun = None if old is None else old.start_of(meaning, rows.target)
    theta = np.zeros(meaning.shape) if begun is None else begun.reshape(meaning.shape)
    counts, steps, before = counts_of(rows.codes, rows.weight, rows.target), z.n * passes, 0.0
    weight = np.ones(z.n) if rows.weight is None else rows.weight
    if not more:  # the same pass again and again: weights say how much a row counts beside the others
        weight = weight * (z.n / weight.sum())
    elif old is not None:
        counts, steps, before = counts + old.class_counts, steps + old.steps, old.n
    rate = LearningRate.of(model.rate, len(z.scale.unit), 0 if more else z.n)
    rng, examples = np.random.default_rng(model.random_state), Examples(z, rows.codes)
    for _ in range(passes):
        order = np.arange(z.n) if more else rng.permutation(z.n)
        sizes = rate.steps(weight[order], before)
        theta = examples.learn(theta, penalty, sizes, order, 1 / float(counts.sum()))
        before += z.n
    said = -Logistic(z, rows.codes, len(rows.target.known), rows.weight)(theta.ravel(), False).value
    return LogisticRecord(rows.design, rows.target, theta, None, counts, said, prior, steps=steps)


class Online(Protocol):
    """The parameters of an estimator that learns so."""

    prior: Any
    standardise: bool
    rate: float | None
    random_state: Any

    @property
    def _engine(self) -> Engine: ...
