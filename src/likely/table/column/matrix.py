"""The columns of a matrix of numbers, learnt and checked all at once: one by one is slow if they are many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.table.column.column import Column
from likely.table.column.compatibility import WANTED, are_numbers, misfits
from likely.table.column.kinds import Kind
from likely.table.column.levels import Coded, number_codes, whole_levels
from likely.table.column.lookup import parts
from likely.table.column.raw import Raw
from likely.table.column.uniform_columns import Alike, Everywhere, runs
from likely.table.frame import Frame
from likely.table.sparse import Rows

_CELLS = 1 << 15  # looked at together, so that they stay in the cache


def learn_matrix(frame: Frame, declared: Mapping[str, Any], missing_level: bool) -> Sequence[Column]:
    """The columns of a matrix: all have its type, so their kinds differ only where declared."""
    plain = Column.learn(_like(frame))
    word = declared.value if isinstance(declared, Everywhere) else None
    kind = Kind.of(word, next(iter(frame.names), None)) if isinstance(word, str) else plain.kind
    alike = not declared or (isinstance(declared, Everywhere) and (word is None or isinstance(word, str)))
    if alike and not kind.coded and kind is not Kind.TEXT:
        same = Alike(Column("", kind, plain.type), frame.names)
        refuse_misfits(frame, same, range(len(same)))
        return same
    columns = [Column(name, plain.kind, plain.type) for name in frame.names]
    coded: list[int] = []
    for name, asked in declared.items():
        j = frame.position[name]
        if asked is None:
            continue
        if not isinstance(asked, str) or (kind := Kind.of(asked, name)) is Kind.TEXT:
            columns[j] = Column.learn(frame.raw(name), asked, missing_level)
        else:
            columns[j] = Column(name, kind, plain.type)
            coded += [j] if kind.coded else []
    refuse_misfits(frame, columns, range(len(columns)))
    for j, levels in zip(sorted(coded), _levels(frame, sorted(coded)), strict=True):
        raw = replace(_like(frame), name=columns[j].name)
        columns[j] = Column.with_levels(raw, columns[j].kind, levels, missing_level)
    return tuple(columns)


def refuse_misfits(frame: Frame, columns: Sequence[Column], chosen: Sequence[int]) -> None:
    """Refuse a matrix with numbers that one of these columns cannot hold."""
    made_of = _like(frame).type
    of_kind: dict[Kind, list[int]] = {kind: [] for kind in WANTED}
    for column, places in runs(columns, chosen):
        if not column.fits(made_of):
            column.check(frame.raw(column.name))
        if column.kind in of_kind:
            of_kind[column.kind] += places
    for kind, places in of_kind.items():
        if kind in frame.found_fit or not places:
            continue
        if (worst := _first_misfit(frame.matrix, np.array(places, np.intp), kind)) is not None:
            columns[worst].numbers(frame.raw(columns[worst].name))  # says which row it is
        if len(places) == len(frame.names):
            frame.found_fit.add(kind)


def matrix_codes(frame: Frame, columns: Sequence[Column]) -> Coded | None:
    """Codes of all these columns at once; None if they must be made one by one."""
    matrix = neighbours(frame.matrix, [frame.position[column.name] for column in columns])
    made_of = _like(frame).type
    at_once = all(column.fits(made_of) and are_numbers(column.known) for column in columns)
    if matrix is None or not at_once or not _by_rows(matrix):
        return None
    return number_codes(matrix, [c.known for c in columns], [c.missing_code for c in columns])


def neighbours(matrix: Rows, chosen: Sequence[int]) -> Rows | None:
    """Columns that stand side by side as a matrix of their own, a view; None if they do not."""
    if len(chosen) == matrix.shape[1] and all(a == b for a, b in enumerate(chosen)):
        return matrix
    if not len(chosen) or list(chosen) != list(range(chosen[0], chosen[0] + len(chosen))):
        return None
    return matrix[:, chosen[0] : chosen[-1] + 1]


def _like(frame: Frame) -> Raw:
    """A column as any of the matrix."""
    return Raw.of("x", np.zeros(1, frame.matrix.dtype))


def _by_rows(matrix: Rows) -> bool:
    """Whether the cells of a row are stored side by side, so that going down a column is slow."""
    return not isinstance(matrix, np.ndarray) or abs(matrix.strides[0]) >= abs(matrix.strides[1])


def _levels(frame: Frame, coded: Sequence[int]) -> list[list[Any]]:
    matrix = neighbours(frame.matrix, coded)
    by_column = whole_levels(matrix) if matrix is not None and _by_rows(matrix) else None
    if by_column is None:
        return [list(Column.learn(frame.raw(frame.names[j]), Kind.CATEGORICAL).known) for j in coded]
    like = _like(frame)
    return [[like.typed(level) for level in levels] for levels in by_column]


def _first_misfit(matrix: Rows, places: NDArray[np.intp], kind: Kind) -> int | None:
    """The column of the first number that is not of the kind it should be."""
    some = matrix if len(places) == matrix.shape[1] else matrix[:, places]
    if not isinstance(some, np.ndarray):
        for start in range(0, len(some.data), _CELLS):
            wrong = misfits(some.data[start : start + _CELLS], kind)  # what is not stored is 0, which fits
            if wrong is not None and wrong.any():
                return int(places[some.indices[start + np.argmax(wrong)]])
        return None
    for _, part in parts(some, 0, len(some)):
        wrong = misfits(part, kind)
        if wrong is not None and wrong.any():
            return int(places[np.argwhere(wrong)[0, 1]])
    return None
