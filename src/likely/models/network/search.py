"""The structure of a network, found in a table: a search, a tree, naive Bayes with or without a tree.

Numbers cannot be parents. For the search they are put into bins of as many rows each, and may have parents;
their tables are then learnt from the numbers as they are. Texts have no parents but in naive Bayes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, Engine, MapTask
from likely.engine.memory import progress
from likely.errors import LikelyError, notice
from likely.infer.structure import WAYS, LearntStructure, Strength, arc_strength, learn_structure
from likely.infer.structure_limits import Limits
from likely.infer.structure_trees import naive_structure
from likely.models.joint.variables import known_name
from likely.models.network.answers import FillNodes
from likely.models.network.fit import ClimbSettings, Planned, learn_tables
from likely.models.network.nodes import is_discrete
from likely.models.network.record import Parents
from likely.models.network.rows import NodeRows
from likely.models.network.structure import arcs_of
from likely.stats.bins import bin_codes, equal_frequency
from likely.table.build import to_table
from likely.table.column.column import Column
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]

BINS = 5  # of numbers, for the search alone
ENOUGH = 0.5  # of the rows must be complete, for the others to be left out
ROUNDS = 2  # of filling gaps and searching again, where few rows are complete


@dataclass(frozen=True)
class StructureWords:
    """How a structure is looked for, in the user's words."""

    how: str
    criterion: str = "bic"
    tiers: Any = None
    required: Any = None
    forbidden: Any = None
    max_parents: int | None = None
    seed: int = 0

    def limits(self, names: Sequence[str], childless: Iterable[int] = ()) -> Limits:
        """What is required and forbidden, by the places of the nodes."""
        place = {name: i for i, name in enumerate(names)}

        def pairs(arcs: Any) -> list[tuple[int, int]]:
            both = [] if arcs is None else arcs_of(arcs)
            return [(place[known_name(a, names)], place[known_name(b, names)]) for a, b in both]

        tiers = None
        if self.tiers is not None:
            tiers = [
                [place[known_name(name, names)] for name in ([tier] if isinstance(tier, str) else tier)]
                for tier in self.tiers
            ]
        forbidden = pairs(self.forbidden)
        forbidden += [(a, b) for a in childless for b in range(len(names)) if a != b]
        return Limits.of(len(names), pairs(self.required), forbidden, tiers, self.max_parents, names)


def find_structure(
    planned: Planned, frame: Frame, weight: Floats | None, how: StructureWords, engine: Engine
) -> tuple[Parents, float | None]:
    """The parents of every node, and the score of the structure, where it has one."""
    if how.how not in WAYS:
        arcs_of(how.how)  # says what a structure may be
    if how.how == "naive":
        return naive_structure(len(planned.parts), target_of(planned, how.how)), None
    if how.how == "tan":
        target_of(planned, how.how)
    if planned.n_hidden:
        raise LikelyError(
            f"structure={how.how!r} cannot place the hidden node {planned.nodes.names[-1]!r}: give arcs, or "
            "'naive'."
        )
    searched = _Searched.of(planned, frame, weight, how, engine)
    learnt = searched.learn()
    if searched.gappy:
        for _ in range(ROUNDS):
            learnt = searched.learn(searched.filled(learnt.parents))
    return learnt.parents, learnt.score


def target_of(planned: Planned, how: str) -> int:
    """The node that all others hang on: the target, or the one hidden node."""
    target = len(planned.parts) - 1 if planned.target is None and planned.n_hidden == 1 else planned.target
    if target is None:
        raise LikelyError(f"structure={how!r} needs a target: fit(X, y), y or the name of a column.")
    return target


def strength_of_arcs(
    planned: Planned, frame: Frame, weight: Floats | None, how: StructureWords, engine: Engine, n: int
) -> Strength:
    """How often each arc is found again in n structures of rows drawn with replacement."""
    searched = _Searched.of(planned, frame, weight, how, engine)
    with progress("structures", n) as show:
        return arc_strength(
            searched.codes[searched.complete],
            searched.levels,
            None if weight is None else weight[searched.complete],
            n=n,
            seed=how.seed,
            progress=lambda what, share: show(share * n, what),
            **searched.options,
        )


def strength_table(strength: Strength, names: Sequence[str], library: str) -> Any:
    """The arcs that were found at all, the surest first, as a table."""
    adjacent = strength.adjacent
    pairs = [(a, b) for a, b in np.argwhere(strength.arcs > 0).tolist()]
    pairs.sort(key=lambda pair: (-adjacent[pair], -strength.arcs[pair], pair))
    columns = {
        "from": np.array([names[a] for a, _ in pairs], object),
        "to": np.array([names[b] for _, b in pairs], object),
        "share": np.array([strength.arcs[pair] for pair in pairs], np.float64),
        "adjacent": np.array([adjacent[pair] for pair in pairs], np.float64),
    }
    return to_table(columns, library)


@dataclass(frozen=True)
class _Searched:
    """Rows as codes, and what a search is told of them."""

    planned: Planned
    frame: Frame
    weight: Floats | None
    how: StructureWords
    engine: Engine
    codes: Codes  # (n, d), -1 where missing
    levels: tuple[int, ...]

    @classmethod
    def of(
        cls, planned: Planned, frame: Frame, weight: Floats | None, how: StructureWords, engine: Engine
    ) -> _Searched:
        record = planned.record(((),) * len(planned.parts))
        rows = NodeRows.of(record, frame, planned.given)
        (codes,) = engine.map(Chunk(rows, frame.n, frame.width), AllLevels(len(record.parts)))
        levels = list(record.sizes)
        for i in record.leaves:
            codes[:, i], levels[i] = _binned(planned, i, frame, weight)
        return cls(planned, frame, weight, how, engine, codes, tuple(levels))

    @property
    def options(self) -> dict[str, Any]:
        """What the search is told."""
        columns = self.planned.nodes.columns
        numbers = [i for i, column in enumerate(columns) if not is_discrete(column)]
        if self.how.how in ("tree", "tan"):
            refuse_numbers(columns)
        limits = self.how.limits(self.planned.nodes.names, numbers)
        criterion = self.how.criterion
        if criterion not in CRITERIA:
            raise LikelyError(f"criterion={criterion!r} is unknown: use one of {', '.join(CRITERIA)}.")
        target = self.planned.target
        names = self.planned.nodes.names
        return {"how": self.how.how, "score": criterion, "limits": limits, "target": target, "names": names}

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Which rows are complete, (n,)."""
        return np.asarray((self.codes >= 0).all(axis=1))

    @property
    def gappy(self) -> bool:
        """Whether so few rows are complete that the others must tell too."""
        return float(self.whole.mean()) < ENOUGH

    @property
    def complete(self) -> NDArray[np.bool_]:
        """The rows that are counted: the complete ones, or all if these are few."""
        return np.ones(len(self.codes), bool) if self.gappy else self.whole

    def learn(self, filled: Codes | None = None) -> LearntStructure:
        """The structure of the rows that are counted, or of all of them with their gaps filled."""
        if filled is None:
            rows = self.complete
            codes, weight = self.codes[rows], None if self.weight is None else self.weight[rows]
            codes = _by_frequency(codes, self.levels) if self.gappy else codes
            if not rows.all():
                say_left_out(int((~rows).sum()), len(rows))
        else:
            codes, weight = filled, self.weight
        with progress("searching a structure", 1.0) as show:
            return learn_structure(
                codes,
                self.levels,
                weight,
                seed=self.how.seed,
                progress=lambda what, score: show(0.0, f"{what}, score {score:.7g}"),
                **self.options,
            )

    def filled(self, parents: Parents) -> Codes:
        """All rows, their gaps filled by what a network of this structure takes for most probable."""
        planned, frame = self.planned, self.frame
        empty = planned.record(parents)
        how = ClimbSettings(max_iter=20, tol=1e-4)
        record, _ = learn_tables(empty, frame, planned.given, self.weight, how, self.engine)
        rows = NodeRows.of(record, frame, planned.given)
        guesses = self.engine.reduce(Chunk(rows, frame.n, frame.width), FillNodes(record, rows.seen))
        codes = self.codes.copy()
        for i, blocks in guesses.of_column.items():
            if i not in record.leaves:
                for at, guess in blocks:
                    codes[at, i] = guess
        return _by_frequency(codes, self.levels)


CRITERIA = ("bic", "mdl", "bdeu", "k2")


def say_left_out(gappy: int, n: int) -> None:
    """Say how many rows did not tell of the structure."""
    notice(
        f"{gappy} of {n} rows have missing cells: the structure was found in the others; the tables are "
        "learnt from all of them.",
    )


def refuse_numbers(columns: Sequence[Column]) -> None:
    """Refuse columns that cannot be nodes of a tree."""
    for column in columns:
        if not is_discrete(column):
            raise LikelyError(
                f"column {column.name!r} is {column.kind}, and in a tree it may have to be a parent: put it "
                "into bins first, for example with likely.Discretize(), or use structure='search' or 'naive'."
            )


@dataclass(frozen=True, slots=True)
class AllLevels(MapTask[NodeRows]):
    """The level of every node in every row."""

    n_nodes: int

    def answers(self, n: int) -> Answers:
        """Codes, (n, d), -1 where missing."""
        return (np.empty((n, self.n_nodes), np.int32),)

    def step(self, data: NodeRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        out[0][:] = data.levels(start, stop).T


def _binned(planned: Planned, node: int, frame: Frame, weight: Floats | None) -> tuple[Any, int]:
    """A column of numbers in bins of about as many rows, (n,), -1 where missing; texts are all alike."""
    column = planned.nodes.columns[node]
    if column.words is not None:
        return 0, 1
    numbers = np.asarray(column.numbers(frame.raw(column.name)), np.float64)
    known = np.isfinite(numbers)
    values, place = np.unique(numbers[known], return_inverse=True)
    counts = np.bincount(place, None if weight is None else weight[known])
    if not len(values):
        return 0, 1
    ends = equal_frequency(counts.astype(np.float64), BINS)[1:-1]
    codes = bin_codes(values[ends], numbers)
    return np.where(np.isnan(numbers), -1, codes), len(ends) + 1


def _by_frequency(codes: Codes, levels: Sequence[int]) -> Codes:
    """Gaps that are left filled with levels in the proportions in which their column has them."""
    filled = codes.copy()
    for j, k in enumerate(levels):
        gaps = np.flatnonzero(codes[:, j] < 0)
        known = np.bincount(codes[codes[:, j] >= 0, j], minlength=k)
        if len(gaps):
            shares = np.cumsum(known if known.any() else np.ones(k)) / (known.sum() or k)
            # Spread evenly, and in another order for each column, so that no two columns go together for it.
            places = np.random.default_rng(j).permutation(len(gaps))
            filled[gaps, j] = np.searchsorted(shares, (places + 0.5) / len(gaps)).clip(0, k - 1)
    return filled
