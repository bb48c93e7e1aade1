"""Columns of any kind -> what each says about the classes, in log-odds: weight of evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from likely.draw.evidence_steps import evidence_steps
from likely.errors import LikelyError
from likely.estimator.fitted import row_weights
from likely.features.cell_table import CellTable, Told
from likely.features.counted import Counted, is_levels, is_numbers
from likely.features.evidence_maps import (
    SMOOTHINGS,
    LineMap,
    cell_map,
    evidence,
    level_shares,
    of_average,
    of_hull,
    of_levels,
    of_line,
)
from likely.features.partition import CellMap, ColumnMap, Partition
from likely.features.ranking import ColumnBits, ColumnRanking, told_bits
from likely.features.transformer import Transformer, cells_of, drawn_column, one_of, place_with_values
from likely.format.words import shown
from likely.infer.folds import stratified
from likely.stats import Groups
from likely.stats.groups import Floats
from likely.stats.recursive_partition import entropy_of_shares
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type
from likely.table.frame import Frame
from likely.table.schema import Schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes

METHODS = ("average", "isotonic", "logistic")
SPACES = ("log-odds", "probability")
MISSING = ("keep", "neutral", "level")


class Evidence(Transformer):
    """What columns say about the classes: weight of evidence, target encoding, feature calibration.

    A value becomes the logarithm of its likelihood ratio: by how much it raises the log-odds of the second
    of two classes, the base rate taken out. Of more classes there is a column for each: by how much it
    raises the log-probability of the class. These columns add: with the log base rate they are naive Bayes.

    Numbers (and ordered levels) are by default averaged over all ways to cut them into bins, each by its
    posterior probability, which predicts better than any one way to cut. Levels are target encoded, drawn
    towards the base rate as far as their counts suggest. `fit_transform` is out of fold (cross-fitting): each
    row is changed by what the others say, so that a learner behind it is not deceived; `transform` uses all.

    Parameters
    ----------
    method : "average", "isotonic" or "logistic"
        Of numbers: the Bayesian average over all partitions into bins; the segments of the ROC hull, rising
        or falling as the column does; or a straight line, by class means and the variance within classes
        (d-prime), which has an inverse. Ordered levels are averaged, or isotonic; else as other levels.
    smoothing : "hierarchical", "neutral", "printed" or "plain"
        Of levels and isotonic segments. "neutral" adds rows in proportion to the base rate, as many as there
        are classes, and "hierarchical" as many as make the counts most probable. "printed" adds a row of each
        class, (m + 1) / (m + 1 + c (n - m + 1)), which is not neutral: a level never seen then speaks for the
        rarer class. "plain" adds none, and may say infinity.
    space : "log-odds" or "probability"
        Probabilities are those at equal base rates. They multiply: distances and linear models want log-odds.
    missing : "keep", "neutral" or "level"
        A missing cell stays missing, says nothing (0), or is a level of its own.
    base_rate : mapping or None
        The probability of each class among the rows, where it is known; None takes their shares.
    cv : int or splitter
        How many folds `fit_transform` makes, or which.
    columns, kinds
        As in `Discretize`; without `columns`, all but texts are changed.

    Examples
    --------
    >>> import likely
    >>> people = likely.read("titanic", into="dict")
    >>> model = likely.Evidence().fit(people, "survived")
    >>> model.transform({"class": ["1st"], "sex": ["female"], "age": ["child"]})["sex"].round(2)
    array([1.73])
    """

    def __init__(
        self,
        method: str = "average",
        *,
        smoothing: str = "hierarchical",
        space: str = "log-odds",
        missing: str = "keep",
        base_rate: Mapping[Any, float] | None = None,
        cv: Any = 5,
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
    ) -> None:
        self.method = method
        self.smoothing = smoothing
        self.space = space
        self.missing = missing
        self.base_rate = base_rate
        self.cv = cv
        self.columns = columns
        self.kinds = kinds

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return True

    @property
    def _spread(self) -> bool:
        return self.method == "logistic"

    @property
    def classes_(self) -> tuple[Any, ...]:
        """The classes, in order."""
        return self._known().classes

    def fit_transform(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Any:
        """Learn from all rows, and change each by what rows of other folds say."""
        self._check_options()
        looked_at = self._looked_at(X, y, sample_weight, self.kinds)
        maps = self._by_fold(*looked_at)
        frame = looked_at[2]
        if Frame.of(X).n > frame.n:  # rows that do not count are as new ones: all others change them
            frame = self._frame(X)
            counts = row_weights(sample_weight, frame.n) > 0
            maps = [
                one.among(counts, whole) if isinstance(one, _ByFold) and whole is not None else one
                for one, whole in zip(maps, self._maps(), strict=True)
            ]
        return self._changed(X, frame, maps)

    def rank(self, X: TableLike, y: Target, sample_weight: Weights = None) -> ColumnRanking:
        """How many bits about the target each column tells by itself, on rows it was not learnt from."""
        model: Evidence = clone(self).set_params(space="log-odds", missing="neutral")
        model._check_options()
        schema, target, frame, groups = model._looked_at(X, y, sample_weight, self.kinds)
        maps = model._by_fold(schema, target, frame, groups)
        whole = float(entropy_of_shares(groups.total / groups.total.sum()))
        columns = []
        for j, change in enumerate(maps):
            if change is not None:
                bits = told_bits(change.values(cells_of(schema, frame, j)), groups)
                columns.append(ColumnBits(schema.columns[j].name, bits, bits / whole if whole > 0 else 0.0))
        columns.sort(key=lambda one: -one.bits)
        return ColumnRanking(model.record_.target_name, whole, tuple(columns))

    def _by_fold(
        self, schema: Schema, target: Column | None, frame: Frame, groups: Groups
    ) -> Sequence[ColumnMap | None]:
        """Learn from all rows, and what becomes of each by what other folds say."""
        assert groups.codes is not None
        if frame.n < 2:
            self._take(Counted.of(schema, target, frame, groups, self._spread))
            return self._maps()
        fold = _fold_of_rows(groups.codes, self.cv)
        rows = [np.flatnonzero(fold == f) for f in range(int(fold.max()) + 1)]
        parts = Counted.of_parts(schema, target, frame, groups, rows, self._spread)
        whole = parts[0]
        for part in parts[1:]:
            whole += part
        self._take(whole)
        others = [self._made(whole - part) if (whole - part).n > 0 else self._maps() for part in parts]
        return _ByFold.over(others, fold)

    def inverse_transform(self, X: TableLike) -> Any:
        """Back from logistic evidence to the values of numbers; no other evidence has an inverse."""
        maps = self._maps()
        if not all(isinstance(one, LineMap) and len(one.outputs) == 1 for one in maps if one is not None):
            raise LikelyError(
                "only logistic evidence of numbers for two classes has an inverse: bins and levels that say "
                "the same cannot be told apart. Use Evidence('logistic', columns=[...])."
            )
        frame, schema = Frame.of(X), self._known().schema
        if len(frame.names) != len(schema.columns):
            raise LikelyError(f"X has {len(frame.names)} columns, and {len(schema.columns)} came out.")
        back = [
            one.inverse(np.asarray(frame.raw(name).numbers(), np.float64))
            if isinstance(one, LineMap)
            else None
            for name, one in zip(frame.names, maps, strict=True)
        ]
        return self._put_back(X, frame, back)

    def plot(self, column: str | None = None, ax: Axes | None = None) -> Axes:
        """The evidence of each value of a column, with 90 % intervals of its cells."""
        names = [m.partition.column.name for m in self._maps() if m is not None]
        record = self._known()
        j = place_with_values(record, drawn_column(self, column, names))
        change = self._maps()[j]
        assert change is not None
        part = change.partition
        told = Told.of(part.counts)
        if part.edges is None:
            places = np.arange(len(part.labels), dtype=np.float64)
            values: Any = np.arange(len(part.labels)) if part.cell_of is None else _one_of_each(part.cell_of)
            words: tuple[str, ...] | None = part.labels
        else:
            cells = record.numbers(j)
            ends = [cells.centre[0], *part.edges, cells.centre[-1]]
            places = np.array([(a + b) / 2 for a, b in pairwise(ends)])
            values, words = np.linspace(cells.centre[0], cells.centre[-1], 500), None
        curves = change.values(values)
        names_of = self._classes_said()
        across = values if words is None else places
        lines = {name: (across.tolist(), curves[:, i].tolist()) for i, name in enumerate(names_of)}
        bars = None
        if len(names_of) == 1 and self.space == "log-odds":
            bars = (places.tolist(), told.low[0].tolist(), told.high[0].tolist())
        words_up = "evidence in nats" if self.space == "log-odds" else "probability at equal base rates"
        return evidence_steps(lines, bars=bars, labels=words, title=str(column), ylabel=words_up, ax=ax)

    def table(self, columns: Sequence[str] | str | None = None) -> CellTable:
        """As of any transformer, and what each cell becomes (of several in one line, on average)."""
        table = super().table(columns)
        becomes = {}
        for change in self._maps():
            if isinstance(change, CellMap):
                means = _in_coarse(change.cells, change.partition, change.table)
                becomes[change.partition.column.name] = iter(means.tolist())
        heads = [f"becomes {name}".rstrip() for name in self._becomes()]
        lines = []
        for line in table.lines:  # the cells of a column in their order: two may be called the same
            values = next(becomes[line["column"]]) if line["column"] in becomes else None
            more = {} if values is None else dict(zip(heads, values, strict=True))
            lines.append(line | more)
        return replace(table, lines=tuple(lines))

    def _becomes(self) -> list[str]:
        return [""] if len(self.classes_) <= 2 else [shown(c) for c in self.classes_]

    def _classes_said(self) -> list[str]:
        return [shown(c) for c in (self.classes_[1:] if len(self.classes_) == 2 else self.classes_)]

    def _check_options(self) -> None:
        one_of("method", self.method, METHODS)
        one_of("smoothing", self.smoothing, SMOOTHINGS)
        one_of("space", self.space, SPACES)
        one_of("missing", self.missing, MISSING)
        if isinstance(self.cv, bool) or (isinstance(self.cv, int | np.integer) and self.cv < 2):
            raise LikelyError(f"cv={self.cv!r}: give a number of folds of 2 or more, or a splitter.")

    def _applies(self, column: Column) -> bool:
        return is_numbers(column) or is_levels(column)

    def _learn(self, record: Counted, j: int) -> ColumnMap:
        column, known = record.schema.columns[j], record.known(j)
        base = self._base(record, known)
        outputs = self._outputs(column, record.classes)
        gap = self._gap(record, known, base)
        if self.method == "logistic" and is_numbers(column):
            return of_line(record, j, outputs, gap, self.space)
        ordered = is_numbers(column) or (column.kind is Kind.ORDINAL and self.method != "logistic")
        way = (
            {"average": of_average, "isotonic": of_hull}.get(self.method, of_levels) if ordered else of_levels
        )
        return cell_map(way(record, j, base, self.smoothing), outputs, gap, self.space)

    def _base(self, record: Counted, known: Floats) -> Floats:
        """The base rate of the classes among the rows that have a value."""
        if self.base_rate is None:
            return known / known.sum() if known.sum() > 0 else record.totals / record.n
        asked = dict(self.base_rate)
        strange = [label for label in asked if label not in record.classes]
        if strange or len(asked) != len(record.classes):
            raise LikelyError(
                f"base_rate={self.base_rate!r}: give a probability for each of the classes "
                f"{list(record.classes)[:10]!r}."
            )
        rates = np.array([float(asked[label]) for label in record.classes])
        if not (rates > 0).all() or not np.isclose(rates.sum(), 1):
            raise LikelyError(
                f"base_rate={self.base_rate!r}: probabilities above 0 that add up to 1 are needed."
            )
        return rates

    def _outputs(self, column: Column, classes: Sequence[Any]) -> list[Column]:
        if len(classes) <= 2:
            return [Column(column.name, Kind.QUANTITATIVE, Type.FLOAT)]
        return [Column(f"{column.name}: {shown(c)}", Kind.QUANTITATIVE, Type.FLOAT) for c in classes]

    def _gap(self, record: Counted, known: Floats, base: Floats) -> Floats:
        """What a missing cell says, in nats."""
        m = 1 if len(record.classes) <= 2 else len(record.classes)
        if self.missing == "keep":
            return np.full(m, np.nan)
        if self.missing == "neutral" or len(record.classes) < 2:
            return np.zeros(m)
        gaps = np.maximum(record.totals - known, 0.0)
        whole = record.totals / record.n
        smoothing = "neutral" if self.smoothing == "hierarchical" else self.smoothing
        shares, _, _ = level_shares(gaps[:, None], whole, smoothing)
        return evidence(shares, whole)[:, 0]


class _ByFold:
    """The map of one column in each fold: a row is changed by that of its own."""

    def __init__(self, maps: Sequence[ColumnMap], fold: Any) -> None:
        self.maps, self.fold = maps, fold
        self.partition, self.outputs = maps[0].partition, maps[0].outputs

    @classmethod
    def over(cls, others: Sequence[Sequence[ColumnMap | None]], fold: Any) -> list[ColumnMap | None]:
        """Of every column."""
        made: list[ColumnMap | None] = []
        for maps in zip(*others, strict=True):
            there = [one for one in maps if one is not None]
            made.append(cls(there, fold) if there else None)
        return made

    def among(self, counts: Any, whole: ColumnMap) -> _ByFold:
        """The same among rows that do not count, which have a fold of their own, changed by another map."""
        fold = np.full(len(counts), len(self.maps))
        fold[counts] = self.fold
        return _ByFold([*self.maps, whole], fold)

    def values(self, cells: Any) -> Floats:
        """The new columns (n, m)."""
        levels = [one for one in self.maps if isinstance(one, CellMap) and one.cells.edges is None]
        cells_of_level = [one.cells.cell_of for one in levels if one.cells.cell_of is not None]
        alike = all(np.array_equal(one, cells_of_level[0]) for one in cells_of_level)
        if alike and len(levels) == len(self.maps):  # all look up the same cells, each in its own table
            tables = np.stack([one.lookup for one in levels])
            place = levels[0].cells.place(cells)
            place = np.where(place < 0, place + tables.shape[1], place)
            return np.asarray(tables[self.fold, place])
        out = np.empty((len(cells), len(self.outputs)))
        for f, one in enumerate(self.maps):
            out[self.fold == f] = one.values(cells[self.fold == f])
        return out

    def sql(self) -> list[str]:
        """There is none: a new row is in no fold."""
        raise NotImplementedError


def _in_coarse(fine: Partition, part: Partition, table: Floats) -> Floats:
    """The mean of what fine cells become in each coarse one, by their rows, (k, m)."""
    if fine is part:
        return table
    if fine.edges is not None:
        where = part.place(np.concatenate([[-np.inf], fine.edges]))
    else:
        where = part.place(_one_of_each(fine.cell_of))
    weight = fine.counts.sum(axis=0)
    out = np.empty((len(part.labels), table.shape[1]))
    for k in range(len(part.labels)):
        mine = where == k
        rows = weight[mine]
        out[k] = np.average(table[mine], axis=0, weights=rows) if rows.sum() > 0 else np.nan
    return out


def _fold_of_rows(codes: Any, cv: Any) -> Any:
    """The fold in which each row is tested, (n,)."""
    from sklearn.model_selection import check_cv

    if isinstance(cv, int | np.integer):
        return stratified(codes, min(int(cv), len(codes)), np.random.default_rng(0))
    fold = np.full(len(codes), -1)
    splits = check_cv(cv, codes, classifier=True).split(np.empty((len(codes), 1)), codes)
    for f, (_, test) in enumerate(splits):
        fold[test] = f
    if (fold < 0).any():
        raise LikelyError("cv leaves rows out of every test: each row must be tested once.")
    return fold


def _one_of_each(cell_of: Any) -> Any:
    """A level of each cell."""
    return np.array([int(np.argmax(cell_of == c)) for c in range(int(cell_of.max()) + 1)], np.intp)
