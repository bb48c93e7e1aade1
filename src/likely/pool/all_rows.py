"""The additive member on all rows of a large table, by blocks, from where a sample left it.

Its slopes are mended by Newton steps with the gradient of all rows and the curvature of the sample, which is
known: a few passes are enough, and no more than a block of rows is written out at a time. Levels that the
sample hardly knows have the curvature of all rows, and a step that goes too far is taken back.
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

PASSES = 8  # over all rows, at most
FEW = 30.0  # rows of a level in the sample, below which its slope is not taken at its word
FAR = 2.0  # where such a slope begins at most
SHORTER = 0.25  # of a step that went too far, what is tried next
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
    """Of all tasks together the loss; of each its slope in the coefficients and in the intercepts.

    They are (1 + p + 1, tasks + 1, t): the last task is how the loss of the first curves in each coefficient.
    """

    reading: Reading
    design: StepDesign
    centre: Floats  # (p,)
    slopes: Floats  # (tasks, p, t)
    intercepts: Floats  # (tasks, t)
    is_number: bool

    def width(self, stored: int) -> int:
        """The design of a row, twice, and its scores."""
        return stored + 3 * len(self.design.source) + 4 * self.intercepts.size

    def step(self, data: OtherRows, start: int, stop: int) -> Floats:
        """Of some rows."""
        tasks, p, t = self.slopes.shape
        out = np.zeros((p + 2, tasks + 1, t))
        if stop == start:
            return out
        cells = self.design.matrix(self.reading.view(data.table, start, stop))
        weight = data.weight[start:stop]
        used = weight[:, None] * (data.fold[start:stop, None] != np.arange(tasks) - 1)
        scores = (cells @ self.slopes.transpose(1, 0, 2).reshape(p, -1)).reshape(-1, tasks, t)
        scores += self.intercepts
        value, slope = data.goal.at(slice(start, stop)).descent(scores, used)
        out[0, 0, 0] = value
        out[1:-1, :-1] = (cells.T @ slope.reshape(stop - start, -1)).reshape(p, tasks, t)
        out[-1, :-1] = slope.sum(axis=0)
        cells -= self.centre
        out[1:-1, -1] = np.square(cells, out=cells).T @ _curves(scores[:, 0], weight, self.is_number)
        return out


def with_all_rows(fitted: Fitted, rows: TaughtRows, others: OtherRows) -> Fitted:
    """The members, the additive one learnt from all rows; an interrupt leaves it as the sample has it."""
    try:
        place = fitted.names.index("additive")
        member = fitted.members[place]
        assert isinstance(member, AdditiveMember)
        best, tried = None, _cautious(member, rows)
        with progress("all rows", total=PASSES) as tell:
            for step in range(PASSES):
                tell(step, "all rows")
                seen = _seen(tried, rows, others)
                if best is None or seen.loss <= best.loss:
                    best = seen
                    member, (tried, moved) = tried, _mended(seen, rows, others)
                    if moved < NEAR:
                        member = tried
                        break
                else:
                    tried = _between(member, tried)
    except (ValueError, KeyboardInterrupt) as stop:  # there is no such member; or time is up
        if isinstance(stop, KeyboardInterrupt):
            notice("interrupted: the additive member is that of a sample of the rows.")
        return fitted
    members = (*fitted.members[:place], member, *fitted.members[place + 1 :])
    scores = fitted.scores.copy()
    scores[place] = member.by_fold(rows.view)[rows.fold, np.arange(rows.n)]
    return replace(fitted, members=members, scores=scores)


@dataclass(frozen=True)
class SeenMember:
    """A member, and what all rows say of it."""

    member: AdditiveMember
    loss: float  # of all tasks, with the penalty
    down: Floats  # (p, tasks, t), the slope of the loss in the coefficients
    level: Floats  # (tasks, t), and in the intercepts
    bend: Floats  # (p, t), how the other rows curve it in each coefficient
    curve: Floats  # (n, t), how each row of the sample does in its scores


def _rare(rows: TaughtRows) -> NDArray[np.bool_]:
    """Which columns of the design, (p,), are levels or bins that few rows of the sample have."""
    design, turned = rows.steps
    heights = np.concatenate([np.zeros(len(turned.centre) - len(design.heights)), design.heights])
    return (heights > 0) & (turned.centre * float(rows.weight.sum()) < FEW * heights)


def _cautious(member: AdditiveMember, rows: TaughtRows) -> AdditiveMember:
    """Where to begin: slopes of levels with few rows in the sample, maybe all of one class, go not far.

    Where a logistic loss is flat, as it is far from the truth, its curvature says nothing of how far to go.
    """
    far = np.where(_rare(rows), FAR, np.inf)[:, None]
    return replace(member, slopes=np.clip(member.slopes, -far, far))


def _between(near: AdditiveMember, far: AdditiveMember) -> AdditiveMember:
    """A shorter step."""
    slopes = near.slopes + SHORTER * (far.slopes - near.slopes)
    return replace(
        near, slopes=slopes, intercepts=near.intercepts + SHORTER * (far.intercepts - near.intercepts)
    )


def _seen(member: AdditiveMember, rows: TaughtRows, others: OtherRows) -> SeenMember:
    """One pass over all rows."""
    design, turned = rows.steps
    tasks, _, t = member.slopes.shape
    source = Chunk(others, others.n, others.width)
    task = SlopesOfRows(rows.reading, design, turned.centre, member.slopes, member.intercepts, rows.is_number)
    told = others.engine.reduce(source, task)
    cells = turned.rows @ turned.turn.T + turned.centre  # the sample, as the design has it
    scores = (cells @ member.slopes.transpose(1, 0, 2).reshape(cells.shape[1], -1)).reshape(-1, tasks, t)
    scores += member.intercepts
    value, slope = rows.goal.descent(scores, np.roll(rows.used, 1, axis=1))
    penalty = 0.5 * member.ridge * float(np.square(turned.turn.T @ member.slopes).sum())
    return SeenMember(
        member,
        float(told[0, 0, 0]) + value + penalty,
        told[1:-1, :-1] + (cells.T @ slope.reshape(rows.n, -1)).reshape(-1, tasks, t),
        told[-1, :-1] + slope.sum(axis=0),
        told[1:-1, -1],
        _curves(scores[:, 0], rows.weight, rows.is_number),
    )


def _mended(seen: SeenMember, rows: TaughtRows, others: OtherRows) -> tuple[AdditiveMember, float]:
    """One step of all tasks (the whole, then the folds), and how far it went, in standard errors."""
    turned, member = rows.steps[1], seen.member
    tasks, _, t = member.slopes.shape
    grown = 1.0 + others.count / float(rows.weight.sum())
    slopes, intercepts, moved = member.slopes.copy(), member.intercepts.copy(), 0.0
    rare = _rare(rows)
    squares, turn = np.square(turned.rows @ turned.turn[rare].T), turned.turn[rare]
    for k in range(t):
        z = np.column_stack([turned.rows, np.ones(rows.n)])
        bend = grown * (z.T @ (seen.curve[:, k, None] * z))
        # The loss may curve more in levels that the sample has too little of than it says.
        more = np.maximum(seen.bend[rare, k] - (grown - 1.0) * (squares.T @ seen.curve[:, k]), 0.0)
        bend[:-1, :-1] += turn.T @ (more[:, None] * turn)
        bend[np.arange(len(bend) - 1), np.arange(len(bend) - 1)] += member.ridge
        bend[-1, -1] += 1e-9 * grown
        for task in range(tasks):
            share = 1.0 if task == 0 else (rows.folds - 1) / rows.folds
            pull = member.ridge * (turned.turn.T @ member.slopes[task, :, k])
            slant = turned.turn.T @ (seen.down[:, task, k] - turned.centre * seen.level[task, k]) + pull
            step = np.linalg.solve(share * bend, np.append(slant, seen.level[task, k]))
            step *= CAREFUL if t > 1 else 1.0
            moved = max(moved, float(np.sqrt(step @ bend @ step / len(step))))
            move = turned.turn @ step[:-1]
            slopes[task, :, k] -= move
            intercepts[task, k] -= step[-1] - turned.centre @ move
    return replace(member, slopes=slopes, intercepts=intercepts), moved


def _curves(scores: Floats, weight: Floats, is_number: bool) -> Floats:
    """How the loss of each row curves in its scores, (n, t)."""
    if is_number:
        return weight[:, None] * np.ones((1, 1))
    p = np.exp(log_probabilities(scores))[:, -scores.shape[1] :]
    return np.asarray(weight[:, None] * np.maximum(p * (1 - p), 1e-4))
