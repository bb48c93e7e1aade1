"""One reading of the table for all members: numbers, bins and levels, and what each says of the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading.numbers import NumberScales
from likely.pool.reading.words import WordEvidence
from likely.table.column.block import Codes, Numbers
from likely.table.column.kinds import Kind
from likely.table.column.words import Bags
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

MOST_BINS = 16  # of a column of numbers
MOST_DONORS = 2000  # rows that are kept


@dataclass(frozen=True)
class TableRows:
    """The columns of a table by their kind, handed out in blocks of rows."""

    numbers: Numbers
    codes: Codes | None
    bags: tuple[Bags, ...]

    @classmethod
    def of(cls, schema: Schema, frame: Frame) -> TableRows:
        """Of a table that fits the schema."""
        numbers = schema.numbers(frame, counted(schema))
        numbers.refuse_extremes(0, frame.n)
        codes = schema.codes(frame, coded(schema)) if coded(schema) else None
        return cls(numbers, codes, tuple(schema.bags(frame, j) for j in texts(schema)))

    def cells(self, start: int, stop: int) -> Floats:
        """Numbers of some rows, (b, m)."""
        part: Any = self.numbers.rows(start, stop)
        return np.array(part if isinstance(part, np.ndarray) else part.toarray(), np.float64)

    def levels(self, start: int, stop: int) -> Ints:
        """Codes of levels of some rows, (b, c): -1 where missing, -2 where never seen."""
        if self.codes is None:
            return np.zeros((stop - start, 0), np.intp)
        return np.array(self.codes.rows(start, stop))

    def texts(self, start: int, stop: int) -> list[Bags]:
        """Bags of words of some rows."""
        return [Bags(bag.texts, bag.codes[start:stop]) for bag in self.bags]


@dataclass(frozen=True)
class Reading:
    """How a table is read, learnt once.

    Every column of numbers or levels has *bins*: of about as many rows each, or its levels; missing cells
    have a bin of their own if some were seen. Texts become numbers: the evidence of their words.
    """

    schema: Schema
    scales: NumberScales
    n_bins: (
        Ints  # (d,) of each binned column: numbers, words, then levels; the bin of missing cells is the last
    )
    gaps: NDArray[np.bool_]  # (d,) whether missing cells were seen
    tallies: Floats  # (bins of all columns, g): weight of the rows of each class
    words: tuple[WordEvidence, ...]  # of each column of texts
    donors: NDArray[np.int32]  # (m, d): the bins of some rows, with which others are filled
    donor_groups: Ints  # (m,): and their groups

    @classmethod
    def learn(
        cls, schema: Schema, frame: Frame, codes: Ints, n_classes: int, weight: Floats, fold: Ints
    ) -> tuple[Reading, View]:
        """From rows with their classes; also the view of these rows, in which no row has seen itself."""
        rows, n = TableRows.of(schema, frame), frame.n
        words = tuple(WordEvidence.learn(bag, codes, n_classes, weight) for bag in rows.bags)
        told = [w.held_out(bag, codes, weight, fold) for w, bag in zip(words, rows.bags, strict=True)]
        numbers, levels = np.concatenate([rows.cells(0, n), *told], axis=1), rows.levels(0, n)
        scales = NumberScales.learn(numbers, int(np.clip(np.sqrt(n) / 2, 4, MOST_BINS)))
        gaps = np.asarray(np.concatenate([np.isnan(numbers), levels == -1], axis=1).any(axis=0))
        sizes = [len(schema.columns[j].known) for j in coded(schema)]
        n_bins = np.concatenate([scales.n_bins, sizes]).astype(np.intp) + gaps
        tallies = np.zeros((int(n_bins.sum()), n_classes))
        none = np.zeros((0, len(n_bins)), np.int32), np.zeros(0, np.intp)
        reading = cls(schema, scales, n_bins, gaps, tallies, words, *none)
        bins = reading.bins(numbers, levels)
        some = _some_rows(weight)
        reading = replace(reading, donors=bins[some].astype(np.int32), donor_groups=codes[some])
        view = View(reading, numbers, bins, fold)
        by_fold = view.tallies(codes, n_classes, weight)
        tallies += by_fold.sum(axis=0)
        return reading, View(reading, numbers, view.bins, fold, by_fold)

    def view(self, rows: TableRows, start: int, stop: int, untold: Sequence[int] = ()) -> View:
        """Rows to be predicted; of `untold` columns nothing is known, not even that they are missing."""
        bags = rows.texts(start, stop)
        told = [w.scores(bag) for w, bag in zip(self.words, bags, strict=True)]
        numbers = np.concatenate([rows.cells(start, stop), *told], axis=1)
        bins = self.bins(numbers, rows.levels(start, stop))
        return View(self, numbers, np.where(np.isin(self.source, untold), -1, bins) if untold else bins)

    def bins(self, numbers: Floats, levels: Ints) -> Ints:
        """The bin of each cell, (n, d): -1 if it is missing as it never was before, -2 of unseen levels."""
        bins = np.concatenate([self.scales.bins(numbers), levels], axis=1)
        return np.where((bins == -1) & self.gaps, self.n_bins - 1, bins)

    def log_odds_of_donors(self) -> Floats:
        """The log-odds of the last group against the first in each donor, columns taken one by one, (m,)."""
        odds = View(self, np.zeros((0, 0)), self.donors.astype(np.intp)).evidence(1.0)
        return np.asarray((odds[..., -1] - odds[..., 0]).sum(axis=1))

    @cached_property
    def owner(self) -> Ints:
        """The binned column that each bin belongs to, (bins,)."""
        return np.repeat(np.arange(len(self.n_bins)), self.n_bins)

    @cached_property
    def frequent(self) -> NDArray[np.bool_]:
        """Which bins were seen, and are among the most frequent of their column, (bins,)."""
        weight = self.tallies.sum(axis=1)
        keep = np.asarray(weight > 0)
        for j in np.flatnonzero(self.n_bins > MOST_LEVELS):
            own = np.flatnonzero(self.owner == j)
            keep[own[np.argsort(-weight[own], kind="stable")[MOST_LEVELS:]]] = False
        return keep

    @cached_property
    def of_gaps(self) -> NDArray[np.bool_]:
        """Which bins are those of missing cells, (bins,)."""
        out = np.zeros(len(self.owner), bool)
        out[(np.cumsum(self.n_bins) - 1)[self.gaps]] = True
        return out

    @cached_property
    def middles(self) -> tuple[Floats, ...]:
        """Of each column of numbers a number in each of its bins, NaN in that of missing cells."""
        gap = np.array([np.nan])
        return tuple(
            np.concatenate([self.scales.middles(j), gap[: int(self.gaps[j])]]) for j in range(self.n_numbers)
        )

    @cached_property
    def source(self) -> Ints:
        """The column of the table that each binned column comes from, (d,)."""
        of_words = [np.full(w.width, j) for w, j in zip(self.words, texts(self.schema), strict=True)]
        return np.concatenate([counted(self.schema), *of_words, coded(self.schema)]).astype(np.intp)

    @property
    def n_numbers(self) -> int:
        """How many of the binned columns are numbers."""
        return len(self.scales.mean)


MOST_LEVELS = 50  # of a column that are told apart where each has a coefficient or an axis


@dataclass(frozen=True)
class View:
    """Rows as members see them; rows that were learnt from are told only what other folds say."""

    reading: Reading
    numbers: Floats  # (n, m), NaN where missing
    bins: Ints  # (n, d): the first m of numbers; below 0 where nothing is known
    fold: Ints | None = None  # of rows that were learnt from
    by_fold: Floats | None = None  # (folds, bins, g)

    @cached_property
    def place(self) -> Ints:
        """The place of each cell's bin among the bins of all columns, (n, d); -1 where nothing is known."""
        n_bins = self.reading.n_bins
        return np.where(self.bins >= 0, self.bins + np.cumsum(n_bins) - n_bins, -1)

    def tallies(self, codes: Ints, n_classes: int, weight: Floats) -> Floats:
        """The weight of each bin and class in each fold, (folds, bins, g)."""
        assert self.fold is not None
        folds, total = int(self.fold.max()) + 1, int(self.reading.n_bins.sum())
        at = (self.fold[:, None] * (total + 1) + self.place % (total + 1)) * n_classes + codes[:, None]
        flat = np.bincount(at.ravel(), np.repeat(weight, at.shape[1]), folds * (total + 1) * n_classes)
        return flat.astype(np.float64).reshape(folds, total + 1, n_classes)[:, :total]

    def evidence(self, strength: float, without: int | None = None) -> Floats:
        """The log-odds, in favour of each class, of each cell's bin, (n, d, g).

        log P(class given bin) / P(class), with `strength` rows of the base rate added to every bin. Of rows
        that were learnt from, the classes of a fold `without` are told to no row.
        """
        whole = self.reading.tallies
        if self.by_fold is None or self.fold is None:
            return np.asarray(_log_odds(whole, strength)[self.place])
        hidden = self.by_fold.copy()
        if without is not None:
            hidden[np.arange(len(hidden)) != without] += self.by_fold[without]
        tables = np.stack([_log_odds(np.maximum(whole - own, 0), strength) for own in hidden])
        return np.asarray(tables[self.fold[:, None], self.place])

    def one_hot(self, bins: Ints, heights: Floats, out: Floats) -> None:
        """Write the height of each of some bins where a row lies in it, into zeros (n, bins)."""
        column = np.full(len(self.reading.owner) + 1, -1, np.intp)
        column[bins] = np.arange(len(bins))
        at = column[self.place]
        row, place = np.nonzero(at >= 0)
        to = at[row, place]
        out[row, to] = heights[to]


def _some_rows(weight: Floats) -> Ints:
    """The places of rows that stand for all: of unequal weights, as often as they count."""
    rng, n = np.random.default_rng(0), len(weight)
    if (weight == weight[0]).all():
        return np.arange(n) if n <= MOST_DONORS else np.sort(rng.choice(n, MOST_DONORS, replace=False))
    return np.sort(rng.choice(n, MOST_DONORS, p=weight / weight.sum()))


def _log_odds(tally: Floats, strength: float) -> Floats:
    """Of tallies (bins, g): (bins + 1, g), the last 0, for cells of which nothing is known."""
    whole = tally.sum(axis=1, keepdims=True)
    share = (tally.sum(axis=0) + 0.5) / (tally.sum(axis=0) + 0.5).sum()
    odds = np.log((tally + strength * share) / ((whole + strength) * share))
    return np.concatenate([odds, np.zeros((1, tally.shape[1]))])


def counted(schema: Schema) -> list[int]:
    """The columns of a table that are numbers."""
    return [j for j, column in enumerate(schema.columns) if column.levels is None]


def coded(schema: Schema) -> list[int]:
    """The columns of a table that are levels."""
    return [j for j, column in enumerate(schema.columns) if column.has_levels]


def texts(schema: Schema) -> list[int]:
    """The columns of a table that are texts."""
    return [j for j, column in enumerate(schema.columns) if column.kind is Kind.TEXT]
