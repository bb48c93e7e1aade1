"""Densities of several columns together as formulas that any program can work out, for each set of gaps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations
from math import comb

import numpy as np

from likely.dist.affine import LinearOdds
from likely.dist.elliptical import Elliptical, Factor
from likely.stats.groups import Floats

MOST_PATTERNS = 64  # sets of gaps that have a formula of their own


@dataclass(frozen=True, eq=False)
class QuadraticForm:
    """log P(known columns given group), less a term that all groups share, as a quadratic form.

    constant + slope . (x - middle) + k f(|whiten (x - centre - rest)|^2), where f(q) = q, or log(1 + q / df).
    """

    known: tuple[int, ...]  # the columns that are there, of those described together
    constant: Floats  # (g,)
    middle: Floats  # (p,)
    slope: Floats | None  # (g, p); None: there is no line
    centre: Floats  # (g, p)
    rest: Floats  # (g, p): what rounding took from the centres
    whiten: Floats | None  # (g, p, p), lower triangles; None: there are no squares
    k: Floats  # (g,)
    df: Floats | None = None  # (g,): of Student's t

    def __call__(self, x: Floats) -> Floats:
        """The log-densities of rows (n, p), (n, g)."""
        out = np.repeat(self.constant[None], len(x), axis=0)
        if self.slope is not None:
            out += (x - self.middle) @ self.slope.T
        if self.whiten is not None:
            white = np.einsum("gij,ngj->ngi", self.whiten, (x[:, None] - self.centre) - self.rest)
            q = np.square(white).sum(axis=2)
            out += self.k * (q if self.df is None else np.log1p(q / self.df))
        return out


def quadratic_forms(of: Elliptical, most: int = MOST_PATTERNS) -> tuple[QuadraticForm, ...]:
    """The formulas of a joint density: of complete rows, and of rows with gaps, those with few gaps first.

    As many numbers of gaps are covered, each in all its ways, as make no more than `most` formulas.
    """
    d = of._centre.shape[1]
    gaps, total = 0, 1
    while gaps < d and total + comb(d, gaps + 1) <= most:
        gaps += 1
        total += comb(d, gaps)
    sets = chain.from_iterable(combinations(range(d), d - lost) for lost in range(gaps + 1))
    return tuple(_form(of, known) for known in sets)


def _form(of: Elliptical, known: tuple[int, ...]) -> QuadraticForm:
    """The density of some of the columns; by lines alone where all groups have one covariance."""
    columns, p = np.array(known, np.intp), len(known)
    centre, rest = of._centre[:, columns], of._centre_rest[:, columns]
    matrix = of._matrix[:, columns[:, None], columns]
    factor, none = Factor.of(matrix), np.zeros(p)
    df = getattr(of, "df", None)
    height = np.broadcast_to(of._log_height(factor.log_det, p), len(centre))
    constant = np.asarray(height - height[0])
    if df is None and p and (matrix == matrix[:1]).all():
        odds = LinearOdds.of(centre, rest, factor.whiten[0], np.diagonal(matrix[0]))
        k = np.zeros(len(centre))
        return QuadraticForm(known, constant + odds.constant, odds.middle, odds.slope, centre, rest, None, k)
    k = np.full(len(centre), -0.5) if df is None else -(df + p) / 2
    whiten = factor.whiten if p else None
    return QuadraticForm(known, constant, none, None, centre, rest, whiten, np.asarray(k), df)
