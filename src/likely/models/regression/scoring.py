"""Coefficients of a design as a scoring form, for other programs to work out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.pieces import Pieces
from likely.export.form import AnyTerm, Input, LevelTerm, WordsTerm, number_term
from likely.infer.standard import Scaling
from likely.models.regression.design import Design

Floats = NDArray[np.float64]


def design_terms(
    design: Design,
    scale: Scaling,
    theta: Floats,
    averaged: bool = False,
    texts: bool = False,
    untold: Floats | None = None,
) -> tuple[tuple[Input, ...], Floats, tuple[AnyTerm, ...]]:
    """Inputs, intercepts (g,) and terms of theta (g, 1 + p), the coefficients of a standardised design.

    Where missing numbers are `averaged` over, rows that have one have no score. With `texts`, columns of
    texts are no refusal but silent, as where they are missing. `untold` (g, columns) is what missing cells
    add, of numbers and then of levels.
    """
    schema, m = design.schema, len(design.counted)
    inputs = tuple(Input.of(column, texts) for column in schema.columns)
    start, slopes = scale.plain(theta, np.where(np.arange(theta.shape[1] - 1) < m, 0.0, scale.centre))
    words = sum(len(schema.columns[j].known) for j in design.texts)
    gaps_from = theta.shape[1] - 1 - len(design.gaps) - words
    nothing, terms, at = np.zeros(len(theta)), [], m
    order = [*design.counted, *design.coded]
    gap = dict(zip(order, np.zeros((len(order), len(theta))) if untold is None else untold.T, strict=True))
    for i, j in enumerate(design.gaps):
        gap[j] = gap[j] + slopes[:, gaps_from + i]
    for i, j in enumerate(design.counted):
        line = Pieces.line(nothing, slopes[:, i], scale.centre[i])
        missing = slopes[:, i] * (design.mean[i] - scale.centre[i]) + gap[j]
        terms.append(number_term(schema.columns[j], j, line, None if averaged else missing))
    for j in design.coded:
        k = max(len(schema.columns[j].known) - design._first, 0)
        table = np.vstack([np.zeros((min(design._first, len(schema.columns[j].known)), len(theta)))])
        table = np.vstack([table, slopes[:, at : at + k].T])
        at += k
        terms.append(LevelTerm(columns=(j,), table=table, missing=gap[j], unseen=nothing))
    return inputs, np.asarray(start), tuple(terms)


def design_words(design: Design, scale: Scaling, theta: Floats) -> tuple[WordsTerm, ...]:
    """What the words of texts add; a missing text has none of them."""
    slopes, g = theta[:, 1:] / scale.unit, len(theta)
    terms = []
    for j in design.texts:
        column = design.schema.columns[j]
        assert column.words is not None
        own = (design.source == j).nonzero()[0]
        terms.append(
            WordsTerm(
                columns=(j,),
                words=tuple(column.known),
                table=slopes[:, own].T,
                start=np.zeros(g),
                missing=np.zeros(g),
                once=column.words.bits,
            )
        )
    return tuple(terms)
