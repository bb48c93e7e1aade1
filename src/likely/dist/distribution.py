"""What every distribution can do: alone, in a batch, and as those of the groups and columns of a block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.numeric.parameters import numbers
from likely.stats.groups import Floats
from likely.table.sparse import Rows

DENSE_CELLS = 1 << 18  # of a sparse block that are written out at a time: 2 MB


@dataclass(frozen=True, slots=True)
class StraightLine:
    """at_centre + slope . (x - centre): from a centre among the values it keeps its digits."""

    slope: Floats  # (d,); NaN where a value is impossible, so that it has none
    centre: Floats  # (d,)
    at_centre: float


class Distribution(ABC):
    """A frozen dataclass of parameters, arrays whose leading axes are any batch of distributions.

    Of the cells of a block, the batch is g groups by d columns (g groups, if a value is a whole row).
    `mean`, `variance` and `sd` are cached properties, so that a subclass may have them as fields.
    """

    parameter_axes: ClassVar[int] = 0  # trailing axes of the first parameter that are no batch
    event_axes: ClassVar[int] = 0  # trailing axes of x that make one value
    rest_name: ClassVar[str | None] = None  # what the log-probability of a row has beyond its terms

    @cached_property
    def mean(self) -> Floats:
        """The expectation."""
        raise NotImplementedError

    @cached_property
    def variance(self) -> Floats:
        """The expected squared deviation from the mean."""
        raise NotImplementedError

    @cached_property
    def sd(self) -> Floats:
        """The standard deviation."""
        return np.sqrt(self.variance)

    @abstractmethod
    def entropy(self) -> Floats:
        """The expected surprise -log P(x), in nats."""

    @classmethod
    def inside(cls, x: Floats) -> NDArray[np.bool_]:
        """Which numbers the support allows; NaN is not one."""
        return np.asarray(np.isfinite(x))

    @abstractmethod
    def _log_prob(self, x: Floats) -> Floats:
        """The log-probability of values in the support."""

    @abstractmethod
    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        """Independent draws of a shape that ends with the batch."""

    def log_prob(self, x: ArrayLike) -> Floats:
        """The log of the mass or density of x: NaN if x is NaN, -inf outside the support."""
        values = numbers("x", x)
        inside = self.inside(values)
        with np.errstate(all="ignore"):
            found = self._log_prob(np.where(inside, values, np.nan))
        missing, outside = np.isnan(values), ~inside
        if self.event_axes:
            axes = tuple(range(-self.event_axes, 0))
            missing, outside = np.any(missing, axis=axes), np.any(outside, axis=axes)
        return np.where(missing, np.nan, np.where(outside, -np.inf, found))[()]

    def prob(self, x: ArrayLike) -> Floats:
        """The mass or density of x."""
        return np.exp(self.log_prob(x))

    def sample(self, n: int, random_state: Any = None) -> Any:
        """Draw n times from each distribution of the batch."""
        return self._draw(np.random.default_rng(random_state), (n, *self.batch))

    @property
    def batch(self) -> tuple[int, ...]:
        """The shape of the batch, () for a single distribution."""
        first: Floats = next(iter(self._arrays().values()))
        return first.shape[: first.ndim - self.parameter_axes]

    def take(self, index: Any) -> Self:
        """The distributions at these places of the batch."""
        return self._with(**{name: array[index] for name, array in self._arrays().items()})

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        out = np.empty((rows.shape[0], self.batch[0]))
        for at, cells in dense_parts(rows):
            for group in range(self.batch[0]):
                out[at, group] = without_missing(self.take(group).log_prob(cells)).sum(axis=1)
        return out

    def terms(self, rows: Rows) -> Floats:
        """What each column adds to the log-probability of each row in each group, (b, g, d)."""
        return without_missing(self.log_prob(dense(rows)[:, None, :]))

    def relative(self, rows: Rows, evidence: bool = True) -> tuple[Floats, Floats | float]:
        """`group_log_prob` in two: what tells groups apart, (b, g), and what all groups share, (b,).

        The sum is the same; apart, the differences between groups keep digits that a large common
        part would take. Where the evidence is not asked for, finite parts that all share may be left out.
        """
        return self.group_log_prob(rows), 0.0

    def relative_terms(self, rows: Rows) -> Floats:
        """The terms, up to what all groups share of each, (b, g, d)."""
        return self.terms(rows)

    def linear_odds(self, a: int, b: int) -> StraightLine | None:
        """log P(row given group a) - log P(row given group b), if it is linear in the cells; else None."""
        return None

    def rest(self, rows: Rows) -> Floats | None:
        """What `group_log_prob` has beyond the sum of the terms, (b, g); None if nothing."""
        return None

    def sample_rows(self, groups: ArrayLike, rng: np.random.Generator) -> Any:
        """Draw one row for each of these codes of groups, (n, d)."""
        rows = self.take(np.asarray(groups, np.intp))
        return rows._draw(rng, rows.batch)

    def as_column(self) -> Self:
        """A batch (g,) as g groups of one column."""
        return self._with(**{name: array[:, None] for name, array in self._arrays().items()})

    def groups_in_line(self) -> Self:
        """A batch (n, g, d) as n * g groups."""
        arrays, groups = self._arrays().items(), self.batch[0] * self.batch[1]
        return self._with(**{name: array.reshape(groups, *array.shape[2:]) for name, array in arrays})

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """The parameters of one group and column in a few words."""
        return repr(self.take((group, column)))

    @property
    def n_numbers(self) -> int:
        """How many numbers the parameters of the whole batch are."""
        return sum(array.size for array in self._arrays().values())

    def _arrays(self) -> dict[str, Floats]:
        own = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        return {name: value for name, value in own.items() if isinstance(value, np.ndarray)}

    def _set(self, **values: Any) -> None:
        # Frozen for everyone but the constructor.
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _with(self, **changes: Any) -> Self:
        return replace(self, **changes)  # type: ignore[type-var]

    def __repr__(self) -> str:
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.repr}  # type: ignore[arg-type]
        shown = (f"{name}={_plain(value)}" for name, value in own.items() if value is not None)
        return f"{type(self).__name__}({', '.join(shown)})"


def dense_parts(rows: Rows) -> Iterator[tuple[slice, Floats]]:
    """The rows as arrays of floats: all at once if they are one, else so few at a time that they fit."""
    step = rows.shape[0] if isinstance(rows, np.ndarray) else max(1, DENSE_CELLS // max(rows.shape[1], 1))
    for start in range(0, rows.shape[0], max(step, 1)):
        at = slice(start, min(start + step, rows.shape[0]))
        yield at, dense(rows[at])


def dense(rows: Rows) -> Floats:
    """The rows as an array of floats; a view if they are one."""
    return np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)


def without_missing(values: Floats) -> Floats:
    """The values, 0 where there is none: a missing cell adds no evidence."""
    return np.where(np.isnan(values), 0.0, values)


def short(value: float) -> str:
    """A number to three figures, for people.

    >>> short(38.2467), short(123456.7), short(0.5)
    ('38.2', '123457', '0.5')
    """
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e9 else f"{value:.3g}"


def _plain(value: object) -> str:
    return repr(value.item()) if isinstance(value, np.ndarray) and not value.ndim else repr(value)
