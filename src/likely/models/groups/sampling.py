"""Rows drawn from a fitted model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.models.groups.record import GroupRecord
from likely.table.accepted import RandomState
from likely.table.build import to_table, values_of


def sample(record: GroupRecord, n: int, random_state: RandomState) -> Any:
    """Draw n rows: first the class, then every column given the class."""
    rng = generator(n, random_state)
    weights = np.exp(record.core.log_weights)
    return sample_of(record, rng.choice(len(weights), size=n, p=weights), rng)


def sample_of(record: GroupRecord, groups: NDArray[np.intp], rng: np.random.Generator) -> Any:
    """Draw a row of each of these groups, with their classes."""
    n = len(groups)
    schema, library = record.schema, record.schema.library
    drawn: list[Any] = [np.full(n, -1 if c.levels is not None else np.nan) for c in schema.columns]
    for part in record.core.parts:  # that of missing cells comes last, so what it covers is drawn already
        part.sample(groups, rng, drawn)
    pairs = zip(schema.columns, drawn, strict=True)
    columns = {c.name: values_of(c, c.possible(cells), library) for c, cells in pairs}
    columns[record.target.name] = values_of(record.target, record.class_of[groups], library)
    return to_table(columns, library)


def generator(n: int, random_state: RandomState) -> np.random.Generator:
    """Where the chance for n rows comes from."""
    if not isinstance(n, int | np.integer) or n < 0:
        raise LikelyError(f"n={n!r}: give the number of rows to draw.")
    if isinstance(random_state, np.random.RandomState):  # what scikit-learn hands on
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)
