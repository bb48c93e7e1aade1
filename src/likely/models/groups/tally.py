"""Sufficient statistics of all parts in each group, and the base rate P(group), learnt or given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Categorical, Smoothing
from likely.dist.family import PriorWord
from likely.engine import Chunk, Engine, ReduceTask
from likely.errors import LikelyError
from likely.estimator.fitted import class_codes
from likely.models.parts.part import Part
from likely.stats import Counts, Groups
from likely.stats.groups import Statistic, take_out
from likely.table.column.block import Block
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]


EVEN = ("uniform", "balanced")  # words for all classes alike; the second is scikit-learn's
# A probability for each class, one of these words, or None: learnt.
BaseRate = Mapping[Any, float] | str | None
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Settings:
    """How distributions are estimated from statistics."""

    estimate: str = "mean"
    prior: Any = "default"
    base_rate: Any = None  # None: learnt; "uniform" or "balanced"; a probability for each class


def base_rates(classes: tuple[Any, ...], counts: Floats, settings: Settings) -> Floats:
    """P(class): learnt as any categorical column is, or given."""
    given = settings.base_rate
    if given is None:
        learnt: Any = Categorical.estimate(*levels_counted(counts, settings), settings.estimate)
        return np.asarray(learnt.probs, np.float64).reshape(-1)
    if isinstance(given, str) and given in EVEN:
        return np.full(len(classes), 1 / len(classes))
    if not isinstance(given, Mapping):
        raise LikelyError(
            f"base_rate={given!r}: give 'uniform', or a probability for each class such as "
            f"{{{', '.join(f'{c!r}: {1 / len(classes):.2g}' for c in classes[:3])}}}."
        )
    return _given_rates(classes, given)


def drawn_rates(
    classes: tuple[Any, ...], counts: Floats, settings: Settings, rng: np.random.Generator, n: int
) -> Floats:
    """P(class) at n draws from its posterior, (n, g); a given base rate is taken as known exactly."""
    if settings.base_rate is not None:
        return np.tile(base_rates(classes, counts, settings), (n, 1))
    categorical: Any = Categorical.drawn(*levels_counted(counts, settings), rng, n)
    if categorical is None:
        raise LikelyError(
            f"prior={settings.prior!r} learns the base rate by maximum likelihood: it has no posterior. "
            "Fit with a prior, such as prior='default', or give the base_rate."
        )
    return np.asarray(categorical.probs, np.float64)


def levels_counted(
    counts: Floats, settings: Settings, sizes: tuple[int, ...] | None = None
) -> tuple[Counts, Any]:
    """Classes, groups or states as columns of levels, and their prior.

    It is that of all columns, if that says the same of any levels: None, a strength, or a smoothing without
    shares of its own. What is said of particular columns or levels says nothing of these.
    """
    prior = settings.prior
    plain = prior is None or isinstance(prior, int | float | np.number)
    plain = plain or (isinstance(prior, Smoothing) and prior.even)
    return Counts(counts[None, :], sizes or (len(counts),)), prior if plain else "default"


def log_levels_prior(counts: Counts, prior: PriorWord, probs: Floats) -> float:
    """The log prior density of the probabilities of levels that were counted, on the natural scale."""
    chosen: Any = Categorical.choose_prior(counts, prior)
    return 0.0 if chosen is None else float(Categorical(probs[None], counts.sizes).log_natural(chosen).sum())


def _given_rates(classes: tuple[Any, ...], given: Mapping[Any, float]) -> Floats:
    for label in given:
        class_place(classes, label, "base_rate names")
    left_out = [label for label in classes if label not in given]
    if left_out:
        raise LikelyError(
            f"base_rate has no probability for class {left_out[0]!r}: give one for every class."
        )
    rates = np.array([float(given[label]) for label in classes])
    if not (rates >= 0).all() or not np.isclose(rates.sum(), 1, rtol=0, atol=1e-9):
        raise LikelyError(
            f"base_rate {dict(given)!r} adds up to {rates.sum():g}: probabilities must be 0 or more and "
            "add up to 1."
        )
    return rates


def class_place(classes: Sequence[Any], label: object, who: str = "you name") -> int:
    """The index of a class among the classes."""
    for place, known in enumerate(classes):
        if known == label:
            return place
    near = get_close_matches(str(label), [str(known) for known in classes], 1)
    likeliest = [known for known in classes if near and str(known) == near[0]]
    hint = f"did you mean {likeliest[0]!r}?" if likeliest else f"the classes are {list(classes)[:10]!r}."
    raise LikelyError(f"{who} class {label!r}, which the model does not know: {hint}")


@dataclass(frozen=True, slots=True, eq=False)
class GroupTally:
    """The statistics of all parts and the weight of each group; tallies add as statistics do."""

    groups: Floats  # (g,)
    parts: tuple[Part, ...]

    def __add__(self, other: GroupTally) -> GroupTally:
        parts = tuple(mine + theirs for mine, theirs in self.beside(other))
        return GroupTally(self.groups + other.groups, parts)

    def __sub__(self, other: GroupTally) -> GroupTally:
        parts = tuple(mine - theirs for mine, theirs in self.beside(other))
        return GroupTally(take_out(self.groups, other.groups), parts)

    def __mul__(self, factor: float) -> GroupTally:
        return GroupTally(self.groups * factor, tuple(part * factor for part in self.parts))

    def beside(self, other: GroupTally) -> Iterator[tuple[Part, Part]]:
        """The same parts of two tallies."""
        return zip(self.parts, other.parts, strict=True)

    def _each(self, change: Callable[[Statistic], Statistic]) -> tuple[Part, ...]:
        return tuple(part.with_statistic(change(part.statistic)) for part in self.parts)

    def settled(self) -> GroupTally:
        """The tally with its statistics in final form, once all blocks have been added."""
        return GroupTally(self.groups, self._each(lambda statistic: statistic.settled()))

    def regroup(self, index: Ints, n_groups: int) -> GroupTally:
        """Move group i to place index[i] among n_groups."""
        groups = np.zeros(n_groups)
        groups[index] = self.groups
        return GroupTally(groups, self._each(lambda statistic: statistic.regroup(index, n_groups)))

    def only(self, groups: Ints) -> GroupTally:
        """Some of the groups."""
        return GroupTally(self.groups[groups], self._each(lambda statistic: statistic.only(groups)))

    def relevel(self, schema: Schema) -> GroupTally:
        """The tally extended to a schema that has more levels."""
        return GroupTally(self.groups, tuple(part.relevel(schema) for part in self.parts))

    def without_empty_levels(self) -> GroupTally:
        """The tally without levels whose counts are 0."""
        return self._with_columns([part.narrowed() for part in self.parts])

    def with_cut_words(self) -> GroupTally:
        """The vocabulary cut once, from all rows: soft counts add up to whole ones only up to rounding."""
        return self._with_columns([part.with_cut_words() for part in self.parts])

    def _with_columns(self, changes: list[tuple[Statistic, Mapping[int, Column]]]) -> GroupTally:
        """Other statistics, of columns that have other levels."""
        schema = self.parts[0].schema
        changed = {j: column for _, columns in changes for j, column in columns.items()}
        if changed:
            columns = (changed.get(j, column) for j, column in enumerate(schema.columns))
            schema = replace(schema, columns=tuple(columns))
        pairs = zip(self.parts, changes, strict=True)
        parts = (replace(part, schema=schema, statistic=statistic) for part, (statistic, _) in pairs)
        return GroupTally(self.groups, tuple(parts))


@dataclass(frozen=True, slots=True)
class GroupedRows:
    """The columns that each part reads, and the groups of the rows."""

    blocks: tuple[Block, ...]
    groups: Groups


@dataclass(frozen=True, slots=True)
class CountInGroups(ReduceTask[GroupedRows, GroupTally]):
    """The task that accumulates the statistics of all parts: all that closed-form estimates need."""

    parts: tuple[Part, ...]

    def step(self, data: GroupedRows, start: int, stop: int) -> GroupTally:
        """Of some rows."""
        groups = data.groups.rows(start, stop)
        pairs = zip(self.parts, data.blocks, strict=True)
        return GroupTally(
            groups.total, tuple(part.collect(block, groups, start, stop) for part, block in pairs)
        )


@dataclass(frozen=True, slots=True)
class ReadGrouped:
    """The rows of a batch of a file, in the groups that its target column names."""

    parts: tuple[Part, ...]
    target: Column

    def __call__(self, frame: Frame) -> GroupedRows:
        """The input of `CountInGroups`, from a table that has the target among its columns."""
        codes = class_codes(self.target, frame.raw(self.target.name))
        rows = frame.without(self.target.name)
        return GroupedRows(
            tuple(part.block(rows) for part in self.parts), Groups.hard(codes, len(self.target.known))
        )


@dataclass(frozen=True, slots=True)
class HeldRows:
    """Rows in memory, in the classes of a target: what a model with closed-form estimates learns from."""

    frame: Frame
    target: Column
    groups: Groups

    def tally(self, parts: tuple[Part, ...], engine: Engine) -> GroupTally:
        """The statistics of the rows."""
        return tally_rows(parts, self.frame, self.groups, engine)

    def some(self) -> tuple[Frame, Groups]:
        """The rows to learn from where a sample would do: here all of them."""
        return self.frame, self.groups

    def share_missing(self, name: str) -> float:
        """The share of rows in which a column of numbers is missing."""
        return float(np.isnan(np.asarray(self.frame.raw(name).numbers(), np.float64)).mean())


def tally_rows(parts: tuple[Part, ...], frame: Frame, groups: Groups, engine: Engine) -> GroupTally:
    """Count a table in groups."""
    rows = GroupedRows(tuple(part.block(frame) for part in parts), groups)
    return engine.reduce(Chunk(rows, frame.n, frame.width), CountInGroups(parts))
