"""Decorrelate and normalise: columns that vary as a ball."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin

from likely.dist.distribution import dense
from likely.dist.families.multivariate_normal import spread_of
from likely.dist.numeric.column_variance import FLOOR
from likely.engine import map_rows, reduce_rows
from likely.errors import LikelyError
from likely.stats import Groups, Within
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]


class Whiten(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
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

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the covariance of a table of numbers, without missing cells."""
        frame = _frame(X)
        self._refuse_empty(frame)
        schema = Schema.learn(frame, None, False)
        for column in schema.columns:
            if column.kind not in (Kind.QUANTITATIVE, Kind.COUNT, Kind.BOOLEAN) or column.levels is not None:
                raise LikelyError(f"column {column.name!r} is {column.kind}: only numbers can be whitened.")
        self._take(schema, self._seen(schema, frame, self._groups(y, frame.n, sample_weight)))
        return self

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows; with by="within" they must be of classes in the same order as before."""
        if not hasattr(self, "seen_"):
            return self.fit(X, y, sample_weight)
        frame = self.schema_.align(_frame(X), type(self).__name__)
        self._refuse_empty(frame)
        groups = self._groups(y, frame.n, sample_weight, self.classes_)
        seen = self.seen_.regroup(np.arange(len(self.seen_.n)), groups.n_groups)
        self._take(self.schema_, seen + self._seen(self.schema_, frame, groups))
        return self

    def transform(self, X: Any) -> Floats:
        """Rows of uncorrelated columns of variance 1, (n, d)."""
        return self._mapped(X, lambda rows: (rows - self.mean_) @ self.matrix_.T)

    def inverse_transform(self, X: Any) -> Floats:
        """Back from white columns to the original ones, (n, d)."""
        root = self._known().root_
        return self._mapped(X, lambda rows: rows @ root.T + self.mean_, names=False)

    def _known(self) -> Self:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return self

    def _mapped(self, X: Any, change: Any, names: bool = True) -> Floats:
        schema, frame = self._known().schema_, _frame(X)
        if names or not frame.named:
            frame = schema.align(frame, type(self).__name__)
        self._refuse_empty(frame)
        block = schema.numbers(frame, tuple(range(len(schema.columns))))
        out = np.empty((frame.n, len(schema.columns)))

        def step(start: int, stop: int) -> None:
            out[start:stop] = change(_complete(block, schema, start, stop))

        map_rows(frame.n, out.shape[1], step, n_jobs=self.n_jobs)
        return out

    def _refuse_empty(self, frame: Frame) -> None:
        for n, what in zip((frame.n, len(frame.names)), ("sample", "feature"), strict=True):
            if n == 0:
                raise LikelyError(
                    f"Found array with 0 {what}(s) (shape=({frame.n}, {len(frame.names)})) while a minimum "
                    "of 1 is required: there is nothing to whiten."
                )

    def _groups(self, y: Any, n: int, sample_weight: Any, classes: Any = None) -> Groups:
        """Which rows are of one class: all, unless the covariance within classes is asked for."""
        from sklearn.utils.validation import _check_sample_weight, column_or_1d

        weight = None
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, np.empty((n, 1)), dtype=np.float64)
        if self.by == "total":
            self.classes_ = None
            return Groups.one(n, weight)
        if self.by != "within":
            raise LikelyError(f"by={self.by!r}: use 'total', or 'within' with the classes as y.")
        if y is None:
            raise LikelyError("Whiten(by='within') requires y to be passed, but the target y is None.")
        labels = column_or_1d(np.asarray(y), warn=True)
        if len(labels) != n:
            raise LikelyError(
                f"Found input variables with inconsistent numbers of samples: {[n, len(labels)]}"
            )
        found = np.unique(labels)
        known = [] if classes is None else list(classes)
        self.classes_ = np.asarray([*known, *(label for label in found if label not in known)])
        place = {label: code for code, label in enumerate(self.classes_)}
        return Groups.hard([place[label] for label in labels], len(place), weight)

    def _seen(self, schema: Schema, frame: Frame, groups: Groups) -> Within:
        block = schema.numbers(frame, tuple(range(len(schema.columns))))

        def step(start: int, stop: int) -> Within:
            return Within.collect(_complete(block, schema, start, stop), groups.rows(start, stop))

        found = reduce_rows(frame.n, len(schema.columns), step, n_jobs=self.n_jobs)
        assert found is not None
        return found

    def _take(self, schema: Schema, seen: Within) -> None:
        self.schema_, self.seen_ = schema, seen
        self.mean_, self.covariance_ = seen.pooled().mean[0], seen.covariance[0]
        column = spread_of(seen)
        varying = ~column.constant[0] & (np.diagonal(self.covariance_) > column.floor[0])
        self.root_ = _root(self.covariance_, varying)
        self.matrix_ = _inverse(self.root_)
        self.n_features_in_ = len(schema.columns)
        if schema.named:
            self.feature_names_in_ = np.asarray(schema.names, object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
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


def _frame(X: Any) -> Frame:
    """A table; of an array of objects only numbers are of use."""
    return Frame.of(X.astype(np.float64) if isinstance(X, np.ndarray) and X.dtype == object else X)


def _complete(block: Any, schema: Schema, start: int, stop: int) -> Floats:
    """The rows of a block; refused if a cell is missing or beyond use."""
    rows = dense(block.rows(start, stop))
    if not np.isfinite(rows.sum()):
        block.refuse_extremes(start, stop)
        row, j = (int(place) for place in np.argwhere(np.isnan(rows))[0])
        raise LikelyError(
            f"Input X contains NaN: column {schema.columns[j].name!r} is missing in row {start + row}. Leave "
            "such rows out, or fill them in first."
        )
    return rows
