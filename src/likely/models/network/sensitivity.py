"""How an answer changes with each number of the tables (a tornado): exact, for answers are ratios of lines.

If one number of a table moves, and the others of its row keep their proportions, P(event and known) and
P(known) both move along straight lines: the answer is (a t + b) / (c t + d), and two runs give all slopes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.format import words
from likely.format.html_table import html_table
from likely.infer.node_tables import KnownNodes
from likely.table.build import to_table

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord

Floats = NDArray[np.float64]
TOP = 20
DUST = 1e-12  # what rounding leaves of a slope that is none
_HEADS = ("node", "level", "given", "probability", "slope", "from", "to")


@dataclass(frozen=True)
class Entry:
    """A number of a table, and what the answer is where it moves."""

    node: str
    level: Any
    given: str
    probability: float  # as it is
    slope: float  # of the answer by it
    low: float  # the answer where it is smaller by the spread
    high: float  # and larger

    @property
    def swing(self) -> float:
        """How far the answer moves."""
        return abs(self.high - self.low)


@dataclass(frozen=True, repr=False)
class Tornado:
    """The numbers that an answer depends on, the strongest first."""

    question: str
    answer: float
    spread: float  # how far each number is moved
    entries: tuple[Entry, ...]
    library: str = "dict"

    def to_frame(self) -> Any:
        """One row a number, in the library of the network."""
        columns: dict[str, Any] = {}
        for name in ("node", "given"):
            columns[name] = np.array([getattr(one, name) for one in self.entries], object)
        columns["level"] = np.array([str(one.level) for one in self.entries], object)
        for name in ("probability", "slope", "low", "high"):
            columns[name] = np.array([getattr(one, name) for one in self.entries], np.float64)
        return to_table(columns, self.library)

    def _rows(self) -> list[list[str]]:
        return [
            [
                *(words.shown(one.node), words.shown(one.level), one.given),
                *(f"{number:.4g}" for number in (one.probability, one.slope, one.low, one.high)),
            ]
            for one in self.entries[:TOP]
        ]

    @property
    def _title(self) -> str:
        return f"{self.question} = {self.answer:.4g}, where one number moves by {self.spread:g}"

    def __repr__(self) -> str:
        more = len(self.entries) - TOP
        foot = [f"and {words.many(more, 'other number')}, each with less"] if more > 0 else []
        return "\n".join([self._title, "", words.table([_HEADS, *self._rows()], "<<<>>>>"), *foot])

    def _repr_html_(self) -> str:
        return html_table(self._title, _HEADS, self._rows(), (), "<<<>>>>")


def tornado(
    record: NetworkRecord, question: str, node: int, level: int, evidence: KnownNodes, spread: float
) -> Tornado:
    """The answer P(node = level given evidence), by every number of every table of levels."""
    factors = record.factors
    both = KnownNodes({**evidence.levels, node: level}, evidence.log_likelihoods)
    together, log_both = factors.families(both)
    alone, log_known = factors.families(evidence)
    answer = float(np.exp(log_both - log_known))
    entries = []
    for i, (of_both, of_known) in enumerate(zip(together, alone, strict=True)):
        if i in record.leaves:
            continue
        k = record.sizes[i]
        table = factors.tables[i].reshape(-1, k)
        change = _by_proportion(table, of_both.reshape(-1, k)), _by_proportion(table, of_known.reshape(-1, k))
        slope = answer * (change[0] - change[1])
        named = record.configurations(i)
        for group, own in np.argwhere(np.abs(slope) > DUST):
            at = _line(answer, float(change[0][group, own]), float(change[1][group, own]))
            p = float(table[group, own])
            low, high = at(max(-p, -spread)), at(min(1 - p, spread))
            entries.append(
                Entry(
                    record.names[i],
                    record.levels(i)[own],
                    named[group],
                    p,
                    float(slope[group, own]),
                    low,
                    high,
                )
            )
    entries.sort(key=lambda one: -one.swing)
    return Tornado(question, answer, spread, tuple(entries), record.nodes.library)


def _by_proportion(table: Floats, joint: Floats) -> Floats:
    """The derivative of log P by each number, the others of its row kept in proportion, (q, k).

    `joint` is P(parents, level given what is known): the plain derivative times the number.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(table > 0, joint / table, 0.0)
        others = (joint.sum(axis=1, keepdims=True) - joint) / (1 - table)
    return np.where((table > 0) & (table < 1), own - np.where(table < 1, others, 0.0), 0.0)


def _line(answer: float, above: float, below: float) -> Callable[[float], float]:
    """The answer where a number has moved by t."""
    return lambda t: answer * (1 + above * t) / (1 + below * t)
