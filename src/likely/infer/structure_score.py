"""Scores of a network's structure: how good each set of parents is for each node, counted once and kept.

The score of a structure is a sum over nodes of the score of the node's family. Every one of the scores is a
difference of what the counts of two sets of columns say: of the family, and of the parents alone. The first
is the same whichever of the family is the child, so that it is kept by the set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from math import log
from operator import or_
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.stats.configurations import Configurations

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]
ScoreWord = Literal["bic", "mdl", "bdeu", "k2", "likelihood"]
SCORES = ("bic", "mdl", "bdeu", "k2", "likelihood")


FEW = 10_000  # rows: of more, one pass for each set of parents is too many
ROOM = 1 << 17  # codes and cells of several sets that are counted in one pass
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

    def families(self, child: int, sets: Sequence[int]) -> list[float]:
        """The score of a node with each of some sets of parents."""
        own, kept, bit = self._own(child), self.kept, 1 << child
        lacking = [
            parents for parents in sets if (parents | bit, 0) not in kept or (parents, own) not in kept
        ]
        if lacking and self.rows.m <= FEW:
            self._keep_tables(child, lacking)
        else:  # one pass over many rows counts one more parent of several
            added: dict[int, list[int]] = {}
            for parents in filter(None, lacking):
                last = parents.bit_length() - 1
                added.setdefault(parents ^ 1 << last, []).append(last)
            for parents, more in added.items():
                self.additions(child, parents, more)
        return [self.family(child, parents) for parents in sets]

    def ceilings(self, child: int, parents: int, more: Sequence[int], own: float, best: float) -> list[float]:
        """What no set with these parents and one more scores above, or it does not beat the one without it.

        `own` is the score with these parents alone, and `best` the likelihood with all candidates. One more
        parent tells at most all that is left to tell of the child, which falls, while the penalty for it
        grows with every other parent (Suzuki). Under a symmetric Dirichlet prior the first row of every
        configuration of parents has probability 1/k.
        """
        levels = self.rows.levels
        if self.score in ("bdeu", "k2"):
            codes = [self.rows.code(members(parents | 1 << j)) for j in more]
            seen = [np.count_nonzero(self.rows.count(*code) >= 1) for code in codes]
            return [min(best, -n * log(levels[child])) for n in seen]
        penalty = self.penalty(child, parents)
        left = -own - penalty
        return [best - penalty * levels[j] if left > penalty * (levels[j] - 1) else -np.inf for j in more]

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

    def _keep_tables(self, child: int, sets: Sequence[int]) -> None:
        """As `_keep`, for each of some sets of parents whose tables are laid out, many in one pass."""
        rows, k, own = self.rows, self.rows.levels[child], self._own(child)
        union = reduce(or_, sets, 0) & ~(1 << child)
        columns = [*members(union), child]
        within = membership([parents | 1 << child for parents in sets], len(rows.levels))[:, columns]
        sizes = np.where(within, [rows.levels[j] for j in columns], 1.0).prod(axis=1)
        laid_out = np.flatnonzero(sizes <= rows.most)
        parts = np.cumsum(sizes[laid_out] + rows.m) // ROOM
        for part in np.split(laid_out, np.flatnonzero(np.diff(parts)) + 1):
            if not len(part):
                continue
            self.counted += 1
            cells, firsts, size = rows.tables(columns, within[part])
            both = self._said_tables(cells, firsts, size, 1.0)
            alone = self._said_tables(cells.reshape(-1, k) @ np.ones(k), firsts // k, size // k, k)
            for place, said, said_alone in zip(part.tolist(), both, alone, strict=True):
                self.kept[sets[place] | 1 << child, 0] = said
                self.kept[sets[place], own] = said_alone

    def _said_tables(self, cells: Floats, firsts: Ints, sizes: Ints, k2: float) -> list[float]:
        """What the counts of sets of columns say whose tables follow each other, as `_said` of each."""
        alpha = np.repeat(self._alpha(sizes, k2), sizes) if self.score in ("bdeu", "k2") else 0.0
        return np.add.reduceat(self._each(cells, alpha), firsts).tolist()  # type: ignore[no-any-return]

    def _said_each(self, tables: Floats, bundle: Bundle, size: int, k2: float) -> list[float]:
        """What the counts of sets of columns say that have one of a bundle each, as `_said` of each."""
        said = self._each(tables, self._alpha(size * bundle.levels, k2)).sum(axis=0)
        return np.add.reduceat(said, bundle.firsts).tolist()  # type: ignore[no-any-return]

    def _said(self, counts: Floats, places: int, k2: float) -> float:
        """What the counts of a set of columns say, in nats; of "mdl" in bits."""
        alpha = self._alpha(np.array([self.rows.size(members(places))]), k2)
        return float(self._each(counts[counts > 0], alpha).sum())

    def _alpha(self, sizes: Ints | Floats, k2: float) -> Floats:
        """What the prior counts in each cell of tables with so many cells."""
        return self.ess / sizes if self.score == "bdeu" else np.full(len(sizes), float(k2))

    def _each(self, counts: Floats, alpha: Floats | float) -> Floats:
        """What each count says: an empty cell nothing."""
        if self.score in ("bic", "mdl", "likelihood"):
            nats = np.log(np.maximum(counts, TINY))
            nats *= counts
            return nats / log(2) if self.score == "mdl" else nats
        from scipy.special import gammaln

        return np.asarray(gammaln(counts + alpha) - gammaln(alpha))


@lru_cache(1 << 16)
def members(places: int) -> tuple[int, ...]:
    """The places of the bits of a set, from the lowest.

    >>> members(0b1010)
    (1, 3)
    """
    return tuple(place for place in range(places.bit_length()) if places >> place & 1)


def membership(sets: Sequence[int], d: int) -> NDArray[np.bool_]:
    """Which of d places each set has, (sets, d).

    >>> membership([0b01, 0b10], 2).tolist()
    [[True, False], [False, True]]
    """
    wide = (d + 7) // 8
    octets = np.frombuffer(b"".join(places.to_bytes(wide, "little") for places in sets), np.uint8)
    bits = np.unpackbits(octets.reshape(len(sets), wide), axis=1, count=d, bitorder="little")
    return bits.view(np.bool_)


def mask(places: Sequence[int]) -> int:
    """A set of places as bits.

    >>> bin(mask((1, 3)))
    '0b1010'
    """
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits
