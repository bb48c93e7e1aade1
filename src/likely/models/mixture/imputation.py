"""Missing cells as a model guesses them, from what else is known of the row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import MultivariateNormal
from likely.engine import map_rows
from likely.infer import bayes_rule
from likely.models.groups.block_rows import Held, hold
from likely.models.groups.independent import Independent
from likely.models.groups.record import Record
from likely.models.parts.part import Reads, Slot
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FARTHEST = 10_000  # the largest count that is looked at for the most probable one


def complete(
    record: Record,
    frame: Frame,
    rng: np.random.Generator | None,
    n_jobs: int | None,
    given: Floats | None = None,
    core: Independent | None = None,
) -> dict[int, tuple[NDArray[np.intp], Floats]]:
    """For every column with gaps: the rows of the gaps, and numbers or codes to fill them.

    Expected numbers and the most probable levels, Booleans and counts; with a generator, draws of all. The
    groups are as the rows say, or as `given`, (n, g); the parameters are those of the record, or `core`.
    """
    blocks, core = record.blocks(frame), record.core if core is None else core
    found: dict[int, dict[int, tuple[NDArray[np.intp], Floats]]] = {}
    seed = None if rng is None else int(rng.integers(2**62))

    def step(start: int, stop: int) -> None:
        held = hold(blocks, start, stop)
        shares = group_shares(core, held, stop - start) if given is None else given[start:stop]
        # A block's own generator, so that the answer does not depend on the threads.
        own = None if seed is None else np.random.default_rng((seed, start))
        groups = None if own is None else drawn_groups(shares, own)
        for slot, part, rows in zip(record.slots, core.parts, held, strict=True):
            if slot.reads not in (Reads.NUMBERS, Reads.CODES):
                continue
            cells, gaps = cells_and_gaps(slot, rows.rows(0, stop - start))
            if not gaps.any():
                continue
            if own is not None and groups is not None:
                guess = draws(part, cells, gaps, groups, own)
            else:
                guess = _expected(slot, part, record.schema, cells, gaps, shares)
            for place, j in enumerate(slot.columns):
                inside = np.flatnonzero(gaps[:, place])
                found.setdefault(j, {})[start] = (start + inside, guess[inside, place])

    map_rows(frame.n, frame.width + len(core.log_weights), step, n_jobs=n_jobs)
    return {j: _joined([parts[start] for start in sorted(parts)]) for j, parts in found.items()}


def cells_and_gaps(slot: Slot, rows: Any) -> tuple[Any, Bools]:
    """The cells that a slot reads, written out, and which of them are missing."""
    cells = rows if isinstance(rows, np.ndarray) else rows.toarray()
    return cells, np.isnan(cells) if slot.reads is Reads.NUMBERS else cells == -1


def group_shares(core: Independent, held: Sequence[Held], n: int) -> Floats:
    """P(group given row) of some rows, (n, g)."""
    log_shares, log_evidence = bayes_rule(core.log_joint(held, 0, n)[0])
    log_shares[np.isneginf(log_evidence)] = core.log_weights
    return np.asarray(np.exp(log_shares))


def _joined(parts: Sequence[tuple[NDArray[np.intp], Floats]]) -> tuple[NDArray[np.intp], Floats]:
    rows, values = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(values)


def drawn_groups(shares: Floats, rng: np.random.Generator) -> NDArray[np.intp]:
    """A group for each row, drawn by its shares (n, g)."""
    up_to = np.cumsum(shares, axis=1)
    return np.asarray((up_to < rng.random((len(shares), 1)) * up_to[:, -1:]).sum(axis=1))


def draws(part: Any, cells: Floats, gaps: Bools, groups: Any, rng: np.random.Generator) -> Floats:
    """Every gap drawn from the distribution of the row's group, given the row's known cells."""
    if not isinstance(part, MultivariateNormal):
        return np.asarray(part.sample_rows(groups, rng), np.float64)
    guess = np.array(cells, np.float64)
    for inside, known in _patterns(gaps):
        for group in np.unique(groups[inside]):
            rows = inside[groups[inside] == group]
            mean, spread = part.given(group, cells[rows], known)
            values, axes = np.linalg.eigh(spread)
            white = rng.standard_normal(mean.shape) * np.sqrt(np.maximum(values, 0.0))
            guess[np.ix_(rows, np.flatnonzero(gaps[rows[0]]))] = mean + white @ axes.T
    return guess


def _expected(slot: Slot, part: Any, schema: Schema, cells: Any, gaps: Bools, shares: Floats) -> Floats:
    """Every gap as the groups expect it, each by its share in the row."""
    guess = np.array(cells, np.float64)
    if isinstance(part, MultivariateNormal):
        for inside, known in _patterns(gaps):
            means = [part.given(g, cells[inside], known)[0] for g in range(shares.shape[1])]
            mean = np.einsum("ng,gnm->nm", shares[inside], np.stack(means))
            guess[np.ix_(inside, np.flatnonzero(gaps[inside[0]]))] = mean
        return guess
    for place, j in enumerate(slot.columns):
        missing = gaps[:, place]
        if not missing.any():
            continue
        column = schema.columns[j]
        if column.levels is not None or column.kind is Kind.BOOLEAN:
            likely = _cell_masses(part, slot, place, len(column.levels or (0, 1)))
        elif column.kind is Kind.COUNT and not slot.family.joint:
            reach = np.max(part.mean[:, place] + 10 * part.sd[:, place])
            likely = _cell_masses(part, slot, place, int(min(np.ceil(reach) + 2, FARTHEST)))
        else:
            mean = shares[missing] @ part.mean[:, place]
            guess[missing, place] = np.rint(mean) if column.kind is Kind.COUNT else mean
            continue
        guess[missing, place] = (shares[missing] @ likely).argmax(axis=1) if likely.shape[1] else -1
    return guess


def _cell_masses(part: Any, slot: Slot, place: int, k: int) -> Floats:
    """P(cell given group) of the values 0 to k - 1 of one column, the others missing, (g, k)."""
    rows = np.full((k, len(slot.columns)), -1 if slot.reads is Reads.CODES else np.nan)
    rows = rows.astype(np.intp) if slot.reads is Reads.CODES else rows
    rows[:, place] = np.arange(k)
    return np.asarray(np.exp(part.group_log_prob(rows)).T)


def _patterns(gaps: Bools) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """For every set of columns that is missing together: the rows, and the columns that are known."""
    some = np.flatnonzero(gaps.any(axis=1))
    patterns, which = np.unique(gaps[some], axis=0, return_inverse=True)
    return [(some[which == i], np.flatnonzero(~pattern)) for i, pattern in enumerate(patterns)]
