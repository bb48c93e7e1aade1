"""A fitted model in words: its classes, and what it knows of each column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import short
from likely.format import words
from likely.format.html_table import html_table
from likely.models.groups.n_parameters import n_parameters
from likely.models.groups.record import Record
from likely.models.parts.part import Reads, Slot
from likely.models.parts.words import WordsPart
from likely.table.column.column import Column

TOP = 20  # columns that are shown; `to_dict` has all
FEW = 5  # words that are shown of a column of texts


@dataclass(frozen=True)
class About:
    """What a model knows of one column."""

    column: str
    kind: str
    family: str
    unit: str | None
    says: tuple[str, ...]  # of each class


@dataclass(frozen=True, repr=False)
class Summary:
    """A fitted model in words.

    Prints as text, shows itself as a table in a notebook, and gives everything with `to_dict()`.
    """

    estimator: str
    record: Record

    def columns(self, top: int | None = None) -> Iterator[About]:
        """What is known of each column, in the order of the table."""
        record, read = self.record, _readers(self.record)
        for j, column in enumerate(record.schema.columns[:top]):
            family = " and ".join(dict.fromkeys(slot.family.name for slot, _, _ in read.get(j, ())))
            says = tuple(
                "; ".join(_said(*reader, column, group) for reader in read.get(j, ()))
                for group in range(len(record.group_names))
            )
            yield About(column.name, str(column.kind), family or "none", _unit(column), says)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        classes = [words.json_ready(label) for label in self.record.group_names]
        return {
            "estimator": self.estimator,
            **training(self.record, None),
            "base_rate": [float(p) for p in self._rates()],
            "parameters": self.n_parameters,
            "columns": [
                {"name": about.column, "kind": about.kind, "family": about.family, "unit": about.unit}
                | {"says": [{"class": c, "says": s} for c, s in zip(classes, about.says, strict=True)]}
                for about in self.columns()
            ],
        }

    @property
    def n_parameters(self) -> int:
        """How many free numbers the model has."""
        return n_parameters(self.record)

    def _rates(self) -> NDArray[np.float64]:
        return np.exp(self.record.core.log_weights)

    def _class_rows(self) -> list[list[str]]:
        groups = self.record.tally.groups
        named = [words.shown(label) for label in self.record.group_names]
        return [[c, short(w), short(p)] for c, w, p in zip(named, groups, self._rates(), strict=True)]

    def _groups(self) -> str:
        return words.table([_HEADS, *self._class_rows()], "<>>")

    def _title(self) -> str:
        n = len(self.record.schema.columns)
        weight = short(self.record.tally.groups.sum())
        target = words.shown(self.record.target.name)
        rows = f"{weight} row{'' if weight == '1' else 's'}"
        return f"{self.estimator} of {target!r} given {words.many(n, 'column')}, learnt from {rows}"

    def _left_out(self) -> str:
        more = len(self.record.schema.columns) - TOP
        return f"and {words.many(more, 'more column')}" if more > 0 else ""

    def __str__(self) -> str:
        said = [self._title(), words.many(self.n_parameters, "free parameter"), "", self._groups(), ""]
        named = [words.shown(label) for label in self.record.group_names]
        for about in self.columns(TOP):
            said.append(f"{words.shown(about.column)} ({_kind_words(about)})")
            said.append(words.table([["", *pair] for pair in zip(named, about.says, strict=True)], "<<<"))
        return "\n".join([*said, self._left_out()]).rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """As a table that needs nothing outside itself; every word of the data is escaped."""
        head = ["column", "kind, family", *map(words.shown, self.record.group_names)]
        rates = ["", "base rate", *(row[2] for row in self._class_rows())]
        body = [[words.shown(a.column), _kind_words(a), *a.says] for a in self.columns(TOP)]
        return html_table(
            self._title(),
            head,
            [rates, *body],
            [self._left_out(), words.many(self.n_parameters, "free parameter")],
            "<" * len(head),
        )


_HEADS = ["class", "rows", "base rate"]


def training(record: Record, top: int | None = 100) -> dict[str, Any]:
    """What a model was trained on, for people who look into its file."""
    groups, columns = record.class_counts, record.schema.columns[:top]
    families = {j: slot.family.name for slot in reversed(record.slots) for j in slot.columns}
    return {
        "target": record.target.name,
        "weight_of_rows": float(groups.sum()),
        "classes": [
            {"class": words.json_ready(label), "weight": float(weight)}
            for label, weight in zip(record.classes, groups, strict=True)
        ],
        "columns": [
            {"name": column.name, "kind": str(column.kind), "family": families.get(j, "none")}
            for j, column in enumerate(columns)
        ],
        "number_of_columns": len(record.schema.columns),
    }


def _readers(record: Record) -> dict[int, list[tuple[Slot, Any, int]]]:
    """For each column the slots that read it, their distributions, and its place among their columns."""
    found: dict[int, list[tuple[Slot, Any, int]]] = {}
    for slot, part in zip(record.slots, record.core.parts, strict=True):
        for place, j in enumerate(slot.columns):
            found.setdefault(j, []).append((slot, part, place))
    return found


def _said(slot: Slot, part: Any, place: int, column: Column, group: int) -> str:
    """What a slot says of one of its columns in one group."""
    if isinstance(part, WordsPart):
        return telling_words(part, group)
    if slot.reads is Reads.GAPS:
        return f"missing {short(part.p[group, place])}"
    return str(part.describe(group, place, level_names(column) if slot.reads is Reads.CODES else None))


def level_names(column: Column) -> list[str]:
    """The levels of a column as people read them."""
    return ["missing" if level is None else words.shown(level) for level in column.levels or ()]


def telling_words(part: WordsPart, group: int) -> str:
    """The words that tell most for a group, with how many a text has of them.

    As many bits as a text of the group gives by a word: its rate times the log of the ratio of rates.
    """
    if part.words is None:
        return "no words"
    rates = part.words.mean
    mine, others = rates[group], np.delete(rates, group, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = mine * np.log(mine / others.mean(axis=0)) if len(others) else mine
    gain = np.nan_to_num(gain, nan=0.0)
    best = [i for i in np.argsort(-gain, kind="stable")[:FEW] if gain[i] > 0]
    return (
        ", ".join(f"{words.shown(part.vocabulary[part.kept[i]])} {short(mine[i])}" for i in best)
        or "no word stands out"
    )


def _unit(column: Column) -> str | None:
    """What the numbers of a column count."""
    if column.words is None:
        return column.unit
    return "shares of the texts" if column.words.bits else "times a text"


def _kind_words(about: About) -> str:
    same = about.kind == about.family
    said = about.kind if same else f"{about.kind}, {about.family}"
    return f"{said}, in {about.unit}" if about.unit else said
