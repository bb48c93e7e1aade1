"""How columns are judged for selection: by counts of classes, which add, or by looking at rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

import numpy as np

from likely.engine import Engine
from likely.errors import LikelyError
from likely.estimator.check_column import demand
from likely.estimator.record import Story
from likely.features.cell_table import CellTable
from likely.features.counted import Counted, is_numbers
from likely.features.cuts import SUPERVISED, CutColumn, CutOptions, cut
from likely.features.partition import Partition
from likely.features.row_distances import measured
from likely.features.transformer import cells_of
from likely.format.words import shown
from likely.infer.relief import relief
from likely.infer.subset_merit import merit_path
from likely.score.of_counts import (
    ColumnTold,
    by_auc,
    by_chi_squared,
    by_correlation,
    by_gain,
    by_gain_ratio,
    by_held_out,
    by_uncertainty,
    uncertainty_between,
    uncertainty_of,
)
from likely.stats import Groups
from likely.stats.bins import bins_for
from likely.stats.groups import Floats, Ints
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame

# Those that see levels, or bins of numbers, as a table of counts.
OF_CELLS: dict[str, Callable[[Floats], ColumnTold]] = {
    "bits": by_held_out,
    "gain": by_gain,
    "gain_ratio": by_gain_ratio,
    "symmetric_uncertainty": by_uncertainty,
    "chi_squared": by_chi_squared,
}
ADDITIVE = (*OF_CELLS, "correlation", "auc")
BY_ROWS = ("cfs", "relief", "relieff")
NEIGHBOURS = 10


@dataclass(frozen=True)
class SelectRecord(Counted):
    """What was counted; and where rows had to be looked at, what they said."""

    places: Ints = field(default_factory=lambda: np.zeros(0, np.intp))  # (m,): columns that were judged
    scores: Floats = field(default_factory=lambda: np.zeros(0))  # (m,): of Relief, or merits of CFS's sets
    errors: Floats = field(default_factory=lambda: np.zeros(0))  # (m,)
    looked_at: int = 0  # rows; 0 where counts are enough

    @classmethod
    def of_counted(cls, counted: Counted, **more: Any) -> SelectRecord:
        """With what was counted."""
        return cls(**{one.name: getattr(counted, one.name) for one in fields(Counted)}, **more)

    @property
    def best(self) -> int:
        """Of the sets that CFS tried, how many columns the best has."""
        return int(np.argmax(self.scores)) + 1 if len(self.scores) else 0

    def __add__(self, other: Counted) -> SelectRecord:
        """The record of the rows of both, where counts are all that is needed."""
        if self.looked_at or (isinstance(other, SelectRecord) and other.looked_at):
            raise LikelyError(
                "Relief and CFS compare rows with rows and columns with columns, so that pieces are not the "
                "whole: fit all rows at once, or select by a statistic that adds, such as 'gain'."
            )
        return SelectRecord.of_counted(super().__add__(other))

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row."""
        steps = (
            "Take each column by itself: those that tell most about the classes stay as they are.",
            "The others are left out.",
        )
        return Story(model, steps, "new = the columns that stay.", "", "a row of fewer columns")

    def check(self) -> None:
        """Refuse a record that no fit gives."""
        super().check()
        d, m = len(self.schema.columns), len(self.places)
        demand(self.scores.shape == (m,) and self.errors.shape == (m,), "its scores are of other columns")
        within = bool(((self.places >= 0) & (self.places < d)).all()) and len(set(self.places.tolist())) == m
        demand(within and self.looked_at >= 0, "it judges columns that are not there")
        demand(bool(np.isfinite(self.scores).all() and (self.errors >= 0).all()), "its scores are no numbers")


@dataclass(frozen=True, eq=False)
class ScoreTable(CellTable):
    """Columns and their scores, best first."""

    def _cell(self, head: str, value: object) -> str:
        if not isinstance(value, float):
            return shown(value)
        return f"{value:.2g}" if head in ("p", "error", "df", "step") else f"{value:.4f}"


@dataclass(frozen=True, eq=False)
class LeftOut:
    """A column that does not come out."""

    record: Counted
    place: int
    bins: int | str | None
    outputs: tuple[Column, ...] = ()

    @property
    def partition(self) -> Partition:
        """Its cells; nobody asks for those of most columns."""
        return partition_of(self.record, self.place, self.bins)

    def values(self, cells: Any) -> Floats:
        """No columns, (n, 0)."""
        return np.zeros((len(cells), 0))

    def sql(self) -> list[str]:
        """No expressions."""
        return []


class RowOptions(Protocol):
    """What can be said of the ways that look at rows."""

    by: str
    keep: float | None
    bins: int | str | None
    neighbours: int | None
    sample: int | None
    ties: str
    seed: int


def partition_of(record: Counted, j: int, bins: int | str | None) -> Partition:
    """A column as levels, or bins of its numbers, with how much of each class lies in each."""
    column = record.schema.columns[j]
    if not is_numbers(column):
        return Partition.of_levels(column, record.level_counts(j))
    cells = record.numbers(j)
    many = bins_for(int(record.known(j).sum())) if bins is None else None if isinstance(bins, str) else bins
    method = bins if isinstance(bins, str) else "equal_frequency"
    moments = record.class_moments(j).pooled() if method == "sd" else None
    cuts = cut(CutColumn(cells, moments), method, CutOptions(many))
    return Partition.between(column, cells, cuts.edges, cuts.why)


def judged_columns(
    record: SelectRecord, places: Sequence[int], by: str, bins: int | str | None
) -> dict[int, ColumnTold]:
    """What each of some columns tells."""
    if by in OF_CELLS:
        judged = {j: OF_CELLS[by](partition_of(record, j, bins).counts) for j in places}
        return {j: _without_p(one) for j, one in judged.items()} if bins in SUPERVISED else judged
    if by == "correlation":
        return {j: _correlation(record, j) for j in places}
    if by == "auc":
        return {j: by_auc(_in_order(record, j)) for j in places}
    at = {int(j): i for i, j in enumerate(record.places)}
    if by == "cfs":
        return {j: _of_set(record, j, bins, at) for j in places}
    nothing = ColumnTold(0.0, {"error": 0.0})  # a column without any value has no distances
    return {
        j: ColumnTold(float(record.scores[at[j]]), {"error": float(record.errors[at[j]])})
        if j in at
        else nothing
        for j in places
    }


def judged_by_rows(
    options: RowOptions,
    record: SelectRecord,
    frame: Frame,
    groups: Groups,
    places: Sequence[int],
    engine: Engine,
) -> SelectRecord:
    """The record with what rows say."""
    assert groups.codes is not None
    schema = record.schema
    if options.by == "cfs":
        parts = [partition_of(record, j, options.bins) for j in places]
        codes = [part.place(cells_of(schema, frame, j)) for part, j in zip(parts, places, strict=True)]
        told = np.array([uncertainty_of(part.counts) for part in parts])

        def between(i: int) -> Floats:
            return np.array([uncertainty_between(codes[i], code, groups.weight) for code in codes])

        path = merit_path(told, between, None)
        chosen = np.array(places, np.intp)[path.places]
        return SelectRecord.of_counted(
            record, places=chosen, scores=path.merits, errors=np.zeros(len(chosen)), looked_at=frame.n
        )
    squares = options.by == "relief"
    how = measured(schema, [frame], places, "euclidean" if squares else "manhattan", "range", groups.weight)
    k = options.neighbours or (1 if squares else NEIGHBOURS)
    first = options.ties == "first"
    scored = relief(
        how.rows,
        groups.codes,
        k,
        engine=engine,
        weight=groups.weight,
        sample=options.sample,
        seed=options.seed,
        first=first,
    )
    judged = np.array(how.columns, np.intp)
    return SelectRecord.of_counted(
        record,
        places=judged,
        scores=scored.scores[: len(judged)],
        errors=scored.errors[: len(judged)],
        looked_at=scored.rows,
    )


def _of_set(record: SelectRecord, j: int, bins: int | str | None, at: dict[int, int]) -> ColumnTold:
    """What a column tells by itself, and as part of the sets that CFS tried."""
    uncertainty = uncertainty_of(partition_of(record, j, bins).counts)
    if j not in at:
        return ColumnTold(uncertainty)
    return ColumnTold(uncertainty, {"step": at[j] + 1.0, "merit": float(record.scores[at[j]])})


def _without_p(told: ColumnTold) -> ColumnTold:
    return ColumnTold(told.score, {name: value for name, value in told.more.items() if name != "p"})


def _correlation(record: Counted, j: int) -> ColumnTold:
    if is_numbers(record.schema.columns[j]):
        moments = record.class_moments(j)
        return by_correlation(moments.n[:, 0], moments.mean[:, 0], moments.scatter[:, 0])
    counts = _in_order(record, j)
    n = counts.sum(axis=1)
    ranks = np.arange(counts.shape[1])
    mean = counts @ ranks / np.maximum(n, 1e-300)
    scatter = (counts * np.square(ranks - mean[:, None])).sum(axis=1)
    return by_correlation(n, mean, scatter)


def _in_order(record: Counted, j: int) -> Floats:
    """How much of each class lies at each value, from the least to the greatest, (g, b)."""
    column = record.schema.columns[j]
    if column.kind is Kind.CATEGORICAL:
        raise LikelyError(
            f"column {column.name!r} is categorical: its levels have no order, which a correlation or an "
            "area under a curve needs. Leave it out of `columns`, declare its order with `kinds`, or select "
            "by 'bits', 'gain' or 'symmetric_uncertainty'."
        )
    return record.numbers(j).counts if is_numbers(column) else record.level_counts(j)
