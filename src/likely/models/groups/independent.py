"""Columns that are independent given the group: the core of naive Bayes and of mixtures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.infer import bayes_rule
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

    def settled(self) -> Tally:
        """With the statistics in their final form, when all blocks have been added."""
        return Tally(self.groups, tuple(part.settled() for part in self.parts))

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
    components: tuple[int, ...] | None = None  # (c,): how many groups each class has; None: one

    @property
    def log_rates(self) -> Floats:
        """Log P(class), (c,)."""
        return np.asarray(self.by_class(self.log_weights[None])[0])

    def by_class(self, logs: Floats) -> Floats:
        """Logs of groups (b, g) as those of classes (b, c): the groups of each class added up."""
        if self.components is None:
            return logs
        parts = np.split(logs, np.cumsum(self.components)[:-1], axis=1)
        return np.stack([bayes_rule(part)[1] for part in parts], axis=1)

    def log_joint(
        self, blocks: Sequence[Block], start: int, stop: int, evidence: bool = True
    ) -> tuple[Floats, Floats]:
        """Log P(row, group) of some rows, up to what all groups share, (b, g); and that part, (b,).

        Without `evidence` finite parts that all groups share may be left out of both.
        """
        apart: Floats | None = None
        shared = np.zeros(stop - start)
        with np.errstate(over="ignore", invalid="ignore"):
            for part, block in zip(self.parts, blocks, strict=True):
                more, common = part.relative(block.rows(start, stop), evidence)
                if apart is None:  # each group in one piece: four times as fast from here on
                    apart = np.ascontiguousarray(more.T).T
                    apart += self.log_weights
                else:
                    apart += more
                shared += common
        return np.repeat(self.log_weights[None], stop - start, axis=0) if apart is None else apart, shared
