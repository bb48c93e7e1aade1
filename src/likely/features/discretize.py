"""Numbers -> ordered bins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.draw.coverage import coverage
from likely.draw.histogram import histogram
from likely.errors import LikelyError
from likely.estimator.fitted import read_only
from likely.features.counted import Counted, is_numbers
from likely.features.cuts import METHODS, SUPERVISED, CutColumn, CutOptions, cut, monotone, split_at, tree_of
from likely.features.partition import CellMap, Partition
from likely.features.transformer import Transformer, one_of, place_with_values
from likely.stats.bins import bin_codes
from likely.stats.class_cells import ClassCells
from likely.stats.groups import Floats
from likely.stats.recursive_partition import IMPURITIES, Impurity
from likely.table.accepted import Kinds, TableLike
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STOPS = ("mdl", "equal")
ENCODINGS = ("labels", "codes")


class Discretize(Transformer):
    """Put numbers into bins: equal width, equal frequency, or where they tell most about a target.

    The bins are an ordinal column. A missing cell stays missing, and columns that are no numbers stay as they
    are. A number at an edge is in the bin above it, and equal numbers are never separated. Where a
    column is not cut, `describe()` and `table()` say why.

    Parameters
    ----------
    method : str
        Without the target: "equal_width", "equal_frequency" (at quantiles), "sd" (at standard deviations
        from the mean), "kmeans" (exact). With it, for any number of classes: "optimal", the most probable way
        to cut (Boullé's MODL); "recursive" partitioning by `criterion` until `stop`; "chi_merge", joining
        neighbours that look alike at the level `p`.
    bins : int or None
        How many bins without the target (None: 10; 4 by "sd", 5 by "kmeans"); with it at most so many.
    criterion : "gain", "gini", "sqrt_gini" or function
        Of "recursive": by how much a cut makes bins purer; or any concave function of shares (g, ...).
    stop : "mdl" or "equal"
        Of "recursive": the description length of Fayyad and Irani; or when all values of a bin have the same
        shares of the classes, which gives the same cuts for any criterion.
    p : float
        Of "chi_merge": neighbours are joined until all differ at this level.
    monotone : bool
        Join bins until the rate of the second of two classes rises from bin to bin, or falls.
    ordered : bool
        Whether the bins are ordinal; else categorical.
    encode : "labels" or "codes"
        What comes out in a data frame: names of bins, or their places 0, 1, ... A matrix gets places.
    columns : list of str or None
        Which columns to change; None for all numbers.
    kinds : as in `NaiveBayes`

    Examples
    --------
    >>> import likely
    >>> ages = {"age": [3, 8, 11, 35, 42, 60], "child": [1, 1, 1, 0, 0, 0]}
    >>> likely.Discretize("recursive", stop="equal").fit_transform(ages, "child")["age"].tolist()
    ['< 23', '< 23', '< 23', '>= 23', '>= 23', '>= 23']
    """

    def __init__(
        self,
        method: str = "optimal",
        bins: int | None = None,
        *,
        criterion: str | Impurity = "gain",
        stop: str = "mdl",
        p: float = 0.05,
        monotone: bool = False,
        ordered: bool = True,
        encode: str = "labels",
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
    ) -> None:
        self.method = method
        self.bins = bins
        self.criterion = criterion
        self.stop = stop
        self.p = p
        self.monotone = monotone
        self.ordered = ordered
        self.encode = encode
        self.columns = columns
        self.kinds = kinds

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return self.method in SUPERVISED or self.monotone

    @property
    def edges_(self) -> dict[str, Floats]:
        """The inner edges of each column that is cut."""
        parts = (m.partition for m in self._maps() if m is not None)
        return {part.column.name: read_only(part.edges) for part in parts if part.edges is not None}

    def splits(self, column: str) -> list[dict[str, Any]]:
        """Of recursive partitioning, its cuts in the order in which they were made, then those refused."""
        if self.method != "recursive":
            raise LikelyError(f"method={self.method!r} makes no splits: use 'recursive'.")
        record = self._known()
        cells = record.numbers(place_of(record, column))
        tree = tree_of(cells, self._options)
        return [
            {"cut": split_at(cells, one), "gain": one.gain, "needed": one.needed, "made": made}
            for made, splits in ((True, tree.made), (False, tree.refused))
            for one in splits
        ]

    def inverse_transform(self, X: TableLike) -> Any:
        """Back to numbers: each bin becomes the value seen in it that is nearest to the mean of its rows.

        A bin without rows becomes its middle. What was in a bin is in it again: to transform what comes back
        gives the same bins. Within a bin all values are the same, for which of them it was is not known.
        """
        frame, maps = self._as_came_out(X), self._maps()
        record = self._known()
        back: list[Floats | None] = []
        for j, (name, change) in enumerate(zip(frame.names, maps, strict=True)):
            if change is None:
                back.append(None)
                continue
            raw, value = frame.raw(name), _representatives(record.numbers(j), change.partition)
            if change.outputs[0].levels is None or raw.type.numeric:
                codes = np.asarray(raw.numbers(), np.float64)
            else:
                coded = np.empty(len(raw.values), np.intp)
                change.outputs[0].coded(raw).rows(0, len(coded), coded)
                codes = np.where(coded < 0, np.nan, coded)
            known = (codes >= 0) & (codes < len(value)) & (codes % 1 == 0)
            back.append(np.where(known, value[np.where(known, codes, 0).astype(np.intp)], np.nan))
        return self._put_back(X, frame, back)

    def plot(self, column: str | None = None, ax: Axes | None = None) -> Axes:
        """The coverage curve of a column with the chords of its bins (two classes), or its histogram."""
        record = self._known()
        part = self._shown(column)
        cells = record.numbers(place_with_values(record, part.column.name))
        assert part.edges is not None
        if len(record.classes) == 2:
            heaped = np.cumsum(cells.counts[:, ::-1], axis=1)  # from the highest values down
            chords = np.cumsum(part.counts[:, ::-1], axis=1)
            title = f"{part.column.name}: {len(part.labels)} bins"
            return coverage(
                coverage_points(heaped), coverage_points(chords), title=title, classes=record.classes, ax=ax
            )
        edges = [float(cells.low[0]), *part.edges.tolist(), float(cells.centre[-1])]
        rows = part.counts.sum(axis=0).tolist()
        return histogram(edges, rows, title=f"{part.column.name}: bins", xlabel=part.column.name, ax=ax)

    @property
    def _spread(self) -> bool:
        return self.method == "sd"

    @property
    def _options(self) -> CutOptions:
        return CutOptions(self.bins, self.criterion, self.stop, self.p)

    def _check_options(self) -> None:
        one_of("method", self.method, tuple(METHODS))
        one_of("stop", self.stop, STOPS)
        one_of("encode", self.encode, ENCODINGS)
        if isinstance(self.criterion, str):
            one_of("criterion", self.criterion, tuple(IMPURITIES))
        whole = isinstance(self.bins, int | np.integer) and not isinstance(self.bins, bool)
        if self.bins is not None and not (whole and self.bins >= 1):
            raise LikelyError(f"bins={self.bins!r}: give a whole number of 1 or more, or None.")
        if not 0 < self.p < 1:
            raise LikelyError(f"p={self.p!r}: give a level between 0 and 1.")

    def _applies(self, column: Column) -> bool:
        return is_numbers(column)

    def _learn(self, record: Counted, j: int) -> CellMap:
        part = self._cut(record, j)
        place = np.arange(len(part.labels), dtype=np.float64)[:, None]
        name = part.column.name
        if self.encode == "codes":
            return CellMap.of(part, [Column(name, Kind.QUANTITATIVE, Type.FLOAT)], place)
        kind = Kind.ORDINAL if self.ordered else Kind.CATEGORICAL
        return CellMap.of(part, [Column(name, kind, Type.CATEGORY, part.labels, listed=True)], place)

    def _cut(self, record: Counted, j: int) -> Partition:
        column, cells = record.schema.columns[j], record.numbers(j)
        looked_at = CutColumn(cells, record.class_moments(j).pooled() if self._spread else None)
        cuts = cut(looked_at, self.method, self._options)
        if self.monotone and len(cuts.edges):
            cuts = monotone(cells, cuts)
        return Partition.between(column, cells, cuts.edges, cuts.why)


def place_of(record: Counted, column: str) -> int:
    """Where a column of numbers stands."""
    names = list(record.schema.names)
    if column not in names or not is_numbers(record.schema.columns[names.index(column)]):
        raise LikelyError(f"column={column!r} is no column of numbers: the columns are {names[:10]!r}.")
    return names.index(column)


def coverage_points(heaped: Floats) -> tuple[list[float], list[float]]:
    """A curve from nothing to all: of the first class across, of the second up."""
    return [0.0, *heaped[0].tolist()], [0.0, *heaped[1].tolist()]


def _representatives(cells: ClassCells, part: Partition) -> Floats:
    """Of each bin the value seen in it that is nearest to the mean of its rows; if none was, its middle."""
    assert part.edges is not None
    low, high = (cells.centre[0], cells.centre[-1]) if len(cells) else (0.0, 0.0)
    ends = [min(low, *part.edges), *part.edges, max(high, *part.edges)] if len(part.edges) else [low, high]
    value = np.array([a / 2 + b / 2 for a, b in pairwise(ends)])
    bins = bin_codes(part.edges, cells.centre)
    for k in np.unique(bins):
        mine = bins == k
        seen, weight = cells.centre[mine], cells.total[mine]
        value[k] = seen[np.argmin(np.abs(seen - np.average(seen, weights=weight)))]
    return value
