"""How probable rows are under a model of groups, alone or with their classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, Engine, MapTask
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord, class_logs
from likely.table.block import Block
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
        log_posterior, log_evidence = class_logs(self.core, data.blocks, start, stop, evidence=True)
        logs[:] = log_evidence
        if data.codes is not None:
            chosen = log_posterior[np.arange(stop - start), data.codes[start:stop]]
            logs += np.where(np.isneginf(log_evidence), 0.0, chosen)
