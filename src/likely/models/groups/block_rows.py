"""Training rows that are read block by block, here or on a cluster, and never all in memory."""

from __future__ import annotations

from dataclasses import dataclass

from likely.engine import Engine
from likely.engine.scan.large import LargeTable, with_target
from likely.errors import LikelyError
from likely.estimator.fitted import class_codes
from likely.models.groups.tally import CountInGroups, GroupTally, ReadGrouped
from likely.models.parts.part import Part
from likely.stats import Groups
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

SAMPLE = 6_000  # rows: as many as weights of evidence are learnt from, and some more


@dataclass(frozen=True)
class BlockClassRows:
    """A table that is read block by block, with the target that names the class of each row."""

    table: LargeTable
    target: Column
    groups = None  # nobody knows the class of each row

    @property
    def frame(self) -> Frame:
        """The columns to learn a schema from, without rows."""
        return self.table.frame

    def share_missing(self, name: str) -> float:
        """The share of rows in which a column is missing."""
        (column,) = (column for column in self.table.digest.columns if column.raw.name == name)
        return 1 - column.known / max(self.table.n, 1)

    def some(self) -> tuple[Frame, Groups]:
        """A random sample of rows with their classes, for what is learnt from held-out rows."""
        rows = self.table.sample(SAMPLE, with_target(Schema.learn(self.frame), self.target))
        codes = class_codes(self.target, rows.raw(self.target.name))
        return rows.without(self.target.name), Groups.hard(codes, len(self.target.known))

    def tally(self, parts: tuple[Part, ...], engine: Engine) -> GroupTally:
        """The statistics of all parts over the rows."""
        schema = with_target(parts[0].schema, self.target)
        return self.table.reduce(schema, ReadGrouped(parts, self.target), CountInGroups(parts))


def refuse_missing_target(name: str, missing: bool) -> None:
    """Refuse a target with missing cells."""
    if missing:
        raise LikelyError(
            f"Input y contains NaN: the target {name!r} is missing in some rows. Leave such rows out, or "
            "give the missing a class of its own."
        )
