"""Missing cells filled by their class: its mean, its median or its mode."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.estimator.check_column import demand
from likely.estimator.fitted import (
    class_codes,
    counted_rows,
    refuse_empty,
    row_weights,
    split_target,
    target_column,
)
from likely.estimator.record import Story
from likely.features.counted import Counted, class_groups, is_levels, is_numbers, level_values
from likely.features.cuts import CutColumn
from likely.features.transformer import cells_of
from likely.format.words import shown
from likely.models.naive_bayes.classifier import NaiveBayes
from likely.stats.class_cells import ClassCells
from likely.stats.groups import Floats, Ints
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.build import values_of
from likely.table.fill import Fill
from likely.table.frame import Frame
from likely.table.schema import Schema

STATISTICS = ("mean", "median")


@dataclass(frozen=True)
class ClassFill:
    """What was counted in each class, and a model that says how probable the classes of a row are."""

    counted: Counted
    statistic: str  # of numbers; of levels it is the most frequent one
    classifier: NaiveBayes

    @classmethod
    def learn(
        cls, X: TableLike, y: Target | None, kinds: Kinds, statistic: str, weight: Weights = None
    ) -> ClassFill:
        """From a table with gaps and its classes."""
        frame, raw = split_target(X, y, "Impute('class')")
        refuse_empty(frame)
        schema, target = Schema.learn(frame, kinds), target_column(raw)
        groups = class_groups(target, raw, frame.n, row_weights(weight, frame.n))
        assert y is not None  # else `split_target` refuses
        classifier = NaiveBayes(kinds=kinds).fit(X, y, weight)
        return cls(Counted.of(schema, target, frame, groups), statistic, classifier)

    def grown(self, X: TableLike, y: Target | None, weight: Weights = None) -> ClassFill:
        """With more rows: pieces are the whole."""
        frame, raw = split_target(X, y, "Impute('class')")
        frame = self.schema.align(frame, "Impute")
        refuse_empty(frame)
        schema, target = Schema.learn(frame, self.schema.declarations), target_column(raw)
        assert y is not None  # else `split_target` refuses
        groups = class_groups(target, raw, frame.n, row_weights(weight, frame.n))
        counted = self.counted + Counted.of(schema, target, frame, groups)
        return replace(
            self,
            counted=counted,
            classifier=deepcopy(self.classifier).partial_fit(X, y, sample_weight=weight),
        )

    def __add__(self, other: ClassFill) -> ClassFill:
        """Of the rows of both."""
        return replace(
            self, counted=self.counted + other.counted, classifier=self.classifier + other.classifier
        )

    def own_classes(self, X: TableLike, y: Target | None, weight: Weights = None) -> Floats:
        """1 for the class that is told of a row and 0 for the others, (n, g); NaN where it has no weight."""
        assert self.counted.target is not None
        n = Frame.of(X).n
        some, classes, _ = counted_rows(X, y, weight)
        codes = class_codes(self.counted.target, split_target(some, classes, "Impute('class')")[1])
        shares = np.full((n, len(self.counted.classes)), np.nan)
        rows = np.arange(n) if len(codes) == n else np.flatnonzero(row_weights(weight, n))
        shares[rows] = np.eye(len(self.counted.classes))[codes]
        return shares

    def guesses(self, frame: Frame, library: str, given: Floats | None = None) -> dict[int, Fill | None]:
        """What to write into the gaps of each column that has some; None where no value was ever known.

        The classes of the rows are as `given`, (n, g). Where they are not, or NaN, they are as probable as
        the classifier says: it is the average over the classes of what each would have, and the level that
        is then most probable.
        """
        schema = self.schema
        gaps: dict[int, Ints] = {}
        for j, column in enumerate(schema.columns):
            if is_numbers(column) or is_levels(column):
                cells = cells_of(schema, frame, j)
                rows = np.flatnonzero(np.isnan(cells) if is_numbers(column) else cells == -1)
                gaps |= {j: rows} if len(rows) else {}
        if not gaps:
            return {}
        touched = np.unique(np.concatenate(list(gaps.values())))
        shares = np.full((frame.n, len(self.counted.classes)), np.nan) if given is None else given.copy()
        untold = touched[np.isnan(shares[touched, 0])]
        if len(untold):
            shares[untold] = self.classifier.predict_proba(frame.at(untold))
        fills: dict[int, Fill | None] = {}
        for j, rows in gaps.items():
            column, made = schema.columns[j], self.of_classes(j)
            if made is None:
                fills[j] = None
                continue
            guess = shares[rows] @ made  # (rows,), or (rows, levels)
            filled = column.possible(guess) if guess.ndim == 1 else guess.argmax(axis=1)
            fills[j] = Fill(rows, values_of(column, filled, library))
        return fills

    def of_classes(self, j: int) -> Floats | None:
        """The number that each class has in a column (g,), or its share of each level (g, k).

        A class that has none is taken for all of them; None if no value is known at all.
        """
        column = self.schema.columns[j]
        if is_numbers(column):
            cells = self.counted.numbers(j)
            if not len(cells):
                return None
            each = [self._number(cells, c, j) for c in range(len(self.counted.classes))]
            whole = self._number(cells, None, j)
            return np.array([whole if one is None else one for one in each], np.float64)
        counts = self.counted.level_counts(j)
        if not counts.sum():
            return None
        counts = np.where(counts.sum(axis=1, keepdims=True) > 0, counts, counts.sum(axis=0))
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def _number(self, cells: ClassCells, c: int | None, j: int) -> float | None:
        weight = cells.total if c is None else cells.counts[c]
        if not weight.sum():
            return None
        if self.statistic == "mean":
            moments = self.counted.class_moments(j)
            return float(moments.pooled().mean[0, 0] if c is None else moments.mean[c, 0])
        seen = weight > 0
        one = ClassCells(cells.low[seen], cells.last[seen], cells.centre[seen], weight[None, seen], 0.0)
        return CutColumn(one).quantile(0.5)

    @property
    def schema(self) -> Schema:
        """The columns."""
        return self.counted.schema

    @property
    def n(self) -> float:
        """The weight of the rows."""
        return self.counted.n

    @property
    def target_name(self) -> str:
        """What the classes are of."""
        return self.counted.target_name

    @property
    def n_parameters(self) -> int:
        """One number for each class and column, or level of one."""
        made = [
            self.of_classes(j) for j, c in enumerate(self.schema.columns) if is_numbers(c) or is_levels(c)
        ]
        return sum(one.size for one in made if one is not None)

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row."""
        steps = (
            f"Take the class of a row ({self.target_name}), or how probable each is, given what is known.",
            f"Fill a number with the {self.statistic} of that class, a level with its most frequent one.",
        )
        return Story(
            model, steps, "cell = sum over classes of P(class | row) x its value.", "", "a whole row"
        )

    def trained_on(self) -> dict[str, Any]:
        """What it was trained on, in plain words."""
        return self.counted.trained_on()

    def check(self) -> None:
        """Refuse a record that no fit gives."""
        self.counted.check()
        demand(self.counted.target is not None, "it has no classes")
        demand(self.statistic in STATISTICS, "it fills by nothing that is known")
        record = self.classifier._known()
        demand(record.schema.names == self.schema.names, "its classifier is of other columns")
        demand(tuple(record.classes) == self.counted.classes, "its classifier has other classes")

    def described(self) -> list[str]:
        """What each class has, a line for each column."""
        lines = []
        for column in self.schema.columns:
            fills = self.told(column.name)
            words = (f"{f:.6g}" if isinstance(f, float) else str(f) for f in fills.values())
            each = ", ".join(f"{c} {w}" for c, w in zip(self.counted.classes, words, strict=False))
            lines.append(f"  {column.name}: {each or 'left, no value is known'}")
        return lines

    def told(self, name: str) -> dict[str, Any]:
        """What fills a column in each class; nothing where no value is known."""
        j = self.schema.names.index(name)
        column = self.schema.columns[j]
        made = self.of_classes(j) if is_numbers(column) or is_levels(column) else None
        if made is None:
            return {}
        fills = made.tolist() if made.ndim == 1 else [level_values(column)[k] for k in made.argmax(axis=1)]
        return {f"in {shown(c)}": fill for c, fill in zip(self.counted.classes, fills, strict=True)}


def check_statistic(statistic: str) -> None:
    """Refuse a statistic that is not known."""
    if statistic not in STATISTICS:
        raise LikelyError(f"statistic={statistic!r} is unknown: use one of {', '.join(STATISTICS)}.")
