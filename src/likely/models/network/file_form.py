"""What a model file holds of a belief network."""

from __future__ import annotations

from dataclasses import dataclass

from likely.errors import LikelyError
from likely.models.groups.file_form import Slot
from likely.models.network.record import NetworkRecord
from likely.stats import Statistic
from likely.table.schema import Schema


@dataclass(frozen=True, slots=True)
class NetworkForm:
    """A network, field by field."""

    nodes: Schema
    parents: tuple[tuple[int, ...], ...]
    parts: tuple[Slot, ...]
    seen: tuple[Statistic, ...]
    estimates: tuple[str, ...]
    n: float
    target: int | None = None
    n_hidden: int = 0

    @classmethod
    def of(cls, record: NetworkRecord) -> NetworkForm:
        """What a file holds of a record."""
        parts = record.parts
        return cls(
            record.nodes,
            record.parents,
            tuple(map(Slot.of, parts)),
            tuple(part.statistic for part in parts),
            tuple(part.estimate for part in parts),
            record.n,
            record.target,
            record.n_hidden,
        )

    def restored(self, version: int) -> NetworkRecord:
        """The record that a file meant."""
        if not len(self.parts) == len(self.seen) == len(self.estimates):
            raise LikelyError("it does not have what was seen of every node")
        each = zip(self.parts, self.estimates, self.seen, strict=True)
        parts = tuple(slot.part(self.nodes, estimate, seen) for slot, estimate, seen in each)
        return NetworkRecord(self.nodes, self.parents, parts, self.n, self.target, self.n_hidden)
