"""Two-part code lengths: the bits that a family takes for a column, its parameters first, then its values.

The values of a class are coded by its distribution at maximum likelihood, a value of probability P by
-log2 P bits. A parameter is sent to the precision that n rows give it: 1/2 log2 n bits, or log2 n for an
end of a range, which n rows fix to 1/n and not to 1/sqrt(n) of its width. What all families must send
alike (the step between the values, the least and the greatest of them, the classes) is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lgamma
from typing import Any

import numpy as np

from likely.dist import Categorical, Family, Geometric, Histogram, Kernel, Normal, Poisson, Uniform
from likely.score.entropy import LOG_2
from likely.score.grid import Grid
from likely.stats.binned import Cells
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Floats, Groups, Ints


def code_length(family: type[Family], cells: Cells, grid: Grid) -> float:
    """The bits of one column, whose values in each group lie in the cells (g, 1) and on the grid.

    >>> cells = Cells.collect(np.array([[1.0], [1.0], [2.0], [1.0]]), Groups.one(4))
    >>> round(code_length(Categorical, cells, Grid.of(cells)), 4)  # 4 x 0.8113, and 1/2 log2 4
    4.2451
    """
    fitted: Any = family.ml(_statistic(family, cells, grid))
    bits = _naming(grid) if family is Categorical else 0.0
    for group in np.flatnonzero(cells.n[:, 0] > 0).tolist():
        own = cells.packed(group, 0)
        row_bits = max(float(np.log2(own.weight.sum())), 0.0)
        parameters, log_mass = _CODES[family](fitted, group, own, grid)
        if not np.isfinite(log_mass).all():
            return np.inf  # beyond the range of the numbers, there is nothing to compare
        bits += parameters * row_bits - float((own.weight * np.minimum(log_mass, 0.0)).sum()) / LOG_2
    return bits


def _statistic(family: type[Family], cells: Cells, grid: Grid) -> Any:
    """What the family learns from; a cell stands for as many rows as it weighs."""
    if family.statistic is Cells:
        return cells
    groups = Groups.hard(cells.where, cells.n_groups, cells.weight)
    if family is Categorical:
        return Categorical.collect(_codes(cells.place, grid)[:, None], groups, (len(grid.values),))
    return family.collect(cells.centre[:, None], groups)


def _codes(places: Floats, grid: Grid) -> Ints:
    return np.searchsorted(grid.values, places)


def _naming(grid: Grid) -> float:
    """Which of the values that the grid has room for are levels at all."""
    room, k = grid.room, len(grid.values)
    return (lgamma(room + 1) - lgamma(k + 1) - lgamma(room - k + 1)) / LOG_2


# Each says how many times log2 n its parameters take, and gives the log-probability of every cell's value.


def _categorical(fitted: Any, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
    return (len(grid.values) - 1) / 2, np.log(fitted.probs[group, _codes(own.place, grid)])


def _counted(fitted: Any, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
    return 1 / 2, fitted.take((group, 0)).log_prob(own.centre)


def _normal(fitted: Any, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
    one = fitted.take((group, 0))
    return 2 / 2, _on_grid(one.log_prob(own.centre), own, grid, grid.log_sum(float(one.mean), float(one.sd)))


def _uniform(fitted: Any, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
    low, high = float(fitted.low[group, 0]), float(fitted.high[group, 0])
    room = grid.points(np.array([low, high]))[0] * grid.step / (high - low)
    return 2.0, _on_grid(fitted.take((group, 0)).log_prob(own.centre), own, grid, float(np.log(room)))


def _histogram(fitted: Any, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
    """The bars but one, both ends, and a share and a scale for each tail that holds something."""
    bars = fitted.parts[group, 0]
    k = len(bars.probs)
    # Beside an edge, rounding may have put a value into the other bar: no bar has less points than values.
    values = np.bincount(bars.place(own.centre), minlength=k)
    points = np.maximum(grid.points(np.linspace(bars.low, bars.high, k + 1)), values)
    mass = float(bars.probs @ points) * grid.step / bars.width + float(bars.tails.sum())
    parameters = (k - 1) / 2 + 2.0 + int(np.count_nonzero(bars.tails))
    return parameters, _on_grid(bars.log_prob(own.centre), own, grid, float(np.log(mass)))


def _kernel(fitted: Any, group: int, own: Packed, grid: Grid) -> tuple[float, Floats]:
    """The bandwidth, and as many parameters as the curve has in effect.

    These are the values' own shares of the density that each has, added up. For levels and for bars the
    same sum is the number of those that are not empty.
    """
    bumps = fitted.parts[group, 0]
    logs = bumps.log_prob(own.centre)
    own_bump = 1 / (bumps.bandwidth * np.sqrt(2 * np.pi))
    shares = own_bump / np.maximum(np.exp(logs) * own.weight.sum(), own_bump)
    log_sum = grid.log_sum(grid.origin, bumps.bandwidth)  # the bumps stand on points of the grid
    return (1 + float((own.weight * shares).sum())) / 2, _on_grid(logs, own, grid, log_sum)


def _on_grid(log_density: Floats, own: Packed, grid: Grid, log_sum: float) -> Floats:
    """A density as probabilities of the points of the grid; of a group of one value, that has all of it."""
    if len(own.place) == 1:
        return np.zeros(1)
    return np.asarray(log_density + (np.log(grid.step) - log_sum))


_CODES: dict[type[Family], Callable[[Any, int, Packed, Grid], tuple[float, Floats]]] = {
    Categorical: _categorical,
    Poisson: _counted,
    Geometric: _counted,
    Normal: _normal,
    Uniform: _uniform,
    Histogram: _histogram,
    Kernel: _kernel,
}
