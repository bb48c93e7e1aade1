"""Orders in which the variables of a product of tables are summed out, chosen greedily, before any work.

Sets of variables are the bits of whole numbers: for a thousand of them that is faster than sets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush

Scopes = Sequence[Sequence[int]]
Groups = Sequence[tuple[float, int]]  # logs of sizes, and the variables of each, as bits


def elimination_order(
    scopes: Scopes, sizes: Sequence[int], rule: str = "fill", kept: Sequence[int] = ()
) -> list[int]:
    """All variables of the scopes but those kept, the cheapest to sum out first.

    By "fill" it is the one whose neighbours need the fewest new links among them, weighted by the sizes of
    what they link; by "weight" the one with the smallest table of itself and its neighbours.

    >>> elimination_order([(0, 1), (1, 2), (2, 3)], [2, 2, 2, 2], "weight")
    [0, 1, 2, 3]
    """
    near = neighbours(scopes)
    logs = [math.log(size) for size in sizes]
    of_size: dict[float, int] = {}  # the variables of each size, as bits: sizes are few
    for v in near:
        of_size[logs[v]] = of_size.get(logs[v], 0) | 1 << v
    groups = list(of_size.items())
    cost = _fill if rule == "fill" else _weight
    stay = 0
    for v in kept:
        stay |= 1 << v
    price = {v: cost(v, near, logs, groups) for v in near if not stay >> v & 1}
    waiting = [(price[v], v) for v in price]
    heapify(waiting)
    order = []
    while waiting:
        paid, v = heappop(waiting)
        if v not in price or paid != price[v]:
            continue  # dearer or cheaper by now: it stands in the heap again
        del price[v]
        order.append(v)
        around = near.pop(v)
        changed = around
        links = []
        for u in bits(around):
            before = near[u]
            near[u] = (before | around) & ~(1 << u | 1 << v)
            new = near[u] & ~before
            if new:
                links.append((u, new))
        if rule == "fill":  # a new link is one less to lack for those that are next to both of its ends
            for u, new in links:
                for w in bits(new & -(1 << u)):
                    changed |= near[u] & near[w]
        for u in bits(changed):
            if u in price:
                again = cost(u, near, logs, groups)
                if again != price[u]:
                    price[u] = again
                    heappush(waiting, (again, u))
    return order


def neighbours(scopes: Scopes) -> dict[int, int]:
    """With which variables each one shares a table, as bits."""
    near: dict[int, int] = {}
    for scope in scopes:
        together = 0
        for v in scope:
            together |= 1 << v
        for v in scope:
            near[v] = (near.get(v, 0) | together) & ~(1 << v)
    return near


def bits(mask: int) -> Iterator[int]:
    """The places of the bits of a whole number.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _weight(v: int, near: dict[int, int], logs: Sequence[float], groups: Groups) -> float:
    return logs[v] + _log_size(near[v], groups)


def _fill(v: int, near: dict[int, int], logs: Sequence[float], groups: Groups) -> float:
    """Links that are lacking among the neighbours, each by the product of its ends' logs of sizes."""
    around = near[v]
    total = 0.0
    for u in bits(around):
        lacking = around & ~near[u] & ~(1 << u)
        if lacking:
            total += logs[u] * _log_size(lacking, groups)
    return total


def _log_size(mask: int, groups: Groups) -> float:
    """The log of the size of a table of some variables."""
    return sum([log * (mask & own).bit_count() for log, own in groups])
