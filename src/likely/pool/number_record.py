"""What a fitted pool of a number knows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, Engine, MapTask
from likely.estimator.record import Described, Quantities, Story
from likely.export.form import ScoringForm, WordsTerm
from likely.format import words
from likely.models.regression.describe import TAKEN, trained_on
from likely.pool.error_shape import ErrorShape
from likely.pool.outcomes import OutcomeSupport, PoolOutcomes, outcomes_of
from likely.pool.pooling import WIDTH, Pool
from likely.pool.reading.reading import TableRows, View
from likely.pool.reading.step_design import StepDesign
from likely.pool.scoring import projected_terms, projected_words
from likely.pool.untold import UntoldCells
from likely.table.frame import Frame

Floats = NDArray[np.float64]

FARTHEST = 3.0  # the log of how much larger or smaller than usual the error of a row may be


@dataclass(frozen=True)
class ErrorSize:
    """How large errors are, row by row: a function of each column adds to the log of it."""

    design: StepDesign
    centre: Floats  # (p,)
    slopes: Floats  # (p,)
    usual: float  # the log, of an average row

    def logs(self, view: View) -> Floats:
        """The log of the size of each row's error, (n,)."""
        if not self.slopes.any():
            return np.full(len(view.bins), self.usual)
        apart = (self.design.matrix(view) - self.centre) @ self.slopes
        return np.asarray(self.usual + np.clip(apart, -FARTHEST, FARTHEST))


@dataclass(frozen=True)
class NumberPoolRecord(Pool):
    """A pool of a number: its score is the number in units of its spread, from its mean."""

    weight: float  # of the rows
    centre: float
    unit: float
    support: OutcomeSupport
    size: ErrorSize | None  # None if there was nothing to learn
    errors: ErrorShape

    @property
    def n(self) -> float:
        """The weight of the rows."""
        return self.weight

    @property
    def group_names(self) -> tuple[str, ...]:
        """The one outcome."""
        return ("",)

    def parameters(self) -> dict[Described, Quantities]:
        """What members weigh, and the constant."""
        values = np.concatenate([self.weights, self.constants])[None]
        return {("", "pool"): Quantities([*(f"weight of {n}" for n in self.names), "constant"], values)}

    def additive_form(self) -> ScoringForm:
        """What columns say one by one, as the lines of ledgers have it: the nearest sum to the pool."""
        inputs, start, terms = projected_terms(self, self.unit)
        return ScoringForm(self.target_name, (), inputs, self.centre + start, terms)

    def words_terms(self) -> tuple[WordsTerm, ...]:
        """What the words of texts add, for pages to work out."""
        return projected_words(self, self.unit)

    def story(self, model: str, hidden: bool = False) -> Story:
        """How a number comes about, as far as the pool says."""
        target = words.shown(self.target_name)
        said = ", ".join(f"{name} {w:.2f}" for name, w in zip(self.names, self.weights, strict=True))
        return Story(
            model,
            (
                TAKEN,
                f"Ask each member for what it expects of {target}, and weigh that: {said}.",
                "Add an error, of those made in rows not seen, as large as the columns suggest.",
            ),
            f"{target} = weighed expectation + size of the error x error.",
            "The weights are those that predicted rows best which the members had not seen.",
            target,
        )

    def trained_on(self) -> dict[str, Any]:
        """What the model was trained on, for people who look into its file."""
        worth = [
            {"member": name, "weight": float(w), "rmse": self.rmse(float(loss))}
            for name, w, loss in zip(self.names, self.weights, self.losses, strict=True)
        ]
        return trained_on(self) | {"members": worth}

    def rmse(self, loss: float) -> float:
        """A loss as the root of the mean squared error, in the units of the target."""
        return float(self.unit * np.sqrt(2 * loss))

    def outcomes(self, frame: Frame, engine: Engine, untold: tuple[int, ...] = ()) -> PoolOutcomes:
        """The distribution of each row's number, (n,), of rows of which these columns are not told."""
        rows = Chunk(TableRows.of(self.schema, frame), frame.n, frame.width)
        location, scale = engine.map(rows, LocationScale(self, untold))
        return outcomes_of(location, scale, self.errors, self.support)

    @cached_property
    def untold_cells(self) -> UntoldCells:
        """How cells of which nothing is known are summed out."""
        seen = self.reading.tallies[self.reading.owner == 0].sum(axis=0)
        rates = seen if seen.sum() > 0 else np.ones_like(seen)
        return UntoldCells.of(self.reading, rates / rates.sum())

    def said(self, view: View) -> Floats:
        """Score, within the support, and size of the error of rows that are told, (n, 2)."""
        assert self.size is not None
        scale = self.unit * np.exp(self.size.logs(view))
        value = self.support.kept(self.centre + self.unit * self.scores(view)[:, 0], scale)
        return np.stack([(value - self.centre) / self.unit, scale / self.unit], axis=1)

    def mixed(self, every: Floats) -> Floats:
        """Of (r, ways, 2): the mean score, and a size that has the variance of all ways together, (r, 2)."""
        mean, own = every[..., 0].mean(axis=1), self.errors.moments[1]
        square = np.square(every[..., 1]).mean(axis=1) + every[..., 0].var(axis=1) / own
        return np.stack([mean, np.sqrt(square)], axis=1)


@dataclass(frozen=True)
class LocationScale(MapTask[TableRows]):
    """What is expected of each row's number, within the support, and the size of its error."""

    record: NumberPoolRecord
    untold: tuple[int, ...] = ()  # columns of which nothing is known

    def width(self, stored: int) -> int:
        """What members make of a row."""
        return max(WIDTH, stored)

    def answers(self, n: int) -> Answers:
        """Two arrays, (n,)."""
        return np.zeros(n), np.zeros(n)

    def step(self, data: TableRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        record = self.record
        both = np.tile([0.0, 1.0], (stop - start, 1))
        if record.size is not None:
            view = record.reading.view(data, start, stop, self.untold)
            both = record.untold_cells.average(view, record.said, record.mixed)
        out[1][:] = np.maximum(record.unit * both[:, 1], np.finfo(np.float64).tiny)
        out[0][:] = np.clip(record.centre + record.unit * both[:, 0], record.support.low, record.support.high)
