"""What a file may hold: nothing is ever written, or made again from a file, that has no name here.

An estimator that a file may hold answers to `_known()` with its record, becomes the model of a record by
`_take(record, estimate=False)`, and has nothing else that its answers depend on (see `FittedModel`).
Estimators may hold others, as parameters or in their records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from likely.dist import stored_class
from likely.errors import LikelyError
from likely.estimator.registry import MODELS, check_record, estimator_class, loaded

# Sequences that are as long as they say: only where their length is compared with what there is.
ONLY_IN = {"Alike": "Schema", "Places": "Alike"}


@cache
def hints_of(made: Callable[..., Any] | type) -> dict[str, Any]:
    """The annotations of a class by field, or of a function by parameter."""
    return get_type_hints(made)


def fits(value: Any, hint: Any) -> bool:
    """Whether a value may stand in a field of this annotation.

    >>> fits(("a", "b"), tuple[str, ...]), fits(("a", 1), tuple[str, ...]), fits(True, int), fits(2, float)
    (True, False, False, True)
    """
    origin = get_origin(hint)
    if hasattr(origin, "__value__"):  # a name for a type, as NDArray is from NumPy 2.5 on
        return fits(value, origin.__value__[get_args(hint)])
    if hint is Any:
        return True
    if hint is None or hint is NoneType:
        return value is None
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in get_args(hint))
    if origin is type:
        return isinstance(value, type) and issubclass(value, get_args(hint)[0])
    if origin is np.ndarray:
        return isinstance(value, np.ndarray) and _of_dtype(value, get_args(hint)[1])
    if origin is tuple:
        return type(value) is tuple and _items_fit(value, get_args(hint))
    if origin in (Sequence, list):
        if type(value) in (tuple, list):
            return _items_fit(value, (*get_args(hint), ...))
        # A sequence of its own class has items of one type only, and may be very long.
        own = isinstance(value, Sequence) and not isinstance(value, str)
        return own and (len(value) == 0 or fits(value[0], get_args(hint)[0]))
    if origin in (Mapping, dict):
        return type(value) is dict
    if hint is float:
        return type(value) in (float, int)
    return type(value) is hint if hint in (bool, int, str) else isinstance(value, hint)


def _items_fit(items: Sequence[Any], hints: tuple[Any, ...]) -> bool:
    if len(hints) == 2 and hints[1] is ...:
        if hints[0] in (int, str):  # by the thousand, in a wide table
            return set(map(type, items)) <= {hints[0]}
        return hints[0] is Any or all(fits(item, hints[0]) for item in items)
    return len(items) == len(hints) and all(map(fits, items, hints))


def _of_dtype(array: NDArray[Any], hint: Any) -> bool:
    (wanted,) = get_args(hint) or (Any,)
    return wanted is Any or bool(array.dtype == np.dtype(wanted))


# What any record may hold, besides what the rows of the table of models name; priors are in that of families.
_SHARED = (
    "likely.table.schema:Schema",
    "likely.table.column.column:Column",
    "likely.table.schema:Alike",
    "likely.table.frame:Places",
    "likely.table.column.words:Words",
    "likely.table.column.column:Span",
    "likely.table.column.kinds:Kind",
    "likely.table.column.kinds:Type",
    "likely.dist.prior:Spread",
    *(
        f"likely.stats:{name}"
        for name in (
            *("Cells", "Counts", "CountSums", "Fourth", "GapSums", "Moments", "Scatter", "Sums", "Within"),
        )
    ),
)


def record_class(name: str) -> Any:
    """A record's class by its name; None if there is none of that name.

    >>> record_class("Settings").__module__, record_class("Popen")
    ('likely.models.groups.tally', None)
    """
    cls = _class(name)
    return None if cls is None or issubclass(cls, Enum) else cls


def choice_class(name: str) -> Any:
    """An enumeration by its name; None if there is none of that name."""
    cls = _class(name)
    return cls if cls is not None and issubclass(cls, Enum) else None


def form_of(cls: type) -> Any:
    """The class that a file holds in place of a record of this class; None if it holds the record itself."""
    for row in MODELS.values():
        if row.learnt.form is not None and row.learnt.record.endswith(f":{cls.__name__}"):
            return loaded(row.learnt.form)
    return None


def _class(name: str) -> Any:
    where = _homes(tuple(MODELS)).get(name)
    return stored_class(name) if where is None else loaded(where)


@cache
def _homes(models: tuple[str, ...]) -> dict[str, str]:
    """Where each class is, by its name."""
    rows = [MODELS[name] for name in models]
    places = (
        *_SHARED,
        *(
            place
            for row in rows
            for place in (
                row.learnt.form or row.learnt.record,
                *row.learnt.others,
                *row.learnt.holds,
            )
        ),
    )
    return {place.partition(":")[2]: place for place in places}


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
