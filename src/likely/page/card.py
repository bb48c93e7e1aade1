"""The model card: what was learnt from what, by which version, and what it cannot do."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from likely.format.words import many
from likely.page.columns import text_of
from likely.page.live import LiveModel
from likely.page.rare import Rarity
from likely.pool.pooling import Pool

MOST_TYPES = 6
MOST_NAMED = 20  # columns


def card_of(
    name: str, model: Any, live: LiveModel, left_out: Sequence[str] = ()
) -> list[tuple[str, list[str]]]:
    """Names and lines, in the order in which they are read."""
    n = rows_of(model)
    parameters = getattr(model.record_, "n_parameters", None)
    if isinstance(model.record_, Pool):
        parameters = None  # those of its members are not counted, and are most
    kinds = [str(shown.column.kind) for shown in live.columns]
    counted = [many(kinds.count(kind), f"{kind} column") for kind in dict.fromkeys(kinds)]
    card = [
        ("Model", [name] + ([] if parameters is None else [many(int(parameters), "free parameter")])),
        ("Predicts", [_predicts(live)]),
        ("Learnt from", [many_rows(n) if n else "tables that were given", ", ".join(counted)]),
    ]
    if left_out:
        more = [f"and {len(left_out) - MOST_NAMED:,} more"] if len(left_out) > MOST_NAMED else []
        card.append(("Not learnt from", [", ".join([*map(text_of, left_out[:MOST_NAMED]), *more])]))
    prior = _prior(model)
    if prior:
        card.append(("Prior", [prior]))
    story = model.story()
    steps = story.steps[:MOST_TYPES] if live.about is None else ()  # those of a network name all levels
    card.append(("How rows come about in this model", [*steps, story.formula]))
    if story.optimal:
        card.append(("When it is right", [story.optimal]))
    limits = [live.said] if live.said else []
    limits.append("It tells what goes together in the rows that it was learnt from, not what causes what.")
    card.append(("Limits", limits))
    card.append(("Made with", [f"likely {import_module('likely').__version__}"]))
    return card


def _prior(model: Any) -> str:
    """Of the parameters, in words; none where nothing was learnt from rows."""
    prior = getattr(model, "prior", None)
    if prior is None or not rows_of(model):
        return ""
    if not isinstance(prior, str):
        return text_of(prior)
    chosen = getattr(model.record_, "prior", None)
    return (
        f"{prior}: {text_of(chosen)}"
        if chosen is not None
        else f"{prior}: weak, that of each column's family"
    )


def many_rows(n: float) -> str:
    """The weight of rows as people write it.

    >>> many_rows(1.0), many_rows(2_500_000.0), many_rows(12.3456789)
    ('1 row', '2,500,000 rows', '12.3457 rows')
    """
    return f"{n:,.0f} row{'' if n == 1 else 's'}" if n == int(n) else f"{n:,.6g} rows"


def rows_of(model: Any) -> float:
    """The weight of the rows that a model was learnt from; 0 where it was given."""
    record = model.record_
    return float(record.n if hasattr(record, "n") else record.class_counts.sum())


def _predicts(live: LiveModel) -> str:
    target = text_of(live.target)
    if live.numeric:
        return f"{target}, a number"
    shown = ", ".join(live.outcomes[:MOST_TYPES]) + (", ..." if len(live.outcomes) > MOST_TYPES else "")
    return f"{target}: {shown}"


def contents(live: LiveModel, rarity: Rarity, table: bool, judged: bool) -> list[str]:
    """What the file holds, in words: counts and parameters, never rows."""
    lines = ["No rows: nothing in this file is a row of the table."]
    lines += [f"The model: {line}." for line in live.parameters]
    named = sum(bool(shown.labels) for shown in live.columns)
    if named:
        lines.append(f"The names of the values of {many(named, 'column')}.")
    words = sum(len(shown.words) for shown in live.columns)
    if words:
        enough = f" that {rarity.least:g} rows or more have" if rarity.least else ""
        lines.append(f"Of texts: {words:,} words{enough}, and what each adds; no texts.")
    if table:
        lines.append("Counts: rows of each value or bin, and of each outcome among them; the profile above.")
    if judged:
        lines.append("Counts of rows by what was predicted for them without having seen them.")
    if any(shown.is_number for shown in live.columns):
        few = f" that fewer than {rarity.least:g} rows have" if rarity.least else ""
        lines.append(f"Of numbers: round points along them; no least or greatest value{few}.")
    if not rarity.least:
        lines.append("Rare values are shown: this page was made with rare values included.")
    elif any(shown.labels and shown.rows is None for shown in live.columns):
        lines.append(
            "How many rows each value has is not known to the model: values are named as the model has them."
        )
    else:
        least = f"{rarity.least:g}"
        how = "put together without their names; what has fewer even so is left out"
        how = "stand without their names" if live.levels_apart else f"are {how}"
        lines.append(f"Values and bins of fewer than {least} rows {how}.")
    return lines
