"""What a fitted model of any sort says of each row: a class with its probabilities, a number, a decision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.format.words import json_ready
from likely.table.frame import Frame, free_name

LEVEL = 0.9  # the probability that an interval covers
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RowAnswers:
    """The answers about n rows.

    >>> answers = RowAnswers(np.array(["no"]), ("no", "yes"), np.array([[0.75, 0.25]]))
    >>> answers.columns({"p_no"})
    {'p_no_': array([0.75]), 'p_yes': array([0.25]), 'predicted': array(['no'], dtype='<U2')}
    >>> list(answers.records())
    [{'prediction': 'no', 'probabilities': {'no': 0.75, 'yes': 0.25}}]
    """

    answer: NDArray[Any]  # (n,): the most probable class, the expected number, or the decision
    classes: tuple[Any, ...] = ()
    probabilities: Floats | None = None  # (n, g), of the classes
    interval: tuple[Floats, Floats] | None = None  # of a number: its ends
    costs: Floats | None = None  # of a decision: what it is expected to cost

    def columns(self, taken: set[str], decided: str = "predicted") -> dict[str, NDArray[Any]]:
        """As columns beside those whose names are taken: the probabilities, the answer, then the rest."""
        columns: dict[str, NDArray[Any]] = {}
        if self.probabilities is not None:
            for label, p in zip(self.classes, self.probabilities.T, strict=True):
                columns[new_name(f"p_{label}", taken)] = p
        columns[new_name(decided, taken)] = self.answer
        if self.interval is not None:
            for name, end in zip(("lower", "upper"), self.interval, strict=True):
                columns[new_name(name, taken)] = end
        if self.costs is not None:
            columns[new_name("expected_cost", taken)] = self.costs
        return columns

    def records(self) -> Iterator[dict[str, Any]]:
        """As one record a row, ready for JSON."""
        what = "prediction" if self.costs is None else "decision"
        labels = [str(label) for label in self.classes]
        for i, answer in enumerate(self.answer.tolist()):
            record: dict[str, Any] = {what: json_ready(answer)}
            if self.probabilities is not None:
                p = map(json_ready, self.probabilities[i].tolist())
                record["probabilities"] = dict(zip(labels, p, strict=True))
            if self.interval is not None:
                lower, upper = self.interval
                record |= {"lower": json_ready(lower[i]), "upper": json_ready(upper[i])}
            if self.costs is not None:
                record["expected_cost"] = json_ready(self.costs[i])
            yield record


def row_answers(model: Any, table: object, *, level: float = LEVEL) -> RowAnswers:
    """What a model says of the rows of a table, which may have none.

    Of a decider the decisions and their expected costs; of a model of numbers the interval too, where it
    knows how far it may be off, that covers the truth with probability `level`.
    """
    empty = Frame.of(table).n == 0
    if hasattr(model, "expected_costs"):
        if empty:
            return RowAnswers(model.classes_[:0], costs=np.empty(0))
        return RowAnswers(model.predict(table), costs=model.expected_costs(table))
    if hasattr(model, "classes_"):
        return _of_classes(model, table, empty)
    if not hasattr(model, "predict"):
        raise LikelyError(
            f"a {type(model).__name__} makes columns out of columns and predicts nothing: give a model that "
            "predicts, such as one of `likely learn`."
        )
    known = hasattr(model, "predict_interval") and getattr(model.record_, "known", True)
    if empty:
        return RowAnswers(np.empty(0), interval=(np.empty(0), np.empty(0)) if known else None)
    if not known:
        return RowAnswers(model.predict(table))
    interval = model.predict_interval(table, level)
    return RowAnswers(interval.prediction, interval=(interval.lower, interval.upper))


def _of_classes(model: Any, table: object, empty: bool) -> RowAnswers:
    classes = tuple(model.classes_.tolist())
    if not hasattr(model, "predict_proba"):  # it knows which side of a line a row is on, and no more
        return RowAnswers(model.classes_[:0] if empty else model.predict(table))
    p = np.empty((0, len(classes))) if empty else model.predict_proba(table)
    return RowAnswers(model.classes_[p.argmax(axis=1)], classes, p)


def new_name(name: str, taken: set[str]) -> str:
    """The name, with as many "_" behind it as it takes; it is taken from then on.

    >>> taken = {"p_yes", "age"}
    >>> new_name("p_yes", taken), new_name("p_yes", taken)
    ('p_yes_', 'p_yes__')
    """
    free = free_name(name, taken)
    taken.add(free)
    return free
