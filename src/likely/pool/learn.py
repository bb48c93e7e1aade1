"""From a table to a pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from likely.infer.folds import stratified
from likely.pool.goals import ClassGoal, Goal
from likely.pool.projection import Projection
from likely.pool.reading import Reading
from likely.pool.recipe import Fitted, chosen, fit_members
from likely.pool.record import PoolRecord
from likely.pool.rows import TaughtRows
from likely.pool.weights import pool_weights, pooled
from likely.table.accepted import Kinds
from likely.table.column.column import Column
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

FOLDS = 5
MOST_ROWS = 20_000  # that members learn from
NEGLIGIBLE = 0.003  # weight below which a member is not kept


@dataclass(frozen=True)
class Settings:
    """What a pool is fitted with."""

    budget: str | float
    members: Sequence[str] | None
    kinds: Kinds
    random_state: int | None


@dataclass(frozen=True)
class Weighed:
    """Members, what they count for, and how good they and all together were on rows not seen."""

    rows: TaughtRows
    fitted: Fitted
    weights: Floats  # (m,)
    constants: Floats  # (t,)
    losses: Floats  # (m,)
    scores: Floats  # (n, t), of the pool

    @property
    def members(self) -> tuple[object, ...]:
        """Those that count; None in the place of others."""
        return tuple(
            one if weight else None for one, weight in zip(self.fitted.members, self.weights, strict=True)
        )


def learn_classes(
    frame: Frame, target: Column, codes: Ints, weight: Floats | None, settings: Settings
) -> PoolRecord:
    """Read the table, fit the members, and weigh them."""
    names, seconds = chosen(settings.budget, settings.members)
    weight = np.ones(frame.n) if weight is None else weight
    g = len(target.known)
    counts = np.bincount(codes, weight, g).astype(np.float64)
    goal = ClassGoal(codes, g)
    rows, left_out = read_rows(frame, goal, codes, g, weight, settings)
    if g == 1 or frame.n == 1:
        nothing = np.zeros(0)
        return PoolRecord(rows.reading, target, (), (), nothing, np.zeros(1), nothing, 0.0, (), None, counts)
    own = weigh(rows, names, seconds)
    return PoolRecord(
        rows.reading,
        target,
        own.fitted.names,
        own.members,
        own.weights,
        own.constants,
        own.losses,
        rows.loss(own.scores),
        (*left_out, *own.fitted.left_out),
        Projection.learn(rows, own.fitted, own.weights),
        counts,
    )


def read_rows(
    frame: Frame, goal: Goal, groups: Ints, n_groups: int, weight: Floats, settings: Settings
) -> tuple[TaughtRows, tuple[str, ...]]:
    """The rows that members learn from: all, or a sample with rows of every group, and that it is one."""
    seed = int(check_random_state(settings.random_state).randint(1 << 30))
    left_out: tuple[str, ...] = ()
    if frame.n > MOST_ROWS:
        part = stratified(groups, -(-frame.n // MOST_ROWS), np.random.default_rng(seed))
        first = np.unique(groups, return_index=True)[1]
        kept = np.union1d(np.flatnonzero(part == 0), first)
        left_out = (f"rows: the members learnt from {len(kept)} of {frame.n}",)
        frame, groups, weight, goal = frame.at(kept), groups[kept], weight[kept], goal.at(kept)
    even = weight / weight.mean()
    fold = stratified(groups, max(2, min(FOLDS, frame.n)), np.random.default_rng(seed))
    reading, view = Reading.learn(frame, settings.kinds, groups, n_groups, even, fold)
    return TaughtRows(reading, view, goal, groups, even, fold, seed), left_out


def weigh(rows: TaughtRows, names: Sequence[str], seconds: float) -> Weighed:
    """Fit the members and learn what each counts for."""
    fitted = fit_members(rows, names, seconds)
    losses = np.array([rows.loss(own) for own in fitted.scores])
    weights, constants = pool_weights(fitted.scores, losses, rows)
    weights = np.where(weights < NEGLIGIBLE, 0.0, weights)
    return Weighed(rows, fitted, weights, constants, losses, pooled(fitted.scores, weights, constants))
