"""Totals of counts that share out the words of a row, and what was missing together when they did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats, Groups, Ints
from likely.stats.statistic import exceeds, take_out
from likely.stats.sums import Sums, split_missing, sums_of_known
from likely.table.sparse import Rows, row_sums

NONE: Ints = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class GapSums(Sums):
    """Sums, and how many words were seen in the rows that lack the same columns.

    A row that lacks some columns shares out its words among the others, so that its likelihood needs the
    number of its words, beside the total of each column, for every set of columns that is missing
    together. Rows without gaps, and those without words, need no more than `Sums`.

    >>> rows = np.array([[3.0, np.nan, 1.0], [2.0, 5.0, 1.0], [0.0, np.nan, 2.0]])
    >>> seen = GapSums.collect(rows, Groups.one(3))
    >>> seen.total, seen.words, seen.gaps
    (array([[5., 5., 4.]]), array([[6.]]), array([1]))
    """

    words: Floats = None  # type: ignore[assignment]  # (g, p) in the rows of each set
    gaps: Ints = None  # type: ignore[assignment]  # (e,) the columns that are missing, set after set
    ends: Ints = None  # type: ignore[assignment]  # (p,) where those of each set end

    def __post_init__(self) -> None:
        for name, none in (("words", np.zeros((len(self.n), 0))), ("gaps", NONE), ("ends", NONE)):
            if getattr(self, name) is None:
                object.__setattr__(self, name, none)

    @classmethod
    def collect(cls, rows: Rows, groups: Groups) -> Self:
        """Add up rows (b, d) of counts, dense or sparse; NaN is missing."""
        n, total, gaps = sums_of_known(rows, groups)
        return cls(n, total)._shared_out(_words_by_gaps(rows, groups) if gaps else {})

    @property
    def complete(self) -> bool:
        """Whether no row with words had a gap."""
        return not len(self.ends)

    @property
    def sets(self) -> list[Ints]:
        """The columns that are missing together, for each place of `words`."""
        return np.split(self.gaps, self.ends[:-1]) if len(self.ends) else []

    def _by_set(self) -> dict[bytes, Floats]:
        return {gaps.tobytes(): words for gaps, words in zip(self.sets, self.words.T, strict=True)}

    def _shared_out(self, by_set: Mapping[bytes, Floats]) -> Self:
        """With the words (g,) of each set of missing columns; sets that have none are none."""
        keys = sorted(key for key, words in by_set.items() if words.any())
        sets = [np.frombuffer(key, np.int64) for key in keys]
        words = np.array([by_set[key] for key in keys]).reshape(len(keys), len(self.n)).T
        ends = np.cumsum([len(gaps) for gaps in sets], dtype=np.int64)
        return self._with(words=words, gaps=np.concatenate([NONE, *sets]), ends=ends)

    def exceeds(self, whole: Self) -> NDArray[np.bool_]:
        """For each column whether more was seen here than in the whole, also of rows that lack others."""
        more, theirs, none = Sums.exceeds(self, whole), whole._by_set(), np.zeros(len(self.n))
        for gaps, words in zip(self.sets, self.words.T, strict=True):
            if exceeds(words, theirs.get(gaps.tobytes(), none)).any():
                more[np.delete(np.arange(len(more)), gaps)] = True
        return more

    def __add__(self, other: Self) -> Self:
        both = self._with(n=self.n + other.n, total=self.total + other.total)
        if self.complete and other.complete:
            return both
        mine, theirs, none = self._by_set(), other._by_set(), np.zeros(len(self.n))
        keys = mine.keys() | theirs.keys()
        return both._shared_out({key: mine.get(key, none) + theirs.get(key, none) for key in keys})

    def __sub__(self, other: Self) -> Self:
        left = self._with(n=take_out(self.n, other.n), total=take_out(self.total, other.total))
        theirs, none = other._by_set(), np.zeros(len(self.n))
        mine = self._by_set().items()
        return left._shared_out({key: take_out(words, theirs.get(key, none)) for key, words in mine})

    def __mul__(self, factor: float) -> Self:
        scaled = self._with(n=self.n * factor, total=self.total * factor, words=self.words * factor)
        return scaled._shared_out(scaled._by_set())

    def regroup(self, index: Ints, n_groups: int) -> Self:
        """Move group i to place index[i] among n_groups; places nobody moves to are empty."""
        moved = {}
        for name in ("n", "total", "words"):
            array = getattr(self, name)
            moved[name] = np.zeros((n_groups, array.shape[1]))
            moved[name][index] = array
        return self._with(**moved)

    def only(self, groups: Ints) -> Self:
        """Some of the groups."""
        some = self._with(n=self.n[groups], total=self.total[groups], words=self.words[groups])
        return some._shared_out(some._by_set())

    def pooled(self) -> Self:
        """All groups added into one."""
        names = ("n", "total", "words")
        return self._with(**{name: getattr(self, name).sum(axis=0, keepdims=True) for name in names})


def _words_by_gaps(rows: Rows, groups: Groups) -> dict[bytes, Floats]:
    """For every set of columns that is missing together: the words known in such rows, in each group (g,)."""
    from scipy.sparse import csr_array

    block: Any = rows
    cells: Any = csr_array(block)
    cells.sort_indices()
    missing, present = split_missing(cells)
    missing.eliminate_zeros()
    columns, begins = missing.indices.astype(np.int64), missing.indptr
    inside = np.flatnonzero(np.diff(begins))
    places: dict[bytes, int] = {}
    which = [
        places.setdefault(columns[begins[i] : begins[i + 1]].tobytes(), len(places)) for i in inside.tolist()
    ]
    words = row_sums(present)[inside]
    by_set: Any = csr_array((words, (np.arange(len(inside)), which)), (len(inside), len(places)))
    sums = groups.where(inside).sum(by_set)
    return {key: sums[:, place] for key, place in places.items()}
