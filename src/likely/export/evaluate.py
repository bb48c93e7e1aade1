"""The scoring form worked out with NumPy: what every other program has to answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import log
from likely.export.form import (
    UNLIKELIEST,
    AnyTerm,
    Input,
    JointTerm,
    LevelTerm,
    NumberTerm,
    ScoringForm,
    SharesTerm,
)
from likely.export.recalibration import BetaMap, EachClassMap, LogitLine, Recalibration, ScoreMap, Sharpened
from likely.infer.bayes import bayes_rule
from likely.infer.evidence_weights import counted_share, share_told
from likely.table.column.kinds import is_missing
from likely.table.frame import Frame

Floats = NDArray[np.float64]
# Of each input: numbers, NaN where missing; or codes of levels, -1 where missing, -2 where never seen.
Cells = list[NDArray[Any]]


def read_cells(form: ScoringForm, table: object) -> Cells:
    """The cells of a table, by the names of the inputs."""
    frame = Frame.of(table)
    return [_read(one, frame) for one in form.inputs]


def _read(one: Input, frame: Frame) -> NDArray[Any]:
    raw = frame.raw(one.name)
    if one.levels is None:
        return np.asarray(raw.numbers(), np.float64)
    place = {level: code for code, level in enumerate(one.levels)}
    return np.array([-1 if is_missing(value) else place.get(value, -2) for value in raw.items()], np.intp)


def probabilities(form: ScoringForm, table: object) -> Floats:
    """P(class given row), (n, c), of a table; NaN where there is no score; of a number, itself, (n, 1)."""
    return answers(form, read_cells(form, table))


def answers(form: ScoringForm, cells: Cells) -> Floats:
    """As `probabilities`, of cells that are read already."""
    scores = scores_of(form, cells)
    if not form.classes:
        return scores
    refused = np.asarray(np.isnan(scores).any(axis=1))
    log_p = by_class(form, np.where(refused[:, None], 0.0, scores))
    for step in form.then:
        log_p = recalibrated(log_p, step)
    return np.where(refused[:, None], np.nan, np.exp(log_p))


def scores_of(form: ScoringForm, cells: Cells) -> Floats:
    """The score of every group, (n, g)."""
    n = len(cells[0]) if cells else 1
    known = [_known(one, cell) for one, cell in zip(form.inputs, cells, strict=True)]
    share = share_told(np.sum(known, axis=0), len(cells)) if form.weighed else np.ones(n)
    scores = np.repeat(form.start[None], n, axis=0)
    for term in form.terms:
        counts = np.full(n, term.weight)
        if form.weighed and not term.steady:
            counts = counted_share(np.array([term.weight]), share[:, None])[:, 0]
        scores += counts[:, None] * added(term, [cells[j] for j in term.columns], form.n_groups)
    return scores


def _known(one: Input, cells: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray(~np.isnan(cells) if one.levels is None else cells >= 0)


def added(term: AnyTerm, cells: Sequence[NDArray[Any]], g: int) -> Floats:
    """What a term adds, all of it, (n, g); NaN where it has no answer."""
    nothing = np.full(g, np.nan)
    match term:
        case LevelTerm():
            ends = [nothing if end is None else end for end in (term.unseen, term.missing)]
            return np.asarray(np.vstack([term.table.reshape(-1, g), *ends])[cells[0]])
        case NumberTerm():
            gap = nothing if term.missing is None else term.missing
            missing = np.isnan(cells[0])
            return np.where(missing[:, None], gap, term.pieces(np.where(missing, 0.0, cells[0])))
        case JointTerm():
            return _joint(term, np.column_stack(list(cells)), g)
        case SharesTerm():
            return _shares(term, np.column_stack(list(cells)))


def _joint(term: JointTerm, x: Floats, g: int) -> Floats:
    out, known = np.full((len(x), g), np.nan), ~np.isnan(x)
    for form in term.forms:
        pattern = np.isin(np.arange(x.shape[1]), form.known)
        rows = np.flatnonzero((known == pattern).all(axis=1))
        out[rows] = form(x[np.ix_(rows, np.array(form.known, np.intp))])
    return out


def _shares(term: SharesTerm, x: Floats) -> Floats:
    known = ~np.isnan(x)
    counts = np.where(known, x, 0.0)
    words, mass = counts.sum(axis=1, keepdims=True), known @ term.shares
    log_p = log(term.shares)
    never = counts @ np.isneginf(log_p) > 0
    out = counts @ np.where(np.isneginf(log_p), 0.0, log_p) - words * np.log(np.where(mass > 0, mass, 1.0))
    return np.where(never, UNLIKELIEST * 1e50, out)


def by_class(form: ScoringForm, scores: Floats) -> Floats:
    """log P(class given row), (n, c), of scores (n, g)."""
    if form.components is not None:
        apart = np.split(scores, np.cumsum(form.components)[:-1], axis=1)
        scores = np.stack([bayes_rule(own)[1] for own in apart], axis=1)
    log_p = bayes_rule(scores)[0]
    gone = scores.max(axis=1) < UNLIKELIEST
    if gone.any() and form.rates is not None:
        log_p[gone] = log(form.rates)
    return log_p


def recalibrated(log_p: Floats, step: Recalibration) -> Floats:
    """Log-probabilities (n, c) after one step."""
    if isinstance(step, Sharpened):
        below = np.maximum(log_p - log_p.max(axis=1, keepdims=True), -step.limit)
        return bayes_rule(step.sharpening * below)[0]
    if isinstance(step, EachClassMap):
        return _each_class(log_p, step)
    new = log_p + step.log_factors
    out = bayes_rule(new)[0]
    out[new.max(axis=1) < UNLIKELIEST] = log(step.rates)
    return out


def _each_class(log_p: Floats, step: EachClassMap) -> Floats:
    places = [1] if log_p.shape[1] == 2 else list(range(log_p.shape[1]))
    each = []
    for place, one in zip(places, step.maps, strict=True):
        others = bayes_rule(np.delete(log_p, place, axis=1))[1]
        with np.errstate(invalid="ignore"):
            odds = np.clip(log_p[:, place] - others, -step.limit, step.limit)
        each.append(mapped(one, odds))
    if len(each) == 1:
        return bayes_rule(np.column_stack([-each[0] / 2, each[0] / 2]))[0]
    return bayes_rule(np.column_stack([-np.logaddexp(0.0, -odds) for odds in each]))[0]


def mapped(one: ScoreMap, score: Floats) -> Floats:
    """The log-odds that a map makes of scores (n,)."""
    if isinstance(one, LogitLine):
        return np.asarray(one.intercept + one.slope * (np.clip(score, one.low, one.high) - one.centre))
    if isinstance(one, BetaMap):
        odds = np.clip(score, -one.limit, one.limit)
        small = np.log1p(np.exp(-np.abs(odds)))
        return np.asarray(
            one.a * (np.minimum(odds, 0) - small) + one.b * (np.maximum(odds, 0) + small) + one.c
        )
    p = one.pieces(score)[:, 0]
    return np.asarray(log(p) - log(1 - p))
