"""The scoring form as a model of ONNX: one input a column, the probabilities and the class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.pieces import Pieces, log_or_impossible
from likely.dist.quadratic_form import QuadraticForm
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
from likely.export.onnx_graph import Graph
from likely.export.recalibration import BetaMap, EachClassMap, LogitLine, Recalibration, ScoreMap, Sharpened

Floats = NDArray[np.float64]

MISSING_TEXT = ""  # ONNX has no missing texts: an empty one stands for it, unless that is a level


def onnx_of(form: ScoringForm) -> Any:
    """The model as a ModelProto: columns by name, texts ("" where missing) or doubles (NaN where missing)."""
    graph = Graph(one.name for one in form.inputs)
    cells = [_read(graph, one) for one in form.inputs]
    scores = _scores(graph, form, cells)
    double = graph.types.DOUBLE
    if not form.classes:
        return graph.model({"predicted": (scores, double, 1)})
    log_p = _by_class(graph, form, scores)
    for step in form.then:
        log_p = _recalibrated(graph, log_p, step, len(form.classes))
    p = graph.do("Softmax", log_p, axis=1)
    best = graph.do("ArgMax", log_p, axis=1, keepdims=0)
    numbers = all(isinstance(label, int) and not isinstance(label, bool) for label in form.classes)
    labels = graph.constant(form.classes, np.int64) if numbers else graph.constant(form.classes, object)
    made_of = graph.types.INT64 if numbers else graph.types.STRING
    label = graph.do("Gather", labels, best)
    return graph.model({"predicted": (label, made_of, 0), "probabilities": (p, double, len(form.classes))})


def is_text(one: Input) -> bool:
    """Whether a column is read as texts; levels that are numbers or truth values are read as numbers."""
    return one.levels is not None and any(isinstance(level, str) for level in one.levels)


def _read(graph: Graph, one: Input) -> str:
    """Numbers, NaN where missing, (n, 1); or codes of levels (n, 1): k is one never seen, k + 1 missing."""
    cell = graph.read(one.name, is_text(one))
    if one.levels is None:
        return cell
    k = len(one.levels)
    if is_text(one):
        keys, codes = [str(level) for level in one.levels], list(range(k))
        if MISSING_TEXT not in keys:
            keys, codes = [*keys, MISSING_TEXT], [*codes, k + 1]
        how = {"keys_strings": keys, "values_int64s": codes, "default_int64": k}
        return graph.do("LabelEncoder", cell, domain="ai.onnx.ml", **how)
    levels = graph.constant([[float(level) for level in one.levels]])
    same = graph.real(graph.do("Equal", cell, levels)) if k else graph.constant(np.zeros((1, 1)))
    at = graph.constant(np.arange(k, dtype=np.float64).reshape(k, 1) - k) if k else graph.constant([[0.0]])
    code = graph.do("Add", graph.do("MatMul", same, at), graph.constant([[float(k)]]))
    gone = graph.do("IsNaN", cell)
    return graph.whole(graph.do("Where", gone, graph.constant([[k + 1.0]]), code))


def _scores(graph: Graph, form: ScoringForm, cells: list[str]) -> str:
    """The score of every group, (n, g)."""
    share = _share(graph, form, cells) if form.weighed else None
    scores = graph.constant(form.start[None])
    one = graph.constant([[1.0]])
    for term in form.terms:
        added = _added(graph, term, [cells[j] for j in term.columns], [form.inputs[j] for j in term.columns])
        if share is None or term.steady:
            weight = graph.constant([[term.weight]])
        elif term.weight == 0:
            weight = graph.do(
                "Where", graph.do("Equal", share, graph.constant(0.0)), one, graph.constant([[0.0]])
            )
        else:
            w = graph.constant([[term.weight]])
            rest = graph.do("Mul", share, graph.constant([[1.0 - term.weight]]))
            weight = graph.do("Div", w, graph.do("Add", w, rest))
        scores = graph.do("Add", scores, graph.do("Mul", weight, added))
    if not form.terms and cells:  # as many rows as the table has
        known = graph.real(_known(graph, form.inputs[0], cells[0]))
        scores = graph.do("Add", scores, graph.do("Mul", known, graph.constant([[0.0]])))
    return scores


def _known(graph: Graph, one: Input, cell: str) -> str:
    """Whether each cell is told, (n, 1)."""
    if one.levels is None:
        return graph.do("Not", graph.do("IsNaN", cell))
    return graph.do("Less", cell, graph.constant([[len(one.levels)]], np.int64))


def _share(graph: Graph, form: ScoringForm, cells: list[str]) -> str:
    """Of the other columns, the share that is told, (n, 1)."""
    known = [graph.real(_known(graph, one, cell)) for one, cell in zip(form.inputs, cells, strict=True)]
    told = graph.do("Sum", *known)
    others = graph.do("Max", graph.do("Sub", told, graph.constant(1.0)), graph.constant(0.0))
    return graph.do("Div", others, graph.constant(float(max(len(cells) - 1, 1))))


def _added(graph: Graph, term: AnyTerm, cells: list[str], inputs: list[Input]) -> str:
    """What a term adds, all of it, (n, g)."""
    match term:
        case LevelTerm():
            g = term.table.shape[1]
            ends = [np.full(g, np.nan) if end is None else end for end in (term.unseen, term.missing)]
            return _row(graph, np.vstack([term.table, *ends]), cells[0])
        case NumberTerm():
            nothing = np.full(term.pieces.n_groups, np.nan)
            gone = graph.do("IsNaN", cells[0])
            x = graph.do("Where", gone, graph.constant([[0.0]]), cells[0])
            gap = graph.constant((nothing if term.missing is None else term.missing)[None])
            return graph.do("Where", gone, gap, _pieces(graph, term.pieces, x))
        case JointTerm():
            return _joint(graph, term, cells)
        case SharesTerm():
            return _shares(graph, term, cells)


def _row(graph: Graph, table: Floats, code: str) -> str:
    """The row of a table (k, g) that each code (n, 1) names, (n, g)."""
    flat = graph.do("Squeeze", code, graph.constant([1], np.int64))
    return graph.do("Gather", graph.constant(table), flat, axis=0)


def _pieces(graph: Graph, pieces: Pieces, x: str) -> str:
    """The functions of numbers (n, 1), (n, g)."""
    constant, slope, square = np.moveaxis(pieces.powers, -1, 0)
    logs = np.zeros_like(pieces.powers) if pieces.logs is None else pieces.logs
    if len(pieces.edges):
        above = graph.whole(graph.do("Greater", x, graph.constant(pieces.edges[None])))
        code = graph.sum(above)

        def own(table: Floats) -> str:
            return _row(graph, table, code)
    else:

        def own(table: Floats) -> str:
            return graph.constant(table)

    if pieces.stepped:
        level = own(constant)
        return (
            level
            if len(pieces.edges)
            else graph.do("Add", level, graph.do("Mul", x, graph.constant([[0.0]])))
        )
    u = graph.do("Sub", x, own(pieces.centre))
    out = graph.do("Add", own(slope), graph.do("Mul", u, own(square)))
    out = graph.do("Add", own(constant), graph.do("Mul", u, out))
    if logs.any():
        inner = graph.do("Add", own(logs[..., 1]), graph.do("Mul", u, own(logs[..., 2])))
        inside = graph.do("Add", graph.constant(1.0), graph.do("Mul", u, inner))
        # In pieces without a logarithm, that of 1.
        out = graph.do("Add", out, graph.do("Mul", own(logs[..., 0]), graph.do("Log", inside)))
    return out


def _joint(graph: Graph, term: JointTerm, cells: list[str]) -> str:
    x = graph.do("Concat", *cells, axis=1)
    gone = graph.do("IsNaN", x)
    filled = graph.do("Where", gone, graph.constant([[0.0]]), x)
    known = graph.whole(graph.do("Not", gone))
    out = graph.constant(np.full((1, len(term.forms[0].constant)), np.nan))
    for form in term.forms:
        pattern = np.isin(np.arange(len(cells)), form.known).astype(np.int64)
        unlike = graph.sum(graph.do("Abs", graph.do("Sub", known, graph.constant(pattern[None], np.int64))))
        here = graph.do("Equal", unlike, graph.constant([[0]], np.int64))
        out = graph.do("Where", here, _form(graph, form, filled), out)
    return out


def _form(graph: Graph, form: QuadraticForm, x: str) -> str:
    out = graph.constant(form.constant[None])
    own = graph.do("Gather", x, graph.constant(list(form.known), np.int64), axis=1) if form.known else ""
    if form.slope is not None:
        apart = graph.do("Sub", own, graph.constant(form.middle[None]))
        out = graph.do("Add", out, graph.do("MatMul", apart, graph.constant(form.slope.T)))
    if form.whiten is not None:
        squares = []
        for centre, rest, whiten in zip(form.centre, form.rest, form.whiten, strict=True):
            apart = graph.do(
                "Sub", graph.do("Sub", own, graph.constant(centre[None])), graph.constant(rest[None])
            )
            white = graph.do("MatMul", apart, graph.constant(whiten.T))
            squares.append(graph.sum(graph.do("Mul", white, white)))
        q = graph.do("Concat", *squares, axis=1)
        if form.df is not None:
            inside = graph.do("Add", graph.constant(1.0), graph.do("Div", q, graph.constant(form.df[None])))
            q = graph.do("Log", inside)
        out = graph.do("Add", out, graph.do("Mul", graph.constant(form.k[None]), q))
    return out


def _shares(graph: Graph, term: SharesTerm, cells: list[str]) -> str:
    x = graph.do("Concat", *cells, axis=1)
    gone = graph.do("IsNaN", x)
    counts = graph.do("Where", gone, graph.constant([[0.0]]), x)
    mass = graph.do("MatMul", graph.real(graph.do("Not", gone)), graph.constant(term.shares))
    logs = graph.do("MatMul", counts, graph.constant(log_or_impossible(term.shares)))
    least = graph.do("Max", mass, graph.constant(1e-300))
    return graph.do("Sub", logs, graph.do("Mul", graph.sum(counts), graph.do("Log", least)))


def _by_class(graph: Graph, form: ScoringForm, scores: str) -> str:
    """Log-probabilities of the classes, up to what all share, (n, c)."""
    if form.components is not None:
        ends = np.cumsum(form.components).tolist()
        places = [list(range(end - k, end)) for end, k in zip(ends, form.components, strict=True)]
        own = [graph.do("Gather", scores, graph.constant(some, np.int64), axis=1) for some in places]
        scores = graph.do("Concat", *(graph.log_sum(some) for some in own), axis=1)
    if form.rates is None:
        return scores
    gone = graph.do("Less", graph.sum(scores, "ReduceMax"), graph.constant(UNLIKELIEST))
    return graph.do("Where", gone, graph.constant(log_or_impossible(form.rates)[None]), scores)


def _recalibrated(graph: Graph, log_p: str, step: Recalibration, g: int) -> str:
    if isinstance(step, EachClassMap):
        return _each_class(graph, log_p, step, g)
    if isinstance(step, Sharpened):
        below = graph.do("Sub", log_p, graph.sum(log_p, "ReduceMax"))
        near = graph.do("Max", below, graph.constant(-step.limit))
        return graph.do("Mul", near, graph.constant(step.sharpening))
    log_p = graph.do("Add", log_p, graph.constant(step.log_factors[None]))
    gone = graph.do("Less", graph.sum(log_p, "ReduceMax"), graph.constant(UNLIKELIEST))
    return graph.do("Where", gone, graph.constant(log_or_impossible(step.rates)[None]), log_p)


def _each_class(graph: Graph, log_p: str, step: EachClassMap, g: int) -> str:
    each = []
    for place, own in zip([1] if g == 2 else range(g), step.maps, strict=True):
        others = graph.do(
            "Gather", log_p, graph.constant([i for i in range(g) if i != place], np.int64), axis=1
        )
        odds = graph.do("Sub", graph.column(log_p, place), graph.log_sum(others))
        each.append(_mapped(graph, own, graph.clip(odds, -step.limit, step.limit)))
    if g == 2:
        return graph.do("Mul", each[0], graph.constant([[-0.5, 0.5]]))
    odds = graph.do("Concat", *each, axis=1)
    return graph.do("Sub", graph.do("Min", odds, graph.constant(0.0)), _small(graph, odds))


def _small(graph: Graph, odds: str) -> str:
    """log(1 + exp(-|odds|))."""
    powers = graph.do("Exp", graph.do("Neg", graph.do("Abs", odds)))
    return graph.do("Log", graph.do("Add", graph.constant(1.0), powers))


def _mapped(graph: Graph, own: ScoreMap, score: str) -> str:
    if isinstance(own, LogitLine):
        apart = graph.do("Sub", graph.clip(score, own.low, own.high), graph.constant(own.centre))
        line = graph.do("Mul", apart, graph.constant(own.slope))
        return graph.do("Add", line, graph.constant(own.intercept))
    if isinstance(own, BetaMap):
        odds = graph.clip(score, -own.limit, own.limit)
        small, zero = _small(graph, odds), graph.constant(0.0)
        below = graph.do("Mul", graph.constant(own.a), graph.do("Sub", graph.do("Min", odds, zero), small))
        above = graph.do("Mul", graph.constant(own.b), graph.do("Add", graph.do("Max", odds, zero), small))
        return graph.do("Add", graph.do("Add", below, above), graph.constant(own.c))
    p = _pieces(graph, own.pieces, score)
    return graph.do("Sub", graph.do("Log", p), graph.do("Log", graph.do("Sub", graph.constant(1.0), p)))
