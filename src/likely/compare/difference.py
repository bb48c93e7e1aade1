"""Several independent quantities -> which is the largest, by how much, and what a wrong choice costs.

All by quadrature between the quantiles of the quantities, where their distributions are smooth. What lies
beyond a share of 1e-15 at either end is left out: probabilities are good to about twelve decimals.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from likely.dist import StudentT
from likely.models.posterior.quantity import Interval, Quantity

Floats = NDArray[np.float64]

NODES = 20  # of a panel
# The shares between which the panels lie: a power of ten is smooth to so many nodes.
TAIL = np.concatenate([10.0 ** np.arange(-15.0, 0.0), [0.2, 0.3, 0.4]])
NOTHING = 1e-20  # a chance that no longer counts
DIGITS = 1e-12  # of the range in which a quantile of a difference is looked for


def prob_best(quantities: Sequence[Quantity]) -> Floats:
    """P(each is the largest), (g,).

    >>> from likely.dist import Beta
    >>> two = [Quantity(name, Beta(a, b), 0, 0, 0) for name, a, b in (("a", 1, 1), ("b", 2, 1))]
    >>> prob_best(two).round(12)
    array([0.33333333, 0.66666667])
    """
    return np.array([_prob_above(quantities, k) for k in range(len(quantities))])


def _prob_above(quantities: Sequence[Quantity], k: int) -> float:
    """The chance that one exceeds all others: the mean, over its quantiles, of theirs to be below."""
    mine, others = quantities[k], [own for j, own in enumerate(quantities) if j != k]
    others = sorted(others, key=lambda own: -float(own.quantile(0.5)))  # the highest rule most out
    marks = _thinned([mine.cdf(own.quantile(_shares())) for own in others])
    u, weight = _share_panels(marks)
    x, below = mine.quantile(u), np.ones_like(u)
    for own in others:
        some = below > NOTHING
        below[some] *= own.cdf(x[some])
    return float(weight @ below)


def expected_losses(quantities: Sequence[Quantity]) -> Floats:
    """How much is lost on average by choosing each instead of the largest, (g,); infinite without a mean."""
    if any(isinstance(own.base, StudentT) and float(own.base.df) <= 1 for own in quantities):
        return np.full(len(quantities), np.inf)
    x, weight = _panels(np.concatenate([own.quantile(_shares()) for own in quantities]))
    above = np.stack([own.sf(x) for own in quantities])
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log1p(-above)  # of the chance to be below
        # It costs where this one is below x, and some other above.
        differences = [
            weight @ (own.cdf(x) * -np.expm1(np.delete(logs, k, axis=0).sum(axis=0)))
            for k, own in enumerate(quantities)
        ]
    return np.array(differences)


def difference_cdf(first: Quantity, second: Quantity, d: float) -> float:
    """P(first - second <= d)."""
    u, weight = _share_panels(second.cdf(first.quantile(_shares()) - d))
    return float(weight @ first.cdf(second.quantile(u) + d))


def difference_interval(first: Quantity, second: Quantity, level: float) -> Interval:
    """Where the difference lies: as much is left out below as above."""
    rest = (1 - level) / 2
    return Interval(*(_difference_quantile(first, second, q) for q in (rest, 1 - rest)))


def _difference_quantile(first: Quantity, second: Quantity, q: float) -> float:
    # Beyond these one of the two would have to be in a tail that is smaller than q / 2.
    tail = min(q, 1 - q) / 2
    low = float(first.quantile(tail) - second.quantile(1 - tail))
    high = float(first.quantile(1 - tail) - second.quantile(tail))
    if not low < high:
        return low
    from scipy.optimize import brentq

    return float(
        brentq(lambda d: difference_cdf(first, second, d) - q, low, high, xtol=DIGITS * (high - low))
    )


def _thinned(marks: Sequence[Floats]) -> Floats:
    """Of the rising marks of many distributions, so many that a panel holds one of each at most.

    A panel between all marks would be smooth many times over: 50 distributions have nearly 2,000.
    """
    if len(marks) <= 2:
        return np.concatenate(marks) if marks else np.empty(0)
    whose = np.repeat(np.arange(len(marks)), [len(own) for own in marks])
    every = np.concatenate(marks)
    kept: list[float] = []
    inside: set[int] = set()
    for place in np.argsort(every, kind="stable").tolist():
        if whose[place] in inside:
            kept.append(float(every[place]))
            inside = set()
        else:
            inside.add(int(whose[place]))
    return np.array(kept)


@cache
def _shares() -> Floats:
    return np.concatenate([TAIL, [0.5], 1 - TAIL[::-1]])


@cache
def _gauss() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return (nodes + 1) / 2, weights / 2


def _share_panels(marks: Floats) -> tuple[Floats, Floats]:
    """Between the usual shares and these."""
    return _panels(np.concatenate([_shares(), np.clip(marks, TAIL[0], 1 - TAIL[0])]))


def _panels(marks: Floats) -> tuple[Floats, Floats]:
    """The nodes of a quadrature from the first mark to the last, panel by panel, and their weights."""
    ends = np.unique(marks[np.isfinite(marks)])
    nodes, weights = _gauss()
    widths = np.diff(ends)[:, None]
    return (ends[:-1, None] + widths * nodes).reshape(-1), (widths * weights).reshape(-1)
