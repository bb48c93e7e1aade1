"""Numbers of a page in few letters: exact ones as the bytes they are, functions by where they change."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.pieces import Pieces

Floats = NDArray[np.float64]

SMALL = 1e-13  # nats, which are no change
CLOSE = 1e-11  # nats, by which lines may differ from the function that they are


def packed(array: Floats) -> Any:
    """The same numbers as lists or, where that is shorter, as text of their bits; `packed.js` reads both.

    >>> packed(np.array([1.0, 2.0])), packed(np.full(9, 1 / 3))["shape"]
    ([1.0, 2.0], [9])
    """
    plain = array.tolist()
    text = base64.b64encode(np.ascontiguousarray(array, "<f8").tobytes()).decode()
    coded = {"f64": text, "shape": list(array.shape)}
    shorter = len(json.dumps(coded)) < len(json.dumps(plain, separators=(",", ":")))
    return coded if shorter else plain


def pieces_data(pieces: Pieces) -> dict[str, Any]:
    """Functions of one number for the script: steps, lines that bend and jump, or formulas in full."""
    edges = packed(pieces.edges)
    if pieces.stepped:
        return {"kind": "steps", "edges": edges, "values": packed(pieces.powers[..., 0])}
    lines = _lines(pieces)
    if lines is not None:
        return {"kind": "lines", "edges": edges, **lines}
    return {
        "kind": "pieces",
        "edges": edges,
        "centre": packed(pieces.centre),
        "powers": packed(pieces.powers),
        "logs": None if pieces.logs is None else packed(pieces.logs),
    }


def _lines(pieces: Pieces) -> dict[str, Any] | None:
    """What changes at each edge: the slope ("/"), the height ("|"), both ("+") or none ("."); None of others.

    They begin level. Groups whose function is 0 everywhere are left out.
    """
    constant, slope, square = np.moveaxis(pieces.powers, -1, 0)  # each (m, g)
    if pieces.logs is not None or square.any() or slope[0].any():
        return None
    groups = np.flatnonzero((constant != 0).any(axis=0) | (slope != 0).any(axis=0))
    slope, edges = slope[:, groups], pieces.edges
    centre = pieces.centre[:, groups]
    height = constant[:, groups] + slope * (
        np.append(edges[:1], edges)[:, None] - centre
    )  # where each begins
    before = constant[:-1, groups] + slope[:-1] * (edges[:, None] - centre[:-1])  # where the one before ends
    jump, bend = height[1:] - before, np.diff(slope, axis=0)
    jumps = (np.abs(jump) > SMALL).any(axis=1)
    bends = (np.abs(bend) * (edges[-1] - edges)[:, None] > SMALL).any(axis=1)
    bends[-1] |= bool(bend[-1].any())
    jump = np.where(jumps[:, None], jump, 0.0)
    if not _agrees(edges, height, jump, slope, bends):
        return None
    bent = np.flatnonzero(bends) + 1
    left, right = _few_shapes(slope[bent], np.append(np.diff(edges), 1.0)[bent - 1])
    fewer = slope.copy()
    fewer[bent] = left @ right
    if left.size + right.size >= len(bent) * len(groups) or not _agrees(edges, height, jump, fewer, bends):
        left, right = slope[bent], np.eye(len(groups))
    return {
        "marks": "".join(".|/+"[jumped + 2 * bent] for jumped, bent in zip(jumps, bends, strict=True)),
        "groups": groups.tolist(),
        "of": pieces.n_groups,
        "first": height[0].tolist(),
        "jumps": packed(jump[jumps]),
        "slopes": packed(left),
        "shapes": None if left.shape[1] == len(groups) else packed(right),
    }


def _few_shapes(slopes: Floats, widths: Floats) -> tuple[Floats, Floats]:
    """Slopes (m, g) as the product of (m, r) and (r, g): groups often share a few shapes, as line and rank.

    They are measured by what they rise over their widths (m,), so that no piece is less exact than others.
    """
    rises = slopes * widths[:, None]
    left, size, right = np.linalg.svd(rises, full_matrices=False)
    r = int((size > SMALL * size.max(initial=0.0)).sum())
    return left[:, :r] * size[:r] / widths[:, None], right[:r]


def _agrees(edges: Floats, height: Floats, jump: Floats, slope: Floats, bends: NDArray[np.bool_]) -> bool:
    """Whether the changes, added up, are the function."""
    at, rise = height[0], slope[0]
    for i, edge in enumerate(edges):
        at = at + rise * (edge - edges[max(i - 1, 0)]) + jump[i]
        rise = slope[i + 1] if bends[i] else rise
        if not np.abs(at - height[i + 1]).max(initial=0.0) <= CLOSE:
            return False
    return True
