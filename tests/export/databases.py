"""Tables in databases, as the tests of every dialect need them."""

from __future__ import annotations

from typing import Any

import numpy as np

TYPES = {"b": "BOOLEAN", "i": "BIGINT", "f": "{double}", "O": "TEXT"}


def definition(table: dict[str, Any], double: str) -> str:
    """The columns of a table and their types; id counts the rows."""
    columns = [f"{quoted(name)} {TYPES[v.dtype.kind].format(double=double)}" for name, v in table.items()]
    return ", ".join(["id BIGINT", *columns])


def quoted(name: str) -> str:
    """A name in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def tuples(table: dict[str, Any], nan: bool) -> list[tuple[Any, ...]]:
    """The rows, gaps as None; with `nan` every second gap of numbers stays NaN."""
    columns = []
    for values in table.values():
        cells = values.tolist()
        columns.append(
            [None if cell != cell and not (nan and row % 2) else cell for row, cell in enumerate(cells)]
        )
    return list(zip(range(len(columns[0])), *columns, strict=True))


def in_order(rows: Any) -> Any:
    """Answers (n, c) of rows (id, answers), in the order of the ids; NaN where there is none."""
    ordered = sorted(rows)
    return np.array([[np.nan if p is None else p for p in row[1:]] for row in ordered], np.float64)


def assert_answers(model: Any, asked: Any, told: Any, open_gaps: bool, within: float = 1e-12) -> None:
    """The probabilities of a table are those of the model, but for rows that may be left without any."""
    left = np.isnan(told).any(axis=1)
    assert left.any() == open_gaps
    assert np.abs(told - model.predict_proba(asked))[~left].max() <= within
