"""What is said after rows were answered: how many got which answer, how sure, and what was not recognised."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import notice
from likely.format.words import figures, many, shown
from likely.table.batch.batches import Batch
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.column.levels import UNSEEN
from likely.table.frame import Frame
from likely.table.schema import Schema

MOST = 10  # answers, and columns, that are named


@dataclass
class AnswerSummary:
    """Adds up over the batches of a file."""

    schema: Schema
    rows: int = 0
    answers: Counter[Any] = field(default_factory=Counter)
    figure: str = "probability of the answers"  # what is averaged over the rows
    figures: float = 0.0  # its sum
    measured: bool = False  # whether there is such a figure
    number: float = 0.0  # the sum of the answers of a model of numbers
    missing: Counter[str] = field(default_factory=Counter)  # cells of each column
    unseen: dict[str, Counter[str]] = field(default_factory=dict)  # of each column, what values how often
    recognised: int = 0  # cells
    absent: tuple[str, ...] = ()  # columns that the file does not have

    def add(self, batch: Batch, answer: NDArray[Any], figure: NDArray[np.float64] | None = None) -> None:
        """Count the answers of some rows, and what the model recognises of them."""
        if not batch.n:
            return
        self.rows, self.absent = self.rows + batch.n, batch.absent
        if answer.dtype.kind == "f":
            self.number += float(answer.sum())
        else:
            self.answers.update(answer.tolist())
        if figure is not None:
            self.measured, self.figures = True, self.figures + float(figure.sum())
        frame = self.schema.align(Frame.of(batch.table), "the model")
        for column in self.schema.columns:
            if column.name not in batch.absent:
                self._look_at(column, frame)

    def _look_at(self, column: Column, frame: Frame) -> None:
        raw = frame.raw(column.name)
        gone = raw.missing()
        self.missing[column.name] += int(gone.sum())
        if column.kind is Kind.TEXT:
            bags = column.bags(raw)
            known = (np.diff(bags.texts.indptr) > 0)[bags.codes]  # the last text is empty
        elif column.levels is not None:
            codes = np.empty(frame.n, np.intp)
            column.coded(raw).rows(0, frame.n, codes)
            known = (codes != UNSEEN) & ~gone
            if (codes == UNSEEN).any():
                own = self.unseen.setdefault(column.name, Counter())
                own.update(shown(raw.item(int(i))) for i in np.flatnonzero(codes == UNSEEN))
        else:
            known = ~gone
        self.recognised += int(known.sum())

    def warn(self) -> None:
        """Say on standard error what was not recognised."""
        for name, values in list(self.unseen.items())[:MOST]:
            said = ", ".join(f"{value!r} ({times})" for value, times in values.most_common(3))
            more = ", ..." if len(values) > 3 else ""
            notice(
                f"column {name!r}: {many(values.total(), 'cell')} with {many(len(values), 'value')} that the "
                f"model has never seen, such as {said}{more}: they add no evidence."
            )
        if self.rows and not self.recognised:
            notice(
                f"warning: no cell of these {many(self.rows, 'row')} is one that the model knows, so all get "
                "the same answer. Are the columns those that it learnt from?"
            )
        elif len(self.answers) == 1 and self.rows > 1 and self.unseen:
            notice(
                f"warning: all {many(self.rows, 'row')} get the same answer, and values in "
                f"{many(len(self.unseen), 'column')} were not recognised. Are they written as in training?"
            )

    def to_dict(self) -> dict[str, Any]:
        """In plain Python, ready for JSON."""
        return {
            "rows": self.rows,
            "answers": {str(label): count for label, count in self.answers.most_common()},
            f"mean {self.figure}": self.figures / self.rows if self.measured and self.rows else None,
            "unseen": {name: dict(values.most_common()) for name, values in self.unseen.items()},
            "missing": {name: count for name, count in self.missing.items() if count},
            "missing columns": list(self.absent),
        }

    def __str__(self) -> str:
        lines = [many(self.rows, "row")]
        if self.answers:
            first = self.answers.most_common(MOST)
            said = ", ".join(
                f"{shown(label) or 'no decision'} {count} ({count / self.rows:.0%})" for label, count in first
            )
            more = f", and {len(self.answers) - MOST} more" if len(self.answers) > MOST else ""
            lines[0] += f": {said}{more}"
        elif self.rows:
            lines[0] += f": mean of the predictions {figures(self.number / self.rows)}"
        if self.measured and self.rows:
            lines.append(f"mean {self.figure} {self.figures / self.rows:.3f}")
        if self.absent:
            said = ", ".join(shown(name) for name in self.absent[:MOST])
            lines.append(f"missing columns: {said}{', ...' if len(self.absent) > MOST else ''}")
        gaps = [(name, count) for name, count in self.missing.items() if count]
        if gaps:
            said = ", ".join(f"{shown(name)} {count}" for name, count in gaps[:MOST])
            lines.append(f"missing cells: {said}{', ...' if len(gaps) > MOST else ''}")
        if self.unseen:
            own = list(self.unseen.items())
            said = ", ".join(f"{shown(name)} {values.total()}" for name, values in own[:MOST])
            lines.append(f"cells never seen in training: {said}{', ...' if len(own) > MOST else ''}")
        return "\n".join(lines)
