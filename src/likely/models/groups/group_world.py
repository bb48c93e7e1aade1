"""Models whose columns are independent given the group, as worlds that can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Constraint, Exactly
from likely.ask.world import Nature, Variable
from likely.dist import MultivariateNormal, MultivariateT
from likely.infer import bayes_rule
from likely.models.groups.belief import GroupBelief
from likely.models.groups.independent import Independent
from likely.models.groups.record import Record
from likely.models.parts.part import Reads, Slot
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.column.raw import Raw
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Place = tuple[int, int]  # a slot, and a column of it


@dataclass(frozen=True)
class GroupWorld:
    """Groups with weights, and in each group columns that are independent but for those of one slot.

    The group is a variable itself if it has a name: the target of a classifier.
    """

    schema: Schema
    slots: tuple[Slot, ...]
    core: Independent
    target: Column | None = None

    @classmethod
    def of(cls, record: Record) -> GroupWorld:
        """The world of a fitted classifier."""
        return cls(record.schema, record.slots, record.core, record.target)

    @property
    def library(self) -> str:
        """The frame library that the model was fitted with."""
        return self.schema.library

    @cached_property
    def variables(self) -> Mapping[str, Variable]:
        """The columns, and the target after them."""
        found = {column.name: self._variable(column) for column in self.schema.columns}
        if self.target is not None:
            found[self.target.name] = Variable.of_levels(self.target)
        return found

    def _variable(self, column: Column) -> Variable:
        slot, _ = self.place[column.name]
        family, part = self.slots[slot].family, self.core.parts[slot]
        gaps = column.name in self.gap
        if self.slots[slot].reads is Reads.CODES:
            return Variable.of_levels(column)
        if column.kind is Kind.BOOLEAN:
            return Variable(column, Nature.LEVELS, (False, True, None) if gaps else (False, True))
        if isinstance(part, MultivariateNormal | MultivariateT):
            return Variable(column, Nature.REAL, gaps=gaps)
        if self.slots[slot].reads is Reads.WORDS or family.joint:
            return Variable(column, Nature.SHOWN, gaps=gaps)
        return Variable(column, Nature.WHOLE if part.whole else Nature.REAL, gaps=gaps)

    @cached_property
    def place(self) -> Mapping[str, Place]:
        """Where each column is described."""
        return self._places(gaps=False)

    @cached_property
    def gap(self) -> Mapping[str, Place]:
        """Where it is described whether a column is missing, if it is."""
        return self._places(gaps=True)

    def _places(self, gaps: bool) -> dict[str, Place]:
        return {
            self.schema.names[j]: (at, place)
            for at, slot in enumerate(self.slots)
            if (slot.reads is Reads.GAPS) is gaps
            for place, j in enumerate(slot.columns)
        }

    def given(self, known: Mapping[str, Constraint]) -> GroupBelief | None:
        """What is believed once this is known; None if it is impossible."""
        cells = {
            name: _value(constraint) for name, constraint in known.items() if self._is_cell(name, constraint)
        }
        rows: dict[int, Any] = {}
        for name, value in cells.items():
            slot, place = self.place[name]
            if self.slots[slot].reads is Reads.WORDS:
                rows[slot] = self.variables[name].column.bags(Raw.of(name, [value])).rows(0, 1)
                continue
            rows.setdefault(slot, self.empty(slot))[0, place] = value
            if name in self.gap:
                at, place = self.gap[name]
                rows.setdefault(at, self.empty(at))[0, place] = 0
        used = Independent(self.core.log_weights, tuple(self.core.parts[slot] for slot in rows))
        joint, shared = used.log_joint([_Row(row) for row in rows.values()], 0, 1)
        log_groups, log_evidence = bayes_rule(joint)
        if not log_evidence[0] + shared[0] > -np.inf:
            return None
        rest = {name: constraint for name, constraint in known.items() if name not in cells}
        belief = GroupBelief(self, cells, rows, log_groups[0], rest)
        return belief if np.isfinite(belief.log_known) else None

    def _is_cell(self, name: str, constraint: Constraint) -> bool:
        """Whether one value is left, and a cell that can hold it: a missing number has none."""
        value, variable = _value(constraint), self.variables[name]
        if value is None or name not in self.place:
            return False
        coded = self.slots[self.place[name][0]].reads is Reads.CODES
        return variable.nature is not Nature.LEVELS or coded or variable.levels[value] is not None

    def empty(self, slot: int, n: int = 1) -> NDArray[Any]:
        """Rows of a slot in which nothing is known."""
        width = len(self.slots[slot].columns)
        return (
            np.full((n, width), -1) if self.slots[slot].reads is Reads.CODES else np.full((n, width), np.nan)
        )

    def level_logs(self, name: str) -> Floats:
        """log P(level given group) of every level, (k, g)."""
        levels = self.variables[name].levels
        if self.target is not None and name == self.target.name:
            with np.errstate(divide="ignore"):
                return np.log(np.repeat(np.eye(len(levels)), self.core.components or 1, axis=1))
        if name not in self.gap:
            return self._cell_logs(self.place[name], len(levels))
        there, gone = self._cell_logs(self.gap[name], 2)
        return np.concatenate([self._cell_logs(self.place[name], 2) + there, gone[None]])

    def gap_logs(self, name: str) -> tuple[Floats | float, Floats | float]:
        """log P(there given group) and log P(missing given group); certain and impossible without gaps."""
        if name not in self.gap:
            return 0.0, -np.inf
        there, gone = self._cell_logs(self.gap[name], 2)
        return there, gone

    def _cell_logs(self, at: Place, k: int) -> Floats:
        """log P(cell given group) of the values 0 to k - 1 of one column, the others missing, (k, g)."""
        rows = self.empty(at[0], k)
        rows[:, at[1]] = np.arange(k)
        return np.asarray(self.core.parts[at[0]].group_log_prob(rows))


@dataclass(frozen=True, slots=True)
class _Row:
    """A block of the one row that is known."""

    values: Any

    def rows(self, start: int, stop: int) -> Any:
        """That row."""
        return self.values


def _value(constraint: Constraint) -> Any:
    """The value or code that a constraint leaves, if it is one alone."""
    return constraint.value if isinstance(constraint, Exactly) else constraint.only
