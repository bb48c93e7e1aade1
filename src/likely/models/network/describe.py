"""A belief network in words: its size, its arcs, and how it takes a row to come about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likely.dist.distribution import short
from likely.estimator.record import OPTIMAL, Story
from likely.format import words
from likely.format.html_table import html_table

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord

TOP = 40  # nodes that are shown; `to_dict` has all
MOST_ROWS = 8  # combinations of parents of a node that are shown
_HEADS = ("node", "levels", "family", "given", "free")


@dataclass(frozen=True, repr=False)
class NetworkSummary:
    """A network in words. Prints as text, shows itself as a table, and gives everything with `to_dict()`."""

    estimator: str
    record: NetworkRecord

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        record = self.record
        nodes = [
            {
                "name": record.names[i],
                "kind": str(record.nodes.columns[i].kind),
                "family": part.family.name,
                "levels": [words.json_ready(level) for level in record.levels(i)],
                "parents": [record.names[p] for p in record.parents[i]],
                "says": [
                    {"given": given, "says": part.describe(group, 0)}
                    for group, given in enumerate(record.configurations(i))
                ],
            }
            for i, part in enumerate(record.parts)
        ]
        return {
            "estimator": self.estimator,
            **training(record),
            "parameters": record.n_parameters,
            "full_table": record.free_table,
            "nodes": nodes,
        }

    def _title(self) -> str:
        record = self.record
        arcs = sum(map(len, record.parents))
        learnt = f", learnt from {short(record.n)} rows" if record.n else ""
        nodes = words.many(len(record.parts), "node")
        return f"{self.estimator} of {nodes} and {words.many(arcs, 'arc')}{learnt}"

    def _size(self) -> str:
        said = f"{words.many(self.record.n_parameters, 'free number')}"
        if self.record.leaves:
            return said
        return f"{said}; a table of all combinations has {self.record.free_table:,.10g}"

    def _rows(self) -> list[list[str]]:
        record, rows = self.record, []
        for i in record.order[:TOP]:
            part = record.parts[i]
            own, shared = part.free_parameters()
            free = own * record.groups(i) + shared
            given = ", ".join(words.shown(record.names[p]) for p in record.parents[i])
            levels = str(len(record.levels(i)) or "")
            rows.append([words.shown(record.names[i]), levels, part.family.name, given, str(free)])
        return rows

    def _more(self) -> list[str]:
        more = len(self.record.parts) - TOP
        return [f"and {words.many(more, 'more node')}"] if more > 0 else []

    def __str__(self) -> str:
        body = words.table([_HEADS, *self._rows()], "<><<>")
        return "\n".join([self._title(), self._size(), "", body, *self._more()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        foot = [self._size(), *self._more()]
        return html_table(self._title(), _HEADS, self._rows(), foot, "<><<>")


def network_story(record: NetworkRecord, model: str) -> Story:
    """Every node given its parents, parents first."""
    steps = []
    for i in record.order[:TOP]:
        above = [words.shown(record.names[p]) for p in record.parents[i]]
        levels = record.levels(i)
        named = ", ".join(words.shown(level) for level in levels[:5]) + (", ..." if len(levels) > 5 else "")
        what = f" ({named})" if levels else f", a number ({record.parts[i].family.name})"
        steps.append(
            f"Draw {words.shown(record.names[i])}{what}{' given ' + ', '.join(above) if above else ''}."
        )
    if len(record.parts) > TOP:
        steps.append(f"And so on for {words.many(len(record.parts) - TOP, 'more node')}.")
    return Story(
        model,
        tuple(steps),
        "P(row) = product over the nodes of P(node | its parents).",
        f"{OPTIMAL}: each node is independent of all that is not below it, given its parents.",
    )


def training(record: NetworkRecord) -> dict[str, Any]:
    """What the network was learnt from, in plain words."""
    arcs = [[record.names[p], record.names[i]] for i, above in enumerate(record.parents) for p in above]
    return {
        "target": record.target_name,
        "weight_of_rows": record.n,
        "columns": list(record.names[: 10 * TOP]),
        "arcs": arcs[: 10 * TOP],
    }
