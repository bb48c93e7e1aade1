"""Scores of a network's structure: how good each set of parents is for each node, counted once and kept.

The score of a structure is a sum over nodes of the score of the node's family. Every one of the scores is a
difference of what the counts of two sets of columns say: of the family, and of the parents alone. The first
is the same whichever of the family is the child, so that it is kept by the set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import lgamma, log
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.stats.configurations import Configurations

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
ScoreWord = Literal["bic", "mdl", "bdeu", "k2", "likelihood"]
SCORES = ("bic", "mdl", "bdeu", "k2", "likelihood")


BUNDLE = 128  # the most combinations of levels of columns that are counted together
TINY = 1e-300  # in the place of 0, whose logarithm counts for nothing


@dataclass(frozen=True, slots=True)
class Bundle:
    """Some columns as one: the counts of the one are those of each, once the others are summed out."""

    columns: list[int]
    places: int  # the columns as bits
    code: Ints  # (m,): of the combination of levels of each row
    size: int  # how many combinations there are
    apart: Floats  # (size, levels of all): 1 where a combination has a level
    firsts: Ints  # where the levels of each column begin
    levels: Floats  # (levels of all,): how many the column of each has

    @classmethod
    def of(cls, rows: Configurations, columns: Sequence[int]) -> Bundle:
        """Of some columns of some rows."""
        code, size = rows.code(columns)
        levels = [rows.levels[j] for j in columns]
        which = np.stack(np.unravel_index(np.arange(size), levels), axis=1)  # (size, columns)
        apart = np.concatenate([np.eye(k)[which[:, place]] for place, k in enumerate(levels)], axis=1)
        firsts = np.cumsum([0, *levels[:-1]])
        return cls(list(columns), mask(columns), code, size, apart, firsts, np.repeat(levels, levels) * 1.0)


@dataclass
class FamilyScores:
    """The score of every family that was asked for.

    >>> rows = Configurations.of(np.array([[0, 0], [1, 1], [0, 0], [1, 1]]), (2, 2))
    >>> scores = FamilyScores(rows, "bic")
    >>> round(scores.family(1, 0b01) - scores.family(1, 0), 4)  # 4 ln 2 saved, for (2 - 1) / 2 ln 4
    2.0794
    """

    rows: Configurations
    score: ScoreWord = "bic"
    ess: float = 1.0  # the equivalent sample size of "bdeu"
    # By set (a bit for each column) and, of "k2", the levels of the child:
    kept: dict[tuple[int, int], float] = field(default_factory=dict)
    counted: int = 0  # how many tables were counted
    sizes: dict[int, int] = field(default_factory=dict)  # of tables, by set
    bundled: list[Bundle] | None = None

    def __post_init__(self) -> None:
        if self.score not in SCORES:
            raise LikelyError(f"score={self.score!r}: use one of {', '.join(map(repr, SCORES))}.")
        if not self.ess > 0:
            raise LikelyError(f"ess={self.ess!r}: an equivalent sample size is above 0.")
        self._log_n = log(self.rows.n) if self.rows.n > 0 else 0.0

    def family(self, child: int, parents: int) -> float:
        """The score of a node with these parents, a bit for each."""
        both = self.kept.get((parents | 1 << child, 0))
        alone = self.kept.get((parents, self._own(child)))
        if both is None or alone is None:
            code, size = self.rows.code([*members(parents), child])
            both, alone = self._keep(child, parents, code, size)
        return both - alone - self.penalty(child, parents)

    def structure(self, parents: Sequence[Sequence[int]]) -> float:
        """The score of all families together, in nats (of "mdl" in bits): the larger, the better."""
        return sum(self.family(child, mask(of)) for child, of in enumerate(parents))

    def additions(self, child: int, parents: int, more: Sequence[int]) -> Floats:
        """The score of a node whose parents are these and one more, for each of some, (len(more),)."""
        own, kept, family = self._own(child), self.kept, parents | 1 << child
        lacking = 0
        for j in more:
            if (family | 1 << j, 0) not in kept or (parents | 1 << j, own) not in kept:
                lacking |= 1 << j
        if lacking:
            widest = max(self.rows.levels[j] for j in members(lacking))
            base = self.rows.refine(*self.rows.code(members(parents)), child, widest)
            for bundle in self._bundles():
                wanted = bundle.places & lacking & ~family
                if wanted.bit_count() > 1 and base[1] * bundle.size <= self.rows.most // 8:
                    lacking &= ~wanted
                    self._keep_each(child, parents, base, bundle)
            for j in members(lacking):
                k = self.rows.levels[j]
                self._keep(child, parents | 1 << j, base[0] * k + self.rows.columns[j], base[1] * k, k)
        penalty = self.penalty(child, parents)
        scale = penalty and np.array([self.rows.levels[j] for j in more])
        both = np.array([kept[family | 1 << j, 0] for j in more])
        return both - [kept[parents | 1 << j, own] for j in more] - penalty * scale

    def free(self, child: int, parents: int) -> int:
        """How many free numbers the table of a node has: all rows of parents counted, seen or not."""
        size = self.sizes.get(parents)
        if size is None:
            size = self.sizes[parents] = self.rows.size(members(parents))
        return (self.rows.levels[child] - 1) * size

    def penalty(self, child: int, parents: int) -> float:
        """What the score takes off for the size of the table, whatever the counts."""
        if self.score in ("bic", "mdl"):
            nats = 0.5 * self.free(child, parents) * self._log_n
            return nats if self.score == "bic" else nats / log(2)
        return 0.0

    def ceiling(self, child: int, parents: int, more: int, best: float) -> float:
        """No set with these parents and one more has a higher score, or it does not beat the one without it.

        `best` is the likelihood with all candidates. One more parent tells at most all that is left to tell
        of the child, which falls, while the penalty for it grows with every other parent (Suzuki). Under a
        symmetric Dirichlet prior the first row of every configuration of parents has probability 1/k.
        """
        wider = parents | 1 << more
        if self.score in ("bdeu", "k2"):
            seen = np.count_nonzero(self.rows.count(*self.rows.code(members(wider))) >= 1)
            return min(best, -seen * log(self.rows.levels[child]))
        penalty = self.penalty(child, wider)
        left = -self.family(child, parents) - self.penalty(child, parents)
        return -np.inf if left <= penalty - self.penalty(child, parents) else best - penalty

    def within(self, places: int) -> FamilyScores:
        """The same scores, counted on the distinct configurations of some columns: of these alone."""
        few = self.rows.distinct(members(places))
        if few.m > self.rows.m // 2:  # nothing is won, and rows without weights are counted faster
            return self
        return FamilyScores(few, self.score, self.ess, self.kept, sizes=self.sizes)

    def _own(self, child: int) -> int:
        return self.rows.levels[child] if self.score == "k2" else 0

    def _keep(self, child: int, parents: int, code: Ints, size: int, k: int = 1) -> tuple[float, float]:
        """What a family's counts say, and those of the parents alone: the child varies fastest but for k."""
        self.counted += 1
        table = self.rows.count(code, size).reshape(-1, self.rows.levels[child], k)
        family = parents | 1 << child
        both = self.kept[family, 0] = self._said(table, family, 1.0)
        alone = self._said(table.sum(axis=1), parents, float(self.rows.levels[child]))
        self.kept[parents, self._own(child)] = alone
        return both, alone

    def _bundles(self) -> list[Bundle]:
        """Neighbouring columns that are counted together, so that one pass over the rows counts several."""
        if self.bundled is None:
            waiting: list[int] = []
            self.bundled, size = [], 1
            for j in sorted(self.rows.columns):
                k = self.rows.levels[j]
                if waiting and size * k > BUNDLE:
                    self.bundled.append(Bundle.of(self.rows, waiting))
                    waiting, size = [], 1
                waiting.append(j)
                size *= k
            self.bundled.append(Bundle.of(self.rows, waiting))
        return self.bundled

    def _keep_each(self, child: int, parents: int, base: tuple[Ints, int], bundle: Bundle) -> None:
        """As `_keep`, for each column of a bundle that could be one more parent, at once."""
        self.counted += 1
        counts = self.rows.count(base[0] * bundle.size + bundle.code, base[1] * bundle.size)
        tables = counts.reshape(base[1], bundle.size) @ bundle.apart  # (q k, levels of all)
        k = self.rows.levels[child]
        alone = tables.reshape(-1, k, tables.shape[1]).sum(axis=1)
        family = parents | 1 << child
        size = self.rows.size(members(family))
        said = self._said_each(tables, bundle, size, 1.0)
        said_alone = self._said_each(alone, bundle, size // k, float(k))
        for place, j in enumerate(bundle.columns):
            if not family >> j & 1:
                self.kept[family | 1 << j, 0] = said[place]
                self.kept[parents | 1 << j, self._own(child)] = said_alone[place]

    def _said_each(self, tables: Floats, bundle: Bundle, size: int, k2: float) -> list[float]:
        """What the counts of sets of columns say that have one of a bundle each, as `_said` of each."""
        if self.score in ("bic", "mdl", "likelihood"):
            logs = np.log(np.maximum(tables, TINY))
            nats = np.add.reduceat(np.einsum("ij,ij->j", tables, logs), bundle.firsts)
            return (nats / log(2) if self.score == "mdl" else nats).tolist()  # type: ignore[no-any-return]
        from scipy.special import gammaln

        alpha = np.full(tables.shape[1], k2) if self.score == "k2" else self.ess / size / bundle.levels
        nats = (gammaln(tables + alpha) - gammaln(alpha)).sum(axis=0)
        return np.add.reduceat(nats, bundle.firsts).tolist()  # type: ignore[no-any-return]

    def _said(self, counts: Floats, places: int, k2: float) -> float:
        """What the counts of a set of columns say, in nats; of "mdl" in bits."""
        seen = counts[counts > 0]
        if self.score in ("bic", "mdl", "likelihood"):
            nats = float(seen @ np.log(seen))
            return nats / log(2) if self.score == "mdl" else nats
        from scipy.special import gammaln

        alpha = k2 if self.score == "k2" else self.ess / self.rows.size(members(places))
        return float(gammaln(seen + alpha).sum()) - len(seen) * lgamma(alpha)


@lru_cache(1 << 16)
def members(places: int) -> tuple[int, ...]:
    """The places of the bits of a set, from the lowest.

    >>> members(0b1010)
    (1, 3)
    """
    return tuple(place for place in range(places.bit_length()) if places >> place & 1)


def mask(places: Sequence[int]) -> int:
    """A set of places as bits.

    >>> bin(mask((1, 3)))
    '0b1010'
    """
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits
