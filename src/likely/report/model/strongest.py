"""The values that speak most for each class: by how much they change the odds, and how often they do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import log
from likely.engine import Answers, Chunk, MapTask, Memory
from likely.estimator.fitted import class_codes
from likely.format.words import json_ready, shown
from likely.infer import bayes_rule
from likely.models.groups.nomogram import CURVE
from likely.models.groups.record import GroupRecord
from likely.models.parts.part import Part
from likely.models.parts.words import WordsPart
from likely.stats import Counts, Groups
from likely.table.build import values_of
from likely.table.column.as_raw import as_raw
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.column.words import Bags
from likely.table.frame import Frame

Floats = NDArray[np.float64]

DIGITS = range(3, 18)  # significant ones: as few as tell a limit from its neighbours
Ints = NDArray[np.intp]
CURVES = 1 << 21  # cells of evidence that are held at once: 16 MB
WORDS = 50  # of a column of texts that are weighed for each class


@dataclass(frozen=True)
class ValueRange:
    """The values from one number to another, both ends in it; no limit where the words name none."""

    low: float
    high: float
    words: str

    @classmethod
    def of(cls, column: Column, points: Floats, start: int, last: int) -> ValueRange:
        """From one of some rising points to another. At the ends of the points there is no limit."""
        low, high = (_limit(column, points, place) for place in (start, last))
        if start == 0:
            return cls(-math.inf, high[0], f"up to {high[1]}")
        if last == len(points) - 1:
            return cls(low[0], math.inf, f"from {low[1]} on")
        words = f"= {low[1]}" if low == high else f"from {low[1]} to {high[1]}"
        return cls(low[0], high[0], words)

    def holds(self, x: Floats) -> NDArray[np.bool_]:
        """Whether numbers lie in it; missing ones do not."""
        return np.asarray((x >= self.low) & (x <= self.high))


def _limit(column: Column, points: Floats, place: int) -> tuple[float, str]:
    """A point as it is written, and the number that is written: nearer to it than to its neighbours."""
    value = float(points[place])
    if column.unit is not None:
        whole = float(np.clip(round(value), math.ceil(points[0]), math.floor(points[-1])))
        return whole, shown(values_of(column, [whole], "dict")[0])
    before = float(points[max(place - 1, 0)])
    after = float(points[min(place + 1, len(points) - 1)])
    for digits in DIGITS:
        text = f"{value:.{digits}g}" if abs(value) < 1000 else f"{value:.{max(digits - 4, 0)}f}"
        said = float(text)
        inside = points[0] <= said <= points[-1]
        if said == value or (inside and (before + value) / 2 < said < (value + after) / 2):
            break
    return said, text


@dataclass(frozen=True)
class ClassShares:
    """The rows that a model has learnt from. A share is of all rows of a class, those with gaps too."""

    record: GroupRecord
    frame: Frame
    classes: Ints  # (n,), the place of each row's class
    weight: Floats  # (n,)

    @classmethod
    def of(cls, record: GroupRecord, frame: Frame, target: object, weight: Floats | None) -> ClassShares:
        """The rows of a table, their classes and weights."""
        classes = class_codes(record.target, as_raw(record.target.name, target))
        return cls(record, frame, classes, np.ones(frame.n) if weight is None else weight)

    @cached_property
    def totals(self) -> Floats:
        """The weight of each class, (g,); 1 for a class without rows, of which there is no share."""
        total = self.groups.total
        return np.where(total > 0, total, 1.0)

    @cached_property
    def groups(self) -> Groups:
        """The class that each row belongs to."""
        return Groups.hard(self.classes, len(self.record.classes), self.weight)

    def cells(self, part: Part, column: int) -> NDArray[Any]:
        """What a part reads of a column, (n,): codes, numbers, or whether cells are missing."""
        block: Any = replace(part, columns=(column,)).block(self.frame)
        rows = block.rows(0, self.frame.n)
        return np.array((rows if isinstance(rows, np.ndarray) else rows.toarray())[:, 0])

    def shares(self, places: Ints, k: int) -> Floats:
        """The share of each class that is at each of k places, (k, g); a row at -1 is at none."""
        return Counts.collect(places[:, None], self.groups, (k,)).table.T / self.totals

    def shares_of_words(self, part: Part, kept: Ints) -> Floats:
        """The share of each class whose text holds each of some words, (words, g)."""
        from scipy.sparse import csr_array

        bags = part.block(self.frame)
        assert isinstance(bags, Bags)
        m, n, g = bags.texts.shape[0], self.frame.n, len(self.totals)
        codes = np.where(bags.codes < 0, m - 1, bags.codes).astype(np.intp)  # the last text is empty
        by_text = csr_array((self.weight, (codes, self.classes)), shape=(m, g)) if n else csr_array((m, g))
        holds = csr_array(
            (bags.texts.data > 0, bags.texts.indices, bags.texts.indptr), shape=bags.texts.shape
        )
        return np.asarray((holds.T.astype(np.float64) @ by_text).toarray()[kept] / self.totals)


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
        for place, log_p in enumerate(_terms_by_value(part, values)):
            if not len(log_p):
                continue
            column, own = part.column(place), names[place]
            evidence = np.stack(list(_against_others(log_p, record.core.log_weights)))  # (g, v)
            if own is not None:
                yield from _values(rows, evidence, column, own, cells[place])
            else:
                yield from _ranges(rows, evidence, column, cells[place], values[place])


def _terms_by_value(part: Part, values: Sequence[NDArray[Any]]) -> Iterator[Floats]:
    """What each of some values of every column adds in every group, (v, g) for each column in turn.

    All columns go through the distribution together, a few at a time as they fit.
    """
    longest = max(map(len, values), default=0)
    cells = len(values) * longest * part.distribution.batch[0]
    for places in np.array_split(np.arange(len(values)), 1 + cells // CURVES):
        rows = part.empty(longest)
        for place in places:
            rows[: len(values[place]), place] = values[place]
        (terms,) = Memory().map(Chunk(rows, *rows.shape), _Terms(part, places))
        for at, place in enumerate(places):
            yield terms[: len(values[place]), :, at]


@dataclass(frozen=True, eq=False)
class _Terms(MapTask[NDArray[Any]]):
    """What the values of some columns add in every group."""

    part: Part
    places: Ints

    def width(self, stored: int) -> int:
        """What all columns of a row add in every group."""
        return stored * int(self.part.distribution.batch[0])

    def answers(self, n: int) -> Answers:
        """One array, (n, g, columns)."""
        return (np.empty((n, self.part.distribution.batch[0], len(self.places))),)

    def step(self, data: NDArray[Any], start: int, stop: int, out: Answers) -> None:
        """Of some values."""
        out[0][:] = self.part.distribution.terms(data[start:stop])[:, :, self.places]


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
    """Values between the lowest and the highest that were seen: evenly along the line, and by rank.

    They are such as the column holds: of whole numbers, whole ones.
    """
    x = x[~np.isnan(x)]
    if not len(x):
        return x
    even = np.linspace(x.min(), x.max(), CURVE)
    points = np.concatenate([even, np.quantile(x, np.linspace(0, 1, CURVE), method="nearest")])
    if column.span is not None:
        points = column.span.nearest(points)
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
