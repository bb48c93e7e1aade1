"""Merging of fitted models: add, subtract (unlearn) and decay, through their sufficient statistics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.models.groups.evidence_weights import together
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import GroupTally
from likely.stats.groups import exceeds
from likely.table.column.column import Column
from likely.table.schema import Schema


def add(a: GroupRecord, b: GroupRecord) -> GroupRecord:
    """The model as if fitted to the rows of both."""
    wide, (mine, theirs) = _together(a, b)
    return replace(wide, tally=mine + theirs, evidence=together(a.evidence, b.evidence))


def subtract(a: GroupRecord, b: GroupRecord) -> GroupRecord:
    """Model a as if the rows of b had never been learnt from.

    Classes and levels that only those rows had are removed too, unless they were declared.
    """
    wide, (mine, theirs) = _together(a, b)
    short = [f"class {wide.classes[i]!r}" for i in np.flatnonzero(exceeds(theirs.groups, mine.groups))]
    for whole, part in mine.beside(theirs):
        short += [f"column {whole.schema.columns[j].name!r}" for j in whole.lacking(part)]
    if short:
        raise LikelyError(
            f"{short[0]} would be left with less than nothing: only rows that a model was fitted on can be "
            "taken out of it."
        )
    return narrowed(replace(wide, tally=mine - theirs))


def narrowed(record: GroupRecord) -> GroupRecord:
    """The record without classes and levels whose counts are 0."""
    stay = np.flatnonzero((record.tally.groups > 0) | record.target.listed)
    if not len(stay):
        raise LikelyError("nothing would be left of the model: keep at least one of its rows.")
    target = replace(record.target, levels=tuple(record.classes[i] for i in stay))
    return replace(record, target=target, tally=record.tally.only(stay).without_empty_levels())


def decay(record: GroupRecord, keep: float) -> GroupRecord:
    """The model with all counts multiplied by `keep`: the past weighs less than rows learnt from now on."""
    if not (isinstance(keep, int | float) and 0 < keep <= 1):
        raise LikelyError(
            f"keep={keep!r}: give the share of what was seen that is kept, above 0 and up to 1."
        )
    evidence = None if record.evidence is None else record.evidence * keep
    return replace(record, tally=record.tally * keep, evidence=evidence)


def same_plan(a: GroupRecord, b: GroupRecord) -> bool:
    """Whether two models use the same families for the same columns."""
    plans = [[(type(part), part.family, part.columns) for part in record.parts] for record in (a, b)]
    return plans[0] == plans[1]


def _together(a: GroupRecord, b: GroupRecord) -> tuple[GroupRecord, tuple[GroupTally, GroupTally]]:
    """Both tallies, extended to the union of their levels and classes."""
    schema = a.schema.widened(b.schema)
    if not same_plan(a, b):
        raise LikelyError(
            "the models describe their columns in different ways: fit them with the same kinds, families, "
            "priors by column and missing=."
        )
    target = a.target.widened(b.target)
    tallies = _widened(a, schema, target), _widened(b, schema, target)
    return replace(a, target=target, tally=tallies[0]), tallies


def _widened(record: GroupRecord, schema: Schema, target: Column) -> GroupTally:
    """The tally of a record, extended to more levels and more classes."""
    place: dict[Any, int] = {label: i for i, label in enumerate(target.levels or ())}
    index = np.array([place[label] for label in record.classes], np.intp)
    return record.tally.relevel(schema).regroup(index, len(place))
