"""What `Decompose` learns: the two factors of a table, each method by the library that does it best."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from likely.dist.distribution import dense
from likely.engine.memory import each_row
from likely.errors import LikelyError
from likely.estimator.check_column import check_schema, demand
from likely.estimator.record import Story
from likely.infer.bit_factors import MOST, BitFactors, boolean_blocks, nearest, sums, unions, weighted_blocks
from likely.infer.low_rank import NormalFactors, complete, fit_rows, normal_factors, open_cells, row_factors
from likely.stats.groups import Floats, Ints
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

LINEAR = ("pca", "svd", "lsa")
METHODS = (*LINEAR, "nmf", "ppca", "completion", "binary", "boolean")
FAR = 1e-12  # of the largest singular value: smaller ones are rounding


@dataclass(frozen=True)
class Factors:
    """The components of a table, and what they were made of."""

    schema: Schema
    used: tuple[int, ...]  # the columns that are taken
    method: str
    n: float  # the weight of the rows
    mean: Floats  # (d,), what is subtracted: 0 where nothing is
    axes: Floats  # (k, d)
    sizes: Floats  # (k,)
    total: float  # sum of squares, after centring
    error: float  # what is left of it
    noise: float  # variance, of "ppca"
    root: Floats  # (m, d) of "pca" and "svd": has the singular values of the table, and adds
    open_cells: Ints  # (q, 2) of "completion": row and column of what is not determined
    loose: Ints  # columns whose components the known cells do not determine
    target_name: str = ""  # of the column that was left out

    @property
    def inputs(self) -> tuple[str, ...]:
        """What the columns of the components are called: columns, or words."""
        return tuple(name for j in self.used for name in _names(self.schema, j))

    @property
    def shares(self) -> Floats:
        """The share of each component in the sum of squares, (k,); NaN where components overlap."""
        if self.method in ("nmf", "binary", "boolean", "completion"):
            return np.full(len(self.sizes), np.nan)
        return self.sizes**2 / (self.total or 1.0)

    @property
    def n_parameters(self) -> int:
        """The entries of the components, and the means."""
        return int(self.axes.size + np.count_nonzero(self.mean) + (self.method == "ppca"))

    def scores(self, cells: Any) -> Floats:
        """The first factor, of the rows of a table, (n, k)."""
        if self.method == "nmf":
            return _nonnegative(cells, self.axes)
        if self.method == "ppca":
            normal = NormalFactors(self.mean, self.axes.T * self.spread, self.noise)
            return np.asarray(row_factors(cells, normal)[0] * self.spread)
        if self.method == "completion":
            return fit_rows(cells, self.axes)
        if self.method == "binary":
            return nearest(cells, sums(self.axes > 0, self.sizes)).astype(np.float64)
        if self.method == "boolean":
            return nearest((cells > 0).astype(np.float64), unions(self.axes > 0)).astype(np.float64)
        return np.asarray(cells @ self.axes.T - self.mean @ self.axes.T, np.float64)

    def product(self, scores: Floats) -> Floats:
        """Scores times components, (n, d)."""
        if self.method == "boolean":
            return np.asarray(scores @ self.axes > 0, np.float64)
        sized = scores * self.sizes if self.method == "binary" else scores
        return np.asarray(self.mean + sized @ self.axes)

    @property
    def spread(self) -> Floats:
        """Of "ppca": the standard deviation of each score, without the noise, (k,)."""
        return np.sqrt(np.maximum(self.sizes**2 / self.n - self.noise, 0.0))

    def plus(self, other: Factors, components: int | None) -> Factors:
        """The components of the rows of both."""
        if self.method not in ("pca", "svd"):
            raise LikelyError(f"{self.method!r} cannot learn in pieces: give all rows at once to fit.")
        if self.schema != other.schema or self.used != other.used:
            raise LikelyError("only decompositions of the same columns can be added.")
        n, apart = self.n + other.n, self.mean - other.mean
        between = np.sqrt(self.n * other.n / n) * apart
        mean = (self.n * self.mean + other.n * other.mean) / n
        root: Floats = np.vstack([self.root, other.root, between])
        return _linear(replace(self, n=n, mean=mean), root, components)

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row: a transformer draws none."""
        dots = ", ..." if len(self.inputs) > 6 else ""
        steps = (
            f"Take the columns {', '.join(map(repr, self.inputs[:6]))}{dots}.",
            f"Put in their place {len(self.sizes)} scores ({self.method}).",
        )
        return Story(model, steps, "row = mean_ + scores components_, nearly.", "", "a row of scores")

    def trained_on(self) -> dict[str, Any]:
        """What it was trained on, in plain words."""
        return {"weight_of_rows": self.n, "columns": list(self.inputs[:1000]), "method": self.method}

    def check(self) -> None:
        """Refuse a record of which no transformer could have been fitted."""
        check_schema(self.schema)
        demand(self.method in METHODS, "it has no method that is known")
        demand(all(0 <= j < len(self.schema.columns) for j in self.used), "it has columns that are not there")
        d, k = len(self.inputs), len(self.sizes)
        demand(self.axes.shape == (k, d) and self.mean.shape == (d,), "its components are of other columns")
        numbers = (self.axes, self.mean, self.sizes, self.root, np.array([self.n, self.total, self.noise]))
        demand(all(bool(np.isfinite(one).all()) for one in numbers), "its components are no numbers")
        demand(self.n > 0 and self.noise >= 0, "it has seen no rows")
        demand(self.method not in ("binary", "boolean") or k <= MOST, "it has too many components")
        demand(self.open_cells.ndim == 2 and self.open_cells.shape[1] == 2, "its open cells are no cells")
        places = [self.loose, self.open_cells[:, 1]]
        demand(all(bool(((p >= 0) & (p < d)).all()) for p in places), "its open cells are not there")


def cells_of_table(schema: Schema, used: Sequence[int], frame: Frame, method: str) -> Any:
    """The columns as a matrix, (n, d), CSR of "lsa"; missing cells are refused where none may be."""
    if method == "lsa":
        return _counts(schema, used, frame)
    block = schema.numbers(frame, tuple(used))
    block.refuse_extremes(0, frame.n)
    cells = np.array(dense(block.rows(0, frame.n)), np.float64)
    if method not in ("ppca", "completion"):
        _refuse_missing(cells, schema, used, method)
    if method == "nmf" and (cells < 0).any():
        row, j = (int(place) for place in np.argwhere(cells < 0)[0])
        raise LikelyError(
            f"Negative values in data: column {schema.columns[used[j]].name!r} is {cells[row, j]:g} in row "
            f"{row}, and 'nmf' takes numbers from 0: use 'svd'."
        )
    return cells


def factorise(
    schema: Schema,
    used: tuple[int, ...],
    method: str,
    cells: Any,
    weight: Floats,
    components: int | None,
    starts: int,
    rng: np.random.Generator,
) -> Factors:
    """The factors of a matrix of rows with weights."""
    n, d = cells.shape
    none = np.zeros((0, d))
    begun = Factors(
        schema, used, method, float(weight.sum()), np.zeros(d), none, np.zeros(0), 0.0, 0.0, 0.0, none,
        np.zeros((0, 2), np.intp), np.zeros(0, np.intp),
    )  # fmt: skip
    rows = np.sqrt(weight)[:, None]
    k = min(n, d, components or n)
    if method in ("pca", "svd"):
        mean = weight @ cells / weight.sum() if method == "pca" else np.zeros(d)
        return _linear(replace(begun, mean=mean), (cells - mean) * rows, components)
    if method == "lsa":
        return _sparse(begun, cells, rows, k)
    if method == "nmf":
        return _nmf(begun, cells, rows, k, starts, rng)
    if method == "ppca":
        return _normal(begun, cells, weight, k)
    if method == "completion":
        return _completed(begun, cells, weight, k, starts, rng)
    return _bits(begun, cells, weight, components, starts, rng)


def _linear(begun: Factors, matrix: Floats, components: int | None) -> Factors:
    """By the singular values of a matrix, of which a triangular root is kept: it has the same, and adds."""
    from scipy.linalg import qr, svd

    root: Floats = np.asarray(qr(matrix, mode="r")[0][: matrix.shape[1]], np.float64)
    _, sizes, axes = svd(root, full_matrices=False, lapack_driver="gesvd")
    sizes = np.where(sizes > FAR * max(sizes.max(initial=0.0), 1e-300), sizes, 0.0)
    k = min(len(sizes), components or len(sizes))
    total = float((sizes**2).sum())
    error = float((sizes[k:] ** 2).sum())
    return replace(begun, axes=signed(axes[:k]), sizes=sizes[:k], total=total, error=error, root=root)


def _sparse(begun: Factors, cells: Any, rows: Floats, k: int) -> Factors:
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import svds

    matrix = csr_array(cells.multiply(rows))
    total = float((matrix.data**2).sum())
    if k >= min(matrix.shape) or total == 0:
        made = _linear(begun, matrix.toarray(), k)
        return replace(made, root=np.zeros((0, matrix.shape[1])))
    begin = np.random.default_rng(0).uniform(0.5, 1.5, min(matrix.shape))
    _, sizes, axes = svds(matrix, k, v0=begin)
    error = max(total - float((sizes**2).sum()), 0.0)
    return replace(
        begun, axes=signed(axes[::-1]), sizes=np.array(sizes[::-1], np.float64), total=total, error=error
    )


def _nmf(
    begun: Factors, cells: Floats, rows: Floats, k: int, starts: int, rng: np.random.Generator
) -> Factors:
    from sklearn.decomposition import NMF

    matrix = cells * rows
    total = float((matrix**2).sum())
    axes, error = np.zeros((k, cells.shape[1])), total
    for start in range(min(starts, 3) if total else 0):
        seed = int(rng.integers(2**31))
        how = NMF(k, init="random" if start else "nndsvda", tol=1e-7, max_iter=2000, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it is not at its end yet: the best of some starts is taken
            how.fit(matrix)
        trial = np.asarray(how.components_, np.float64)
        length = np.linalg.norm(trial, axis=1, keepdims=True)
        trial = np.where(length > 0, trial / np.where(length > 0, length, 1), 0.0)
        left = float(((matrix - _nonnegative(matrix, trial) @ trial) ** 2).sum())
        if left < error:
            axes, error = trial, left
    sizes = np.linalg.norm(_nonnegative(matrix, axes), axis=0)
    order = np.argsort(-sizes, kind="stable")
    return replace(begun, axes=axes[order], sizes=sizes[order], total=total, error=error)


def _nonnegative(cells: Floats, axes: Floats) -> Floats:
    """The coefficients from 0 of each row on the components, the nearest by squares, (n, k)."""
    from scipy.optimize import nnls

    scale = float(np.abs(cells).max(initial=0.0)) or 1.0
    return each_row(partial(nnls, axes.T), cells / scale, len(axes)) * scale


def _normal(begun: Factors, cells: Floats, weight: Floats, k: int) -> Factors:
    known = ~np.isnan(cells)
    _refuse_empty_columns(begun, known, weight)
    scale = float(np.sqrt(np.nanmax(cells**2, initial=0.0))) or 1.0
    run = normal_factors(cells / scale, weight, min(k, max(cells.shape[1] - 1, 1)))
    variances, axes = run.parameters.axes()
    noise = run.parameters.noise * scale**2
    mean = run.parameters.mean * scale
    sizes = np.sqrt(begun.n * (variances * scale**2 + noise))
    total = float((sizes**2).sum() + begun.n * noise * (cells.shape[1] - len(sizes)))
    made = replace(begun, mean=mean, axes=signed(axes), sizes=sizes, noise=noise, total=total)
    rest = np.where(known, cells - made.product(made.scores(cells)), 0.0)
    return replace(made, error=float(weight @ (rest**2).sum(axis=1)))


def _completed(
    begun: Factors, cells: Floats, weight: Floats, k: int, starts: int, rng: np.random.Generator
) -> Factors:
    known = ~np.isnan(cells)
    _refuse_empty_columns(begun, known, weight)
    made = complete(cells, weight / weight.max(), k, min(starts, 5), rng)
    (_, a), (b, c) = np.linalg.qr(made.left * np.sqrt(weight)[:, None]), np.linalg.qr(made.right.T)
    _, sizes, axes = np.linalg.svd(a @ c.T)
    axes = axes @ b.T
    by_row = open_cells(made.left, made.right, known, fixed=True)
    loose = np.flatnonzero((made.undetermined & ~by_row).any(axis=0))
    total = float(weight @ np.where(known, cells**2, 0.0).sum(axis=1))
    error = made.error * float(weight.max())
    return replace(
        begun, axes=signed(axes[:k]), sizes=sizes[:k], total=total, error=error,
        open_cells=np.argwhere(made.undetermined), loose=loose,
    )  # fmt: skip


def _bits(
    begun: Factors,
    cells: Floats,
    weight: Floats,
    components: int | None,
    starts: int,
    rng: np.random.Generator,
) -> Factors:
    most = min(MOST, *cells.shape)
    if components is not None and components > MOST:
        raise LikelyError(f"components={components}: {begun.method!r} tries all choices, of {MOST} at most.")
    boolean = begun.method == "boolean"
    total = float(weight @ ((cells > 0) if boolean else cells**2).sum(axis=1))
    for k in range(1, most + 1) if components is None else (min(components, most),):
        made: BitFactors = (
            boolean_blocks(cells > 0, weight, k, starts, rng)
            if boolean
            else weighted_blocks(cells, weight, k, starts, rng)
        )
        if made.error <= 1e-12 * (1 + total):
            break
    covered = made.weights**2 * (made.left * weight[:, None]).sum(axis=0) * made.right.sum(axis=1)
    order = np.argsort(-covered, kind="stable")
    axes, sizes = made.right[order].astype(np.float64), made.weights[order]
    return replace(begun, axes=axes, sizes=sizes, total=total, error=made.error)


def signed(axes: Floats) -> Floats:
    """Components with the sign that makes their largest entry positive."""
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], 1)
    return np.where(largest < 0, -axes, axes) + 0.0


def _counts(schema: Schema, used: Sequence[int], frame: Frame) -> Any:
    """Words and numbers as one sparse matrix; a text that is missing has no words."""
    from scipy.sparse import csr_array, hstack

    parts = []
    for j in used:
        column = schema.columns[j]
        if column.kind is Kind.TEXT:
            parts.append(column.bags(frame.raw(column.name)).rows(0, frame.n).counts)
        else:
            block = schema.numbers(frame, (j,))
            block.refuse_extremes(0, frame.n)
            cells = np.array(dense(block.rows(0, frame.n)), np.float64)
            _refuse_missing(cells, schema, (j,), "lsa")
            parts.append(csr_array(cells))
    return csr_array(hstack(parts))


def without_text(schema: Schema, used: Sequence[int], frame: Frame) -> Any:
    """Which rows have texts to look at, and none of them is there, (n,)."""
    texts = [schema.columns[j] for j in used if schema.columns[j].kind is Kind.TEXT]
    known = [column.bags(frame.raw(column.name)).rows(0, frame.n).known for column in texts]
    return ~np.logical_or.reduce(known) if len(texts) == len(used) else np.zeros(frame.n, bool)


def _names(schema: Schema, j: int) -> tuple[str, ...]:
    column = schema.columns[j]
    return column.known if column.kind is Kind.TEXT else (column.name,)


def _refuse_missing(cells: Floats, schema: Schema, used: Sequence[int], method: str) -> None:
    if np.isnan(cells).any():
        row, j = (int(place) for place in np.argwhere(np.isnan(cells))[0])
        raise LikelyError(
            f"Input X contains NaN: column {schema.columns[used[j]].name!r} is missing in row {row}, and "
            f"{method!r} needs all cells: use 'ppca' or 'completion', or fill them in first."
        )


def _refuse_empty_columns(begun: Factors, known: Any, weight: Floats) -> None:
    seen = weight @ known
    if (seen == 0).any():
        name = begun.inputs[int(np.argmax(seen == 0))]
        raise LikelyError(f"column {name!r} has no known cell: leave it out of `columns`.")
