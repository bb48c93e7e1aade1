"""Where to cut a column of numbers: each way is a function of how much of each class lies at each value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likely.errors import LikelyError
from likely.features.counted import Counted
from likely.features.partition import Partition
from likely.infer.chi_merge import chi_merge
from likely.infer.partitions import best_parts, kmeans_parts, segment_evidence
from likely.infer.pav import pav_of_sums
from likely.stats.bins import equal_frequency
from likely.stats.class_cells import ClassCells
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Floats, Ints
from likely.stats.moments import Moments
from likely.stats.recursive_partition import IMPURITIES, Impurity, Split, Tree, recursive_partition

MOST_CELLS = 512  # of which all ways to cut are looked at: their number is squared
MOST_PARTS = 100  # that the best way to cut may have


@dataclass(frozen=True)
class Cuts:
    """Rising edges; a number at an edge is above it."""

    edges: Floats
    why: str  # how they came about, or why there are none


@dataclass(frozen=True)
class CutColumn:
    """What a way to cut looks at."""

    cells: ClassCells
    moments: Moments | None = None  # of all rows, (1, 1), where they are needed

    @property
    def mean(self) -> float:
        """Of all rows."""
        if self.moments is not None:
            return float(self.moments.mean[0, 0])
        return float(np.average(self.cells.centre, weights=self.cells.total))

    @property
    def sd(self) -> float:
        """Of all rows, dividing by their number."""
        assert self.moments is not None
        return float(np.sqrt(self.moments.variance[0, 0]))

    def quantile(self, q: float) -> float:
        """The value that a share of the rows lies below."""
        cells = self.cells
        return Packed(0, cells.centre, cells.total, np.zeros(len(cells))).quantile(q)


@dataclass(frozen=True)
class CutOptions:
    """What can be said about the way to cut."""

    bins: int | None = None
    criterion: str | Impurity = "gain"
    stop: str = "mdl"
    p: float = 0.05


def equal_width(column: CutColumn, options: CutOptions) -> Cuts:
    """Bins of one width from the least value to the greatest."""
    low, high = float(column.cells.centre[0]), float(column.cells.centre[-1])
    k = options.bins or 10
    edges = np.asarray(low + (high / k - low / k) * np.arange(1, k), np.float64)
    return Cuts(edges, f"{k} bins of equal width")


def equal_frequency_cuts(column: CutColumn, options: CutOptions) -> Cuts:
    """At the quantiles, so that bins have equally many rows but for ties."""
    k = options.bins or 10
    edges = np.array([column.quantile(i / k) for i in range(1, k)])
    return Cuts(edges[edges > column.cells.centre[0]], f"{k} bins of equal frequency")


def by_sd(column: CutColumn, options: CutOptions) -> Cuts:
    """At the mean and whole standard deviations from it, of an even number of bins."""
    k = options.bins or 4
    edges = np.asarray(column.mean + column.sd * (np.arange(k - 1) - (k - 2) / 2), np.float64)
    return Cuts(edges, f"{k} bins by standard deviations from the mean")


def by_kmeans(column: CutColumn, options: CutOptions) -> Cuts:
    """Between the clusters with the least squared error, found exactly."""
    cells, k = column.cells, options.bins or 5
    starts = kmeans_parts(cells.centre, cells.total, k)
    return Cuts(_edges(cells, starts), f"{len(starts)} clusters with the least squared error")


def by_recursion(column: CutColumn, options: CutOptions) -> Cuts:
    """Recursive partitioning."""
    tree = tree_of(column.cells, options)
    edges = _edges(column.cells, tree.starts)
    if tree.made:
        return Cuts(edges, f"{len(edges)} cuts by {_scored(options)}, stop {options.stop!r}")
    best = max(tree.refused, key=lambda split: split.gain, default=None)
    if best is None:
        return Cuts(edges, "no cut: every value has the same shares of the classes")
    return Cuts(
        edges,
        f"no cut: the best, at {split_at(column.cells, best):.6g}, gains {best.gain:.4f} bits and must gain "
        f"more than {best.needed:.4f} (MDL)",
    )


def by_chi_merge(column: CutColumn, options: CutOptions) -> Cuts:
    """Merging neighbours whose classes look alike."""
    from scipy.stats import chi2

    counts = column.cells.counts
    threshold = float(chi2.isf(options.p, max(int((counts.sum(axis=1) > 0).sum()) - 1, 1)))
    merged = chi_merge(counts, threshold, options.bins)
    edges = _edges(column.cells, merged.starts)
    if not len(edges):
        return Cuts(
            edges, f"no cut: all neighbours look alike (chi-squared below {threshold:.4f}, p={options.p:g})"
        )
    return Cuts(edges, f"neighbours merged while chi-squared is below {threshold:.4f} (p={options.p:g})")


def optimal(column: CutColumn, options: CutOptions) -> Cuts:
    """The most probable way to cut, by Boullé's criterion (MODL)."""
    from scipy.special import gammaln

    cells = fewer(column.cells, MOST_CELLS)
    n = float(cells.total.sum())

    def price(parts: int) -> float:  # of choosing where the bins end, log C(n + parts - 1, parts - 1)
        return float(gammaln(n + parts) - gammaln(parts) - gammaln(n + 1))

    evidence = segment_evidence(cells.counts, np.ones(len(cells.counts)))
    starts = best_parts(evidence, price, min(options.bins or MOST_PARTS, MOST_PARTS))
    if len(starts) == 1:
        return Cuts(np.empty(0), "no cut: none tells more about the target than it costs to describe (MODL)")
    return Cuts(_edges(cells, starts), f"{len(starts)} bins, the most probable way to cut (MODL)")


UNSUPERVISED: dict[str, Callable[[CutColumn, CutOptions], Cuts]] = {
    "equal_width": equal_width,
    "equal_frequency": equal_frequency_cuts,
    "sd": by_sd,
    "kmeans": by_kmeans,
}
SUPERVISED: dict[str, Callable[[CutColumn, CutOptions], Cuts]] = {
    "recursive": by_recursion,
    "chi_merge": by_chi_merge,
    "optimal": optimal,
}
METHODS = UNSUPERVISED | SUPERVISED


def cut(column: CutColumn, method: str, options: CutOptions) -> Cuts:
    """The edges of a column by a method, on the ends of its cells; none where there is nothing to cut."""
    cells = column.cells
    if len(cells) < 2:
        return Cuts(np.empty(0), "no known value" if not len(cells) else "only one value")
    if method in SUPERVISED and (cells.counts.sum(axis=1) > 0).sum() < 2:
        return Cuts(np.empty(0), "no cut: all rows are of one class")
    cuts = METHODS[method](column, options)
    return Cuts(cells.on_cells(cuts.edges), cuts.why)


def shown_by(record: Counted, j: int, why: str) -> Partition:
    """Cells of equal frequency, to show by them what becomes of a column whose map is no table."""
    column, cells = record.schema.columns[j], record.numbers(j)
    edges = cut(CutColumn(cells), "equal_frequency", CutOptions()).edges
    return Partition.between(column, cells, edges, why)


def monotone(cells: ClassCells, cuts: Cuts) -> Cuts:
    """Fewer edges: bins joined until the rate of the second class rises from bin to bin, or falls."""
    if len(cells.counts) != 2:
        raise LikelyError(
            f"monotone=True is for two classes, and there are {len(cells.counts)}: leave it out."
        )
    negative, positive = cells.between(cuts.edges)
    total = negative + positive
    rising = pav_of_sums(positive, total)
    falling = pav_of_sums(negative, total)

    def spread(pools: object) -> float:
        weight, values = pools.weight, pools.values  # type: ignore[attr-defined]
        return float(weight @ np.square(values - np.average(values, weights=weight)))

    pools, word = (rising, "rise") if spread(rising) >= spread(falling) else (falling, "fall")
    edges = cuts.edges[pools.edges[1:-1] - 1]
    joined = f", joined to {len(edges) + 1} bins whose rates {word}"
    return Cuts(edges, cuts.why + (joined if len(edges) < len(cuts.edges) else f", whose rates {word}"))


def tree_of(cells: ClassCells, options: CutOptions) -> Tree:
    """The splits of recursive partitioning."""
    score = IMPURITIES[options.criterion] if isinstance(options.criterion, str) else options.criterion
    return recursive_partition(cells.counts, score, options.stop, options.bins)


def split_at(cells: ClassCells, split: Split) -> float:
    """The edge of a split."""
    return float(cells.cuts[split.at - 1])


def fewer(cells: ClassCells, most: int) -> ClassCells:
    """At most so many cells, of about equal weight."""
    return cells if len(cells) <= most else cells.joined(equal_frequency(cells.total, most)[:-1])


def _edges(cells: ClassCells, starts: Ints) -> Floats:
    return np.asarray(cells.cuts[starts[1:] - 1])


def _scored(options: CutOptions) -> str:
    return (
        options.criterion
        if isinstance(options.criterion, str)
        else getattr(options.criterion, "__name__", "a score")
    )
