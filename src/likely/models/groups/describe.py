"""A fitted model in words: its classes, what it knows of each column, and how it takes rows to come about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import short
from likely.errors import LikelyError
from likely.estimator.record import OPTIMAL, Story
from likely.format import words
from likely.format.html_table import html_table
from likely.models.parts.part import Part
from likely.table.column.column import Column
from likely.table.column.kinds import Kind

if TYPE_CHECKING:
    from likely.models.groups.record import GroupRecord

Floats = NDArray[np.float64]

TOP = 20  # columns that are shown; `to_dict` has all
_HEADS = ["class", "rows", "base rate"]
TOLD = 10  # columns, or levels of the target, that are named


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
    record: GroupRecord

    def columns(self, top: int | None = None) -> Iterator[About]:
        """What is known of each column, in the order of the table."""
        record, read = self.record, _readers(self.record)
        for j, column in enumerate(record.schema.columns[:top]):
            family = " and ".join(dict.fromkeys(part.family.name for part, _ in read.get(j, ())))
            says = tuple(
                "; ".join(part.describe(group, place) for part, place in read.get(j, ()))
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
        return self.record.n_parameters

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


def training(record: GroupRecord, top: int | None = 100) -> dict[str, Any]:
    """What a model was trained on, for people who look into its file."""
    groups, columns = record.class_counts, record.schema.columns[:top]
    families = {j: part.family.name for part in reversed(record.parts) for j in part.columns}
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


def _readers(record: GroupRecord) -> dict[int, list[tuple[Part, int]]]:
    """For each column the parts that read it, and its place among their columns."""
    readers: dict[int, list[tuple[Part, int]]] = {}
    for part in record.core.parts:
        for place, j in enumerate(part.columns):
            readers.setdefault(j, []).append((part, place))
    return readers


def _unit(column: Column) -> str | None:
    """What the numbers of a column count; dates and times need no unit."""
    if column.words is None:
        return None
    return "shares of the texts" if column.words.bits else "times a text"


def _kind_words(about: About) -> str:
    same = about.kind == about.family
    said = about.kind if same else f"{about.kind}, {about.family}"
    return f"{said}, in {about.unit}" if about.unit else said


def story(record: GroupRecord, model: str, target_is_hidden: bool = False) -> Story:
    """The story of a model whose columns are drawn given the class, or a hidden group."""
    target = words.shown(record.target.name)
    group, hidden = _group_words(record, target_is_hidden)
    steps = []
    if record.settings.estimate == "predictive":
        steps.append("Draw the numbers of the model from what is believed of them after the data.")
    steps += [f"Draw {target if not hidden else f'the hidden {target}'} from {_rates(record)}."]
    if record.components is not None:
        steps.append(f"Draw one of the hidden groups of that {target}, by its share.")
    steps.append(drawn_columns(record, group))
    independent = sum(part.describes_cells for part in record.parts)
    formula = _formula(target, hidden, record.components is not None)
    return Story(model, tuple(steps), formula, f"{OPTIMAL}: {_conditions(record, group, independent)}.")


def _group_words(record: GroupRecord, hidden: bool) -> tuple[str, bool]:
    if record.components is not None:
        return "group", False
    return ("group", True) if hidden else ("class", False)


def _rates(record: GroupRecord) -> str:
    named = zip(record.classes, record.rates, strict=True)
    said = [f"{words.shown(label)} {short(p)}" for label, p in named]
    return ", ".join([*said[:TOLD], *(["..."] if len(said) > TOLD else [])])


def drawn_columns(record: GroupRecord, group: str) -> str:
    """The step in which the columns are drawn, a line for each, or for those that are drawn together."""
    lines = []
    for part in record.parts:
        lines += part.story(group)
    more = len(lines) - TOLD
    shown = lines[:TOLD] + ([f"and {words.many(more, 'more line')}"] if more > 0 else [])
    what = "each of these by itself, whatever the others are" if len(lines) > 1 else "the columns"
    return "\n".join([f"Given the {group}, draw {what}:", *shown])


def _formula(target: str, hidden: bool, components: bool) -> str:
    if components:
        within = "sum over its groups of P(group) x product of P(column | group)"
        return f"P(row, {target}) = P({target}) x {within}."
    if hidden:
        return f"P(row) = sum over {target} of P({target}) x product of P(column | {target})."
    return f"P(row, {target}) = P({target}) x product of P(column | {target})."


def _conditions(record: GroupRecord, group: str, independent: int) -> str:
    told = []
    if len(record.schema.columns) > 1 and (independent > 1 or not record.parts[0].family.joint):
        together = any(part.family.joint and len(part.columns) > 1 for part in record.parts)
        which = "columns that are not drawn together" if together else "the columns"
        told.append(f"{which} are independent given the {group}")
    told.append(f"each {group} has distributions of these families")
    return " and ".join(told)


def level_tables(record: GroupRecord) -> list[tuple[Column, Floats]]:
    """Each column with its levels, and P(level given group), (g, k)."""
    levels: dict[int, Floats] = {}
    gaps: dict[int, Floats] = {}  # P(missing given group), where that is a level of its own
    for part in record.core.parts:
        for place, j in enumerate(part.columns):
            if not part.describes_cells:
                gaps[j] = part.distribution.p[:, [place]]
                continue
            table = part.level_table(place)
            if table is None:
                raise _no_levels(part.column(place), part.family.name)
            levels[j] = table[1].copy()
    tables = []
    for j, column in enumerate(record.schema.columns):
        if column.kind is Kind.BOOLEAN and column.levels is None:
            column = replace(column, levels=(False, True))
        probs = levels[j]
        if j in gaps:
            probs = np.hstack([probs * (1 - gaps[j]), gaps[j]])
            column = replace(column, levels=(*column.known, None), missing_level=True)
        tables.append((column, probs))
    return tables


def _no_levels(column: Column, family: str) -> LikelyError:
    return LikelyError(
        f"column {column.name!r} is {column.kind} ({family}), and a joint table is of levels: put it into "
        "bins before the model is fitted, or fit with its values as levels: "
        f"kinds={{{column.name!r}: 'ordinal'}}."
    )
