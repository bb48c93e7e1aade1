"""Pictures of columns that transformers look at, or make: their cells, or their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from likely.draw.bars import bars
from likely.draw.forest import Estimate, forest
from likely.draw.histogram import histogram
from likely.features.cell_table import LEVEL, Told
from likely.features.counted import level_values
from likely.features.partition import Partition
from likely.format.words import shown
from likely.stats.bins import equal_width_codes
from likely.stats.groups import Floats
from likely.table.column.column import Column
from likely.table.column.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

BINS = 30  # of a histogram
MOST_ROWS = 40  # of a picture with a row for each cell


def draw_cells(part: Partition, classes: Sequence[Any], ax: Axes | None) -> Axes:
    """The cells of a column: of two classes the evidence of each with its interval, else its rows."""
    rows, labels = part.counts.sum(axis=0), list(part.labels)
    shown_ones = np.sort(np.argsort(-rows, kind="stable")[:MOST_ROWS])
    more = f" (the {MOST_ROWS} most frequent of {len(labels)})" if len(labels) > MOST_ROWS else ""
    title = f"{part.column.name}{more}"
    if len(classes) != 2:
        amounts = [float(rows[k]) for k in shown_ones]
        words = [f"{amount:g}" for amount in amounts]
        return bars([labels[k] for k in shown_ones], amounts, words, title=title, xlabel="rows", ax=ax)
    told = Told.of(part.counts)
    estimates = [
        Estimate(labels[k], float(told.evidence[0, k]), float(told.low[0, k]), float(told.high[0, k]))
        for k in shown_ones
    ]
    said = f"evidence for {shown(classes[1])} in nats, with {LEVEL:.0%} intervals"
    return forest(estimates, title=title, xlabel=said, zero=0.0, ax=ax)


def draw_values(column: Column, name: str, values: Any, ax: Axes | None) -> Axes:
    """The values of a new column (n,): how often each level occurs, or a histogram of its numbers."""
    if column.kind is Kind.TEXT:
        texts, counts = np.unique([str(text) for text in values if text is not None], return_counts=True)
        return _level_bars(name, texts.tolist(), counts, ax)
    numbers = np.asarray(values, np.float64)
    known: Floats = numbers[~np.isnan(numbers)]
    if column.levels is not None or column.kind is Kind.BOOLEAN:
        levels = level_values(column)
        counts = np.bincount(known.astype(np.intp), minlength=len(levels))
        return _level_bars(name, [shown(level) for level in levels], counts, ax)
    low, high = (known.min(), known.max()) if len(known) else (0.0, 0.0)
    bins = BINS if high > low else min(len(known), 1)
    rows = np.bincount(
        equal_width_codes(low, (high - low) / BINS or 1.0, max(bins, 1), known), minlength=bins
    )
    edges = np.linspace(low, high, bins + 1)
    return histogram(edges.tolist(), rows[:bins].tolist(), title=name, xlabel=name, ax=ax)


def _level_bars(name: str, labels: Sequence[str], counts: Any, ax: Axes | None) -> Axes:
    order = np.argsort(-np.asarray(counts), kind="stable")[:MOST_ROWS]
    words = [f"{counts[i]:g}" for i in order]
    amounts = [float(counts[i]) for i in order]
    return bars([labels[i] for i in order], amounts, words, title=name, xlabel="rows", ax=ax)
