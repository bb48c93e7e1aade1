"""Hidden groups of a table that is not in memory: a start from a sample, then a pass for each step of EM."""

from __future__ import annotations

from dataclasses import dataclass, replace

from likely.engine.scan.large import LargeTable
from likely.infer import EM
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import CountInGroups, GroupedRows, GroupTally, Settings
from likely.models.mixture.e_step import ExpectedCounts, HiddenRows, log_prior, row_width
from likely.models.mixture.em_search import EMSearch, PlannedTable, climb, nobody, plan_columns
from likely.models.parts.part import Part
from likely.models.parts.plan import FamilyWords
from likely.stats import Groups
from likely.table.accepted import Kinds
from likely.table.column.column import Column
from likely.table.frame import Frame

SAMPLE = 50_000  # rows that groups are looked for in, before all are


@dataclass(frozen=True)
class ReadTogether:
    """A block of rows that are all of one group."""

    parts: tuple[Part, ...]

    def __call__(self, frame: Frame) -> GroupedRows:
        """What `CountInGroups` reads."""
        return GroupedRows(tuple(part.block(frame) for part in self.parts), Groups.one(frame.n))


@dataclass(frozen=True)
class ReadHidden:
    """A block of rows of whose groups nothing is told."""

    parts: tuple[Part, ...]

    def __call__(self, frame: Frame) -> HiddenRows:
        """What the E step reads."""
        return HiddenRows(tuple(part.block(frame) for part in self.parts), None, None)


@dataclass(frozen=True)
class LargePlan:
    """A table that is not in memory, its columns planned, and some of its rows in memory."""

    table: LargeTable
    few: PlannedTable  # the sample, under the plan and the priors of all rows

    @classmethod
    def of(
        cls,
        table: LargeTable,
        settings: Settings,
        kinds: Kinds,
        families: FamilyWords,
        covariance: str,
        missing: str,
    ) -> LargePlan:
        """Plan the columns by one pass over all rows, and draw a sample."""

        def tally(parts: tuple[Part, ...]) -> GroupTally:
            return table.reduce(parts[0].schema, ReadTogether(parts), CountInGroups(parts))

        pooled = plan_columns(table.frame, tally, settings, kinds, families, covariance, missing)
        record = nobody(pooled.with_cut_words(), settings)
        return cls(table, PlannedTable(table.sample(SAMPLE, record.schema), None, record))

    def search(self, target: Column, how: EMSearch) -> EM[GroupRecord]:
        """The model that EM comes to on all rows, from what it comes to on the sample."""
        start = self.few.search(target, how).parameters
        share = self.table.n / max(float(start.tally.groups.sum()), 1.0)
        start = replace(start, tally=start.tally * share)
        read, schema = ReadHidden(start.parts), start.schema

        def e_step(model: GroupRecord) -> tuple[GroupRecord, float]:
            task = ExpectedCounts(model.core, row_width(model.parts, twice=True), None, how.hard)
            expected = self.table.reduce(schema, read, task)
            tally = expected.tally.settled()
            return replace(model, tally=tally), expected.log_likelihood + log_prior(model)

        return climb(e_step, iter([start]), how, float(self.table.n), f"{len(target.known)} groups")
