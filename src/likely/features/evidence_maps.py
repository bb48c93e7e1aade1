"""What the value of a column says about the classes: each way to turn columns into evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from likely.export.sql_text import sql_name, sql_number, sql_value
from likely.features.counted import Counted, is_numbers, level_values
from likely.features.cuts import fewer, shown_by
from likely.features.partition import CellMap, Partition
from likely.format.words import shown
from likely.infer.bayes import bayes_rule
from likely.infer.partitions import averaged_parts
from likely.infer.pav import pav_of_sums
from likely.infer.smoothing import hierarchical_strength
from likely.stats.bins import bin_codes
from likely.stats.class_cells import ClassCells
from likely.stats.groups import Floats
from likely.table.column.column import Column

MOST_CELLS = 256  # over whose partitions the average goes: their number is squared
DUST = 1e-14  # nats: what rounding makes of nothing
EXPECTED_CUTS = np.array([1.0, 4.0, 16.0])  # how many cuts there may be, each as probable
SMOOTHINGS = ("hierarchical", "neutral", "printed", "plain")


def evidence(shares: Floats, base: Floats) -> Floats:
    """In nats (g, k), of shares of classes: ln share / base rate; of two classes their difference, (1, k)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        told = np.log(shares) - np.log(base)[:, None]
        told = np.where((base > 0)[:, None] & (np.abs(told) > DUST), told, 0.0)
        return told[1:] - told[:1] if len(told) == 2 else told


def level_shares(counts: Floats, base: Floats, smoothing: str) -> tuple[Floats, Floats, str]:
    """Shares of the classes at each level (g, k), at a level never seen (g,), and the smoothing in words.

    "plain" adds nothing; "printed" a row of each class, which is not neutral: it pulls towards equal
    shares; "neutral" as many rows in proportion to the base rate; "hierarchical" as many of these as make the
    counts most probable.
    """
    g = len(counts)
    if smoothing == "plain":
        added = np.zeros(g)
    elif smoothing == "printed":
        added = np.ones(g)
    else:
        strength = hierarchical_strength(counts, base) if smoothing == "hierarchical" else float(g)
        added = strength * base
    rows = counts.sum(axis=0) + added.sum()
    shares = np.where(rows > 0, (counts + added[:, None]) / np.where(rows > 0, rows, 1.0), base[:, None])
    unseen = added / added.sum() if added.sum() > 0 else base
    words = {"plain": "shares as they are", "printed": f"{g} rows added, one of each class"}
    said = words.get(smoothing) or _added_words(float(added.sum()), float(counts.sum()), smoothing)
    return shares, unseen, said


def _added_words(added: float, n: float, smoothing: str) -> str:
    """How many rows were added to each level; beyond all rows of the table, the number says nothing."""
    if added > n:
        return f"the levels are taken as nearly alike: they hardly differ by more than chance ({smoothing})"
    return f"{added:.4g} rows of the base rate added to each ({smoothing})"


class Judged(NamedTuple):
    """The cells of a column, and what they say."""

    cells: Partition
    told: Floats  # (m, k)
    unseen: Floats  # (m,): what a level never seen says
    coarse: Partition | None = None  # fewer cells, to show it by


def of_levels(record: Counted, j: int, base: Floats, smoothing: str) -> Judged:
    """Each level a cell."""
    column, counts = record.schema.columns[j], record.level_counts(j)
    shares, unseen, why = level_shares(counts, base, smoothing)
    part = Partition.of_levels(column, counts, why)
    return Judged(part, evidence(shares, base), evidence(unseen[:, None], base)[:, 0])


def of_average(record: Counted, j: int, base: Floats, smoothing: str) -> Judged:
    """The Bayesian average over all ways to cut a column into bins."""
    cells = fewer(record.ordered(j), MOST_CELLS)
    if len(cells) < 1:
        return _nothing(record, j, base)
    prior = len(base) * np.maximum(base, 1e-12)
    cuts = np.minimum(EXPECTED_CUTS / max(len(cells) - 1, 1), 0.5)
    seen = averaged_parts(cells.counts, prior, np.unique(cuts))
    why = f"average over all ways to cut {len(cells)} cells; {seen.parts:.3g} bins expected"
    judged = _cells(record, j, cells, evidence(seen.shares, base), why)
    return judged._replace(coarse=_cells(record, j, cells.joined(seen.starts), judged.told, why).cells)


def of_hull(record: Counted, j: int, base: Floats, smoothing: str) -> Judged:
    """Isotonic, by the segments of the convex hull of the ROC curve; the direction is the column's own."""
    cells = record.ordered(j)
    if len(cells) < 1:
        return _nothing(record, j, base)
    which = [1] if len(base) == 2 else range(len(base))
    shares = np.empty(cells.counts.shape)
    words = []
    for k in which:
        mine, total = cells.counts[k], cells.total
        falls = _falls(mine, total - mine)
        pools = pav_of_sums(total - mine if falls else mine, total)
        two = np.stack([total - mine, mine])
        joined = np.add.reduceat(two, pools.edges[:-1], axis=1)
        own = np.array([1 - base[k], base[k]])
        smooth, _, _ = level_shares(joined, own, smoothing)
        # Smoothing may put segments out of order: these are pooled.
        weight = joined.sum(axis=0)
        rising = pav_of_sums(smooth[0 if falls else 1] * weight, weight).fitted
        shares[k] = np.repeat(1 - rising if falls else rising, np.diff(pools.edges))
        words.append("falls" if falls else "rises")
    if len(base) == 2:
        shares[0] = 1 - shares[1]
    shares = shares / np.maximum(shares.sum(axis=0), 1e-300)
    starts = np.concatenate([[True], (np.diff(shares, axis=1) != 0).any(axis=0)])
    keep = np.flatnonzero(starts)
    why = f"isotonic: the rate {' / '.join(words)} with the value, in {len(keep)} segments of the hull"
    return _cells(record, j, cells.joined(keep), evidence(shares[:, keep], base), why)


def _falls(mine: Floats, others: Floats) -> bool:
    """Whether the area under the curve is below 1/2 when high values speak for the class."""
    below = np.cumsum(others) - others / 2
    return bool(mine @ below < mine.sum() * others.sum() / 2)


def _cells(record: Counted, j: int, cells: ClassCells, told: Floats, why: str) -> Judged:
    """Cells of numbers, or of ordered levels; levels that were not seen lie with the next below."""
    column, nothing = record.schema.columns[j], np.zeros(len(told))
    if is_numbers(column):
        part = Partition(column, None, cells.counts, cells.cuts, why=why)
        return Judged(part, told, nothing)
    k = len(level_values(column))
    cell_of = np.maximum(bin_codes(cells.low, np.arange(k)) - 1, 0)
    names = [
        [shown(level_values(column)[i]) for i in np.flatnonzero(cell_of == c)] for c in range(len(cells))
    ]
    labels = tuple(" or ".join(each) for each in names)
    return Judged(Partition(column, labels, cells.counts, cell_of=cell_of, why=why), told, nothing)


def _nothing(record: Counted, j: int, base: Floats) -> Judged:
    column, g = record.schema.columns[j], len(base)
    told = evidence(base[:, None], base) * 0.0
    cell_of = None if is_numbers(column) else np.zeros(len(level_values(column)), np.intp)
    edges = np.empty(0) if is_numbers(column) else None
    part = Partition(column, ("all",), np.zeros((g, 1)), edges, cell_of, why="no known value")
    return Judged(part, told, told[:, 0])


@dataclass(frozen=True, eq=False)
class LineMap:
    """Evidence that is a straight line in the value: log-odds of normal distributions of one variance."""

    partition: Partition
    outputs: tuple[Column, ...]
    slope: Floats  # (m,)
    centre: Floats  # (m,): where the evidence is 0
    missing: Floats  # (m,), in log-odds
    space: str

    def values(self, cells: Any) -> Floats:
        """The new columns of numbers (n,), (n, m)."""
        with np.errstate(invalid="ignore", over="ignore"):
            told = (np.asarray(cells, np.float64)[:, None] - self.centre) * self.slope
        told = np.where(np.isnan(told), self.missing, told)
        return in_space(told, self.space)

    def inverse(self, values: Floats) -> Floats:
        """Back from evidence for the second of two classes, (n,), to the value; NaN if it says nothing."""
        if self.space == "probability":
            from scipy.special import logit

            values = logit(values)
        slope = float(self.slope[0])
        return np.full(len(values), np.nan) if slope == 0 else self.centre[0] + values / slope

    def sql(self) -> list[str]:
        """Arithmetic for each new column."""
        column = self.partition.column
        name, number = sql_name(column.name), sql_number(column)
        told = [
            f"({sql_value(float(s))} * ({number} - {sql_value(float(c))}))"
            for s, c in zip(self.slope, self.centre, strict=True)
        ]
        if self.space == "probability":
            powers = " + ".join(f"exp({one})" for one in told)
            told = [
                f"(1 / (1 + exp(-{one})))" if len(told) == 1 else f"(exp({one}) / ({powers}))" for one in told
            ]
        gaps = in_space(self.missing[None], self.space)[0]
        pairs = zip(told, gaps, strict=True)
        return [f"CASE WHEN {name} IS NULL THEN {sql_value(float(gap))} ELSE {one} END" for one, gap in pairs]


def of_line(record: Counted, j: int, outputs: Sequence[Column], missing: Floats, space: str) -> LineMap:
    """Logistic, by the class means and the pooled variance within classes: d-prime times z."""
    moments = record.class_moments(j)
    n, mean = moments.n[:, 0], moments.mean[:, 0]
    total, scatter = float(n.sum()), float(moments.scatter.sum())
    seen = n > 0
    middle = float(mean[seen].mean()) if seen.any() else 0.0
    away = np.where(seen, mean - middle, 0.0)
    variance = scatter / total if total else 0.0
    apart = float(np.abs(away).max(initial=0.0)) * 2
    # Without any spread within the classes they are as far apart as their rows can tell.
    least = apart**2 / (2 * np.log1p(total)) if total and variance <= 1e-30 * apart**2 else 0.0
    width = max(variance, least)
    slope = away / width if width > 0 else np.zeros(len(away))
    centre = middle + away / 2
    if len(n) == 2:
        slope, centre = np.array([slope[1] - slope[0]]), np.array([middle])
    sd = np.sqrt(width)
    prime = abs(float(mean.max() - mean.min())) / sd if sd > 0 and seen.all() else 0.0
    why = f"logistic: middle {middle:.6g}, sd within classes {sd:.6g}, d-prime {prime:.4g}"
    return LineMap(shown_by(record, j, why), tuple(outputs), slope, centre, missing, space)


def in_space(told: Floats, space: str) -> Floats:
    """Evidence (n, m) as it is, or as the probabilities that it makes of equal base rates."""
    if space == "log-odds":
        return told
    from scipy.special import expit

    if told.shape[1] == 1:
        return np.asarray(expit(told), np.float64)
    gaps = np.isnan(told)
    return np.where(gaps, np.nan, bayes_rule(np.where(gaps, 0.0, told), log=False)[0])


def cell_map(judged: Judged, outputs: Sequence[Column], missing: Floats, space: str) -> CellMap:
    """The map of cells to their evidence."""
    table, gap, new = (in_space(each, space) for each in (judged.told.T, missing[None], judged.unseen[None]))
    return CellMap(judged.cells, tuple(outputs), table, gap[0], new[0], judged.coarse)
