"""A smooth function near some places of the line, kept at equal steps and read off in between."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from likely.stats.groups import Floats, Ints

REACH = 8  # bandwidths to which a bump is followed
STEPS = (32, 16, 8, 4)  # in a bandwidth: the most that keep the curve within MOST_NODES
MOST_NODES = 1 << 19
ORDER = 4  # moments of the values around their node that are kept: error 1e-8 within 3 bandwidths


@dataclass(frozen=True, slots=False, eq=False)
class Interpolant:
    """Runs of nodes, one after another in `values`; nothing is known between the runs.

    >>> two = Interpolant.of_bumps(np.array([0.0, 100.0]), np.array([1.0, 3.0]), 1.0)
    >>> two.read(np.array([0.0, 1.0, 50.0, 100.0])).round(4)
    array([1.    , 0.6065,    nan, 3.    ])
    """

    step: float
    starts: Floats  # (r,) the place on the line of each run's first node
    firsts: Ints  # (r,) the index of each run's first node
    values: Floats  # (m,)

    @classmethod
    def of_bumps(cls, centres: Floats, weights: Floats, bandwidth: float) -> Interpolant:
        """The sum of weights * exp(-((x - centres) / bandwidth)^2 / 2), at the nodes; centres ascend."""
        for steps in STEPS:
            step, pad = bandwidth / steps, REACH * steps
            # In steps, from the middle: an outlier must not take the digits of the others.
            away = (centres - centres[len(centres) // 2]) / step
            nodes = np.rint(away)
            breaks = np.flatnonzero(np.diff(nodes) > 2 * pad) + 1
            run = np.zeros(len(nodes), np.intp)
            run[breaks] = 1
            run = np.cumsum(run)
            begins = np.concatenate([[0], breaks]).astype(np.intp)
            opening = nodes[begins]
            closing = nodes[np.concatenate([breaks - 1, [len(nodes) - 1]])]
            lengths = (closing - opening + 1 + 2 * pad).astype(np.intp)
            if lengths.sum() <= MOST_NODES:
                break
        firsts = np.cumsum(lengths) - lengths
        where = (nodes - opening[run]).astype(np.intp) + firsts[run] + pad
        values = _bumps(where, weights, (away - nodes) / steps, int(lengths.sum()), pad, steps)
        starts = centres[begins] - (away[begins] - opening + pad) * step
        return cls(step, starts, firsts, values)

    def with_values(self, values: Floats) -> Interpolant:
        """Another function at the same nodes."""
        return replace(self, values=values)

    @cached_property
    def _lengths(self) -> Ints:
        return np.diff(self.firsts, append=len(self.values))

    def places(self) -> Floats:
        """Where on the line each node is, (m,)."""
        within = np.arange(len(self.values)) - np.repeat(self.firsts, self._lengths)
        return np.asarray(np.repeat(self.starts, self._lengths) + within * self.step)

    @cached_property
    def _cubics(self) -> Floats:
        """Of each node but the ends, the cubic through it, the one before and the two after, (m, 4)."""
        out = np.zeros((len(self.values), 4))
        before, here, after, next_after = (self.values[i : len(self.values) - 3 + i] for i in range(4))
        own = out[1:-2]
        own[:, 0] = here
        own[:, 1] = after - before / 3 - here / 2 - next_after / 6
        own[:, 2] = (before + after) / 2 - here
        own[:, 3] = (next_after - before) / 6 + (here - after) / 2
        return out

    def read(self, x: Floats) -> Floats:
        """The function at x, NaN between the runs."""
        if len(self.starts) == 1:
            t, first, last = (x - self.starts[0]) / self.step, self.firsts[0], self._lengths[0] - 3
        else:
            run = np.maximum(np.searchsorted(self.starts, x, side="right") - 1, 0)
            t = (x - self.starts[run]) / self.step
            first, last = self.firsts[run], self._lengths[run] - 3
        known = (t >= 1) & (t < last)
        t = np.where(known, t, 1.0)
        node = t.astype(np.intp)
        t -= node
        cubic = np.take(self._cubics, node + first, axis=0)
        heights = ((cubic[:, 3] * t + cubic[:, 2]) * t + cubic[:, 1]) * t + cubic[:, 0]
        return np.where(known, heights, np.nan)


def _bumps(where: Ints, weights: Floats, off: Floats, m: int, pad: int, steps: int) -> Floats:
    """At each of m nodes the sum of the bumps of values `off` (in bandwidths) the nodes `where`.

    exp(-(z - off)^2 / 2) = exp(-z^2 / 2) sum of He_k(z) off^k / k!: a convolution for each moment.
    """
    z = np.arange(-pad, pad + 1) / steps
    bump = np.exp(-0.5 * z * z)
    out = np.zeros(m)
    hermite, lower, moment = np.ones_like(z), np.zeros_like(z), weights
    for k in range(ORDER):
        mass = np.bincount(where, moment, m)
        if mass.any():
            out += np.convolve(mass, bump * hermite, mode="same")
        moment = moment * off / (k + 1)
        hermite, lower = z * hermite - k * lower, hermite
    return np.asarray(out)
