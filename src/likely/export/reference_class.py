"""Scores relative to the first class (the reference): the same probabilities, one score less to compute."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.pieces import Pieces
from likely.export.form import AnyTerm, LevelTerm, NumberTerm, ScoringForm

Floats = NDArray[np.float64]


def relative_to_first(form: ScoringForm) -> ScoringForm:
    """The form with its first score 0, if every term can be written so and nothing in it is impossible.

    >>> from likely.export.form import Input
    >>> term = LevelTerm(columns=(0,), table=np.array([[1.0, 3.0]]), missing=None, unseen=None)
    >>> form = ScoringForm("y", ("no", "yes"), (Input("x", ("a",)),), np.array([-1.0, -2.0]), (term,))
    >>> relative_to_first(form).start, relative_to_first(form).terms[0].table
    (array([ 0., -1.]), array([[0., 2.]]))
    """
    if len(form.classes) < 2 or form.components is not None or not all(map(_can, form.terms)):
        return form
    return replace(form, start=form.start - form.start[0], terms=tuple(map(_less, form.terms)))


def _can(term: AnyTerm) -> bool:
    if isinstance(term, NumberTerm):
        centre = term.pieces.centre
        return term.pieces.logs is None and bool((centre == centre[:, :1]).all())
    return isinstance(term, LevelTerm)


def _less(term: AnyTerm) -> AnyTerm:
    if isinstance(term, LevelTerm):
        table = term.table - term.table[:, :1]
        return replace(term, table=table, missing=_off(term.missing), unseen=_off(term.unseen))
    assert isinstance(term, NumberTerm)
    pieces = term.pieces
    less = Pieces(pieces.edges, pieces.centre, pieces.powers - pieces.powers[:, :1])
    return replace(term, pieces=less, missing=_off(term.missing))


def _off(values: Floats | None) -> Floats | None:
    return None if values is None else values - values[0]
