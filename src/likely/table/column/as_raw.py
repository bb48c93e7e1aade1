"""Any column -> a raw column: NumPy arrays, Python objects, and series of pandas, Polars and PyArrow."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.errors import LikelyError
from likely.table.column.kinds import UNITS, Type, is_missing
from likely.table.column.raw import Raw, as_float, distinct

if TYPE_CHECKING:
    from narwhals.stable.v2 import Series


MANY = 4096  # rows: fewer are looked at one by one
FIRST = 512  # rows that tell whether objects are repeated
EXACT = 2**53  # whole numbers below this are floats without loss

# The first that fits: a bool is an int, and a datetime a date.
_TYPES: tuple[tuple[tuple[type, ...], Type], ...] = (
    ((str,), Type.STRING),
    ((bool, np.bool_), Type.BOOLEAN),
    ((timedelta, np.timedelta64), Type.DURATION),  # before integers: NumPy's is one of them
    ((int, np.integer), Type.INTEGER),
    ((float, np.floating, Decimal, Fraction), Type.FLOAT),
    ((datetime, np.datetime64), Type.DATETIME),
    ((date,), Type.DATE),
    ((time,), Type.TIME),
)


def raw_from_array(name: str, values: ArrayLike) -> Raw:
    """Look at a one-dimensional array, or what NumPy makes one of."""
    array = values if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
    if array.ndim != 1:
        raise LikelyError(f"column {name!r} has {array.ndim} dimensions: give one value a row.")
    if isinstance(array, np.ma.MaskedArray):
        array = filled(array)
    match array.dtype.kind:
        case "b":
            return Raw(name, Type.BOOLEAN, array)
        case "i" | "u":
            return Raw(name, Type.INTEGER, array)
        case "f":
            return Raw(name, Type.FLOAT, array)
        case "M":
            whole_days = np.datetime_data(array.dtype)[0] in ("Y", "M", "W", "D")
            return Raw(name, Type.DATE if whole_days else Type.DATETIME, array)
        case "m" if np.datetime_data(array.dtype)[0] not in ("Y", "M"):  # no fixed number of days
            return Raw(name, Type.DURATION, array)
        case "c":
            raise LikelyError(f"Complex data not supported: column {name!r}. Give real numbers.")
        case "O":
            return _from_objects(name, array)
        case "U" | "T" | "S":
            return raw_from_cells(name, array.tolist())
    raise LikelyError(
        f"column {name!r} has the type {array.dtype}, which is not one of numbers, text or times: convert it."
    )


def _from_objects(name: str, array: NDArray[Any]) -> Raw:
    """Look at an array of Python objects; if the same ones stand in many rows, at each of them once."""
    repeated = _repeated_objects(array)
    if repeated is not None:
        places, objects = repeated
        try:
            raw = raw_from_cells(name, objects)
        except LikelyError:  # which names a row: look again, row by row
            return raw_from_cells(name, array.tolist())
        if raw.type is not Type.MIXED:  # whose complaint names rows, too
            return replace(raw, values=raw.values[places])
    return raw_from_cells(name, array.tolist())


def _repeated_objects(array: NDArray[Any]) -> tuple[NDArray[np.intp], list[Any]] | None:
    """Which object stands in each row, told by addresses alone, and the objects; None if there are many.

    A string that was read, or made, once is one object however many rows hold it: to hash its address takes
    a fraction of the time that its letters take. Only pandas has such a hash, and who comes with such an
    array comes with pandas as a rule.
    """
    pandas, n = sys.modules.get("pandas"), len(array)
    if pandas is None or n < MANY or len(set(map(id, array[:FIRST].tolist()))) > FIRST // 2:
        return None
    array = np.ascontiguousarray(array)
    addresses = np.ctypeslib.as_array((ctypes.c_ssize_t * n).from_address(array.ctypes.data))
    places, different = pandas.factorize(addresses)
    if len(different) > n // 8:
        return None
    first = np.empty(len(different), np.intp)
    first[places[::-1]] = np.arange(n - 1, -1, -1)
    return places, array[first].tolist()


def raw_from_cells(name: str, cells: list[Any]) -> Raw:
    """Look at Python objects: the type is that of the values, if they have one in common."""
    made_of = _type_in_common(cells)
    _refuse_what_never_fits(name, cells, made_of)
    match made_of:
        case None:
            return Raw(name, Type.EMPTY, np.full(len(cells), -1, np.int8), [])
        case Type.STRING:
            codes, values = distinct(cells)
            return Raw(name, made_of, codes, [str(value) for value in values])  # NumPy's own are no str
        case Type.BOOLEAN:
            return Raw(name, made_of, _truths(cells))
        case Type.INTEGER:
            return _whole_numbers(name, cells)
        case Type.FLOAT:
            return Raw(name, made_of, _floats(cells))
        case Type.MIXED:
            return _as_texts(name, cells, _mixture(cells))
    return _times(name, made_of, cells)


def filled(array: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    """The array with NaN, NaT or None where it was masked, or as it is without a mask."""
    plain, mask = np.asarray(array), np.ma.getmaskarray(array)
    if not mask.any():
        return plain
    plain = plain.copy() if plain.dtype.kind in "fmM" else plain.astype(object)
    plain[mask] = None  # NumPy makes NaN or NaT of it
    return plain


def _type_in_common(cells: list[Any]) -> Type | None:
    """None if all are missing; MIXED if there are several, or one that no kind is for."""
    types = {t: _type_of(t) for t in set(map(type, cells)) - {type(None)}}
    for t in [t for t, made_of in types.items() if made_of not in (Type.STRING, Type.INTEGER, Type.BOOLEAN)]:
        if all(is_missing(v) for v in cells if type(v) is t):  # NaN is a float, NaT a time
            del types[t]
    several = set(types.values())
    if several == {Type.INTEGER, Type.FLOAT}:
        return Type.FLOAT
    return several.pop() if len(several) == 1 else Type.MIXED if several else None


def _type_of(t: type) -> Type:
    return next((made_of for known, made_of in _TYPES if issubclass(t, known)), Type.MIXED)


def _refuse_what_never_fits(name: str, cells: list[Any], made_of: Type | None) -> None:
    """Cells that hold several values, and numbers without an order: not even as text."""
    if made_of is not Type.MIXED:
        return
    for row, value in enumerate(cells):
        if isinstance(value, complex | np.complexfloating):
            raise LikelyError(f"Complex data not supported: column {name!r}, row {row}. Give real numbers.")
        if isinstance(value, dict | list | set | frozenset | tuple | np.ndarray):
            raise LikelyError(
                f"column {name!r} holds {value!r} in row {row}: every cell must be a string or a number. "
                "Give each part a column of its own."
            )


def _floats(cells: Sequence[Any]) -> NDArray[Any]:
    try:
        return np.array(cells, np.float64)
    except (TypeError, ValueError, OverflowError):  # None, pandas.NA, an integer beyond all floats
        return np.array([np.nan if is_missing(v) else as_float(v) for v in cells])


def _truths(cells: Sequence[Any]) -> NDArray[Any]:
    floats = _floats(cells)
    return floats if np.isnan(floats).any() else floats.astype(bool)


def _whole_numbers(name: str, cells: list[Any]) -> Raw:
    for dtype in (np.int64, np.uint64):
        try:
            return Raw(name, Type.INTEGER, np.array(cells, dtype))
        except (TypeError, ValueError, OverflowError):  # gaps, or numbers that do not fit
            continue
    floats = _floats(cells)
    if not (np.abs(floats) >= EXACT).any():
        return Raw(name, Type.INTEGER, floats)
    codes, numbers = distinct(cells)  # floats would take neighbours for the same number
    return Raw(name, Type.INTEGER, codes, [int(value) for value in numbers])


def _times(name: str, made_of: Type, cells: list[Any]) -> Raw:
    zoned = {_zoned(v) for v in cells if not is_missing(v)}
    if len(zoned) > 1:
        return _as_texts(name, cells, "holds times both with and without a time zone")
    plain = [None if is_missing(v) else _plain_time(v) for v in cells]
    return Raw(name, made_of, np.array(plain, UNITS[made_of][0]), zone="UTC" if True in zoned else None)


def _zoned(value: object) -> bool:
    return isinstance(value, datetime | time) and value.utcoffset() is not None


def _plain_time(value: object) -> object:
    """What NumPy can hold: times in UTC and without a zone, times of day as time passed since midnight."""
    if isinstance(value, datetime) and _zoned(value):
        return value.astimezone(UTC).replace(tzinfo=None)
    if isinstance(value, time):
        return datetime.combine(date.min, value.replace(tzinfo=None)) - datetime.min
    return value


def _as_texts(name: str, cells: list[Any], complaint: str) -> Raw:
    codes, texts = distinct([None if is_missing(v) else str(v) for v in cells])
    return Raw(name, Type.MIXED, codes, texts, complaint=complaint)


def _mixture(cells: Sequence[Any]) -> str:
    """The first values of different types, and where they are."""
    first: dict[type, str] = {}
    for row, value in enumerate(cells):
        if not is_missing(value):
            first.setdefault(type(value), f"{value!r} in row {row}")
    if len(first) == 1:
        ((made_of, example),) = first.items()
        return f"holds values of the type {made_of.__name__} ({example})"
    return f"holds values of several types ({', '.join(list(first.values())[:2])})"


def as_series(values: object) -> Series[Any] | None:
    """A narwhals Series of a column of any frame library; None if it is none.

    Arrow arrays and pandas extension arrays are put in the Series of their library first: NumPy would
    forget their levels and gaps.
    """
    import narwhals.stable.v2 as nw

    if isinstance(values, nw.Series):
        return values
    library = type(values).__module__.split(".")[0]
    if library == "pyarrow" and not hasattr(values, "chunks"):
        values = sys.modules[library].chunked_array([values])
    elif library == "pandas" and type(values).__name__ != "Series":
        values = sys.modules[library].Series(values)
    series = nw.from_native(values, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def raw_from_series(name: str, series: Series[Any]) -> Raw:
    """Look at a narwhals Series: strings and levels become codes, the rest an array."""
    import narwhals.stable.v2 as nw

    native, dtype = series.to_native(), series.dtype
    if dtype == nw.String:
        codes, texts = distinct(native)
        return Raw(name, Type.STRING if texts else Type.EMPTY, codes, texts)
    if dtype == nw.Categorical or dtype == nw.Enum:
        return _categories(name, series)
    if dtype == nw.Boolean:
        whole = series.cast(nw.Float64) if series.null_count() else series
        values = whole.to_numpy()
        return Raw(
            name, Type.BOOLEAN, values if values.dtype.kind == "f" else values.astype(bool, copy=False)
        )
    if dtype.is_integer():
        return _integers(name, series)
    if dtype.is_decimal():
        return raw_from_array(name, series.cast(nw.Float64).to_numpy())
    if dtype.is_float() or dtype == nw.Date or dtype == nw.Duration:
        return raw_from_array(name, series.to_numpy())
    if dtype == nw.Datetime:
        raw = raw_from_array(name, series.to_numpy())
        return Raw(name, Type.DATETIME, raw.values, zone=getattr(dtype, "time_zone", None))
    return raw_from_cells(name, series.to_list())


def _integers(name: str, series: Series[Any]) -> Raw:
    """An array of integers, or of floats if there are gaps and the floats lose nothing."""
    import narwhals.stable.v2 as nw

    if series.dtype in (nw.Int128, nw.UInt128):  # beyond NumPy
        return raw_from_cells(name, series.to_list())
    values = series.to_numpy()
    if values.dtype.kind == "f" and (np.abs(values) >= EXACT).any():
        return raw_from_cells(name, series.to_list())
    return Raw(name, Type.INTEGER, values)


def _categories(name: str, series: Series[Any]) -> Raw:
    """Codes as they are; the declared levels too, where the type has an order or (pandas) lists them."""
    import narwhals.stable.v2 as nw

    native, pandas = series.to_native(), series.implementation.is_pandas_like()
    listed = pandas and hasattr(native, "cat")
    if pandas and not listed:  # pandas over an Arrow dictionary
        native = series.to_arrow()
    codes, levels = distinct(native)
    # An Arrow dictionary has an order only if it says so, a Polars Enum always.
    if listed:
        ordered = bool(native.cat.ordered)
    else:
        ordered = native.type.ordered if hasattr(native, "dictionary_encode") else series.dtype == nw.Enum
    return Raw(name, Type.CATEGORY, codes, levels, tuple(levels) if listed or ordered else None, ordered)


def as_raw(name: str, values: Any) -> Raw:
    """A column as it came in: a one-dimensional array, a list, or a Series of any library.

    >>> as_raw("age", [31.0, None, 4.0]).numbers()
    array([31., nan,  4.])
    """
    if isinstance(values, list | tuple):
        return raw_from_cells(name, list(values))
    if isinstance(getattr(values, "dtype", None), np.dtype):  # an array, or a pandas Series over one
        return raw_from_array(name, values)
    series = as_series(values)
    return raw_from_array(name, values) if series is None else raw_from_series(name, series)
