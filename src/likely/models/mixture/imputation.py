"""Missing cells as a model guesses them, from what else is known of the row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likely.engine import map_rows
from likely.infer import bayes_rule
from likely.models.groups.block_rows import Held, hold
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord
from likely.table.build import values_of
from likely.table.column.raw import Type
from likely.table.fill import Fill
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def guesses(
    record: GroupRecord,
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
    unknown = never_seen(record)
    fills: dict[int, Fill | None] = {}
    for j, (rows, guess) in _cells(record, frame, rng, n_jobs, given, core).items():
        column = record.schema.columns[j]
        whole = column.type is Type.INTEGER and column.levels is None
        values = None if j in unknown else values_of(column, np.rint(guess) if whole else guess, library)
        fills[j] = None if j in unknown else Fill(rows, values)
    return fills


def never_seen(record: GroupRecord) -> set[int]:
    """The columns of numbers or levels of which a model has seen no value."""
    return {j for part in record.parts for j in part.never_seen()}


def _cells(
    record: GroupRecord,
    frame: Frame,
    rng: np.random.Generator | None,
    n_jobs: int | None,
    given: Floats | None,
    core: Independent | None,
) -> dict[int, tuple[Ints, Floats]]:
    """For every column with gaps: the rows of the gaps, and numbers or codes to fill them.

    Expected numbers and the most probable levels, Booleans and counts; with a generator, draws of all.
    """
    blocks, core = record.blocks(frame), record.core if core is None else core
    by_column: dict[int, dict[int, tuple[Ints, Floats]]] = {}
    seed = None if rng is None else int(rng.integers(2**62))

    def step(start: int, stop: int) -> None:
        held = hold(blocks, start, stop)
        shares = group_shares(core, held, stop - start) if given is None else given[start:stop]
        # A block's own generator, so that the answer does not depend on the threads.
        own = None if seed is None else np.random.default_rng((seed, start))
        groups = None if own is None else drawn_groups(shares, own)
        for part, rows in zip(core.parts, held, strict=True):
            filled = part.fill(rows.rows(0, stop - start), shares, groups, own)
            if filled is None:
                continue
            gaps, guess = filled
            for place, j in enumerate(part.columns):
                inside = np.flatnonzero(gaps[:, place])
                by_column.setdefault(j, {})[start] = (start + inside, guess[inside, place])

    map_rows(frame.n, frame.width + len(core.log_weights), step, n_jobs=n_jobs)
    return {j: _joined([blocks[start] for start in sorted(blocks)]) for j, blocks in by_column.items()}


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
