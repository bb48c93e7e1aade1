"""Columns that one family describes: which, under which prior, what was seen of them, and what that makes.

A model whose columns are independent given the group is a list of parts. A part reads its columns of a table,
counts them in groups, makes their distributions of the counts, and says what they mean. How it reads is what
its classes differ in: numbers, codes of levels, words, or whether cells are missing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likely.ask.world import Variable
from likely.dist import Family, MultivariateNormal, Prior, Shrinkage, Smoothing
from likely.dist.density import NoPrior
from likely.dist.distribution import Distribution, StraightLine
from likely.dist.family import PriorWord
from likely.errors import LikelyError
from likely.estimator.record import Quantities
from likely.evidence import LedgerLine, Status
from likely.format import words
from likely.stats import Groups, Statistic
from likely.table.column.block import Block
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]
Lines = Callable[[int, int, int], tuple[LedgerLine, ...]]  # of a row, for a group against another


def suits(prior: object, family: type[Family]) -> bool:
    """Whether a prior can be that of a family's parameters; words and numbers always can."""
    if isinstance(prior, Smoothing):
        return family.counts_levels
    if isinstance(prior, Shrinkage):
        return issubclass(family, MultivariateNormal)
    return not isinstance(prior, Prior) or family.takes(prior)


def refuse_unsuited(prior: object, columns: Iterable[tuple[str, type[Family]]]) -> None:
    """Refuse a prior for all columns that would be that of none, or a conjugate one that is not that of all.

    A smoothing or a shrinkage says the same of any levels, or any covariance: other columns keep their
    default. A conjugate prior is about parameters of one kind, in units of their own.
    """
    unsuited = None
    for name, family in columns:
        if suits(prior, family):
            if not isinstance(prior, Prior):
                return
        elif unsuited is None:
            unsuited = name, family
    if unsuited is not None:
        name, family = unsuited
        raise LikelyError(
            f"prior={said(prior)} does not suit the {family.name} family of column {name!r}: "
            f"give {what_suits(family)}; or give each column its own, as prior={{{name!r}: 'default', ...}}."
        )


def what_suits(family: type[Family]) -> str:
    """The priors that a family can have, in words."""
    named = [] if family.conjugate is NoPrior else [f"a {kind.__name__}" for kind in family.conjugates()]
    named += ["a smoothing such as Laplace()"] if family.counts_levels else []
    named += ["a Shrinkage"] if issubclass(family, MultivariateNormal) else []
    return ", ".join([*named, "a strength, 'default' or None"])


def said(prior: object) -> str:
    """A prior on one line, if need be cut."""
    line = " ".join(repr(prior).split())
    return line if len(line) <= 100 else f"{line[:97]}..."


@dataclass(frozen=True, eq=False)
class Part(ABC):
    """A family, the columns it describes, the prior of its parameters, and what was seen."""

    schema: Schema = field(repr=False)  # of the whole table
    family: type[Family]
    columns: tuple[int, ...]  # places in the schema
    prior: Any
    estimate: str = "mean"  # which parameters are taken from the posterior
    statistic: Any = None  # the family's, of every group; None in a plan, where nothing was seen yet
    asked: Any = field(default=None, repr=False)  # the prior as the user said it, where EM decides it anew

    reads: ClassVar[str]  # what of its columns, in words
    describes_cells: ClassVar[bool] = True  # rather than whether there are any
    coded: ClassVar[bool] = False  # whether cells are codes of levels, which a missing cell may be

    # What is in a table.

    @abstractmethod
    def block(self, frame: Frame) -> Block:
        """The columns of a table that this part reads."""

    @abstractmethod
    def status(self, rows: Any) -> NDArray[np.int8] | None:
        """Whether each cell is known, missing or unseen, (b, d); None where that is another part's to say."""

    def n_told(self, rows: Any) -> Floats:
        """How many columns are told in each row, (b,): neither missing nor of a level never seen."""
        return np.asarray(np.sum(np.asarray(self.status(rows)) == Status.KNOWN, axis=1), np.float64)

    @property
    def sizes(self) -> tuple[int, ...] | None:
        """The number of levels of each column, for families that count levels."""
        return None

    @property
    def width(self) -> int:
        """How many columns a statistic has: those of the part, or the words of a text."""
        return len(self.columns)

    def suits(self, column: Column) -> bool:
        """Whether a column is such as the family describes, read in this way."""
        return self.family.kinds[0].coded is self.coded and column.kind in self.family.kinds

    def empty(self, n: int = 1) -> NDArray[Any]:
        """Rows in which nothing is known, (n, d)."""
        return np.full((n, len(self.columns)), np.nan)

    def alone(self, place: int, values: NDArray[Any]) -> NDArray[Any]:
        """Rows with these values of one column, the others missing, (n, d): terms are this column's alone."""
        rows = self.empty(len(values))
        rows[:, place] = values
        return rows

    def with_cell(self, rows: Any | None, place: int, value: object) -> Any:
        """A row of which one more cell is known; rows is None if there was none."""
        rows = self.empty() if rows is None else rows
        rows[0, place] = value
        return rows

    def known_cells(self, frame: Frame, row: int) -> tuple[NDArray[Any], Bools]:
        """The cells of a row, (d,), and which are missing; of a part without cells of its own, none."""
        return np.zeros(0), np.zeros(0, bool)

    # What was seen, which adds.

    def collect(self, block: Block, groups: Groups, start: int, stop: int) -> Self:
        """The part of one block of rows, whose groups these are."""
        return self._collect(block.rows(start, stop), groups)

    def _collect(self, rows: Any, groups: Groups) -> Self:
        with np.errstate(over="ignore", invalid="ignore"), self._naming():
            return self.with_statistic(self.family.collect(rows, groups, self.sizes))

    def expect(self, block: Block, groups: Groups, n: int) -> Self:
        """The part of n rows, with what the distribution expects of their missing cells."""
        return self.with_statistic(self.distribution.expect(block.rows(0, n), groups, self.sizes))

    def complete(self, block: Block, groups: Groups, codes: Ints, rng: np.random.Generator) -> Self:
        """The part of rows whose missing cells are drawn; there are none to draw, as a rule."""
        return self.collect(block, groups, 0, len(codes))

    def with_statistic(self, statistic: Statistic) -> Self:
        """The part that has seen this."""
        return replace(self, statistic=statistic)

    def __add__(self, other: Part) -> Self:
        return self.with_statistic(self.statistic + other.statistic)

    def __sub__(self, other: Part) -> Self:
        return self.with_statistic(self.statistic - other.statistic)

    def __mul__(self, factor: float) -> Self:
        return self.with_statistic(self.statistic * factor)

    def lacking(self, other: Part) -> list[int]:
        """The columns of which another part has seen more than this one."""
        more = other.statistic.exceeds(self.statistic)
        if len(more) != len(self.columns):  # one distribution of several columns, or of the words of one
            return list(self.columns[:1]) if more.any() else []
        return [j for j, column in zip(self.columns, more, strict=True) if column]

    def relevel(self, schema: Schema) -> Self:
        """The part under a schema that has more levels."""
        return replace(self, schema=schema)

    def narrowed(self) -> tuple[Statistic, Mapping[int, Column]]:
        """Without the levels of which nothing is left, unless they were listed; and the columns then."""
        return self.statistic, {}

    def with_cut_words(self) -> tuple[Statistic, Mapping[int, Column]]:
        """With a vocabulary of the words that are kept; and the column then."""
        return self.statistic, {}

    def never_seen(self) -> list[int]:
        """The columns of numbers or levels of which no value was seen."""
        return []

    # What is made of it.

    @cached_property
    def distribution(self) -> Any:
        """Of the columns in every group, made of what was seen."""

        def make(statistic: Statistic) -> Any:
            with self._naming():
                return self.family.estimate(statistic, self._own(self.prior), self.estimate, self._levels)

        return self._made(make)

    def drawn(self, rng: np.random.Generator, n: int) -> Self:
        """The part at n draws of its parameters from their posterior: n * g groups."""

        def make(statistic: Statistic) -> Any:
            made = self.family.drawn(statistic, self._own(self.prior), rng, n, self._levels)
            if made is None:
                raise LikelyError(
                    f"column {self.first.name!r} was fitted by maximum likelihood "
                    "(prior=None), so that its parameters have no posterior: fit with a prior, as 'default'."
                )
            return made

        return self.with_distribution(self._made(make, n))

    def with_distribution(self, distribution: Distribution) -> Self:
        """The part under other parameters than what was seen makes."""
        other = replace(self)
        other.__dict__["distribution"] = distribution  # where the cached one would be
        return other

    def moved(self, schema: Schema, columns: Sequence[int]) -> Self:
        """The part under a schema in which its columns stand elsewhere."""
        other = replace(self, schema=schema, columns=tuple(columns))
        return other.with_distribution(self.distribution)

    def repeated(self, g: int) -> Self:
        """The one group of this part g times."""
        return self.with_distribution(self.distribution.take(np.zeros(g, np.intp)))

    def _made(self, make: Callable[[Any], Any], times: int = 1) -> Any:
        """What is made of the statistic, of `times` its groups."""
        return make(self.statistic)

    def made_for(self, g: int) -> bool:
        """Whether the distribution is one of g groups and of these columns: a prior may be of others."""
        batch = (g,) if self.family.joint else (g, len(self.columns))
        return bool(self.distribution.batch == batch)

    def with_prior(self, word: PriorWord) -> Self:
        """The part with its prior decided, from what was seen and the user's word."""
        return replace(self, prior=self.family.decide_prior(self.statistic, self._own(word), self._levels))

    def log_evidence(self) -> float:
        """The log marginal likelihood of what was seen of the columns in all groups."""
        return self.family.log_marginal(self.statistic, self._own(self.prior), self._levels)

    def log_prior(self) -> float:
        """The log density of the parameters on their natural scale, up to a constant."""
        if not isinstance(self.prior, Prior):
            return 0.0
        return float(np.sum(self._parameters_of_prior.log_natural(self.prior)))

    @property
    def _parameters_of_prior(self) -> Any:
        return self.distribution

    def free_parameters(self) -> tuple[int, int]:
        """How many numbers describe each group, and how many all groups together."""
        return self.family.free_parameters(self.statistic)

    def _own(self, prior: PriorWord) -> Any:
        """A smoothing, or a shrinkage, of other columns than these leaves the default."""
        return prior if suits(prior, self.family) else "default"

    @property
    def _levels(self) -> Any:
        return None

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """A family knows no names: what it refuses is refused of these columns."""
        try:
            yield
        except LikelyError as error:
            names = [repr(self.schema.columns[j].name) for j in self.columns[:3]]
            more = f" and {len(self.columns) - 3} more" if len(self.columns) > 3 else ""
            which = f"column{'s' if len(names) > 1 else ''} {', '.join(names)}{more}"
            raise LikelyError(f"{which}: {error}") from None

    # What it means.

    @property
    def first(self) -> Column:
        """The first of the columns, which stands for all in a message."""
        return self.schema.columns[self.columns[0]]

    def column(self, place: int) -> Column:
        """One of the columns of this part."""
        return self.schema.columns[self.columns[place]]

    @property
    def by_value(self) -> bool:
        """Whether what a column adds is a function of its own value alone."""
        return bool(self.distribution.event_axes == 0)

    @property
    def kept_cells(self) -> int:
        """Of each row, the cells that are made for a first look and kept for a second."""
        return 0

    @abstractmethod
    def variable(self, column: Column, gaps: bool) -> Variable:
        """What may be asked of a column; `gaps` if it may be missing."""

    @abstractmethod
    def counts(self, place: int) -> Quantities:
        """How much was seen of a column: of each level or word, of true, or in all."""

    @abstractmethod
    def parameters(self, place: int) -> Quantities:
        """What is known of a column: probabilities, or mean and sd."""

    @abstractmethod
    def describe(self, group: int, place: int) -> str:
        """What is known of a column in one group, in words."""

    def level_table(self, place: int) -> tuple[list[str], Floats] | None:
        """The levels of a column by name, and P(level given group), (g, k); None if it has none."""
        return None

    def value_names(self, place: int) -> list[str] | None:
        """The values of a column by name; None if they are numbers along a line."""
        column = self.column(place)
        if column.levels is not None:
            return level_names(column)
        return ["False", "True"] if column.kind is Kind.BOOLEAN else None

    def story(self, group: str) -> list[str]:
        """How values come about, a line for each column, or for those that are drawn together."""
        names = [words.shown(self.schema.columns[j].name) for j in self.columns]
        how = self._how(group)
        if self.family.joint:
            return [f"{', '.join([*names[:10], *(['...'] if len(names) > 10 else [])])}: {how}"]
        return [f"{name}: {how}" for name in names]

    def _how(self, group: str) -> str:
        plain = f"from a {self.family.name.replace('_', ' ')} distribution of the {{group}}"
        return (self.family.story or plain).format(group=group)

    def linear_odds(self, a: int, b: int) -> StraightLine | None:
        """What tells group a from group b, if it is linear in the features."""
        line: StraightLine | None = self.distribution.linear_odds(a, b)
        return line

    def features(self) -> list[tuple[int, list[str]]]:
        """The features of each column: itself, or the words of a text."""
        return [(j, [self.schema.columns[j].name]) for j in self.columns]

    def lines(self, block: Block) -> Mapping[int, Lines]:
        """What lies inside a column of a row, such as the words of a text, as lines of a ledger."""
        return {}

    def axes(self) -> Floats:
        """As points of a space, the worth of each axis, (p,); texts are no points."""
        return np.empty(0)

    def points(self, rows: Any) -> Floats:
        """The points of rows, (b, p), NaN where missing."""
        return np.empty((len(rows), 0))

    # Rows that are made.

    def sample(self, groups: Ints, rng: np.random.Generator, cells: list[Any]) -> None:
        """Draw the columns of rows of these groups, each into its place among the cells of all columns."""
        rows = self.distribution.sample_rows(groups, rng)
        for place, j in enumerate(self.columns):
            cells[j] = rows[:, place]

    def fill(
        self, rows: Any, shares: Floats, groups: Ints | None, rng: np.random.Generator | None
    ) -> tuple[Bools, Floats] | None:
        """Which cells are missing, and guesses in their places, (b, d); None if there is nothing to guess.

        Guesses are what is expected by the share of each group in the row, (b, g); or, with a generator,
        draws of the row's group, (b,).
        """
        return None


def level_names(column: Column) -> list[str]:
    """The levels of a column as people read them."""
    return ["missing" if level is None else words.shown(level) for level in column.levels or ()]
