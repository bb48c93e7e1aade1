"""Models that add, subtract and fade, as what they have seen does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.models.independent import Tally
from likely.models.record import Record
from likely.table.column import Column
from likely.table.schema import Schema


def add(a: Record, b: Record) -> Record:
    """The model of the rows of both."""
    wide, (mine, theirs) = _together(a, b)
    return replace(wide, tally=mine + theirs)


def subtract(a: Record, b: Record) -> Record:
    """The model of what is left when the rows of b are taken out of a."""
    wide, (mine, theirs) = _together(a, b)
    left = mine - theirs
    if (left.groups < -1e-9 * (1 + mine.groups)).any():
        worst = int(np.argmin(left.groups))
        raise LikelyError(
            f"class {wide.classes[worst]!r} would be left with {left.groups[worst]:g} rows: "
            "only rows that a model was fitted on can be taken out of it."
        )
    return replace(wide, tally=left)


def decay(record: Record, keep: float) -> Record:
    """The model whose past counts `keep` times as much."""
    if not 0 < keep <= 1:
        raise LikelyError(
            f"keep={keep!r}: give the share of what was seen that is kept, above 0 and up to 1."
        )
    return replace(record, tally=record.tally * keep)


def _together(a: Record, b: Record) -> tuple[Record, tuple[Tally, Tally]]:
    """Both tallies over the levels and classes of both."""
    for mine, theirs in zip(a.slots, b.slots, strict=False):
        if (mine.family, mine.columns, mine.indicator) != (theirs.family, theirs.columns, theirs.indicator):
            raise LikelyError("the models describe their columns by different families: fit them alike.")
    schema = a.schema.widened(b.schema)
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
