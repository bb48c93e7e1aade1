"""Cells of which nothing is known, averaged over the rows that agree with what is known.

A cell may be missing in a column that never had gaps, or not be told in a question. Members have learnt
nothing of either, and would say anything. So such rows are filled in many ways, each as in a row of the
table that is like them as far as they are told, and the answers are averaged. Then what few facts say is
about what the rows say that have these facts, however columns depend on each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, by_pieces
from likely.infer.bayes import posterior_of_row
from likely.pool.reading.reading import Reading, View

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

WAYS = 64  # in which a row is filled
AT_ONCE = 8192  # filled rows that members look at together
# What a row counts for, for every told cell in which it differs: as little as leaves so many rows to count.
DIFFERS = tuple(float(np.log(times)) for times in (1000.0, 30.0, 5.0, 2.0, 1.4))
ENOUGH = 15
FAR = 0.25  # of the bins of a number
AVERAGED = "columns that are not told are averaged over, as they are in rows that agree with what is told."


@dataclass(frozen=True)
class UntoldCells:
    """The ways to fill a row: the same for every row, so that no answer depends on the others."""

    reading: Reading
    donors: Ints  # (m, d): bins of rows that were learnt from, those next to each other that say the same
    log_weight: Floats  # (m,)

    @classmethod
    def of(cls, reading: Reading, rates: Floats) -> UntoldCells:
        """By rows of the table, whose groups are to have these shares."""
        groups, bins = reading.donor_groups, reading.donors.astype(np.intp)
        seen = np.bincount(groups, minlength=len(rates))
        log_weight = np.log(np.maximum(rates, 1e-300)) - np.log(np.maximum(seen, 1))
        # Ways are taken evenly along the donors: if neighbours say the same, the average is that of all.
        order = np.lexsort((reading.log_odds_of_donors(), groups))
        return cls(reading, bins[order], log_weight[groups[order]])

    @cached_property
    def _far(self) -> Floats:
        """How many bins away a cell is as unlike another as can be, (d,): of levels the next one."""
        reading = self.reading
        return np.where(np.arange(len(reading.n_bins)) < reading.n_numbers, FAR * reading.n_bins, 1.0)

    def average(
        self, view: View, answer: Callable[[View], Floats], mix: Callable[[Floats], Floats]
    ) -> Floats:
        """What `answer` says of rows, (n, k); where not all is told, the `mix` of all ways, (r, ways, k)."""
        is_open = view.bins == -1
        rows = np.flatnonzero(is_open.any(axis=1))
        if not len(rows):
            return answer(view)
        told = np.setdiff1d(np.arange(len(view.bins)), rows)
        places, answers = [], []
        if len(told):
            places.append(told)
            answers.append(answer(View(self.reading, view.numbers[told], view.bins[told])))

        def in_all_ways(some: Chunk[Ints]) -> Answers:
            every = answer(self._filled(view, some.data[some.first : some.first + some.n], is_open))
            return (mix(every.reshape(some.n, WAYS, *every.shape[1:])),)

        places.append(rows)
        answers += by_pieces(Chunk(rows, len(rows), WAYS), AT_ONCE // WAYS, in_all_ways)
        return np.concatenate(answers)[np.argsort(np.concatenate(places), kind="stable")]

    def _filled(self, view: View, rows: Ints, is_open: Bools) -> View:
        """These rows in all ways, one row after the other."""
        cases, place = np.unique(view.bins[rows], axis=0, return_inverse=True)
        taken = np.stack([self._ways(case) for case in cases])[place.reshape(-1)]  # (r, WAYS)
        bins, numbers = np.repeat(view.bins[rows], WAYS, axis=0), np.repeat(view.numbers[rows], WAYS, axis=0)
        for j in np.flatnonzero(is_open[rows].any(axis=0)):
            own = np.repeat(is_open[rows, j], WAYS)
            bins[own, j] = self.donors[taken.ravel()[own], j]
            if j < numbers.shape[1]:
                numbers[own, j] = self.reading.middles[j][bins[own, j]]
        return View(self.reading, numbers, bins)

    def _ways(self, bins: Ints) -> Ints:
        """Which donors fill a row, (WAYS,): each as often as it is like the row where that is told."""
        known = np.flatnonzero(bins >= 0)
        apart = np.minimum(np.abs(self.donors[:, known] - bins[known]) / self._far[known], 1.0).sum(axis=1)
        at_most = np.zeros(0)
        for times in DIFFERS:
            weight = posterior_of_row(self.log_weight - times * (apart - apart.min()))
            at_most = np.cumsum(weight)
            if at_most[-1] ** 2 >= ENOUGH * np.square(weight).sum():  # so many rows of equal weight
                break
        even = (np.arange(WAYS) + 0.5) / WAYS * at_most[-1]
        return np.asarray(np.minimum(np.searchsorted(at_most, even, side="right"), len(at_most) - 1))
