"""A pool in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from likely.format import words
from likely.format.html_table import html_table


@dataclass(frozen=True, repr=False)
class PoolSummary:
    """What a pool is made of; prints itself."""

    model: str
    target: str
    n: float
    members: tuple[tuple[str, float, float], ...]  # name, weight, loss on rows not seen
    loss: float
    left_out: tuple[str, ...]
    share: float

    @classmethod
    def of(cls, record: Any, model: str, losses: Mapping[str, float]) -> PoolSummary:
        """Of what was learnt; losses are log losses, or of numbers RMSE in their units."""
        members = (
            (name, float(w), losses[name]) for name, w in zip(record.names, record.weights, strict=True)
        )
        share = 1.0 if record.projection is None else record.projection.share
        return cls(
            model, record.target_name, record.n, tuple(members), losses["pool"], record.left_out, share
        )

    @property
    def measure(self) -> str:
        """What losses are."""
        return "log loss" if self.model == "Classifier" else "RMSE"

    @property
    def carried(self) -> str:
        """What the lines of columns carry a share of."""
        return "log-odds" if self.model == "Classifier" else "predictions"

    @property
    def members_count_for_little(self) -> str | None:
        """A warning, where the weights of the members add up to much less than one."""
        if not self.members or sum(weight for _, weight, _ in self.members) >= 0.5:
            return None
        alone = "the base rate" if self.model == "Classifier" else "the mean"
        return f"Members count for little: on rows not seen they were hardly better than {alone} alone."

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        measure = self.measure.lower().replace(" ", "_")
        return {
            "estimator": self.model,
            "target": self.target,
            "weight_of_rows": self.n,
            "members": [
                {"member": name, "weight": weight, measure: loss} for name, weight, loss in self.members
            ],
            measure: self.loss,
            "left_out": list(self.left_out),
            "share_of_columns": self.share,
        }

    def _lines(self) -> tuple[str, list[list[str]], list[str]]:
        """The title, the head and the lines of the table, and what stands below."""
        head = f"{self.model} of {words.shown(self.target)}: a pool, learnt from {self.n:g} rows"
        if not self.members:
            alone = "there is one class only" if self.model == "Classifier" else "all numbers are the same"
            return f"{head}: {alone}", [], []
        told = "{:.4f}".format if self.model == "Classifier" else words.figures
        rows = [["member", "weight", self.measure]]
        rows += [[name, f"{weight:.2f}", told(loss)] for name, weight, loss in self.members]
        rows.append(["pool", "", told(self.loss)])
        said = [f"left out: {one}" for one in self.left_out]
        carried = (
            f"The lines of columns carry {self.share:.0%} of the {self.carried}; the rest is interactions."
        )
        if self.members_count_for_little:
            said.append(self.members_count_for_little)
        note = f"{self.measure[0].upper()}{self.measure[1:]} is of rows that the members had not seen."
        return head, rows, [*said, note, carried]

    def __str__(self) -> str:
        title, rows, notes = self._lines()
        return "\n".join([title, "", words.table(rows, "<>>"), "", *notes]) if rows else title

    __repr__ = __str__

    def _repr_html_(self) -> str:
        title, rows, notes = self._lines()
        return html_table(title, rows[0] if rows else (), rows[1:], notes, "<>>")
