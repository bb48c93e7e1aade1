"""The scoring form as the script reads it: in plain Python, rare levels put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.elliptical import Elliptical
from likely.dist.numeric.pieces import Pieces
from likely.export.form import AnyTerm, JointTerm, LevelTerm, NumberTerm, ScoringForm
from likely.export.plain import to_plain
from likely.infer.bayes import bayes_rule
from likely.models.groups.record import GroupRecord
from likely.page.columns import ShownColumn
from likely.page.packed import packed, pieces_data
from likely.page.rare import Rarity

Floats = NDArray[np.float64]


def form_data(
    form: ScoringForm, columns: Sequence[ShownColumn], groups: GroupRecord | None, rarity: Rarity
) -> dict[str, Any]:
    """The form; of a model of groups, P(level given group) of levels that are shown as one is added up.

    A function of numbers whose pieces end where few rows are is level from there on.
    """
    terms = [_term(_levelled(term, columns, rarity), columns, groups) for term in form.terms]
    return {
        "classes": len(form.classes),
        "inputs": len(form.inputs),
        "start": form.start.tolist(),
        "terms": terms,
        "components": None if form.components is None else list(form.components),
        "weighed": form.weighed,
        "rates": None if form.rates is None else form.rates.tolist(),
        "then": to_plain(form.then),
        "generative": groups is not None,
    }


def _term(term: AnyTerm, columns: Sequence[ShownColumn], groups: GroupRecord | None) -> dict[str, Any]:
    if isinstance(term, JointTerm):
        assert groups is not None
        return {**_plain(term, "forms"), **_joint(groups, term.columns)}
    plain = _plain(term, "unseen")
    if isinstance(term, NumberTerm):
        plain["pieces"] = pieces_data(term.pieces)
    if isinstance(term, LevelTerm):
        plain["table"] = packed(_table(term.table, columns[term.columns[0]], groups is not None))
    elif isinstance(term, NumberTerm) and term.missing is None:  # it is averaged over: taken for the mean
        middle = np.array([columns[term.columns[0]].middle])
        plain["missing"] = term.pieces(middle)[0].tolist()
    return plain


def _levelled(term: AnyTerm, columns: Sequence[ShownColumn], rarity: Rarity) -> AnyTerm:
    if not isinstance(term, NumberTerm) or term.pieces.logs is not None or not rarity.least:
        return term
    low, high = columns[term.columns[0]].ends
    edges = term.pieces.edges
    if not len(edges) or (low <= edges[0] and edges[-1] <= high):
        return term
    inner = edges[(edges > low) & (edges < high)]
    inside = term.pieces.place(np.append(inner, high))  # the pieces that end there
    ends = Pieces.steps([], term.pieces(np.array([low, high])))
    parts = (
        np.concatenate([outer[:1], own[inside], outer[1:]])
        for outer, own in ((ends.centre, term.pieces.centre), (ends.powers, term.pieces.powers))
    )
    return replace(term, pieces=Pieces(np.concatenate([[low], inner, [high]]), *parts))


def _plain(term: AnyTerm, without: str) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(term)
    plain.pop(without, None)
    return plain


def _table(table: Floats, shown: ShownColumn, added: bool) -> Floats:
    """A row for each option: of several levels the log of the sum of their probabilities, or the mean."""
    rows = []
    for levels in shown.levels:
        some = table[list(levels)]
        if len(levels) == 1:
            rows.append(some[0])
        elif added:
            rows.append(bayes_rule(some.T)[1])
        else:
            weight = None if shown.level_rows is None else shown.level_rows[list(levels)]
            whole = weight is not None and weight.sum() > 0
            rows.append(np.average(some, axis=0, weights=weight if whole else None))
    return np.array(rows).reshape(len(rows), table.shape[1])


def _joint(groups: GroupRecord, columns: tuple[int, ...]) -> dict[str, Any]:
    """Centres and covariances: the script makes the density of whichever columns are known."""
    part = next(part for part in groups.core.parts if part.columns == columns)
    of = part.distribution
    assert isinstance(of, Elliptical)
    lower = np.tril_indices(len(columns))
    df = getattr(of, "df", None)
    return {
        "centre": packed(of._centre),
        "rest": packed(np.broadcast_to(of._centre_rest, of._centre.shape)),
        "matrix": packed(np.array([matrix[lower] for matrix in of._matrix])),
        "df": None if df is None else np.broadcast_to(df, len(of._centre)).tolist(),
    }
