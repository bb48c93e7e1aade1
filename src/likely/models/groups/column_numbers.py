"""The numbers that say what a model has seen and knows of a column, each under its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Bernoulli, Categorical
from likely.models.groups.record import Record
from likely.models.parts.part import Reads, Slot
from likely.models.parts.words import WordsPart
from likely.stats import Counts
from likely.table.column.column import Column

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Quantities:
    """Numbers of one column in every group."""

    names: Sequence[Any]  # (q,): "mean", or a pair such as ("P", level)
    values: Floats  # (g, q)
    unit: Floats | float = 1.0  # (g, q): by which changes are comparable


def counts_of(record: Record, slot: Slot, seen: Any, place: int) -> Quantities:
    """How much was seen of a column: of each level or word, of true, or in all."""
    column = record.schema.columns[slot.columns[place]]
    if slot.reads is Reads.WORDS:
        return Quantities([("count of", word) for word in column.levels or ()], seen.total)
    if isinstance(seen, Counts):
        return Quantities([("count of", level) for level in column.levels or ()], seen.column(place))
    if slot.family is Bernoulli:
        what = "count of missing" if slot.reads is Reads.GAPS else "count of true"
        return Quantities([what], seen.total[:, [place]])
    rows = slot.family.n_rows(seen)
    return Quantities(["count of known"], (rows if rows.ndim == 1 else rows[:, place])[:, None])


def parameters_of(column: Column, slot: Slot, part: Any, place: int) -> Quantities:
    """What is known of a column: probabilities, or mean and sd.

    Changes of a mean are comparable in sds, and those of an sd as a share of it.
    """
    if isinstance(part, WordsPart):
        named = [("rate of", part.vocabulary[i]) for i in part.kept]
        return Quantities(named, np.zeros((part.n_groups, 0)) if part.words is None else part.words.mean)
    if isinstance(part, Categorical):
        start = sum((part.sizes or ())[:place])
        probs = part.probs[:, start : start + len(column.levels or ())]
        return Quantities([("P of", level) for level in column.levels or ()], probs)
    if isinstance(part, Bernoulli):
        return Quantities(["P of missing" if slot.reads is Reads.GAPS else "P of true"], part.p[:, [place]])
    mean, sd = part.mean[:, place], part.sd[:, place]
    unit = np.where((sd > 0) & np.isfinite(sd), sd, 1.0)
    return Quantities(["mean", "sd"], np.stack([mean, sd], axis=1), np.stack([unit, unit], axis=1))
