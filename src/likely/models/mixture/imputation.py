"""Missing cells as a model guesses them, from what else is known of the row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, Engine, ReduceTask
from likely.engine.memory import SHORT_BLOCKS
from likely.infer import bayes_rule
from likely.models.groups.block_rows import Held, hold
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord
from likely.table.block import Block
from likely.table.build import values_of
from likely.table.fill import Fill
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def guesses(
    record: GroupRecord,
    frame: Frame,
    rng: np.random.Generator | None,
    library: str,
    engine: Engine,
    given: Floats | None = None,
    core: Independent | None = None,
) -> dict[int, Fill | None]:
    """What to write into the gaps of each column that has some; nothing where no value was ever known.

    With a generator they are drawn. The groups are as the rows say, or as `given`, (n, g); the parameters are
    those of the record, or `core`. The values are as columns of the library have them.
    """
    unknown = never_seen(record)
    fills: dict[int, Fill | None] = {}
    for j, (rows, guess) in _cells(record, frame, rng, engine, given, core).items():
        column = record.schema.columns[j]
        values = None if j in unknown else values_of(column, column.possible(guess), library)
        fills[j] = None if j in unknown else Fill(rows, values)
    return fills


def never_seen(record: GroupRecord) -> set[int]:
    """The columns of numbers or levels of which a model has seen no value."""
    return {j for part in record.parts for j in part.never_seen()}


def _cells(
    record: GroupRecord,
    frame: Frame,
    rng: np.random.Generator | None,
    engine: Engine,
    given: Floats | None,
    core: Independent | None,
) -> dict[int, tuple[Ints, Floats]]:
    """For every column with gaps: the rows of the gaps, and numbers or codes to fill them.

    Expected numbers and the most probable levels, Booleans and counts; with a generator, draws of all.
    """
    core = record.core if core is None else core
    seed = None if rng is None else int(rng.integers(2**62))
    rows = Chunk(RowsWithGaps(record.blocks(frame), given), frame.n, frame.width)
    filled = engine.reduce(rows, FillGaps(core, seed))
    return {j: _joined(cells) for j, cells in filled.of_column.items()}


@dataclass(frozen=True, slots=True)
class RowsWithGaps:
    """The columns that each part reads, and the groups of the rows where these are given."""

    blocks: tuple[Block, ...]
    given: Floats | None  # (n, g)


@dataclass(frozen=True, slots=True)
class FilledCells:
    """For every column with gaps the rows of these and what fills them, block by block."""

    of_column: Mapping[int, tuple[tuple[Ints, Floats], ...]]

    def __add__(self, other: FilledCells) -> FilledCells:
        columns = {**self.of_column, **other.of_column}
        return FilledCells({j: self.of_column.get(j, ()) + other.of_column.get(j, ()) for j in columns})


@dataclass(frozen=True, slots=True)
class FillGaps(ReduceTask[RowsWithGaps, FilledCells]):
    """Expected or most probable cells for the gaps; with a seed, draws."""

    core: Independent
    seed: int | None

    def width(self, stored: int) -> int:
        """A row's cells and its groups, in blocks as short as those of answers: each has its own draws."""
        return max(stored + len(self.core.log_weights), SHORT_BLOCKS)

    def step(self, data: RowsWithGaps, start: int, stop: int) -> FilledCells:
        """Of some rows."""
        held = hold(data.blocks, start, stop)
        shares = group_shares(self.core, held, stop - start) if data.given is None else data.given[start:stop]
        # A block's own generator, so that the answer does not depend on the threads.
        own = None if self.seed is None else np.random.default_rng((self.seed, start))
        groups = None if own is None else drawn_groups(shares, own)
        of_column = {}
        for part, rows in zip(self.core.parts, held, strict=True):
            filled = part.fill(rows.rows(0, stop - start), shares, groups, own)
            if filled is None:
                continue
            gaps, guess = filled
            for place, j in enumerate(part.columns):
                inside = np.flatnonzero(gaps[:, place])
                of_column[j] = ((start + inside, guess[inside, place]),)
        return FilledCells(of_column)


def group_shares(core: Independent, held: Sequence[Held], n: int) -> Floats:
    """P(group given row) of some rows, (n, g)."""
    log_shares, log_evidence = bayes_rule(core.log_joint(held, 0, n)[0])
    log_shares[np.isneginf(log_evidence)] = core.log_weights
    return np.asarray(np.exp(log_shares))


def drawn_groups(shares: Floats, rng: np.random.Generator) -> Ints:
    """A group for each row, drawn by its shares (n, g)."""
    up_to = np.cumsum(shares, axis=1)
    return np.asarray((up_to < rng.random((len(shares), 1)) * up_to[:, -1:]).sum(axis=1))


def _joined(blocks: Sequence[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    rows, values = zip(*blocks, strict=True)
    return np.concatenate(rows), np.concatenate(values)
