"""Models whose scores are sums of terms on the page: naive Bayes, mixtures, regressions, pools."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.calibrate.record import CalibratedRecord
from likely.calibrate.scoring import calibrated_form
from likely.errors import LikelyError
from likely.export.form import ScoringForm, WordsTerm
from likely.models.groups.record import GroupRecord
from likely.models.regression.linear.record import LinearRecord
from likely.models.regression.logistic_record import LogisticRecord
from likely.page.columns import (
    ShownColumn,
    along,
    cells_of,
    level_rows,
    of_levels,
    of_numbers,
    shown_levels,
    text_of,
)
from likely.page.form_data import form_data
from likely.page.group_traits import group_traits
from likely.page.live import LiveModel
from likely.page.live_words import of_texts, words_data
from likely.page.rare import LEAST_ROWS, Rarity
from likely.page.spread import spread_of
from likely.page.untold_columns import said_untold, with_base_rate
from likely.pool.number_record import NumberPoolRecord
from likely.pool.pooling import Pool
from likely.pool.reading.numbers import SPREAD
from likely.pool.record import PoolRecord
from likely.table.frame import Frame

Floats = NDArray[np.float64]

IN_BINS = ("binned", "discretize", "histogram")  # families that tell no moments of a group
ENDS = {"uniform": "its ends are", "histogram": "its outermost bins end at"}


def live_form(model: Any, record: Any, frame: Frame | None, rarity: Rarity) -> LiveModel:
    """The scoring form, the columns as controls, and how far answers are known."""
    form = _form(model, record)
    inside = record.model.record_ if isinstance(record, CalibratedRecord) else record
    groups = inside if isinstance(inside, GroupRecord) else None
    if groups is not None and rarity.least:
        _refuse_ends(groups)
        _refuse_few(groups, rarity)
    both = _columns(inside, frame, rarity)
    columns = tuple(shown for shown, _ in both)
    words = tuple(term for _, term in both if term is not None)
    if all(shown.why for shown in columns):
        raise LikelyError(
            f"column {columns[0].column.name!r} is all that the model looks at, and a page cannot be told "
            f"it: {columns[0].why}. Use explain(), or learn from other columns too."
        )
    if isinstance(record, PoolRecord):
        form, words = with_base_rate(form, words, columns, record.rates)
    data = form_data(form, columns, groups, rarity)
    data["terms"] += [words_data(term) for term in words]
    untold = "" if isinstance(record, Pool) else said_untold(model, record)
    if untold or (groups is None and not isinstance(record, PoolRecord)):
        data["base_name"] = "nothing told"
    several = groups is not None and groups.components is not None
    hidden = bool(model._hidden) or several
    return LiveModel(
        target=record.target_name,
        outcomes=tuple(text_of(label) for label in form.classes),
        columns=columns,
        model=data,
        spread=None if hidden else spread_of(model, inside, columns, frame),
        said=" ".join(filter(None, (_said(record), untold))),
        groups=group_traits(groups, columns) if groups is not None and hidden else None,
        parameters=_parameters(record, groups),
    )


def _form(model: Any, record: Any) -> ScoringForm:
    if isinstance(record, PoolRecord | NumberPoolRecord):
        return record.additive_form()
    if isinstance(record, CalibratedRecord):
        inner: Any = getattr(record.model, "record_", None)
        plain = isinstance(inner, GroupRecord | LogisticRecord) and not getattr(record.model, "products", ())
        inside = inner.scoring_form(texts=True) if plain else None
        return calibrated_form(record, None if model.base_rate is None else model.rates_, inside)
    if getattr(model, "products", None):
        return model.scoring_form()  # type: ignore[no-any-return]
    try:
        return record.scoring_form(texts=True)  # type: ignore[no-any-return]
    except LikelyError as error:
        raise LikelyError(
            f"this {type(model).__name__} has no page: {error} Name another family for it, such as 'normal'."
        ) from error


def _refuse_ends(groups: GroupRecord) -> None:
    """Refuse families whose parameters are the least and the greatest value."""
    for part in groups.parts:
        if part.family.name in ENDS:
            raise LikelyError(
                f"column {part.first.name!r} is described by the {part.family.name} family: "
                f"{ENDS[part.family.name]} the least and the greatest value, which a page does not show. "
                "Name another family for it, such as 'normal', or say show_rare=True (--show-rare)."
            )


def _refuse_few(groups: GroupRecord, rarity: Rarity) -> None:
    """Refuse groups of few rows whose numbers are described by moments: these are those of the rows."""
    rows = groups.class_counts
    if len(rows) != len(groups.core.log_weights):  # classes of several groups
        rows = groups.n * np.exp(groups.core.log_weights)
    few = np.flatnonzero(~rarity.kept(rows))
    parts = [part for part in groups.parts if part.describes_cells and part.first.levels is None]
    told = next((part for part in parts if part.family.name not in IN_BINS), None)
    if len(few) and told is not None:
        raise LikelyError(
            f"group {text_of(groups.group_names[few[0]])!r} has {rows[few[0]]:.3g} rows, and column "
            f"{told.first.name!r} is described by its mean there, which tells of single rows. Take fewer "
            "groups or classes, learn from more rows, or say show_rare=True (--show-rare)."
        )


def _columns(record: Any, frame: Frame | None, rarity: Rarity) -> list[tuple[ShownColumn, WordsTerm | None]]:
    """The columns, and of texts what their words add."""
    texts = any(column.words is not None for column in record.schema.columns)
    terms = {term.columns[0]: term for term in record.words_terms()} if texts else {}
    return [
        (_column(record, j, frame, rarity), None)
        if column.words is None
        else of_texts(record, j, terms, frame, rarity)
        for j, column in enumerate(record.schema.columns)
    ]


def _column(record: Any, j: int, frame: Frame | None, rarity: Rarity) -> ShownColumn:
    """A column by what the table holds of it or, without one, by what the model knows."""
    column = record.schema.columns[j]
    levels = shown_levels(column)
    seen = None
    if frame is not None and column.name in frame.position:
        seen = cells_of(record.schema, frame.only([column.name]), j)
    if levels is not None:
        if not levels:
            return ShownColumn(column, why="no value of it was ever seen")
        rows = level_rows(seen, len(levels)) if seen is not None else _known_rows(record, j, len(levels))
        if rows is None and column.has_levels and rarity.least:
            raise LikelyError(
                f"how many rows have each level of column {column.name!r} is not known to the model, and a "
                "page names none that few rows have. Make it with the table, by report(table) (--data), or "
                "say show_rare=True (--show-rare)."
            )
        if column.has_levels or rows is None:
            return of_levels(column, levels, rows, rarity)
        return of_levels(column, levels, rows, Rarity(0))  # true and false are named in any case
    if seen is not None:
        return of_numbers(column, seen)
    return replace(along(column, *_moments(record, j)), ends=_ends(record, j))


def _known_rows(record: Any, j: int, k: int) -> Floats | None:
    """How many rows each level has, as far as the model knows."""
    if isinstance(record, GroupRecord):
        for part in record.parts:
            if part.coded and j in part.columns:
                counted = part.counts(part.columns.index(j)).values.sum(axis=0)
                return np.asarray(counted[:k]) if len(counted) >= k else None
        return None
    if isinstance(record, Pool) and record.schema.columns[j].has_levels:
        reading = record.reading
        place = int(np.flatnonzero(reading.source == j)[0])
        return np.asarray(reading.tallies[reading.owner == place].sum(axis=1)[:k])
    if isinstance(record, LinearRecord) and record.schema.columns[j].has_levels:
        share = record.mean[:-1][record.design.source == j]
        first = k - len(share[:k])
        own = np.concatenate([np.full(first, 1 - share.sum()), share])[:k] if first in (0, 1) else None
        return None if own is None else np.round(own * record.n)
    return None


def _moments(record: Any, j: int) -> tuple[float, float]:
    """Mean and standard deviation of a column of numbers, as far as the model knows."""
    if isinstance(record, GroupRecord):
        weights = np.exp(record.core.log_weights)
        for part in record.core.parts:
            if j in part.columns and part.describes_cells:
                mean, sd = part.parameters(part.columns.index(j)).values.T[:2]
                centre = float(weights @ mean)
                return centre, math.sqrt(float(weights @ (sd**2 + (mean - centre) ** 2)))
    elif isinstance(record, LogisticRecord | LinearRecord):
        place = record.design.counted.index(j)
        return float(record.design.mean[place]), float(record.design.sd[place])
    elif isinstance(record, Pool):
        place = int(np.flatnonzero(record.reading.source == j)[0])
        return float(record.reading.scales.mean[place]), float(record.reading.scales.sd[place])
    return 0.0, 1.0


def _ends(record: Any, j: int) -> tuple[float, float]:
    """Numbers that ten rows and more lie at or beyond, where the model has outermost ones; else none."""
    if not isinstance(record, Pool):
        return -math.inf, math.inf
    scales, place = record.reading.scales, int(np.flatnonzero(record.reading.source == j)[0])
    some = slice(scales.knot_ends[place], scales.knot_ends[place + 1])
    rows = float(record.reading.tallies[record.reading.owner == place].sum())
    beyond = (1 - np.abs(scales.ranks[some]) / SPREAD) / 2 * rows  # on the nearer side
    inner = scales.knots[some][beyond >= LEAST_ROWS]
    return (float(inner[0]), float(inner[-1])) if len(inner) else (0.0, 0.0)


def _said(record: Any) -> str:
    if isinstance(record, Pool) and record.projection is not None and record.projection.share < 1:
        return (
            "The answer here is the additive part of the pool: what columns say one by one. On rows that it "
            f"had not seen, that is {record.projection.share:.0%} of what moves the pool's answers; what "
            "columns say only together is left out."
        )
    if isinstance(record, LogisticRecord) and record.beside is not None:
        return "An unknown number counts as its mean here; in Python it is averaged over."
    return ""


def _parameters(record: Any, groups: GroupRecord | None) -> tuple[str, ...]:
    if groups is not None:
        said = f"base rates and the parameters of every column, in {len(groups.group_names)} groups"
    elif isinstance(record, Pool):
        said = "what each value of each column adds, as the pool says it"
    else:
        said = "intercepts and coefficients, and how far they are known"
    return (said,)
