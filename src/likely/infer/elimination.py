"""Orders in which the variables of a product of tables are summed out, chosen greedily, before any work."""

from __future__ import annotations

import math
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

Scopes = Sequence[Sequence[int]]

CROWDED = 64  # neighbours of a variable beyond which its links are not counted: its table would be too large


def elimination_order(
    scopes: Scopes, sizes: Sequence[int], rule: str = "fill", kept: Sequence[int] = ()
) -> list[int]:
    """All variables of the scopes but those kept, the cheapest to sum out first.

    By "fill" it is the one whose neighbours need the fewest new links among them, each counted by the sizes
    of what it links (weighted min-fill); of equals, the one with the smallest table of itself and its
    neighbours. By "size" it is the one with the smallest product of that table and the links.

    >>> elimination_order([(0, 1), (1, 2), (2, 3)], [2, 2, 2, 2])
    [0, 1, 2, 3]
    """
    links = _Links(scopes, sizes)
    price = links.fill if rule == "fill" else links.size
    stay = set(kept)
    now = {v: (*price(v), v) for v in links.near if v not in stay}
    waiting = list(now.values())
    heapify(waiting)
    order = []
    while waiting:
        first = heappop(waiting)
        v = first[2]
        if now.get(v) is not first:
            continue  # dearer or cheaper by now: it stands in the heap again
        del now[v]
        order.append(v)
        for u in links.sum_out(v):
            if u in now:
                again = (*price(u), u)
                if again != now[u]:
                    now[u] = again
                    heappush(waiting, again)
    return order


def neighbours(scopes: Scopes) -> dict[int, set[int]]:
    """With which variables each one shares a table."""
    near: dict[int, set[int]] = {}
    for scope in scopes:
        for v in scope:
            if v in near:
                near[v].update(scope)
            else:
                near[v] = set(scope)
    for v, around in near.items():
        around.remove(v)
    return near


class _Links:
    """Which variables stand together in a table, and the links that each one's neighbours lack."""

    def __init__(self, scopes: Scopes, sizes: Sequence[int]) -> None:
        self.sizes = sizes
        self.near = neighbours(scopes)
        self.weight = {v: math.prod([sizes[u] for u in around]) for v, around in self.near.items()}
        self.lacking = {v: self._lacking(v) for v in self.near}

    def fill(self, v: int) -> tuple[float, int]:
        """Links that summing a variable out makes, and the size of its table."""
        return self.lacking[v], self.weight[v] * self.sizes[v]

    def size(self, v: int) -> tuple[float, int]:
        """The size of a variable's table times the links, and of those not counted the size."""
        table = self.weight[v] * self.sizes[v]
        return (math.inf, table) if self.lacking[v] == math.inf else (table * (1 + self.lacking[v]), 0)

    def _lacking(self, v: int) -> float:
        """Links that are lacking among the neighbours, each by the product of its ends' sizes."""
        around, sizes = self.near[v], self.sizes
        if len(around) > CROWDED:
            return math.inf
        total = 0
        for u in around:
            apart = around - self.near[u]
            if len(apart) > 1:  # there is more than u itself
                total += sizes[u] * (sum([sizes[w] for w in apart]) - sizes[u])
        return total // 2

    def sum_out(self, v: int) -> set[int]:
        """Link all neighbours of a variable and take it out; those whose price may have changed.

        What others lack is not counted anew: a new link is one less to lack for those next to both of its
        ends, and its ends have one neighbour more, the variable's neighbours one less.
        """
        changed = set(self.near[v])
        if self.lacking[v]:
            self._link(v, changed)
        near, sizes, lacking, weight = self.near, self.sizes, self.lacking, self.weight
        around = near.pop(v)
        own = sizes[v]
        for u in around:
            others = near[u]
            others.remove(v)
            weight[u] //= own
            if lacking[u] == math.inf:
                lacking[u] = self._lacking(u)
            elif lacking[u]:
                lacking[u] -= own * sum([sizes[w] for w in others - around])
        return changed

    def _link(self, v: int, changed: set[int]) -> None:
        near, sizes, lacking, weight = self.near, self.sizes, self.lacking, self.weight
        left = list(near[v])
        while left:
            u = left.pop()
            for w in left:
                ours, theirs = near[u], near[w]
                if w in ours:
                    continue
                link = sizes[u] * sizes[w]
                for both in ours & theirs:
                    lacking[both] -= link
                    changed.add(both)
                if lacking[u] != math.inf:
                    lacking[u] += sizes[w] * sum([sizes[x] for x in ours - theirs])
                if lacking[w] != math.inf:
                    lacking[w] += sizes[u] * sum([sizes[x] for x in theirs - ours])
                ours.add(w)
                theirs.add(u)
                weight[u] *= sizes[w]
                weight[w] *= sizes[u]
        changed.discard(v)
