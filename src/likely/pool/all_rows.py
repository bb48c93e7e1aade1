"""The additive member on all rows of a large table, by blocks, from where a sample left it.

Its slopes are mended by Newton steps with the gradient of all rows and the curvature of the sample, which is
known: a few passes are enough, and no more than a block of rows is written out at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, Engine, ReduceTask
from likely.engine.memory import progress
from likely.errors import notice
from likely.pool.members.additive import AdditiveMember
from likely.pool.reading.goals import Goal
from likely.pool.reading.reading import Reading, TableRows
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.scores import log_probabilities
from likely.pool.reading.step_design import StepDesign
from likely.pool.recipe import Fitted

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

PASSES = 6  # over all rows, at most
NEAR = 1e-3  # of a standard error: steps that are shorter are the last
CAREFUL = 0.75  # of a step, where scores of several classes share what they curve


@dataclass(frozen=True)
class OtherRows:
    """The rows of a table that are not in the sample that members learn from; those that are weigh 0."""

    table: TableRows
    goal: Goal
    weight: Floats  # (n,)
    fold: Ints  # (n,)
    n: int
    width: int  # cells of a row
    engine: Engine

    @property
    def count(self) -> float:
        """The weight of the rows."""
        return float(self.weight.sum())


@dataclass(frozen=True)
class SlopesOfRows(ReduceTask[OtherRows, Floats]):
    """The loss of each task, its slope in the coefficients and in the intercepts, (1 + p + 1, tasks, t)."""

    reading: Reading
    design: StepDesign
    slopes: Floats  # (tasks, p, t)
    intercepts: Floats  # (tasks, t)

    def width(self, stored: int) -> int:
        """The design of a row, and its scores."""
        return stored + 2 * len(self.design.source) + 4 * self.intercepts.size

    def step(self, data: OtherRows, start: int, stop: int) -> Floats:
        """Of some rows."""
        tasks, p, t = self.slopes.shape
        out = np.zeros((p + 2, tasks, t))
        if stop == start:
            return out
        cells = self.design.matrix(self.reading.view(data.table, start, stop))
        used = data.weight[start:stop, None] * (data.fold[start:stop, None] != np.arange(tasks) - 1)
        scores = (cells @ self.slopes.transpose(1, 0, 2).reshape(p, -1)).reshape(-1, tasks, t)
        value, slope = data.goal.at(slice(start, stop)).descent(scores + self.intercepts, used)
        out[0, 0, 0] = value
        out[1:-1] = (cells.T @ slope.reshape(stop - start, -1)).reshape(p, tasks, t)
        out[-1] = slope.sum(axis=0)
        return out


def with_all_rows(fitted: Fitted, rows: TaughtRows, others: OtherRows) -> Fitted:
    """The members, the additive one learnt from all rows; an interrupt leaves it as the sample has it."""
    try:
        place = fitted.names.index("additive")
        member = fitted.members[place]
        assert isinstance(member, AdditiveMember)
        with progress("all rows", total=PASSES) as tell:
            for step in range(PASSES):
                tell(step, "all rows")
                member, moved = _mended(member, rows, others)
                if moved < NEAR:
                    break
    except (ValueError, KeyboardInterrupt) as stop:  # there is no such member; or time is up
        if isinstance(stop, KeyboardInterrupt):
            notice("interrupted: the additive member is that of a sample of the rows.", stacklevel=6)
        return fitted
    members = (*fitted.members[:place], member, *fitted.members[place + 1 :])
    scores = fitted.scores.copy()
    scores[place] = member.by_fold(rows.view)[rows.fold, np.arange(rows.n)]
    return replace(fitted, members=members, scores=scores)


def _mended(member: AdditiveMember, rows: TaughtRows, others: OtherRows) -> tuple[AdditiveMember, float]:
    """One step of all tasks (the whole, then the folds), and how far it went, in standard errors."""
    design, turned = rows.steps
    tasks, _, t = member.slopes.shape
    source = Chunk(others, others.n, others.width)
    told = others.engine.reduce(source, SlopesOfRows(rows.reading, design, member.slopes, member.intercepts))
    cells = turned.rows @ turned.turn.T + turned.centre  # the sample, as the design has it
    scores = (cells @ member.slopes.transpose(1, 0, 2).reshape(cells.shape[1], -1)).reshape(-1, tasks, t)
    scores += member.intercepts
    used = np.roll(rows.used, 1, axis=1)
    _, slope = rows.goal.descent(scores, used)
    down = told[1:-1] + (cells.T @ slope.reshape(rows.n, -1)).reshape(-1, tasks, t)
    level = told[-1] + slope.sum(axis=0)  # (tasks, t)
    grown = 1.0 + others.count / float(rows.weight.sum())
    curve = _curves(scores[:, 0], rows)  # (n, t)
    slopes, intercepts, moved = member.slopes.copy(), member.intercepts.copy(), 0.0
    for k in range(t):
        z = np.column_stack([turned.rows, np.ones(rows.n)])
        bend = grown * (z.T @ (curve[:, k, None] * z))
        bend[np.arange(len(bend) - 1), np.arange(len(bend) - 1)] += member.ridge
        bend[-1, -1] += 1e-9 * grown
        for task in range(tasks):
            share = 1.0 if task == 0 else (rows.folds - 1) / rows.folds
            pull = member.ridge * (turned.turn.T @ member.slopes[task, :, k])
            slant = turned.turn.T @ (down[:, task, k] - turned.centre * level[task, k]) + pull
            step = np.linalg.solve(share * bend, np.append(slant, level[task, k]))
            step *= CAREFUL if t > 1 else 1.0
            moved = max(moved, float(np.sqrt(step @ bend @ step / len(step))))
            move = turned.turn @ step[:-1]
            slopes[task, :, k] -= move
            intercepts[task, k] -= step[-1] - turned.centre @ move
    return replace(member, slopes=slopes, intercepts=intercepts), moved


def _curves(scores: Floats, rows: TaughtRows) -> Floats:
    """How the loss of each row of the sample curves in its scores, (n, t)."""
    if rows.is_number:
        return rows.weight[:, None] * np.ones((1, 1))
    p = np.exp(log_probabilities(scores))[:, -scores.shape[1] :]
    return np.asarray(rows.weight[:, None] * np.maximum(p * (1 - p), 1e-4))
