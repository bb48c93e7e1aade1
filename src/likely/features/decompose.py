"""A table as a product of smaller ones: PCA, SVD, LSA, NMF, missing cells, factors of 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if

from likely.draw.forest import Estimate, forest
from likely.errors import LikelyError
from likely.estimator.fitted import generator, read_only, refuse_empty, row_weights, split_target
from likely.features.cell_table import CellTable
from likely.features.constructed import Constructed, of_truths
from likely.features.factor_record import METHODS, Factors, cells_of_table, factorise, without_text
from likely.features.linear_sql import linear_sql
from likely.features.new_table import NewColumn, new_table
from likely.features.pictures import MOST_ROWS
from likely.features.transformer import one_of
from likely.format.words import table
from likely.infer.low_rank import open_columns
from likely.stats.groups import Floats, Ints
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 8  # columns of which the description shows loadings


class Decompose(Constructed):
    """Fewer columns that say most of what many did: the table as a product of two smaller ones.

    Scores (a row for each row) times components (a column for each column) give the table back, exactly or
    nearly. Rotations, selections and scalings are the case of a square second factor.

    Parameters
    ----------
    method : str
        "pca": principal components, of the columns less their means, by the singular value decomposition.
        "svd": the same of the columns as they are (truncated SVD): of all products of this rank the nearest.
        "lsa": the same of word counts (latent semantic analysis), of texts or of columns of counts; sparse.
        "nmf": scores and components that are not negative, the nearest by squares.
        "ppca": principal components with normal noise, by EM: cells may be missing.
        "completion": the table of this rank that is nearest at the known cells; see `complete`.
        "binary": sums of weighted blocks, scores and components 0 or 1.
        "boolean": unions of blocks (1 + 1 = 1), of what is above 0.
    components : int or None
        How many, at most; None: all, or of the last two methods as few as are found to be exact.
    columns : sequence of str, optional
        Which columns are taken; the others come out as they are. Default: all of numbers, or texts of "lsa".
    kinds : mapping, optional
        Kinds of columns, where their types do not tell.
    starts : int
        Of methods that may end in a local optimum: how many starts the best is taken of.
    random_state : int, generator or None
        Where these starts begin.

    Attributes
    ----------
    components_ : array (k, d)
        The second factor; the largest entry of each is positive.
    singular_values_ : array (k,)
        How large each component is in the table; of "binary" its weight.
    shares_ : array (k,)
        The share of the sum of squares (of the variance, after centring) that each explains; NaN where shares
        do not add up.
    mean_ : array (d,)
        What is subtracted first.
    error_ : float
        The sum of squares that is left, of known cells; of "boolean" how many cells differ.
    undetermined_ : list of (row, column)
        Of "completion": missing cells that the known ones leave open.

    Examples
    --------
    >>> import likely
    >>> films = [[1, 0, 1, 0], [0, 2, 2, 2], [0, 0, 0, 1], [1, 2, 3, 2], [1, 0, 1, 1], [0, 2, 2, 3]]
    >>> svd = likely.Decompose("svd", 3).fit(films)
    >>> (svd.singular_values_**2).round(4)
    array([47.9303,  3.7257,  1.344 ])
    >>> genres = likely.Decompose("binary", 3).fit(films)
    >>> round(genres.error_, 9), sorted(genres.singular_values_.round(9).tolist())
    (0.0, [1.0, 1.0, 2.0])
    """

    record_: Factors

    def __init__(
        self,
        method: str = "pca",
        components: int | None = 2,
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
        starts: int = 30,
        random_state: int | None = 0,
    ) -> None:
        self.method = method
        self.components = components
        self.columns = columns
        self.kinds = kinds
        self.starts = starts
        self.random_state = random_state

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn the components of a table; y, if it names a column of it, is left out."""
        one_of("method", self.method, METHODS)
        for option in ("components", "starts"):
            value = getattr(self, option)
            whole = isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= 1
            if not whole and not (option == "components" and value is None):
                raise LikelyError(f"{option}={value!r}: give a whole number from 1.")
        frame = split_target(X, y, "Decompose")[0] if isinstance(y, str) else Frame.of(X)
        refuse_empty(frame)
        declared_by_name(frame.names, dict.fromkeys(self.columns or ()), "columns")
        schema = Schema.learn(frame, self.kinds)
        made = self._learnt(schema, frame, row_weights(sample_weight, frame.n))
        self._take(replace(made, target_name=y if isinstance(y, str) else ""))
        return self

    @available_if(lambda self: self.method in ("pca", "svd"))  # type: ignore[untyped-decorator]
    def partial_fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn from more rows ("pca" and "svd"): pieces are the whole."""
        if not hasattr(self, "record_"):
            return self.fit(X, y, sample_weight)
        old = self._known()
        frame = old.schema.align(Frame.of(X), "Decompose")
        refuse_empty(frame)
        more = self._learnt(old.schema, frame, row_weights(sample_weight, frame.n))
        self._take(old.plus(more, self.components))
        return self

    def __add__(self, other: Self) -> Self:
        """The components of the rows of both ("pca" and "svd")."""
        if type(other) is not type(self) or other.get_params() != self.get_params():
            raise LikelyError(f"only two transformers made alike can be added: {self!r}, {other!r}.")
        return self._with_record(self._known().plus(other._known(), self.components))

    def _learnt(self, schema: Schema, frame: Frame, weight: Floats | None) -> Factors:
        used = self._used(schema)
        cells = cells_of_table(schema, used, frame, self.method)
        weight = np.ones(frame.n) if weight is None else weight
        rng = generator(0, self.random_state)
        return factorise(schema, used, self.method, cells, weight, self.components, self.starts, rng)

    def _used(self, schema: Schema) -> tuple[int, ...]:
        numbers = (Kind.QUANTITATIVE, Kind.COUNT, Kind.BOOLEAN)
        texts = (Kind.TEXT,) if self.method == "lsa" else ()
        used = []
        for j, column in enumerate(schema.columns):
            fits = column.kind in (*numbers, *texts)
            if self.columns is not None and column.name in self.columns and not fits:
                raise LikelyError(
                    f"column {column.name!r} is {column.kind}, and {self.method!r} takes numbers"
                    f"{' and texts' if texts else ''}: leave it out of `columns`, or binarise it first."
                )
            if fits and (self.columns is None or column.name in self.columns):
                used.append(j)
        if not used:
            raise LikelyError("the table has no columns of numbers to decompose: binarise its levels first.")
        return tuple(used)

    def _known(self) -> Factors:
        record: Factors = super()._known()
        return record

    def _take(self, record: Factors, estimate: bool = True) -> None:
        """Be the transformer of this record."""
        super()._take(record, estimate)
        self.components_, self.mean_ = read_only(record.axes), read_only(record.mean)
        self.singular_values_, self.shares_ = read_only(record.sizes), read_only(record.shares)
        self.error_ = record.error
        self.noise_variance_ = record.noise
        names = record.inputs
        self.undetermined_ = [(int(i), names[j]) for i, j in record.open_cells]

    def _kept(self) -> Sequence[int]:
        record = self._known()
        used = set(record.used)
        return [j for j in range(len(record.schema.columns)) if j not in used]

    def _new_columns(self) -> Sequence[Column]:
        names = [f"{self.method}{i + 1}" for i in range(len(self._known().sizes))]
        bits = self.method in ("binary", "boolean")
        return [of_truths(name) if bits else Column.of_numbers(name) for name in names]

    def _new_values(self, frame: Frame) -> Floats:
        record = self._known()
        scores = record.scores(cells_of_table(record.schema, record.used, frame, self.method))
        if self.method == "lsa":
            scores[without_text(record.schema, record.used, frame)] = np.nan
        return scores

    def inverse_transform(self, X: TableLike) -> Any:
        """Back from scores to the columns that they were made of, as far as the components go."""
        record, frame = self._known(), Frame.of(X)
        names = self._new_names() if frame.named else frame.names[-len(record.sizes) :]
        for name in names:
            if name not in frame.position:
                raise LikelyError(f"the table has no column {name!r}, which Decompose made: give its scores.")
        scores = np.column_stack([np.asarray(frame.raw(name).numbers(), np.float64) for name in names])
        back = record.product(scores)
        columns = [Column.of_numbers(name) for name in record.inputs]
        return new_table(
            X, frame, [NewColumn(c.name, c, v) for c, v in zip(columns, back.T, strict=True)], self
        )

    def parts(self, X: TableLike) -> Floats:
        """What each component adds to the cells of a table, (k, n, d): matrices of rank 1.

        Their sum, and the mean, is the table as far as the components go; of "boolean" it is their union.
        """
        record = self._known()
        scores = self._new_values(self._frame(self._without_target(X)))
        size = record.sizes if self.method == "binary" else np.ones(len(record.sizes))
        return np.asarray(np.einsum("nk,kd->knd", scores * size, record.axes))

    def complete(self, X: TableLike) -> Any:
        """The table with its missing cells filled ("ppca", "completion").

        A cell that the known ones of its row do not determine stays missing. `undetermined_` lists such cells
        of the table that was learnt from.
        """
        if self.method not in ("ppca", "completion"):
            raise LikelyError(f"{self.method!r} has no missing cells: use 'ppca' or 'completion'.")
        record = self._known()
        frame = self._frame(self._without_target(X))
        cells = cells_of_table(record.schema, record.used, frame, self.method)
        known = ~np.isnan(cells)
        filled = np.where(known, cells, record.product(record.scores(cells)))
        if self.method == "completion":
            filled[_open(record, known)] = np.nan
        place = {j: i for i, j in enumerate(record.used)}
        columns = [
            NewColumn(c.name, Column.of_numbers(c.name), filled[:, place[j]])
            if j in place and not known[:, place[j]].all()
            else NewColumn(c.name, c, None)
            for j, c in enumerate(record.schema.columns)
        ]
        return new_table(X, frame, columns, self)

    def _sql(self) -> list[str]:
        record = self._known()
        if self.method not in ("pca", "svd"):
            raise LikelyError(f"method={self.method!r} is no arithmetic of the columns: use transform.")
        columns = [record.schema.columns[j] for j in record.used]
        return linear_sql(columns, record.mean, record.axes)

    def table(self) -> CellTable:
        """The components: their size, their share of the sum of squares, and what they are made of."""
        record = self._known()
        lines = []
        for i, name in enumerate(self._new_names()):
            line: dict[str, Any] = {"column": name, "size": record.sizes[i], "share": record.shares[i]}
            lines.append(line | dict(zip(record.inputs, record.axes[i], strict=True)))
        return CellTable(self._says(), tuple(lines))

    def plot(self, column: str | None = None, X: TableLike | None = None, ax: Axes | None = None) -> Axes:
        """How large each component is (scree plot); or what one is made of; or the scores of X."""
        if X is not None:
            return super().plot(column, X, ax)
        record = self._known()
        if column is None:
            labels, amounts, title = self._new_names(), record.sizes, f"{self.method}: size of the components"
        else:
            labels, amounts = list(record.inputs), record.axes[self._chosen(column)]
            title = f"{column}: its components"
        rows = [Estimate(label, float(amount)) for label, amount in zip(labels, amounts, strict=True)]
        return forest(rows[:MOST_ROWS], title=title, xlabel="weight", zero=0.0, ax=ax)

    def describe(self) -> str:
        """What each component is made of, and how much it explains."""
        record = self._known()
        names = list(record.inputs[:SHOWN])
        more = ["..."] if len(record.inputs) > SHOWN else []
        lines = [["", "size", "share", *names, *more]]
        for i, column in enumerate(self._new_columns()):
            share = "" if np.isnan(record.shares[i]) else f"{record.shares[i]:.1%}"
            cells = [f"{v + 0.0:.3g}" for v in record.axes[i, :SHOWN]]
            lines.append([column.name, f"{record.sizes[i]:.4g}", share, *cells, *("" for _ in more)])
        said = [self._says(), table(lines, "<" + ">" * (len(lines[0]) - 1))]
        left = "cells differ" if self.method == "boolean" else "left of the sum of squares"
        said.append(f"{record.error:.6g} of {record.total:.6g} {left}.")
        if len(record.open_cells):
            some = ", ".join(f"row {i}, {name!r}" for i, name in self.undetermined_[:5])
            dots = ", ..." if len(self.undetermined_) > 5 else ""
            said.append(f"Not determined by the known cells, and left missing: {some}{dots}.")
        return "\n".join(said)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.method in ("ppca", "completion")
        tags.input_tags.positive_only = self.method == "nmf"
        return tags


def _open(record: Factors, known: Any) -> Any:
    """The missing cells that the known ones of their row do not determine, (n, d)."""
    loose = np.zeros(known.shape, bool)
    patterns, place = np.unique(known, axis=0, return_inverse=True)
    rows: Ints = place.reshape(-1)
    for i, pattern in enumerate(patterns):
        loose[rows == i] = open_columns(record.axes, pattern)
    loose[:, record.loose] |= ~known[:, record.loose]
    return loose
