"""Parameters drawn as a table with gaps leaves them open: data augmentation (Tanner and Wong 1987)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np

from likely.engine import Chunk, Engine, ReduceTask
from likely.engine.progress import progress
from likely.errors import LikelyError, notice
from likely.models.groups.block_rows import hold
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import GroupTally
from likely.models.mixture.e_step import Hidden
from likely.models.mixture.imputation import drawn_groups, group_shares
from likely.stats import Groups
from likely.table.block import Block
from likely.table.frame import Frame

CYCLES = 10  # of draws between two sets of parameters, for the second to owe nothing to the first
SAME = 0.01  # of a statistic: a table that is expected to differ by less is the one that was fitted


def drawn_parameters(
    record: GroupRecord, frame: Frame, rng: np.random.Generator, n: int, engine: Engine
) -> Iterator[Independent | None]:
    """n draws of a model's parameters from their posterior; None, if it has no prior to have one by."""
    try:
        record.drawn(rng, 1)
    except LikelyError as error:
        notice(f"the parameters are taken as known, for they cannot be drawn: {error}", stacklevel=4)
        yield from (None,) * n
        return
    if not _fitted_on(record, frame, engine):
        yield from (record.drawn(rng, 1) for _ in range(n))
        return
    core = record.core
    with progress("imputations", n * CYCLES) as show:
        for i in range(n * CYCLES):
            core = _completed(record, core, frame, rng, engine).drawn(rng, 1)
            show(i + 1, "")
            if (i + 1) % CYCLES == 0:
                yield core


def _fitted_on(record: GroupRecord, frame: Frame, engine: Engine) -> bool:
    """Whether a table is the one that a model was fitted on: it has as many rows, and they tell the same."""
    if not np.isclose(frame.n, record.tally.groups.sum(), rtol=0, atol=SAME):
        return False
    tally, _ = Hidden(record.blocks(frame), frame.n, engine=engine).expect(record)
    both = ((a.statistic, b.statistic) for a, b in tally.beside(record.tally))
    arrays = [(getattr(a, f.name), getattr(b, f.name)) for a, b in both for f in fields(b)]
    arrays.append((tally.groups, record.tally.groups))
    return all(
        np.abs(here - there).max(initial=0.0) <= SAME * np.abs(there).max(initial=1e-300)
        for here, there in arrays
        if isinstance(there, np.ndarray)
    )


def _completed(
    record: GroupRecord, core: Independent, frame: Frame, rng: np.random.Generator, engine: Engine
) -> GroupRecord:
    """The model of a table whose groups and missing cells are drawn under some parameters."""
    rows = Chunk(record.blocks(frame), frame.n, frame.width)
    tally = engine.reduce(rows, CompletedCounts(core, int(rng.integers(2**62))))
    return replace(record, tally=tally, weighed=(), components=None)


@dataclass(frozen=True, slots=True)
class CompletedCounts(ReduceTask[tuple[Block, ...], GroupTally]):
    """What is seen of rows whose groups and missing cells are drawn."""

    core: Independent
    seed: int

    def step(self, data: tuple[Block, ...], start: int, stop: int) -> GroupTally:
        """Of some rows."""
        # A block's own generator, so that the answer does not depend on the threads.
        own, held = np.random.default_rng((self.seed, start)), hold(data, start, stop)
        codes = drawn_groups(group_shares(self.core, held, stop - start), own)
        groups = Groups.hard(codes, len(self.core.log_weights))
        pairs = zip(self.core.parts, held, strict=True)
        completed = tuple(part.complete(rows, groups, codes, own) for part, rows in pairs)
        return GroupTally(groups.total, completed)
