"""From a table to a pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from likely.engine import Engine
from likely.infer.folds import stratified
from likely.pool.all_rows import OtherRows, with_all_rows
from likely.pool.projection import Projection
from likely.pool.reading.goals import ClassGoal, Goal
from likely.pool.reading.reading import Reading, TableRows
from likely.pool.reading.rows import TaughtRows
from likely.pool.recipe import Fitted, MemberPlan, fit_members, kinship
from likely.pool.record import PoolRecord
from likely.pool.weights import loss_unit, pool_weights, pooled, trust
from likely.table.accepted import Kinds
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

FOLDS = 5
MOST_ROWS = 20_000  # that members learn from, but for the additive one
PORTION = 500  # rows that a sample is made of
NEGLIGIBLE = 0.003  # weight below which a member is not kept


@dataclass(frozen=True)
class PoolSettings:
    """What a pool is fitted with."""

    budget: str | float
    members: Sequence[str] | None
    kinds: Kinds
    random_state: int | None
    engine: Engine  # where work on all rows of a large table runs


@dataclass(frozen=True)
class ReadRows:
    """The rows that members learn from, and the other rows of the table if these are a sample."""

    rows: TaughtRows
    others: OtherRows | None
    left_out: tuple[str, ...]  # that they are a sample, if they are


@dataclass(frozen=True)
class WeighedMembers:
    """Members, what they count for, and how good they and all together were on rows not seen."""

    rows: TaughtRows
    fitted: Fitted
    weights: Floats  # (m,)
    constants: Floats  # (t,)
    losses: Floats  # (m,)
    scores: Floats  # (n, t), of the pool
    left_out: tuple[str, ...]  # members, and why; and rows, if members saw a sample

    @property
    def members(self) -> tuple[object, ...]:
        """Those that count; None in the place of others."""
        return tuple(
            one if weight else None for one, weight in zip(self.fitted.members, self.weights, strict=True)
        )


def learn_classes(
    frame: Frame, target: Column, codes: Ints, weight: Floats | None, settings: PoolSettings
) -> PoolRecord:
    """Read the table, fit the members, and weigh them."""
    plan = MemberPlan.of(settings.budget, settings.members, frame.n)
    weight = np.ones(frame.n) if weight is None else weight
    g = len(target.known)
    counts = np.bincount(codes, weight, g).astype(np.float64)
    read = read_rows(frame, ClassGoal(codes, g), codes, g, weight, settings)
    rows = read.rows
    if g == 1 or frame.n == 1:
        nothing = np.zeros(0)
        return PoolRecord(rows.reading, target, (), (), nothing, np.zeros(1), nothing, 0.0, (), None, counts)
    own = weigh(read, plan)
    return PoolRecord(
        rows.reading,
        target,
        own.fitted.names,
        own.members,
        own.weights,
        own.constants,
        own.losses,
        rows.loss(own.scores),
        own.left_out,
        Projection.learn(rows, own.fitted, own.weights),
        counts,
    )


def read_rows(
    frame: Frame, goal: Goal, groups: Ints, n_groups: int, weight: Floats, settings: PoolSettings
) -> ReadRows:
    """The rows that members learn from: all, or a sample with rows of every group, and the others."""
    seed = int(check_random_state(settings.random_state).randint(1 << 30))
    schema = Schema.learn(frame, settings.kinds)
    even = weight / weight.mean()
    fold = stratified(groups, max(2, min(FOLDS, frame.n)), np.random.default_rng(seed))
    others, left_out = None, tuple[str, ...]()
    if frame.n > MOST_ROWS:
        part = stratified(groups, -(-frame.n // PORTION), np.random.default_rng(seed + 1))
        first = np.unique(groups, return_index=True)[1]
        kept = np.union1d(np.flatnonzero(part < MOST_ROWS // PORTION), first)
        rest = even.copy()
        rest[kept] = 0.0
        table = TableRows.of(schema, frame)
        others = OtherRows(table, goal, rest, fold, frame.n, frame.width, settings.engine)
        left_out = (f"rows: all members but additive learnt from {len(kept)} of {frame.n}",)
        frame, groups, goal = frame.at(kept), groups[kept], goal.at(kept)
        even, fold = even[kept], fold[kept]
    reading, view = Reading.learn(schema, frame, groups, n_groups, even, fold)
    return ReadRows(TaughtRows(reading, view, goal, groups, even, fold, seed), others, left_out)


def weigh(read: ReadRows, plan: MemberPlan) -> WeighedMembers:
    """Fit the members and learn what each counts for."""
    rows = read.rows
    fitted = fit_members(rows, plan)
    if read.others is not None:
        fitted = with_all_rows(fitted, rows, read.others)
    losses = np.array([rows.loss(own) for own in fitted.scores])
    weights, constants = pool_weights(fitted.scores, rows, kinship(fitted.names))
    weights = np.where(weights < NEGLIGIBLE, 0.0, weights)
    scores = pooled(fitted.scores, weights, constants)
    alone = rows.goal.start(rows.used)  # what is said if no column is looked at, without each fold
    believed = trust(rows, scores, alone[rows.fold], loss_unit(losses, rows))
    weights, constants = believed * weights, believed * constants + (1 - believed) * alone[-1]
    scores = believed * scores + (1 - believed) * alone[rows.fold]
    left_out = (*read.left_out, *fitted.left_out)
    return WeighedMembers(rows, fitted, weights, constants, losses, scores, left_out)
