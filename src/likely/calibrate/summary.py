"""A calibrated classifier in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from likely.calibrate.record import CalibratedRecord
from likely.dist.distribution import short
from likely.format import words


@dataclass(frozen=True, repr=False)
class CalibratedSummary:
    """How a classifier was calibrated, and the classifier itself.

    Prints as text, and gives everything with `to_dict()`.
    """

    record: CalibratedRecord

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        record, inside = self.record, self._inside()
        weights = zip(record.classes, record.class_counts.tolist(), strict=True)
        return {
            "estimator": "Calibrated",
            "method": record.method,
            "target": record.target.name,
            "weight_of_rows": float(record.class_counts.sum()),
            "classes": [{"class": words.json_ready(label), "weight": weight} for label, weight in weights],
            "log_losses": {
                name: {"estimate": float(loss), "standard_error": loss.standard_error}
                for name, loss in record.log_losses.items()
            },
            "model": inside.to_dict() if hasattr(inside, "to_dict") else str(inside),
        }

    def _inside(self) -> Any:
        """The model, as it describes itself; its name and parameters, if it does not."""
        for face in ("describe", "summary"):
            if hasattr(self.record.model, face):
                return getattr(self.record.model, face)()
        return repr(self.record.model)

    def __str__(self) -> str:
        record = self.record
        name, rows = type(record.model).__name__, short(record.class_counts.sum())
        said = [
            f"Calibrated {name} of {words.shown(record.target.name)!r}: {record.method}, from {rows} rows"
        ]
        losses = [[name, f"{loss:.4f}", f"± {loss.error_text}"] for name, loss in record.log_losses.items()]
        if losses:
            said += ["", words.table([["method", "log loss", ""], *losses], "<><")]
        return "\n".join([*said, "", str(self._inside())])

    __repr__ = __str__
