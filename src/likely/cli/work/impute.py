"""The gaps of a file filled: what goes into them, and what is said about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from likely.features.fill_by_class import ClassFill
from likely.features.fill_by_model import ModelFill
from likely.format.words import many
from likely.table.batch.batches import Batch
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type
from likely.table.column.raw import Raw
from likely.table.fill import Fill, fill
from likely.table.frame import Frame
from likely.table.schema import Schema


@dataclass
class Filling:
    """A model of a table, and what it has filled of it so far."""

    model: Any
    frame: Frame  # the table that it was learnt from
    draws: bool = False
    filled: dict[str, int] = field(default_factory=dict)  # cells, by column

    @property
    def schema(self) -> Schema:
        """The columns that are read of the file: those that are filled, and the classes to fill by."""
        record = self.model.record_
        if isinstance(record, ClassFill) and record.counted.target is not None:
            return replace(record.schema, columns=(*record.schema.columns, record.counted.target))
        return self.filled_schema

    @property
    def filled_schema(self) -> Schema:
        """The columns that may be filled."""
        schema: Schema = self.model.record_.schema
        return schema

    def rows(self, batch: Batch, rng: np.random.Generator | None) -> tuple[Any, dict[str, Any]]:
        """The rows as they are in the file, but for their gaps; no column is added to them."""
        rows, table = Frame.of(batch.rows), Frame.of(batch.table)
        typed = self.filled_schema.align(table, "impute") if batch.n else table
        cells = {}
        for j, one in (self._guesses(table, typed, rng) if batch.n else {}).items():
            column = self.filled_schema.columns[j]
            if one is not None:
                own, wanted = rows.raw(column.name), typed.raw(column.name)
                values = _as_in_file(column, one, own, wanted, self._whole(column))
                cells[rows.position[column.name]] = Fill(one.rows, values)
                self.filled[column.name] = self.filled.get(column.name, 0) + len(one.rows)
        return fill(batch.rows, rows, cells), {}

    def _guesses(
        self, table: Frame, typed: Frame, rng: np.random.Generator | None
    ) -> Mapping[int, Fill | None]:
        """What goes into the gaps of each column, by its place."""
        record = self.model.record_
        classes = record.own_classes(table, record.target_name) if isinstance(record, ClassFill) else None
        guessed: Mapping[int, Fill | None] = self.model._fills(typed, classes, rng=rng, library="dict")
        return guessed

    def columns(self) -> list[dict[str, Any]]:
        """One record for each column that has gaps: how many, and how they are filled."""
        records = []
        for column in self.filled_schema.columns:
            missing = int((self.frame.raw(column.name).distinct()[0] < 0).sum())
            if missing:
                about = {"column": column.name, "kind": str(column.kind), "missing": missing}
                records.append({**about, "filled": self.filled.get(column.name, 0), "how": self._how(column)})
        return records

    @property
    def by(self) -> str:
        """What the guesses are made by."""
        record = self.model.record_
        if isinstance(record, ClassFill):
            return (
                f"the {record.statistic} or the most frequent level of the row's class ({record.target_name})"
            )
        if isinstance(record, ModelFill):
            return f"a model of each column from the others, in {many(record.rounds, 'round')}"
        if self.model.model == "gaussian":
            return "one normal distribution of all numbers"
        return f"a mixture of {many(len(record.classes), 'group')}"

    def _how(self, column: Column) -> str:
        if column.kind is Kind.TEXT:
            return "left: a text is not guessed"
        if self.filled.get(column.name, 0) == 0:
            return "left: no value is known"
        record = self.model.record_
        if isinstance(record, ClassFill):
            number = column.kind in (Kind.QUANTITATIVE, Kind.COUNT)
            return f"{record.statistic if number else 'most frequent'} of the class"
        if self.draws:
            return "drawn, given the rest of the row"
        if column.kind is Kind.QUANTITATIVE:
            rounded = ", rounded" if self._whole(column) else ""
            return f"expected, given the rest of the row{rounded}"
        return "most probable, given the rest of the row"

    def _whole(self, column: Column) -> bool:
        """Whether all numbers that are known are whole."""
        if column.levels is not None or not self.frame.raw(column.name).type.numeric:
            return False
        numbers = self.frame.raw(column.name).numbers()
        known = numbers[~np.isnan(numbers)]
        return bool((known == np.floor(known)).all() and (np.abs(known) < 2**53).all())


@dataclass
class NetworkFilling(Filling):
    """A belief network, learnt from the table or known before, and what it has filled so far."""

    network_schema: Schema | None = None  # the nodes that the table has columns of

    @property
    def filled_schema(self) -> Schema:
        """The columns that may be filled."""
        assert self.network_schema is not None
        return self.network_schema

    def _guesses(self, _: Frame, typed: Frame, rng: np.random.Generator | None) -> Mapping[int, Fill | None]:
        gaps = [typed.raw(name).missing() for name in self.filled_schema.names]
        table = {name: typed.values(name) for name in self.filled_schema.names}
        filled = Frame.of(self.model.impute(table, "expected" if rng is None else "drawn", rng))
        guessed: dict[int, Fill | None] = {}
        for j, (name, gone) in enumerate(zip(self.filled_schema.names, gaps, strict=True)):
            rows = np.flatnonzero(gone)
            if len(rows):
                raw = filled.raw(name)
                guessed[j] = Fill(rows, np.array([*(raw.item(int(i)) for i in rows), None], object)[:-1])
        return guessed

    @property
    def by(self) -> str:
        """What the guesses are made by."""
        return f"a network of {many(len(self.model.record_.names), 'node')}"


@dataclass
class LevelFilling(Filling):
    """Gaps of columns of words that become a level of their own."""

    def _guesses(
        self, table: Frame, typed: Frame, rng: np.random.Generator | None
    ) -> Mapping[int, Fill | None]:
        guessed: dict[int, Fill | None] = {}
        for j, change in enumerate(self.model._maps()):
            column = self.filled_schema.columns[j]
            rows = np.flatnonzero(typed.raw(column.name).missing())
            if (
                change is not None
                and len(rows)
                and table.raw(column.name).type in (Type.STRING, Type.CATEGORY, Type.EMPTY)
            ):
                guessed[j] = Fill(rows, np.array([self.model.label] * len(rows), object))
        return guessed

    @property
    def by(self) -> str:
        """What stands in the gaps."""
        return f"the level {self.model.label!r}"

    def _how(self, column: Column) -> str:
        return "a level" if self.filled.get(column.name, 0) else "left: not a column of words"


def _as_in_file(column: Column, one: Fill, own: Raw, typed: Raw, whole: bool) -> Any:
    """Values as the cells of a file have them: in a file of texts, as it spells them."""
    values = np.asarray(one.values).tolist()
    texts = own.type in (Type.STRING, Type.EMPTY)
    if own.type is Type.INTEGER or whole:
        values = [round(value) if isinstance(value, float) else value for value in values]
    if not texts:
        return np.array([*values, None], object)[:-1]
    spelt = _spelling(own, typed) if column.levels is not None or column.kind is Kind.BOOLEAN else {}
    return np.array([*(spelt.get(value, str(value)) for value in values), None], object)[:-1]


def _spelling(own: Raw, typed: Raw) -> dict[Any, str]:
    """How the file writes each value, as where it comes first."""
    codes, values = typed.distinct()
    first = dict(zip(*np.unique(codes, return_index=True), strict=True))
    return {value: str(own.item(int(first[code]))) for code, value in enumerate(values) if code in first}
