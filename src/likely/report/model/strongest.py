"""The values that speak most for each class: by how much they change the odds, and how often they do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import log
from likely.format.words import json_ready, shown
from likely.infer import bayes_rule
from likely.models.groups.nomogram import CURVE
from likely.models.groups.record import GroupRecord
from likely.models.parts.part import Part
from likely.models.parts.words import WordsPart
from likely.report.model.class_shares import ClassShares
from likely.report.model.value_range import ValueRange
from likely.table.column.column import Column
from likely.table.column.kinds import Kind

Floats = NDArray[np.float64]

WORDS = 50  # of a column of texts that are weighed for each class


@dataclass(frozen=True)
class Sign:
    """A value, word or range of values that speaks for a class."""

    column: str
    what: str
    evidence: float  # nats that it adds to the log-odds of the class against all others
    share: float  # of the rows of the class that show it, counted

    def to_dict(self) -> dict[str, Any]:
        """In plain Python, ready for JSON."""
        return {
            "column": self.column,
            "value": self.what,
            "evidence": json_ready(self.evidence),
            "share of class": json_ready(self.share),
        }


def strongest(record: GroupRecord, rows: ClassShares, top: int) -> dict[Any, list[Sign]]:
    """For each class the signs with most evidence in all: evidence times the share of rows that show it."""
    if len(record.classes) < 2 or record.components is not None:
        return {}
    if all(part.family.joint and not isinstance(part, WordsPart) for part in record.parts):
        return {}  # what one column says depends on the others
    signs: dict[Any, list[Sign]] = {label: [] for label in record.classes}
    for part in record.core.parts:
        for group, sign in _signs(record, rows, part):
            if sign.evidence > 0 and sign.share > 0:
                signs[record.classes[group]].append(sign)
    return {
        label: sorted(own, key=lambda sign: -sign.evidence * sign.share)[:top] for label, own in signs.items()
    }


def _signs(record: GroupRecord, rows: ClassShares, part: Part) -> Iterator[tuple[int, Sign]]:
    """The signs of all columns that a part describes, each with the place of its class."""
    if isinstance(part, WordsPart):
        if part.distribution.words is not None:
            yield from _words(record, rows, part)
    elif not part.distribution.event_axes:  # else what one column says depends on the others
        cells = [rows.cells(part, j) for j in part.columns]
        names = [part.value_names(place) for place in range(len(cells))]
        values: list[NDArray[Any]] = [
            np.arange(len(own)) if own is not None else _points(part.column(place), cells[place])
            for place, own in enumerate(names)
        ]
        for place, log_p in enumerate(part.terms_by_value(values)):
            if not len(log_p):
                continue
            column, own = part.column(place), names[place]
            evidence = np.stack(list(_against_others(log_p, record.core.log_weights)))  # (g, v)
            if own is not None:
                yield from _values(rows, evidence, column, own, cells[place])
            else:
                yield from _ranges(rows, evidence, column, cells[place], values[place])


def _values(
    rows: ClassShares, evidence: Floats, column: Column, names: list[str], cells: NDArray[Any]
) -> Iterator[tuple[int, Sign]]:
    places = np.where(np.isnan(cells), -1, cells).astype(np.intp) if cells.dtype.kind == "f" else cells
    shares = rows.shares(places.astype(np.intp), len(names))
    for group, own in enumerate(evidence.tolist()):
        for name, nats, share in zip(names, own, shares[:, group].tolist(), strict=True):
            yield group, Sign(column.name, f"= {name}", nats, share)


def _ranges(
    rows: ClassShares, evidences: Floats, column: Column, x: Floats, points: Floats
) -> Iterator[tuple[int, Sign]]:
    """Ranges of values that all are evidence for a class, with the mean evidence of its rows in them."""
    for group, evidence in enumerate(evidences):
        mine = np.where(rows.classes == group, rows.weight, 0.0)
        for_it = np.concatenate([[False], evidence > 0, [False]])
        starts = np.flatnonzero(for_it[1:] > for_it[:-1]).tolist()
        stops = np.flatnonzero(for_it[:-1] > for_it[1:]).tolist()
        for start, stop in zip(starts, stops, strict=True):
            value_range = ValueRange.of(column, points, start, stop - 1)
            weight = np.where(value_range.holds(x), mine, 0.0)
            share = float(weight.sum())
            if share > 0:
                nearest = np.clip(
                    np.searchsorted(points, np.where(weight > 0, x, points[0])), start, stop - 1
                )
                with np.errstate(invalid="ignore"):
                    mean = float(weight @ np.where(weight > 0, evidence[nearest], 0.0)) / share
                yield group, Sign(column.name, value_range.words, mean, share / float(rows.totals[group]))


def _points(column: Column, x: Floats) -> Floats:
    """Values between the lowest and the highest that were seen: evenly along the line, and by rank."""
    x = x[~np.isnan(x)]
    if not len(x):
        return x
    even = np.linspace(x.min(), x.max(), CURVE)
    points = np.concatenate([even, np.quantile(x, np.linspace(0, 1, CURVE), method="nearest")])
    return np.unique(np.round(points) if column.kind is Kind.COUNT else points)


def _words(record: GroupRecord, rows: ClassShares, part: WordsPart) -> Iterator[tuple[int, Sign]]:
    column, names = part.first, part.distribution.names
    means = part.distribution.rates  # (g, words)
    bits = column.words is not None and column.words.bits
    log_p = log(means if bits else means / means.sum(axis=1, keepdims=True)).T
    shares = rows.shares_of_words(part, part.distribution.kept)
    for group, evidence in enumerate(_against_others(log_p, record.core.log_weights)):
        first = np.argsort(-evidence * shares[:, group], kind="stable")[:WORDS]
        for j in first.tolist():
            word = shown(names[j])
            yield group, Sign(column.name, f"has {word!r}", float(evidence[j]), float(shares[j, group]))


def _against_others(log_p: Floats, log_weights: Floats) -> Iterator[Floats]:
    """For every class, log P(value given it) less log P(value given any other), (v,)."""
    for group in range(log_p.shape[1]):
        others = np.arange(log_p.shape[1]) != group
        weights = log_weights[others]
        weights = weights if np.isfinite(weights).any() else np.zeros(len(weights))
        rest = bayes_rule(log_p[:, others] + weights)[1] - bayes_rule(weights[None, :])[1]
        with np.errstate(invalid="ignore"):
            yield np.nan_to_num(log_p[:, group] - rest, nan=0.0, posinf=np.inf, neginf=-np.inf)
