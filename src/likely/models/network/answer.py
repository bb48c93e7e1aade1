"""Answers of a network about all of its nodes, and what answers cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likely.ask.answer import Chances, level_words
from likely.format import words
from likely.format.html_table import html_right_bar, html_table
from likely.language.query import name as written
from likely.table.build import to_table

TOP = 40  # nodes that are shown
SPEED = 4e8  # multiplications a second, of plans of middling size


@dataclass(frozen=True, eq=False, repr=False)
class Marginals(Mapping[str, Chances]):
    """P(level given what is known) of every node, by its name."""

    given: str
    levels: Mapping[str, tuple[Any, ...]]  # of every node that has some
    probabilities: Mapping[str, Any]  # of these levels
    log_evidence: float  # the log-probability, or density, of what is known
    effective_size: float | None = None  # of samples, where it is an estimate from them
    errors: Mapping[str, Any] = field(default_factory=dict)  # standard errors of its probabilities, then
    library: str = "dict"

    def __getitem__(self, name: str) -> Chances:
        levels = self.levels[name]
        question = f"P({written(name)}{f' | {self.given}' if self.given else ''})"
        return Chances(question, (name,), (levels,), self.probabilities[name], self.library)

    def __iter__(self) -> Iterator[str]:
        return iter(self.levels)

    def __len__(self) -> int:
        return len(self.levels)

    def to_frame(self) -> Any:
        """Columns node, level, probability (and standard error), in the library of the network."""
        names = [name for name, own in self.levels.items() for _ in own]
        levels = [level_words(level) for own in self.levels.values() for level in own]
        columns: dict[str, Any] = {"node": np.array(names, object), "level": np.array(levels, object)}
        columns["probability"] = np.concatenate([self.probabilities[name] for name in self])
        if self.errors:
            columns["standard error"] = np.concatenate([self.errors[name] for name in self])
        return to_table(columns, self.library)

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        nodes = {name: {level_words(level): p for level, p in own.items()} for name, own in self.items()}
        said = {"given": self.given, "log_evidence": words.json_ready(self.log_evidence), "marginals": nodes}
        return said | ({"effective_size": self.effective_size} if self.effective_size is not None else {})

    def _rows(self, bar: Any) -> list[list[str]]:
        rows = []
        for name, own in list(self.items())[:TOP]:
            best = max(own, key=own.__getitem__)
            rows.append([words.shown(name), level_words(best), f"{own[best]:.4g}", bar(own[best])])
        return rows

    @property
    def _title(self) -> str:
        return f"the most probable level of each node{f' given {self.given}' if self.given else ''}"

    def _foot(self) -> list[str]:
        more = len(self) - TOP
        said = [f"and {words.many(more, 'more node')}"] if more > 0 else []
        if self.effective_size is not None:
            said.append(
                f"estimated from samples that tell as much as {self.effective_size:,.0f} of equal weight"
            )
        return said

    def __repr__(self) -> str:
        return "\n".join([self._title, "", words.table(self._rows(words.right_bar), "<<><"), *self._foot()])

    def _repr_html_(self) -> str:
        return html_table(self._title, (), self._rows(html_right_bar), self._foot(), "<<><")


@dataclass(frozen=True, repr=False)
class MostProbable:
    """The most probable levels of all nodes together, given what is known (MPE)."""

    values: dict[str, Any]
    given: str
    probability: float  # P(values given what is known)
    log_joint: float  # log P(values and what is known)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        values = {name: words.json_ready(value) for name, value in self.values.items()}
        return {"given": self.given, "values": values, "probability": self.probability}

    def __repr__(self) -> str:
        rows = [[words.shown(name), level_words(value)] for name, value in self.values.items()]
        head = (
            f"most probable{f' given {self.given}' if self.given else ''}: probability {self.probability:.4g}"
        )
        return "\n".join([head, "", words.table(rows, "<<")])


@dataclass(frozen=True, repr=False)
class QuestionCost:
    """What all marginals take, known before any work."""

    how: str  # "exact", "cases" (one after another, to fit memory) or "samples"
    cells: int
    operations: int
    bytes: int
    cases: int = 1
    cut: tuple[str, ...] = ()  # the nodes whose levels are the cases

    @property
    def seconds(self) -> float:
        """About how long it takes, with one thread."""
        return self.operations / SPEED

    def __repr__(self) -> str:
        said = f"{self.how}: {self.cells:,} cells, {self.bytes / 2**20:,.3g} MiB, about {self.seconds:.2g} s"
        return said + (f", {self.cases:,} cases of {', '.join(self.cut)}" if self.cut else "")
