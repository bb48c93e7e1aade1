"""What a model file holds of a record of groups, by the names that files have had from the first.

A file has the parts of a model as two lists side by side: slots, and what was seen of each. The names of the
classes here are those in files; nothing but reading and writing files knows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Family
from likely.errors import LikelyError
from likely.models.groups.base_rate import Settings
from likely.models.groups.evidence_weights import EvidenceWeights
from likely.models.groups.first_format import of_first_format
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import GroupTally
from likely.models.parts.families import Ranking
from likely.models.parts.levels import LevelsPart
from likely.models.parts.missing import MissingPart
from likely.models.parts.numbers import NumbersPart
from likely.models.parts.part import Part
from likely.models.parts.words import WordsPart
from likely.stats import Statistic
from likely.table.column.column import Column
from likely.table.schema import Schema


class Reads(Enum):
    """What of its columns a slot reads: the class of the part that it stands for."""

    NUMBERS = NumbersPart
    CODES = LevelsPart
    WORDS = WordsPart
    GAPS = MissingPart


@dataclass(frozen=True, slots=True)
class Slot:
    """A family, the columns it describes, and the prior of its parameters."""

    family: type[Family]
    columns: tuple[int, ...]  # places in the schema
    prior: Any
    reads: Reads

    def part(self, schema: Schema, estimate: str, statistic: Statistic) -> Part:
        """The part that the slot stands for, with what was seen."""
        made: type[Part] = self.reads.value
        return made(schema, self.family, self.columns, self.prior, estimate, statistic)


@dataclass(frozen=True, slots=True)
class Tally:
    """The weight of each group, and a statistic for every slot."""

    groups: NDArray[np.float64]  # (g,)
    parts: tuple[Statistic, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A record of groups, field by field."""

    schema: Schema
    target: Column
    slots: tuple[Slot, ...]
    tally: Tally
    settings: Settings
    weighed: tuple[Ranking, ...] = ()
    components: tuple[int, ...] | None = None
    evidence: EvidenceWeights | None = None

    @classmethod
    def of(cls, record: GroupRecord) -> Record:
        """What a file holds of a record."""
        parts = record.parts
        slots = tuple(Slot(part.family, part.columns, part.prior, Reads(type(part))) for part in parts)
        tally = Tally(record.tally.groups, tuple(part.statistic for part in parts))
        rest = record.settings, record.weighed, record.components, record.evidence
        return cls(record.schema, record.target, slots, tally, *rest)

    def restored(self, version: int) -> GroupRecord:
        """The record that a file of this format meant."""
        if not self.slots or len(self.slots) != len(self.tally.parts):
            raise LikelyError("it does not have what was seen of every slot")
        pairs = zip(self.slots, self.tally.parts, strict=True)
        parts = tuple(slot.part(self.schema, self.settings.estimate, seen) for slot, seen in pairs)
        tally = GroupTally(self.tally.groups, parts)
        rest = self.settings, self.weighed, self.components, self.evidence
        record = GroupRecord(self.target, tally, *rest)
        return of_first_format(record) if version == 1 else record
