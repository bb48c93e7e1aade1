"""Fitted trees as arrays of plain numbers, and rows led down all of them, level by level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

PLACES = 2_000_000  # of rows in trees that are looked at together


@dataclass(frozen=True)
class Trees:
    """The nodes of all trees, one tree after another.

    A row goes left where its cell is at most the threshold; a leaf leads to itself.
    """

    roots: Ints  # (trees,)
    feature: NDArray[np.int32]  # (nodes,)
    threshold: Floats  # (nodes,), infinite in leaves
    left: NDArray[np.int32]  # (nodes,)
    right: NDArray[np.int32]  # (nodes,)
    gaps_left: NDArray[np.bool_]  # (nodes,), where a missing cell goes
    depth: int

    def leaves(self, cells: Floats) -> Ints:
        """The leaf that each row of cells (n, p) reaches in each tree, (n, trees)."""
        n = len(cells)
        groups = np.array_split(self.roots, max(1, n * len(self.roots) // PLACES))
        return np.concatenate([self._descend(cells, own) for own in groups], axis=1)

    def _descend(self, cells: Floats, roots: Ints) -> Ints:
        flat, row = cells.ravel(), (np.arange(len(cells)) * cells.shape[1])[:, None]
        gaps = bool(np.isnan(flat).any())
        at = np.broadcast_to(roots, (len(cells), len(roots)))
        for _ in range(self.depth):
            value = flat.take(row + self.feature.take(at))
            goes_left = value <= self.threshold.take(at)
            if gaps:
                goes_left |= np.isnan(value) & self.gaps_left.take(at)
            at = np.where(goes_left, self.left.take(at), self.right.take(at))
        return np.asarray(at, np.intp)


def joined(parts: list[dict[str, Any]]) -> Trees:
    """Trees side by side, each of feature, threshold, left, right, leaf, gaps_left and depth."""
    sizes = [len(part["left"]) for part in parts]
    roots = np.cumsum([0, *sizes[:-1]]).astype(np.intp)
    own = np.concatenate([np.arange(size) + root for size, root in zip(sizes, roots, strict=True)])
    left, right = (
        np.concatenate([part[side].astype(np.int64) + root for part, root in zip(parts, roots, strict=True)])
        for side in ("left", "right")
    )
    leaf = np.concatenate([part["leaf"] for part in parts])
    threshold = np.concatenate([part["threshold"] for part in parts]).astype(np.float64)
    feature = np.concatenate([part["feature"] for part in parts])
    return Trees(
        roots,
        np.where(leaf, 0, feature).astype(np.int32),
        np.where(leaf, np.inf, threshold),
        np.where(leaf, own, left).astype(np.int32),
        np.where(leaf, own, right).astype(np.int32),
        np.concatenate([part["gaps_left"] for part in parts]).astype(bool),
        max(part["depth"] for part in parts),
    )
