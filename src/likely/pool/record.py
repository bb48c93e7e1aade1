"""What a fitted pool of classes knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.target_world import TargetWorld
from likely.engine import Answers, Chunk, Engine, MapTask, engine_for
from likely.errors import LikelyError
from likely.estimator.record import Described, Quantities, Story
from likely.export.form import (
    AnyTerm,
    Input,
    ScoringForm,
    WordsTerm,
    against_first,
    words_against_first,
)
from likely.format import words
from likely.infer.bayes import posterior_of_row
from likely.models.groups.tally import Settings, base_rates
from likely.models.regression.describe import TAKEN, trained_on
from likely.pool.pooling import WIDTH, Pool
from likely.pool.reading.reading import TableRows, View, coded
from likely.pool.reading.scores import by_class, log_probabilities, scores_of
from likely.pool.scoring import additive_terms, projected_terms, projected_words
from likely.pool.untold import UntoldCells
from likely.table.frame import Frame

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PoolRecord(Pool):
    """A pool of classes: scores are log-odds, or log-probabilities up to what all classes share."""

    class_counts: Floats  # (g,) weight of the rows of each class
    moved: Floats | None = None  # (g,) what another base rate added to the log-probability of each class

    @property
    def n(self) -> float:
        """The weight of the rows."""
        return float(self.class_counts.sum())

    @property
    def class_constants(self) -> Floats:
        """What is added to the score of each class, (g,)."""
        return by_class(self.constants) if len(self.classes) > 1 else np.zeros(1)

    @property
    def group_names(self) -> tuple[Any, ...]:
        """The classes."""
        return self.classes

    @property
    def rates(self) -> Floats:
        """P(class), (g,): the shares of the rows."""
        return np.asarray(self.class_counts / self.class_counts.sum())

    def parameters(self) -> dict[Described, Quantities]:
        """What members weigh, alike for all classes, and the constants."""
        g = len(self.classes)
        values = np.concatenate([np.tile(self.weights, (g, 1)), self.class_constants[:, None]], axis=1)
        return {("", "pool"): Quantities([*(f"weight of {n}" for n in self.names), "constant"], values)}

    def scoring_form(self) -> ScoringForm:
        """How rows are scored, for other programs to work out; of pools of additive members."""
        return self._form(*additive_terms(self))

    def additive_form(self) -> ScoringForm:
        """What columns say one by one, as the lines of ledgers have it: the nearest sum to the pool."""
        return self._form(*projected_terms(self))

    def words_terms(self) -> tuple[WordsTerm, ...]:
        """What the words of texts add, for pages to work out."""
        terms = projected_words(self)
        return tuple(map(words_against_first, terms)) if len(self.classes) == 2 else terms

    def _form(self, inputs: tuple[Input, ...], start: Floats, terms: tuple[AnyTerm, ...]) -> ScoringForm:
        if len(self.classes) == 2:  # whose score is the log-odds of the second
            start, terms = np.append(0.0, start), tuple(map(against_first, terms))
        return ScoringForm(self.target_name, self.classes, inputs, start, terms)

    def story(self, model: str, hidden: bool = False) -> Story:
        """How a class comes about, as far as the pool says."""
        target = words.shown(self.target_name)
        said = ", ".join(
            f"{name} {weight:.2f}" for name, weight in zip(self.names, self.weights, strict=True)
        )
        return Story(
            model,
            (
                TAKEN,
                f"Ask each member for its log-probabilities of {target}, and weigh them: {said}.",
                f"Draw {target} from the probabilities that have the weighed sum for their logs.",
            ),
            f"P({target} | row) is in proportion to the product of the members' probabilities, each to the "
            "power of its weight.",
            "The weights are those that predicted rows best which the members had not seen.",
            target,
        )

    def trained_on(self) -> dict[str, Any]:
        """What the model was trained on, for people who look into its file."""
        worth = [
            {"member": name, "weight": float(weight), "log_loss": float(loss)}
            for name, weight, loss in zip(self.names, self.weights, self.losses, strict=True)
        ]
        return trained_on(self, self.classes, self.class_counts) | {"members": worth}

    def under_base_rate(self, base_rate: Mapping[Any, float] | str) -> PoolRecord:
        """What would be said, had the classes these shares: other constants, the same evidence."""
        new = base_rates(self.classes, self.class_counts, Settings(base_rate=base_rate))
        for label, share in zip(self.classes, new.tolist(), strict=True):
            if share <= 0:
                raise LikelyError(
                    f"base_rate: class {label!r} has the share {share:g}, of which there is no logarithm. "
                    "Give each class a share, however small."
                )
        more = np.log(new) - np.log(self.rates)
        moved = more if self.moved is None else self.moved + more
        constants = self.constants + scores_of(more)
        return replace(self, constants=constants, class_counts=new * self.n, moved=moved)

    def posterior(self, frame: Frame, engine: Engine, untold: tuple[int, ...] = ()) -> Floats:
        """log P(class given row), (n, g), of rows of which these columns are not told."""
        rows = Chunk(TableRows.of(self.schema, frame), frame.n, frame.width)
        (log_p,) = engine.map(rows, PoolLogs(self, untold))
        return log_p

    def world(self, engine: Engine | None = None) -> TargetWorld:
        """The target, and columns that can be told; over those that are not told the answer is averaged."""
        by = engine or engine_for(None)
        return TargetWorld(
            "Classifier",
            self.schema,
            self.target,
            lambda frame, untold: self.posterior(frame, by, untold),
            self._rows_of_levels,
        )

    def _rows_of_levels(self, name: str | None) -> Floats | None:
        """The weight of the rows of each level of a column and each class, (k, g); of None, (1, g)."""
        if name is None:
            return self.class_counts[None]
        reading, j = self.reading, list(self.schema.names).index(name)
        if j not in coded(self.schema):
            return None
        own = reading.owner == int(np.flatnonzero(reading.source == j)[-1])
        seen = reading.tallies[own]
        whole = np.allclose(seen.sum(axis=0), self.class_counts)  # else the bins are of a sample of rows
        return seen[: len(self.schema.columns[j].known)] if whole else None

    @cached_property
    def untold_cells(self) -> UntoldCells:
        """How cells of which nothing is known are summed out: in the rows as they were learnt from."""
        rates = self.rates if self.moved is None else posterior_of_row(np.log(self.rates) - self.moved)
        return UntoldCells.of(self.reading, rates)

    def log_proba(self, view: View) -> Floats:
        """log P(class given row), (n, g), of rows that are told."""
        return log_probabilities(self.scores(view))

    def mixed(self, log_p: Floats) -> Floats:
        """The log of the mean probability over the ways to fill a row, (r, ..., g), of (r, ways, ..., g).

        Which ways are likely does not hang on a base rate that was given: the mean is that of before, and
        is moved as every answer is.
        """
        if self.moved is None:
            return log_mean(log_p)
        return log_probabilities(log_mean(log_probabilities(log_p - self.moved)) + self.moved)


@dataclass(frozen=True)
class PoolLogs(MapTask[TableRows]):
    """log P(class given row)."""

    record: PoolRecord
    untold: tuple[int, ...] = ()  # columns of which nothing is known

    def width(self, stored: int) -> int:
        """What members make of a row."""
        return max(WIDTH, stored)

    def answers(self, n: int) -> Answers:
        """One array, (n, g)."""
        return (np.zeros((n, len(self.record.classes))),)

    def step(self, data: TableRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        record = self.record
        if record.members:
            view = record.reading.view(data, start, stop, self.untold)
            out[0][:] = record.untold_cells.average(view, record.log_proba, record.mixed)


def log_mean(log_p: Floats) -> Floats:
    """The log of the mean probability over the ways, (r, g), of (r, ways, g)."""
    return np.asarray(np.log(np.exp(log_p).mean(axis=1)))
