"""The gaps of rows drawn under a network, all of a row together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, Engine
from likely.models.network.answers import RowPosterior
from likely.models.network.rows import NodeRows, configurations
from likely.table.frame import Frame

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def drawn_cells(
    record: NetworkRecord,
    frame: Frame,
    told: Mapping[int, Ints],
    rng: np.random.Generator,
    engine: Engine,
) -> dict[int, tuple[Ints, Floats]]:
    """For every node with gaps the rows of these, and draws given all that is known of the row.

    One node after another, each given the cells that are known and those already drawn: by the product rule
    that is a draw of all gaps together. What the table does not have but numbers hang on is drawn as well,
    and not told.
    """
    rows = NodeRows.of(record, frame, told)
    levels = rows.levels(0, frame.n)
    wanted = {*rows.seen, *(p for i in rows.leaves for p in record.parents[i])}
    filled: dict[int, tuple[Ints, Floats]] = {}
    drawn = dict(told)
    for i in (i for i in record.order if i in wanted and i not in record.leaves):
        gaps = np.flatnonzero(levels[i] < 0)
        if len(gaps):
            levels[i, gaps] = _drawn(record, i, frame.at(gaps), drawn, gaps, rng, engine)
            if i in rows.seen:
                filled[i] = gaps, levels[i, gaps].astype(np.float64)
        drawn[i] = levels[i]
    return filled | dict(_numbers(record, rows, levels, rng))


def _drawn(
    record: NetworkRecord,
    node: int,
    frame: Frame,
    known: Mapping[int, Ints],
    gaps: Ints,
    rng: np.random.Generator,
    engine: Engine,
) -> Ints:
    rows = NodeRows.of(record, frame, {i: codes[gaps] for i, codes in known.items()})
    task = RowPosterior(record, rows.seen, node)
    logs, impossible = engine.map(Chunk(rows, frame.n, frame.width), task)
    shares = np.exp(logs)
    shares[impossible] = record.factors.table([node])[0]
    reached = np.cumsum(shares, axis=1)
    passed = reached <= rng.random(frame.n)[:, None] * reached[:, -1:]
    return np.asarray(np.minimum(passed.sum(axis=1), shares.shape[1] - 1))


def _numbers(
    record: NetworkRecord, rows: NodeRows, levels: Ints, rng: np.random.Generator
) -> Iterable[tuple[int, tuple[Ints, Floats]]]:
    for i, cells in rows.numbers(0, levels.shape[1]).items():
        groups = configurations(record, i, levels)
        guess = record.parts[i].fill(cells.rows(0, 0), np.ones((len(groups), 1)), groups, rng)
        if guess is not None and guess[0].any():
            gaps = np.flatnonzero(guess[0][:, 0])
            yield i, (gaps, guess[1][gaps, 0])
