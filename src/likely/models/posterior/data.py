"""Data, or counts of them -> the statistic that a conjugate prior needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist import FAMILIES, Family, Prior, family_about
from likely.engine import Chunk, ReduceTask, engine_for
from likely.errors import LikelyError
from likely.estimator.fitted import row_weights
from likely.models.posterior.quantity import is_described
from likely.stats import Counts, Groups
from likely.table.accepted import Weights
from likely.table.column.as_raw import as_raw
from likely.table.column.block import LIMIT
from likely.table.column.kinds import Kind

# One value for each observation, or a row of them.
Observations = Sequence[Any] | ArrayLike

# Counts in the order of a family's keys (its levels; true and false; total and exposure), or by the key.
CountsGiven = Sequence[float] | NDArray[Any] | Mapping[Any, float]

MOST = 1e15  # the largest count: beyond it floats are no longer exact


def family_of(prior: object, family: str | type[Family] | None = None) -> type[Family]:
    """The family of the data whose parameters a prior is about: as it is said, or as the prior says."""
    known = [kind for kind in FAMILIES.values() if is_described(kind.named_prior or kind.conjugate)]
    if family is not None:
        chosen = FAMILIES.get(family) if isinstance(family, str) else family
        if chosen not in known or not chosen.takes(prior):
            suited = ", ".join(kind.name for kind in known if kind.takes(prior)) or "no family"
            raise LikelyError(f"family={family!r}: a {type(prior).__name__} is a prior of {suited}.")
        return chosen
    about = family_about(prior) if isinstance(prior, Prior) else None
    if about is None or about not in known:
        names = ", ".join(dict.fromkeys((kind.named_prior or kind.conjugate).__name__ for kind in known))
        raise LikelyError(f"prior={prior!r}: give a conjugate prior, one of {names}.")
    return about


def statistic(family: type[Family], data: Observations, weight: Weights, names: Sequence[str]) -> Any:
    """What is to be known of the data, read in blocks."""
    if family.kinds[0] is Kind.CATEGORICAL:
        return _levels(data, weight, names)
    rows = _array(data)
    chunk = Chunk(
        _Weighed(rows, _weights(weight, len(rows))), len(rows), rows.shape[1] if rows.ndim > 1 else 1
    )
    return engine_for(None).reduce(chunk, _Collect(family))


@dataclass(frozen=True, slots=True)
class _Weighed:
    """Observations, and the weight of each."""

    rows: NDArray[Any]  # (n,) or (n, d)
    weight: NDArray[np.float64] | None  # (n,)

    def weight_of(self, start: int, stop: int) -> NDArray[np.float64] | None:
        """The weights of some of them."""
        return None if self.weight is None else self.weight[start:stop]


@dataclass(frozen=True, slots=True)
class _Collect(ReduceTask[_Weighed, Any]):
    """What a family needs to know of observations."""

    family: Any

    def step(self, data: _Weighed, start: int, stop: int) -> Any:
        refuse_too_large("data", data.rows[start:stop])
        return self.family.seen(data.rows[start:stop], data.weight_of(start, stop))


@dataclass(frozen=True, slots=True)
class _CountLevels(ReduceTask[_Weighed, Counts]):
    """The counts of levels, of observations that are codes."""

    places: NDArray[np.intp]  # of each code
    n_levels: int

    def step(self, data: _Weighed, start: int, stop: int) -> Counts:
        groups = Groups.one(stop - start, data.weight_of(start, stop))
        return Counts.collect(self.places[data.rows[start:stop], None], groups, (self.n_levels,))


def _weights(weight: Weights, n: int) -> Any:
    try:
        return row_weights(weight, n)
    except ValueError as error:
        said = str(error).rstrip(".")
        raise LikelyError(f"weight: {said}. Give a number of 0 or more for each observation.") from None


def refuse_too_large(name: str, values: NDArray[Any]) -> None:
    """Name the first number whose square is no float; infinities are the families' business.

    >>> refuse_too_large("data", np.array([1.0, -1e200]))
    Traceback (most recent call last):
    likely.errors.LikelyError: data: value -1e+200 is too large to be squared: rescale to stay within 1e+150.
    """
    wrong = np.abs(values) > LIMIT if values.dtype.kind == "f" else np.zeros(1, bool)
    large = values[wrong] if wrong.any() else values[:0]
    for value in large[np.isfinite(large)][:1]:
        raise LikelyError(
            f"{name}: value {value:g} is too large to be squared: rescale to stay within {LIMIT:g}."
        )


def _array(data: Observations) -> Any:
    """The data as an array; numbers stay what they are, so that a block at a time becomes floats."""
    if isinstance(data, np.ndarray):
        return data
    if isinstance(data, list | tuple) and data and isinstance(data[0], list | tuple | np.ndarray):
        return np.asarray(data, np.float64)
    if getattr(data, "ndim", 1) == 2:
        return np.asarray(data)
    if not hasattr(data, "__len__") or isinstance(data, str | Mapping):
        raise LikelyError(f"data={data!r}: give a list of observations, or counts=...")
    return as_raw("data", data).numbers()


def _levels(data: Any, weight: Weights, names: Sequence[str]) -> Counts:
    """The counts of levels given by their names, or by their places."""
    if isinstance(data, np.ndarray) and data.dtype.kind == "i" and not any(map(str.isdigit, names)):
        codes, places = data, np.arange(len(names))  # they are places as they stand
        for code in [data.min(), data.max()] if data.size else []:
            _place(int(code), names)
    else:
        codes, distinct = as_raw("data", data if hasattr(data, "dtype") else list(data)).distinct()
        places = np.array([*(_place(level, names) for level in distinct), -1], np.intp)
    chunk = Chunk(_Weighed(codes, _weights(weight, len(codes))), len(codes), 1)
    return engine_for(None).reduce(chunk, _CountLevels(places, len(names)))


def _place(level: object, names: Sequence[str]) -> int:
    if str(level) in names:
        return list(names).index(str(level))
    if isinstance(level, int | np.integer) and not isinstance(level, bool) and 0 <= level < len(names):
        return int(level)
    raise LikelyError(f"data: value {level!r} is none of the levels {list(names)!r}: name it in `names`.")


def counted(family: type[Family], counts: CountsGiven, names: Sequence[str]) -> Any:
    """The statistic that counts alone make."""
    keys = family.count_keys(names)
    if not keys:
        raise LikelyError(
            f"counts={counts!r}: the data of a {family.name} are more than counts: give them as data."
        )
    wanted = f"counts=({', '.join(str(key).lower() for key in keys)})"
    if keys == tuple(names):
        wanted = "counts={level: count} or one count for each level"
    return family.of_counts(_numbers(counts, keys, wanted))


def _numbers(counts: CountsGiven, keys: tuple[Any, ...], wanted: str) -> Any:
    """So many numbers, none of them negative, in the order of the keys."""
    strangers = [key for key in counts if key not in keys] if isinstance(counts, Mapping) else []
    given = [counts.get(key, 0) for key in keys] if isinstance(counts, Mapping) else counts
    try:
        numbers = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        numbers = np.array(np.nan)
    in_range = bool(((numbers >= 0) & (numbers <= MOST)).all())
    if strangers or numbers.shape != (len(keys),) or not in_range:
        raise LikelyError(f"counts={counts!r}: give {wanted}, each from 0 to {MOST:g}.")
    return numbers
