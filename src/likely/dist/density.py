"""Densities that have no formula: each group and column has its own, of a shape that the data give."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import dense
from likely.dist.family import HOW, Family, PriorWord
from likely.dist.numeric.value_grid import LEAST
from likely.dist.prior import LevelNames, Prior
from likely.dist.univariate import Ends, Univariate
from likely.errors import LikelyError
from likely.stats.binned import Cells
from likely.stats.dyadic_grid import EXACT, Packed
from likely.stats.groups import Floats
from likely.table.column.block import Rows
from likely.table.column.kinds import Kind


class Density(ABC):
    """The density of one column in one group."""

    mean: float
    variance: float

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest possible value."""
        return -np.inf, np.inf

    @abstractmethod
    def log_prob(self, x: Floats) -> Floats:
        """The log density at finite x."""

    @abstractmethod
    def cdf(self, x: Floats) -> Floats:
        """The probability of a value up to finite x."""

    @abstractmethod
    def sf(self, x: Floats) -> Floats:
        """The probability of a value above finite x."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        """Independent draws."""

    def redrawn(self, rng: np.random.Generator, n: int) -> list[Density]:
        """With parameters drawn from what is believed of them; itself, if its shape is taken as known."""
        return [self] * n

    @abstractmethod
    def entropy(self) -> float:
        """In nats."""

    @abstractmethod
    def words(self) -> str:
        """What it looks like, in a few words."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.words()})"


class NoPrior(Prior):
    """The conjugate prior of families that have none: nothing is one."""


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Densities(Univariate, Family):
    """A batch of densities, made of the cells that the values lie in.

    A family says how `made`: from the cells of a group, and how many imagined rows smooth them. A group
    without rows has the density of its column; so has every group where the column is constant, which
    is then never evidence. The shape is no parameter to sum out: every estimate but "ml" is the same.
    """

    kinds = (Kind.QUANTITATIVE, Kind.COUNT)
    statistic = Cells
    conjugate = NoPrior

    parts: NDArray[Any]  # of Density

    def __init__(self, parts: Any) -> None:
        self._set(parts=np.asarray(parts, object))

    @classmethod
    @abstractmethod
    def made(cls, seen: Packed, column: Packed, strength: float) -> Density:
        """The density of the cells seen in a group (never none), and in all groups of the column."""

    @classmethod
    def maker(cls, column: Packed, strength: float) -> Callable[[Packed], Density]:
        """What makes the density of a group of its cells; what all groups have in common is made once."""
        return lambda seen: cls.made(seen, column, strength)

    @classmethod
    def group_maker(cls, stat: Cells, j: int, column: Packed, strength: float) -> Callable[[Packed], Density]:
        """As `maker`, for a family that also looks at how the groups of a column differ."""
        return cls.maker(column, strength)

    @classmethod
    def ml(cls, stat: Cells) -> Self:
        """Without smoothing."""
        return cls._of(stat, 0.0)

    @classmethod
    def estimate(
        cls, stat: Cells, prior: PriorWord = "default", how: str = "mean", levels: LevelNames = None
    ) -> Self:
        """The densities that the statistic and the strength of the smoothing give."""
        if how not in HOW:
            raise LikelyError(f"estimate={how!r} is unknown: use one of {', '.join(HOW)}.")
        strength = cls._strength(prior)
        return cls._of(stat, 0.0 if how == "ml" else strength)

    @classmethod
    def drawn(
        cls, stat: Cells, prior: PriorWord, rng: np.random.Generator, n: int, levels: LevelNames = None
    ) -> Self | None:
        """As many times the densities, each as `redrawn`; None without smoothing."""
        if not cls._strength(prior):
            return None
        fitted = cls.estimate(stat, prior)
        # Groups that share the density of their column share what is drawn of it.
        own = {id(part): part.redrawn(rng, n) for part in fitted.parts.flat}
        parts = np.empty((n, *fitted.batch), object)
        for place in np.ndindex(*fitted.batch):
            parts[(slice(None), *place)] = own[id(fitted.parts[place])]
        return cls(parts).groups_in_line()

    @classmethod
    def default_prior(cls, stat: Cells, strength: float = 1.0) -> NoReturn:
        """There is none to be had."""
        raise LikelyError(f"{cls.name} has no prior that is a distribution: give a strength instead.")

    @classmethod
    def at(cls, prior: Prior, parameters: Floats) -> NoReturn:
        """There are no parameters."""
        raise LikelyError(f"{cls.name} has no parameters: its shape is that of the data.")

    @classmethod
    def _strength(cls, prior: PriorWord) -> float:
        if prior is None:
            return 0.0
        if isinstance(prior, str) and prior == "default":
            return 1.0
        if isinstance(prior, int | float | np.number) and 0 <= prior < np.inf:
            return float(prior)
        raise LikelyError(
            f"prior={prior!r} cannot be used for {cls.name}: give 'default', a strength (0 or above), "
            "or None for maximum likelihood."
        )

    @classmethod
    def _of(cls, stat: Cells, strength: float) -> Self:
        parts = np.empty(stat.power.shape, object)
        for j in range(stat.power.shape[1]):
            column = stat.pooled_column(j)
            if not len(column.place):
                column = Packed.of(np.array([0.0, 1.0]))
            elif column.place[-1] - column.place[0] + column.width < LEAST:
                column = _at_one_place(column)
            make = cls.group_maker(stat, j, column, strength)
            shared = make(column)
            for i in range(len(parts)):
                seen = stat.packed(i, j)
                own = len(seen.place) and len(column.place) > 1
                parts[i, j] = make(seen) if own else shared
        return cls(parts)

    def _log_prob(self, x: Floats) -> Floats:
        return self._of_each(x, "log_prob")

    def ends(self) -> Ends:
        """Of each density."""
        both = np.moveaxis(self._each("ends"), -1, 0)
        return both[0], both[1]

    def _cdf(self, x: Floats) -> Floats:
        return self._of_each(x, "cdf")

    def _sf(self, x: Floats) -> Floats:
        return self._of_each(x, "sf")

    def _of_each(self, x: Floats, function: str) -> Floats:
        cells = np.broadcast_to(x, np.broadcast_shapes(x.shape, self.batch))
        out = np.empty(cells.shape)
        for place in np.ndindex(*self.batch):
            out[(..., *place)] = getattr(self.parts[place], function)(cells[(..., *place)])
        return out

    def group_log_prob(self, rows: Rows) -> Floats:
        """log P(row given group), (b, g), of rows (b, d), dense or sparse; a missing cell adds 0."""
        cells = dense(rows)
        out = np.zeros((len(cells), self.batch[0]))
        for j in range(self.batch[1]):
            column = cells[:, j].copy()
            odd = ~np.isfinite(column)
            column[odd] = 0.0
            adds = np.where(np.isnan(cells[odd, j]), 0.0, -np.inf)
            logs: dict[int, Floats] = {}  # of each density once, however many groups share it
            for i, part in enumerate(self.parts[:, j]):
                if id(part) not in logs:
                    logs[id(part)] = part.log_prob(column)
                    logs[id(part)][odd] = adds
                out[:, i] += logs[id(part)]
        return out

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        out = np.empty(shape)
        lead = shape[: len(shape) - len(self.batch)]
        for place in np.ndindex(*self.batch):
            part: Density = self.parts[place]  # type: ignore[assignment]
            out[(..., *place)] = part.draw(rng, lead)
        return out

    def sample_rows(self, groups: Any, rng: np.random.Generator) -> Floats:
        """Draw one row for each of these codes of groups, (n, d)."""
        codes = np.asarray(groups, np.intp)
        out = np.empty((len(codes), self.batch[1]))
        for group in np.unique(codes):
            mine = codes == group
            out[mine] = self.take(group)._draw(rng, (int(mine.sum()), self.batch[1]))
        return out

    def _each(self, what: str) -> Floats:
        answers = [getattr(part, what) for part in self.parts.flat]
        values = np.array([value() if callable(value) else value for value in answers], np.float64)
        return values.reshape((*self.batch, *values.shape[1:]))

    @cached_property
    def mean(self) -> Floats:
        """The expectation."""
        return self._each("mean")

    @cached_property
    def variance(self) -> Floats:
        """The expected squared deviation from the mean."""
        return self._each("variance")

    def entropy(self) -> Floats:
        """In nats."""
        return self._each("entropy")[()]

    def describe(self, group: int, column: int, levels: Sequence[Any] | None = None) -> str:
        """What the density looks like."""
        return str(self.parts[group, column].words())

    def __repr__(self) -> str:
        """In words: the numbers would fill pages."""
        if not self.batch:
            return f"{type(self).__name__}({self.parts.item().words()})"
        return f"{type(self).__name__}({' x '.join(map(str, self.batch))} densities)"


def spread_of(column: Packed) -> float:
    """The unit in which the floors of a column are set; 1 of one that is constant."""
    return max(column.spread(), LEAST) if len(column.place) > 1 else 1.0


def _at_one_place(column: Packed) -> Packed:
    """What varies too little to be told from a constant, as one."""
    middle, total = np.array([column.quantile(0.5)]), np.array([column.weight.sum()])
    return Packed(EXACT, middle, total, np.zeros(1))
