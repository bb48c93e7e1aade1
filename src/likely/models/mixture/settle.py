"""The scale of default priors: how much columns vary within groups, which is known once there are groups."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from likely.dist import Prior
from likely.models.groups.record import Record
from likely.models.parts.part import Slot
from likely.table.column.kinds import Kind


def settled(record: Record, slots: tuple[Slot, ...]) -> Record:
    """The model with the priors that `slots` leave to be decided, by the groups that it has now.

    `slots` are those of the plan, as the user said them: "default", a strength, or what is decided already.
    """
    trios = zip(record.slots, slots, record.tally.parts, strict=True)
    return replace(
        record,
        slots=tuple(
            planned.with_prior(seen, record.schema) if _open(planned) else own for own, planned, seen in trios
        ),
    )


def kept_priors(
    given: tuple[Slot, ...], own: tuple[Slot, ...], planned: tuple[Slot, ...]
) -> tuple[Slot, ...]:
    """The slots of a plan, with the priors of another model where the data decide them."""
    trios = zip(given, own, planned, strict=True)
    return tuple(replace(mine, prior=theirs.prior) if _open(word) else mine for theirs, mine, word in trios)


def _open(planned: Slot) -> bool:
    """Whether the data decide the prior: the user gave a word or a strength."""
    return isinstance(planned.prior, str | int | float | np.number)


def widths(record: Record) -> float:
    """How wide the priors expect groups to be: the mean entropy of a quantitative column, in nats."""
    found, columns = 0.0, 0
    for slot in record.slots:
        if Kind.QUANTITATIVE in slot.family.kinds and isinstance(slot.prior, Prior):
            found += float(np.sum(slot.family.at_mean(slot.prior).entropy()))
            columns += len(slot.columns)
    return found / max(columns, 1)
