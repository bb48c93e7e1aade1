"""Missing cells filled by a model of each column from the others, in rounds until nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone

from likely.engine.memory import progress
from likely.errors import LikelyError, notice
from likely.estimator.check_column import check_schema, demand
from likely.estimator.fitted import refuse_empty
from likely.estimator.record import Story
from likely.features.counted import is_levels, is_numbers, level_values
from likely.features.transformer import cells_of
from likely.models.regression.linear.regression import LinearRegression
from likely.models.regression.logistic.regression import LogisticRegression
from likely.stats.groups import Floats
from likely.table.accepted import Kinds
from likely.table.build import values_of
from likely.table.column.column import Column
from likely.table.column.levels import UNSEEN
from likely.table.fill import Fill
from likely.table.frame import Frame
from likely.table.schema import Schema

SAME = 1e-4  # of a column's standard deviation: numbers that move by less do not change
ROUNDS = 60  # at most
MOST_LEVELS = 500  # of a column, for the models that are taken where none are given
SLOWEST = 0.999  # factor of steps that are summed to the end at once


@dataclass(frozen=True)
class ModelFill:
    """For each column a model of it given the others, and what a gap holds before it is asked."""

    schema: Schema
    used: tuple[int, ...]  # numbers and levels of which a value is known
    start: Floats  # (u,): means, and codes of the most frequent levels
    spread: Floats  # (u,): standard deviations; 0 of levels
    models: tuple[Any, ...]  # (u,): fitted; None where there is nothing to learn from
    n: float
    rounds: int
    settled: bool  # whether nothing changed in the last round
    target_name: str = ""

    @classmethod
    def learn(
        cls,
        frame: Frame,
        kinds: Kinds,
        classifier: object,
        regressor: object,
        weight: Floats | None = None,
    ) -> ModelFill:
        """From a table with gaps."""
        refuse_empty(frame)
        schema = Schema.learn(frame, kinds)
        whole = cls._begun(schema, frame, np.ones(frame.n) if weight is None else weight)
        if classifier is None or regressor is None:
            whole._refuse_many_levels()
        cells, gaps = whole._cells(frame)
        cells = np.where(gaps, whole.start, cells)
        learner = _Learner(
            whole, classifier or LogisticRegression(), regressor or LinearRegression("default"), weight
        )
        models: list[Any] = [None] * len(whole.used)

        def anew(u: int) -> Any:
            models[u] = learner.fitted(u, cells, ~gaps[:, u])
            return models[u]

        rounds, settled = whole._settle(cells, gaps, anew, weight)
        if not settled:
            notice(
                f"after {ROUNDS} rounds some filled cells still change: they are as of the last.",
            )
        for u in range(len(whole.used)):  # gaps that come later may be in any column
            if not gaps[:, u].any():
                models[u] = learner.fitted(u, cells, ~gaps[:, u])
        return replace(whole, models=tuple(models), rounds=rounds, settled=settled)

    @classmethod
    def _begun(cls, schema: Schema, frame: Frame, weight: Floats) -> ModelFill:
        used, start, spread = [], [], []
        for j, column in enumerate(schema.columns):
            if is_numbers(column):
                schema.numbers(frame, (j,)).refuse_extremes(0, frame.n)
                cells = cells_of(schema, frame, j)
                known = ~np.isnan(cells)
                value, sd = _mean_and_sd(cells[known], weight[known]) if known.any() else (0.0, 0.0)
            elif is_levels(column):
                cells = cells_of(schema, frame, j)
                known = cells >= 0
                value, sd = float(np.bincount(cells[known], weight[known], 1).argmax()), 0.0
            else:
                continue
            if known.any():
                used.append(j)
                start.append(float(value))
                spread.append(float(sd))
        models = (None,) * len(used)
        n = float(weight.sum())
        return cls(schema, tuple(used), np.array(start), np.array(spread), models, n, 0, True)

    def _refuse_many_levels(self) -> None:
        """Refuse a column of more levels than a regression has classes, or columns, in a table of people."""
        for column in map(self._column, range(len(self.used))):
            many = len(level_values(column)) if is_levels(column) else 0
            if many > MOST_LEVELS:
                raise LikelyError(
                    f"column {column.name!r} has {many:,} levels, and a regression weighs each: leave it "
                    "out, put rare ones together first (GroupLevels), use model='mixture', or give a "
                    "`classifier` and a `regressor` of your own, for which there is no limit."
                )

    def guesses(self, frame: Frame, library: str) -> dict[int, Fill | None]:
        """What to write into the gaps of each column that has some; None where no value was ever known."""
        cells, gaps = self._cells(frame)
        strange = cells == UNSEEN  # a level never seen stays what it is, and is guessed for the others' sake
        cells = np.where(gaps, self.start, cells)
        self._settle(cells, gaps, lambda u: self.models[u])
        fills: dict[int, Fill | None] = {}
        for u in map(int, np.flatnonzero(gaps.any(axis=0))):
            column, rows = self._column(u), np.flatnonzero(gaps[:, u] & ~strange[:, u])
            guess = cells[rows, u]
            fills[self.used[u]] = Fill(rows, values_of(column, column.possible(guess), library))
        for j, column in enumerate(self.schema.columns):
            if j not in self.used and (is_numbers(column) or is_levels(column)):
                codes = frame.raw(column.name).distinct()[0]
                fills |= {j: None} if (np.asarray(codes) < 0).any() else {}
        return fills

    def _column(self, u: int) -> Column:
        return self.schema.columns[self.used[u]]

    def _cells(self, frame: Frame) -> tuple[Floats, Any]:
        """The numbers and codes of the columns, and which are missing, (n, u); a level never seen is."""
        columns = [np.asarray(cells_of(self.schema, frame, j), np.float64) for j in self.used]
        cells = np.column_stack(columns) if columns else np.zeros((frame.n, 0))
        levels = [is_levels(self.schema.columns[j]) for j in self.used]
        return cells, np.isnan(cells) | (np.array(levels, bool) & (cells < 0))

    def others(self, u: int, cells: Floats) -> dict[str, Any]:
        """The columns that one is told from, as a table."""
        return {
            self._column(v).name: values_of(self._column(v), cells[:, v], "dict")
            for v in range(len(self.used))
            if v != u
        }

    def _settle(
        self, cells: Floats, gaps: Any, model: Callable[[int], Any], weight: Floats | None = None
    ) -> tuple[int, bool]:
        """Fill gaps in rounds, in place, until nothing changes: how many these were, and whether it ended."""
        many = gaps.sum(axis=0) if weight is None else weight @ gaps
        order = [int(u) for u in np.argsort(many, kind="stable") if gaps[:, u].any()]
        last = None
        with progress("rounds of filling", ROUNDS) as show:
            for done in range(ROUNDS if order else 0):
                before = cells.copy()
                changed = [self._again(u, model(u), cells, gaps[:, u]) for u in order]
                if not any(changed):
                    return done + 1, True
                step = np.divide(cells - before, self.spread, out=np.zeros_like(cells), where=self.spread > 0)
                if last is not None and done % 3 == 2:
                    self._leap(cells, step, last)
                last = None if done % 3 == 2 else step
                show(done + 1, "")
        return (ROUNDS, False) if order else (0, True)

    def _leap(self, cells: Floats, step: Floats, last: Floats) -> None:
        """Go at once where the steps of each row, growing smaller by one factor, lead (Aitken), in place.

        Two gaps of a row that are told from each other come to where they agree slowly: each round by a
        factor of their squared correlation.
        """
        size = np.square(last).sum(axis=1)
        factor = np.divide((step * last).sum(axis=1), size, out=np.zeros(len(step)), where=size > 0)
        factor = np.where((factor > 0) & (factor < SLOWEST), factor, 0.0)
        cells += step * self.spread * (factor / (1 - factor))[:, None]

    def _again(self, u: int, model: Any, cells: Floats, gaps: Any) -> bool:
        """Fill the gaps of a column once more, in place; whether that changed any."""
        if model is None or not gaps.any():
            return False
        before = cells[gaps, u].copy()
        told = np.asarray(model.predict(self.others(u, cells[gaps])), np.float64)
        cells[gaps, u] = self._column(u).possible(told) if is_numbers(self._column(u)) else told
        return bool((np.abs(cells[gaps, u] - before) > SAME * self.spread[u]).any())

    @property
    def n_parameters(self) -> int:
        """Those of all models."""
        return sum(model.n_parameters_ for model in self.models if model is not None)

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row."""
        steps = (
            "Begin with the mean of each number, and the most frequent of the levels.",
            "Fill each gap by what the model of its column says, given the other cells of the row.",
            "Do so again until nothing changes.",
        )
        return Story(model, steps, "cell = what its model expects | the other cells.", "", "a whole row")

    def trained_on(self) -> dict[str, Any]:
        """What it was trained on, in plain words."""
        return {"weight_of_rows": self.n, "columns": list(self.schema.names)}

    def check(self) -> None:
        """Refuse a record that no fit gives."""
        check_schema(self.schema)
        u, d = len(self.used), len(self.schema.columns)
        demand(all(0 <= j < d for j in self.used), "it has columns that are not there")
        demand(self.start.shape == (u,) and bool(np.isfinite(self.start).all()), "it begins with no numbers")
        demand(self.spread.shape == (u,) and bool((self.spread >= 0).all()), "its spreads are none")
        demand(len(self.models) == u, "its models are of other columns")
        for place, model in enumerate(self.models):
            column = self._column(place)
            fits = is_numbers(column) or (is_levels(column) and self.start[place] < len(level_values(column)))
            demand(fits and (model is None or hasattr(model, "predict")), "its models are of other columns")

    def told(self, name: str) -> dict[str, Any]:
        """What tells a column; nothing where no value is known."""
        names = [self._column(u).name for u in range(len(self.used))]
        if name not in names:
            return {}
        model = self.models[names.index(name)]
        return {"filled by": "its only value" if model is None else f"{type(model).__name__} of the others"}

    def described(self) -> list[str]:
        """The model of each column, a line each."""
        lines = [
            f"  {self._column(u).name}: {self.told(self._column(u).name)['filled by']}"
            for u in range(len(self.used))
        ]
        ended = "nothing changed in the last" if self.settled else "cells still changed in the last"
        return [*lines, f"  {self.rounds} rounds, {ended}" if self.rounds else "  no gaps were seen"]


@dataclass(frozen=True)
class _Learner:
    """Makes the model of a column."""

    whole: ModelFill
    classifier: object
    regressor: object
    weight: Floats | None  # (n,)

    def fitted(self, u: int, cells: Floats, known: Any) -> Any:
        """The model of a column given the others, by the rows where it is known; None if it does not vary."""
        column, outcome = self.whole._column(u), cells[known, u]
        if len(self.whole.used) < 2 or not len(outcome) or (outcome == outcome[0]).all():
            return None
        own = self.regressor if is_numbers(column) else self.classifier
        kinds = {c.name: c.declaration for c in self._others(u)}
        model: Any = clone(own).set_params(kinds=kinds)
        y = outcome if is_numbers(column) else outcome.astype(np.intp)
        weight = {} if self.weight is None else {"sample_weight": self.weight[known]}
        return model.fit(self.whole.others(u, cells[known]), y, **weight)

    def _others(self, u: int) -> Sequence[Column]:
        return [self.whole._column(v) for v in range(len(self.whole.used)) if v != u]


def _mean_and_sd(values: Floats, weight: Floats) -> tuple[float, float]:
    mean = np.average(values, weights=weight)
    return float(mean), float(np.sqrt(np.average(np.square(values - mean), weights=weight)))
