"""Boxes and arcs -> places: layers from the top down, few crossings, short arcs (after Sugiyama)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import NamedTuple

import numpy as np

GAP, LAYER_GAP = 26.0, 54.0  # pixels between boxes beside and below each other
THREAD = 10.0  # pixels of a layer that an arc takes which passes through it
SWEEPS = 24  # over all layers to order them; fewer where there is much to order
PULLS = 16  # over all layers to place their boxes
ASPECT = 1.7  # width of the picture by its height, as far as the parts can be put so


class Size(NamedTuple):
    """Width and height in pixels."""

    width: float
    height: float


class Point(NamedTuple):
    """A place, right and down from the corner."""

    x: float
    y: float


@dataclass(frozen=True)
class Placed:
    """Where everything is: the middle of every box, the points that every arc goes through, and the size."""

    middles: dict[str, Point]
    routes: dict[tuple[str, str], list[Point]]
    size: Size


def place(sizes: Mapping[str, Size], arcs: Sequence[tuple[str, str]]) -> Placed:
    """Places for boxes of these sizes, every arc pointing downwards.

    >>> placed = place({"a": Size(40, 20), "b": Size(40, 20), "c": Size(40, 20)}, [("a", "b"), ("a", "c")])
    >>> [round(placed.middles[name].x) for name in "abc"], placed.middles["a"].y < placed.middles["b"].y
    ([53, 20, 86], True)
    """
    parts = [
        _place_connected({name: sizes[name] for name in names}, own) for names, own in _parts(sizes, arcs)
    ]
    return _side_by_side(parts)


def _parts(
    sizes: Mapping[str, Size], arcs: Sequence[tuple[str, str]]
) -> list[tuple[list[str], list[tuple[str, str]]]]:
    """The connected parts: their boxes and their arcs, in the order in which the boxes are given."""
    root = {name: name for name in sizes}

    def top(name: str) -> str:
        while root[name] != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    for start, end in arcs:
        root[top(start)] = top(end)
    parts: dict[str, tuple[list[str], list[tuple[str, str]]]] = {}
    for name in sizes:
        parts.setdefault(top(name), ([], []))[0].append(name)
    for arc in arcs:
        parts[top(arc[0])][1].append(arc)
    return list(parts.values())


class _Passage(NamedTuple):
    """Where an arc passes through a layer."""

    start: str
    end: str
    layer: int
    last: int  # the layer that the arc ends in


_Item = str | _Passage  # of a layer: a box, or the passage of an arc


@dataclass
class _Layered:
    """A connected part: layers of items, with what each is joined to above and below."""

    widths: dict[_Item, float]
    layers: list[list[_Item]]
    above: dict[_Item, list[_Item]] = field(default_factory=dict)
    below: dict[_Item, list[_Item]] = field(default_factory=dict)

    def join(self, upper: _Item, lower: _Item) -> None:
        self.below.setdefault(upper, []).append(lower)
        self.above.setdefault(lower, []).append(upper)


def _place_connected(sizes: Mapping[str, Size], arcs: Sequence[tuple[str, str]]) -> Placed:
    layer_of = _layers(list(sizes), arcs)
    n_layers = max(layer_of.values()) + 1
    part = _Layered({name: size.width for name, size in sizes.items()}, [[] for _ in range(n_layers)])
    for name, layer in layer_of.items():
        part.layers[layer].append(name)
    passages: dict[tuple[str, str], list[_Passage]] = {}
    for start, end in arcs:
        last = layer_of[end]
        through = [_Passage(start, end, layer, last) for layer in range(layer_of[start] + 1, last)]
        for passage in through:
            part.widths[passage] = THREAD
            part.layers[passage.layer].append(passage)
        chain: list[_Item] = [start, *through, end]
        for upper, lower in pairwise(chain):
            part.join(upper, lower)
        passages[start, end] = through
    _order(part)
    x = _across(part)
    left = min(x[item] - part.widths[item] / 2 for item in part.widths)
    right = max(x[item] + part.widths[item] / 2 for item in part.widths)
    heights = [
        max((sizes[item].height for item in layer if isinstance(item, str)), default=THREAD)
        for layer in part.layers
    ]
    tops = [sum(heights[:i]) + LAYER_GAP * i for i in range(n_layers)]
    middles = {name: Point(x[name] - left, tops[i] + heights[i] / 2) for name, i in layer_of.items()}
    routes = {}
    for (start, end), through in passages.items():
        points = [Point(middles[start].x, middles[start].y + sizes[start].height / 2)]
        for passage in through:  # straight from the upper to the lower edge of the layer, between the boxes
            across, top = x[passage] - left, tops[passage.layer]
            points += [Point(across, top), Point(across, top + heights[passage.layer])]
        routes[start, end] = [*points, Point(middles[end].x, middles[end].y - sizes[end].height / 2)]
    return Placed(middles, routes, Size(right - left, tops[-1] + heights[-1]))


def _layers(names: Sequence[str], arcs: Sequence[tuple[str, str]]) -> dict[str, int]:
    """A layer for every box, below those of its parents; none with many more boxes than the others."""
    parents: dict[str, list[str]] = {name: [] for name in names}
    children: dict[str, list[str]] = {name: [] for name in names}
    for start, end in arcs:
        parents[end].append(start)
        children[start].append(end)
    most = max(7, math.ceil(1.6 * math.sqrt(len(names))))  # boxes in a layer
    layer_of: dict[str, int] = {}
    held: dict[int, int] = {}
    order = list(TopologicalSorter(parents).static_order())
    for name in order:
        layer = max((layer_of[parent] + 1 for parent in parents[name]), default=0)
        while held.get(layer, 0) >= most:
            layer += 1
        layer_of[name], held[layer] = layer, held.get(layer, 0) + 1
    for name in reversed(order):  # down to the children, where an arc from above does not get longer by it
        lowest = min((layer_of[child] - 1 for child in children[name]), default=layer_of[name])
        if (
            lowest > layer_of[name]
            and len(parents[name]) < len(children[name])
            and held.get(lowest, 0) < most
        ):
            held[layer_of[name]] -= 1
            layer_of[name] = lowest
            held[lowest] = held.get(lowest, 0) + 1
    used = {layer: i for i, layer in enumerate(sorted(set(layer_of.values())))}
    return {name: used[layer_of[name]] for name in names}


def _order(part: _Layered) -> None:
    """Put items of each layer near what they are joined to, and keep the order with the fewest crossings.

    At first, arcs that end in a lower layer are spread among the boxes, and among each other by where they
    end: where nothing speaks for another order, it stays so.
    """
    for layer in part.layers:
        ends: dict[int, list[_Item]] = {}
        for item in layer:
            ends.setdefault(item.last if isinstance(item, _Passage) else -1, []).append(item)
        shares = {item: (i + 0.5) / len(items) for items in ends.values() for i, item in enumerate(items)}
        layer.sort(key=shares.__getitem__)
    n_items = sum(map(len, part.layers))
    best, fewest = [list(layer) for layer in part.layers], _crossings(part)
    for sweep in range(max(4, min(SWEEPS, 60_000 // n_items))):
        down = sweep % 2 == 0
        indices = range(1, len(part.layers)) if down else range(len(part.layers) - 2, -1, -1)
        near = part.above if down else part.below
        for i in indices:
            beside = part.layers[i - 1 if down else i + 1]
            at = {item: place for place, item in enumerate(beside)}
            wanted = {}
            for here, item in enumerate(part.layers[i]):
                places = [at[other] for other in near.get(item, ())]
                kept = (here + 0.5) / len(part.layers[i]) * len(beside)
                wanted[item] = sum(places) / len(places) if places else kept
            part.layers[i].sort(key=wanted.__getitem__)
        crossings = _crossings(part)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in part.layers], crossings
        if not fewest:
            break
    part.layers = best
    if n_items <= 400:
        _swap(part)


def _crossings(part: _Layered) -> int:
    """How many pairs of arcs cross, summed over neighbouring layers."""
    return sum(_crossings_between(part, upper, lower) for upper, lower in pairwise(part.layers))


def _crossings_between(part: _Layered, upper: Sequence[_Item], lower: Sequence[_Item]) -> int:
    """Pairs of arcs in the wrong order: the inversions of their lower ends, sorted by their upper ones."""
    at = {item: place for place, item in enumerate(lower)}
    ends = np.array(
        [place for item in upper for place in sorted(at[end] for end in part.below.get(item, ()))]
    )
    if len(ends) < 2:
        return 0
    later = ends[None, :] < ends[:, None]  # arcs are few between two layers
    return int(np.triu(later, 1).sum())


def _swap(part: _Layered) -> None:
    """Swap neighbours as long as that takes crossings away."""
    improved = True
    while improved:
        improved = False
        for i, layer in enumerate(part.layers):
            for j in range(len(layer) - 1):
                before = _crossings_at(part, i)
                layer[j], layer[j + 1] = layer[j + 1], layer[j]
                if _crossings_at(part, i) < before:
                    improved = True
                else:
                    layer[j], layer[j + 1] = layer[j + 1], layer[j]


def _crossings_at(part: _Layered, i: int) -> int:
    pairs = [(part.layers[j], part.layers[j + 1]) for j in (i - 1, i) if 0 <= j < len(part.layers) - 1]
    return sum(_crossings_between(part, upper, lower) for upper, lower in pairs)


def _across(part: _Layered) -> dict[_Item, float]:
    """How far right every item is: near what it is joined to, in order, and with the gaps between."""
    x: dict[_Item, float] = {}
    for layer in part.layers:
        at = 0.0
        for item in layer:
            x[item] = at + part.widths[item] / 2
            at += part.widths[item] + GAP
        middle = at / 2
        for item in layer:
            x[item] -= middle
    for pull in range(PULLS):
        layers = part.layers if pull % 2 == 0 else part.layers[::-1]
        near = part.above if pull % 2 == 0 else part.below
        for layer in layers:
            _pull(part, layer, near if pull < PULLS - 4 else None, x)
    return x


def _stiff(item: _Item) -> float:
    """How hard an item pulls: the passages of a long arc the hardest, so that it is straight."""
    return 3.0 if isinstance(item, _Passage) else 1.0


def _pull(
    part: _Layered,
    layer: Sequence[_Item],
    near: Mapping[_Item, list[_Item]] | None,
    x: dict[_Item, float],
) -> None:
    """Move a layer towards the items above or below it, or both: least squares with the gaps kept.

    Shifted by the room that all before it need, places in order are numbers that rise, and the nearest ones
    to those wanted are an isotonic regression.
    """
    from scipy.optimize import isotonic_regression

    wanted, weights = [], []
    for item in layer:
        joined = near.get(item, []) if near else [*part.above.get(item, ()), *part.below.get(item, ())]
        pulls = [_stiff(item) * _stiff(other) for other in joined]
        total = sum(pulls)
        places = (pull * x[other] for pull, other in zip(pulls, joined, strict=True))
        wanted.append(sum(places) / total if joined else x[item])
        weights.append(total + 0.05)
    half = np.array([part.widths[item] / 2 for item in layer])
    gaps = np.array([THREAD if isinstance(item, _Passage) else GAP for item in layer])
    steps = half[:-1] + half[1:] + np.minimum(gaps[:-1], gaps[1:])
    shift = np.concatenate([[0.0], np.cumsum(steps)])
    risen = isotonic_regression(np.array(wanted) - shift, weights=np.array(weights)).x
    x.update(zip(layer, (risen + shift).tolist(), strict=True))


def _side_by_side(parts: Sequence[Placed]) -> Placed:
    """The parts in rows, the tallest first, as wide together as suits the picture."""
    area = sum((part.size.width + GAP) * (part.size.height + LAYER_GAP) for part in parts)
    width = max([math.sqrt(area * ASPECT), *(part.size.width for part in parts)])
    middles: dict[str, Point] = {}
    routes: dict[tuple[str, str], list[Point]] = {}
    left = top = row = right = 0.0
    for part in sorted(parts, key=lambda part: -part.size.height):
        if left and left + part.size.width > width:
            left, top, row = 0.0, top + row + LAYER_GAP, 0.0
        middles |= {name: Point(p.x + left, p.y + top) for name, p in part.middles.items()}
        routes |= {arc: [Point(p.x + left, p.y + top) for p in points] for arc, points in part.routes.items()}
        right, row = max(right, left + part.size.width), max(row, part.size.height)
        left += part.size.width + GAP
    return Placed(middles, routes, Size(right, top + row))
