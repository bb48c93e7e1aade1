"""Cells of which nothing is known, averaged over what the known ones suggest: naive Bayes on the bins.

A cell may be missing in a column that never had gaps, or not be told in a question. Members have learnt
nothing of either, and would say anything. So such rows are filled in many ways, and the answers are averaged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.infer.bayes import bayes_rule
from likely.pool.reading import Reading, View

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

# In which a row is filled. Beside 4,096 ways, half of the columns untold, probabilities of four tables are
# .002 to .009 off in the mean, and .08 at worst (a table whose columns decide together).
WAYS = 64
AT_ONCE = 8192  # filled rows that members look at together


@dataclass(frozen=True)
class UntoldCells:
    """The ways to fill a row: the same for every row, so that no answer depends on the others."""

    reading: Reading
    log_rates: Floats  # (g,)
    log_shares: Floats  # (bins + 1, g): log P(bin given class); 0 for cells of which nothing is known
    class_at: Floats  # (WAYS,) from 0 to 1: where in the distribution of the class a way takes it
    bins: tuple[Ints, ...]  # of each column, (g, WAYS): the bin that a way takes in a row of each class

    @classmethod
    def of(cls, reading: Reading, rates: Floats) -> UntoldCells:
        """By the tallies of the bins; each way takes another part of each distribution (Latin hypercube)."""
        rng, d = np.random.default_rng(0), len(reading.n_bins)
        even = (np.arange(WAYS) + 0.5) / WAYS
        bins, shares = [], []
        for own in np.split(reading.tallies, np.cumsum(reading.n_bins)[:-1]) if d else []:
            whole = own.sum(axis=1, keepdims=True) + 1e-9
            share = (own + whole / whole.sum()) / (own.sum(axis=0) + 1)  # a row of the whole column's shares
            below = np.cumsum(share, axis=0)[:, :, None] < rng.permutation(even)  # (b, g, WAYS)
            bins.append(np.minimum(below.sum(axis=0), len(own) - 1))
            shares.append(np.log(share))
        log_shares = np.concatenate([*shares, np.zeros((1, len(rates)))])
        return cls(reading, np.log(np.maximum(rates, 1e-300)), log_shares, even, tuple(bins))

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
        for some in np.array_split(rows, 1 + len(rows) * WAYS // AT_ONCE):
            every = answer(self._filled(view, some, is_open))
            places.append(some)
            answers.append(mix(every.reshape(len(some), WAYS, *every.shape[1:])))
        return np.concatenate(answers)[np.argsort(np.concatenate(places), kind="stable")]

    def _filled(self, view: View, rows: Ints, is_open: Bools) -> View:
        """These rows in all ways, one row after the other."""
        known = self.log_rates + self.log_shares[view.place[rows]].sum(axis=1)
        at_most = np.cumsum(np.exp(bayes_rule(known)[0]), axis=1)  # (r, g)
        classes = (at_most[:, None, :] < self.class_at[:, None]).sum(axis=2)  # (r, WAYS)
        classes = np.minimum(classes, len(self.log_rates) - 1)
        bins, numbers = np.repeat(view.bins[rows], WAYS, axis=0), np.repeat(view.numbers[rows], WAYS, axis=0)
        for j in np.flatnonzero(is_open[rows].any(axis=0)):
            own = np.repeat(is_open[rows, j], WAYS)
            bins[own, j] = self.bins[j][classes, np.arange(WAYS)].ravel()[own]
            if j < numbers.shape[1]:
                numbers[own, j] = self.reading.middles[j][bins[own, j]]
        return View(self.reading, numbers, bins)
