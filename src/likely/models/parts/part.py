"""A part: columns that one family describes, with their prior, sufficient statistic and distribution.

A model whose columns are conditionally independent given the group is a list of parts. A part reads its
columns from a table, accumulates their statistic in each group, estimates a distribution from it, and says
what it means. Its subclasses read different cells: numbers, codes of levels, words, or which are missing.
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
    """Whether a family accepts this prior; names of priors and strengths are always accepted."""
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
    """The priors that a family accepts, in words for an error message."""
    named = [] if family.conjugate is NoPrior else [f"a {kind.__name__}" for kind in family.conjugates()]
    named += ["a smoothing such as Laplace()"] if family.counts_levels else []
    named += ["a Shrinkage"] if issubclass(family, MultivariateNormal) else []
    return ", ".join([*named, "a strength, 'default' or None"])


def said(prior: object) -> str:
    """A prior on one line, shortened if it is too long."""
    line = " ".join(repr(prior).split())
    return line if len(line) <= 100 else f"{line[:97]}..."


@dataclass(frozen=True, eq=False)
class Part(ABC):
    """A family, the columns it describes, the prior of its parameters, and their sufficient statistic."""

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
        """Whether cells are known, missing or unseen levels, (b, d); None if another part reports it."""

    def n_told(self, rows: Any) -> Floats:
        """The number of known cells in each row, (b,): neither missing nor of a level unseen in training."""
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
        """Whether the family can describe a column of this kind."""
        return self.family.kinds[0].coded is self.coded and column.kind in self.family.kinds

    def empty(self, n: int = 1) -> NDArray[Any]:
        """Rows whose cells are all missing, (n, d)."""
        return np.full((n, len(self.columns)), np.nan)

    def alone(self, place: int, values: NDArray[Any]) -> NDArray[Any]:
        """Rows with these values of one column, the others missing, (n, d): terms are this column's alone."""
        rows = self.empty(len(values))
        rows[:, place] = values
        return rows

    def with_cell(self, rows: Any | None, place: int, value: object) -> Any:
        """The row with one more known cell; `rows` is None where the row had no known cell yet."""
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
        """The part with this statistic in place of its own."""
        return replace(self, statistic=statistic)

    def __add__(self, other: Part) -> Self:
        return self.with_statistic(self.statistic + other.statistic)

    def __sub__(self, other: Part) -> Self:
        return self.with_statistic(self.statistic - other.statistic)

    def __mul__(self, factor: float) -> Self:
        return self.with_statistic(self.statistic * factor)

    def lacking(self, other: Part) -> list[int]:
        """The columns of which another part counts more than this one: it cannot be subtracted."""
        more = other.statistic.exceeds(self.statistic)
        if len(more) != len(self.columns):  # one distribution of several columns, or of the words of one
            return list(self.columns[:1]) if more.any() else []
        return [j for j, column in zip(self.columns, more, strict=True) if column]

    def relevel(self, schema: Schema) -> Self:
        """The part under a schema that has more levels."""
        return replace(self, schema=schema)

    def narrowed(self) -> tuple[Statistic, Mapping[int, Column]]:
        """The part without levels whose counts are 0, unless declared; and its columns then."""
        return self.statistic, {}

    def with_cut_words(self) -> tuple[Statistic, Mapping[int, Column]]:
        """With a vocabulary of the words that are kept; and the column then."""
        return self.statistic, {}

    def never_seen(self) -> list[int]:
        """The columns whose training cells were all missing."""
        return []

    # What is made of it.

    @cached_property
    def distribution(self) -> Any:
        """The distribution of the columns in every group, estimated from the statistic and the prior."""

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
        """The part with this distribution in place of the one that its statistic gives."""
        other = replace(self)
        other.__dict__["distribution"] = distribution  # where the cached one would be
        return other

    def moved(self, schema: Schema, columns: Sequence[int]) -> Self:
        """The part under a schema that has its columns at other positions."""
        other = replace(self, schema=schema, columns=tuple(columns))
        return other.with_distribution(self.distribution)

    def repeated(self, g: int) -> Self:
        """The one group of this part g times."""
        return self.with_distribution(self.distribution.take(np.zeros(g, np.intp)))

    def _made(self, make: Callable[[Any], Any], times: int = 1) -> Any:
        """The distribution made from the statistic, with its groups repeated `times` times."""
        return make(self.statistic)

    def made_for(self, g: int) -> bool:
        """Whether the distribution has g groups and these columns; a prior may have another shape."""
        batch = (g,) if self.family.joint else (g, len(self.columns))
        return bool(self.distribution.batch == batch)

    def with_prior(self, word: PriorWord) -> Self:
        """The part with its prior fixed: the one given, or the default computed from the statistic."""
        return replace(self, prior=self.family.decide_prior(self.statistic, self._own(word), self._levels))

    def log_evidence(self) -> float:
        """The log marginal likelihood (evidence) of the columns in all groups."""
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
        """Where a smoothing or a shrinkage is meant for other columns, this part keeps the default prior."""
        return prior if suits(prior, self.family) else "default"

    @property
    def _levels(self) -> Any:
        return None

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Add the names of the columns to an error of the family, which does not know them."""
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
        """How many cells of each row are computed at the first pass and kept for the second."""
        return 0

    @abstractmethod
    def variable(self, column: Column, gaps: bool) -> Variable:
        """A column as a variable that can be asked about; `gaps` if it may be missing."""

    @abstractmethod
    def counts(self, place: int) -> Quantities:
        """The counts of a column: of each level or word, of true, or of all its values."""

    @abstractmethod
    def parameters(self, place: int) -> Quantities:
        """The parameters of a column: probabilities of levels, or mean and standard deviation."""

    @abstractmethod
    def describe(self, group: int, place: int) -> str:
        """The distribution of a column in one group, in words."""

    def level_table(self, place: int) -> tuple[list[str], Floats] | None:
        """The levels of a column by name, and P(level given group), (g, k); None if it has none."""
        return None

    def value_names(self, place: int) -> list[str] | None:
        """The names of a column's values; None for numbers, which need none."""
        column = self.column(place)
        if column.levels is not None:
            return level_names(column)
        return ["False", "True"] if column.kind is Kind.BOOLEAN else None

    def story(self, group: str) -> list[str]:
        """How the model generates values: a line for each column, or for columns that are drawn jointly."""
        names = [words.shown(self.schema.columns[j].name) for j in self.columns]
        how = self._how(group)
        if self.family.joint:
            return [f"{', '.join([*names[:10], *(['...'] if len(names) > 10 else [])])}: {how}"]
        return [f"{name}: {how}" for name in names]

    def _how(self, group: str) -> str:
        plain = f"from a {self.family.name.replace('_', ' ')} distribution of the {{group}}"
        return (self.family.story or plain).format(group=group)

    def linear_odds(self, a: int, b: int) -> StraightLine | None:
        """The log-odds of group a against group b, if they are linear in the features; else None."""
        line: StraightLine | None = self.distribution.linear_odds(a, b)
        return line

    def features(self) -> list[tuple[int, list[str]]]:
        """The features of each column: itself, or the words of a text."""
        return [(j, [self.schema.columns[j].name]) for j in self.columns]

    def lines(self, block: Block) -> Mapping[int, Lines]:
        """The evidence of what is inside a cell, such as the words of a text, as lines of a ledger."""
        return {}

    def axes(self) -> Floats:
        """The scale of each axis, (p,), when rows are points of a space; texts have no axes."""
        return np.empty(0)

    def points(self, rows: Any) -> Floats:
        """Rows as points of that space, (b, p), NaN where missing."""
        return np.empty((len(rows), 0))

    # Rows that are made.

    def sample(self, groups: Ints, rng: np.random.Generator, cells: list[Any]) -> None:
        """Draw this part's columns for rows of these groups, and write them to their positions in `cells`."""
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
