"""What a regression says of itself: its story, its coefficients by name, what it was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likely.estimator.record import Quantities, Story
from likely.format import words
from likely.table.schema import Schema

Floats = NDArray[np.float64]

LISTED = 100  # columns that are listed for people who look into a file

TAKEN = "Take the columns as they are: the model has no story of them, and cannot draw a row."


class _Regression(Protocol):
    """The record of a regression: of classes, or of a number."""

    @property
    def schema(self) -> Schema: ...

    @property
    def target_name(self) -> str: ...

    @property
    def n(self) -> float: ...


def coefficient_quantities(names: Sequence[str], values: Floats, errors: Floats | None) -> Quantities:
    """Intercept and coefficients, (g, 1 + p), in original units; changes are measured in standard errors."""
    named = ["intercept", *(f"coefficient of {name}" for name in names)]
    unit = np.ones((1, 1)) if errors is None else np.where(errors > 0, errors, 1.0)
    return Quantities(named, values, unit)


def trained_on(
    record: _Regression, classes: Sequence[Any] = (), counts: Floats | None = None
) -> dict[str, Any]:
    """What a regression was trained on, for people who look into its file."""
    columns = record.schema.columns
    facts: dict[str, Any] = {"target": record.target_name, "weight_of_rows": record.n}
    if counts is not None:
        pairs = zip(classes, counts.tolist(), strict=True)
        facts["classes"] = [{"class": words.json_ready(label), "weight": weight} for label, weight in pairs]
    facts["columns"] = [{"name": c.name, "kind": str(c.kind)} for c in columns[:LISTED]]
    return facts | {"number_of_columns": len(columns)}


def conditional_story(target: str, model: str, classes: bool) -> Story:
    """The story of a regression or a linear classifier, which takes its columns as they are."""
    target = words.shown(target)
    if not classes:
        return Story(
            model,
            (
                TAKEN,
                f"Add up the intercept and coefficients times columns: the mean of {target}.",
                f"Draw {target} from a normal distribution around it, with one variance for all rows.",
            ),
            f"P({target} | row) = Normal(intercept + coefficients . row, variance).",
            "It is optimal (no prediction has less expected squared error) where the mean is such a sum.",
            target,
        )
    if model != "LogisticRegression":
        return Story(
            model,
            (TAKEN, f"Add up a score for {target}, and answer by its sign: no probability is said."),
            "",
            "It errs least where the best boundary is a straight line at which these scores change sign: the "
            "basic linear classifier for balls of one size and equal base rates.",
            target,
        )
    return Story(
        model,
        (
            TAKEN,
            "Add up an intercept and coefficients times columns for each class against the first: log-odds.",
            f"Draw {target} from the probabilities that have these log-odds.",
        ),
        f"P({target} | row) = exp(log-odds) / sum of exp(log-odds).",
        "It is Bayes-optimal (no rule errs less often) where the log-odds are such a sum: among others "
        "wherever naive Bayes over Booleans or counts, or Gaussian classes of one covariance, would be.",
        target,
    )
