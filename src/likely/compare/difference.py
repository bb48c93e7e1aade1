"""Several independent quantities -> which is the largest, by how much, and what a wrong choice costs.

All by quadrature between the quantiles of the quantities, where their distributions are smooth. What lies
beyond a share of 1e-15 at either end is left out: probabilities are good to about twelve decimals.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from likely.dist import StudentT
from likely.dist.numeric.logs import special
from likely.models.posterior.quantity import Interval, Quantity

Floats = NDArray[np.float64]

NODES = 20  # of a panel
# The shares between which the panels lie: a power of ten is smooth to so many nodes.
TAIL = np.concatenate([10.0 ** np.arange(-15.0, 0.0), [0.2, 0.3, 0.4]])
NOTHING = 1e-20  # a chance that no longer counts
DIGITS = 1e-12  # of a quantile's share, and of the range in which it is looked for
CLOSE = 2  # times as far from each other as two quantiles are: an end that shapes them
STEPS = 8  # along chords
MANY = 8  # quantities whose marks are not all needed
FEW = 1e-4  # a share from which on the digits of 1 - share suffice


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
    marks = _thinned([mine.cdf(_marks(own)) for own in others])
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
    marks = [_marks(own) for own in quantities]
    if len(marks) > MANY:
        ends = [min(own[0] for own in marks)], [max(own[-1] for own in marks)]
        marks = [_thinned(marks), *(np.array(end) for end in ends)]
    x, weight = _panels(np.concatenate(marks))
    above = np.stack([own.sf(x) for own in quantities])
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log1p(-above)  # of the chance to be below
        # It costs where this one is below x, and some other above.
        differences = [
            weight @ (own.cdf(x) * -np.expm1(np.delete(logs, k, axis=0).sum(axis=0)))
            for k, own in enumerate(quantities)
        ]
    return np.array(differences)


def pair_losses(first: Quantity, second: Quantity) -> tuple[float, float]:
    """The two of `expected_losses`, which differ by the difference of the means: so one integral does."""
    if second.mean > first.mean:
        two, one = pair_losses(second, first)
        return one, two
    if any(isinstance(own.base, StudentT) and float(own.base.df) <= 1 for own in (first, second)):
        return np.inf, np.inf
    x, weight = _panels(np.concatenate([_marks(first), _marks(second)]))
    loss = float(weight @ (first.cdf(x) * second.sf(x)))
    return loss, loss + (first.mean - second.mean)


def difference_cdf(first: Quantity, second: Quantity, d: float) -> float:
    """P(first - second <= d)."""
    wide, x, weight, below = _across(first, second, d)
    share = float(weight @ wide.cdf(x))
    if below:
        return share
    return 1 - share if share < 1 - FEW else float(weight @ wide.sf(x))  # which takes some families longer


def difference_interval(first: Quantity, second: Quantity, level: float) -> Interval:
    """Where the difference lies: as much is left out below as above."""
    rest = (1 - level) / 2
    return Interval(*(_difference_quantile(first, second, q) for q in (rest, 1 - rest)))


def _difference_quantile(first: Quantity, second: Quantity, q: float) -> float:
    """By a few steps along chords from where a normal difference has it, or else by Brent's method."""
    # Beyond these one of the two would have to be in a tail that is smaller than q / 2.
    tail = min(q, 1 - q) / 2
    low = float(first.quantile(tail) - second.quantile(1 - tail))
    high = float(first.quantile(1 - tail) - second.quantile(tail))
    if not low < high:
        return low
    near = DIGITS * (high - low)
    before, step = np.nan, np.nan
    z, sd = float(special("ndtri", q)), float(np.hypot(first.sd, second.sd))
    d, slope = first.mean - second.mean + z * sd, np.exp(-z * z / 2) / np.sqrt(2 * np.pi) / sd
    for _ in range(STEPS):
        if not low < d < high:
            break
        error = difference_cdf(first, second, d) - q
        if abs(error) <= DIGITS * min(q, 1 - q):
            return d
        low, high = (low, d) if error > 0 else (d, high)
        if not np.isnan(before):
            slope = (error - before) / step
        if not slope > 0:
            break
        before, step = error, -error / slope
        d += step
    from scipy.optimize import brentq

    return float(brentq(lambda d: difference_cdf(first, second, d) - q, low, high, xtol=near))


def _across(first: Quantity, second: Quantity, d: float) -> tuple[Quantity, Floats, Floats, bool]:
    """The wider of the two, where it is to be asked for first - second = d, weights, and whether from below.

    The narrower goes through its quantiles. There the wider is smooth, unless an end at which it is not lies
    among them: then its own quantiles are ends of panels too.
    """
    below = not first.sd < second.sd
    narrow, wide, away = (second, first, d) if below else (first, second, -d)
    marks = _marks(narrow)
    if any(marks[0] < end - away < marks[-1] for end in _sharp(wide)):
        shares, weight = _share_panels(narrow.cdf(_marks(wide) - away))
        return wide, narrow.quantile(shares) + away, weight, below
    return wide, _nodes(narrow) + away, _panels(_shares())[1], below


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


@lru_cache(maxsize=256)
def _marks(own: Quantity) -> Floats:
    """Where a quantity has the usual shares."""
    return own.quantile(_shares())


@lru_cache(maxsize=256)
def _nodes(own: Quantity) -> Floats:
    """Where a quantity has the shares of the nodes between them."""
    return own.quantile(_panels(_shares())[0])


@lru_cache(maxsize=256)
def _sharp(own: Quantity) -> tuple[float, ...]:
    """The ends at which a distribution is not smooth, as its last quantiles come close to them."""
    marks = _marks(own)
    gaps = (marks[0], marks[1], own.ends().lower), (marks[-1], marks[-2], own.ends().upper)
    return tuple(float(end) for last, before, end in gaps if abs(last - end) <= CLOSE * abs(last - before))


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
