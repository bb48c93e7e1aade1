"""Which family describes which columns: the plan of a model whose columns are independent given the group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from likely.dist import FAMILIES, Bernoulli, Family, Multinomial, Prior
from likely.dist.family import Priors
from likely.errors import LikelyError
from likely.models.parts.levels import LevelsPart
from likely.models.parts.missing import MissingPart
from likely.models.parts.numbers import NumbersPart
from likely.models.parts.part import Part
from likely.models.parts.priors import refuse_unsuited, said, suits, what_suits
from likely.models.parts.words import WordsPart
from likely.table.accepted import Kinds
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name, each_value

# A family, or its name; for all columns, or by the column's name. None takes that of the kind.
FamilyWord = str | type[Family]
FamilyWords = Mapping[str, FamilyWord] | FamilyWord | None

DEFAULT = {
    Kind.BOOLEAN: "bernoulli",
    Kind.CATEGORICAL: "categorical",
    Kind.ORDINAL: "categorical",
    Kind.QUANTITATIVE: "normal",
    Kind.COUNT: "poisson",
}


def learn_schema(frame: Frame, kinds: Kinds, missing: str) -> Schema:
    """The schema of a table, under what the user says of kinds and of missing cells."""
    if missing not in ("ignore", "level"):
        raise LikelyError(f"missing={missing!r}: use 'ignore' (no evidence) or 'level' (a level of its own).")
    return Schema.learn(frame, kinds, missing_level=missing == "level")


def plan(
    schema: Schema,
    frame: Frame,
    kinds: Kinds,
    families: FamilyWords,
    prior: Priors,
    missing: str,
    estimate: str,
) -> tuple[Part, ...]:
    """Give every column a family; the schema of the parts has the kinds that the families ask for."""
    chosen = each_value(declared_by_name(schema.names, families, "families"), _family)
    schema = _fit_kinds(schema, frame, chosen, kinds, missing == "level")
    by_column = isinstance(prior, Mapping)
    priors = declared_by_name(schema.names, prior if by_column else None, "prior")
    together: dict[Any, tuple[type[Part], type[Family], Any, list[int]]] = {}
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
        together.setdefault(key, (_part_class(family, column), family, own, []))[3].extend(places)
    parts = [
        made(schema, family, tuple(js), own, estimate, asked=own)
        for made, family, own, js in together.values()
    ]
    if not by_column:
        refuse_unsuited(prior, ((part.first.name, part.family) for part in parts))
    # Numbers have no level to spare for a missing cell: whether it is missing is a column of its own.
    numbers = tuple(
        j for j, column in enumerate(schema.columns) if column.levels is None and missing == "level"
    )
    if numbers:
        # A conjugate prior is about what is in the cells, not about whether there is something.
        own = "default" if by_column or isinstance(prior, Prior) else prior
        parts.append(MissingPart(schema, Bernoulli, numbers, own, estimate, asked=own))
    return tuple(parts)


def _default(column: Column) -> type[Family]:
    if column.words is not None:
        return Bernoulli if column.words.bits else Multinomial
    return FAMILIES[DEFAULT[column.kind]]


def _part_class(family: type[Family], column: Column) -> type[Part]:
    if column.words is not None:
        return WordsPart
    return LevelsPart if family.kinds[0].coded else NumbersPart


def _family(word: object, column: str) -> type[Family]:
    if isinstance(word, type) and issubclass(word, Family):
        return word
    if not isinstance(word, str) or word not in FAMILIES:
        raise LikelyError(
            f"family {word!r} for column {column!r} is unknown: use one of {', '.join(FAMILIES)}."
        )
    return FAMILIES[word]


def _fit_kinds(
    schema: Schema, frame: Frame, chosen: Mapping[str, type[Family]], kinds: Kinds, missing_level: bool
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
    if frame.matrix is not None:  # whose columns are all of one type, so that they are learnt together
        return Schema.learn(frame, {**declared, **moved} if declared else moved, missing_level)
    again = {name: Column.learn(frame.raw(name), kind, missing_level) for name, kind in moved.items()}
    return replace(schema, columns=tuple(again.get(column.name, column) for column in schema.columns))
