"""The rows that members are fitted to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.infer.folds import stratified
from likely.pool.reading.goals import Goal, NumberGoal, mean_loss
from likely.pool.reading.reading import Reading, View
from likely.pool.reading.step_design import Directions, StepDesign

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class TaughtRows:
    """Rows with what is so of them, weights and folds, as they are read."""

    reading: Reading
    view: View
    goal: Goal
    groups: Ints  # (n,), the class of a row; of a number, the fifth (or so) of the rows that it lies in
    weight: Floats  # (n,), with mean 1
    fold: Ints  # (n,)
    seed: int

    @property
    def n(self) -> int:
        """How many."""
        return len(self.groups)

    @property
    def folds(self) -> int:
        """In how many parts they are cut."""
        return int(self.fold.max()) + 1

    @property
    def n_groups(self) -> int:
        """How many classes, or parts of a number's range, are counted apart."""
        return int(self.reading.tallies.shape[1])

    @property
    def is_number(self) -> bool:
        """Whether a number is predicted."""
        return isinstance(self.goal, NumberGoal)

    @property
    def shares(self) -> Floats:
        """Of the groups, (g,), with half a row added to each: none is impossible."""
        count = np.bincount(self.groups, self.weight, self.n_groups) + 0.5
        return np.asarray(count / count.sum())

    @cached_property
    def used(self) -> Floats:
        """The weight of each row in each fold's models, 0 where it is held out, and in that of all rows."""
        return np.asarray(self.weight[:, None] * (self.fold[:, None] != np.arange(self.folds + 1)))

    @cached_property
    def steps(self) -> tuple[StepDesign, Directions]:
        """A function of each column, and the rows in the directions of these."""
        design = StepDesign.learn(self.reading)
        return design, Directions.of(design.matrix(self.view), self.weight)

    def again(self, repeat: int) -> TaughtRows:
        """The same rows in other folds, and with another seed; as they are, the first time."""
        if repeat == 0:
            return self
        fold = stratified(self.groups, self.folds, np.random.default_rng([self.seed, repeat]))
        view = replace(self.view, fold=fold)
        view = replace(view, by_fold=view.tallies(self.groups, self.n_groups, self.weight))
        return replace(self, view=view, fold=fold, seed=self.seed + repeat)

    def loss(self, scores: Floats) -> float:
        """The mean loss of scores (n, t)."""
        return mean_loss(self.goal, scores, self.weight)
