"""Rows in groups, each in one (hard) or in all by weights (soft), and what every statistic of them can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.table.column.block import Rows, SparseRows, made_of_columns, turned

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

# Below this many groups a product with the 0/1 membership matrix beats one bincount a column
# (measured: 5 groups 3x faster, level near 40).
FEW_GROUPS = 32
COMPARED = 4  # groups that are counted sooner by comparing every row with each
LARGEST = 1e300  # the square of the largest value that the tables let through
DUST = 1e-12  # share of a sum that rounding may leave when all of it is taken out
NEAR = 0.9  # share of the mean square that the squared mean may be, for 0 to do as a centre: 3 sds


@dataclass(frozen=True)
class Groups:
    """The membership of n rows in g groups.

    Exactly one of `codes` (hard) and `soft` is given; `weight` goes with `codes`.

    >>> Groups.hard([0, 1, 1], 2).sum(np.array([[1.0], [2.0], [3.0]]))
    array([[1.],
           [5.]])
    """

    n_groups: int
    codes: Ints | None = None  # (n,)
    weight: Floats | None = None  # (n,)
    soft: Floats | None = None  # (n, g)

    @classmethod
    def hard(cls, codes: ArrayLike, n_groups: int, weight: ArrayLike | None = None) -> Groups:
        """Row i belongs to group codes[i], with weight[i] (1 if not given)."""
        return cls(
            n_groups,
            np.asarray(codes, np.intp),
            None if weight is None else np.asarray(weight, np.float64),
        )

    @classmethod
    def softly(cls, weights: ArrayLike) -> Groups:
        """Row i belongs to group j with weights[i, j]."""
        soft = np.asarray(weights, np.float64)
        return cls(soft.shape[1], soft=soft)

    @classmethod
    def one(cls, n: int, weight: ArrayLike | None = None) -> Groups:
        """All rows in a single group."""
        return cls.hard(np.zeros(n, np.intp), 1, weight)

    def weighed(self, weight: Floats | None) -> Groups:
        """The same membership, of rows that weigh so much besides."""
        if weight is None:
            return self
        if self.soft is not None:
            return Groups.softly((self.soft.T * weight).T)  # in the order in which the shares lie
        assert self.codes is not None
        return Groups.hard(self.codes, self.n_groups, weight if self.weight is None else self.weight * weight)

    def __len__(self) -> int:
        whole = self.codes if self.codes is not None else self.soft
        assert whole is not None
        return len(whole)

    def rows(self, start: int, stop: int) -> Groups:
        """The membership of rows start to stop, as a view."""
        return self.where(slice(start, stop))

    def where(self, chosen: slice | NDArray[Any] | np.bool_) -> Groups:
        """The membership of the chosen rows: a slice (then a view), a mask or indices."""
        return Groups(
            self.n_groups,
            None if self.codes is None else self.codes[chosen],
            None if self.weight is None else self.weight[chosen],
            None if self.soft is None else self.soft[chosen],
        )

    @cached_property
    def matrix(self) -> Floats:
        """The weight of each row in each group, (n, g); kept, for every column of a block asks for it."""
        if self.soft is not None:
            return self.soft
        assert self.codes is not None
        # Rows of the unit matrix: made in half the time of comparisons, and multiplied in two thirds.
        weights = _unit(self.n_groups).take(self.codes, axis=0)
        if self.weight is not None:
            weights *= self.weight[:, None]
        return weights

    def column(self, group: int) -> Floats:
        """The weight of each row in one group, (n,)."""
        if self.soft is not None:
            return self.soft[:, group]
        assert self.codes is not None
        weights = np.equal(self.codes, group).astype(np.float64)
        if self.weight is not None:
            weights *= self.weight
        return weights

    @cached_property
    def members(self) -> list[Ints]:
        """The rows of each hard group, in order; kept, for every column asks for them."""
        assert self.codes is not None
        order = np.argsort(self.codes, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.codes, minlength=self.n_groups))[:-1])

    @cached_property
    def total(self) -> Floats:
        """The weight of each group, (g,)."""
        if self.soft is not None:
            return np.asarray(self.soft.sum(axis=0))
        assert self.codes is not None
        if self.weight is None and self.n_groups <= COMPARED:  # sums in one place wait for each other
            counts = [np.count_nonzero(self.codes == group) for group in range(self.n_groups - 1)]
            return np.array([*counts, len(self.codes) - sum(counts)], float)
        return np.bincount(self.codes, self.weight, self.n_groups).astype(np.float64)

    def sum(self, values: Rows) -> Floats:
        """Add up rows of values (n, d), dense or sparse, within each group: (g, d)."""
        if not isinstance(values, np.ndarray):
            return self._sum_sparse(values)
        if self.n_groups == 1:
            return np.asarray(self.matrix[:, 0] @ values)[None]
        if self.soft is not None or self.n_groups <= FEW_GROUPS:
            return np.asarray(self.matrix.T @ values)
        assert self.codes is not None
        sums = np.empty((self.n_groups, values.shape[1]))
        for j in range(values.shape[1]):
            column = values[:, j] if self.weight is None else values[:, j] * self.weight
            sums[:, j] = np.bincount(self.codes, column, self.n_groups)
        return sums

    def _sum_sparse(self, values: SparseRows) -> Floats:
        if self.codes is None:
            assert self.soft is not None
            return np.asarray(turned(values.tocsr()) @ self.soft).T
        # Every cell goes to one place of the (g, d) sums laid end to end: one addition, not one a group.
        values = values.tocsr()
        d, cells = values.shape[1], self.n_groups * values.shape[1]
        small = np.int32 if cells < 2**31 else np.int64
        places = np.repeat((self.codes * d).astype(small), np.diff(values.indptr))
        places += values.indices
        weight = np.ones(len(self)) if self.weight is None else self.weight
        return np.asarray(made_of_columns(values.data, places, values.indptr, cells) @ weight).reshape(
            self.n_groups, d
        )


@cache
def _unit(n: int) -> Floats:
    """The unit matrix, made once."""
    return np.eye(n)


def take_out(whole: Floats, part: Floats) -> Floats:
    """The whole less the part; nothing, where no more than rounding is left."""
    left = whole - part
    return np.where(np.abs(left) <= DUST * np.abs(whole), 0.0, left)


def exceeds(part: Floats, whole: Floats) -> NDArray[np.bool_]:
    """Where a part is more than the whole, by more than rounding makes of equal weights."""
    return np.asarray(part > whole * (1 + 1e-9))


class Statistic(ABC):
    """Data only, never a prior: what was seen in each of g groups.

    Subclasses are frozen dataclasses whose array fields have the groups on their first axis.
    """

    @abstractmethod
    def __add__(self, other: Self) -> Self:
        """Statistic of the rows of both."""

    @abstractmethod
    def __sub__(self, other: Self) -> Self:
        """Statistic of the rows that are left when those of `other` are taken out."""

    @abstractmethod
    def __mul__(self, factor: float) -> Self:
        """Statistic with every row's weight multiplied."""

    @classmethod
    def gather(cls, rows: Rows, groups: Groups) -> Any:
        """The statistic of rows in a form that is quick to add, and to be `settled` when all are."""
        return cls.collect(rows, groups)  # type: ignore[attr-defined]

    def settled(self) -> Self:
        """The statistic in its final form."""
        return self

    def _arrays(self) -> dict[str, Floats]:
        own = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        return {name: value for name, value in own.items() if isinstance(value, np.ndarray)}

    def _with(self, **changes: Any) -> Self:
        return replace(self, **changes)  # type: ignore[type-var]

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return len(next(iter(self._arrays().values())))

    def exceeds(self, whole: Self) -> NDArray[np.bool_]:
        """For each column (or for all, where they are one) whether there is more here than in the whole."""
        mine, theirs = self.n, whole.n  # type: ignore[attr-defined]
        return np.atleast_1d(exceeds(mine, theirs).any(axis=0))

    def in_range(self) -> bool:
        """Whether all numbers are finite, and none so large that it must come from a value beyond use."""
        # One sum of squares tells, as a rule. Else two looks for the extremes make no array of answers; NaN
        # is neither above nor below.
        arrays = [a for a in self._arrays().values() if not np.vdot(a, a) < LARGEST]
        return all(a.max(initial=0.0) < LARGEST and a.min(initial=0.0) > -LARGEST for a in arrays)

    def regroup(self, index: NDArray[np.intp], n_groups: int) -> Self:
        """Move group i to place index[i] among n_groups; places nobody moves to are empty."""
        moved = {}
        for name, array in self._arrays().items():
            moved[name] = np.zeros((n_groups, *array.shape[1:]))
            moved[name][index] = array
        return self._with(**moved)

    def only(self, groups: NDArray[np.intp]) -> Self:
        """Some of the groups."""
        return self._with(**{name: array[groups] for name, array in self._arrays().items()})

    def pooled(self) -> Self:
        """All groups added into one."""
        return self._each(0, self.n_groups)

    def _each(self, start: int, stop: int) -> Self:
        # Halving keeps the rounding error of long sums logarithmic in the number of groups.
        if stop - start == 1:
            return self._with(**{name: a[start:stop] for name, a in self._arrays().items()})
        middle = (start + stop) // 2
        return self._each(start, middle) + self._each(middle, stop)


class Additive(Statistic):
    """A statistic whose arrays simply add."""

    def __add__(self, other: Self) -> Self:
        theirs = other._arrays()
        return self._with(**{name: a + theirs[name] for name, a in self._arrays().items()})

    def __sub__(self, other: Self) -> Self:
        theirs = other._arrays()
        return self._with(**{name: take_out(a, theirs[name]) for name, a in self._arrays().items()})

    def __mul__(self, factor: float) -> Self:
        return self._with(**{name: a * factor for name, a in self._arrays().items()})

    def pooled(self) -> Self:
        """All groups added into one."""
        return self._with(**{name: a.sum(axis=0, keepdims=True) for name, a in self._arrays().items()})


def rough_centre(rows: Floats) -> Floats:
    """Where to measure from: the mean of a few rows spread over the block is near enough, and nearly free.

    All zeros, which costs nothing at all, if every column's mean lies within a few sds of 0.
    """
    few = rows[:: max(1, len(rows) // 64)]
    missing = np.isnan(few)
    n = np.maximum(len(few) - missing.sum(axis=0), 1)
    few = np.where(missing, 0.0, few)
    centre: Floats = few.sum(axis=0) / n
    squares = np.square(few).sum(axis=0) / n
    return np.zeros_like(centre) if (centre * centre <= NEAR * squares).all() else centre


def two_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The rounded sum, and exactly what rounding took away.

    >>> import numpy as np
    >>> two_sum(np.float64(1e16), np.float64(1.5))
    (np.float64(1.0000000000000002e+16), np.float64(-0.5))
    """
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)
