"""Search over orders of nodes: given an order, the best parents of each node are looked up in a list.

For every node the sets of parents among a few candidates are scored once, those that a smaller set beats are
dropped, and the rest are listed from the best. An order tells which parents come before a node, so that the
best structure of the order is known at once; orders are searched by moving one node at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from likely.infer.graph import topological_order
from likely.infer.structure_limits import Limits
from likely.infer.structure_score import FamilyScores, members

MOST_SETS = 4000  # of parents, that are scored for a node
GAIN = 1e-9


@dataclass
class ParentSets:
    """The sets of parents of a node that are worth having, the best first."""

    scores: list[float]
    sets: list[int]
    union: int = 0
    known: dict[int, int] = field(default_factory=dict)  # the place of the best set, by what comes before

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
        best = {must: few.family(child, must)}  # of a set, and of all sets inside it
        worth = {must: best[must]}
        layer = [(must, 0)]
        while layer and (most is None or len(best) < most):
            wider = []
            for inside, start in layer:
                if inside.bit_count() >= limits.max_parents:
                    continue
                grown, bars = [], []
                for place in range(start, len(free)):
                    more = inside | 1 << free[place]
                    below = [best.get(more & ~(1 << j)) for j in members(more & ~must)]
                    if None in below:  # whatever contains a set that was left out is left out too
                        continue
                    bar = max(value for value in below if value is not None)
                    if few.ceiling(child, inside, free[place], top) > bar + GAIN:
                        grown.append(place)
                        bars.append(bar)
                own = few.additions(child, inside, [free[place] for place in grown]).tolist() if grown else []
                for place, bar, reached in zip(grown, bars, own, strict=True):
                    more = inside | 1 << free[place]
                    best[more] = max(reached, bar)
                    if reached > bar + GAIN:
                        worth[more] = reached
                    wider.append((more, place + 1))
            layer = wider
        ranked = sorted(worth.items(), key=lambda item: (-item[1], item[0]))
        union = 0
        for parents, _ in ranked:
            union |= parents
        return cls([own for _, own in ranked], [parents for parents, _ in ranked], union)

    def best(self, before: int) -> int:
        """The place of the best set of nodes that come before."""
        seen = before & self.union
        place = self.known.get(seen)
        if place is None:
            out = ~seen
            place = next(i for i, parents in enumerate(self.sets) if not parents & out)
            self.known[seen] = place
        return place


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
            total += own.scores[own.best(before)]
            before |= 1 << node
        return total

    def structure(self, order: Sequence[int]) -> list[int]:
        """The best parents of each node, given the order."""
        before, parents = 0, [0] * len(order)
        for node in order:
            own = self.lists[node]
            parents[node] = own.sets[own.best(before)]
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
        mine = lists[node]
        before = 0
        for other in order[:at]:
            before |= 1 << other
        here = mine.scores[mine.best(before)]
        best, best_place = 0.0, at
        others, own, seen = 0.0, 0.0, before  # what the nodes that are passed gain, and the node itself
        for place in range(at - 1, -1, -1):
            other = order[place]
            seen &= ~(1 << other)
            if not near >> other & 1:
                continue
            if must[node] >> other & 1:
                break
            theirs = lists[other]
            if theirs.union & bit:
                others += theirs.scores[theirs.best(seen | bit)] - theirs.scores[theirs.best(seen)]
            if mine.union >> other & 1:
                own = mine.scores[mine.best(seen)] - here
            if others + own > best + GAIN:
                best, best_place = others + own, place
        others, own, seen = 0.0, 0.0, before
        for place in range(at + 1, len(order)):
            other = order[place]
            if near >> other & 1:
                if must[other] & bit:
                    break
                theirs = lists[other]
                if theirs.union & bit:
                    others += theirs.scores[theirs.best(seen)] - theirs.scores[theirs.best(seen | bit)]
                if mine.union >> other & 1:
                    own = mine.scores[mine.best(seen | 1 << other)] - here
                if others + own > best + GAIN:
                    best, best_place = others + own, place
            seen |= 1 << other
        return best, best_place
