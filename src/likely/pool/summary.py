"""A pool in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from likely.format import words
from likely.pool.record import PoolRecord


@dataclass(frozen=True, repr=False)
class PoolSummary:
    """What a pool is made of; prints itself."""

    target: str
    n: float
    members: tuple[tuple[str, float, float], ...]  # name, weight, log loss on rows not seen
    loss: float
    left_out: tuple[str, ...]
    share: float

    @classmethod
    def of(cls, record: PoolRecord) -> PoolSummary:
        """Of what was learnt."""
        members = zip(record.names, record.weights.tolist(), record.losses.tolist(), strict=True)
        share = 1.0 if record.projection is None else record.projection.share
        return cls(record.target_name, record.n, tuple(members), record.loss, record.left_out, share)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        return {
            "estimator": "Classifier",
            "target": self.target,
            "weight_of_rows": self.n,
            "members": [{"member": m, "weight": w, "log_loss": loss} for m, w, loss in self.members],
            "log_loss": self.loss,
            "left_out": list(self.left_out),
            "share_of_columns": self.share,
        }

    def __str__(self) -> str:
        head = f"Classifier of {words.shown(self.target)}: a pool, learnt from {self.n:g} rows"
        if not self.members:
            return f"{head}: there is one class only"
        rows = [["member", "weight", "log loss"]]
        rows += [[name, f"{weight:.2f}", f"{loss:.4f}"] for name, weight, loss in self.members]
        rows.append(["pool", "", f"{self.loss:.4f}"])
        said = [f"left out: {one}" for one in self.left_out]
        carried = (
            f"The lines of single columns carry {self.share:.0%} of the log-odds; the rest is interactions."
        )
        note = "Log losses are of rows that the members had not seen."
        return "\n".join([head, "", words.table(rows, "<>>"), "", *said, note, carried])

    __repr__ = __str__
