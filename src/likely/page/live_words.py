"""Columns of texts on the page: words that rows enough have, and what each of them adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.export.form import WordsTerm
from likely.models.groups.record import GroupRecord
from likely.page.columns import ShownColumn
from likely.page.packed import packed, pieces_data
from likely.page.rare import Rarity
from likely.page.word_reader import reader_of
from likely.pool.pooling import Pool
from likely.pool.reading.reading import texts
from likely.table.frame import Frame

Floats = NDArray[np.float64]

SILENT = "here it counts as missing"
NO_PATTERN = f"browsers do not find words by such a pattern as Python does: {SILENT}"
NO_SUM = f"what its words say together is no sum of what each says: {SILENT}"
NO_ROWS = (
    f"how many rows have each word is not known without the table, and rare words are not shown: {SILENT}. "
    "Make the page with the table, by report(), or with show_rare"
)
NO_WORDS = f"none of its words is in rows enough to be shown: {SILENT}"


def of_texts(
    record: Any, j: int, terms: Mapping[int, WordsTerm], frame: Frame | None, rarity: Rarity
) -> tuple[ShownColumn, WordsTerm | None]:
    """A column of texts, and what those of its words add that are shown; None if it is silent, and why."""
    column = record.schema.columns[j]
    assert column.words is not None
    reader, term = reader_of(column.words), terms.get(j)
    rows = _rows_of_words(record, j, frame)
    if reader is None or term is None:
        return ShownColumn(column, why=NO_PATTERN if reader is None else NO_SUM), None
    if rows is None and rarity.least:
        return ShownColumn(column, why=NO_ROWS), None
    place = {word: i for i, word in enumerate(column.known)}
    own = None if rows is None else rows[[place[word] for word in term.words]]
    kept = np.arange(len(term.words)) if own is None else np.flatnonzero(rarity.kept(own))
    if not len(kept):
        return ShownColumn(column, why=NO_WORDS), None
    shown = term.only(kept)
    by_word = None if own is None else own[kept]
    return ShownColumn(column, words=shown.words, reader=reader, rows=by_word), shown


def _rows_of_words(record: Any, j: int, frame: Frame | None) -> Floats | None:
    """How many rows have each word of the vocabulary, by the table or, without it, by the model."""
    column = record.schema.columns[j]
    if frame is not None and column.name in frame.position:
        bags = record.schema.bags(frame, j)
        codes = np.asarray(bags.codes)
        times = np.bincount(codes[codes >= 0], minlength=bags.texts.shape[0])
        return np.asarray(times @ (bags.texts != 0), np.float64)
    if isinstance(record, Pool):
        return np.asarray(record.reading.words[texts(record.schema).index(j)].holding.sum(axis=1))
    if isinstance(record, GroupRecord) and column.words.bits:
        part = next(part for part in record.parts if j in part.columns)
        return np.asarray(part.counts(0).values.sum(axis=0))
    return None


def words_data(term: WordsTerm) -> dict[str, Any]:
    """As the script reads it; the words themselves stand with their column."""
    return {
        "kind": "words",
        "columns": list(term.columns),
        "weight": term.weight,
        "steady": term.steady,
        "table": packed(term.table),
        "start": term.start.tolist(),
        "missing": term.missing.tolist(),
        "once": term.once,
        "curves": [pieces_data(curve) for curve in term.curves],
    }
