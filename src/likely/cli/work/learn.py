"""From a table and what was said about its columns to a fitted model and its cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from likely.cli.work.declared import (
    MANY,
    families_of,
    kinds_of,
    named_in,
    warn_of_identifiers,
    without_identifiers,
)
from likely.cli.work.model_table import BESIDE, Compared, default_model, quick_ones, side_by_side
from likely.cli.work.models import new_model, predicts_numbers
from likely.cli.work.pairs import known_column
from likely.compare import CrossValidation, OutcomeValidation, cross_validate, cross_validate_outcomes
from likely.errors import LikelyError, notice
from likely.estimator.fitted import class_codes, outcomes, target_column
from likely.format.words import many
from likely.table.column.as_raw import as_raw
from likely.table.frame import Frame
from likely.table.names import nearest

Columns = dict[str, Any]


@dataclass(frozen=True)
class Training:
    """A fitted model, and what it was fitted on."""

    fitted: Any
    frame: Frame  # the columns it learnt from
    target: str
    y: Any  # what the target is in each row
    weights: NDArray[np.float64] | None
    classes: dict[Any, int] | None  # rows of each class; None if the target is a number
    validation: CrossValidation | OutcomeValidation | None
    compared: tuple[Compared, ...] = ()  # models side by side, if nobody said which to take
    left_out: tuple[str, ...] = ()  # columns of the table that nothing was learnt from

    @property
    def title(self) -> str:
        """What was learnt from what."""
        return f"{self.target}, from {many(len(self.frame.names), 'column')} of {many(self.frame.n, 'row')}"


def train(
    table: Columns,
    file: str,
    folds: int,
    seed: int,
    tell: Callable[[float, float | None], None],
    *,
    target: str | None,
    model: str | None,
    kinds: Sequence[str],
    families: Sequence[str],
    prior: str,
    missing: str | None,
    weight: str | None,
    drop: Sequence[str],
    keep: Sequence[str],
    beside: bool = True,
) -> Training:
    """Check what was said, leave out what cannot be used, cross-validate and fit; set models `beside` it."""
    target, columns = _target(target, table, file), tuple(table)
    table, weights = used_rows(table, target, weight, drop)
    table = without_identifiers(table, target, [*keep, *named_in([*kinds, *families], list(table))])
    y, X = table[target], {name: column for name, column in table.items() if name != target}
    named = model
    model = model or default_model(families, prior, missing, len(X), _is_quantity(target, y))
    if predicts_numbers(model):
        outcomes(as_raw(target, y))  # refused under the column's name
    counts = None if predicts_numbers(model) else _counts(target, y)
    if counts is not None and len(counts) == 1 and named is None:
        raise LikelyError(
            f"target {target!r} is {next(iter(counts))!r} in every row, so there is nothing to tell apart: "
            "give rows of another class too, or choose another target."
        )
    if counts is not None and len(counts) == 1:
        notice(
            f"target {target!r} is {next(iter(counts))!r} in every row: the model can say nothing else, and "
            "its scores tell nothing."
        )
    features = Frame.of(X)
    new = new_model(
        model,
        kinds=kinds_of(kinds, features),
        families=families_of(families, features.names),
        prior=prior,
        missing=missing,
    )
    new.fit(table, target, sample_weight=weights)  # first: a value that is refused is named by its own row
    validation = _validated(new, X, y, counts, folds, seed, weights, tell) if folds else None
    compared: tuple[Compared, ...] = ()
    if beside and named is None and model in BESIDE and validation is not None:
        others = quick_ones(model, new.record_.schema, 2 if counts is None else len(counts))
        compared = side_by_side(model, others, validation, new.kinds, X, y, weights, seed, tell)
    warn_of_identifiers(features, new.record_.schema.columns)
    left_out = tuple(name for name in columns if name not in table and name != weight)
    return Training(new, features, target, y, weights, counts, validation, compared, left_out)


def train_rows(
    table: Columns,
    *,
    target: None,
    model: str,
    kinds: Sequence[str],
    families: Sequence[str],
    prior: str,
    missing: str | None,
    weight: str | None,
    drop: Sequence[str],
    keep: Sequence[str],
) -> Any:
    """A model of whole rows, fitted; of columns that name or number the rows nothing is learnt."""
    for name in drop:
        known_column(name, list(table), "--drop")
    weights = None if weight is None else _weights(known_column(weight, list(table), "--weight"), table)
    used = {name: column for name, column in table.items() if name not in (*drop, weight)}
    used = without_identifiers(used, "", [*keep, *named_in([*kinds, *families], list(used))])
    frame = Frame.of(used)
    new = new_model(
        model,
        kinds=kinds_of(kinds, frame),
        families=families_of(families, frame.names),
        prior=prior,
        missing=missing,
    )
    new.fit(used, sample_weight=weights)
    warn_of_identifiers(frame, new.record_.schema.columns)
    return new


def _is_quantity(target: str, y: NDArray[Any]) -> bool:
    """Whether a target is a number to be predicted, not the name of a class."""
    raw = as_raw(target, y)
    if not raw.type.numeric:
        return False
    numbers = raw.numbers()
    return bool((np.floor(numbers) != numbers).any()) or len(np.unique(numbers)) > MANY


def _target(target: str | None, table: Columns, file: str) -> str:
    if target is None:
        raise click.UsageError(
            f"--target is missing: name the column to predict. {file} has {', '.join(map(repr, table))}."
        )
    if target not in table:
        raise LikelyError(f"{file} has no column {target!r} to be the target: {nearest(target, table)}")
    return target


def used_rows(table: Columns, target: str, weight: str | None, drop: Sequence[str]) -> tuple[Columns, Any]:
    """The rows whose target is known, without dropped columns; and their weights."""
    for name in drop:
        known_column(name, list(table), "--drop")
    weights = None if weight is None else _weights(known_column(weight, list(table), "--weight"), table)
    out = {name: column for name, column in table.items() if name not in (*drop, weight)}
    if target not in out:
        raise LikelyError(f"the target {target!r} cannot be left out, nor be the weight.")
    if len(out) == 1:
        remedy = "drop fewer." if len(table) > 1 else "the table has no other; add columns that may tell it."
        raise LikelyError(f"no column is left to predict {target!r} from: {remedy}")
    if not len(out[target]):
        raise LikelyError("the table has no rows: there is nothing to learn from.")
    known = as_raw(target, out[target]).distinct()[0] >= 0
    if not known.any():
        raise LikelyError(f"the target {target!r} is missing in every row: there is nothing to learn.")
    if not known.all():
        without = int((~known).sum())
        notice(f"{many(without, 'row')} without a value of the target {target!r} left out.")
        out = {name: column[known] for name, column in out.items()}
        weights = None if weights is None else weights[known]
    y = out[target]
    if y.dtype.kind == "f" and (y == np.floor(y)).all() and np.abs(y).max() < 2**53:
        out[target] = y.astype(np.int64)  # whole numbers were floats because of the gaps
    elif y.dtype == object and isinstance(y[0], bool):
        out[target] = y.astype(bool)
    return out, weights


def _weights(name: str, table: Columns) -> NDArray[np.float64]:
    column = table[name]
    if column.dtype.kind not in "if" or not (column >= 0).all() or not np.isfinite(column).all():
        raise LikelyError(f"--weight {name!r}: weights are numbers of 0 or more, one in every row.")
    return np.asarray(column, np.float64)


def _counts(target: str, y: NDArray[Any]) -> dict[Any, int]:
    """How many rows each class has."""
    raw = as_raw(target, y)
    column = target_column(raw)
    counts = np.bincount(class_codes(column, raw), minlength=len(column.known)).tolist()
    if len(counts) > MANY and len(counts) > len(y) / 2:
        raise LikelyError(
            f"target {target!r} has {len(counts)} different values in {len(y)} rows: choose a column whose "
            "values come back, or group them first."
        )
    return dict(zip(column.known, counts, strict=True))


def _validated(
    model: Any,
    X: Columns,
    y: NDArray[Any],
    counts: dict[Any, int] | None,
    folds: int,
    seed: int,
    weights: NDArray[np.float64] | None,
    tell: Callable[[float, float | None], None],
) -> CrossValidation | OutcomeValidation | None:
    if counts is None:
        if len(y) < 3:
            notice("no cross-validation: there are fewer than three rows.")
            return None
        return cross_validate_outcomes(
            model, X, y, folds=min(folds, len(y)), seed=seed, weight=weights, tell=tell
        )
    testable = sum(count for count in counts.values() if count > 1)
    if testable < 2:
        notice("no cross-validation: no class has two rows.")
        return None
    return cross_validate(model, X, y, folds=min(folds, testable), seed=seed, weight=weights, tell=tell)
