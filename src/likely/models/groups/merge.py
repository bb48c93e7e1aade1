"""Models that add, subtract and fade, as what they have seen does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.models.groups.independent import Tally
from likely.models.groups.record import Record
from likely.stats.statistic import exceeds
from likely.table.column.column import Column
from likely.table.schema import Schema


def add(a: Record, b: Record) -> Record:
    """The model of the rows of both."""
    wide, (mine, theirs) = _together(a, b)
    return replace(wide, tally=mine + theirs)


def subtract(a: Record, b: Record) -> Record:
    """The model of what is left when the rows of b are taken out of a.

    Classes and levels that only those rows had go with them, unless they were listed.
    """
    wide, (mine, theirs) = _together(a, b)
    short = [f"class {wide.classes[i]!r}" for i in np.flatnonzero(exceeds(theirs.groups, mine.groups))]
    for slot, whole, part in zip(wide.slots, mine.parts, theirs.parts, strict=True):
        short += [f"column {wide.schema.columns[j].name!r}" for j in slot.short(whole, part)]
    if short:
        raise LikelyError(
            f"{short[0]} would be left with less than nothing: only rows that a model was fitted on can be "
            "taken out of it."
        )
    return narrowed(replace(wide, tally=mine - theirs))


def narrowed(record: Record) -> Record:
    """Without the classes and levels of which nothing is left."""
    stay = np.flatnonzero((record.tally.groups > 0) | record.target.listed)
    if not len(stay):
        raise LikelyError("nothing would be left of the model: keep at least one of its rows.")
    target = replace(record.target, levels=tuple(record.classes[i] for i in stay))
    left = Tally(record.tally.groups[stay], tuple(part.only(stay) for part in record.tally.parts))
    return without_empty_levels(replace(record, target=target, tally=left))


def without_empty_levels(record: Record) -> Record:
    """Without the levels of which nothing is left."""
    columns, parts = list(record.schema.columns), []
    for slot, part in zip(record.slots, record.tally.parts, strict=True):
        less, levels = slot.narrowed(part, record.schema)
        parts.append(less)
        for j, left in levels.items():
            columns[j] = replace(columns[j], levels=left)
    schema = replace(record.schema, columns=tuple(columns))
    return replace(record, schema=schema, tally=Tally(record.tally.groups, tuple(parts)))


def decay(record: Record, keep: float) -> Record:
    """The model whose past counts `keep` times as much."""
    if not (isinstance(keep, int | float) and 0 < keep <= 1):
        raise LikelyError(
            f"keep={keep!r}: give the share of what was seen that is kept, above 0 and up to 1."
        )
    return replace(record, tally=record.tally * keep)


def _together(a: Record, b: Record) -> tuple[Record, tuple[Tally, Tally]]:
    """Both tallies over the levels and classes of both."""
    schema = a.schema.widened(b.schema)
    plans = [[(slot.family, slot.columns, slot.reads) for slot in record.slots] for record in (a, b)]
    if plans[0] != plans[1]:
        raise LikelyError(
            "the models describe their columns in different ways: fit them with the same kinds, families, "
            "priors by column and missing=."
        )
    target = a.target.widened(b.target)
    wide = replace(a, schema=schema, target=target)
    return wide, (widen(a, schema, target), widen(b, schema, target))


def widen(record: Record, schema: Schema, target: Column) -> Tally:
    """What was seen, over more levels and more classes."""
    place: dict[Any, int] = {label: i for i, label in enumerate(target.levels or ())}
    index = np.array([place[label] for label in record.classes], np.intp)
    pairs = zip(record.slots, record.tally.parts, strict=True)
    parts = tuple(slot.relevel(part, record.schema, schema) for slot, part in pairs)
    return Tally(record.tally.groups, parts).regroup(index, len(place))
