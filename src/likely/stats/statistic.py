"""What every statistic can do: be added, subtracted, scaled, and have its groups rearranged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats
from likely.table.sparse import Rows

if TYPE_CHECKING:
    from likely.stats.groups import Groups

LARGEST = 1e300  # the square of the largest value that the tables let through


DUST = 1e-12  # share of a sum that rounding may leave when all of it is taken out


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
