"""Parameters drawn as a table with gaps leaves them open: data augmentation (Tanner and Wong 1987)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from likely.engine import reduce_rows
from likely.engine.progress import progress
from likely.errors import LikelyError, notice
from likely.models.groups.block_rows import hold
from likely.models.groups.independent import Independent, Tally
from likely.models.groups.record import Record
from likely.models.mixture.e_step import Hidden
from likely.models.mixture.imputation import cells_and_gaps, drawn_groups, draws, group_shares
from likely.models.parts.part import Reads
from likely.stats import Groups
from likely.table.frame import Frame

CYCLES = 10  # of draws between two sets of parameters, for the second to owe nothing to the first
SAME = 0.01  # of a statistic: a table that is expected to differ by less is the one that was fitted


def drawn_parameters(
    record: Record, frame: Frame, rng: np.random.Generator, n: int, n_jobs: int | None
) -> Iterator[Independent | None]:
    """n draws of a model's parameters from their posterior; None, if it has no prior to have one by."""
    try:
        record.drawn(rng, 1)
    except LikelyError as error:
        notice(f"the parameters are taken as known, for they cannot be drawn: {error}", stacklevel=4)
        yield from (None,) * n
        return
    if not _fitted_on(record, frame, n_jobs):
        yield from (record.drawn(rng, 1) for _ in range(n))
        return
    core = record.core
    with progress("imputations", n * CYCLES) as show:
        for i in range(n * CYCLES):
            core = _completed(record, core, frame, rng, n_jobs).drawn(rng, 1)
            show(i + 1, "")
            if (i + 1) % CYCLES == 0:
                yield core


def _fitted_on(record: Record, frame: Frame, n_jobs: int | None) -> bool:
    """Whether a table is the one that a model was fitted on: it has as many rows, and they tell the same."""
    if not np.isclose(frame.n, record.tally.groups.sum(), rtol=0, atol=SAME):
        return False
    tally, _ = Hidden(record.blocks(frame), frame.n, n_jobs=n_jobs).expect(record)
    pairs: list[tuple[Any, Any]] = [(tally, record.tally)]
    pairs += zip(tally.parts, record.tally.parts, strict=True)
    arrays = ((getattr(a, f.name), getattr(b, f.name)) for a, b in pairs for f in fields(b))
    return all(
        np.abs(here - there).max(initial=0.0) <= SAME * np.abs(there).max(initial=1e-300)
        for here, there in arrays
        if isinstance(there, np.ndarray)
    )


def _completed(
    record: Record, core: Independent, frame: Frame, rng: np.random.Generator, n_jobs: int | None
) -> Record:
    """The model of a table whose groups and missing cells are drawn under some parameters."""
    blocks, seed = record.blocks(frame), int(rng.integers(2**62))

    def step(start: int, stop: int) -> Tally:
        # A block's own generator, so that the answer does not depend on the threads.
        own, held = np.random.default_rng((seed, start)), hold(blocks, start, stop)
        codes = drawn_groups(group_shares(core, held, stop - start), own)
        groups = Groups.hard(codes, len(core.log_weights))
        parts = []
        for slot, part, rows in zip(record.slots, core.parts, held, strict=True):
            if slot.reads not in (Reads.NUMBERS, Reads.CODES):
                parts.append(slot.collect(rows, groups, record.schema, 0, stop - start))
                continue
            cells, gaps = cells_and_gaps(slot, rows.rows(0, stop - start))
            if gaps.any():
                cells = np.where(gaps, draws(part, cells, gaps, codes, own), cells).astype(cells.dtype)
            parts.append(slot.family.collect(cells, groups, slot.sizes(record.schema)))
        return Tally(groups.total, tuple(parts))

    found = reduce_rows(frame.n, frame.width, step, n_jobs=n_jobs)
    assert found is not None
    return Record(record.schema, record.target, record.slots, found, record.settings)
