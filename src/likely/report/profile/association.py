"""What a column tells about the target, in bits: from the rows at hand, and as it holds for rows left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.report.profile.target_counts import PairCounts, TargetGroups
from likely.score.entropy import LOG_2, MUTUAL, Bits, total
from likely.stats.groups import Floats, Ints


@dataclass(frozen=True, slots=True)
class Association:
    """What a column tells about the target.

    `bits` is what is saved by telling each row's target with the column rather than without it, where what
    is used for a row is learnt from all the others: names of rows save nothing, however well they fit.
    `mutual_information` is that of the relative frequencies of all rows, which is biased. Numbers are
    put into bins of about as many rows each.
    """

    bits: float  # a row, 0 at least
    share: float  # of the bits that it takes to tell the target without the column, 0 to 1
    mutual_information: Bits
    missing_share: float  # the same share for whether the cell is missing
    where_known: int | None  # the place of the one value that the target has wherever the cell is known
    n: int  # rows where both are known


def association_of(pairs: PairCounts, target: TargetGroups) -> Association:
    """Weigh up a table of counts.

    >>> perfect = PairCounts(np.array([0, 1]), np.array([0, 1]), np.array([50, 50]))
    >>> association = association_of(perfect, TargetGroups("y", np.repeat([0, 1], 50), np.array([50, 50])))
    >>> association.mutual_information, round(association.bits, 2), round(association.share, 2)
    (1.00 bits from 100 rows; biased low by about 0.007, 1.0, 0.99)
    """
    g = len(target.totals)
    known = np.bincount(pairs.y, pairs.count, g).astype(np.intp)
    bits, share = held_out(pairs, g)
    gap = target.totals - known
    sides = np.stack([known, gap])
    at = np.nonzero(sides)
    missing = PairCounts(at[0], at[1], sides[at])
    one = np.flatnonzero(known)
    alone = int(one[0]) if len(one) == 1 and np.count_nonzero(target.totals) > 1 else None
    return Association(
        bits, share, _mutual_information(pairs, g), held_out(missing, g)[1], alone, int(known.sum())
    )


def held_out(pairs: PairCounts, g: int) -> tuple[float, float]:
    """Bits saved a row when each row is told by the others, and their share; 0 if nothing is saved.

    Without the column a class has its relative frequency among the other rows, after one imagined row
    of each class (Laplace). With it, its relative frequency among the other rows of the same level or
    bin, after one imagined row that is shared out as without.
    """
    n = int(pairs.count.sum())
    if not n:
        return 0.0, 0.0
    of_x = np.bincount(pairs.x, pairs.count)[pairs.x]
    of_y = np.bincount(pairs.y, pairs.count, g)
    classes = np.count_nonzero(of_y)
    without: Floats = of_y[pairs.y] / (n - 1 + classes)  # (count - 1) of the others, and 1 imagined
    within = (pairs.count - 1 + without) / of_x
    needed = float(pairs.count @ -np.log2(without)) / n
    saved = needed - float(pairs.count @ -np.log2(within)) / n
    return (saved, min(saved / needed, 1.0)) if saved > 0 < needed else (0.0, 0.0)


def _mutual_information(pairs: PairCounts, g: int) -> Bits:
    n = int(pairs.count.sum())
    if not n:
        return Bits(0.0, 0, 0.0)

    def mass(roles: tuple[str, ...]) -> Floats:
        counts: Ints | Floats = pairs.count
        if "y" not in roles:
            counts = np.bincount(pairs.x, pairs.count) if "x" in roles else np.array([n])
        elif "x" not in roles:
            counts = np.bincount(pairs.y, pairs.count, g)
        return np.asarray(counts / n)

    bits, beyond = total(MUTUAL, mass)
    return Bits(bits, n, -beyond / (2 * n * LOG_2))
