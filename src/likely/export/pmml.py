"""The scoring form as PMML: derived fields for what each column adds, and a regression that adds them up."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.pieces import Pieces, log_or_impossible
from likely.dist.quadratic_form import QuadraticForm
from likely.errors import LikelyError
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

Floats = NDArray[np.float64]
Node = ET.Element

NAMESPACE = "http://www.dmg.org/PMML-4_4"
_WRITABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def pmml_of(form: ScoringForm) -> str:
    """The text of a PMML document."""
    if form.then:
        raise LikelyError(
            "calibrated probabilities have no PMML: export the model inside (model.model_), or to SQL, ONNX "
            "or JSON."
        )
    for name in (form.target, *(one.name for one in form.inputs), *map(str, form.classes)):
        if _WRITABLE.search(name):
            raise LikelyError(f"{name!r} holds a character that XML has no way to write: rename it.")
    root = ET.Element("PMML", {"xmlns": NAMESPACE, "version": "4.4"})
    ET.SubElement(ET.SubElement(root, "Header"), "Application", {"name": "likely"})
    _dictionary(root, form)
    number = not form.classes
    kind = {"functionName": "regression"}
    if not number:
        kind = {"functionName": "classification", "normalizationMethod": "softmax"}
    model = ET.SubElement(root, "RegressionModel", {"modelName": "likely", **kind})
    _schema(model, form)
    fields = _Fields(ET.SubElement(model, "LocalTransformations"))
    scores = _class_scores(fields, form)
    labels: Sequence[object] = form.classes or ("",)
    for label, name in zip(labels, scores, strict=True):
        own = {"intercept": "0"} | ({} if number else {"targetCategory": str(label)})
        table = ET.SubElement(model, "RegressionTable", own)
        ET.SubElement(table, "NumericPredictor", {"name": name, "coefficient": "1"})
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode", xml_declaration=True)


def _dictionary(root: Node, form: ScoringForm) -> None:
    fields = ET.SubElement(root, "DataDictionary")
    for one in form.inputs:
        text = one.levels is not None and any(isinstance(level, str) for level in one.levels)
        made_of = {"optype": "categorical", "dataType": "string"}
        if not text:
            made_of = {"optype": "continuous", "dataType": "double"}
        ET.SubElement(fields, "DataField", {"name": one.name, **made_of})
    if not form.classes:
        own = {"name": form.target, "optype": "continuous", "dataType": "double"}
        ET.SubElement(fields, "DataField", own)
        return
    target = ET.SubElement(
        fields, "DataField", {"name": form.target, "optype": "categorical", "dataType": "string"}
    )
    for label in form.classes:
        ET.SubElement(target, "Value", {"value": str(label)})


def _schema(model: Node, form: ScoringForm) -> None:
    mining = ET.SubElement(model, "MiningSchema")
    for one in form.inputs:
        ET.SubElement(mining, "MiningField", {"name": one.name, "invalidValueTreatment": "asIs"})
    ET.SubElement(mining, "MiningField", {"name": form.target, "usageType": "target"})
    output = ET.SubElement(model, "Output")
    for label in form.classes:
        own = {"name": f"p_{label}", "optype": "continuous", "dataType": "double"}
        ET.SubElement(output, "OutputField", {**own, "feature": "probability", "value": str(label)})
    feature = {"name": "predicted", "feature": "predictedValue"}
    made_of = {"optype": "categorical", "dataType": "string"}
    if not form.classes:
        made_of = {"optype": "continuous", "dataType": "double"}
    ET.SubElement(output, "OutputField", {**feature, **made_of})


# Expressions.


def _apply(function: str, *parts: Node) -> Node:
    node = ET.Element("Apply", {"function": function})
    node.extend(parts)
    return node


def _ref(name: str) -> Node:
    return ET.Element("FieldRef", {"field": name})


def _real(value: float) -> Node:
    node = ET.Element("Constant", {"dataType": "double"})
    node.text = repr(float(value))
    return node


def _sum(parts: Sequence[Node]) -> Node:
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2  # not one after the other: documents of many columns would nest too deeply
    return _apply("+", _sum(parts[:half]), _sum(parts[half:]))


def _if_missing(name: str, gap: Floats | None, c: int, known: Node) -> Node:
    if gap is None:  # what is missing makes the score missing
        return _apply("+", _apply("*", _ref(name), _real(0.0)), known)
    return _apply("if", _apply("isMissing", _ref(name)), _real(gap[c]), known)


class _Fields:
    """Derived fields, each with a name of its own."""

    def __init__(self, parent: Node) -> None:
        self.parent, self.n = parent, 0

    def add(self, expression: Node) -> str:
        """A field of an expression; its name."""
        name = f"likely_{self.n}"
        self.n += 1
        own = {"name": name, "optype": "continuous", "dataType": "double"}
        ET.SubElement(self.parent, "DerivedField", own).append(expression)
        return name


def _class_scores(fields: _Fields, form: ScoringForm) -> list[str]:
    """The fields that hold the scores of the classes, less the highest, or the number that is predicted."""
    scores = _scores(fields, form)
    if not form.classes:
        return scores
    if form.components is not None:
        ends = np.cumsum(form.components).tolist()
        groups = [scores[end - k : end] for end, k in zip(ends, form.components, strict=True)]
        scores = [own[0] if len(own) == 1 else fields.add(_log_sum(fields, own)) for own in groups]
    best = fields.add(_highest(scores))
    rates = np.ones(len(scores)) if form.rates is None else form.rates
    gone = _apply("lessThan", _ref(best), _real(UNLIKELIEST))
    logs = log_or_impossible(rates)
    made = []
    for c, name in enumerate(scores):
        below = _apply("-", _ref(name), _ref(best))
        made.append(fields.add(_apply("if", gone, _real(logs[c]), _apply("max", below, _real(-1e4)))))
    return made


def _highest(names: Sequence[str]) -> Node:
    return _ref(names[0]) if len(names) == 1 else _apply("max", *map(_ref, names))


def _log_sum(fields: _Fields, names: Sequence[str]) -> Node:
    best = fields.add(_highest(names))
    below = [_apply("-", _ref(name), _ref(best)) for name in names]
    powers = [_apply("exp", _apply("max", one, _real(-700.0))) for one in below]
    return _apply("+", _ref(best), _apply("ln", _sum(powers)))


def _scores(fields: _Fields, form: ScoringForm) -> list[str]:
    """The score of every group."""
    share = fields.add(_share(form)) if form.weighed else None
    by_group: list[list[Node]] = [[_real(value)] for value in form.start]
    for term in form.terms:
        weight = _real(term.weight)
        if share is not None and not term.steady:
            weight = _ref(fields.add(_weight(term.weight, share)))
        added = _term(term, [form.inputs[j] for j in term.columns])
        for c, parts in enumerate(by_group):
            parts.append(_apply("*", weight, _ref(fields.add(added(c)))))
    return [fields.add(_sum(parts)) for parts in by_group]


def _share(form: ScoringForm) -> Node:
    """Of the other columns, the share that is told."""
    told = _sum([_apply("if", _told(one), _real(1.0), _real(0.0)) for one in form.inputs])
    others = _apply("max", _apply("-", told, _real(1.0)), _real(0.0))
    return _apply("/", others, _real(float(max(len(form.inputs) - 1, 1))))


def _told(one: Input) -> Node:
    there = _apply("isNotMissing", _ref(one.name))
    if one.levels is None:
        return there
    if not one.levels:
        return _apply("equal", _real(0.0), _real(1.0))
    return _apply(
        "equal", _levels(one, np.ones((len(one.levels), 1)), np.zeros(1), np.zeros(1), 0), _real(1.0)
    )


def _weight(weight: float, share: str) -> Node:
    if weight == 0:
        return _apply("if", _apply("greaterThan", _ref(share), _real(0.0)), _real(0.0), _real(1.0))
    rest = _apply("*", _ref(share), _real(1.0 - weight))
    return _apply("/", _real(weight), _apply("+", _real(weight), rest))


def _term(term: AnyTerm, inputs: Sequence[Input]) -> Callable[[int], Node]:
    """What a term adds to each group."""
    match term:
        case LevelTerm():
            table, missing = term.table, term.missing
            unseen = np.zeros(table.shape[1]) if term.unseen is None else term.unseen
            return lambda c: _levels(inputs[0], table, missing, unseen, c)
        case NumberTerm():
            pieces, gap = term.pieces, term.missing
            return lambda c: _if_missing(inputs[0].name, gap, c, _pieces(pieces, inputs[0].name, c))
        case JointTerm():
            return lambda c: _joint(term, [one.name for one in inputs], c)
        case SharesTerm():
            return lambda c: _shares(term, [one.name for one in inputs], c)


def _levels(one: Input, table: Floats, missing: Floats | None, unseen: Floats, c: int) -> Node:
    levels, gap = one.levels or (), None if missing is None else float(missing[c])
    if any(isinstance(level, str) for level in levels):
        return _map(one.name, list(map(str, levels)), table[:, c], gap, float(unseen[c]))
    out = _real(unseen[c])
    for level, value in zip(levels, table[:, c], strict=True):
        out = _apply("if", _apply("equal", _ref(one.name), _real(float(level))), _real(value), out)
    # What is missing and has no score stays missing.
    nothing = _ref(one.name) if gap is None else _real(gap)
    return _apply("if", _apply("isMissing", _ref(one.name)), nothing, out)


def _map(name: str, levels: Sequence[str], values: Floats, missing: float | None, unseen: float) -> Node:
    how = {"outputColumn": "v", "dataType": "double", "defaultValue": repr(unseen)}
    node = ET.Element("MapValues", how if missing is None else {**how, "mapMissingTo": repr(missing)})
    ET.SubElement(node, "FieldColumnPair", {"field": name, "column": "k"})
    rows = ET.SubElement(node, "InlineTable")
    for level, value in zip(levels, values, strict=True):
        row = ET.SubElement(rows, "row")
        ET.SubElement(row, "k").text = level
        ET.SubElement(row, "v").text = repr(float(value))
    return node


def _pieces(pieces: Pieces, name: str, c: int) -> Node:
    """The function of one group, by halving the pieces."""

    def between(first: int, last: int) -> Node:
        if first == last:
            return _piece(pieces, first, name, c)
        middle = (first + last) // 2
        below = _apply("lessOrEqual", _ref(name), _real(float(pieces.edges[middle])))
        return _apply("if", below, between(first, middle), between(middle + 1, last))

    return between(0, len(pieces.edges))


def _piece(pieces: Pieces, at: int, name: str, c: int) -> Node:
    constant, slope, square = pieces.powers[at, c].tolist()
    centre = float(pieces.centre[at, c])
    u = _ref(name) if centre == 0 else _apply("-", _ref(name), _real(centre))
    parts = [_real(constant)]
    if square:
        inner = _apply("+", _real(slope), _apply("*", _real(square), u))
        parts.append(_apply("*", u, inner))
    elif slope:
        parts.append(_apply("*", _real(slope), u))
    if pieces.logs is not None and pieces.logs[at, c, 0]:
        k, a, b = pieces.logs[at, c].tolist()
        inner = _apply("*", u, _apply("+", _real(a), _apply("*", _real(b), u)))
        parts.append(_apply("*", _real(k), _apply("ln", _apply("+", _real(1.0), inner))))
    return _sum(parts)


def _joint(term: JointTerm, names: Sequence[str], c: int) -> Node:
    """The formula of the gaps that a row has; a row whose gaps have none has no score."""
    whole, *others = term.forms
    out = _form(whole, names, c)
    for form in others:
        there = [
            _apply("isNotMissing" if i in form.known else "isMissing", _ref(name))
            for i, name in enumerate(names)
        ]
        condition = there[0] if len(there) == 1 else _apply("and", *there)
        out = _apply("if", condition, _form(form, names, c), out)
    return out


def _form(form: QuadraticForm, names: Sequence[str], c: int) -> Node:
    own = [names[i] for i in form.known]
    parts = [_real(form.constant[c])]
    if form.slope is not None:
        for name, slope, middle in zip(own, form.slope[c], form.middle, strict=True):
            parts.append(_apply("*", _real(slope), _apply("-", _ref(name), _real(middle))))
    if form.whiten is not None:
        apart = [
            _apply("-", _apply("-", _ref(name), _real(centre)), _real(rest))
            for name, centre, rest in zip(own, form.centre[c], form.rest[c], strict=True)
        ]
        lines = [
            _sum([_apply("*", _real(w), cell) for w, cell in zip(row, apart, strict=True) if w])
            for row in form.whiten[c].tolist()
        ]
        q = _sum([_apply("pow", line, _real(2.0)) for line in lines])
        if form.df is not None:
            q = _apply("ln", _apply("+", _real(1.0), _apply("/", q, _real(form.df[c]))))
        parts.append(_apply("*", _real(form.k[c]), q))
    return _sum(parts)


def _shares(term: SharesTerm, names: Sequence[str], c: int) -> Node:
    counts = [_apply("if", _apply("isMissing", _ref(name)), _real(0.0), _ref(name)) for name in names]
    logs = log_or_impossible(term.shares[:, c])
    sums = [_apply("*", _real(log), count) for log, count in zip(logs, counts, strict=True)]
    mass = _sum(
        [
            _apply("if", _apply("isMissing", _ref(name)), _real(0.0), _real(share))
            for name, share in zip(names, term.shares[:, c], strict=True)
        ]
    )
    rest = _apply("*", _sum(counts), _apply("ln", _apply("max", mass, _real(1e-300))))
    return _apply("-", _sum(sums), rest)
