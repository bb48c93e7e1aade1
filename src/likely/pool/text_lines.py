"""What the words of a text add to a prediction of a pool: the parts of the line of its column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.evidence.ledger_of_row import LedgerLine
from likely.evidence.render import strongest
from likely.pool.reading.reading import texts
from likely.pool.reading.words import WordEvidence
from likely.pool.record import PoolRecord
from likely.table.column.words import Bags
from likely.table.frame import Frame

Floats = NDArray[np.float64]

WHOLE = "the text as a whole"


@dataclass(frozen=True)
class ReadText:
    """A column of texts, what its words are evidence for, and what the words are."""

    bags: Bags
    evidence: WordEvidence
    words: tuple[str, ...]


@dataclass(frozen=True)
class TextLines:
    """The words of texts by column.

    A pool hears the words of a text as one number, their sum, and learns what to make of it. Where it makes
    less of it than the sum says, each word counts for so much less; where it makes more, or the opposite,
    that belongs to no word.
    """

    of_column: Mapping[int, ReadText]
    terms: Floats  # (n, columns, g)

    @classmethod
    def of(cls, record: PoolRecord, frame: Frame, terms: Floats) -> TextLines | None:
        """Of the rows of a table; None where it has no texts."""
        places, schema = texts(record.schema), record.schema
        if not places:
            return None
        read = [
            ReadText(schema.bags(frame, j), evidence, tuple(map(str, schema.columns[j].known)))
            for j, evidence in zip(places, record.reading.words, strict=True)
        ]
        return cls(dict(zip(places, read, strict=True)), terms)

    def __call__(self, row: int, j: int, mine: int, theirs: int) -> tuple[LedgerLine, ...]:
        """Of column j in a row; nothing of columns that are no texts."""
        if j not in self.of_column:
            return ()
        read = self.of_column[j]
        counts = read.bags.rows(row, row + 1).counts
        odds, places = read.evidence.log_odds(), counts.indices
        if not len(places):
            return ()
        sign = 1.0 if mine > theirs else -1.0
        each = sign * odds[places, 0] if odds.shape[1] == 1 else odds[places, mine] - odds[places, theirs]
        line, whole = float(self.terms[row, j, mine] - self.terms[row, j, theirs]), float(each.sum())
        counted = min(max(line / whole, 0.0), 1.0) if whole else 0.0
        parts = [
            LedgerLine(read.words[place], int(n), counted * float(own))
            for place, n, own in zip(places.tolist(), counts.data.tolist(), each, strict=True)
        ]
        rest = line - counted * whole
        if abs(rest) > 1e-9:
            parts.append(LedgerLine(WHOLE, None, rest))
        return tuple(parts[i] for i in strongest([part.evidence for part in parts]))
