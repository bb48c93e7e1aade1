"""Which family describes which columns: the plan of a model whose columns are independent given the group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np

from likely.dist import (
    FAMILIES,
    Bernoulli,
    Family,
    Multinomial,
    Prior,
)
from likely.errors import LikelyError
from likely.models.parts.priors import refuse_unsuited, said, suits, what_suits
from likely.models.parts.words import WordsPart
from likely.stats import Groups, Statistic
from likely.table.block import Block, Numbers, Support
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.column.uniform_columns import each_value
from likely.table.column.words import Bag
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

DEFAULT = {
    Kind.BOOLEAN: "bernoulli",
    Kind.CATEGORICAL: "categorical",
    Kind.ORDINAL: "categorical",
    Kind.QUANTITATIVE: "normal",
    Kind.COUNT: "poisson",
}


class Reads(Enum):
    """What of its columns a slot reads."""

    NUMBERS = "numbers"
    CODES = "codes of levels"
    WORDS = "bags of words"
    GAPS = "whether cells are missing"


@dataclass(frozen=True, slots=True)
class Slot:
    """A family, the columns it describes, and the prior of its parameters."""

    family: type[Family]
    columns: tuple[int, ...]  # places in the schema
    prior: Any
    reads: Reads

    def sizes(self, schema: Schema) -> tuple[int, ...] | None:
        """The number of levels of each column, for families that count levels."""
        if self.reads is not Reads.CODES:
            return None
        return tuple(len(schema.columns[j].levels or ()) for j in self.columns)

    def block(self, schema: Schema, frame: Frame) -> Block:
        """The columns of a table that this slot reads."""
        match self.reads:
            case Reads.NUMBERS:
                numbers = schema.numbers(frame, self.columns)
                rule = self.family.outside
                return replace(numbers, support=Support(self.family.inside, rule)) if rule else numbers
            case Reads.CODES:
                return schema.codes(frame, self.columns)
            case Reads.WORDS:
                return schema.bags(frame, self.columns[0])
            case Reads.GAPS:
                return schema.missing(frame, self.columns)

    def collect(self, block: Block, groups: Groups, schema: Schema, start: int, stop: int) -> Statistic:
        """The statistic of one block of rows, whose groups these are."""
        rows = block.rows(start, stop)
        if isinstance(rows, Bag):
            rows, groups = rows.counts[rows.known], groups.where(rows.known)
        with np.errstate(over="ignore", invalid="ignore"), self._naming(schema):
            found: Statistic = self.family.collect(rows, groups, self.sizes(schema))
        if isinstance(block, Numbers) and not found.in_range():
            block.refuse_extremes(start, stop)
        return found

    def expect(self, part: Any, block: Block, groups: Groups, schema: Schema, rows: int) -> Statistic:
        """The statistic to be expected of rows whose missing cells a distribution can guess."""
        if self.reads is Reads.WORDS:
            return self.collect(block, groups, schema, 0, rows)
        found: Statistic = part.expect(block.rows(0, rows), groups, self.sizes(schema))
        return found

    def free_parameters(self, statistic: Any) -> tuple[int, int]:
        """How many numbers describe each group, and how many all groups together."""
        return self.family.free_parameters(statistic)

    def with_prior(self, pooled: Any, schema: Schema) -> Slot:
        """The slot with its prior decided, from what was seen in all groups together."""
        prior = self.family.decide_prior(pooled, self._own_prior, self._levels(schema))
        return replace(self, prior=prior)

    def estimate(self, statistic: Any, schema: Schema, how: str) -> Any:
        """The distributions of the columns in every group."""
        levels = self._levels(schema)

        def make(seen: Any) -> Any:
            with self._naming(schema):
                return self.family.estimate(seen, self._own_prior, how, levels)

        return self._part(make, statistic, schema)

    def log_evidence(self, statistic: Any, schema: Schema) -> float:
        """The log marginal likelihood of what was seen of the columns in all groups."""
        return self.family.log_marginal(statistic, self._own_prior, self._levels(schema))

    def drawn(self, statistic: Any, schema: Schema, rng: np.random.Generator, n: int) -> Any:
        """The distributions at n draws of their parameters from the posterior: n * g groups."""
        levels = self._levels(schema)

        def make(seen: Any) -> Any:
            found = self.family.drawn(seen, self._own_prior, rng, n, levels)
            if found is None:
                raise LikelyError(
                    f"column {schema.columns[self.columns[0]].name!r} was fitted by maximum likelihood "
                    "(prior=None), so that its parameters have no posterior: fit with a prior, as 'default'."
                )
            return found

        return self._part(make, statistic, schema, n)

    def _part(self, make: Callable[[Any], Any], statistic: Any, schema: Schema, times: int = 1) -> Any:
        """What is made of the statistic, of `times` its groups; of texts, over the words that are kept."""
        if self.reads is not Reads.WORDS:
            return make(statistic)
        return WordsPart.of(make, statistic, times * statistic.n_groups, schema.columns[self.columns[0]])

    @contextmanager
    def _naming(self, schema: Schema) -> Iterator[None]:
        """A family knows no names: what it refuses is refused of these columns."""
        try:
            yield
        except LikelyError as error:
            names = [repr(schema.columns[j].name) for j in self.columns[:3]]
            more = f" and {len(self.columns) - 3} more" if len(self.columns) > 3 else ""
            which = f"column{'s' if len(names) > 1 else ''} {', '.join(names)}{more}"
            raise LikelyError(f"{which}: {error}") from None

    @property
    def _own_prior(self) -> Any:
        """A smoothing, or a shrinkage, of other columns than these leaves the default."""
        return self.prior if suits(self.prior, self.family) else "default"

    def _levels(self, schema: Schema) -> Any:
        return [schema.columns[j].levels for j in self.columns] if self.reads is Reads.CODES else None

    def relevel(self, statistic: Any, old: Schema, new: Schema) -> Any:
        """A statistic under one schema as it stands under another that has more levels."""
        if self.reads not in (Reads.CODES, Reads.WORDS) or old.columns == new.columns:
            return statistic
        places = []
        for j in self.columns:
            at = {level: i for i, level in enumerate(new.columns[j].levels or ())}
            places.append(np.array([at[level] for level in old.columns[j].levels or ()], np.intp))
        return statistic.relevel(places, [len(new.columns[j].levels or ()) for j in self.columns])

    def short(self, whole: Any, part: Any) -> list[int]:
        """The columns of which a part holds more than the whole."""
        more = part.exceeds(whole)
        if len(more) != len(self.columns):  # one distribution of several columns, or of the words of one
            return list(self.columns[:1]) if more.any() else []
        return [j for j, column in zip(self.columns, more, strict=True) if column]

    def narrowed(self, statistic: Any, schema: Schema) -> tuple[Any, dict[int, tuple[Any, ...]]]:
        """Without the levels of which nothing is left, unless they were listed; and what stays."""
        if self.reads not in (Reads.CODES, Reads.WORDS):
            return statistic, {}
        places, left = [], {}
        for j, seen in zip(self.columns, statistic.level_totals(), strict=True):
            column = schema.columns[j]
            stays = [level is None or column.listed for level in column.levels or ()]
            keep = np.flatnonzero((seen > 0) | np.array(stays, bool))
            places.append(keep)
            left[j] = tuple((column.levels or ())[i] for i in keep)
        return statistic.only_levels(places), left


def plan(
    frame: Frame, kinds: Any, families: Any, prior: Any, missing: str
) -> tuple[Schema, tuple[Slot, ...]]:
    """Learn the schema, and give every column a family."""
    if missing not in ("ignore", "level"):
        raise LikelyError(f"missing={missing!r}: use 'ignore' (no evidence) or 'level' (a level of its own).")
    schema = Schema.learn(frame, kinds, missing_level=missing == "level")
    chosen = _families(schema, families)
    schema = _fit_kinds(schema, frame, chosen, kinds, missing == "level")
    by_column = isinstance(prior, Mapping)
    priors = declared_by_name(schema.names, prior if by_column else None, "prior")
    slots: dict[Any, tuple[type[Family], Any, Reads, list[int]]] = {}
    for column, places in schema.runs(chosen, priors):
        family = chosen.get(column.name) or _default(column)
        own = priors.get(column.name, "default" if by_column else prior)
        if column.name in priors and not suits(own, family):
            raise LikelyError(
                f"prior={{{column.name!r}: {said(own)}}} does not suit the {family.name} family of that "
                f"column: give {what_suits(family)}."
            )
        # Every column of texts has a vocabulary of its own; other columns of a family stand side by side.
        key = (family.name, repr(own), places[0] if column.words is not None else None)
        slots.setdefault(key, (family, own, _reads(family, column), []))[3].extend(places)
    found = tuple(Slot(family, tuple(js), own, reads) for family, own, reads, js in slots.values())
    if not by_column:
        refuse_unsuited(prior, ((schema.columns[slot.columns[0]].name, slot.family) for slot in found))
    # A conjugate prior is about what is in the cells, not about whether there is something.
    of_gaps = "default" if by_column or isinstance(prior, Prior) else prior
    return schema, (*found, *_gaps(schema, missing, of_gaps))


def _default(column: Column) -> type[Family]:
    if column.words is not None:
        return Bernoulli if column.words.bits else Multinomial
    return FAMILIES[DEFAULT[column.kind]]


def _reads(family: type[Family], column: Column) -> Reads:
    if column.words is not None:
        return Reads.WORDS
    return Reads.CODES if family.kinds[0].coded else Reads.NUMBERS


def _families(schema: Schema, families: Any) -> Mapping[str, type[Family]]:
    return each_value(declared_by_name(schema.names, families, "families"), _family)


def _family(word: Any, column: str) -> type[Family]:
    if isinstance(word, type) and issubclass(word, Family):
        return word
    if not isinstance(word, str) or word not in FAMILIES:
        raise LikelyError(
            f"family {word!r} for column {column!r} is unknown: use one of {', '.join(FAMILIES)}."
        )
    return FAMILIES[word]


def _fit_kinds(
    schema: Schema, frame: Frame, chosen: Mapping[str, type[Family]], kinds: Any, missing_level: bool
) -> Schema:
    """A family that was asked for decides the kind of a column that is of none of its kinds."""
    declared = declared_by_name(schema.names, kinds, "kinds")
    moved: Mapping[str, str] = {}
    for column, places in schema.runs(chosen, declared):
        family = chosen.get(column.name)
        if family is None or (column.kind in family.kinds and column.kind.coded is family.kinds[0].coded):
            continue
        if column.name in declared or column.words is not None:
            raise LikelyError(
                f"column {column.name!r} is {column.kind}, which the {family.name} family cannot "
                f"describe: it takes {', '.join(family.kinds)}."
            )
        more = schema.declare(places, str(family.kinds[0]))
        moved = {**moved, **more} if moved else more
    if not moved:
        return schema
    return Schema.learn(frame, {**declared, **moved} if declared else moved, missing_level)


def _gaps(schema: Schema, missing: str, prior: Any) -> tuple[Slot, ...]:
    """Numbers have no level to spare for a missing cell: whether it is missing is a column of its own."""
    if missing == "ignore":
        return ()
    numbers = tuple(j for j, column in enumerate(schema.columns) if column.levels is None)
    return () if not numbers else (Slot(Bernoulli, numbers, prior, Reads.GAPS),)
