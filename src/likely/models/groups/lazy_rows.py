"""Training rows held by another engine (DuckDB, Polars, Spark): counted by queries, or read in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist import Family
from likely.engine import Engine
from likely.engine.query.first_queries import FirstLook
from likely.engine.query.grouped import GroupedQueries
from likely.engine.scan.large import LargeTable, is_coded, is_text
from likely.engine.scan.parts import LazyPart
from likely.engine.scan.scan import Scan
from likely.estimator.fitted import (
    class_codes,
    learnt_target,
    refuse_no_column,
    refuse_no_rows,
    refuse_not_in_memory,
)
from likely.models.groups.block_rows import SAMPLE, BlockClassRows, refuse_missing_target
from likely.models.groups.tally import CountInGroups, GroupTally, ReadGrouped
from likely.models.parts.cells import LevelsPart, NumbersPart
from likely.models.parts.missing import MissingPart
from likely.models.parts.part import Part
from likely.stats import Cells, CountSums, Groups, Moments, Scatter, Sums, Within
from likely.stats.dyadic_grid import Packed
from likely.stats.groups import Statistic
from likely.table.accepted import Kinds
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

Floats = NDArray[np.float64]

WIDEST = 60  # columns of numbers whose products one query adds up


def large_rows(
    X: object,
    y: object,
    classes: ArrayLike | None,
    sample_weight: object,
    kinds: Kinds,
    engine: Engine,
    who: str,
) -> LazyClassRows | BlockClassRows:
    """Learn the schema and the classes of a table that is not in memory.

    It is asked by queries if an engine holds it that takes them, or if it is in Parquet files here, which
    DuckDB reads. Otherwise it is read block by block: on a cluster, from texts, or if it has times.
    """
    refuse_not_in_memory(y, sample_weight, who)
    y, scan = str(y), Scan.of(X)
    table = scan.as_lazy()
    refuse_no_column(y, scan.names if table is None else table.names)
    names = [name for name in (scan.names if table is None else table.names) if name != y]
    declared = declared_by_name(names, kinds, "kinds")
    coded = {name for name, word in declared.items() if is_coded(name, word)}
    if (
        table is None
        or not all(map(_can_be_asked, table.types.values()))
        or any(map(is_text, declared.values()))
    ):
        large = LargeTable.of(scan, kinds, engine, y)
        refuse_no_rows(large.n, len(names))
        told = large.digest.raw(y)
        refuse_missing_target(y, bool(told.missing().any()))
        return BlockClassRows(large, learnt_target(told, classes))
    look = FirstLook.at(table, y, coded)
    refuse_no_rows(look.n, len(names))
    told = replace(look.sums.group, name=y)
    refuse_missing_target(y, bool(told.missing().any()))
    target = learnt_target(told, classes)
    class_codes(target, told)  # refuses a class that is not listed
    return LazyClassRows(GroupedQueries(look, target))


def _can_be_asked(dtype: Any) -> bool:
    """Whether queries can compute the statistics of a column: not of times."""
    import narwhals.stable.v2 as nw

    return bool(dtype.is_numeric() or dtype in (nw.Boolean, nw.String, nw.Categorical, nw.Enum))


def _collects_plainly(family: type[Family]) -> bool:
    """Whether a family needs only the values themselves, and accepts every number."""
    return all("collect" not in vars(one) for one in family.__mro__[: family.__mro__.index(Family)])


@dataclass(frozen=True)
class LazyClassRows:
    """A table that is not in memory, whose rows are in the classes of a target."""

    queries: GroupedQueries
    groups = None  # nobody knows the class of each row

    @property
    def frame(self) -> Frame:
        """What there is to learn a schema from; of no rows."""
        return self.queries.look.frame

    @property
    def target(self) -> Column:
        """The classes."""
        assert self.queries.target is not None
        return self.queries.target

    def share_missing(self, name: str) -> float:
        """In what share of the rows a column of numbers is missing."""
        return 1 - float(self.queries.known([name]).sum()) / self.queries.look.n

    @cached_property
    def _sample(self) -> Frame:
        return self.queries.look.table.sample(SAMPLE, self.queries.look.n)

    def some(self) -> tuple[Frame, Groups]:
        """Some rows, taken by chance, with their classes: for what is learnt from held-out rows."""
        codes = class_codes(self.target, self._sample.raw(self.target.name))
        return self._sample.without(self.target.name), Groups.hard(codes, len(self.target.known))

    def tally(self, parts: tuple[Part, ...], engine: Engine) -> GroupTally:
        """What parts see of the rows: by queries, and block by block what no query can count."""
        statistics = [self._asked(part) for part in parts]
        rest = tuple(part for part, statistic in zip(parts, statistics, strict=True) if statistic is None)
        streamed = iter(self._streamed(rest, engine).parts if rest else ())
        counted = (
            next(streamed) if statistic is None else part.with_statistic(statistic)
            for part, statistic in zip(parts, statistics, strict=True)
        )
        return GroupTally(self.queries.totals, tuple(counted))

    def _streamed(self, parts: tuple[Part, ...], engine: Engine) -> GroupTally:
        columns = {part.schema.columns[j] for part in parts for j in part.columns}
        ordered = [column for column in parts[0].schema.columns if column in columns]
        scan = Scan((LazyPart(self.queries.look.table),))
        schema = Schema((*ordered, self.target), True, self.queries.look.table.library)
        source = scan.source(schema, ReadGrouped(parts, self.target))
        return scan.engine(engine).reduce(source, CountInGroups(parts))

    def _asked(self, part: Part) -> Statistic | None:
        """The statistic of a part's columns, if a query can compute it."""
        columns = [part.column(place) for place in range(len(part.columns))]
        names = [column.name for column in columns]
        if isinstance(part, LevelsPart):
            return self.queries.levels(columns)
        numbers = set(names) <= set(self.queries.look.names)
        if isinstance(part, MissingPart) and numbers:
            totals = np.repeat(self.queries.totals[:, None], len(names), axis=1)
            return Sums(totals, totals - self.queries.known(names))
        if not isinstance(part, NumbersPart):
            return None
        plain = _collects_plainly(part.family) and not part.family.outside
        needed = part.family.statistic
        if plain and numbers and needed is Moments:
            return self.queries.moments(names)
        if plain and numbers and needed is Cells:
            return self.queries.cells(names, self._spreads(names))
        if plain and numbers and needed in (Scatter, Within) and len(names) <= WIDEST:
            scatter = self.queries.scatter(names)
            return scatter if needed is Scatter else Within.of(scatter)
        if needed in (Sums, CountSums) and all(map(self._countable, names)):
            rows, groups = self.queries.values(columns)
            statistic: Statistic = part.family.collect(rows, groups, None)
            return statistic
        return None

    def _countable(self, name: str) -> bool:
        """Whether a column has few different values as a rule: whole numbers, or true and false."""
        return name in self.queries.look.levels or self.queries.look.table.types[name].is_integer()

    def _spreads(self, names: Sequence[str]) -> Floats:
        """How far values lie from each other in each class, (g, d), of a sample, whatever the outliers."""
        rows, groups = self.some()
        assert groups.codes is not None
        spreads = np.zeros((groups.n_groups, len(names)))
        for j, name in enumerate(names):
            values = np.asarray(rows.raw(name).numbers(), np.float64)
            for group in range(groups.n_groups):
                packed = Packed.of(values[groups.codes == group])
                spreads[group, j] = packed.spread() if len(packed.place) else 0.0
        # Of a class that the sample has not seen: as the others.
        return np.where(spreads > 0, spreads, np.max(spreads, axis=0))
