"""What each column of a pool adds, as a curve with an interval; and what pairs add only together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import special
from likely.evidence.curves import EffectCurve, EffectCurves
from likely.evidence.interactions import Interaction, Interactions
from likely.format import words
from likely.models.groups.intervals import check_level
from likely.pool.intervals import DEGREES
from likely.pool.pooling import Pool, variance_of
from likely.pool.projection import projected
from likely.pool.reading.reading import MOST_LEVELS, TableRows, View, coded, counted
from likely.pool.reading.step_design import Directions
from likely.table.build import values_of
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

MOST_ROWS = 4000  # that are looked at
PARTS = 4  # in which a number is cut when two columns are looked at together
NAMED = 5  # levels that are told apart there; the others are one
MOST_COLUMNS = 40  # whose pairs are tried: those whose own lines are the strongest
LEAST_SHARE = 0.01  # of what is said only together, below which a pair does not stand out
SHRUNK = 5.0  # rows of nothing that are added to a cell
ROUNDS = 12  # in which lines and columns of a table are brought to a mean of 0


@dataclass(frozen=True)
class SeenEffects:
    """A pool and rows to look at it with; `pick` makes one number of the scores."""

    record: Pool
    view: View
    pick: Floats  # (t,)
    of: str
    unit: str
    library: str

    @classmethod
    def at(cls, record: Pool, frame: Frame, pick: Floats, of: str, unit: str) -> SeenEffects:
        """The first rows of every stretch of a table, so many that it is quick."""
        some = frame.at(np.unique(np.linspace(0, frame.n - 1, min(frame.n, MOST_ROWS)).astype(np.intp)))
        rows = TableRows.of(record.schema, some)
        return cls(record, record.reading.view(rows, 0, some.n), pick, of, unit, frame.library)

    def curves(self, level: float) -> EffectCurves:
        """Of every column but texts: the lines of its ledgers; intervals as those of predictions."""
        check_level(level)
        record, others = self.record, self.record.others(self.view)
        projection, reading = record.projection, record.reading
        assert projection is not None
        one = np.ones(len(self.view.bins))
        turned = Directions.of(projection.design.matrix(self.view), one)
        slopes, _ = projected(turned, others.stacked() @ self.pick, one)  # (p, 1 + folds + m)
        away = special("stdtrit", DEGREES, (1 + level) / 2)
        source = reading.source[projection.design.source]
        curves = []
        for j, binned in self._columns():
            own = source == j
            values, grid, rows = self._grid(j, binned)
            cells = (projection.design.matrix(grid) - projection.centre)[:, own]
            effect = cells @ (projection.slopes[own] @ self.pick)
            sd = np.sqrt(variance_of(cells @ slopes[own], len(others.folds), others.shares))
            curves.append(
                EffectCurve(
                    record.schema.names[j], values, effect, effect - away * sd, effect + away * sd, rows
                )
            )
        return EffectCurves(self.of, self.unit, level, tuple(curves), self.library)

    def _columns(self) -> list[tuple[int, int]]:
        """The place in the table, and among the binned columns, of all but texts."""
        reading = self.record.reading
        kept = {*counted(reading.schema), *coded(reading.schema)}
        return sorted((int(j), b) for b, j in enumerate(reading.source) if int(j) in kept)

    def _grid(self, j: int, binned: int) -> tuple[tuple[Any, ...], View, Floats]:
        """Values of a column, rows that have them, and how many of the rows lie nearest to each."""
        reading, column = self.record.reading, self.record.schema.columns[j]
        m, bins = reading.n_numbers, self.view.bins[:, binned]
        gap = bool(reading.gaps[binned])
        levels = np.full((1, len(reading.n_bins) - m), -1, np.intp)
        if binned < m:
            ends = reading.scales.knot_ends
            knots = reading.scales.knots[ends[binned] : ends[binned + 1]]
            knots = knots if len(knots) else reading.scales.mean[binned : binned + 1]
            k, cells = len(knots), self.view.numbers[:, binned]
            nearest = np.searchsorted((knots[1:] + knots[:-1]) / 2, cells[~np.isnan(cells)])
            rows = np.bincount(nearest, minlength=k)
            numbers = np.tile(reading.scales.mean, (k + gap, 1))
            numbers[:k, binned] = knots
            numbers[k:, binned] = np.nan
            shown = values_of(column, knots, "dict")
            plain = shown.dtype.kind in "fi"
            values = tuple(float(v) if plain else words.plain(v) for v in shown)
            levels = np.tile(levels, (k + gap, 1))
        else:
            known = reading.n_bins[binned] - gap
            count = np.bincount(bins[(bins >= 0) & (bins < known)], minlength=known)
            kept = np.sort(np.argsort(-count, kind="stable")[:MOST_LEVELS])
            rows, k = count[kept], len(kept)
            numbers = np.tile(reading.scales.mean, (k + gap, 1))
            levels = np.tile(levels, (k + gap, 1))
            levels[:k, binned - m] = kept
            values = tuple(column.known[i] for i in kept)
        if gap:
            values, rows = (*values, None), np.append(rows, (bins == reading.n_bins[binned] - 1).sum())
        return values, View(reading, numbers, reading.bins(numbers, levels)), rows.astype(np.float64)

    def interactions(self, top: int) -> Interactions:
        """The pairs that carry most of what columns say only together, one after another."""
        record, projection = self.record, self.record.projection
        assert projection is not None
        terms = projection.terms(self.view) @ self.pick  # (n, columns)
        said = record.scores(self.view) @ self.pick
        left = said - said.mean() - (terms - terms.mean(axis=0)).sum(axis=1)
        spread, whole = float(left.var()), float(said.var())
        together = spread / whole if whole > 0 else 0.0
        strong = np.argsort(-np.abs(terms - terms.mean(axis=0)).mean(axis=0), kind="stable")[:MOST_COLUMNS]
        cut = [self._cut(j, b) for j, b in self._columns() if j in strong]
        chosen: list[Interaction] = []
        left = left - left.mean()
        while spread > 1e-12 * max(whole, 1e-300) and len(chosen) < top and len(cut) > 1:
            share, pair, effect, rows = max(
                (_effect(a, b, left, spread) for a, b in combinations(cut, 2)), key=lambda one: one[0]
            )
            if share < LEAST_SHARE:
                break
            a, b = pair
            chosen.append(Interaction((a.name, b.name), (a.words, b.words), effect, rows, share))
            left = left - effect[a.codes, b.codes]
        ranked = sorted(chosen, key=lambda one: -one.share)
        return Interactions(self.of, self.unit, together, tuple(ranked), self.library)

    def _cut(self, j: int, binned: int) -> ColumnParts:
        """A column in few parts."""
        reading, column = self.record.reading, self.record.schema.columns[j]
        bins, gap = self.view.bins[:, binned], bool(reading.gaps[binned])
        known = int(reading.n_bins[binned]) - gap
        weight = reading.tallies[reading.owner == binned].sum(axis=1)[:known]
        if binned < reading.n_numbers:
            ends = reading.scales.edge_ends
            edges = reading.scales.edges[ends[binned] : ends[binned + 1]]
            middle = (np.cumsum(weight) - 0.5 * weight) / max(float(weight.sum()), 1e-300)
            part = np.minimum((middle * PARTS).astype(np.intp), PARTS - 1)
            part = np.unique(part, return_inverse=True)[1]
            names = _ranges(values_of(column, edges[np.flatnonzero(np.diff(part))], "dict"))
        else:
            kept = np.argsort(-weight, kind="stable")[:NAMED]
            part = np.full(known, len(kept), np.intp)
            part[kept] = np.arange(len(kept))
            names = [words.shown(column.known[i]) for i in kept] + ["others"] * (known > len(kept))
        other = len(names)  # missing, or never seen
        codes = np.where((bins >= 0) & (bins < known), np.append(part, 0)[np.minimum(bins, known)], other)
        return ColumnParts(
            column.name, codes, (*names, "missing") if (codes == other).any() else tuple(names)
        )


@dataclass(frozen=True)
class ColumnParts:
    """A column cut into few parts, the last of missing cells if there are any."""

    name: str
    codes: Ints  # (n,)
    words: tuple[str, ...]


def _effect(
    a: ColumnParts, b: ColumnParts, left: Floats, spread: float
) -> tuple[float, tuple[ColumnParts, ColumnParts], Floats, Floats]:
    """The share of the variance that the parts of two columns tell together, and what they add."""
    shape = len(a.words), len(b.words)
    code = a.codes * shape[1] + b.codes
    rows = np.bincount(code, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
    effect = np.bincount(code, left, shape[0] * shape[1]).reshape(shape) / np.maximum(rows, 1.0)
    for _ in range(ROUNDS):  # what either says alone is no interaction
        effect = effect - (rows * effect).sum(axis=1, keepdims=True) / np.maximum(
            rows.sum(axis=1, keepdims=True), 1
        )
        effect = effect - (rows * effect).sum(axis=0) / np.maximum(rows.sum(axis=0), 1)
    effect = np.where(rows > 0, effect, 0.0)
    free = max(0, int((rows > 0).sum()) - int(rows.any(axis=1).sum()) - int(rows.any(axis=0).sum()) + 1)
    n = len(left)
    share = (float((rows * effect**2).sum()) / n - free / n * spread) / spread
    return share, (a, b), effect * rows / (rows + SHRUNK), rows


def _ranges(cuts: Any) -> list[str]:
    """What the parts between cuts are called."""
    shown = [f"{cut:.3g}" if cuts.dtype.kind == "f" else words.shown(cut) for cut in cuts]
    if not shown:
        return ["all"]
    between = [f"{low} to {high}" for low, high in pairwise(shown)]
    return [f"up to {shown[0]}", *between, f"above {shown[-1]}"]
