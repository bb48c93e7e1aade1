"""The search for the best structure: climbing, then orders over candidate parents, in turns.

Climbing alone ends where many arcs would have to turn at once. An order of nodes with a list of good parents
for each turns them all together, but only among the candidates; climbing looks at all arcs. Each goes on from
what the other reached, until neither gains.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likely.infer.graph import topological_order
from likely.infer.structure_climb import GAIN, Climb, Progress
from likely.infer.structure_limits import Limits
from likely.infer.structure_orders import OrderSearch, ParentSets
from likely.infer.structure_score import FamilyScores, members

CANDIDATES = 8  # parents of a node that are considered, if as many look promising; its neighbours always are
STARTS = 5  # random orders to begin with, in each turn
SHAKES = 1  # times every node's neighbourhood is shaken, in each turn
SHAKEN = 4  # nodes that are put elsewhere at a time


class ClimbAndOrders:
    """The best structure so far, and what makes it better."""

    def __init__(self, scores: FamilyScores, limits: Limits, parents: Sequence[int], seed: int = 0) -> None:
        self.scores, self.limits = scores, limits
        self.climb = Climb(scores, limits, parents)
        self.best, self.best_score = list(parents), self.climb.score
        self.rng = np.random.default_rng(seed)
        self.lists: dict[tuple[int, int], ParentSets] = {}

    def run(self, progress: Progress | None = None, patience: int = 1) -> None:
        """Until so many turns have not gained."""
        try:
            self._run(progress, patience)
        finally:  # someone may have stopped a climb on its way
            if self.climb.best_score > self.best_score:
                self.best = self.climb.best

    def _run(self, progress: Progress | None, patience: int) -> None:
        self.climb.run(progress)
        self._take(progress, "hill climbing")
        idle = 0
        while idle < patience:
            before = self.best_score
            lists = self._lists(self._candidates(CANDIDATES + 3 * idle))
            self.climb.set(self._orders(OrderSearch(lists, self.limits.required)))
            self._take(progress, "orders")
            self.climb.run(progress)
            self._take(progress, "hill climbing")
            idle = 0 if self.best_score > before + GAIN else idle + 1

    def _take(self, progress: Progress | None, what: str) -> None:
        if self.climb.score > self.best_score + GAIN:
            self.best, self.best_score = list(self.climb.parents), self.climb.score
        if progress is not None:
            progress(what, self.best_score)

    def _candidates(self, most: int) -> list[int]:
        """The neighbours of each node, then those that tell most about it given a neighbour; all of few."""
        d, climb = self.limits.d, self.climb
        if d <= most + 1:
            return list(self.limits.allowed)
        near = list(climb.parents)
        for node, of in enumerate(climb.parents):
            for parent in members(of):
                near[parent] |= 1 << node
        candidates = []
        for node in range(d):
            told = np.maximum(climb.gain[node], climb.gain[:, node])
            for between in members(near[node]):
                second = members(near[between] & ~near[node] & ~(1 << node))
                if second:
                    gains = self.scores.additions(node, 1 << between, second)
                    gains -= self.scores.family(node, 1 << between)
                    told[list(second)] = np.maximum(told[list(second)], gains)
            own = near[node]
            for other in np.argsort(-told, kind="stable").tolist():
                if own.bit_count() >= most or not told[other] > 0:
                    break
                own |= 1 << other
            candidates.append(own & self.limits.allowed[node])
        return candidates

    def _lists(self, candidates: Sequence[int]) -> list[ParentSets]:
        for key in enumerate(candidates):
            if key not in self.lists:
                self.lists[key] = ParentSets.of(self.scores, *key, self.limits)
        return [self.lists[key] for key in enumerate(candidates)]

    def _orders(self, orders: OrderSearch) -> list[int]:
        """The best structure found from the order of the present one, from random ones, and by shaking."""
        d, rng = self.limits.d, self.rng
        every = (1 << d) - 1
        best = list(topological_order([members(of) for of in self.climb.parents]))
        orders.improve(best, every)
        best_score = orders.score(best)
        for _ in range(STARTS):
            order = orders.sorted(rng.permutation(d).tolist())
            orders.improve(order, every)
            if (score := orders.score(order)) > best_score + GAIN:
                best, best_score = order, score
        for node in rng.permutation(np.repeat(np.arange(d), SHAKES)).tolist():
            group = rng.permutation(members(orders.near[node] | 1 << node))[:SHAKEN].tolist()
            order, touched = list(best), 0
            for moved in group:
                order.remove(moved)
                order.insert(int(rng.integers(d)), moved)
                touched |= orders.near[moved] | 1 << moved
            order = orders.sorted(order)
            orders.improve(order, touched)
            if (score := orders.score(order)) > best_score + GAIN:
                best, best_score = order, score
        return orders.structure(best)
