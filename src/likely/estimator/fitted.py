"""What every estimator shares: what it is fitted to (target, weights of rows), and what it is once fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.engine import Engine, engine_for
from likely.errors import LikelyError
from likely.estimator.record import ModelRecord, Story
from likely.estimator.saving import save
from likely.table.accepted import RandomState, TableLike, Weights
from likely.table.column.as_raw import as_raw
from likely.table.column.column import Column
from likely.table.column.kinds import Type
from likely.table.column.raw import Raw
from likely.table.frame import Frame, free_name, is_large, take, without
from likely.table.records import are_records

LIMIT = 1e150  # of outcomes: beyond this a square leaves the range of the numbers


def split_target(X: object, y: object, who: str) -> tuple[Frame, Raw]:
    """The table of features, and the target: values, or the name of a column of the table."""
    frame = Frame.of(X)
    if y is None:
        raise LikelyError(f"{who} requires y to be passed, but the target y is None.")
    if not isinstance(y, str | int):
        return frame, _column(y, frame)
    y = str(y)  # pandas may name its columns by numbers
    refuse_no_column(y, frame.names, frame.named)
    return frame.without(y), frame.raw(y)


def refuse_no_column(y: str, names: Sequence[str], named: bool = True) -> None:
    """Refuse a target that is none of the columns of a table."""
    if y not in names or not named:
        near = get_close_matches(y, names, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the columns are {list(names)[:10]!r}."
        raise LikelyError(f"the table has no column {y!r} to be the target: {hint}")


def target_values(X: object, y: object, who: str) -> Any:
    """The target as values: those of a column of the table where y is its name."""
    if not isinstance(y, str | int):
        return y
    split_target(X, y, who)  # refuses a name that the table does not have
    return Frame.of(X).values(str(y))


def features_of(X: object, target: str) -> Any:
    """A table as it came, but for its target if it holds that: for a model of any library.

    >>> features_of({"a": [1], "kind": ["x"]}, "kind"), features_of([[1.0, 2.0]], "kind")
    ({'a': [1]}, [[1.0, 2.0]])
    """
    named = isinstance(X, Mapping) or hasattr(X, "columns") or are_records(X)
    return without(X, target) if named and target in Frame.of(X).position else X


def target_column(raw: Raw) -> Column:
    """The classes: the distinct values that occur, sorted."""
    if raw.type is Type.FLOAT:
        values = raw.numbers()
        if np.isinf(values).any():
            raise LikelyError("Input y contains infinity: the target must name a class in every row.")
        if (np.floor(values) != values)[~np.isnan(values)].any():
            raise LikelyError(
                f"Unknown label type: continuous. The target {raw.name!r} holds fractions; a classifier "
                "predicts classes: turn it into levels first."
            )
    column = Column.learn(replace(raw, levels=None), "categorical")
    if raw.type is Type.CATEGORY:
        codes, distinct = raw.distinct()
        seen = set(np.unique(codes[codes >= 0]).tolist())
        column = replace(column, levels=tuple(sorted(v for i, v in enumerate(distinct) if i in seen)))
    return column


def learnt_target(raw: Raw, classes: object = None) -> Column:
    """The classes of a target: those that occur, or those that are listed."""
    if classes is None:
        return target_column(raw)
    return replace(target_column(as_raw(raw.name, np.asarray(classes))), listed=True)


def told_codes(column: Column, raw: Raw) -> NDArray[np.intp]:
    """The class of every row as its place among the classes, -1 where it is not told."""
    return column.codes(raw)


def class_codes(column: Column, raw: Raw) -> NDArray[np.intp]:
    """The class of every row as its place among the classes."""
    codes = told_codes(column, raw)
    if len(codes) and codes.min() < 0:
        row = int(np.argmin(codes))
        value = raw.item(row)
        if value is not None:
            raise LikelyError(
                f"target {raw.name!r}: row {row} holds {value!r}, which is none of the classes "
                f"{list(column.levels or ())[:10]!r}: name it in `classes`."
            )
        raise LikelyError(
            f"Input y contains NaN: the target {raw.name!r} is missing in row {row}. Leave such rows out, "
            "for example with X[y.notna()], or give the missing a class of its own."
        )
    return codes


def outcomes(raw: Raw) -> NDArray[np.float64]:
    """The outcome as numbers; none may be missing."""
    if not raw.type.numeric:
        raise LikelyError(
            f"the outcome {raw.name!r} holds {raw.type.value} (such as {raw.example()!r}): "
            "linear regression needs numbers. For classes, use LogisticRegression."
        )
    values = np.asarray(raw.numbers(), np.float64)
    for wrong, said in ((np.isnan(values), "NaN"), (np.abs(values) > LIMIT, "infinity or a value too large")):
        if wrong.any():
            row = int(np.argmax(wrong))
            raise LikelyError(
                f"Input y contains {said}: the outcome {raw.name!r} is {values[row]} in row {row}. Leave "
                "such rows out, or correct the value."
            )
    return values


def class_array(column: Column) -> NDArray[Any]:
    """The classes as scikit-learn shows them."""
    levels = list(column.levels or ())
    if levels and not any(isinstance(level, str) for level in levels):
        return read_only(np.asarray(levels))
    labels = np.empty(len(levels), object)
    labels[:] = levels
    return read_only(labels)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """What a fitted model shows of its record: a view, so that nobody changes the model by writing to it.

    >>> coefficients = read_only(np.array([1.0, 2.0]))
    >>> coefficients[0] = 9.0
    Traceback (most recent call last):
    ValueError: assignment destination is read-only
    """
    view = array.view()
    view.flags.writeable = False
    return view


class OfTarget:
    """A record whose target is a column: its name, and its levels."""

    target: Column

    @property
    def target_name(self) -> str:
        """What is predicted, or the name of the hidden groups."""
        return self.target.name

    @property
    def classes(self) -> tuple[Any, ...]:
        """The levels of the target, in order; none if it is a number."""
        return self.target.levels or ()


def _column(y: Any, frame: Frame) -> Raw:
    from sklearn.utils.validation import column_or_1d

    name = getattr(y, "name", None)
    # A sample has the features and the target side by side.
    name = free_name(name if isinstance(name, str) else "y", frame.position)
    flat = isinstance(y, list | tuple) and not any(isinstance(v, list | tuple | np.ndarray) for v in y)
    if not flat and not (hasattr(y, "to_numpy") and getattr(y, "ndim", 1) == 1):
        y = np.asarray(y)
        y = y if y.ndim == 1 else column_or_1d(y, warn=True)
    raw = as_raw(name, y)
    if raw.type is Type.MIXED:
        raise LikelyError(f"target {name!r} {raw.complaint}: give classes of one type, such as text.")
    if len(raw.values) != frame.n:
        raise LikelyError(
            f"Found input variables with inconsistent numbers of samples: X has {frame.n} rows and y has "
            f"{len(raw.values)} values."
        )
    return raw


def refuse_empty(frame: Frame) -> None:
    """Refuse a table that has no rows, or no columns."""
    refuse_no_rows(frame.n, len(frame.names))


def refuse_no_rows(n: int, d: int) -> None:
    """Refuse a table of no rows, or of no columns."""
    for size, what in ((n, "sample"), (d, "feature")):
        if size == 0:
            raise LikelyError(
                f"Found array with 0 {what}(s) (shape={(n, d)}) while a minimum of 1 is required: "
                "there is nothing to learn from."
            )


def refuse_not_in_memory(y: object, sample_weight: object, who: str) -> None:
    """Refuse weights of rows, and a target given as values, for a table that is not in memory."""
    if sample_weight is not None:
        raise LikelyError(
            "sample_weight is not for a table that is not in memory: repeat its rows, or collect it first."
        )
    if not isinstance(y, str):
        raise LikelyError(
            f"{who}: a table that is not in memory has its target among its columns: give its name as y."
        )


def row_weights(sample_weight: Weights, n: int) -> Any:
    """The weights of n rows, checked; None for none."""
    if sample_weight is None:
        return None
    from sklearn.utils.validation import _check_sample_weight

    weight = _check_sample_weight(sample_weight, np.empty((n, 1)), dtype=np.float64, ensure_non_negative=True)
    if not weight.any():
        raise LikelyError("sample_weight is 0 in every row: there is nothing to learn from.")
    return weight


def counted_rows(X: Any, y: Any, sample_weight: Weights) -> tuple[Any, Any, Weights]:
    """The table, the target and the weights of the rows that count: those of weight 0 are as if not there.

    Else they would bring in levels and classes that no row has that counts.

    >>> X, y, weight = counted_rows({"a": [1, 2, 3]}, ["no", "yes", "no"], [1.0, 0.0, 2.0])
    >>> X.values("a"), y, weight
    ([1, 3], ['no', 'no'], array([1., 2.]))
    """
    if sample_weight is None or is_large(X):
        return X, y, sample_weight
    frame = Frame.of(X)
    weight = row_weights(sample_weight, frame.n)
    told = y is not None and not isinstance(y, str | int)
    if weight.all() or (told and (not hasattr(y, "__len__") or len(y) != frame.n)):
        return X, y, sample_weight
    rows = np.flatnonzero(weight)
    return frame.at(rows), take(y, rows) if told else y, weight[rows]


def generator(n: int, random_state: RandomState) -> np.random.Generator:
    """Where the chance for n rows comes from."""
    if not isinstance(n, int | np.integer) or n < 0:
        raise LikelyError(f"n={n!r}: give the number of rows to draw.")
    if isinstance(random_state, np.random.RandomState):  # what scikit-learn hands on
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)


class FittedModel:
    """An estimator whose answers depend on its parameters and on one record, `record_`, alone.

    The record has the schema of the table that it was learnt from: tables that come later must fit it.
    """

    record_: Any
    n_jobs: int | None
    learns_from_scans = False  # whether a table that is not in memory will do to fit it
    _hidden = False  # whether nobody sees what is predicted: groups, or states

    @property
    def _engine(self) -> Engine:
        """Where the work on the rows of tables runs."""
        return engine_for(self.n_jobs)

    def _known(self) -> Any:
        """The record; refused, in scikit-learn's words, if there is none yet."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return self.record_

    def _take(self, record: Any, estimate: bool = True) -> None:
        """Be the model of this record; `estimate` makes of it at once what is else made when it is asked."""
        self.record_ = record
        self.n_features_in_ = len(record.schema.columns)
        if record.schema.named:
            self.feature_names_in_ = read_only(np.asarray(record.schema.names, object))
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _with_record(self, record: Any) -> Self:
        """The model of another record, with the same parameters."""
        from sklearn.base import clone

        new: Self = clone(self)
        new._take(record)
        return new

    def _frame(self, X: TableLike) -> Frame:
        """A table to answer about, its columns as they were when the model was fitted."""
        record: ModelRecord = self._known()
        frame = Frame.of(X)
        target = record.target_name
        if frame.named and target in frame.position and target not in record.schema.names:
            frame = frame.without(target)  # who fits on a table often asks about the same one
        frame = record.schema.align(frame, type(self).__name__)
        if frame.n == 0:
            raise LikelyError(
                f"Found array with 0 sample(s) (shape=(0, {len(frame.names)})): nothing to answer."
            )
        return frame

    @property
    def n_parameters_(self) -> int:
        """How many free numbers the model has: of naive Bayes over D Booleans and two classes, 1 + 2 D."""
        return int(self._known().n_parameters)

    def story(self) -> Story:
        """How the model takes a row to come about, and where no other model does better."""
        told: Story = self._known().story(type(self).__name__, self._hidden)
        return told

    def _trained_on(self) -> dict[str, Any]:
        """What the model was trained on, in plain words, for people who look into its file."""
        described: dict[str, Any] = self._known().trained_on()
        return described

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file that `likely.load` reads: safe, whole or not at all, for people to read.

        Any name will do; `.likely` is the usual ending.
        """
        save(self, path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
