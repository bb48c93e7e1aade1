"""What every distribution can do, alone or in a batch, and its parameters: checked, and as arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.numeric.own_group import OwnGroup
from likely.dist.numeric.pieces import Pieces
from likely.errors import LikelyError
from likely.stats.groups import Floats, Ints
from likely.table.column.block import Rows

SUM_TOLERANCE = 1e-9
# Columns of different numbers of levels side by side: column j has sizes[j] of the K places.
# None is a single column of K levels that has no axis of its own.
Sizes = tuple[int, ...] | None
DENSE_CELLS = 1 << 18  # of a sparse block that are written out at a time: 2 MB


def numbers(name: str, value: ArrayLike) -> Floats:
    """The value as an array of floats.

    >>> numbers("rate", "three")
    Traceback (most recent call last):
    likely.errors.LikelyError: rate='three' is not a number: give a number, or an array of numbers.
    """
    try:
        return np.asarray(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise LikelyError(
            f"{name}={value!r} is not a number: give a number, or an array of numbers."
        ) from None


def finite(name: str, value: ArrayLike) -> Floats:
    """The value, if it is finite."""
    array = numbers(name, value)
    return demand(name, array, np.isfinite(array), "it must be finite; leave missing values out")


def positive(name: str, value: ArrayLike) -> Floats:
    """The value, if it is above 0.

    >>> positive("sd", [1.0, -2.0])
    Traceback (most recent call last):
    likely.errors.LikelyError: sd=-2.0: it must be above 0 and finite.
    """
    array = numbers(name, value)
    return demand(name, array, (array > 0) & np.isfinite(array), "it must be above 0 and finite")


def not_negative(name: str, value: ArrayLike) -> Floats:
    """The value, if it is 0 or above."""
    array = numbers(name, value)
    return demand(name, array, (array >= 0) & np.isfinite(array), "it must be 0 or above, and finite")


def weights(value: ArrayLike | None, n: int) -> Floats | None:
    """The weights of n rows, if each is 0 or above; None for none.

    >>> weights([1, -1, 2], 3)
    Traceback (most recent call last):
    likely.errors.LikelyError: weight=-1.0: it must be 0 or above, and finite.
    """
    if value is None:
        return None
    array = not_negative("weight", value)
    if array.shape != (n,):
        raise LikelyError(f"weight of shape {array.shape}: give a list of {n}, one for each value.")
    return array


def probability(name: str, value: ArrayLike) -> Floats:
    """The value, if it is from 0 to 1."""
    array = numbers(name, value)
    return demand(name, array, (array >= 0) & (array <= 1), "a probability is a number from 0 to 1")


def adding_to_one(name: str, value: Floats, total: Floats) -> Floats:
    """The value, if the totals of its probabilities are 1."""
    demand(
        f"the sum of {name}",
        total,
        np.abs(total - 1) <= SUM_TOLERANCE,
        "probabilities add up to 1; divide them by their sum",
    )
    return value


def demand(name: str, array: Floats, good: NDArray[np.bool_], remedy: str) -> Floats:
    """The array, if it is good everywhere; otherwise its first bad value is named."""
    if not good.all():
        raise LikelyError(f"{name}={array[~good].flat[0]}: {remedy}.")
    return array


def together(*arrays: Floats) -> tuple[Any, ...]:
    """The arrays brought to one shape."""
    return np.broadcast_arrays(*arrays)


def places(columns: ArrayLike, width: int) -> Ints:
    """The places of some of the columns, each once."""
    chosen = np.atleast_1d(np.asarray(columns, np.intp))
    if len(np.unique(chosen)) < len(chosen) or not ((chosen >= 0) & (chosen < width)).all():
        raise LikelyError(f"columns={chosen.tolist()!r}: give places from 0 to {width - 1}, each once.")
    return chosen


def check_sizes(sizes: Sizes, width: int) -> Sizes:
    """The sizes, if they share out `width` places."""
    if sizes is not None and sum(sizes) != width:
        raise LikelyError(f"sizes={sizes!r} add up to {sum(sizes)}: they must add up to {width} places.")
    return None if sizes is None else tuple(int(size) for size in sizes)


def starts(sizes: tuple[int, ...]) -> Ints:
    """Where each column's places begin, (d,)."""
    return np.cumsum((0, *sizes))[:-1].astype(np.intp)


def column_sums(places: Floats, sizes: Sizes) -> Floats:
    """Add up (..., K) within each column: (..., d), or (...) for a single column.

    >>> column_sums(np.array([1.0, 2.0, 3.0]), (2, 0, 1))
    array([3., 0., 3.])
    """
    return _reduced(np.add, places, sizes)


def column_max(places: Floats, sizes: Sizes) -> Floats:
    """The largest of (..., K) within each column: (..., d), or (...) for a single column; 0 of none.

    >>> column_max(np.array([1.0, 2.0, 3.0]), (2, 0, 1))
    array([2., 0., 3.])
    """
    return _reduced(np.maximum, places, sizes)


def _reduced(how: np.ufunc, places: Floats, sizes: Sizes) -> Floats:
    if sizes is None:
        return np.asarray(how.reduce(places, axis=-1))
    out = np.zeros((*places.shape[:-1], len(sizes)))
    # reduceat would give an empty column its neighbour's first place.
    filled = np.flatnonzero(sizes)
    if len(filled):
        out[..., filled] = how.reduceat(places, starts(sizes)[filled], axis=-1)
    return out


def spread_out(columns: Floats, sizes: Sizes) -> Floats:
    """Repeat (..., d) at each place of the columns: (..., K); (..., 1) for a single column.

    >>> spread_out(np.array([3.0, 0.0, 4.0]), (2, 0, 1))
    array([3., 3., 4.])
    """
    return columns[..., None] if sizes is None else np.repeat(columns, sizes, axis=-1)


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
            log_p = self._log_prob(np.where(inside, values, np.nan))
        missing, outside = np.isnan(values), ~inside
        if self.event_axes:
            axes = tuple(range(-self.event_axes, 0))
            missing, outside = np.any(missing, axis=axes), np.any(outside, axis=axes)
        return np.where(missing, np.nan, np.where(outside, -np.inf, log_p))[()]

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

    def own_group(self, log_weights: Floats) -> OwnGroup | None:
        """What tells rows that can be of one group only, where groups of these weights (g,) lie apart."""
        return None

    def relative_terms(self, rows: Rows) -> Floats:
        """The terms, up to what all groups share of each, (b, g, d)."""
        return self.terms(rows)

    def linear_odds(self, a: int, b: int) -> StraightLine | None:
        """log P(row given group a) - log P(row given group b), if it is linear in the cells; else None."""
        return None

    def pieces(self, column: int) -> Pieces | None:
        """log P(cell given group) of one column, up to what all groups share; None if there is no formula."""
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

    >>> short(38.2467), short(123456.7), short(999.96), short(0.5)
    ('38.2', '123457', '1000', '0.5')
    """
    return f"{value:.0f}" if 999.5 <= abs(value) < 1e9 else f"{value:.3g}"


def _plain(value: object) -> str:
    return repr(value.item()) if isinstance(value, np.ndarray) and not value.ndim else repr(value)
