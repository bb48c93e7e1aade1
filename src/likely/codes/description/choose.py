"""Models ranked by how short they describe a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from likely.codes.description.code_length import (
    CodeLength,
    Step,
    code_length,
    lengths_table,
    parameters_of,
    row_bits,
    step_of,
)
from likely.codes.schema_levels import declared, with_levels
from likely.draw import bars
from likely.errors import LikelyError
from likely.estimator.fitted import refuse_empty, split_target
from likely.format.html_table import html_table
from likely.format.words import shown
from likely.models.hypotheses.code import Code
from likely.table.accepted import TableLike
from likely.table.build import to_table
from likely.table.frame import Frame
from likely.table.schema import Schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
WAYS = ("mdl", "prequential", "bic")
FIRST = 20  # rows that are given to all models before the first is described, at least
Tell = Callable[[int, int], None]


@dataclass(frozen=True, eq=False, repr=False)
class RankedModels:
    """Models ranked by the bits that they take to describe a table, the shortest first."""

    by: str
    target: str | None
    names: tuple[str, ...]  # (m,) the shortest first
    lengths: tuple[CodeLength, ...]  # (m,)
    models: tuple[Any, ...]  # (m,) fitted to all rows
    library: str = "numpy"

    @property
    def best(self) -> Any:
        """The fitted model that describes the table shortest."""
        return self.models[0]

    @property
    def bits(self) -> dict[str, float]:
        """The description length of each model, the shortest first."""
        return {name: one.total for name, one in zip(self.names, self.lengths, strict=True)}

    def to_frame(self) -> Any:
        """One line for each model, in the frame library of the table."""
        total = np.array([one.total for one in self.lengths])
        columns = {
            "model": np.array(self.names, object),
            "parameters": np.array([one.parameters for one in self.lengths]),
            "model bits": np.array([one.model_bits for one in self.lengths]),
            "data bits": np.array([one.data_bits for one in self.lengths]),
            "bits": total,
            "more than the shortest": total - total[0],
        }
        return to_table(columns, self.library)

    @property
    def title(self) -> str:
        """What was described, and how bits were counted."""
        what = "whole rows" if self.target is None else f"{shown(self.target)} given the other columns"
        # What the first rows are is not described: without this, bits would seem to be those of all rows.
        given = f" ({self.lengths[0].n} rows, given those before them)" if self.by == "prequential" else ""
        return f"Bits of {what}, by {self.by}{given}"

    def _marks(self) -> list[str]:
        first = self.lengths[0].total
        return ["shortest", *(f"+{one.total - first:.2f}" for one in self.lengths[1:])]

    def __str__(self) -> str:
        names = [shown(name, 60) for name in self.names]
        return f"{self.title}\n\n{lengths_table(names, list(self.lengths), self._marks())}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [
            [
                name,
                str(one.parameters),
                f"{one.model_bits:.2f}",
                f"{one.data_bits:.2f}",
                f"{one.total:.2f}",
                m,
            ]
            for name, one, m in zip(self.names, self.lengths, self._marks(), strict=True)
        ]
        head = ["model", "parameters", "model bits", "data bits", "bits", ""]
        return html_table(self.title, head, rows, [], "<>>>><")

    def plot(self, ax: Axes | None = None) -> Axes:
        """By how many bits each model is longer than the shortest."""
        first = self.lengths[0].total
        more = [one.total - first for one in self.lengths]
        said = [f"{one.total:.1f}" for one in self.lengths]
        return bars(self.names, more, said, title=self.title, xlabel="bits more than the shortest", ax=ax)


def choose(
    candidates: Mapping[str, Any] | Sequence[Any],
    rows: TableLike,
    target: str | None = None,
    *,
    by: str = "mdl",
    step: Step = None,
    code: Code | None = None,
    tell: Tell | None = None,
) -> RankedModels:
    """Rank models by how short they describe a table (minimum description length).

    The shortest description is the most probable model, if P(model) = 2^-bits. It is not always the best
    predictor: see the page "Description length".

    Parameters
    ----------
    candidates : mapping or sequence
        Models that are not fitted yet, by name or alone: numbers of components, families, degrees of a
        polynomial (pipelines), structures of networks, models of different sorts.
    rows : table
        What is described, with the target among its columns if there is one.
    target : str or None
        Describe this column given the others; None describes whole rows.
    by : "mdl", "bic" or "prequential"
        "mdl" and "bic" send parameters, then rows (see `code_length`). "prequential" sends no parameters:
        every block of rows is described by the model fitted to the rows before it, blocks as long as all
        before them. The first rows are given to all models alike, and rows are taken in random order.
    step : number, mapping or None
        To which numbers are written; see `code_length`.
    code : Code or None
        The bits to name each candidate, where some are less plain than others; None names all alike, and adds
        nothing.

    Examples
    --------
    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> models = {"no arcs": likely.Network(structure=[]), "tree": likely.Network(structure="tree")}
    >>> choose(models, days).names
    ('no arcs', 'tree')
    """
    if by not in WAYS:
        raise LikelyError(f"by={by!r}: use one of {', '.join(map(repr, WAYS))}.")
    named = _named(candidates)
    frame = Frame.of(rows)
    refuse_empty(frame)
    _refuse_gaps(frame, target)
    extra = np.zeros(len(named)) if code is None else code.lengths(list(named))
    lengths, models = [], []
    for i, (name, candidate) in enumerate(named.items()):
        try:
            model = _fitted(candidate, frame, target)
            if by == "prequential":
                one = _as_they_come(candidate, frame, target, step)
                k = parameters_of(model) if hasattr(model, "n_parameters_") else 0
                one = CodeLength(0.0, one.data_bits, k, one.n)
            else:
                one = code_length(model, frame, target, step=step, by=by)
        except LikelyError as error:
            raise LikelyError(f"candidate {name!r}: {error}") from error
        lengths.append(CodeLength(one.model_bits + float(extra[i]), one.data_bits, one.parameters, one.n))
        models.append(model)
        if tell is not None:
            tell(i + 1, len(named))
    order = np.argsort([one.total for one in lengths], kind="stable").tolist()
    return RankedModels(
        by,
        target,
        tuple(list(named)[i] for i in order),
        tuple(lengths[i] for i in order),
        tuple(models[i] for i in order),
        frame.library,
    )


def _named(candidates: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    if not isinstance(candidates, Mapping):
        names = [" ".join(repr(one).split()) for one in candidates]
        candidates = dict(zip(names, candidates, strict=True))
        if len(candidates) != len(names):
            raise LikelyError("candidates: two are the same; give them names, as {'one': model, ...}.")
    if not candidates:
        raise LikelyError("candidates: give at least one model.")
    for name, one in candidates.items():
        if not hasattr(one, "fit"):
            raise LikelyError(f"candidate {name!r} is {one!r}: give models that are not fitted yet.")
    return {str(name): one for name, one in candidates.items()}


def _refuse_gaps(frame: Frame, target: str | None) -> None:
    """A value that is missing cannot be described; said here, where the column has its name."""
    if target is None or target not in frame.position:
        return
    gaps = np.flatnonzero(frame.raw(target).distinct()[0] < 0)
    if len(gaps):
        raise LikelyError(
            f"the target {target!r} is missing in row {gaps[0]}, and in {len(gaps)} of {frame.n} rows: "
            "leave such rows out."
        )


def _fitted(candidate: Any, frame: Frame, target: str | None) -> Any:
    model = clone(candidate)
    if target is None:
        if is_classifier(model) or not hasattr(model, "log_prob"):
            raise LikelyError(f"a {type(model).__name__} predicts a column: name it as the target.")
        return model.fit(frame)
    X, y = split_target(frame, target, type(model).__name__)
    return model.fit(X, _values(y))


def _values(raw: Any) -> NDArray[Any]:
    """A column as values."""
    if raw.found is None and raw.type.numeric:
        return np.asarray(raw.numbers())
    return np.array(raw.items(), object)


def _as_they_come(candidate: Any, frame: Frame, target: str | None, step: Step) -> CodeLength:
    """The bits of all rows but the first, block after block, each by what was seen before."""
    schema = Schema.learn(frame)
    order = _order(frame, target)
    start = min(max(FIRST, 2 * len(frame.names)), max(frame.n // 2, 1))
    total, at = 0.0, start
    steps = _steps(frame, step)
    while at < frame.n:
        stop = min(2 * at, frame.n)
        before = with_levels(frame.at(order[:at]), schema)
        model = declared(clone(candidate), _without(schema, target))
        if target is None:
            model.fit(before)
        else:
            X, y = split_target(before, target, type(model).__name__)
            model.fit(X, _values(y))
        block = with_levels(frame.at(order[at:stop]), schema)
        total += float(row_bits(model, block, target, steps, plug_in=False).sum())
        at = stop
    return CodeLength(0.0, total, 0, frame.n - start)


def _without(schema: Schema, target: str | None) -> Schema:
    left = tuple(column for column in schema.columns if column.name != target)
    return Schema(left, schema.named, schema.library)


def _steps(frame: Frame, step: Step) -> Step:
    """The steps of all rows together: those of a block may be coarser."""
    if step is not None and not isinstance(step, Mapping):
        return step
    steps = {}
    for name in frame.names:
        raw = frame.raw(name)
        if raw.type.numeric:
            steps[name] = step_of(name, np.asarray(raw.numbers(), np.float64), step)
    return steps


def _order(frame: Frame, target: str | None) -> Ints:
    """Rows by chance, but one of each class first: what a class is must be known before it is described."""
    order = np.random.default_rng(0).permutation(frame.n)
    if target is None:
        return order
    raw = split_target(frame, target, "choose")[1]
    if raw.found is None and raw.type.numeric and len(np.unique(raw.values)) > 20:
        return order
    codes = raw.distinct()[0][order]
    first = np.sort(np.unique(codes, return_index=True)[1])
    return np.concatenate([order[first], np.delete(order, first)])
