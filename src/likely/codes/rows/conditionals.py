"""P(value of a column given those before it) of many rows at once, by any model that knows P(row).

What is not told is summed out, so P(x_j | x_1 .. x_j-1) is P(x_1 .. x_j) over its sum over the values of x_j.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.codes.rows.variables import CodedColumn
from likely.codes.schema_levels import with_levels
from likely.infer import bayes_rule
from likely.models.joint.joint import Joint
from likely.table.build import to_table
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
AT_ONCE = 1 << 17  # rows that a model is asked about together


def conditionals(model: Any, columns: Sequence[CodedColumn], before: Ints, j: int) -> Floats:
    """P(value of column j | the columns before it), (u, k), of rows whose codes are `before`, (u, j)."""
    if isinstance(model, Joint):
        return _of_joint(model, columns, before, j)
    k, u = columns[j].k, len(before)
    logs = np.empty((u, k))
    pieces = np.array_split(np.arange(u), max(1, -(-u * k // AT_ONCE)))
    for rows in pieces:  # the same for encoder and decoder, who know the same
        codes = np.repeat(before[rows], k, axis=0)
        own = np.tile(np.arange(k), len(rows))
        logs[rows] = _logs(model, columns, np.column_stack([codes, own])).reshape(len(rows), k)
    return np.exp(bayes_rule(logs)[0])


def _logs(model: Any, columns: Sequence[CodedColumn], codes: Ints) -> Floats:
    """log P(the first columns), of rows of codes."""
    record = model.record_
    known = {column.name: column.values(codes[:, j]) for j, column in enumerate(columns[: codes.shape[1]])}
    n = len(codes)
    target = record.target_name
    of_target = known.pop(target, None) if target not in record.schema.names else None
    cells = {name: known.get(name, [None] * n) for name in record.schema.names}
    frame = with_levels(Frame.of(to_table(cells, "dict")), record.schema)
    if of_target is None:
        return np.asarray(model.log_prob(frame))
    return np.asarray(model.log_prob(frame, np.array(of_target, object)))


def _of_joint(joint: Joint, columns: Sequence[CodedColumn], before: Ints, j: int) -> Floats:
    """By the cells of a table, whose axes are the columns in order."""
    rest = tuple(range(j + 1, len(columns)))
    table = joint.probs.sum(axis=rest)
    cells = table[tuple(before.T)] if j else np.broadcast_to(table, (len(before), len(table)))
    with np.errstate(divide="ignore"):
        return np.exp(bayes_rule(np.log(cells))[0])
