"""Factors of 0 and 1: a matrix as a sum of weighted blocks, or as a union of blocks (Boolean)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

MOST = 12  # factors: all 2^k ways to choose some of them are tried
ROUNDS = 100


@dataclass(frozen=True, slots=True)
class BitFactors:
    """left diag(weights) right, or the union of left and right where there are no weights."""

    left: Bools  # (n, k)
    right: Bools  # (k, d)
    weights: Floats  # (k,)
    error: float  # sum of squares; of a union, the number of cells that differ


def choices(k: int) -> Bools:
    """All ways to choose some of k, (2^k, k), fewer first."""
    every = (np.arange(2**k)[:, None] >> np.arange(k)[::-1]) & 1 == 1
    return np.asarray(every[np.argsort(every.sum(axis=1), kind="stable")])


def sums(right: Bools, weights: Floats) -> Floats:
    """What each choice of the blocks (k, d) adds up to, (2^k, d)."""
    return np.asarray(choices(len(right)) @ (weights[:, None] * right))


def unions(right: Bools) -> Floats:
    """The union of each choice of the blocks, (2^k, d), as 0 and 1."""
    return np.asarray(choices(len(right)).astype(np.float64) @ right > 0, np.float64)


def nearest(X: Floats, patterns: Floats) -> Bools:
    """The choice whose pattern is nearest to each row by squares; of equal ones the smallest, (n, k)."""
    distance = (patterns**2).sum(axis=1) - 2 * X @ patterns.T
    k = len(patterns).bit_length() - 1
    least = distance.min(axis=1, keepdims=True)
    dust = 1e-12 * (np.abs(distance).max() + 1.0)
    return np.asarray(choices(k)[np.argmax(distance <= least + dust, axis=1)])


def weighted_blocks(
    X: Floats, row_weight: Floats, k: int, starts: int, rng: np.random.Generator
) -> BitFactors:
    """X as a sum of k weighted blocks by alternating over bits and weights; the best of some starts."""

    def start() -> BitFactors:
        right = _some_rows(X > 0, k, rng)
        return _with_weights(
            X, row_weight, np.zeros((len(X), k), bool), right, rng.uniform(0.5, 2, k) * X.max()
        )

    def better(now: BitFactors) -> BitFactors:
        now = _revived(X, now, rng)
        left = nearest(X, sums(now.right, now.weights))
        now = _with_weights(X, row_weight, left, now.right)
        root = np.sqrt(row_weight)
        right = nearest(X.T * root, sums(now.left.T, now.weights) * root).T
        return _with_weights(X, row_weight, now.left, right)

    return _best(start, better, starts)


def boolean_blocks(X: Bools, row_weight: Floats, k: int, starts: int, rng: np.random.Generator) -> BitFactors:
    """X as a union of k blocks (1 + 1 = 1) by alternating over bits; the best of some starts."""
    numbers, root = X.astype(np.float64), np.sqrt(row_weight)

    def made(left: Bools, right: Bools) -> BitFactors:
        union = left.astype(np.float64) @ right > 0
        return BitFactors(left, right, np.ones(k), float(row_weight @ (union != X).sum(axis=1)))

    def start() -> BitFactors:
        right = _some_rows(X, k, rng)
        return made(nearest(numbers, unions(right)), right)

    def better(now: BitFactors) -> BitFactors:
        right = nearest(numbers.T * root, unions(now.left.T) * root).T
        idle = ~right.any(axis=1) | ~now.left.any(axis=0)
        if idle.any():  # begin these anew with what a row has and is not covered
            left_over = X & ~(now.left.astype(np.float64) @ right > 0)
            some = np.flatnonzero(left_over.any(axis=1))
            if len(some):
                right[idle] = left_over[rng.choice(some, int(idle.sum()))]
        return made(nearest(numbers, unions(right)), right)

    return _best(start, better, starts)


def _best(
    start: Callable[[], BitFactors], better: Callable[[BitFactors], BitFactors], starts: int
) -> BitFactors:
    """The best of some starts, each improved until it gains no more."""
    best: BitFactors | None = None
    for _ in range(starts):
        now = start()
        for _ in range(ROUNDS):
            then = better(now)
            if not then.error < now.error - 1e-12 * (1 + now.error):
                break
            now = then
        now = min(now, then, key=lambda one: one.error)
        if best is None or now.error < best.error - 1e-9 * (1 + best.error):
            best = now
        if best.error <= 1e-12:
            break
    assert best is not None
    return best


def _some_rows(X: Bools, k: int, rng: np.random.Generator) -> Bools:
    """Blocks to begin with: rows, what two rows share, and what one has and another has not."""
    one, other = X[rng.integers(len(X), size=k)], X[rng.integers(len(X), size=k)]
    way = rng.integers(3, size=(k, 1))
    begin = np.where(way == 0, one, np.where(way == 1, one & other, one & ~other))
    empty = ~begin.any(axis=1)
    begin[empty] = one[empty]
    return np.asarray(begin)


def _revived(X: Floats, now: BitFactors, rng: np.random.Generator) -> BitFactors:
    """The factors with blocks that explain nothing begun anew where most is left to explain."""
    dead = (now.weights == 0) | ~now.left.any(axis=0) | ~now.right.any(axis=1)
    rest = X - now.left @ (now.weights[:, None] * now.right)
    left_over = np.abs(rest).sum(axis=1)
    if not dead.any() or not left_over.any():
        return now
    right, weights = now.right.copy(), now.weights.copy()
    for one in np.flatnonzero(dead):
        row = rest[rng.choice(len(X), p=left_over / left_over.sum())]
        peak = row[np.argmax(np.abs(row))]
        right[one], weights[one] = row / peak > rng.uniform(0.1, 0.9), peak
    return BitFactors(now.left & ~dead, right, weights, now.error)


def _with_weights(
    X: Floats, row_weight: Floats, left: Bools, right: Bools, weights: Floats | None = None
) -> BitFactors:
    """The factors with the weights of least squares, and their error."""
    if weights is None:
        a, b = left * row_weight[:, None], right.astype(np.float64)
        squares = (a.T @ left) * (b @ b.T)
        weights = np.linalg.lstsq(squares, ((a.T @ X) * b).sum(axis=1), rcond=1e-10)[0]
    rest = X - left @ (weights[:, None] * right)
    return BitFactors(left, right, weights, float(row_weight @ (rest**2).sum(axis=1)))
