"""All marginals by a plan that is asked again: what does not depend on the findings' values is done once.

Where matrices are small, an answer's time goes into laying them out, not into multiplying them. So tables are
laid out beforehand as their steps take them, with the axes of what is known in front; sums of a single table
are made beforehand; results are laid out once for both ways; what is believed of a variable is read from the
smallest operand whose slope is made anyway; and all of these are added up together. If nothing can get too
small or too large on the way, nothing is rescaled.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.infer.contraction import Plan
from likely.infer.contraction_step import ContractionStep, Turn

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Shape = tuple[int, ...]

SPAN = 100.0  # digits within which no sum can leave the range of numbers, so that nothing is rescaled
LEAST = 1e-150  # a total below which it is rescaled after all
NEAR = 8  # times the cells of the smallest table, that a result may have from which a variable is read
FEW = 64  # cells that always may


class _Lay(NamedTuple):
    """From a shape to another: by way of axes in another order, if they are."""

    middle: Shape
    axes: Shape | None
    last: Shape

    def of(self, array: Floats) -> Floats:
        if self.axes is None:
            return array.reshape(self.last)
        return array.reshape(self.middle).transpose(self.axes).reshape(self.last)


class _Step(NamedTuple):
    """A product of two operands, and the way back to those whose slopes are needed."""

    place: int
    left: int
    right: int
    how: str
    lay: _Lay | None  # of the result, for the step that takes it
    back: _Lay  # of its slope
    to_left: bool
    to_right: bool
    rescale: bool


class LaidTable(NamedTuple):
    """A table as its step takes it, what is known in front."""

    cells: Floats
    known: Shape  # the variables in front


class RepeatedPlan:
    """The marginals of all variables by a plan of tables without rows, for findings about the same variables.

    Parameters
    ----------
    plan : Plan
        That keeps no variable.
    tables : sequence of (scope, array)
        Each table with all of its variables, also those that are known.
        Tables of the plan beyond these are given anew with each question (what is not certain).
    """

    def __init__(self, plan: Plan, tables: Sequence[tuple[Shape, Floats]]) -> None:
        self.plan = plan
        self.first = len(plan.scopes)
        self.tables = tables
        free = {v for scope in plan.scopes for v in scope}
        self.scaled = sum(math.log10(plan.sizes[v]) for v in free) > SPAN
        self.scopes = plan.operands
        self.turns = _turns(plan)
        self.summed = {
            self.first + at: step.left for at, step in enumerate(plan.steps) if step.turn_right is None
        }
        self.sums = {left: place for place, left in self.summed.items()}
        self.steady: list[Floats | None] = [None] * (self.first + len(plan.steps))
        self.laid: list[tuple[int, LaidTable]] = []  # that depend on what is known
        self.whole: dict[int, LaidTable] = {}  # tables of which one variable is summed out first
        self._lay_tables()
        self.sources = self._sources()
        self.wanted = sorted(set(self.sources.values()))
        self.steps = self._steps()
        self.steady_slopes: list[Floats | None] = [None] * len(self.steady)
        self._lay_marginals()

    def _lay_tables(self) -> None:
        """Tables, and their sums, in the layout of the step that takes them."""
        for at, (scope, table) in enumerate(self.tables):
            left = self.scopes[at]
            known = tuple([v for v in scope if v not in left])
            place = self.sums.get(at)
            if place is not None:
                stays = self.scopes[place]
                gone = tuple([v for v in left if v not in stays])
                shape = (math.prod([self.plan.sizes[v] for v in stays]), -1)
                self.whole[at] = _laid(table, scope, known, (*self._order(place), *gone), shape)
                table = table.sum(axis=tuple([scope.index(v) for v in gone]))
                scope, left = tuple([v for v in scope if v not in gone]), stays
            else:
                place = at
            turn, order = self.turns.get(place), self._order(place)
            own = _laid(table, scope, known, order, () if turn is None else turn.matrix)
            if known:
                self.laid.append((place, own))
            else:
                self.steady[place] = own.cells

    def _sources(self) -> dict[int, int]:
        """For each variable that is not known the operand from which it is read."""
        best: dict[tuple[int, bool], tuple[int, int]] = {}
        for place, scope in enumerate(self.scopes):
            inner = place >= self.first and place not in self.summed
            size = self.plan.operand_cells[place]
            for v in self._order(place) if place in self.sums else scope:  # others are read from the sum
                if (v, inner) not in best or size < best[v, inner][0]:
                    best[v, inner] = (size, place)
        sources = {}
        for v in {v for v, _ in best}:
            table = best[v, False]
            result = best.get((v, True))
            cheap = result is not None and result[0] <= max(FEW, NEAR * table[0])
            sources[v] = result[1] if result is not None and cheap else table[1]
        return sources

    def _steps(self) -> list[_Step]:
        plan, steps = self.plan, []
        needed = set(self.wanted)
        for at, step in enumerate(plan.steps):
            place = self.first + at
            if not needed.isdisjoint((step.left, step.right)):
                needed.add(place)
            if place in self.summed:
                continue
            how = _how(step)
            there, back = self._lays(step, place)
            rescale = self.scaled and step.rescale
            left, right = step.left in needed, step.right in needed
            steps.append(_Step(place, step.left, step.right, how, there, back, left, right, rescale))
        return steps

    def _lays(self, step: ContractionStep, place: int) -> tuple[_Lay | None, _Lay]:
        """From the product of a step to the operand of the next, and from the slope of that."""
        product = _product_shape(step)
        turn = self.turns.get(place)
        if turn is None:
            return None, _Lay((), None, product)
        there = _Lay(step.shape, turn.axes, turn.matrix)
        same = turn.axes is None and product == turn.matrix
        return None if same else there, _Lay(turn.shape, turn.back, product)

    def _lay_marginals(self) -> None:
        """Which cells of all operands that are read add up to which level of which variable."""
        self.singles = [place for place in self.wanted if place not in self.whole]
        self.doubles = [(place, self.whole[place]) for place in self.wanted if place in self.whole]
        sizes, cells, start = self.plan.sizes, {}, 0
        for place in (*self.singles, *[place for place, _ in self.doubles]):
            order = self._order(place)
            shape = [sizes[v] for v in order]
            n = math.prod(shape)
            cells[place] = order, np.arange(start, start + n).reshape(shape)
            start += n
        picks, starts, ends, at, end = [], [], [], 0, 0
        for v in sorted(self.sources):
            order, own = cells[self.sources[v]]
            rows = np.moveaxis(own, order.index(v), 0).reshape(sizes[v], -1)
            picks.append(rows.ravel())
            starts.append(at + rows.shape[1] * np.arange(sizes[v]))
            at += rows.size
            ends.append((v, end, end + sizes[v]))
            end += sizes[v]
        self.picks = np.concatenate(picks) if picks else np.zeros(0, np.intp)
        self.starts = np.concatenate(starts) if starts else np.zeros(0, np.intp)
        self.ends = ends

    def _order(self, place: int) -> Shape:
        """The variables of an operand as it is laid out; of a table that is summed first those it loses."""
        scope = self.scopes[place]
        if place in self.sums:
            stays = self.scopes[self.sums[place]]
            return tuple([v for v in scope if v not in stays])
        turn = self.turns.get(place)
        return scope if turn is None or turn.axes is None else tuple([scope[i] for i in turn.axes])

    def answer(
        self, levels: Mapping[int, int], given: Sequence[Floats]
    ) -> tuple[dict[int, Floats], float] | None:
        """P(level) of every variable not known, and the log of the sum.

        None if the sum is too small to be told like this: it must be made with care.
        """
        values = self._values(levels, given)
        scales, log_scale = self._forward(values)
        log_total, slopes = log_scale, self.steady_slopes.copy()
        for place in self.plan.results:
            total = values[place].item()
            if not LEAST < total < math.inf:
                return None
            log_total += math.log(total)
            slopes[place] = np.asarray(1.0 / total)
        self._backward(values, slopes, scales)
        return self._read(values, slopes, levels), log_total

    def _values(self, levels: Mapping[int, int], given: Sequence[Floats]) -> list[Any]:
        values: list[Any] = self.steady.copy()
        for place, table in self.laid:
            values[place] = table.cells[tuple([levels[v] for v in table.known])]
        for place, cells in enumerate(given, len(self.tables)):
            turn = self.turns.get(place)
            values[place] = cells if turn is None else turn.there(cells)
        return values

    def _forward(self, values: list[Any]) -> tuple[dict[int, float], float]:
        """All products, each laid out for the next; by what they were divided, and the sum of its logs."""
        scales, log_scale = {}, 0.0
        for place, left, right, how, lay, _, _, _, rescale in self.steps:
            if how == "dot":
                product = values[left].dot(values[right])
            elif how == "each" or how == "times":
                product = values[left] * values[right]
            else:
                product = values[left] @ values[right]
            if rescale and (scale := float(product.max())) > 0:
                product = product / scale
                scales[place] = scale
                log_scale += math.log(scale)
            values[place] = product if lay is None else lay.of(product)
        return scales, log_scale

    def _backward(self, values: list[Any], slopes: list[Any], scales: Mapping[int, float]) -> None:
        """The slopes of all operands that are read, or lead to them."""
        for place, left, right, how, _, back, to_left, to_right, _ in reversed(self.steps):
            if not (to_left or to_right):
                continue
            slope = back.of(slopes[place])
            if place in scales:
                slope = slope / scales[place]
            if how == "dot":
                if to_left:
                    slopes[left] = slope.dot(values[right].T)
                if to_right:
                    slopes[right] = values[left].T.dot(slope)
            elif how == "each":
                if to_left:
                    slopes[left] = slope * values[right]
                if to_right:
                    slopes[right] = slope * values[left]
            else:
                if to_left:
                    slopes[left] = slope @ values[right].transpose(0, 2, 1)
                if to_right:
                    slopes[right] = values[left].transpose(0, 2, 1) @ slope

    def _read(self, values: list[Any], slopes: list[Any], levels: Mapping[int, int]) -> dict[int, Floats]:
        """What the operands and their slopes say of the variables."""
        joints = [values[place] * slopes[place] for place in self.singles]
        for place, (cells, known) in self.doubles:
            table = cells[tuple([levels[v] for v in known])] if known else cells
            joints.append(slopes[self.sums[place]].reshape(-1).dot(table))
        if not joints:
            return {}
        cells = np.concatenate(joints, axis=None).take(self.picks)
        sums = np.add.reduceat(cells, self.starts)
        return {v: sums[start:end] for v, start, end in self.ends}


def _laid(table: Floats, scope: Shape, known: Shape, order: Shape, matrix: Shape) -> LaidTable:
    """A table with what is known in front, then as a matrix of the rest in an order."""
    axes = [scope.index(v) for v in (*known, *order)]
    front = table.shape if not known else tuple([table.shape[scope.index(v)] for v in known])
    cells = table.transpose(axes)
    return LaidTable(np.ascontiguousarray(cells).reshape((*(front if known else ()), *matrix)), known)


def _turns(plan: Plan) -> dict[int, Turn]:
    """How each operand is laid out for the product that takes it."""
    turns = {}
    for step in plan.steps:
        if step.turn_right is not None:
            turns[step.left], turns[step.right] = step.turn_left, step.turn_right
    return turns


def _product_shape(step: ContractionStep) -> Shape:
    """Of two matrices, or as many as a variable that both keep has levels."""
    assert step.turn_right is not None
    left, right = step.turn_left.matrix, step.turn_right.matrix
    return (left[0], right[1]) if step.how == "dot" else (left[0], left[1], right[2])


def _how(step: ContractionStep) -> str:
    """The kind of product; the one cell by cell is told apart from others where nothing is summed."""
    one = step.how == "times" and _product_shape(step)[1:] == (1, 1)
    return "each" if one else step.how
