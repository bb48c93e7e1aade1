"""The columns that `predict`, `group` and `decide` add to the rows of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.cli.work.models import with_classes
from likely.table.batch.batches import Batch
from likely.table.frame import Frame, free_name

LEVEL = 0.9  # the probability that an interval covers


def answers(model: Any, batch: Batch, decided: str = "predicted") -> dict[str, Any]:
    """P(class) for each class, and the most probable class, under names that the table does not have.

    Of a model that predicts numbers: the expected one, and the interval that it lies in with probability 0.9.
    """
    taken = set(Frame.of(batch.rows).names)
    if not hasattr(model, "classes_"):
        return _numbers(model, batch, [new_name(name, taken) for name in (decided, "lower", "upper")])
    with_classes(model, "`likely predict`")
    names = [new_name(f"p_{label}", taken) for label in model.classes_.tolist()]
    decision = new_name(decided, taken)
    if batch.n == 0:
        return {**dict.fromkeys(names, np.empty(0)), decision: model.classes_[:0]}
    p = model.predict_proba(batch.table)
    return {**dict(zip(names, p.T, strict=True)), decision: model.classes_[p.argmax(axis=1)]}


def _numbers(model: Any, batch: Batch, names: list[str]) -> dict[str, Any]:
    known = getattr(model.record_, "known", False)  # how far the prediction may be off
    if batch.n == 0:
        return {name: np.empty(0) for name in (names if known else names[:1])}
    if not known:
        return {names[0]: model.predict(batch.table)}
    interval = model.predict_interval(batch.table, LEVEL)
    return dict(zip(names, (interval.prediction, interval.lower, interval.upper), strict=True))


def decisions(decider: Any, batch: Batch) -> dict[str, Any]:
    """What to do about each row and what that is expected to cost, under names the table does not have."""
    taken = set(Frame.of(batch.rows).names)
    names = new_name("decision", taken), new_name("expected_cost", taken)
    if batch.n == 0:
        return dict(zip(names, (decider.classes_[:0], np.empty(0)), strict=True))
    return dict(zip(names, (decider.predict(batch.table), decider.expected_costs(batch.table)), strict=True))


def new_name(name: str, taken: set[str]) -> str:
    """The name, with as many "_" behind it as it takes; it is taken from then on.

    >>> taken = {"p_yes", "age"}
    >>> new_name("p_yes", taken), new_name("p_yes", taken)
    ('p_yes_', 'p_yes__')
    """
    free = free_name(name, taken)
    taken.add(free)
    return free
