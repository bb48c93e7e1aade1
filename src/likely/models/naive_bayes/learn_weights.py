"""The weights of the evidence of a naive Bayes model, learnt from rows that are held out fold by fold."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from likely.evidence.ledger import Status
from likely.infer.evidence_weights import evidence_weights, share_told
from likely.models.groups.evidence_weights import EvidenceWeights
from likely.models.groups.hold_out import FEWEST, IMPOSSIBLE, folds_of
from likely.models.groups.independent import repeats_itself
from likely.models.groups.record import GroupRecord
from likely.models.parts.part import Part
from likely.stats import Groups
from likely.table.column.kinds import Kind
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

LEAST, MOST = 2, 5000  # rows: of one nothing can be left out, more would tell little more
BY_HAND = 15, 6  # fewer rows of at most so many columns without numbers are worked through by hand
FOLDS = 5  # two where there is one weight to learn, as of very many columns
CELLS = 1 << 24  # terms that are held at a time: 128 MB


def learn_weights(record: GroupRecord, frame: Frame, groups: Groups) -> EvidenceWeights | None:
    """Weights of the columns; None where nothing can be learnt, so that all evidence counts in full.

    That is so if there is one class, a single column, which nothing repeats, or a table as textbooks have
    them: fewer than 15 rows of at most six columns of levels or words. Each row is predicted from what the
    other folds have seen: that of all rows less that of its own. Fewer than 30 rows are left out one by one,
    of a row of weight 2 one of the two rows that it stands for.
    """
    assert groups.codes is not None
    weight = np.ones(frame.n) if groups.weight is None else groups.weight
    seen, g = np.flatnonzero(weight > 0), len(record.classes)
    units, n_units = _units(record, frame, seen)
    n = float(np.maximum(weight[seen], 1.0).sum())  # a row of weight 2 is two
    if n < LEAST or g < 2 or _by_hand(record, n) or (n_units == 1 and not _repeats(record)):
        return None
    one_by_one = n < FEWEST
    most = max(FEWEST, min(MOST, CELLS // (g * n_units)))
    k = len(seen) if one_by_one else FOLDS if n_units > 1 else 2
    folds = folds_of(seen, groups.codes, most, k)
    rows, ends = np.concatenate(folds), np.cumsum([0, *map(len, folds)])
    few, codes, weight = frame.at(rows), groups.codes[rows], weight[rows]
    left_out = np.minimum(weight, 1.0) if one_by_one else weight
    blocks = [part.block(few) for part in record.parts]
    terms, told = np.zeros((len(rows), g, n_units)), np.zeros(len(rows))
    for start, stop in pairwise(ends.tolist()):
        own = Groups.hard(codes[start:stop], g, None if groups.weight is None else left_out[start:stop])
        for part, block in zip(record.parts, blocks, strict=True):
            others = part - part.collect(block, own, start, stop)
            if part.describes_cells:
                told[start:stop] += part.n_told(block.rows(start, stop))
            if part.family.joint or n_units == 1:  # one weight, for what all of its columns say
                terms[start:stop, :, units[part.columns[0]]] += _whole(others, block.rows(start, stop))
            else:
                own_terms = others.distribution.relative_terms(block.rows(start, stop))
                terms[start:stop, :, units[list(part.columns)]] += own_terms
            del others  # before the next: it may be as large as all that the model has learnt
    best = terms.max(axis=1, keepdims=True)
    terms = np.maximum(terms - np.where(np.isfinite(best), best, 0.0), IMPOSSIBLE)
    with np.errstate(divide="ignore"):
        log_rates = np.maximum(np.log(record.rates), IMPOSSIBLE)
    # What a row tells alone counts in full: the weight of a column is for the share that others tell with it.
    alone = np.array([not repeats_itself(record.parts[i]) for i in _parts_of_units(record, units, n_units)])
    if not all(part.describes_cells for part in record.parts):  # that a cell is missing is told, too
        told[:] = len(units)
    share = np.where(alone, share_told(told, len(units))[:, None], 1.0)
    weights = evidence_weights(log_rates, terms, codes, weight, share)
    return EvidenceWeights(weights[units], float(record.n))


def _by_hand(record: GroupRecord, n: float) -> bool:
    """Whether a table is as small as those of worked examples, whose evidence is to be seen in full."""
    columns, (rows, most) = record.schema.columns, BY_HAND
    numbers = any(column.kind is Kind.QUANTITATIVE for column in columns)
    return n < rows and len(columns) <= most and not numbers


def _parts_of_units(record: GroupRecord, units: Ints, n: int) -> list[int]:
    """The part that each weight is of, (u,); if it is one for all columns, the first."""
    part_of = {j: at for at, part in enumerate(record.parts) if part.describes_cells for j in part.columns}
    return [part_of[int(np.argmax(units == unit))] for unit in range(n)]


def _units(record: GroupRecord, frame: Frame, seen: Ints) -> tuple[Ints, int]:
    """The place of each column's weight, (d,): its own, or that of the columns described together with it.

    Where there are more columns than rows could tell apart, all have one weight; those of a single value, of
    which there is nothing to tell, are none of them.
    """
    d = len(record.schema.columns)
    units, n = np.zeros(d, np.intp), 0
    for part in record.parts:
        if part.describes_cells:
            alone = not part.family.joint
            units[list(part.columns)] = n + (np.arange(len(part.columns)) if alone else 0)
            n += len(part.columns) if alone else 1
    most = max(record.n, FEWEST) / FOLDS
    if n > most >= n - d:
        n_silent = sum(_n_silent(part, frame.at(seen)) for part in record.parts)
        return (units, n) if n - n_silent <= most else (np.zeros(d, np.intp), 1)
    return (units, n) if n <= most else (np.zeros(d, np.intp), 1)


def _n_silent(part: Part, frame: Frame) -> int:
    """How many of the columns of a part, each described alone, have no more than one value in some rows."""
    if not part.describes_cells or repeats_itself(part):
        return 0
    cells = part.block(frame).rows(0, frame.n)
    if not isinstance(cells, np.ndarray):
        return 0
    told = np.asarray(part.status(cells)) == Status.KNOWN
    first = np.take_along_axis(cells, np.argmax(told, axis=0)[None, :], axis=0)
    return int(np.count_nonzero(~(told & (cells != first)).any(axis=0)))


def _repeats(record: GroupRecord) -> bool:
    """Whether what has one weight could repeat itself: several columns do, and the words of a text."""
    return len(record.schema.columns) > 1 or record.parts[0].family.joint or record.parts[0].width > 1


def _whole(part: Part, rows: object) -> Floats:
    """What all columns of a part say for each class, (b, c)."""
    return np.asarray(part.distribution.relative(rows, False)[0])
