"""Rows with gaps, filled in each group with what their known cells suggest: the one look that EM needs."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass

import numpy as np

from likely.dist.numeric.conditional import GivenKnown, StandardUnits
from likely.dist.numeric.gap_patterns import GapPatterns, gap_patterns
from likely.stats.groups import Floats, Groups, Ints

MOST = 1 << 21  # cells of rows filled in every group that are made at once: 16 MB

_local = threading.local()


@dataclass(frozen=True, slots=True)
class FilledRows:
    """Rows that each lack a cell at least, beside the centres of groups.

    Where missing cells are what the known ones suggest, they add nothing to the distance from a centre: so
    the density of the known cells goes by the distance of the filled row. And filled rows are what EM
    expects, but for the covariance that is left of their gaps.
    """

    rows: Ints  # (i,): their places in the table
    apart: Floats  # (g, i, d): how many sds they lie from the centres
    log_det: Floats  # (i, g): of the correlations of the known columns, and of their sds
    n_known: Ints  # (i,)
    left: tuple[tuple[GapPatterns, Floats], ...]  # patterns, and covariances of gaps (p, g, m, m), in sds

    @classmethod
    def of(
        cls, cells: Floats, rows: Ints, centre: Floats, rest: Floats, standard: StandardUnits
    ) -> FilledRows:
        """These rows of a table (b, d), beside centres (g, d) and what rounding took from them."""
        own = cells[rows]
        missing = np.isnan(own)
        log_det, left = np.empty((len(rows), len(centre))), []
        with np.errstate(invalid="ignore", over="ignore"):
            apart = ((own - centre[:, None]) - rest[:, None]) / standard.sds[:, None]
            for some in gap_patterns(missing, len(centre)):
                given = GivenKnown.of(some, standard)
                known = apart[:, some.rows[:, :, None], some.known[:, None, :]]  # (g, p, r, k)
                apart[:, some.rows[:, :, None], some.gaps[:, None, :]] = known @ given.slope.swapaxes(0, 1)
                log_det[some.rows] = given.log_det[:, None]
                left.append((some, given.spread))
        log_det += 2 * (~missing @ np.log(standard.sds).T)
        return cls(rows, apart, log_det, (~missing).sum(axis=1), tuple(left))

    def covariances(self, groups: Groups, sds: Floats) -> Floats:
        """What is left of the gaps' covariances, added up over the members of each group, (g, d, d)."""
        g, d = sds.shape
        total = np.zeros(g * d * d)
        for some, spread in self.left:
            weight = np.stack([groups.column(group)[self.rows[some.rows]].sum(axis=1) for group in range(g)])
            cell = some.gaps[:, :, None] * d + some.gaps[:, None, :]  # (p, m, m)
            place = cell + (np.arange(g) * d * d)[:, None, None, None]
            shares = spread.swapaxes(0, 1) * weight[:, :, None, None]
            total += np.bincount(place.ravel(), shares.ravel(), g * d * d)
        return np.asarray(total.reshape(g, d, d) * (sds[:, :, None] * sds[:, None, :]))


@dataclass(frozen=True, slots=True)
class HeldFill:
    """The rows that a thread filled last: EM looks at every block twice, to weigh it and to count it."""

    cells: weakref.ref[Floats]
    law: weakref.ref[object]
    filled: FilledRows

    def keep(self) -> None:
        """Until this thread fills others."""
        _local.held = self

    @classmethod
    def last(cls, law: object, cells: Floats) -> FilledRows | None:
        """What was kept, if it was of this distribution and of this very array."""
        held: HeldFill | None = getattr(_local, "held", None)
        return held.filled if held is not None and held.cells() is cells and held.law() is law else None
