"""Rows under a model of groups: how probable they are, which no class allows, and rows drawn from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, Engine, MapTask
from likely.estimator.fitted import generator
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord, class_posterior
from likely.models.parts.part import Part
from likely.table.accepted import RandomState
from likely.table.build import to_table, values_of
from likely.table.column.block import Block
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def log_prob(record: GroupRecord, frame: Frame, codes: Ints | None, engine: Engine) -> Floats:
    """Log P(row), summed over the classes, (n,); with the codes of their classes, log P(row, class)."""
    rows = ClassedRows(record.blocks(frame), codes)
    (logs,) = engine.map(Chunk(rows, frame.n, frame.width), RowLogs(record.core, len(record.classes)))
    return logs


@dataclass(frozen=True, slots=True)
class ClassedRows:
    """The columns that each part reads, and the classes of the rows where these are known."""

    blocks: tuple[Block, ...]
    codes: Ints | None  # (n,)


@dataclass(frozen=True, slots=True)
class RowLogs(MapTask[ClassedRows]):
    """Log P(row), or log P(row, class) where the rows have classes."""

    core: Independent
    n_classes: int

    def width(self, stored: int) -> int:
        """A row's cells, and its classes."""
        return stored + self.n_classes

    def answers(self, n: int) -> Answers:
        """One number a row, (n,)."""
        return (np.empty(n),)

    def step(self, data: ClassedRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        (logs,) = out
        log_posterior, log_evidence = class_posterior(self.core, data.blocks, start, stop)
        logs[:] = log_evidence
        if data.codes is not None:
            chosen = log_posterior[np.arange(stop - start), data.codes[start:stop]]
            logs += np.where(np.isneginf(log_evidence), 0.0, chosen)


def impossible_rows(record: GroupRecord, frame: Frame, gone: NDArray[np.bool_]) -> str:
    """The notice about rows of probability 0, which names what the first of them holds.

    >>> import likely, warnings
    >>> model = likely.NaiveBayes(families="uniform").fit({"x": [1.0, 2.0, 3.0, 5.0]}, list("aabb"))
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     found = model.predict_proba({"x": [2.0, 99.0]})
    >>> print(said[0].message)
    1 row has probability 0 in every class: the base rate is returned. In row 1 column 'x' (uniform) holds a \
value that a class rules out: name another family for it (families=).
    """
    n, row = int(gone.sum()), int(gone.argmax())
    said = f"{n} row{'s have' if n > 1 else ' has'} probability 0 in every class: the base rate is returned."
    for part, column in _blamed(record, frame, row):
        cell = f"In row {row} column {record.schema.columns[column].name!r} ({part.family.name}) holds"
        if part.prior is not None and not part.family.counts_levels:
            return f"{said} {cell} a value that a class rules out: name another family for it (families=)."
        # A prior smooths by its mean; its mode may be where the data are.
        steps = ["give a prior (prior='default')"] if part.prior is None else []
        steps += ["take estimate='mean'"] if record.settings.estimate in ("ml", "map") else []
        steps = steps or ["give a prior that leaves no level out"]
        return f"{said} {cell} what a class never had: {' and '.join(steps)} to smooth the zeros away."
    return said


def _blamed(record: GroupRecord, frame: Frame, row: int) -> Iterator[tuple[Part, int]]:
    """The columns whose cell in this row has probability 0 in a class."""
    for part in record.core.parts:
        cells = part.block(frame).rows(row, row + 1)
        never = np.isneginf(part.distribution.relative_terms(cells)).any(axis=(0, 1))
        for j in np.flatnonzero(never):
            yield part, part.columns[j]


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
    for j in record.never_seen:  # what a column never held it may not hold
        drawn[j][:] = -1 if schema.columns[j].levels is not None else np.nan
    pairs = zip(schema.columns, drawn, strict=True)
    columns = {c.name: values_of(c, c.possible(cells), library) for c, cells in pairs}
    columns[record.target.name] = values_of(record.target, record.class_of[groups], library)
    return to_table(columns, library)
