"""Who belongs where: each row in one group (hard), or in every group by a weight (soft)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.table.sparse import Rows, SparseRows, made_of_columns, turned

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

# Below this many groups a product with the 0/1 membership matrix beats one bincount a column
# (measured: 5 groups 3x faster, level near 40).
FEW_GROUPS = 32


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
    def total(self) -> Floats:
        """The weight of each group, (g,)."""
        if self.soft is not None:
            return np.asarray(self.soft.sum(axis=0))
        assert self.codes is not None
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
