"""Directed acyclic graphs, given as the parents of each node: order, ancestors, separation, adjustment.

Nodes are whatever can be hashed: the places of a tuple of tuples, or the names of a mapping.

>>> fire = {"storm": (), "bus": (), "lightning": ("storm",), "campfire": ("storm", "bus")}
>>> topological_order(fire)
('storm', 'bus', 'lightning', 'campfire')
>>> separated(fire, ["lightning"], ["campfire"], given=["storm"])
True
>>> arrows(fire, connecting_path(fire, ["storm"], ["bus"], given=["campfire"]))
'storm -> campfire <- bus'
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import islice, pairwise
from typing import TypeVar

from likely.errors import LikelyError

N = TypeVar("N", bound=Hashable)
Graph = Mapping[N, Collection[N]] | Sequence[Collection[N]]
Parents = dict[N, tuple[N, ...]]
Path = tuple[N, ...]


def as_parents(graph: Graph[N]) -> Parents[N]:
    """The parents of each node, which are the places of a sequence; a parent that is no node is refused.

    >>> as_parents(((), (0,)))
    {0: (), 1: (0,)}
    """
    pairs: Iterable[tuple[N, Collection[N]]]
    pairs = graph.items() if isinstance(graph, Mapping) else enumerate(graph)  # type: ignore[assignment]
    parents = {node: tuple(of) for node, of in pairs}
    for node, of in parents.items():
        for parent in of:
            if parent not in parents:
                raise LikelyError(f"{parent!r}, a parent of {node!r}, is no node: give its own parents too.")
    return parents


def children(graph: Graph[N]) -> dict[N, list[N]]:
    """The children of each node, in the order of the nodes."""
    parents = as_parents(graph)
    below: dict[N, list[N]] = {node: [] for node in parents}
    for node, of in parents.items():
        for parent in of:
            below[parent].append(node)
    return below


def topological_order(graph: Graph[N]) -> Path[N]:
    """The nodes, parents before children, otherwise in the order given; a cycle is refused by name.

    >>> topological_order({"a": ["b"], "b": ["a"]})
    Traceback (most recent call last):
      ...
    likely.errors.LikelyError: the arcs go in a circle, 'a' -> 'b' -> 'a': take one of them out.
    """
    parents, below = as_parents(graph), children(graph)
    place = {node: i for i, node in enumerate(parents)}
    nodes = list(parents)
    left = {node: len(set(of)) for node, of in parents.items()}
    ready = [place[node] for node, n in left.items() if not n]
    heapify(ready)
    order: list[N] = []
    while ready:
        node = nodes[heappop(ready)]
        order.append(node)
        for child in dict.fromkeys(below[node]):
            left[child] -= 1
            if not left[child]:
                heappush(ready, place[child])
    if len(order) < len(nodes):
        circle = " -> ".join(repr(node) for node in _cycle(parents, left))
        raise LikelyError(f"the arcs go in a circle, {circle}: take one of them out.")
    return tuple(order)


def _cycle(parents: Parents[N], left: Mapping[N, int]) -> Path[N]:
    """A circle among the nodes that wait for a parent: from each of them a parent that waits too is found."""
    node = next(node for node, n in left.items() if n)
    walk = [node]
    while True:
        node = next(parent for parent in parents[node] if left[parent])
        if node in walk:
            return _from_first(parents, walk[walk.index(node) :][::-1])
        walk.append(node)


def _from_first(parents: Parents[N], circle: Sequence[N]) -> Path[N]:
    """A circle told from the node that comes first, and back to it."""
    start = min(range(len(circle)), key=lambda i: list(parents).index(circle[i]))
    turned = [*circle[start:], *circle[:start]]
    return (*turned, turned[0])


def ancestors(graph: Graph[N], nodes: Iterable[N]) -> set[N]:
    """These nodes and all that have a directed path to one of them."""
    return _reached(as_parents(graph), nodes)


def descendants(graph: Graph[N], nodes: Iterable[N]) -> set[N]:
    """These nodes and all that one of them has a directed path to."""
    return _reached(children(graph), nodes)


def _reached(steps: Mapping[N, Collection[N]], nodes: Iterable[N]) -> set[N]:
    seen: set[N] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting.extend(steps[node])
    return seen


def moral_graph(graph: Graph[N]) -> dict[N, set[N]]:
    """The neighbours of each node once parents of a common child are joined and arrows dropped.

    >>> {node: sorted(near) for node, near in moral_graph(((), (), (0, 1))).items()}
    {0: [1, 2], 1: [0, 2], 2: [0, 1]}
    """
    parents = as_parents(graph)
    near: dict[N, set[N]] = {node: set() for node in parents}
    for node, of in parents.items():
        family = {node, *of}
        for member in family:
            near[member] |= family - {member}
    return near


def markov_blanket(graph: Graph[N], node: N) -> set[N]:
    """Parents, children and the children's other parents: given these, nothing else tells of the node."""
    return moral_graph(graph)[node]


def separated(graph: Graph[N], a: Iterable[N], b: Iterable[N], given: Iterable[N] = ()) -> bool:
    """Whether a and b are d-separated by what is given: independent in every distribution of this graph."""
    return not connecting_path(graph, a, b, given)


def connecting_path(graph: Graph[N], a: Iterable[N], b: Iterable[N], given: Iterable[N] = ()) -> Path[N]:
    """A shortest path on which what is known of a tells of b; empty if they are d-separated.

    A node on a path lets through if it is not given; one that both arrows point to, if it or one of its
    descendants is.
    """
    parents, below = as_parents(graph), children(graph)
    starts, ends, known = _distinct(parents, a, b, given)
    told = _reached(parents, known)
    came: dict[tuple[N, bool], tuple[N, bool] | None] = {
        (node, True): None for node in starts
    }  # state: a node, and whether it was left upwards, by an arrow against its direction
    waiting = deque(came)
    while waiting:
        state = waiting.popleft()
        node, upwards = state
        if node in ends:
            path = [node]
            while (before := came[state]) is not None:
                state = before
                path.append(state[0])
            return tuple(reversed(path))
        steps: list[tuple[N, bool]] = []
        if (upwards and node not in known) or (not upwards and node in told):
            steps += [(parent, True) for parent in parents[node]]
        if node not in known:
            steps += [(child, False) for child in below[node]]
        for step in steps:
            if step not in came:
                came[step] = state
                waiting.append(step)
    return ()


def _distinct(parents: Parents[N], *groups: Iterable[N]) -> tuple[list[N], set[N], set[N]]:
    """The three groups of nodes, refused where a node is unknown or stands in two of them."""
    a, b, given = (list(dict.fromkeys(group)) for group in groups)
    everything = [*a, *b, *given]
    for node in everything:
        if node not in parents:
            raise LikelyError(f"{node!r} is no node: use one of {list(parents)!r}.")
        if everything.count(node) > 1:
            raise LikelyError(f"{node!r} stands on two sides of one question: name it once.")
    return a, set(b), set(given)


def arrows(graph: Graph[N], path: Sequence[N]) -> str:
    """A path in words, with the direction of its arcs."""
    parents = as_parents(graph)
    words = [str(node) for node in path[:1]]
    for before, node in pairwise(path):
        words += ["->" if before in parents[node] else "<-", str(node)]
    return " ".join(words)


def is_backdoor_set(graph: Graph[N], cause: N, effect: N, given: Iterable[N]) -> bool:
    """Whether adjusting for `given` leaves the effect of `cause` alone (Pearl's backdoor criterion).

    Nothing given may come after the cause, and all paths into the cause must be blocked.
    """
    known = list(given)
    if descendants(graph, [cause]) & set(known):
        return False
    return separated(_without_arrows_out(graph, cause), [cause], [effect], known)


def backdoor_sets(
    graph: Graph[N],
    cause: N,
    effect: N,
    observed: Collection[N] | None = None,
    most: int = 100,
) -> list[tuple[N, ...]]:
    """The sets of nodes to adjust for, none larger than needed, the smallest first; `most` at most.

    `observed` are the nodes that may be taken; None is all of them. Empty if no set will do; a list of an
    empty set if nothing needs adjusting for.

    >>> backdoor_sets({"age": (), "drug": ("age",), "cured": ("age", "drug")}, "drug", "cured")
    [('age',)]
    """
    parents = as_parents(graph)
    _distinct(parents, [cause], [effect], ())
    trimmed = _without_arrows_out(parents, cause)
    upper = _reached(as_parents(trimmed), [cause, effect])
    near = moral_graph({node: of for node, of in trimmed.items() if node in upper})
    barred = descendants(parents, [cause]) | {cause, effect}
    allowed = (set(parents) if observed is None else set(observed)) - barred
    for node in upper - allowed - {cause, effect}:  # passed through, whatever is adjusted for
        _contract(near, node)
    place = {node: i for i, node in enumerate(parents)}
    sets = (tuple(sorted(s, key=place.__getitem__)) for s in islice(_separators(near, cause, effect), most))
    return sorted(sets, key=lambda s: (len(s), [place[node] for node in s]))


def _without_arrows_out(graph: Graph[N], node: N) -> Parents[N]:
    return {
        child: tuple(parent for parent in of if parent != node) for child, of in as_parents(graph).items()
    }


def _contract(near: dict[N, set[N]], node: N) -> None:
    """Take a node out of an undirected graph and join its neighbours."""
    around = near.pop(node)
    for one in around:
        near[one] = (near[one] | around) - {one, node}


def _separators(near: Mapping[N, set[N]], a: N, b: N) -> Iterator[frozenset[N]]:
    """The minimal sets of nodes that separate a from b in an undirected graph.

    The first lies next to a; the others are found from it by moving its nodes to the side of a, one by one.
    """
    if b in near[a]:
        return
    first = _next_to(near, b, {a})
    seen, waiting = {first}, deque([first])
    while waiting:
        separator = waiting.popleft()
        yield separator
        side = _component(near, a, separator)
        for node in separator:
            if b not in near[node]:
                moved = _next_to(near, b, side | {node})
                if moved not in seen:
                    seen.add(moved)
                    waiting.append(moved)


def _next_to(near: Mapping[N, set[N]], b: N, side: set[N]) -> frozenset[N]:
    """The minimal separator next to the side of a."""
    border = frozenset(other for node in side for other in near[node] if other not in side)
    far = _component(near, b, border)
    return frozenset(other for node in far for other in near[node] if other not in far)


def _component(near: Mapping[N, set[N]], start: N, without: frozenset[N]) -> set[N]:
    return _reached({node: around - without for node, around in near.items()}, [start])
