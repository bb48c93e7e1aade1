"""A belief network on the page: every node may be told, and any node of levels asked about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.resolve import find
from likely.draw.layers import Point, Size, place
from likely.errors import LikelyError
from likely.format.words import text_width
from likely.models.network.record import NetworkRecord
from likely.page.columns import (
    ShownColumn,
    along,
    cells_of,
    level_rows,
    named_apart,
    of_numbers,
    text_of,
)
from likely.page.live import LiveModel
from likely.page.network_plan import network_plan
from likely.page.packed import pieces_data
from likely.page.rare import Rarity
from likely.table.frame import Frame

Floats = NDArray[np.float64]

LETTER, LINE, MOST_LEVELS = 12.0, 16.0, 6  # as the script draws boxes
EDGE = 8.0


def live_network(record: NetworkRecord, frame: Frame | None, rarity: Rarity, about: str | None) -> LiveModel:
    """The elimination plan, the nodes as columns, and where their boxes stand."""
    columns = tuple(_column(record, i, frame, rarity) for i in range(len(record.parts)))
    node = _about(record, about)
    plan = network_plan(record)
    discrete = [i for i in range(len(record.parts)) if i not in record.leaves]
    known: list[dict[str, Any]] = [{"column": i, "size": record.sizes[i]} for i in discrete]
    known += [_leaf(record, i) for i in record.leaves]
    return LiveModel(
        target=record.names[node],
        outcomes=columns[node].labels,
        columns=columns,
        model={**plan, "known": known},
        about=node,
        picture=_picture(record),
        parameters=(f"the probability tables of {len(discrete)} nodes, given their parents",),
    )


def _about(record: NetworkRecord, about: str | None) -> int:
    if about is not None:
        node = record.place[find(record.world().variables, about).name]
    elif record.target is not None:
        node = record.target
    else:
        node = next((i for i in record.order if len(record.levels(i)) > 1), -1)
    if node < 0 or len(record.levels(node)) < 2:
        raise LikelyError(
            "no node of the network has two levels to tell apart: there is nothing to ask it about."
            if node < 0
            else f"about={record.names[node]!r} has no two levels to tell apart: name another node."
        )
    return node


def _column(record: NetworkRecord, i: int, frame: Frame | None, rarity: Rarity) -> ShownColumn:
    column = record.nodes.columns[i]
    seen = None
    if frame is not None and column.name in frame.position:
        seen = cells_of(record.nodes, frame.only([column.name]), i)
    if record.levels(i):
        levels = record.levels(i)
        rows = level_rows(seen, len(levels)) if seen is not None else _known_rows(record, i)
        return named_apart(column, levels, rows, rarity)
    if i not in record.leaves:
        return ShownColumn(column, why="no value of it was ever seen")
    if seen is not None:
        return of_numbers(column, seen)
    mean, sd = _moments(record.parts[i].distribution)
    return along(column, mean, sd)


def _known_rows(record: NetworkRecord, i: int) -> Floats | None:
    """How many rows each level of a node has, as far as it was learnt from rows; else None."""
    if not record.n:
        return None
    counted = np.asarray(record.parts[i].counts(0).values.sum(axis=0))
    return counted if len(counted) == len(record.levels(i)) else None


def _moments(distribution: Any) -> tuple[float, float]:
    """Mean and standard deviation of a number over all combinations of its parents, each alike."""
    mean = np.asarray(distribution.mean, np.float64).ravel()
    variance = np.asarray(distribution.variance, np.float64).ravel()
    return float(mean.mean()), math.sqrt(float(variance.mean() + mean.var()))


def _leaf(record: NetworkRecord, i: int) -> dict[str, Any]:
    """How likely a number is under each combination of levels of its parents."""
    pieces = record.parts[i].distribution.pieces(0)
    if pieces is None:
        raise LikelyError(
            f"column {record.names[i]!r} is described by a family without a short formula "
            f"({record.parts[i].family.name}): name another family for it, such as 'normal'."
        )
    return {"column": i, "pieces": pieces_data(pieces)}


def _picture(record: NetworkRecord) -> dict[str, Any]:
    """Boxes and arcs; names stand for themselves, so that two that are cut alike stay apart."""
    names = [str(i) for i in range(len(record.parts))]
    sizes = {name: _size(record, i) for i, name in enumerate(names)}
    arcs = [(names[p], names[i]) for i, above in enumerate(record.parents) for p in above]
    placed = place(sizes, arcs)
    boxes = [
        {**_point(placed.middles[name]), "width": round(size.width), "height": round(size.height)}
        for name, size in sizes.items()
    ]
    return {
        "width": round(placed.size.width + 2 * EDGE),
        "height": round(placed.size.height + 2 * EDGE),
        "boxes": boxes,
        "arcs": [_points(placed.routes[arc]) for arc in arcs],
    }


def _size(record: NetworkRecord, i: int) -> Size:
    levels = min(len(record.levels(i)), MOST_LEVELS)
    name = 1.1 * text_width(text_of(record.names[i])[:24], LETTER) + 18
    widest = max((text_width(text_of(level)[:11], LETTER) for level in record.levels(i)), default=0.0)
    return Size(max(name, widest + 112, 140.0), 30 + LINE * levels)


def _point(point: Point) -> dict[str, float]:
    return {"x": round(point.x + EDGE, 1), "y": round(point.y + EDGE, 1)}


def _points(points: Sequence[Point]) -> list[float]:
    return [value for point in points for value in _point(point).values()]
