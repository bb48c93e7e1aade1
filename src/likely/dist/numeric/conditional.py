"""What known columns say of the others in a normal distribution, for many patterns and groups at once."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass

import numpy as np

from likely.dist.numeric.gap_patterns import GapPatterns, gap_patterns
from likely.stats.groups import Floats, Groups, Ints

MOST = 1 << 21  # cells of rows filled in every group that are made at once: 16 MB

_local = threading.local()


@dataclass(frozen=True, slots=True)
class StandardUnits:
    """Matrices in units of the columns' standard deviations, so that units cost no digits."""

    sds: Floats  # (g, d)
    correlation: Floats  # (g, d, d)
    precision: Floats  # (g, d, d), its inverse
    log_det: Floats  # (g,), of the correlation

    @classmethod
    def of(cls, matrix: Floats, whiten: Floats, log_det: Floats) -> StandardUnits:
        """Of matrices (g, d, d), what whitens them and the logarithms of their determinants."""
        sds = np.sqrt(np.diagonal(matrix, axis1=-2, axis2=-1))
        whiten = whiten * sds[:, None, :]
        return cls(
            sds,
            matrix / (sds[:, :, None] * sds[:, None, :]),
            np.swapaxes(whiten, -1, -2) @ whiten,
            log_det - 2 * np.log(sds).sum(axis=-1),
        )


@dataclass(frozen=True, slots=True)
class GivenKnown:
    """The regression of the missing columns on the known ones, in standard units."""

    slope: Floats  # (p, g, k, m)
    spread: Floats  # (p, g, m, m): the covariance that is left
    log_det: Floats  # (p, g): of the correlations of the known columns

    @classmethod
    def of(cls, some: GapPatterns, standard: StandardUnits) -> GivenKnown:
        """Through the inverse of the known or of the missing columns, whichever are fewer."""
        known, gaps = some.known, some.gaps
        rows, columns = known[:, :, None], gaps[:, None, :]
        if gaps.shape[1] < known.shape[1]:
            across = _at(standard.precision, rows, columns)
            spread = np.asarray(np.linalg.inv(_at(standard.precision, gaps[:, :, None], columns)), np.float64)
            # det(whole) = det(known) det(the rest given the known).
            return cls(-across @ spread, spread, standard.log_det - np.linalg.slogdet(spread)[1])
        across = _at(standard.correlation, rows, columns)
        block = _at(standard.correlation, rows, known[:, None, :])
        slope = np.asarray(np.linalg.solve(block, across), np.float64)
        whole = _at(standard.correlation, gaps[:, :, None], columns)
        return cls(slope, whole - np.swapaxes(across, -1, -2) @ slope, np.linalg.slogdet(block)[1])


def _at(matrices: Floats, rows: Ints, columns: Ints) -> Floats:
    """Entries of matrices (g, d, d), (p, g, ...)."""
    taken: Floats = matrices[:, rows, columns]
    return taken.swapaxes(0, 1)


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
