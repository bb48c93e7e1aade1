"""Rows in the classes of a target that are read block by block, here or on a cluster, and never held."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from likely.engine import Engine
from likely.engine.scan.digest import TableDigest
from likely.engine.scan.scan import Scan
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
    """A table that is read block by block, whose rows are in the classes of a target."""

    scan: Scan
    digest: TableDigest
    target: Column
    groups = None  # nobody knows the class of each row

    @cached_property
    def frame(self) -> Frame:
        """What there is to learn a schema from; of no rows."""
        return self.digest.frame(self.scan.library, leave_out=self.target.name)

    def share_missing(self, name: str) -> float:
        """In what share of the rows a column is missing."""
        (column,) = (column for column in self.digest.columns if column.raw.name == name)
        return 1 - column.known / max(self.digest.n, 1)

    def some(self) -> tuple[Frame, Groups]:
        """Some rows, taken by chance, with their classes: for what is learnt from held-out rows."""
        columns = Schema.learn(self.frame).columns
        rows = self.scan.sample(SAMPLE, self.digest.n, self._schema(tuple(columns)))
        codes = class_codes(self.target, rows.raw(self.target.name))
        return rows.without(self.target.name), Groups.hard(codes, len(self.target.known))

    def _schema(self, columns: tuple[Column, ...]) -> Schema:
        """Of these columns and the target."""
        return Schema((*columns, self.target), True, self.scan.library)

    def tally(self, parts: tuple[Part, ...], engine: Engine) -> GroupTally:
        """What parts see of the rows."""
        schema = self._schema(tuple(parts[0].schema.columns))
        source = self.scan.source(schema, ReadGrouped(parts, self.target))
        return self.scan.engine(engine).reduce(source, CountInGroups(parts))


def refuse_missing_target(name: str, missing: bool) -> None:
    """Refuse a target that some rows do not tell."""
    if missing:
        raise LikelyError(
            f"Input y contains NaN: the target {name!r} is missing in some rows. Leave such rows out, or "
            "give the missing a class of its own."
        )
