"""Classifiers whose columns depend on one column more (TAN, AODE) on the page: log-probabilities of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.pieces import IMPOSSIBLE
from likely.errors import LikelyError
from likely.models.one_dependence.record import PairRecord
from likely.models.one_dependence.tables import TreeTables
from likely.page.columns import ShownColumn, between, cells_of, level_rows, named_apart, of_numbers, text_of
from likely.page.columns import shown_levels as levels_of
from likely.page.live import LiveModel
from likely.page.packed import packed
from likely.page.rare import Rarity
from likely.page.untold_columns import said_untold
from likely.table.frame import Frame

Floats = NDArray[np.float64]

MOST_NUMBERS = 40_000  # in the tables: about 450 kB


def live_pairs(learnt: Any, record: PairRecord, frame: Frame | None, rarity: Rarity) -> LiveModel:
    """The tables, and how cells become their rows."""
    columns = tuple(_column(record, j, frame, rarity) for j in range(len(record.schema.columns)))
    if rarity.least:
        _refuse_few(record, rarity)
    tables = _tables(record)
    if (n := sum(np.size(table) for table in tables["arrays"])) > MOST_NUMBERS:
        raise LikelyError(
            f"the {type(learnt).__name__} has {n:,} probabilities of pairs: a page holds {MOST_NUMBERS:,} at "
            "most. Leave out columns, group levels (GroupLevels), or take a NaiveBayes."
        )
    model = {
        "kind": "pairs",
        "edges": [
            None if column.has_levels else edges.tolist()
            for column, edges in zip(record.schema.columns, record.reading.edges, strict=True)
        ],
        "gaps": [_gap(record, j) for j in range(len(columns))],
        "rates": _finite(np.asarray(record.tables.log_rates)).tolist(),
        "weight": record.weight,
        "tree": record.tree,
        "order": list(record.tables.order),
        "firsts": np.cumsum([0, *record.pairs.sizes[:-1]]).tolist(),
        **{part: [packed(_finite(array)) for array in arrays] for part, arrays in tables.items()},
    }
    if said := said_untold(learnt, record):
        model["base_name"] = "nothing told"
    return LiveModel(
        said=said,
        target=record.target_name,
        outcomes=tuple(text_of(label) for label in record.classes),
        columns=columns,
        model=model,
        parameters=("the probabilities of pairs of values of two columns, in every class",),
    )


def _column(record: PairRecord, j: int, frame: Frame | None, rarity: Rarity) -> ShownColumn:
    column = record.schema.columns[j]
    levels = levels_of(column)
    seen = None
    if frame is not None and column.name in frame.position:
        seen = cells_of(record.schema, frame.only([column.name]), j)
    if levels is not None:
        if not levels:
            return ShownColumn(column, why="no value of it was ever seen")
        counted = np.asarray(record.pairs.single(j).sum(axis=0))[: len(levels)]
        rows = counted if seen is None else level_rows(seen, len(levels))
        return named_apart(column, levels, rows, rarity if column.has_levels else Rarity(0))
    if seen is not None:
        return of_numbers(column, seen)
    edges = record.reading.edges[j]
    low, high = (float(edges[0]), float(edges[-1])) if len(edges) else (0.0, 1.0)
    room = (high - low) / 2 or abs(low) / 10 or 1.0
    return between(column, low - room, high + room)


def _refuse_few(record: PairRecord, rarity: Rarity) -> None:
    """Refuse columns of numbers whose outermost bins few rows have: these begin at one of their values."""
    for j, edges in enumerate(record.reading.edges):
        column = record.schema.columns[j]
        rows = np.asarray(record.pairs.single(j).sum(axis=0))[: len(edges) + 1]
        if len(edges) and levels_of(column) is None and not rarity.kept(rows[[0, -1]]).all():
            raise LikelyError(
                f"column {column.name!r} has a bin of fewer than {rarity.least:g} rows at its end, which a "
                "page does not show. Learn from more rows, or say show_rare=True (--show-rare)."
            )


def _gap(record: PairRecord, j: int) -> int:
    """The level that a missing cell is; -1 where it adds nothing."""
    column = record.schema.columns[j]
    if column.has_levels:
        return len(column.known) if column.missing_level else -1
    return len(record.reading.edges[j]) + 1 if record.reading.gaps else -1


def _tables(record: PairRecord) -> dict[str, list[Floats]]:
    """Of a tree, each column given its parent, (g, k of that, k); else pairs, levels, which are parents."""
    tables = record.tables
    if isinstance(tables, TreeTables):
        return {"arrays": list(tables.tables)}
    pairs, singles = tables.pairs[:, :-1, :-1], tables.singles[:, :-1]
    return {"arrays": [pairs, singles, tables.often[:-1].astype(np.float64)]}


def _finite(logs: Floats) -> Floats:
    return np.maximum(logs, IMPOSSIBLE)
