"""Columns that are independent given the group: the core of naive Bayes and of mixtures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.stats import Statistic
from likely.stats.statistic import take_out
from likely.table.block import Block

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tally:
    """What was seen: the weight of each group, and a statistic for every slot."""

    groups: Floats  # (g,)
    parts: tuple[Statistic, ...]

    def __add__(self, other: Tally) -> Tally:
        pairs = zip(self.parts, other.parts, strict=True)
        return Tally(self.groups + other.groups, tuple(mine + theirs for mine, theirs in pairs))

    def __sub__(self, other: Tally) -> Tally:
        pairs = zip(self.parts, other.parts, strict=True)
        groups = take_out(self.groups, other.groups)
        return Tally(groups, tuple(mine - theirs for mine, theirs in pairs))

    def __mul__(self, factor: float) -> Tally:
        return Tally(self.groups * factor, tuple(part * factor for part in self.parts))

    def regroup(self, index: NDArray[np.intp], n_groups: int) -> Tally:
        """Move group i to place index[i] among n_groups."""
        groups = np.zeros(n_groups)
        groups[index] = self.groups
        return Tally(groups, tuple(part.regroup(index, n_groups) for part in self.parts))


@dataclass(frozen=True, slots=True)
class Independent:
    """P(group) times, for every part, P(columns of the part given the group)."""

    log_weights: Floats  # (g,)
    parts: tuple[Any, ...]  # distributions over (g, d)

    def log_joint(self, blocks: Sequence[Block], start: int, stop: int) -> tuple[Floats, Floats]:
        """Log P(row, group) of some rows, up to what all groups share, (b, g); and that part, (b,)."""
        apart = np.repeat(self.log_weights[None, :], stop - start, axis=0)
        shared = np.zeros(stop - start)
        with np.errstate(over="ignore", invalid="ignore"):
            for part, block in zip(self.parts, blocks, strict=True):
                more, common = part.relative(block.rows(start, stop))
                apart += more
                shared += common
        return apart, shared
