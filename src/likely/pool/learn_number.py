"""From a table and a number in each row to a pool."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.pool.error_shape import ErrorShape
from likely.pool.learn import PoolSettings, read_rows, weigh
from likely.pool.number_record import ErrorSize, NumberPoolRecord
from likely.pool.outcomes import OutcomeSupport, outcomes_of
from likely.pool.projection import Projection
from likely.pool.reading.goals import NumberGoal, mean_loss
from likely.pool.reading.reading import Reading
from likely.pool.reading.ridge import ridge_path
from likely.pool.reading.rows import TaughtRows
from likely.pool.recipe import MemberPlan
from likely.stats.bins import equal_frequency_starts
from likely.table.column.column import Column
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

PARTS = 5  # of a number's range, that are counted apart where levels and words are read
FEW = 50  # rows, below which all errors are taken to be of one size
RIDGES = np.geomspace(3e4, 3.0, 9)  # of how the size of errors depends on columns
NEAREST = (0.75, 1.2, 1.6, 2.0)  # sizes of errors from the end of the support, that are tried
LOST = 30.0  # nats that one row may cost
TRIED = 2000  # rows that they are tried on, at most
SOFT = 0.1  # median errors, below which an error is not taken to be smaller


def learn_number(
    frame: Frame, target: Column, values: Floats, weight: Floats | None, settings: PoolSettings
) -> NumberPoolRecord:
    """Read the table, fit the members, weigh them, and look at the errors that they leave."""
    plan = MemberPlan.of(settings.budget, settings.members, frame.n)
    if settings.members is None:
        plan = replace(plan, names=tuple(name for name in plan.names if name != "evidence"))  # is of classes
    weight = np.ones(frame.n) if weight is None else weight
    largest = max(float(np.abs(values).max()), 1e-300)  # so that no square overflows
    share = weight / weight.sum()
    centre = float(share @ (values / largest)) * largest
    unit = float(np.sqrt(share @ np.square((values - centre) / largest))) * largest
    flat = unit <= 1e-14 * largest or frame.n < 3
    centre = float(values[0]) if unit <= 1e-14 * largest else centre
    unit = max(abs(centre), 1.0) / (1.0 + frame.n) if unit <= 1e-14 * largest else unit
    z, support = (values - centre) / unit, OutcomeSupport.of(values)
    groups = _parts(z)
    read = read_rows(frame, NumberGoal(z), groups, int(groups.max()) + 1, weight, settings)
    rows = read.rows
    if flat:
        return _one_number(rows.reading, target, float(weight.sum()), centre, unit, support)
    own = weigh(read, plan)
    left = rows.goal.truth[:, 0] - own.scores[:, 0]
    size, held_out = _error_size(rows, left)
    errors = ErrorShape.learn(left / np.exp(held_out), rows.weight)
    expected = centre + unit * own.scores[:, 0]
    support = _support(
        support, expected, unit * np.exp(held_out), errors, expected + unit * left, rows.weight
    )
    return NumberPoolRecord(
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
        float(weight.sum()),
        centre,
        unit,
        support,
        size,
        errors,
    )


def _one_number(
    reading: Reading, target: Column, weight: float, centre: float, unit: float, support: OutcomeSupport
) -> NumberPoolRecord:
    """Of rows that say nothing but about where the number lies."""
    nothing, normal = np.zeros(0), ErrorShape.learn(np.array([-1.0, 1.0]), np.ones(2))
    known = (), (), nothing, np.zeros(1), nothing, 0.0, (), None
    return NumberPoolRecord(reading, target, *known, weight, centre, unit, support, None, normal)


def _parts(z: Floats) -> Ints:
    """The part of the range that each number lies in, of parts with about as many rows each."""
    distinct, place, counts = np.unique(z, return_inverse=True, return_counts=True)
    starts = equal_frequency_starts(counts, int(np.clip(len(z) // 10, 2, PARTS)))
    return np.asarray(np.searchsorted(starts, np.arange(len(distinct)), side="right")[place], np.intp)


def _support(
    support: OutcomeSupport,
    expected: Floats,
    scale: Floats,
    errors: ErrorShape,
    values: Floats,
    weight: Floats,
) -> OutcomeSupport:
    """The support, with how near to its end an expectation may lie: as held-out rows have it."""
    if np.isinf(support.low):
        return support
    some = np.unique(np.linspace(0, len(values) - 1, min(len(values), TRIED)).astype(np.intp))
    scale, values = scale[some], np.maximum(values[some], support.low)
    values = np.rint(values) if support.whole else values
    best: tuple[float, OutcomeSupport] | None = None
    for nearest in NEAREST:
        tried = replace(support, nearest=nearest)
        outcome = outcomes_of(tried.kept(expected[some], scale), scale, errors, tried)
        told = float(weight[some] @ np.maximum(outcome.log_prob(values), -LOST))
        if best is None or told > best[0]:
            best = told, tried
    assert best is not None
    return best[1]


def _error_size(rows: TaughtRows, left: Floats) -> tuple[ErrorSize, Floats]:
    """How the size of errors depends on the columns, and its log in each row, by rows of other folds."""
    design, turned = rows.steps
    soft = max(SOFT * float(np.median(np.abs(left))), 1e-9)
    logs = 0.5 * np.log(left**2 + soft**2)
    mean = float(rows.weight @ logs / rows.weight.sum())
    sd = max(float(np.sqrt(rows.weight @ np.square(logs - mean) / rows.weight.sum())), 1e-9)
    same = ErrorSize(design, turned.centre, np.zeros(len(turned.centre)), mean)
    if rows.n < FEW:
        return same, np.full(rows.n, mean)
    goal = NumberGoal((logs - mean) / sd)
    path = ridge_path(turned, replace(rows, goal=goal), RIDGES)
    if path.loss >= mean_loss(goal, np.zeros((rows.n, 1)), rows.weight):
        return same, np.full(rows.n, mean)
    slopes = sd * (turned.turn @ path.slopes[0])[:, 0]
    usual = mean + sd * float(path.intercepts[0, 0])
    return replace(same, slopes=slopes, usual=usual), mean + sd * path.scores[:, 0]
