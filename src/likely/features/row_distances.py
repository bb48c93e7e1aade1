"""Distances of rows by the kinds of their columns, and the nearest rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import dense
from likely.engine import Chunk, engine_for
from likely.errors import LikelyError, notice
from likely.estimator.fitted import refuse_empty
from likely.features.counted import codes_of, is_levels, is_numbers, n_levels
from likely.features.transformer import one_of
from likely.infer.mixed_rows import LevelCells, MixedRows, NumberCells
from likely.infer.nearest import DistanceTask, Facing, NearestTask
from likely.stats.groups import Floats, Ints
from likely.table.accepted import Kinds, TableLike
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

METRICS = ("gower", "euclidean", "manhattan", "hamming")
SCALES = ("range", "sd", "none")
MOST_CELLS = 1 << 30  # of a table of distances: 8 GB


@dataclass(frozen=True, eq=False)
class Measured:
    """Rows as a metric sees them, and the places of their columns in the schema."""

    rows: MixedRows
    columns: tuple[int, ...]
    metric: str

    def distances(self, sums: Floats) -> Floats:
        """Of sums over columns."""
        if self.metric == "euclidean":
            return np.sqrt(sums)
        return sums / max(len(self.columns), 1) if self.metric == "gower" else sums


def measured(
    schema: Schema,
    frames: Sequence[Frame],
    places: Sequence[int],
    metric: str = "gower",
    scale: str | None = None,
    weight: Floats | None = None,
) -> Measured:
    """The rows of tables with one schema, one after the other, by some columns."""
    asked = ("range" if metric == "gower" else "none") if scale is None else scale
    numbers: list[tuple[int, NumberCells | LevelCells]] = []
    levels: list[tuple[int, NumberCells | LevelCells]] = []
    for j in places:
        column = schema.columns[j]
        if not is_numbers(column) and not is_levels(column):
            raise LikelyError(
                f"column {column.name!r} is {column.kind}, which has no distance: leave it out, or declare "
                "it with kinds={...: 'categorical'} if equal texts are the same thing."
            )
        ordered = column.kind is Kind.ORDINAL
        if is_levels(column) and not (ordered and metric != "hamming"):
            codes = np.concatenate([codes_of(schema, frame, j) for frame in frames])
            if (codes >= 0).any():
                levels.append((j, LevelCells(codes)))
            continue
        values = np.concatenate([_numbers(schema, frame, j, ordered) for frame in frames])
        if np.isnan(values).all():
            continue
        if metric == "hamming":
            codes = np.unique(values, return_inverse=True)[1]
            levels.append((j, LevelCells(np.where(np.isnan(values), -1, codes))))
        else:
            ranks = n_levels(column) - 1.0 if ordered else None
            numbers.append((j, NumberCells(values, _scale(values, asked, ranks, weight))))
    if metric == "euclidean" and asked == "none":
        _warn_of_probabilities([(schema.columns[j].name, cells) for j, cells in numbers])
    both = [*numbers, *levels]
    rows = MixedRows.of([cells for _, cells in both], 2 if metric == "euclidean" else 1, weight)
    if not both:
        rows = MixedRows.of([LevelCells(np.zeros(sum(f.n for f in frames), np.intp))], rows.power)
    return Measured(rows, tuple(j for j, _ in both), metric)


def _warn_of_probabilities(numbers: Sequence[tuple[str, NumberCells | LevelCells]]) -> None:
    """Say so where columns look like probabilities, of which log-odds are what distances add up."""
    names = [
        name
        for name, cells in numbers
        if isinstance(cells, NumberCells) and np.nanmin(cells.values) > 0 and np.nanmax(cells.values) < 1
    ]
    if names:
        notice(
            f"column{'s' if len(names) > 1 else ''} {', '.join(map(repr, names[:5]))} between 0 and 1: "
            "probabilities multiply, and Euclidean distances between them mean little. If these are some, "
            "take their log-odds, as Evidence(space='log-odds') gives them; else give a `scale`."
        )


def _numbers(schema: Schema, frame: Frame, j: int, ordered: bool) -> Floats:
    """Numbers, or the ranks of ordered levels."""
    if ordered:
        codes = codes_of(schema, frame, j)
        return np.where(codes < 0, np.nan, codes)
    block = schema.numbers(frame, (j,))
    block.refuse_extremes(0, frame.n)
    return np.array(dense(block.rows(0, frame.n))[:, 0], np.float64)


def _scale(values: Floats, asked: str, ranks: float | None, weight: Floats | None) -> float:
    """What differences are divided by; rows without weight are no rows."""
    known = ~np.isnan(values) if weight is None else ~np.isnan(values) & (weight > 0)
    if asked == "none" or not known.any():
        return 1.0
    values, part = values[known], None if weight is None else weight[known]
    if asked == "range":
        return float(values.max() - values.min()) if ranks is None else ranks
    mean = np.average(values, weights=part)
    return float(np.sqrt(np.average(np.square(values - mean), weights=part)))


def distances(
    a: TableLike,
    b: TableLike | None = None,
    metric: str = "gower",
    *,
    scale: str | None = None,
    columns: Sequence[str] | None = None,
    kinds: Kinds = None,
) -> NDArray[np.float64]:
    """How far apart rows are, by the kinds of their columns.

    Of a column of numbers the distance of two cells is their difference, of ordered levels (ordinal) that
    of their ranks, of other levels and truth values 0 or 1. A missing cell adds what it would add on average
    under the distribution of its column, in the rows of both tables; beside another missing one too. A row
    is no distance from itself, and a column without any value is left out.

    Parameters
    ----------
    a, b : tables
        Any frame, matrix, dict of columns or list of records; without `b`, the rows of `a` among themselves.
    metric : "gower", "euclidean", "manhattan" or "hamming"
        Gower's is the mean over columns, each scaled to 0 to 1, and the one for mixed tables. Euclidean is
        the root of the sum of squares, Manhattan the sum, Hamming how many cells differ, numbers too. A
        notice says which columns look like probabilities: Euclidean distances want log-odds.
    scale : "range", "sd", "none" or None
        What differences of numbers and ranks are divided by; of ranks the range is the number of levels
        less one. None: the range for Gower's distance, and nothing for others.
    columns : list of str or None
        Which columns count; None for all.
    kinds : as in `NaiveBayes`

    Returns
    -------
    (n, m) array
        Of every row of a from every row of b. Where that is too large, `nearest` keeps the nearest.

    Examples
    --------
    >>> import likely
    >>> day = {"outlook": ["sunny"], "temperature": ["hot"], "humidity": ["high"], "windy": [False]}
    >>> other = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["normal"], "windy": [False]}
    >>> likely.distances(day, other, "hamming"), likely.distances(day, other)
    (array([[2.]]), array([[0.5]]))
    """
    how, facing = _facing(a, b, metric, scale, columns, kinds)
    n, m = len(facing.mine), len(facing.others)
    if n * m > MOST_CELLS:
        raise LikelyError(
            f"{n} x {m} distances take {n * m * 8 / 1e9:.0f} GB: measure fewer rows at a time, or use "
            "likely.nearest, which keeps the nearest of each row."
        )
    (sums,) = engine_for(None).map(Chunk(facing, n, how.rows.width), DistanceTask(m))
    return how.distances(sums)


class Nearest(NamedTuple):
    """The nearest rows of each row, nearest first."""

    rows: Ints  # (n, k): their places
    distances: Floats  # (n, k)


def nearest(
    a: TableLike,
    b: TableLike | None = None,
    k: int = 5,
    metric: str = "gower",
    *,
    scale: str | None = None,
    columns: Sequence[str] | None = None,
    kinds: Kinds = None,
) -> Nearest:
    """The k rows of b that are nearest to each row of a (k nearest neighbours), by `distances`.

    Without `b`, the other rows of `a`: a row is no neighbour of itself. Rows that are equally near come in
    their order. Memory grows with the rows, not with their pairs.

    Examples
    --------
    >>> import likely
    >>> likely.nearest({"age": [20, 21, 35, 60]}, k=1).rows[:, 0].tolist()
    [1, 0, 1, 2]
    """
    how, facing = _facing(a, b, metric, scale, columns, kinds)
    m = len(facing.others) - facing.itself
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= m:
        raise LikelyError(
            f"k={k!r}: give a whole number from 1 to the {m} rows that there are to choose from."
        )
    task = NearestTask(int(k), len(facing.others))
    places, sums = engine_for(None).map(Chunk(facing, len(facing.mine), how.rows.width), task)
    return Nearest(places, how.distances(sums))


def _facing(
    a: TableLike,
    b: TableLike | None,
    metric: str,
    scale: str | None,
    columns: Sequence[str] | None,
    kinds: Kinds,
) -> tuple[Measured, Facing]:
    """Both tables as the metric sees them."""
    one_of("metric", metric, METRICS)
    one_of("scale", scale, (*SCALES, None))
    frames = [Frame.of(table) for table in ((a,) if b is None else (a, b))]
    for frame in frames:
        refuse_empty(frame)
        declared_by_name(frame.names, dict.fromkeys(columns or ()), "columns")
    schema = Schema.learn(frames[0], kinds)
    if b is not None:
        frames[1] = schema.align(frames[1], "distances")
        schema = schema.widened(Schema.learn(frames[1], schema.declarations))
    asked = set(schema.names if columns is None else columns)
    places = [j for j, name in enumerate(schema.names) if name in asked]
    how = measured(schema, frames, places, metric, scale)
    n = frames[0].n
    if b is None:
        return how, Facing(how.rows, how.rows, True)
    return how, Facing(how.rows.at(slice(n)), how.rows.at(slice(n, None)), False)
