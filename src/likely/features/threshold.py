"""Numbers and ordered levels -> true or false, by one cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.draw.coverage import coverage
from likely.errors import LikelyError
from likely.features.counted import Counted, is_numbers, level_values
from likely.features.cuts import CutColumn
from likely.features.discretize import coverage_points
from likely.features.partition import CellMap, Partition
from likely.features.transformer import Transformer, drawn_column, one_of, place_with_values
from likely.format.words import shown
from likely.infer.pav import pav_of_sums
from likely.stats.class_cells import ClassCells
from likely.stats.groups import Floats
from likely.stats.recursive_partition import EQUAL, IMPURITIES, gains
from likely.table.accepted import Kinds
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type

if TYPE_CHECKING:
    from matplotlib.axes import Axes

METHODS = ("mean", "median", *IMPURITIES, "hull")


class Threshold(Transformer):
    """One cut of each column: true from the threshold on, false below it.

    Parameters
    ----------
    method : str
        Without the target: "mean" or "median" (two bins of equal frequency). With it: the cut with the best
        "gain", "gini" or "sqrt_gini", for any number of classes; or "hull", for two classes: of the
        corners of the upper and the lower hull of the coverage curve, the one with the least cost under
        `base_rate` and `costs`. Corners of the lower hull matter where high values speak against the class.
    at : mapping or None
        Thresholds that are given, by column; no others are looked for in these.
    base_rate : float or None
        Of "hull": the probability of the second class; None takes its share.
    costs : (float, float)
        Of "hull": of calling a row of the first class the second, and the other way round.
    columns, kinds
        As in `Discretize`; without `columns`, all numbers and ordered levels are cut.

    Examples
    --------
    >>> import likely
    >>> likely.Threshold("median").fit_transform({"age": [3, 8, 35, 60]})
    {'age >= 21.5': array([False, False,  True,  True])}
    """

    def __init__(
        self,
        method: str = "gain",
        *,
        at: dict[str, float] | None = None,
        base_rate: float | None = None,
        costs: tuple[float, float] = (1.0, 1.0),
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
    ) -> None:
        self.method = method
        self.at = at
        self.base_rate = base_rate
        self.costs = costs
        self.columns = columns
        self.kinds = kinds

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return self.method not in ("mean", "median")

    @property
    def thresholds_(self) -> dict[str, Any]:
        """Where each column is cut: a number, or the first level that is true; None where it is not."""
        cuts: dict[str, Any] = {}
        for part in (m.partition for m in self._maps() if m is not None):
            if part.edges is not None:
                cuts[part.column.name] = float(part.edges[0]) if len(part.edges) else None
            elif part.cell_of is not None:
                true = np.flatnonzero(part.cell_of == 1)
                cuts[part.column.name] = level_values(part.column)[true[0]] if len(true) else None
        return cuts

    def candidates(self, column: str) -> list[dict[str, Any]]:
        """Every cut of a column: what it gains, the rows of each class it selects, on which hull it is."""
        record = self._known()
        j = list(record.schema.names).index(column)
        cells = record.ordered(j)
        above = cells.counts.sum(axis=1)[:, None] - np.cumsum(cells.counts, axis=1)[:, :-1]
        told = {name: gains(cells.counts, score) for name, score in IMPURITIES.items()}
        upper, lower = hull_corners(cells) if len(cells.counts) == 2 else (set(), set())
        return [
            {
                "threshold": self._said(record, j, cells, i),
                "selected": above[:, i],
                **{name: values[i] for name, values in told.items()},
                "hull": "upper" if i + 1 in upper else "lower" if i + 1 in lower else "",
            }
            for i in range(len(cells) - 1)
        ]

    def plot(self, column: str | None = None, ax: Axes | None = None) -> Axes:
        """The coverage curve of a column (two classes) with its hulls, and the splits that it could have."""
        record = self._known()
        names = [m.partition.column.name for m in self._maps() if m is not None]
        column = drawn_column(self, column, names)
        if len(record.classes) != 2:
            raise LikelyError(
                f"a coverage curve is of two classes, and there are {len(record.classes)}: `table()` has the "
                "rows on both sides of the cut."
            )
        j = place_with_values(record, column)
        cells, change = record.ordered(j), self._maps()[j]
        assert change is not None
        heaped = np.concatenate([np.zeros((2, 1)), np.cumsum(cells.counts[:, ::-1], axis=1)], axis=1)
        chords = np.cumsum(change.partition.counts[:, ::-1], axis=1)
        hulls = []
        for corners in hull_corners(cells):
            places = [0, *sorted(len(cells) - corner for corner in corners), len(cells)]
            hulls.append((heaped[0, places].tolist(), heaped[1, places].tolist()))
        marks = {}
        if is_numbers(record.schema.columns[j]):
            looked_at = CutColumn(cells)
            for name, value in (("mean", looked_at.mean), ("median", looked_at.quantile(0.5))):
                first, second = cells.between(np.array([value]))[:, 1].tolist()
                marks[name] = (first, second)
        name, curve = record.schema.names[j], (heaped[0].tolist(), heaped[1].tolist())
        words = {"title": f"{name}: one cut", "classes": record.classes, "marks": marks, "ax": ax}
        return coverage(curve, coverage_points(chords), hulls=hulls, **words)  # type: ignore[arg-type]

    def _check_options(self) -> None:
        one_of("method", self.method, METHODS)
        try:
            costs = np.asarray(self.costs, np.float64)
        except (TypeError, ValueError):  # a dict, or words
            costs = np.zeros(0)
        if costs.shape != (2,) or not (costs >= 0).all() or not costs.any():
            raise LikelyError(
                f"costs={self.costs!r}: give two numbers of 0 or more, not both 0: what a false alarm "
                "costs, and what a miss does."
            )
        rate = self.base_rate
        if rate is not None and not (isinstance(rate, float | int | np.number) and 0 <= rate <= 1):
            raise LikelyError(f"base_rate={self.base_rate!r}: give a probability.")

    def _applies(self, column: Column) -> bool:
        ordered = column.kind is Kind.ORDINAL and self.method != "mean"
        return is_numbers(column) or ordered

    def _said(self, record: Counted, j: int, cells: ClassCells, i: int) -> Any:
        column = record.schema.columns[j]
        if is_numbers(column):
            return float(cells.cuts[i])
        return level_values(column)[int(cells.low[i + 1])]

    def _learn(self, record: Counted, j: int) -> CellMap:
        column, cells = record.schema.columns[j], record.ordered(j)
        edge, why = self._edge(record, j, cells)
        if is_numbers(column):
            edges = cells.on_cells(np.array([] if edge is None else [edge]))
            part = Partition.between(column, cells, edges, why)
            name = f"{column.name} {part.labels[1]}" if len(edges) else column.name
        else:
            levels = level_values(column)
            first = len(levels) if edge is None else int(np.ceil(edge))
            cell_of = (np.arange(len(levels)) >= first).astype(np.intp)
            counts = record.level_counts(j)
            both = np.stack(
                [counts[:, cell_of == 0].sum(axis=1), counts[:, cell_of == 1].sum(axis=1)], axis=1
            )
            word = shown(levels[first]) if first < len(levels) else ""
            labels = (f"< {word}", f">= {word}") if word else ("all", "none")
            part = Partition(column, labels, both, cell_of=cell_of, why=why)
            name = f"{column.name} >= {word}" if word else column.name
        table = np.arange(len(part.labels), dtype=np.float64)[:, None]
        return CellMap.of(part, [Column(name, Kind.BOOLEAN, Type.BOOLEAN)], table)

    def _edge(self, record: Counted, j: int, cells: ClassCells) -> tuple[float | None, str]:
        """Where to cut, and why there, or why not."""
        column = record.schema.columns[j]
        if self.at is not None and column.name in self.at:
            return _given(column, self.at[column.name]), "given"
        if len(cells) < 2:
            return None, "no known value" if not len(cells) else "no cut: only one value"
        if self.method == "mean":
            return CutColumn(cells).mean, "the mean"
        if self.method == "median":
            return _median(cells, is_numbers(column)), "the median"
        if (cells.counts.sum(axis=1) > 0).sum() < 2:
            return None, "no cut: all rows are of one class"
        if self.method == "hull":
            return self._on_hull(cells)
        told = gains(cells.counts, IMPURITIES[self.method])
        best = int(np.argmax(told >= told.max() - EQUAL))
        if told[best] <= EQUAL:
            return None, "no cut: every value has the same shares of the classes"
        return float(cells.cuts[best]), f"{self.method} {told[best]:.4f}, the best of {len(told)} cuts"

    def _on_hull(self, cells: ClassCells) -> tuple[float | None, str]:
        """The corner of either hull with the least cost."""
        if len(cells.counts) != 2:
            raise LikelyError(
                f"method='hull' is for two classes, and there are {len(cells.counts)}: use 'gain'."
            )
        totals = cells.counts.sum(axis=1)
        rate = float(totals[1] / totals.sum()) if self.base_rate is None else float(self.base_rate)
        above = (
            1 - np.concatenate([np.zeros((2, 1)), np.cumsum(cells.counts, axis=1)], axis=1) / totals[:, None]
        )
        false, missed = self.costs
        best: tuple[float, int, str] | None = None
        for corners, word, (fpr, tpr) in zip(
            hull_corners(cells), ("upper", "lower"), (above, 1 - above), strict=True
        ):
            for i in sorted(corners):
                cost = missed * rate * (1 - tpr[i]) + false * (1 - rate) * fpr[i]
                if best is None or cost < best[0] - EQUAL:
                    best = cost, i, word
        if best is None:
            return None, "no cut: no value tells the classes apart"
        simplest = min(missed * rate, false * (1 - rate))
        why = f"a corner of the {best[2]} hull, cost {best[0]:.4f} a row"
        if best[0] >= simplest - EQUAL:
            why += f"; one answer for all rows costs no more ({simplest:.4f})"
        return float(cells.cuts[best[1] - 1]), why


def hull_corners(cells: ClassCells) -> tuple[set[int], set[int]]:
    """The first cell above each corner inside the upper, and the lower hull of the coverage curve.

    From low values to high, the odds of the second class rise along the upper hull.
    """
    first, second = cells.counts
    rises, falls = pav_of_sums(second, first + second), pav_of_sums(first, first + second)
    return set(rises.edges[1:-1].tolist()), set(falls.edges[1:-1].tolist())


def _median(cells: ClassCells, numbers: bool) -> float:
    """Midway between the middle values; of ordered levels the lower one."""
    if numbers:
        return CutColumn(cells).quantile(0.5)
    up_to: Floats = np.cumsum(cells.total)
    return float(cells.low[int(np.argmax(up_to >= up_to[-1] / 2))])


def _given(column: Column, value: Any) -> float:
    if column.levels is None:
        return float(value)
    levels = level_values(column)
    if value not in levels:
        raise LikelyError(f"at={{{column.name!r}: {value!r}}}: the levels are {list(levels)[:10]!r}.")
    return float(levels.index(value))
