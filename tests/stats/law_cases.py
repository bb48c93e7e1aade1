"""The table of cases that every law is tried on, the random data of a case, and what 'equal' means.

Data of `Sample.draw(..., exact=True)` lie on a dyadic grid and have dyadic weights, so sums of them carry no
rounding at all: counts, weights and totals must then agree to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from itertools import product
from math import lgamma
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csc_array, csr_array, csr_matrix
from seeds import examples

from likely.stats import (
    Cells,
    Counts,
    CountSums,
    Fourth,
    GapSums,
    Groups,
    Moments,
    Scatter,
    Statistic,
    Sums,
    Within,
)
from likely.stats.groups import FEW_GROUPS

EPS = float(np.finfo(float).eps)
MANY_GROUPS = FEW_GROUPS + 5
STATISTICS = (Counts, Sums, CountSums, GapSums, Moments, Scatter, Within, Fourth, Cells)
SPARSE = (csr_array, csr_matrix, csc_array)


@dataclass(frozen=True)
class Case:
    """One row of the law table."""

    statistic: type[Statistic]
    soft: bool = False
    sparse: bool = False
    weighted: bool = False
    missing: bool = False

    def __str__(self) -> str:
        words = [
            self.statistic.__name__,
            "soft" if self.soft else "hard",
            "sparse" if self.sparse else "dense",
        ]
        return "-".join(words + ["weighted"] * self.weighted + ["missing"] * self.missing)


CASES = [
    Case(*choice)
    for choice in product(STATISTICS, *[(False, True)] * 4)
    if not (choice[0] is Counts and choice[2])
]
CENTRED = [case for case in CASES if case.statistic in (Moments, Scatter, Within, Fourth)]
HARD = [case for case in CASES if not case.soft]


@dataclass(frozen=True)
class Lot:
    """What hypothesis chooses: the shape of the data and the seed of everything else."""

    n: int
    d: int
    groups: int  # 0, 1, 2: one, a few, many
    layout: int
    seed: int

    def rng(self, stream: int = 0) -> np.random.Generator:
        return np.random.default_rng([self.seed, stream])


LOTS = st.builds(
    Lot,
    n=st.integers(0, 40),
    d=st.integers(1, 3),
    groups=st.integers(0, 2),
    layout=st.integers(0, 2),
    seed=st.integers(0, 2**32 - 1),
)


def law(many: int) -> Callable[[Any], Any]:
    """Try the test on so many lots, the same in every run."""

    def wrap(test: Any) -> Any:
        return settings(derandomize=True, deadline=None, max_examples=examples(many))(given(lot=LOTS)(test))

    return wrap


@dataclass(frozen=True)
class Sample:
    """Rows, their groups and their weights; `collect` takes the statistic of any rows, weighed anew."""

    case: Case
    rows: Any  # (n, d) NaN missing; of Counts: codes, -1 missing
    n_groups: int
    codes: Any = None  # (n,) of hard groups
    soft: Any = None  # (n, g) of soft groups
    weight: Any = None  # (n,)
    sizes: tuple[int, ...] = ()
    layout: int = 0

    @classmethod
    def draw(cls, case: Case, lot: Lot, exact: bool = True) -> Sample:
        rng = lot.rng()
        n_groups = ((1, 2, 5) if case.soft else (1, 3, MANY_GROUPS))[lot.groups]
        codes = soft = weight = None
        if case.soft:
            soft = rng.integers(0, 9, (lot.n, n_groups)) / 8 if exact else rng.random((lot.n, n_groups))
        else:
            codes = rng.integers(0, n_groups, lot.n)
        if case.weighted:
            weight = rng.integers(0, 17, lot.n) / 4 if exact else rng.random(lot.n) * 3
        sizes = tuple(int(size) for size in rng.integers(1, 5, lot.d))
        rows = _cells(case, rng, lot, exact, sizes)
        if case.missing:
            rows[rng.random(rows.shape) < 0.2] = -1 if case.statistic is Counts else np.nan
        return cls(case, rows, n_groups, codes, soft, weight, sizes, lot.layout)

    def __len__(self) -> int:
        return len(self.rows)

    def matrix(self) -> Any:
        """Weights of rows in groups, written out cell by cell, (n, g)."""
        weights = np.zeros((len(self), self.n_groups))
        for i in range(len(self)):
            weight = 1.0 if self.weight is None else self.weight[i]
            for g in range(self.n_groups):
                member = self.soft[i, g] if self.soft is not None else float(self.codes[i] == g)
                weights[i, g] = member * weight
        return weights

    def groups(self, index: Any, factor: Any = None) -> Groups:
        weight = None if self.weight is None else self.weight[index]
        if factor is not None:
            weight = factor if weight is None else weight * factor
        if self.codes is not None:
            return Groups.hard(self.codes[index], self.n_groups, weight)
        soft = self.soft[index] if weight is None else self.soft[index] * weight[:, None]
        return Groups.softly(np.asfortranarray(soft) if self.layout == 1 else soft)

    def collect(self, index: Any = None, factor: Any = None, groups: Groups | None = None) -> Any:
        """The statistic of the rows in `index` (all), their weights times `factor` (1)."""
        index = np.arange(len(self)) if index is None else np.asarray(index, np.intp)
        rows = self.laid_out(self.rows[index])
        groups = self.groups(index, factor) if groups is None else groups
        if self.case.statistic is Counts:
            return Counts.collect(rows, groups, self.sizes)
        return self.case.statistic.collect(rows, groups)  # type: ignore[attr-defined]

    def laid_out(self, rows: Any) -> Any:
        if self.case.sparse:
            return SPARSE[self.layout](rows)
        return np.asfortranarray(rows) if self.layout == 1 else rows

    def empty(self) -> Any:
        width = self.sizes if self.case.statistic is Counts else self.rows.shape[1]
        return self.case.statistic.empty(self.n_groups, width)  # type: ignore[attr-defined]

    def altered(self, **changes: Any) -> Sample:
        return replace(self, **changes)

    @property
    def reach(self) -> Any:
        """The largest cell of each column without its sign, (d,)."""
        return np.fmax.reduce(np.abs(self.rows), axis=0, initial=0.0)


def _cells(case: Case, rng: np.random.Generator, lot: Lot, exact: bool, sizes: tuple[int, ...]) -> Any:
    shape = (lot.n, lot.d)
    if case.statistic is Counts:
        return np.stack([rng.integers(0, size, lot.n) for size in sizes], axis=1)
    if case.statistic in (CountSums, GapSums):
        cells = rng.integers(0, 12, shape).astype(float)
        cells[rng.random(shape) < 0.02] = 5000.0  # beyond the table of small factorials
    elif exact:
        cells = (rng.integers(-80, 81, shape) + rng.integers(-160, 161, lot.d)) / 16
    else:
        cells = rng.normal(size=shape) + rng.uniform(-10, 10, lot.d)
    if case.sparse:
        cells[rng.random(shape) < 0.5] = 0.0
    return cells


def arrays(statistic: Any) -> dict[str, Any]:
    """The array fields by name."""
    own = {field.name: getattr(statistic, field.name) for field in fields(statistic)}
    return {name: value for name, value in own.items() if isinstance(value, np.ndarray)}


def same_bits(found: Any, expected: Any) -> None:
    """Every array equal to the last bit, and nothing missing or made up."""
    assert type(found) is type(expected)
    assert getattr(found, "sizes", None) == getattr(expected, "sizes", None)
    for name, array in arrays(expected).items():
        np.testing.assert_array_equal(getattr(found, name), array, err_msg=name)


# The laws allow this many roundings of the quantities that enter (see `slack`).
ROUNDINGS = 32


def same(found: Any, expected: Any, reach: Any, whole: Any = None, loss: Any = 1.0) -> None:
    """Equal exactly where the arithmetic is exact (counts, weights, totals), else up to rounding.

    `whole` is the statistic that `found` is what is left of, if it was found by subtraction, and `loss`
    by what factor that multiplied the error of a mean.
    """
    assert type(found) is type(expected)
    assert getattr(found, "sizes", None) == getattr(expected, "sizes", None)
    for name, array in arrays(expected).items():
        have = getattr(found, name)
        assert have.shape == array.shape, name
        if name in ("table", "n", "total", "power") or isinstance(expected, Cells | GapSums):
            np.testing.assert_array_equal(have, array, err_msg=name)
            continue
        bound = slack(name, expected if whole is None else whole, reach, loss)
        error = np.abs(have - array)
        assert (error <= bound).all(), f"{name}: off by {error.max()}, allowed {bound[error > bound]}"


def slack(name: str, statistic: Any, reach: Any, loss: Any = 1.0) -> Any:
    """How far rounding may move a field.

    A mean moves by eps x the largest cell (`reach`). Scatter S moves by eps x S, and, through a mean
    that moved by e, by sqrt(n S) e; where S is 0 only n e^2 is left.
    """
    if name == "log_factorial":
        return ROUNDINGS * EPS * statistic.log_factorial
    moved = ROUNDINGS * EPS * reach * loss  # (d,) or (g, d)
    if name in ("cubes", "fourths"):
        power = 3 if name == "cubes" else 4
        return (
            moved.max(initial=0.0)
            * np.max(statistic.n, initial=0.0)
            * (2 * reach.max(initial=0.0)) ** (power - 1)
        )
    if name in ("mean", "mean_rest"):
        return np.broadcast_to(moved, statistic.mean.shape)
    if statistic.scatter.ndim == 2:
        n, own = statistic.n, statistic.scatter
        return ROUNDINGS * EPS * own + np.sqrt(n * own) * moved + n * moved**2
    n = statistic.n[:, None]
    if isinstance(statistic, Within):  # one scatter of all groups, whose means all moved
        n, moved = n.sum(axis=0, keepdims=True), np.max(np.atleast_2d(moved), axis=0, keepdims=True)
    own = np.sqrt(np.einsum("gii->gi", statistic.scatter))  # (g, d)
    side, moved = own + np.sqrt(n) * moved, np.broadcast_to(np.sqrt(n) * moved, own.shape)
    return (ROUNDINGS * EPS * own)[:, :, None] * own[:, None, :] + (
        side[:, :, None] * moved[:, None, :] + moved[:, :, None] * side[:, None, :]
    )


def reference(sample: Sample) -> dict[str, Any]:
    """The statistic by definition: exact fractions, one group and column at a time."""
    if sample.case.statistic is Counts:
        return {"table": _count_reference(sample)}
    if sample.case.statistic is Cells:
        return _cell_reference(sample)
    if sample.case.statistic is Fourth:
        return _scatter_reference(sample, higher=True)
    if sample.case.statistic is Within:
        found = _scatter_reference(sample)
        return found | {"scatter": found["scatter"].sum(axis=0, keepdims=True)}
    if sample.case.statistic is GapSums:
        return _column_reference(sample) | _gap_reference(sample)
    return (_scatter_reference if sample.case.statistic is Scatter else _column_reference)(sample)


def _fractions(values: Any) -> list[Any]:
    from fractions import Fraction

    return [Fraction(float(value)) for value in values]


def _count_reference(sample: Sample) -> Any:
    weights, starts = sample.matrix(), np.concatenate([[0], np.cumsum(sample.sizes)])
    table = [[_fractions([0])[0] for _ in range(sum(sample.sizes))] for _ in range(sample.n_groups)]
    for i, row in enumerate(sample.rows):
        for j, code in enumerate(row):
            for g in range(sample.n_groups):
                if code >= 0:
                    table[g][starts[j] + code] += _fractions([weights[i, g]])[0]
    return np.array(table, float).reshape(sample.n_groups, sum(sample.sizes))


def _cell_reference(sample: Sample) -> dict[str, Any]:
    weights, d = sample.matrix(), sample.rows.shape[1]
    found: dict[tuple[int, float], Any] = {}
    for i, g, j in product(range(len(sample)), range(sample.n_groups), range(d)):
        if weights[i, g] > 0 and not np.isnan(sample.rows[i, j]):
            key = (g * d + j, float(sample.rows[i, j]))
            found[key] = found.get(key, 0) + _fractions([weights[i, g]])[0]
    keys = sorted(found)
    return {
        "power": np.full((sample.n_groups, d), -1074),  # so few values are kept as they are
        "where": np.array([where for where, _ in keys], np.intp),
        "place": np.array([place for _, place in keys], float),
        "weight": np.array([found[key] for key in keys], float),
        "beyond": np.zeros(len(keys)),
    }


def _column_reference(sample: Sample) -> dict[str, Any]:
    weights = sample.matrix()
    d = sample.rows.shape[1]
    found = {
        name: np.zeros((sample.n_groups, d)) for name in ("n", "total", "log_factorial", "mean", "scatter")
    }
    for g, j in product(range(sample.n_groups), range(d)):
        inside = ~np.isnan(sample.rows[:, j]) & (weights[:, g] > 0)
        if not inside.any():
            continue
        w, x = _fractions(weights[inside, g]), _fractions(sample.rows[inside, j])
        n, total = sum(w), sum(a * b for a, b in zip(w, x, strict=True))
        mean = total / n
        found["n"][g, j], found["total"][g, j], found["mean"][g, j] = n, total, mean
        found["scatter"][g, j] = sum(a * (b - mean) ** 2 for a, b in zip(w, x, strict=True))
        if sample.case.statistic is CountSums:
            found["log_factorial"][g, j] = sum(float(a) * lgamma(b + 1) for a, b in zip(w, x, strict=True))
    names = [field.name for field in fields(sample.case.statistic) if field.name in found]  # type: ignore[arg-type]
    return {name: found[name] for name in names}


def _gap_reference(sample: Sample) -> dict[str, Any]:
    weights, found = sample.matrix(), {}
    for i, row in enumerate(sample.rows):
        gaps = tuple(np.flatnonzero(np.isnan(row)).tolist())
        words = np.nansum(row) * weights[i]
        if gaps and words.any():
            found[gaps] = found.get(gaps, 0) + words
    # Any order would do that is always the same; theirs is that of the bytes.
    sets = sorted(found, key=lambda gaps: np.array(gaps, np.int64).tobytes())
    return {
        "words": np.array([found[gaps] for gaps in sets]).reshape(len(sets), sample.n_groups).T,
        "gaps": np.array([column for gaps in sets for column in gaps], np.int64),
        "ends": np.cumsum([len(gaps) for gaps in sets], dtype=np.int64),
    }


def _scatter_reference(sample: Sample, higher: bool = False) -> dict[str, Any]:
    weights, d, g = sample.matrix(), sample.rows.shape[1], sample.n_groups
    found = {"n": np.zeros(g), "mean": np.zeros((g, d)), "scatter": np.zeros((g, d, d))}
    if higher:
        found |= {"cubes": np.zeros((g, d, d)), "fourths": np.zeros((g, d, d))}
    complete = ~np.isnan(sample.rows).any(axis=1)
    for group in range(g):
        inside = complete & (weights[:, group] > 0)
        if not inside.any():
            continue
        w = _fractions(weights[inside, group])
        columns = [_fractions(sample.rows[inside, j]) for j in range(d)]
        n = sum(w)
        means = [sum(a * b for a, b in zip(w, x, strict=True)) / n for x in columns]
        own = [[b - mean for b in x] for x, mean in zip(columns, means, strict=True)]
        found["n"][group], found["mean"][group] = n, means
        for i, j in product(range(d), range(d)):
            found["scatter"][group, i, j] = sum(a * b * c for a, b, c in zip(w, own[i], own[j], strict=True))
            if higher:
                triples = list(zip(w, own[i], own[j], strict=True))
                found["cubes"][group, i, j] = sum(a * b * b * c for a, b, c in triples)
                found["fourths"][group, i, j] = sum(a * b * b * c * c for a, b, c in triples)
    return found
