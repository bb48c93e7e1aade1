"""Weight, mean vector and scatter matrix of the complete rows in each group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats, Groups, Statistic, rough_centre, take_out, two_sum
from likely.stats.products import (
    WIDEST,
    FewMembers,
    Gathered,
    Products,
    around,
    height,
    lost_digits,
    members,
    of_deviations,
    unpacked,
    with_weight,
)
from likely.table.column.block import Rows, has_gaps, scratch_like

# Members of a row, as a share of the groups, up to which each group is taken from its own.
FEW = 0.75


@dataclass(frozen=True, slots=True)
class Scatter(Statistic):
    """Centred cross-products of the columns.

    Only rows without a missing cell enter: no sum over pairs of known cells would be the statistic
    of any likelihood. What the others know is the work of EM.

    >>> s = Scatter.collect(np.array([[1.0, 0.0], [3.0, 1.0]]), Groups.one(2))
    >>> s.scatter[0]
    array([[2. , 1. ],
           [1. , 0.5]])
    """

    n: Floats  # (g,) weight of the complete rows
    mean: Floats  # (g, d), 0 where n is 0
    scatter: Floats  # (g, d, d)
    mean_rest: Floats = None  # type: ignore[assignment]  # (g, d) what rounding took from the mean

    def __post_init__(self) -> None:
        if self.mean_rest is None:
            object.__setattr__(self, "mean_rest", np.zeros_like(self.mean))

    @classmethod
    def empty(cls, n_groups: int, width: int) -> Scatter:
        """Nothing seen yet."""
        return cls(np.zeros(n_groups), np.zeros((n_groups, width)), np.zeros((n_groups, width, width)))

    @classmethod
    def collect(cls, rows: Rows, groups: Groups) -> Scatter:
        """Take the cross-products of rows (b, d), dense or sparse; rows with NaN are left out."""
        rows = np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)
        if has_gaps(rows):
            complete = ~np.isnan(rows).any(axis=1)
            rows, groups = rows[complete], groups.where(complete)
        if groups.soft is not None and len(rows):
            settled: Scatter = cls._of_shares(rows, groups.soft).settled()
            return settled
        result = cls.empty(groups.n_groups, rows.shape[1])
        for group, mine, weight in members(rows, groups):
            result.take_alone(group, mine, weight)
        return result

    @classmethod
    def gather(cls, rows: Rows, groups: Groups) -> Scatter | Gathered:
        """As `collect`, but in a form that is added up sooner, where there is one."""
        if groups.soft is not None and isinstance(rows, np.ndarray) and len(rows) > 0:
            gathered = cls._of_shares(rows, groups.soft)
            if not (gathered.gaps if isinstance(gathered, Gathered) else np.isnan(gathered.mean).any()):
                return gathered
        return cls.collect(rows, groups)

    @classmethod
    def _of_shares(cls, rows: Floats, soft: Floats) -> Scatter | Gathered:
        """Of soft groups: all by one product, or each from its few members, whichever is likely to cost less.

        Groups that lie far off lose digits by products. They are then taken from their members.
        """
        most = FEW * soft.shape[1]
        if rows.shape[1] > WIDEST:
            few = FewMembers.of(rows, soft, most)
            return cls._one_by_one(rows, soft) if few is None else cls._from_few(few, rows, soft)
        few = FewMembers.of(rows, soft, _worth_taking(rows, soft.shape[1]))
        if few is not None:
            return cls._from_few(few, rows, soft)
        gathered = Gathered.of(cls, rows, soft, crossed=True)
        lost = np.asarray(gathered.lost().any(axis=1))
        if not lost.any():
            return gathered
        few = FewMembers.of(rows, soft, most)
        return (
            cls.of_products(gathered)._again(lost, rows, soft)
            if few is None
            else cls._from_few(few, rows, soft)
        )

    @classmethod
    def _from_few(cls, few: FewMembers, rows: Floats, soft: Floats) -> Scatter:
        mean, rest, scatter, alone = few.centred()
        return cls(few.n, mean, scatter, rest)._again(alone, rows, soft)

    def _again(self, alone: NDArray[np.bool_], rows: Floats, soft: Floats) -> Scatter:
        """Take some groups (g,) again, in place, from all rows that have a share in them."""
        for group in map(int, np.flatnonzero(alone)):
            self.take_alone(group, *with_weight(rows, soft[:, group]))
        return self

    @classmethod
    def of_products(cls, gathered: Gathered) -> Scatter:
        """From the products of columns, added up in each group."""
        n, total, products = gathered.parts
        squares = unpacked(products, len(gathered.centre))
        apart = np.divide(total, n, out=np.zeros_like(total), where=n > 0)
        mean, rest = two_sum(np.where(n > 0, gathered.centre, 0.0), apart)
        return cls(n[:, 0], mean, squares - total[:, :, None] * apart[:, None, :], rest)

    @classmethod
    def _one_by_one(cls, rows: Floats, soft: Floats) -> Scatter:
        """One group after another, from deviations that are taken once for all."""
        result = cls.empty(soft.shape[1], rows.shape[1])
        centre = rough_centre(rows)
        apart = np.subtract(rows, centre, out=scratch_like("deviations", rows))
        each = [of_deviations(apart, float(weight.sum()), weight) for weight in soft.T]
        for group, (n, moved, scatter, squares) in enumerate(each):
            if not n > 0:
                continue
            result.n[group], result.scatter[group] = n, scatter
            result.mean[group], result.mean_rest[group] = two_sum(centre, moved)
            if lost_digits(np.diagonal(scatter), np.diagonal(squares)):  # it lies far off
                result.take_alone(group, *with_weight(rows, soft[:, group]))
        return result

    def take_alone(self, group: int, mine: Floats, weight: Floats | None) -> None:
        """Fill in one group, from its members."""
        if not len(mine):
            return
        few = mine[:: max(1, len(mine) // 64)]
        # From a member: the centre of a constant column is then its value, to the last bit.
        centre = mine[0] + (few - mine[0]).mean(axis=0)
        n = float(len(mine)) if weight is None else float(weight.sum())
        sums = around(mine, centre, n, weight)
        if lost_digits(np.diagonal(sums[1]), np.diagonal(sums[2])):
            centre = centre + sums[0]
            sums = around(mine, centre, n, weight)
        self.n[group], self.scatter[group] = n, sums[1]
        self.mean[group], self.mean_rest[group] = two_sum(centre, sums[0])

    @property
    def scatter_n(self) -> Floats:
        """The weight behind each scatter matrix, (g,)."""
        return self.n

    @property
    def covariance(self) -> Floats:
        """The maximum-likelihood covariance, scatter / n (0 where nothing was seen), (g, d, d)."""
        n = np.broadcast_to(self.n[:, None, None], self.scatter.shape)
        return np.divide(self.scatter, n, out=np.zeros_like(self.scatter), where=n > 0)

    def __add__(self, other: Scatter | Gathered) -> Scatter:
        other = other.settled()
        n = self.n + other.n
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        delta = (other.mean - self.mean) + (other.mean_rest - self.mean_rest)
        moved = two_sum(self.mean, self.mean_rest + delta * share[:, None])
        mean, rest = np.where((self.n == 0)[:, None], (other.mean, other.mean_rest), moved)
        between = delta[:, :, None] * delta[:, None, :] * (self.n * share)[:, None, None]
        return Scatter(n, mean, self.scatter + other.scatter + between, rest)

    def __sub__(self, other: Scatter) -> Scatter:
        n = np.maximum(take_out(self.n, other.n), 0.0)
        share = np.divide(other.n, n, out=np.zeros_like(n), where=n > 0)
        some = (n > 0)[:, None]
        delta = (self.mean - other.mean) + (self.mean_rest - other.mean_rest)
        mean, rest = np.where(some, two_sum(self.mean, self.mean_rest + delta * share[:, None]), 0.0)
        between = delta[:, :, None] * delta[:, None, :] * (self.n * share)[:, None, None]
        left = self.scatter - other.scatter - between
        return Scatter(n, mean, np.where(some[:, :, None], left, 0.0), rest)

    def __mul__(self, factor: float) -> Scatter:
        n = self.n * factor
        mean, rest = np.where((n > 0)[:, None], (self.mean, self.mean_rest), 0.0)
        return Scatter(n, mean, self.scatter * factor, rest)


def _worth_taking(rows: Floats, n_groups: int) -> float:
    """Up to how many members a row may have for groups to be taken from these, and not by one product.

    Measured, in nanoseconds a row: a product of columns takes .09 for each group; to pick members takes 2
    for each group and 12 for each of their cells, and in each block 17 microseconds for each group and 100
    more. If products are still to be made they did not suit the E step: groups lie so far apart that
    many would be taken again.
    """
    b, d = rows.shape
    products = 0.09 * height(d, True)
    by_products = products * n_groups if Products.held(rows, True) else 2 * products * (n_groups + 6)
    fixed = 2 * n_groups + (17e3 * n_groups + 1e5) / b
    return float((by_products - fixed) / (20 + 12 * d))
