"""A pool whose members are additive as a scoring form, for other programs to work out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.pieces import Pieces, just_below
from likely.errors import LikelyError
from likely.export.form import AnyTerm, Input, LevelTerm, WordsTerm, number_term
from likely.pool.members.additive import AdditiveMember
from likely.pool.pooling import Pool
from likely.pool.projection import Projection
from likely.pool.reading.reading import coded, counted, texts
from likely.pool.reading.step_design import LINE

Floats = NDArray[np.float64]


def additive_terms(pool: Pool) -> tuple[tuple[Input, ...], Floats, tuple[AnyTerm, ...]]:
    """Inputs, constants (t,) and terms of the scores of a pool."""
    others = [
        name
        for name, one in zip(pool.names, pool.members, strict=True)
        if one is not None and not isinstance(one, AdditiveMember)
    ]
    if others:
        raise LikelyError(
            f"the pool has the member {others[0]!r}, whose answers are no sum over columns: fit with "
            "budget='additive' to export it, or take a NaiveBayes or a LogisticRegression."
        )
    schema = pool.schema
    inputs = tuple(Input.of(column) for column in schema.columns)
    t = len(pool.constants)
    start, terms = pool.constants.copy(), list[AnyTerm]()
    for member, weight in pool.counted:
        start += weight * member.intercepts[0]
        columns = _Columns(pool, member, weight * member.slopes[0])
        for i, j in enumerate(counted(schema)):
            terms.append(number_term(schema.columns[j], j, columns.number(i), columns.gap(i)))
        for i, j in enumerate(coded(schema), len(counted(schema))):
            table, k = columns.bins(i), len(schema.columns[j].known)
            terms.append(LevelTerm(columns=(j,), table=table[:k], missing=columns.gap(i), unseen=np.zeros(t)))
    return inputs, start, tuple(terms)


def projected_terms(pool: Pool, unit: float = 1.0) -> tuple[tuple[Input, ...], Floats, tuple[AnyTerm, ...]]:
    """Inputs, constants (t,) and terms of the nearest sum over columns to what a pool says, in a unit.

    These are the lines of its ledgers: what a column says is measured from an average row, and a column of
    which nothing is known adds nothing, as columns of texts do here.
    """
    schema, projection = pool.schema, pool.projection
    inputs = tuple(Input.of(column, texts=True) for column in schema.columns)
    if projection is None:
        return inputs, unit * pool.constants, ()
    t, owner = len(pool.constants), projection.design.source
    columns, nothing = _Columns(pool, projection, unit * projection.slopes), np.zeros(t)
    terms = list[AnyTerm]()
    for i, j in enumerate(pool.reading.source.tolist()):
        own = owner == i
        average = unit * projection.centre[own] @ projection.slopes[own]  # (t,)
        if schema.columns[j].words is not None:
            continue
        if i < pool.reading.n_numbers:
            number = columns.number(i)
            number.powers[..., 0] -= average
            terms.append(number_term(schema.columns[j], j, number, nothing))
        else:
            table = columns.bins(i)[: len(schema.columns[j].known)] - average
            terms.append(LevelTerm(columns=(j,), table=table, missing=nothing, unseen=nothing))
    return inputs, unit * (projection.base + pool.constants), tuple(terms)


def projected_words(pool: Pool, unit: float = 1.0) -> tuple[WordsTerm, ...]:
    """What the words of texts add: their log-odds are added up, and each sum has a curve."""
    projection = pool.projection
    if projection is None:
        return ()
    columns, owner = _Columns(pool, projection, unit * projection.slopes), projection.design.source
    terms = []
    for words, j in zip(pool.reading.words, texts(pool.schema), strict=True):
        curves = []
        for i in np.flatnonzero(pool.reading.source == j).tolist():
            curve, own = columns.number(i), owner == i
            curve.powers[..., 0] -= unit * projection.centre[own] @ projection.slopes[own]
            curves.append(curve)
        terms.append(
            WordsTerm(
                columns=(j,),
                words=tuple(pool.schema.columns[j].known),
                table=words.log_odds(),
                start=np.zeros(words.width),
                missing=np.zeros(len(pool.constants)),
                once=True,
                curves=tuple(curves),
            )
        )
    return tuple(terms)


class _Columns:
    """What each column of the reading adds to the scores of a pool, by one of its members."""

    def __init__(self, pool: Pool, member: AdditiveMember | Projection, slopes: Floats) -> None:
        self.reading, self.slopes = pool.reading, slopes  # (p, t)
        owner, m = pool.reading.owner, pool.reading.n_numbers
        self.of_bins = np.zeros((len(owner), slopes.shape[1]))
        self.of_bins[member.design.bins] = member.design.heights[:, None] * slopes[2 * m :]

    def bins(self, i: int) -> Floats:
        """What each bin of a column adds, (b, t)."""
        return np.asarray(self.of_bins[self.reading.owner == i])

    def gap(self, i: int) -> Floats | None:
        """What a missing cell adds, (t,); None where none was seen, and answers are averages."""
        return self.bins(i)[-1] if self.reading.gaps[i] else None

    def number(self, i: int) -> Pieces:
        """A column of numbers: its line and its rank between the knots, and its bins."""
        scales: Any = self.reading.scales
        knots, ranks = (
            part[scales.knot_ends[i] : scales.knot_ends[i + 1]] for part in (scales.knots, scales.ranks)
        )
        edges = just_below(scales.edges[scales.edge_ends[i] : scales.edge_ends[i + 1]])
        steps = Pieces.steps(edges, self.bins(i)[: len(edges) + 1])
        if not len(knots):
            return steps
        line, rank = self.slopes[i], self.slopes[self.reading.n_numbers + i]
        at_knots = LINE * np.outer((knots - scales.mean[i]) / scales.sd[i], line) + np.outer(ranks, rank)
        rises = np.diff(at_knots, axis=0) / np.diff(knots)[:, None]  # (k - 1, t)
        cut = steps.cut(np.unique(np.concatenate([edges, knots])))
        # Each piece goes on from the knot before it; before the first knot, and after the last, it is level.
        last = np.append(cut.edges, np.inf)
        after = np.searchsorted(knots, last) - 1
        powers, from_knot = cut.powers.copy(), np.maximum(after, 0)
        inside = (after >= 0) & (after < len(knots) - 1)
        powers[..., 0] += at_knots[from_knot]
        powers[inside, :, 1] = rises[after[inside]]
        centre = np.where(inside, knots[from_knot], 0.0)
        return Pieces(cut.edges, np.repeat(centre[:, None], len(line), axis=1), powers)
