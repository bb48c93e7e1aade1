"""What a schema is learnt from where the rows are not in memory: every level, and ends of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.engine.query.levels import LevelCounts
from likely.engine.query.sums import HEAD, NumberSums, floats
from likely.table.column.column import ENOUGH, Span
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.lazy.table import LazyTable
from likely.table.looked_at import looked_at

Floats = NDArray[np.float64]

WHOLE = float(1 << 53)  # from which on there are no decimals


def described(
    table: LazyTable,
    head: Frame,
    names: Sequence[str],
    sums: NumberSums,
    levels: Mapping[str, LevelCounts],
) -> Frame:
    """A table of so many rows whose columns hold every level, and of numbers the ends and the decimals.

    No cell of it can be read: it is for what is learnt of whole columns.
    """
    seen = {name: counted.level for name, counted in levels.items()}
    finest = _finest(table, head, names)
    for j, name in enumerate(names):
        seen[name] = _described(head.raw(name), sums, j, finest[name])
    own = {name: seen[name] for name in table.names if name in seen}
    unread = (
        "only what queries can count is learnt from a lazy table. Collect it first, or give a table that "
        "fits in memory."
    )
    return looked_at(own, int(sums.rows.sum()), table.library, unread)


def _finest(table: LazyTable, head: Frame, names: Sequence[str]) -> dict[str, Floats]:
    """Of each column of floats values that have as many decimals as any of it, as `Span` asks for."""
    import narwhals.stable.v2 as nw

    examples = {name: _known(head.raw(name)) for name in names}
    left = [name for name in names if not table.types[name].is_integer()]
    while left:
        decimals = {name: _decimals(examples[name]) for name in left}
        left = [name for name in left if decimals[name] is not None]
        asked = []
        for name in left:
            scale = 10.0 ** (decimals[name] or 0)
            off = (nw.col("x") * scale + 0.5).floor().cast(nw.Float64) / scale != nw.col("x")
            # Above so much every number is whole, and some engines round to integers of 64 bits.
            rows = table.frame.select(x=table.known(name))
            rows = rows.with_columns(x=nw.when(nw.col("x").abs() * scale < WHOLE).then(nw.col("x")))
            asked.append(rows.filter(off).head(HEAD))
        for name, answer in zip(left, table.answers(asked) if asked else (), strict=True):
            more = floats(answer, "x")
            examples[name] = np.append(examples[name], more[~np.isnan(more)])
        # Where no more decimals come to light, it was rounding that made a value differ.
        left = [name for name in left if _decimals(examples[name]) != decimals[name]]
    return examples


def _decimals(examples: Floats) -> int | None:
    """How many decimals numbers have; None if they are continuous, or there are none."""
    span = Span.of(np.resize(examples, max(ENOUGH, len(examples)))) if len(examples) else None
    return None if span is None else span.decimals


def _known(raw: Raw) -> Floats:
    values = np.asarray(raw.numbers(), np.float64)
    return values[np.isfinite(values)]


def _described(raw: Raw, sums: NumberSums, j: int, examples: Floats) -> Raw:
    """A column of numbers that has the ends, the decimals and the gaps of the whole."""
    known, missing = sums.n[:, j].sum(), (sums.n[:, j] < sums.rows).any()
    ends = np.array([sums.low[:, j], sums.high[:, j]])
    ends = ends[~np.isnan(ends)]
    if not known or not len(ends):
        return replace(raw, values=np.full(1, np.nan), found=None)
    ends = np.array([ends.min(), ends.max()])
    # Of fewer than so many values only the sign is kept: no more of them than there are.
    values = np.append(ends, examples) if known >= ENOUGH else np.unique(ends)
    values = np.resize(values, max(len(values), ENOUGH)) if known >= ENOUGH else values
    if missing:
        values = np.append(values, np.nan)
    elif raw.values.dtype.kind in "iu":
        values = values.astype(np.int64)
    return replace(raw, values=values, found=None)
