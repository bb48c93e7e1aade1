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
from likely.infer import bayes_rule
from likely.models.groups.belief import GroupBelief
from likely.models.groups.independent import Independent, repeats_itself
from likely.models.parts.cells import CellsPart
from likely.table.column.column import Column
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Place = tuple[int, int]  # a part, and a column of it


@dataclass(frozen=True)
class GroupWorld:
    """Groups with weights, and in each group columns that are independent but for those of one part.

    The group is a variable itself if it has a name: the target of a classifier. What is told changes the
    belief in the groups as a prediction does, so that evidence counts by its weight where it has one; the
    columns that are not told follow from the groups.
    """

    schema: Schema
    core: Independent
    target: Column | None = None
    class_counts: Floats | None = None  # (c,), where the model keeps what it has seen

    @property
    def library(self) -> str:
        """The frame library that the model was fitted with."""
        return self.schema.library

    @cached_property
    def variables(self) -> Mapping[str, Variable]:
        """The columns, and the target after them."""
        variables = {column.name: self._variable(column) for column in self.schema.columns}
        if self.target is not None:
            variables[self.target.name] = Variable.of_levels(self.target)
        return variables

    def _variable(self, column: Column) -> Variable:
        part = self.core.parts[self.place[column.name][0]]
        return part.variable(column, column.name in self.gap)

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
            for at, part in enumerate(self.core.parts)
            if part.describes_cells is not gaps
            for place, j in enumerate(part.columns)
        }

    def given(self, known: Mapping[str, Constraint]) -> GroupBelief | None:
        """What is believed once this is known; None if it is impossible."""
        cells = {
            name: _value(constraint) for name, constraint in known.items() if self._is_cell(name, constraint)
        }
        rows: dict[int, Any] = {}
        for name, value in cells.items():
            at, place = self.place[name]
            rows[at] = self.core.parts[at].with_cell(rows.get(at), place, value)
            if name in self.gap:
                at, place = self.gap[name]
                rows[at] = self.core.parts[at].with_cell(rows.get(at), place, 0)
        parts = tuple(self.core.parts[at] for at in rows)
        used = Independent(self.core.log_weights, parts, evidence=self.core.evidence)
        told = np.array([sum(name in self.place for name in known)], np.float64)
        joint, shared = used.log_joint([_Row(row) for row in rows.values()], 0, 1, told=told)
        log_groups, log_evidence = bayes_rule(joint)
        if not log_evidence[0] + shared[0] > -np.inf:
            return None
        rest = {name: constraint for name, constraint in known.items() if name not in cells}
        belief = GroupBelief(self, cells, rows, log_groups[0], rest)
        if not np.isfinite(belief.log_known):
            return None
        for name, constraint in rest.items() if self.core.evidence is not None else ():
            belief = belief.with_weight(name, constraint, self._weight(name, told))
        return belief

    def _weight(self, name: str, told: Floats) -> float:
        """How much what a column says counts where so many columns are told."""
        if self.core.evidence is None or name not in self.place:
            return 1.0
        at, place = self.place[name]
        part, evidence = self.core.parts[at], self.core.evidence
        weights = evidence.by_column if repeats_itself(part) else evidence.where_told(told)[0]
        return float(weights[part.columns[place]])

    def counts(self, name: str | None) -> Floats | None:
        """The weight of the rows of each level of a column and each class, (k, c); of None, (1, c)."""
        if self.class_counts is None or self.core.components is not None:
            return None
        if name is None:
            return self.class_counts[None]
        if name not in self.place or name in self.gap or self.variables[name].nature is not Nature.LEVELS:
            return None
        at, place = self.place[name]
        part = self.core.parts[at]
        seen = part.level_counts(place) if isinstance(part, CellsPart) else None
        return None if seen is None else seen.T

    def _is_cell(self, name: str, constraint: Constraint) -> bool:
        """Whether one value is left, and a cell that can hold it: a missing number has none."""
        value, variable = _value(constraint), self.variables[name]
        if value is None or name not in self.place:
            return False
        coded = self.core.parts[self.place[name][0]].coded
        return variable.nature is not Nature.LEVELS or coded or variable.levels[value] is not None

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
        part = self.core.parts[at[0]]
        return np.asarray(part.distribution.group_log_prob(part.alone(at[1], np.arange(k))))


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
