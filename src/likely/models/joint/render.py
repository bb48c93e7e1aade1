"""How joint and conditional tables show themselves: as text, as HTML, and as a frame of all combinations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.estimator.record import OPTIMAL, Story
from likely.format import words
from likely.format.html_table import html_table
from likely.models.joint.variables import Columns
from likely.table.build import to_table, values_of
from likely.table.column.column import Column

Floats = NDArray[np.float64]

TOP = 10  # rows that are shown
WIDE = 12  # columns of probabilities that are shown


def frame_of(columns: Columns, probs: Floats, prob: str, library: str) -> Any:
    """A frame with one row a combination, and its probability."""
    if any(column.name == prob for column in columns):
        raise LikelyError(f"{prob!r} is a variable too: name the column of probabilities with prob=.")
    cells = np.unravel_index(np.arange(probs.size), probs.shape)
    values = {c.name: values_of(c, codes, library) for c, codes in zip(columns, cells, strict=True)}
    return to_table({**values, prob: probs.ravel()}, library)


def text_of_joint(columns: Columns, probs: Floats) -> str:
    """The most probable combinations, and what the others have together."""
    title, head, body, foot = _joint_face(columns, probs)
    return "\n".join([title, "", words.table([head, *body], "<" * len(columns) + ">"), *foot])


def html_of_joint(columns: Columns, probs: Floats) -> str:
    """The same in a table of HTML that needs nothing outside itself."""
    return html_table(*_joint_face(columns, probs), "<" * len(columns) + ">")


def story_of_joint(columns: Columns, probs: Floats) -> Story:
    """How a row comes about: all at once."""
    names = ", ".join(words.shown(column.name) for column in columns)
    step = f"Draw one of the {probs.size:,} combinations of {names} at once, by its cell of the table."
    return Story("Joint", (step,), "P(row) = its cell.", f"{OPTIMAL}: no independence is assumed.")


def text_of_conditional(title: str, columns: Columns, n_given: int, probs: Floats) -> str:
    """One row a combination given, one column a level."""
    head, body, foot = _conditional_face(columns, n_given, probs)
    return "\n".join([title, "", words.table([head, *body], _sides(head, n_given)), *foot])


def html_of_conditional(title: str, columns: Columns, n_given: int, probs: Floats) -> str:
    """The same in a table of HTML that needs nothing outside itself."""
    head, body, foot = _conditional_face(columns, n_given, probs)
    return html_table(title, head, body, foot, _sides(head, n_given))


def _sides(head: Sequence[str], n_given: int) -> str:
    return "<" * n_given + ">" * (len(head) - n_given)


def _joint_face(columns: Columns, probs: Floats) -> tuple[str, list[str], list[list[str]], list[str]]:
    flat = probs.ravel()
    possible = int(np.count_nonzero(flat))
    kept = _largest(flat, min(TOP, possible))
    body = []
    for cell in kept:
        codes = np.unravel_index(cell, probs.shape)
        levels = [_level(column, int(code)) for column, code in zip(columns, codes, strict=True)]
        body.append([*levels, _number(flat[cell])])
    names = [words.shown(column.name) for column in columns]
    title = f"Joint distribution of {', '.join(names)}: {probs.size:,} cells, {probs.size - 1:,} free"
    foot = []
    if possible > len(kept):
        rest = max(0.0, 1.0 - float(flat[kept].sum()))
        foot.append(f"and {possible - len(kept):,} other combinations, {_number(rest)} together")
    if possible < probs.size:
        foot.append(f"{words.many(probs.size - possible, 'combination')} of probability 0")
    return title, [*names, "p"], body, foot


def _conditional_face(
    columns: Columns, n_given: int, probs: Floats
) -> tuple[list[str], list[list[str]], list[str]]:
    given, own = columns[:n_given], columns[n_given:]
    rows = list(product(*(range(len(column.levels or ())) for column in given)))
    heads = list(product(*(range(len(column.levels or ())) for column in own)))
    table = probs.reshape(len(rows), len(heads))
    shown = heads[:WIDE]
    head = [words.shown(column.name) for column in given]
    head += [", ".join(_level(c, i) for c, i in zip(own, codes, strict=True)) for codes in shown]
    body = []
    for codes, line in zip(rows[: 2 * TOP], table, strict=False):
        levels = [_level(column, code) for column, code in zip(given, codes, strict=True)]
        body.append([*levels, *(_number(p) for p in line[:WIDE])])
    foot = []
    if len(rows) > len(body):
        foot.append(f"and {words.many(len(rows) - len(body), 'other row')}")
    if len(heads) > len(shown):
        foot.append(f"and {words.many(len(heads) - len(shown), 'other column')}")
    if np.isnan(table[:, 0]).any():
        foot.append("? is undefined: what is given has probability 0")
    return head, body, foot


def _largest(flat: Floats, n: int) -> list[int]:
    """Where the n largest numbers are, the largest first."""
    cells = np.argpartition(-flat, n - 1)[:n] if n < flat.size else np.arange(flat.size)
    return sorted(cells.tolist(), key=lambda cell: (-flat[cell], cell))


def _level(column: Column, code: int) -> str:
    level = (column.levels or ())[code]
    return "missing" if level is None else words.shown(level)


def _number(p: float) -> str:
    return "?" if np.isnan(p) else f"{p:.4g}"
