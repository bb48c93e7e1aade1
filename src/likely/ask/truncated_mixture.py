"""A number that is one of several distributions, kept to a part of the line if it is known to lie there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.ask.constraint import LINE, Piece, after, before
from likely.dist.univariate import least
from likely.errors import LikelyError

Floats = NDArray[np.float64]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
HALVINGS = 60
MOST_POINTS = 1 << 20  # whole numbers that are added up one by one
TAILS = (1e-16, 1e-10)  # probability beyond the whole numbers that are added up: the first that leaves few
LIGHT = 1e-18  # no part of less weight is looked at
PLACES = (1e-16, 1e-12, 1e-8, 1e-5, 1e-3, 0.02, 0.1, 0.3, 0.5)  # and as far from 1: where the density changes


def integrate(function: Callable[[Floats], Floats], breaks: Floats, tolerance: float = 1e-11) -> float:
    """The integral from the first break to the last.

    Every step between two breaks is halved until that changes its part by no more than `tolerance`.

    >>> round(integrate(lambda x: np.abs(x - 0.3), np.array([0.0, 1.0])), 9)
    0.29
    """
    low, high = breaks[:-1], breaks[1:]
    whole = _steps(function, low, high)
    done = 0.0
    for _ in range(HALVINGS):
        middle = low + (high - low) / 2
        left, right = _steps(function, low, middle), _steps(function, middle, high)
        rough = np.abs(left + right - whole) > tolerance
        done += float((left + right)[~rough].sum())
        if not rough.any():
            return done
        low, high = np.concatenate([low[rough], middle[rough]]), np.concatenate([middle[rough], high[rough]])
        whole = np.concatenate([left[rough], right[rough]])
    return done + float(whole.sum())


def _steps(function: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Gauss' rule for each step."""
    half = (high - low) / 2
    x = (low + half)[:, None] + half[:, None] * _NODES
    return np.asarray(half * (function(x.ravel()).reshape(x.shape) @ _WEIGHTS))


@dataclass(frozen=True, eq=False)
class TruncatedMixture:
    """Part m with weight weights[m], kept to the pieces, or to those of them that it has for its own.

    With further axes before, the weights are those of the combinations of other variables' levels, and
    all of them together add up to 1.
    """

    weights: Floats  # (..., m)
    parts: Any  # univariate distributions, a batch of (m,)
    pieces: tuple[Piece, ...] = LINE
    own: NDArray[np.bool_] | None = None  # (m, p): which pieces each part is kept to; None if to all

    @classmethod
    def joined(cls, mixtures: Sequence[TruncatedMixture], shares: Sequence[float]) -> TruncatedMixture:
        """One mixture or another, with these chances; the parts of all are the same."""
        parts, m = mixtures[0].parts, len(mixtures)
        pieces = refined([mixture.pieces for mixture in mixtures], bool(parts.whole))
        weights = [share * mixture.weights for share, mixture in zip(shares, mixtures, strict=True)]
        own = [[_covers(mixture.pieces, piece) for piece in pieces] for mixture in mixtures]
        n = parts.batch[0]
        again = parts.take(np.tile(np.arange(n), m))
        return cls(np.concatenate(weights, axis=-1), again, pieces, np.repeat(np.array(own), n, axis=0))

    @property
    def whole(self) -> bool:
        """Whether only whole numbers have mass."""
        return bool(self.parts.whole)

    @cached_property
    def masses(self) -> Floats:
        """What each part has on the pieces, (m,); 1 where that is 0, for the weight is 0, too."""
        masses = self._mass(self.pieces)
        return np.where(masses > 0, masses, 1.0)

    def _mass(self, pieces: Sequence[tuple[Any, Any]]) -> Floats:
        """The probability of what is left of each piece under each part that is kept to it."""
        if self.own is None:
            return mass(self.parts, pieces)
        each = [mass(self.parts, [piece]) * self.own[:, p] for p, piece in enumerate(pieces)]
        return np.asarray(np.minimum(np.sum(each, axis=0), 1.0))

    @cached_property
    def marginal(self) -> TruncatedMixture:
        """The number by itself."""
        weights = self.weights.reshape(-1, self.weights.shape[-1]).sum(axis=0)
        return replace(self, weights=weights)

    def density(self, x: Floats) -> Floats:
        """The density, or the mass of whole numbers, at x (n,): (..., n)."""
        at = np.array([(low <= x) & (x <= high) for low, high in self.pieces]).reshape(-1, len(x))
        inside = at.any(axis=0) if self.own is None else self.own @ at
        each = np.where(inside, np.exp(self.parts.log_prob(x[:, None])).T, 0.0)  # (m, n)
        return np.asarray((self.weights / self.masses) @ np.where(np.isfinite(each), each, 0.0))

    def cdf(self, x: ArrayLike) -> Floats:
        """P(X <= x)."""
        up_to = np.asarray(x, np.float64)[..., None]
        return self._on([(low, np.minimum(high, up_to)) for low, high in self.pieces])

    def sf(self, x: ArrayLike) -> Floats:
        """P(X > x), with digits of its own."""
        at = np.asarray(x, np.float64)[..., None]
        start = np.floor(at) + 1 if self.whole else np.nextafter(at, np.inf)
        return self._on([(np.maximum(low, start), high) for low, high in self.pieces])

    def _on(self, pieces: Sequence[tuple[Any, Any]]) -> Floats:
        return np.asarray((self._mass(pieces) / self.masses) @ self.marginal.weights)

    def quantile(self, share: float) -> float:
        """The least value that this share of the values does not exceed, to the last bit."""
        return float(self.quantiles(np.array([share]))[0])

    def quantiles(self, shares: Floats) -> Floats:
        """The same of several shares at once, (n,)."""
        low, high = self.ends
        # Sums of masses round: a whole number must not be missed for it.
        slack = 1e-14 * np.minimum(shares, 1 - shares) if self.whole else 0.0

        def reached(x: Floats) -> NDArray[np.bool_]:
            # Each half from the side that has the digits.
            lower = self.cdf(x) >= shares - slack if (shares <= 0.5).any() else False
            upper = self.sf(x) <= (1 - shares) + slack if (shares > 0.5).any() else False
            return np.where(shares <= 0.5, lower, upper)

        inside = np.clip(least(reached, shares.shape), low, high)
        return np.where(shares == 0, low, np.where(shares == 1, high, inside))

    @cached_property
    def ends(self) -> Piece:
        """The least and the greatest possible value."""
        lows, highs = (np.broadcast_to(end, self.parts.batch) for end in self.parts.ends())
        weights = self.marginal.weights
        met = [
            (max(low, float(lows[m])), min(high, float(highs[m])))
            for m in np.flatnonzero(weights > 0)
            for p, (low, high) in enumerate(self.pieces)
            if self.own is None or self.own[m, p]
        ]
        met = [piece for piece in met if piece[0] <= piece[1]]
        return min(low for low, _ in met), max(high for _, high in met)

    @cached_property
    def mean(self) -> float:
        """The expectation: exact, or if the number is kept to pieces to about 1e-9 of the sd."""
        if self.pieces == LINE:
            return float(self._weighed(self.parts.mean))
        return self.centre + self.expect(lambda x: x - self.centre)

    @cached_property
    def sd(self) -> float:
        """The standard deviation, likewise."""
        if self.pieces == LINE:
            return math.sqrt(self._weighed(self.parts.variance + (self.parts.mean - self.mean) ** 2))
        return math.sqrt(max(0.0, self.expect(lambda x: (x - self.mean) ** 2)))

    @cached_property
    def centre(self) -> float:
        """The median."""
        return self.quantile(0.5)

    def _weighed(self, of_parts: Floats) -> float:
        weights = self.marginal.weights
        mean = float(weights[weights > 0] @ np.asarray(of_parts, np.float64)[weights > 0])
        if not math.isfinite(mean):
            raise LikelyError(
                "the tails are so heavy that there is no such number: ask for a quantile instead."
            )
        return mean

    def expect(self, function: Callable[[Floats], Floats]) -> float:
        """The expectation of a function of x (n,)."""
        return self.total(lambda x: function(x) * self.marginal.density(x))

    def total(self, function: Callable[[Floats], Floats]) -> float:
        """The integral of a function of x (n,), or its sum over the whole numbers, where the mixture lies."""
        if not self.whole:
            return sum(integrate(function, breaks) for breaks in self._breaks)
        return float(np.sum(function(self.points)))

    def nodes(self, halved: int = 0) -> tuple[Floats, Floats]:
        """Points along the line and their weights, for sums that are integrals; steps are halved so often."""
        if self.whole:
            return self.points, np.ones(len(self.points))
        points, weights = [np.zeros(0)], [np.zeros(0)]
        for breaks in self._breaks:
            for _ in range(halved):
                breaks = np.insert(breaks, np.arange(1, len(breaks)), (breaks[1:] + breaks[:-1]) / 2)
            half = np.diff(breaks) / 2
            points.append(((breaks[:-1] + half)[:, None] + half[:, None] * _NODES).ravel())
            weights.append((half[:, None] * _WEIGHTS).ravel())
        return np.concatenate(points), np.concatenate(weights)

    @cached_property
    def _heavy(self) -> Any:
        return self.parts.take(self.marginal.weights > LIGHT)

    @cached_property
    def _breaks(self) -> list[Floats]:
        """For each piece, points between which the density changes little."""
        shares = np.array([*PLACES, *(1 - np.array(PLACES[:-1]))])
        low, high = self._heavy.ends()
        # A jump near the end of a step would be missed by all of its nodes.
        jumps = self._heavy.jumps()
        marks = [self._heavy.quantile(shares[:, None]), np.asarray(low), np.asarray(high), jumps]
        if self.pieces != LINE:  # which may lie far from where the parts do
            marks.append(self.quantiles(shares))
        places = np.concatenate([np.ravel(part) for part in marks])
        places = np.unique(places[np.isfinite(places)])
        return [_between(places, piece) for piece in self.pieces]

    @cached_property
    def points(self) -> Floats:
        """All whole numbers that matter."""
        for tail in TAILS:
            low = float(np.min(self._heavy.quantile(tail)))
            high = float(np.max(self._heavy.quantile(1 - tail)))
            met = [(max(low, piece[0]), min(high, piece[1])) for piece in self.pieces]
            if sum(max(0.0, b - a) for a, b in met) <= MOST_POINTS:
                return np.concatenate([np.arange(a, b + 1) for a, b in met if a <= b] or [np.zeros(0)])
        raise LikelyError(
            f"the answer is a sum over more than {MOST_POINTS:,} whole numbers: give an interval after the "
            "bar, such as x < 1000."
        )


def refined(regions: Sequence[tuple[Piece, ...]], whole: bool) -> tuple[Piece, ...]:
    """Pieces apart from each other of which every region is made.

    >>> refined([((0.0, 5.0),), ((3.0, 8.0),)], whole=True)
    ((0.0, 2.0), (3.0, 5.0), (6.0, 8.0))
    """
    ends = [piece for pieces in regions for piece in pieces]
    starts = sorted({low for low, _ in ends} | {after(high, whole) for _, high in ends})
    pairs = pairwise([*starts, math.inf])
    cut = [(low, high if math.isinf(high) else before(high, whole)) for low, high in pairs if low < math.inf]
    return tuple(piece for piece in cut if any(_covers(pieces, piece) for pieces in regions))


def _covers(pieces: Sequence[Piece], piece: Piece) -> bool:
    return any(low <= piece[0] and piece[1] <= high for low, high in pieces)


def mass(parts: Any, pieces: Sequence[tuple[Any, Any]]) -> Floats:
    """The probability of pieces of the line under each of a batch of distributions; 0 if a piece is empty.

    The ends of a piece are numbers, or arrays that broadcast with the batch.
    """
    total = np.zeros(parts.batch)
    for low, high in pieces:
        if parts.whole and np.array_equal(low, high):
            total = total + parts.prob(low)
            continue
        under, over = parts.below(low), parts.sf(high)
        # From the side that has the digits.
        within = np.where(under > 0.5, parts.at_least(low) - over, parts.cdf(high) - under)
        total = total + np.maximum(within, 0.0)
    return np.minimum(total, 1.0)


def _between(places: Floats, piece: Piece) -> Floats:
    ends = [end for end in piece if places[0] <= end <= places[-1]]  # nothing is further out
    inside = places[(places > piece[0]) & (places < piece[1])]
    return np.unique(np.concatenate([inside, ends]))
