"""From a table to a pool."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from likely.pool.folds import spread_folds
from likely.pool.projection import Projection
from likely.pool.reading import Reading
from likely.pool.recipe import chosen, fit_members
from likely.pool.record import PoolRecord
from likely.pool.rows import TaughtRows
from likely.pool.scores import log_loss
from likely.pool.weights import pool_weights, pooled
from likely.table.accepted import Kinds
from likely.table.column.column import Column
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

FOLDS = 5
MOST_ROWS = 20_000  # that members learn from
NEGLIGIBLE = 0.003  # weight below which a member is not kept


def learn_pool(
    frame: Frame,
    target: Column,
    codes: Ints,
    weight: Floats | None,
    budget: str | float,
    members: Sequence[str] | None,
    kinds: Kinds,
    random_state: int | None,
) -> PoolRecord:
    """Read the table, fit the members, and weigh them."""
    names, seconds = chosen(budget, members)
    seed = int(check_random_state(random_state).randint(1 << 30))
    weight = np.ones(frame.n) if weight is None else weight
    g = len(target.known)
    counts = np.bincount(codes, weight, g).astype(np.float64)
    left_out: tuple[str, ...] = ()
    if frame.n > MOST_ROWS:  # members see a sample, in which every class is there
        fold = spread_folds(codes, -(-frame.n // MOST_ROWS), np.random.default_rng(seed))
        first = np.unique(codes, return_index=True)[1]
        kept = np.union1d(np.flatnonzero(fold == 0), first)
        left_out = (f"rows: the members learnt from {len(kept)} of {frame.n}",)
        frame, codes, weight = frame.at(kept), codes[kept], weight[kept]
    even = weight / weight.mean()
    fold = spread_folds(codes, max(2, min(FOLDS, frame.n)), np.random.default_rng(seed))
    reading, view = Reading.learn(frame, kinds, codes, g, even, fold)
    if g == 1 or frame.n == 1:
        nothing = np.zeros(0)
        return PoolRecord(reading, target, counts, (), (), nothing, np.zeros(g), nothing, 0.0, (), None)
    rows = TaughtRows(reading, view, codes, g, even, fold, seed)
    fitted = fit_members(rows, names, seconds)
    weights, constants = pool_weights(fitted.log_p, codes, even)
    weights = np.where(weights < NEGLIGIBLE, 0.0, weights)
    counted = tuple(one if weight else None for one, weight in zip(fitted.members, weights, strict=True))
    losses = np.array([log_loss(own, codes, even) for own in fitted.log_p])
    loss = log_loss(pooled(fitted.log_p, weights, constants), codes, even)
    projection = Projection.learn(rows, fitted, weights)
    return PoolRecord(
        reading,
        target,
        counts,
        fitted.names,
        counted,
        weights,
        constants,
        losses,
        loss,
        (*left_out, *fitted.left_out),
        projection,
    )
