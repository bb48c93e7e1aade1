"""A table of probabilities, or of data -> the probability of every combination of levels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist import Categorical, MEstimate
from likely.dist.distribution import SUM_TOLERANCE, not_negative
from likely.dist.family import PriorWord
from likely.errors import LikelyError, notice
from likely.models.joint.variables import Columns, coded, learnt, refuse_size
from likely.score.columns import columns_of
from likely.stats import Counts, Groups
from likely.table.accepted import Kinds, Weights
from likely.table.column.kinds import Type
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.schema import declared_by_name

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def cells_of_table(frame: Frame, prob: str, kinds: Kinds) -> tuple[Columns, Floats]:
    """The variables and the numbers in column `prob`, 0 for combinations that are not listed."""
    if prob not in frame.position:
        raise LikelyError(
            f"the table has no column {prob!r} of probabilities; its columns are {list(frame.names)[:10]!r}: "
            "name it with prob=. For rows of data use Joint.from_data."
        )
    raws = [frame.raw(name) for name in frame.names if name != prob]
    declared = declared_by_name(frame.names, kinds, "kinds")
    columns = tuple(learnt(raw, declared.get(raw.name, _as_level(raw))) for raw in raws)
    shape = _shape(columns, frame)
    p = np.asarray(frame.raw(prob).numbers(), np.float64)
    bad = ~(np.isfinite(p) & (p >= 0))
    if bad.any():
        row = int(np.argmax(bad))
        raise LikelyError(
            f"column {prob!r}, row {row} holds {frame.raw(prob).item(row)!r}: a probability is a number "
            "from 0 to 1. Correct it, or leave the row out: combinations that are not listed have "
            "probability 0."
        )
    codes = [coded(column, raw) for column, raw in zip(columns, raws, strict=True)]
    for raw, code in zip(raws, codes, strict=True):
        if (code < 0).any():
            row = int(np.argmax(code < 0))
            raise LikelyError(f"column {raw.name!r}, row {row} is missing: name the level that is meant.")
    cells = np.ravel_multi_index(tuple(codes), shape)
    _, first, times = np.unique(cells, return_index=True, return_counts=True)
    if (times > 1).any():
        which = int(np.argmax(times > 1))
        row = int(first[which])
        combination = ", ".join(f"{raw.name}={raw.item(row)!r}" for raw in raws)
        raise LikelyError(
            f"the combination {combination} is listed {times[which]} times: list it once, with the sum of "
            "its probabilities if they are to be added."
        )
    probs = np.zeros(shape)
    probs.flat[cells] = p
    return columns, probs


def cells_of_data(frame: Frame, prior: PriorWord, weight: Weights, kinds: Kinds) -> tuple[Columns, Floats]:
    """The variables, and how probable each combination is by its frequency. Incomplete rows are left out."""
    weights = None if weight is None else _weights(weight, frame)
    raws = [frame.raw(name) for name in frame.names if not (isinstance(weight, str) and name == weight)]
    declared = declared_by_name(frame.names, kinds, "kinds")
    columns = tuple(learnt(raw, declared.get(raw.name)) for raw in raws)
    for column, raw in zip(columns, raws, strict=True):
        if frame.n and raw.is_empty():
            raise LikelyError(f"column {column.name!r} has no value in any row: leave it out.")
    shape = _shape(columns, frame)
    codes = np.array([coded(column, raw) for column, raw in zip(columns, raws, strict=True)])  # (d, n)
    complete = (codes >= 0).all(axis=0)
    kept = complete if weights is None else complete & (weights > 0)
    if not kept.any():
        raise LikelyError(
            f"no row has a value in every column{'' if weights is None else ' and a weight above 0'}: there "
            "is nothing to count. Leave out the columns that are mostly missing."
        )
    if not complete.all():
        notice(
            f"{int((~complete).sum())} of {frame.n} rows have missing cells and were left out. To keep them, "
            "fill the cells in, or give the missing a level of its own.",
        )
    cells = np.ravel_multi_index(tuple(codes[:, kept]), shape)
    counts = Groups.hard(cells, math.prod(shape), None if weights is None else weights[kept]).total
    return columns, _estimate(counts, prior, columns).reshape(shape)


def normalised(probs: Floats, what: str, remedy: str) -> Floats:
    """The probabilities, divided by their sum where that is 1 but for rounding."""
    whole = float(probs.sum())
    if not abs(whole - 1) <= SUM_TOLERANCE:
        raise LikelyError(f"{what} add up to {whole:.10g}: probabilities add up to 1; {remedy}.")
    return probs / whole


def _shape(columns: Columns, frame: Frame) -> tuple[int, ...]:
    if not columns or not frame.n:
        raise LikelyError(
            f"the table has {frame.n} rows and columns {list(frame.names)[:10]!r}: give one variable and one "
            "row at least."
        )
    return refuse_size(columns)


def _as_level(raw: Raw) -> str | None:
    """What a column of a table of probabilities is taken for: each of its values is a level."""
    if raw.type in (Type.BOOLEAN, Type.CATEGORY, Type.MIXED, Type.EMPTY):
        return None
    return "categorical" if raw.type is Type.STRING else "ordinal"


def _weights(weight: ArrayLike, frame: Frame) -> Floats:
    columns = columns_of("weight", weight, frame)
    if len(columns) > 1 or len(columns[0].values) != frame.n:
        n = " and ".join(str(len(raw.values)) for raw in columns)
        raise LikelyError(f"weight has {n} values: give one weight for each of {frame.n} rows.")
    weights = not_negative("weight", columns[0].numbers())
    with np.errstate(over="ignore"):
        if not np.isfinite(weights.sum()):
            raise LikelyError(
                "the weights add up to more than a number can hold: divide them by the largest."
            )
    return weights


def _estimate(counts: Floats, prior: PriorWord, columns: Columns) -> Floats:
    levels = None
    if isinstance(prior, MEstimate) and isinstance(prior.p, Mapping):
        levels = [list(product(*(column.levels or () for column in columns)))]
    categorical: Any = Categorical.estimate(Counts(counts[None], (counts.size,)), prior, "mean", levels)
    return np.asarray(categorical.probs[0], np.float64)
