"""A moment of a sequence as a world that can be asked: its state, and what is not known of its row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.dist.logs import log
from likely.models.asking.asking import GroupWorld
from likely.models.independent import Independent
from likely.models.markov.chain_record import ChainRecord
from likely.models.slots import Reads
from likely.table.frame import Frame

Floats = NDArray[np.float64]


def moment(record: ChainRecord, chances: Floats, frame: Frame | None = None, row: int = 0) -> GroupWorld:
    """The world in which states have these chances, (s,); given a row, only what nothing is known of there.

    What is known of a row has told of its state already.
    """
    states, parts = record.states, record.states.parts
    if frame is None:
        return GroupWorld(states.schema, states.slots, Independent(log(chances), parts), states.target)
    open_slots = [
        at
        for at, slot in enumerate(states.slots)
        if not _known(slot.block(states.schema, frame), slot.reads, row)
    ]
    kept = sorted({j for at in open_slots for j in states.slots[at].columns})
    places = {j: place for place, j in enumerate(kept)}
    slots = tuple(
        replace(states.slots[at], columns=tuple(places[j] for j in states.slots[at].columns))
        for at in open_slots
    )
    schema = replace(states.schema, columns=tuple(states.schema.columns[j] for j in kept))
    core = Independent(log(chances), tuple(parts[at] for at in open_slots))
    return GroupWorld(schema, slots, core, states.target)


def _known(block: object, reads: Reads, row: int) -> bool:
    """Whether anything is known of the cells of a slot in a row."""
    cells = block.rows(row, row + 1)  # type: ignore[attr-defined]
    if reads in (Reads.WORDS, Reads.GAPS):
        return True
    cells = cells if isinstance(cells, np.ndarray) else cells.toarray()
    return bool((cells != -1).any() if reads is Reads.CODES else (~np.isnan(cells)).any())
