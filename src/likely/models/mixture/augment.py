"""Parameters drawn as a table with gaps leaves them open: data augmentation (Tanner and Wong 1987)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import numpy as np

from likely.engine import reduce_rows
from likely.engine.progress import progress
from likely.errors import LikelyError, notice
from likely.models.groups.block_rows import hold
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import GroupTally
from likely.models.mixture.e_step import Hidden
from likely.models.mixture.imputation import drawn_groups, group_shares
from likely.stats import Groups
from likely.table.frame import Frame

CYCLES = 10  # of draws between two sets of parameters, for the second to owe nothing to the first
SAME = 0.01  # of a statistic: a table that is expected to differ by less is the one that was fitted


def drawn_parameters(
    record: GroupRecord, frame: Frame, rng: np.random.Generator, n: int, n_jobs: int | None
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


def _fitted_on(record: GroupRecord, frame: Frame, n_jobs: int | None) -> bool:
    """Whether a table is the one that a model was fitted on: it has as many rows, and they tell the same."""
    if not np.isclose(frame.n, record.tally.groups.sum(), rtol=0, atol=SAME):
        return False
    tally, _ = Hidden(record.blocks(frame), frame.n, n_jobs=n_jobs).expect(record)
    both = ((a.statistic, b.statistic) for a, b in tally.beside(record.tally))
    arrays = [(getattr(a, f.name), getattr(b, f.name)) for a, b in both for f in fields(b)]
    arrays.append((tally.groups, record.tally.groups))
    return all(
        np.abs(here - there).max(initial=0.0) <= SAME * np.abs(there).max(initial=1e-300)
        for here, there in arrays
        if isinstance(there, np.ndarray)
    )


def _completed(
    record: GroupRecord, core: Independent, frame: Frame, rng: np.random.Generator, n_jobs: int | None
) -> GroupRecord:
    """The model of a table whose groups and missing cells are drawn under some parameters."""
    blocks, seed = record.blocks(frame), int(rng.integers(2**62))

    def step(start: int, stop: int) -> GroupTally:
        # A block's own generator, so that the answer does not depend on the threads.
        own, held = np.random.default_rng((seed, start)), hold(blocks, start, stop)
        codes = drawn_groups(group_shares(core, held, stop - start), own)
        groups = Groups.hard(codes, len(core.log_weights))
        pairs = zip(core.parts, held, strict=True)
        completed = tuple(part.complete(rows, groups, codes, own) for part, rows in pairs)
        return GroupTally(groups.total, completed)

    tally = reduce_rows(frame.n, frame.width, step, n_jobs=n_jobs)
    assert tally is not None
    return replace(record, tally=tally, weighed=(), components=None)
