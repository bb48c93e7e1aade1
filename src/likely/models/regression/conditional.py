"""What regressions share: a table that must look as it did, and a record of what was learnt."""

from __future__ import annotations

from typing import Any

from likely.evidence.words import json_ready
from likely.models.rows import row_weights
from likely.models.table_model import TableModel

LISTED = 100  # columns that are listed for people who look into a file


class ConditionalMixin(TableModel):
    """A model of a target given the columns; `record_` is what it knows."""

    def _trained_on(self) -> dict[str, Any]:
        record = self._known()
        columns = record.schema.columns
        found: dict[str, Any] = {"target": record.target_name, "weight_of_rows": record.n}
        if hasattr(record, "classes"):
            pairs = zip(record.classes, record.class_counts.tolist(), strict=True)
            found["classes"] = [{"class": json_ready(label), "weight": weight} for label, weight in pairs]
        found["columns"] = [{"name": c.name, "kind": str(c.kind)} for c in columns[:LISTED]]
        return found | {"number_of_columns": len(columns)}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def weights_of(sample_weight: Any, n: int) -> Any:
    """The weights of n rows; None if all are 1, which is quicker."""
    weight = row_weights(sample_weight, n)
    return None if weight is None or (weight == 1).all() else weight
