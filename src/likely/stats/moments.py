"""Weight, mean and squared deviations of each column in each group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats, Groups, Statistic, rough_centre, take_out, two_sum
from likely.stats.products import CANCELLATION, FewMembers, Gathered
from likely.stats.sums import sums_of_known
from likely.table.column.block import Rows, SparseRows, scratch_like

STEP = 1 << 11  # rows at a time: what is squared is still in the nearest cache when it is added up
FEW = 2.0  # groups that a row matters to: with no more of them, each group is taken from its own rows
MANY = 100  # columns: with more, a table of them and their squares does not stay in any cache


@dataclass(frozen=True, slots=True)
class Moments(Statistic):
    """Centred moments, so that a shift of the data costs no digits that the data themselves have.

    >>> m = Moments.collect(np.array([[1.0], [3.0]]), Groups.one(2))
    >>> m.n.item(), m.mean.item(), m.scatter.item()
    (2.0, 2.0, 2.0)
    """

    n: Floats  # (g, d) weight of the known cells
    mean: Floats  # (g, d), 0 where n is 0
    scatter: Floats  # (g, d) sum of squared deviations from the mean
    mean_rest: Floats = None  # type: ignore[assignment]  # (g, d) what rounding took from the mean

    def __post_init__(self) -> None:
        if self.mean_rest is None:
            object.__setattr__(self, "mean_rest", np.zeros_like(self.mean))

    @classmethod
    def empty(cls, n_groups: int, width: int) -> Moments:
        """Nothing seen yet."""
        return cls(*(np.zeros((n_groups, width)) for _ in range(3)))

    @classmethod
    def collect(cls, rows: Rows, groups: Groups) -> Moments:
        """Take the moments of rows (b, d), dense or sparse; NaN is missing."""
        moments: Moments = cls.gather(rows, groups).settled()
        return moments

    @classmethod
    def gather(cls, rows: Rows, groups: Groups) -> Moments | Gathered:
        """As `collect`, but in a form that is added up sooner, where there is one."""
        if not isinstance(rows, np.ndarray):
            return _collect_sparse(rows, groups)
        if not len(rows):
            return cls.empty(groups.n_groups, rows.shape[1])
        rows = np.asarray(rows, np.float64)
        held: Gathered | None = None
        if groups.soft is not None and rows.shape[1] <= MANY:
            held = Gathered.of(cls, rows, groups.soft, crossed=False)
        if held is not None and not held.gaps:
            if not held.lost().any():
                return held
            few = FewMembers.of(rows, groups.soft, FEW) if groups.soft is not None else None
            if few is not None:
                return cls._of_few(few, rows, groups)
            centre, (n, total, squares) = held.centre, held.parts
            n = np.repeat(n, len(centre), axis=1)
        else:
            centre = rough_centre(rows) if groups.codes is None else _centre_or_centres(rows, groups)
            total, squares, n = _sums_around(centre, rows, groups, gaps=held is not None)
        moments, lost = cls.of_sums(centre, total, squares, n)
        if lost.any():
            _again(rows, groups, n, (moments.mean, moments.scatter, moments.mean_rest), lost)
        return moments

    @classmethod
    def _of_few(cls, few: FewMembers, rows: Floats, groups: Groups) -> Moments:
        """Of soft groups that lie apart, from the few rows that matter to each."""
        mean, rest, scatter, alone = few.centred()
        n = np.repeat(few.n[:, None], rows.shape[1], axis=1)
        moments = cls(n, mean, np.einsum("gii->gi", scatter).copy(), rest)
        if alone.any():
            lost = np.repeat(alone[:, None], rows.shape[1], axis=1)
            _again(rows, groups, n, (moments.mean, moments.scatter, moments.mean_rest), lost)
        return moments

    @classmethod
    def of_products(cls, gathered: Gathered) -> Moments:
        """From the squares of columns, added up in each group."""
        n, total, squares = gathered.parts
        return cls.of_sums(gathered.centre, total, squares, np.repeat(n, len(gathered.centre), axis=1))[0]

    @classmethod
    def of_sums(
        cls, centre: Floats, total: Floats, squares: Floats, n: Floats
    ) -> tuple[Moments, NDArray[np.bool_]]:
        """From sums of deviations and of their squares, by group and column; and where digits were lost."""
        apart = np.divide(total, n, out=np.zeros_like(n), where=n > 0)
        scatter = np.maximum(squares - n * apart * apart, 0.0)
        mean, rest = two_sum(np.where(n > 0, centre, 0.0), apart)
        return cls(n, mean, scatter, rest), scatter * CANCELLATION < squares

    @property
    def variance(self) -> Floats:
        """The maximum-likelihood variance, scatter / n (0 where nothing was seen)."""
        return np.divide(self.scatter, self.n, out=np.zeros_like(self.n), where=self.n > 0)

    def __add__(self, other: Moments | Gathered) -> Moments:
        other = other.settled()
        n = self.n + other.n
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        delta = (other.mean - self.mean) + (other.mean_rest - self.mean_rest)
        scatter = self.scatter + other.scatter + delta * delta * (self.n * share)
        mean, rest = two_sum(self.mean, self.mean_rest + delta * share)
        # An empty side hands over the other's mean untouched, to the last bit.
        mean, rest = np.where(self.n == 0, (other.mean, other.mean_rest), (mean, rest))
        return Moments(n, mean, scatter, rest)

    def __sub__(self, other: Moments) -> Moments:
        n = np.maximum(take_out(self.n, other.n), 0.0)
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        delta = (self.mean - other.mean) + (self.mean_rest - other.mean_rest)
        mean, rest = np.where(n > 0, two_sum(self.mean, self.mean_rest + delta * share), 0.0)
        left = self.scatter - other.scatter - delta * delta * (self.n * share)
        return Moments(n, mean, np.where(n > 0, np.maximum(left, 0.0), 0.0), rest)

    def __mul__(self, factor: float) -> Moments:
        n = self.n * factor
        mean, rest = np.where(n > 0, (self.mean, self.mean_rest), 0.0)
        return Moments(n, mean, self.scatter * factor, rest)


def _centre_or_centres(rows: Floats, groups: Groups) -> Floats:
    """Where to measure from: one centre (d,) or, where hard groups lie far apart, one for each (g, d).

    A few rows tell. If they mislead, what lost digits is taken again, which costs as much as the first time.
    """
    centre = rough_centre(rows)
    every = slice(None, None, max(1, len(rows) // max(64, 16 * groups.n_groups)))
    few, mine = rows[every], groups.where(every)
    known = ~np.isnan(few)
    n = mine.sum(known.astype(np.float64))
    if groups.n_groups == 1 or not (n > 0).all():
        return centre
    with np.errstate(over="ignore", invalid="ignore"):
        own = mine.sum(np.where(known, few, 0.0)) / n
        within = np.square(np.where(known, few - own[mine.codes], 0.0)).sum(axis=0) / known.sum(axis=0)
        far = np.square(own - centre) > CANCELLATION / 2 * within
    return own if far.any() and np.isfinite(own).all() else centre


def _sums_around(
    centre: Floats, rows: Floats, groups: Groups, gaps: bool = False
) -> tuple[Floats, Floats, Floats]:
    """By group and column: deviations from a centre, their squares and the known cells, added up.

    The centre is one for all (d,), or each (hard) group has its own (g, d).
    """
    total, squares, n = (np.zeros((groups.n_groups, rows.shape[1])) for _ in range(3))
    own, moved = centre.ndim == 2, bool(centre.any())
    for start in range(0, len(rows), STEP):
        part, mine = rows[start : start + STEP], groups.rows(start, start + STEP)
        work = scratch_like("deviations", part)
        deviations = np.subtract(part, centre[mine.codes] if own else centre, out=work) if moved else part
        if gaps:
            known = ~np.isnan(part)
            np.copyto(work, deviations)
            work[~known] = 0.0
            deviations = work
            n += mine.sum(known.astype(np.float64))
        total += mine.sum(deviations)
        squares += mine.sum(np.square(deviations, out=work))
    if gaps or not np.isnan(total).any():
        return total, squares, n if gaps else n + groups.total[:, None]
    return _sums_around(centre, rows, groups, gaps=True)


def _again(
    rows: Floats, groups: Groups, n: Floats, arrays: tuple[Floats, ...], lost: NDArray[np.bool_]
) -> None:
    """Take mean, scatter and rest again, in place, for the groups and columns that lost digits."""
    mean = arrays[0]
    if groups.soft is None:
        columns = np.flatnonzero(lost.any(axis=0))
        mine = rows if len(columns) == rows.shape[1] else rows[:, columns]
        taken = _from_own_mean(mine, groups, n[:, columns], mean[:, columns])
        for array, new in zip(arrays, taken, strict=True):
            array[:, columns] = new
        return
    for group in map(int, np.flatnonzero(lost.any(axis=1))):
        columns, at = np.flatnonzero(lost[group]), slice(group, group + 1)
        inside = np.flatnonzero(groups.column(group))
        alone = Groups.one(len(inside), groups.column(group)[inside])
        mine = rows[inside[:, None], columns]
        taken = _from_own_mean(mine, alone, n[at, columns], mean[at, columns])
        for array, new in zip(arrays, taken, strict=True):
            array[at, columns] = new


def _from_own_mean(rows: Floats, groups: Groups, n: Floats, mean: Floats) -> tuple[Floats, ...]:
    """Mean, scatter and rest from direct differences to a group's rough mean, of hard groups.

    The rest that the first round finds is taken out of the squares. If little is left of them, the mean was
    so rough that the rest mends it for a second round. A column that is constant in a group then leaves
    no rest: its scatter is exactly 0.
    """
    weight = np.where(n > 0, n, 1.0)
    for _ in range(2):
        total, squares, _ = _sums_around(mean, rows, groups)
        rest = total / weight
        scatter = np.maximum(squares - n * rest * rest, 0.0)
        better, left = two_sum(mean, rest)
        if not (scatter * CANCELLATION < squares).any():
            break
        mean = better
    return better, scatter, left


def _collect_sparse(rows: SparseRows, groups: Groups) -> Moments:
    """Around 0, where most cells are; columns that lose digits so are few and are taken as dense."""
    rows = rows.astype(np.float64)  # squares of small integers would overflow their own type
    n, total, _ = sums_of_known(rows, groups)
    squares = sums_of_known(rows.multiply(rows).tocsr(), groups)[1]
    mean = np.divide(total, n, out=np.zeros_like(n), where=n > 0)
    scatter = np.maximum(squares - n * mean * mean, 0.0)
    rest = np.zeros_like(mean)
    lost = np.flatnonzero((scatter * CANCELLATION < squares).any(axis=0))
    if len(lost):
        dense = Moments.collect(rows[:, lost].toarray(), groups)
        n[:, lost], mean[:, lost], scatter[:, lost] = dense.n, dense.mean, dense.scatter
        rest[:, lost] = dense.mean_rest
    return Moments(n, mean, scatter, rest)
