"""How much the evidence of all columns counts, learnt from rows that are held out fold by fold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.infer.evidence_weights import evidence_weights
from likely.models.groups.hold_out import FEWEST, IMPOSSIBLE, folds_of
from likely.models.one_dependence.record import PairRecord
from likely.stats import Groups
from likely.stats.level_pairs import LevelPairs
from likely.table.frame import Frame

Floats = NDArray[np.float64]

MOST = 5000  # rows: more would tell little more
FOLDS = 5


def learn_weight(record: PairRecord, frame: Frame, groups: Groups) -> float:
    """Each row is predicted from what the other folds have seen: the counts of all less those of its own.

    1 where nothing can be learnt: of fewer than 30 rows, or of one class.
    """
    assert groups.codes is not None
    weight = np.ones(frame.n) if groups.weight is None else groups.weight
    g = len(record.classes)
    if frame.n < FEWEST or g < 2:
        return 1.0
    rows_of_folds = folds_of(np.arange(frame.n), groups.codes, MOST, FOLDS)
    cells = record.reading.rows_of(frame.at(np.concatenate(rows_of_folds)))
    terms, start = [], 0
    for rows in rows_of_folds:
        codes = cells.rows(start, start + len(rows))
        own = Groups.hard(groups.codes[rows], g, weight[rows])
        pairs = record.pairs - LevelPairs.collect(codes, own, record.reading.sizes)
        others = replace(record, pairs=pairs, class_counts=record.class_counts - own.total)
        with np.errstate(invalid="ignore"):
            evidence = others.tables.log_joint(codes) - others.tables.log_rates
        terms.append(np.nan_to_num(evidence, nan=0.0, neginf=-np.inf))
        start += len(rows)
    said = np.concatenate(terms)[:, :, None]
    best = said.max(axis=1, keepdims=True)
    said = np.maximum(said - np.where(np.isfinite(best), best, 0.0), IMPOSSIBLE)
    with np.errstate(divide="ignore"):
        log_rates = np.maximum(np.log(record.rates), IMPOSSIBLE)
    chosen = np.concatenate(rows_of_folds)
    return float(evidence_weights(log_rates, said, groups.codes[chosen], weight[chosen])[0])
