"""The columns that `predict` adds to a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.table.batches import Batch
from likely.table.frame import Frame


def answers(model: Any, batch: Batch) -> dict[str, Any]:
    """P(class) for each class, and the most probable class, under names that the table does not have."""
    taken = set(Frame.of(batch.rows).names)
    names = [free_name(f"p_{label}", taken) for label in model.classes_.tolist()]
    decision = free_name("predicted", taken)
    if batch.n == 0:
        return {**dict.fromkeys(names, np.empty(0)), decision: model.classes_[:0]}
    p = model.predict_proba(batch.table)
    return {**dict(zip(names, p.T, strict=True)), decision: model.classes_[p.argmax(axis=1)]}


def free_name(name: str, taken: set[str]) -> str:
    """The name, with as many "_" behind it as it takes; it is taken from then on.

    >>> free_name("p_yes", {"p_yes", "age"})
    'p_yes_'
    """
    while name in taken:
        name += "_"
    taken.add(name)
    return name
