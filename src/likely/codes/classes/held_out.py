"""What is learnt of coders from held-out rows: how much each counts, and how much of it all classes share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likely.codes.classes.character_code import WAYS, BytePrior
from likely.codes.classes.coders import CharacterCoder, CompressorCoder
from likely.codes.classes.record import CodedRecord, RowCoder, relative
from likely.engine import Engine
from likely.infer.sized_weights import USUAL, sized_loss, sized_weights
from likely.models.groups.hold_out import FEWEST, folds_of
from likely.stats import Groups
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Learn = Callable[[Frame, Groups], tuple[RowCoder, ...]]

FOLDS = 5
MOST = 5000  # rows that weights of evidence are learnt from
MOST_COMPRESSED = 200  # of a compressor, which reads all texts of a class anew for each
ENOUGH = 500  # rows that what is expected of texts is chosen by: the other folds then follow one way only
IMPOSSIBLE = -1e3  # nats: what a fold rules out that the rest of the rows may not


@dataclass(frozen=True)
class _Fold:
    """What coders that were learnt from the other rows say of these."""

    rows: Ints  # (m,)
    terms: tuple[tuple[Floats, ...], ...]  # of each coder, of each of its ways: (m, g)
    sizes: Floats  # (m, u)


def weighed(record: CodedRecord, frame: Frame, groups: Groups, learn: Learn, engine: Engine) -> CodedRecord:
    """A record whose evidence counts as it did, in the mean, for rows it was not learnt from."""
    assert groups.codes is not None
    codes, g = groups.codes, groups.n_groups
    if g < 2:
        return record
    coders = record.coders
    unknown = replace(record, weights=np.full(len(coders), USUAL))
    often = np.flatnonzero(np.bincount(codes, minlength=g)[codes] > 1)  # of the others nothing is left
    if len(often) < FEWEST:
        return unknown
    ways = [WAYS if isinstance(coder, CharacterCoder) else () for coder in coders]
    most = MOST_COMPRESSED if any(isinstance(coder, CompressorCoder) for coder in coders) else MOST
    held: list[_Fold] = []
    for rows in folds_of(often, codes, most, FOLDS):
        rest = np.setdiff1d(np.arange(frame.n), rows)
        if len(np.unique(codes[rest])) < g or not len(rows):
            continue
        held.append(_fold(learn(frame.at(rest), groups.where(rest)), ways, frame.at(rows), rows, engine))
        if sum(len(fold.rows) for fold in held) >= ENOUGH:
            ways, held = _chosen(record, ways, held, groups)
    if not held:
        return unknown
    ways, held = _chosen(record, ways, held, groups)
    terms = np.stack([_terms(held, u, 0) for u in range(len(coders))], axis=2)
    weights = sized_weights(*_questions(record, terms, held, groups))
    kept = tuple(
        replace(coder, expected=way[0]) if isinstance(coder, CharacterCoder) else coder
        for coder, way in zip(coders, ways, strict=True)
    )
    return replace(record, coders=kept, weights=weights)


def _fold(
    coders: Sequence[RowCoder], ways: Sequence[Sequence[BytePrior]], frame: Frame, rows: Ints, engine: Engine
) -> _Fold:
    terms = []
    for coder, way in zip(coders, ways, strict=True):
        by = coder.logs_by(frame, engine, way) if isinstance(coder, CharacterCoder) else ()
        terms.append(tuple(map(relative, by or (coder.logs(frame, engine),))))
    return _Fold(rows, tuple(terms), np.stack([coder.sizes(frame) for coder in coders], axis=1))


def _chosen(
    record: CodedRecord, ways: Sequence[tuple[BytePrior, ...]], held: Sequence[_Fold], groups: Groups
) -> tuple[list[tuple[BytePrior, ...]], list[_Fold]]:
    """Of each text the way by which held-out rows are told best, and what it says of them."""
    best = []
    for u, known in enumerate(ways):
        losses = [0.0]
        if len(known) > 1:
            losses = []
            for i in range(len(known)):
                asked = _questions(record, _terms(held, u, i)[:, :, None], held, groups, u)
                losses.append(sized_loss(*asked, sized_weights(*asked)))
        best.append(int(np.argmin(losses)))
    left = [way[at : at + 1] for way, at in zip(ways, best, strict=True)]
    terms = [tuple((one[at],) for one, at in zip(fold.terms, best, strict=True)) for fold in held]
    return left, [replace(fold, terms=own) for fold, own in zip(held, terms, strict=True)]


def _terms(held: Sequence[_Fold], u: int, way: int) -> Floats:
    return np.concatenate([fold.terms[u][way] for fold in held])


def _questions(
    record: CodedRecord, terms: Floats, held: Sequence[_Fold], groups: Groups, only: int | None = None
) -> tuple[Floats, Floats, Floats, Ints, Floats]:
    """What `sized_weights` takes; terms are (n, c, u), of all coders or of one."""
    assert groups.codes is not None
    at = np.concatenate([fold.rows for fold in held])
    sizes = np.concatenate([fold.sizes for fold in held])
    terms = terms.copy()
    terms[np.isneginf(terms).all(axis=1, keepdims=True) & np.ones_like(terms, bool)] = 0.0
    weight = np.ones(len(at)) if groups.weight is None else groups.weight[at]
    log_rates = np.maximum(record.log_rates, IMPOSSIBLE)
    sizes = sizes if only is None else sizes[:, only : only + 1]
    return log_rates, np.maximum(terms, IMPOSSIBLE), sizes, groups.codes[at], weight
