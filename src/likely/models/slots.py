"""Which family describes which columns: the plan of a model whose columns are independent given the group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.dist import FAMILIES, Bernoulli, Family, Grouped, Prior, Smoothing
from likely.errors import LikelyError, notice
from likely.stats import Counts, Groups, Statistic
from likely.table.block import Block, Numbers
from likely.table.column import Column
from likely.table.frame import Frame
from likely.table.kinds import Kind
from likely.table.schema import Schema, declared_by_name

DEFAULT = {
    Kind.BOOLEAN: "bernoulli",
    Kind.CATEGORICAL: "categorical",
    Kind.ORDINAL: "categorical",
    Kind.QUANTITATIVE: "normal",
    Kind.COUNT: "poisson",
}


@dataclass(frozen=True, slots=True)
class Slot:
    """A family, the columns it describes, and the prior of its parameters."""

    family: type[Family]
    columns: tuple[int, ...]  # places in the schema
    prior: Any
    indicator: bool = False  # describes whether the cells are missing, not what they hold

    @property
    def coded(self) -> bool:
        """Whether the family reads codes of levels."""
        return self.family.kinds[0].coded

    def sizes(self, schema: Schema) -> tuple[int, ...] | None:
        """The number of levels of each column, for families that count levels."""
        return tuple(len(schema.columns[j].levels or ()) for j in self.columns) if self.coded else None

    def block(self, schema: Schema, frame: Frame) -> Block:
        """The columns of a table that this slot reads."""
        if self.indicator:
            return schema.missing(frame, self.columns)
        if self.coded:
            return schema.codes(frame, self.columns)
        return schema.numbers(frame, self.columns)

    def collect(self, block: Block, groups: Groups, schema: Schema, start: int, stop: int) -> Statistic:
        """The statistic of one block of rows, whose groups these are."""
        with np.errstate(over="ignore", invalid="ignore"):
            found: Statistic = self.family.collect(block.rows(start, stop), groups, self.sizes(schema))
        if isinstance(block, Numbers) and not found.in_range():
            block.refuse_extremes(start, stop)
        return found

    def estimate(self, statistic: Statistic, schema: Schema, how: str) -> Grouped:
        """The distributions of the columns in every group.

        A prior for another family than this leaves the default here: a table has columns of many kinds.
        """
        levels = [schema.columns[j].levels for j in self.columns] if self.coded else None
        wrong = isinstance(self.prior, Prior) and not isinstance(self.prior, self.family.conjugate)
        if isinstance(self.prior, Smoothing):
            wrong = not self.family.counts_levels
        return self.family.estimate(statistic, "default" if wrong else self.prior, how, levels)

    def relevel(self, statistic: Statistic, old: Schema, new: Schema) -> Statistic:
        """A statistic under one schema as it stands under another that has more levels."""
        if not isinstance(statistic, Counts) or old.columns == new.columns:
            return statistic
        places = []
        for j in self.columns:
            at = {level: i for i, level in enumerate(new.columns[j].levels or ())}
            places.append(np.array([at[level] for level in old.columns[j].levels or ()], np.intp))
        return statistic.relevel(places, self.sizes(new) or ())


def plan(
    frame: Frame, kinds: Any, families: Any, prior: Any, missing: str
) -> tuple[Schema, tuple[Slot, ...]]:
    """Learn the schema, and give every column a family."""
    if missing not in ("ignore", "level"):
        raise LikelyError(f"missing={missing!r}: use 'ignore' (no evidence) or 'level' (a level of its own).")
    schema = Schema.learn(frame, kinds, missing_level=missing == "level")
    chosen = _families(schema, families)
    schema = _fit_kinds(schema, frame, chosen, kinds, missing == "level")
    priors = declared_by_name(schema.names, prior if isinstance(prior, Mapping) else None, "prior")
    slots: dict[tuple[str, int], Slot] = {}
    for j, column in enumerate(schema.columns):
        if column.kind is Kind.TEXT and column.name not in chosen:
            continue
        family = chosen.get(column.name) or FAMILIES[DEFAULT[column.kind]]
        own = priors.get(column.name, "default" if isinstance(prior, Mapping) else prior)
        key = (family.name, id(own))
        slot = slots.get(key) or Slot(family, (), own)
        slots[key] = replace(slot, columns=(*slot.columns, j))
    _say_what_is_left_out(schema, chosen)
    return schema, (*slots.values(), *_indicators(schema, missing))


def _families(schema: Schema, families: Any) -> dict[str, type[Family]]:
    named = declared_by_name(schema.names, families, "families")
    return {name: _family(word, name) for name, word in named.items()}


def _family(word: Any, column: str) -> type[Family]:
    if isinstance(word, type) and issubclass(word, Family):
        return word
    if word not in FAMILIES:
        raise LikelyError(
            f"family {word!r} for column {column!r} is unknown: use one of {', '.join(FAMILIES)}."
        )
    return FAMILIES[word]


def _fit_kinds(
    schema: Schema, frame: Frame, chosen: Mapping[str, type[Family]], kinds: Any, missing_level: bool
) -> Schema:
    """A family that was asked for decides the kind of a column that is of none of its kinds."""
    declared = declared_by_name(schema.names, kinds, "kinds")
    columns = list(schema.columns)
    for j, column in enumerate(columns):
        family = chosen.get(column.name)
        if family is None or (column.kind in family.kinds and column.kind.coded is family.kinds[0].coded):
            continue
        if column.name in declared:
            raise LikelyError(
                f"column {column.name!r} is declared {column.kind}, which the {family.name} family cannot "
                f"describe: it takes {', '.join(family.kinds)}."
            )
        columns[j] = Column.learn(frame.raw(column.name), str(family.kinds[0]), missing_level)
    return replace(schema, columns=tuple(columns))


def _indicators(schema: Schema, missing: str) -> tuple[Slot, ...]:
    """Numbers have no level to spare for a missing cell: whether it is missing is a column of its own."""
    numbers = [j for j, c in enumerate(schema.columns) if c.levels is None and c.kind is not Kind.TEXT]
    if missing == "ignore" or not numbers:
        return ()
    return (Slot(Bernoulli, tuple(numbers), "default", indicator=True),)


def _say_what_is_left_out(schema: Schema, chosen: Mapping[str, Any]) -> None:
    texts = [c.name for c in schema.columns if c.kind is Kind.TEXT and c.name not in chosen]
    if texts:
        notice(
            f"column {texts[0]!r}{' and others' if len(texts) > 1 else ''} holds free text: left out. "
            f"Declare kinds={{{texts[0]!r}: 'categorical'}} to take each text as a level.",
            stacklevel=6,
        )
