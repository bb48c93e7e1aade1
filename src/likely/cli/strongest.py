"""The values that speak most for each class: by how much they change the odds, and how often they do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.logs import log
from likely.evidence.words import json_ready, shown
from likely.infer import bayes_rule
from likely.models.graphs import grid
from likely.models.record import Record
from likely.models.slots import Reads, Slot
from likely.models.words_part import WordsPart
from likely.table.build import values_of
from likely.table.column import Column
from likely.table.kinds import Kind

Floats = NDArray[np.float64]

WORDS = 50  # of a column of texts that are weighed for each class


@dataclass(frozen=True)
class Sign:
    """A value, word or range of values that speaks for a class."""

    column: str
    what: str
    evidence: float  # nats that it adds to the log-odds of the class against all others
    share: float  # of the rows of the class that show it

    def to_dict(self) -> dict[str, Any]:
        """In plain Python, ready for JSON."""
        return {
            "column": self.column,
            "value": self.what,
            "evidence": json_ready(self.evidence),
            "share of class": json_ready(self.share),
        }


def strongest(record: Record, top: int) -> dict[Any, list[Sign]]:
    """For each class the signs with most evidence in all: evidence times the share of rows that show it."""
    if len(record.classes) < 2 or record.components is not None:
        return {}
    if all(slot.family.joint and slot.reads is not Reads.WORDS for slot in record.slots):
        return {}  # what one column says depends on the others
    found: dict[Any, list[Sign]] = {label: [] for label in record.classes}
    for slot, part, seen in zip(record.slots, record.core.parts, record.tally.parts, strict=True):
        for group, sign in _signs(record, slot, part, seen):
            if sign.evidence > 0 and sign.share > 0:
                found[record.classes[group]].append(sign)
    return {
        label: sorted(signs, key=lambda sign: -sign.evidence * sign.share)[:top]
        for label, signs in found.items()
    }


def _signs(record: Record, slot: Slot, part: Any, seen: Any) -> Iterator[tuple[int, Sign]]:
    """The signs of all columns that a slot describes, each with the place of its class."""
    if isinstance(part, WordsPart):
        if part.words is not None:
            yield from _words(record, slot, part, seen)
    elif not part.event_axes:  # else what one column says depends on the others
        for place, j in enumerate(slot.columns):
            yield from _values(record, slot, part, place, record.schema.columns[j])


def _values(record: Record, slot: Slot, part: Any, place: int, column: Column) -> Iterator[tuple[int, Sign]]:
    gaps = slot.reads is Reads.GAPS
    points = np.array([0.0, 1.0]) if gaps else grid(column, part, place)
    rows = np.full(
        (len(points), len(slot.columns)), -1 if slot.reads is Reads.CODES else np.nan, points.dtype
    )
    rows[:, place] = points  # the others missing: each term is then this column's alone
    log_p = part.terms(rows)[:, :, place]  # (v, g)
    names = ["known", "missing"] if gaps else _names(column)
    for group, evidence in enumerate(_against_others(log_p, record.core.log_weights)):
        share = np.exp(log_p[:, group])
        if names is not None:
            for name, nats, part_of in zip(names, evidence.tolist(), share.tolist(), strict=True):
                yield group, Sign(column.name, f"= {name}", nats, part_of)
        else:
            yield from ((group, sign) for sign in _ranges(column, points, evidence, share))


def _names(column: Column) -> list[str] | None:
    """The values of a column by name; None if they are numbers along a line."""
    if column.levels is not None:
        return ["missing" if level is None else shown(level) for level in column.levels]
    return ["False", "True"] if column.kind is Kind.BOOLEAN else None


def _ranges(column: Column, points: Floats, evidence: Floats, density: Floats) -> Iterator[Sign]:
    """Stretches of values that all speak for the class, with their mean evidence."""
    steps = np.gradient(points) if len(points) > 1 else np.ones(1)
    mass = density * steps
    for_it = np.concatenate([[False], evidence > 0, [False]])
    starts, stops = np.flatnonzero(for_it[1:] > for_it[:-1]), np.flatnonzero(for_it[:-1] > for_it[1:])
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        share = float(mass[start:stop].sum())
        if share > 0:
            with np.errstate(invalid="ignore"):
                mean = float((mass[start:stop] * evidence[start:stop]).sum() / share)
            yield Sign(column.name, _range(column, points, start, stop - 1), mean, min(share, 1.0))


def _range(column: Column, points: Floats, start: int, last: int) -> str:
    """A stretch in words; at the end of the grid it has no limit."""
    low, high = (_point(column, points[place]) for place in (start, last))
    if start == 0 or last == len(points) - 1:
        return f"up to {high}" if start == 0 else f"from {low} on"
    return f"= {low}" if low == high else f"from {low} to {high}"


def _point(column: Column, value: float) -> str:
    if column.unit is not None:
        return shown(values_of(column, [value], "dict")[0])
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def _words(record: Record, slot: Slot, part: WordsPart, seen: Any) -> Iterator[tuple[int, Sign]]:
    column = record.schema.columns[slot.columns[0]]
    means = np.asarray(part.words.mean)  # (g, words)
    bits = column.words is not None and column.words.bits
    log_p = log(means if bits else means / means.sum(axis=1, keepdims=True)).T
    texts = np.maximum(seen.n[:, part.kept], 1e-300)
    shares = np.minimum(seen.total[:, part.kept] / texts, 1.0)
    for group, evidence in enumerate(_against_others(log_p, record.core.log_weights)):
        found = np.argsort(-evidence * shares[group], kind="stable")[:WORDS]
        for j in found.tolist():
            word = shown(part.vocabulary[part.kept[j]])
            yield group, Sign(column.name, f"has {word!r}", float(evidence[j]), float(shares[group, j]))


def _against_others(log_p: Floats, log_weights: Floats) -> Iterator[Floats]:
    """For every class, log P(value given it) less log P(value given any other), (v,)."""
    for group in range(log_p.shape[1]):
        others = np.arange(log_p.shape[1]) != group
        weights = log_weights[others]
        weights = weights if np.isfinite(weights).any() else np.zeros(len(weights))
        rest = bayes_rule(log_p[:, others] + weights)[1] - bayes_rule(weights[None, :])[1]
        with np.errstate(invalid="ignore"):
            yield np.nan_to_num(log_p[:, group] - rest, nan=0.0, posinf=np.inf, neginf=-np.inf)
