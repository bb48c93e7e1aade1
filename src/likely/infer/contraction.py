"""A product of tables, summed over its variables: planned once in pairwise steps, run forwards and backwards.

The probability of evidence in a belief network is such a sum. Forwards the steps give its log; backwards
they give its derivative by every table at once, and a table times its derivative is the posterior of its
variables. There is no division, so zeros do no harm. Tables may have one more axis, the last, with a place
for each row of data: one plan answers all rows, whatever is missing in them. Cells and operations are known
from the plan.

A step is a product of matrices: the variables of two tables are those that both have and keep, those of
either alone, and those that no other table has, which are summed out. What gets too small on the way is
divided by its largest cell, row by row, and the logs of these are added up.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.infer.contraction_step import ContractionStep, Turn, backward, forward
from likely.infer.elimination import Scopes, elimination_order

Floats = NDArray[np.float64]
Shape = tuple[int, ...]

DEAR = 50_000  # multiplications a table, which take longer than to look for a second order
PATIENCE = 12  # tables multiplied before the product is brought back to a size of 1


@dataclass(frozen=True, eq=False)
class Plan:
    """Steps that sum a product of tables over all variables but those kept."""

    scopes: tuple[Shape, ...]  # the variables of each table, by its axes
    by_row: tuple[bool, ...]  # whether a table has rows for its last axis
    sizes: tuple[int, ...]
    kept: Shape
    steps: tuple[ContractionStep, ...]
    results: tuple[int, ...]  # operands that are left: numbers, and last the table of the variables kept
    last_turn: Shape | None  # of the axes of that table, to the order asked for
    cells: tuple[int, int]  # that are written: without rows, and for each row
    operations: tuple[int, int]  # multiplications, likewise
    widest: Shape  # the variables of the largest table that is written
    step_scopes: tuple[Shape, ...]  # the variables of each step's result, by its axes
    operand_cells: tuple[int, ...]  # of tables, then of the results of the steps; without rows

    @property
    def operands(self) -> tuple[Shape, ...]:
        """The variables of every operand by its axes: tables, then the results of the steps."""
        return (*self.scopes, *self.step_scopes)

    def bytes(self, rows: int = 1) -> int:
        """Of memory that a run takes, with its way back."""
        return 16 * (self.cells[0] + rows * self.cells[1])

    def cost(self, rows: int = 1) -> int:
        """Multiplications forwards; there and back are three times as many."""
        return self.operations[0] + rows * self.operations[1]

    def run(self, tables: Sequence[Floats], careful: bool = False) -> Run:
        """Forwards: all results, brought to a size of 1 where they need it; `careful`: after every step.

        A sum of 0 may be one that got lost for being small: it is made again, with care.
        """
        values: list[Any] = list(tables)
        scales: dict[int, Any] = {}
        log_scale: Any = 0.0
        for step in self.steps:
            result = forward(step, values)
            if step.rescale or careful:
                axes = tuple(range(result.ndim - (step.shape[-1:] == (-1,))))
                scale = result.max(axis=axes) if axes else result
                scale = np.where(scale > 0, scale, 1.0)
                result = result / scale
                scales[len(values)] = scale
                log_scale = log_scale + np.log(scale)
            values.append(result)
        run = Run(self, values, scales, log_scale)
        return run if careful or not np.isneginf(run.log_total).any() else self.run(tables, careful=True)

    def possible(self, tables: Sequence[Floats]) -> Any:
        """Whether the sum is above 0, (n,), or one truth if no table has rows, however small it is."""
        values: list[Any] = [np.asarray(table > 0, np.float64) for table in tables]
        for step in self.steps:
            values.append(np.asarray(forward(step, values) > 0, np.float64))
        can, kept = np.asarray(True), len(self.kept)
        for place in self.results:
            value = values[place]
            can = can & ((value if value.ndim < kept or not kept else value.max()) > 0)
        return can


@dataclass(eq=False)
class Run:
    """What a plan came to for some tables."""

    plan: Plan
    values: list[Any]  # the tables, then the result of each step
    scales: dict[int, Any]  # by which results were divided
    log_scale: Any  # (n,), or a number

    @cached_property
    def log_total(self) -> Any:
        """The log of the sum over all variables, (n,), or a number if no table has rows; -inf if it is 0."""
        total = self.log_scale
        kept = len(self.plan.kept)
        with np.errstate(divide="ignore"):
            for place in self.plan.results:
                value = self.values[place]
                total = total + np.log(value if value.ndim < kept or not kept else value.sum())
        return total

    @property
    def table(self) -> Floats:
        """The sum by the variables kept, up to a factor; they must be some, and no table by row."""
        last = self.values[self.plan.results[-1]]
        return np.asarray(last if self.plan.last_turn is None else last.transpose(self.plan.last_turn))

    def derivatives(
        self, wanted: Sequence[int], weight: Floats | float = 1.0, once: bool = False
    ) -> list[Any]:
        """The derivative of the log of the sum by operands; of those without rows, over rows by weight.

        Rows whose sum is 0 have none: 0. If it is asked for `once`, other results are forgotten on the way.
        """
        plan, first = self.plan, len(self.plan.scopes)
        asked = set(wanted)
        needed = [place in asked for place in range(first + len(plan.steps))]
        leads = [False] * len(plan.steps)
        for at, step in enumerate(plan.steps):
            leads[at] = needed[step.left] or (step.right >= 0 and needed[step.right])
            needed[first + at] |= leads[at]
        slopes: list[Any] = [None] * len(self.values)
        share = np.where(np.isneginf(self.log_total), 0.0, weight)
        for place in plan.results:
            value = self.values[place]
            own = share if value.ndim else share.sum()
            slopes[place] = np.divide(own, value, out=np.zeros_like(value), where=value > 0)
        for at in range(len(plan.steps) - 1, -1, -1):
            place = first + at
            slope = slopes[place]
            if not leads[at]:
                continue
            if place in self.scales:
                slope = slope / self.scales[place]
            step = plan.steps[at]
            if place not in asked:
                slopes[place] = None
            backward(step, self.values, slope, needed, slopes)
            for operand in (step.left, step.right) if once else ():
                if operand >= first and operand not in asked:
                    self.values[operand] = None
        return [slopes[place] for place in wanted]

    def joints(self, wanted: Sequence[int], weight: Floats | float = 1.0, once: bool = False) -> list[Floats]:
        """Operands times their derivatives: shares of their cells, by row, or over rows by weight."""
        slopes = self.derivatives(wanted, weight, once)
        return [self.values[place] * slope for place, slope in zip(wanted, slopes, strict=True)]


def plan_contraction(
    scopes: Scopes, sizes: Sequence[int], by_row: Sequence[bool] | None = None, kept: Sequence[int] = ()
) -> Plan:
    """A plan whose order is found greedily; the cheaper of two, where it is dear.

    Parameters
    ----------
    scopes : sequence of sequences of int
        The variables of each table, by its axes; without that of rows.
    sizes : sequence of int
        The number of levels of each variable.
    by_row : sequence of bool, optional
        Whether each table has one more axis, the last, with a place for each row; none has, if not said.
    kept : sequence of int
        The variables that are not summed out, in the order of the result's axes.

    Examples
    --------
    >>> plan = plan_contraction([(0,), (0, 1), (1, 2)], [2, 2, 2], kept=[2])
    >>> half = np.full((2, 2), 0.5)
    >>> plan.run([half[0], half, np.eye(2)]).table
    array([0.5, 0.5])
    """
    flags = [False] * len(scopes) if by_row is None else list(by_row)
    plan = _Planner(scopes, sizes, flags, kept).plan("fill")
    if plan.cost() > DEAR * len(scopes):
        plan = min(plan, _Planner(scopes, sizes, flags, kept).plan("size"), key=Plan.cost)
    return plan


class _Planner:
    """Steps as they are found: which operands are left, and what they are of."""

    def __init__(self, scopes: Scopes, sizes: Sequence[int], by_row: list[bool], kept: Sequence[int]) -> None:
        self.scopes, self.sizes, self.kept = [tuple(scope) for scope in scopes], sizes, tuple(kept)
        self.n_tables = len(scopes)
        self.by_row = list(by_row)
        self.factors = [1] * len(scopes)  # multiplied since the last rescaling
        self.cells_of = [self._size(scope) for scope in scopes]
        self.steps: list[ContractionStep] = []
        self.cells, self.operations = [0, 0], [0, 0]
        self.widest: Shape = ()
        self.width = 0
        self.live = dict.fromkeys(range(len(scopes)))
        self.holders: dict[int, set[int]] = {}
        for place, scope in enumerate(self.scopes):
            for v in scope:
                self.holders.setdefault(v, set()).add(place)

    def plan(self, rule: str) -> Plan:
        """Sum out all variables in a greedy order."""
        for place in list(self.live):
            alone = [v for v in self.scopes[place] if len(self.holders[v]) == 1 and v not in self.kept]
            if alone:
                self._sum(place, alone)
        scopes = [self.scopes[place] for place in self.live]
        for v in elimination_order(scopes, self.sizes, rule, self.kept):
            self._together(self.holders.get(v, set()))
        if self.kept:
            self._together({place for place in self.live if self.scopes[place]})
        results = sorted(self.live, key=lambda place: len(self.scopes[place]))
        last_turn = None
        if self.kept:
            axes = tuple(self.scopes[results[-1]].index(v) for v in self.kept)
            last_turn = None if axes == tuple(range(len(axes))) else axes
        return Plan(
            scopes=tuple(self.scopes[: self.n_tables]),
            by_row=tuple(self.by_row[: self.n_tables]),
            sizes=tuple(self.sizes),
            kept=self.kept,
            steps=tuple(self.steps),
            results=tuple(results),
            last_turn=last_turn,
            cells=(self.cells[0], self.cells[1]),
            operations=(self.operations[0], self.operations[1]),
            widest=self.widest,
            step_scopes=tuple(self.scopes[self.n_tables :]),
            operand_cells=tuple(self.cells_of),
        )

    def _together(self, places: set[int]) -> None:
        """Multiply operands, always the two smallest, until one is left."""
        waiting = sorted([(self.cells_of[place], place) for place in places])
        while len(waiting) > 1:
            place = self._multiply(waiting[0][1], waiting[1][1])
            del waiting[:2]
            if waiting:
                insort(waiting, (self.cells_of[place], place))

    def _size(self, scope: Sequence[int]) -> int:
        return math.prod([self.sizes[v] for v in scope])

    def _shape(self, scope: Sequence[int], rows: bool) -> Shape:
        return (*[self.sizes[v] for v in scope], -1) if rows else tuple([self.sizes[v] for v in scope])

    def _sum(self, place: int, alone: list[int]) -> None:
        scope, rows = self.scopes[place], self.by_row[place]
        left = tuple([v for v in scope if v not in alone])
        cells = self._size(left)
        matrix = (cells, self.cells_of[place] // cells, *((-1,) if rows else ()))
        turn = self._turn(scope, (*left, *alone), rows, matrix)
        step = ContractionStep(place, -1, turn, None, "sum", self._shape(left, rows), False)
        self._add(step, left, cells, rows, 1, self.factors[place])
        self._replace((place,), alone, left)

    def _multiply(self, first: int, second: int) -> int:
        if self.by_row[first] and not self.by_row[second]:
            first, second = second, first
        ours, theirs, rows = self.scopes[first], self.scopes[second], self.by_row[second]
        batch, mine, summed = [], [], []
        b = k = 1
        for v in ours:
            if v not in theirs:
                mine.append(v)
            elif len(self.holders[v]) == 2 and v not in self.kept:
                summed.append(v)
                k *= self.sizes[v]
            else:
                batch.append(v)
                b *= self.sizes[v]
        other = [v for v in theirs if v not in ours]
        a, c = self.cells_of[first] // (b * k), self.cells_of[second] // (b * k)
        both = rows and self.by_row[first]
        left: Shape
        right: Shape
        if both:
            how, left, right = "rows", (b, a, k, -1), (b, k, c, -1)
        elif k == 1:
            how, left, right = "times", (b, a, 1), (b, 1, -1 if rows else c)
        elif b == 1:
            how, left, right = "dot", (a, k), (k, -1 if rows else c)
        else:
            how, left, right = "batch", (b, a, k), (b, k, -1 if rows else c)
        scope = (*batch, *mine, *other)
        count = self.factors[first] + self.factors[second]
        turn_left = self._turn(ours, (*batch, *mine, *summed), both, left)
        turn_right = self._turn(theirs, (*batch, *summed, *other), rows, right)
        shape, rescale = self._shape(scope, rows), count > PATIENCE
        step = ContractionStep(first, second, turn_left, turn_right, how, shape, rescale)
        self._add(step, scope, a * b * c, rows, k, 1 if rescale else count)
        self._replace((first, second), summed, scope)
        return len(self.scopes) - 1

    def _turn(self, scope: Shape, order: Shape, rows: bool, matrix: Shape) -> Turn:
        shape = self._shape(order, rows)
        if order == scope:
            return Turn(None, matrix, shape, None)
        axes = [scope.index(v) for v in order]
        back = [order.index(v) for v in scope]
        if rows:
            axes.append(len(scope))
            back.append(len(scope))
        return Turn(tuple(axes), matrix, shape, tuple(back))

    def _add(
        self, step: ContractionStep, scope: Shape, size: int, rows: bool, summed: int, factors: int
    ) -> None:
        self.steps.append(step)
        self.scopes.append(scope)
        self.by_row.append(rows)
        self.factors.append(factors)
        self.cells_of.append(size)
        self.cells[rows] += size
        self.operations[rows] += size * summed
        if size > self.width:
            self.width, self.widest = size, scope

    def _replace(self, places: tuple[int, ...], gone: list[int], after: Shape) -> None:
        """The last operand stands for these; some variables are gone."""
        new, holders = len(self.scopes) - 1, self.holders
        for place in places:
            del self.live[place]
        for v in gone:
            del holders[v]
        for v in after:
            own = holders[v]
            for place in places:
                own.discard(place)
            own.add(new)
        self.live[new] = None
