"""What regressions share: a table that must look as it did, and a record of what was learnt."""

from __future__ import annotations

from typing import Any

from likely.errors import LikelyError
from likely.estimator.fitted import FittedModel
from likely.estimator.sample_weight import row_weights
from likely.estimator.story import Story
from likely.format.words import json_ready
from likely.models.regression.story import conditional_story

LISTED = 100  # columns that are listed for people who look into a file


class RegressionModel(FittedModel):
    """A model of a target given the columns; `record_` is what it knows."""

    @property
    def coef_names_(self) -> tuple[str, ...]:
        """What each coefficient belongs to, as "age", "sex=female" or "age missing"."""
        return tuple(self._known().design.names)

    @property
    def n_parameters_(self) -> int:
        """How many free numbers the model has: intercepts, coefficients, and of numbers the variance."""
        return int(self._known().n_parameters)

    def story(self) -> Story:
        """What the model takes for given and what it draws, and where no other model does better."""
        return conditional_story(self._known(), type(self).__name__)

    def _trained_on(self) -> dict[str, Any]:
        record = self._known()
        columns = record.schema.columns
        found: dict[str, Any] = {"target": record.target_name, "weight_of_rows": record.n}
        if hasattr(record, "classes"):
            pairs = zip(record.classes, record.class_counts.tolist(), strict=True)
            found["classes"] = [{"class": json_ready(label), "weight": weight} for label, weight in pairs]
        found["columns"] = [{"name": c.name, "kind": str(c.kind)} for c in columns[:LISTED]]
        return found | {"number_of_columns": len(columns)}


def weights_of(sample_weight: Any, n: int) -> Any:
    """The weights of n rows; None if all are 1, which is quicker."""
    weight = row_weights(sample_weight, n)
    return None if weight is None or (weight == 1).all() else weight


def refuse_unknown_of(names: list[str]) -> None:
    """Refuse a posterior of coefficients of which nothing is known."""
    if names:
        raise LikelyError(f"nothing is known of the coefficients of {names[:5]!r}: give a prior.")
