"""What a calibrated classifier knows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.calibrate.methods import Calibrator
from likely.errors import LikelyError
from likely.estimator.record import Story
from likely.score.estimate import Score
from likely.stats.groups import Floats
from likely.table.column.column import Column
from likely.table.schema import Schema


@dataclass(frozen=True, eq=False)
class CalibratedRecord:
    """The fitted model, the map of its scores, and what the map was learnt from."""

    model: Any
    calibrator: Calibrator
    target: Column
    class_counts: Floats  # (g,), weight of the rows of each class
    width: int  # columns of the table
    method: str
    losses: tuple[tuple[str, float, int, float], ...] = ()  # of the methods that were compared

    @property
    def classes(self) -> tuple[Any, ...]:
        """The levels of the target, in order."""
        return self.target.levels or ()

    @property
    def schema(self) -> Schema:
        """Of the table, as the model knows it; only models of this library have one."""
        schema: Schema = self.model.record_.schema
        return schema

    def story(self, model: str, hidden: bool = False) -> Story:
        """How the model inside takes a row to come about; the map of its scores is no part of that."""
        if not hasattr(self.model, "story"):
            raise LikelyError(f"the {type(self.model).__name__} inside does not say how a row comes about.")
        inside: Story = self.model.story()
        step = f"The probabilities that this gives are calibrated ({self.method}) before they are said."
        return replace(inside, model=f"{model} {inside.model}", steps=(*inside.steps, step))

    def trained_on(self) -> dict[str, Any]:
        """What the model was trained on, in plain words, for people who look into its file."""
        inside = {"estimator": type(self.model).__name__, **self.model._trained_on()}
        return {
            "target": self.target.name,
            "weight_of_rows": float(self.class_counts.sum()),
            "method": self.method,
            "model": inside,
        }

    @property
    def shares(self) -> Floats:
        """Of the classes among the rows, (g,)."""
        return np.asarray(self.class_counts / self.class_counts.sum())

    @property
    def log_losses(self) -> dict[str, Score]:
        """The log loss of each method that was compared, the best first."""
        return {name: Score(value, n, error) for name, value, n, error in self.losses}


def plain_losses(losses: dict[str, Score]) -> tuple[tuple[str, float, int, float], ...]:
    """Log losses as names and numbers.

    >>> plain_losses({"beta": Score(0.5, 10, 0.1)})
    (('beta', 0.5, 10, 0.1),)
    """
    return tuple((name, float(loss), loss.n, loss.standard_error) for name, loss in losses.items())
