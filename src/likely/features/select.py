"""Fewer columns: those that tell most about the classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

from likely.draw.bars import bars
from likely.errors import LikelyError, notice
from likely.estimator.fitted import read_only
from likely.features.cell_table import CellTable
from likely.features.column_scores import (
    ADDITIVE,
    BY_ROWS,
    LeftOut,
    ScoreTable,
    SelectRecord,
    judged_by_rows,
    judged_columns,
    partition_of,
)
from likely.features.counted import Counted, is_levels, is_numbers
from likely.features.cuts import METHODS
from likely.features.partition import ColumnMap, Partition
from likely.features.pictures import draw_cells
from likely.features.transformer import Transformer, one_of
from likely.score.of_counts import ColumnTold
from likely.stats.groups import Floats
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.schema import Schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TIES = ("average", "first")
SHOWN = 30  # columns in a picture


def _adds(model: Select) -> bool:
    """Whether counts are all that it learns from."""
    if model.by in BY_ROWS:
        raise AttributeError(
            f"by={model.by!r} compares rows, so that pieces are not the whole: fit all at once."
        )
    return True


class Select(Transformer):
    """Keep the columns that tell most about the classes (feature selection by a filter, or by Relief).

    Filters judge each column by itself: they keep both copies of a column that is there twice, and miss
    columns that tell something only together. CFS sees the first, Relief the second.

    Parameters
    ----------
    by : str
        "bits": what the column saves on rows that it was not learnt from, so that a column of names, however
        well it fits, saves nothing. "gain": information gain (mutual information) in bits, "gain_ratio", the
        same as a share of the column's own entropy, and "symmetric_uncertainty", of the mean entropy of both.
        "chi_squared": Pearson's, with p. "correlation": |r| with a 0/1 class, of more classes the correlation
        ratio. "auc": area under the ROC curve of the values. "cfs": sets of columns that tell of the class
        and not of each other (correlation-based feature selection). "relief": differences from the nearest
        row of each class, squared; "relieff": from several, not squared.
    keep : int, float or None
        How many columns, or below 1 (or 1.0) which share of them. None: all that score above `threshold`.
    threshold : float or None
        What a column must exceed. None: 0, and 1/2 for "auc", where `keep` is not given.
    bins : int, str or None
        What numbers are turned into where levels are needed: so many bins of equal frequency, or a method of
        `Discretize`, such as "optimal". None: 2 to 32 bins, as the rows allow. Bins that were chosen by the
        target make p too small, so then none is told.
    neighbours : int or None
        Of "relief" and "relieff": how many of each class. None: 1, and 10.
    sample : int or None
        Of the same: how many rows are looked at, drawn by chance; `table` tells the error. None: all.
    ties : "average" or "first"
        Of the same: whether rows that are equally near share a place, or the first in the table has it.
    seed : int
        Of the rows that are drawn.
    columns, kinds
        As in `Discretize`: without `columns`, all but texts are judged; the others stay.
    n_jobs : int or None
        Of "relief" and "relieff": threads.

    Attributes
    ----------
    scores_, pvalues_ : (d,) arrays
        Of every column; NaN for those that were not judged, and where there is no p.

    Examples
    --------
    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> model = likely.Select("gain", keep=2).fit(days, "play")
    >>> model.get_feature_names_out().tolist()
    ['outlook', 'humidity']
    >>> model.scores_.round(4)
    array([0.2467, 0.0292, 0.1518, 0.0481])
    """

    def __init__(
        self,
        by: str = "bits",
        keep: float | None = None,
        *,
        threshold: float | None = None,
        bins: int | str | None = None,
        neighbours: int | None = None,
        sample: int | None = None,
        ties: str = "average",
        seed: int = 0,
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
        n_jobs: int | None = None,
    ) -> None:
        self.by = by
        self.keep = keep
        self.threshold = threshold
        self.bins = bins
        self.neighbours = neighbours
        self.sample = sample
        self.ties = ties
        self.seed = seed
        self.columns = columns
        self.kinds = kinds
        self.n_jobs = n_jobs

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return True

    @property
    def scores_(self) -> Floats:
        """The score of every column, (d,)."""
        return self._of_columns(lambda told: told.score)

    @property
    def pvalues_(self) -> Floats:
        """How probable a score so high would be if the column told nothing, (d,)."""
        return self._of_columns(lambda told: told.p)

    @available_if(_adds)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn from more rows: pieces are the whole. Relief and CFS have none, for they compare rows."""
        return super().partial_fit(X, y, sample_weight)

    def get_support(self, indices: bool = False) -> NDArray[Any]:
        """Which columns are kept, (d,): true or false, or their places."""
        kept = np.array([one is None for one in self._maps()])
        return np.flatnonzero(kept) if indices else kept

    def table(self, columns: Sequence[str] | str | None = None) -> CellTable:
        """The columns, best first: score, whether it is kept, and what else is known of it.

        Of filters p is that of a column that tells nothing, by itself, and `low` and `high` end a 90 %
        interval; `bias` is by how much a gain comes out too high. Of Relief `error` is the standard error
        that is due to looking at some rows only.
        """
        asked = None if columns is None else [columns] if isinstance(columns, str) else list(columns)
        names, kept = self._known().schema.names, self.get_support()
        lines = [
            {"column": names[j], "kept": "yes" if kept[j] else "no", "score": told.score, **told.more}
            for j, told in self._ranked()
            if asked is None or names[j] in asked
        ]
        notes = [f"by {self.by}, {self._rule()}; {int(kept.sum())} of {len(names)} columns stay"]
        rough = [names[j] for j, told in self._ranked() if told.rough]
        if rough:
            notes.append(f"p is rough where few rows are expected in a cell: {', '.join(rough[:5])}")
        title = f"{type(self).__name__}({self.by!r}), {self._rows_said()}"
        return ScoreTable(title, tuple(lines), tuple(notes))

    def plot(self, column: str | None = None, ax: Axes | None = None) -> Axes:
        """A bar for the score of each column, best first; or the cells of a column."""
        if column is not None:
            return draw_cells(self._shown(column), self._known().classes, ax)
        ranked, names, kept = self._ranked()[:SHOWN], self._known().schema.names, self.get_support()
        labels = [names[j] if kept[j] else f"({names[j]})" for j, _ in ranked]
        scores = [told.score for _, told in ranked]
        words = [f"{told.score:.3g}" + _error_said(told) for _, told in ranked]
        title = f"{self.by.replace('_', ' ')} with {self._known().target_name}; in brackets: left out"
        return bars(labels, scores, words, title=title, xlabel=self.by.replace("_", " "), ax=ax)

    def describe(self) -> str:
        """In words: what it looks at, and which columns stay."""
        return f"{super().describe()}\n  {self._rule()}"

    def _check_options(self) -> None:
        one_of("by", self.by, (*ADDITIVE, *BY_ROWS))
        one_of("ties", self.ties, TIES)
        if isinstance(self.bins, str):
            one_of("bins", self.bins, tuple(METHODS))
        for option, least in (("bins", 2), ("neighbours", 1), ("sample", 1)):
            value = getattr(self, option)
            whole = isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= least
            if not (value is None or whole or (option == "bins" and isinstance(value, str))):
                raise LikelyError(f"{option}={value!r}: give a whole number from {least}, or None.")
        if self.keep is not None:
            whole = isinstance(self.keep, int | np.integer) and not isinstance(self.keep, bool)
            if not (self.keep >= 1 if whole else isinstance(self.keep, float) and 0 < self.keep <= 1):
                raise LikelyError(
                    f"keep={self.keep!r}: give a number of columns from 1, a share above 0 and up to 1.0, or "
                    "None for all above the threshold."
                )

    @property
    def _spread(self) -> bool:
        return self.by == "correlation" or self.bins == "sd"

    def _applies(self, column: Column) -> bool:
        return is_numbers(column) or is_levels(column)

    def _judges(self, schema: Schema) -> list[int]:
        """The places of the columns that are judged."""
        asked = None if self.columns is None else set(self.columns)
        mine = [c for c in schema.columns if asked is None or c.name in asked]
        texts = [c for c in mine if not self._applies(c)]
        if asked is not None and texts:
            self._refuse(texts[0])
        chosen = {c.name for c in mine if self._applies(c)}
        return [j for j, c in enumerate(schema.columns) if c.name in chosen]

    def _count(
        self, X: TableLike, y: Target | None, weight: Weights, kinds: Kinds, known: Schema | None = None
    ) -> SelectRecord:
        schema, target, frame, groups = self._looked_at(X, y, weight, kinds, known)
        record = SelectRecord.of_counted(Counted.of(schema, target, frame, groups, self._spread))
        if self.by in ADDITIVE:
            return record
        return judged_by_rows(self, record, frame, groups, self._judges(schema), self._engine)

    def _take(self, record: Any, estimate: bool = True) -> None:
        """Be the transformer of this record."""
        self._told: dict[int, ColumnTold] = {}
        super()._take(record, estimate)

    def _learn(self, record: Counted, j: int) -> ColumnMap:
        return LeftOut(record, j, self.bins)

    def _made(self, record: Counted) -> tuple[ColumnMap | None, ...]:
        assert isinstance(record, SelectRecord)
        places = self._judges(record.schema)
        self._told = judged_columns(record, places, self.by, self.bins)
        kept = self._kept(record)
        judged = set(places)
        return tuple(
            self._learn(record, j) if j in judged and j not in kept else None
            for j in range(len(record.schema.columns))
        )

    def _kept(self, record: SelectRecord) -> set[int]:
        """The places of the judged columns that stay; the best always does."""
        order = [j for j, _ in self._in_order()]
        if not order:
            return set()
        if self.keep is None and self.threshold is None and self.by == "cfs":
            return set(record.places[: record.best].tolist())
        most, least = len(order), self._least
        if self.keep is not None:
            share = isinstance(self.keep, float)
            most = max(1, int(self.keep * len(order) + 0.5)) if share else int(self.keep)
            least = -np.inf if self.threshold is None else least
        above = [j for j in order if self._told[j].score > least]
        if not above:
            notice(
                f"no column scores above {least:g} by {self.by}: only {record.schema.names[order[0]]!r}, "
                "which scores most, is kept. Give keep= or a lower threshold, or more rows.",
            )
        return set(above[:most] or order[:1])

    def _in_order(self) -> list[tuple[int, ColumnTold]]:
        """Best first; the columns of the set that CFS chose in its order."""
        rank = {int(j): i for i, j in enumerate(self._known().places)} if self.by == "cfs" else {}
        last = len(rank)
        return sorted(self._told.items(), key=lambda one: (rank.get(one[0], last), -one[1].score, one[0]))

    def _ranked(self) -> list[tuple[int, ColumnTold]]:
        self._maps()
        return self._in_order()

    def _of_columns(self, part: Any) -> Floats:
        out = np.full(len(self._known().schema.columns), np.nan)
        for j, told in self._ranked():
            out[j] = part(told)
        return read_only(out)

    def _shown(self, column: str | None) -> Partition:
        """The cells of any column, whether it stays or not."""
        record = self._known()
        names = list(record.schema.names)
        if column not in names:
            raise LikelyError(f"column={column!r}: choose one of {names[:10]!r}.")
        return partition_of(record, names.index(column), self.bins)

    def _cells_shown(self) -> list[tuple[int, Partition]]:
        """The cells of the columns that stay."""
        record, kept = self._known(), self.get_support()
        return [(j, partition_of(record, j, self.bins)) for j, _ in self._ranked() if kept[j]]

    def _known(self) -> SelectRecord:
        record = super()._known()
        assert isinstance(record, SelectRecord)
        return record

    def _rule(self) -> str:
        if self.keep is not None:
            return f"keep={self.keep!r}"
        if self.threshold is None and self.by == "cfs":
            return "the set of greatest merit"
        return f"those above {self._least:g}"

    @property
    def _least(self) -> float:
        """What a column must exceed where it is not said how many stay."""
        if self.threshold is not None:
            return self.threshold
        return 0.5 if self.by == "auc" else 0.0


def _error_said(told: ColumnTold) -> str:
    error = told.more.get("error", 0.0)
    return f" ± {error:.2g}" if error else ""
