"""Values of levels as codes: places among the levels, -1 where missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from likely.stats.groups import Ints

OUTSIDE = np.iinfo(np.intp).max  # the code of a value that is no level at all


def codes_of(x: Any) -> Ints:
    """Codes of any type of number as integers; NaN is the missing code -1, a fraction is no code."""
    array = x.toarray() if hasattr(x, "toarray") else np.asarray(x)
    if array.dtype.kind in "iub":
        return array if array.dtype.kind == "i" else array.astype(np.intp)
    values = np.where(np.isnan(array), -1.0, array)
    whole = (values == np.floor(values)) & (np.abs(values) < 2**53)
    return np.where(whole, values, 0).astype(np.intp) + np.where(whole, 0, OUTSIDE)


def encode(values: Any, levels: Sequence[Any]) -> Ints:
    """The places of the values among the levels; -1 if missing."""
    place = {level: code for code, level in enumerate(levels)}
    if isinstance(values, str) or not isinstance(values, Iterable):
        return np.asarray(-1 if is_missing(values) else place.get(values, OUTSIDE), np.intp)
    found = [encode(value, levels) for value in values]
    return np.array(found, np.intp)


def is_missing(value: object) -> bool:
    """Whether a value is None or NaN."""
    return value is None or value != value
