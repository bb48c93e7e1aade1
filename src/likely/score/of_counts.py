"""What a column tells about classes, from how much of each class lies at each of its levels or bins.

Everything works on counts (g, k) of g classes at k levels. `Told.score` is what columns are ranked by: it is
never below 0 but for held-out bits, and 0 where the column has one level, or the rows one class.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from likely.dist.numeric.logs import special
from likely.score.area import area_of
from likely.score.entropy import LOG_2
from likely.score.ranked import Ranked
from likely.stats.groups import Floats, Ints

LEVEL = 0.9  # of intervals
ROUNDING = 1e-12  # bits
FEW = 5.0  # rows that are expected in a cell: with fewer in many cells, chi-squared is rough


@dataclass(frozen=True)
class ColumnTold:
    """A score, and what else is known of it."""

    score: float
    more: dict[str, float] = field(default_factory=dict)
    rough: bool = False  # whether p is, for want of rows

    @property
    def p(self) -> float:
        """How probable so high a score is of a column that tells nothing; NaN where that is not known."""
        return self.more.get("p", math.nan)


def entropy_bits(counts: Floats | Ints) -> float:
    """Of the shares of counts.

    >>> entropy_bits(np.array([2.0, 2.0, 0.0]))
    1.0
    """
    total = counts.sum()
    return float(special("entr", counts / total).sum()) / LOG_2 if total > 0 else 0.0


def gain_bits(counts: Floats) -> float:
    """The information gain: the mutual information of column and class.

    >>> gain_bits(np.array([[3.0, 0.0], [0.0, 3.0]]))
    1.0
    """
    both = entropy_bits(counts.ravel())
    bits = entropy_bits(counts.sum(axis=0)) + entropy_bits(counts.sum(axis=1)) - both
    return bits if bits > 1e-15 else 0.0


def uncertainty_of(counts: Floats) -> float:
    """Symmetric uncertainty: the gain as a share of the mean entropy of both, 0 to 1.

    >>> uncertainty_of(np.array([[3.0, 0.0], [0.0, 3.0]]))
    1.0
    """
    whole = entropy_bits(counts.sum(axis=0)) + entropy_bits(counts.sum(axis=1))
    return 2 * gain_bits(counts) / whole if whole > 0 else 0.0


def uncertainty_between(x: Ints, y: Ints, weight: Floats | None = None) -> float:
    """Symmetric uncertainty of two columns of codes, (n,), in the rows in which neither is missing.

    >>> uncertainty_between(np.array([0, 1, 1, -1]), np.array([4, 7, 7, 7]))
    1.0
    """
    both = (x >= 0) & (y >= 0)
    x, y, weight = x[both], y[both], None if weight is None else weight[both]
    pairs = x * (int(y.max(initial=0)) + 1) + y
    if pairs.max(initial=0) > max(4 * len(pairs), 1 << 16):  # more than there are rows: those that occur
        pairs = np.unique(pairs, return_inverse=True)[1]
    own, other, joint = (entropy_bits(np.bincount(codes, weight)) for codes in (x, y, pairs))
    return max(2 * (1 - joint / (own + other)), 0.0) if own + other > 0 else 0.0


def by_gain(counts: Floats) -> ColumnTold:
    """Information gain, its bias to the first order, a 90 % interval, and p by chi-squared."""
    bits, n = gain_bits(counts), float(counts.sum())
    seen = counts > 0
    levels, classes = seen.any(axis=0).sum(), seen.any(axis=1).sum()
    bias = float(seen.sum() - levels - classes + 1) / (2 * n * LOG_2) if n > 0 else 0.0
    half = float(special("ndtri", (1 + LEVEL) / 2)) * _error(counts)
    low, high = (max(bits - bias + side * half, 0.0) for side in (-1, 1))
    test = by_chi_squared(counts)
    return ColumnTold(bits, {"bias": bias, "low": low, "high": high, "p": test.p}, test.rough)


def by_gain_ratio(counts: Floats) -> ColumnTold:
    """The gain as a share of the column's own entropy, which many levels have much of."""
    bits, own, test = gain_bits(counts), entropy_bits(counts.sum(axis=0)), by_chi_squared(counts)
    return ColumnTold(bits / own if own > 0 else 0.0, {"bits": bits, "p": test.p}, test.rough)


def by_uncertainty(counts: Floats) -> ColumnTold:
    """Symmetric uncertainty."""
    test = by_chi_squared(counts)
    return ColumnTold(uncertainty_of(counts), {"bits": gain_bits(counts), "p": test.p}, test.rough)


def by_chi_squared(counts: Floats) -> ColumnTold:
    """Pearson's chi-squared without a correction for continuity, its degrees of freedom, and p."""
    n = max(float(counts.sum()), 1e-300)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / n
    there = expected > 0
    off = np.square(counts - expected)
    value = float(np.divide(off, expected, out=np.zeros_like(off), where=there).sum())
    rough = bool(there.any() and (expected[there] < FEW).mean() > 0.2)
    levels, classes = (int(counts.any(axis=axis).sum()) for axis in (0, 1))
    df = max((levels - 1) * (classes - 1), 0)
    p = float(special("chdtrc", df, value)) if df > 0 else 1.0
    return ColumnTold(value, {"df": float(df), "p": p, "bits": gain_bits(counts)}, rough)


def by_held_out(counts: Floats) -> ColumnTold:
    """The bits that are saved when each row's class is told by the other rows of its level; below 0, lost."""
    place = np.nonzero(counts)
    bits, share = held_out(place[1], place[0], counts[place], len(counts))
    test = by_chi_squared(counts)
    return ColumnTold(bits, {"share": share, "gain": test.more["bits"], "p": test.p}, test.rough)


def held_out(x: Ints, y: Ints, count: Ints | Floats, g: int) -> tuple[float, float]:
    """Bits saved a row when each row is told by the others, and their share of those it takes without.

    Of pairs that occur: level of the column, class, and how often. Without the column a class has its
    relative frequency among the other rows, after one imagined row of each class (Laplace). With it, its
    relative frequency among the other rows of the same level, after one imagined row that is shared out as
    without. So names of rows save nothing, however well they fit.

    >>> bits, share = held_out(np.arange(100), np.repeat([0, 1], 50), np.ones(100), 2)
    >>> abs(bits) < 1e-12, abs(share) < 1e-12
    (True, True)
    """
    n = float(count.sum())
    if n <= 0:
        return 0.0, 0.0
    of_x, of_y = np.bincount(x, count)[x], np.bincount(y, count, g)
    classes = np.count_nonzero(of_y)
    # (count - 1) of the others, and 1 imagined; weights may leave less than a row
    without = np.maximum(of_y[y], 1.0) / (max(n, 1.0) - 1 + classes)
    within = (np.maximum(count - 1, 0.0) + without) / np.maximum(of_x, 1.0)
    needed = float(count @ -np.log2(without)) / n
    saved = needed - float(count @ -np.log2(within)) / n
    saved = saved if abs(saved) > ROUNDING else 0.0
    return saved, saved / needed if needed > 0 else 0.0


def by_correlation(n: Floats, mean: Floats, scatter: Floats) -> ColumnTold:
    """The correlation ratio of numbers with classes, of two classes |r|: of weight, mean, scatter, (g,).

    r is signed, for the second class; p is that of an F test, of two classes the same as the t test.
    """
    there = n > 0
    n, mean, g = n[there], mean[there], int(there.sum())
    total = float(n.sum())
    if g < 2:
        return ColumnTold(0.0, {"p": 1.0})
    between = float(n @ np.square(mean - n @ mean / total))
    within = float(scatter[there].sum())
    share = between / (between + within) if between > 0 else 0.0
    value, free = math.sqrt(share), total - g
    more = {}
    if len(there) == 2:
        r = math.copysign(value, mean[1] - mean[0]) if value else 0.0
        z, half = math.atanh(min(max(r, -1 + 1e-16), 1 - 1e-16)), math.inf
        if total > 3:
            half = float(special("ndtri", (1 + LEVEL) / 2)) / math.sqrt(total - 3)
        more = {"r": r, "low": math.tanh(z - half), "high": math.tanh(z + half)}
    ratio = math.inf if share >= 1 else share / (1 - share) * free / (g - 1)
    more["p"] = float(special("fdtrc", g - 1, free, ratio)) if free > 0 and math.isfinite(ratio) else 1.0
    if free > 0 and math.isinf(ratio):
        more["p"] = 0.0
    return ColumnTold(value, more)


def by_auc(counts: Floats) -> ColumnTold:
    """The area under the ROC curve of values in order, (g, b), in the direction in which it is above 1/2.

    Of more than two classes the mean of each against the rest, by its share. For two, the area as it is
    when high values speak for the second class, with DeLong's 90 % interval.
    """
    sizes = counts.sum(axis=1)
    which = [1] if len(counts) == 2 else range(len(counts))
    parts, weight, more = [], [], {}
    for k in which:
        mine, rest = counts[k, ::-1], (counts.sum(axis=0) - counts[k])[::-1]
        if not (mine.sum() > 0 and rest.sum() > 0):
            continue
        rows = (max(round(mine.sum()), 1), max(round(rest.sum()), 1))
        area = area_of(Ranked(k, np.arange(float(len(mine)))[::-1], mine, rest, mine, rest, rows))
        parts.append(max(float(area), 1 - float(area)))
        weight.append(sizes[k])
        if len(counts) == 2:
            low, high = area.interval(LEVEL)
            more = {"auc": float(area), "low": low, "high": high}
    return ColumnTold(float(np.average(parts, weights=weight)) if parts else 0.5, more)


def _error(counts: Floats) -> float:
    """The standard error of the gain in bits, by the delta method."""
    n = counts.sum()
    if n <= 0:
        return 0.0
    p = counts / n
    fair = np.outer(p.sum(axis=1), p.sum(axis=0))
    ratio = np.log2(np.divide(p, fair, out=np.ones_like(p), where=p > 0))
    mean = float((p * ratio).sum())
    return math.sqrt(max(float((p * np.square(ratio)).sum()) - mean * mean, 0.0) / n)
