"""Hill climbing among structures: arcs added, deleted, reversed while the score rises; tabu search."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from likely.infer.structure_limits import Limits
from likely.infer.structure_score import FamilyScores, members

Floats = NDArray[np.float64]
Progress = Callable[[str, float], None]

GAIN = 1e-9  # nats: a smaller rise is none


class Climb:
    """A structure, and what every arc added to or deleted from it would gain.

    Moves are tried in one fixed order, so that the same data always lead to the same structure.
    """

    def __init__(self, scores: FamilyScores, limits: Limits, parents: Sequence[int]) -> None:
        self.scores, self.limits = scores, limits
        d = limits.d
        self.parents = list(parents)
        self.best, self.best_score = list(parents), -np.inf  # so far, should someone stop a climb
        self.below = np.zeros((d, d), bool)  # [a, b]: there is a way from a to b
        self.own = np.empty(d)  # the score of each family
        self.gain = np.full((d, d), -np.inf)  # [child, parent]: of adding an arc, or deleting it
        for child in range(d):
            self._renew(child)
        self._reach()

    @property
    def score(self) -> float:
        """The score of the structure."""
        return float(self.own.sum())

    def run(self, progress: Progress | None = None, tabu: int = 0) -> None:
        """Climb to where no move gains; with `tabu`, go on for so many moves without gain, and take the best.

        A tabu move undoes none of the last ones.
        """
        self.best, self.best_score, idle = list(self.parents), self.score, 0
        last: deque[frozenset[int]] = deque(maxlen=max(tabu, 1))
        while idle <= tabu:
            move = self._best(last if tabu else ())
            if move is None or (move[0] <= GAIN and not tabu):
                break
            self._flip(*move[1:])
            last.append(frozenset(move[1:3]))
            idle += 1
            if self.score > self.best_score + GAIN:
                self.best, self.best_score, idle = list(self.parents), self.score, 0
                if progress is not None:
                    progress("hill climbing", self.best_score)
        if self.best != self.parents:
            self.set(self.best)

    def set(self, parents: Sequence[int]) -> None:
        """Be at another structure."""
        changed = [child for child, of in enumerate(parents) if of != self.parents[child]]
        self.parents = list(parents)
        for child in changed:
            self._renew(child)
        self._reach()

    def _renew(self, child: int) -> None:
        """What moves at one node gain, once its parents changed."""
        limits, here = self.limits, self.parents[child]
        own = self.own[child] = self.scores.family(child, here)
        gain = self.gain[child]
        gain[:] = -np.inf
        if here.bit_count() < limits.max_parents:
            more = list(members(limits.allowed[child] & ~here))
            gain[more] = self.scores.additions(child, here, more) - own
        for parent in members(here & ~limits.required[child]):
            gain[parent] = self.scores.family(child, here & ~(1 << parent)) - own

    def _reach(self) -> None:
        """Which nodes are below which, from the parents."""
        d = len(self.parents)
        ups: list[int | None] = [None] * d  # the ancestors of each node, itself too

        def above(node: int) -> int:
            known = ups[node]
            if known is None:
                known = 1 << node
                for parent in members(self.parents[node]):
                    known |= above(parent)
                ups[node] = known
            return known

        self.below[:] = False
        for node in range(d):
            self.below[list(members(above(node))), node] = True

    def _best(self, barred: Collection[frozenset[int]]) -> tuple[float, int, int, bool] | None:
        """The move that gains most: what it gains, child, parent, and whether an arc is reversed."""
        d = self.limits.d
        arcs = np.zeros((d, d), bool)  # [child, parent]
        for child, of in enumerate(self.parents):
            arcs[child, list(members(of))] = True
        adds = np.where(arcs | ~self.below, self.gain, -np.inf)  # no way from the child to the new parent
        for pair in barred:
            a, b = pair
            adds[a, b] = adds[b, a] = -np.inf
        place = int(adds.argmax())
        child, parent = divmod(place, d)
        best = (float(adds[child, parent]), child, parent, False)
        for child, parent in zip(*(axis.tolist() for axis in np.nonzero(arcs)), strict=True):
            gain = float(self.gain[child, parent] + self.gain[parent, child])
            if gain > best[0] and frozenset((child, parent)) not in barred and self._turns(child, parent):
                best = (gain, child, parent, True)
        return best if np.isfinite(best[0]) else None

    def _turns(self, child: int, parent: int) -> bool:
        """Whether an arc is the only way from its parent to its child: turning it makes no circle."""
        others = list(members(self.parents[child] & ~(1 << parent)))
        return not self.below[parent, others].any()

    def _flip(self, child: int, parent: int, reverse: bool) -> None:
        self.parents[child] ^= 1 << parent
        self._renew(child)
        if reverse:
            self.parents[parent] |= 1 << child
            self._renew(parent)
        self._reach()
