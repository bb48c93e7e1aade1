"""The cells of columns as people read them: rows, classes, evidence, and the bits that are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from likely.features.partition import Partition
from likely.format.html_table import html_table
from likely.format.screen import screen_width
from likely.format.words import json_ready, many, shown, signed, table
from likely.stats.groups import Floats
from likely.table.build import to_table
from likely.table.read.into import library_for

LEVEL = 0.9  # of intervals
_SPARE = ("bits", "becomes", "rows")
MOST = 25  # cells of a column that are printed
PSEUDO = 2.0  # rows in proportion to the base rate that each cell is taken to have besides its own


@dataclass(frozen=True, eq=False)
class Told:
    """What the cells of a column tell about the classes."""

    # (g, k): the share of each class, with PSEUDO rows of the base rate besides; NaN if no value is known
    rate: Floats
    evidence: (
        Floats  # (e, k) in nats: log-odds of the second of two classes, or log(share / base rate) of each
    )
    low: Floats  # (e, k)
    high: Floats  # (e, k)
    bits: Floats  # (k,): adding up to the mutual information

    @classmethod
    def of(cls, counts: Floats) -> Told:
        """From the weight of each class in each cell, (g, k)."""
        from scipy.special import betaincinv, logit

        rows, totals = counts.sum(axis=0), counts.sum(axis=1)
        base = totals / max(totals.sum(), 1e-300)
        base = np.where(totals > 0, base, 0.0)
        told = base[:, None] * PSEUDO
        rate = (counts + told) / (rows + PSEUDO) if rows.any() else np.full_like(counts, np.nan)
        shares = np.divide(counts, rows, out=np.zeros_like(counts), where=rows > 0)
        ratio = np.divide(shares, base[:, None], out=np.ones_like(shares), where=shares > 0)
        bits = (shares * np.log2(ratio)).sum(axis=0) * rows / max(rows.sum(), 1e-300)
        which = [1] if len(counts) == 2 else list(range(len(counts)))
        a, b = (counts + told)[which], (rows - counts + PSEUDO - told)[which]
        two = len(counts) == 2

        def against(share: Floats) -> Floats:
            own = base[which][:, None]
            with np.errstate(divide="ignore", invalid="ignore"):
                value = logit(share) - logit(own) if two else np.log(share) - np.log(own)
            return np.where((own > 0) & (own < 1), value, 0.0)

        some = (a > 0) & (b > 0)
        tails = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
        safe_a, safe_b = np.where(some, a, 1.0), np.where(some, b, 1.0)
        low, high = (against(np.asarray(betaincinv(safe_a, safe_b, tail), np.float64)) for tail in tails)
        return cls(rate, against(rate[which]), low, high, np.maximum(bits, 0.0))


@dataclass(frozen=True, eq=False)
class CellTable:
    """The cells of some columns, one line each; prints itself, and `to_frame()` has all of it."""

    title: str
    lines: tuple[dict[str, Any], ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        title: str,
        partitions: Sequence[Partition],
        classes: Sequence[Any],
        only: Sequence[tuple[int, Any]] | None = None,
    ) -> CellTable:
        """Of all cells; or of one of each column, with the value that lies in it."""
        lines: list[dict[str, Any]] = []
        names = [shown(c) for c in classes]
        heads = [f"n {name}" for name in names]
        for place, partition in enumerate(partitions):
            told = Told.of(partition.counts) if len(classes) > 1 else None
            rows = partition.counts.sum(axis=0)
            for k, label in enumerate(partition.labels):
                if only is not None and only[place][0] != k:
                    continue
                line: dict[str, Any] = {"column": partition.column.name}
                line |= {} if only is None else {"value": only[place][1]}
                line |= {"cell": label, "rows": rows[k]}
                line |= zip(heads, partition.counts[:, k], strict=False)
                lines.append(line | ({} if told is None else _evidence(told, k, names)))
            if only is not None and only[place][0] < 0:
                unknown = "missing" if only[place][0] == -1 else "never seen"
                lines.append({"column": partition.column.name, "value": only[place][1], "cell": unknown})
        notes = tuple(f"{p.column.name}: {p.why}" for p in partitions if p.why)
        return cls(title, tuple(lines), notes if only is None else ())

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of what is told of a cell."""
        return tuple(dict.fromkeys(head for line in self.lines for head in line))

    def to_frame(self, into: str | None = None) -> Any:
        """A table with a row for each cell."""
        columns = {head: [line.get(head) for line in self.lines] for head in self.heads}
        return to_table({name: np.array(cells) for name, cells in columns.items()}, library_for(into))

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        cells = [{head: json_ready(value) for head, value in line.items()} for line in self.lines]
        return {"title": self.title, "cells": cells, "notes": list(self.notes)}

    def _written(self) -> list[list[str]]:
        """The lines as people read them: of many cells of a column, those with the most rows."""
        hidden = self._hidden
        kept = [line for i, line in enumerate(self.lines) if i not in hidden]
        return [[self._cell(head, line.get(head)) for head in self.heads] for line in kept]

    @cached_property
    def _hidden(self) -> dict[int, Any]:
        """The places of lines that are not printed, and their columns."""
        of_column: dict[Any, list[int]] = {}
        for i, line in enumerate(self.lines):
            of_column.setdefault(line.get("column"), []).append(i)
        ranked = {
            name: sorted(places, key=lambda i: -self.lines[i].get("rows", 0))
            for name, places in of_column.items()
        }
        return {i: name for name, places in ranked.items() for i in places[MOST:]}

    @property
    def _told(self) -> tuple[str, ...]:
        """The notes, and how many lines are not printed."""
        hidden = Counter(self._hidden.values())
        more = (f"{name}: {many(n, 'other cell')} with fewer rows, not shown" for name, n in hidden.items())
        return (*more, *self.notes)

    def _cell(self, head: str, value: object) -> str:
        """One cell as people read it."""
        if not isinstance(value, float | np.floating):
            return shown(value)
        if np.isnan(value):
            return ""
        if head.startswith(("evidence", "low", "high", "becomes")):
            return signed(float(value))
        return f"{value:.4f}" if head == "bits" or head.startswith("P(") else shown(float(value))

    @property
    def _align(self) -> str:
        words = {"column", "cell", "value", "kept"}
        return "".join("<" if head in words else ">" for head in self.heads)

    def __str__(self) -> str:
        body = self._body() if self.lines else "no columns"
        return "\n\n".join(filter(None, (self.title, body, "\n".join(self._told))))

    def _body(self) -> str:
        """The table; in a terminal with little room without what follows from the rest."""
        heads, align, room = list(self.heads), list(self._align), screen_width()
        rows = [heads, *self._written()]
        spare = [head for head in (*_SPARE, *heads) if head in heads and (head in _SPARE or head[:2] == "P(")]
        for head in dict.fromkeys(spare):
            text = table(rows, "".join(align))
            if room is None or max(map(len, text.split("\n"))) <= room:
                return text
            place = rows[0].index(head)
            rows = [[*row[:place], *row[place + 1 :]] for row in rows]
            del align[place]
        return table(rows, "".join(align))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return str(html_table(self.title, self.heads, self._written(), self._told, self._align))


def _evidence(told: Told, k: int, names: Sequence[str]) -> dict[str, Any]:
    """What a cell tells of the classes of these names."""
    if len(names) == 2:
        line = {f"P({names[1]})": told.rate[1, k], "evidence": told.evidence[0, k]}
        line |= {"low": told.low[0, k], "high": told.high[0, k]}
    else:
        line = {f"evidence {name}": told.evidence[i, k] for i, name in enumerate(names)}
    return {**line, "bits": told.bits[k]}
