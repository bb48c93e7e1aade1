"""What a fitted one-dependence classifier knows: how cells are coded, and the counts of pairs of levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.target_world import TargetWorld
from likely.engine import Answers, Chunk, Engine, MapTask, ReduceTask, engine_for
from likely.errors import LikelyError
from likely.estimator.check_column import check_schema, check_target, demand
from likely.estimator.record import OPTIMAL, Described, Quantities, Story
from likely.format import words
from likely.infer import bayes_rule
from likely.infer.graph import topological_order
from likely.models.groups.counted_classes import CountedClasses
from likely.models.groups.tally import Settings, base_rates
from likely.models.one_dependence.cells import CellCodes, CellRows
from likely.models.one_dependence.tables import AverageTables, TableSmoothing, TreeTables
from likely.stats import Groups
from likely.stats.level_pairs import LevelPairs
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

HEAVIEST = 1e100  # of the rows of a class
LISTED = 100  # columns that are listed for people who look into a file


@dataclass(frozen=True)
class PairRecord(CountedClasses):
    """The counts of the classes, and of every two levels together in each class."""

    reading: CellCodes
    target: Column
    class_counts: Floats  # (g,)
    pairs: LevelPairs
    tree: tuple[int, ...] | None  # the parent of each column, -1 of a root; None: all columns in turn
    smoothing: TableSmoothing
    settings: Settings  # of the base rate
    least: float = 1.0  # rows that a level must have been seen in to be a parent in its turn
    weight: float = 1.0  # how much the evidence of the columns counts in a prediction

    @property
    def schema(self) -> Schema:
        """The columns."""
        return self.reading.schema

    @cached_property
    def tables(self) -> TreeTables | AverageTables:
        """The probabilities that the counts make."""
        if self.tree is not None:
            return TreeTables.of(self.pairs, self.rates, self.tree, self.smoothing)
        learnt = base_rates(self.classes, self.class_counts, replace(self.settings, base_rate=None))
        shift = np.divide(self.rates, learnt, out=np.ones_like(learnt), where=learnt > 0)
        return AverageTables.of(self.pairs, self.rates, shift, self.least, self.smoothing)

    @property
    def n_parameters(self) -> int:
        """The free numbers of the base rate and of all tables; of an average, of those of every parent."""
        g, sizes = len(self.classes), self.pairs.sizes
        if self.tree is None:
            inside = sum(k * sum(m - 1 for j, m in enumerate(sizes) if j != i) for i, k in enumerate(sizes))
            return sum(g * k - 1 for k in sizes) + g * inside
        return self.rate_parameters + sum(
            g * (k - 1) * (1 if parent < 0 else sizes[parent])
            for k, parent in zip(sizes, self.tree, strict=True)
        )

    @property
    def log_evidence(self) -> None:
        """None: the tree is chosen by the rows, and an average is no one model of them."""
        return None

    def counts(self) -> dict[Described, Quantities]:
        """How often each level was seen in each class."""
        columns = enumerate(self.schema.columns)
        return {(c.name,): Quantities(self._levels(j), self.pairs.single(j)) for j, c in columns}

    def parameters(self) -> dict[Described, Quantities]:
        """P(level given class) of each column, whatever the others are."""
        columns = enumerate(self.schema.columns)
        return {
            (c.name,): Quantities(self._levels(j), self.smoothing.shares(self.pairs.single(j)))
            for j, c in columns
        }

    def _levels(self, j: int) -> list[Any]:
        column, edges = self.schema.columns[j], self.reading.edges[j]
        if column.levels is not None:
            return [("P", level) for level in column.levels] or ["P of nothing"]
        ends = [f"{edge:g}" for edge in edges.tolist()]
        names = [f"below {ends[0]}", *(f"{a} to {b}" for a, b in pairwise(ends))] if ends else []
        names += [f"from {ends[-1]}" if ends else "all"]
        return [("P", name) for name in [*names, *(["missing"] if self.reading.gaps else [])]]

    def check(self) -> None:
        """Refuse a record of which no model could have been fitted."""
        check_target(self.target)
        check_schema(self.schema)
        g, d = len(self.classes), len(self.schema.columns)
        demand(0 <= self.weight <= 1, "its evidence counts for more than all, or less than nothing")
        demand(len(self.reading.edges) == d, "its columns are not all coded")
        for edges in self.reading.edges:
            rising = edges.ndim == 1 and bool(np.isfinite(edges).all()) and bool((np.diff(edges) > 0).all())
            demand(rising, "its bins are not in order")
        demand(self.pairs.sizes == self.reading.sizes, "it counts other levels")
        places = sum(self.reading.sizes)
        for array, shape in ((self.class_counts, (g,)), (self.pairs.table, (g, places, places))):
            demand(array.shape == shape, "it does not count every level of every class")
            demand(bool(((array >= 0) & (array < HEAVIEST)).all()), "a count is no count")
        demand(bool(self.class_counts.sum() > 0), "it has seen nothing")
        right = self.smoothing.each >= 0 and self.smoothing.back >= 0 and self.least >= 0
        demand(
            bool(right) and np.isfinite(self.smoothing.each + self.smoothing.back), "it is smoothed wrongly"
        )
        if self.tree is not None:
            demand(
                len(self.tree) == d and all(-1 <= p < d for p in self.tree), "its tree is of other columns"
            )
            topological_order([() if p < 0 else (p,) for p in self.tree])

    def world(self) -> TargetWorld:
        """The target given columns, as a world that can be asked."""
        engine = engine_for(None)
        return TargetWorld(
            "classifier with one dependence",
            self.schema,
            self.target,
            lambda frame, untold: self.posterior(frame, engine, untold)[0],
        )

    def story(self, model: str, hidden: bool = False) -> Story:
        """How the model takes a row to come about."""
        target, names = words.shown(self.target_name), [words.shown(name) for name in self.schema.names]
        if self.tree is None:
            steps = (
                f"Draw {target} and the level of one column together, by how often they were seen together.",
                f"Draw every other column by {target} and that level alone.",
            )
            formula = f"P({target}, row) is the mean over the columns that may be drawn first."
        else:
            order = TreeTables.of(self.pairs, self.rates, self.tree, self.smoothing).order
            lines = [
                f"{names[j]}: by {target}" + (f" and {names[self.tree[j]]}" if self.tree[j] >= 0 else "")
                for j in order[:LISTED]
            ]
            steps = (f"Draw {target}.", "\n".join(["Draw the columns, one after another:", *lines]))
            formula = f"P({target}, row) is the product of these probabilities."
        return Story(model, steps, formula, f"{OPTIMAL}.")

    def trained_on(self) -> dict[str, Any]:
        """What the model was trained on, for people who look into its file."""
        pairs = zip(self.classes, self.class_counts.tolist(), strict=True)
        columns = self.schema.columns
        return {
            "target": self.target_name,
            "weight_of_rows": self.n,
            "classes": [{"class": words.json_ready(label), "weight": weight} for label, weight in pairs],
            "columns": [{"name": c.name, "kind": str(c.kind)} for c in columns[:LISTED]],
            "number_of_columns": len(columns),
        }

    def under_base_rate(self, base_rate: Mapping[Any, float] | str) -> PairRecord:
        """What would be said, had the classes these shares."""
        return replace(self, settings=replace(self.settings, base_rate=base_rate))

    def posterior(
        self, frame: Frame, engine: Engine, untold: tuple[int, ...] = ()
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """Log P(class given row), (n, g), and which rows were impossible in every class.

        For those the base rate is all that is left to say. Columns that are `untold` count as missing.
        """
        rows = Chunk(self.reading.rows_of(frame), frame.n, frame.width)
        log_p, gone = engine.map(rows, LogsOfClasses(self, untold))
        return log_p, gone


def count_pairs(reading: CellCodes, frame: Frame, groups: Groups, engine: Engine) -> LevelPairs:
    """The pairs of levels of all rows, in the groups of the rows."""
    LevelPairs.empty(groups.n_groups, reading.sizes)  # refuses what does not fit, before any work
    rows = Chunk(GroupedCells(reading.rows_of(frame), groups), frame.n, frame.width)
    return engine.reduce(rows, CountPairs())


@dataclass(frozen=True, slots=True)
class GroupedCells:
    """Rows of codes, and their groups."""

    cells: CellRows
    groups: Groups


@dataclass(frozen=True, slots=True)
class CountPairs(ReduceTask[GroupedCells, LevelPairs]):
    """Counts of pairs of levels."""

    def step(self, data: GroupedCells, start: int, stop: int) -> LevelPairs:
        """Of some rows."""
        codes = data.cells.rows(start, stop)
        return LevelPairs.collect(codes, data.groups.rows(start, stop), data.cells.reading.sizes)


@dataclass(frozen=True)
class LogsOfClasses(MapTask[CellRows]):
    """Log P(class given row); where a row is impossible in every class, of the base rate."""

    record: PairRecord
    untold: tuple[int, ...] = ()

    def width(self, stored: int) -> int:
        """What is made of a row."""
        return stored + self.record.tables.cells

    def answers(self, n: int) -> Answers:
        """The posterior, (n, g), and which rows are impossible, (n,)."""
        return np.empty((n, len(self.record.classes))), np.zeros(n, bool)

    def step(self, data: CellRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        codes = data.rows(start, stop)
        codes[:, list(self.untold)] = -1
        out[0][:], out[1][:] = class_logs(self.record.tables, codes, self.record.weight)


def class_logs(
    tables: TreeTables | AverageTables, codes: Ints, weight: float
) -> tuple[Floats, NDArray[np.bool_]]:
    """Log P(class given row), (b, g), and which rows are impossible in every class."""
    log_posterior, log_evidence = bayes_rule(weighed(tables, codes, weight))
    gone = np.isneginf(log_evidence)
    log_posterior[gone] = tables.log_rates
    return log_posterior, gone


def weighed(tables: TreeTables | AverageTables, codes: Ints, weight: float) -> Floats:
    """Log P(class) and as much of the evidence of a row as counts, (b, g)."""
    joint = tables.log_joint(codes)
    if weight == 1.0:
        return joint
    with np.errstate(invalid="ignore"):
        evidence = weight * (joint - tables.log_rates)
    # What cannot be stays so, whatever the weight, and a class that nobody has stays without rows.
    return np.asarray(np.where(np.isneginf(joint), -np.inf, tables.log_rates + evidence))


def refuse_smoothing(prior: object, backoff: object) -> TableSmoothing:
    """The smoothing that two options mean: maximum likelihood backs off to nothing."""
    each = {"default": 1.0, None: 0.0}.get(prior, prior) if prior is None or isinstance(prior, str) else prior
    if isinstance(each, bool) or not isinstance(each, int | float | np.number) or not 0 <= each < HEAVIEST:
        raise LikelyError(
            f"prior={prior!r}: give a number that is added to every count (Laplace: 1), 'default' or None."
        )
    back = 0.0 if backoff is None else backoff
    if isinstance(back, bool) or not isinstance(back, int | float | np.number) or not 0 <= back < HEAVIEST:
        raise LikelyError(f"backoff={backoff!r}: give a number of rows from 0 on, or None.")
    return TableSmoothing(float(each), float(back) if each else 0.0)
