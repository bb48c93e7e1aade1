"""What known columns say of the others in a normal distribution, for many patterns and groups at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.dist.numeric.gap_patterns import GapPatterns
from likely.stats.groups import Floats, Ints


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
