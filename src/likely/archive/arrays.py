"""Arrays of numbers <-> the bytes of a .npy file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError

Array = NDArray[Any]

# Little-endian, and no objects.
DTYPES = frozenset(["|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8"])
LARGEST = 1 << 48  # numbers: NumPy refuses more, even where one of the sizes is 0 and there are none
ALIGN = 64  # what the header of a .npy file is filled up to


@dataclass(frozen=True, slots=True)
class Layout:
    """How the numbers of an array lie in memory.

    The order is kept: sums over another order would round another way, and answers would differ in a bit.

    >>> Layout.of(np.zeros((2, 3)))
    Layout(dtype='<f8', shape=(2, 3), order='C')
    """

    dtype: str
    shape: tuple[int, ...]
    order: Literal["C", "F"]

    @classmethod
    def of(cls, array: Array) -> Layout:
        """The layout in which an array is written."""
        dtype = array.dtype.newbyteorder("<").str
        if dtype not in DTYPES:
            raise TypeError(f"an array of {array.dtype} is not plain")
        by_columns = array.ndim > 1 and np.abs(array.strides[0]) < np.abs(array.strides[-1])
        return cls(dtype, array.shape, "F" if by_columns else "C")

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Layout:
        """The layout that a file states, if it is one."""
        dtype, shape, order = (entry.get(name) for name in ("dtype", "shape", "order"))
        if type(dtype) is not str or dtype not in DTYPES or order not in ("C", "F") or not _is_shape(shape):
            raise LikelyError(f"{dtype!r}, {shape!r}, {order!r} is not the layout of an array")
        return cls(dtype, tuple(shape), order)  # type: ignore[arg-type]

    def as_dict(self) -> dict[str, Any]:
        """The layout as plain state."""
        return {"dtype": self.dtype, "shape": list(self.shape), "order": self.order}

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return prod(self.shape)

    @property
    def header(self) -> bytes:
        """The first bytes of the .npy file: the same for the same layout, whatever wrote it."""
        said = f"{{'descr': '{self.dtype}', 'fortran_order': {self.order == 'F'}, 'shape': {self.shape}, }}"
        length = -(-(10 + len(said) + 1) // ALIGN) * ALIGN - 10
        return b"\x93NUMPY\x01\x00" + length.to_bytes(2, "little") + said.ljust(length - 1).encode() + b"\n"

    def pieces(self, array: Array) -> Iterator[bytes | memoryview]:
        """The bytes of the .npy file of an array, piece by piece."""
        yield self.header
        flat = np.asarray(array, self.dtype).ravel(self.order)
        yield flat.data.cast("B") if flat.size else b""

    def array(self, content: bytes) -> Array:
        """The array of a .npy file that must have this layout."""
        header = self.header
        n_bytes = len(header) + self.size * np.dtype(self.dtype).itemsize
        if not content.startswith(header) or len(content) != n_bytes:
            raise LikelyError(f"an array is not the one of shape {self.shape} that it should be")
        return self.shaped(np.frombuffer(content, self.dtype, offset=len(header)))

    def shaped(self, flat: Array) -> Array:
        """Numbers one after another, in the shape and the order of this layout."""
        native = flat.astype(flat.dtype.newbyteorder("="), copy=False)
        return native.reshape(self.shape, order=self.order)


def _is_shape(shape: object) -> bool:
    if type(shape) is not list or len(shape) > 8 or not all(type(n) is int and n >= 0 for n in shape):
        return False
    return bool(prod(max(n, 1) for n in shape) <= LARGEST)
