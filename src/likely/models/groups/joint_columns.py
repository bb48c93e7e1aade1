"""Columns that are described together: one of them given others, and intervals of two of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Piece
from likely.ask.truncated_mixture import TruncatedMixture, mass
from likely.dist import MultivariateNormal, MultivariateT, Normal, StudentT
from likely.dist.numeric.elliptical import Factor
from likely.errors import LikelyError

Floats = NDArray[np.float64]

FLAT = 1e-14  # of its variance, the least that a column keeps once others are known


def conditional(part: MultivariateNormal | MultivariateT, rows: Floats, place: int) -> Normal | StudentT:
    """The distribution of one column in each group given the cells of rows (n, d) that are not NaN: (n, g).

    The part is a multivariate normal or t, and all rows have the same cells known. A Schur complement
    for each group; of a t the spread also grows with the distance of what is known.

    >>> pair = MultivariateNormal(np.zeros((1, 2)), [[[1.0, 0.8], [0.8, 1.0]]])
    >>> one = conditional(pair, np.array([[2.0, np.nan]]), 1)
    >>> one.mean.round(12), one.sd.round(12)
    (array([[1.6]]), array([[0.6]]))
    """
    if isinstance(part, MultivariateNormal):
        centre, matrix, rest = part.mean, part.covariance, part.mean_rest
    else:
        centre, matrix, rest = part.location, part.scale, part.location_rest
    known = np.flatnonzero(~np.isnan(rows[0]))
    factor = Factor.of(matrix[:, known[:, None], known])
    apart = (rows[:, None, known] - centre[:, known]) - rest[:, known]  # (n, g, p)
    white = np.einsum("gij,ngj->ngi", factor.whiten, apart)
    slope = np.einsum("gij,gj->gi", factor.whiten, matrix[:, place, known])
    own = matrix[:, place, place]
    variance = np.maximum(own - (slope**2).sum(axis=-1), FLAT * own)
    middle = centre[:, place] + np.einsum("ngi,gi->ng", white, slope)
    if isinstance(part, MultivariateNormal):
        return Normal(middle, np.sqrt(variance), rest[:, place])
    df = part.df + len(known)
    spread = variance * (part.df + (white**2).sum(axis=-1)) / df
    return StudentT(df, middle, np.sqrt(spread), rest[:, place])


def log_mass(
    part: MultivariateNormal | MultivariateT,
    row: Floats,
    regions: Mapping[int, tuple[Piece, ...]],
    names: Mapping[int, str],
) -> Floats:
    """log P(all of these columns in their pieces given the known cells of a row (d,)), (g,)."""
    if len(regions) > 2:
        raise LikelyError(
            f"intervals of {', '.join(repr(names[place]) for place in regions)} at once, which the model "
            "describes together: give intervals of two of them at most, and values of the others."
        )
    (first, pieces), *others = regions.items()
    alone = conditional(part, row[None], first).take(0)
    masses = mass(alone, pieces)
    if others:
        place, other_pieces = others[0]
        for group in np.flatnonzero(masses > 0):
            one = TruncatedMixture(np.ones(1), alone.take([group]), pieces)

            def inside(x: Floats, group: int = int(group), one: TruncatedMixture = one) -> Floats:
                rows = np.repeat(row[None], len(x), axis=0)
                rows[:, first] = x
                return one.density(x) * mass(
                    conditional(part, rows, place).take((slice(None), group)), other_pieces
                )

            masses[group] *= min(1.0, max(0.0, one.total(inside)))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(masses))
