"""An estimator <-> plain state: its parameters, its record, and what fitting left besides.

An estimator that a file may hold answers to `_known()` with its record, becomes the model of a record by
`_take(record, estimate=False)`, and has nothing else that its answers depend on (see `FittedModel`).
Estimators may hold others, as parameters or in their records.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from likely.errors import LikelyError
from likely.estimator.registry import check_record, estimator_class
from likely.estimator.type_check import fits, hints_of


def encode_estimator(model: Any, encode: Callable[[Any], Any]) -> dict[str, Any]:
    """The plain state of an estimator; one that is not fitted has no record."""
    parameters = {name: _encoded(name, value, encode) for name, value in model.get_params(deep=False).items()}
    state = {"estimator": type(model).__name__, "parameters": parameters}
    if not any(name.endswith("_") for name in vars(model)):
        return state | {"fitted": {}, "record": None}
    record = model._known()
    besides = {name: _encoded(name, value, encode) for name, value in _besides(model, record).items()}
    return state | {"fitted": besides, "record": _encoded("the model", record, encode)}


def decode_estimator(state: dict[str, Any], decode: Callable[[Any], Any]) -> Any:
    """The estimator of a plain state, looked over as if a stranger had written it."""
    name = state.get("estimator")
    cls: Any = estimator_class(name)
    parameters = state.get("parameters")
    if type(parameters) is not dict or not set(parameters) <= set(cls._get_param_names()):
        raise LikelyError(f"its parameters are not those of {cls.__name__}")
    given = {key: decode(value) for key, value in parameters.items()}
    hints = hints_of(cls.__init__)
    for key, value in given.items():
        if not fits(value, hints.get(key, Any)):
            raise LikelyError(f"its parameter {key} cannot be a {type(value).__name__}")
    model, record = cls(**given), decode(state.get("record"))
    if record is not None:
        check_record(cls.__name__, record)
        model._take(record, estimate=False)  # when it is first asked: large models are at hand at once
    _add(model, state.get("fitted"), decode)
    return model


def _besides(model: Any, record: object) -> dict[str, Any]:
    """What fitting left besides what the record gives, such as the history of an iteration."""
    fresh = type(model)()
    fresh._take(record, estimate=False)
    return {name: value for name, value in vars(model).items() if name not in vars(fresh)}


def _add(model: Any, fitted: object, decode: Callable[[Any], Any]) -> None:
    if type(fitted) is not dict:
        raise LikelyError("it does not say what was fitted")
    for name, value in fitted.items():
        if not re.fullmatch(r"[a-z][a-z0-9_]*_", name, re.ASCII) or hasattr(model, name):
            raise LikelyError(f"{name!r} is nothing that fitting leaves")
        setattr(model, name, decode(value))


def _encoded(what: str, value: object, encode: Callable[[Any], Any]) -> Any:
    try:
        return encode(value)
    except LikelyError as cause:
        raise LikelyError(f"cannot save {what}: {cause}") from None
