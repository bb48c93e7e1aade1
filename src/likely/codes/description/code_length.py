"""What a fitted model takes to describe a table: the bits of its parameters, and of the rows given them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.world import Nature
from likely.dist.numeric.value_grid import common_step, least_gap
from likely.errors import LikelyError
from likely.estimator.fitted import split_target
from likely.format.html_table import html_table
from likely.format.words import table
from likely.models.groups.record import GroupRecord
from likely.models.joint.joint import Joint
from likely.models.regression.linear.regression import LinearRegression
from likely.score.errors_sent import error_bits
from likely.table.accepted import TableLike
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Step = float | Mapping[str, float] | None
LOG_2 = float(np.log(2))
ERRORS = ("probabilities", "which", "count")


@dataclass(frozen=True)
class CodeLength:
    """The bits of a model and of a table given the model: a bargain between both.

    >>> CodeLength(20.0, 75.5, 4, 12)
    95.50 bits: 20.00 of the model (4 parameters), 75.50 of 12 rows given it
    """

    model_bits: float
    data_bits: float
    parameters: int
    n: int

    @property
    def total(self) -> float:
        """Both together."""
        return self.model_bits + self.data_bits

    def __float__(self) -> float:
        return self.total

    def __str__(self) -> str:
        return (
            f"{self.total:.2f} bits: {self.model_bits:.2f} of the model ({self.parameters} parameters), "
            f"{self.data_bits:.2f} of {self.n} rows given it"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = [[name, f"{bits:.2f}"] for name, bits in zip(("model", "data"), self, strict=True)]
        return html_table(str(self), ["", "bits"], [*lines, ["total", f"{self.total:.2f}"]], [], "<>")

    def __iter__(self) -> Any:
        return iter((self.model_bits, self.data_bits))


def code_length(
    model: Any,
    rows: TableLike,
    target: str | None = None,
    *,
    step: Step = None,
    errors: str = "probabilities",
    by: str = "mdl",
) -> CodeLength:
    """The description length of a table by a fitted model: its parameters, and the rows given them.

    Parameters
    ----------
    model : fitted model
        One of `likely`, or a scikit-learn pipeline that ends with one.
    rows : table
        What is described, with the target among its columns if there is one.
    target : str or None
        Describe this column given the others; None describes whole rows.
    step : number, mapping or None
        To which numbers are written, of all columns or by name; None is the largest step that all of them are
        multiples of. It adds as many bits to every model of the same columns.
    errors : "probabilities", "which" or "count"
        Of classes: -log2 P(class given row); or which answers are wrong, and what is right there; or one bit
        a wrong answer, which is too few to be decoded.
    by : "mdl" or "bic"
        Each parameter takes half log2 n bits, for so exactly n rows tell it. By "mdl" those of a group take
        half log2 of the rows of the group.

    Examples
    --------
    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> model = likely.NaiveBayes(evidence_weights=None).fit(days, "play")
    >>> code_length(model, days, "play", errors="which")
    26.09 bits: 18.38 of the model (13 parameters), 7.71 of 14 rows given it
    """
    if errors not in ERRORS:
        raise LikelyError(f"errors={errors!r}: use one of {', '.join(map(repr, ERRORS))}.")
    if by not in ("mdl", "bic"):
        raise LikelyError(f"by={by!r}: use 'mdl' or 'bic'.")
    k = parameters_of(model)
    frame = Frame.of(rows)
    if target is not None and errors != "probabilities":
        data_bits = _of_errors(model, frame, target, errors)
    else:
        data_bits = float(row_bits(model, frame, target, step).sum())
    return CodeLength(_of_parameters(model, k, frame.n, by), data_bits, k, frame.n)


def parameters_of(model: Any) -> int:
    """How many free numbers a fitted model has."""
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    if isinstance(last, Joint):
        return last.n_parameters
    if not hasattr(last, "n_parameters_"):
        raise LikelyError(
            f"a {type(last).__name__} does not say how many parameters it has: use a model of likely."
        )
    return int(last.n_parameters_)


def _of_parameters(model: Any, k: int, n: int, by: str) -> float:
    record = getattr(model, "record_", None)
    if by == "mdl" and isinstance(record, GroupRecord):
        own, shared = record.free_parameters()
        groups = np.maximum(record.tally.groups, 1.0)
        return float(own * np.log2(groups).sum() + (shared + record.n_rates) * np.log2(max(n, 1))) / 2
    return k / 2 * float(np.log2(max(n, 1)))


def row_bits(model: Any, frame: Frame, target: str | None, step: Step, plug_in: bool = True) -> Floats:
    """The bits of each row, or of its target given the others, (n,).

    With `plug_in`, a number is described by the noise of all rows, which is a parameter of the model.
    """
    if hasattr(model, "steps"):
        if target is None:
            raise LikelyError(
                "a pipeline changes the columns of rows: name a target, to describe that alone."
            )
        before, last = model[:-1], model.steps[-1][1]
        X, y = split_target(frame, target, "code_length")
        changed = Frame.of(before.transform(X)) if len(before) else X
        return _target_bits(last, changed, y, step, plug_in)
    if target is not None:
        return _target_bits(model, *split_target(frame, target, "code_length"), step, plug_in)
    if isinstance(model, Joint):
        return _joint_bits(model, frame)
    if not hasattr(model, "log_prob"):
        raise LikelyError(f"a {type(model).__name__} does not describe whole rows: name a target.")
    record = model.record_
    own = record.target_name
    if own and own in frame.position and own not in record.schema.names:
        X, _ = split_target(frame, own, "code_length")
        logs = model.log_prob(X, frame.values(own))
    else:
        logs = model.log_prob(frame)
    return np.asarray(-logs / LOG_2) + _digits(record, frame, step)


def _digits(record: Any, frame: Frame, step: Step) -> Floats:
    """What densities leave out: -log2 of the step of each known number, summed over the columns, (n,)."""
    bits = np.zeros(frame.n)
    for name, variable in record.world().variables.items():
        if variable.nature is Nature.REAL and name in frame.position:
            numbers = np.asarray(variable.column.numbers(frame.raw(name)), np.float64)
            bits -= np.where(np.isnan(numbers), 0.0, np.log2(step_of(name, numbers, step)))
    return bits


def step_of(name: str, numbers: Floats, step: Step) -> float:
    """To which the numbers of a column are written."""
    given = step.get(name) if isinstance(step, Mapping) else step
    if given is not None:
        if not 0 < given < np.inf:
            raise LikelyError(f"step={given!r} of column {name!r}: give a number above 0.")
        return float(given)
    values = np.unique(numbers[np.isfinite(numbers)])
    if len(values) < 2:
        return 1.0
    return common_step(values)[0] or least_gap(values)


def _target_bits(model: Any, X: Frame, y: Any, step: Step, plug_in: bool) -> Floats:
    """The bits of the target given the other columns, (n,)."""
    if hasattr(model, "classes_") and hasattr(model, "predict_log_proba"):
        codes, distinct = y.distinct()
        place = {label: g for g, label in enumerate(model.classes_.tolist())}
        at = np.array([place.get(label, -1) for label in distinct], np.intp)[codes]
        logs = np.asarray(model.predict_log_proba(X))
        bits = -logs[np.arange(X.n), at] / LOG_2
        return np.where(at < 0, np.inf, bits)
    outcome = np.asarray(y.numbers(), np.float64)
    digits = -np.log2(step_of(y.name, outcome, step))
    if plug_in and isinstance(model, LinearRegression):
        squares = (outcome - model.predict(X)) ** 2
        variance = max(float(squares.mean()), np.finfo(np.float64).tiny)
        return np.asarray((np.log(2 * np.pi * variance) + squares / variance) / 2 / LOG_2 + digits)
    if not hasattr(model, "predict_distribution"):
        raise LikelyError(f"a {type(model).__name__} gives no probabilities of {y.name!r}.")
    return np.asarray(-np.asarray(model.predict_distribution(X).log_prob(outcome)) / LOG_2 + digits)


def _of_errors(model: Any, frame: Frame, target: str, way: str) -> float:
    X, y = split_target(frame, target, "code_length")
    truth = np.array(y.items(), object)
    wrong = int((np.asarray(model.predict(X), object) != truth).sum())
    return error_bits(wrong, frame.n, len(model.classes_), way=way)


def _joint_bits(joint: Joint, frame: Frame) -> Floats:
    """Rows whose every variable is told, each by its cell."""
    places = []
    for name, levels in joint.levels.items():
        codes, distinct = frame.raw(name).distinct()
        at = {level: i for i, level in enumerate(levels)}
        lost = [value for value in distinct if value not in at]
        if lost or (codes < 0).any():
            what = f"holds {lost[0]!r}" if lost else "has gaps"
            raise LikelyError(f"column {name!r} {what}, which the joint table does not have: leave it out.")
        places.append(np.array([at[value] for value in distinct], np.intp)[codes])
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log2(joint.probs[tuple(places)]))


def lengths_table(names: list[str], lengths: list[CodeLength], marks: list[str]) -> str:
    """Models and their bits in columns."""
    head = ["", "parameters", "model bits", "data bits", "bits", ""]
    lines = [
        [name, f"{one.parameters}", f"{one.model_bits:.2f}", f"{one.data_bits:.2f}", f"{one.total:.2f}", mark]
        for name, one, mark in zip(names, lengths, marks, strict=True)
    ]
    return table([head, *lines], "<>>>><")
