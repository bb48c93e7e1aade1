"""Missing cells as a model guesses them, from what else is known of the row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, Engine, ReduceTask
from likely.engine.memory import SHORT_BLOCKS, progress
from likely.errors import LikelyError, notice
from likely.infer import bayes_rule
from likely.models.groups.independent import Held, Independent, hold
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import GroupTally
from likely.models.mixture.e_step import Hidden
from likely.stats import Groups
from likely.table.build import values_of
from likely.table.column.block import Block
from likely.table.fill import Fill
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
CYCLES = 10  # of draws between two sets of parameters, for the second to owe nothing to the first
SAME = 0.01  # of a statistic: a table that is expected to differ by less is the one that was fitted


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
    unknown = record.never_seen
    fills: dict[int, Fill | None] = {}
    for j, (rows, guess) in _cells(record, frame, rng, engine, given, core).items():
        column = record.schema.columns[j]
        values = None if j in unknown else values_of(column, column.possible(guess), library)
        fills[j] = None if j in unknown else Fill(rows, values)
    return fills


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
    return filled.whole()


@dataclass(frozen=True, slots=True)
class RowsWithGaps:
    """The columns that each part reads, and the groups of the rows where these are given."""

    blocks: tuple[Block, ...]
    given: Floats | None  # (n, g)


@dataclass(frozen=True, slots=True)
class FilledCells:
    """For every column with gaps the rows of these and what fills them, block by block."""

    of_column: Mapping[int, tuple[tuple[Ints, Floats], ...]]

    def whole(self) -> dict[int, tuple[Ints, Floats]]:
        """For every column with gaps, the rows of all of them and what fills them."""
        pairs = {j: zip(*blocks, strict=True) for j, blocks in self.of_column.items()}
        return {j: (np.concatenate(rows), np.concatenate(values)) for j, (rows, values) in pairs.items()}

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


def drawn_parameters(
    record: GroupRecord, frame: Frame, rng: np.random.Generator, n: int, engine: Engine
) -> Iterator[Independent | None]:
    """n draws of a model's parameters from their posterior; None, if it has no prior to have one by."""
    try:
        record.drawn(rng, 1)
    except LikelyError as error:
        notice(f"the parameters are taken as known, for they cannot be drawn: {error}")
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
