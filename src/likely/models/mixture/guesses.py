"""Guesses as values of their columns: what to write into the gaps of a table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.models.groups.independent import Independent
from likely.models.groups.record import Record
from likely.models.mixture.imputation import complete
from likely.models.parts.part import Reads
from likely.stats import Counts
from likely.table.build import values_of
from likely.table.column.raw import Type
from likely.table.fill import Fill
from likely.table.frame import Frame

Floats = NDArray[np.float64]


def guesses(
    record: Record,
    frame: Frame,
    rng: np.random.Generator | None,
    library: str,
    n_jobs: int | None,
    given: Floats | None = None,
    core: Independent | None = None,
) -> dict[int, Fill | None]:
    """What to write into the gaps of each column that has some; nothing where no value was ever known.

    With a generator they are drawn. The groups are as the rows say, or as `given`, (n, g); the parameters are
    those of the record, or `core`. The values are as columns of the library have them.
    """
    unknown, fills = never_seen(record), {}
    for j, (rows, guess) in complete(record, frame, rng, n_jobs, given, core).items():
        column = record.schema.columns[j]
        whole = column.type is Type.INTEGER and column.levels is None
        values = None if j in unknown else values_of(column, np.rint(guess) if whole else guess, library)
        fills[j] = None if j in unknown else Fill(rows, values)
    return fills


def never_seen(record: Record) -> set[int]:
    """The columns of numbers or levels of which a model has seen no value."""
    found = set()
    for slot, seen in zip(record.slots, record.tally.parts, strict=True):
        if slot.reads in (Reads.NUMBERS, Reads.CODES):
            empty = _empty(seen, len(slot.columns))
            found |= {j for j, nothing in zip(slot.columns, empty, strict=True) if nothing}
    return found


def _empty(seen: Any, width: int) -> Sequence[bool]:
    """Of each column, whether nothing was seen."""
    if isinstance(seen, Counts):
        edges = np.cumsum((0, *seen.sizes))
        return [not seen.table[:, low:high].any() for low, high in pairwise(edges)]
    by_column = np.broadcast_to(seen.n.T, (width, len(seen.n)))  # of joint distributions, of all columns
    return [not own.any() for own in by_column]
