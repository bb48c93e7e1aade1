"""Search over orders of nodes: given an order, the best parents of each node are looked up in a list.

For every node the sets of parents among a few candidates are scored once, those that a smaller set beats are
dropped, and the rest are listed from the best. An order tells which parents come before a node, so that the
best structure of the order is known at once; orders are searched by moving one node at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from likely.infer.graph import topological_order
from likely.infer.structure_limits import Limits
from likely.infer.structure_score import FamilyScores, members

MOST_SETS = 4000  # of parents, that are scored for a node
GAIN = 1e-9


class Reached(dict[int, float]):
    """The best score of sets among some nodes, which is looked for once: a search asks for the same again."""

    def __init__(self, scores: Sequence[float], sets: Sequence[int]) -> None:
        super().__init__()
        self.scores, self.sets = scores, sets

    def __missing__(self, before: int) -> float:
        out = ~before
        self[before] = reached = next(s for s, of in zip(self.scores, self.sets, strict=True) if not of & out)
        return reached


@dataclass
class ParentSets:
    """The sets of parents of a node that are worth having, the best first."""

    scores: list[float]
    sets: list[int]
    union: int
    reached: Reached = field(init=False)  # the best score, by which nodes of the union come before

    def __post_init__(self) -> None:
        self.reached = Reached(self.scores, self.sets)

    @classmethod
    def of(
        cls,
        scores: FamilyScores,
        child: int,
        candidates: int,
        limits: Limits,
        most: int | None = MOST_SETS,
    ) -> ParentSets:
        """All that no smaller set beats, of the candidates and what the limits require.

        Sets grow by one candidate at a time. A set is left out, and whatever contains it, where even its best
        possible score is below that of a set inside it. Once there are `most`, sets do not grow further.
        """
        must = limits.required[child]
        free = members(candidates & limits.allowed[child] & ~must)
        few = scores.within(must | candidates | 1 << child)
        top = FamilyScores(few.rows, "likelihood").family(child, must | candidates)
        if scores.score == "mdl":
            top /= np.log(2)
        own = {must: few.family(child, must)}  # the score of each set
        best = dict(own)  # and of all sets inside it
        worth = dict(own)
        layer = [(must, 0)]
        while layer and (most is None or len(best) < most):
            sets, bars, starts = [], [], []
            for inside, start in layer:
                if inside.bit_count() >= limits.max_parents:
                    continue
                ceilings = few.ceilings(child, inside, free[start:], own[inside], top)
                for place, ceiling in enumerate(ceilings, start):
                    bar = _bar(best, inside, 1 << free[place], must)
                    if bar is not None and ceiling > bar + GAIN:
                        sets.append(inside | 1 << free[place])
                        bars.append(bar)
                        starts.append(place + 1)
            for parents, bar, reached in zip(sets, bars, few.families(child, sets), strict=True):
                own[parents], best[parents] = reached, max(reached, bar)
                if reached > bar + GAIN:
                    worth[parents] = reached
            layer = list(zip(sets, starts, strict=True))
        ranked = sorted(worth.items(), key=lambda item: (-item[1], item[0]))
        union = 0
        for parents, _ in ranked:
            union |= parents
        return cls([own for _, own in ranked], [parents for parents, _ in ranked], union)

    def best(self, before: int) -> int:
        """The best set of nodes that come before."""
        return next(parents for parents in self.sets if not parents & ~before)


def _bar(best: Mapping[int, float], inside: int, new: int, must: int) -> float | None:
    """The best score of the sets inside these parents and a new one; None if one of them was left out.

    Whatever contains a set that was left out is left out too.
    """
    bar, left = best[inside], inside & ~must
    while left:
        bit = left & -left
        left ^= bit
        reached = best.get(inside ^ bit | new)
        if reached is None:
            return None
        if reached > bar:
            bar = reached
    return bar


@dataclass
class OrderSearch:
    """The best order that taking nodes out and putting them in elsewhere leads to."""

    lists: Sequence[ParentSets]
    must: Sequence[int]  # the required parents of each node: they come before it

    def __post_init__(self) -> None:
        near = [own.union | must for own, must in zip(self.lists, self.must, strict=True)]
        for node in range(len(near)):
            for other in members(self.lists[node].union | self.must[node]):
                near[other] |= 1 << node
        self.near = near  # (d,): the nodes whose place before or after a node makes a difference to either

    def sorted(self, order: list[int]) -> list[int]:
        """The order with required parents before their children, and otherwise as it is."""
        if not any(self.must):
            return order
        place = {node: i for i, node in enumerate(order)}
        ways = [[place[parent] for parent in members(self.must[node])] for node in order]
        return [order[i] for i in topological_order(ways)]

    def score(self, order: Sequence[int]) -> float:
        """Of the best structure of an order."""
        before, total = 0, 0.0
        for node in order:
            own = self.lists[node]
            total += own.reached[before & own.union]
            before |= 1 << node
        return total

    def structure(self, order: Sequence[int]) -> list[int]:
        """The best parents of each node, given the order."""
        before, parents = 0, [0] * len(order)
        for node in order:
            parents[node] = self.lists[node].best(before)
            before |= 1 << node
        return parents

    def improve(self, order: list[int], first: int) -> float:
        """Move nodes one at a time to where the score is best, in place, until none gains; what was gained.

        The nodes of the set `first` are tried, and then whoever is near to one that was moved.
        """
        gained, waiting = 0.0, first
        while waiting:
            node = (waiting & -waiting).bit_length() - 1
            waiting &= waiting - 1
            gain, place = self._place(order, node)
            if gain > GAIN:
                order.remove(node)
                order.insert(place, node)
                gained += gain
                waiting |= self.near[node]
        return gained

    def _place(self, order: list[int], node: int) -> tuple[float, int]:
        """Where in the order a node is best, and what it gains by going there."""
        at = order.index(node)
        bit, must, lists, near = 1 << node, self.must, self.lists, self.near[node]
        mine, ours = lists[node].reached, lists[node].union
        before = 0
        for other in order[:at]:
            before |= 1 << other
        here = mine[before & ours]
        best, best_place = 0.0, at
        others, own, seen = 0.0, 0.0, before  # what the nodes that are passed gain, and the node itself
        for place in range(at - 1, -1, -1):
            other = order[place]
            seen &= ~(1 << other)
            if not near >> other & 1:
                continue
            if must[node] >> other & 1:
                break
            union = lists[other].union
            if union & bit:
                theirs, some = lists[other].reached, seen & union
                others += theirs[some | bit] - theirs[some]
            if ours >> other & 1:
                own = mine[seen & ours] - here
            if others + own > best + GAIN:
                best, best_place = others + own, place
        others, own, seen = 0.0, 0.0, before
        for place in range(at + 1, len(order)):
            other = order[place]
            if near >> other & 1:
                if must[other] & bit:
                    break
                union = lists[other].union
                if union & bit:
                    theirs, some = lists[other].reached, seen & union
                    others += theirs[some] - theirs[some | bit]
                if ours >> other & 1:
                    own = mine[(seen | 1 << other) & ours] - here
                if others + own > best + GAIN:
                    best, best_place = others + own, place
            seen |= 1 << other
        return best, best_place
