"""The scoring form <-> plain values that JSON can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from likely.archive.plain import from_text, to_text
from likely.dist.numeric.pieces import Pieces
from likely.dist.quadratic_form import QuadraticForm
from likely.errors import LikelyError
from likely.export.form import Input, JointTerm, LevelTerm, NumberTerm, ScoringForm, SharesTerm
from likely.export.recalibration import BetaMap, EachClassMap, LogitLine, Reweighed, ShareMap, Sharpened

VERSION = 1
KINDS: dict[str, type[Any]] = {
    "form": ScoringForm,
    "input": Input,
    "levels": LevelTerm,
    "number": NumberTerm,
    "joint": JointTerm,
    "shares": SharesTerm,
    "pieces": Pieces,
    "quadratic": QuadraticForm,
    "each_class": EachClassMap,
    "sharpened": Sharpened,
    "reweighed": Reweighed,
    "line": LogitLine,
    "beta": BetaMap,
    "share": ShareMap,
}
_NAMES = {made: name for name, made in KINDS.items()}


def to_json(form: ScoringForm) -> str:
    """The form as JSON: every record has its `kind`, and its fields by name; arrays are lists of lists.

    >>> form = ScoringForm("y", ("no", "yes"), (Input("x"),), np.zeros(2), ())
    >>> to_json(form).split()[:4]
    ['{', '"kind":', '"form",', '"version":']
    """
    plain = to_plain(form)
    return to_text({"kind": plain.pop("kind"), "version": VERSION, **plain})


def from_json(text: str) -> ScoringForm:
    """The form in a JSON text."""
    tree = from_text(text)
    if not isinstance(tree, dict) or tree.get("kind") != "form" or tree.pop("version", None) != VERSION:
        raise LikelyError(f"this is no scoring form of version {VERSION}: write it with to_json().")
    form: ScoringForm = from_plain(tree)
    return form


def to_plain(value: Any) -> Any:
    """Records as mappings, arrays and tuples as lists."""
    if type(value) in _NAMES:
        own = {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
        return {"kind": _NAMES[type(value)], **own}
    if isinstance(value, tuple):
        return [to_plain(one) for one in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def from_plain(tree: Mapping[str, Any]) -> Any:
    """The record that a mapping of `to_plain` was made of."""
    kind = tree.get("kind")
    if kind not in KINDS:
        raise LikelyError(f"a scoring form has no part of the kind {kind!r}.")
    made, own = KINDS[kind], {}
    for field in fields(made):
        if field.name not in tree:
            raise LikelyError(f"the {kind} of a scoring form lacks {field.name!r}.")
        own[field.name] = _value(tree[field.name], str(field.type))
    return made(**own)


def _value(tree: Any, annotation: str) -> Any:
    if isinstance(tree, Mapping):
        return from_plain(tree)
    if not isinstance(tree, list):
        return tree
    if "Floats" in annotation:
        return np.array(tree, np.float64)
    return tuple(_value(one, "") for one in tree)
