"""Learning the structure of a network: one door to trees, climbing, the search and the exact optimum.

`learn_structure(codes, levels, weight, how=, score=, limits=)` takes rows as codes (n, d) and answers with
the parents of every column, their score, and a trace of how it was reached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.errors import LikelyError
from likely.infer.graph import topological_order
from likely.infer.structure_climb import Climb, Progress
from likely.infer.structure_exact import exact_structure
from likely.infer.structure_limits import Limits
from likely.infer.structure_score import FamilyScores, ScoreWord, mask, members
from likely.infer.structure_search import ClimbAndOrders
from likely.infer.structure_trees import (
    chow_liu_tree,
    mutual_informations,
    naive_structure,
    tan_structure,
)
from likely.stats.configurations import Configurations

Floats = NDArray[np.float64]
Structure = tuple[tuple[int, ...], ...]
How = Literal["search", "climb", "tabu", "exact", "tree", "naive", "tan"]
WAYS = ("search", "climb", "tabu", "exact", "tree", "naive", "tan")

FEW = 10  # columns: of so few, the best of all structures takes some hundredths of a second
TABU = 10  # moves without gain, none of which undoes one of the last


@dataclass(frozen=True, slots=True)
class LearntStructure:
    """A structure, and how it was found."""

    parents: Structure  # (d,): the parents of each column, rising
    score: float  # nats; of "mdl" bits; the larger, the better
    how: How
    trace: tuple[tuple[str, float], ...]  # the score after each step, and what the step was
    interrupted: bool = False  # whether someone stopped it: it is the best so far


def learn_structure(
    codes: NDArray[np.integer],
    levels: Sequence[int],
    weight: ArrayLike | None = None,
    *,
    how: How = "search",
    score: ScoreWord = "bic",
    ess: float = 1.0,
    limits: Limits | None = None,
    target: int | None = None,
    root: int | None = None,
    names: Sequence[str] | None = None,
    start: Sequence[Sequence[int]] | None = None,
    effort: int = 1,
    seed: int = 0,
    progress: Progress | None = None,
) -> LearntStructure:
    """The structure of a network over columns of levels.

    Parameters
    ----------
    codes : array (n, d)
        The level of each cell, from 0; a missing cell (-1) is refused.
    levels : sequence
        How many levels each column has.
    weight : array (n,) or None
        How much each row counts: a row of weight 2 is the row twice.
    how : str
        "search" climbs, and searches orders of nodes over candidate parents, in turns, and of up to 10 nodes
        takes the best of all structures; "climb" and "tabu"
        climb alone; "exact" is the best of all structures, up to 20 nodes; "tree" is Chow and Liu's; "naive"
        and "tan" are naive Bayes of the `target`, alone and with a tree.
    score : str
        "bic"; "mdl", the same in bits; "bdeu" with the equivalent sample size `ess`; "k2".
    limits : Limits or None
        Arcs that must and may not be, tiers, and the most parents of a node; not for trees.
    target, root, names : int or None, sequence of names of columns
        Of the classes; where a tree begins (None: what tells most of the target); what breaks ties of trees.
    start : sequence of parents or None
        The structure that climbing begins with; None has the required arcs alone.
    effort : int
        How many turns without gain the search takes before it stops, each over more candidates.
    seed : int
        Of the random orders: the same seed, the same structure.
    progress : callable or None
        Called with what is done and the score so far.

    Examples
    --------
    >>> codes = np.array([[0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0]] * 5)
    >>> learn_structure(codes, (2, 2, 2)).parents
    ((1,), (), ())
    """
    rows = Configurations.of(codes, levels, weight)
    limits = limits or Limits.of(len(levels))
    if limits.d != len(levels):
        raise LikelyError(f"limits for {limits.d} columns, where there are {len(levels)}.")
    if how not in WAYS:
        raise LikelyError(f"structure={how!r}: use one of {', '.join(map(repr, WAYS))}.")
    scores = FamilyScores(rows, score, ess)
    if how in ("tree", "naive", "tan"):
        return _one_choice(_fixed(rows, how, target, root, names), how, scores)
    first = limits.start() if start is None else [mask(of) for of in start]
    limits.refuse(first)
    trace: list[tuple[str, float]] = []

    def told(what: str, reached: float) -> None:
        trace.append((what, reached))
        if progress is not None:
            progress(what, reached)

    if how in ("climb", "tabu"):
        climb = Climb(scores, limits, first)
        interrupted = _until_stopped(lambda: climb.run(told, TABU if how == "tabu" else 0))
        best = climb.best
    else:
        search = ClimbAndOrders(scores, limits, first, seed)
        interrupted = _until_stopped(lambda: search.run(told, effort))
        best = search.best
        # Should someone stop what is exact, there is what was searched.
        if (how == "exact" or limits.d <= FEW) and not interrupted:
            exact: list[list[int]] = []
            interrupted = _until_stopped(lambda: exact.append(exact_structure(scores, limits, progress)))
            best = exact[0] if exact else best
    parents = tuple(members(of) for of in best)
    return LearntStructure(parents, scores.structure(parents), how, tuple(trace), interrupted)


def _until_stopped(work: Callable[[], None]) -> bool:
    """Whether the work was stopped from the keyboard."""
    try:
        work()
    except KeyboardInterrupt:
        return True
    return False


def _one_choice(parents: Structure, how: How, scores: FamilyScores) -> LearntStructure:
    """What was not searched for: its score is all there is to trace."""
    reached = scores.structure(parents)
    return LearntStructure(parents, reached, how, ((how, reached),))


def _fixed(
    rows: Configurations, how: str, target: int | None, root: int | None, names: Sequence[str] | None
) -> Structure:
    if how == "tree":
        return chow_liu_tree(mutual_informations(rows), root, names)
    if target is None:
        raise LikelyError(f"structure={how!r}: name the target.")
    if how == "naive":
        return naive_structure(len(rows.levels), target)
    told, given = mutual_informations(rows)[target], mutual_informations(rows, target)
    names = names or [f"{i:09}" for i in range(len(rows.levels))]
    return tan_structure(told, given, target, names, root)


@dataclass(frozen=True, slots=True)
class Strength:
    """How often arcs were found in structures learnt from rows drawn again."""

    arcs: Floats  # (d, d): the share of structures that have the arc from a to b
    n: int  # how many structures

    @property
    def adjacent(self) -> Floats:
        """(d, d): the share that have an arc between a and b, whichever way it points."""
        return self.arcs + self.arcs.T

    def consensus(self, least: float = 0.5) -> list[tuple[int, int, float]]:
        """Arcs between nodes that are adjacent in more than this share, as from, to and share.

        Each points the way that it did more often; of an arc that would close a circle, nothing is said.
        """
        d, adjacent = len(self.arcs), self.adjacent
        pairs = [(a, b) for a in range(d) for b in range(d) if self.arcs[a, b] > self.arcs[b, a]]
        pairs += [(a, b) for a in range(d) for b in range(a + 1, d) if self.arcs[a, b] == self.arcs[b, a]]
        pairs.sort(key=lambda pair: (-adjacent[pair], -self.arcs[pair], pair))
        parents: list[list[int]] = [[] for _ in range(d)]
        taken = []
        for a, b in pairs:
            if adjacent[a, b] <= least:
                continue
            parents[b].append(a)
            try:
                topological_order(parents)
            except LikelyError:
                parents[b].pop()
                continue
            taken.append((a, b, float(adjacent[a, b])))
        return taken


def arc_strength(
    codes: NDArray[np.integer],
    levels: Sequence[int],
    weight: ArrayLike | None = None,
    *,
    n: int = 100,
    seed: int = 0,
    progress: Progress | None = None,
    **options: object,
) -> Strength:
    """How sure arcs are: the share of n structures, each learnt from as many rows drawn with replacement.

    `options` are those of `learn_structure`. Stopped from the keyboard it tells of those that were learnt.

    >>> codes = np.array([[0, 0], [0, 0], [1, 1], [1, 1]] * 5)
    >>> arc_strength(codes, (2, 2), n=10).adjacent[0, 1].item()
    1.0
    """
    rng = np.random.default_rng(seed)
    w = np.ones(len(codes)) if weight is None else np.asarray(weight, np.float64)
    shares = w / w.sum()
    arcs, learnt = np.zeros((len(levels), len(levels))), 0
    try:
        for draw in range(n):
            # Rows drawn as often as there is weight: those never drawn have weight 0 and are left out.
            drawn = rng.multinomial(round(w.sum()), shares).astype(np.float64)
            learnt_now = learn_structure(codes, levels, drawn, seed=draw, **options)  # type: ignore[arg-type]
            for child, of in enumerate(learnt_now.parents):
                arcs[list(of), child] += 1
            learnt = draw + 1
            if progress is not None:
                progress("structures", learnt / n)
    except KeyboardInterrupt:
        if not learnt:
            raise
    return Strength(arcs / max(learnt, 1), learnt)
