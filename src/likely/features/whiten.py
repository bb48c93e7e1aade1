"""Decorrelate and normalise: columns that vary as a ball."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin

from likely.dist.distribution import dense
from likely.dist.families.multivariate_normal import spread_of
from likely.dist.prior import FLOOR
from likely.draw.forest import Estimate, forest
from likely.engine import Answers, Chunk, MapTask, ReduceTask
from likely.errors import LikelyError
from likely.estimator.check_column import check_schema, demand
from likely.estimator.fitted import FittedModel, read_only, row_weights
from likely.estimator.record import Story
from likely.export.sql_text import sql_name
from likely.features.cell_table import CellTable
from likely.features.linear_sql import linear_sql
from likely.features.new_table import NewColumn, new_table
from likely.features.pictures import MOST_ROWS
from likely.stats import Groups, Within
from likely.table.accepted import TableLike, Target, Weights
from likely.table.column.block import Numbers
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WhitenRecord:
    """What a fitted `Whiten` knows: the columns, and how they vary together."""

    schema: Schema
    scatter: Within
    classes: tuple[Any, ...] = ()  # within which they vary; none: over all rows

    @property
    def n(self) -> float:
        """The weight of the rows that were learnt from."""
        return float(self.scatter.n.sum())

    @property
    def mean(self) -> Floats:
        """What is subtracted, (d,)."""
        return np.asarray(self.scatter.pooled().mean[0])

    @property
    def covariance(self) -> Floats:
        """What becomes the identity, (d, d)."""
        return np.asarray(self.scatter.covariance[0])

    @cached_property
    def root(self) -> Floats:
        """The triangular root of the covariance, (d, d); 0 in the place of what is determined."""
        column = spread_of(self.scatter)
        varying = ~column.constant[0] & (np.diagonal(self.covariance) > column.floor[0])
        return _root(self.covariance, varying)

    @property
    def n_parameters(self) -> int:
        """The means and the covariances."""
        d = len(self.schema.columns)
        return d + d * (d + 1) // 2

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row: a transformer draws none."""
        within = " within the classes" if self.classes else ""
        steps = (
            "Take the columns as they are, and subtract the mean of each.",
            f"Multiply by the inverse root of their covariance{within}: of each is left what those before it "
            "do not tell, in units of its standard deviation.",
        )
        return Story(model, steps, "white = matrix_ (row - mean_).", "", "a row of white columns")

    def trained_on(self) -> dict[str, Any]:
        """What it was trained on, in plain words."""
        names = [column.name for column in self.schema.columns]
        return {"weight_of_rows": self.n, "columns": names, "classes": [str(label) for label in self.classes]}


def check_whitening(record: WhitenRecord) -> None:
    """Refuse a record of which no transformer could have been fitted."""
    check_schema(record.schema)
    d, scatter = len(record.schema.columns), record.scatter
    groups = max(len(record.classes), 1)
    shapes = scatter.n.shape == (groups,) and scatter.mean.shape == (groups, d)
    demand(shapes and scatter.covariance.shape[1:] == (d, d), "its covariance is of other columns")
    numbers = (scatter.n, scatter.mean, scatter.covariance)
    demand(all(np.isfinite(array).all() for array in numbers), "its covariance is no number")
    demand(bool((scatter.n >= 0).all()) and record.n > 0, "it has seen no rows")


@dataclass(frozen=True, slots=True)
class GroupedNumbers:
    """Columns of numbers, and the group of each row."""

    numbers: Numbers
    groups: Groups


@dataclass(frozen=True, slots=True)
class ScatterWithin(ReduceTask[GroupedNumbers, Within]):
    """How complete rows vary around the means of their groups."""

    schema: Schema

    def step(self, data: GroupedNumbers, start: int, stop: int) -> Within:
        """Of some rows."""
        rows = _complete(data.numbers, self.schema, start, stop)
        return Within.collect(rows, data.groups.rows(start, stop))


@dataclass(frozen=True)
class AffineMap(MapTask[Numbers]):
    """matrix (x - shift) + offset of complete rows."""

    schema: Schema
    shift: Floats  # (d,)
    matrix: Floats  # (d, d)
    offset: Floats  # (d,)

    def answers(self, n: int) -> Answers:
        """One array, (n, d)."""
        return (np.empty((n, len(self.shift))),)

    def step(self, data: Numbers, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        rows = _complete(data, self.schema, start, stop)
        out[0][:] = (rows - self.shift) @ self.matrix.T + self.offset


class Whiten(FittedModel, OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Decorrelate and normalise: afterwards the columns have mean 0, variance 1 and no correlation.

    Each column becomes what the columns before it do not tell of it, in units of its standard deviation.
    A column that is constant, or that those before it determine, comes out as 0.

    Parameters
    ----------
    by : "total" or "within"
        Whether it is the covariance of all rows that becomes the identity, or that around the means of
        the classes, which `fit` is then told by y. After whitening within the classes, the basic linear
        classifier (`GaussianClassifier(covariance="identity")`) is the one with a tied covariance.
    n_jobs : int or None
        Threads: None for one, -1 for all cores. The answer does not depend on it, to the last bit.

    Attributes
    ----------
    mean_ : array (d,)
        What is subtracted.
    covariance_ : array (d, d)
        What becomes the identity; maximum likelihood, dividing by the number of rows.
    matrix_ : array (d, d)
        What deviations from the mean are multiplied by: matrix_ @ covariance_ @ matrix_.T = 1, with 0 for
        columns that come out as 0.
    root_ : array (d, d)
        What leads back: covariance_ = root_ @ root_.T.

    Examples
    --------
    >>> import likely
    >>> white = likely.Whiten().fit_transform([[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [2.0, 3.0]])
    >>> (white.T @ white / 4).round(12)
    array([[1., 0.],
           [0., 1.]])
    """

    def __init__(self, by: str = "total", n_jobs: int | None = None) -> None:
        self.by = by
        self.n_jobs = n_jobs

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn the covariance of a table of numbers, without missing cells."""
        frame = _frame(X)
        self._refuse_empty(frame)
        schema = Schema.learn(frame, None, False)
        for column in schema.columns:
            if column.kind not in (Kind.QUANTITATIVE, Kind.COUNT, Kind.BOOLEAN) or column.levels is not None:
                raise LikelyError(f"column {column.name!r} is {column.kind}: only numbers can be whitened.")
        groups, classes = self._groups(y, frame.n, sample_weight, ())
        self._take(WhitenRecord(schema, self._scatter(schema, frame, groups), classes))
        return self

    def partial_fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn from more rows; classes that are new are taken in."""
        if not hasattr(self, "record_"):
            return self.fit(X, y, sample_weight)
        old = self._known()
        frame = old.schema.align(_frame(X), type(self).__name__)
        self._refuse_empty(frame)
        groups, classes = self._groups(y, frame.n, sample_weight, old.classes)
        scatter = old.scatter.regroup(np.arange(len(old.scatter.n)), groups.n_groups)
        self._take(WhitenRecord(old.schema, scatter + self._scatter(old.schema, frame, groups), classes))
        return self

    def transform(self, X: TableLike) -> Any:
        """The table with its columns uncorrelated and of variance 1, in the library that it came in."""
        frame = self._aligned(X)
        return self._as_came(X, frame, self._white(frame))

    def inverse_transform(self, X: TableLike) -> Any:
        """Back from white columns to the original ones."""
        record, frame = self._known(), self._aligned(X, names=False)
        back = AffineMap(record.schema, np.zeros_like(self.mean_), record.root, self.mean_)
        return self._as_came(X, frame, self._mapped(frame, back))

    deductive = False

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return self.by == "within"

    def to_sql(self, table: str = "rows") -> str:
        """A SELECT that makes the new columns of those of a table with these names."""
        columns = self._known().schema.columns
        pairs = zip(linear_sql(columns, self.mean_, self.matrix_), columns, strict=True)
        lines = [f"  {expression} AS {sql_name(column.name)}" for expression, column in pairs]
        return "SELECT\n" + ",\n".join(lines) + f"\nFROM {sql_name(table)}"

    def table(self) -> CellTable:
        """What each new column is made of: multiples of the columns less their means."""
        names = self._known().schema.names
        pairs = zip(names, self.mean_, self.matrix_, strict=True)
        lines = [{"column": n, "mean": m} | dict(zip(names, row, strict=True)) for n, m, row in pairs]
        return CellTable(self._says(), tuple(lines))

    def explain(self, X: TableLike, row: int = 0) -> CellTable:
        """What the new columns say of one row."""
        frame = _frame(X)
        if not -frame.n <= row < frame.n:
            raise LikelyError(f"row={row}: the table has {frame.n} rows.")
        white = self._white(self._aligned(frame.at(np.array([row % frame.n]))))
        pairs = zip(self._known().schema.names, white[0].tolist(), strict=True)
        return CellTable(f"row {row}: {self._says()}", tuple({"column": n, "value": v} for n, v in pairs))

    def plot(self, column: str | None = None, ax: Axes | None = None) -> Axes:
        """What a new column is made of: multiples of the columns less their means."""
        names = list(self._known().schema.names)
        if column is None and len(names) == 1:
            column = names[0]
        if column not in names:
            raise LikelyError(f"column={column!r}: choose one of {names[:10]!r}.")
        pairs = zip(names, self.matrix_[names.index(column)], strict=True)
        rows = [Estimate(name, float(weight)) for name, weight in pairs]
        return forest(rows[:MOST_ROWS], title=f"{column}, white", xlabel="weight", zero=0.0, ax=ax)

    def describe(self) -> str:
        """What it is, and what the new columns are made of."""
        return str(self.table())

    def _says(self) -> str:
        looks = "looks at the target" if self.supervised else "does not look at the target"
        return f"{self!r}: learns from the rows, and {looks}; from {self._known().n:g} rows."

    def _known(self) -> WhitenRecord:
        record: WhitenRecord = super()._known()
        return record

    def _aligned(self, X: TableLike, names: bool = True) -> Frame:
        """The columns that were learnt from, of a table that has them; by their places, unless by `names`."""
        schema, frame = self._known().schema, _frame(X)
        if names or (not frame.named and len(frame.names) != len(schema.columns)):
            frame = schema.align(frame, type(self).__name__)
        elif not frame.named:  # as `transform` gives them
            frame = frame.renamed(schema.names)
        self._refuse_empty(frame)
        return frame

    def _white(self, frame: Frame) -> Floats:
        white = AffineMap(self._known().schema, self.mean_, self.matrix_, np.zeros_like(self.mean_))
        return self._mapped(frame, white)

    def _mapped(self, frame: Frame, change: AffineMap) -> Floats:
        numbers = change.schema.numbers(frame, tuple(range(len(change.shift))))
        (out,) = self._engine.map(Chunk(numbers, frame.n, len(change.shift)), change)
        return out

    def _as_came(self, X: TableLike, frame: Frame, cells: Floats) -> Any:
        names = self._known().schema.names
        pairs = zip(names, cells.T, strict=True)
        return new_table(X, frame, [NewColumn(n, Column.of_numbers(n), each) for n, each in pairs], self)

    def _refuse_empty(self, frame: Frame) -> None:
        for n, what in zip((frame.n, len(frame.names)), ("sample", "feature"), strict=True):
            if n == 0:
                raise LikelyError(
                    f"Found array with 0 {what}(s) (shape=({frame.n}, {len(frame.names)})) while a minimum "
                    "of 1 is required: there is nothing to whiten."
                )

    def _groups(
        self, y: Target | None, n: int, sample_weight: Weights, known: tuple[Any, ...]
    ) -> tuple[Groups, tuple[Any, ...]]:
        """Which rows are of one class, and the classes: all of one, unless within classes is asked for."""
        from sklearn.utils.validation import column_or_1d

        weight = row_weights(sample_weight, n)
        if self.by == "total":
            return Groups.one(n, weight), ()
        if self.by != "within":
            raise LikelyError(f"by={self.by!r}: use 'total', or 'within' with the classes as y.")
        if y is None:
            raise LikelyError("Whiten(by='within') requires y to be passed, but the target y is None.")
        labels = column_or_1d(np.asarray(y), warn=True)
        if len(labels) != n:
            raise LikelyError(
                f"Found input variables with inconsistent numbers of samples: {[n, len(labels)]}"
            )
        new = (label for label in np.unique(labels).tolist() if label not in known)
        classes = (*known, *new)
        code = {label: i for i, label in enumerate(classes)}
        return Groups.hard([code[label] for label in labels.tolist()], len(code), weight), classes

    def _scatter(self, schema: Schema, frame: Frame, groups: Groups) -> Within:
        numbers = schema.numbers(frame, tuple(range(len(schema.columns))))
        rows = Chunk(GroupedNumbers(numbers, groups), frame.n, len(schema.columns))
        return self._engine.reduce(rows, ScatterWithin(schema))

    def _take(self, record: WhitenRecord, estimate: bool = True) -> None:
        """Be the transformer of this record."""
        super()._take(record, estimate)
        self.mean_, self.covariance_ = read_only(record.mean), read_only(record.covariance)
        self.root_, self.matrix_ = read_only(record.root), read_only(_inverse(record.root))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = False
        tags.target_tags.required = self.by == "within"
        return tags


def _root(covariance: Floats, varying: NDArray[np.bool_]) -> Floats:
    """The triangular root of a covariance (d, d), by Cholesky; 0 in the place of what is determined."""
    d = len(covariance)
    sd = np.where(varying, np.sqrt(np.diagonal(covariance)), 1.0)
    correlation = covariance / (sd[:, None] * sd)
    root = np.zeros((d, d))
    for j in np.flatnonzero(varying):
        left = correlation[j:, j] - root[j:, :j] @ root[j, :j]
        if left[0] > FLOOR:
            root[j:, j] = left / np.sqrt(left[0])
    return np.asarray(root * (sd * varying)[:, None])


def _inverse(root: Floats) -> Floats:
    """What takes a triangular root back to the identity; 0 in the rows where it has a 0."""
    inverse, eye = np.zeros_like(root), np.eye(len(root))
    for j in np.flatnonzero(np.diagonal(root)):
        inverse[j] = (eye[j] - root[j, :j] @ inverse[:j]) / root[j, j]
    return inverse


def _frame(X: TableLike) -> Frame:
    """A table; of an array of objects only numbers are of use."""
    return Frame.of(X.astype(np.float64) if isinstance(X, np.ndarray) and X.dtype == object else X)


def _complete(block: Numbers, schema: Schema, start: int, stop: int) -> Floats:
    """The rows of a block; refused if a cell is missing or beyond use."""
    rows = dense(block.rows(start, stop))
    block.refuse_extremes(start, stop)
    if np.isnan(rows.sum()):
        row, j = (int(place) for place in np.argwhere(np.isnan(rows))[0])
        raise LikelyError(
            f"Input X contains NaN: column {schema.columns[j].name!r} is missing in row {start + row}. Leave "
            "such rows out, or fill them in first."
        )
    return rows
