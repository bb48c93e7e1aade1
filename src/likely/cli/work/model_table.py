"""Models side by side: what `learn` shows when nobody said which model to take."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.cli.work.models import new_model
from likely.cli.work.output import Table
from likely.compare import CrossValidation, OutcomeValidation, cross_validate, cross_validate_outcomes
from likely.errors import LikelyError, notice
from likely.format.words import figures, json_ready, shown
from likely.score import calibration_error
from likely.score.estimate import Score
from likely.table.frame import Frame
from likely.table.schema import Schema

Validation = CrossValidation | OutcomeValidation

# The model that is taken if none was named, of classes and of numbers, and simpler ones to set beside it.
BESIDE = {"pool": ("naive-bayes", "logistic", "gaussian"), "regressor": ("linear",)}
MOST_COEFFICIENTS = 600  # of a logistic regression that is learnt to compare
MOST_ROWS = 20_000  # that others are compared on
WIDE = 1000  # columns: with more, the pool takes minutes, and rows are too few to tell its members apart
LISTED = 12  # columns whose evidence is shown


def default_model(
    families: Sequence[str], prior: str, missing: str | None, columns: int, number: bool = False
) -> str:
    """The model that is taken if none was named: what was said may need one with distributions.

    >>> default_model((), "default", None, 9), default_model(("age=normal",), "default", None, 9)
    ('pool', 'naive-bayes')
    """
    taken = list(BESIDE)[1 if number else 0]
    if families or prior != "default" or missing:
        return BESIDE[taken][0]
    if columns <= WIDE:
        return taken
    quick = "linear" if number else "logistic"
    notice(f"{columns} columns: {quick} regression is taken, which is quick; --model {taken} takes minutes.")
    return quick


@dataclass(frozen=True)
class Compared:
    """A model, and how good its predictions were on rows that it had not seen."""

    name: str
    scores: Mapping[str, Score]

    @classmethod
    def of(cls, name: str, validation: Validation, y: NDArray[Any]) -> Compared:
        """With the calibration error of classes, which cross-validation leaves to others."""
        if isinstance(validation, OutcomeValidation):
            return cls(name, validation.scores)
        tested = [validation.classes.index(label) for label in y[validation.rows].tolist()]
        error = calibration_error(
            tested, validation.probabilities, classes=np.arange(len(validation.classes))
        )
        return cls(name, {**validation.scores, "calibration error": error})


def quick_ones(taken: str, schema: Schema, classes: int) -> tuple[str, ...]:
    """The models to set beside the one that was taken: none that takes minutes where that takes seconds."""
    levels = sum(max(len(column.known), 1) for column in schema.columns)
    coefficients = levels * (classes - 1)
    if "logistic" not in BESIDE[taken] or coefficients <= MOST_COEFFICIENTS:
        return BESIDE[taken]
    notice(
        f"logistic regression has {coefficients} coefficients here, which may take minutes: it is not set "
        "beside the others; --model logistic learns it."
    )
    return tuple(name for name in BESIDE[taken] if name != "logistic")


def side_by_side(
    taken: str,
    others: Sequence[str],
    own: Validation,
    kinds: Any,
    X: Mapping[str, Any],
    y: NDArray[Any],
    weights: NDArray[np.float64] | None,
    seed: int,
    tell: Callable[[float, float | None], None],
) -> tuple[Compared, ...]:
    """The model that was taken, and simpler ones on the same folds."""
    compared = [Compared.of(taken, own, y)]
    if len(y) > MOST_ROWS:
        return tuple(compared)
    validate: Callable[..., Validation] = cross_validate
    if isinstance(own, OutcomeValidation):
        validate = cross_validate_outcomes
        compared.append(Compared("mean alone", own.mean_alone))
    for place, name in enumerate(others):
        tell(place, len(others))
        model = new_model(name, kinds=kinds, families=None, prior="default", missing=None)
        try:
            judged = validate(model, X, y, folds=own.folds, seed=seed, weight=weights)
        except LikelyError:  # a model may not be made for such a table
            continue
        compared.append(Compared.of(name, judged, y))
    return tuple(compared)


def models_table(compared: Sequence[Compared]) -> Table:
    """One line a model, each score with its standard error, the lowest log loss, or RMSE, first."""
    by = "log loss" if "log loss" in compared[0].scores else "RMSE"
    ranked = sorted(compared, key=lambda one: float(one.scores[by]))
    heads = tuple(ranked[0].scores)
    told = _with_error if by == "log loss" else _number_with_error
    rows = [[one.name, *(told(one.scores.get(head)) for head in heads)] for one in ranked]
    title = "Models side by side, each row predicted by a model that had not seen it"
    return Table(title, ("model", *heads), rows, "<" + ">" * len(heads))


def models_record(compared: Sequence[Compared]) -> dict[str, Any]:
    """The same for JSON."""
    return {
        one.name: {
            measure: {
                "estimate": json_ready(float(score)),
                "standard error": json_ready(score.standard_error),
            }
            for measure, score in one.scores.items()
        }
        for one in compared
    }


def better_one(compared: Sequence[Compared]) -> str | None:
    """A word on the model that was taken, which is the first, where another is better beyond the errors."""
    taken, *others = [one for one in compared if one.name != "mean alone"]
    by = "log loss" if "log loss" in taken.scores else "RMSE"
    best = min(others, key=lambda one: float(one.scores[by]), default=taken)
    mine, own = taken.scores[by], best.scores[by]
    if not float(mine) - float(own) > math.hypot(mine.standard_error, own.standard_error):
        return None
    return f"{best.name} has the lowest {by} here: --model {best.name} takes it instead of {taken.name}."


def pool_report(model: Any, X: Frame) -> tuple[dict[str, Any], list[Table | str]]:
    """What a pool is made of, and which columns bring the most evidence."""
    about, told = model.describe(), model.importance(X)
    strengths = zip(told.names, told.mean_absolute.tolist(), strict=True)
    ranked = sorted(strengths, key=lambda pair: -pair[1])
    measure, number = about.measure, about.measure == "RMSE"
    members = [
        [name, f"{weight:.2f}", figures(loss) if number else f"{loss:.4f}"]
        for name, weight, loss in about.members
    ]
    rest = ", interactions the rest" if about.share < 0.995 else ""
    carried = f"What columns add: one by one they carry {about.share:.0%} of the {about.carried}{rest}"
    adds = f"mean absolute {told.what}"
    data = {
        "members": [{"member": n, "weight": w, measure: json_ready(loss)} for n, w, loss in about.members],
        "left out": list(about.left_out),
        adds: {name: json_ready(value) for name, value in ranked},
        "share of columns": about.share,
    }
    columns = [
        [shown(name), figures(value, 3) if number else f"{value:.3f}"] for name, value in ranked[:LISTED]
    ]
    little = about.members_count_for_little
    return data, [
        Table("The members of the pool", ("member", "weight", f"held-out {measure}"), members, "<>>"),
        *([little] if little else []),
        Table(carried, ("column", adds if number else f"{adds} (nats)"), columns, "<>"),
    ]


def _number_with_error(score: Score | None) -> str:
    """Of scores in units of their own."""
    return "" if score is None else f"{figures(float(score))} ± {figures(score.standard_error, 2)}"


def _with_error(score: Score | None) -> str:
    return "" if score is None else f"{float(score):.3f} ± {score.standard_error:.3f}"
