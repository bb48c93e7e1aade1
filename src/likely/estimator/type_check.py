"""Whether a value is what the annotation of a field says that it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray


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
