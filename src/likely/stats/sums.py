"""How much was seen of each column in each group: the total, and of how many rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Additive, Floats, Groups, Ints, exceeds, take_out
from likely.table.column.block import Rows, SparseRows, row_sums

SLACK = 1e-6  # of the rows: what taking rows out again may leave
_SMALL = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, 4096.0)))])
_SMALL_AND_NAN = np.append(_SMALL, np.nan)  # index -1, a missing count, finds NaN
NONE: Ints = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Sums(Additive):
    """Weight of the rows where the column is known, and the weighted total of its values.

    For a Boolean column the total is the number of rows where it is true.

    >>> Sums.collect(np.array([[1.0], [0.0], [np.nan]]), Groups.hard([0, 0, 1], 2))
    Sums(n=array([[2.],
           [0.]]), total=array([[1.],
           [0.]]))
    """

    n: Floats  # (g, d)
    total: Floats  # (g, d)

    @classmethod
    def empty(cls, n_groups: int, width: int) -> Self:
        """Nothing seen yet."""
        return cls(np.zeros((n_groups, width)), np.zeros((n_groups, width)))

    @classmethod
    def collect(cls, rows: Rows, groups: Groups) -> Self:
        """Add up rows (b, d), dense or sparse; NaN is missing."""
        return cls(*sums_of_known(rows, groups)[:2])

    @property
    def failures(self) -> Floats:
        """Of columns that are true or false: the weight of false, none where rounding alone leaves some.

        Weights and total are not added up in one order, so that they differ in the last bits.
        """
        return np.maximum(take_out(self.n, self.total), 0.0)

    @property
    def share(self) -> Floats:
        """Of columns that are true or false: the share of true, 1/2 where nothing is known."""
        share = np.divide(self.total, self.n, out=np.full_like(self.n, 0.5), where=self.n > 0)
        return np.where((self.failures > 0) | (self.n <= 0), share, 1.0)

    def is_share(self) -> bool:
        """Whether columns can be true or false: no more are true than there are rows, up to rounding."""
        return bool((self.total <= self.n * (1 + SLACK) + SLACK).all())

    def exceeds(self, whole: Self) -> NDArray[np.bool_]:
        """For each column whether more rows, or a larger total, was seen here than in the whole."""
        return _more_counts(self, whole)

    def level_totals(self) -> list[Floats]:
        """The total of each column in all groups: where the columns are the words of one column of texts."""
        return [np.asarray(self.total.sum(axis=0))]

    def only_levels(self, places: Sequence[Ints]) -> Self:
        """Some of the words; a text tells of all or of none."""
        return self._with(n=self.n[:, places[0]], total=self.total[:, places[0]])

    def relevel(self, places: Sequence[Ints], sizes: Sequence[int]) -> Self:
        """The words at these places of a longer vocabulary; the others occurred in no text."""
        n = np.repeat(self.n.max(axis=1, keepdims=True, initial=0.0), sizes[0], axis=1)
        total = np.zeros_like(n)
        n[:, places[0]], total[:, places[0]] = self.n, self.total
        return self._with(n=n, total=total)


@dataclass(frozen=True, slots=True)
class CountSums(Additive):
    """Sums, and the total of log(x!): what the evidence of counts needs beside them."""

    n: Floats  # (g, d)
    total: Floats  # (g, d)
    log_factorial: Floats  # (g, d)

    @classmethod
    def empty(cls, n_groups: int, width: int) -> CountSums:
        """Nothing seen yet."""
        return cls(*(np.zeros((n_groups, width)) for _ in range(3)))

    @classmethod
    def collect(cls, rows: Rows, groups: Groups) -> CountSums:
        """Add up rows (b, d) of counts, dense or sparse; NaN is missing."""
        n, total, _ = sums_of_known(rows, groups)
        return cls(n, total, sums_of_known(log_factorial(rows), groups)[1])

    def exceeds(self, whole: Self) -> NDArray[np.bool_]:
        """For each column whether more rows, or a larger total, was seen here than in the whole."""
        return _more_counts(self, whole)


def _more_counts(part: Sums | CountSums, whole: Sums | CountSums) -> NDArray[np.bool_]:
    return np.asarray((exceeds(part.n, whole.n) | exceeds(part.total, whole.total)).any(axis=0))


def sums_of_known(rows: Rows, groups: Groups) -> tuple[Floats, Floats, bool]:
    """Per group and column: the weight of the known cells, and their total; and whether some are missing."""
    total = groups.sum(rows)
    n = np.broadcast_to(groups.total[:, None], total.shape)
    if not np.isnan(total).any():
        return n.copy(), total, False
    if isinstance(rows, np.ndarray):
        known = ~np.isnan(rows)
        return groups.sum(known.astype(np.float64)), groups.sum(np.where(known, rows, 0.0)), True
    missing, present = split_missing(rows)
    # Summed in the same order as the missing cells, so that a column with no known cell has n = 0.
    made: Any = type(rows)
    whole = groups.sum(made(np.ones((len(groups), 1))))
    return whole - groups.sum(missing), groups.sum(present), True


def split_missing(rows: SparseRows) -> tuple[SparseRows, SparseRows]:
    """A sparse block as 1 where a cell is NaN, and as the block with 0 there."""
    missing, present = rows.astype(np.float64), rows.astype(np.float64)
    missing.data = np.isnan(missing.data).astype(np.float64)
    present.data = np.where(np.isnan(present.data), 0.0, present.data)
    return missing, present


def log_factorial(rows: Rows | float) -> Any:
    """The log of x! of every cell, dense or sparse; NaN stays."""
    if not isinstance(rows, np.ndarray | np.generic | float | int):
        logs = rows.astype(np.float64)
        logs.data = log_factorial(logs.data)
        return logs
    rows = np.asarray(rows, np.float64)
    # Counts are small as a rule: a table of the first few thousand is 10x faster than the gamma function.
    highest = np.fmax.reduce(rows, axis=None, initial=0.0)
    if highest < len(_SMALL):
        known = rows if rows.max(initial=0.0) == highest else np.nan_to_num(rows, nan=-1.0)
        return _SMALL_AND_NAN.take(known.astype(np.intp))
    from scipy.special import gammaln

    return gammaln(rows + 1.0)


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
